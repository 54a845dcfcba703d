/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit: behaviour of processors that an ideal PMU lacks
 *
 * Interrupts that come late or without an overflow, another owner of the interrupt, and
 * errata, each by a property that is off by default; README.md lists them. The counting
 * asks here when an overflow becomes an interrupt. x86_pmu_decode(), which decides
 * which counters run, asks here for counters that an erratum stops. Writes of registers
 * are reported here.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/timer.h"
#include "cpu.h"

#define MSR_TSX_FORCE_ABORT           0x10f
#define RTM_FORCE_ABORT               1
#define CPUID_7_0_EDX_TSX_FORCE_ABORT (1u << 13)
#define TSX_COUNTER                   3

#define EVTSEL_EVENT                  0xffff
#define MAGIC_COUNTERS                0xf

/* Steps of counting from a true interrupt to a stray one, which comes behind its handler */
#define STRAY_STEPS                   50
/* The latest time: a later one would seem another device's, and come when nothing counts. */
#define STRAY_NS                      (50 * SCALE_MS)

/* The values of the general counters' selectors for a reset on Nehalem */
static const uint64_t magic[X86_PMU_NR_MAGIC] = {
    0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1
};

static const X86PMUUnkindConfig *config_of(CPUX86State *env)
{
    return &env_archcpu(env)->pmu_config.unkind;
}

bool x86_pmu_unkind_realize(X86CPU *cpu, Error **errp)
{
    const X86PMUConfig *c = &cpu->pmu_config;
    bool intel = c->vendor == &x86_pmu_intel;

    if (c->unkind.second_owner && !(intel && c->version >= 2)) {
        error_setg(errp, "pmu-second-owner wants Intel's PMU, version 2 or later");
        return false;
    }
    if ((c->unkind.tsx || c->unkind.nehalem) && !(intel && c->counters >= 4)) {
        error_setg(errp, "pmu-tsx-force-abort and pmu-nehalem-erratum want Intel's PMU "
                         "with four counters");
        return false;
    }
    return true;
}

void x86_pmu_unkind_reset(X86CPU *cpu)
{
    /* Not before: QEMU removes features that it does not know of TCG. */
    if (cpu->pmu_config.unkind.tsx) {
        cpu->env.features[FEAT_7_0_EDX] |= CPUID_7_0_EDX_TSX_FORCE_ABORT;
    }
}

static bool counts_down(int64_t *left, int64_t steps)
{
    if (*left <= 0) {
        return false;
    }
    *left -= MIN(*left, steps);
    return *left == 0;
}

static int64_t now(CPUX86State *env)
{
    CPUState *cs = env_cpu(env);
    uint32_t can_do_io = cs->can_do_io;
    int64_t ns;

    cs->can_do_io = 1;
    ns = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    cs->can_do_io = can_do_io;
    return ns;
}

X86PMUInterrupt x86_pmu_unkind_interrupt(CPUX86State *env, bool overflow, int64_t steps)
{
    const X86PMUUnkindConfig *config = config_of(env);
    X86PMUUnkind *u = &env->pmu.unkind;
    bool due = counts_down(&u->pmi_left, steps);

    if (overflow && config->pmi_delay && !due && !u->pmi_left) {
        u->pmi_left = config->pmi_delay;
    }
    due |= overflow && !config->pmi_delay;
    if (due) {
        if (config->stray_pmi && ++u->interrupts % config->stray_pmi == 0) {
            u->stray_left = STRAY_STEPS;
            u->stray_until = now(env) + STRAY_NS;
        }
        return X86_PMU_PMI;
    }
    if (env->pmu.runs[env->pmu.user] && counts_down(&u->stray_left, steps) &&
        now(env) <= u->stray_until) {
        return X86_PMU_STRAY_PMI;
    }
    return X86_PMU_NO_PMI;
}

int64_t x86_pmu_unkind_arm(CPUX86State *env)
{
    const X86PMUUnkind *u = &env->pmu.unkind;
    int64_t limit = u->pmi_left ? u->pmi_left : INT64_MAX;

    if (u->stray_left && env->pmu.runs[env->pmu.user]) {
        limit = MIN(limit, u->stray_left);
    }
    return limit;
}

/* Act as perf's handler, which comes first and knows nothing of these counters */
void x86_pmu_unkind_raised(CPUX86State *env)
{
    X86PMUState *pmu = &env->pmu;

    if (config_of(env)->second_owner) {
        pmu->global_ctrl = 0;
        pmu->global_status = 0;
        x86_pmu_decode(env);
    }
}

void x86_pmu_unkind_interrupted(CPUX86State *env)
{
    if (config_of(env)->overcount) {
        env->pmu.unretired--;
        x86_pmu_update(env);
    }
}

bool x86_pmu_unkind_strikes(CPUX86State *env, int i)
{
    const X86PMUUnkind *u = &env->pmu.unkind;

    return (u->unreset >> i & 1) ||
           (config_of(env)->tsx && i == TSX_COUNTER && !(u->tsx & RTM_FORCE_ABORT));
}

X86PMUAccess x86_pmu_unkind_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val)
{
    if (msr != MSR_TSX_FORCE_ABORT || !config_of(env)->tsx) {
        return X86_PMU_OTHER;
    }
    *val = env->pmu.unkind.tsx;
    return X86_PMU_DONE;
}

X86PMUAccess x86_pmu_unkind_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val)
{
    if (msr != MSR_TSX_FORCE_ABORT || !config_of(env)->tsx) {
        return X86_PMU_OTHER;
    }
    if (val & ~(uint64_t)RTM_FORCE_ABORT) {
        return X86_PMU_FAULT;
    }
    x86_pmu_update(env);
    env->pmu.unkind.tsx = val;
    x86_pmu_configure(env);
    return X86_PMU_DONE;
}

/* Another event works if the counters last counted for the reset, known by its selectors. */
static void mind_reset(CPUX86State *env, uint32_t msr, uint64_t val)
{
    X86PMUUnkind *u = &env->pmu.unkind;
    int i = msr - MSR_P6_EVNTSEL0;

    if (msr == MSR_CORE_PERF_GLOBAL_CTRL && val) {
        u->fresh = (val & MAGIC_COUNTERS) == MAGIC_COUNTERS &&
                   !memcmp(env->pmu.evtsel, magic, sizeof(magic));
    } else if (i >= 0 && i < X86_PMU_NR_MAGIC &&
               (val ^ u->selected[i]) & EVTSEL_EVENT) {
        u->selected[i] = val;
        u->unreset = deposit32(u->unreset, i, 1, !u->fresh);
        x86_pmu_configure(env);
    }
}

void x86_pmu_unkind_wrote(CPUX86State *env, uint32_t msr, uint64_t val)
{
    /* The counters are cleared: the next session is another owner's. */
    if (msr == MSR_P6_EVNTSEL0 && !val) {
        env->pmu.unkind.stray_left = 0;
    }
    if (config_of(env)->nehalem) {
        mind_reset(env, msr, val);
    }
}
