// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions of users without privilege give way to users with privilege: to their perf_events, and
 * to their sessions of the other kind. Such sessions are suspended, get a message, and go on by
 * themselves.
 */
#include "hotplug.h"
#include "preempt.h"
#include "spinning.h"

/* covers: 6.5-1 D.3-11 */
TEST(a_stopped_session_of_a_user_keeps_no_privileged_user_out)
{
	const struct claimant *c;
	struct subject s;
	int fd;

	for_each_claimant(c) {
		s = (struct subject){ .fd = create_counting(general, PFM_FL_EXTRA_MSG), .user = NOBODY,
				      .idle = true };
		pin(0);
		subject_begin(&s);
		fd = c->take();
		c->check(fd);
		check_suspended(s.fd);
		CHECK_OK(close(fd));
		wait_for_return(s.fd);
		check_state(s.fd, "loaded");
		subject_end(&s);
	}
	check_nothing_is_left();
}

static void give_way_to(const struct claimant *c)
{
	struct subject s = subject_of(NOBODY);
	__u64 base, value, began, lost;
	int fd, i;

	count_of_a_run(&s);
	base = count_of_a_run(&s);
	CHECK_GE(base, 2 * LOOPS);
	CHECK_EQ(ledger(s.fd, "suspended-ns"), 0);
	check_no_message(s.fd);

	value = read_pmd(s.fd, 0);
	began = clock_ns(CLOCK_MONOTONIC);
	fd = c->take();
	check_suspended(s.fd);
	CHECK(has_message(s.fd));
	check_zero_but_for_type(s.fd, PFM_MSG_SUSPEND);
	check_no_message(s.fd);
	CHECK_EQ(ledger(s.fd, "suspended-ns"), 0);
	for (i = 0; i < 10; i++)
		CHECK_EQ(count_of_a_run(&s), 0);
	CHECK_EQ(read_pmd(s.fd, 0), value);
	c->check(fd);
	check_suspended(s.fd);
	CHECK_OK(close(fd));

	wait_for_return(s.fd);
	lost = ledger(s.fd, "suspended-ns");
	CHECK_GE(lost, 1);
	CHECK_LE(lost, (clock_ns(CLOCK_MONOTONIC) - began) * 51 / 50);
	check_state(s.fd, "loaded");
	WAIT_UNTIL(has_message(s.fd));
	check_zero_but_for_type(s.fd, PFM_MSG_RESUME);
	check_no_message(s.fd);
	CHECK_EQ(read_pmd(s.fd, 0), value);
	CHECK_EQ(count_of_a_run(&s), base);
	CHECK_EQ(ledger(s.fd, "suspended-ns"), lost);
	CHECK_EQ(ledger(s.fd, "masked-ns"), 0);
	subject_end(&s);
}

/* covers: 6.5-1 6.5-2 6.5-3 D.3-11 */
TEST(a_users_session_is_suspended_told_and_goes_on_by_itself)
{
	const struct claimant *c;

	for_each_claimant(c)
		give_way_to(c);
	check_nothing_is_left();
}

/* A user's child that never sleeps. */
static void stop_at_once_for(const struct claimant *c)
{
	int fd = create_counting(general, 0), claim, i;
	pid_t pid = spawn(spin_as_nobody, &fd);
	__u64 value;

	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		pin_thread(pid, 1);
	WAIT_UNTIL(read_pmd(fd, 0) > 10000);
	claim = c->take();
	value = read_pmd(fd, 0);
	for (i = 0; i < 5; i++) {
		sleep_ms(2);
		CHECK_EQ(read_pmd(fd, 0), value);
	}
	WAIT_UNTIL(ledger(fd, "suspended-ns") > NS_PER_MS);
	CHECK_EQ(read_pmd(fd, 0), value);
	c->check(claim);
	CHECK_OK(close(claim));
	WAIT_UNTIL(read_pmd(fd, 0) > value + 10000);
	kill_child(pid);
	CHECK_OK(close(fd));
}

/* covers: 6.5-2 */
TEST(what_runs_is_suspended_where_it_runs)
{
	const struct claimant *c;

	need_pmu();
	pin(0);
	for_each_claimant(c)
		stop_at_once_for(c);
	check_nothing_is_left();
}

/* Sessions that do not give way, and to which users. */

static void check_is_refused(void)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);

	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	CHECK_OK(close(fd));
	if (!soft_pmu)
		CHECK_ERRNO(try_perf_hardware(), EBUSY);
}

static void claim_as_somebody(void *unused)
{
	(void)unused;
	become(SOMEBODY, SOMEBODY);
	check_is_refused();
}

static void claim_in_vain(void *unused)
{
	struct subject s = subject_of(NOBODY);
	__u64 base;

	(void)unused;
	count_of_a_run(&s);
	base = count_of_a_run(&s);
	run_in_child(claim_as_somebody, NULL);
	check_state(s.fd, "loaded");
	check_no_message(s.fd);
	CHECK_EQ(count_of_a_run(&s), base);
	subject_end(&s);
}

/* covers: D.3-11 */
TEST(a_users_session_does_not_give_way_to_another_users)
{
	need_pmu();
	with_file(PARANOID, "0", claim_in_vain, NULL);
}

static void check_claim_is_refused_beside(struct subject *s)
{
	check_is_refused();
	check_state(s->fd, "loaded");
	check_no_message(s->fd);
	CHECK_GE(count_of_a_run(s), 2 * LOOPS);
}

/* covers: D.3-2 D.3-11 */
TEST(a_privileged_session_gives_way_to_nobody)
{
	struct subject s = subject_of(0);

	check_claim_is_refused_beside(&s);
	subject_end(&s);
}

/* covers: D.3-11 */
TEST(beside_a_privileged_session_no_other_is_suspended)
{
	struct subject users = subject_of(NOBODY), roots = subject_of(0);

	check_claim_is_refused_beside(&users);
	check_state(roots.fd, "loaded");
	subject_end(&roots);
	/* Without that session, nothing prevents the claim. */
	CHECK_OK(close(take_cpu()));
	wait_for_return(users.fd);
	subject_end(&users);
}

static void claim_with_the_capability(void *arg)
{
	const struct subject *s = arg;
	const struct claimant *c;
	int fd;

	become_with_caps(SOMEBODY, SOMEBODY, 1ULL << CAP_PERFMON);
	for_each_claimant(c) {
		fd = c->take();
		CHECK(shows_suspended(s->fd));
		CHECK_OK(close(fd));
		wait_for_return(s->fd);
	}
}

static void load_with_the_capability(void *arg)
{
	become_with_caps(SOMEBODY, SOMEBODY, 1ULL << CAP_PERFMON);
	load_self(*(int *)arg);
	gate_open(((int *)arg)[1]);
	just_wait(NULL);
}

/* covers: D.3-11 */
TEST(the_privilege_is_a_capability)
{
	struct subject s = subject_of(NOBODY);
	int arg[2] = { create_counting(general, 0), gate_new() };
	pid_t pid;

	run_in_child(claim_with_the_capability, &s);
	subject_end(&s);
	pid = spawn(load_with_the_capability, arg);
	gate_wait(arg[1]);
	check_is_refused();
	check_state(arg[0], "loaded");
	kill_child(pid);
}

static void load_while_suspended(void *unused)
{
	__u32 thread = 0, cpu = PFM_FL_SYSTEM_WIDE;
	struct subject s = subject_of(NOBODY);
	const struct claimant *c;
	int fd;

	(void)unused;
	for_each_claimant(c) {
		fd = c->take();
		/* Not on the claimant's CPU, which has a context already. */
		pin(sysconf(_SC_NPROCESSORS_ONLN) - 1);
		run_in_child(load_in_vain, &thread);
		run_in_child(load_in_vain, &cpu);
		pin(0);
		check_suspended(s.fd);
		CHECK_OK(close(fd));
		wait_for_return(s.fd);
	}
	subject_end(&s);
}

/* covers: D.3-11 */
TEST(users_load_nothing_while_others_of_them_are_suspended)
{
	need_pmu();
	with_file(PARANOID, "0", load_while_suspended, NULL);
}

/* covers: D.3-11 */
TEST(the_last_claimant_lets_it_go_on)
{
	struct subject s = subject_of(NOBODY);
	int first, second;

	need_shared_pmu();
	first = perf_hardware();
	second = perf_hardware();
	CHECK_OK(close(first));
	check_suspended(s.fd);
	/* The PMU has an owner, privileged or not. */
	CHECK_ERRNO(try_load(create_counting(general, PFM_FL_SYSTEM_WIDE), gettid()), EBUSY);
	CHECK_OK(close(second));
	wait_for_return(s.fd);
	first = take_cpu();
	CHECK_ERRNO(try_perf_hardware(), EBUSY);
	check_suspended(s.fd);
	CHECK_OK(close(first));
	wait_for_return(s.fd);
	subject_end(&s);
}

/* covers: D.3-11 */
TEST(a_perf_event_that_fails_lets_it_go_on)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr), .precise_ip = 3,
		.config = PERF_COUNT_HW_BRANCH_MISSES, .exclude_kernel = 1,
	};
	struct subject s = subject_of(NOBODY);
	__u64 base;

	need_shared_pmu();
	count_of_a_run(&s);
	base = count_of_a_run(&s);
	CHECK(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0);
	CHECK_NE(errno, EBUSY);
	wait_for_return(s.fd);
	CHECK_EQ(count_of_a_run(&s), base);
	subject_end(&s);
}

static bool is_inactive_for_25_of_50_ms(int fd)
{
	__u64 active = duration(fd, 0), elapsed = clock_ns(CLOCK_MONOTONIC);

	sleep_ms(50);
	elapsed = clock_ns(CLOCK_MONOTONIC) - elapsed;
	return duration(fd, 0) - active + 25 * NS_PER_MS <= elapsed;
}

/*
 * A system-wide session that leaves threads out decides by the thread that runs, even if that
 * thread's session is suspended.
 */
/* covers: 3.1.10-7 D.3-11 */
TEST(a_claimant_that_excludes_the_idle_thread_counts_suspended_threads)
{
	pfarg_setdesc_t set = { .set_flags = PFM_SETFL_EXCL_IDLE };
	struct subject s = subject_of(NOBODY);
	__u64 before;
	int fd, i;

	fd = create_counting(general, PFM_FL_SYSTEM_WIDE);
	create_set(fd, set);
	load_self(fd);
	start(fd);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		pin(1);
	check_suspended(s.fd);
	sleep_ms(5);
	before = read_pmd(fd, 0);
	let_run(&s);
	CHECK_GE(read_pmd(fd, 0), before + 2 * LOOPS);
	/* Idle again, after a thread whose session is suspended; threads of the kernel may run. */
	for (i = 0; i < 10 && !is_inactive_for_25_of_50_ms(fd); i++)
		;
	CHECK(i < 10);
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	subject_end(&s);
}

/* A user's system-wide session. */

static void load_cpu_as_nobody(void *arg)
{
	const struct subject *s = arg;

	pin(sysconf(_SC_NPROCESSORS_ONLN) - 1);
	become(NOBODY, NOBODY);
	load_self(s->fd);
	start(s->fd);
	gate_open(s->done);
	just_wait(NULL);
}

static struct subject system_wide_subject(void)
{
	struct subject s = { .fd = create_counting(general, PFM_FL_SYSTEM_WIDE | PFM_FL_EXTRA_MSG),
			     .done = gate_new() };

	set_nonblocking(s.fd);
	s.pid = spawn(load_cpu_as_nobody, &s);
	gate_wait(s.done);
	return s;
}

static int take_thread(void)
{
	int fd = create_counting(general, 0);

	load_self(fd);
	start(fd);
	return fd;
}

static void suspend_a_cpu(void *unused)
{
	int (*const takes[])(void) = { take_thread, perf_hardware };
	const int cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1;
	struct subject s = system_wide_subject();
	__u64 value;
	int fd;
	size_t i;

	(void)unused;
	for (i = 0; i < (soft_pmu ? 1 : ARRAY_SIZE(takes)); i++) {
		CHECK_GE(count_child_on(s.fd, cpu), 200 * LOOPS);
		fd = takes[i]();
		check_suspended(s.fd);
		value = ledger(s.fd, "suspended-ns");
		CHECK_EQ(count_child_on(s.fd, cpu), 0);
		CHECK_GE(ledger(s.fd, "suspended-ns"), value + 1);
		CHECK_OK(close(fd));
		wait_for_return(s.fd);
		CHECK_GE(count_child_on(s.fd, cpu), 200 * LOOPS);
	}
	kill_child(s.pid);
}

/* covers: 6.5-2 D.3-11 */
TEST(a_users_system_wide_session_gives_way_to_threads)
{
	need_pmu();
	with_file(PARANOID, "0", suspend_a_cpu, NULL);
	check_nothing_is_left();
}

static void lose_a_suspended_cpu(void *unused)
{
	struct subject s = system_wide_subject();
	int fd;

	(void)unused;
	pin(0);
	fd = take_thread();
	expect_message(s.fd, PFM_MSG_SUSPEND);
	take_cpu_down();
	expect_end(s.fd);
	check_unloaded(s.fd);
	check_no_message(s.fd);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
	bring_cpu_up();
	CHECK_OK(close(fd));
}

static void bring_cpu_back(void *unused)
{
	(void)unused;
	and_bring_cpu_up(lose_a_suspended_cpu);
}

/* covers: D.3-12 D.6-1 */
TEST(a_suspended_session_loses_its_cpu)
{
	need_pmu();
	need_cpus(2);
	with_file(PARANOID, "0", bring_cpu_back, NULL);
	check_nothing_is_left();
}

/* All at once. */

struct crowd {
	int	over;
	long	loads;
	long	suspended;
};

static bool is_over(struct crowd *crowd)
{
	return __atomic_load_n(&crowd->over, __ATOMIC_SEQ_CST);
}

static void note(long *sum)
{
	__atomic_add_fetch(sum, 1, __ATOMIC_SEQ_CST);
}

static bool load_start_stop(struct crowd *crowd, int fd)
{
	if (try_load(fd, gettid())) {
		CHECK_EQ(errno, EBUSY);
		return false;
	}
	note(&crowd->loads);
	start(fd);
	sched_yield();
	loop(200);
	if (shows_suspended(fd))
		note(&crowd->suspended);
	stop(fd);
	return true;
}

static void load_and_exit(void *arg)
{
	load_start_stop(arg, create_counting(general, 0));
}

static void load_unload_and_exit(void *arg)
{
	struct crowd *crowd = arg;
	int fd, i;

	become(NOBODY, NOBODY);
	fd = create_counting(general, 0);
	while (!is_over(crowd)) {
		for (i = 0; i < 20; i++) {
			if (load_start_stop(crowd, fd))
				unload(fd);
			sched_yield();
		}
		run_in_child(load_and_exit, crowd);
	}
}

#define CLAIMS	500

/* covers: D.3-11 D.3-12 */
TEST_LIMIT(claims_race_with_loads_and_ends, 200)
{
	struct crowd *crowd = test_shared(sizeof(*crowd));
	const struct claimant *c;
	pid_t pids[3];
	size_t i;
	int n, fd;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(pids); i++)
		pids[i] = spawn(load_unload_and_exit, crowd);
	for (n = 0; n < CLAIMS || !crowd->loads || !crowd->suspended; n++) {
		for_each_claimant(c) {
			/* The claim always succeeds, whatever the others do. */
			fd = c->take();
			/* On a single CPU the others run now. */
			if (n % 8 == 0)
				sched_yield();
			CHECK_OK(close(fd));
		}
		if (n % 8 == 4)
			sleep_ms(1);
	}
	__atomic_store_n(&crowd->over, 1, __ATOMIC_SEQ_CST);
	for (i = 0; i < ARRAY_SIZE(pids); i++)
		reap(pids[i]);
	check_nothing_is_left();
	printf("%ld loads, %ld found suspended\n", crowd->loads, crowd->suspended);
}
