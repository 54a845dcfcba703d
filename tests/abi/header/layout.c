// SPDX-License-Identifier: GPL-2.0
/*
 * The layout that the kernel asserts for itself holds in every other mode, too.
 */
#include <perfmon.h>
#include <perfmon_branch_smpl.h>
#include <perfmon_compact_smpl.h>
#include <perfmon_default_smpl.h>
#include <perfmon_hist_smpl.h>
#include <perfmon_ibs_smpl.h>
#include <perfmon_ring_smpl.h>
#include <perfmon_stack_smpl.h>
#include <stddef.h>

/* Older languages have no static_assert: an array of no elements is as good. */
#if defined(__cplusplus) && __cplusplus >= 201103L
/* built in */
#elif !defined(__cplusplus) && __STDC_VERSION__ >= 201112L
#include <assert.h>
#else
#define PASTE(a, b)		a##b
#define NAMED(line)		PASTE(assertion_, line)
#define static_assert(cond, text) \
	typedef char NAMED(__LINE__)[(cond) ? 1 : -1]
#endif

#include "../../../kernel/perfmon/abi_layout.h"

int main(void)
{
	return 0;
}
