// SPDX-License-Identifier: GPL-2.0
/* Bytes in memory, written at once when their number is known. */
#include <stdlib.h>
#include <string.h>

#include "export/buffer.h"
#include "util.h"

static uint8_t *more(struct buffer *buffer, size_t size)
{
	uint8_t *at;

	while (buffer->room - buffer->n < size) {
		buffer->room = buffer->room ? 2 * buffer->room : 4096;
		buffer->data = xrealloc(buffer->data, buffer->room, 1);
	}
	at = buffer->data + buffer->n;
	buffer->n += size;
	return at;
}

void buffer_add(struct buffer *buffer, const void *data, size_t size)
{
	if (size)
		memcpy(more(buffer, size), data, size);
}

void buffer_zero(struct buffer *buffer, size_t size)
{
	if (size)
		memset(more(buffer, size), 0, size);
}

void buffer_u32(struct buffer *buffer, uint32_t value)
{
	buffer_add(buffer, &value, sizeof(value));
}

void buffer_u64(struct buffer *buffer, uint64_t value)
{
	buffer_add(buffer, &value, sizeof(value));
}

void buffer_write(const struct buffer *buffer, FILE *out)
{
	if (buffer->n)
		fwrite(buffer->data, 1, buffer->n, out);
}

void buffer_free(struct buffer *buffer)
{
	free(buffer->data);
	memset(buffer, 0, sizeof(*buffer));
}
