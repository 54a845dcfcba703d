/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit: the configuration of the counters
 *
 * The valid values of event selectors, and the counters that run according to the
 * registers. Below the counting: see x86-pmu-count.c.
 */
#include "qemu/osdep.h"
#include "cpu.h"
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
    case X86_PMU_NO_EVENT: /* never counts, whatever other bits are set */
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
        bool on = (enabled >> i & 1) && (sel & EVTSEL_EN) && !x86_pmu_unkind_strikes(env, i);

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
