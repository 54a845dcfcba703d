// SPDX-License-Identifier: GPL-2.0
/*
 * Users that may create contexts and count at kernel level: groups, capabilities,
 * kernel.perf_event_paranoid.
 */
#include "count.h"
#include "settings.h"

#define GROUP		4711
#define OTHER_GROUP	4712

/* The rights of the present user: exactly these. */
struct rights {
	bool	thread;
	bool	system_wide;
	bool	kernel_level;
};

/* The outcome of a call: a descriptor or 0, or -1 with errno. */
static void check_right(const char *what, bool may, int ret)
{
	bool allowed = ret >= 0;
	int error = errno;

	if (may != allowed)
		FAIL("%s: %s", what, allowed ? "allowed" : test_errno_name(error));
	if (!allowed && error != EPERM)
		FAIL("%s failed with %s, not EPERM", what, test_errno_name(error));
}

static void check_create(const char *what, bool may, __u32 flags)
{
	int fd = try_create(flags);

	check_right(what, may, fd);
	if (fd >= 0)
		CHECK_OK(close(fd));
}

static void check_rights(void *arg)
{
	const struct rights *rights = arg;
	bool may = rights->kernel_level;
	int fd;

	check_create("a per-thread context", rights->thread, 0);
	check_create("a system-wide context", rights->system_wide, PFM_FL_SYSTEM_WIDE);
	if (!rights->thread || !has_pmc(0))
		return;
	fd = create(0);
	CHECK_OK(try_write_pmc(fd, 0, USER_INST));
	check_right("user and kernel level", may, try_write_pmc(fd, 0, ALL_INST));
	check_right("kernel level", may, try_write_pmc(fd, 0, INST_RETIRED | EVTSEL_OS));
	if (has_fixed())
		check_right("kernel level, fixed", may, try_write_pmc(fd, FIXED_CTRL, FIXED_OS));
	CHECK_OK(close(fd));
}

/* The user that calls. */
struct user {
	uid_t	uid;
	gid_t	gid;
	gid_t	group;		/* supplementary group, unless 0 */
	__u64	caps;
	struct rights rights;
};

static void check_user(void *arg)
{
	const struct user *user = arg;
	gid_t group = user->group;

	if (user->uid) {
		become_with_caps(user->uid, user->gid, user->caps | 1ULL << CAP_SETGID);
		CHECK_OK(setgroups(group ? 1 : 0, &group));
		set_caps(user->caps);
	}
	check_rights((void *)&user->rights);
}

static void check_as(void *arg)
{
	run_in_child(check_user, arg);
}

static void at_paranoid(const char *level, struct user user)
{
	with_file(PARANOID, level, check_as, &user);
}

static struct user nobody(bool system_wide, bool kernel_level)
{
	return (struct user) {
		.uid = NOBODY, .gid = NOBODY,
		.rights = { true, system_wide, kernel_level },
	};
}

/* covers: 3.1.16-7 4.4.1-1 */
TEST(paranoid_minus_1_allows_everything)
{
	at_paranoid("-1", nobody(true, true));
}

/* covers: 3.1.16-7 4.2-10 */
TEST(paranoid_0_allows_everything)
{
	at_paranoid("0", nobody(true, true));
}

/* covers: 3.1.1-40 3.1.16-7 4.2-10 4.4.1-1 */
TEST(paranoid_1_forbids_system_wide)
{
	at_paranoid("1", nobody(false, true));
}

/* covers: 3.1.1-40 4.4.1-1 4.4.1-2 */
TEST(paranoid_2_forbids_kernel_level)
{
	at_paranoid("2", nobody(false, false));
}

/*
 * The setting of distributions: perf_event_open() is closed to users then, too. A module's device
 * has a mode of its own, and behaves as at 2.
 */
/* covers: 3.1.16-9 */
TEST(paranoid_3_and_4_forbid_every_context)
{
	struct user user = nobody(false, false);

	user.rights.thread = through_device();
	at_paranoid("3", user);
	at_paranoid("4", user);
}

static struct user with_caps(__u64 caps, bool all)
{
	struct user user = nobody(all, all);

	user.caps = caps;
	return user;
}

static void use_context(void *arg)
{
	int fd = *(int *)arg;

	become(NOBODY, NOBODY);
	check_create("another context", through_device(), 0);
	load_self(fd);
	start(fd);
	unload(fd);
}

/* covers: 3.1.16-7 */
TEST(cap_perfmon_alone_allows_everything)
{
	at_paranoid("2", with_caps(1ULL << CAP_PERFMON, true));
	at_paranoid("4", with_caps(1ULL << CAP_PERFMON, true));
}

/* covers: 3.1.16-7 */
TEST(cap_sys_admin_allows_what_cap_perfmon_does)
{
	at_paranoid("4", with_caps(1ULL << CAP_SYS_ADMIN, true));
}

/* covers: 3.1.16-7 */
TEST(other_capabilities_allow_nothing)
{
	at_paranoid("2", with_caps(1ULL << CAP_SYS_PTRACE | 1ULL << CAP_SYS_NICE, false));
}

/* covers: 3.1.16-9 */
TEST(paranoid_3_leaves_a_context_that_exists_alone)
{
	int fd = create(0);

	with_file(PARANOID, "3", use_context, &fd);
}

static void check_root_without_caps(void *unused)
{
	struct rights none = { true, false, false };

	(void)unused;
	set_caps(0);
	check_rights(&none);
}

/* covers: 3.1.16-7 */
TEST(root_without_capabilities_is_nobody)
{
	with_file(PARANOID, "2", check_root_without_caps, NULL);
}

static void be_root_of_a_namespace(void *unused)
{
	struct rights none = { true, false, false };
	pfarg_config_t config = get_config();

	(void)unused;
	become(NOBODY, NOBODY);
	CHECK_OK(unshare(CLONE_NEWUSER));
	check_rights(&none);
	CHECK_ERRNO(perfmonctl(-1, PFM_SET_CONFIG, &config, 1), EPERM);
}

/* In the namespace it has all capabilities, and none over this machine. */
/* covers: 3.1.16-7 */
TEST(root_of_a_user_namespace_is_nobody)
{
	with_file(PARANOID, "2", be_root_of_a_namespace, NULL);
}

struct groups {
	__u32	sys_gid, thread_gid;
	void	(*fn)(void *arg);
	void	*arg;
};

static pfarg_config_t config_with_groups(__u32 sys_gid, __u32 thread_gid)
{
	pfarg_config_t config = get_config();

	config.cf_sys_gid = sys_gid;
	config.cf_thread_gid = thread_gid;
	return config;
}

static void set_groups(void *arg)
{
	const struct groups *groups = arg;
	pfarg_config_t config = config_with_groups(groups->sys_gid, groups->thread_gid);

	with_config(&config, groups->fn, groups->arg);
}

/* With groups set, and every other setting at its default. */
static void with_groups(__u32 sys_gid, __u32 thread_gid, void (*fn)(void *arg), void *arg)
{
	struct groups groups = { sys_gid, thread_gid, fn, arg };

	with_file(PARANOID, "2", set_groups, &groups);
}

static void check_users(void *arg)
{
	struct user *user;

	for (user = arg; user->gid; user++)
		run_in_child(check_user, user);
}

/* covers: 3.1.1-39 3.1.16-8 3.1.16-22 4.2-8 4.4.1-1 */
TEST(thread_group_restricts_per_thread_contexts_to_its_members)
{
	struct user users[] = {
		{ NOBODY, NOBODY, 0, 0, { false, false, false } },
		{ NOBODY, OTHER_GROUP, 0, 0, { false, false, false } },
		{ NOBODY, GROUP, 0, 0, { true, false, true } },
		{ NOBODY, OTHER_GROUP, GROUP, 0, { true, false, true } },
		{ },
	};

	with_groups(PFM_GROUP_ANY, GROUP, check_users, users);
}

/* covers: 3.1.16-8 */
TEST(at_paranoid_3_the_group_decides_as_ever)
{
	struct user users[] = {
		{ NOBODY, NOBODY, 0, 0, { false, false, false } },
		{ NOBODY, GROUP, 0, 0, { true, false, true } },
		{ },
	};
	struct groups groups = { PFM_GROUP_ANY, GROUP, check_users, users };

	with_file(PARANOID, "3", set_groups, &groups);
}

/* covers: 3.1.16-6 4.2-9 */
TEST(system_group_lets_its_members_monitor_cpus)
{
	struct user users[] = {
		{ NOBODY, NOBODY, 0, 0, { true, false, false } },
		{ NOBODY, GROUP, 0, 0, { true, true, false } },
		{ NOBODY, NOBODY, GROUP, 0, { true, true, false } },
		{ },
	};

	with_groups(GROUP, PFM_GROUP_ANY, check_users, users);
}

/* covers: 3.1.1-39 3.1.16-6 4.2-9 */
TEST(system_group_restricts_even_the_capable)
{
	struct user users[] = {
		{ NOBODY, NOBODY, 0, 1ULL << CAP_PERFMON, { true, false, true } },
		{ NOBODY, NOBODY, 0, 1ULL << CAP_SYS_ADMIN, { true, false, true } },
		{ },
	};

	with_groups(GROUP, PFM_GROUP_ANY, check_users, users);
}

/* covers: 3.1.1-39 */
TEST(groups_restrict_root_that_is_no_member)
{
	struct rights none = { false, false, false };

	with_groups(GROUP, OTHER_GROUP, check_rights, &none);
}

static void member_counts_the_kernel_on_its_cpu(void *unused)
{
	int fd;

	(void)unused;
	become(NOBODY, GROUP);
	fd = create(PFM_FL_SYSTEM_WIDE);
	CHECK_OK(try_write_pmc(fd, 0, ALL_INST));
}

/* covers: 4.4.1-1 */
TEST(system_group_lets_its_members_count_at_kernel_level)
{
	need_pmu();
	with_groups(GROUP, PFM_GROUP_ANY, member_counts_the_kernel_on_its_cpu, NULL);
}

static void use_context_of_before(void *arg)
{
	int *fds = arg;

	become(NOBODY, NOBODY);
	CHECK_ERRNO(try_create(0), EPERM);
	load_self(fds[0]);
	start(fds[0]);
	stop(fds[0]);
	unload(fds[0]);
	load_self(fds[1]);
	unload(fds[1]);
}

/* covers: 3.1.16-20 3.1.16-22 */
TEST(restrictions_are_not_retroactive)
{
	int fds[2] = { create(0), create(PFM_FL_SYSTEM_WIDE) };

	with_groups(GROUP, GROUP, use_context_of_before, fds);
}

static void count_kernel_level_from_outside(void *arg)
{
	int fd = *(int *)arg;

	become(NOBODY, NOBODY);
	CHECK_OK(try_write_pmc(fd, 0, USER_INST));
	CHECK_ERRNO(try_write_pmc(fd, 0, ALL_INST), EPERM);
}

/* A group opens kernel level to its members, and to no other user that has a context. */
/* covers: 4.4.1-1 */
TEST(a_context_of_before_opens_kernel_level_to_members_only)
{
	int fd = create(0);

	need_pmu();
	with_groups(PFM_GROUP_ANY, GROUP, count_kernel_level_from_outside, &fd);
}

static void lift_restrictions(void *unused)
{
	pfarg_config_t config = config_with_groups(PFM_GROUP_ANY, PFM_GROUP_ANY);
	struct user user = nobody(false, false);

	(void)unused;
	CHECK_ERRNO(try_create(0), EPERM);
	CHECK_ERRNO(try_create(PFM_FL_SYSTEM_WIDE), EPERM);
	CHECK_OK(perfmonctl(-1, PFM_SET_CONFIG, &config, 1));
	CHECK_OK(close(create(0)));
	CHECK_OK(close(create(PFM_FL_SYSTEM_WIDE)));
	at_paranoid("2", user);
}

/* covers: 3.1.16-10 */
TEST(group_any_lifts_the_restriction)
{
	with_groups(GROUP, GROUP, lift_restrictions, NULL);
}

static void permission_of_create_comes_first(void *unused)
{
	(void)unused;
	become(NOBODY, NOBODY);
	CHECK_ERRNO(try_create(PFM_FL_SYSTEM_WIDE | PFM_FL_NOTIFY_BLOCK), EPERM);
	CHECK_ERRNO(try_create(PFM_FL_SYSTEM_WIDE | 0x4), EPERM);
}

/* covers: D.1-5 */
TEST(permission_to_create_comes_before_bad_flags)
{
	with_file(PARANOID, "2", permission_of_create_comes_first, NULL);
}

static void write_mixed_pmcs(void *unused)
{
	pfarg_pmc_t pmcs[3] = {
		{ .reg_num = 0, .reg_value = USER_INST },
		{ .reg_num = 1, .reg_value = ALL_INST },
		{ .reg_num = 2, .reg_value = USER_INST, .reg_flags = PFM_REG_RETFL_NOSET },
	};
	int fd;

	(void)unused;
	become(NOBODY, NOBODY);
	fd = create(0);
	CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMCS, pmcs, 3), EPERM);
	load_self(fd);
	start_loop_stop(fd, 1000);
	CHECK_GE(read_pmd(fd, 0), 2000);
	CHECK_EQ(read_pmd(fd, 1), 0);
	CHECK_EQ(read_pmd(fd, 2), 0);
	CHECK_EQ(pmcs[2].reg_flags, PFM_REG_RETFL_NOSET);
}

/* covers: 3.1.2-7 4.4.1-2 */
TEST(pmcs_before_the_first_forbidden_one_are_written)
{
	need_pmu();
	with_file(PARANOID, "2", write_mixed_pmcs, NULL);
}
