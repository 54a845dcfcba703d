/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit: counting and overflow
 *
 * Nothing here runs for each event. X86PMUState holds countdowns that the
 * places where events happen decrement, and icount counts the steps;
 * pmu_sync() adds the events since the last sync to the counters, and
 * pmu_arm() sets the countdowns to the next overflow. All events since the
 * last sync happened at one privilege level, because a change of level syncs.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "cpu.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "hw/i386/apic.h"
#include "sysemu/cpu-timers.h"

#define DEBUGCTL_FREEZE_PERFMON_ON_PMI (1ull << 12)

/* The value of a countdown for which no counter waits */
#define NO_OVERFLOW INT64_MAX

static bool is_step(X86PMUEvent event)
{
    return event == X86_PMU_INST_RETIRED ||
           event == X86_PMU_CPU_CLK_UNHALTED ||
           event == X86_PMU_CPU_CLK_UNHALTED_REF;
}

static bool is_inline(X86PMUEvent event)
{
    return event >= X86_PMU_FIRST_INLINE &&
           event < X86_PMU_FIRST_INLINE + X86_PMU_NR_INLINE;
}

static uint64_t counter_mask(CPUX86State *env)
{
    return MAKE_64BIT_MASK(0, env_archcpu(env)->pmu_config.width);
}

/* The bit of the counter in GLOBAL_CTRL and GLOBAL_STATUS */
static int global_bit(int i)
{
    return i < X86_PMU_FIXED0 ? i : 32 + i - X86_PMU_FIXED0;
}

/* Make the CPU look for interrupts and for its TB flags before its next TB. */
static void leave_tb_chain(CPUState *cs)
{
    qatomic_set(&cpu_neg(cs)->icount_decr.u16.high, -1);
}

/* This is an instruction boundary, or will end at one. */
static void interrupt(CPUX86State *env, void (*raise)(CPUX86State *env))
{
    CPUState *cs = env_cpu(env);
    bool locked = qemu_mutex_iothread_locked();
    uint32_t can_do_io = cs->can_do_io;

    if (!env_archcpu(env)->apic_state) {
        return;
    }
    if (!locked) {
        qemu_mutex_lock_iothread();
    }
    cs->can_do_io = 1;
    raise(env);
    cs->can_do_io = can_do_io;
    if (!locked) {
        qemu_mutex_unlock_iothread();
    }
}

static void raise_pmi(CPUX86State *env)
{
    X86CPU *cpu = env_archcpu(env);
    const X86PMUConfig *config = &cpu->pmu_config;

    if (config->pmi) {
        apic_deliver_pmi(cpu->apic_state,
                         config->vendor->masks_lvtpc && config->lvtpc_mask &&
                         !config->unkind.second_owner);
        x86_pmu_unkind_raised(env);
    }
}

static void freeze_on_pmi(CPUX86State *env)
{
    X86PMUState *pmu = &env->pmu;

    if (pmu->debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI) {
        if (env_archcpu(env)->pmu_config.version >= 4) {
            pmu->global_status |= X86_PMU_STATUS_CTR_FRZ;
        } else {
            pmu->global_ctrl = 0;
        }
        x86_pmu_decode(env);
    }
    x86_pmu_lbr_freeze(env);
}

/* The number of each event since the last call */
static void take_events(CPUX86State *env, int64_t *events)
{
    X86PMUState *pmu = &env->pmu;
    int64_t steps = icount_get_cpu(env_cpu(env));
    int i;

    for (i = 0; i < X86_PMU_NR_EVENTS; i++) {
        events[i] = pmu->left_seen[i] - pmu->left[i];
        pmu->left_seen[i] = pmu->left[i];
    }
    events[X86_PMU_CPU_CLK_UNHALTED] = steps - pmu->steps_seen;
    events[X86_PMU_CPU_CLK_UNHALTED_REF] = steps - pmu->steps_seen;
    events[X86_PMU_INST_RETIRED] = steps - pmu->steps_seen -
                                   (pmu->unretired - pmu->unretired_seen);
    pmu->steps_seen = steps;
    pmu->unretired_seen = pmu->unretired;
}

static void pmu_sync(CPUX86State *env)
{
    X86PMUState *pmu = &env->pmu;
    uint64_t mask = counter_mask(env);
    int64_t events[X86_PMU_NR_EVENTS];
    uint32_t todo = pmu->runs[pmu->user];
    uint64_t overflows = 0;
    bool pmi = false;

    take_events(env, events);
    for (; todo; todo &= todo - 1) {
        int i = ctz32(todo);
        X86PMUCounter *c = &pmu->decoded[i];
        int64_t cycles = events[X86_PMU_CPU_CLK_UNHALTED];
        uint64_t n = c->mode == X86_PMU_COUNT ? events[c->event]
                   : c->mode == X86_PMU_CYCLES ? cycles
                   : cycles - events[c->event];

        pmu->counter[i] += n;
        if (pmu->counter[i] & ~mask) {
            pmu->counter[i] &= mask;
            overflows |= 1ull << global_bit(i);
            pmi |= c->pmi;
        }
    }
    pmu->global_status |= overflows;
    switch (x86_pmu_unkind_interrupt(env, pmi, events[X86_PMU_CPU_CLK_UNHALTED])) {
    case X86_PMU_PMI:
        freeze_on_pmi(env);
        /* fall through */
    case X86_PMU_STRAY_PMI:
        interrupt(env, raise_pmi);
        break;
    default:
        break;
    }
    if (x86_pmu_ibs_count(env, events)) {
        interrupt(env, x86_pmu_ibs_raise);
    }
}

/* Set the countdowns to the next overflow at the current level. */
static void pmu_arm(CPUX86State *env)
{
    X86PMUState *pmu = &env->pmu;
    CPUState *cs = env_cpu(env);
    uint32_t todo = pmu->runs[pmu->user];
    int i;

    pmu->tb_flags = 0;
    pmu->limit = NO_OVERFLOW;
    for (i = 0; i < X86_PMU_NR_EVENTS; i++) {
        pmu->left[i] = pmu->left_seen[i] = NO_OVERFLOW;
    }
    for (; todo; todo &= todo - 1) {
        X86PMUCounter *c = &pmu->decoded[ctz32(todo)];
        int64_t *left = &pmu->left[c->event];
        int64_t until = counter_mask(env) + 1 - pmu->counter[ctz32(todo)];

        if (is_inline(c->event)) {
            pmu->tb_flags |= 1u << (HF_PMU_SHIFT + c->event -
                                    X86_PMU_FIRST_INLINE);
        }
        if (is_step(c->event) || c->mode != X86_PMU_COUNT) {
            pmu->limit = MIN(pmu->limit, until);
        } else {
            *left = pmu->left_seen[c->event] = MIN(*left, until);
        }
    }
    pmu->limit = MIN(pmu->limit, x86_pmu_ibs_arm(env));
    pmu->limit = MIN(pmu->limit, x86_pmu_unkind_arm(env));
    if (pmu->ibs.due) {
        pmu->tb_flags = HF_PMU_MASK;
    }
    if (x86_pmu_lbr_arm(env)) {
        pmu->tb_flags |= HF_LBR_MASK;
    }
    if (cs->running) {
        icount_limit_cpu(cs, pmu->limit);
    }
}

void x86_pmu_update(CPUX86State *env)
{
    pmu_sync(env);
    pmu_arm(env);
}

void x86_pmu_configure(CPUX86State *env)
{
    x86_pmu_decode(env);
    pmu_arm(env);
}

void x86_pmu_overflow(CPUX86State *env)
{
    x86_pmu_update(env);
    leave_tb_chain(env_cpu(env));
}

void x86_pmu_boundary(CPUX86State *env)
{
    x86_pmu_update(env);
    x86_pmu_ibs_boundary(env);
}

void x86_pmu_level_changed(CPUX86State *env)
{
    X86PMUState *pmu = &env->pmu;

    if (pmu->runs[0] == pmu->runs[1]) {
        pmu->user = !pmu->user;
        return;
    }
    pmu_sync(env);
    pmu->user = !pmu->user;
    pmu_arm(env);
}

int64_t x86_pmu_icount_limit(CPUState *cs)
{
    CPUX86State *env = cs->env_ptr;

    if (!x86_pmu_present(env_archcpu(env))) {
        return NO_OVERFLOW;
    }
    x86_pmu_update(env);
    return env->pmu.limit;
}

/* The last instruction of a TB overflowed a countdown. */
void helper_pmu_overflow(CPUX86State *env)
{
    x86_pmu_overflow(env);
}

/* The previous instruction of this TB overflowed a countdown: end the TB after it. */
void helper_pmu_overflow_exit(CPUX86State *env)
{
    CPUState *cs = env_cpu(env);

    cpu_restore_state(cs, GETPC());
    x86_pmu_overflow(env);
    cpu_loop_exit_noexc(cs);
}

static void count_event(CPUX86State *env, X86PMUEvent event)
{
    if (--env->pmu.left[event] == 0) {
        x86_pmu_overflow(env);
    }
}

/*
 * A walk has succeeded, its translation is not in the TLB yet. An interrupt
 * can only come where a TB ends. So if this walk overflows a counter, and the
 * instruction that needs it is not alone in its TB, start that instruction
 * again alone. The walk will then happen again.
 */
void x86_pmu_page_walk(CPUX86State *env, MMUAccessType access_type,
                       int mmu_idx, uintptr_t retaddr)
{
    X86PMUEvent event = access_type == MMU_INST_FETCH ?
        X86_PMU_ITLB_MISSES_WALK_COMPLETED : X86_PMU_DTLB_MISSES_WALK_COMPLETED;
    CPUState *cs = env_cpu(env);
    TranslationBlock *tb;

    if (!(env->cr[0] & CR0_PG_MASK) ||
        mmu_idx == MMU_PHYS_IDX || mmu_idx == MMU_NESTED_IDX) {
        return;
    }
    if (likely(env->pmu.left[event] != 1)) {
        env->pmu.left[event]--;
        return;
    }
    tb = retaddr ? tcg_tb_lookup(retaddr) : NULL;
    if (!tb) {
        /* The fetch of an instruction, or the delivery of an interrupt */
        count_event(env, event);
        return;
    }
    if (tb->icount > 1) {
        cpu_restore_state(cs, retaddr);
        cs->cflags_next_tb = curr_cflags(cs) | CF_LAST_IO | CF_NOIRQ | 1;
        cpu_loop_exit_noexc(cs);
    }
    /* icount has counted the instruction already, but it may still fault. */
    cpu_neg(cs)->icount_decr.u16.low++;
    count_event(env, event);
    cpu_neg(cs)->icount_decr.u16.low--;
}

/*
 * INT n is an instruction like any other if it can be delivered, and a faulting
 * one if it cannot. It is a step already when its delivery begins, and a
 * fault does not return here.
 */
void x86_pmu_interrupt_begin(CPUX86State *env, int is_int)
{
    /* An interrupt can come right after a change of level, before the next TB. */
    if (env->pmu.user != ((env->hflags & HF_CPL_MASK) != 0)) {
        x86_pmu_level_changed(env);
    }
    if (env->pmu.ibs.watch && !is_int) {
        x86_pmu_boundary(env);
    }
    env->pmu.unretired += !!is_int;
    env->pmu.lbr.insn = env->eip;
}

void x86_pmu_interrupt_end(CPUX86State *env, int intno, int is_int, int is_hw)
{
    x86_pmu_lbr_record(env, env->eip, LBR_SELECT_FAR_BRANCH);
    if (intno == EXCP01_DB && x86_pmu_lbr_debug(env)) {
        x86_pmu_overflow(env);
    }
    if (is_int) {
        env->pmu.unretired--;
        count_event(env, X86_PMU_BR_INST_RETIRED);
        count_event(env, X86_PMU_MEM_INST_RETIRED_STORES);
    } else if (is_hw && intno != EXCP02_NMI) {
        count_event(env, X86_PMU_HW_INT_RCVD);
    }
    if (is_hw) {
        x86_pmu_unkind_interrupted(env);
    }
}
