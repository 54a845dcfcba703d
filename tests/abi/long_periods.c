// SPDX-License-Identifier: GPL-2.0
/*
 * The whole of a period that is longer than a hardware counter, which counts it in steps. To count
 * the whole period would take hours; so the test writes a value near the end of each step into the
 * hardware counter, with the driver of MSRs. No event is counted during the write, which happens in
 * the kernel.
 */
#include "probe.h"
#include "selector.h"

#define STEPS	4
#define LEFT	20000	/* rest of a step, after the hardware counter was written */

static __u64 hardware_end(void)
{
	return 1ULL << read_sysfs_u64("pmu/pmd0/width");
}

/*
 * The length of the longest step: the hardware counter's range without the smallest value that it
 * begins a very long period with.
 */
static __u64 longest_step(int msrs, __u32 counter)
{
	int fd = create(0);
	__u64 begun;

	program(fd, (struct event){ .reg = 0, .period = 1ULL << 60 });
	load_self(fd);
	start(fd);
	begun = rdmsr(msrs, counter);
	CHECK_OK(close(fd));
	/* The counter has counted a little: steps are powers of two. */
	return 1ULL << (64 - __builtin_clzll(hardware_end() - begun));
}

/* Run to just before and just behind the end of the step. */
static void pass_step(int msrs, __u32 counter)
{
	wrmsr(msrs, counter, hardware_end() - LEFT);
	loop(LEFT / 2);
}

/* A period of some steps, on this CPU, with the counter at the end of the step before the last. */
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
