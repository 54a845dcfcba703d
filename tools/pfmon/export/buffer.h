/* SPDX-License-Identifier: GPL-2.0 */
/* Bytes in memory, written at once when their number is known. */
#ifndef PFMON_EXPORT_BUFFER_H
#define PFMON_EXPORT_BUFFER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Zeroed is empty. */
struct buffer {
	uint8_t	*data;
	size_t	n, room;
};

void buffer_add(struct buffer *buffer, const void *data, size_t size);
void buffer_zero(struct buffer *buffer, size_t size);
void buffer_u32(struct buffer *buffer, uint32_t value);
void buffer_u64(struct buffer *buffer, uint64_t value);

/* Write all bytes; ferror(@out) shows an error. */
void buffer_write(const struct buffer *buffer, FILE *out);
void buffer_free(struct buffer *buffer);

#endif /* PFMON_EXPORT_BUFFER_H */
