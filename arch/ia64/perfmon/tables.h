/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: all tables of the Itanium processor family, and their common parts.
 */
#ifndef _IA64_PERFMON_TABLES_H
#define _IA64_PERFMON_TABLES_H

#include <linux/array_size.h>
#include <linux/perfmon_pmu.h>

/* The family, up to a NULL. */
extern const struct pfm_table * const pfm_ita_tables[];

/*
 * Since the Itanium 2 a restriction is configured in one register for data and one for
 * code: DBR pairs are enabled in bits 45-48 of the first, and used for an address or
 * an opcode unless both bits of the pair's field are set; IBR pairs are ignored while
 * bits 1, 4, 7 and 10 of the second are set.
 */
#define PFM_ITA_DATA_ENABLE	(0xfULL << 45)
#define PFM_ITA_DATA_FIELDS	0x18181818ULL
#define PFM_ITA_CODE_IGNORE	0x492ULL

static inline bool pfm_ita_data_restricted(u64 data)
{
	return (data & PFM_ITA_DATA_ENABLE) &&
	       (data & PFM_ITA_DATA_FIELDS) != PFM_ITA_DATA_FIELDS;
}

static inline bool pfm_ita_code_restricted(u64 code)
{
	return (code & PFM_ITA_CODE_IGNORE) != PFM_ITA_CODE_IGNORE;
}

/*
 * Opcode matching, switched on by a clear @ignore, and one of the first two IBR pairs
 * without any DBR pair: the caches would tag instructions inconsistently. The manuals
 * forbid it.
 */
static inline bool pfm_ita_tags_conflict(u64 data, u64 code, u64 ignore)
{
	return !(data & PFM_ITA_DATA_ENABLE) && !ignore &&
	       (!(code & BIT_ULL(1)) || !(code & BIT_ULL(4)));
}

#endif /* _IA64_PERFMON_TABLES_H */
