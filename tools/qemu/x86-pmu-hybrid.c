/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit: Intel's hybrid processors
 *
 * Some CPUs are E-cores: they have other numbers of counters, and encode events that
 * are not architectural as Gracemont does. Leaves 7 and 1AH are those of Intel's Software
 * Developer's Manual, volume 2A.
 */
#include "qemu/osdep.h"
#include "cpu.h"

#define CORE_TYPE_LEAF      0x1a
#define CORE_TYPE_CORE      (0x40u << 24)
#define CORE_TYPE_ATOM      (0x20u << 24)

static const struct {
    uint16_t select;
    X86PMUEvent event;
} atom_events[] = {
#define PMU_ATOM_EVENT(code, umask, name) { (code) | (umask) << 8, X86_PMU_##name },
#include "pmu-events.def"
};

static bool is_atom(X86CPU *cpu)
{
    int i = CPU(cpu)->cpu_index;

    return cpu->pmu_config.hybrid && i < 32 &&
           (cpu->pmu_config.atoms >> i & 1);
}

void x86_pmu_hybrid_realize(X86CPU *cpu)
{
    X86PMUConfig *c = &cpu->pmu_config;

    if (!c->hybrid) {
        return;
    }
    cpu->env.features[FEAT_7_0_EDX] |= CPUID_7_0_EDX_HYBRID;
    cpu->env.cpuid_level = MAX(cpu->env.cpuid_level, CORE_TYPE_LEAF);
    if (is_atom(cpu)) {
        c->counters = c->atom_counters;
        c->fixed = c->atom_fixed;
        c->width = c->atom_width;
    }
}

uint32_t x86_pmu_hybrid_cpuid(X86CPU *cpu)
{
    if (!cpu->pmu_config.hybrid) {
        return 0;
    }
    return is_atom(cpu) ? CORE_TYPE_ATOM : CORE_TYPE_CORE;
}

bool x86_pmu_hybrid_event(X86CPU *cpu, uint16_t select, X86PMUEvent *event)
{
    int i;

    if (!is_atom(cpu)) {
        return false;
    }
    *event = X86_PMU_NO_EVENT;
    for (i = 0; i < ARRAY_SIZE(atom_events); i++) {
        if (atom_events[i].select == select) {
            *event = atom_events[i].event;
        }
    }
    return true;
}
