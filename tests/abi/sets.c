// SPDX-License-Identifier: GPL-2.0
/*
 * PFM_CREATE_EVTSETS, PFM_DELETE_EVTSETS, PFM_GETINFO_EVTSETS: the existing sets and their
 * properties. Their effects are in switching*.c and timeslices.c.
 */
#include "overflow.h"
#include "registers.h"
#include "sets.h"

#include <sys/resource.h>

#define SET_FLAGS	(PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH | PFM_SETFL_EXPL_NEXT | \
			 PFM_SETFL_EXCL_IDLE | PFM_SETFL_EXCL_KERNEL_ONLY_THREADS)

static const __u16 some_ids[] = { 1, 2, 255, 256, 32767, 32768, 65534, 65535 };

/* covers: 3.1.1-38 3.1.10-14 3.1.10-15 3.1.10-26 3.1.12-15 3.1.12-27 3.7.5-2 */
TEST(a_new_context_has_set_0_and_no_other)
{
	int fd = create(0);
	pfarg_setinfo_t info = get_set(fd, 0);
	size_t i;

	CHECK_EQ(info.set_flags, 0);
	CHECK_EQ(only_first(info.set_switch_pmds), 0);
	CHECK_EQ(info.set_runs, 0);
	CHECK_EQ(time_ns(info.set_timeout), 0);
	CHECK_EQ(time_ns(info.set_act_duration), 0);
	for (i = 0; i < ARRAY_SIZE(some_ids); i++)
		expect_no_set(fd, some_ids[i]);
}

/* covers: 3.1.10-4 3.1.10-19 3.1.10-21 3.7.5-1 */
TEST(sets_have_numbers_up_to_65535)
{
	int fd = create(0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(some_ids); i++) {
		create_set(fd, (pfarg_setdesc_t){ .set_id = some_ids[i] });
		CHECK_EQ(get_set(fd, some_ids[i]).set_runs, 0);
	}
	expect_no_set(fd, 3);
	expect_no_set(fd, 32769);
}

/* covers: 3.1.10-11 3.1.12-4 3.1.12-6 */
TEST(a_set_is_described_as_it_was_created)
{
	pfarg_setdesc_t set = {
		.set_id = 7, .set_id_next = 0,
		.set_flags = PFM_SETFL_EXPL_NEXT | PFM_SETFL_OVFL_SWITCH,
	};
	int fd = create(0);
	pfarg_setinfo_t info;

	create_set(fd, set);
	info = get_set(fd, 7);
	CHECK_EQ(info.set_flags, set.set_flags);
	CHECK_EQ(info.set_id_next, 0);
	set.set_id_next = 65535;
	create_set(fd, set);
	CHECK_EQ(get_set(fd, 7).set_id_next, 65535);
}

/* covers: 3.1.10-33 D.1-7 */
TEST(a_created_set_comes_back_without_return_flags)
{
	pfarg_setdesc_t set = {
		.set_id = 3, .set_id_next = 9,
		.set_flags = PFM_SETFL_OVFL_SWITCH | PFM_SET_RETFL_MASK,
	};
	int fd = create(0);

	CHECK_OK(create_sets(fd, &set, 1));
	CHECK_EQ(set.set_id, 3);
	CHECK_EQ(set.set_id_next, 9);
	CHECK_EQ(set.set_flags, PFM_SETFL_OVFL_SWITCH);
	CHECK_EQ(get_set(fd, 3).set_flags, PFM_SETFL_OVFL_SWITCH);
}

/* covers: 3.1.10-16 3.1.10-17 3.1.12-6 */
TEST(set_0_can_be_modified)
{
	int fd = create(0);

	create_trigger_set(fd, 0);
	CHECK_EQ(get_set(fd, 0).set_flags, PFM_SETFL_OVFL_SWITCH);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 0 });
	CHECK_EQ(get_set(fd, 0).set_flags, 0);
}

/* covers: 3.1.10-16 3.1.12-21 */
TEST(a_modified_set_keeps_its_registers_and_its_past)
{
	pfarg_setinfo_t before, after;
	int fd;

	need_pmu();
	fd = create(0);
	create_trigger_set(fd, 5);
	count_up(fd, 5, 0);
	CHECK_OK(try_load_set(fd, gettid(), 5));
	start_loop_stop(fd, 1000);
	unload(fd);
	before = get_set(fd, 5);
	CHECK_EQ(before.set_runs, 1);
	CHECK(time_ns(before.set_act_duration) > 0);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 5, .set_flags = PFM_SETFL_EXPL_NEXT });
	after = get_set(fd, 5);
	CHECK_EQ(after.set_flags, PFM_SETFL_EXPL_NEXT);
	CHECK_EQ(after.set_runs, 1);
	CHECK_EQ(time_ns(after.set_act_duration), time_ns(before.set_act_duration));
	CHECK_GE(value_of(fd, 5, 0), 2000);
}

/* covers: 3.1.10-6 3.1.10-34 */
TEST(each_undefined_set_flag_is_refused)
{
	int fd = create(0);
	__u32 flag;

	for_each_undefined_flag(flag, SET_FLAGS) {
		expect_bad_set(fd, (pfarg_setdesc_t){ .set_id = 4, .set_flags = flag });
		expect_no_set(fd, 4);
	}
}

/* covers: 3.7.6-2 */
TEST(a_set_has_one_switching_method_at_most)
{
	static const __u32 others[] = { 0, PFM_SETFL_EXPL_NEXT, PFM_SETFL_EXCL_IDLE };
	int fd = create(0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		expect_bad_set(fd, (pfarg_setdesc_t){
			.set_id = 4,
			.set_flags = PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH | others[i],
			.set_timeout = { .tv_sec = 1 },
		});
		expect_no_set(fd, 4);
	}
}

/* covers: 3.1.10-33 3.1.10-36 3.1.10-37 */
TEST(sets_before_the_first_bad_one_are_created_and_those_after_not)
{
	pfarg_setdesc_t sets[4] = {
		{ .set_id = 1, .set_flags = PFM_SETFL_OVFL_SWITCH | PFM_SET_RETFL_NOSET },
		{ .set_id = 2 },
		{ .set_id = 3, .set_flags = 1 << 12 },
		{ .set_id = 4, .set_flags = PFM_SET_RETFL_EINVAL },
	};
	pfarg_setdesc_t last = sets[3];
	int fd = create(0);

	CHECK_ERRNO(create_sets(fd, sets, 4), EINVAL);
	CHECK_EQ(sets[0].set_flags, PFM_SETFL_OVFL_SWITCH);
	CHECK_EQ(sets[1].set_flags, 0);
	CHECK(PFM_SET_HAS_ERROR(sets[2].set_flags));
	CHECK_EQ(sets[2].set_flags, 1 << 12 | PFM_SET_RETFL_EINVAL);
	CHECK(!memcmp(&sets[3], &last, sizeof(last)));
	get_set(fd, 1);
	get_set(fd, 2);
	expect_no_set(fd, 3);
	expect_no_set(fd, 4);
}

/* covers: 3.1.10-1 3.1.11-1 3.1.12-1 */
TEST(a_vector_creates_modifies_and_describes_many_sets)
{
	pfarg_setdesc_t sets[40] = { };
	pfarg_setinfo_t infos[40] = { };
	int fd = create(0), i;

	for (i = 0; i < 40; i++) {
		sets[i].set_id = i * 1601;
		infos[39 - i].set_id = i * 1601;
		sets[i].set_flags = i % 2 ? PFM_SETFL_OVFL_SWITCH : 0;
	}
	CHECK_OK(create_sets(fd, sets, 40));
	CHECK_OK(create_sets(fd, sets, 40));
	CHECK_OK(perfmonctl(fd, PFM_GETINFO_EVTSETS, infos, 40));
	for (i = 0; i < 40; i++) {
		CHECK_EQ(infos[39 - i].set_id, i * 1601);
		CHECK_EQ(infos[39 - i].set_flags, sets[i].set_flags);
	}
	for (i = 0; i < 40; i++)
		sets[i].set_flags = 0;
	CHECK_OK(perfmonctl(fd, PFM_DELETE_EVTSETS, sets + 1, 39));
	expect_no_set(fd, 1601);
	get_set(fd, 0);
}

/* covers: 3.1.12-26 3.1.12-27 3.1.12-28 3.1.12-29 */
TEST(information_about_a_set_that_does_not_exist_is_refused)
{
	pfarg_setinfo_t infos[3] = { { .set_id = 0 }, { .set_id = 8 }, { .set_id = 0 } };
	pfarg_setinfo_t last;
	int fd = create(0);

	/* Flags that an earlier command returned. */
	infos[1].set_flags = PFM_SET_RETFL_EINVAL;
	infos[2].set_flags = PFM_SET_RETFL_NOTAVAIL;
	infos[2].set_runs = 77;
	last = infos[2];
	CHECK_ERRNO(perfmonctl(fd, PFM_GETINFO_EVTSETS, infos, 3), EINVAL);
	CHECK_EQ(infos[0].set_flags, 0);
	CHECK_EQ(infos[1].set_flags, PFM_SET_RETFL_NOSET);
	CHECK(!memcmp(&infos[2], &last, sizeof(last)));
}

/* The flags that PFM_CREATE_EVTSETS takes, and those that it returned. */
#define SET_FLAGS	(PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH | PFM_SETFL_EXPL_NEXT | \
			 PFM_SETFL_EXCL_IDLE | PFM_SETFL_EXCL_KERNEL_ONLY_THREADS)

/* covers: 3.1.11-6 */
TEST(each_undefined_flag_of_a_set_that_is_deleted_is_refused)
{
	int fd = create(0);
	__u32 flag;

	for_each_undefined_flag(flag, SET_FLAGS) {
		pfarg_setdesc_t set = { .set_id = 1, .set_flags = flag };

		create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
		CHECK_ERRNO(perfmonctl(fd, PFM_DELETE_EVTSETS, &set, 1), EINVAL);
		CHECK_EQ(set.set_flags & PFM_SET_RETFL_MASK, PFM_SET_RETFL_EINVAL);
		get_set(fd, 1);
	}
}

/* covers: 3.1.11-6 D.7-23 */
TEST(sets_are_deleted_by_the_array_that_they_were_created_by)
{
	pfarg_setdesc_t sets[] = {
		{ .set_id = 1, .set_flags = PFM_SETFL_TIME_SWITCH | PFM_SETFL_EXPL_NEXT,
		  .set_timeout.tv_nsec = 1000000 },
		{ .set_id = 2, .set_flags = PFM_SETFL_OVFL_SWITCH },
		{ .set_id = 3, .set_flags = PFM_SETFL_EXCL_IDLE },
	};
	int fd = create(PFM_FL_SYSTEM_WIDE);
	size_t i;

	CHECK_OK(perfmonctl(fd, PFM_CREATE_EVTSETS, sets, ARRAY_SIZE(sets)));
	CHECK_OK(perfmonctl(fd, PFM_DELETE_EVTSETS, sets, ARRAY_SIZE(sets)));
	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		pfarg_setinfo_t info = { .set_id = sets[i].set_id };

		CHECK_EQ(sets[i].set_flags & PFM_SET_RETFL_MASK, 0);
		CHECK_ERRNO(perfmonctl(fd, PFM_GETINFO_EVTSETS, &info, 1), EINVAL);
	}
}

/* covers: 3.1.12-5 */
TEST(each_undefined_flag_of_a_set_to_tell_about_is_refused)
{
	int fd = create(0);
	__u32 flag;

	for_each_undefined_flag(flag, SET_FLAGS | PFM_SETFL_SUSPENDED) {
		pfarg_setinfo_t info = { .set_flags = flag };

		CHECK_ERRNO(perfmonctl(fd, PFM_GETINFO_EVTSETS, &info, 1), EINVAL);
		CHECK_EQ(info.set_flags, flag | PFM_SET_RETFL_EINVAL);
	}
}

/* covers: 3.1.12-5 3.1.12-7 3.1.12-9 3.1.12-11 3.1.12-13 */
TEST(everything_but_the_number_of_a_set_and_undefined_flags_is_ignored_by_getinfo)
{
	pfarg_setinfo_t clean, dirty;
	int fd = create(0);

	clean = get_set(fd, 0);
	memset(&dirty, 0xff, sizeof(dirty));
	dirty.set_id = 0;
	dirty.set_flags = SET_FLAGS | PFM_SETFL_SUSPENDED | PFM_SET_RETFL_MASK;
	CHECK_OK(perfmonctl(fd, PFM_GETINFO_EVTSETS, &dirty, 1));
	CHECK(!memcmp(&clean, &dirty, sizeof(clean)));
}

/* In a loop, as tools do. */
/* covers: 3.1.12-5 */
TEST(information_about_sets_can_be_asked_for_again_with_the_same_array)
{
	pfarg_setinfo_t info[2] = { { .set_id = 1 }, { .set_id = 2 } };
	int fd = create(0), i;

	create_timed_set(fd, 1, NS_PER_SEC);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 2, .set_flags = PFM_SETFL_OVFL_SWITCH });
	for (i = 0; i < 3; i++) {
		CHECK_OK(perfmonctl(fd, PFM_GETINFO_EVTSETS, info, 2));
		CHECK_EQ(info[0].set_flags, PFM_SETFL_TIME_SWITCH);
		CHECK_EQ(info[1].set_flags, PFM_SETFL_OVFL_SWITCH);
	}
	/* The number in error is marked, and no other one, whatever flags were set there. */
	info[1].set_id = 3;
	CHECK_ERRNO(perfmonctl(fd, PFM_GETINFO_EVTSETS, info, 2), EINVAL);
	CHECK_EQ(info[0].set_flags, PFM_SETFL_TIME_SWITCH);
	CHECK_EQ(info[1].set_flags & PFM_SET_RETFL_MASK, PFM_SET_RETFL_NOSET);
}

/* One vector: each element goes into its own set, in the order of the vector. */
/* covers: 3.1.2-1 */
TEST(a_vector_writes_registers_of_several_sets)
{
	pfarg_pmc_t pmcs[6] = { };
	pfarg_pmd_t pmds[6] = { };
	int fd = create(0), i;

	need_pmu();
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	create_set(fd, (pfarg_setdesc_t){ .set_id = 7 });
	for (i = 0; i < 6; i++) {
		static const __u16 sets[] = { 7, 0, 1, 0, 1, 7 };

		pmcs[i].reg_set = sets[i];
		/* Switched on by the last element of its set, and in sets 0 and 7 only. */
		pmcs[i].reg_value = i == 3 || i == 5 || i == 2 ? USER_INST : 0;
		pmds[i].reg_set = sets[i];
		pmds[i].reg_value = 100 + i;
	}
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMCS, pmcs, 6));
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, pmds, 6));
	CHECK_EQ(value_of(fd, 0, 0), 103);
	CHECK_EQ(value_of(fd, 1, 0), 104);
	CHECK_EQ(value_of(fd, 7, 0), 105);
	load_self(fd);
	start_loop_stop(fd, 1000);
	CHECK_OK(try_start_set(fd, 1));
	loop(1000);
	stop(fd);
	CHECK_OK(try_start_set(fd, 7));
	loop(1000);
	stop(fd);
	CHECK_GE(value_of(fd, 0, 0), 2103);
	CHECK_EQ(value_of(fd, 1, 0), 104);
	CHECK_GE(value_of(fd, 7, 0), 2105);
}

/* covers: 3.1.11-8 3.7.5-2 */
TEST(set_0_cannot_be_deleted)
{
	pfarg_setdesc_t set = { .set_id = 0 };
	int fd = create(0);

	CHECK_ERRNO(perfmonctl(fd, PFM_DELETE_EVTSETS, &set, 1), EINVAL);
	CHECK_EQ(set.set_flags, PFM_SET_RETFL_EINVAL);
	get_set(fd, 0);
}

/* covers: 3.1.11-4 3.1.11-13 */
TEST(a_set_that_does_not_exist_cannot_be_deleted)
{
	pfarg_setdesc_t set = { .set_id = 6, .set_flags = PFM_SETFL_OVFL_SWITCH };
	int fd = create(0);

	CHECK_ERRNO(perfmonctl(fd, PFM_DELETE_EVTSETS, &set, 1), EINVAL);
	CHECK_EQ(set.set_flags, PFM_SETFL_OVFL_SWITCH | PFM_SET_RETFL_NOSET);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 6 });
	delete_set(fd, 6);
	expect_no_set(fd, 6);
	CHECK_ERRNO(try_delete_set(fd, 6), EINVAL);
}

/* covers: 3.1.11-5 3.1.11-12 3.1.11-14 3.1.11-15 */
TEST(sets_before_the_first_bad_one_are_deleted_and_those_after_not)
{
	pfarg_setdesc_t sets[4] = {
		{ .set_id = 1, .set_flags = PFM_SET_RETFL_MASK, .set_id_next = 99,
		  .set_timeout = { -1, -1 } },
		{ .set_id = 2 }, { .set_id = 9 }, { .set_id = 3 },
	};
	int fd = create(0), i;

	for (i = 1; i <= 3; i++)
		create_set(fd, (pfarg_setdesc_t){ .set_id = i });
	CHECK_ERRNO(perfmonctl(fd, PFM_DELETE_EVTSETS, sets, 4), EINVAL);
	CHECK_EQ(sets[0].set_flags, 0);
	CHECK_EQ(sets[2].set_flags, PFM_SET_RETFL_NOSET);
	expect_no_set(fd, 1);
	expect_no_set(fd, 2);
	get_set(fd, 3);
}

/* covers: 3.1.11-4 3.1.12-22 */
TEST(a_set_that_is_made_again_is_new)
{
	int fd;

	need_pmu();
	fd = create(0);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 2 });
	count_up(fd, 2, 0);
	CHECK_OK(try_load_set(fd, gettid(), 2));
	start_loop_stop(fd, 1000);
	unload(fd);
	CHECK_EQ(runs(fd, 2), 1);
	delete_set(fd, 2);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 2 });
	CHECK_EQ(runs(fd, 2), 0);
	CHECK_EQ(duration(fd, 2), 0);
	CHECK_EQ(value_of(fd, 2, 0), 0);
	CHECK_OK(try_load_set(fd, gettid(), 2));
	start_loop_stop(fd, 1000);
	CHECK_EQ(value_of(fd, 2, 0), 0);
}

/* covers: 3.1.12-19 */
TEST(a_description_of_the_active_set_has_the_time_of_the_present_run)
{
	const __u64 time = 200000;
	int fd = create_counting(general, 0), i;
	__u64 before, began;

	load_self(fd);
	start(fd);
	/* A switch of threads ends a run, but not each time. */
	for (i = 0; i < 50; i++) {
		before = duration(fd, 0);
		began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		while (clock_ns(CLOCK_THREAD_CPUTIME_ID) - began < time)
			;
		/* The clocks may differ a little. */
		CHECK_GE(duration(fd, 0), before + time / 2);
	}
}

/* covers: 3.1.2-5 3.1.3-5 3.1.4-5 3.7.1-1 */
TEST(each_set_has_its_own_registers)
{
	pfarg_pmd_t pmds[3];
	int fd, i;

	need_pmu();
	fd = create(0);
	for (i = 1; i < 3; i++)
		create_set(fd, (pfarg_setdesc_t){ .set_id = i * 300 });
	for (i = 0; i < 3; i++)
		pmds[i] = (pfarg_pmd_t){ .reg_num = 0, .reg_set = i * 300,
					 .reg_value = 1000 + i };
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, pmds, 3));
	for (i = 0; i < 3; i++)
		CHECK_EQ(value_of(fd, i * 300, 0), 1000 + i);
	count_up(fd, 300, 0);
	load_self(fd);
	start_loop_stop(fd, 100);
	start_set(fd, 300);
	stop(fd);
	unload(fd);
	CHECK_EQ(value_of(fd, 0, 0), 1000);
	CHECK(value_of(fd, 300, 0) > 0);
	CHECK_EQ(value_of(fd, 600, 0), 1002);
}

/* The chain of sets. */

/* covers: 3.1.7-41 3.1.10-25 3.7.5-7 */
TEST(the_next_set_need_not_exist_before_the_load)
{
	int fd = create(0);

	create_set(fd, (pfarg_setdesc_t){
		.set_id = 1, .set_id_next = 2,
		.set_flags = PFM_SETFL_EXPL_NEXT | PFM_SETFL_OVFL_SWITCH,
	});
	/* Also when another set is loaded, and when it never becomes active. */
	CHECK_ERRNO(try_load(fd, gettid()), EINVAL);
	CHECK_ERRNO(try_load_set(fd, gettid(), 1), EINVAL);
	check_unloaded(fd);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 2 });
	load_self(fd);
}

/* covers: 3.1.7-41 3.1.11-9 */
TEST(a_set_that_is_somebodys_next_can_be_deleted_but_then_the_load_fails)
{
	int fd = create(0);

	create_set(fd, (pfarg_setdesc_t){ .set_id = 2 });
	create_set(fd, (pfarg_setdesc_t){
		.set_id = 0, .set_id_next = 2, .set_flags = PFM_SETFL_EXPL_NEXT,
	});
	load_self(fd);
	unload(fd);
	delete_set(fd, 2);
	CHECK_ERRNO(try_load(fd, gettid()), EINVAL);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 0 });
	load_self(fd);
}

/* covers: 3.1.10-5 */
TEST(the_next_set_is_ignored_without_its_flag)
{
	int fd = create(0);

	create_set(fd, (pfarg_setdesc_t){
		.set_id = 1, .set_id_next = 1234, .set_flags = PFM_SETFL_OVFL_SWITCH,
	});
	load_self(fd);
}

/* covers: 3.1.7-40 D.9-4 */
TEST(load_of_a_set_that_does_not_exist_is_refused)
{
	int fd = create(0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(some_ids); i++)
		CHECK_ERRNO(try_load_set(fd, gettid(), some_ids[i]), EINVAL);
	check_unloaded(fd);
}

/* covers: 3.1.7-42 3.1.10-18 3.1.11-7 3.1.12-23 3.7.4-1 */
TEST(sets_are_made_modified_and_deleted_only_while_unloaded)
{
	int fd = masked_context(0);
	pid_t pid;

	CHECK_ERRNO(try_create_set(fd, (pfarg_setdesc_t){ .set_id = 1 }), EBUSY);
	CHECK_ERRNO(try_create_set(fd, (pfarg_setdesc_t){ .set_id = 0 }), EBUSY);
	CHECK_ERRNO(try_delete_set(fd, 1), EBUSY);
	restart(fd);
	CHECK_ERRNO(try_create_set(fd, (pfarg_setdesc_t){ .set_id = 1 }), EBUSY);
	CHECK_ERRNO(try_delete_set(fd, 0), EBUSY);
	stop(fd);
	CHECK_ERRNO(try_create_set(fd, (pfarg_setdesc_t){ .set_id = 1 }), EBUSY);
	unload(fd);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	pid = sleeping_child(fd);
	load(fd, pid);
	CHECK_ERRNO(try_delete_set(fd, 1), EBUSY);
	get_set(fd, 1);
	unload(fd);
	delete_set(fd, 1);
	kill_child(pid);
}

/* covers: 6.2.3-1 6.2.3-4 6.2.3-5 */
TEST(kernel_only_threads_are_excluded_in_system_wide_contexts_only)
{
	int fd = create(0);

	expect_bad_set(fd, (pfarg_setdesc_t){
		.set_id = 1, .set_flags = PFM_SETFL_EXCL_KERNEL_ONLY_THREADS,
	});
	fd = create(PFM_FL_SYSTEM_WIDE);
	create_set(fd, (pfarg_setdesc_t){
		.set_id = 1, .set_flags = PFM_SETFL_EXCL_KERNEL_ONLY_THREADS,
	});
	expect_bad_set(fd, (pfarg_setdesc_t){
		.set_id = 2,
		.set_flags = PFM_SETFL_EXCL_KERNEL_ONLY_THREADS | PFM_SETFL_EXCL_IDLE,
	});
	expect_bad_set(fd, (pfarg_setdesc_t){
		.set_id = 2,
		.set_flags = PFM_SETFL_EXCL_KERNEL_ONLY_THREADS | PFM_SETFL_EXCL_IDLE |
			     PFM_SETFL_OVFL_SWITCH,
	});
}

/* covers: 3.1.10-8 */
TEST(excluding_the_idle_thread_is_ignored_in_per_thread_contexts)
{
	__u64 expected;
	int fd;

	need_pmu();
	fd = create_counting(general, 0);
	load_self(fd);
	count_loop(fd, general, 0, 100);
	expected = count_loop(fd, general, 0, 100);
	unload(fd);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 0, .set_flags = PFM_SETFL_EXCL_IDLE });
	CHECK_EQ(get_set(fd, 0).set_flags, PFM_SETFL_EXCL_IDLE);
	load_self(fd);
	CHECK_EQ(count_loop(fd, general, 0, 100), expected);
}

/* covers: 3.1.7-41 */
TEST(a_set_is_checked_whatever_was_deleted_before)
{
	static const __u16 deleted[] = { 65535, 3, 4, 1 };
	int fd = create(0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(deleted); i++) {
		create_set(fd, (pfarg_setdesc_t){ .set_id = deleted[i] });
		delete_set(fd, deleted[i]);
		create_set(fd, (pfarg_setdesc_t){
			.set_id = 2, .set_id_next = 5, .set_flags = PFM_SETFL_EXPL_NEXT,
		});
		CHECK_ERRNO(try_load(fd, gettid()), EINVAL);
		create_set(fd, (pfarg_setdesc_t){ .set_id = 2 });
		load_self(fd);
		unload(fd);
		/* Sometimes set 0 is the only one that is left. */
		if (i % 2)
			delete_set(fd, 2);
	}
}

/* The least of several: a timer tick is not part of the cost. */
static __u64 load_unload_ns(int fd)
{
	__u64 begin, cost, least = ~0ULL;
	int i;

	for (i = 0; i < 64; i++) {
		begin = clock_ns(CLOCK_MONOTONIC);
		load_self(fd);
		unload(fd);
		cost = clock_ns(CLOCK_MONOTONIC) - begin;
		if (cost < least)
			least = cost;
	}
	return least;
}

/* A load goes through the sets. Its search for the next one must end at the last one. */
/* covers: D.9-28 */
TEST(a_second_set_is_a_small_part_of_the_cost_of_a_load)
{
	int fd = create(0);
	__u64 one = load_unload_ns(fd);

	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	CHECK_LE(load_unload_ns(fd), 2 * one);
}

/* Memory. */

/* Sets in steps of @step, in a scattered order. */
static unsigned int create_many(int fd, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (try_create_set(fd, (pfarg_setdesc_t){ .set_id = 1 + i * 30011 % 65521 }))
			break;
	return i;
}

/* covers: 3.1.10-19 3.1.11-1 */
TEST(a_thousand_sets_are_found_and_deleted_again)
{
	int fd = create(0);
	unsigned int i;

	CHECK_EQ(create_many(fd, 1000), 1000);
	for (i = 0; i < 1000; i++)
		get_set(fd, 1 + i * 30011 % 65521);
	load_self(fd);
	unload(fd);
	for (i = 0; i < 1000; i += 2)
		delete_set(fd, 1 + i * 30011 % 65521);
	for (i = 1; i < 1000; i += 2)
		get_set(fd, 1 + i * 30011 % 65521);
}
