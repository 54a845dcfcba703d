/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Overflows and their consequences: messages, the masked state, the ledger.
 *
 * The emulated PMU interrupts right behind the instruction that overflows a counter, and a counter
 * of user instructions stands still in the kernel. So every count of user instructions at an
 * overflow is exact.
 */
#ifndef TESTS_ABI_OVERFLOW_H
#define TESTS_ABI_OVERFLOW_H

#include "count.h"
#include "messages.h"
#include "settings.h"
#include "sets.h"

#define NOTIFY	PFM_REGFL_OVFL_NOTIFY

/* Expect the next message, which is in the queue, to be one about these overflows. */
static inline void expect_overflow(int fd, __u16 set, __u64 pmds)
{
	pfm_msg_t msg;

	memset(&msg, 0x5a, sizeof(msg));
	CHECK_EQ(read(fd, &msg, sizeof(msg)), sizeof(msg));
	CHECK_EQ(msg.msg_type, PFM_MSG_OVFL);
	CHECK_EQ(msg.pfm_ovfl_msg.msg_active_set, set);
	CHECK_EQ(msg.pfm_ovfl_msg.msg_pad, 0);
	CHECK_EQ(only_first(msg.pfm_ovfl_msg.msg_ovfl_pmds), pmds);
}

static inline void expect_message(int fd, __u32 type)
{
	pfm_msg_t msg;

	CHECK_EQ(read(fd, &msg, sizeof(msg)), sizeof(msg));
	CHECK_EQ(msg.msg_type, type);
}

/* The value of a line of /proc/self/fdinfo/FD, after "pfm-NAME:". */
static inline void read_fdinfo(int fd, const char *name, char *value, size_t size)
{
	char path[64], line[256], key[64];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	snprintf(key, sizeof(key), "pfm-%s:", name);
	file = fopen(path, "re");
	if (!file)
		FAIL("%s: %s", path, strerror(errno));
	while (!found && fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, strlen(key)))
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(value, size, "%s", line + strlen(key) + strspn(line + strlen(key), " \t"));
		found = true;
	}
	fclose(file);
	if (!found)
		FAIL("%s has no %s", path, key);
}

static inline __u64 ledger(int fd, const char *name)
{
	char value[64], *end;
	__u64 number;

	read_fdinfo(fd, name, value, sizeof(value));
	number = strtoull(value, &end, 10);
	if (end == value || *end)
		FAIL("pfm-%s is no number: '%s'", name, value);
	return number;
}

static inline void check_state(int fd, const char *state)
{
	char value[64];

	read_fdinfo(fd, "state", value, sizeof(value));
	CHECK_STREQ(value, state);
}

static inline bool is_masked(int fd)
{
	char value[64];

	read_fdinfo(fd, "state", value, sizeof(value));
	return !strcmp(value, "masked");
}

/*
 * Every overflow that requested a record has one, or is counted as lost. The context must not count
 * meanwhile.
 */
static inline void check_ledger(int fd)
{
	CHECK_EQ(ledger(fd, "overflows"), ledger(fd, "recorded") + ledger(fd, "lost-full") +
		 ledger(fd, "lost-error") + ledger(fd, "lost-throttled") +
		 ledger(fd, "lost-late"));
}

/*
 * A context, loaded on ourselves, that overflows after @period user instructions and
 * then sends a message; register 1 counts all user instructions.
 */
static inline int notifying_context(__u32 flags, __u64 period)
{
	int fd;

	need_pmu();
	fd = create(flags);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = period });
	count_up(fd, 0, 1);
	load_self(fd);
	set_nonblocking(fd);
	return fd;
}

/* The same, after the overflow: masked. */
static inline int masked_context(__u32 flags)
{
	int fd = notifying_context(flags, 1000);

	start(fd);
	loop(1000);
	check_state(fd, "masked");
	return fd;
}

/* Start, and be masked in set 0, whose timeout is @ns. Returns the rest of it. */
static inline __u64 start_until_masked(int fd, __u64 ns)
{
	__u64 left;

	start(fd);
	loop(1000);
	check_state(fd, "masked");
	left = remaining(fd, 0);
	CHECK_EQ(left + duration(fd, 0), ns);
	return left;
}

/*
 * Check that nothing has changed since. After the restart the time goes on, and no overflow masks
 * soon.
 */
static inline void restart_masked(int fd, __u64 ns, __u64 left)
{
	CHECK_EQ(remaining(fd, 0), left);
	CHECK_EQ(duration(fd, 0), ns - left);
	CHECK_EQ(runs(fd, 1), 0);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1ULL << 40 });
	restart(fd);
	CHECK_LE(remaining(fd, 0), left);
}

/* The number of PMDs. */
static inline unsigned int count_pmds(void)
{
	pfarg_config_t config = get_config();
	unsigned int n = 0, i;

	for (i = 0; i < PFM_MAX_PMD_BITVECTOR; i++)
		n += __builtin_popcountll(config.cf_impl_pmds[i]);
	return n;
}

/* The limits on the time that interrupts take. */
#define INTERRUPT_RATE_MAX	PERFMON_SYSFS "limits/interrupt_rate_max"
#define CPU_TIME_MAX		PERFMON_SYSFS "limits/cpu_time_max_percent"

/*
 * Only tests of the limits have them; other tests would lose samples to them. The share of a CPU's
 * time that interrupts take differs by a factor of ten from one kernel to another, and how many
 * interrupts there are in a window depends on what else the machine does.
 */
static struct {
	const char	*path, *none;
	char		usual[24];
} limits[] = {
	{ CPU_TIME_MAX, "100", "" },
	{ INTERRUPT_RATE_MAX, "1000000000", "" },
};
static pid_t unlimited_by;

__attribute__((constructor(103))) static void lift_the_limits(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		if (!try_read_file(limits[i].path, limits[i].usual, sizeof(limits[i].usual)))
			return;
		try_write_file(limits[i].path, limits[i].none);
	}
	unlimited_by = getpid();
}

/* The limits that the program found; also for a program that tests them all the time. */
__attribute__((destructor)) static void use_the_usual_limits(void)
{
	size_t i;

	if (unlimited_by != getpid())
		return;
	for (i = 0; i < ARRAY_SIZE(limits); i++)
		try_write_file(limits[i].path, limits[i].usual);
}

/* A CPU with too many interrupts is throttled to the end of a window of 10 ms. */
static inline void leave_window(void)
{
	sleep_ms(11);
}

void before_test(void)
{
	leave_window();
}

/* All user instructions that register 1 has counted. */
static inline __u64 all_of(int fd)
{
	return read_pmd(fd, 1);
}

#endif /* TESTS_ABI_OVERFLOW_H */
