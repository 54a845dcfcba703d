// SPDX-License-Identifier: GPL-2.0
/*
 * The backend of perf_event_open(): perfmonctl() without the kernel's perfmon.
 *
 * A library cannot do all that a kernel can. Unsupported functions fail with ENOSYS, and
 * perfmon_last_error() names them; libperfmon(3) lists them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perf/context.h"

static int perf_close(int fd)
{
	struct perf_context *ctx = perf_get(fd);

	if (!ctx)
		return close(fd);
	perf_table_remove(ctx);
	perf_destroy(ctx);
	perf_put();
	return 0;
}

/* Commands of a context, under the lock. */
static int context_command(struct perf_context *ctx, int cmd, void *arg, int narg)
{
	switch (cmd) {
	case PFM_WRITE_PMCS:
		return perf_write_pmcs(ctx, arg, narg);
	case PFM_WRITE_PMDS:
		return perf_write_pmds(ctx, arg, narg);
	case PFM_READ_PMDS:
		return perf_read_pmds(ctx, arg, narg);
	case PFM_CREATE_EVTSETS:
		return perf_create_evtsets(ctx, arg, narg);
	case PFM_DELETE_EVTSETS:
		return perf_delete_evtsets(ctx, arg, narg);
	case PFM_GETINFO_EVTSETS:
		return perf_getinfo_evtsets(ctx, arg, narg);
	case PFM_LOAD_CONTEXT:
		return perf_load(ctx, arg);
	case PFM_UNLOAD_CONTEXT:
		return perf_unload(ctx);
	case PFM_START:
		return perf_start(ctx, narg ? arg : NULL);
	case PFM_STOP:
		return perf_stop(ctx);
	default:
		return perf_restart(ctx);
	}
}

/* Number of elements of a command: vectors any number, the others this one. */
static const struct form {
	int	cmd;
	int	narg;		/* 0, 1, OPTIONAL or VECTOR */
} forms[] = {
#define OPTIONAL	2
#define VECTOR		3
	{ PFM_WRITE_PMCS, VECTOR }, { PFM_WRITE_PMDS, VECTOR }, { PFM_READ_PMDS, VECTOR },
	{ PFM_CREATE_EVTSETS, VECTOR }, { PFM_DELETE_EVTSETS, VECTOR },
	{ PFM_GETINFO_EVTSETS, VECTOR }, { PFM_GETINFO_PMCS, VECTOR },
	{ PFM_GETINFO_PMDS, VECTOR }, { PFM_CREATE_CONTEXT, 1 }, { PFM_LOAD_CONTEXT, 1 },
	{ PFM_GET_CONFIG, 1 }, { PFM_SET_CONFIG, 1 }, { PFM_START, OPTIONAL },
	{ PFM_STOP, 0 }, { PFM_RESTART, 0 }, { PFM_UNLOAD_CONTEXT, 0 },
};

/* 0, or an errno. */
static int check_form(int cmd, const void *arg, int narg)
{
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (forms[i].cmd != cmd)
			continue;
		if (forms[i].narg == VECTOR ? narg < 1 :
		    forms[i].narg == OPTIONAL ? narg < 0 || narg > 1 : narg != forms[i].narg)
			return EINVAL;
		return narg && !arg ? EFAULT : 0;
	}
	return EINVAL;
}

static int perf_call(int fd, int cmd, void *arg, int narg)
{
	const int error = check_form(cmd, arg, narg);
	struct perf_context *ctx;
	int result;

	if (error) {
		errno = error;
		return -1;
	}
	switch (cmd) {
	case PFM_CREATE_CONTEXT:
		return perf_create(arg, narg);
	case PFM_GET_CONFIG:
		return perf_get_config(arg);
	case PFM_GETINFO_PMCS:
		return perf_getinfo_pmcs(arg, narg);
	case PFM_GETINFO_PMDS:
		return perf_getinfo_pmds(arg, narg);
	case PFM_SET_CONFIG:
		return perfmon_refuse(ENOSYS, "perf_events has settings of its own, below /proc/sys/kernel/perf_*.",
				      "perf_events has none of the settings of PFM_SET_CONFIG");
	}
	ctx = perf_get(fd);
	if (!ctx)
		return -1;
	result = context_command(ctx, cmd, arg, narg);
	perf_put();
	return result;
}

static bool throttle_is_news(const struct perf_context *ctx)
{
	return ctx->flags & PFM_FL_EXTRA_MSG && ctx->sampling &&
	       ctx->sampling->throttles_reported < ctx->sampling->throttles;
}

/* The next message: samples first, because they are older. Under the lock. */
static bool next_message(struct perf_context *ctx, pfm_msg_t *msg)
{
	struct perf_sampling *sampling = ctx->sampling;

	if (perf_drain(ctx))
		perf_check_end(ctx);
	memset(msg, 0, sizeof(*msg));
	if (throttle_is_news(ctx)) {
		sampling->throttles_reported++;
		msg->msg_type = PFM_MSG_THROTTLE;
		return true;
	}
	if (sampling && sampling->fresh && !sampling->masked) {
		sampling->fresh = false;
		sampling->masked = true;
		msg->msg_type = PFM_MSG_OVFL;
		perfmon_bv_set(msg->pfm_ovfl_msg.msg_ovfl_pmds, sampling->pmd);
		return true;
	}
	if (!ctx->over)
		return false;
	ctx->over = false;
	msg->msg_type = PFM_MSG_END;
	return true;
}

/* Make the descriptor readable as long as there is a message that was not taken. */
static void note_more(struct perf_context *ctx)
{
	const struct perf_sampling *sampling = ctx->sampling;
	uint64_t value = 1;
	ssize_t n;
	bool due;

	if (!sampling)
		return;
	due = ctx->over || (!sampling->masked && sampling->fresh) || throttle_is_news(ctx);
	n = due ? write(ctx->more, &value, sizeof(value)) :
		  read(ctx->more, &value, sizeof(value));
	(void)n; /* it was so already */
}

static int perf_read_message(int fd, pfm_msg_t *msg)
{
	struct perf_context *ctx;
	struct epoll_event event;
	bool got;

	for (;;) {
		ctx = perf_get(fd);
		if (!ctx) {
			errno = EIO;
			return -1;
		}
		got = next_message(ctx, msg);
		note_more(ctx);
		perf_put();
		if (got)
			return 1;
		if (fcntl(fd, F_GETFL) & O_NONBLOCK)
			return 0;
		if (epoll_wait(fd, &event, 1, -1) < 0 && errno != EINTR)
			return -1;
	}
}

static int perf_sync_buffer(int fd)
{
	struct perf_context *ctx = perf_get(fd);

	if (!ctx)
		return -1;
	perf_drain(ctx);
	note_more(ctx);
	perf_put();
	return 0;
}

static void *perf_map_buffer(int fd, size_t size)
{
	struct perf_context *ctx = perf_get(fd);
	void *buffer = MAP_FAILED;

	if (!ctx)
		return NULL;
	if (!ctx->sampling || size != ctx->sampling->mapped)
		errno = EINVAL;
	else
		buffer = mmap(NULL, size, PROT_READ, MAP_SHARED, ctx->sampling->memory, 0);
	perf_put();
	return buffer == MAP_FAILED ? NULL : buffer;
}

/* The number of samples that a throttle has suppressed is not known: there is no line for it. */
static int perf_read_fdinfo(int fd, char *buf, size_t size)
{
	const struct perf_sampling none = { 0 }, *sampling;
	struct perf_context *ctx = perf_get(fd);
	uint64_t lost;

	if (!ctx)
		return -1;
	sampling = ctx->sampling ? ctx->sampling : &none;
	lost = sampling->lost + sampling->ring_lost;
	snprintf(buf, size,
		 "pfm-recorded: %llu\npfm-lost-full: %llu\npfm-lost-error: 0\n"
		 "pfm-lost-late: 0\npfm-lost-messages: 0\npfm-masked-ns: 0\npfm-suspended-ns: 0",
		 (unsigned long long)sampling->recorded, (unsigned long long)lost);
	if (!sampling->throttles)
		snprintf(buf + strlen(buf), size - strlen(buf),
			 "\npfm-overflows: %llu\npfm-lost-throttled: 0",
			 (unsigned long long)(sampling->recorded + lost));
	perf_put();
	return 0;
}

const struct perfmon_backend perfmon_perf_backend = {
	.name		= "perf_events",
	.call		= perf_call,
	.read_message	= perf_read_message,
	.sync_buffer	= perf_sync_buffer,
	.map_buffer	= perf_map_buffer,
	.read_fdinfo	= perf_read_fdinfo,
	.sysfs_read	= perf_sysfs_read,
	.close		= perf_close,
};
