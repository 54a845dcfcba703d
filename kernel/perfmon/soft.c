// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the software PMU, for machines without another one.
 *
 * Its registers are memory of each CPU. The kernel's hooks count events there
 * while a context counts on the CPU, and handle an overflow on the spot, as an
 * interrupt that comes at once; the clocks overflow by a timer. None of this is
 * done in NMI context, so with interrupts off nothing comes in between.
 *
 * The hooks of the scheduler hold the run-queue lock. Handling an overflow wakes no
 * thread and allocates nothing, see notify.c, so it may be done there.
 */
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kconfig.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <asm/irq_regs.h>
#include "context.h"
#include "pmu.h"
#include "soft.h"

#define SOFT_CLOCKS	(BIT_ULL(PFM_SOFT_TASK_CLOCK) | BIT_ULL(PFM_SOFT_CPU_CLOCK))

/*
 * pfm_regs.enable: counters that count at user level, and from this bit on those
 * that count at kernel level.
 */
#define SOFT_KERNEL_SHIFT	32

static_assert(PFM_SOFT_NUM <= SOFT_KERNEL_SHIFT);

/**
 * struct pfm_soft_cpu - The registers of a CPU, and how they count. Interrupts off.
 * @value: the counters; of clocks, when they were last brought up to date
 * @enable: counters that count now, as pfm_regs.enable
 * @since: local_clock() when the clocks were brought up to date
 * @idle: no thread runs: the task clock stands still
 * @expires: local_clock() when @timer will go off, not later; U64_MAX: it will not
 * @timer: goes off when a clock overflows, or earlier: a stop does not cancel it
 */
struct pfm_soft_cpu {
	u64			value[PFM_SOFT_NUM];
	u64			enable;
	u64			since;
	bool			idle;
	u64			expires;
	struct hrtimer		timer;
};

static DEFINE_PER_CPU(struct pfm_soft_cpu, pfm_soft_cpu);

DEFINE_STATIC_KEY_FALSE(pfm_soft_key);

/*
 * Number of the present use of the PMU, not 0. A thread that moves is marked with it; a
 * mark of an earlier use means nothing.
 */
static unsigned int pfm_soft_use = 1;

/* The clocks that run now. */
static u64 pfm_soft_running(const struct pfm_soft_cpu *cpu)
{
	u64 clocks = cpu->enable & SOFT_CLOCKS;

	return cpu->idle ? clocks & ~BIT_ULL(PFM_SOFT_TASK_CLOCK) : clocks;
}

static u64 pfm_soft_elapsed(const struct pfm_soft_cpu *cpu, u64 now)
{
	return now - min(now, cpu->since);
}

/* Bring the clocks up to date; true when one overflowed. */
static bool pfm_soft_tick(struct pfm_soft_cpu *cpu)
{
	u64 now = local_clock();
	u64 elapsed = pfm_soft_elapsed(cpu, now);
	bool overflowed = false;
	unsigned int i;

	pfm_for_each_bit(i, pfm_soft_running(cpu)) {
		cpu->value[i] += elapsed;
		overflowed |= cpu->value[i] < elapsed;
	}
	cpu->since = now;
	return overflowed;
}

/* The clocks are up to date and run: arm the timer for the first overflow. */
static void pfm_soft_arm(struct pfm_soft_cpu *cpu)
{
	u64 left = KTIME_MAX, end;
	unsigned int i;

	pfm_for_each_bit(i, pfm_soft_running(cpu))
		left = min(left, ~cpu->value[i]);
	if (left == KTIME_MAX)
		return;
	left++;
	end = cpu->since + left;
	if (cpu->expires <= end)
		return;
	cpu->expires = end;
	hrtimer_start(&cpu->timer, ns_to_ktime(left), HRTIMER_MODE_REL_PINNED_HARD);
}

static enum hrtimer_restart pfm_soft_timer_fn(struct hrtimer *timer)
{
	struct pfm_soft_cpu *cpu = container_of(timer, struct pfm_soft_cpu, timer);

	cpu->expires = U64_MAX;
	/* The timer of a CPU that went offline expires on another CPU. */
	if (cpu != this_cpu_ptr(&pfm_soft_cpu))
		return HRTIMER_NORESTART;
	/* If no clock runs any more, there is neither an overflow nor a time to wait for. */
	if (pfm_soft_tick(cpu))
		pfm_pmu_interrupt(get_irq_regs());
	else
		pfm_soft_arm(cpu);
	return HRTIMER_NORESTART;
}

/*
 * Count one event on each of these counters that is enabled for its level. @regs:
 * where it happened; NULL when just the thread is known.
 */
static void pfm_soft_count(u64 pmds, bool user, struct pt_regs *regs)
{
	struct pfm_soft_cpu *cpu = this_cpu_ptr(&pfm_soft_cpu);
	u64 enable = user ? cpu->enable : cpu->enable >> SOFT_KERNEL_SHIFT;
	bool overflowed = false;
	unsigned int i;

	pfm_for_each_bit(i, pmds & enable)
		overflowed |= !++cpu->value[i];
	if (overflowed)
		pfm_pmu_interrupt(regs);
}

/**
 * pfm_soft_count_many() - Count the same event several times.
 * @pmds: counters
 * @n: how often, not 0
 * @user: it happens at user level
 * @regs: where, or NULL
 *
 * Stops at the first overflow, which is handled then.
 *
 * Context: interrupts off.
 *
 * Return: how often it was counted, at least once.
 */
u64 pfm_soft_count_many(u64 pmds, u64 n, bool user, struct pt_regs *regs)
{
	struct pfm_soft_cpu *cpu = this_cpu_ptr(&pfm_soft_cpu);
	u64 more = n - 1;
	unsigned int i;

	pmds &= user ? cpu->enable : cpu->enable >> SOFT_KERNEL_SHIFT;
	pfm_for_each_bit(i, pmds)
		more = min(more, ~cpu->value[i]);
	pfm_for_each_bit(i, pmds)
		cpu->value[i] += more;
	pfm_soft_count(pmds, user, regs);
	return more + 1;
}

/* The hooks. */

/**
 * __pfm_soft_sched_out() - A thread leaves this CPU: a context switch.
 * @prev: the thread, current
 * @next: the thread that will run instead
 *
 * Context: run-queue lock held, interrupts off.
 */
void __pfm_soft_sched_out(struct task_struct *prev, struct task_struct *next)
{
	struct pfm_soft_cpu *cpu = this_cpu_ptr(&pfm_soft_cpu);

	if (!cpu->enable)
		return;
	pfm_soft_count(BIT_ULL(PFM_SOFT_CTX_SWITCHES), true, NULL);
	/* A thread's own context is stopped now. */
	if (prev->pfm_context || !(cpu->enable & SOFT_CLOCKS) ||
	    is_idle_task(prev) == is_idle_task(next))
		return;
	if (pfm_soft_tick(cpu))
		pfm_pmu_interrupt(NULL);
	cpu->idle = is_idle_task(next);
	pfm_soft_arm(cpu);
}

/**
 * __pfm_soft_sched_in() - A thread arrives on this CPU, perhaps from another one.
 * @next: the thread, current; its context, if it has one, counts
 *
 * Context: run-queue lock held, interrupts off.
 */
void __pfm_soft_sched_in(struct task_struct *next)
{
	if (next->pfm_soft_moved != READ_ONCE(pfm_soft_use))
		return;
	next->pfm_soft_moved = 0;
	pfm_soft_count(BIT_ULL(PFM_SOFT_MIGRATIONS), true, NULL);
}

/**
 * __pfm_soft_migrate() - A thread will run on another CPU.
 * @task: the thread; it does not run
 *
 * Context: its pi_lock or its run-queue lock is held.
 */
void __pfm_soft_migrate(struct task_struct *task)
{
	task->pfm_soft_moved = READ_ONCE(pfm_soft_use);
}

/**
 * __pfm_soft_fault() - A page fault of the current thread was handled.
 * @regs: where it happened; NULL: the kernel looked the page up
 * @major: it took input or output
 */
void __pfm_soft_fault(struct pt_regs *regs, bool major)
{
	unsigned int which = major ? PFM_SOFT_MAJ_FAULTS : PFM_SOFT_MIN_FAULTS;
	unsigned long flags;

	local_irq_save(flags);
	pfm_soft_count(BIT_ULL(PFM_SOFT_FAULTS) | BIT_ULL(which), regs && user_mode(regs), regs);
	local_irq_restore(flags);
}

/**
 * __pfm_soft_syscall() - The current thread enters a system call.
 * @regs: its registers
 */
void __pfm_soft_syscall(struct pt_regs *regs)
{
	unsigned long flags;

	local_irq_save(flags);
	pfm_soft_count(BIT_ULL(PFM_SOFT_SYSCALLS), true, regs);
	local_irq_restore(flags);
}

/* The operations. */

static int pfm_soft_acquire(void)
{
	WRITE_ONCE(pfm_soft_use, pfm_soft_use + 1 ? : 1);
	return 0;
}

static void pfm_soft_release(void)
{
}

/* The timer of a CPU that has been offline may be pending on another one: see pfm_soft_arm(). */
static void pfm_soft_init_cpu(void)
{
	struct pfm_soft_cpu *cpu = this_cpu_ptr(&pfm_soft_cpu);

	if (!hrtimer_is_queued(&cpu->timer))
		return;
	hrtimer_try_to_cancel(&cpu->timer);
	cpu->expires = U64_MAX;
}

static void pfm_soft_prepare(struct pfm_regs *regs)
{
	u64 value, rsvd, user = 0, kernel = 0;
	unsigned int i;

	pfm_for_each_reg(i, regs->used_pmcs, PFM_SOFT_NUM) {
		value = regs->pmcs[i];
		rsvd = pfm_soft_pmcs[i].rsvd;
		if (!(value & PFM_SOFT_ENABLE))
			continue;
		/* An event without a choice of level counts at both. */
		if ((rsvd & PFM_SOFT_USER) || (value & PFM_SOFT_USER))
			user |= BIT_ULL(i);
		if ((rsvd & PFM_SOFT_USER) || (value & PFM_SOFT_KERNEL))
			kernel |= BIT_ULL(i);
	}
	regs->live_pmds = user | kernel;
	regs->enable = user | kernel << SOFT_KERNEL_SHIFT;
}

static void pfm_soft_start(const struct pfm_regs *regs)
{
	struct pfm_soft_cpu *cpu = this_cpu_ptr(&pfm_soft_cpu);

	cpu->enable = regs->enable;
	if (!(regs->enable & SOFT_CLOCKS))
		return;
	cpu->idle = is_idle_task(current);
	cpu->since = local_clock();
	pfm_soft_arm(cpu);
}

/* The core finds the overflow of a clock in its value. */
static void pfm_soft_stop(const struct pfm_regs *regs)
{
	struct pfm_soft_cpu *cpu = this_cpu_ptr(&pfm_soft_cpu);

	if (regs->enable & SOFT_CLOCKS)
		pfm_soft_tick(cpu);
	cpu->enable = 0;
}

static void pfm_soft_ack(void)
{
}

static void pfm_soft_write_pmc(unsigned int pmc, u64 value)
{
}

static void pfm_soft_write_pmd(unsigned int pmd, u64 value)
{
	this_cpu_ptr(&pfm_soft_cpu)->value[pmd] = value;
}

static u64 pfm_soft_read_pmd(unsigned int pmd)
{
	struct pfm_soft_cpu *cpu = this_cpu_ptr(&pfm_soft_cpu);
	u64 value = cpu->value[pmd];

	if (pfm_soft_running(cpu) & BIT_ULL(pmd))
		value += pfm_soft_elapsed(cpu, local_clock());
	return value;
}

static const struct pfm_pmu_ops pfm_soft_ops = {
#define X(name) .name = pfm_soft_##name,
	PFM_PMU_OPS(X)
#undef X
};

/* Also for KUnit, which checks the table on any machine. */
const struct pfm_pmu pfm_soft_pmu = {
	PFM_SOFT_DESCRIPTION,
	.ops = &pfm_soft_ops,
};

/* Runs after the registration of the architecture's PMU. */
static int __init pfm_soft_init(void)
{
	struct pfm_soft_cpu *soft;
	int cpu;

	/* Another PMU is there, or is requested: no error. */
	if (pfm_pmu_register(&pfm_soft_pmu))
		return 0;
	for_each_possible_cpu(cpu) {
		soft = per_cpu_ptr(&pfm_soft_cpu, cpu);
		hrtimer_init(&soft->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		soft->timer.function = pfm_soft_timer_fn;
		soft->expires = U64_MAX;
	}
	static_branch_enable(&pfm_soft_key);
	return 0;
}
device_initcall_sync(pfm_soft_init);
