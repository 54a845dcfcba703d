// SPDX-License-Identifier: GPL-2.0
/*
 * Periods that are longer than a hardware counter, to their end: it counts them in steps.
 * To count one would take hours; so the hardware counter is put near its end, by the
 * driver of MSRs, a step at a time. While it is written nothing is counted, for that is
 * in the kernel.
 */
#include "probe.h"
#include "selector.h"

#define STEPS	4
#define LEFT	20000	/* of a step, when the counter is put near its end */

static __u64 hardware_end(void)
{
	return 1ULL << read_sysfs_u64("pmu/pmd0/width");
}

/* What the longest step is: all but the least that a very long period is begun with. */
static __u64 longest_step(int msrs, __u32 counter)
{
	int fd = create(0);
	__u64 begun;

	program(fd, (struct event){ .reg = 0, .period = 1ULL << 60 });
	load_self(fd);
	start(fd);
	begun = rdmsr(msrs, counter);
	CHECK_OK(close(fd));
	/* It has counted a little: steps are powers of two. */
	return 1ULL << (64 - __builtin_clzll(hardware_end() - begun));
}

/* Run to just before and just behind the end of the step. */
static void pass_step(int msrs, __u32 counter)
{
	wrmsr(msrs, counter, hardware_end() - LEFT);
	loop(LEFT / 2);
}

/* A period of some steps, on this CPU, with the counter at the end of the last but one. */
static void begin_last_step(int fd, int msrs, __u32 counter, __u64 step)
{
	int i;

	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = STEPS * step,
				    .short_period = 2 * STEPS * step });
	load_self(fd);
	start(fd);
	for (i = 1; i < STEPS; i++) {
		pass_step(msrs, counter);
		CHECK_GE(read_pmd(fd, 0), -(STEPS - i) * step);
		CHECK(read_pmd(fd, 0) < -(STEPS - i) * step + step / 2);
		CHECK(!has_message(fd));
		check_state(fd, "loaded");
	}
}

static int counter_msrs(__u32 *counter)
{
	need_selectors();
	allow_msr_writes();
	pin(0);
	*counter = read_sysfs_u64("pmu/pmd0/address");
	return open_msrs(0, O_RDWR);
}

/* covers: 3.4.1-2 3.4.1-10 */
TEST(a_period_of_several_steps_ends_with_the_last_one)
{
	__u32 counter;
	int msrs = counter_msrs(&counter), fd = create(0);
	__u64 step = longest_step(msrs, counter);

	CHECK_GE(step, 1ULL << 31);
	set_nonblocking(fd);
	begin_last_step(fd, msrs, counter, step);
	/* Not before the end. */
	wrmsr(msrs, counter, hardware_end() - LEFT);
	loop(LEFT / 4);
	CHECK(!has_message(fd));
	loop(LEFT / 4);
	expect_overflow(fd, 0, BIT_ULL(0));
	check_state(fd, "masked");
	CHECK_EQ(read_pmd(fd, 0), 0);
}

/* covers: 3.5.14-5 */
TEST(a_format_is_called_at_the_end_of_the_last_step)
{
	__u32 counter;
	int msrs = counter_msrs(&counter);
	struct probe probe = create_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_RESET));
	__u64 step = longest_step(msrs, counter);
	const pfm_probe_call_t *call;

	begin_last_step(probe.fd, msrs, counter, step);
	expect_no_call(&probe);
	pass_step(msrs, counter);
	call = expect_handler(&probe, 0);
	expect_no_call(&probe);
	CHECK_EQ(call->value, 0);
	CHECK_EQ(call->last_reset, -(STEPS * step));
	CHECK_GE(read_pmd(probe.fd, 0), -(2 * STEPS * step));
	CHECK(read_pmd(probe.fd, 0) < -(2 * STEPS * step) + LEFT);
}
