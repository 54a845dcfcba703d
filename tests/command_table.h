/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands of the interface: the name of each, its arguments, and its own system call. For
 * tests of common properties of commands, and for the fuzzer.
 */
#ifndef TESTS_COMMAND_TABLE_H
#define TESTS_COMMAND_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <perfmon.h>

enum command_args {
	ARGS_NONE,	/* NULL and 0 */
	ARGS_OPTIONAL,	/* one element, or NULL and 0 */
	ARGS_ONE,
	ARGS_VECTOR,
};

struct command {
	const char		*name;		/* PFM_WRITE_PMCS */
	const char		*stem;		/* write_pmcs */
	int			cmd;
	long			direct;		/* number of the system call of its own */
	enum command_args	args;
	size_t			size;		/* of an element */
	bool			context;	/* takes a context's descriptor */
	bool			returns;	/* writes its argument */
};

#define COMMAND(upper, lower, args, size, context, returns)			\
	{ "PFM_" #upper, #lower, PFM_##upper, __NR_pfm_##lower, args, size, context, returns }

/* By number. */
static const struct command commands[] = {
	COMMAND(WRITE_PMCS, write_pmcs, ARGS_VECTOR, sizeof(pfarg_pmc_t), true, true),
	COMMAND(WRITE_PMDS, write_pmds, ARGS_VECTOR, sizeof(pfarg_pmd_t), true, true),
	COMMAND(READ_PMDS, read_pmds, ARGS_VECTOR, sizeof(pfarg_pmd_t), true, true),
	COMMAND(STOP, stop, ARGS_NONE, 0, true, false),
	COMMAND(START, start, ARGS_OPTIONAL, sizeof(pfarg_start_t), true, false),
	COMMAND(CREATE_CONTEXT, create_context, ARGS_ONE, sizeof(pfarg_ctx_t), false, true),
	COMMAND(RESTART, restart, ARGS_NONE, 0, true, false),
	COMMAND(LOAD_CONTEXT, load_context, ARGS_ONE, sizeof(pfarg_load_t), true, false),
	COMMAND(UNLOAD_CONTEXT, unload_context, ARGS_NONE, 0, true, false),
	COMMAND(CREATE_EVTSETS, create_evtsets, ARGS_VECTOR, sizeof(pfarg_setdesc_t), true, true),
	COMMAND(DELETE_EVTSETS, delete_evtsets, ARGS_VECTOR, sizeof(pfarg_setdesc_t), true, true),
	COMMAND(GETINFO_EVTSETS, getinfo_evtsets, ARGS_VECTOR, sizeof(pfarg_setinfo_t), true, true),
	COMMAND(GETINFO_PMCS, getinfo_pmcs, ARGS_VECTOR, sizeof(pfarg_pmcinfo_t), false, true),
	COMMAND(GETINFO_PMDS, getinfo_pmds, ARGS_VECTOR, sizeof(pfarg_pmdinfo_t), false, true),
	COMMAND(SET_CONFIG, set_config, ARGS_ONE, sizeof(pfarg_config_t), false, false),
	COMMAND(GET_CONFIG, get_config, ARGS_ONE, sizeof(pfarg_config_t), false, true),
};

#undef COMMAND

#define NUM_COMMANDS	(sizeof(commands) / sizeof(commands[0]))
#define MAX_COMMAND	PFM_GET_CONFIG

#define for_each_command(c) \
	for ((c) = commands; (c) < commands + NUM_COMMANDS; (c)++)

/* NULL: no such command. */
static inline const struct command *command_of(int cmd)
{
	const struct command *c;

	for_each_command(c)
		if (c->cmd == cmd)
			return c;
	return NULL;
}

/* If perfmon is a module: true if the command can be an ioctl() of its context's descriptor. */
static inline bool has_short_form(const struct command *c, int narg)
{
	return c && c->context && narg >= 0 && narg <= (int)_IOC_SIZEMASK;
}

/*
 * The command's own system call. It has the descriptor only if the command has a context, and the
 * number of elements only if that can vary; PFM_CREATE_CONTEXT is the exception: the argument of a
 * format may follow its one element.
 */
static inline long direct_call(const struct command *c, int fd, void *arg, int narg)
{
	if (c->args == ARGS_NONE)
		return syscall(c->direct, fd);
	if (c->args == ARGS_VECTOR && c->context)
		return syscall(c->direct, fd, arg, narg);
	if (c->args == ARGS_VECTOR || c->cmd == PFM_CREATE_CONTEXT)
		return syscall(c->direct, arg, narg);
	if (c->context)
		return syscall(c->direct, fd, arg);
	return syscall(c->direct, arg);
}

/* True if the direct call can express the same. If the command has no vector, it has no number. */
static inline bool has_direct_form(const struct command *c, const void *arg, int narg)
{
	const bool none = !arg && !narg, one = narg == 1;

	switch (c->args) {
	case ARGS_NONE:
		return none;
	case ARGS_OPTIONAL:
		return none || (one && arg);
	case ARGS_ONE:
		return one || c->cmd == PFM_CREATE_CONTEXT;
	case ARGS_VECTOR:
		break;
	}
	return true;
}

#endif /* TESTS_COMMAND_TABLE_H */
