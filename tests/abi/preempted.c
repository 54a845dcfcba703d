// SPDX-License-Identifier: GPL-2.0
/*
 * A session that is suspended for a privileged user: the effect of commands, its end, and the
 * registers that it cannot reach. preempt.c has which sessions are suspended, and for which users.
 */
#include "preempt.h"

/* covers: 6.5-2 D.3-12 */
TEST(commands_work_on_a_suspended_session)
{
	struct subject s = subject_of(NOBODY);
	__u64 base;
	int fd;

	count_of_a_run(&s);
	base = count_of_a_run(&s);
	fd = take_cpu();
	write_pmd(s.fd, 0, 1ULL << 40);
	CHECK_EQ(read_pmd(s.fd, 0), 1ULL << 40);
	stop(s.fd);
	start(s.fd);
	restart(s.fd);
	CHECK_EQ(count_of_a_run(&s), 0);
	stop(s.fd);
	write_pmc(s.fd, 0, 0);
	write_pmc(s.fd, 0, general->value);
	check_suspended(s.fd);
	check_cpu_counts(fd);
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	/* The stop is remembered, and so is the next start. */
	CHECK_EQ(count_of_a_run(&s), 0);
	CHECK_EQ(read_pmd(s.fd, 0), 1ULL << 40);
	fd = take_cpu();
	start(s.fd);
	CHECK_EQ(count_of_a_run(&s), 0);
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	CHECK_EQ(count_of_a_run(&s), base);
	CHECK_EQ(read_pmd(s.fd, 0), (1ULL << 40) + base);
	subject_end(&s);
}

/* covers: 6.5-2 */
TEST(stopped_time_is_not_lost_time)
{
	struct subject s = subject_of(NOBODY);
	int fd;

	stop(s.fd);
	fd = take_cpu();
	let_run(&s);
	CHECK_EQ(ledger(s.fd, "suspended-ns"), 0);
	start(s.fd);
	CHECK_EQ(ledger(s.fd, "suspended-ns"), 0);
	let_run(&s);
	CHECK_GE(ledger(s.fd, "suspended-ns"), 1);
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	subject_end(&s);
}

/* A counter that masks in the middle of a run. */
static struct subject masked_subject(void)
{
	struct subject s = { .fd = create(PFM_FL_EXTRA_MSG), .user = NOBODY };

	need_pmu();
	program(s.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = LOOPS });
	pin(0);
	subject_begin(&s);
	let_run(&s);
	check_state(s.fd, "masked");
	expect_overflow(s.fd, 0, 1);
	return s;
}

/* covers: 6.5-2 D.3-12 */
TEST(what_is_masked_can_be_restarted_while_it_is_suspended)
{
	struct subject s = masked_subject();
	__u64 masked, value;
	int fd;

	fd = take_cpu();
	check_suspended(s.fd);
	masked = ledger(s.fd, "masked-ns");
	let_run(&s);
	CHECK_GE(ledger(s.fd, "masked-ns"), masked + 1);
	CHECK_EQ(ledger(s.fd, "suspended-ns"), 0);
	restart(s.fd);
	masked = ledger(s.fd, "masked-ns");
	value = read_pmd(s.fd, 0);
	CHECK_EQ(value, -(__u64)LOOPS);
	let_run(&s);
	CHECK_EQ(ledger(s.fd, "masked-ns"), masked);
	CHECK_GE(ledger(s.fd, "suspended-ns"), 1);
	CHECK_EQ(read_pmd(s.fd, 0), value);
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	expect_message(s.fd, PFM_MSG_SUSPEND);
	WAIT_UNTIL(has_message(s.fd));
	expect_message(s.fd, PFM_MSG_RESUME);
	check_state(s.fd, "loaded");
	let_run(&s);
	check_state(s.fd, "masked");
	expect_overflow(s.fd, 0, 1);
	subject_end(&s);
}

/* covers: 6.5-2 */
TEST(sets_are_not_switched_while_suspended)
{
	struct subject s = { .fd = create_counting(general, PFM_FL_EXTRA_MSG), .user = NOBODY };
	__u64 runs;
	int fd;

	pin(0);
	create_timed_set(s.fd, 0, NS_PER_MS);
	create_timed_set(s.fd, 1, NS_PER_MS);
	subject_begin(&s);
	fd = take_cpu();
	runs = get_set(s.fd, 0).set_runs + get_set(s.fd, 1).set_runs;
	CHECK_EQ(get_set(s.fd, 1).set_flags, PFM_SETFL_TIME_SWITCH | PFM_SETFL_SUSPENDED);
	WAIT_UNTIL((let_run(&s), ledger(s.fd, "suspended-ns") > 5 * NS_PER_MS));
	CHECK_EQ(get_set(s.fd, 0).set_runs + get_set(s.fd, 1).set_runs, runs);
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	WAIT_UNTIL((let_run(&s), get_set(s.fd, 0).set_runs + get_set(s.fd, 1).set_runs > runs));
	subject_end(&s);
}

/* covers: D.3-12 */
TEST(the_flag_is_for_output_alone)
{
	pfarg_setdesc_t set = { .set_id = 1, .set_flags = PFM_SETFL_SUSPENDED };
	int fd = create(0);

	CHECK_ERRNO(try_create_set(fd, set), EINVAL);
	CHECK(!shows_suspended(fd));
}

/* covers: 6.5-3 */
TEST(unread_messages_are_a_suspension_and_a_return_at_most)
{
	struct subject s = subject_of(NOBODY);
	int i, fd;

	for (i = 0; i < 3; i++) {
		CHECK_OK(close(take_cpu()));
		wait_for_return(s.fd);
	}
	fd = take_cpu();
	check_zero_but_for_type(s.fd, PFM_MSG_SUSPEND);
	check_no_message(s.fd);
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	fd = take_cpu();
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	check_zero_but_for_type(s.fd, PFM_MSG_SUSPEND);
	WAIT_UNTIL(has_message(s.fd));
	check_zero_but_for_type(s.fd, PFM_MSG_RESUME);
	check_no_message(s.fd);
	subject_end(&s);
}

/* covers: 6.5-2 D.7-22 */
TEST(a_tool_that_did_not_ask_finds_a_suspension_where_it_looks)
{
	struct subject s = { .fd = create_counting(general, 0), .user = NOBODY };
	int fd;

	pin(0);
	subject_begin(&s);
	fd = take_cpu();
	check_suspended(s.fd);
	let_run(&s);
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	CHECK_GE(ledger(s.fd, "suspended-ns"), 1);
	sleep_ms(5);
	check_no_message(s.fd);
	subject_end(&s);
}

/* Ends of suspended sessions. */

static void unload_it(struct subject *s)
{
	unload(s->fd);
	kill_child(s->pid);
	CHECK_OK(close(s->fd));
}

static void end_it(struct subject *s)
{
	kill_child(s->pid);
	check_unloaded(s->fd);
	CHECK_OK(close(s->fd));
}

static void close_it(struct subject *s)
{
	CHECK_OK(close(s->fd));
	kill_child(s->pid);
}

/* covers: D.3-12 */
TEST(a_suspended_session_ends_as_any_other)
{
	void (*const ends[])(struct subject *s) = { unload_it, end_it, close_it };
	const struct claimant *c;
	__u32 thread = 0;
	struct subject s;
	size_t i;
	int fd;

	for_each_claimant(c) {
		for (i = 0; i < ARRAY_SIZE(ends); i++) {
			s = subject_of(NOBODY);
			fd = c->take();
			ends[i](&s);
			CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
			c->check(fd);
			/* No session waits any more, and the claimant keeps its own. */
			run_in_child(load_in_vain, &thread);
			CHECK_OK(close(fd));
			check_nothing_is_left();
		}
	}
}

/* One session goes on, and one ends. */
/* covers: D.3-12 */
TEST(the_end_of_one_suspended_session_is_not_that_of_another)
{
	struct subject s = subject_of(NOBODY), other = subject_of(SOMEBODY);
	__u64 base;
	int fd;

	count_of_a_run(&s);
	base = count_of_a_run(&s);
	fd = take_cpu();
	check_suspended(other.fd);
	subject_end(&other);
	check_suspended(s.fd);
	CHECK_EQ(count_of_a_run(&s), 0);
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	CHECK_EQ(count_of_a_run(&s), base);
	subject_end(&s);
	check_nothing_is_left();
}

/* The executed program: it waits for its turn, and counts. */
__attribute__((constructor)) static void executed(int argc, char **argv)
{
	if (argc != 3 || strcmp(argv[0], "executed"))
		return;
	gate_open(atoi(argv[1]));
	gate_wait(atoi(argv[2]));
	loop(LOOPS);
	gate_open(atoi(argv[1]));
	just_wait(NULL);
}

static void load_and_execute(void *arg)
{
	const struct subject *s = arg;
	char done[16], go[16];

	become(NOBODY, NOBODY);
	load_self(s->fd);
	start(s->fd);
	gate_open(s->done);
	gate_wait(s->go);
	snprintf(done, sizeof(done), "%d", s->done);
	snprintf(go, sizeof(go), "%d", s->go);
	execl("/proc/self/exe", "executed", done, go, NULL);
}

/* covers: D.3-12 */
TEST(an_exec_keeps_a_session_suspended)
{
	struct subject s = { .fd = create_counting(general, PFM_FL_EXTRA_MSG), .go = gate_new(),
			     .done = gate_new() };
	__u64 value;
	int fd;

	s.pid = spawn(load_and_execute, &s);
	gate_wait(s.done);
	fd = take_cpu();
	value = read_pmd(s.fd, 0);
	gate_open(s.go);
	gate_wait(s.done);
	check_suspended(s.fd);
	CHECK_EQ(read_pmd(s.fd, 0), value);
	CHECK_OK(close(fd));
	wait_for_return(s.fd);
	gate_open(s.go);
	gate_wait(s.done);
	CHECK_GE(read_pmd(s.fd, 0), value + 2 * LOOPS);
	kill_child(s.pid);
}

/* The registers belong to the claimant alone. */

static void read_when_told(void *arg)
{
	const struct subject *s = arg;

	become(NOBODY, NOBODY);
	load_self(s->fd);
	start(s->fd);
	gate_open(s->done);
	gate_wait(s->go);
	read_hardware_counter();
}

/* covers: 4.3.2-2 D.3-11 */
TEST(a_suspended_thread_cannot_read_the_hardware)
{
	const struct claimant *c;
	struct subject s;
	int status, fd;

	for_each_claimant(c) {
		s = (struct subject){ .fd = create_counting(general, PFM_FL_EXTRA_MSG), .go = gate_new(),
				      .done = gate_new() };
		s.pid = spawn(read_when_told, &s);
		gate_wait(s.done);
		fd = c->take();
		check_suspended(s.fd);
		gate_open(s.go);
		CHECK_EQ(waitpid(s.pid, &status, 0), s.pid);
		CHECK(WIFSIGNALED(status));
		CHECK_EQ(WTERMSIG(status), READ_HARDWARE_SIGNAL);
		CHECK_OK(close(fd));
		CHECK_OK(close(s.fd));
	}
}
