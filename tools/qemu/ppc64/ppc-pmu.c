/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * POWER performance monitor under icount
 *
 * Nothing here runs for each instruction: icount counts them. Between two syncs
 * the same counters run, because whatever starts or stops a counter syncs first:
 * a write to a register of the PMU, to CTRL, and a change of MSR[PR] or [PMM].
 * The CPU leaves its loop on the instruction that makes an enabled counter
 * negative (pmu_limit), so the alert comes there and nowhere else.
 */
#include "qemu/osdep.h"
#include "cpu.h"
#include "helper_regs.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "hw/ppc/ppc.h"
#include "power8-pmu.h"
#include "sysemu/cpu-timers.h"

#define NO_OVERFLOW INT64_MAX

/* The bits of MSR that start and stop counters; MSR[HV] is never set under a vhyp. */
#define STATE_BITS ((1ull << MSR_PR) | (1ull << MSR_PMM))

/* MMCR2 has a field of nine bits for each counter, PMC1's is the leftmost. */
#define MMCR2_FIELD(pmc, bit) PPC_BIT(((pmc) - 1) * 9 + (bit))
#define MMCR2_FCS  0
#define MMCR2_FCP0 1
#define MMCR2_FCM1 3
#define MMCR2_FCM0 4

/* SIER: the sampled address is valid, and was in problem state. */
#define SIER_SIPR  PPC_BIT(38)
#define SIER_SIARV PPC_BIT(41)

static bool run_latch(CPUPPCState *env)
{
    return env->spr[SPR_CTRL] & CTRL_RUN;
}

/*
 * True if the event that MMCR1 selects happens with each instruction. At one
 * nanosecond an instruction that is true for a cycle, too.
 */
static bool event_runs(CPUPPCState *env, int pmc)
{
    int shift = MMCR1_PMC1EVT_EXTR - (pmc - 1) * MMCR1_EVT_SIZE;
    int event = extract64(env->spr[SPR_POWER_MMCR1], shift, MMCR1_EVT_SIZE);

    switch (event) {
    case 0x02: /* PM_INST_CMPL */
    case 0x1e: /* PM_CYC */
        return true;
    case 0xf0: /* PM_CYC */
    case 0xfe: /* PM_INST_CMPL */
        return pmc == 1;
    case 0xf4: /* PM_RUN_CYC */
        return pmc == 2 && run_latch(env);
    case 0xfa: /* PM_RUN_INST_CMPL */
        return pmc == 4 && run_latch(env);
    default:
        return false;
    }
}

static bool pmc_is_frozen(CPUPPCState *env, int pmc)
{
    uint64_t mmcr2 = env->spr[SPR_POWER_MMCR2];
    bool user = env->pmu_state & (1ull << MSR_PR);
    bool marked = env->pmu_state & (1ull << MSR_PMM);

    return (mmcr2 & MMCR2_FIELD(pmc, user ? MMCR2_FCP0 : MMCR2_FCS)) ||
           (mmcr2 & MMCR2_FIELD(pmc, marked ? MMCR2_FCM1 : MMCR2_FCM0));
}

static bool all_frozen(CPUPPCState *env)
{
    target_ulong mmcr0 = env->spr[SPR_POWER_MMCR0];
    bool user = env->pmu_state & (1ull << MSR_PR);
    bool marked = env->pmu_state & (1ull << MSR_PMM);

    return (mmcr0 & MMCR0_FC) || (mmcr0 & (user ? MMCR0_FCP : MMCR0_FCS)) ||
           (mmcr0 & (marked ? MMCR0_FCM1 : MMCR0_FCM0));
}

static bool pmc_runs(CPUPPCState *env, int pmc)
{
    target_ulong mmcr0 = env->spr[SPR_POWER_MMCR0];

    if (pmc_is_frozen(env, pmc)) {
        return false;
    }
    if (pmc <= 4) {
        return !(mmcr0 & MMCR0_FC14) && event_runs(env, pmc);
    }
    return !(mmcr0 & MMCR0_FC56) &&
           ((mmcr0 & MMCR0_CC56RUN) || run_latch(env));
}

/* True if the counter alerts when it is negative. */
static bool pmc_alerts(CPUPPCState *env, int pmc)
{
    target_ulong enable = pmc == 1 ? MMCR0_PMC1CE : MMCR0_PMCjCE;

    return (env->spr[SPR_POWER_MMCR0] & MMCR0_PMAE) &&
           (env->spr[SPR_POWER_MMCR0] & enable);
}

static target_ulong *pmc_of(CPUPPCState *env, int pmc)
{
    return &env->spr[SPR_POWER_PMC1 + pmc - 1];
}

static void pmu_select(CPUPPCState *env)
{
    int pmc;

    env->pmu_running = 0;
    if (all_frozen(env)) {
        return;
    }
    for (pmc = 1; pmc <= PMU_COUNTERS_NUM; pmc++) {
        env->pmu_running |= pmc_runs(env, pmc) << pmc;
    }
}

/* The performance monitor exception exists for as long as MMCR0[PMAO] is set. */
static void pmu_update_irq(CPUPPCState *env)
{
    CPUState *cs = env_cpu(env);
    uint32_t can_do_io = cs->can_do_io;
    target_ulong mmcr0 = env->spr[SPR_POWER_MMCR0];
    bool level = (mmcr0 & MMCR0_PMAO) && !(mmcr0 & MMCR0_EBE);

    /* This is an instruction boundary, or will end at one. */
    cs->can_do_io = 1;
    ppc_set_irq(env_archcpu(env), PPC_INTERRUPT_PERFM, level);
    cs->can_do_io = can_do_io;
}

static void pmu_alert(CPUPPCState *env, bool counted)
{
    target_ulong *mmcr0 = &env->spr[SPR_POWER_MMCR0];

    *mmcr0 = (*mmcr0 & ~MMCR0_PMAE) | MMCR0_PMAO;
    if (*mmcr0 & MMCR0_FCECE) {
        *mmcr0 |= MMCR0_FC;
    }
    env->spr[SPR_POWER_SIER] = 0;
    if (counted) {
        env->spr[SPR_POWER_SIAR] = env->nip;
        env->spr[SPR_POWER_SIER] = SIER_SIARV;
        if (FIELD_EX64(env->msr, MSR, PR)) {
            env->spr[SPR_POWER_SIER] |= SIER_SIPR;
        }
    }
    pmu_select(env);
    raise_ebb_perfm_exception(env);
}

/* Add the instructions since the last sync. */
static void pmu_sync(CPUPPCState *env)
{
    int64_t steps = icount_get_cpu(env_cpu(env));
    uint32_t n = steps - env->pmu_steps;
    int pmc;

    env->pmu_steps = steps;
    for (pmc = 1; pmc <= PMU_COUNTERS_NUM; pmc++) {
        if (env->pmu_running & (1 << pmc)) {
            *pmc_of(env, pmc) = (uint32_t)(*pmc_of(env, pmc) + n);
        }
    }
}

/*
 * Alert if a counter is negative. counted: it became so by the instruction before
 * NIP, not by a write.
 */
static void pmu_check(CPUPPCState *env, bool counted)
{
    int pmc;

    for (pmc = 1; pmc <= PMU_COUNTERS_NUM; pmc++) {
        if (pmc_alerts(env, pmc) && *pmc_of(env, pmc) >= PMC_COUNTER_NEGATIVE_VAL) {
            pmu_alert(env, counted);
            pmu_update_irq(env);
            return;
        }
    }
}

/* Set the limit: the steps until the next alert. */
static void pmu_arm(CPUPPCState *env)
{
    CPUState *cs = env_cpu(env);
    int pmc;

    env->pmu_limit = NO_OVERFLOW;
    for (pmc = 1; pmc <= PMU_COUNTERS_NUM; pmc++) {
        int64_t value = *pmc_of(env, pmc);

        if ((env->pmu_running & (1 << pmc)) && pmc_alerts(env, pmc)) {
            env->pmu_limit = MIN(env->pmu_limit, PMC_COUNTER_NEGATIVE_VAL - value);
        }
    }
    if (cs->running) {
        icount_limit_cpu(cs, env->pmu_limit);
    }
}

void cpu_ppc_pmu_state_changed(CPUPPCState *env)
{
    target_ulong state = env->msr & STATE_BITS;

    if (!env->pmu_present || state == env->pmu_state) {
        return;
    }
    pmu_sync(env);
    env->pmu_state = state;
    pmu_select(env);
    pmu_check(env, true);
    pmu_arm(env);
}

int64_t cpu_ppc_pmu_icount_limit(CPUState *cs)
{
    CPUPPCState *env = cs->env_ptr;

    if (!env->pmu_present) {
        return NO_OVERFLOW;
    }
    pmu_sync(env);
    pmu_check(env, true);
    pmu_arm(env);
    return env->pmu_limit;
}

target_ulong helper_read_pmc(CPUPPCState *env, uint32_t sprn)
{
    if (env->pmu_present) {
        pmu_sync(env);
    }
    return env->spr[sprn];
}

void helper_store_pmu(CPUPPCState *env, uint32_t sprn, target_ulong value)
{
    bool is_pmc = sprn >= SPR_POWER_PMC1 && sprn <= SPR_POWER_PMC6;

    if (env->pmu_present) {
        pmu_sync(env);
    }
    env->spr[sprn] = is_pmc ? (uint32_t)value : value;
    hreg_update_pmu_hflags(env);
    if (!env->pmu_present) {
        return;
    }
    pmu_select(env);
    /* NIP is not up to date here, and no instruction was sampled. */
    pmu_check(env, false);
    if (sprn == SPR_POWER_MMCR0) {
        pmu_update_irq(env);
    }
    pmu_arm(env);
}

/* After a reset, or when a saved state was loaded */
void pmu_mmcr01_updated(CPUPPCState *env)
{
    hreg_update_pmu_hflags(env);
    if (!env->pmu_present) {
        return;
    }
    env->pmu_steps = icount_get_cpu(env_cpu(env));
    env->pmu_state = env->msr & STATE_BITS;
    pmu_select(env);
    env->pmu_limit = NO_OVERFLOW;
}

void cpu_ppc_pmu_init(CPUPPCState *env)
{
    env->pmu_present = icount_enabled();
}
