// SPDX-License-Identifier: GPL-2.0
/*
 * Operations: the commands, one by one.
 */
#include "backend.h"
#include "calls.h"
#include "memory.h"
#include "slots.h"

#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool rarely(struct fuzzer *f, unsigned int n)
{
	return !f->sane && random_once_in(&f->random, n);
}

/* The number of elements in memory; the number in the call may be another one. */
static unsigned int random_length(struct fuzzer *f, const struct command *command)
{
	unsigned int most = ROOM_SIZE / command->size;

	if (command->args != ARGS_VECTOR)
		return 1;
	if (rarely(f, 25))
		return 1 + random_below(&f->random, most);
	return 1 + random_below(&f->random, 4);
}

static void random_elements(struct fuzzer *f, struct call *call, unsigned int n)
{
	const struct command *command = call->command;
	unsigned int i;

	call->size = n * command->size;
	call->arg = room_place(f, call->size);
	call->narg = n;
	for (i = 0; i < n; i++)
		command_fill(f, command, call->arg + i * command->size);
	if (rarely(f, 12))
		mutate(f, call->arg, call->size);
}

static void spoil_length(struct fuzzer *f, struct call *call)
{
	static const int lengths[] = {
		0, -1, INT_MIN, INT_MAX, 0x10000000, 0x08000001, 0x04000000, 1000, 100000,
	};

	call->narg = random_of(&f->random, lengths);
	/* Elements that the kernel may read, but that do not exist. */
	call->good = call->good && call->narg <= 0;
}

static void spoil_memory(struct fuzzer *f, struct call *call)
{
	call->arg = bad_memory(f, call->arg, call->size);
	call->good = false;
}

/* Other threads write to it while the kernel reads it. */
static void share_memory(struct fuzzer *f, struct call *call)
{
	unsigned char *place = (unsigned char *)common_memory() + random_below(&f->random, 64);

	if (call->size > PAGE)
		return;
	memcpy(place, call->arg, call->size);
	call->arg = place;
	call->good = false;
}

static void spoil(struct fuzzer *f, struct call *call)
{
	if (call->arg && rarely(f, 25))
		share_memory(f, call);
	else if (call->arg && rarely(f, 20))
		spoil_memory(f, call);
	if (rarely(f, 40))
		spoil_length(f, call);
	if (call->command->context && rarely(f, 60))
		call->fd = (int)random_scaled(&f->random);
}

bool command_run(struct fuzzer *f, const struct command *command)
{
	struct call call = { .command = command, .fd = -1, .good = true };

	call.direct = random_once_in(&f->random, 3) && !backend_is_device();
	if (command->context)
		call.fd = context_pick(f).fd;
	if (command->args == ARGS_ONE || command->args == ARGS_VECTOR ||
	    (command->args == ARGS_OPTIONAL && random_once_in(&f->random, 2)))
		random_elements(f, &call, random_length(f, command));
	spoil(f, &call);
	/* Without an argument, its stated length must be 0; the short form has no length. */
	if (!call.arg && call.narg)
		call.good = false;
	return call_make(f, &call);
}

bool context_create(struct fuzzer *f, struct context *created)
{
	struct call call = { .command = command_of(PFM_CREATE_CONTEXT), .fd = -1, .narg = 1,
			     .good = true };
	unsigned char argument[sizeof(pfarg_ctx_t) + FORMAT_ARG_MAX];
	pfarg_ctx_t *context = (pfarg_ctx_t *)argument;

	fill_context(f, argument, &call.size);
	if (rarely(f, 20))
		/* Not the format's part: the probe returns any error that it finds there. */
		mutate(f, context, sizeof(*context));
	call.arg = room_place(f, call.size);
	memcpy(call.arg, argument, call.size);
	call.direct = random_once_in(&f->random, 2) && !backend_is_device();
	spoil(f, &call);
	if (!call_make(f, &call))
		return false;
	/* In memory that others share, the result may have been overwritten. */
	if (!call.good)
		return false;
	memcpy(argument, call.arg, sizeof(*context));
	*created = (struct context) { context->ctx_fd, context->ctx_smpl_buf_size };
	context_keep(f, *created);
	return true;
}

static void do_create(struct fuzzer *f)
{
	struct context context;

	context_create(f, &context);
}

static void do_unknown(struct fuzzer *f)
{
	int cmd = random_once_in(&f->random, 2) ? (int)random_below(&f->random, 0x40) :
						  (int)random_u64(&f->random);
	long ret;

	if (command_of(cmd))
		return;
	ret = backend_call(context_pick(f).fd, cmd, f->room, 1);
	note(f, "command %#x", cmd);
	if (ret != -1 || errno != EINVAL)
		violation(f, "unknown command %#x: %ld, %s", cmd, ret, strerrorname_np(errno));
}

static void do_scribble(struct fuzzer *f)
{
	unsigned char *bytes = common_memory();
	unsigned int i;

	note(f, "scribble");
	for (i = 0; i < 200; i++)
		((volatile unsigned char *)bytes)[random_below(&f->random, 512)] =
			random_u64(&f->random);
}

#define COMMAND(name, cmd)				\
	static void do_##name(struct fuzzer *f)		\
	{						\
		command_run(f, command_of(cmd));	\
	}

COMMAND(write_pmcs, PFM_WRITE_PMCS)
COMMAND(write_pmds, PFM_WRITE_PMDS)
COMMAND(read_pmds, PFM_READ_PMDS)
COMMAND(start, PFM_START)
COMMAND(stop, PFM_STOP)
COMMAND(restart, PFM_RESTART)
COMMAND(load, PFM_LOAD_CONTEXT)
COMMAND(unload, PFM_UNLOAD_CONTEXT)
COMMAND(create_sets, PFM_CREATE_EVTSETS)
COMMAND(delete_sets, PFM_DELETE_EVTSETS)
COMMAND(getinfo_sets, PFM_GETINFO_EVTSETS)
COMMAND(getinfo_pmcs, PFM_GETINFO_PMCS)
COMMAND(getinfo_pmds, PFM_GETINFO_PMDS)
COMMAND(get_config, PFM_GET_CONFIG)

/* Limits that change all the time would prevent everything else. */
static void do_set_config(struct fuzzer *f)
{
	if (world->plan.configure)
		command_run(f, command_of(PFM_SET_CONFIG));
}

const struct operation command_operations[] = {
	{ "create", 5, do_create },
	{ "write_pmcs", 8, do_write_pmcs },
	{ "write_pmds", 8, do_write_pmds },
	{ "read_pmds", 8, do_read_pmds },
	{ "start", 7, do_start },
	{ "stop", 3, do_stop },
	{ "restart", 14, do_restart },
	{ "load", 8, do_load },
	{ "unload", 4, do_unload },
	{ "create_sets", 4, do_create_sets },
	{ "delete_sets", 2, do_delete_sets },
	{ "getinfo_sets", 4, do_getinfo_sets },
	{ "getinfo_pmcs", 1, do_getinfo_pmcs },
	{ "getinfo_pmds", 1, do_getinfo_pmds },
	{ "get_config", 1, do_get_config },
	{ "set_config", 3, do_set_config },
	{ "unknown", 1, do_unknown },
	{ "scribble", 4, do_scribble },
	{ }
};
