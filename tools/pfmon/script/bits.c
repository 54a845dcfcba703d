// SPDX-License-Identifier: GPL-2.0
/* The names are those of the flags in <perfmon_ibs_smpl.h>. */
#include <inttypes.h>
#include <string.h>

#include <perfmon_ibs_smpl.h>

#include "base.h"
#include "script/bits.h"

struct bit {
	uint64_t	bit;
	const char	*name;
};

static const struct bit valid_bits[] = {
	{ PFM_IBS_SMPL_HAS_IP,		"ip" },
	{ PFM_IBS_SMPL_HAS_LINEAR,	"linear" },
	{ PFM_IBS_SMPL_HAS_PHYSICAL,	"physical" },
	{ PFM_IBS_SMPL_HAS_TARGET,	"target" },
	{ PFM_IBS_SMPL_HAS_RETIRE,	"retire" },
	{ PFM_IBS_SMPL_HAS_MEMORY,	"memory" },
	{ PFM_IBS_SMPL_HAS_FETCH,	"fetch" },
	{ PFM_IBS_SMPL_HAS_LATENCY,	"latency" },
	{ PFM_IBS_SMPL_HAS_TLB_LATENCY,	"tlb_latency" },
	{ PFM_IBS_SMPL_HAS_PAGE_SIZE,	"page_size" },
	{ PFM_IBS_SMPL_HAS_WIDTH,	"width" },
	{ PFM_IBS_SMPL_HAS_SOURCE,	"source" },
};

static const struct bit flag_bits[] = {
	{ PFM_IBS_SMPL_BRANCH,		"branch" },
	{ PFM_IBS_SMPL_TAKEN,		"taken" },
	{ PFM_IBS_SMPL_MISPREDICTED,	"mispredicted" },
	{ PFM_IBS_SMPL_RETURN,		"return" },
	{ PFM_IBS_SMPL_FUSED,		"fused" },
	{ PFM_IBS_SMPL_MICROCODE,	"microcode" },
	{ PFM_IBS_SMPL_RESYNC,		"resync" },
	{ PFM_IBS_SMPL_LOAD,		"load" },
	{ PFM_IBS_SMPL_STORE,		"store" },
	{ PFM_IBS_SMPL_LOCKED,		"locked" },
	{ PFM_IBS_SMPL_PREFETCH,	"prefetch" },
	{ PFM_IBS_SMPL_MISALIGNED,	"misaligned" },
	{ PFM_IBS_SMPL_WRITE_COMBINING,	"write_combining" },
	{ PFM_IBS_SMPL_UNCACHED,	"uncached" },
	{ PFM_IBS_SMPL_DC_MISS,		"dc_miss" },
	{ PFM_IBS_SMPL_REMOTE,		"remote" },
	{ PFM_IBS_SMPL_L2_MISS,		"l2_miss" },
	{ PFM_IBS_SMPL_L1_TLB_MISS,	"l1_tlb_miss" },
	{ PFM_IBS_SMPL_L2_TLB_MISS,	"l2_tlb_miss" },
	{ PFM_IBS_SMPL_COMPLETE,	"complete" },
	{ PFM_IBS_SMPL_IC_MISS,		"ic_miss" },
	{ PFM_IBS_SMPL_OC_MISS,		"oc_miss" },
	{ PFM_IBS_SMPL_L3_MISS,		"l3_miss" },
};

static const struct {
	const char		*field;
	const struct bit	*bits;
	size_t			n;
} fields[] = {
	{ "valid", valid_bits, COUNT(valid_bits) },
	{ "flags", flag_bits, COUNT(flag_bits) },
};

static void print_named(FILE *out, const struct bit *bits, size_t n, uint64_t value)
{
	const char *separator = "";
	size_t i;

	for (i = 0; i < n; i++) {
		if (!(value & bits[i].bit))
			continue;
		fprintf(out, "%s%s", separator, bits[i].name);
		value &= ~bits[i].bit;
		separator = "|";
	}
	if (value)
		fprintf(out, "%s0x%" PRIx64, separator, value);
	else if (!*separator)
		fputc('0', out);
}

bool bits_print(FILE *out, const char *field, uint64_t value)
{
	size_t i;

	for (i = 0; i < COUNT(fields); i++) {
		if (strcmp(field, fields[i].field))
			continue;
		print_named(out, fields[i].bits, fields[i].n, value);
		return true;
	}
	return false;
}
