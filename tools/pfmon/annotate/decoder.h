/* SPDX-License-Identifier: GPL-2.0 */
/* From bytes of code to the text of instructions, by capstone. */
#ifndef PFMON_ANNOTATE_DECODER_H
#define PFMON_ANNOTATE_DECODER_H

#include "symbols/symbols.h"

struct decoder;

struct decoder_options {
	bool	intel;		/* the syntax of x86's manuals, else that of the assembler */
	bool	mangled;	/* names stay as the linker knows them */
};

/*
 * For code of this processor, whose names @symbols has. NULL, with the reason: the code cannot be
 * decoded.
 */
struct decoder *decoder_open(struct symbols *symbols, const struct symbols_code *code,
			     const struct decoder_options *options, struct problem *why);

/*
 * The instruction at an address within the code, to be freed, and its size. Bytes that are
 * no instruction are shown as data.
 */
char *decoder_instruction(struct decoder *decoder, const struct symbols_code *code,
			  uint64_t address, size_t *size);

void decoder_close(struct decoder *decoder);

#endif /* PFMON_ANNOTATE_DECODER_H */
