/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the contract between the core and a PMU description.
 *
 * A PMU is a table of logical registers, the operations on its counters, and a list of banks:
 * registers beside the counters, each bank with operations of its own. The core knows registers
 * only by index and by their descriptors; the architecture knows nothing of contexts, messages
 * or files.
 */
#ifndef _LINUX_PERFMON_PMU_H
#define _LINUX_PERFMON_PMU_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/perfmon.h>

struct cpumask;
struct pfm_branch;
struct pt_regs;
struct task_struct;

/**
 * enum pfm_reg_class - Class of a PMD. PMCs have PFM_CLASS_CONTROL.
 * @PFM_CLASS_CONTROL: configuration register
 * @PFM_CLASS_COUNTER: counts; 64 bits wide to users, whatever the hardware has
 * @PFM_CLASS_BUFFER: holds a value that the hardware leaves there
 * @PFM_CLASS_VIRTUAL: no register: the kernel computes its value
 *
 * No class is 0: a description without a class is refused.
 */
enum pfm_reg_class {
	PFM_CLASS_CONTROL = 1,
	PFM_CLASS_COUNTER,
	PFM_CLASS_BUFFER,
	PFM_CLASS_VIRTUAL,
};

/**
 * struct pfm_reg_desc - One logical register; its index is its place in the table.
 * @name: the hardware manual's name; NULL makes a hole in the name space
 * @type: PFM_REG_TYPE_*: the kind of register that @addr addresses
 * @cls: enum pfm_reg_class
 * @width: bits that the hardware register implements
 * @write_width: bits of it that a write can set freely; the hardware fills the
 *	rest with copies of the highest of them. At most @width.
 * @bare: PMC: it takes no flags, and its attributes for sampling are ignored
 * @direct: counter: user level reads the register itself, so that it must hold the low
 *	bits of the value; then 2^@width events at a stretch may be missed. All its bits
 *	can be written.
 * @addr: address or number of the hardware register
 * @def: value after creation of a context; for a PMC, a value that measures nothing
 * @rsvd: bits that keep their value of @def whatever a user writes
 * @kernel_bits: PMC: bits that make it count at kernel level
 * @deps: PMC: the PMDs it controls. PMD: the PMCs that control it.
 */
struct pfm_reg_desc {
	const char		*name;
	u8			type;
	u8			cls;
	u8			width;
	u8			write_width;
	bool			bare;
	bool			direct;
	u64			addr;
	u64			def;
	u64			rsvd;
	u64			kernel_bits;
	u64			deps[PFM_MAX_PMD_BITVECTOR];
};

/* Hardware PMDs have indices below this: sets of them are one word. */
#define PFM_MAX_HW_PMDS		64

/**
 * struct pfm_regs - The part of an event set that the operations use.
 * @used_pmcs: PMCs that the user programmed
 * @live_pmds: PMDs that change while the set runs: set by &pfm_pmu_ops.prepare, and for a
 *	bank's by &pfm_bank.prepare
 * @enable: value that enables exactly this set's counters: set by &pfm_pmu_ops.prepare
 * @needs_pmi: PMDs of @live_pmds that cannot count without an interrupt for each event:
 *	set by &pfm_bank.prepare
 * @throttled: no interrupts are allowed: &pfm_bank.start leaves out @needs_pmi
 * @pmcs: values of all PMCs by index, reserved bits applied;
 *	&pfm_pmu_ops.prepare may change bits that are reserved
 * @ctx_flags: PFM_FL_* of the context, and those of the architecture
 * @set_flags: PFM_SETFL_*, likewise
 */
struct pfm_regs {
	u64			used_pmcs[PFM_MAX_PMC_BITVECTOR];
	u64			live_pmds;
	u64			enable;
	u64			needs_pmi;
	u64			*pmcs;
	u32			ctx_flags;
	u32			set_flags;
	bool			throttled;
};

/**
 * struct pfm_pmu_ops - The operations on a PMU, and on its registers that belong to no bank.
 *
 * All are mandatory. "On the CPU" means interrupts off on the CPU whose PMU is accessed;
 * such operations may run in NMI context.
 *
 * @acquire: Reserve the PMU of all CPUs against other users in the kernel.
 *	Atomic context. Returns 0, or -EBUSY when it is reserved already.
 * @release: Give the PMU of all CPUs back. Atomic context.
 * @init_cpu: The CPU's PMU may have been used or reset since perfmon last owned it, or
 *	will be handed over: stop it, leave no counter enabled, clear its overflow
 *	state, unmask its interrupt. On the CPU.
 * @prepare: A PMC of @regs changed: compute @regs->live_pmds and
 *	@regs->enable. Any context.
 * @start: Count with the registers as loaded. On the CPU.
 * @stop: Stop counting; on return no counter changes any more. On the CPU.
 * @ack: An overflow interrupt is being handled, the PMU is stopped: clear its
 *	overflow state and let it interrupt again. On the CPU.
 * @write_pmc: Load a PMC. The PMU is stopped. On the CPU.
 * @write_pmd: Load a PMD with the low @width bits of @value. The PMU is stopped.
 *	On the CPU.
 * @read_pmd: Read a PMD, zero-extended. On the CPU.
 */
struct pfm_pmu_ops {
	int	(*acquire)(void);
	void	(*release)(void);
	void	(*init_cpu)(void);
	void	(*prepare)(struct pfm_regs *regs);
	void	(*start)(const struct pfm_regs *regs);
	void	(*stop)(const struct pfm_regs *regs);
	void	(*ack)(void);
	void	(*write_pmc)(unsigned int pmc, u64 value);
	void	(*write_pmd)(unsigned int pmd, u64 value);
	u64	(*read_pmd)(unsigned int pmd);
};

/* The names of the operations, to do the same for each. */
#define PFM_PMU_OPS(X)							\
	X(acquire) X(release) X(init_cpu) X(prepare) X(start) X(stop)	\
	X(ack) X(write_pmc) X(write_pmd) X(read_pmd)

/**
 * struct pfm_bank - Registers beside the counters, with operations of their own.
 *
 * Branch records, a sampling unit, registers that refine events. The logical registers of a bank
 * are a range of PMCs, a range of PMDs, or both. The ranges are those of the processor family:
 * in a machine's table they may have holes, and registers beyond its end. Every access to a
 * register of a bank is the bank's, never one of &struct pfm_pmu_ops. A bank runs with the sets
 * that have some of its PMDs in &pfm_regs.live_pmds. A PMU without banks pays nothing for them, a
 * set that uses none a test of one word.
 *
 * All operations are optional, except where noted. Their contexts are those of the operations of
 * the same name in &struct pfm_pmu_ops.
 *
 * @name: for messages
 * @pmc: first PMC
 * @end_pmc: one more than the last; 0: the bank has no PMCs
 * @pmd: first PMD
 * @end_pmd: one more than the last; 0: the bank has no PMDs
 * @init_cpu: Stop the bank, and forget its contents; after &pfm_pmu_ops.init_cpu.
 * @prepare: Add the bank's PMDs to @regs->live_pmds, if the set makes it run, and to
 *	@regs->needs_pmi; after &pfm_pmu_ops.prepare.
 * @load: The set is loaded after another set: clear the bank's PMCs that have an effect on it
 *	although it does not use them. On the CPU, stopped.
 * @start: Run, with a set that has live PMDs of the bank; before the counters start, so that
 *	an overflow finds the bank running.
 * @stop: Stop running, for such a set; before the counters stop, so that the bank sees as little
 *	as possible of the kernel. Comes with @start.
 * @write_pmc: Load a PMC; NULL: @start does it.
 * @write_pmd: Load a PMD. Mandatory if there are PMDs.
 * @read_pmd: Read a PMD, zero-extended, also while the bank runs. Mandatory if there are PMDs.
 * @branches: Read branch records, the newest first, for pfm_branches(): as many as fit, and only
 *	records that are in PMDs: the others may be another thread's. Returns their number. Called
 *	only with a set that has live PMDs of the bank, which is stopped. On the CPU.
 * @check_pmc: May the set go on with @value in the bank's PMC @pmc? Returns 0 or -EINVAL. May
 *	sleep.
 * @shares: Does @value in PMC @pmc, which may be any, use registers of the bank that the rest of
 *	the kernel uses, too? Comes with @claim and @unclaim.
 * @claim: Take these registers from the rest of the kernel, for one more loaded context.
 *	May sleep. Returns 0, or -EBUSY when they are in use.
 * @unclaim: Give these registers back, for one context. May sleep.
 */
struct pfm_bank {
	const char	*name;
	u16		pmc;
	u16		end_pmc;
	u16		pmd;
	u16		end_pmd;
	void		(*init_cpu)(void);
	void		(*prepare)(struct pfm_regs *regs);
	void		(*load)(const struct pfm_regs *regs);
	void		(*start)(const struct pfm_regs *regs);
	void		(*stop)(const struct pfm_regs *regs);
	void		(*write_pmc)(unsigned int pmc, u64 value);
	void		(*write_pmd)(unsigned int pmd, u64 value);
	u64		(*read_pmd)(unsigned int pmd);
	unsigned int	(*branches)(unsigned int max, struct pfm_branch *to);
	int		(*check_pmc)(const struct pfm_regs *regs, unsigned int pmc, u64 value);
	bool		(*shares)(unsigned int pmc, u64 value);
	int		(*claim)(void);
	void		(*unclaim)(void);
};

/* Banks of a PMU: a context notes its claims in one word. */
#define PFM_MAX_BANKS		8

/**
 * enum pfm_thread_event - Event of a context, for &pfm_pmu_rules.thread.
 * @PFM_THREAD_ATTACH: another thread loaded it; it is stopped
 * @PFM_THREAD_ATTACH_SELF: the monitored thread loaded it itself
 * @PFM_THREAD_START: it is started, perhaps not for the first time
 * @PFM_THREAD_STOP: it is stopped
 * @PFM_THREAD_DETACH: it is unloaded, from any state
 */
enum pfm_thread_event {
	PFM_THREAD_ATTACH,
	PFM_THREAD_ATTACH_SELF,
	PFM_THREAD_START,
	PFM_THREAD_STOP,
	PFM_THREAD_DETACH,
};

/**
 * struct pfm_pmu_rules - Features that only some PMUs have.
 *
 * For a PMU with flags of its own, with rules for several registers together, or with state
 * that is a thread's and not the PMU's. Nothing here is called when a thread is switched, a
 * counter read, or an overflow handled.
 *
 * @ctx_flags: context flags that the PMU defines, of bits 16-23
 * @set_flags: event set flags, likewise
 * @excl_flags: PFM_SETFL_EXCL_* stop the PMU only in a set with all these flags; in other
 *	sets &pfm_pmu_ops.start must leave threads out
 * @direct: threads can read registers themselves, also another context's: contexts of
 *	such a PMU do not give way to others
 * @check_context: May a context have these flags? Returns 0 or -EINVAL.
 * @check_set: May an event set have @set_flags in a context with @ctx_flags? Returns
 *	0 or -EINVAL.
 * @check_pmc: May the set go on with @value in PMC @pmc, which may be any? Returns 0 or
 *	-EINVAL.
 * @thread: Update a thread's own state after an event of its context; @task is NULL for
 *	a context that is bound to this CPU. Interrupts off; @task is current, or does
 *	not run.
 */
struct pfm_pmu_rules {
	u32	ctx_flags;
	u32	set_flags;
	u32	excl_flags;
	bool	direct;
	int	(*check_context)(u32 ctx_flags);
	int	(*check_set)(u32 ctx_flags, u32 set_flags);
	int	(*check_pmc)(const struct pfm_regs *regs, unsigned int pmc, u64 value);
	void	(*thread)(struct task_struct *task, const struct pfm_regs *regs,
			  enum pfm_thread_event event);
};

/* The names of the call-backs: a PMU with rules has them all. */
#define PFM_PMU_RULES(X)						\
	X(check_context) X(check_set) X(check_pmc) X(thread)

/**
 * struct pfm_core_type - One of several types of cores: their PMUs are alike.
 * @name: as sysfs shows it; NULL ends the list
 * @cpus: CPUs of the type that have been online; grows as CPUs come
 */
struct pfm_core_type {
	const char		*name;
	const struct cpumask	*cpus;
};

/**
 * struct pfm_pmu - A PMU.
 * @name: model, as sysfs shows it
 * @software: not hardware: needs no reservation, leaves the watchdog alone
 * @counter_width: bits of the hardware counters (cf_counter_width)
 * @num_pmcs: entries in @pmcs
 * @num_pmds: entries in @pmds
 * @pmcs: control registers by index
 * @pmds: data registers by index
 * @ops: operations on the counters
 * @banks: registers beside the counters, a NULL behind the last bank; NULL: there are none
 * @rules: features that only some PMUs have; mostly NULL
 * @core_types: on a hybrid processor its types of cores: all have the registers, but their
 *	events are not the same; else NULL
 */
struct pfm_pmu {
	const char			*name;
	bool				software;
	u8				counter_width;
	u16				num_pmcs;
	u16				num_pmds;
	const struct pfm_reg_desc	*pmcs;
	const struct pfm_reg_desc	*pmds;
	const struct pfm_pmu_ops	*ops;
	const struct pfm_bank * const	*banks;
	const struct pfm_pmu_rules	*rules;
	const struct pfm_core_type	*core_types;
};

/**
 * struct pfm_table - A PMU's registers by name, whatever the machine.
 * @name: short, in lower case, for users to type; NULL ends an array of these
 * @model: &pfm_pmu.name where this is the PMU
 * @size: bytes of @space that @build needs
 * @build: Make the table; everything but operations and banks. @space is zeroed.
 * @data: @build's own
 * @virtual_pmd: its architecture's PFM_VIRTUAL_PMD; 0: the usual one
 *
 * For tests of all tables, and for pfmon, which shows them. So the files that build
 * them include only headers that tools/pfmon/kernel has.
 */
struct pfm_table {
	const char		*name;
	const char		*model;
	size_t			size;
	const struct pfm_pmu	*(*build)(const struct pfm_table *table, void *space);
	const void		*data;
	u16			virtual_pmd;
};

/* PMDs from PFM_VIRTUAL_PMD on, the same with every PMU. */
extern const struct pfm_reg_desc pfm_virtual_pmds[PFM_NUM_VIRTUAL_PMDS];

/**
 * pfm_bv_test() - Test a register's bit in a bitvector.
 * @bv: the bitvector
 * @reg: register index
 */
static inline bool pfm_bv_test(const u64 *bv, unsigned int reg)
{
	return bv[reg / 64] & BIT_ULL(reg % 64);
}

/**
 * pfm_bv_set() - Set a register's bit in a bitvector.
 * @bv: the bitvector
 * @reg: register index
 */
static inline void pfm_bv_set(u64 *bv, unsigned int reg)
{
	bv[reg / 64] |= BIT_ULL(reg % 64);
}

static inline unsigned int pfm_bv_next(const u64 *bv, unsigned int end, unsigned int reg)
{
	unsigned int word = reg / 64;
	u64 rest;

	if (reg >= end)
		return end;
	rest = bv[word] & (~0ULL << (reg % 64));
	while (!rest) {
		if (++word * 64 >= end)
			return end;
		rest = bv[word];
	}
	return word * 64 + __builtin_ctzll(rest);
}

/**
 * pfm_for_each_reg() - Visit the registers of a bitvector in increasing order.
 * @reg: unsigned int, the register
 * @bv: the bitvector; bits that were visited may change
 * @end: registers below this index only
 */
#define pfm_for_each_reg(reg, bv, end)				\
	for ((reg) = pfm_bv_next((bv), (end), 0);		\
	     (reg) < (end);					\
	     (reg) = pfm_bv_next((bv), (end), (reg) + 1))

/**
 * pfm_for_each_bit() - Visit the bits of a word in increasing order.
 * @bit: unsigned int, the number of the bit
 * @mask: the word, evaluated once
 */
#define pfm_for_each_bit(bit, mask)					\
	for (u64 __rest = (mask);					\
	     __rest && ((bit) = __builtin_ctzll(__rest), true);		\
	     __rest &= __rest - 1)

int pfm_pmu_register(const struct pfm_pmu *pmu);
void pfm_pmu_unregister(void);
int pfm_pmu_validate(const struct pfm_pmu *pmu);
const char *pfm_pmu_mistake(const struct pfm_pmu *pmu, const char **where);

/* A KUnit test works with a model of a PMU: no interrupt is of that one. */
#ifdef CONFIG_PERFMON_KUNIT_TEST
extern bool pfm_pmu_modelled;
#define pfm_pmu_is_modelled()	READ_ONCE(pfm_pmu_modelled)
#else
#define pfm_pmu_is_modelled()	false
#endif

bool pfm_pmu_wrapped(void);
bool pfm_pmu_overflowed(void);
u64 pfm_pmu_enabled(void);
bool pfm_pmu_interrupt(struct pt_regs *regs);
void pfm_pmu_suspend(void);
void pfm_pmu_resume(void);

#endif /* _LINUX_PERFMON_PMU_H */
