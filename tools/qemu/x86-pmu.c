/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit: what is the same for all vendors
 *
 * Which PMU a processor has, what an event selector means, RDPMC. Registers and
 * the encodings of events are the vendors': x86-pmu-intel.c, x86-pmu-amd.c. What
 * counts, and how, is in x86-pmu-count.c.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "cpu.h"
#include "migration/blocker.h"
#include "sysemu/cpu-timers.h"
#include "sysemu/tcg.h"

#define EVTSEL_USR                    (1ull << 16)
#define EVTSEL_OS                     (1ull << 17)
#define EVTSEL_EDGE                   (1ull << 18)
#define EVTSEL_INT                    (1ull << 20)
#define EVTSEL_EN                     (1ull << 22)
#define EVTSEL_INV                    (1ull << 23)
#define EVTSEL_CMASK_SHIFT            24
#define EVTSEL_CMASK                  (0xffull << EVTSEL_CMASK_SHIFT)
#define FIXED_OS                      1
#define FIXED_USR                     2
#define FIXED_PMI                     8

#define RDPMC_FIXED                   (1u << 30)

static const X86PMUEvent fixed_events[X86_PMU_MAX_FIXED] = {
#define PMU_FIXED(index, name) [index] = X86_PMU_##name,
#include "pmu-events.def"
};

int x86_pmu_nr_fixed(X86CPU *cpu)
{
    return cpu->pmu_config.version > 1 ? cpu->pmu_config.fixed : 0;
}

bool x86_pmu_evtsel_is_valid(X86CPU *cpu, uint64_t val)
{
    if (val & cpu->pmu_config.vendor->evtsel_reserved(cpu)) {
        return false;
    }
    switch (cpu->pmu_config.vendor->event(cpu, val)) {
    case X86_PMU_NO_EVENT: /* never counts, whatever else is set */
        return true;
    case X86_PMU_DTLB_MISSES_WALK_COMPLETED:
    case X86_PMU_ITLB_MISSES_WALK_COMPLETED:
    case X86_PMU_HW_INT_RCVD: /* can happen more than once in a cycle */
        return !(val & (EVTSEL_EDGE | EVTSEL_CMASK));
    default:
        return !(val & EVTSEL_EDGE);
    }
}

static X86PMUMode mode_of(uint64_t evtsel)
{
    int cmask = (evtsel & EVTSEL_CMASK) >> EVTSEL_CMASK_SHIFT;

    if (cmask == 0) {
        return X86_PMU_COUNT;
    }
    if (evtsel & EVTSEL_INV) {
        return cmask == 1 ? X86_PMU_CYCLES_WITHOUT : X86_PMU_CYCLES;
    }
    return cmask == 1 ? X86_PMU_COUNT : X86_PMU_NEVER;
}

static void decode_one(X86PMUState *pmu, int i, X86PMUCounter counter,
                       bool os, bool usr)
{
    pmu->decoded[i] = counter;
    if (counter.event == X86_PMU_NO_EVENT || counter.mode == X86_PMU_NEVER) {
        return;
    }
    pmu->runs[0] |= (uint32_t)os << i;
    pmu->runs[1] |= (uint32_t)usr << i;
}

void x86_pmu_decode(CPUX86State *env)
{
    X86CPU *cpu = env_archcpu(env);
    X86PMUState *pmu = &env->pmu;
    uint64_t enabled = pmu->global_ctrl;
    int i;

    if (pmu->global_status & X86_PMU_STATUS_CTR_FRZ) {
        enabled = 0;
    }
    pmu->runs[0] = pmu->runs[1] = 0;
    if (!x86_pmu_present(cpu)) {
        return;
    }
    for (i = 0; i < cpu->pmu_config.counters; i++) {
        uint64_t sel = pmu->evtsel[i];
        bool on = (enabled >> i & 1) && (sel & EVTSEL_EN);

        decode_one(pmu, i, (X86PMUCounter) {
                       cpu->pmu_config.vendor->event(cpu, sel), mode_of(sel), sel & EVTSEL_INT
                   }, on && (sel & EVTSEL_OS), on && (sel & EVTSEL_USR));
    }
    for (i = 0; i < x86_pmu_nr_fixed(cpu); i++) {
        int ctrl = pmu->fixed_ctrl >> (4 * i);
        bool on = enabled >> (32 + i) & 1;

        decode_one(pmu, X86_PMU_FIXED0 + i, (X86PMUCounter) {
                       fixed_events[i], X86_PMU_COUNT, ctrl & FIXED_PMI
                   }, on && (ctrl & FIXED_OS), on && (ctrl & FIXED_USR));
    }
}

bool x86_pmu_present(X86CPU *cpu)
{
    return tcg_enabled() && cpu->enable_pmu;
}

static bool block_migration(Error **errp)
{
    static Error *blocker;

    if (blocker) {
        return true;
    }
    error_setg(&blocker, "the emulated PMU's state cannot be migrated");
    return migrate_add_blocker(blocker, errp) == 0;
}

static bool no_pmu(X86CPU *cpu)
{
    cpu->enable_pmu = false;
    cpu->env.features[FEAT_8000_0001_ECX] &=
        ~(CPUID_EXT3_PERFCORE | CPUID_EXT3_IBS);
    cpu->env.features[FEAT_7_0_EDX] &= ~CPUID_7_0_EDX_ARCH_LBR;
    return true;
}

bool x86_pmu_realize(X86CPU *cpu, Error **errp)
{
    if (!x86_pmu_present(cpu)) {
        return no_pmu(cpu);
    }
    if (!icount_enabled()) {
        warn_report_once("no PMU: the emulated one counts by -icount, "
                         "so add -icount shift=0 (or pmu=off to -cpu)");
        return no_pmu(cpu);
    }
    if (IS_AMD_CPU(&cpu->env)) {
        cpu->pmu_config.vendor = &x86_pmu_amd;
    } else if (IS_INTEL_CPU(&cpu->env)) {
        cpu->pmu_config.vendor = &x86_pmu_intel;
    } else {
        warn_report_once("no PMU: the emulated ones are Intel's and AMD's, "
                         "so choose a -cpu model of theirs (or pmu=off)");
        return no_pmu(cpu);
    }
    return cpu->pmu_config.vendor->realize(cpu, errp) && block_migration(errp);
}

void x86_pmu_reset(X86CPU *cpu)
{
    CPUX86State *env = &cpu->env;

    memset(&env->pmu, 0, sizeof(env->pmu));
    env->pmu.global_ctrl = MAKE_64BIT_MASK(0, cpu->pmu_config.counters);
    env->pmu.steps_seen = icount_get_cpu(CPU(cpu));
    if (x86_pmu_present(cpu)) {
        env->msr_ia32_misc_enable |= cpu->pmu_config.vendor->misc_enable;
    }
    x86_pmu_configure(env);
}

void x86_pmu_cpuid(X86CPU *cpu, uint32_t *eax, uint32_t *ebx,
                   uint32_t *ecx, uint32_t *edx)
{
    *eax = *ebx = *ecx = *edx = 0;
    if (cpu->pmu_config.vendor->cpuid) {
        cpu->pmu_config.vendor->cpuid(cpu, eax, ebx, ecx, edx);
    }
}

X86PMUAccess x86_pmu_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val)
{
    X86CPU *cpu = env_archcpu(env);

    return x86_pmu_present(cpu) ?
        cpu->pmu_config.vendor->rdmsr(env, msr, val) : X86_PMU_OTHER;
}

X86PMUAccess x86_pmu_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val)
{
    X86CPU *cpu = env_archcpu(env);

    return x86_pmu_present(cpu) ?
        cpu->pmu_config.vendor->wrmsr(env, msr, val) : X86_PMU_OTHER;
}

X86PMUAccess x86_pmu_rdpmc(CPUX86State *env, uint32_t index, uint64_t *val)
{
    X86CPU *cpu = env_archcpu(env);
    bool fixed = index & RDPMC_FIXED;

    if (!x86_pmu_present(cpu)) {
        return X86_PMU_OTHER;
    }
    index &= ~RDPMC_FIXED;
    if (index >= (fixed ? x86_pmu_nr_fixed(cpu) : cpu->pmu_config.counters)) {
        return X86_PMU_FAULT;
    }
    x86_pmu_update(env);
    *val = env->pmu.counter[fixed ? X86_PMU_FIXED0 + index : index];
    return X86_PMU_DONE;
}
