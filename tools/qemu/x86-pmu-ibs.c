/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit: AMD's Instruction-Based Sampling
 *
 * The fetch unit counts instructions, the op unit instructions or steps. One
 * before a unit's count is full the CPU leaves its execution loop: the next
 * instruction is the sample, alone in its translation block, in which all
 * inline events are counted: they show its kind. If it faults, or is only an
 * iteration of a string, the count is not full after it, and the sample is
 * the next instruction.
 *
 * Bits and addresses are those of AMD's Architecture Programmer's Manual, volume
 * 2, "Instruction-Based Sampling", and of the Processor Programming References
 * of families 17h and 19h.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "cpu.h"
#include "hw/i386/apic.h"

#define MSR_IBS_FETCH_CTL      0xc0011030
#define MSR_IBS_FETCH_LINADDR  0xc0011031
#define MSR_IBS_FETCH_PHYSADDR 0xc0011032
#define MSR_IBS_OP_CTL         0xc0011033
#define MSR_IBS_OP_RIP         0xc0011034
#define MSR_IBS_OP_DATA        0xc0011035
#define MSR_IBS_OP_DATA3       0xc0011037
#define MSR_IBS_CTL            0xc001103a
#define MSR_IBS_BR_TARGET      0xc001103b
#define MSR_IBS_LAST           0xc001103d

#define MAX_CNT                0xffffull     /* in 16s */
#define FETCH_CNT_SHIFT        16            /* in 16s as well */
#define FETCH_CNT              (0xffffull << FETCH_CNT_SHIFT)
#define FETCH_EN               (1ull << 48)
#define FETCH_VAL              (1ull << 49)
#define FETCH_COMP             (1ull << 50)
#define FETCH_RESULTS          (0x1ffull << 48 & ~FETCH_EN | 0xffffull << 32)
#define FETCH_RESERVED         (~0ull << 58)
#define OP_EN                  (1ull << 17)
#define OP_VAL                 (1ull << 18)
#define OP_CNT_CTL             (1ull << 19)  /* instructions, not steps */
#define OP_MAX_CNT_EXT         (0x7full << 20)
#define OP_CUR_CNT_SHIFT       32
#define OP_CUR_CNT             (0x7ffffffull << OP_CUR_CNT_SHIFT)
#define OP_RESERVED            (1ull << 16 | 0x1full << 27 | ~0ull << 59)

#define DATA_RETURN            (1ull << 34)
#define DATA_BRN_TAKEN         (1ull << 35)
#define DATA_BRN_RET           (1ull << 37)
#define DATA3_LD_OP            1
#define DATA3_ST_OP            2

#define CTL_LVT_OFFSET_VAL     (1ull << 8)
#define LVT_OFFSET             0

/* All but the op's fuse bit, the extended fetch control, and newer features */
#define IBS_CAPS               0xff

#define CPUID_IBS_LEAF         0x8000001b

static bool is_present(X86CPU *cpu)
{
    return x86_pmu_present(cpu) &&
           (cpu->env.features[FEAT_8000_0001_ECX] & CPUID_EXT3_IBS);
}

void x86_pmu_ibs_realize(X86CPU *cpu)
{
    CPUX86State *env = &cpu->env;

    if (env->features[FEAT_8000_0001_ECX] & CPUID_EXT3_IBS) {
        env->features[FEAT_8000_0001_ECX] |= CPUID_EXT3_EXTAPIC;
        env->cpuid_xlevel = MAX(env->cpuid_xlevel, CPUID_IBS_LEAF);
    }
}

uint32_t x86_pmu_ibs_cpuid(X86CPU *cpu)
{
    return is_present(cpu) ? IBS_CAPS : 0;
}

static uint64_t fetch_period(const X86PMUIBS *ibs)
{
    return (ibs->fetch_ctl & MAX_CNT) << 4;
}

static uint64_t op_period(const X86PMUIBS *ibs)
{
    return (ibs->op_ctl & MAX_CNT) << 4 | (ibs->op_ctl & OP_MAX_CNT_EXT);
}

static bool fetch_runs(const X86PMUIBS *ibs)
{
    return (ibs->fetch_ctl & FETCH_EN) && !(ibs->fetch_ctl & FETCH_VAL) &&
           fetch_period(ibs);
}

static bool op_runs(const X86PMUIBS *ibs)
{
    return (ibs->op_ctl & OP_EN) && !(ibs->op_ctl & OP_VAL) && op_period(ibs);
}

/* Steps until the next stop for a unit whose count needs @left more */
static int64_t steps_until_due(X86PMUIBS *ibs, int64_t left)
{
    if (left > 1) {
        return left - 1;
    }
    ibs->due = true;
    return 1;
}

int64_t x86_pmu_ibs_arm(CPUX86State *env)
{
    X86PMUIBS *ibs = &env->pmu.ibs;
    int64_t limit = INT64_MAX;

    ibs->due = false;
    if (fetch_runs(ibs)) {
        limit = steps_until_due(ibs, fetch_period(ibs) - ibs->fetch_count);
    }
    if (op_runs(ibs)) {
        limit = MIN(limit, steps_until_due(ibs, op_period(ibs) -
                                                ibs->op_count));
    }
    ibs->watch = ibs->due || ibs->branch;
    return limit;
}

/* The count stays at its end value, which Linux expects. */
static void take_fetch(X86PMUIBS *ibs)
{
    ibs->fetch_ctl = (ibs->fetch_ctl & ~FETCH_RESULTS) | FETCH_VAL | FETCH_COMP;
    ibs->fetch_linaddr = ibs->tagged;
    ibs->fetch_physaddr = 0;
}

/* The target of a branch is known only after the branch. */
static void take_op(X86PMUIBS *ibs, const int64_t *events)
{
    memset(ibs->op_data, 0, sizeof(ibs->op_data));
    ibs->op_ctl |= OP_VAL;
    ibs->op_count = 0;
    ibs->br_target = 0;
    ibs->op_data[MSR_IBS_OP_RIP - MSR_IBS_OP_RIP] = ibs->tagged;
    if (events[X86_PMU_BR_INST_RETIRED]) {
        ibs->op_data[MSR_IBS_OP_DATA - MSR_IBS_OP_RIP] = DATA_BRN_RET;
        ibs->branch = true;
    }
    ibs->op_data[MSR_IBS_OP_DATA3 - MSR_IBS_OP_RIP] =
        (events[X86_PMU_MEM_INST_RETIRED_LOADS] ? DATA3_LD_OP : 0) |
        (events[X86_PMU_MEM_INST_RETIRED_STORES] ? DATA3_ST_OP : 0);
}

bool x86_pmu_ibs_count(CPUX86State *env, const int64_t *events)
{
    X86PMUIBS *ibs = &env->pmu.ibs;
    bool sampled = false;

    if (fetch_runs(ibs)) {
        ibs->fetch_count += events[X86_PMU_INST_RETIRED];
        if (ibs->fetch_count >= fetch_period(ibs)) {
            take_fetch(ibs);
            sampled = true;
        }
    }
    if (op_runs(ibs)) {
        ibs->op_count += events[ibs->op_ctl & OP_CNT_CTL ?
                                X86_PMU_INST_RETIRED :
                                X86_PMU_CPU_CLK_UNHALTED];
        if (ibs->op_count >= op_period(ibs)) {
            take_op(ibs, events);
            sampled = true;
        }
    }
    return sampled;
}

static uint64_t linear_ip(CPUX86State *env)
{
    return env->hflags & HF_CS64_MASK ?
        env->eip : (uint32_t)(env->segs[R_CS].base + env->eip);
}

static void finish_branch(CPUX86State *env)
{
    X86PMUIBS *ibs = &env->pmu.ibs;
    uint64_t *data = &ibs->op_data[MSR_IBS_OP_DATA - MSR_IBS_OP_RIP];
    uint64_t next = ibs->tagged + (ibs->insn & X86_PMU_INSN_LENGTH);

    ibs->branch = false;
    if (ibs->insn & X86_PMU_INSN_RETURN) {
        *data |= DATA_RETURN;
    }
    if (!(ibs->insn & X86_PMU_INSN_CONDITIONAL) || linear_ip(env) != next) {
        *data |= DATA_BRN_TAKEN;
        ibs->br_target = linear_ip(env);
    }
}

void x86_pmu_ibs_boundary(CPUX86State *env)
{
    X86PMUIBS *ibs = &env->pmu.ibs;

    if (ibs->branch) {
        finish_branch(env);
    }
    if (ibs->due) {
        ibs->tagged = linear_ip(env);
        ibs->insn = 0;
    }
    ibs->watch = ibs->due;
}

void x86_pmu_ibs_raise(CPUX86State *env)
{
    apic_deliver_eilvt(env_archcpu(env)->apic_state, LVT_OFFSET);
}

bool x86_pmu_ibs_owns(uint32_t msr)
{
    return msr >= MSR_IBS_FETCH_CTL && msr <= MSR_IBS_LAST;
}

/* The registers that a sample fills in; otherwise they are mere storage */
static uint64_t *result_of(X86PMUIBS *ibs, uint32_t msr)
{
    switch (msr) {
    case MSR_IBS_FETCH_LINADDR:
        return &ibs->fetch_linaddr;
    case MSR_IBS_FETCH_PHYSADDR:
        return &ibs->fetch_physaddr;
    case MSR_IBS_BR_TARGET:
        return &ibs->br_target;
    case MSR_IBS_OP_RIP ... MSR_IBS_CTL - 1:
        return &ibs->op_data[msr - MSR_IBS_OP_RIP];
    default:
        return NULL;
    }
}

X86PMUAccess x86_pmu_ibs_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val)
{
    X86PMUIBS *ibs = &env->pmu.ibs;

    if (!is_present(env_archcpu(env))) {
        return X86_PMU_FAULT;
    }
    switch (msr) {
    case MSR_IBS_FETCH_CTL:
        *val = ibs->fetch_ctl | ibs->fetch_count >> 4 << FETCH_CNT_SHIFT;
        break;
    case MSR_IBS_OP_CTL:
        *val = ibs->op_ctl | ibs->op_count << OP_CUR_CNT_SHIFT;
        break;
    case MSR_IBS_CTL:
        *val = CTL_LVT_OFFSET_VAL | LVT_OFFSET;
        break;
    default:
        if (!result_of(ibs, msr)) {
            return X86_PMU_FAULT;
        }
        *val = *result_of(ibs, msr);
        break;
    }
    return X86_PMU_DONE;
}

X86PMUAccess x86_pmu_ibs_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val)
{
    X86PMUIBS *ibs = &env->pmu.ibs;

    if (!is_present(env_archcpu(env)) ||
        (msr == MSR_IBS_FETCH_CTL && (val & FETCH_RESERVED)) ||
        (msr == MSR_IBS_OP_CTL && (val & OP_RESERVED))) {
        return X86_PMU_FAULT;
    }
    switch (msr) {
    case MSR_IBS_FETCH_CTL:
        ibs->fetch_ctl = val & ~FETCH_CNT;
        ibs->fetch_count = (val & FETCH_CNT) >> FETCH_CNT_SHIFT << 4;
        break;
    case MSR_IBS_OP_CTL:
        ibs->op_ctl = val & ~OP_CUR_CNT;
        ibs->op_count = (val & OP_CUR_CNT) >> OP_CUR_CNT_SHIFT;
        break;
    default:
        if (!result_of(ibs, msr)) {
            return X86_PMU_FAULT;
        }
        *result_of(ibs, msr) = val;
        break;
    }
    return X86_PMU_DONE;
}
