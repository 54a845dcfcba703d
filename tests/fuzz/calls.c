// SPDX-License-Identifier: GPL-2.0
/*
 * The table of commands, and calls in both forms.
 */
#include "calls.h"
#include "memory.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define E(error)	(1ULL << (error))

/* Any call with a context may find it closed, and any vector may be too long. */
const struct command commands[MAX_COMMANDS] = {
	{ "write_pmcs", PFM_WRITE_PMCS, __NR_pfm_write_pmcs, ARGS_VECTOR, sizeof(pfarg_pmc_t),
	  true, true, E(EPERM), fill_pmc },
	{ "write_pmds", PFM_WRITE_PMDS, __NR_pfm_write_pmds, ARGS_VECTOR, sizeof(pfarg_pmd_t),
	  true, true, 0, fill_pmd },
	{ "read_pmds", PFM_READ_PMDS, __NR_pfm_read_pmds, ARGS_VECTOR, sizeof(pfarg_pmd_t),
	  true, true, 0, fill_read },
	{ "stop", PFM_STOP, __NR_pfm_stop, ARGS_NONE, 0, true, false, E(EBUSY), NULL },
	{ "start", PFM_START, __NR_pfm_start, ARGS_OPTIONAL, sizeof(pfarg_start_t),
	  true, false, E(EBUSY), fill_start },
	{ "create_context", PFM_CREATE_CONTEXT, __NR_pfm_create_context, ARGS_ONE,
	  sizeof(pfarg_ctx_t), false, true, E(EPERM) | E(EMFILE) | E(EIO), NULL },
	{ "restart", PFM_RESTART, __NR_pfm_restart, ARGS_NONE, 0, true, false,
	  E(EBUSY) | E(EIO), NULL },
	{ "load_context", PFM_LOAD_CONTEXT, __NR_pfm_load_context, ARGS_ONE,
	  sizeof(pfarg_load_t), true, false, E(EBUSY) | E(ESRCH) | E(EPERM), fill_load },
	{ "unload_context", PFM_UNLOAD_CONTEXT, __NR_pfm_unload_context, ARGS_NONE, 0,
	  true, false, E(EBUSY), NULL },
	{ "create_evtsets", PFM_CREATE_EVTSETS, __NR_pfm_create_evtsets, ARGS_VECTOR,
	  sizeof(pfarg_setdesc_t), true, true, E(EBUSY), fill_set },
	{ "delete_evtsets", PFM_DELETE_EVTSETS, __NR_pfm_delete_evtsets, ARGS_VECTOR,
	  sizeof(pfarg_setdesc_t), true, true, E(EBUSY), fill_deletion },
	{ "getinfo_evtsets", PFM_GETINFO_EVTSETS, __NR_pfm_getinfo_evtsets, ARGS_VECTOR,
	  sizeof(pfarg_setinfo_t), true, true, 0, fill_setinfo },
	{ "getinfo_pmcs", PFM_GETINFO_PMCS, __NR_pfm_getinfo_pmcs, ARGS_VECTOR,
	  sizeof(pfarg_pmcinfo_t), false, true, 0, fill_pmcinfo },
	{ "getinfo_pmds", PFM_GETINFO_PMDS, __NR_pfm_getinfo_pmds, ARGS_VECTOR,
	  sizeof(pfarg_pmdinfo_t), false, true, 0, fill_pmdinfo },
	{ "set_config", PFM_SET_CONFIG, __NR_pfm_set_config, ARGS_ONE, sizeof(pfarg_config_t),
	  false, false, E(EPERM), fill_config },
	{ "get_config", PFM_GET_CONFIG, __NR_pfm_get_config, ARGS_ONE, sizeof(pfarg_config_t),
	  false, true, 0, fill_config },
};

const unsigned int num_commands = 16;

const struct command *command_of(int cmd)
{
	unsigned int i;

	for (i = 0; i < num_commands; i++)
		if (commands[i].cmd == cmd)
			return &commands[i];
	return NULL;
}

static long multiplexed(const struct call *call)
{
	return syscall(__NR_perfmonctl, call->fd, call->command->cmd, call->arg, call->narg);
}

static long direct(const struct call *call)
{
	const struct command *command = call->command;

	if (command->cmd == PFM_CREATE_CONTEXT)
		return syscall(command->direct, call->arg, call->narg);
	if (command->args == ARGS_NONE)
		return syscall(command->direct, call->fd);
	if (command->args == ARGS_VECTOR && command->context)
		return syscall(command->direct, call->fd, call->arg, call->narg);
	if (command->args == ARGS_VECTOR)
		return syscall(command->direct, call->arg, call->narg);
	if (command->context)
		return syscall(command->direct, call->fd, call->arg);
	return syscall(command->direct, call->arg);
}

static uint64_t possible_errors(const struct call *call)
{
	const struct command *command = call->command;
	uint64_t errors = E(EINVAL) | command->errors;

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

/* The errors that come before the argument is looked at. */
static int certain_error(const struct call *call)
{
	const struct command *command = call->command;

	if (command->context && call->fd < 0)
		return EBADF;
	/* A context may be closed by another thread at any time, and then it is EBADF. */
	if (command->context || command->args != ARGS_VECTOR)
		return 0;
	if (call->narg <= 0)
		return EINVAL;
	return call->narg * command->size > 16 << 20 ? E2BIG : 0;
}

static void check_outcome(struct fuzzer *f, const struct call *call)
{
	const char *name = call->command->name;
	int certain = certain_error(call);

	if (call->ret != 0 && call->ret != -1)
		violation(f, "%s returned %ld", name, call->ret);
	else if (call->ret && (call->error < 0 || call->error >= MAX_ERRNO ||
			       !(possible_errors(call) & E(call->error))))
		violation(f, "%s failed with %s%s", name, strerrorname_np(call->error),
			  call->good ? "" : " (the memory is not all good)");
	else if (certain && (!call->ret || call->error != certain))
		violation(f, "%s (descriptor %d, narg %d) ended with %s, not %s", name, call->fd,
			  call->narg, call->ret ? strerrorname_np(call->error) : "success",
			  strerrorname_np(certain));
}

bool call_make(struct fuzzer *f, struct call *call)
{
	unsigned int index = call->command - commands;

	if (call->good && call->size)
		memcpy(f->before, call->arg, call->size);
	errno = 0;
	call->ret = call->direct ? direct(call) : multiplexed(call);
	call->error = errno;
	add_return(&world->made[index], 1);
	add_return(&world->ended[index][call->ret ? call->error % MAX_ERRNO : 0], 1);
	note(f, "%s%s(%d, %p%s, %d) = %s", call->direct ? "pfm_" : "", call->command->name,
	     call->fd, call->arg, call->good ? "" : " bad", call->narg,
	     call->ret ? strerrorname_np(call->error) : "0");
	check_outcome(f, call);
	if (call->good && call->size) {
		if (!room_is_intact(f, call->arg, call->size))
			violation(f, "%s wrote outside of its argument", call->command->name);
		check_call(f, call, f->before);
	}
	return !call->ret;
}

bool call_simple(struct fuzzer *f, int cmd, int fd)
{
	struct call call = { .command = command_of(cmd), .fd = fd, .good = true };

	call.direct = random_once_in(&f->random, 2);
	return call_make(f, &call);
}

bool call_one(struct fuzzer *f, int cmd, int fd, const void *element)
{
	struct call call = { .command = command_of(cmd), .fd = fd, .narg = 1, .good = true };

	call.size = call.command->size;
	call.arg = room_place(f, call.size);
	memcpy(call.arg, element, call.size);
	call.direct = random_once_in(&f->random, 2);
	return call_make(f, &call);
}
