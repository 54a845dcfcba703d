// SPDX-License-Identifier: GPL-2.0
/*
 * Properties that commands must not change: the affinity of threads, the elements without an error,
 * the order of other commands; and the threads and levels that a context does not reach.
 */
#include "sampling.h"
#include "system.h"

static cpu_set_t affinity(void)
{
	cpu_set_t set;

	CHECK_OK(sched_getaffinity(0, sizeof(set), &set));
	return set;
}

static void load_and_unload(__u32 flags)
{
	cpu_set_t before = affinity(), after;
	int fd = create(flags);

	load_self(fd);
	after = affinity();
	CHECK(CPU_EQUAL(&before, &after));
	start(fd);
	stop(fd);
	unload(fd);
	after = affinity();
	CHECK(CPU_EQUAL(&before, &after));
}

/* covers: 3.1.7-28 3.1.8-14 */
TEST(load_and_unload_leave_the_affinity)
{
	load_and_unload(0);
	load_and_unload(PFM_FL_SYSTEM_WIDE);
	pin(0);
	load_and_unload(0);
	load_and_unload(PFM_FL_SYSTEM_WIDE);
}

/* covers: 3.1.2-33 3.1.3-26 */
TEST(a_pmc_and_its_pmd_may_be_written_in_either_order)
{
	__u64 values[2];
	int fd, i;

	need_pmu();
	for (i = 0; i < 2; i++) {
		fd = create(0);
		if (i)
			write_pmd(fd, 0, 1000);
		write_pmc(fd, 0, USER_INST);
		if (!i)
			write_pmd(fd, 0, 1000);
		load_self(fd);
		start_loop_stop(fd, 1000);
		values[i] = read_pmd(fd, 0);
		CHECK_GE(values[i], 3000);
		CHECK_OK(close(fd));
	}
	CHECK_EQ(values[0], values[1]);
}

/* The order of their periods and flags, too. */
/* covers: 3.1.2-33 3.1.3-26 */
TEST(a_period_and_its_notification_may_be_set_in_either_order)
{
	pfarg_pmc_t pmc = { .reg_num = 0, .reg_value = USER_INST, .reg_flags = NOTIFY };
	pfarg_pmd_t pmd = { .reg_num = 0, .reg_value = -1000, .reg_long_reset = -2000 };
	int fd, i;

	need_pmu();
	for (i = 0; i < 2; i++) {
		fd = create(0);
		if (i)
			CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1));
		CHECK_OK(perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1));
		if (!i)
			CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1));
		load_self(fd);
		start(fd);
		loop(1000);
		check_state(fd, "masked");
		restart(fd);
		CHECK_EQ(read_reg(fd, 0, 0).reg_last_reset_val, -2000);
		CHECK_OK(close(fd));
	}
}

/* covers: 3.1.2-54 */
TEST(an_error_that_is_no_elements_marks_no_element)
{
	pfarg_pmc_t pmcs[2] = { { .reg_num = 0 }, { .reg_num = 1 } };
	pfarg_setdesc_t sets[2] = { { .set_id = 1 }, { .set_id = 2 } };
	pfarg_pmd_t pmds[2] = { { .reg_num = 0 }, { .reg_num = 1 } };
	int fd = create(0), i;

	need_pmu();
	CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMCS, pmcs, -1), EINVAL);
	CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMDS, pmds, 0), EINVAL);
	CHECK_ERRNO(perfmonctl(fd, PFM_CREATE_EVTSETS, sets, -2), EINVAL);
	load_self(fd);
	CHECK_ERRNO(perfmonctl(fd, PFM_CREATE_EVTSETS, sets, 2), EBUSY);
	for (i = 0; i < 2; i++) {
		CHECK(!PFM_REG_HAS_ERROR(pmcs[i].reg_flags));
		CHECK(!PFM_REG_HAS_ERROR(pmds[i].reg_flags));
		CHECK(!PFM_SET_HAS_ERROR(sets[i].set_flags));
	}
}

/* covers: 3.1.4-14 */
TEST(registers_that_are_no_counters_have_no_overflows_left)
{
	int fd = create(0);

	need_pmu();
	create_trigger_set(fd, 0);
	CHECK_EQ(read_reg(fd, 0, PFM_PMD_TASK_CLOCK).reg_ovflsw_thres, 0);
	CHECK_EQ(read_reg(fd, 0, PFM_PMD_CPU).reg_ovflsw_thres, 0);
}

/* A thread that is monitored, but closed the descriptor, cannot reach the context. */
static void try_number(void *arg)
{
	int *numbers = arg;

	gate_wait(numbers[1]);
	CHECK_ERRNO(try_stop(numbers[0]), EBADF);
	CHECK_ERRNO(try_start(numbers[0]), EBADF);
	CHECK_ERRNO(try_unload(numbers[0]), EBADF);
	CHECK_ERRNO(try_restart(numbers[0]), EBADF);
	gate_open(numbers[2]);
	gate_wait(numbers[1]);
}

/* covers: 3.1.15-5 4.3.1-4 */
TEST(the_monitored_thread_has_no_access_without_a_descriptor)
{
	int numbers[3] = { create(0), gate_new(), gate_new() };
	pid_t pid = spawn_without(numbers[0], try_number, numbers);

	load(numbers[0], pid);
	start(numbers[0]);
	gate_open(numbers[1]);
	gate_wait(numbers[2]);
	check_loaded(numbers[0]);
	gate_open(numbers[1]);
	reap(pid);
}

/* covers: 3.5.4-2 */
TEST(reads_return_messages_and_never_samples)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	char bytes[4096];

	program(buffer.fd, (struct event){ .reg = 0, .period = 1009 });
	load_self(buffer.fd);
	start(buffer.fd);
	loop(10000);
	stop(buffer.fd);
	CHECK_GE(buffer.hdr->hdr_count, 19);
	set_nonblocking(buffer.fd);
	CHECK_ERRNO(read(buffer.fd, bytes, 48), EAGAIN);
	CHECK_ERRNO(read(buffer.fd, bytes, sizeof(bytes)), EINVAL);
	CHECK_EQ(lseek(buffer.fd, 0, SEEK_SET), -1);
	CHECK_EQ(errno, ESPIPE);
	CHECK_EQ(pread(buffer.fd, bytes, 48, 0), -1);
}

static void count_kernel_in_set(void *unused)
{
	int fd;

	(void)unused;
	become(NOBODY, NOBODY);
	fd = create(0);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 5 });
	CHECK_ERRNO(try_program(fd, (struct event){ .set = 5, .reg = 0, .value = ALL_INST }),
		    EPERM);
	program(fd, (struct event){ .set = 5, .reg = 0 });
}

/* covers: 4.4.1-1 */
TEST(kernel_level_is_forbidden_in_every_set)
{
	need_pmu();
	with_file(PARANOID, "2", count_kernel_in_set, NULL);
}
