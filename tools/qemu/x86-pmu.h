/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 performance monitoring unit, emulated under TCG
 *
 * Intel's architectural PMU, or AMD's, driven by -icount. Steps (instructions, and
 * iterations of rep prefixes) are counted by icount itself and cost nothing.
 * Branches, loads and stores are counted by translated code, which contains the
 * counting only while a counter for them runs (HF_PMU_MASK in the TB's
 * flags). All other events are counted where they happen, in C.
 *
 * For every event that is not a step, X86PMUState.left[] has the number that may
 * still happen before some counter overflows. The code of the event decrements
 * it, and calls x86_pmu_overflow() or exits to it at zero.
 */
#ifndef I386_X86_PMU_H
#define I386_X86_PMU_H

typedef enum X86PMUEvent {
#define PMU_EVENT(code, umask, name, what) X86_PMU_##name,
#include "pmu-events.def"
    X86_PMU_NR_EVENTS,
    X86_PMU_NO_EVENT = X86_PMU_NR_EVENTS,
} X86PMUEvent;

/* The events that translated code counts; their order is that of HF_PMU_MASK */
#define X86_PMU_FIRST_INLINE X86_PMU_BR_INST_RETIRED
#define X86_PMU_NR_INLINE    3

/* Bits of a TB's flags, above the last HF_* bit: count this inline event */
#define HF_PMU_SHIFT 29
#define HF_PMU_MASK  (((1u << X86_PMU_NR_INLINE) - 1) << HF_PMU_SHIFT)

/* Another bit, which is no other HF_*: record branches */
#define HF_LBR_SHIFT 2
#define HF_LBR_MASK  (1u << HF_LBR_SHIFT)

/*
 * Branch records, and their formats in IA32_PERF_CAPABILITIES: EIP and flags; or, in the
 * longer ring, EIP and a register with the flags and cycles
 */
#define X86_PMU_NR_LBR       16
#define X86_PMU_LBR_FMT      3
#define X86_PMU_NR_LBR_INFO  32
#define X86_PMU_LBR_FMT_INFO 5
#define X86_PMU_LBR_FMTS     (X86_PMU_LBR_FMT | X86_PMU_LBR_FMT_INFO)

/* MSR_LBR_SELECT: the levels and kinds of branches that are left out */
#define LBR_SELECT_CPL_EQ_0      (1u << 0)
#define LBR_SELECT_CPL_NEQ_0     (1u << 1)
#define LBR_SELECT_JCC           (1u << 2)
#define LBR_SELECT_NEAR_REL_CALL (1u << 3)
#define LBR_SELECT_NEAR_IND_CALL (1u << 4)
#define LBR_SELECT_NEAR_RET      (1u << 5)
#define LBR_SELECT_NEAR_IND_JMP  (1u << 6)
#define LBR_SELECT_NEAR_REL_JMP  (1u << 7)
#define LBR_SELECT_FAR_BRANCH    (1u << 8)
#define LBR_SELECT_VALID         0x1ffu

#define X86_PMU_MAX_GP       10
#define X86_PMU_MAX_FIXED    3
/* General counters first, then the fixed ones: index into counter[] */
#define X86_PMU_FIXED0       X86_PMU_MAX_GP
#define X86_PMU_MAX_COUNTERS (X86_PMU_MAX_GP + X86_PMU_MAX_FIXED)

/* The global status: the counters are frozen */
#define X86_PMU_STATUS_CTR_FRZ (1ull << 59)

/* The way a counter counts its event, by CMASK and INV */
typedef enum X86PMUMode {
    X86_PMU_COUNT,          /* each event */
    X86_PMU_CYCLES_WITHOUT, /* INV, CMASK 1: cycles without the event */
    X86_PMU_CYCLES,         /* INV, CMASK > 1: every cycle */
    X86_PMU_NEVER,          /* CMASK > 1: no cycle has two events */
} X86PMUMode;

/* A counter's configuration, decoded */
typedef struct X86PMUCounter {
    X86PMUEvent event;
    X86PMUMode mode;
    bool pmi;
} X86PMUCounter;

typedef enum X86PMUAccess {
    X86_PMU_OTHER,  /* not a register of the PMU */
    X86_PMU_DONE,
    X86_PMU_FAULT,  /* #GP(0) */
} X86PMUAccess;

/* The differences between the vendors' PMUs */
typedef struct X86PMUVendor {
    /* Check the configuration, and complete it */
    bool (*realize)(ArchCPU *cpu, Error **errp);
    /* Leaf 0xA; NULL: all zero */
    void (*cpuid)(ArchCPU *cpu, uint32_t *eax, uint32_t *ebx,
                  uint32_t *ecx, uint32_t *edx);
    /* The event that a selector names */
    X86PMUEvent (*event)(ArchCPU *cpu, uint64_t evtsel);
    /* Bits of a selector that fault */
    uint64_t (*evtsel_reserved)(ArchCPU *cpu);
    X86PMUAccess (*rdmsr)(CPUArchState *env, uint32_t msr, uint64_t *val);
    X86PMUAccess (*wrmsr)(CPUArchState *env, uint32_t msr, uint64_t val);
    uint64_t misc_enable;            /* bits of IA32_MISC_ENABLE at reset */
    bool masks_lvtpc;                /* a PMI masks its entry in the local APIC */
} X86PMUVendor;

extern const X86PMUVendor x86_pmu_intel;
extern const X86PMUVendor x86_pmu_amd;

/* Behaviour that an ideal PMU lacks: properties, see README.md and x86-pmu-unkind.c */
typedef struct X86PMUUnkindConfig {
    uint32_t pmi_delay;              /* steps from an overflow to its interrupt */
    uint32_t stray_pmi;              /* one more interrupt after each n-th */
    bool second_owner;               /* of the interrupt: stops and acknowledges all counters */
    bool overcount;                  /* an interrupt counts as an instruction */
    bool tsx;                        /* the microcode owns the fourth counter */
    bool nehalem;                    /* another event needs a reset of all counters */
} X86PMUUnkindConfig;

/* CPU properties, see README.md */
typedef struct X86PMUConfig {
    uint8_t version;
    uint8_t counters;
    uint8_t fixed;
    uint8_t width;
    uint32_t unavailable;
    bool hybrid;                     /* with two types of cores: */
    uint32_t atoms;                  /* these CPUs are E-cores, */
    uint8_t atom_counters;           /* which have this number instead */
    uint8_t atom_fixed;
    uint8_t atom_width;
    bool perfmon_v2;
    bool pmi;                        /* interrupts are delivered */
    bool lvtpc_mask;                 /* and mask their entry, where the vendor's do */
    bool keeps;                      /* registers keep what is written to them */
    X86PMUUnkindConfig unkind;
    const X86PMUVendor *vendor;      /* no property: depends on the processor */
} X86PMUConfig;

/* Last branch records */
typedef struct X86PMULbr {
    target_ulong insn;               /* the branch that executes */
    uint32_t select;
    uint32_t tos;                    /* the latest record */
    uint64_t ctl;                    /* IA32_LBR_CTL; select has the same meaning */
    bool on;                         /* since x86_pmu_lbr_arm() */
    int64_t steps_seen;              /* at the latest record, or the start of recording */
    uint64_t from[X86_PMU_NR_LBR_INFO];
    uint64_t to[X86_PMU_NR_LBR_INFO];
    uint64_t info[X86_PMU_NR_LBR_INFO];
} X86PMULbr;

/* AMD's Instruction-Based Sampling */
typedef struct X86PMUIBS {
    bool watch;            /* see x86_pmu_boundary() */
    bool due;              /* the next instruction may be a sample */
    bool branch;           /* the last one was a branch: its target is missing */
    uint32_t insn;         /* translated code's description: X86_PMU_INSN_* */
    uint64_t tagged;       /* its linear address */

    /* Registers; the counts are separate */
    uint64_t fetch_ctl;
    uint64_t fetch_count;
    uint64_t fetch_linaddr;
    uint64_t fetch_physaddr;
    uint64_t op_ctl;
    uint64_t op_count;
    uint64_t op_data[6];   /* from IBS_OP_RIP on */
    uint64_t br_target;
} X86PMUIBS;

/* The number of counters with Nehalem's erratum */
#define X86_PMU_NR_MAGIC 4

/* State that an ideal PMU does not have */
typedef struct X86PMUUnkind {
    int64_t pmi_left;                /* steps until the interrupt; 0: none is pending */
    int64_t stray_left;              /* the same for an interrupt without an overflow */
    int64_t stray_until;             /* the latest time for that: the guest's, in ns */
    uint32_t interrupts;             /* the number with an overflow */
    uint64_t tsx;                    /* MSR_TSX_FORCE_ABORT */
    bool fresh;                      /* the counters were reset, and have not counted since */
    uint32_t unreset;                /* counters with another event but no reset */
    uint64_t selected[X86_PMU_NR_MAGIC];
} X86PMUUnkind;

/* A branch that is a sample: its length and kind */
#define X86_PMU_INSN_LENGTH      0xff
#define X86_PMU_INSN_CONDITIONAL 0x100
#define X86_PMU_INSN_RETURN      0x200

typedef struct X86PMUState {
    /* For cpu_get_tb_cpu_state() and translated code */
    uint32_t tb_flags;
    bool user;                       /* the current level: CPL above 0 */
    int64_t left[X86_PMU_NR_EVENTS]; /* events until the next overflow */
    int64_t unretired;               /* steps that were no instructions */

    /* Registers */
    uint64_t evtsel[X86_PMU_MAX_GP];
    uint64_t counter[X86_PMU_MAX_COUNTERS]; /* as of the last sync */
    uint64_t fixed_ctrl;
    uint64_t global_ctrl;
    uint64_t global_status;
    uint64_t debugctl;
    X86PMULbr lbr;

    /* Derived from the registers */
    X86PMUCounter decoded[X86_PMU_MAX_COUNTERS];
    uint32_t runs[2];                /* counters that run, by level */
    int64_t limit;                   /* steps until the next overflow */

    /* The state at the last sync */
    int64_t left_seen[X86_PMU_NR_EVENTS];
    int64_t unretired_seen;
    int64_t steps_seen;

    X86PMUIBS ibs;
    X86PMUUnkind unkind;
} X86PMUState;

#define DEFINE_X86_PMU_PROPERTIES(_state, _config) \
    DEFINE_PROP_UINT8("pmu-version", _state, _config.version, 3), \
    DEFINE_PROP_UINT8("pmu-counters", _state, _config.counters, 4), \
    DEFINE_PROP_UINT8("pmu-fixed", _state, _config.fixed, 3), \
    DEFINE_PROP_UINT8("pmu-width", _state, _config.width, 48), \
    DEFINE_PROP_UINT32("pmu-unavailable", _state, _config.unavailable, 0x58), \
    DEFINE_PROP_BOOL("pmu-hybrid", _state, _config.hybrid, false), \
    DEFINE_PROP_UINT32("pmu-atom-cpus", _state, _config.atoms, 0xaaaaaaaa), \
    DEFINE_PROP_UINT8("pmu-atom-counters", _state, _config.atom_counters, 2), \
    DEFINE_PROP_UINT8("pmu-atom-fixed", _state, _config.atom_fixed, 3), \
    DEFINE_PROP_UINT8("pmu-atom-width", _state, _config.atom_width, 48), \
    DEFINE_PROP_BOOL("pmu-perfmon-v2", _state, _config.perfmon_v2, false), \
    DEFINE_PROP_BOOL("pmu-pmi", _state, _config.pmi, true), \
    DEFINE_PROP_BOOL("pmu-lvtpc-mask", _state, _config.lvtpc_mask, true), \
    DEFINE_PROP_BOOL("pmu-keeps", _state, _config.keeps, true), \
    DEFINE_PROP_UINT32("pmu-pmi-delay", _state, _config.unkind.pmi_delay, 0), \
    DEFINE_PROP_UINT32("pmu-stray-pmi", _state, _config.unkind.stray_pmi, 0), \
    DEFINE_PROP_BOOL("pmu-second-owner", _state, _config.unkind.second_owner, false), \
    DEFINE_PROP_BOOL("pmu-overcount", _state, _config.unkind.overcount, false), \
    DEFINE_PROP_BOOL("pmu-tsx-force-abort", _state, _config.unkind.tsx, false), \
    DEFINE_PROP_BOOL("pmu-nehalem-erratum", _state, _config.unkind.nehalem, false)

/* True if there is an emulated PMU; KVM has its own. */
bool x86_pmu_present(ArchCPU *cpu);
/* Check the configuration; false and an error if it is not possible */
bool x86_pmu_realize(ArchCPU *cpu, Error **errp);
void x86_pmu_reset(ArchCPU *cpu);
void x86_pmu_cpuid(ArchCPU *cpu, uint32_t *eax, uint32_t *ebx,
                   uint32_t *ecx, uint32_t *edx);

/* Registers: the caller is the CPU itself, in an I/O instruction */
X86PMUAccess x86_pmu_rdmsr(CPUArchState *env, uint32_t msr, uint64_t *val);
X86PMUAccess x86_pmu_wrmsr(CPUArchState *env, uint32_t msr, uint64_t val);
X86PMUAccess x86_pmu_rdpmc(CPUArchState *env, uint32_t index, uint64_t *val);

/* True if an event selector may have this value */
bool x86_pmu_evtsel_is_valid(ArchCPU *cpu, uint64_t evtsel);

/* Fixed counters, of which version 1 has none */
int x86_pmu_nr_fixed(ArchCPU *cpu);

/* Hybrid processors, called by Intel's code: the E-cores, and their encodings */
#define CPUID_7_0_EDX_HYBRID (1u << 15)
void x86_pmu_hybrid_realize(ArchCPU *cpu);
/* EAX of leaf 0x1A */
uint32_t x86_pmu_hybrid_cpuid(ArchCPU *cpu);
/* False: this CPU is not an E-core, its events are the usual ones */
bool x86_pmu_hybrid_event(ArchCPU *cpu, uint16_t select, X86PMUEvent *event);

/* AMD's own leaf */
void x86_pmu_amd_cpuid(ArchCPU *cpu, uint32_t *eax, uint32_t *ebx);

/*
 * Branch records and Instruction-Based Sampling are below the counting, and do not call
 * it. The code of Intel's and AMD's registers calls them, and syncs before and after.
 */

/* Branch records: registers, called by Intel's code */
bool x86_pmu_lbr_realize(ArchCPU *cpu, Error **errp);
void x86_pmu_lbr_cpuid(ArchCPU *cpu, uint32_t *eax, uint32_t *ebx,
                       uint32_t *ecx);
X86PMUAccess x86_pmu_lbr_rdmsr(CPUArchState *env, uint32_t msr, uint64_t *val);
X86PMUAccess x86_pmu_lbr_wrmsr(CPUArchState *env, uint32_t msr, uint64_t val);
/* True if branches are recorded now, which may have changed; counting is in sync. */
bool x86_pmu_lbr_arm(CPUArchState *env);
/* A PMI is raised. */
void x86_pmu_lbr_freeze(CPUArchState *env);
/* A debug exception is delivered. True: it stopped the recording. */
bool x86_pmu_lbr_debug(CPUArchState *env);
/* The branch at X86PMULbr.insn, or the delivery of an interrupt, went to @to. */
void x86_pmu_lbr_record(CPUArchState *env, target_ulong to, uint32_t kind);

/* Instruction-Based Sampling, called by AMD's code */
void x86_pmu_ibs_realize(ArchCPU *cpu);
uint32_t x86_pmu_ibs_cpuid(ArchCPU *cpu);
bool x86_pmu_ibs_owns(uint32_t msr);
X86PMUAccess x86_pmu_ibs_rdmsr(CPUArchState *env, uint32_t msr, uint64_t *val);
X86PMUAccess x86_pmu_ibs_wrmsr(CPUArchState *env, uint32_t msr, uint64_t val);
/* Add these events. True: there is a sample, raise its interrupt. */
bool x86_pmu_ibs_count(CPUArchState *env, const int64_t *events);
void x86_pmu_ibs_raise(CPUArchState *env);
/* Prepare the next sample; returns the steps after which to call this again */
int64_t x86_pmu_ibs_arm(CPUArchState *env);
/* As x86_pmu_boundary(), which has synced */
void x86_pmu_ibs_boundary(CPUArchState *env);

/* Behaviour that an ideal PMU lacks; called by counting, by the registers and below these */
bool x86_pmu_unkind_realize(ArchCPU *cpu, Error **errp);
void x86_pmu_unkind_reset(ArchCPU *cpu);
X86PMUAccess x86_pmu_unkind_rdmsr(CPUArchState *env, uint32_t msr, uint64_t *val);
X86PMUAccess x86_pmu_unkind_wrmsr(CPUArchState *env, uint32_t msr, uint64_t val);
/* One of the other registers was written. */
void x86_pmu_unkind_wrote(CPUArchState *env, uint32_t msr, uint64_t val);
/* Add these steps, and perhaps an overflow that must interrupt. Returns the interrupt due now. */
typedef enum X86PMUInterrupt {
    X86_PMU_NO_PMI,
    X86_PMU_PMI,
    X86_PMU_STRAY_PMI, /* without an overflow */
} X86PMUInterrupt;
X86PMUInterrupt x86_pmu_unkind_interrupt(CPUArchState *env, bool overflow, int64_t steps);
/* The steps after which to call that again */
int64_t x86_pmu_unkind_arm(CPUArchState *env);
/* A PMI was raised. */
void x86_pmu_unkind_raised(CPUArchState *env);
/* An interrupt was delivered. */
void x86_pmu_unkind_interrupted(CPUArchState *env);
/* True if this general counter stops, whatever its registers have */
bool x86_pmu_unkind_strikes(CPUArchState *env, int i);

/* Derive from the registers the counters that run; counting must use the result at once */
void x86_pmu_decode(CPUArchState *env);
/* Bring the counters up to date, handle overflows, look for the next one */
void x86_pmu_update(CPUArchState *env);
/* The registers changed, after an x86_pmu_update(): count by the new ones */
void x86_pmu_configure(CPUArchState *env);
/* Some left[] is zero: as x86_pmu_update(), and leave the chain of TBs */
void x86_pmu_overflow(CPUArchState *env);
/* X86PMUIBS.watch is set, and the CPU is between two instructions */
void x86_pmu_boundary(CPUArchState *env);
/* The CPL is no longer at the level of X86PMUState.user */
void x86_pmu_level_changed(CPUArchState *env);
/* TCGCPUOps.icount_limit */
int64_t x86_pmu_icount_limit(CPUState *cs);

/* Events that happen in C */
void x86_pmu_page_walk(CPUArchState *env, MMUAccessType access_type,
                       int mmu_idx, uintptr_t retaddr);
void x86_pmu_interrupt_begin(CPUArchState *env, int is_int);
void x86_pmu_interrupt_end(CPUArchState *env, int intno, int is_int, int is_hw);

#endif
