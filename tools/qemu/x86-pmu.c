/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit: the common part of all vendors
 *
 * The choice of a processor's PMU, and RDPMC. Registers and the encodings of events
 * are the vendors': x86-pmu-intel.c, x86-pmu-amd.c. These use x86-pmu-count.c, which
 * counts; and that uses x86-pmu-select.c, which decides what to count.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "cpu.h"
#include "migration/blocker.h"
#include "sysemu/cpu-timers.h"

#define RDPMC_FIXED                   (1u << 30)

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

/* Zhaoxin's processors have Intel's architectural PMU. */
static bool is_zhaoxin(CPUX86State *env)
{
    const uint32_t vendor[] = {
        cpu_to_le32(env->cpuid_vendor1), cpu_to_le32(env->cpuid_vendor2),
        cpu_to_le32(env->cpuid_vendor3),
    };

    return !memcmp(vendor, "CentaurHauls", sizeof(vendor)) ||
           !memcmp(vendor, "  Shanghai  ", sizeof(vendor));
}

bool x86_pmu_realize(X86CPU *cpu, Error **errp)
{
    if (!x86_pmu_present(cpu)) {
        return no_pmu(cpu);
    }
    if (!icount_enabled()) {
        warn_report_once("no PMU: the emulated one counts by -icount, "
                         "so add -icount shift=0 (or pmu=off to -cpu)");
        return no_pmu(cpu);
    }
    if (IS_AMD_CPU(&cpu->env)) {
        cpu->pmu_config.vendor = &x86_pmu_amd;
    } else if (IS_INTEL_CPU(&cpu->env) || is_zhaoxin(&cpu->env)) {
        cpu->pmu_config.vendor = &x86_pmu_intel;
    } else {
        warn_report_once("no PMU: the emulated ones are Intel's and AMD's, "
                         "so choose a -cpu model of theirs (or pmu=off)");
        return no_pmu(cpu);
    }
    return cpu->pmu_config.vendor->realize(cpu, errp) &&
           x86_pmu_unkind_realize(cpu, errp) && block_migration(errp);
}

void x86_pmu_reset(X86CPU *cpu)
{
    CPUX86State *env = &cpu->env;

    memset(&env->pmu, 0, sizeof(env->pmu));
    env->pmu.global_ctrl = MAKE_64BIT_MASK(0, cpu->pmu_config.counters);
    env->pmu.steps_seen = icount_get_cpu(CPU(cpu));
    if (x86_pmu_present(cpu)) {
        env->msr_ia32_misc_enable |= cpu->pmu_config.vendor->misc_enable;
        x86_pmu_unkind_reset(cpu);
    }
    x86_pmu_configure(env);
}

void x86_pmu_cpuid(X86CPU *cpu, uint32_t *eax, uint32_t *ebx,
                   uint32_t *ecx, uint32_t *edx)
{
    *eax = *ebx = *ecx = *edx = 0;
    if (cpu->pmu_config.vendor->cpuid) {
        cpu->pmu_config.vendor->cpuid(cpu, eax, ebx, ecx, edx);
    }
}

X86PMUAccess x86_pmu_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val)
{
    X86CPU *cpu = env_archcpu(env);
    X86PMUAccess access;

    if (!x86_pmu_present(cpu)) {
        return X86_PMU_OTHER;
    }
    access = x86_pmu_unkind_rdmsr(env, msr, val);
    return access == X86_PMU_OTHER ?
        cpu->pmu_config.vendor->rdmsr(env, msr, val) : access;
}

X86PMUAccess x86_pmu_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val)
{
    X86CPU *cpu = env_archcpu(env);
    X86PMUAccess access;
    uint64_t now;

    if (!x86_pmu_present(cpu)) {
        return X86_PMU_OTHER;
    }
    if (!cpu->pmu_config.keeps &&
        cpu->pmu_config.vendor->rdmsr(env, msr, &now) == X86_PMU_DONE) {
        return X86_PMU_DONE;
    }
    access = x86_pmu_unkind_wrmsr(env, msr, val);
    if (access != X86_PMU_OTHER) {
        return access;
    }
    access = cpu->pmu_config.vendor->wrmsr(env, msr, val);
    if (access == X86_PMU_DONE) {
        x86_pmu_unkind_wrote(env, msr, val);
    }
    return access;
}

X86PMUAccess x86_pmu_rdpmc(CPUX86State *env, uint32_t index, uint64_t *val)
{
    X86CPU *cpu = env_archcpu(env);
    bool fixed = index & RDPMC_FIXED;

    if (!x86_pmu_present(cpu)) {
        return X86_PMU_OTHER;
    }
    index &= ~RDPMC_FIXED;
    if (index >= (fixed ? x86_pmu_nr_fixed(cpu) : cpu->pmu_config.counters)) {
        return X86_PMU_FAULT;
    }
    x86_pmu_update(env);
    *val = env->pmu.counter[fixed ? X86_PMU_FIXED0 + index : index];
    return X86_PMU_DONE;
}
