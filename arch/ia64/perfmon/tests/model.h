/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: a model of the Itanium's PMU, for KUnit: its registers, and their changes by
 * execution at a privilege level, interruptions and the return from them.
 */
#ifndef _IA64_PERFMON_TESTS_MODEL_H
#define _IA64_PERFMON_TESTS_MODEL_H

#include <linux/sched.h>
#include <linux/types.h>
#include "../access.h"
#include "../work.h"

#define PFM_MODEL_PSR_CPL	(3UL << 32)
#define PFM_MODEL_PSR_UM	0x3eUL		/* what sigreturn restores */
#define PFM_MODEL_TASKS		4
#define PFM_MODEL_FRAMES	4

/**
 * struct pfm_model_task - State of a thread that is not in registers.
 * @task: the thread; NULL: free
 * @user_psr: its psr at user level
 * @pp: perfmon's word
 * @insecure: as it was set
 * @kernel: it is a thread of the kernel
 */
struct pfm_model_task {
	struct task_struct	*task;
	unsigned long		user_psr;
	unsigned long		pp;
	bool			insecure;
	bool			kernel;
};

/**
 * struct pfm_model - A processor.
 * @what: the model, with its table
 * @pmc: PMC0 has the freeze bit and, with PMC1-3, which PMDs overflowed
 * @pmd: bits beyond a counter are copies of its highest one
 * @ibr: instruction breakpoint registers
 * @dbr: data breakpoint registers
 * @psr: psr of the code that is executed
 * @dcr: default control register
 * @frames: psr of kernel code that was interrupted
 * @depth: number of @frames
 * @pmis: interrupts that the PMU raised
 * @open: its interrupt is open
 * @unserialized: something was written since the last serialisation
 * @running: the thread that is executed
 * @tasks: the threads; the first one stands for any thread that was not added
 */
struct pfm_model {
	const struct pfm_ita_model	*what;
	u64				pmc[256];
	u64				pmd[64];
	u64				ibr[PFM_ITA_NUM_DEBUG];
	u64				dbr[PFM_ITA_NUM_DEBUG];
	unsigned long			psr;
	unsigned long			dcr;
	unsigned long			frames[PFM_MODEL_FRAMES];
	unsigned int			depth;
	unsigned int			pmis;
	bool				open;
	bool				unserialized;
	struct pfm_model_task		*running;
	struct pfm_model_task		tasks[PFM_MODEL_TASKS + 1];
};

/* Become this processor, as another user may leave it; NULL: none. */
void pfm_model_use(struct pfm_model *m, const struct pfm_ita_model *what);
struct pfm_model_task *pfm_model_add_task(struct task_struct *task, bool kernel);

/* The processor is at user level at first; an interruption enters the kernel, or goes deeper. */
void pfm_model_enter_user(struct pfm_model_task *task);
void pfm_model_interruption(void);
void pfm_model_rfi(void);

/* A system call by epc: the kernel, without an interruption. */
void pfm_model_epc(void);

/* @n of each event happen, at the present privilege level. */
void pfm_model_events(u64 n);

/* Instructions of the thread at user level: reading a PMD; sum or rum of psr.up. */
u64 pfm_model_user_reads(unsigned int pmd);
void pfm_model_user_sum(bool up);

#endif /* _IA64_PERFMON_TESTS_MODEL_H */
