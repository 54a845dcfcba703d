// SPDX-License-Identifier: GPL-2.0
/*
 * PFM_WRITE_PMCS. No command reads a PMC: the counters' behaviour shows the value that was written.
 */
#include "count.h"
#include "registers.h"
#include "settings.h"

/* The defined flags, of which an implementation may refuse some. */
#define PMC_FLAGS	(PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM | PFM_REGFL_NO_64BIT_EMUL)

#define LOOPS		1000

static int write_pmcs(int fd, pfarg_pmc_t *pmcs, int n)
{
	return perfmonctl(fd, PFM_WRITE_PMCS, pmcs, n);
}

/* True if the counter counts user instructions, as the context is set up. */
static bool counts(int fd, unsigned int pmd)
{
	__u64 value;

	load_self(fd);
	write_pmd(fd, pmd, 0);
	start_loop_stop(fd, LOOPS);
	value = read_pmd(fd, pmd);
	unload(fd);
	if (value)
		CHECK_GE(value, 2 * LOOPS);
	return value;
}

/* covers: 3.1.2-4 D.9-3 */
TEST(a_pmc_that_does_not_exist_is_refused)
{
	pfarg_config_t config = get_config();
	__u16 numbers[PFM_MAX_PMCS + 8];
	int fd = create(0);
	size_t n, i;

	n = missing_registers(config.cf_impl_pmcs, numbers, ARRAY_SIZE(numbers));
	for (i = 0; i < n; i++) {
		pfarg_pmc_t pmc = { .reg_num = numbers[i] };

		CHECK_ERRNO(write_pmcs(fd, &pmc, 1), EINVAL);
		CHECK_EQ(pmc.reg_flags, PFM_REG_RETFL_NOTAVAIL);
		CHECK_EQ(pmc.reg_num, numbers[i]);
	}
}

/* covers: 3.1.2-45 3.1.10-15 D.9-4 */
TEST(a_pmc_of_an_event_set_that_does_not_exist_is_refused)
{
	static const __u16 sets[] = { 1, 2, 0x7fff, 0x8000, 0xffff };
	int fd = create(0);
	size_t i;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		pfarg_pmc_t pmc = { .reg_set = sets[i] };

		CHECK_ERRNO(write_pmcs(fd, &pmc, 1), EINVAL);
		CHECK_EQ(pmc.reg_flags, PFM_REG_RETFL_NOSET);
	}
}

/* covers: 3.1.2-8 3.1.2-49 */
TEST(each_undefined_pmc_flag_is_refused)
{
	int fd = create(0);
	__u32 flag;

	need_pmu();
	for_each_undefined_flag(flag, PMC_FLAGS) {
		pfarg_pmc_t pmc = { .reg_flags = flag };

		CHECK_ERRNO(write_pmcs(fd, &pmc, 1), EINVAL);
		CHECK_EQ(pmc.reg_flags & PFM_REG_RETFL_MASK, PFM_REG_RETFL_EINVAL);
	}
}

/* Each bit of @vector, of @pmc, may name a PMD that exists, and no other. */
static void check_vector_of_pmds(pfarg_pmc_t *pmc, __u64 *vector)
{
	pfarg_config_t config = get_config();
	int fd = create(0), i;

	need_pmu();
	for (i = 0; i < PFM_MAX_PMDS; i++) {
		memset(pmc, 0, sizeof(*pmc));
		add_bit(vector, i);
		if (has_bit(config.cf_impl_pmds, i)) {
			CHECK_OK(write_pmcs(fd, pmc, 1));
			CHECK_EQ(pmc->reg_flags, 0);
		} else {
			CHECK_ERRNO(write_pmcs(fd, pmc, 1), EINVAL);
			CHECK_EQ(pmc->reg_flags, PFM_REG_RETFL_EINVAL);
		}
	}
}

/* covers: 3.1.2-26 */
TEST(reset_pmds_that_do_not_exist_are_refused)
{
	pfarg_pmc_t pmc;

	check_vector_of_pmds(&pmc, pmc.reg_reset_pmds);
}

/* covers: 3.1.2-21 3.1.2-49 */
TEST(smpl_pmds_that_do_not_exist_are_refused)
{
	pfarg_pmc_t pmc;

	check_vector_of_pmds(&pmc, pmc.reg_smpl_pmds);
}

/* covers: 3.1.2-50 */
TEST(a_pmc_element_comes_back_as_it_was)
{
	pfarg_pmc_t pmc = { .reg_num = 0, .reg_value = USER_INST, .reg_smpl_eventid = 0x1234 };
	pfarg_pmc_t before;
	int fd = create(0);

	need_pmu();
	add_bit(pmc.reg_reset_pmds, 0);
	add_bit(pmc.reg_smpl_pmds, 1);
	before = pmc;
	CHECK_OK(write_pmcs(fd, &pmc, 1));
	CHECK(!memcmp(&pmc, &before, sizeof(pmc)));
}

/* covers: 3.1.2-50 3.1.2-52 */
TEST(pmcs_before_the_first_bad_one_are_written)
{
	pfarg_pmc_t pmcs[3] = {
		{ .reg_num = 0, .reg_value = USER_INST },
		{ .reg_num = 0xffff, .reg_value = USER_INST },
		{ .reg_num = 1, .reg_value = USER_INST },
	};
	int fd = create(0);

	need_pmu();
	CHECK_ERRNO(write_pmcs(fd, pmcs, 3), EINVAL);
	CHECK(counts(fd, 0));
	CHECK_EQ(pmcs[0].reg_flags, 0);
	CHECK_EQ(pmcs[1].reg_flags, PFM_REG_RETFL_NOTAVAIL);
}

/* covers: 3.1.2-51 */
TEST(pmcs_after_the_first_bad_one_are_untouched)
{
	pfarg_pmc_t pmcs[3] = {
		{ .reg_num = 0, .reg_value = USER_INST },
		{ .reg_num = 0, .reg_set = 9 },
		{ .reg_num = 1, .reg_value = USER_INST, .reg_flags = PFM_REG_RETFL_NOSET },
	};
	pfarg_pmc_t before = pmcs[2];
	int fd = create(0);

	need_pmu();
	CHECK_ERRNO(write_pmcs(fd, pmcs, 3), EINVAL);
	CHECK_EQ(pmcs[1].reg_flags, PFM_REG_RETFL_NOSET);
	CHECK(!memcmp(&pmcs[2], &before, sizeof(before)));
	CHECK(!counts(fd, 1));
}

/* covers: 3.1.2-53 */
TEST(a_bad_pmc_keeps_what_it_had)
{
	pfarg_pmc_t pmc = { .reg_num = 0, .reg_value = 0, .reg_set = 1,
			    .reg_flags = PFM_REGFL_OVFL_NOTIFY };
	int fd = create_counting(general, 0);

	CHECK_ERRNO(write_pmcs(fd, &pmc, 1), EINVAL);
	CHECK_EQ(pmc.reg_flags, PFM_REGFL_OVFL_NOTIFY | PFM_REG_RETFL_NOSET);
	CHECK(counts(fd, 0));
}

/* covers: 3.1.2-30 3.1.7-16 */
TEST(a_new_context_measures_nothing)
{
	pfarg_config_t config = get_config();
	int fd = create(0), i;

	need_pmu();
	load_self(fd);
	start_loop_stop(fd, LOOPS);
	for (i = 0; i < PFM_VIRTUAL_PMD; i++)
		if (has_bit(config.cf_impl_pmds, i))
			CHECK_EQ(read_pmd(fd, i), 0);
}

/* covers: 3.1.2-30 3.1.2-32 */
TEST(a_pmc_with_its_default_value_measures_nothing)
{
	const struct counter *c;

	need_pmu();
	for_each_counter(c) {
		pfarg_pmcinfo_t info = { .reg_num = c->pmc };
		int fd = create_counting(c, 0);

		CHECK_OK(perfmonctl(-1, PFM_GETINFO_PMCS, &info, 1));
		write_pmc(fd, c->pmc, info.reg_def_value);
		CHECK(!counts(fd, c->pmd));
		CHECK_OK(close(fd));
	}
}

/* covers: 3.1.2-31 3.1.7-16 */
TEST(other_counters_than_those_programmed_stand_still)
{
	pfarg_config_t config = get_config();
	int fd = create_counting(general, 0), i;

	load_self(fd);
	start_loop_stop(fd, LOOPS);
	CHECK_GE(read_pmd(fd, 0), 2 * LOOPS);
	for (i = 1; i < PFM_VIRTUAL_PMD; i++)
		if (has_bit(config.cf_impl_pmds, i))
			CHECK_EQ(read_pmd(fd, i), 0);
}

/* The formula: final = (value & ~rsvd) | (default & rsvd), without an error. */
/* covers: 3.1.2-7 3.1.13-15 3.1.13-16 3.2.4-1 D.9-5 */
TEST(reserved_pmc_bits_are_masked_silently)
{
	const struct counter *c;
	__u64 expected, plain;

	need_pmu();
	for_each_counter(c) {
		pfarg_pmcinfo_t info = { .reg_num = c->pmc };
		int fd = create_counting(c, 0);

		CHECK_OK(perfmonctl(-1, PFM_GETINFO_PMCS, &info, 1));
		CHECK_NE(info.reg_rsvd_mask, 0);
		load_self(fd);
		count_loop(fd, c, 0, LOOPS);
		plain = c->value & ~info.reg_rsvd_mask;
		write_pmc(fd, c->pmc, plain);
		expected = count_loop(fd, c, 0, LOOPS);
		CHECK_GE(expected, 2 * LOOPS);
		/*
		 * Reserved bits make no difference, whether all are set or all have their defaults.
		 */
		write_pmc(fd, c->pmc, plain | info.reg_rsvd_mask);
		CHECK_EQ(count_loop(fd, c, 0, LOOPS), expected);
		write_pmc(fd, c->pmc, plain | (info.reg_def_value & info.reg_rsvd_mask));
		CHECK_EQ(count_loop(fd, c, 0, LOOPS), expected);
		unload(fd);
	}
}

/* The interrupt-enable bits are reserved, and on: the 64-bit emulation needs them. */
/* covers: 3.1.3-33 */
TEST(the_interrupt_cannot_be_switched_off)
{
	const struct counter *c;
	__u64 base;

	need_pmu();
	for_each_counter(c) {
		int fd = create_counting(c, 0);

		write_pmc(fd, c->pmc, c->value & ~EVTSEL_INT);
		load_self(fd);
		count_loop(fd, c, 0, LOOPS);
		base = count_loop(fd, c, 0, LOOPS);
		CHECK_EQ(count_loop(fd, c, ~0ULL << 31, LOOPS), (~0ULL << 31) + base);
		CHECK_EQ(count_loop(fd, c, -1000, LOOPS), base - 1000);
		unload(fd);
	}
}

/* covers: 3.1.2-1 */
TEST(the_last_of_two_writes_to_one_pmc_in_a_vector_wins)
{
	pfarg_pmc_t pmcs[2] = {
		{ .reg_num = 0, .reg_value = USER_INST },
		{ .reg_num = 0, .reg_value = 0 },
	};
	int fd = create(0);

	need_pmu();
	CHECK_OK(write_pmcs(fd, pmcs, 2));
	CHECK(!counts(fd, 0));
	pmcs[0].reg_value = 0;
	pmcs[1].reg_value = USER_INST;
	CHECK_OK(write_pmcs(fd, pmcs, 2));
	CHECK(counts(fd, 0));
}

static void write_long_vector(void *unused)
{
	static pfarg_pmc_t pmcs[70];
	int fd = create(0);
	size_t i;

	(void)unused;
	/* Off, off, ... and finally PMC1 on, and PMC0 on. */
	for (i = 0; i < ARRAY_SIZE(pmcs); i++)
		pmcs[i].reg_num = i % 2;
	pmcs[68].reg_value = USER_INST;
	pmcs[69].reg_value = USER_INST;
	CHECK_OK(write_pmcs(fd, pmcs, ARRAY_SIZE(pmcs)));
	CHECK(counts(fd, 0));
	CHECK(counts(fd, 1));
	/* An error near the end of the vector: all elements before it take effect. */
	for (i = 0; i < ARRAY_SIZE(pmcs); i++)
		pmcs[i].reg_value = 0;
	pmcs[66].reg_num = 0xffff;
	pmcs[68].reg_value = USER_INST;
	CHECK_ERRNO(write_pmcs(fd, pmcs, ARRAY_SIZE(pmcs)), EINVAL);
	CHECK_EQ(pmcs[66].reg_flags, PFM_REG_RETFL_NOTAVAIL);
	CHECK(!counts(fd, 0));
	CHECK(!counts(fd, 1));
}

/* covers: 3.1-4 3.1.2-1 */
TEST(long_vectors_of_pmcs_are_written_in_order)
{
	need_pmu();
	with_arg_size_max(65536, write_long_vector, NULL);
}

/* covers: 3.1.2-37 */
TEST(a_pmc_can_be_written_while_its_context_counts)
{
	int fd = create_counting(general, 0);
	__u64 before;

	load_self(fd);
	start(fd);
	loop(LOOPS);
	CHECK_GE(read_pmd(fd, 0), 2 * LOOPS);
	write_pmc(fd, 0, 0);
	before = read_pmd(fd, 0);
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0), before);
	write_pmc(fd, 0, USER_INST);
	loop(LOOPS);
	CHECK_GE(read_pmd(fd, 0), before + 2 * LOOPS);
}

/* covers: 3.1.2-37 */
TEST(a_pmc_can_be_written_while_its_context_is_loaded_and_stopped)
{
	int fd = create(0);
	__u64 value;

	need_pmu();
	load_self(fd);
	write_pmc(fd, 0, USER_INST);
	start_loop_stop(fd, LOOPS);
	value = read_pmd(fd, 0);
	CHECK_GE(value, 2 * LOOPS);
	write_pmc(fd, 0, 0);
	start_loop_stop(fd, LOOPS);
	CHECK_EQ(read_pmd(fd, 0), value);
}

/* Another event in the same register: the loop executes half as many branches. */
/* covers: 3.1.2-6 3.2.1-3 */
TEST(a_changed_event_takes_effect_at_once)
{
	int fd = create_counting(general, 0), i;
	__u64 value;

	need_hardware("choice of events");
	load_self(fd);
	for (i = 0; i < 3; i++) {
		CHECK_GE(count_loop(fd, general, 0, LOOPS), 2 * LOOPS);
		write_pmc(fd, 0, USER_BRANCHES);
		value = count_loop(fd, general, 0, LOOPS);
		CHECK(value >= LOOPS && value < LOOPS + 10);
		write_pmc(fd, 0, USER_INST);
	}
	/*
	 * The same during counting: of the user level alone, for interrupts have branches as well.
	 */
	start(fd);
	write_pmc(fd, 0, USER_BRANCHES);
	write_pmd(fd, 0, 0);
	loop(100 * LOOPS);
	value = read_pmd(fd, 0);
	CHECK_GE(value, 100 * LOOPS);
	CHECK_LE(value, 150 * LOOPS);
}

/* A counter that is switched off and on again continues at its value. */
/* covers: D.4-3 */
TEST(switching_a_counter_off_keeps_its_value)
{
	const struct counter *c;
	__u64 base;

	need_pmu();
	for_each_counter(c) {
		int fd = create_counting(c, 0);

		load_self(fd);
		count_loop(fd, c, 0, LOOPS);
		base = count_loop(fd, c, 0, LOOPS);
		write_pmc(fd, c->pmc, 0);
		start_loop_stop(fd, LOOPS);
		write_pmc(fd, c->pmc, c->value);
		start_loop_stop(fd, LOOPS);
		CHECK_EQ(read_pmd(fd, c->pmd), 2 * base);
		unload(fd);
	}
}

/* covers: 3.1.2-35 3.1.7-14 */
TEST(pmc_values_outlive_unload)
{
	int fd = create_counting(general, 0);

	CHECK(counts(fd, 0));
	CHECK(counts(fd, 0));
}
