// SPDX-License-Identifier: GPL-2.0
/* PFM_GETINFO_PMCS and PFM_GETINFO_PMDS: the properties of the registers. */
#include "count.h"
#include "registers.h"
#include "settings.h"

/* Both structures have the same members. */
typedef pfarg_pmcinfo_t info_t;

struct kind {
	const char	*prefix;	/* in sysfs */
	int		cmd;
	unsigned int	max;
};

static const struct kind kinds[] = {
	{ "pmc", PFM_GETINFO_PMCS, PFM_MAX_PMCS },
	{ "pmd", PFM_GETINFO_PMDS, PFM_MAX_PMDS },
};

#define for_each_kind(k)	for ((k) = kinds; (k) < kinds + ARRAY_SIZE(kinds); (k)++)

static void implemented(const struct kind *k, __u64 *bitvector)
{
	pfarg_config_t config = get_config();

	memcpy(bitvector, k->cmd == PFM_GETINFO_PMCS ? config.cf_impl_pmcs : config.cf_impl_pmds,
	       sizeof(config.cf_impl_pmcs));
}

static info_t get_info(const struct kind *k, unsigned int reg)
{
	info_t info = { .reg_num = reg };

	CHECK_OK(perfmonctl(-1, k->cmd, &info, 1));
	return info;
}

/* covers: 3.1.2-40 3.1.13-4 3.1.14-4 3.1.17-6 3.1.17-7 3.1.17-16 3.2.1-1 3.2.1-2 */
TEST(exactly_the_implemented_registers_have_information)
{
	__u64 bitvector[PFM_MAX_PMD_BITVECTOR];
	const struct kind *k;
	unsigned int i;

	for_each_kind(k) {
		implemented(k, bitvector);
		for (i = 0; i < 65536; i += i < 1024 ? 1 : 251) {
			info_t info = { .reg_num = i };

			if (i < k->max && has_bit(bitvector, i)) {
				CHECK_OK(perfmonctl(-1, k->cmd, &info, 1));
				CHECK_EQ(info.reg_flags, 0);
			} else {
				CHECK_ERRNO(perfmonctl(-1, k->cmd, &info, 1), EINVAL);
				CHECK_EQ(info.reg_flags, PFM_REG_RETFL_EINVAL);
			}
			CHECK_EQ(info.reg_num, i);
		}
	}
}

/* covers: 3.1.13-5 3.1.14-5 */
TEST(all_other_fields_are_ignored_on_input)
{
	const struct kind *k;

	need_pmu();
	for_each_kind(k) {
		info_t clean = get_info(k, 0), dirty;

		memset(&dirty, 0xff, sizeof(dirty));
		dirty.reg_num = 0;
		dirty.reg_flags = 0;
		CHECK_OK(perfmonctl(-1, k->cmd, &dirty, 1));
		CHECK(!memcmp(&clean, &dirty, sizeof(clean)));
	}
}

/* covers: 3.1.13-6 3.1.14-6 */
TEST(each_undefined_information_flag_is_refused)
{
	const struct kind *k;
	__u32 flag;

	need_pmu();
	for_each_kind(k) {
		for_each_undefined_flag(flag, 0) {
			info_t info = { .reg_num = 0, .reg_flags = flag };

			CHECK_ERRNO(perfmonctl(-1, k->cmd, &info, 1), EINVAL);
			CHECK_EQ(info.reg_flags & PFM_REG_RETFL_MASK, PFM_REG_RETFL_EINVAL);
		}
	}
}

/* covers: 3.1.13-22 3.1.13-23 3.1.13-24 3.1.14-19 3.1.14-20 3.1.14-21 */
TEST(registers_before_the_first_bad_one_are_described_and_those_after_not)
{
	const struct kind *k;

	need_pmu();
	for_each_kind(k) {
		info_t infos[3] = {
			{ .reg_num = 0 },
			{ .reg_num = 0xffff },
			{ .reg_num = 0, .reg_type = 99, .reg_flags = PFM_REG_RETFL_NOSET },
		};
		info_t first = get_info(k, 0), last = infos[2];

		CHECK_ERRNO(perfmonctl(-1, k->cmd, infos, 3), EINVAL);
		CHECK(!memcmp(&infos[0], &first, sizeof(first)));
		CHECK_EQ(infos[1].reg_flags, PFM_REG_RETFL_EINVAL);
		CHECK(!memcmp(&infos[2], &last, sizeof(last)));
	}
}

/* covers: 3.1-4 3.1.13-2 3.1.14-2 */
TEST(a_vector_describes_all_registers_at_once)
{
	const struct kind *k;
	__u64 bitvector[PFM_MAX_PMD_BITVECTOR];
	info_t infos[128];
	unsigned int i, n;

	need_pmu();
	for_each_kind(k) {
		implemented(k, bitvector);
		memset(infos, 0, sizeof(infos));
		for (i = 0, n = 0; i < k->max && n < ARRAY_SIZE(infos); i++)
			if (has_bit(bitvector, i))
				infos[n++].reg_num = i;
		CHECK_OK(perfmonctl(-1, k->cmd, infos, n));
		for (i = 0; i < n; i++) {
			info_t single = get_info(k, infos[i].reg_num);

			CHECK(!memcmp(&infos[i], &single, sizeof(single)));
		}
	}
}

/* "The mapping is dictated by the implementation and is unique for each register." */
/* covers: 3.1.13-17 3.1.14-15 */
TEST(no_two_registers_are_the_same_hardware_register)
{
	info_t infos[2 * PFM_MAX_PMDS];
	__u64 bitvector[PFM_MAX_PMD_BITVECTOR];
	const struct kind *k;
	unsigned int i, j, n = 0;

	need_pmu();
	for_each_kind(k) {
		implemented(k, bitvector);
		for (i = 0; i < k->max; i++)
			if (has_bit(bitvector, i))
				infos[n++] = get_info(k, i);
	}
	CHECK_GE(n, 2);
	for (i = 0; i < n; i++)
		for (j = 0; j < i; j++)
			CHECK(infos[i].reg_type != infos[j].reg_type ||
			      infos[i].reg_index != infos[j].reg_index ||
			      infos[i].reg_index == PFM_REG_IDX_NONE);
}

static void compare_number(const char *dir, const char *name, __u64 value)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	CHECK_EQ(read_sysfs_u64(path), value);
}

/* covers: 3.1.13-11 3.2.3-2 D.5-3 */
TEST(information_agrees_with_sysfs)
{
	static const char * const types[] = {
		"", "PMC", "PMD", "MSR", "SPR", "IBR", "DBR", "SOFT"
	};
	__u64 bitvector[PFM_MAX_PMD_BITVECTOR];
	char dir[32], path[64], type[16];
	const struct kind *k;
	unsigned int i;

	need_pmu();
	for_each_kind(k) {
		implemented(k, bitvector);
		for (i = 0; i < k->max; i++) {
			info_t info;

			snprintf(dir, sizeof(dir), "pmu/%s%u", k->prefix, i);
			snprintf(path, sizeof(path), PERFMON_SYSFS "%s", dir);
			CHECK_EQ(access(path, F_OK), has_bit(bitvector, i) ? 0 : -1);
			if (!has_bit(bitvector, i))
				continue;
			info = get_info(k, i);
			compare_number(dir, "address", info.reg_index);
			compare_number(dir, "default", info.reg_def_value);
			compare_number(dir, "reserved", info.reg_rsvd_mask);
			CHECK(info.reg_type > 0 && info.reg_type < ARRAY_SIZE(types));
			snprintf(path, sizeof(path), "%s/type", dir);
			read_sysfs(path, type, sizeof(type));
			CHECK_STREQ(type, types[info.reg_type]);
		}
	}
}

/* covers: 3.1.13-8 3.1.13-10 3.1.14-8 */
TEST(registers_are_not_wider_than_they_say)
{
	__u64 bitvector[PFM_MAX_PMD_BITVECTOR];
	const struct kind *k;
	unsigned int i;

	need_pmu();
	for_each_kind(k) {
		implemented(k, bitvector);
		for (i = 0; i < k->max; i++) {
			info_t info;
			char path[64];
			__u64 width;

			if (!has_bit(bitvector, i))
				continue;
			info = get_info(k, i);
			snprintf(path, sizeof(path), "pmu/%s%u/width", k->prefix, i);
			width = read_sysfs_u64(path);
			CHECK(width >= 1 && width <= 64);
			/* "The value is zero-extended", that of the mask as well. */
			if (width < 64) {
				CHECK_EQ(info.reg_def_value >> width, 0);
				CHECK_EQ(info.reg_rsvd_mask >> width, 0);
			}
		}
	}
}

/* covers: 3.1.2-32 3.1.13-7 3.1.13-9 3.1.13-11 3.1.13-13 3.1.13-18 3.1.14-7 3.1.14-10 */
/* covers: 3.1.14-11 3.1.14-16 3.2.4-2 */
TEST(general_registers_are_the_event_selects_and_counters)
{
	const struct kind *pmcs = &kinds[0], *pmds = &kinds[1];
	struct mapping m;
	info_t pmc, pmd;
	unsigned int i;

	need_pmu();
	need_hardware("event selects");
	for (i = 0; i < GENERAL_MAX; i++) {
		CHECK_EQ(has_pmc(i), has_pmd(i));
		if (!has_pmc(i))
			continue;
		m = general_mapping(i);
		pmc = get_info(pmcs, i);
		CHECK_EQ(pmc.reg_type, m.pmc_type);
		CHECK_EQ(pmc.reg_index, m.pmc);
		CHECK_EQ(pmc.reg_def_value, m.def);
		CHECK_EQ(pmc.reg_rsvd_mask, m.rsvd);
		pmd = get_info(pmds, i);
		CHECK_EQ(pmd.reg_type, m.pmd_type);
		CHECK_EQ(pmd.reg_index, m.pmd);
		CHECK_EQ(pmd.reg_def_value, 0);
	}
}

/* covers: 3.1.13-7 3.1.13-9 3.1.13-13 3.1.13-18 3.1.14-16 3.2.4-2 */
TEST(fixed_registers_are_the_fixed_control_and_counters)
{
	__u64 def = 0, settable = 0;
	info_t pmc, pmd;
	unsigned int i;

	need_pmu();
	if (!has_fixed())
		SKIP("this PMU has no fixed counters");
	for (i = 0; i < 16; i++) {
		if (!has_pmd(FIXED_INST + i))
			continue;
		/*
		 * In each group of four bits: OS and USR can be set, AnyThread is off, PMI is on.
		 */
		settable |= 0x3ULL << (4 * i);
		def |= 0x8ULL << (4 * i);
		pmd = get_info(&kinds[1], FIXED_INST + i);
		CHECK_EQ(pmd.reg_type, PFM_REG_TYPE_MSR);
		CHECK_EQ(pmd.reg_index, 0x309 + i);
		CHECK_EQ(pmd.reg_def_value, 0);
	}
	pmc = get_info(&kinds[0], FIXED_CTRL);
	CHECK_EQ(pmc.reg_type, PFM_REG_TYPE_MSR);
	CHECK_EQ(pmc.reg_index, 0x38d);
	CHECK_EQ(pmc.reg_def_value, def);
	CHECK_EQ(pmc.reg_rsvd_mask, ~settable);
}

/* The reserved bits have the reported effect: final = (value & ~rsvd) | (default & rsvd). */
/* covers: 3.1.14-9 3.1.14-13 3.1.14-14 */
TEST(reserved_bits_of_a_pmd_keep_their_default)
{
	static const __u64 values[] = { ~0ULL, 0x5555555555555555ULL, 1ULL << 50, 0 };
	const struct kind *pmds = &kinds[1];
	int fd = create(0);
	unsigned int i;
	size_t v;

	need_pmu();
	for (i = 0; i < PFM_VIRTUAL_PMD; i++) {
		info_t info;

		if (!has_pmd(i))
			continue;
		info = get_info(pmds, i);
		for (v = 0; v < ARRAY_SIZE(values); v++) {
			write_pmd(fd, i, values[v]);
			CHECK_EQ(read_pmd(fd, i), (values[v] & ~info.reg_rsvd_mask) |
						  (info.reg_def_value & info.reg_rsvd_mask));
		}
	}
}

static void ask_as_nobody(void *unused)
{
	(void)unused;
	become(NOBODY, NOBODY);
	get_info(&kinds[0], 0);
	get_info(&kinds[1], 0);
}

/* covers: 4.1-5 4.2-1 */
TEST(anybody_may_ask)
{
	need_pmu();
	run_in_child(ask_as_nobody, NULL);
}
