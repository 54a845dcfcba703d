/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Protocol buffers, as far as profile.proto needs them: numbers, texts and messages. Written by
 * hand: a library would need a generator of code and be larger than this file.
 */
#ifndef PFMON_EXPORT_PROTOBUF_H
#define PFMON_EXPORT_PROTOBUF_H

#include "export/buffer.h"

/* A field of a message: @field is its number. A zero is the default and is left out. */
void protobuf_number(struct buffer *message, unsigned int field, uint64_t value);
void protobuf_text(struct buffer *message, unsigned int field, const char *text);
void protobuf_message(struct buffer *message, unsigned int field, struct buffer *inner);

/* A repeated field of numbers. */
void protobuf_numbers(struct buffer *message, unsigned int field, const uint64_t *value,
		      size_t n);

#endif /* PFMON_EXPORT_PROTOBUF_H */
