/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit: Intel's last branch records
 *
 * A ring of 16 branches, as on the Nehalem microarchitecture or by the
 * architecture; or of 32 with more information on each, as since Skylake.
 * Addresses are those of the tables of MSRs in Intel's Software Developer's
 * Manual, volume 4; volume 3B describes the records, chapters "Debug, Branch
 * Profile, TSC..." and "Last Branch Records". Translated code stores the address
 * of a branch, see x86-pmu-translate.c.inc.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "sysemu/cpu-timers.h"

#define MSR_LBR_SELECT            0x1c8
#define MSR_LASTBRANCH_TOS        0x1c9
#define MSR_LASTBRANCH_0_FROM_IP  0x680
#define MSR_LASTBRANCH_0_TO_IP    0x6c0
#define MSR_LBR_INFO_0            0xdc0
/* The most that any processor has; accesses beyond the model's number are refused. */
#define LASTBRANCH_ADDRESSES      32

#define DEBUGCTL_LBR              (1ull << 0)
#define DEBUGCTL_FREEZE_ON_PMI    (1ull << 11)
#define GLOBAL_STATUS_LBR_FRZ     (1ull << 58)

/* IA32_LBR_CTL; without the call stack mode */
#define LBR_CTL_EN                (1ull << 0)
#define LBR_CTL_OS                (1ull << 1)
#define LBR_CTL_USR               (1ull << 2)
#define LBR_CTL_FIRST_KIND        16
#define LBR_CTL_VALID             0x7f0007ull

/* CPUID leaf 0x1C: filters by level and by kind; kinds in IA32_LBR_x_INFO */
#define LBR_LEAF                  0x1c
#define LBR_LEAF_EBX              0x3
#define LBR_LEAF_ECX              0x4
#define LBR_INFO_TYPE_SHIFT       56

/* Of a FROM: mispredicted. No branch sets it here, but software may write it. */
#define FROM_MISPRED              (1ull << 63)

/* MSR_LBR_INFO_x: cycles since the last record, aborted, in a transaction, mispredicted */
#define INFO_CYCLES               0xffffull
#define INFO_MISPRED              (1ull << 63)
#define INFO_VALID                (INFO_MISPRED | 3ull << 61 | INFO_CYCLES)

static bool has_format(X86CPU *cpu, uint64_t format)
{
    return (cpu->env.features[FEAT_1_ECX] & CPUID_EXT_PDCM) &&
           (cpu->env.features[FEAT_PERF_CAPABILITIES] & PERF_CAP_LBR_FMT) ==
           format;
}

/* The longer, model-specific ring, which has a third register for each branch */
static bool has_info(X86CPU *cpu)
{
    return has_format(cpu, X86_PMU_LBR_FMT_INFO);
}

static bool has_ring(X86CPU *cpu)
{
    return has_format(cpu, X86_PMU_LBR_FMT) || has_info(cpu);
}

static bool has_arch(X86CPU *cpu)
{
    return cpu->env.features[FEAT_7_0_EDX] & CPUID_7_0_EDX_ARCH_LBR;
}

static bool has_lbr(X86CPU *cpu)
{
    return has_ring(cpu) || has_arch(cpu);
}

static uint32_t nr_records(X86CPU *cpu)
{
    return has_info(cpu) ? X86_PMU_NR_LBR_INFO : X86_PMU_NR_LBR;
}

bool x86_pmu_lbr_realize(X86CPU *cpu, Error **errp)
{
    if (cpu->lbr_fmt != ~PERF_CAP_LBR_FMT && cpu->lbr_fmt != 0 &&
        cpu->lbr_fmt != X86_PMU_LBR_FMT && cpu->lbr_fmt != X86_PMU_LBR_FMT_INFO) {
        error_setg(errp, "lbr-fmt must be %d or %d, or 0 for no branch records",
                   X86_PMU_LBR_FMT, X86_PMU_LBR_FMT_INFO);
        return false;
    }
    /* A model with all features has the bits of both formats. */
    if (has_format(cpu, X86_PMU_LBR_FMTS)) {
        cpu->env.features[FEAT_PERF_CAPABILITIES] &= ~(uint64_t)PERF_CAP_LBR_FMT;
        cpu->env.features[FEAT_PERF_CAPABILITIES] |= X86_PMU_LBR_FMT;
    }
    if (!has_arch(cpu)) {
        return true;
    }
    if (has_ring(cpu) || cpu->pmu_config.version < 4) {
        error_setg(errp, "arch-lbr needs pmu-version=4 or 5, and no lbr-fmt");
        return false;
    }
    cpu->env.cpuid_level = MAX(cpu->env.cpuid_level, LBR_LEAF);
    return true;
}

void x86_pmu_lbr_cpuid(X86CPU *cpu, uint32_t *eax, uint32_t *ebx,
                       uint32_t *ecx)
{
    if (has_arch(cpu)) {
        *eax = 1 << (X86_PMU_NR_LBR / 8 - 1);
        *ebx = LBR_LEAF_EBX;
        *ecx = LBR_LEAF_ECX;
    }
}

/* The places of the records, which have an MSR each */
static const struct {
    uint32_t first;
    bool (*has)(X86CPU *cpu);
    size_t ring;
} banks[] = {
    { MSR_LASTBRANCH_0_FROM_IP, has_ring, offsetof(X86PMULbr, from) },
    { MSR_LASTBRANCH_0_TO_IP,   has_ring, offsetof(X86PMULbr, to) },
    { MSR_LBR_INFO_0,           has_info, offsetof(X86PMULbr, info) },
    { MSR_ARCH_LBR_FROM_0,      has_arch, offsetof(X86PMULbr, from) },
    { MSR_ARCH_LBR_TO_0,        has_arch, offsetof(X86PMULbr, to) },
    { MSR_ARCH_LBR_INFO_0,      has_arch, offsetof(X86PMULbr, info) },
};

/* The first architectural register is the latest record, wherever that is stored. */
static X86PMUAccess find_record(CPUX86State *env, uint32_t msr,
                                uint64_t **record)
{
    X86PMULbr *lbr = &env->pmu.lbr;
    X86CPU *cpu = env_archcpu(env);
    uint32_t i;
    int b;

    for (b = 0; b < ARRAY_SIZE(banks); b++) {
        i = msr - banks[b].first;
        if (i >= LASTBRANCH_ADDRESSES) {
            continue;
        }
        if (i >= nr_records(cpu) || !banks[b].has(cpu)) {
            return X86_PMU_FAULT;
        }
        if (banks[b].has == has_arch) {
            i = (lbr->tos - i) % X86_PMU_NR_LBR;
        }
        *record = (uint64_t *)((char *)lbr + banks[b].ring) + i;
        return X86_PMU_DONE;
    }
    return X86_PMU_OTHER;
}

X86PMUAccess x86_pmu_lbr_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val)
{
    X86PMULbr *lbr = &env->pmu.lbr;
    X86CPU *cpu = env_archcpu(env);
    X86PMUAccess access;
    uint64_t *record;

    switch (msr) {
    case MSR_LBR_SELECT:
        *val = lbr->select;
        return has_ring(cpu) ? X86_PMU_DONE : X86_PMU_FAULT;
    case MSR_LASTBRANCH_TOS:
        *val = lbr->tos;
        return has_ring(cpu) ? X86_PMU_DONE : X86_PMU_FAULT;
    case MSR_ARCH_LBR_CTL:
        *val = lbr->ctl;
        return has_arch(cpu) ? X86_PMU_DONE : X86_PMU_FAULT;
    case MSR_ARCH_LBR_DEPTH:
        *val = X86_PMU_NR_LBR;
        return has_arch(cpu) ? X86_PMU_DONE : X86_PMU_FAULT;
    }
    access = find_record(env, msr, &record);
    if (access == X86_PMU_DONE) {
        *val = *record;
    }
    return access;
}

static bool is_canonical(CPUX86State *env, uint64_t address)
{
    int bits = env->cr[4] & CR4_LA57_MASK ? 57 : 48;

    return sextract64(address, 0, bits) == address;
}

/* The kinds that IA32_LBR_CTL does not name are left out. */
static uint32_t select_of(uint64_t ctl)
{
    static const uint32_t kinds[] = {
        LBR_SELECT_JCC, LBR_SELECT_NEAR_REL_JMP, LBR_SELECT_NEAR_IND_JMP,
        LBR_SELECT_NEAR_REL_CALL, LBR_SELECT_NEAR_IND_CALL,
        LBR_SELECT_NEAR_RET, LBR_SELECT_FAR_BRANCH,
    };
    uint32_t select = 0;
    int i;

    if (!(ctl & LBR_CTL_OS)) {
        select |= LBR_SELECT_CPL_EQ_0;
    }
    if (!(ctl & LBR_CTL_USR)) {
        select |= LBR_SELECT_CPL_NEQ_0;
    }
    for (i = 0; i < ARRAY_SIZE(kinds); i++) {
        if (!(ctl >> (LBR_CTL_FIRST_KIND + i) & 1)) {
            select |= kinds[i];
        }
    }
    return select;
}

static void clear_records(X86PMULbr *lbr)
{
    memset(lbr->from, 0, sizeof(lbr->from));
    memset(lbr->to, 0, sizeof(lbr->to));
    memset(lbr->info, 0, sizeof(lbr->info));
}

/* Write a register that is not a record. */
static X86PMUAccess write_control(CPUX86State *env, uint32_t msr, uint64_t val)
{
    X86PMULbr *lbr = &env->pmu.lbr;
    X86CPU *cpu = env_archcpu(env);

    switch (msr) {
    case MSR_LBR_SELECT:
        if (!has_ring(cpu) || (val & ~(uint64_t)LBR_SELECT_VALID)) {
            return X86_PMU_FAULT;
        }
        lbr->select = val;
        return X86_PMU_DONE;
    case MSR_LASTBRANCH_TOS:
        if (!has_ring(cpu) || val >= nr_records(cpu)) {
            return X86_PMU_FAULT;
        }
        lbr->tos = val;
        return X86_PMU_DONE;
    case MSR_ARCH_LBR_CTL:
        if (!has_arch(cpu) || (val & ~LBR_CTL_VALID)) {
            return X86_PMU_FAULT;
        }
        lbr->ctl = val;
        lbr->select = select_of(val);
        return X86_PMU_DONE;
    case MSR_ARCH_LBR_DEPTH:
        if (!has_arch(cpu) || val != X86_PMU_NR_LBR) {
            return X86_PMU_FAULT;
        }
        clear_records(lbr);
        return X86_PMU_DONE;
    }
    return X86_PMU_OTHER;
}

/* True if a record may have this value */
static bool record_is_valid(CPUX86State *env, uint32_t msr, uint64_t val)
{
    X86CPU *cpu = env_archcpu(env);

    if (msr - MSR_ARCH_LBR_INFO_0 < LASTBRANCH_ADDRESSES) {
        return true;
    }
    if (msr - MSR_LBR_INFO_0 < LASTBRANCH_ADDRESSES) {
        return !(val & ~INFO_VALID);
    }
    if (msr - MSR_LASTBRANCH_0_FROM_IP < LASTBRANCH_ADDRESSES && !has_info(cpu)) {
        val = (val & ~FROM_MISPRED) | (val << 1 & FROM_MISPRED);
    }
    return is_canonical(env, val);
}

X86PMUAccess x86_pmu_lbr_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val)
{
    X86PMUAccess access;
    uint64_t *record;

    access = write_control(env, msr, val);
    if (access != X86_PMU_OTHER) {
        return access;
    }
    access = find_record(env, msr, &record);
    if (access != X86_PMU_DONE) {
        return access;
    }
    if (!record_is_valid(env, msr, val)) {
        return X86_PMU_FAULT;
    }
    *record = val;
    return X86_PMU_DONE;
}

static bool is_on(CPUX86State *env)
{
    return has_arch(env_archcpu(env)) ? env->pmu.lbr.ctl & LBR_CTL_EN :
                                        env->pmu.debugctl & DEBUGCTL_LBR;
}

static bool records_now(CPUX86State *env)
{
    return is_on(env) && !(env->pmu.global_status & GLOBAL_STATUS_LBR_FRZ) &&
           has_lbr(env_archcpu(env));
}

bool x86_pmu_lbr_arm(CPUX86State *env)
{
    X86PMULbr *lbr = &env->pmu.lbr;
    bool on = records_now(env);

    if (on && !lbr->on) {
        lbr->steps_seen = env->pmu.steps_seen;
    }
    lbr->on = on;
    return on;
}

void x86_pmu_lbr_freeze(CPUX86State *env)
{
    X86PMUState *pmu = &env->pmu;

    if (!(pmu->debugctl & DEBUGCTL_FREEZE_ON_PMI) ||
        !has_lbr(env_archcpu(env))) {
        return;
    }
    if (env_archcpu(env)->pmu_config.version >= 4) {
        pmu->global_status |= GLOBAL_STATUS_LBR_FRZ;
    } else {
        pmu->debugctl &= ~DEBUGCTL_LBR;
    }
}

bool x86_pmu_lbr_debug(CPUX86State *env)
{
    if (!has_lbr(env_archcpu(env))) {
        return false;
    }
    env->pmu.debugctl &= ~DEBUGCTL_LBR;
    env->pmu.lbr.ctl &= ~LBR_CTL_EN;
    return true;
}

/* The code of this kind in IA32_LBR_x_INFO */
static uint64_t type_of(uint32_t kind)
{
    switch (kind) {
    case LBR_SELECT_JCC:
        return 0;
    case LBR_SELECT_NEAR_IND_JMP:
        return 1;
    case LBR_SELECT_NEAR_REL_JMP:
        return 2;
    case LBR_SELECT_NEAR_IND_CALL:
        return 3;
    case LBR_SELECT_NEAR_REL_CALL:
        return 4;
    case LBR_SELECT_NEAR_RET:
        return 5;
    default:
        return 8;
    }
}

/*
 * The information on a branch. Conditional branches that go back are predicted as
 * taken, those that go on as not taken: so a taken one that goes on is mispredicted.
 */
static uint64_t info_of(CPUX86State *env, target_ulong to, uint32_t kind)
{
    X86PMULbr *lbr = &env->pmu.lbr;
    int64_t steps = icount_get_cpu(env_cpu(env));
    uint64_t info = MIN((uint64_t)(steps - lbr->steps_seen), INFO_CYCLES);

    lbr->steps_seen = steps;
    if (kind == LBR_SELECT_JCC && to > lbr->insn) {
        info |= INFO_MISPRED;
    }
    return info;
}

/* The level of a branch is that of its target. */
void x86_pmu_lbr_record(CPUX86State *env, target_ulong to, uint32_t kind)
{
    X86PMULbr *lbr = &env->pmu.lbr;
    X86CPU *cpu = env_archcpu(env);
    uint32_t level = env->hflags & HF_CPL_MASK ? LBR_SELECT_CPL_NEQ_0 :
                                                 LBR_SELECT_CPL_EQ_0;

    if (!records_now(env) || (lbr->select & (level | kind))) {
        return;
    }
    lbr->tos = (lbr->tos + 1) % nr_records(cpu);
    lbr->from[lbr->tos] = lbr->insn;
    lbr->to[lbr->tos] = to;
    lbr->info[lbr->tos] = has_arch(cpu) ? type_of(kind) << LBR_INFO_TYPE_SHIFT :
                                          info_of(env, to, kind);
}

void helper_pmu_branch(CPUX86State *env, target_ulong to, uint32_t kind)
{
    x86_pmu_lbr_record(env, to, kind);
}
