/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit: Intel's registers and events
 *
 * CPUID leaf 0xA and the MSRs. Every access first brings the counters up to
 * date. Bits and addresses are those of the tables for architectural performance
 * monitoring in Intel's Software Developer's Manual, volume 3 and 4.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "cpu.h"

#define MSR_IA32_A_PMC0               0x4c1
#define MSR_IA32_DEBUGCTL             0x1d9
#define MSR_IA32_PERF_GLOBAL_SET      0x391
#define MSR_IA32_PERF_GLOBAL_INUSE    0x392

#define PERF_CAP_FULL_WIDTH_WRITE     (1ull << 13)

#define EVTSEL_UMASK_SHIFT            8
#define EVTSEL_INT                    (1ull << 20)
#define EVTSEL_ANY                    (1ull << 21)
#define EVTSEL_RESERVED               (~0ull << 32)

#define FIXED_OS                      1
#define FIXED_USR                     2
#define FIXED_ANY                     4
#define FIXED_PMI                     8

/* GLOBAL_STATUS: frozen (version 4), and the bits that only software clears */
#define STATUS_LBR_FRZ                (1ull << 58)
#define STATUS_OVF_UNCORE             (1ull << 61)
#define STATUS_OVF_BUF                (1ull << 62)
#define STATUS_COND_CHGD              (1ull << 63)

#define INUSE_PMI                     (1ull << 63)

/* LBR, BTF, TR, BTS and its modifiers, and the two freezes: bits 0, 1, 6-12 */
#define DEBUGCTL_VALID                0x1fc3ull
#define DEBUGCTL_FREEZES              0x1800ull

static const struct {
    uint16_t select;
    X86PMUEvent event;
} event_table[] = {
#define PMU_EVENT(code, umask, name, what) \
    { (code) | (umask) << EVTSEL_UMASK_SHIFT, X86_PMU_##name },
#include "pmu-events.def"
};

static X86PMUEvent intel_event(X86CPU *cpu, uint64_t evtsel)
{
    X86PMUEvent event;
    int i;

    if (x86_pmu_hybrid_event(cpu, (uint16_t)evtsel, &event)) {
        return event;
    }
    for (i = 0; i < ARRAY_SIZE(event_table); i++) {
        if (event_table[i].select == (uint16_t)evtsel) {
            return event_table[i].event;
        }
    }
    return X86_PMU_NO_EVENT;
}

/* GLOBAL_CTRL's valid bits, and GLOBAL_STATUS's for the counters */
static uint64_t counter_bits(X86CPU *cpu)
{
    return MAKE_64BIT_MASK(0, cpu->pmu_config.counters) |
           (x86_pmu_nr_fixed(cpu) ? MAKE_64BIT_MASK(32, x86_pmu_nr_fixed(cpu)) : 0);
}

/* GLOBAL_STATUS's valid bits */
static uint64_t status_bits(X86CPU *cpu)
{
    uint64_t bits = counter_bits(cpu) | STATUS_OVF_UNCORE | STATUS_OVF_BUF |
                    STATUS_COND_CHGD;

    return cpu->pmu_config.version < 4 ? bits :
           bits | STATUS_LBR_FRZ | X86_PMU_STATUS_CTR_FRZ;
}

/* AnyThread has no effect if a core has one thread. */
static bool any_thread_is_valid(X86CPU *cpu)
{
    return cpu->pmu_config.version >= 3 && cpu->pmu_config.version <= 4 &&
           CPU(cpu)->nr_threads == 1;
}

static uint64_t intel_evtsel_reserved(X86CPU *cpu)
{
    return any_thread_is_valid(cpu) ?
        EVTSEL_RESERVED : EVTSEL_RESERVED | EVTSEL_ANY;
}

static bool fixed_ctrl_is_valid(X86CPU *cpu, uint64_t val)
{
    uint64_t each = FIXED_OS | FIXED_USR | FIXED_PMI;
    uint64_t valid = 0;
    int i;

    if (any_thread_is_valid(cpu)) {
        each |= FIXED_ANY;
    }
    for (i = 0; i < x86_pmu_nr_fixed(cpu); i++) {
        valid |= each << (4 * i);
    }
    return !(val & ~valid);
}

static bool intel_realize(X86CPU *cpu, Error **errp)
{
    X86PMUConfig *c = &cpu->pmu_config;

    x86_pmu_hybrid_realize(cpu);
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
    return x86_pmu_lbr_realize(cpu, errp);
}

static void intel_cpuid(X86CPU *cpu, uint32_t *eax, uint32_t *ebx,
                        uint32_t *ecx, uint32_t *edx)
{
    const X86PMUConfig *c = &cpu->pmu_config;
    int nr_events = 7;

    *eax = c->version | c->counters << 8 | c->width << 16 | nr_events << 24;
    *ebx = c->unavailable & MAKE_64BIT_MASK(0, nr_events);
    *ecx = c->version < 5 ? 0 : MAKE_64BIT_MASK(0, c->fixed);
    *edx = c->version < 2 ? 0 : c->fixed | c->width << 5;
    if (c->version >= 5) {
        *edx |= 1 << 15; /* there is no AnyThread */
    }
}

/* The kinds of MSRs */
typedef enum RegisterKind {
    REG_OTHER,      /* not the PMU's */
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
          x86_pmu_nr_fixed(cpu) },
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

/* IA32_PERF_GLOBAL_INUSE: counters in use, for software that shares the PMU */
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
    for (i = 0; i < x86_pmu_nr_fixed(cpu); i++) {
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
    default: /* write-only: sets or clears bits of the status */
        return 0;
    }
}

/* Find a register. DONE: *kind is its kind. */
static X86PMUAccess find_register(X86CPU *cpu, uint32_t msr,
                                  RegisterKind *kind, int *index)
{
    *kind = kind_of(cpu, msr, index);
    return *kind == REG_OTHER ? X86_PMU_OTHER :
           *kind == REG_ABSENT ? X86_PMU_FAULT : X86_PMU_DONE;
}

static X86PMUAccess read_register(CPUX86State *env, uint32_t msr, uint64_t *val)
{
    X86PMUAccess access;
    RegisterKind kind;
    int i;

    access = find_register(env_archcpu(env), msr, &kind, &i);
    if (access != X86_PMU_DONE) {
        return access;
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

static X86PMUAccess intel_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val)
{
    X86PMUAccess access = x86_pmu_lbr_rdmsr(env, msr, val);

    return access == X86_PMU_OTHER ? read_register(env, msr, val) : access;
}

/* The bits that may be set in a value written to a register */
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

static X86PMUAccess write_register(CPUX86State *env, uint32_t msr, uint64_t val)
{
    X86CPU *cpu = env_archcpu(env);
    X86PMUAccess access;
    RegisterKind kind;
    int i;

    access = find_register(cpu, msr, &kind, &i);
    if (access != X86_PMU_DONE) {
        return access;
    }
    if (!value_is_valid(cpu, kind, msr, val)) {
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

static X86PMUAccess intel_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val)
{
    X86PMUAccess access = x86_pmu_lbr_wrmsr(env, msr, val);

    if (access == X86_PMU_DONE) {
        x86_pmu_update(env);
    }
    return access == X86_PMU_OTHER ? write_register(env, msr, val) : access;
}

const X86PMUVendor x86_pmu_intel = {
    .realize = intel_realize,
    .cpuid = intel_cpuid,
    .event = intel_event,
    .evtsel_reserved = intel_evtsel_reserved,
    .rdmsr = intel_rdmsr,
    .wrmsr = intel_wrmsr,
    .misc_enable = MSR_IA32_MISC_ENABLE_PMU,
    .masks_lvtpc = true,
};
