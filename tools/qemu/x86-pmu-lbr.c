/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit: Intel's last branch records
 *
 * A ring of 16 branches as the Nehalem microarchitecture has it. Addresses are
 * those of the tables of MSRs in Intel's Software Developer's Manual, volume 4;
 * what is recorded is in volume 3B, chapter "Debug, Branch Profile, TSC...".
 * Translated code says where a branch is, see x86-pmu-translate.c.inc.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "cpu.h"
#include "exec/helper-proto.h"

#define MSR_LBR_SELECT            0x1c8
#define MSR_LASTBRANCH_TOS        0x1c9
#define MSR_LASTBRANCH_0_FROM_IP  0x680
#define MSR_LASTBRANCH_0_TO_IP    0x6c0
/* As many as any processor has there; those that are too many are refused. */
#define LASTBRANCH_ADDRESSES      32

#define DEBUGCTL_LBR              (1ull << 0)
#define DEBUGCTL_FREEZE_ON_PMI    (1ull << 11)
#define GLOBAL_STATUS_LBR_FRZ     (1ull << 58)

/* Of a FROM: mispredicted, which no branch is here, but software may write it */
#define FROM_MISPRED              (1ull << 63)

static bool has_lbr(X86CPU *cpu)
{
    return (cpu->env.features[FEAT_1_ECX] & CPUID_EXT_PDCM) &&
           (cpu->env.features[FEAT_PERF_CAPABILITIES] & PERF_CAP_LBR_FMT) ==
           X86_PMU_LBR_FMT;
}

bool x86_pmu_lbr_realize(X86CPU *cpu, Error **errp)
{
    if (cpu->lbr_fmt != ~PERF_CAP_LBR_FMT && cpu->lbr_fmt != 0 &&
        cpu->lbr_fmt != X86_PMU_LBR_FMT) {
        error_setg(errp, "lbr-fmt must be %d, or 0 for no branch records",
                   X86_PMU_LBR_FMT);
        return false;
    }
    return true;
}

/* The record that the MSR is part of, in the ring that is returned, or NULL */
static uint64_t *ring_of(CPUX86State *env, uint32_t msr, uint32_t *index)
{
    X86PMULbr *lbr = &env->pmu.lbr;

    if (msr - MSR_LASTBRANCH_0_FROM_IP < LASTBRANCH_ADDRESSES) {
        *index = msr - MSR_LASTBRANCH_0_FROM_IP;
        return lbr->from;
    }
    if (msr - MSR_LASTBRANCH_0_TO_IP < LASTBRANCH_ADDRESSES) {
        *index = msr - MSR_LASTBRANCH_0_TO_IP;
        return lbr->to;
    }
    return NULL;
}

static bool is_control(uint32_t msr)
{
    return msr == MSR_LBR_SELECT || msr == MSR_LASTBRANCH_TOS;
}

X86PMUAccess x86_pmu_lbr_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val)
{
    X86PMULbr *lbr = &env->pmu.lbr;
    uint32_t i = 0;
    uint64_t *ring = ring_of(env, msr, &i);

    if (!ring && !is_control(msr)) {
        return X86_PMU_OTHER;
    }
    if (!has_lbr(env_archcpu(env)) || i >= X86_PMU_NR_LBR) {
        return X86_PMU_FAULT;
    }
    *val = ring ? ring[i] : msr == MSR_LBR_SELECT ? lbr->select : lbr->tos;
    return X86_PMU_DONE;
}

static bool is_canonical(CPUX86State *env, uint64_t address)
{
    int bits = env->cr[4] & CR4_LA57_MASK ? 57 : 48;

    return sextract64(address, 0, bits) == address;
}

X86PMUAccess x86_pmu_lbr_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val)
{
    X86PMULbr *lbr = &env->pmu.lbr;
    uint32_t i = 0;
    uint64_t *ring = ring_of(env, msr, &i);
    uint64_t valid = msr == MSR_LBR_SELECT ? LBR_SELECT_VALID :
                                             X86_PMU_NR_LBR - 1;
    uint64_t address = ring == lbr->from ?
        (val & ~FROM_MISPRED) | (val << 1 & FROM_MISPRED) : val;

    if (!ring && !is_control(msr)) {
        return X86_PMU_OTHER;
    }
    if (!has_lbr(env_archcpu(env)) || i >= X86_PMU_NR_LBR ||
        (ring ? !is_canonical(env, address) : (val & ~valid) != 0)) {
        return X86_PMU_FAULT;
    }
    if (ring) {
        ring[i] = val;
    } else if (msr == MSR_LBR_SELECT) {
        lbr->select = val;
    } else {
        lbr->tos = val;
    }
    return X86_PMU_DONE;
}

bool x86_pmu_lbr_records(CPUX86State *env)
{
    return (env->pmu.debugctl & DEBUGCTL_LBR) &&
           !(env->pmu.global_status & GLOBAL_STATUS_LBR_FRZ) &&
           has_lbr(env_archcpu(env));
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

void x86_pmu_lbr_debug(CPUX86State *env)
{
    if (has_lbr(env_archcpu(env))) {
        env->pmu.debugctl &= ~DEBUGCTL_LBR;
        x86_pmu_overflow(env);
    }
}

/* The level that counts is the one where the branch ends. */
void x86_pmu_lbr_record(CPUX86State *env, target_ulong to, uint32_t kind)
{
    X86PMULbr *lbr = &env->pmu.lbr;
    uint32_t level = env->hflags & HF_CPL_MASK ? LBR_SELECT_CPL_NEQ_0 :
                                                 LBR_SELECT_CPL_EQ_0;

    if (!x86_pmu_lbr_records(env) || (lbr->select & (level | kind))) {
        return;
    }
    lbr->tos = (lbr->tos + 1) % X86_PMU_NR_LBR;
    lbr->from[lbr->tos] = lbr->insn;
    lbr->to[lbr->tos] = to;
}

void helper_pmu_branch(CPUX86State *env, target_ulong to, uint32_t kind)
{
    x86_pmu_lbr_record(env, to, kind);
}
