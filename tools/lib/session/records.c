// SPDX-License-Identifier: GPL-2.0
/* The buffer of the ibs sampling format: perfmon_ibs_smpl(5) describes it. */
#include <string.h>

#include <perfmon_ibs_smpl.h>

#include "base.h"
#include "session/kept.h"
#include "session/reader.h"
#include "session/records.h"

#define FIELD(_name, _has, _from)						\
	{ .name = #_name, .from = (_from), .has = (_has),			\
	  .offset = offsetof(pfm_ibs_smpl_entry_t, _name),			\
	  .size = sizeof(((pfm_ibs_smpl_entry_t *)0)->_name) }
#define KNOWN(_name, _has, _from)	FIELD(_name, PFM_IBS_SMPL_HAS_##_has, _from)

static const struct record_fields op_fields = {
	.counter = "IBS_OP", .n = 13, .ncounts = 7, .field = {
		KNOWN(tag_to_retire, RETIRE, "IBS_OP_DATA"),
		KNOWN(completion_to_retire, RETIRE, "IBS_OP_DATA"),
		KNOWN(latency, LATENCY, "IBS_OP_DATA3"),
		KNOWN(tlb_latency, TLB_LATENCY, "IBS_OP_DATA3"),
		KNOWN(page_size, PAGE_SIZE, "IBS_OP_DATA3"),
		KNOWN(width, WIDTH, "IBS_OP_DATA3"),
		KNOWN(source, SOURCE, "IBS_OP_DATA2"),
		FIELD(valid, 0, NULL),
		FIELD(flags, 0, "IBS_OP_DATA4"),
		KNOWN(ip, IP, "IBS_OP_RIP"),
		KNOWN(target, TARGET, "BP_IBSTGT_RIP"),
		KNOWN(linear, LINEAR, "IBS_DC_LINADDR"),
		KNOWN(physical, PHYSICAL, "IBS_DC_PHYSADDR"),
	},
};

/* The linear address is the ip. */
static const struct record_fields fetch_fields = {
	.counter = "IBS_FETCH", .n = 7, .ncounts = 3, .field = {
		KNOWN(latency, LATENCY, "IBS_FETCH_STATUS"),
		KNOWN(tlb_latency, TLB_LATENCY, "IC_IBS_EXTD_CTL"),
		KNOWN(page_size, PAGE_SIZE, "IBS_FETCH_STATUS"),
		FIELD(valid, 0, NULL),
		FIELD(flags, 0, "IBS_FETCH_STATUS"),
		KNOWN(ip, IP, "IBS_FETCH_LINADDR"),
		KNOWN(physical, PHYSICAL, "IBS_FETCH_PHYSADDR"),
	},
};

const struct record_fields *record_fields_of(const char *counter)
{
	if (!strcmp(op_fields.counter, counter))
		return &op_fields;
	return strcmp(fetch_fields.counter, counter) ? NULL : &fetch_fields;
}

struct records {
	const pfm_ibs_smpl_hdr_t *header;
	size_t		mapped;		/* bytes of the buffer */
	uint64_t	taken;		/* number of samples taken of it */
	struct kept	kept;		/* samples taken last */
};

static void records_argument(void *argument, const struct sampling *sampling, uint64_t size)
{
	const pfm_ibs_smpl_arg_t arg = { .buf_size = size };

	(void)sampling;
	memcpy(argument, &arg, sizeof(arg));
}

static bool records_open(void *state, int fd, const void *buffer, size_t mapped)
{
	struct records *records = state;

	(void)fd;
	records->header = buffer;
	records->mapped = mapped;
	return true;
}

/* The kernel's byte order is that of this machine, an x86. */
static uint64_t value_of(const pfm_ibs_smpl_entry_t *entry, const struct record_field *field)
{
	uint64_t value = 0;

	if (!field->has || (entry->valid & field->has))
		memcpy(&value, (const char *)entry + field->offset, field->size);
	return value;
}

static void keep(struct records *records, const pfm_ibs_smpl_entry_t *entry, uint64_t number,
		 size_t nvalues)
{
	const struct record_fields *fields =
		entry->kind == PFM_IBS_SMPL_FETCH ? &fetch_fields : &op_fields;
	uint64_t values[RECORD_FIELDS] = { 0 };
	size_t i;

	for (i = 0; i < nvalues && i < fields->n; i++)
		values[i] = value_of(entry, &fields->field[i]);
	kept_put(&records->kept, number, &entry->sample, values, nvalues);
}

static struct batch records_take(void *state, size_t sample_size)
{
	const size_t nvalues = (sample_size - kept_size(0)) / sizeof(uint64_t);
	struct batch batch = { .sample_size = sample_size };
	struct records *records = state;
	const pfm_ibs_smpl_hdr_t *header = records->header;
	const size_t step = header->hdr_sample_size;
	/* Each sample is complete before it is counted. */
	const uint64_t count = __atomic_load_n(&header->hdr_count, __ATOMIC_ACQUIRE);

	if (nvalues > RECORD_FIELDS || step < sizeof(pfm_ibs_smpl_entry_t) ||
	    count > (records->mapped - sizeof(*header)) / step)
		return batch;
	for (; records->taken < count; records->taken++)
		keep(records, (const void *)((const char *)(header + 1) + records->taken * step),
		     batch.count++, nvalues);
	if (batch.count)
		batch.samples = records->kept.samples;
	return batch;
}

static void records_restart(void *state)
{
	struct records *records = state;

	records->taken = 0;
}

static void records_close(void *state)
{
	struct records *records = state;

	kept_free(&records->kept);
}

const struct sampling_reader records_reader = {
	.name = "ibs", .gives = "decoded samples of IBS", .uuid = PFM_IBS_SMPL_UUID,
	.state_size = sizeof(struct records),
	.argument = records_argument, .open = records_open, .take = records_take,
	.restart = records_restart, .close = records_close,
};
