// SPDX-License-Identifier: GPL-2.0
/*
 * The histogram sampling format: its totals are those of the default format's samples of the
 * same run, whatever the size of the buffer.
 */
#include "process.h"
#include "sampling.h"
#include "system.h"

#include <perfmon_hist_smpl.h>

#define PERIOD		1009
#define ROUNDS		50000

struct hist {
	int				fd;
	const pfm_hist_smpl_hdr_t	*hdr;
};

#define SIZE	65536
#define HIST(size, ...)	((pfm_hist_smpl_arg_t){ .buf_size = (size), __VA_ARGS__ })

static const struct format hist_format = {
	"hist", PFM_HIST_SMPL_UUID, sizeof(pfm_hist_smpl_arg_t),
};

static int try_create_hist(__u32 flags, pfm_hist_smpl_arg_t arg)
{
	return try_create_formatted(&hist_format, flags, &arg, NULL);
}

static struct hist create_hist(__u32 flags, pfm_hist_smpl_arg_t arg)
{
	struct formatted made;

	need_format(&hist_format);
	made = create_formatted(&hist_format, flags, &arg);
	set_nonblocking(made.fd);
	return (struct hist){ .fd = made.fd, .hdr = made.hdr };
}

static const pfm_hist_smpl_entry_t *slot_at(const struct hist *hist, __u32 i)
{
	return (const void *)((const char *)(hist->hdr + 1) + (size_t)i * hist->hdr->hdr_slot_size);
}

static const __u64 *sums_of(const pfm_hist_smpl_entry_t *entry)
{
	return (const __u64 *)(entry + 1);
}

#define for_each_entry(hist, entry, i)						\
	for ((i) = 0; (i) < (hist)->hdr->hdr_slots && ((entry) = slot_at(hist, i)); (i)++) \
		if ((entry)->count)

/* Count the samples that belong to an entry. */
static __u64 all_samples(const struct hist *hist, const pfm_hist_smpl_entry_t *like)
{
	const pfm_hist_smpl_entry_t *entry;
	__u64 n = 0;
	__u32 i;

	for_each_entry(hist, entry, i)
		n += like->pid == entry->pid && like->ovfl_pmd == entry->ovfl_pmd &&
		     like->set == entry->set ? entry->count : 0;
	return n;
}

/* The header describes the contents of the slots. */
static void check_header(const struct hist *hist)
{
	const pfm_hist_smpl_entry_t *entry;
	__u64 count = hist->hdr->hdr_other_count, used = 0;
	__u32 i;

	for_each_entry(hist, entry, i) {
		CHECK_EQ(entry->reserved, 0);
		count += entry->count;
		used++;
	}
	CHECK_EQ(hist->hdr->hdr_used, used);
	CHECK_EQ(hist->hdr->hdr_count, count);
	CHECK_EQ(ledger(hist->fd, "recorded"), count);
	CHECK_EQ(ledger(hist->fd, "overflows"), count);
}

/* Sample a run of the known program with both formats. */

static void choose(int fd, __u64 mask)
{
	program(fd, (struct event){
		.reg = 0, .period = PERIOD, .flags = NOTIFY | (mask ? PFM_REGFL_RANDOM : 0),
		.mask = mask, .seed = 5, .smpl_pmds = BIT_ULL(1) | BIT_ULL(2),
		.reset_pmds = BIT_ULL(2),
	});
	count_up(fd, 0, 1);
	count_up(fd, 0, 2);
	load_self(fd);
	start_rounds_stop(fd, ROUNDS);
}

/* The totals of the default format's samples that belong to an entry. */
struct total {
	__u64	count, periods, sums[2];
};

static struct total total_of(const struct buffer *buffer, const pfm_hist_smpl_hdr_t *hdr,
			     const pfm_hist_smpl_entry_t *entry)
{
	const pfm_default_smpl_entry_t *sample;
	struct total total = { };
	__u64 i, ip;

	for (i = 0; i < samples(buffer); i++) {
		sample = entry_at(buffer, i, 2);
		ip = hdr->hdr_ip_shift > 63 ? 0 :
		     sample->ip >> hdr->hdr_ip_shift << hdr->hdr_ip_shift;
		if (ip != entry->ip || sample->ovfl_pmd != entry->ovfl_pmd)
			continue;
		total.count++;
		total.periods -= sample->last_reset_val;
		total.sums[0] += body_of(sample)[0];
		total.sums[1] += body_of(sample)[1];
	}
	return total;
}

struct compared {
	pfm_hist_smpl_arg_t	arg;
	__u64			random;
};

static void compare(void *data)
{
	const struct compared *c = data;
	struct buffer buffer = create_buffer(0, 1 << 18, 0);
	const pfm_hist_smpl_entry_t *entry;
	struct total total;
	struct hist hist;
	unsigned int k;
	__u32 i;

	choose(buffer.fd, c->random);
	unload(buffer.fd);
	hist = create_hist(0, c->arg);
	choose(hist.fd, c->random);
	CHECK_GE(samples(&buffer), 200);
	CHECK_EQ(hist.hdr->hdr_count, samples(&buffer));
	check_header(&hist);
	for_each_entry(&hist, entry, i) {
		total = total_of(&buffer, hist.hdr, entry);
		CHECK_EQ(entry->count, total.count);
		CHECK_EQ(entry->periods, total.periods);
		for (k = 0; k < c->arg.buf_num_values; k++)
			CHECK_EQ(sums_of(entry)[k], total.sums[k]);
	}
	CHECK_EQ(hist.hdr->hdr_other_count, 0);
}

/* covers: D.12-1 */
TEST(the_totals_are_those_of_the_default_format)
{
	compare(&(struct compared){ .arg = HIST(SIZE) });
}

/* covers: D.12-1 */
TEST(random_periods_are_added_up)
{
	compare(&(struct compared){ .arg = HIST(SIZE), .random = 0xff });
}

/* covers: D.12-1 */
TEST(sums_are_of_so_many_values_as_wanted)
{
	run_in_child(compare, &(struct compared){ .arg = HIST(SIZE, .buf_num_values = 1) });
	run_in_child(compare, &(struct compared){ .arg = HIST(SIZE, .buf_num_values = 2) });
}

/* covers: D.12-2 */
TEST(addresses_are_told_apart_as_finely_as_wanted)
{
	run_in_child(compare, &(struct compared){ .arg = HIST(SIZE, .buf_ip_shift = 2) });
	run_in_child(compare, &(struct compared){ .arg = HIST(SIZE, .buf_ip_shift = 63) });
	run_in_child(compare, &(struct compared){
		.arg = HIST(SIZE, .buf_ip_shift = PFM_HIST_SMPL_NO_IP),
	});
}

/* Sizes of buffers. */

/* Two counters need at least two slots, wherever their events happen. */
/* covers: D.12-4 */
TEST(what_finds_no_slot_is_added_to_the_header)
{
	struct hist hist = create_hist(0, HIST(sizeof(pfm_hist_smpl_hdr_t) +
					       sizeof(pfm_hist_smpl_entry_t) + 16,
					       .buf_num_values = 2));
	const pfm_hist_smpl_entry_t *only = slot_at(&hist, 0);
	__u64 count;
	int i;

	program(hist.fd, (struct event){ .reg = 3, .period = PERIOD, .flags = NOTIFY });
	choose(hist.fd, 0);
	CHECK_EQ(hist.hdr->hdr_slots, 1);
	CHECK_EQ(hist.hdr->hdr_used, 1);
	CHECK(only->count > 0);
	CHECK(hist.hdr->hdr_other_count > 0);
	check_header(&hist);
	CHECK_EQ(only->periods + hist.hdr->hdr_other_periods, hist.hdr->hdr_count * PERIOD);
	/* Register 2 is reset by the overflows of register 0, one in each period. */
	CHECK_EQ(sums_of(only)[1] + hist.hdr->hdr_other_values[1],
		 hist.hdr->hdr_count / 2 * PERIOD);
	/* There is one message about it, and sampling goes on. */
	expect_message(hist.fd, PFM_MSG_OVFL);
	for (i = 0; i < 2; i++) {
		CHECK(!is_masked(hist.fd));
		CHECK(!has_message(hist.fd));
		count = hist.hdr->hdr_count;
		start_rounds_stop(hist.fd, ROUNDS);
		CHECK(hist.hdr->hdr_count > count);
		check_header(&hist);
		restart(hist.fd);
	}
}

/* More samples than a buffer of the default format of this size could ever hold. */
/* covers: D.12-5 */
TEST(a_small_buffer_holds_a_long_run)
{
	struct hist hist = create_hist(0, HIST(4096));
	__u64 n = 0;

	program(hist.fd, (struct event){ .reg = 0, .period = PERIOD, .flags = NOTIFY });
	load_self(hist.fd);
	while (n < 20000) {
		start_rounds_stop(hist.fd, ROUNDS);
		n = hist.hdr->hdr_count;
	}
	check_header(&hist);
	CHECK_EQ(hist.hdr->hdr_other_count, 0);
	CHECK(!has_message(hist.fd));
}

/* The fields by which samples are alike. */

static void sample_children(__u32 flags, __s32 pids[2], struct hist *hist)
{
	int cpu = 0, i;

	*hist = create_hist(PFM_FL_SYSTEM_WIDE, HIST(SIZE, .buf_flags = flags));
	program(hist->fd, (struct event){ .reg = 0, .period = PERIOD });
	load_on(hist->fd, cpu);
	start(hist->fd);
	for (i = 0; i < 2; i++) {
		pids[i] = spawn(loop_once, &cpu);
		reap(pids[i]);
	}
	stop(hist->fd);
	check_header(hist);
}

static void tell_apart(void)
{
	const pfm_hist_smpl_entry_t *entry;
	struct hist hist;
	__s32 pids[2];
	__u32 i;

	sample_children(PFM_HIST_SMPL_PID, pids, &hist);
	for_each_entry(&hist, entry, i)
		CHECK_EQ(entry->tid, 0);
	CHECK_GE(all_samples(&hist, &(pfm_hist_smpl_entry_t){ .pid = pids[0] }),
		 200 * LOOPS / PERIOD);
	CHECK_GE(all_samples(&hist, &(pfm_hist_smpl_entry_t){ .pid = pids[1] }),
		 200 * LOOPS / PERIOD);
	CHECK_OK(close(hist.fd));

	sample_children(PFM_HIST_SMPL_PID | PFM_HIST_SMPL_TID, pids, &hist);
	for_each_entry(&hist, entry, i) {
		if (entry->pid == pids[0] || entry->pid == pids[1])
			CHECK_EQ(entry->tid, entry->pid);
	}
	CHECK_OK(close(hist.fd));

	sample_children(0, pids, &hist);
	CHECK_EQ(all_samples(&hist, &(pfm_hist_smpl_entry_t){ }), hist.hdr->hdr_count);
	CHECK_GE(hist.hdr->hdr_count, 400 * LOOPS / PERIOD);
}

/* covers: D.12-3 */
TEST(processes_and_threads_are_told_apart_when_wanted)
{
	need_hardware("instructions of a process");
	tell_apart();
}

/* covers: D.12-3 */
TEST(counters_and_sets_are_told_apart)
{
	struct hist hist = create_hist(0, HIST(SIZE));
	pfm_hist_smpl_entry_t like = { };
	__u64 n;
	__u16 set;

	create_set(hist.fd, (pfarg_setdesc_t){ .set_id = 7 });
	for (set = 0; set < 8; set += 7) {
		program(hist.fd, (struct event){ .reg = 0, .set = set, .period = PERIOD });
		program(hist.fd, (struct event){ .reg = 2, .set = set, .period = PERIOD });
	}
	load_self(hist.fd);
	start_rounds_stop(hist.fd, ROUNDS);
	n = hist.hdr->hdr_count / 2;
	start_set(hist.fd, 7);
	stop(hist.fd);
	start_rounds_stop(hist.fd, ROUNDS);
	check_header(&hist);
	CHECK_GE(n, 200);
	for (set = 0; set < 8; set += 7) {
		like.set = set;
		for (like.ovfl_pmd = 0; like.ovfl_pmd < 4; like.ovfl_pmd += 2)
			CHECK_EQ(all_samples(&hist, &like), n);
	}
}

/* Arguments. */

/* covers: D.12-6 */
TEST(bad_arguments_are_refused)
{
	const size_t least = sizeof(pfm_hist_smpl_hdr_t) + sizeof(pfm_hist_smpl_entry_t);
	const pfm_hist_smpl_arg_t bad[] = {
		HIST(SIZE, .buf_flags = 4),
		HIST(SIZE, .buf_flags = 0x80000000),
		HIST(SIZE, .buf_ip_shift = PFM_HIST_SMPL_NO_IP + 1),
		HIST(SIZE, .buf_ip_shift = 0xffff),
		HIST(SIZE, .buf_num_values = PFM_HIST_SMPL_MAX_VALUES + 1),
		HIST(SIZE, .buf_num_values = 0xffff),
		HIST(0),
		HIST(least - 1),
		HIST(least + 15, .buf_num_values = 2),
	};
	size_t i;
	int fd;

	need_format(&hist_format);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_ERRNO(try_create_hist(0, bad[i]), EINVAL);
	CHECK_ERRNO(try_create_hist(0, HIST(~0ULL)), ENOMEM);
	fd = try_create_hist(0, HIST(least));
	CHECK_OK(fd);
	CHECK_OK(close(fd));
}

/* covers: D.12-6 */
TEST(the_header_repeats_the_argument)
{
	struct hist hist = create_hist(0, HIST(SIZE, .buf_flags = PFM_HIST_SMPL_TID,
					       .buf_ip_shift = 12,
					       .buf_num_values = PFM_HIST_SMPL_MAX_VALUES));
	const pfm_hist_smpl_hdr_t *hdr = hist.hdr;

	CHECK_EQ(hdr->hdr_buf_size, SIZE);
	CHECK_EQ(hdr->hdr_version, PFM_HIST_SMPL_VERSION);
	CHECK_EQ(hdr->hdr_flags, PFM_HIST_SMPL_TID);
	CHECK_EQ(hdr->hdr_ip_shift, 12);
	CHECK_EQ(hdr->hdr_num_values, PFM_HIST_SMPL_MAX_VALUES);
	CHECK_EQ(hdr->hdr_slot_size,
		 sizeof(pfm_hist_smpl_entry_t) + 8 * PFM_HIST_SMPL_MAX_VALUES);
	CHECK_EQ(hdr->hdr_slots, (SIZE - sizeof(*hdr)) / hdr->hdr_slot_size);
	CHECK_EQ(hdr->hdr_count, 0);
	CHECK_EQ(hdr->hdr_used, 0);
	CHECK_EQ(hdr->hdr_reserved, 0);
}

/* covers: D.8-3 */
TEST(the_format_stays_while_it_is_used)
{
	if (remove_format(&hist_format, create_hist(0, HIST(SIZE)).fd))
		CHECK_ERRNO(try_create_hist(0, HIST(SIZE)), EINVAL);
	need_format(&hist_format);
	CHECK_OK(try_create_hist(0, HIST(SIZE)));
}
