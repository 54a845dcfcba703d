// SPDX-License-Identifier: GPL-2.0
/* The fuzzer's data of each command, and calls in both forms. */
#include "backend.h"
#include "calls.h"
#include "memory.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A bit for each errno below MAX_ERRNO. */
typedef unsigned __int128 errors_t;

#define E(error)	((errors_t)1 << (error))

/*
 * By command: the errors that it may have besides the common ones (any call with a context may find
 * it closed, and any vector may be too long), and the function that makes an element.
 * PFM_CREATE_CONTEXT has its argument from fill_context().
 */
static const struct {
	errors_t	errors;
	void		(*fill)(struct fuzzer *f, void *element);
} fuzzed[] = {
	/* A loaded context becomes a session with its first PMC, which may be refused as a load is. */
	[PFM_WRITE_PMCS] = { E(EPERM) | E(EBUSY), fill_pmc },
	[PFM_WRITE_PMDS] = { 0, fill_pmd },
	[PFM_READ_PMDS] = { 0, fill_read },
	[PFM_STOP] = { E(EBUSY), NULL },
	[PFM_START] = { E(EBUSY), fill_start },
	/* Some formats need registers, or an unwinder, that this machine does not have. */
	[PFM_CREATE_CONTEXT] = { E(EPERM) | E(EMFILE) | E(EIO) | E(EOPNOTSUPP), NULL },
	[PFM_RESTART] = { E(EBUSY) | E(EIO), NULL },
	[PFM_LOAD_CONTEXT] = { E(EBUSY) | E(ESRCH) | E(EPERM), fill_load },
	[PFM_UNLOAD_CONTEXT] = { E(EBUSY), NULL },
	[PFM_CREATE_EVTSETS] = { E(EBUSY), fill_set },
	[PFM_DELETE_EVTSETS] = { E(EBUSY), fill_deletion },
	[PFM_GETINFO_EVTSETS] = { 0, fill_setinfo },
	[PFM_GETINFO_PMCS] = { 0, fill_pmcinfo },
	[PFM_GETINFO_PMDS] = { 0, fill_pmdinfo },
	[PFM_SET_CONFIG] = { E(EPERM), fill_config },
	[PFM_GET_CONFIG] = { 0, fill_config },
};

void command_fill(struct fuzzer *f, const struct command *command, void *element)
{
	fuzzed[command->cmd].fill(f, element);
}

static long multiplexed(const struct call *call)
{
	return backend_call(call->fd, call->command->cmd, call->arg, call->narg);
}

static errors_t possible_errors(const struct call *call)
{
	const struct command *command = call->command;
	errors_t errors = E(EINVAL) | fuzzed[command->cmd].errors;

	if (command->context)
		errors |= E(EBADF);
	if (command->args == ARGS_VECTOR)
		errors |= E(E2BIG);
	if (command->cmd == PFM_CREATE_CONTEXT)
		errors |= E(E2BIG) | E(ENOMEM);
	if (command->cmd == PFM_CREATE_EVTSETS)
		errors |= E(ENOMEM);
	if (!call->good)
		errors |= E(EFAULT);
	return errors;
}

/* The errors that are reported before the kernel reads the argument. */
static int certain_error(const struct call *call)
{
	const struct command *command = call->command;

	if (command->context && call->fd < 0)
		return EBADF;
	/* Another thread may close a context at any time, and then the error is EBADF. */
	if (command->context || command->args != ARGS_VECTOR)
		return 0;
	if (call->narg <= 0)
		return EINVAL;
	return call->narg * command->size > 16 << 20 ? E2BIG : 0;
}

static bool may_fail_so(const struct call *call)
{
	/* The probe format returns the errno in its argument: if the memory is bad, any errno. */
	if (call->command->cmd == PFM_CREATE_CONTEXT && !call->good)
		return true;
	return call->error > 0 && call->error < MAX_ERRNO &&
	       (possible_errors(call) & E(call->error));
}

static void check_outcome(struct fuzzer *f, const struct call *call)
{
	const char *name = call->command->stem;
	int certain = certain_error(call);

	if (call->ret != 0 && call->ret != -1)
		violation(f, "%s returned %ld", name, call->ret);
	else if (call->ret && !may_fail_so(call))
		violation(f, "%s failed with %s%s", name, strerrorname_np(call->error),
			  call->good ? "" : " (the memory is not all good)");
	else if (certain && (!call->ret || call->error != certain))
		violation(f, "%s (descriptor %d, narg %d) ended with %s, not %s", name, call->fd,
			  call->narg, call->ret ? strerrorname_np(call->error) : "success",
			  strerrorname_np(certain));
}

bool call_make(struct fuzzer *f, struct call *call)
{
	int cmd = call->command->cmd;

	if (call->good && call->size)
		memcpy(f->before, call->arg, call->size);
	errno = 0;
	call->ret = call->direct ? direct_call(call->command, call->fd, call->arg, call->narg) :
				   multiplexed(call);
	call->error = errno;
	add_return(&world->made[cmd], 1);
	add_return(&world->ended[cmd][call->ret ? call->error % MAX_ERRNO : 0], 1);
	note(f, "%s%s(%d, %p%s, %d) = %s", call->direct ? "pfm_" : "", call->command->stem,
	     call->fd, call->arg, call->good ? "" : " bad", call->narg,
	     call->ret ? strerrorname_np(call->error) : "0");
	check_outcome(f, call);
	if (call->good && call->size) {
		if (!room_is_intact(f, call->arg, call->size))
			violation(f, "%s wrote outside of its argument", call->command->stem);
		check_call(f, call, f->before);
	}
	return !call->ret;
}

bool call_simple(struct fuzzer *f, int cmd, int fd)
{
	struct call call = { .command = command_of(cmd), .fd = fd, .good = true };

	call.direct = random_once_in(&f->random, 2) && !backend_is_device();
	return call_make(f, &call);
}

bool call_one(struct fuzzer *f, int cmd, int fd, const void *element)
{
	struct call call = { .command = command_of(cmd), .fd = fd, .narg = 1, .good = true };

	call.size = call.command->size;
	call.arg = room_place(f, call.size);
	memcpy(call.arg, element, call.size);
	call.direct = random_once_in(&f->random, 2) && !backend_is_device();
	return call_make(f, &call);
}
