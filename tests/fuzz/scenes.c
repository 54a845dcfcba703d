// SPDX-License-Identifier: GPL-2.0
/*
 * Operations of several commands: the sequences by which programs measure. They bring contexts into
 * states in which interference is interesting.
 */
#include "calls.h"
#include "registers.h"
#include "slots.h"
#include "work.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Registers of one set: counters with short periods that notify. */
static void program(struct fuzzer *f, int fd, __u16 set)
{
	unsigned int i, n = 1 + random_below(&f->random, 3);
	pfarg_pmc_t pmc;
	pfarg_pmd_t pmd;

	for (i = 0; i < n; i++) {
		fill_pmc(f, &pmc);
		pmc.reg_num = i;
		pmc.reg_set = set;
		pmc.reg_value = COUNT_USER | COUNT_ENABLE | INSTRUCTIONS;
		call_one(f, PFM_WRITE_PMCS, fd, &pmc);
		fill_pmd(f, &pmd);
		pmd.reg_num = i;
		pmd.reg_set = set;
		call_one(f, PFM_WRITE_PMDS, fd, &pmd);
	}
}

static void add_sets(struct fuzzer *f, int fd)
{
	pfarg_setdesc_t set;
	__u16 i, n = random_below(&f->random, 4);

	for (i = 1; i <= n; i++) {
		fill_set(f, &set);
		set.set_id = i;
		if (set.set_id_next > n)
			set.set_id_next = 0;
		if (call_one(f, PFM_CREATE_EVTSETS, fd, &set))
			program(f, fd, i);
	}
	if (n) {
		fill_set(f, &set);
		set.set_id = 0;
		set.set_flags &= ~PFM_SETFL_EXPL_NEXT;
		call_one(f, PFM_CREATE_EVTSETS, fd, &set);
	}
}

static void ask_for_signals(int fd, int owner, int signal)
{
	fcntl(fd, F_SETOWN, owner);
	fcntl(fd, F_SETSIG, signal);
	fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK);
}

static bool load_and_start(struct fuzzer *f, int fd, pid_t tid)
{
	pfarg_load_t load = { .load_pid = tid };

	/* A thread has at most one context: mostly, unload its present context first. */
	if (tid == f->tid && f->own >= 0 && !random_once_in(&f->random, 4))
		call_simple(f, PFM_UNLOAD_CONTEXT, f->own);
	if (!call_one(f, PFM_LOAD_CONTEXT, fd, &load))
		return false;
	if (tid == f->tid)
		f->own = fd;
	return call_simple(f, PFM_START, fd);
}

/* A programmed context; any thread may load it. */
static bool prepare(struct fuzzer *f, int *fd)
{
	struct context context;
	bool was_sane = f->sane, ready;

	f->sane = true;
	ready = context_create(f, &context);
	if (ready) {
		*fd = context.fd;
		if (context.size && random_once_in(&f->random, 2))
			map_context(f, &context);
		program(f, context.fd, 0);
		if (random_once_in(&f->random, 2))
			add_sets(f, context.fd);
	}
	f->sane = was_sane;
	return ready;
}

static void do_monitor(struct fuzzer *f)
{
	int fd;

	if (!prepare(f, &fd))
		return;
	if (random_once_in(&f->random, 2))
		ask_for_signals(fd, f->tid, random_once_in(&f->random, 2) ? SIGIO : SIGRTMIN + 1);
	load_and_start(f, fd, target_pick(f));
	work(2000);
}

/* A thread samples itself, like a program with a built-in profiler. */
static void do_sample(struct fuzzer *f)
{
	pfm_msg_t msg;
	unsigned int i;
	ssize_t got;
	int fd;

	if (!prepare(f, &fd) || !load_and_start(f, fd, f->tid))
		return;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	for (i = 0; i < 5 && !world_is_over(); i++) {
		work(1000);
		got = read(fd, &msg, sizeof(msg));
		if (got == sizeof(msg))
			check_messages(f, &msg, 1);
		call_simple(f, PFM_RESTART, fd);
	}
	call_simple(f, random_once_in(&f->random, 2) ? PFM_STOP : PFM_UNLOAD_CONTEXT, fd);
}

/* The whole life of a context, repeated: anything that it leaves behind adds up. */
static void do_short_lives(struct fuzzer *f)
{
	pfarg_load_t load = { .load_pid = f->tid };
	pfarg_ctx_t context = { .ctx_fd = -1 };
	struct call call = { .command = command_of(PFM_CREATE_CONTEXT), .fd = -1, .narg = 1,
			     .size = sizeof(context) };
	unsigned int i;

	for (i = 0; i < 4; i++) {
		context.ctx_flags = world->plan.system_wide > random_below(&f->random, 8) ?
				    PFM_FL_SYSTEM_WIDE : 0;
		call.arg = &context;
		if (!call_make(f, &call))
			return;
		program(f, context.ctx_fd, 0);
		call_one(f, PFM_LOAD_CONTEXT, context.ctx_fd, &load);
		call_simple(f, PFM_START, context.ctx_fd);
		if (random_once_in(&f->random, 2))
			call_simple(f, PFM_UNLOAD_CONTEXT, context.ctx_fd);
		close(context.ctx_fd);
	}
}

const struct operation scene_operations[] = {
	{ "monitor", 8, do_monitor },
	{ "sample", 6, do_sample },
	{ "short_lives", 2, do_short_lives },
	{ }
};
