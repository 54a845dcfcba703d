// SPDX-License-Identifier: GPL-2.0
/*
 * From bytes of code to the text of instructions, by capstone, which knows no names: the
 * targets of branches and other references of code are named here, in the manner of objdump(1).
 */
#define _GNU_SOURCE
#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/capstone_calls.h"
#include "annotate/decoder.h"
#include "annotate/x86_length.h"

struct decoder {
	const struct capstone_calls *capstone;
	csh		handle;
	cs_insn		*instruction;
	struct symbols	*symbols;
	unsigned int	machine;
	bool		little_endian, demangle;
};

static const struct processor {
	unsigned int	machine;
	cs_arch		arch;
	cs_mode		mode;
} processors[] = {
	{ EM_X86_64, CS_ARCH_X86, CS_MODE_64 },
	{ EM_386, CS_ARCH_X86, CS_MODE_32 },
	{ EM_PPC64, CS_ARCH_PPC, CS_MODE_64 },
};

static const struct processor *find_processor(unsigned int machine)
{
	size_t i;

	for (i = 0; i < COUNT(processors); i++)
		if (processors[i].machine == machine)
			return &processors[i];
	return NULL;
}

struct decoder *decoder_open(struct symbols *symbols, const struct symbols_code *code,
			     const struct decoder_options *options, struct problem *why)
{
	const struct processor *processor = find_processor(code->machine);
	const struct capstone_calls *capstone;
	struct decoder *decoder;
	cs_mode mode;

	if (!processor) {
		problem(why, "the code is for a processor (ELF's number %u) that pfmon cannot decode",
			code->machine);
		problem_hint(why, "It decodes x86's and POWER's.");
		return NULL;
	}
	capstone = capstone_calls(why);
	if (!capstone)
		return NULL;
	mode = processor->mode | (code->little_endian ? CS_MODE_LITTLE_ENDIAN : CS_MODE_BIG_ENDIAN);
	decoder = xcalloc(1, sizeof(*decoder));
	decoder->capstone = capstone;
	if (capstone->open(processor->arch, mode, &decoder->handle)) {
		problem(why, "this libcapstone cannot decode the code");
		free(decoder);
		return NULL;
	}
	capstone->option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
	if (processor->arch == CS_ARCH_X86 && !options->intel)
		capstone->option(decoder->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	decoder->instruction = capstone->malloc(decoder->handle);
	decoder->symbols = symbols;
	decoder->machine = code->machine;
	decoder->little_endian = code->little_endian;
	decoder->demangle = !options->mangled;
	return decoder;
}

void decoder_close(struct decoder *decoder)
{
	if (!decoder)
		return;
	decoder->capstone->free(decoder->instruction, 1);
	decoder->capstone->close(&decoder->handle);
	free(decoder);
}

static bool in_group(const struct decoder *decoder, unsigned int group)
{
	return decoder->capstone->insn_group(decoder->handle, decoder->instruction, group);
}

/* The target of an x86 branch, if it is in the instruction. */
static bool x86_target(struct decoder *decoder, uint64_t *target)
{
	const cs_x86 *detail = &decoder->instruction->detail->x86;

	if (!in_group(decoder, CS_GRP_BRANCH_RELATIVE) ||
	    !detail->op_count || detail->operands[detail->op_count - 1].type != X86_OP_IMM)
		return false;
	*target = (uint64_t)detail->operands[detail->op_count - 1].imm;
	return true;
}

static uint32_t word_at(const struct decoder *decoder, const unsigned char *byte)
{
	uint32_t word = 0;
	size_t i;

	for (i = 0; i < 4; i++)
		word |= (uint32_t)byte[i] << (8 * (decoder->little_endian ? i : 3 - i));
	return word;
}

/*
 * The same on POWER, where capstone 4 does not group all branches: forms I and B of the
 * Power ISA, whose primary opcodes are 18 and 16.
 */
static bool power_target(const struct decoder *decoder, uint64_t *target)
{
	const uint32_t word = word_at(decoder, decoder->instruction->bytes);
	int64_t distance;

	if (word >> 26 == 18)
		distance = (int64_t)((word & 0x3fffffc) ^ 0x2000000) - 0x2000000;
	else if (word >> 26 == 16)
		distance = (int64_t)((word & 0xfffc) ^ 0x8000) - 0x8000;
	else
		return false;
	*target = (uint64_t)distance + (word & 2 ? 0 : decoder->instruction->address);
	return true;
}

/* The address to which an x86 instruction refers relative to itself. */
static bool x86_reference(const struct decoder *decoder, uint64_t *address)
{
	const cs_insn *instruction = decoder->instruction;
	const cs_x86 *detail = &instruction->detail->x86;
	size_t i;

	for (i = 0; i < detail->op_count; i++) {
		if (detail->operands[i].type != X86_OP_MEM ||
		    detail->operands[i].mem.base != X86_REG_RIP)
			continue;
		*address = instruction->address + instruction->size +
			   (uint64_t)detail->operands[i].mem.disp;
		return true;
	}
	return false;
}

static bool decode(struct decoder *decoder, const struct symbols_code *code, uint64_t address)
{
	const uint8_t *bytes = code->bytes + (address - code->start);
	size_t left = code->end - address;

	return decoder->capstone->disasm_iter(decoder->handle, &bytes, &left, &address,
					      decoder->instruction);
}

/* "<name+0x10>", to be freed; NULL: there is no name. */
static char *in_brackets(const struct decoder *decoder, const char *name, uint64_t distance)
{
	char *plain = decoder->demangle && name ? symbols_demangle(name) : NULL;
	char *text = NULL;

	if (name && distance)
		text = xasprintf("<%s+%#" PRIx64 ">", plain ?: name, distance);
	else if (name)
		text = xasprintf("<%s>", plain ?: name);
	free(plain);
	return text;
}

#define STUB_SIZE	16	/* of x86-64's linkers, whatever the kind of stub */

/* The function that a stub of the linker's jumps to: it takes the address from a table. */
static char *name_of_stub(struct decoder *decoder, uint64_t stub)
{
	struct symbols_code code;
	struct problem why;
	uint64_t at, slot, distance;
	char *name, *text;

	if (decoder->machine != EM_X86_64 ||
	    !symbols_code(decoder->symbols, stub, &code, &why))
		return NULL;
	for (at = stub; at < code.end && at - stub < STUB_SIZE; at += decoder->instruction->size) {
		if (!decode(decoder, &code, at))
			return NULL;
		if (!in_group(decoder, CS_GRP_JUMP))
			continue;
		if (!x86_reference(decoder, &slot))
			return NULL;
		name = in_brackets(decoder, symbols_referred(decoder->symbols, slot, &distance),
				   0);
		if (!name)
			return NULL;
		text = xasprintf("%.*s@plt>", (int)strlen(name) - 1, name);
		free(name);
		return text;
	}
	return NULL;
}

/* The name of the code at an address; to be freed, or NULL. */
static char *name_of_code(struct decoder *decoder, uint64_t address)
{
	uint64_t offset, distance;
	const char *name;
	char *stub;

	if (!symbols_offset(decoder->symbols, address, &offset))
		return NULL;
	name = symbols_find_at(decoder->symbols, offset, false, &distance);
	if (name && !strcmp(name, "[plt]")) {
		stub = name_of_stub(decoder, address);
		if (stub)
			return stub;
	}
	return in_brackets(decoder, name, distance);
}

/* "jne    1139 <main+0x10>" */
static char *text_of_branch(struct decoder *decoder, uint64_t target)
{
	cs_insn *instruction = decoder->instruction;
	char *number = strstr(instruction->op_str, "0x"), *start, *name, *text;

	if (number)
		*number = '\0'; /* the text before it stays: a register of POWER */
	start = xasprintf("%-6s %s%" PRIx64, instruction->mnemonic, instruction->op_str, target);
	name = name_of_code(decoder, target); /* which may decode another instruction */
	text = xasprintf("%s%s%s", start, name ? " " : "", name ?: "");
	free(start);
	free(name);
	return text;
}

static char *text_of_reference(const struct decoder *decoder, uint64_t address)
{
	const cs_insn *instruction = decoder->instruction;
	uint64_t distance;
	const char *symbol = symbols_referred(decoder->symbols, address, &distance);
	char *name = in_brackets(decoder, symbol, distance);
	char *text = xasprintf("%-6s %s  # %" PRIx64 "%s%s", instruction->mnemonic,
			       instruction->op_str, address, name ? " " : "", name ?: "");

	free(name);
	return text;
}

/* Bytes that are no instruction, or an unknown one to capstone. */
static char *text_of_data(const struct decoder *decoder, const struct symbols_code *code,
			  uint64_t address, size_t *size)
{
	const unsigned char *byte = code->bytes + (address - code->start);
	const size_t left = code->end - address;
	char text[128] = "";
	size_t i;

	*size = decoder->machine == EM_PPC64 ? 4 :
		decoder->machine == EM_X86_64 ? x86_length(byte, left) : 1;
	if (!*size || *size > left)
		*size = 1;
	if (decoder->machine == EM_PPC64 && *size == 4)
		return xasprintf("%-6s %#x", ".long", word_at(decoder, byte));
	for (i = 0; i < *size; i++)
		append(text, sizeof(text), "%s%#x", i ? ", " : "", byte[i]);
	return xasprintf("%-6s %s", ".byte", text);
}

char *decoder_instruction(struct decoder *decoder, const struct symbols_code *code,
			  uint64_t address, size_t *size)
{
	const bool power = decoder->machine == EM_PPC64;
	const cs_insn *instruction = decoder->instruction;
	uint64_t where;

	if (!decode(decoder, code, address))
		return text_of_data(decoder, code, address, size);
	*size = instruction->size;
	if (power ? power_target(decoder, &where) : x86_target(decoder, &where))
		return text_of_branch(decoder, where);
	if (!power && x86_reference(decoder, &where))
		return text_of_reference(decoder, where);
	if (!*instruction->op_str)
		return xstrdup(instruction->mnemonic);
	return xasprintf("%-6s %s", instruction->mnemonic, instruction->op_str);
}
