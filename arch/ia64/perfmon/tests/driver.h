/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: perfmonctl() on the model of the Itanium, by the core itself, for KUnit.
 *
 * The test's thread is the monitored one. Each command is a system call that it makes
 * by break, from user level.
 */
#ifndef _IA64_PERFMON_TESTS_DRIVER_H
#define _IA64_PERFMON_TESTS_DRIVER_H

#include <kunit/test.h>
#include "../../../../kernel/perfmon/attach.h"
#include "../../../../kernel/perfmon/call.h"
#include "../../../../kernel/perfmon/context.h"
#include "../../../../kernel/perfmon/control.h"
#include "../../../../kernel/perfmon/cpu.h"
#include "../../../../kernel/perfmon/create.h"
#include "../../../../kernel/perfmon/event_set.h"
#include "../../../../kernel/perfmon/evtset_cmds.h"
#include "../../../../kernel/perfmon/pmu.h"
#include "../../../../kernel/perfmon/pmu_register.h"
#include "../../../../kernel/perfmon/refs.h"
#include "../../../../kernel/perfmon/registers.h"
#include "../../../../kernel/perfmon/run.h"
#include "../../../../kernel/perfmon/sessions.h"
#include "model.h"

/* An event that is always there, counted at user level, in the kernel, at both. */
#define EVENT		0x1200ULL
#define USER		0x8ULL
#define KERNEL		0x1ULL
#define BOTH		(USER | KERNEL)

/**
 * struct pfm_driver - A machine, and a context on it.
 * @model: the processor
 * @self: the test's thread on it
 * @before: the PMU that this machine really has
 * @file: the context's; NULL: there is none
 * @ctx: the context
 */
struct pfm_driver {
	struct pfm_model	model;
	struct pfm_model_task	*self;
	const struct pfm_pmu	*before;
	struct file		*file;
	struct pfm_context	*ctx;
};

/* A suite's init and exit: the machine is @what; test->priv is the driver. */
int pfm_driver_init(struct kunit *test, const struct pfm_ita_model *what);
void pfm_driver_exit(struct kunit *test);

/* Commands; they return the result of perfmonctl(). */
int pfm_do_create(struct pfm_driver *d, u32 flags);
int pfm_do_evtset(struct pfm_driver *d, u16 set, u32 flags);
int pfm_do_pmc(struct pfm_driver *d, u16 set, u16 pmc, u64 value);
int pfm_do_pmcs(struct pfm_driver *d, pfarg_pmc_t *req, unsigned int n);
int pfm_do_pmd(struct pfm_driver *d, u16 set, u16 pmd, u64 value);
int pfm_do_load(struct pfm_driver *d);
int pfm_do_start(struct pfm_driver *d);
int pfm_do_start_set(struct pfm_driver *d, u16 set);
int pfm_do_stop(struct pfm_driver *d);
int pfm_do_unload(struct pfm_driver *d);
void pfm_do_close(struct pfm_driver *d);
u64 pfm_do_read(struct pfm_driver *d, u16 set, u16 pmd);

/* The PMU's interrupt, where the processor is now. */
void pfm_do_interrupt(struct pfm_driver *d);

#endif /* _IA64_PERFMON_TESTS_DRIVER_H */
