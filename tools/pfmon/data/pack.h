/* SPDX-License-Identifier: GPL-2.0 */
/* Records compressed together, by zstd: a PROFILE_PACKED of the file, see format.h. */
#ifndef PFMON_DATA_PACK_H
#define PFMON_DATA_PACK_H

#include <stdbool.h>
#include <stddef.h>

/* The highest level: 1 is fast, and higher ones are slower and compress more. */
int pack_max_level(void);

struct packer;

struct packer *packer_new(int level);
void packer_free(struct packer *packer);

/* Compress; the result is valid until the next call. NULL: errno. */
const void *packer_pack(struct packer *packer, const void *bytes, size_t size, size_t *packed);

/* The reverse. False: it is damaged, or does not make exactly @size bytes. */
bool unpack(const void *packed, size_t packed_size, void *bytes, size_t size);

#endif /* PFMON_DATA_PACK_H */
