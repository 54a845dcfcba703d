// SPDX-License-Identifier: GPL-2.0
/* Event sets: creation, deletion, information. timer.c switches them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nanoseconds.h"
#include "perf/context.h"

struct perf_set *perf_new_set(unsigned int id)
{
	struct perf_set *set = calloc(1, sizeof(*set));
	unsigned int i;

	if (!set)
		return NULL;
	set->id = (uint16_t)id;
	set->leader = -1;
	for (i = 0; i < PERF_REGS; i++)
		set->pmd[i].fd = -1;
	return set;
}

struct perf_set *perf_find_set(const struct perf_context *ctx, unsigned int id)
{
	struct perf_set *set;

	for (set = ctx->sets; set && set->id != id; set = set->next)
		;
	return set;
}

/* The set that follows when the time of @set is over. */
struct perf_set *perf_set_after(const struct perf_context *ctx, const struct perf_set *set)
{
	struct perf_set *next = NULL;

	if (set->flags & PFM_SETFL_EXPL_NEXT)
		next = perf_find_set(ctx, set->id_next);
	if (!next)
		next = set->next;
	return next ? next : ctx->sets;
}

static int bad(uint32_t *flags, uint32_t flag, int error)
{
	*flags = (*flags & ~PFM_SET_RETFL_MASK) | flag;
	errno = error;
	return -1;
}

static int check_set(pfarg_setdesc_t *desc)
{
	const uint32_t flags = desc->set_flags & ~PFM_SET_RETFL_MASK;

	if (flags & ~(uint32_t)(PFM_SETFL_TIME_SWITCH | PFM_SETFL_EXPL_NEXT)) {
		perfmon_refuse(ENOSYS, NULL, "with perf_events, event sets are switched by time only");
		return bad(&desc->set_flags, PFM_SET_RETFL_EINVAL, ENOSYS);
	}
	if (flags & PFM_SETFL_TIME_SWITCH &&
	    (desc->set_timeout.tv_sec < 0 || desc->set_timeout.tv_nsec < 0 ||
	     desc->set_timeout.tv_nsec >= (long long)NSEC_PER_SEC ||
	     desc->set_timeout.tv_sec > INT32_MAX ||
	     (!desc->set_timeout.tv_sec && !desc->set_timeout.tv_nsec)))
		return bad(&desc->set_flags, PFM_SET_RETFL_EINVAL, EINVAL);
	return 0;
}

/* Insert a set at its place by number. */
static struct perf_set *insert(struct perf_context *ctx, unsigned int id)
{
	struct perf_set **at = &ctx->sets, *set;

	while (*at && (*at)->id < id)
		at = &(*at)->next;
	if (*at && (*at)->id == id)
		return *at;
	set = perf_new_set(id);
	if (!set)
		return NULL;
	set->next = *at;
	*at = set;
	return set;
}

static int create_set(struct perf_context *ctx, pfarg_setdesc_t *desc)
{
	uint64_t ns = (uint64_t)desc->set_timeout.tv_sec * NSEC_PER_SEC +
		      (uint64_t)desc->set_timeout.tv_nsec;
	struct perf_set *set;

	if (check_set(desc))
		return -1;
	set = insert(ctx, desc->set_id);
	if (!set) {
		errno = ENOMEM;
		return -1;
	}
	desc->set_flags &= ~PFM_SET_RETFL_MASK;
	set->id_next = desc->set_id_next;
	set->flags = desc->set_flags;
	if (!(set->flags & PFM_SETFL_TIME_SWITCH))
		return 0;
	set->timeout_ns = ns < PERF_TIMEOUT_MIN_NS ? PERF_TIMEOUT_MIN_NS : ns;
	desc->set_timeout.tv_sec = (__s64)(set->timeout_ns / NSEC_PER_SEC);
	desc->set_timeout.tv_nsec = (long long)(set->timeout_ns % NSEC_PER_SEC);
	return 0;
}

int perf_create_evtsets(struct perf_context *ctx, pfarg_setdesc_t *arg, int narg)
{
	int i;

	if (ctx->loaded) {
		errno = EBUSY;
		return -1;
	}
	for (i = 0; i < narg; i++)
		if (create_set(ctx, &arg[i]))
			return -1;
	ctx->active = ctx->sets;
	return 0;
}

int perf_delete_evtsets(struct perf_context *ctx, pfarg_setdesc_t *arg, int narg)
{
	struct perf_set **at, *set;
	int i;

	if (ctx->loaded) {
		errno = EBUSY;
		return -1;
	}
	for (i = 0; i < narg; i++) {
		for (at = &ctx->sets; *at && (*at)->id != arg[i].set_id; at = &(*at)->next)
			;
		set = *at;
		if (!set)
			return bad(&arg[i].set_flags, PFM_SET_RETFL_NOSET, EINVAL);
		if (!set->id) /* as in the kernel, set 0 always exists */
			return bad(&arg[i].set_flags, PFM_SET_RETFL_EINVAL, EINVAL);
		*at = set->next;
		free(set);
		arg[i].set_flags &= ~PFM_SET_RETFL_MASK;
	}
	ctx->active = ctx->sets;
	return 0;
}

/* A group counts its time itself: that of the thread, while it was enabled. */
static int getinfo(struct perf_context *ctx, pfarg_setinfo_t *info)
{
	const struct perf_set *set = perf_find_set(ctx, info->set_id);
	struct perf_count count;
	uint64_t ns;

	if (!set)
		return bad(&info->set_flags, PFM_SET_RETFL_NOSET, EINVAL);
	ns = set->active_ns;
	if (set->leader >= 0 && perf_read_event(set->leader, &count))
		ns += count.enabled_ns;
	memset(info, 0, sizeof(*info));
	info->set_id = set->id;
	info->set_id_next = set->id_next;
	info->set_flags = set->flags;
	info->set_runs = set->runs;
	info->set_timeout.tv_sec = (__s64)(set->timeout_ns / NSEC_PER_SEC);
	info->set_timeout.tv_nsec = (long long)(set->timeout_ns % NSEC_PER_SEC);
	info->set_act_duration.tv_sec = (__s64)(ns / NSEC_PER_SEC);
	info->set_act_duration.tv_nsec = (long long)(ns % NSEC_PER_SEC);
	return 0;
}

int perf_getinfo_evtsets(struct perf_context *ctx, pfarg_setinfo_t *arg, int narg)
{
	int i;

	for (i = 0; i < narg; i++)
		if (getinfo(ctx, &arg[i]))
			return -1;
	return 0;
}
