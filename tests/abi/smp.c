// SPDX-License-Identifier: GPL-2.0
/* Threads on several CPUs: migration, and commands on targets that run on another CPU. */
#include "count.h"
#include "spinning.h"

/* covers: D.4-6 */
TEST(changing_affinity_does_not_unload)
{
	int fd = create(0);

	need_cpus(2);
	load_self(fd);
	pin(0);
	check_loaded(fd);
	pin(1);
	check_loaded(fd);
	unload(fd);
}

/* Migration: the count is the same on whichever CPUs it was collected. */
/* covers: 3.1.7-20 */
TEST(counts_survive_migration)
{
	const struct counter *c;
	cpu_set_t sets[2];
	__u64 base;
	int i;

	need_pmu();
	need_cpus(2);
	for (i = 0; i < 2; i++) {
		CPU_ZERO(&sets[i]);
		CPU_SET(i, &sets[i]);
	}
	for_each_counter(c) {
		int fd = create_counting(c, 0);
		const long there[4] = {
			SYS_sched_setaffinity, 0, sizeof(sets[1]), (long)&sets[1]
		};

		load_self(fd);
		pin(0);
		start_call_stop(fd, 1, there);
		pin(0);
		write_pmd(fd, c->pmd, 0);
		start_call_stop(fd, 1, there);
		base = read_pmd(fd, c->pmd);
		CHECK(base > 0 && base < 40);
		for (i = 0; i < 20; i++) {
			pin(0);
			start_call_stop(fd, 1, there);
		}
		CHECK_EQ(read_pmd(fd, c->pmd), 21 * base);
		unload(fd);
	}
}

/* covers: 3.1.2-38 3.1.3-30 3.1.4-25 3.1.5-11 3.1.6-6 */
TEST(all_commands_work_on_a_target_that_runs_on_another_cpu)
{
	int fd = create_counting(general, 0);
	pid_t pid;

	need_cpus(2);
	pid = spinning_child(fd, 1);
	pin(0);
	control_spinning(fd, pid);
	kill_child(pid);
}

/* covers: 3.1.7-18 3.1.8-10 3.1.8-11 */
TEST(a_running_target_is_loaded_and_unloaded_over_and_over)
{
	int fd = create_counting(general, 0), i;
	__u64 before = 0, now;
	pid_t pid;

	need_cpus(2);
	pid = spinning_child(fd, 1);
	pin(0);
	for (i = 0; i < 10; i++) {
		load(fd, pid);
		start(fd);
		now = read_pmd(fd, 0);
		CHECK_GE(now, before);
		WAIT_UNTIL(read_pmd(fd, 0) > now);
		unload(fd);
		before = read_pmd(fd, 0);
		CHECK(before > now);
		CHECK_EQ(read_pmd(fd, 0), before);
	}
	kill_child(pid);
}

/* covers: 3.1.4-25 D.4-6 */
TEST(a_target_that_migrates_under_commands_loses_nothing)
{
	int fd = create_counting(general, 0), i;
	__u64 before = 0, now;
	pid_t pid;

	need_cpus(2);
	pid = spinning_child(fd, 1);
	load(fd, pid);
	start(fd);
	for (i = 0; i < 20; i++) {
		pin_thread(pid, i % 2);
		now = read_pmd(fd, 0);
		CHECK_GE(now, before);
		before = now;
	}
	WAIT_UNTIL(read_pmd(fd, 0) > before + 10000);
	kill_child(pid);
}
