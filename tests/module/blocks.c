// SPDX-License-Identifier: GPL-2.0
/*
 * The number of contexts that can block is limited, as each needs an entry in the module's probe of
 * signals; one more is refused, and its thread does not run on without blocking. In a guest with
 * perfmon.ko.
 */
#include "../abi/overflow.h"
#include "../abi/sampling.h"

#include <sys/resource.h>

#define MOST	1024
/* Of an ordinary user. */
#define MOST_USER	256

static int blocking(pid_t pid)
{
	int fd = create(PFM_FL_NOTIFY_BLOCK);

	load(fd, pid);
	unload(fd);
	return fd;
}

TEST_LIMIT(so_many_contexts_can_block_and_no_more, 120)
{
	const struct rlimit limit = { 2 * MOST, 2 * MOST };
	pid_t pid = spawn(just_wait, NULL);
	int fds[MOST], more, other, i;

	CHECK_OK(setrlimit(RLIMIT_NOFILE, &limit));
	more = create(PFM_FL_NOTIFY_BLOCK);
	other = create(0);
	/* They keep their entries while they are unloaded. */
	for (i = 0; i < MOST; i++)
		fds[i] = blocking(pid);
	CHECK_ERRNO(try_load(more, pid), ENOMEM);
	check_unloaded(more);
	load(other, pid);
	unload(other);
	load(fds[0], pid);
	unload(fds[0]);
	CHECK_OK(close(fds[0]));
	WAIT_UNTIL(!try_load(more, pid));
	unload(more);
	for (i = 1; i < MOST; i++)
		CHECK_OK(close(fds[i]));
	kill_child(pid);
}

static __u64 *rounds;

static void work_on(void *unused)
{
	(void)unused;
	for (;;) {
		loop(1000);
		__atomic_add_fetch(rounds, 1, __ATOMIC_SEQ_CST);
	}
}

/* A child that waits at its first overflow. */
static int waiting_context(pid_t *pid)
{
	int fd = create(PFM_FL_NOTIFY_BLOCK);

	rounds = test_shared(sizeof(*rounds));
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 20000 });
	*pid = spawn_without(fd, work_on, NULL);
	load(fd, *pid);
	start(fd);
	WAIT_UNTIL(is_masked(fd));
	wait_state(*pid, 'S');
	return fd;
}

/* A signal is handled, and it waits again. */
static void expect_to_wait_on(int fd, pid_t pid)
{
	__u64 before = *rounds;
	int i;

	for (i = 0; i < 3; i++) {
		CHECK_OK(kill(pid, SIGSTOP));
		wait_state(pid, 'T');
		CHECK_OK(kill(pid, SIGCONT));
		WAIT_UNTIL(thread_state(pid) != 'T');
		sleep_ms(5);
		CHECK_EQ(*rounds, before);
		CHECK_EQ(thread_state(pid), 'S');
	}
	restart(fd);
	WAIT_UNTIL(*rounds != before);
}

/* A child that is killed while it has the context, and not reaped. Return: 0, or the error. */
static int leave_behind(int fd, pid_t *pid)
{
	int err = 0;

	*pid = spawn_without(fd, just_wait, NULL);
	wait_state(*pid, 'S');
	if (try_load(fd, *pid))
		err = errno;
	CHECK_OK(kill(*pid, SIGKILL));
	wait_state(*pid, 'Z');
	return err;
}

/* The results of a user without privilege, for whom one context is enough. */
static struct {
	int	taken, go, refused;
} *greed;

static void take_places(void *unused)
{
	static pid_t left[MOST + 64];
	size_t i;
	int fd;

	(void)unused;
	become(NOBODY, NOBODY);
	fd = create(PFM_FL_NOTIFY_BLOCK);
	for (i = 0; i < ARRAY_SIZE(left); i++) {
		int err = leave_behind(fd, &left[i]);

		CHECK(!err || err == ENOMEM);
		greed->refused += !!err;
	}
	gate_open(greed->taken);
	gate_wait(greed->go);
	for (i = 0; i < ARRAY_SIZE(left); i++)
		CHECK_EQ(waitpid(left[i], NULL, 0), left[i]);
	/* The places come back. */
	left[0] = spawn_without(fd, just_wait, NULL);
	WAIT_UNTIL(!try_load(fd, left[0]));
	for (i = 0; i < 16; i++) {
		unload(fd);
		load(fd, left[0]);
	}
	kill_child(left[0]);
}

static void load_another(int user)
{
	pid_t pid;
	int fd;

	if (user)
		become(user, user);
	fd = create(PFM_FL_NOTIFY_BLOCK);
	pid = spawn_without(fd, just_wait, NULL);
	load(fd, pid);
	kill_child(pid);
}

static void load_as_another_user(void *unused)
{
	(void)unused;
	load_another(NOBODY - 1);
}

/* A thread that ends keeps its place until it is reaped. */
TEST_LIMIT(threads_that_have_ended_take_no_places_of_others, 300)
{
	pid_t greedy, waits;
	int victim;

	victim = waiting_context(&waits);
	greed = test_shared(sizeof(*greed));
	greed->taken = gate_new();
	greed->go = gate_new();
	greedy = spawn(take_places, NULL);
	gate_wait(greed->taken);
	expect_to_wait_on(victim, waits);
	kill_child(waits);
	CHECK_EQ(greed->refused, MOST + 64 - MOST_USER);
	/* Others have room: another ordinary user, and root. */
	run_in_child(load_as_another_user, NULL);
	load_another(0);
	gate_open(greed->go);
	reap(greedy);
}
