// SPDX-License-Identifier: GPL-2.0
/*
 * Registers that are no counters: PMDs that hold what the hardware writes (branch records, IBS,
 * SIAR), and PMCs that control no counter. Counter properties that the interface defines are
 * ignored for them.
 */
#include "probe.h"

#define ALL_FLAGS	(PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM | PFM_REGFL_NO_64BIT_EMUL)
#define PATTERN		0xf123456789abcdefULL

/* The longest name of a register. */
static bool is_named(const char *kind, unsigned int reg, const char *wanted)
{
	char name[64], file[64];

	snprintf(file, sizeof(file), "pmu/%s%u/name", kind, reg);
	read_sysfs(file, name, sizeof(name));
	return !strcmp(name, wanted);
}

/* Counters are narrower, but for the software PMU's counters. That PMU has no buffer PMDs. */
static bool is_buffer(unsigned int pmd)
{
	char file[64];

	if (soft_pmu || !has_pmd(pmd))
		return false;
	snprintf(file, sizeof(file), "pmu/pmd%u/width", pmd);
	return read_sysfs_u64(file) == 64;
}

/*
 * The first PMD that is no counter, and whose value does not change while no PMC lets the hardware
 * record into it. POWER's buffer PMDs change with each overflow.
 */
static unsigned int buffer_pmd(void)
{
	unsigned int i;

	need_pmu();
	for (i = 0; i < 64; i++) {
		if (is_buffer(i) && !is_named("pmd", i, "SIAR"))
			return i;
		if (is_buffer(i))
			break;
	}
	SKIP("this PMU has no PMDs that keep what is written to them, but counters");
}

/* A PMC that controls no counter, and a value that changes nothing. */
static pfarg_pmc_t bare_pmc(void)
{
	static const char *const names[] = { "IA32_DEBUGCTL", "IA32_LBR_CTL", "MMCRA" };
	pfarg_pmcinfo_t info = { };
	size_t k;
	int i;

	need_pmu();
	for (i = 0; i < 64; i++) {
		for (k = 0; has_pmc(i) && k < ARRAY_SIZE(names); k++) {
			if (!is_named("pmc", i, names[k]))
				continue;
			info.reg_num = i;
			CHECK_OK(perfmonctl(-1, PFM_GETINFO_PMCS, &info, 1));
			return (pfarg_pmc_t){ .reg_num = i, .reg_value = info.reg_def_value };
		}
	}
	SKIP("each PMC of this PMU controls a counter");
}

/* All that a PMC can request: a message, other PMDs, a number, ... */
static void write_bare_pmc(int fd, pfarg_pmc_t pmc)
{
	pmc.reg_flags = ALL_FLAGS;
	pmc.reg_smpl_pmds[0] = BIT_ULL(1);
	pmc.reg_reset_pmds[0] = BIT_ULL(1);
	pmc.reg_smpl_eventid = 77;
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1));
	CHECK_EQ(pmc.reg_flags, ALL_FLAGS);
}

/* covers: 3.1.2-11 3.1.2-15 3.1.2-20 3.1.2-28 */
TEST(a_pmc_without_a_counter_asks_for_nothing)
{
	struct event e = { .reg = 0, .period = 1000, .mask = 0xff, .seed = 5 };
	const pfarg_pmc_t bare = bare_pmc();
	struct probe probe = create_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_RESET));
	const pfm_probe_call_t *call;
	int i;

	/* Before and after the register of the counter itself. */
	write_bare_pmc(probe.fd, bare);
	program(probe.fd, e);
	count_up(probe.fd, 0, 1);
	write_bare_pmc(probe.fd, bare);
	load_self(probe.fd);
	start_loop_stop(probe.fd, 5000);
	CHECK_EQ(probe.buf->handled, read_pmd(probe.fd, 1) / 1000);
	for (i = 0; i < 10; i++) {
		call = expect_handler(&probe, 0);
		CHECK_EQ(call->ovfl_notify, 0);
		CHECK_EQ(call->last_reset, -1000);
		CHECK_EQ(call->eventid, 0);
		CHECK_EQ(call->num_values, 0);
		CHECK_EQ(only_first(call->smpl_pmds), 0);
	}
	expect_no_call(&probe);
}

/* covers: 3.1.2-11 6.2.1-3 */
TEST(a_pmc_without_a_counter_notifies_and_narrows_nothing)
{
	const pfarg_pmc_t bare = bare_pmc();
	int fd = create(0);

	write_bare_pmc(fd, bare);
	program(fd, (struct event){ .reg = 0, .period = 1000 });
	count_up(fd, 0, 1);
	write_bare_pmc(fd, bare);
	/* A narrow counter would hide a part of it. */
	write_pmd(fd, 1, PATTERN);
	CHECK_EQ(read_pmd(fd, 1), PATTERN);
	load_self(fd);
	set_nonblocking(fd);
	start(fd);
	loop(5000);
	check_state(fd, "loaded");
	CHECK(!has_message(fd));
	CHECK_GE(read_pmd(fd, 0), 9000);
	CHECK_GE(read_pmd(fd, 1), PATTERN + 10000);
}

/* covers: 3.1.3-34 */
TEST(buffer_pmds_keep_all_64_bits)
{
	const unsigned int first = buffer_pmd();
	int fd = create(0);
	unsigned int i;

	count_up(fd, 0, 0);
	for (i = first; i < 64; i++)
		if (is_buffer(i))
			write_pmd(fd, i, PATTERN + i);
	load_self(fd);
	start(fd);
	loop(1000);
	for (i = first; i < 64; i++)
		if (is_buffer(i))
			CHECK_EQ(read_pmd(fd, i), PATTERN + i);
	unload(fd);
	for (i = first; i < 64; i++)
		if (is_buffer(i))
			CHECK_EQ(read_pmd(fd, i), PATTERN + i);
}

/* Recorded branches are addresses, here of user level: their upper bits are zero. */
/* covers: 3.1.3-7 3.1.3-34 */
TEST(bits_that_a_buffer_pmd_does_not_have_may_be_written)
{
	const unsigned int pmd = buffer_pmd();
	pfarg_pmc_t pmc = bare_pmc();
	int fd = create(0), i;

	if (!is_named("pmc", pmc.reg_num, "IA32_DEBUGCTL"))
		SKIP("needs a model's branch records");
	write_pmc(fd, pmc.reg_num, 1);
	for (i = 0; i < 16; i++)
		write_pmd(fd, pmd + i, ~0ULL);
	load_self(fd);
	start(fd);
	stop(fd);
	for (i = 0; i < 16; i++)
		CHECK_EQ(read_pmd(fd, pmd + i) >> 47, 0);
}

/* A buffer PMD with both reset values, and with a mask and a seed for randomization. */
static void write_buffer_pmd(int fd, unsigned int reg)
{
	pfarg_pmd_t pmd = {
		.reg_num = reg, .reg_value = PATTERN, .reg_long_reset = 0x1000,
		.reg_short_reset = 0x2000, .reg_ovflsw_thres = 1,
		.reg_random_mask = 0xff, .reg_random_seed = 5,
	};

	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1));
}

/* covers: 3.1.3-13 3.4.2-11 */
TEST(a_buffer_pmd_is_reset_after_a_notification_where_a_counter_names_it)
{
	const unsigned int pmd = buffer_pmd();
	struct event e = { .reg = 0, .flags = NOTIFY | PFM_REGFL_RANDOM, .period = 1000 };
	int fd = create(0);

	write_buffer_pmd(fd, pmd);
	program(fd, e);
	load_self(fd);
	start(fd);
	loop(1000);
	check_state(fd, "masked");
	restart(fd);
	CHECK_EQ(read_pmd(fd, pmd), PATTERN);
	stop(fd);
	e.reset_pmds = BIT_ULL(pmd);
	program(fd, e);
	start(fd);
	loop(1000);
	check_state(fd, "masked");
	CHECK_EQ(read_pmd(fd, pmd), PATTERN);
	restart(fd);
	/* Not randomized, though its counter is. */
	CHECK_EQ(read_pmd(fd, pmd), 0x1000);
	CHECK_EQ(read_reg(fd, 0, pmd).reg_last_reset_val, 0x1000);
}

/* covers: 3.1.3-15 */
TEST(a_buffer_pmd_is_reset_without_a_notification_where_a_counter_names_it)
{
	const unsigned int pmd = buffer_pmd();
	struct event e = { .reg = 0, .flags = PFM_REGFL_RANDOM, .period = 1000 };
	struct probe probe = create_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_RESET));

	write_buffer_pmd(probe.fd, pmd);
	program(probe.fd, e);
	load_self(probe.fd);
	start(probe.fd);
	loop(1000);
	CHECK(probe.buf->handled > 0);
	CHECK_EQ(read_pmd(probe.fd, pmd), PATTERN);
	stop(probe.fd);
	e.reset_pmds = BIT_ULL(pmd);
	program(probe.fd, e);
	start(probe.fd);
	loop(1000);
	stop(probe.fd);
	CHECK_EQ(read_pmd(probe.fd, pmd), 0x2000);
}

/* covers: 3.1.3-19 3.1.4-14 */
TEST(a_buffer_pmd_is_no_trigger)
{
	const unsigned int pmd = buffer_pmd();
	int fd = create(0);

	create_trigger_set(fd, 0);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	program(fd, (struct event){ .reg = 0, .period = 1000, .reset_pmds = BIT_ULL(pmd) });
	write_buffer_pmd(fd, pmd);
	CHECK_EQ(read_reg(fd, 0, pmd).reg_ovflsw_thres, 0);
	load_self(fd);
	CHECK_EQ(read_reg(fd, 0, pmd).reg_ovflsw_thres, 0);
	start(fd);
	loop(5000);
	stop(fd);
	CHECK_EQ(runs(fd, 1), 0);
	CHECK_EQ(read_pmd(fd, pmd), PATTERN);
}
