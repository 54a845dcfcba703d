// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the plain read: of a few hardware PMDs of set 0, and of nothing but their values.
 *
 * Most reads are plain, and programs read counters often. So the argument is not copied:
 * the numbers of the PMDs are taken from it, and the results are written to it.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/sizes.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>
#include "read.h"
#include "read_plain.h"

/* PMDs of the largest plain read: the counters of a large PMU. */
#define PFM_PLAIN_MAX	16

/* Below any limit of an argument's size. */
static_assert(PFM_PLAIN_MAX * sizeof(pfarg_pmd_t) <= SZ_4K);

struct pfm_plain_pmd {
	u64		value;
	u64		last_reset;
	unsigned int	num;
};

struct pfm_plain {
	struct pfm_plain_pmd	pmds[PFM_PLAIN_MAX];
	unsigned int		n;
};

#define pfm_for_each_plain(i, plain)	for ((i) = 0; (i) < (plain)->n; (i)++)

/* The members of an element that tell if its read is a plain one: they are fetched as a word. */
union pfm_plain_head {
	u64		word;
	struct {
		u16	num;
		u16	set;
		u32	flags;
	};
};

static_assert(offsetof(pfarg_pmd_t, reg_num) == offsetof(union pfm_plain_head, num));
static_assert(offsetof(pfarg_pmd_t, reg_set) == offsetof(union pfm_plain_head, set));
static_assert(offsetof(pfarg_pmd_t, reg_flags) == offsetof(union pfm_plain_head, flags));

/* Get the numbers of the PMDs. False: the read is not plain, or the memory is bad. */
static bool pfm_plain_get(struct pfm_plain *plain, const pfarg_pmd_t __user *from)
{
	const unsigned int num_pmds = pfm_pmu->num_pmds;
	const u64 present = pfm_hw_pmds;
	union pfm_plain_head head;
	unsigned int i;

	if (!user_read_access_begin(from, plain->n * sizeof(*from)))
		return false;
	pfm_for_each_plain(i, plain) {
		unsafe_get_user(head.word, (const u64 __user *)&from[i], out);
		if (head.flags || head.set || head.num >= PFM_MAX_HW_PMDS ||
		    !(present & BIT_ULL(head.num)))
			goto out;
		plain->pmds[i].num = array_index_nospec(head.num, num_pmds);
	}
	user_read_access_end();
	return true;
out:
	user_read_access_end();
	return false;
}

/* Return the results. Returns 0 or -EFAULT. */
static int pfm_plain_put(pfarg_pmd_t __user *to, const struct pfm_plain *plain)
{
	unsigned int i;

	if (!user_write_access_begin(to, plain->n * sizeof(*to)))
		return -EFAULT;
	pfm_for_each_plain(i, plain) {
		unsafe_put_user(plain->pmds[i].value, &to[i].reg_value, fault);
		unsafe_put_user(plain->pmds[i].last_reset, &to[i].reg_last_reset_val, fault);
		unsafe_put_user(0, &to[i].reg_ovflsw_thres, fault);
		unsafe_put_user(0, &to[i].reg_pad, fault);
	}
	user_write_access_end();
	return 0;
fault:
	user_write_access_end();
	return -EFAULT;
}

static __always_inline void pfm_plain_values(struct pfm_context *ctx, bool here, void *arg)
{
	struct pfm_plain *plain = arg;
	struct pfm_event_set *set = ctx->set0;
	u64 live = pfm_counting_set(ctx, here) == set ? set->regs.live_pmds : 0;
	struct pfm_plain_pmd *to;
	struct pfm_pmd *pmd;
	unsigned int i;

	pfm_for_each_plain(i, plain) {
		to = &plain->pmds[i];
		pmd = pfm_pmd_of(set, to->num);
		to->value = pfm_present_value(pmd, live, to->num);
		to->last_reset = pmd->last_reset;
	}
}

/* Inline where the context is the caller's own. */
static __always_inline void pfm_plain_here(struct pfm_context *ctx, bool here, void *arg)
{
	pfm_read_counting(ctx, here, 0, pfm_plain_values, arg);
}

/**
 * pfm_read_plain() - PFM_READ_PMDS, if the read is plain.
 * @ctx: the context
 * @arg: user memory: array of @n pfarg_pmd_t
 * @n: elements
 *
 * Counters go on counting meanwhile.
 *
 * Return: 0; -EAGAIN, and nothing is done, if the read is not plain; -EFAULT; -EINTR when the
 * caller is being killed.
 *
 * Context: ctx->lock not held; may sleep.
 */
int pfm_read_plain(struct pfm_context *ctx, void __user *arg, unsigned int n)
{
	struct pfm_plain plain;
	bool done = false;

	plain.n = n;
	if (n > PFM_PLAIN_MAX || !pfm_plain_get(&plain, arg))
		return -EAGAIN;
	if (mutex_lock_killable(&ctx->lock))
		return -EINTR;
	if (likely(!ctx->set0->narrow_pmds && !(ctx->set0->flags & PFM_SETFL_OVFL_SWITCH))) {
		pfm_target_call(ctx, pfm_plain_here, &plain);
		done = true;
	}
	mutex_unlock(&ctx->lock);
	return done ? pfm_plain_put(arg, &plain) : -EAGAIN;
}
