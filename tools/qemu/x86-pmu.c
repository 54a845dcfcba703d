/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit: what software sees of it
 *
 * CPUID leaf 0xA, the MSRs and RDPMC. Every access first brings the counters
 * up to date; what counts, and how, is in x86-pmu-count.c. Bits and addresses
 * are those of the tables for architectural performance monitoring in Intel's
 * Software Developer's Manual, volume 3 and 4.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "cpu.h"
#include "migration/blocker.h"
#include "sysemu/cpu-timers.h"
#include "sysemu/tcg.h"

#define MSR_IA32_A_PMC0               0x4c1
#define MSR_IA32_DEBUGCTL             0x1d9
#define MSR_IA32_PERF_GLOBAL_SET      0x391
#define MSR_IA32_PERF_GLOBAL_INUSE    0x392

#define PERF_CAP_FULL_WIDTH_WRITE     (1ull << 13)

#define EVTSEL_UMASK_SHIFT            8
#define EVTSEL_USR                    (1ull << 16)
#define EVTSEL_OS                     (1ull << 17)
#define EVTSEL_EDGE                   (1ull << 18)
#define EVTSEL_INT                    (1ull << 20)
#define EVTSEL_ANY                    (1ull << 21)
#define EVTSEL_EN                     (1ull << 22)
#define EVTSEL_INV                    (1ull << 23)
#define EVTSEL_CMASK_SHIFT            24
#define EVTSEL_CMASK                  (0xffull << EVTSEL_CMASK_SHIFT)
#define EVTSEL_RESERVED               (~0ull << 32)

#define FIXED_OS                      1
#define FIXED_USR                     2
#define FIXED_ANY                     4
#define FIXED_PMI                     8

/* GLOBAL_STATUS: frozen (version 4), and what only software ever clears */
#define STATUS_LBR_FRZ                (1ull << 58)
#define STATUS_CTR_FRZ                (1ull << 59)
#define STATUS_OVF_UNCORE             (1ull << 61)
#define STATUS_OVF_BUF                (1ull << 62)
#define STATUS_COND_CHGD              (1ull << 63)

#define INUSE_PMI                     (1ull << 63)

/* LBR, BTF, TR, BTS and its modifiers, and the two freezes: bits 0, 1, 6-12 */
#define DEBUGCTL_VALID                0x1fc3ull
#define DEBUGCTL_FREEZES              0x1800ull

#define RDPMC_FIXED                   (1u << 30)

static const struct {
    uint16_t select;
    X86PMUEvent event;
} event_table[] = {
#define PMU_EVENT(code, umask, name, what) \
    { (code) | (umask) << EVTSEL_UMASK_SHIFT, X86_PMU_##name },
#include "pmu-events.def"
};

static const X86PMUEvent fixed_events[X86_PMU_MAX_FIXED] = {
#define PMU_FIXED(index, name) [index] = X86_PMU_##name,
#include "pmu-events.def"
};

static X86PMUEvent event_of(X86CPU *cpu, uint64_t evtsel)
{
    int i;

    if (cpu->pmu_config.amd) {
        return x86_pmu_amd_event(cpu, evtsel);
    }
    for (i = 0; i < ARRAY_SIZE(event_table); i++) {
        if (event_table[i].select == (uint16_t)evtsel) {
            return event_table[i].event;
        }
    }
    return X86_PMU_NO_EVENT;
}

static int nr_fixed(X86CPU *cpu)
{
    return cpu->pmu_config.version > 1 ? cpu->pmu_config.fixed : 0;
}

/* GLOBAL_CTRL's valid bits, and GLOBAL_STATUS's for the counters */
static uint64_t counter_bits(X86CPU *cpu)
{
    return MAKE_64BIT_MASK(0, cpu->pmu_config.counters) |
           (nr_fixed(cpu) ? MAKE_64BIT_MASK(32, nr_fixed(cpu)) : 0);
}

/* GLOBAL_STATUS's valid bits */
static uint64_t status_bits(X86CPU *cpu)
{
    uint64_t bits = counter_bits(cpu) | STATUS_OVF_UNCORE | STATUS_OVF_BUF |
                    STATUS_COND_CHGD;

    return cpu->pmu_config.version < 4 ? bits :
           bits | STATUS_LBR_FRZ | STATUS_CTR_FRZ;
}

/* AnyThread makes no difference where a core has one thread. */
static bool any_thread_is_valid(X86CPU *cpu)
{
    return cpu->pmu_config.version >= 3 && cpu->pmu_config.version <= 4 &&
           CPU(cpu)->nr_threads == 1;
}

static uint64_t evtsel_reserved(X86CPU *cpu)
{
    if (cpu->pmu_config.amd) {
        return x86_pmu_amd_evtsel_reserved(cpu);
    }
    return any_thread_is_valid(cpu) ?
        EVTSEL_RESERVED : EVTSEL_RESERVED | EVTSEL_ANY;
}

bool x86_pmu_evtsel_is_valid(X86CPU *cpu, uint64_t val)
{
    if (val & evtsel_reserved(cpu)) {
        return false;
    }
    switch (event_of(cpu, val)) {
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

static bool fixed_ctrl_is_valid(X86CPU *cpu, uint64_t val)
{
    uint64_t each = FIXED_OS | FIXED_USR | FIXED_PMI;
    uint64_t valid = 0;
    int i;

    if (any_thread_is_valid(cpu)) {
        each |= FIXED_ANY;
    }
    for (i = 0; i < nr_fixed(cpu); i++) {
        valid |= each << (4 * i);
    }
    return !(val & ~valid);
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

    if (pmu->global_status & STATUS_CTR_FRZ) {
        enabled = 0;
    }
    pmu->runs[0] = pmu->runs[1] = 0;
    for (i = 0; i < cpu->pmu_config.counters; i++) {
        uint64_t sel = pmu->evtsel[i];
        bool on = (enabled >> i & 1) && (sel & EVTSEL_EN);

        decode_one(pmu, i, (X86PMUCounter) {
                       event_of(cpu, sel), mode_of(sel), sel & EVTSEL_INT
                   }, on && (sel & EVTSEL_OS), on && (sel & EVTSEL_USR));
    }
    for (i = 0; i < nr_fixed(cpu); i++) {
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
    X86PMUConfig *c = &cpu->pmu_config;

    if (!x86_pmu_present(cpu)) {
        return no_pmu(cpu);
    }
    if (!icount_enabled()) {
        warn_report_once("no PMU: the emulated one counts by -icount, "
                         "so add -icount shift=0 (or pmu=off to -cpu)");
        return no_pmu(cpu);
    }
    if (IS_AMD_CPU(&cpu->env)) {
        return x86_pmu_amd_realize(cpu, errp) && block_migration(errp);
    }
    if (!IS_INTEL_CPU(&cpu->env)) {
        warn_report_once("no PMU: the emulated ones are Intel's and AMD's, "
                         "so choose a -cpu model of theirs (or pmu=off)");
        return no_pmu(cpu);
    }
    if (c->version < 1 || c->version > 5) {
        error_setg(errp, "pmu-version must be from 1 to 5");
        return false;
    }
    if (c->counters < 1 || c->counters > X86_PMU_MAX_GP) {
        error_setg(errp, "pmu-counters must be from 1 to %d", X86_PMU_MAX_GP);
        return false;
    }
    if (c->fixed > X86_PMU_MAX_FIXED) {
        error_setg(errp, "pmu-fixed must be from 0 to %d", X86_PMU_MAX_FIXED);
        return false;
    }
    if (c->width < 32 || c->width > 56) {
        error_setg(errp, "pmu-width must be from 32 to 56");
        return false;
    }
    return x86_pmu_lbr_realize(cpu, errp) && block_migration(errp);
}

void x86_pmu_reset(X86CPU *cpu)
{
    CPUX86State *env = &cpu->env;

    memset(&env->pmu, 0, sizeof(env->pmu));
    env->pmu.global_ctrl = MAKE_64BIT_MASK(0, cpu->pmu_config.counters);
    env->pmu.steps_seen = icount_get_cpu(CPU(cpu));
    if (x86_pmu_present(cpu) && !cpu->pmu_config.amd) {
        env->msr_ia32_misc_enable |= MSR_IA32_MISC_ENABLE_PMU;
    }
    x86_pmu_configure(env);
}

void x86_pmu_cpuid(X86CPU *cpu, uint32_t *eax, uint32_t *ebx,
                   uint32_t *ecx, uint32_t *edx)
{
    const X86PMUConfig *c = &cpu->pmu_config;
    int nr_events = 7;

    if (c->amd) {
        *eax = *ebx = *ecx = *edx = 0;
        return;
    }
    *eax = c->version | c->counters << 8 | c->width << 16 | nr_events << 24;
    *ebx = c->unavailable & MAKE_64BIT_MASK(0, nr_events);
    *ecx = c->version < 5 ? 0 : MAKE_64BIT_MASK(0, c->fixed);
    *edx = c->version < 2 ? 0 : c->fixed | c->width << 5;
    if (c->version >= 5) {
        *edx |= 1 << 15; /* there is no AnyThread */
    }
}

/* What an MSR is to us. */
typedef enum RegisterKind {
    REG_OTHER,      /* nothing */
    REG_ABSENT,     /* one of the PMU's, but not in this configuration */
    REG_EVTSEL,     /* this and the next three have an index */
    REG_PERFCTR,    /* counter, written as 32 bits with sign */
    REG_FULL_WIDTH, /* counter, written in full */
    REG_FIXED,
    REG_SINGLE,
} RegisterKind;

static bool has_full_width_writes(X86CPU *cpu)
{
    return (cpu->env.features[FEAT_1_ECX] & CPUID_EXT_PDCM) &&
           (cpu->env.features[FEAT_PERF_CAPABILITIES] &
            PERF_CAP_FULL_WIDTH_WRITE);
}

static RegisterKind kind_in_banks(X86CPU *cpu, uint32_t msr, int *index)
{
    const struct {
        RegisterKind kind;
        uint32_t base;
        int addresses;
        int present;
    } banks[] = {
        { REG_EVTSEL, MSR_P6_EVNTSEL0, X86_PMU_MAX_GP,
          cpu->pmu_config.counters },
        { REG_PERFCTR, MSR_P6_PERFCTR0, X86_PMU_MAX_GP,
          cpu->pmu_config.counters },
        { REG_FULL_WIDTH, MSR_IA32_A_PMC0, X86_PMU_MAX_GP,
          has_full_width_writes(cpu) ? cpu->pmu_config.counters : 0 },
        { REG_FIXED, MSR_CORE_PERF_FIXED_CTR0, X86_PMU_MAX_FIXED + 1,
          nr_fixed(cpu) },
    };
    int i;

    for (i = 0; i < ARRAY_SIZE(banks); i++) {
        if (msr - banks[i].base < banks[i].addresses) {
            *index = msr - banks[i].base;
            return *index < banks[i].present ? banks[i].kind : REG_ABSENT;
        }
    }
    return REG_OTHER;
}

static RegisterKind kind_of(X86CPU *cpu, uint32_t msr, int *index)
{
    int since;

    switch (msr) {
    case MSR_IA32_DEBUGCTL:
        since = 1;
        break;
    case MSR_IA32_PERF_CAPABILITIES:
        return cpu->env.features[FEAT_1_ECX] & CPUID_EXT_PDCM ?
            REG_SINGLE : REG_ABSENT;
    case MSR_CORE_PERF_FIXED_CTR_CTRL:
    case MSR_CORE_PERF_GLOBAL_CTRL:
    case MSR_CORE_PERF_GLOBAL_STATUS:
    case MSR_CORE_PERF_GLOBAL_OVF_CTRL:
        since = 2;
        break;
    case MSR_IA32_PERF_GLOBAL_SET:
    case MSR_IA32_PERF_GLOBAL_INUSE:
        since = 4;
        break;
    default:
        return kind_in_banks(cpu, msr, index);
    }
    return cpu->pmu_config.version >= since ? REG_SINGLE : REG_ABSENT;
}

/* IA32_PERF_GLOBAL_INUSE: who uses what, for software that shares the PMU */
static uint64_t inuse(X86CPU *cpu)
{
    X86PMUState *pmu = &cpu->env.pmu;
    uint64_t val = 0;
    int i;

    for (i = 0; i < cpu->pmu_config.counters; i++) {
        if (pmu->evtsel[i] & 0xff) {
            val |= 1ull << i;
        }
        if (pmu->evtsel[i] & EVTSEL_INT) {
            val |= INUSE_PMI;
        }
    }
    for (i = 0; i < nr_fixed(cpu); i++) {
        int ctrl = pmu->fixed_ctrl >> (4 * i);

        if (ctrl & (FIXED_OS | FIXED_USR)) {
            val |= 1ull << (32 + i);
        }
        if (ctrl & FIXED_PMI) {
            val |= INUSE_PMI;
        }
    }
    return val;
}

static uint64_t read_single(CPUX86State *env, uint32_t msr)
{
    switch (msr) {
    case MSR_IA32_DEBUGCTL:
        return env->pmu.debugctl;
    case MSR_IA32_PERF_CAPABILITIES:
        return env->features[FEAT_PERF_CAPABILITIES];
    case MSR_CORE_PERF_FIXED_CTR_CTRL:
        return env->pmu.fixed_ctrl;
    case MSR_CORE_PERF_GLOBAL_CTRL:
        return env->pmu.global_ctrl;
    case MSR_CORE_PERF_GLOBAL_STATUS:
        return env->pmu.global_status;
    case MSR_IA32_PERF_GLOBAL_INUSE:
        return inuse(env_archcpu(env));
    default: /* those that set and clear bits of the status */
        return 0;
    }
}

X86PMUAccess x86_pmu_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val)
{
    X86CPU *cpu = env_archcpu(env);
    X86PMUAccess access;
    RegisterKind kind;
    int i;

    if (!x86_pmu_present(cpu)) {
        return X86_PMU_OTHER;
    }
    if (cpu->pmu_config.amd) {
        return x86_pmu_amd_rdmsr(env, msr, val);
    }
    access = x86_pmu_lbr_rdmsr(env, msr, val);
    if (access != X86_PMU_OTHER) {
        return access;
    }
    kind = kind_of(cpu, msr, &i);
    switch (kind) {
    case REG_OTHER:
        return X86_PMU_OTHER;
    case REG_ABSENT:
        return X86_PMU_FAULT;
    default:
        break;
    }

    x86_pmu_update(env);
    switch (kind) {
    case REG_EVTSEL:
        *val = env->pmu.evtsel[i];
        break;
    case REG_PERFCTR:
    case REG_FULL_WIDTH:
        *val = env->pmu.counter[i];
        break;
    case REG_FIXED:
        *val = env->pmu.counter[X86_PMU_FIXED0 + i];
        break;
    default:
        *val = read_single(env, msr);
        break;
    }
    return X86_PMU_DONE;
}

/* The bits that may be set in a value written to one of these, by register */
static uint64_t valid_bits(X86CPU *cpu, RegisterKind kind, uint32_t msr)
{
    switch (kind) {
    case REG_PERFCTR: /* the upper half is ignored */
        return ~0ull;
    case REG_FULL_WIDTH:
    case REG_FIXED:
        return MAKE_64BIT_MASK(0, cpu->pmu_config.width);
    default:
        break;
    }
    switch (msr) {
    case MSR_IA32_DEBUGCTL:
        return cpu->pmu_config.version > 1 ?
            DEBUGCTL_VALID : DEBUGCTL_VALID & ~DEBUGCTL_FREEZES;
    case MSR_CORE_PERF_GLOBAL_CTRL:
        return counter_bits(cpu);
    case MSR_CORE_PERF_GLOBAL_OVF_CTRL:
    case MSR_IA32_PERF_GLOBAL_SET:
        return status_bits(cpu);
    default:
        return 0;
    }
}

static bool value_is_valid(X86CPU *cpu, RegisterKind kind, uint32_t msr,
                           uint64_t val)
{
    if (kind == REG_EVTSEL) {
        return x86_pmu_evtsel_is_valid(cpu, val);
    }
    switch (msr) {
    case MSR_CORE_PERF_FIXED_CTR_CTRL:
        return fixed_ctrl_is_valid(cpu, val);
    case MSR_IA32_PERF_CAPABILITIES:
    case MSR_CORE_PERF_GLOBAL_STATUS:
    case MSR_IA32_PERF_GLOBAL_INUSE: /* read-only */
        return false;
    default:
        return !(val & ~valid_bits(cpu, kind, msr));
    }
}

static void write_single(X86PMUState *pmu, uint32_t msr, uint64_t val)
{
    switch (msr) {
    case MSR_IA32_DEBUGCTL:
        pmu->debugctl = val;
        break;
    case MSR_CORE_PERF_FIXED_CTR_CTRL:
        pmu->fixed_ctrl = val;
        break;
    case MSR_CORE_PERF_GLOBAL_CTRL:
        pmu->global_ctrl = val;
        break;
    case MSR_CORE_PERF_GLOBAL_OVF_CTRL:
        pmu->global_status &= ~val;
        break;
    case MSR_IA32_PERF_GLOBAL_SET:
        pmu->global_status |= val;
        break;
    default:
        g_assert_not_reached();
    }
}

X86PMUAccess x86_pmu_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val)
{
    X86CPU *cpu = env_archcpu(env);
    X86PMUAccess access;
    RegisterKind kind;
    int i;

    if (!x86_pmu_present(cpu)) {
        return X86_PMU_OTHER;
    }
    if (cpu->pmu_config.amd) {
        return x86_pmu_amd_wrmsr(env, msr, val);
    }
    access = x86_pmu_lbr_wrmsr(env, msr, val);
    if (access != X86_PMU_OTHER) {
        return access;
    }
    kind = kind_of(cpu, msr, &i);
    if (kind == REG_OTHER) {
        return X86_PMU_OTHER;
    }
    if (kind == REG_ABSENT || !value_is_valid(cpu, kind, msr, val)) {
        return X86_PMU_FAULT;
    }

    x86_pmu_update(env);
    switch (kind) {
    case REG_EVTSEL:
        env->pmu.evtsel[i] = val;
        break;
    case REG_PERFCTR:
        val = (int32_t)val & MAKE_64BIT_MASK(0, cpu->pmu_config.width);
        /* fall through */
    case REG_FULL_WIDTH:
        env->pmu.counter[i] = val;
        break;
    case REG_FIXED:
        env->pmu.counter[X86_PMU_FIXED0 + i] = val;
        break;
    default:
        write_single(&env->pmu, msr, val);
        break;
    }
    x86_pmu_configure(env);
    return X86_PMU_DONE;
}

X86PMUAccess x86_pmu_rdpmc(CPUX86State *env, uint32_t index, uint64_t *val)
{
    X86CPU *cpu = env_archcpu(env);
    bool fixed = index & RDPMC_FIXED;

    if (!x86_pmu_present(cpu)) {
        return X86_PMU_OTHER;
    }
    index &= ~RDPMC_FIXED;
    if (index >= (fixed ? nr_fixed(cpu) : cpu->pmu_config.counters)) {
        return X86_PMU_FAULT;
    }
    x86_pmu_update(env);
    *val = env->pmu.counter[fixed ? X86_PMU_FIXED0 + index : index];
    return X86_PMU_DONE;
}
