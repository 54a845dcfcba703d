// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2 as a module: a test that the PMU counts and interrupts, before it is relied on.
 *
 * A hypervisor may offer a PMU whose registers keep nothing, or whose interrupts are not
 * delivered. One event of perf_events shows that: it can exist beside all others, also the NMI
 * watchdog's, and it cannot be created where perf_events has found the PMU to be broken.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/delay.h>
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/perfmon_host.h>
#include <linux/printk.h>
#include <linux/sched.h>

/* Period in cycles; and the longest wait for it, in ms. */
#define PFM_PROOF_PERIOD	100000
#define PFM_PROOF_WAIT		100

static int pfm_proof_interrupts;

/* An NMI. */
static void pfm_proof_interrupt(struct perf_event *event, struct perf_sample_data *data,
				struct pt_regs *regs)
{
	WRITE_ONCE(pfm_proof_interrupts, 1);
}

/* Return: 0; -ENODEV. An event that never had a counter proves nothing. */
static int __init pfm_proof_judge(u64 count, u64 running)
{
	if (!running || READ_ONCE(pfm_proof_interrupts))
		return 0;
	if (!count)
		pr_err("this PMU counts nothing: the hypervisor has to offer one that does; pfmon has PERFMON=perf meanwhile\n");
	else
		pr_err("this PMU counts and does not interrupt: the hypervisor has to deliver its interrupts; pfmon has PERFMON=perf meanwhile\n");
	return -ENODEV;
}

/**
 * pfm_pmu_prove() - Test that the PMU counts and interrupts.
 *
 * Return: 0, also when others use the PMU, so that the test is not possible; -ENODEV, with a
 * message in the log, when the PMU fails.
 *
 * Context: may sleep.
 */
int __init pfm_pmu_prove(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attr), .sample_period = PFM_PROOF_PERIOD, .pinned = 1,
	};
	struct perf_event *event;
	u64 count, enabled, running;
	unsigned int i;

	event = perf_event_create_kernel_counter(&attr, -1, current, pfm_proof_interrupt, NULL);
	if (PTR_ERR_OR_ZERO(event) == -ENOENT) {
		pr_err("perf_events found no PMU that works, see its words at boot: in a virtual machine the hypervisor has to offer one\n");
		return -ENODEV;
	}
	if (IS_ERR(event))
		return 0;
	for (i = 0; i < PFM_PROOF_WAIT && !READ_ONCE(pfm_proof_interrupts); i++)
		mdelay(1);
	count = perf_event_read_value(event, &enabled, &running);
	perf_event_release_kernel(event);
	return pfm_proof_judge(count, running);
}
