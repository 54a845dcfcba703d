/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit: AMD's registers and events
 *
 * Event selectors and counters at their two sets of addresses, the global
 * registers of PerfMonV2, and the events' encodings by family. Bits and
 * addresses are those of AMD's Architecture Programmer's Manual, volume 2,
 * "Performance Monitoring Counters", and volume 3, CPUID; the encodings those of
 * each family's BIOS and Kernel Developer's Guide or Processor Programming
 * Reference.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "cpu.h"

#define MSR_PERF_LEGACY               0xc0010000 /* 4 selectors, 4 counters */
#define NR_LEGACY                     4
#define MSR_PERF_CORE                 0xc0010200 /* selector, counter, ... */
#define NR_CORE                       6
#define MSR_GLOBAL_STATUS             0xc0000300
#define MSR_GLOBAL_CTL                0xc0000301
#define MSR_GLOBAL_STATUS_CLR         0xc0000302
#define MSR_GLOBAL_STATUS_SET         0xc0000303

#define COUNTER_WIDTH                 48

#define CPUID_PERFMON_V2_LEAF         0x80000022
#define CPUID_PERFMON_V2              1

#define EVTSEL_PIN_CONTROL            (1ull << 19)
#define EVTSEL_BIT_21                 (1ull << 21)
#define EVTSEL_HIGH_SHIFT             32
#define EVTSEL_HIGH                   (0xfull << EVTSEL_HIGH_SHIFT)
#define EVTSEL_GUEST_OR_HOST_ONLY     (3ull << 40)

/* GLOBAL_STATUS: branch records frozen, counters frozen */
#define STATUS_FROZEN                 (3ull << 58)

static const struct {
    uint8_t first, last; /* families */
    uint16_t select;
    uint8_t umask;
    X86PMUEvent event;
} event_table[] = {
#define PMU_AMD_EVENT(first, last, code, umask, name) \
    { first, last, code, umask, X86_PMU_##name },
#include "pmu-events.def"
};

static int family_of(X86CPU *cpu)
{
    int family = cpu->env.cpuid_version >> 8 & 0xf;

    return family < 0xf ? family : family + (cpu->env.cpuid_version >> 20 & 0xff);
}

static X86PMUEvent amd_event(X86CPU *cpu, uint64_t evtsel)
{
    int select = (evtsel & 0xff) |
                 (evtsel & EVTSEL_HIGH) >> (EVTSEL_HIGH_SHIFT - 8);
    int umask = evtsel >> 8 & 0xff;
    int family = family_of(cpu);
    int i;

    /* Either of these bits stops a counter while EFER.SVME is clear. */
    if (evtsel & EVTSEL_GUEST_OR_HOST_ONLY) {
        return X86_PMU_NO_EVENT;
    }
    for (i = 0; i < ARRAY_SIZE(event_table); i++) {
        if (event_table[i].select == select &&
            event_table[i].umask == umask &&
            family >= event_table[i].first && family <= event_table[i].last) {
            return event_table[i].event;
        }
    }
    return X86_PMU_NO_EVENT;
}

static uint64_t amd_evtsel_reserved(X86CPU *cpu)
{
    if (family_of(cpu) < 0x10) {
        return ~0ull << 32 | EVTSEL_BIT_21;
    }
    return ~(0xffffffffull | EVTSEL_HIGH | EVTSEL_GUEST_OR_HOST_ONLY) |
           EVTSEL_PIN_CONTROL | EVTSEL_BIT_21;
}

static bool amd_realize(X86CPU *cpu, Error **errp)
{
    X86PMUConfig *c = &cpu->pmu_config;
    CPUX86State *env = &cpu->env;

    if (family_of(cpu) >= 0x15 &&
        !(env->user_features[FEAT_8000_0001_ECX] & CPUID_EXT3_PERFCORE)) {
        env->features[FEAT_8000_0001_ECX] |= CPUID_EXT3_PERFCORE;
    }
    if (family_of(cpu) >= 0x17 &&
        !(env->user_features[FEAT_8000_0001_ECX] & CPUID_EXT3_IBS)) {
        env->features[FEAT_8000_0001_ECX] |= CPUID_EXT3_IBS;
    }
    x86_pmu_ibs_realize(cpu);
    env->features[FEAT_7_0_EDX] &= ~CPUID_7_0_EDX_ARCH_LBR;
    c->version = 1;
    c->fixed = 0;
    c->width = COUNTER_WIDTH;
    c->counters = env->features[FEAT_8000_0001_ECX] & CPUID_EXT3_PERFCORE ?
        NR_CORE : NR_LEGACY;
    if (!c->perfmon_v2) {
        return true;
    }
    if (c->counters != NR_CORE) {
        error_setg(errp, "pmu-perfmon-v2 needs perfctr-core");
        return false;
    }
    env->cpuid_xlevel = MAX(env->cpuid_xlevel, CPUID_PERFMON_V2_LEAF);
    return true;
}

void x86_pmu_amd_cpuid(X86CPU *cpu, uint32_t *eax, uint32_t *ebx)
{
    const X86PMUConfig *c = &cpu->pmu_config;

    *eax = c->perfmon_v2 ? CPUID_PERFMON_V2 : 0;
    *ebx = c->perfmon_v2 ? c->counters : 0;
}

/* The kinds of MSRs */
typedef enum RegisterKind {
    REG_OTHER,  /* not the PMU's */
    REG_ABSENT, /* one of the PMU's, but not in this configuration */
    REG_EVTSEL, /* this and the next have an index */
    REG_COUNTER,
    REG_GLOBAL,
} RegisterKind;

static RegisterKind kind_of(X86CPU *cpu, uint32_t msr, int *index)
{
    const X86PMUConfig *c = &cpu->pmu_config;

    /* With six counters these are other names of the first four. */
    if (msr - MSR_PERF_LEGACY < 2 * NR_LEGACY) {
        *index = (msr - MSR_PERF_LEGACY) % NR_LEGACY;
        return msr - MSR_PERF_LEGACY < NR_LEGACY ? REG_EVTSEL : REG_COUNTER;
    }
    if (msr - MSR_PERF_CORE < 2 * NR_CORE) {
        *index = (msr - MSR_PERF_CORE) / 2;
        if (c->counters < NR_CORE) {
            return REG_ABSENT;
        }
        return (msr - MSR_PERF_CORE) % 2 ? REG_COUNTER : REG_EVTSEL;
    }
    if (msr >= MSR_GLOBAL_STATUS && msr <= MSR_GLOBAL_STATUS_SET) {
        return c->perfmon_v2 ? REG_GLOBAL : REG_ABSENT;
    }
    return REG_OTHER;
}

static X86PMUAccess amd_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val)
{
    X86PMUState *pmu = &env->pmu;
    RegisterKind kind;
    int i;

    if (x86_pmu_ibs_owns(msr)) {
        x86_pmu_update(env);
        return x86_pmu_ibs_rdmsr(env, msr, val);
    }
    kind = kind_of(env_archcpu(env), msr, &i);
    if (kind == REG_OTHER) {
        return X86_PMU_OTHER;
    }
    if (kind == REG_ABSENT) {
        return X86_PMU_FAULT;
    }
    x86_pmu_update(env);
    if (kind == REG_EVTSEL) {
        *val = pmu->evtsel[i];
    } else if (kind == REG_COUNTER) {
        *val = pmu->counter[i];
    } else {
        *val = msr == MSR_GLOBAL_STATUS ? pmu->global_status
             : msr == MSR_GLOBAL_CTL ? pmu->global_ctrl : 0;
    }
    return X86_PMU_DONE;
}

static bool global_is_valid(X86CPU *cpu, uint32_t msr, uint64_t val)
{
    uint64_t counters = MAKE_64BIT_MASK(0, cpu->pmu_config.counters);

    switch (msr) {
    case MSR_GLOBAL_STATUS: /* read-only */
        return false;
    case MSR_GLOBAL_CTL:
        return !(val & ~counters);
    default:
        return !(val & ~(counters | STATUS_FROZEN));
    }
}

static void write_global(X86PMUState *pmu, uint32_t msr, uint64_t val)
{
    switch (msr) {
    case MSR_GLOBAL_CTL:
        pmu->global_ctrl = val;
        break;
    case MSR_GLOBAL_STATUS_CLR:
        pmu->global_status &= ~val;
        break;
    case MSR_GLOBAL_STATUS_SET:
        pmu->global_status |= val;
        break;
    default:
        g_assert_not_reached();
    }
}

static X86PMUAccess amd_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val)
{
    X86CPU *cpu = env_archcpu(env);
    X86PMUAccess access;
    RegisterKind kind;
    int i;

    if (x86_pmu_ibs_owns(msr)) {
        x86_pmu_update(env);
        access = x86_pmu_ibs_wrmsr(env, msr, val);
        if (access == X86_PMU_DONE) {
            x86_pmu_configure(env);
        }
        return access;
    }
    kind = kind_of(cpu, msr, &i);
    if (kind == REG_OTHER) {
        return X86_PMU_OTHER;
    }
    if (kind == REG_ABSENT ||
        (kind == REG_EVTSEL && !x86_pmu_evtsel_is_valid(cpu, val)) ||
        (kind == REG_GLOBAL && !global_is_valid(cpu, msr, val))) {
        return X86_PMU_FAULT;
    }
    x86_pmu_update(env);
    if (kind == REG_EVTSEL) {
        env->pmu.evtsel[i] = val;
    } else if (kind == REG_COUNTER) {
        env->pmu.counter[i] = val & MAKE_64BIT_MASK(0, COUNTER_WIDTH);
    } else {
        write_global(&env->pmu, msr, val);
    }
    x86_pmu_configure(env);
    return X86_PMU_DONE;
}

const X86PMUVendor x86_pmu_amd = {
    .realize = amd_realize,
    .event = amd_event,
    .evtsel_reserved = amd_evtsel_reserved,
    .rdmsr = amd_rdmsr,
    .wrmsr = amd_wrmsr,
};
