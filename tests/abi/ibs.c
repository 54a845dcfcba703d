// SPDX-License-Identifier: GPL-2.0
/*
 * The ibs sampling format: its argument, its header, the contents of samples, and a full buffer.
 * The KUnit suite perfmon_ibs has the bits that the emulated processor never sets.
 */
#include "ibs.h"
#include "process.h"

#include <perfmon_ibs_smpl.h>

#include <pthread.h>

#define SIZE		(1 << 20)
#define OPS		(OP_EN | OP_INSTRUCTIONS | PERIOD / 16)
#define FETCHES		(FETCH_EN | PERIOD / 16)

/* All registers of a sample that the emulated processor has. */
#define FETCH_PMDS	(BIT_ULL(FETCH_STATUS) | BIT_ULL(FETCH_LINADDR) | BIT_ULL(20))
#define OP_PMDS		(0x7fULL << OP_RIP)

static const size_t header = sizeof(pfm_ibs_smpl_hdr_t), entry_size = sizeof(pfm_ibs_smpl_entry_t);

static const struct format ibs_format = {
	"ibs", PFM_IBS_SMPL_UUID, sizeof(pfm_ibs_smpl_arg_t),
};

struct ibs {
	int				fd;
	const pfm_ibs_smpl_hdr_t	*hdr;
};

static int try_create_ibs(pfm_ibs_smpl_arg_t arg)
{
	return try_create_formatted(&ibs_format, 0, &arg, NULL);
}

static struct ibs create_ibs(size_t size)
{
	pfm_ibs_smpl_arg_t arg = { .buf_size = size };
	struct formatted made;

	need_ibs();
	need_format(&ibs_format);
	made = create_formatted(&ibs_format, 0, &arg);
	set_nonblocking(made.fd);
	return (struct ibs){ .fd = made.fd, .hdr = made.hdr };
}

static void sample_ops(int fd, __u64 pmds)
{
	program(fd, (struct event){ .reg = OP, .value = OPS, .period = 1, .flags = NOTIFY,
				    .smpl_pmds = pmds });
}

static void sample_fetches(int fd, __u64 pmds)
{
	program(fd, (struct event){ .reg = FETCH, .value = FETCHES, .period = 1, .flags = NOTIFY,
				    .smpl_pmds = pmds });
}

static void run(int fd)
{
	start(fd);
	run_rounds(ROUNDS, &memory);
	stop(fd);
}

static const pfm_ibs_smpl_entry_t *entry_of(const struct ibs *ibs, __u64 i)
{
	return (const pfm_ibs_smpl_entry_t *)(ibs->hdr + 1) + i;
}

static __u64 count_of(const struct ibs *ibs)
{
	return __atomic_load_n(&ibs->hdr->hdr_count, __ATOMIC_ACQUIRE);
}

/* Arguments. */

/* covers: D.15-1 */
TEST(bad_arguments_are_refused)
{
	const pfm_ibs_smpl_arg_t bad[] = {
		{ .buf_size = 0 },
		{ .buf_size = header + entry_size - 1 },
		{ .buf_size = SIZE, .buf_flags = 1 },
		{ .buf_size = SIZE, .buf_flags = 0x80000000 },
		{ .buf_size = SIZE, .buf_pad = 1 },
	};
	size_t i;

	need_ibs();
	need_format(&ibs_format);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_ERRNO(try_create_ibs(bad[i]), EINVAL);
	CHECK_ERRNO(try_create_ibs((pfm_ibs_smpl_arg_t){ .buf_size = ~0ULL }), ENOMEM);
}

/* covers: D.15-1 */
TEST(the_header_repeats_the_argument)
{
	struct ibs ibs = create_ibs(header + entry_size);
	const pfm_ibs_smpl_hdr_t *hdr = ibs.hdr;

	CHECK_EQ(hdr->hdr_count, 0);
	CHECK_EQ(hdr->hdr_cur_offs, header);
	CHECK_EQ(hdr->hdr_overflows, 0);
	CHECK_EQ(hdr->hdr_buf_size, header + entry_size);
	CHECK_EQ(hdr->hdr_version, PFM_IBS_SMPL_VERSION);
	CHECK_EQ(hdr->hdr_sample_size, entry_size);
}

/* Samples. */

/* Fields that the emulated processor does not measure. */
static void check_unmeasured(const pfm_ibs_smpl_entry_t *entry)
{
	size_t i;

	CHECK_EQ(entry->physical, 0);
	CHECK_EQ(entry->page_size, 0);
	CHECK_EQ(entry->latency, 0);
	CHECK_EQ(entry->tlb_latency, 0);
	CHECK_EQ(entry->tag_to_retire, 0);
	CHECK_EQ(entry->completion_to_retire, 0);
	CHECK_EQ(entry->width, 0);
	CHECK_EQ(entry->source, 0);
	for (i = 0; i < ARRAY_SIZE(entry->reserved); i++)
		CHECK_EQ(entry->reserved[i], 0);
}

static __u32 flags_of(unsigned int k)
{
	return (insns[k].data & DATA_BRANCH ? PFM_IBS_SMPL_BRANCH : 0) |
	       (insns[k].data & DATA_TAKEN ? PFM_IBS_SMPL_TAKEN : 0) |
	       (insns[k].data & DATA_RETURN ? PFM_IBS_SMPL_RETURN : 0) |
	       (insns[k].data3 & DATA3_LOAD ? PFM_IBS_SMPL_LOAD : 0) |
	       (insns[k].data3 & DATA3_STORE ? PFM_IBS_SMPL_STORE : 0);
}

/* A sample of an op with all its registers. Returns its instruction of the loop, or INSNS. */
static unsigned int check_op(const pfm_ibs_smpl_entry_t *entry)
{
	const bool taken = entry->flags & PFM_IBS_SMPL_TAKEN;
	const unsigned int k = find_insn(entry->ip);

	CHECK_EQ(entry->kind, PFM_IBS_SMPL_OP);
	CHECK_EQ(entry->sample.ovfl_pmd, OP);
	CHECK_EQ(entry->sample.last_reset_val, -1ULL);
	CHECK_EQ(entry->sample.pid, getpid());
	CHECK_EQ(entry->valid, PFM_IBS_SMPL_HAS_IP | PFM_IBS_SMPL_HAS_RETIRE |
			       PFM_IBS_SMPL_HAS_MEMORY | (taken ? PFM_IBS_SMPL_HAS_TARGET : 0));
	CHECK_EQ(entry->linear, 0);
	check_unmeasured(entry);
	if (k == INSNS)
		return k;
	CHECK_EQ(entry->flags, flags_of(k));
	CHECK_EQ(entry->target, taken ? (__u64)insns[k].next : 0);
	/* The interrupt comes at the next instruction. */
	CHECK_EQ(entry->sample.ip, insns[k].next);
	return k;
}

static unsigned int check_fetch(const pfm_ibs_smpl_entry_t *entry)
{
	const unsigned int k = find_insn(entry->ip);

	CHECK_EQ(entry->kind, PFM_IBS_SMPL_FETCH);
	CHECK_EQ(entry->sample.ovfl_pmd, FETCH);
	CHECK_EQ(entry->valid, PFM_IBS_SMPL_HAS_IP | PFM_IBS_SMPL_HAS_LINEAR |
			       PFM_IBS_SMPL_HAS_FETCH | PFM_IBS_SMPL_HAS_LATENCY);
	CHECK_EQ(entry->flags, PFM_IBS_SMPL_COMPLETE);
	CHECK_EQ(entry->linear, entry->ip);
	CHECK_EQ(entry->target, 0);
	check_unmeasured(entry);
	if (k < INSNS)
		CHECK_EQ(entry->sample.ip, insns[k].next);
	return k;
}

/* Each sample is right. Returns the number of those of the loop. */
static unsigned int check_samples(const struct ibs *ibs, __u64 n)
{
	const pfm_ibs_smpl_entry_t *entry;
	unsigned int found = 0;
	__u64 i;

	for (i = 0; i < n; i++) {
		entry = entry_of(ibs, i);
		found += (entry->kind == PFM_IBS_SMPL_FETCH ? check_fetch(entry) :
							      check_op(entry)) < INSNS;
	}
	return found;
}

/* Nothing is counted meanwhile. */
static void check_header(const struct ibs *ibs)
{
	CHECK_EQ(ibs->hdr->hdr_cur_offs, header + count_of(ibs) * entry_size);
	check_ledger(ibs->fd);
}

/* Returns a mask of the loop's instructions that had a sample. */
static unsigned int ops_seen(__u64 ops)
{
	struct ibs ibs = create_ibs(SIZE);
	unsigned int seen = 0;
	__u64 i;

	program(ibs.fd, (struct event){ .reg = OP, .value = ops, .period = 1, .flags = NOTIFY,
					.smpl_pmds = OP_PMDS });
	load_self(ibs.fd);
	run(ibs.fd);
	CHECK_GE(check_samples(&ibs, count_of(&ibs)), ROUNDS * INSNS / PERIOD * 9 / 10);
	check_header(&ibs);
	CHECK_EQ(ledger(ibs.fd, "recorded"), count_of(&ibs));
	for (i = 0; i < count_of(&ibs); i++)
		seen |= 1 << find_insn(entry_of(&ibs, i)->ip);
	CHECK_OK(close(ibs.fd));
	return seen & ((1 << INSNS) - 1);
}

/*
 * The kernel's instructions after the start of a period are a part of it, and as many each time. If
 * the rest is a number of rounds, all samples are of one instruction. Of two periods that differ by
 * 16, one at most has such a rest.
 */
static void decode_ops(void)
{
	CHECK_GE(__builtin_popcount(ops_seen(OPS) | ops_seen(OPS + 1)), INSNS / 2);
}

/* covers: D.15-3 */
TEST(each_op_is_described_as_what_it_was)
{
	need_ibs();
	decode_ops();
}

static void decode_fetches(void)
{
	struct ibs ibs = create_ibs(SIZE);

	sample_fetches(ibs.fd, FETCH_PMDS);
	load_self(ibs.fd);
	run(ibs.fd);
	CHECK_GE(check_samples(&ibs, count_of(&ibs)), ROUNDS * INSNS / PERIOD * 9 / 10);
	check_header(&ibs);
}

/* covers: D.15-3 */
TEST(each_fetch_is_described_as_what_it_was)
{
	need_ibs();
	decode_fetches();
}

static __u64 count_kind(const struct ibs *ibs, __u32 kind, __u16 set)
{
	__u64 n = 0, i;

	for (i = 0; i < count_of(ibs); i++)
		n += entry_of(ibs, i)->kind == kind && entry_of(ibs, i)->sample.set == set;
	return n;
}

/* On this family a fetch's period begins anew when an op interrupts: ops are rarer. */
static void decode_both(void)
{
	struct ibs ibs = create_ibs(SIZE);

	program(ibs.fd, (struct event){ .reg = OP, .value = OP_EN | OP_INSTRUCTIONS | PERIOD / 4,
					.period = 1, .smpl_pmds = OP_PMDS });
	sample_fetches(ibs.fd, FETCH_PMDS);
	load_self(ibs.fd);
	run(ibs.fd);
	check_samples(&ibs, count_of(&ibs));
	check_header(&ibs);
	CHECK_GE(count_kind(&ibs, PFM_IBS_SMPL_OP, 0), ROUNDS * INSNS / PERIOD / 4 * 9 / 10);
	CHECK_GE(count_kind(&ibs, PFM_IBS_SMPL_FETCH, 0), ROUNDS * INSNS / PERIOD / 2);
}

/* covers: D.15-3 */
TEST(ops_and_fetches_are_sampled_together)
{
	need_ibs();
	decode_both();
}

static void decode_sets(void)
{
	struct ibs ibs = create_ibs(SIZE);

	create_set(ibs.fd, (pfarg_setdesc_t){ .set_id = 7 });
	sample_ops(ibs.fd, OP_PMDS);
	program(ibs.fd, (struct event){ .reg = FETCH, .set = 7, .value = FETCHES, .period = 1,
					.smpl_pmds = FETCH_PMDS });
	load_self(ibs.fd);
	run(ibs.fd);
	start_set(ibs.fd, 7);
	stop(ibs.fd);
	run(ibs.fd);
	check_samples(&ibs, count_of(&ibs));
	check_header(&ibs);
	CHECK_GE(count_kind(&ibs, PFM_IBS_SMPL_OP, 0), ROUNDS * INSNS / PERIOD * 9 / 10);
	CHECK_GE(count_kind(&ibs, PFM_IBS_SMPL_FETCH, 7), ROUNDS * INSNS / PERIOD * 9 / 10);
	CHECK_EQ(count_kind(&ibs, PFM_IBS_SMPL_OP, 0) + count_kind(&ibs, PFM_IBS_SMPL_FETCH, 7),
		 count_of(&ibs));
}

/* covers: D.15-3 */
TEST(sets_have_samples_of_their_own)
{
	need_ibs();
	decode_sets();
}

/* The first sample with these PMDs. */
static pfm_ibs_smpl_entry_t sample_with(__u64 pmds)
{
	struct ibs ibs = create_ibs(SIZE);

	sample_ops(ibs.fd, pmds);
	load_self(ibs.fd);
	run(ibs.fd);
	CHECK_GE(count_of(&ibs), 1);
	unload(ibs.fd);
	return *entry_of(&ibs, 0);
}

/* covers: D.15-4 */
TEST(only_registers_that_are_recorded_are_decoded)
{
	pfm_ibs_smpl_entry_t entry = sample_with(0);

	CHECK_EQ(entry.kind, PFM_IBS_SMPL_OP);
	CHECK_EQ(entry.valid, 0);
	CHECK_EQ(entry.flags, 0);
	CHECK_EQ(entry.ip, 0);
	/* Others, with lower and higher numbers, do not matter. */
	entry = sample_with(BIT_ULL(0) | BIT_ULL(FETCH_STATUS) | BIT_ULL(OP_RIP) |
			    BIT_ULL(OP_TARGET));
	CHECK_EQ(entry.valid, PFM_IBS_SMPL_HAS_IP);
	CHECK_EQ(entry.flags, 0);
	CHECK(entry.ip);
	CHECK_EQ(entry.target, 0);
	entry = sample_with(BIT_ULL(OP_DATA3));
	CHECK_EQ(entry.valid, PFM_IBS_SMPL_HAS_MEMORY);
	CHECK_EQ(entry.ip, 0);
}

/* covers: D.15-4 */
TEST(other_counters_have_samples_without_such_data)
{
	struct ibs ibs = create_ibs(SIZE);
	static const pfm_ibs_smpl_entry_t none;
	const pfm_ibs_smpl_entry_t *entry;
	__u64 i;

	program(ibs.fd, (struct event){ .reg = 0, .period = 100003, .smpl_pmds = OP_PMDS });
	load_self(ibs.fd);
	run(ibs.fd);
	CHECK_GE(count_of(&ibs), ROUNDS * INSNS / 100003);
	check_header(&ibs);
	for (i = 0; i < count_of(&ibs); i++) {
		entry = entry_of(&ibs, i);
		CHECK_EQ(entry->sample.ovfl_pmd, 0);
		CHECK_EQ(entry->sample.last_reset_val, -100003ULL);
		CHECK_EQ(entry->kind, PFM_IBS_SMPL_OTHER);
		CHECK(!memcmp(&entry->kind, &none.kind,
			      sizeof(none) - offsetof(pfm_ibs_smpl_entry_t, kind)));
	}
}

/* Buffers that get full. */

/* covers: D.15-5 */
TEST(a_full_buffer_masks_and_notifies_until_a_restart)
{
	struct ibs ibs = create_ibs(header + 4 * entry_size - 1);
	__u64 round;

	sample_ops(ibs.fd, OP_PMDS);
	load_self(ibs.fd);
	for (round = 1; round < 4; round++) {
		run(ibs.fd);
		CHECK(is_masked(ibs.fd));
		expect_overflow(ibs.fd, 0, BIT_ULL(OP));
		CHECK(!has_message(ibs.fd));
		CHECK_EQ(count_of(&ibs), 3);
		CHECK_EQ(ibs.hdr->hdr_overflows, round);
		check_samples(&ibs, 3);
		check_header(&ibs);
		/* Masked: no sample is recorded. */
		run(ibs.fd);
		CHECK_EQ(count_of(&ibs), 3);
		restart(ibs.fd);
		CHECK_EQ(count_of(&ibs), 0);
		CHECK_EQ(ibs.hdr->hdr_cur_offs, header);
		CHECK(!is_masked(ibs.fd));
	}
	CHECK_EQ(ledger(ibs.fd, "lost-full"), 0);
	CHECK_EQ(ledger(ibs.fd, "recorded"), 9);
}

/* Behind the page is no memory: a sample that is written beyond its end would be an oops. */
/* covers: D.15-5 */
TEST(the_last_sample_may_end_with_the_page)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	struct ibs ibs = create_ibs(page);

	CHECK_EQ((page - header) % entry_size, 0);
	sample_ops(ibs.fd, OP_PMDS);
	load_self(ibs.fd);
	run(ibs.fd);
	CHECK(is_masked(ibs.fd));
	CHECK_EQ(count_of(&ibs), (page - header) / entry_size);
	check_samples(&ibs, count_of(&ibs));
	check_header(&ibs);
}

/* covers: D.15-5 */
TEST(an_overflow_beside_the_last_sample_is_lost)
{
	struct ibs ibs = create_ibs(header + entry_size);

	program(ibs.fd, (struct event){ .reg = 0, .period = 10007, .flags = NOTIFY });
	program(ibs.fd, (struct event){ .reg = 2, .period = 10007, .flags = NOTIFY });
	load_self(ibs.fd);
	run(ibs.fd);
	CHECK_EQ(count_of(&ibs), 1);
	expect_overflow(ibs.fd, 0, BIT_ULL(0) | BIT_ULL(2));
	CHECK_EQ(ledger(ibs.fd, "recorded"), 1);
	CHECK_EQ(ledger(ibs.fd, "lost-full"), 1);
	check_header(&ibs);
}

/* covers: D.15-5 */
TEST(a_restart_while_samples_come_empties_the_buffer)
{
	struct ibs ibs = create_ibs(SIZE);

	sample_ops(ibs.fd, OP_PMDS);
	load_self(ibs.fd);
	run(ibs.fd);
	CHECK(count_of(&ibs) > 0);
	start(ibs.fd);
	restart(ibs.fd);
	stop(ibs.fd);
	CHECK_LE(count_of(&ibs), 1);
	check_samples(&ibs, count_of(&ibs));
	check_header(&ibs);
}

struct reading {
	struct ibs	ibs;
	bool		over;
	__u64		read;
};

static void *read_along(void *data)
{
	struct reading *reading = data;
	bool over;

	do {
		over = __atomic_load_n(&reading->over, __ATOMIC_ACQUIRE);
		reading->read = count_of(&reading->ibs);
		check_samples(&reading->ibs, reading->read);
		sched_yield();
	} while (!over);
	return NULL;
}

static void read_while_written(void)
{
	struct reading reading = { .ibs = create_ibs(SIZE) };
	pthread_t thread;
	int i;

	sample_ops(reading.ibs.fd, OP_PMDS);
	CHECK_EQ(pthread_create(&thread, NULL, read_along, &reading), 0);
	load_self(reading.ibs.fd);
	for (i = 0; i < 5; i++)
		run(reading.ibs.fd);
	__atomic_store_n(&reading.over, true, __ATOMIC_RELEASE);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	CHECK_EQ(reading.read, count_of(&reading.ibs));
	CHECK_GE(reading.read, 5 * ROUNDS * INSNS / PERIOD);
}

/* covers: D.15-6 */
TEST(samples_that_are_counted_can_be_read_while_others_come)
{
	need_ibs();
	read_while_written();
}

/* Rights. */

static void ask_unprivileged(void *unused)
{
	struct ibs ibs;

	(void)unused;
	become(NOBODY, NOBODY);
	ibs = create_ibs(4096);
	CHECK_ERRNO(try_write_pmc(ibs.fd, OP, OPS), EPERM);
	CHECK_ERRNO(try_write_pmc(ibs.fd, FETCH, FETCHES), EPERM);
}

static void ask_in_child(void *unused)
{
	run_in_child(ask_unprivileged, unused);
}

/* covers: D.15-7 */
TEST(who_may_not_count_the_kernel_sees_no_address)
{
	need_ibs();
	need_format(&ibs_format);
	with_file(PARANOID, "2", ask_in_child, NULL);
}

/* The module. */

/* covers: D.8-3 */
TEST(the_format_stays_while_it_is_used)
{
	const pfm_ibs_smpl_arg_t arg = { .buf_size = SIZE };

	if (remove_format(&ibs_format, create_ibs(SIZE).fd))
		CHECK_ERRNO(try_create_ibs(arg), EINVAL);
	need_format(&ibs_format);
	CHECK_OK(try_create_ibs(arg));
}

/* Contexts come and go; they cannot have the format while its module is away. */
static void use_again_and_again(void *unused)
{
	const pfm_ibs_smpl_arg_t arg = { .buf_size = SIZE };
	int fd;

	(void)unused;
	for (;;) {
		fd = try_create_ibs(arg);
		if (fd < 0) {
			CHECK_EQ(errno, EINVAL);
			continue;
		}
		sample_ops(fd, OP_PMDS);
		load_self(fd);
		run(fd);
		CHECK_OK(close(fd));
	}
}

/* covers: D.8-3 */
TEST(the_module_comes_and_goes_under_load)
{
	char name[64], path[128];
	unsigned int gone = 0;
	pid_t user;

	need_ibs();
	need_format(&ibs_format);
	format_module(&ibs_format, name, sizeof(name));
	snprintf(path, sizeof(path), "/sys/module/%s/refcnt", name);
	user = spawn(use_again_and_again, NULL);
	while (gone < 20) {
		if (unload_module(name)) {
			if (errno == ENOENT) /* built in */
				break;
			CHECK_EQ(errno, EAGAIN);
			sched_yield();
			continue;
		}
		gone++;
		need_format(&ibs_format);
	}
	CHECK_EQ(waitpid(user, NULL, WNOHANG), 0);
	kill_child(user);
	need_format(&ibs_format);
}
