// SPDX-License-Identifier: GPL-2.0
/*
 * Every format in every mode at every rate: there are as many overflows as the counted instructions
 * make, and each is recorded or counted as lost. Register 0 samples, register 1 counts; all periods
 * are the same, so that the n-th overflow comes after n periods, however often monitoring is masked
 * .
 */
#include "probe.h"
#include "sampling.h"
#include "system.h"

static const __u64 periods[] = { 1000, 1009, 1500, 2003, 5003, 10007, 65537 };

struct shape {
	const char	*name;
	__u32		buf_flags;
	__u64		buf_size;	/* 0: no format */
	bool		probe;
};

static const struct shape shapes[] = {
	{ "no format", 0, 0, false },
	{ "default", 0, 1 << 20, false },
	{ "default, small", 0, 4096, false },
	{ "default, one sample", 0, 1, false },
	{ "default without headers", PFM_DFL_SMPL_NO_HDR, 65536, false },
	{ "default, instruction pointers", PFM_DFL_SMPL_IIP_HDR, 2048, false },
	{ "probe", 0, PROBE_SIZE, true },
};

static int create_shape(const struct shape *shape, __u32 flags)
{
	__u64 size = shape->buf_size;
	int fd;

	if (shape->probe) {
		need_probe();
		fd = try_create_probe(flags, PROBE(.handler_ctrl_else = PFM_PROBE_RESET));
	} else if (size) {
		if (size == 1)
			size = HDR_SIZE + largest_sample(0);
		fd = try_create_smpl(flags, size, shape->buf_flags);
	} else {
		fd = try_create(flags);
	}
	CHECK_OK(fd);
	set_nonblocking(fd);
	return fd;
}

static void sample(int fd, __u64 period)
{
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = period });
	count_up(fd, 0, 1);
}

static void drop_messages(int fd)
{
	pfm_msg_t msg;

	while (read(fd, &msg, sizeof(msg)) == sizeof(msg))
		;
}

/* Checked at the end. */
static void check_exact(int fd, const struct shape *shape, __u64 period)
{
	__u64 total = read_pmd(fd, 1), overflows = ledger(fd, "overflows");

	if (overflows != total / period)
		FAIL("%s, period %llu: %llu overflows in %llu instructions", shape->name,
		     (unsigned long long)period, (unsigned long long)overflows,
		     (unsigned long long)total);
	CHECK_GE(overflows, 1);
	check_ledger(fd);
	CHECK_EQ(ledger(fd, "lost-error"), 0);
}

static void for_all_shapes(void (*fn)(const struct shape *shape, __u64 period))
{
	size_t i, k;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(shapes); i++)
		for (k = 0; k < ARRAY_SIZE(periods); k++)
			fn(&shapes[i], periods[k]);
}

/* In this thread: after an overflow has masked the context, it is restarted every now and then. */
static void sample_here(const struct shape *shape, __u64 period, __u32 flags)
{
	int fd = create_shape(shape, flags), i;

	sample(fd, period);
	pin(0);
	load_self(fd);
	start(fd);
	for (i = 0; i < 60; i++) {
		loop(period + 100 * i);
		drop_messages(fd);
		restart(fd);
	}
	stop(fd);
	check_exact(fd, shape, period);
	CHECK_OK(close(fd));
}

static void sample_ourselves(const struct shape *shape, __u64 period)
{
	sample_here(shape, period, 0);
}

/* covers: D.5-6 */
TEST(all_overflows_are_accounted_for_when_self_monitoring)
{
	for_all_shapes(sample_ourselves);
}

static void sample_the_cpu(const struct shape *shape, __u64 period)
{
	sample_here(shape, period, PFM_FL_SYSTEM_WIDE);
}

/* covers: D.5-6 */
TEST(all_overflows_are_accounted_for_when_system_wide)
{
	for_all_shapes(sample_the_cpu);
}

/* A child that loops for a while, on any CPU. */
static void loop_at_gate(void *arg)
{
	int *gates = arg;

	pin(sysconf(_SC_NPROCESSORS_ONLN) - 1);
	gate_wait(gates[0]);
	loop(500000);
}

static void sample_child(const struct shape *shape, __u64 period, __u32 flags)
{
	int fd = create_shape(shape, flags), gates[1] = { gate_new() }, status;
	pid_t pid = spawn_without(fd, loop_at_gate, gates);

	sample(fd, period);
	load(fd, pid);
	start(fd);
	gate_open(gates[0]);
	while (!waitpid(pid, &status, WNOHANG)) {
		drop_messages(fd);
		if (try_restart(fd))
			CHECK_EQ(errno, EBUSY);
		sched_yield();
	}
	CHECK_EQ(status, 0);
	check_state(fd, "unloaded");
	check_exact(fd, shape, period);
	CHECK_OK(close(gates[0]));
	CHECK_OK(close(fd));
}

static void sample_another(const struct shape *shape, __u64 period)
{
	sample_child(shape, period, 0);
}

/* covers: D.5-6 */
TEST_LIMIT(all_overflows_are_accounted_for_of_another_thread, 60)
{
	for_all_shapes(sample_another);
}

static void block_another(const struct shape *shape, __u64 period)
{
	/* A restart for each thousand instructions takes long. */
	if (period > 2000)
		sample_child(shape, period, PFM_FL_NOTIFY_BLOCK);
}

/* covers: D.5-6 */
TEST_LIMIT(all_overflows_are_accounted_for_of_a_thread_that_blocks, 100)
{
	for_all_shapes(block_another);
}

/* With sets: each set has its own counters, and the same rule. */
static void sample_in_sets(const struct shape *shape, __u64 period)
{
	int fd = create_shape(shape, 0), i, set;
	__u64 total = 0;

	for (set = 0; set < 3; set++) {
		create_trigger_set(fd, set);
		program(fd, (struct event){ .set = set, .reg = 0, .flags = NOTIFY,
					    .period = period, .threshold = 1 + set });
		count_up(fd, set, 1);
	}
	pin(0);
	load_self(fd);
	start(fd);
	for (i = 0; i < 60; i++) {
		loop(period + 100 * i);
		drop_messages(fd);
		restart(fd);
	}
	stop(fd);
	for (set = 0; set < 3; set++)
		total += value_of(fd, set, 1);
	/*
	 * An overflow leaves a set: the instructions after the last whole period belong to the
	 * active set.
	 */
	CHECK_EQ(ledger(fd, "overflows"), total / period);
	check_ledger(fd);
	CHECK_GE(runs(fd, 0), 5);
	CHECK_OK(close(fd));
}

/* covers: D.5-6 */
TEST(all_overflows_are_accounted_for_with_event_sets)
{
	for_all_shapes(sample_in_sets);
}

static void sample_throttled(void *unused)
{
	(void)unused;
	for_all_shapes(sample_ourselves);
	for_all_shapes(sample_another);
}

/* covers: D.5-6 */
TEST_LIMIT(all_overflows_are_accounted_for_with_the_throttle, 100)
{
	need_pmu();
	with_file(INTERRUPT_RATE_MAX, "100000", sample_throttled, NULL);
}
