// SPDX-License-Identifier: GPL-2.0
/*
 * PFM_GET_CONFIG and PFM_SET_CONFIG.
 */
#include "settings.h"

#define ARG_SIZE_MIN	4096		/* the smallest page size */
#define ARG_SIZE_TOP	16777216	/* Documentation/ABI/testing/sysfs-kernel-perfmon */
#define GROUP		4711

static int try_set(const pfarg_config_t *config)
{
	pfarg_config_t copy = *config;

	return perfmonctl(-1, PFM_SET_CONFIG, &copy, 1);
}

/* covers: 3.1.17-4 */
TEST(config_reports_the_version)
{
	pfarg_config_t config = get_config();
	char text[16], expected[16];

	CHECK_EQ(PFM_VERSION_MAJOR(config.cf_version), 0);
	CHECK_EQ(PFM_VERSION_MINOR(config.cf_version), 6);
	snprintf(expected, sizeof(expected), "%u.%u", PFM_VERSION_MAJOR(config.cf_version),
		 PFM_VERSION_MINOR(config.cf_version));
	read_sysfs("version", text, sizeof(text));
	CHECK_STREQ(text, expected);
}

/* covers: 3.1.16-12 3.1.16-17 3.1.17-5 3.1.17-8 3.1.17-9 */
TEST(config_has_the_defaults_of_the_specification)
{
	const __u64 memory = (__u64)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
	pfarg_config_t config = get_config();

	CHECK_EQ(config.cf_flags, 0);
	CHECK_EQ(config.cf_sys_gid, PFM_GROUP_ANY);
	CHECK_EQ(config.cf_thread_gid, PFM_GROUP_ANY);
	CHECK_EQ(config.cf_arg_size_max, sysconf(_SC_PAGESIZE));
	CHECK_GE(config.cf_smpl_buf_size_max, ARG_SIZE_MIN);
	/* perfmonctl(2): a sixteenth of the memory. The kernel frees a little more as it boots. */
	CHECK_GE(16 * config.cf_smpl_buf_size_max, memory - memory / 32);
	CHECK_LE(16 * config.cf_smpl_buf_size_max, memory + memory / 32);
}

/* covers: 3.1.17-13 4.1-1 */
TEST(config_overwrites_everything)
{
	pfarg_config_t zeroes, ones;

	memset(&zeroes, 0, sizeof(zeroes));
	memset(&ones, 0xff, sizeof(ones));
	CHECK_OK(perfmonctl(-1, PFM_GET_CONFIG, &zeroes, 1));
	CHECK_OK(perfmonctl(-1, PFM_GET_CONFIG, &ones, 1));
	CHECK(!memcmp(&zeroes, &ones, sizeof(ones)));
}

/* covers: 3.1.16-23 3.1.17-6 3.1.17-7 3.1.17-10 3.1.17-11 3.1.17-12 */
TEST(config_agrees_with_sysfs)
{
	pfarg_config_t config = get_config();
	char text[64], path[64];
	int i;

	CHECK_EQ(read_sysfs_u64("pmu/counter_width"), config.cf_counter_width);
	CHECK_EQ(read_sysfs_u64("limits/arg_size_max"), config.cf_arg_size_max);
	CHECK_EQ(read_sysfs_u64("limits/smpl_buf_size_max"), config.cf_smpl_buf_size_max);
	read_sysfs("limits/sys_gid", text, sizeof(text));
	CHECK_STREQ(text, "any");
	read_sysfs("limits/thread_gid", text, sizeof(text));
	CHECK_STREQ(text, "any");
	for (i = 0; i < PFM_MAX_PMCS; i++) {
		snprintf(path, sizeof(path), PERFMON_SYSFS "pmu/pmc%d", i);
		CHECK_EQ(!access(path, F_OK), has_bit(config.cf_impl_pmcs, i));
		snprintf(path, sizeof(path), PERFMON_SYSFS "pmu/pmd%d", i);
		CHECK_EQ(!access(path, F_OK), has_bit(config.cf_impl_pmds, i));
	}
}

/* covers: 3.1.17-12 */
TEST(counters_have_a_width)
{
	need_pmu();
	/* POWER: the highest of 32 bits is a sign. */
	CHECK_GE(get_config().cf_counter_width, 31);
	CHECK_LE(get_config().cf_counter_width, 64);
}

static void get_as_nobody(void *unused)
{
	(void)unused;
	become(NOBODY, NOBODY);
	get_config();
}

/* covers: 3.1.17-14 4.1-5 4.2-1 */
TEST(anybody_may_get_the_config)
{
	run_in_child(get_as_nobody, NULL);
}

static void set_as_nobody(void *arg)
{
	become(NOBODY, NOBODY);
	CHECK_ERRNO(try_set(arg), EPERM);
}

static void set_without_cap(void *arg)
{
	set_caps(~(1ULL << CAP_SYS_ADMIN) & ((2ULL << CAP_LAST_CAP) - 1));
	CHECK_ERRNO(try_set(arg), EPERM);
}

static void set_with_cap(void *arg)
{
	become_with_caps(NOBODY, NOBODY, 1ULL << CAP_SYS_ADMIN);
	CHECK_OK(try_set(arg));
}

static void set_with_cap_perfmon(void *arg)
{
	become_with_caps(NOBODY, NOBODY, 1ULL << CAP_PERFMON);
	CHECK_ERRNO(try_set(arg), EPERM);
}

/* covers: 3.1.16-19 4.2-1 4.2-2 */
TEST(only_the_administrator_may_set_the_config)
{
	pfarg_config_t config = get_config();

	run_in_child(set_as_nobody, &config);
	run_in_child(set_without_cap, &config);
	run_in_child(set_with_cap_perfmon, &config);
	run_in_child(set_with_cap, &config);
}

static void set_bad_as_nobody(void *arg)
{
	pfarg_config_t config = *(pfarg_config_t *)arg;

	become(NOBODY, NOBODY);
	config.cf_flags = 1;
	CHECK_ERRNO(try_set(&config), EPERM);
}

/* covers: 3.1.16-19 D.1-5 */
TEST(permission_to_set_comes_before_bad_values)
{
	pfarg_config_t config = get_config();

	run_in_child(set_bad_as_nobody, &config);
}

/* covers: 3.1.16-5 */
TEST(no_config_flag_is_defined)
{
	pfarg_config_t config = get_config();
	__u32 flag;

	for (flag = 1; flag; flag <<= 1) {
		config.cf_flags = flag;
		CHECK_ERRNO(try_set(&config), EINVAL);
	}
}

/* covers: 3.1.16-13 D.9-2 */
TEST(the_limit_of_arguments_has_limits)
{
	static const __u64 bad[] = { 0, 1, ARG_SIZE_MIN - 1, ARG_SIZE_TOP + 1, 1ULL << 31,
				     1ULL << 32, (1ULL << 32) + ARG_SIZE_MIN, ~0ULL };
	pfarg_config_t before = get_config(), config = before, after;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		config.cf_arg_size_max = bad[i];
		CHECK_ERRNO(try_set(&config), EINVAL);
	}
	after = get_config();
	CHECK(!memcmp(&before, &after, sizeof(after)));
}

/* covers: 3.1.16-16 */
TEST(the_limit_of_buffers_is_a_page_at_least)
{
	static const __u64 bad[] = { 0, 1, ARG_SIZE_MIN - 1 };
	pfarg_config_t config = get_config();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		config.cf_smpl_buf_size_max = bad[i];
		CHECK_ERRNO(try_set(&config), EINVAL);
	}
}

/* covers: 3.1.16-25 */
TEST(a_refused_config_changes_nothing)
{
	pfarg_config_t before = get_config(), config = before, after;

	config.cf_arg_size_max = 8192;
	config.cf_sys_gid = GROUP;
	config.cf_thread_gid = GROUP;
	config.cf_smpl_buf_size_max = 1;
	CHECK_ERRNO(try_set(&config), EINVAL);
	after = get_config();
	CHECK(!memcmp(&before, &after, sizeof(after)));
}

static void compare_config(void *arg)
{
	const pfarg_config_t *wanted = arg;
	pfarg_config_t config = get_config();
	char text[64], gid[64];

	CHECK(!memcmp(&config, wanted, sizeof(config)));
	CHECK_EQ(read_sysfs_u64("limits/arg_size_max"), wanted->cf_arg_size_max);
	CHECK_EQ(read_sysfs_u64("limits/smpl_buf_size_max"), wanted->cf_smpl_buf_size_max);
	read_sysfs("limits/sys_gid", text, sizeof(text));
	snprintf(gid, sizeof(gid), "%u", wanted->cf_sys_gid);
	CHECK_STREQ(text, gid);
	read_sysfs("limits/thread_gid", text, sizeof(text));
	snprintf(gid, sizeof(gid), "%u", wanted->cf_thread_gid);
	CHECK_STREQ(text, gid);
}

/* covers: 3.1.16-21 3.1.16-23 3.1.17-8 3.1.17-9 3.1.17-10 3.1.17-11 */
TEST(what_is_set_is_reported)
{
	pfarg_config_t config = get_config();

	config.cf_sys_gid = GROUP;
	config.cf_thread_gid = GROUP + 1;
	config.cf_arg_size_max = ARG_SIZE_MIN;
	config.cf_smpl_buf_size_max = ARG_SIZE_MIN;
	with_config(&config, compare_config, &config);
	config.cf_sys_gid = 0;
	config.cf_thread_gid = 0;
	config.cf_arg_size_max = ARG_SIZE_TOP;
	config.cf_smpl_buf_size_max = 1ULL << 40;
	with_config(&config, compare_config, &config);
}

/* covers: 3.1.16-4 */
TEST(fields_that_only_report_are_ignored_when_set)
{
	pfarg_config_t before = get_config(), config = before, after;

	config.cf_version = ~0U;
	config.cf_counter_width = 1;
	memset(config.cf_impl_pmcs, 0xff, sizeof(config.cf_impl_pmcs));
	memset(config.cf_impl_pmds, 0, sizeof(config.cf_impl_pmds));
	CHECK_OK(try_set(&config));
	after = get_config();
	CHECK(!memcmp(&before, &after, sizeof(after)));
}

/* True if @n elements are few enough: elements of these commands name no register. */
static bool vector_fits(int n)
{
	pfarg_pmdinfo_t *infos = calloc(n, sizeof(*infos));
	int error;

	CHECK(infos);
	infos[0].reg_num = 0xffff;
	CHECK_EQ(perfmonctl(-1, PFM_GETINFO_PMDS, infos, n), -1);
	error = errno;
	free(infos);
	CHECK(error == E2BIG || error == EINVAL);
	return error == EINVAL;
}

static void use_limit(void *arg)
{
	int n = *(__u64 *)arg / sizeof(pfarg_pmdinfo_t);

	CHECK(vector_fits(n));
	CHECK(!vector_fits(n + 1));
}

/* covers: 3.1.16-11 4.4.2-1 */
TEST(the_limit_of_arguments_is_in_force)
{
	static __u64 limits[] = { ARG_SIZE_MIN, 8192, 10000, 1048576, ARG_SIZE_TOP };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(limits); i++)
		with_arg_size_max(limits[i], use_limit, &limits[i]);
}

static void use_every_structure(void *unused)
{
	pfarg_config_t config;

	(void)unused;
	create(0);
	CHECK_OK(perfmonctl(-1, PFM_GET_CONFIG, &config, 1));
}

/* covers: 3.1.16-14 */
TEST(the_smallest_limit_takes_one_element_of_each_command)
{
	with_arg_size_max(ARG_SIZE_MIN, use_every_structure, NULL);
}
