// SPDX-License-Identifier: GPL-2.0
/* Protocol buffers: a field is its number and kind, and the value or length and bytes. */
#include "export/protobuf.h"
#include "util.h"

enum { KIND_VARINT = 0, KIND_BYTES = 2 };

/* Seven bits a byte, the lowest first; the eighth is set if more bytes follow. */
static void varint(struct buffer *buffer, uint64_t value)
{
	uint8_t byte;

	do {
		byte = value & 0x7f;
		value >>= 7;
		if (value)
			byte |= 0x80;
		buffer_add(buffer, &byte, 1);
	} while (value);
}

void protobuf_number(struct buffer *message, unsigned int field, uint64_t value)
{
	if (!value)
		return;
	varint(message, field << 3 | KIND_VARINT);
	varint(message, value);
}

void protobuf_message(struct buffer *message, unsigned int field, struct buffer *inner)
{
	varint(message, field << 3 | KIND_BYTES);
	varint(message, inner->n);
	buffer_add(message, inner->data, inner->n);
	buffer_free(inner);
}

void protobuf_text(struct buffer *message, unsigned int field, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	struct buffer plain = { .n = 0 };
	size_t n;

	for (; *s; s += n ? n : 1) { /* readers refuse text that is not UTF-8 */
		n = utf8_length(s);
		buffer_add(&plain, n ? s : (const void *)"?", n ? n : 1);
	}
	protobuf_message(message, field, &plain);
}

void protobuf_numbers(struct buffer *message, unsigned int field, const uint64_t *value, size_t n)
{
	struct buffer packed = { .n = 0 };
	size_t i;

	for (i = 0; i < n; i++)
		varint(&packed, value[i]);
	protobuf_message(message, field, &packed);
}
