/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Privileged users that claim the PMU, and sessions of users that give way to them.
 */
#ifndef TESTS_ABI_PREEMPT_H
#define TESTS_ABI_PREEMPT_H

#include "overflow.h"
#include "perf.h"
#include "system.h"

#define SOMEBODY	4711

/* A privileged user's use of the PMU, which ends when its descriptor is closed. */
struct claimant {
	const char	*name;
	int		(*take)(void);
	void		(*check)(int fd);
};

/* On the CPU on which we run. */
static inline int take_cpu(void)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);

	load_self(fd);
	start(fd);
	return fd;
}

static inline void check_cpu_counts(int fd)
{
	__u64 before = read_pmd(fd, 0);

	loop(1000);
	CHECK_GE(read_pmd(fd, 0), before + 2000);
}

static const struct claimant claimants[] = {
	{ "a system-wide session", take_cpu, check_cpu_counts },
	{ "perf_events", perf_hardware, check_perf_counts },
};

/* perf_events does not use the software PMU. */
#define for_each_claimant(c)						\
	for ((c) = claimants; (c) < claimants + (soft_pmu ? 1 : ARRAY_SIZE(claimants)); (c)++)

static inline bool shows_suspended(int fd)
{
	return get_set(fd, 0).set_flags & PFM_SETFL_SUSPENDED;
}

static inline void check_suspended(int fd)
{
	check_state(fd, "suspended");
	CHECK(shows_suspended(fd));
}

static inline void wait_for_return(int fd)
{
	WAIT_UNTIL(!shows_suspended(fd));
}

static inline void check_no_message(int fd)
{
	pfm_msg_t msg;

	CHECK_ERRNO(read(fd, &msg, sizeof(msg)), EAGAIN);
}

/* No session is left, and the hardware is free. */
static inline void check_nothing_is_left(void)
{
	int fd;

	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
	fd = take_cpu();
	check_cpu_counts(fd);
	CHECK_OK(close(fd));
}

/* A user's process that monitors itself, and acts when the test opens its gate. */
struct subject {
	int	fd;
	int	go, done;
	pid_t	pid;
	uid_t	user;
	bool	idle;		/* loads the context, and never starts it */
};

static inline void be_subject(void *arg)
{
	const struct subject *s = arg;

	pin(0);
	if (s->user)
		become(s->user, s->user);
	load_self(s->fd);
	if (!s->idle)
		start(s->fd);
	for (;;) {
		gate_open(s->done);
		gate_wait(s->go);
		loop(LOOPS);
	}
}

static inline void let_run(const struct subject *s)
{
	gate_open(s->go);
	gate_wait(s->done);
	wait_state(s->pid, 'S');
}

static inline void subject_begin(struct subject *s)
{
	s->go = gate_new();
	s->done = gate_new();
	set_nonblocking(s->fd);
	s->pid = spawn(be_subject, s);
	gate_wait(s->done);
	wait_state(s->pid, 'S');
}

static inline struct subject subject_of(uid_t user)
{
	struct subject s = { .fd = create_counting(general, PFM_FL_EXTRA_MSG), .user = user };

	pin(0);
	subject_begin(&s);
	return s;
}

static inline void subject_end(struct subject *s)
{
	kill_child(s->pid);
	CHECK_OK(close(s->fd));
	CHECK_OK(close(s->go));
	CHECK_OK(close(s->done));
}

static inline __u64 count_of_a_run(const struct subject *s)
{
	__u64 before = read_pmd(s->fd, 0);

	let_run(s);
	return read_pmd(s->fd, 0) - before;
}

static inline void check_zero_but_for_type(int fd, __u32 type)
{
	pfm_msg_t msg, want = { .msg_type = type };

	memset(&msg, 0x5a, sizeof(msg));
	CHECK_EQ(read(fd, &msg, sizeof(msg)), sizeof(msg));
	CHECK(!memcmp(&msg, &want, sizeof(msg)));
}

static inline void load_in_vain(void *arg)
{
	int fd;

	become(SOMEBODY, SOMEBODY);
	fd = create_counting(general, *(__u32 *)arg);
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	check_unloaded(fd);
}

#endif /* TESTS_ABI_PREEMPT_H */
