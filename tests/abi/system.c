// SPDX-License-Identifier: GPL-2.0
/* System-wide contexts: binding to a CPU, exclusion, commands from other CPUs. */
#include "system.h"

#include <limits.h>

/* covers: 3.1.1-6 3.1.7-21 */
TEST(a_system_wide_context_loads_onto_the_callers_cpu)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	load_on(fd, 0);
	check_loaded(fd);
	unload(fd);
	check_unloaded(fd);
}

/* covers: 3.1.7-24 */
TEST(a_system_wide_context_is_loaded_by_its_own_thread_only)
{
	static const pid_t others[] = { 0, -1, 1, 2, INT_MAX, INT_MIN };
	int fd = create(PFM_FL_SYSTEM_WIDE);
	struct thread thread;
	size_t i;
	pid_t pid;

	for (i = 0; i < ARRAY_SIZE(others); i++)
		CHECK_ERRNO(try_load(fd, others[i]), EINVAL);
	pid = sleeping_child(fd);
	CHECK_ERRNO(try_load(fd, pid), EINVAL);
	thread_start(&thread, just_wait, NULL);
	CHECK_ERRNO(try_load(fd, thread.tid), EINVAL);
	check_unloaded(fd);
	kill_child(pid);
}

/* covers: 3.1.7-29 3.1.8-12 */
TEST(a_cpu_has_one_context_at_most)
{
	int first = create(PFM_FL_SYSTEM_WIDE), second = create(PFM_FL_SYSTEM_WIDE);

	load_on(first, 0);
	CHECK_ERRNO(try_load(second, gettid()), EBUSY);
	check_unloaded(second);
	unload(first);
	load_self(second);
}

/* covers: 3.1.7-8 */
TEST(a_loaded_system_wide_context_cannot_be_loaded_again)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	load_on(fd, 0);
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 1);
}

/* covers: 3.1.7-32 */
TEST(system_wide_and_thread_sessions_exclude_each_other)
{
	int thread = create_counting(general, 0);
	int system_wide = create_counting(general, PFM_FL_SYSTEM_WIDE);
	pid_t pid = sleeping_child(-1);

	load_self(thread);
	CHECK_ERRNO(try_load(system_wide, gettid()), EBUSY);
	unload(thread);
	load_self(system_wide);
	CHECK_ERRNO(try_load(thread, gettid()), EBUSY);
	CHECK_ERRNO(try_load(thread, pid), EBUSY);
	unload(system_wide);
	load(thread, pid);
	CHECK_ERRNO(try_load(system_wide, gettid()), EBUSY);
	kill_child(pid);
}

/* covers: 3.1.7-30 3.1.7-31 4.2-4 */
TEST(creating_contexts_of_both_kinds_is_no_conflict)
{
	int thread = create(0), system_wide;

	load_self(thread);
	system_wide = create(PFM_FL_SYSTEM_WIDE);
	unload(thread);
	load_self(system_wide);
	create(0);
}

/* covers: 3.1.7-32 */
TEST(exclusion_ends_when_the_session_is_closed)
{
	int thread = create(0), system_wide = create(PFM_FL_SYSTEM_WIDE);

	load_self(thread);
	CHECK_OK(close(thread));
	load_self(system_wide);
	CHECK_OK(close(system_wide));
	load_self(create(0));
}

/* covers: 3.1.6-5 3.1.7-22 */
TEST(everything_on_the_cpu_is_counted)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);

	load_on(fd, 0);
	start(fd);
	CHECK_GE(count_child_on(fd, 0), 200 * LOOPS);
	stop(fd);
	CHECK_EQ(count_child_on(fd, 0), 0);
}

/* covers: D.4-2 */
TEST(the_kernel_is_counted_when_asked_for)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	need_pmu();
	need_hardware("counter of the kernel's instructions");
	write_pmc(fd, 0, INST_RETIRED | EVTSEL_OS | EVTSEL_EN);
	write_pmc(fd, 1, USER_INST);
	load_on(fd, 0);
	start(fd);
	sched_yield();
	stop(fd);
	CHECK_GE(read_pmd(fd, 0), 100);
	CHECK_GE(read_pmd(fd, 1), 1);
}

static void stop_and_unload(void *arg)
{
	stop(*(int *)arg);
	unload(*(int *)arg);
}

/* covers: 3.1.7-25 */
TEST(commands_work_from_another_process)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	load_on(fd, 0);
	start(fd);
	run_in_child(stop_and_unload, &fd);
	check_unloaded(fd);
}

static void load_and_leave(void *arg)
{
	int fd = *(int *)arg;

	load_on(fd, 0);
	start(fd);
}

/* covers: 3.3.6-7 */
TEST(the_context_stays_when_the_thread_that_loaded_it_is_gone)
{
	struct pollfd pollfd = { .events = POLLIN };
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);

	run_in_child(load_and_leave, &fd);
	check_loaded(fd);
	CHECK_GE(count_child_on(fd, 0), 200 * LOOPS);
	/* The end of a thread causes no message to a system-wide context. */
	pollfd.fd = fd;
	CHECK_EQ(poll(&pollfd, 1, 0), 0);
	unload(fd);
}

/* covers: 3.1.15-10 */
TEST(closing_the_last_descriptor_frees_the_cpu)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	load_on(fd, 0);
	start(fd);
	CHECK_OK(close(fd));
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
	load_self(create(PFM_FL_SYSTEM_WIDE));
}
