// SPDX-License-Identifier: GPL-2.0
/*
 * A thread that fuzzes: one operation after the other, and the signals meanwhile.
 */
#include "backend.h"
#include "calls.h"
#include "memory.h"
#include "slots.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_RESTARTS	10

__thread struct fuzzer *me;

static const struct operation *const lists[] = {
	command_operations, scene_operations, file_operations, map_operations,
	process_operations,
};

/* Operations of all lists have one numbering; NULL behind the last. */
static const struct operation *operation_at(unsigned int i)
{
	const struct operation *operation;
	unsigned int list;

	for (list = 0; list < ARRAY_SIZE(lists); list++)
		for (operation = lists[list]; operation->name; operation++)
			if (!i--)
				return operation;
	return NULL;
}

const char *operation_name(unsigned int i)
{
	const struct operation *operation = operation_at(i);

	return operation ? operation->name : NULL;
}

static unsigned int total_weight(void)
{
	const struct operation *operation;
	unsigned int total = 0, i;

	for (i = 0; (operation = operation_at(i)); i++)
		total += operation->weight;
	return total;
}

static void run_one(struct fuzzer *f, unsigned int total)
{
	unsigned int at = random_below(&f->random, total), i = 0;
	const struct operation *operation;

	while (at >= (operation = operation_at(i))->weight) {
		at -= operation->weight;
		i++;
	}
	/* A context in a good state is more productive than random calls in a random state. */
	f->restarts = 0;
	f->sane = random_once_in(&f->random, 2);
	operation->run(f);
	add_return(&world->done[i], 1);
	add_return(&world->operations, 1);
}

void fuzzer_init(struct fuzzer *f, struct process *process, uint64_t stream, const char *name)
{
	memset(f, 0, sizeof(*f));
	f->process = process;
	f->stream = stream;
	f->trail = trail_new(name);
	f->tid = gettid();
	f->own = -1;
	room_init(f);
}

void fuzz(struct fuzzer *f, unsigned int operations)
{
	unsigned int total = total_weight();

	me = f;
	for (f->operation = 0; f->operation < operations && !world_is_over(); f->operation++) {
		f->random.state = random_mix(f->stream, f->operation);
		run_one(f, total);
	}
}

/*
 * Like a program that samples itself: a signal reports which context has a message, and the handler
 * restarts it.
 */
static void on_notification(int signal, siginfo_t *info, void *context)
{
	struct pollfd poll_fd = { .fd = info->si_fd, .events = POLLIN };
	int saved = errno;
	pfm_msg_t msg;

	(void)signal;
	(void)context;
	add_return(&world->signals, 1);
	/* si_fd is meaningful in signals from a descriptor. */
	if (info->si_code >= POLL_IN && info->si_code <= POLL_HUP && info->si_fd >= 0 &&
	    info->si_fd < FD_HIGH) {
		if (poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & POLLIN) && me &&
		    read(info->si_fd, &msg, sizeof(msg)) == sizeof(msg))
			check_messages(me, &msg, 1);
		/* With a short period this would never end. */
		if (me && me->restarts++ < MAX_RESTARTS)
			backend_call(info->si_fd, PFM_RESTART, NULL, 0);
	}
	errno = saved;
}

/* A system call that takes too long is interrupted with EINTR. */
static void on_nudge(int signal)
{
	(void)signal;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (me && me->may_fault)
		siglongjmp(me->fault, 1);
	if (info->si_code > 0)
		violation(me, "the fuzzer died of signal %d at %p", signal, info->si_addr);
	_exit(3);
}

void catch_signals(void)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_RESTART };
	int i;

	action.sa_sigaction = on_notification;
	sigaction(SIGIO, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (i = SIGRTMIN; i < SIGRTMIN + 4; i++)
		sigaction(i, &action, NULL);
	action.sa_sigaction = on_fault;
	action.sa_flags = SA_SIGINFO | SA_NODEFER;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	memset(&action, 0, sizeof(action));
	action.sa_handler = on_nudge;
	sigaction(SIGUSR2, &action, NULL);
}
