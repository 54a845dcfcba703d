// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: an interrupt that an NMI raises on its own CPU.
 *
 * The interrupt itself does nothing. What it is for is done at its end: the work of a thread
 * that returns to user mode, the preemption by a thread that was woken.
 */
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include "kick.h"

static void pfm_kick_fn(struct irq_work *work)
{
}

static DEFINE_PER_CPU(struct irq_work, pfm_kick_work) = IRQ_WORK_INIT_HARD(pfm_kick_fn);

/**
 * pfm_kick() - Raise an interrupt on this CPU.
 *
 * It comes as soon as interrupts are on.
 *
 * Context: any, NMI as well, on which the CPU does not change.
 */
void pfm_kick(void)
{
	irq_work_queue(this_cpu_ptr(&pfm_kick_work));
}
