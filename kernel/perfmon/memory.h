/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: accounting of the memory of users' contexts, sets and buffers.
 */
#ifndef _KERNEL_PERFMON_MEMORY_H
#define _KERNEL_PERFMON_MEMORY_H

#include <linux/types.h>

struct pfm_account;
struct pfm_context;
struct user_struct;

struct pfm_account *pfm_account_get(struct user_struct *user);
void pfm_account_put(struct pfm_account *account);
int pfm_memlock_charge(struct user_struct *user, unsigned long pages);
void pfm_memlock_uncharge(struct user_struct *user, unsigned long pages);
int pfm_memory_charge(struct pfm_context *ctx, size_t size);
void pfm_memory_uncharge(struct pfm_context *ctx, size_t size);

#endif /* _KERNEL_PERFMON_MEMORY_H */
