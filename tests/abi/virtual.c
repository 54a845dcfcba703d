// SPDX-License-Identifier: GPL-2.0
/* Virtual PMDs: the kernel's own values of the monitored thread and of the machine. */
#include "sampling.h"
#include "pages.h"
#include "system.h"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#define PFM_PMD_LAST	(PFM_VIRTUAL_PMD + PFM_NUM_VIRTUAL_PMDS - 1)

#define for_each_virtual(i)	for ((i) = PFM_VIRTUAL_PMD; (i) <= PFM_PMD_LAST; (i)++)

/* True for values of the thread; the others are values of the machine. */
static bool of_thread(unsigned int pmd)
{
	return pmd != PFM_PMD_CPU_CLOCK && pmd != PFM_PMD_FREE_PAGES && pmd != PFM_PMD_CPU;
}

/* covers: 3.1.13-14 3.1.14-9 3.1.14-12 3.2.2-1 3.2.2-4 3.2.2-5 */
TEST(virtual_pmds_are_implemented_and_say_what_they_are)
{
	unsigned int i;

	need_pmu();
	for_each_virtual(i) {
		pfarg_pmdinfo_t info = { .reg_num = i };

		CHECK(has_pmd(i));
		CHECK(!has_pmc(i));
		CHECK_OK(perfmonctl(-1, PFM_GETINFO_PMDS, &info, 1));
		CHECK_EQ(info.reg_type, PFM_REG_TYPE_SOFT);
		CHECK_EQ(info.reg_index, PFM_REG_IDX_NONE);
		/* A register that cannot be written has only reserved bits. */
		CHECK_EQ(info.reg_rsvd_mask, ~0ULL);
	}
	CHECK(!has_pmd(PFM_PMD_LAST + 1));
}

/* covers: 3.2.2-3 */
TEST(virtual_pmds_cannot_be_written)
{
	int fd = create(0);
	unsigned int i;

	need_pmu();
	for_each_virtual(i) {
		pfarg_pmd_t pmd = { .reg_num = i, .reg_value = 1 };

		CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1), EINVAL);
		CHECK_EQ(pmd.reg_flags, PFM_REG_RETFL_EINVAL);
	}
}

/* covers: 3.2.2-7 3.2.2-15 */
TEST(without_a_thread_the_threads_values_are_zero)
{
	int fd = create(0);
	unsigned int i;

	need_pmu();
	for_each_virtual(i)
		if (of_thread(i))
			CHECK_EQ(read_pmd(fd, i), 0);
	load_self(fd);
	CHECK_EQ(read_pmd(fd, PFM_PMD_TID), gettid());
	unload(fd);
	for_each_virtual(i)
		if (of_thread(i))
			CHECK_EQ(read_pmd(fd, i), 0);
}

/* covers: 3.1.4-18 3.2.2-6 */
TEST(the_cpu_clock_counts_nanoseconds_and_never_goes_back)
{
	__u64 value, last, first, before, after, until;
	int fd = create(0), i;

	need_pmu();
	pin(0);
	before = clock_ns(CLOCK_MONOTONIC);
	first = last = read_pmd(fd, PFM_PMD_CPU_CLOCK);
	after = clock_ns(CLOCK_MONOTONIC);
	for (i = 0; i < 200; i++) {
		loop(1 + 500 * i);
		until = clock_ns(CLOCK_MONOTONIC);
		value = read_pmd(fd, PFM_PMD_CPU_CLOCK);
		CHECK(value > last);
		last = value;
	}
	CHECK_LE(last - first, clock_ns(CLOCK_MONOTONIC) - before);
	CHECK_GE(last - first, (until - after) / 20 * 19);
}

/* covers: 3.2.2-7 */
TEST(the_task_clock_is_the_threads_time_on_cpus)
{
	__u64 before, value, after;
	int fd = create(0), i;

	need_pmu();
	load_self(fd);
	for (i = 0; i < 20; i++) {
		before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		value = read_pmd(fd, PFM_PMD_TASK_CLOCK);
		after = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		CHECK_GE(value, before);
		CHECK_LE(value, after);
		loop(10000);
		sleep_ms(1);
	}
}

static __u64 context_switches(void)
{
	struct rusage usage;

	CHECK_OK(getrusage(RUSAGE_THREAD, &usage));
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* covers: 3.2.2-8 */
TEST(context_switches_are_counted)
{
	__u64 before, value, after;
	int fd = create(0), i;

	need_pmu();
	load_self(fd);
	for (i = 0; i < 10; i++) {
		before = context_switches();
		value = read_pmd(fd, PFM_PMD_CTX_SWITCHES);
		after = context_switches();
		CHECK(value >= before && value <= after);
		sleep_ms(1);
		CHECK_GE(read_pmd(fd, PFM_PMD_CTX_SWITCHES), value + 1);
	}
}

/* covers: 3.2.2-9 */
TEST(migrations_are_counted)
{
	__u64 before;
	int fd = create(0), i;

	need_pmu();
	need_cpus(2);
	load_self(fd);
	pin(0);
	before = read_pmd(fd, PFM_PMD_MIGRATIONS);
	for (i = 1; i <= 10; i++) {
		pin(i % 2);
		CHECK_EQ(read_pmd(fd, PFM_PMD_CPU), i % 2);
		CHECK_EQ(read_pmd(fd, PFM_PMD_MIGRATIONS), before + i);
	}
}

static void get_faults(__u64 *minor, __u64 *major)
{
	struct rusage usage;

	CHECK_OK(getrusage(RUSAGE_THREAD, &usage));
	*minor = usage.ru_minflt;
	*major = usage.ru_majflt;
}

/* covers: 3.2.2-10 3.2.2-11 */
TEST(page_faults_are_counted)
{
	__u64 minor, major, before;
	int fd = create(0);
	char *pages;

	need_pmu();
	load_self(fd);
	get_faults(&minor, &major);
	CHECK_EQ(read_pmd(fd, PFM_PMD_MAJ_FAULTS), major);
	CHECK_GE(read_pmd(fd, PFM_PMD_MIN_FAULTS), minor);
	pages = fresh_pages(64);
	before = read_pmd(fd, PFM_PMD_MIN_FAULTS);
	touch(pages, 64);
	CHECK_EQ(read_pmd(fd, PFM_PMD_MIN_FAULTS), before + 64);
}

/* covers: 3.2.2-12 */
TEST(free_pages_are_what_sysinfo_says)
{
	__u64 value, pages;
	struct sysinfo info;
	int fd = create(0);

	need_pmu();
	value = read_pmd(fd, PFM_PMD_FREE_PAGES);
	CHECK_OK(sysinfo(&info));
	pages = info.freeram * info.mem_unit / sysconf(_SC_PAGESIZE);
	CHECK(value > pages - pages / 10 && value < pages + pages / 10);
}

static void check_ids_as_thread(void *arg)
{
	int fd = *(int *)arg;

	load_self(fd);
	CHECK_EQ(read_pmd(fd, PFM_PMD_PID), getpid());
	CHECK_EQ(read_pmd(fd, PFM_PMD_TID), gettid());
	CHECK_NE(getpid(), gettid());
	unload(fd);
}

/* covers: 3.2.2-14 3.2.2-15 */
TEST(process_and_thread_are_those_monitored)
{
	int fd = create(0);
	struct thread thread;

	need_pmu();
	load_self(fd);
	CHECK_EQ(read_pmd(fd, PFM_PMD_PID), getpid());
	CHECK_EQ(read_pmd(fd, PFM_PMD_TID), getpid());
	unload(fd);
	thread_start(&thread, check_ids_as_thread, &fd);
	thread_join(&thread);
}

/* covers: 3.2.2-7 3.2.2-14 3.2.2-15 */
TEST(values_of_another_thread_are_its_own)
{
	int fd = create(0);
	__u64 clock;
	pid_t pid;

	need_pmu();
	pid = sleeping_child(fd);
	load(fd, pid);
	CHECK_EQ(read_pmd(fd, PFM_PMD_PID), pid);
	CHECK_EQ(read_pmd(fd, PFM_PMD_TID), pid);
	clock = read_pmd(fd, PFM_PMD_TASK_CLOCK);
	CHECK(clock > 0);
	loop(100000);
	CHECK_EQ(read_pmd(fd, PFM_PMD_TASK_CLOCK), clock);
	CHECK_GE(read_pmd(fd, PFM_PMD_CTX_SWITCHES), 1);
	kill_child(pid);
}

/* covers: 3.1.4-18 */
TEST(virtual_pmds_are_the_same_in_every_set_and_state)
{
	int fd = create(0);

	need_pmu();
	create_set(fd, (pfarg_setdesc_t){ .set_id = 9 });
	load_self(fd);
	CHECK_EQ(value_of(fd, 9, PFM_PMD_TID), gettid());
	start(fd);
	CHECK_EQ(value_of(fd, 9, PFM_PMD_TID), gettid());
	CHECK_EQ(value_of(fd, 0, PFM_PMD_TID), gettid());
}

/* covers: 3.2.2-13 3.2.2-14 */
TEST(a_system_wide_context_shows_the_thread_that_runs)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	need_pmu();
	load_on(fd, 0);
	CHECK_EQ(read_pmd(fd, PFM_PMD_TID), gettid());
	CHECK_EQ(read_pmd(fd, PFM_PMD_PID), getpid());
	CHECK_EQ(read_pmd(fd, PFM_PMD_CPU), 0);
	unload(fd);
}

/* covers: 3.1.2-25 */
TEST(reset_lists_may_name_virtual_pmds_and_nothing_happens)
{
	pfarg_pmc_t pmc = { .reg_num = 0, .reg_value = USER_INST, .reg_flags = NOTIFY };
	int fd = create(0);
	__u64 clock;

	need_pmu();
	add_bit(pmc.reg_reset_pmds, PFM_PMD_TASK_CLOCK);
	add_bit(pmc.reg_reset_pmds, PFM_PMD_TID);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1000 });
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1));
	load_self(fd);
	clock = read_pmd(fd, PFM_PMD_TASK_CLOCK);
	start(fd);
	loop(1000);
	check_state(fd, "masked");
	restart(fd);
	stop(fd);
	CHECK_EQ(read_pmd(fd, PFM_PMD_TID), gettid());
	CHECK_GE(read_pmd(fd, PFM_PMD_TASK_CLOCK), clock);
}

/* covers: 6.2.2-1 */
TEST(read_reset_leaves_virtual_pmds)
{
	pfarg_pmd_t pmd = { .reg_num = PFM_PMD_TID, .reg_flags = PFM_REGFL_READ_RESET };
	int fd = create(0);

	need_pmu();
	load_self(fd);
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
	CHECK_EQ(pmd.reg_value, gettid());
	CHECK_EQ(read_pmd(fd, PFM_PMD_TID), gettid());
}

/* In a sample, by increasing index, behind the counters. */
/* covers: 3.1.2-16 3.1.2-19 3.2.2-2 3.6.4-12 D.8-1 */
TEST(samples_contain_virtual_pmds)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	const pfm_default_smpl_entry_t *entry;
	__u64 i, clock = 0, task = 0;
	const __u64 *body;

	program(buffer.fd, (struct event){
		.reg = 0, .period = 10007, .smpl_pmds = BIT_ULL(1),
		.virtual_smpl_pmds = (1 << PFM_NUM_VIRTUAL_PMDS) - 1,
	});
	count_up(buffer.fd, 0, 1);
	load_self(buffer.fd);
	pin(0);
	start(buffer.fd);
	loop(200000);
	stop(buffer.fd);
	CHECK_GE(buffer.hdr->hdr_count, 39);
	for (i = 0; i < buffer.hdr->hdr_count; i++) {
		entry = entry_at(&buffer, i, 1 + PFM_NUM_VIRTUAL_PMDS);
		body = body_of(entry) + 1;
		CHECK_EQ(body[-1], 10007 * (i + 1));
		CHECK_EQ(entry->tid, gettid());
		CHECK_EQ(body[PFM_PMD_TID - PFM_VIRTUAL_PMD], gettid());
		CHECK_EQ(body[PFM_PMD_PID - PFM_VIRTUAL_PMD], getpid());
		CHECK_EQ(body[PFM_PMD_CPU - PFM_VIRTUAL_PMD], 0);
		CHECK(body[PFM_PMD_FREE_PAGES - PFM_VIRTUAL_PMD] > 0);
		CHECK(body[PFM_PMD_CPU_CLOCK - PFM_VIRTUAL_PMD] > clock);
		CHECK(body[PFM_PMD_TASK_CLOCK - PFM_VIRTUAL_PMD] > task);
		clock = body[PFM_PMD_CPU_CLOCK - PFM_VIRTUAL_PMD];
		task = body[PFM_PMD_TASK_CLOCK - PFM_VIRTUAL_PMD];
	}
	CHECK_LE(task, clock_ns(CLOCK_THREAD_CPUTIME_ID));
}
