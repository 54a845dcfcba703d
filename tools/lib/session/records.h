/* SPDX-License-Identifier: GPL-2.0 */
/* The values of a sample of the ibs sampling format: its fields, as pfmon records them. */
#ifndef PFMON_SESSION_RECORDS_H
#define PFMON_SESSION_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#define RECORD_FIELDS	13	/* values of a sample, at most */

struct record_field {
	const char	*name;
	const char	*from;		/* the register that must be recorded for it, or NULL */
	uint32_t	has;		/* PFM_IBS_SMPL_HAS_*; 0: always known */
	size_t		offset, size;	/* in pfm_ibs_smpl_entry_t */
};

/* The fields of a unit of the processor, counts first, then bits and addresses. */
struct record_fields {
	const char	*counter;	/* the name of the PMD that counts its samples */
	size_t		n, ncounts;
	struct record_field field[RECORD_FIELDS];
};

/* NULL: the PMD is none that counts such samples. */
const struct record_fields *record_fields_of(const char *counter);

/* The field that has the address of the sample. */
#define RECORD_ADDRESS	"ip"

#endif /* PFMON_SESSION_RECORDS_H */
