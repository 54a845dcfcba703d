/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: a model of a PMU with two counters of 32 bits, and a context that counts on it. The
 * control register of a counter selects its event; 0: it stands still. A test moves the counters.
 */
#ifndef _KERNEL_PERFMON_TESTS_COUNTERS_H
#define _KERNEL_PERFMON_TESTS_COUNTERS_H

#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/string.h>
#include "../call.h"
#include "../context.h"
#include "../cpu.h"
#include "../evtset_cmds.h"
#include "../pmu.h"
#include "../registers.h"
#include "../run.h"
#include "../set_list.h"
#include "../stats.h"
#include "context.h"
#include "model.h"

#define COUNTERS	2

/* A counter that need not interrupt is armed here: half of its range before the overflow. */
#define FAR		0x80000000ULL

static struct {
	u64		counter[COUNTERS];
	bool		on, throttled;
	unsigned int	stops, inits, loads, controls;
} counters;

static void counters_init_cpu(void)
{
	counters.inits++;
}

static void counters_prepare(struct pfm_regs *regs)
{
	regs->enable = (regs->pmcs[0] ? 1 : 0) | (regs->pmcs[1] ? 2 : 0);
	regs->live_pmds = regs->enable;
}

static void counters_start(const struct pfm_regs *regs)
{
	counters.on = true;
	counters.throttled = regs->throttled;
}

static void counters_stop(const struct pfm_regs *regs)
{
	counters.on = false;
	counters.stops++;
}

static void counters_write_pmc(unsigned int pmc, u64 value)
{
	counters.controls++;
}

static void counters_write_pmd(unsigned int pmd, u64 value)
{
	counters.loads++;
	counters.counter[pmd] = value;
}

static u64 counters_read_pmd(unsigned int pmd)
{
	return counters.counter[pmd];
}

static const struct pfm_pmu_ops counters_ops = {
	.acquire	= pfm_model_acquire,
	.release	= pfm_model_nothing,
	.init_cpu	= counters_init_cpu,
	.prepare	= counters_prepare,
	.start		= counters_start,
	.stop		= counters_stop,
	.ack		= pfm_model_nothing,
	.write_pmc	= counters_write_pmc,
	.write_pmd	= counters_write_pmd,
	.read_pmd	= counters_read_pmd,
};

static const struct pfm_reg_desc counters_pmcs[] = {
	{ .name = "C0", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_CONTROL, .width = 64,
	  .deps = { BIT_ULL(0) } },
	{ .name = "C1", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_CONTROL, .width = 64,
	  .addr = 1, .deps = { BIT_ULL(1) } },
};

static const struct pfm_reg_desc counters_pmds[] = {
	{ .name = "D0", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_COUNTER, .width = 32,
	  .write_width = 32, .addr = 2, .deps = { BIT_ULL(0) } },
	{ .name = "D1", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_COUNTER, .width = 32,
	  .write_width = 32, .addr = 3, .deps = { BIT_ULL(1) } },
};

static const struct pfm_pmu counters_pmu = {
	.name = "model", .software = true, .counter_width = 32,
	.num_pmcs = COUNTERS, .num_pmds = COUNTERS, .pmcs = counters_pmcs, .pmds = counters_pmds,
	.ops = &counters_ops,
};

static inline int counters_test_init(struct kunit *test)
{
	memset(&counters, 0, sizeof(counters));
	return pfm_test_context_init(test, &counters_pmu);
}

static inline struct pfm_context *ctx_of(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;

	return s->ctx;
}

static inline void program_pmc(struct kunit *test, u16 set, unsigned int i, u32 flags)
{
	pfarg_pmc_t pmc = { .reg_set = set, .reg_num = i, .reg_value = 5, .reg_flags = flags };

	pfm_test_command(test, pfm_write_pmcs, &pmc);
}

static inline void program_pmd(struct kunit *test, u16 set, unsigned int i, u64 value,
			       u64 threshold)
{
	pfarg_pmd_t pmd = {
		.reg_set = set, .reg_num = i, .reg_value = value, .reg_ovflsw_thres = threshold,
		.reg_short_reset = value, .reg_long_reset = 2 * value,
	};

	pfm_test_command(test, pfm_write_pmds, &pmd);
}

/* Set 0 and set 1, of which set 0 has @flags; both count on both counters, with periods of 10. */
static inline void program_sets(struct kunit *test, u32 flags, u64 threshold)
{
	pfarg_setdesc_t first = { .set_flags = flags };
	pfarg_setdesc_t second = { .set_id = 1 };
	unsigned int i;

	first.set_timeout.tv_sec = 1000;
	pfm_test_command(test, pfm_create_evtsets, &first);
	pfm_test_command(test, pfm_create_evtsets, &second);
	for (i = 0; i < COUNTERS; i++) {
		program_pmc(test, 0, i, 0);
		program_pmd(test, 0, i, -10, threshold);
		program_pmc(test, 1, i, 0);
		program_pmd(test, 1, i, -10, 0);
	}
	mutex_lock(&ctx_of(test)->lock);
	KUNIT_EXPECT_EQ(test, pfm_sets_chain(ctx_of(test)), 0);
	mutex_unlock(&ctx_of(test)->lock);
}

/* Between these two the context counts on this CPU, with interrupts off. */
static inline void begin(struct pfm_context *ctx)
{
	local_irq_disable();
	ctx->started = true;
	pfm_resume(ctx);
}

static inline void end(struct pfm_context *ctx)
{
	pfm_pause(ctx);
	ctx->started = false;
	local_irq_enable();
}

static inline void throttle_cpu(u64 ns)
{
	__this_cpu_write(pfm_cpu.throttled_until, local_clock() + ns);
}

static inline void throttle_ends(void)
{
	__this_cpu_write(pfm_cpu.throttled_until, 0);
}

/* The counters of @which are @beyond events past their overflow, and interrupt. */
static inline void overflow(u64 which, u64 beyond)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		if (which & BIT_ULL(i))
			counters.counter[i] = beyond;
	}
	pfm_pmu_interrupt(NULL);
}

#endif /* _KERNEL_PERFMON_TESTS_COUNTERS_H */
