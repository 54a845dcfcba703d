// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registers that all CPUs of a machine have in common.
 *
 * A thread finds the same registers wherever it runs: so only registers exist that every CPU has.
 * That matters for hybrid processors, whose P-cores and E-cores have different PMUs. A CPU
 * that comes online when the registers are settled, and has fewer of them, or is of a type that
 * did not exist before, would make a session count wrong: it is refused, and stays offline.
 *
 * Facts: Intel SDM volume 2A, CPUID leaves 07H, 0AH, 1AH and 1CH.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/processor.h>
#include "intel_hybrid.h"
#include "msr.h"

#define PERF_CAP_FW_WRITE	BIT_ULL(13)

/* CPUID leaf 0x1A, the upper 8 bits of EAX */
#define TYPE_SHIFT		24
#define TYPE_ATOM		0x20
#define TYPE_CORE		0x40

static struct cpumask pfm_intel_cores, pfm_intel_atoms, pfm_intel_others;

static const struct pfm_core_type pfm_intel_types[] = {
	{ "core", &pfm_intel_cores },
	{ "atom", &pfm_intel_atoms },
	{ "other", &pfm_intel_others },
	{ }
};

struct pfm_intel_cpus pfm_intel_cpus;
static int pfm_intel_cpus_state;

static void pfm_intel_join_caps(struct pfm_intel_caps *all, const struct pfm_intel_caps *one)
{
	all->version = min(all->version, one->version);
	all->num_gp = min(all->num_gp, one->num_gp);
	all->full_width_write &= one->full_width_write;
	/* With 32 bits the hardware fills the rest of a counter, however wide it is. */
	if (all->gp_width != one->gp_width)
		all->full_width_write = false;
	all->gp_width = min(all->gp_width, one->gp_width);
	/* Fixed counters have no such way to be written. */
	if (all->fixed_width != one->fixed_width)
		all->fixed_mask = 0;
	all->fixed_width = min(all->fixed_width, one->fixed_width);
	all->fixed_mask &= one->fixed_mask;
}

static bool pfm_intel_same_caps(const struct pfm_intel_caps *a, const struct pfm_intel_caps *b)
{
	return a->version == b->version && a->num_gp == b->num_gp &&
	       a->gp_width == b->gp_width && a->fixed_width == b->fixed_width &&
	       a->fixed_mask == b->fixed_mask && a->full_width_write == b->full_width_write;
}

/**
 * pfm_intel_join() - Reduce to the capabilities that a CPU and others have in common.
 * @all: capabilities of the others
 * @one: the CPU
 *
 * The least of each number; branch records if they are the same.
 *
 * Return: true if @all has not changed: the CPU has everything.
 */
bool pfm_intel_join(struct pfm_intel_cpu *all, const struct pfm_intel_cpu *one)
{
	const struct pfm_intel_cpu before = *all;

	all->uneven |= one->uneven || all->caps.gp_width != one->caps.gp_width;
	pfm_intel_join_caps(&all->caps, &one->caps);
	if (memcmp(&all->lbr, &one->lbr, sizeof(all->lbr)))
		all->lbr = (struct pfm_intel_lbr_leaf) { };
	return all->uneven == before.uneven && pfm_intel_same_caps(&all->caps, &before.caps) &&
	       !memcmp(&all->lbr, &before.lbr, sizeof(all->lbr));
}

/* A read of a wider counter has bits that the others lack. */
static const struct pfm_pmu_ops *plain_ops __ro_after_init;
static u64 uneven_mask __ro_after_init;

static u64 pfm_intel_uneven_read_pmd(unsigned int pmd)
{
	return plain_ops->read_pmd(pmd) & uneven_mask;
}

struct pfm_pmu_ops pfm_intel_uneven_ops __ro_after_init;

/**
 * pfm_intel_uneven_use() - Derive pfm_intel_uneven_ops from other operations.
 * @plain: operations of counters that are all of one width; NULL: none
 * @width: the least width of a counter
 *
 * Context: boot.
 *
 * Return: the previous @plain, for tests.
 */
const struct pfm_pmu_ops *pfm_intel_uneven_use(const struct pfm_pmu_ops *plain, unsigned int width)
{
	const struct pfm_pmu_ops *before = plain_ops;

	plain_ops = plain;
	if (!plain)
		return before;
	uneven_mask = GENMASK_ULL(width - 1, 0);
	pfm_intel_uneven_ops = *plain;
	pfm_intel_uneven_ops.read_pmd = pfm_intel_uneven_read_pmd;
	return before;
}

/**
 * pfm_intel_perf_caps() - Read IA32_PERF_CAPABILITIES.
 * @c: the processor
 *
 * Return: its value; 0 if there is no such register.
 */
u64 pfm_intel_perf_caps(const struct cpuinfo_x86 *c)
{
	u64 value;

	if (cpu_has(c, X86_FEATURE_PDCM) && !pfm_rdmsr_safe(MSR_IA32_PERF_CAPABILITIES, &value))
		return value;
	return 0;
}

/**
 * pfm_intel_says_all() - Is a report of no fixed counters true?
 * @c: the processor
 *
 * Not so on Intel's first ones on hardware.
 */
bool pfm_intel_says_all(const struct cpuinfo_x86 *c)
{
	return cpu_has(c, X86_FEATURE_HYPERVISOR) || c->x86_vendor != X86_VENDOR_INTEL;
}

/* Read the capabilities of this CPU. */
static void pfm_intel_ask_cpu(struct pfm_intel_cpu *cpu)
{
	const struct cpuinfo_x86 *c = &boot_cpu_data;
	u32 eax, ebx, ecx, edx;

	cpuid(0xa, &eax, &ebx, &ecx, &edx);
	*cpu = (struct pfm_intel_cpu) {
		.caps = pfm_intel_cpuid_caps(eax, ecx, edx, pfm_intel_says_all(c),
					     pfm_intel_perf_caps(c) & PERF_CAP_FW_WRITE),
	};
	if (boot_cpu_has(X86_FEATURE_ARCH_LBR))
		cpuid(0x1c, &cpu->lbr.depths, &cpu->lbr.filters, &cpu->lbr.parts, &edx);
}

/**
 * pfm_intel_admit() - May a CPU come online?
 * @cpus: the CPUs before it; includes it from now on
 * @one: the CPU
 * @known: a CPU of its type has been online
 */
bool pfm_intel_admit(struct pfm_intel_cpus *cpus, const struct pfm_intel_cpu *one, bool known)
{
	struct pfm_intel_cpu all = cpus->common;

	if (cpus->settled)
		return known && pfm_intel_join(&all, one);
	if (cpus->asked)
		pfm_intel_join(&cpus->common, one);
	else
		cpus->common = *one;
	cpus->asked = true;
	return true;
}

static struct cpumask *pfm_intel_cpus_of_type(void)
{
	if (!boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return &pfm_intel_others;
	switch (cpuid_eax(0x1a) >> TYPE_SHIFT) {
	case TYPE_CORE:
		return &pfm_intel_cores;
	case TYPE_ATOM:
		return &pfm_intel_atoms;
	default:
		return &pfm_intel_others;
	}
}

/* On the CPU that comes online, before anything runs there. */
static int pfm_intel_cpu_online(unsigned int cpu)
{
	struct cpumask *type = pfm_intel_cpus_of_type();
	struct pfm_intel_cpu one;

	/* Hotplug brings one CPU online at a time. */
	pfm_intel_ask_cpu(&one);
	if (!pfm_intel_admit(&pfm_intel_cpus, &one, !cpumask_empty(type))) {
		pr_err("CPU %u has another PMU than those before it, and stays offline: have all CPUs online when perfmon starts\n",
		       cpu);
		return -EOPNOTSUPP;
	}
	cpumask_set_cpu(cpu, type);
	return 0;
}

/**
 * pfm_intel_cpus_read() - Determine the capabilities that all CPUs have in common.
 * @common: zeroed; set to these; version 0: no PMU, or not on each CPU
 *
 * From now on a CPU that has less does not come online.
 *
 * Context: boot.
 *
 * Return: the types of cores, if there is more than one; else NULL.
 */
const struct pfm_core_type * __init pfm_intel_cpus_read(struct pfm_intel_cpu *common)
{
	const struct pfm_core_type *type;
	unsigned int types = 0;
	int state;

	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perfmon/intel:online",
				  pfm_intel_cpu_online, NULL);
	if (state < 0)
		return NULL;
	pfm_intel_cpus_state = state;
	/* No CPU comes online meanwhile. */
	cpus_read_lock();
	pfm_intel_cpus.settled = true;
	*common = pfm_intel_cpus.common;
	cpus_read_unlock();
	for (type = pfm_intel_types; type->name; type++)
		types += !cpumask_empty(type->cpus);
	return types > 1 ? pfm_intel_types : NULL;
}

/**
 * pfm_intel_cpus_forget() - Undo pfm_intel_cpus_read(), if there was one.
 */
void pfm_intel_cpus_forget(void)
{
	if (pfm_intel_cpus_state)
		cpuhp_remove_state(pfm_intel_cpus_state);
	pfm_intel_cpus_state = 0;
}
