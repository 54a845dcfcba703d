// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: accounting of memory.
 *
 * A user's memory in the kernel counts like locked pages, against RLIMIT_MEMLOCK:
 * sampling buffers in full; contexts and their event sets beyond a small
 * allowance, so that counting needs no limit above 0. The account is that of the user's
 * locked pages, shared with perf_events.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/hashtable.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/resource.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include "context.h"
#include "memory.h"

/* A user's contexts and event sets up to here cost nothing: documented in perfmon.7. */
#define PFM_FREE_BYTES	(256L << 10)

/**
 * struct pfm_account - A user's contexts and event sets.
 * @node: in pfm_accounts
 * @user: the user, with a reference
 * @contexts: number of contexts [pfm_accounts_lock]
 * @bytes: memory of these and their sets
 */
struct pfm_account {
	struct hlist_node	node;
	struct user_struct	*user;
	unsigned long		contexts;
	atomic_long_t		bytes;
};

/* One for each user that has a context; one login can have 65,536 users, in a user namespace. */
static DEFINE_HASHTABLE(pfm_accounts, 8);
static DEFINE_MUTEX(pfm_accounts_lock);

static struct pfm_account *pfm_account_find(struct user_struct *user)
{
	struct pfm_account *account;

	hash_for_each_possible(pfm_accounts, account, node, (unsigned long)user) {
		if (account->user == user)
			return account;
	}
	account = kzalloc(sizeof(*account), GFP_KERNEL_ACCOUNT);
	if (!account)
		return NULL;
	account->user = get_uid(user);
	hash_add(pfm_accounts, &account->node, (unsigned long)user);
	return account;
}

/**
 * pfm_account_get() - The account of a user, for one more context.
 * @user: the user
 *
 * Context: may sleep.
 *
 * Return: the account, to be given back with pfm_account_put(), or NULL.
 */
struct pfm_account *pfm_account_get(struct user_struct *user)
{
	struct pfm_account *account;

	mutex_lock(&pfm_accounts_lock);
	account = pfm_account_find(user);
	if (account)
		account->contexts++;
	mutex_unlock(&pfm_accounts_lock);
	return account;
}

/**
 * pfm_account_put() - Give an account back: a context is gone.
 * @account: its account, or NULL
 *
 * Context: may sleep.
 */
void pfm_account_put(struct pfm_account *account)
{
	bool last;

	if (!account)
		return;
	mutex_lock(&pfm_accounts_lock);
	last = !--account->contexts;
	if (last)
		hash_del(&account->node);
	mutex_unlock(&pfm_accounts_lock);
	if (last) {
		free_uid(account->user);
		kfree(account);
	}
}

/* Put pages on the account of a user; they stay there even above the limit. */
static bool pfm_memlock_add(struct user_struct *user, unsigned long pages)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;

	return atomic_long_add_return(pages, &user->locked_vm) <= limit || capable(CAP_IPC_LOCK);
}

/**
 * pfm_memlock_charge() - Put pages on the account of a user.
 * @user: the user: the caller's, or that of the context's creator
 * @pages: how many
 *
 * Return: 0; -ENOMEM above RLIMIT_MEMLOCK, without CAP_IPC_LOCK.
 */
int pfm_memlock_charge(struct user_struct *user, unsigned long pages)
{
	if (pfm_memlock_add(user, pages))
		return 0;
	pfm_memlock_uncharge(user, pages);
	return -ENOMEM;
}

/**
 * pfm_memlock_uncharge() - Undo pfm_memlock_charge().
 * @user: the user
 * @pages: how many
 */
void pfm_memlock_uncharge(struct user_struct *user, unsigned long pages)
{
	atomic_long_sub(pages, &user->locked_vm);
}

static unsigned long pfm_pages_beyond(long bytes)
{
	return bytes > PFM_FREE_BYTES ? DIV_ROUND_UP(bytes - PFM_FREE_BYTES, PAGE_SIZE) : 0;
}

/**
 * pfm_memory_charge() - Charge memory of a context other than its buffer.
 * @ctx: the context, locked or not in use yet
 * @size: bytes
 *
 * Return: 0; -ENOMEM above the allowance and RLIMIT_MEMLOCK, without CAP_IPC_LOCK.
 */
int pfm_memory_charge(struct pfm_context *ctx, size_t size)
{
	long bytes = atomic_long_add_return(size, &ctx->account->bytes);
	unsigned long pages = pfm_pages_beyond(bytes) - pfm_pages_beyond(bytes - (long)size);

	ctx->bytes += size;
	if (!pages || pfm_memlock_add(ctx->user, pages))
		return 0;
	/* Not "minus pages": another thread's step may have come in between. */
	pfm_memory_uncharge(ctx, size);
	return -ENOMEM;
}

/**
 * pfm_memory_uncharge() - Undo pfm_memory_charge(), in whole or in part.
 * @ctx: the context, locked or not in use any more
 * @size: bytes
 *
 * However the steps of several threads mix, the pages on the account are those of
 * the bytes, when all are done: each step moves from one sum of bytes to the next.
 */
void pfm_memory_uncharge(struct pfm_context *ctx, size_t size)
{
	long bytes = atomic_long_sub_return(size, &ctx->account->bytes);

	ctx->bytes -= size;
	pfm_memlock_uncharge(ctx->user, pfm_pages_beyond(bytes + (long)size) -
					pfm_pages_beyond(bytes));
}
