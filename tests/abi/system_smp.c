// SPDX-License-Identifier: GPL-2.0
/* System-wide contexts on several CPUs, and commands from CPUs other than theirs. */
#include "sampling.h"
#include "system.h"

#include <sys/klog.h>

/* covers: 3.1.1-27 3.1.7-23 */
TEST(each_cpu_can_have_a_context)
{
	int first = create(PFM_FL_SYSTEM_WIDE), second = create(PFM_FL_SYSTEM_WIDE);

	need_cpus(2);
	load_on(first, 0);
	load_on(second, 1);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 2);
	start(first);
	start(second);
	unload(second);
	stop(first);
	unload(first);
}

/* covers: 3.1-10 3.1.7-21 3.1.7-27 3.1.8-9 */
TEST(a_context_moves_to_another_cpu_by_unload_and_load)
{
	int fd = create(PFM_FL_SYSTEM_WIDE), other = create(PFM_FL_SYSTEM_WIDE);

	need_cpus(2);
	load_on(fd, 0);
	pin(1);
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	unload(fd);
	load_self(fd);
	/* So it left CPU 0 free, and CPU 1 is taken. */
	CHECK_ERRNO(try_load(other, gettid()), EBUSY);
	load_on(other, 0);
}

/* covers: 3.6.4-9 */
TEST(samples_of_a_cpu_name_it)
{
	struct buffer buffers[2];
	__u64 i;
	int cpu;

	need_cpus(2);
	for (cpu = 0; cpu < 2; cpu++) {
		buffers[cpu] = create_buffer(PFM_FL_SYSTEM_WIDE, 1 << 18, 0);
		program(buffers[cpu].fd, (struct event){ .reg = 0, .period = 20011 });
		load_on(buffers[cpu].fd, cpu);
		start(buffers[cpu].fd);
	}
	for (cpu = 0; cpu < 2; cpu++)
		run_in_child(loop_once, &cpu);
	for (cpu = 0; cpu < 2; cpu++) {
		stop(buffers[cpu].fd);
		CHECK_GE(buffers[cpu].hdr->hdr_count, 9);
		for (i = 0; i < buffers[cpu].hdr->hdr_count; i++)
			CHECK_EQ(entry_at(&buffers[cpu], i, 0)->cpu, cpu);
	}
}

/* The thread that loads is moved from CPU to CPU meanwhile. */
struct moved {
	pid_t	tid;
	int	over;
};

static void move_about(void *arg)
{
	struct moved *moved = arg;
	int i;

	for (i = 0; !__atomic_load_n(&moved->over, __ATOMIC_SEQ_CST); i++)
		pin_thread(moved->tid, i % 2);
}

/* The only CPU on which the first process is counted. */
static int bound_cpu(int fd)
{
	int cpu, bound = -1;

	for (cpu = 0; cpu < 2; cpu++) {
		if (count_child_on(fd, cpu) < 100 * LOOPS)
			continue;
		CHECK_EQ(bound, -1);
		bound = cpu;
	}
	CHECK_NE(bound, -1);
	return bound;
}

/* covers: 3.1.7-26 */
TEST(a_load_binds_one_cpu_however_its_thread_is_moved)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE), i, cpu, seen[2] = { };
	int other = create(PFM_FL_SYSTEM_WIDE);
	struct moved moved = { .tid = gettid() };
	struct thread thread;

	need_cpus(2);
	for (i = 0; i < 20; i++) {
		moved.over = 0;
		thread_start(&thread, move_about, &moved);
		load_self(fd);
		__atomic_store_n(&moved.over, 1, __ATOMIC_SEQ_CST);
		thread_join(&thread);
		start(fd);
		cpu = bound_cpu(fd);
		seen[cpu]++;
		/* The other CPU is free. */
		pin(cpu);
		CHECK_ERRNO(try_load(other, gettid()), EBUSY);
		load_on(other, !cpu);
		unload(other);
		unload(fd);
	}
	CHECK(seen[0] + seen[1] == 20);
}

/*
 * Request a backtrace of the other CPU; without its lines on the console and in the log, where they
 * would be taken for a fault.
 */
static void send_an_nmi(void *unused)
{
	(void)unused;
	write_file("/proc/sysrq-trigger", "l");
	sleep_ms(50);
	CHECK_OK(klogctl(5 /* SYSLOG_ACTION_CLEAR */, NULL, 0));
}

/* Some PMUs do not report where an NMI is from: without an overflow it is not the PMU's. */
/* covers: D.3-6 */
TEST(an_nmi_of_somebody_else_is_not_the_pmus)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);
	__u64 late, interrupts;

	need_cpus(2);
	need_hardware("an NMI");
	load_on(fd, 1);
	start(fd);
	/*
	 * For a tenth of a second after an overflow, of any session before, an NMI may be the
	 * PMU's.
	 */
	sleep_ms(200);
	late = read_sysfs_u64("stats/interrupts_late");
	interrupts = read_sysfs_u64("stats/interrupts");
	with_file("/proc/sys/kernel/printk", "1", send_an_nmi, NULL);
	CHECK_EQ(read_sysfs_u64("stats/interrupts_late"), late);
	CHECK_EQ(read_sysfs_u64("stats/interrupts"), interrupts);
}

/* covers: 3.1.1-26 3.1.7-22 */
TEST(nothing_on_other_cpus_is_counted)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);

	need_cpus(2);
	load_on(fd, 0);
	start(fd);
	pin(1);
	/* All other work of CPU 0 is less than the loop. */
	CHECK_LE(count_child_on(fd, 1), 100 * LOOPS);
	CHECK_GE(count_child_on(fd, 0), 200 * LOOPS);
}

static void use_all_commands(void *arg)
{
	int fd = *(int *)arg;
	__u64 before;

	pin(1);
	write_pmc(fd, 0, USER_INST);
	write_pmd(fd, 0, 1000);
	CHECK_EQ(read_pmd(fd, 0), 1000);
	start(fd);
	before = read_pmd(fd, 0);
	run_in_child(loop_once, &(int){ 0 });
	CHECK_GE(read_pmd(fd, 0), before + 200 * LOOPS);
	stop(fd);
	before = read_pmd(fd, 0);
	CHECK_EQ(count_child_on(fd, 0), 0);
	unload(fd);
	CHECK_EQ(read_pmd(fd, 0), before);
}

/* covers: 3.1.8-13 4.3.2-5 */
TEST(commands_work_from_another_cpu)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	need_pmu();
	need_cpus(2);
	load_on(fd, 0);
	use_all_commands(&fd);
}

/* covers: 3.1.2-36 3.1.3-28 3.1.4-21 3.1.7-25 3.1.8-13 */
TEST(commands_work_from_another_cpu_in_another_process)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	need_pmu();
	need_cpus(2);
	load_on(fd, 0);
	run_in_child(use_all_commands, &fd);
	check_unloaded(fd);
}

/* covers: 3.1.15-10 */
TEST(closing_the_last_descriptor_on_another_cpu_frees_the_cpu)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	need_cpus(2);
	load_on(fd, 0);
	start(fd);
	pin(1);
	CHECK_OK(close(fd));
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
	load_on(create(PFM_FL_SYSTEM_WIDE), 0);
}
