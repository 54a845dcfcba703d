/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the event sets of a context, and their order.
 */
#ifndef _KERNEL_PERFMON_SET_LIST_H
#define _KERNEL_PERFMON_SET_LIST_H

#include <linux/types.h>
#include <linux/xarray.h>
#include "context.h"

void pfm_sets_forget_pmu(void);
void pfm_sets_set_pmu(void);
struct pfm_event_set *pfm_set_find(struct pfm_context *ctx, u16 id);
struct pfm_event_set *pfm_set_obtain(struct pfm_context *ctx, u16 id);
bool pfm_set_remove(struct pfm_context *ctx, u16 id);
int pfm_sets_init(struct pfm_context *ctx);
void pfm_sets_destroy(struct pfm_context *ctx);
int pfm_sets_chain(struct pfm_context *ctx);
bool pfm_sets_have_pmc(struct pfm_context *ctx);
void pfm_sets_refresh(struct pfm_context *ctx);

/*
 * All sets by number: @id is an unsigned long. The search ends at the last set: it would look at
 * each empty place of a node, of which there are 64.
 */
#define pfm_for_each_set(ctx, id, set)					\
	for ((id) = 0, (set) = (ctx)->set0; (set);			\
	     (set) = (id) >= (ctx)->last_set ? NULL :			\
		     xa_find_after(&(ctx)->sets, &(id), (ctx)->last_set, XA_PRESENT))

#endif /* _KERNEL_PERFMON_SET_LIST_H */
