// SPDX-License-Identifier: GPL-2.0
/* Records compressed together, by zstd, with a checksum: each block can be read alone. */
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "data/pack.h"
#include "util.h"

struct packer {
	ZSTD_CCtx	*context;
	void		*out;
	size_t		room;
};

int pack_max_level(void)
{
	return ZSTD_maxCLevel();
}

struct packer *packer_new(int level)
{
	struct packer *packer = xcalloc(1, sizeof(*packer));

	packer->context = ZSTD_createCCtx();
	if (!packer->context) {
		complain("out of memory");
		exit(EXIT_PFMON);
	}
	ZSTD_CCtx_setParameter(packer->context, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(packer->context, ZSTD_c_checksumFlag, 1);
	return packer;
}

void packer_free(struct packer *packer)
{
	if (!packer)
		return;
	ZSTD_freeCCtx(packer->context);
	free(packer->out);
	free(packer);
}

const void *packer_pack(struct packer *packer, const void *bytes, size_t size, size_t *packed)
{
	if (packer->room < ZSTD_compressBound(size)) {
		packer->room = ZSTD_compressBound(size);
		packer->out = xrealloc(packer->out, packer->room, 1);
	}
	*packed = ZSTD_compress2(packer->context, packer->out, packer->room, bytes, size);
	if (!ZSTD_isError(*packed))
		return packer->out;
	errno = ENOMEM; /* the only reason that is left */
	return NULL;
}

bool unpack(const void *packed, size_t packed_size, void *bytes, size_t size)
{
	return ZSTD_decompress(bytes, size, packed, packed_size) == size;
}
