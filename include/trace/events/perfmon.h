/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: trace events of contexts.
 *
 * They are for debugging: no stable interface, events and fields may change with any
 * version. Documentation/debugging.md shows how to use them.
 *
 * A context is named by its number, which counts the contexts since boot. Its target is the
 * thread @pid, as the kernel numbers threads, or the CPU @cpu; the other one is -1.
 *
 * Overflows and the throttle are traced in NMI context, where trace events are allowed; set
 * switches under run-queue locks as well, as the scheduler's own events are.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM perfmon

#if !defined(_TRACE_PERFMON_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_PERFMON_H

#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <linux/types.h>
#include <uapi/perfmon.h>

/* kernel/perfmon/trace.c, which has the functions made below, knows these. */
struct pfm_context;
struct pfm_event_set;

#define PFM_TRACE_TARGET			\
	__field(u64, ctx)			\
	__field(pid_t, pid)			\
	__field(int, cpu)

#define PFM_TRACE_SET_TARGET(context)						\
	do {									\
		__entry->ctx = (context)->id;					\
		__entry->pid = (context)->task ? task_pid_nr((context)->task) : -1; \
		__entry->cpu = (context)->cpu;					\
	} while (0)

DECLARE_EVENT_CLASS(pfm_context,

	TP_PROTO(const struct pfm_context *context),

	TP_ARGS(context),

	TP_STRUCT__entry(
		PFM_TRACE_TARGET
		__field(u16, set)
	),

	TP_fast_assign(
		PFM_TRACE_SET_TARGET(context);
		__entry->set = context->set->id;
	),

	TP_printk("ctx=%llu pid=%d cpu=%d set=%u",
		  __entry->ctx, __entry->pid, __entry->cpu, __entry->set)
);

/**
 * pfm_load - a context was loaded, by the current thread
 * @context: the context; not started yet
 */
DEFINE_EVENT(pfm_context, pfm_load,
	TP_PROTO(const struct pfm_context *context),
	TP_ARGS(context)
);

/**
 * pfm_unload - a context is unloaded, by a command or because its target is gone
 * @context: the context; stopped
 */
DEFINE_EVENT(pfm_context, pfm_unload,
	TP_PROTO(const struct pfm_context *context),
	TP_ARGS(context)
);

/**
 * pfm_start - monitoring starts, or starts with another set
 * @context: the context
 */
DEFINE_EVENT(pfm_context, pfm_start,
	TP_PROTO(const struct pfm_context *context),
	TP_ARGS(context)
);

/**
 * pfm_stop - monitoring was started, and is stopped by PFM_STOP
 * @context: the context
 */
DEFINE_EVENT(pfm_context, pfm_stop,
	TP_PROTO(const struct pfm_context *context),
	TP_ARGS(context)
);

/**
 * pfm_overflow - counters of a context have overflowed
 * @context: the context
 * @pmds: all counters that have
 * @throttled: PMDs that the throttle kept from interrupting: counted, and not recorded
 * @regs: the interrupted registers; NULL, an ip of 0: the overflow was found without an interrupt
 */
TRACE_EVENT(pfm_overflow,

	TP_PROTO(const struct pfm_context *context, u64 pmds, u64 throttled,
		 struct pt_regs *regs),

	TP_ARGS(context, pmds, throttled, regs),

	TP_STRUCT__entry(
		PFM_TRACE_TARGET
		__field(u16, set)
		__field(u64, pmds)
		__field(u64, throttled)
		__field(unsigned long, ip)
	),

	TP_fast_assign(
		PFM_TRACE_SET_TARGET(context);
		__entry->set = context->set->id;
		__entry->pmds = pmds;
		__entry->throttled = throttled;
		__entry->ip = regs ? instruction_pointer(regs) : 0;
	),

	TP_printk("ctx=%llu pid=%d cpu=%d set=%u pmds=0x%llx throttled=0x%llx ip=0x%lx",
		  __entry->ctx, __entry->pid, __entry->cpu, __entry->set,
		  __entry->pmds, __entry->throttled, __entry->ip)
);

TRACE_DEFINE_ENUM(PFM_SWITCH_TIME);
TRACE_DEFINE_ENUM(PFM_SWITCH_OVERFLOW);
TRACE_DEFINE_ENUM(PFM_SWITCH_RESTART);

/**
 * pfm_set_switch - a context leaves its event set for the next one
 * @context: the context
 * @next: the set that follows, perhaps the same
 * @cause: enum pfm_switch_cause
 */
TRACE_EVENT(pfm_set_switch,

	TP_PROTO(const struct pfm_context *context, const struct pfm_event_set *next, int cause),

	TP_ARGS(context, next, cause),

	TP_STRUCT__entry(
		PFM_TRACE_TARGET
		__field(u16, old_set)
		__field(u16, new_set)
		__field(int, cause)
	),

	TP_fast_assign(
		PFM_TRACE_SET_TARGET(context);
		__entry->old_set = context->set->id;
		__entry->new_set = next->id;
		__entry->cause = cause;
	),

	TP_printk("ctx=%llu pid=%d cpu=%d old_set=%u new_set=%u cause=%s",
		  __entry->ctx, __entry->pid, __entry->cpu, __entry->old_set, __entry->new_set,
		  __print_symbolic(__entry->cause,
				   { PFM_SWITCH_TIME, "time" },
				   { PFM_SWITCH_OVERFLOW, "overflow" },
				   { PFM_SWITCH_RESTART, "restart" }))
);

/**
 * pfm_throttle_begin - this CPU is throttled, or goes on being
 * @until: local_clock() at which the throttle will end
 * @spent: ns of interrupts in the present window, and the excess of earlier ones
 * @interrupts: number in this window
 */
TRACE_EVENT(pfm_throttle_begin,

	TP_PROTO(u64 until, u64 spent, u64 interrupts),

	TP_ARGS(until, spent, interrupts),

	TP_STRUCT__entry(
		__field(int, cpu)
		__field(u64, until)
		__field(u64, spent)
		__field(u64, interrupts)
	),

	TP_fast_assign(
		__entry->cpu = smp_processor_id();
		__entry->until = until;
		__entry->spent = spent;
		__entry->interrupts = interrupts;
	),

	TP_printk("cpu=%d until=%llu spent=%llu interrupts=%llu", __entry->cpu,
		  __entry->until, __entry->spent, __entry->interrupts)
);

/**
 * pfm_throttle_end - the throttle of this CPU ends
 * @until: local_clock() at which it was expected to end
 */
TRACE_EVENT(pfm_throttle_end,

	TP_PROTO(u64 until),

	TP_ARGS(until),

	TP_STRUCT__entry(
		__field(int, cpu)
		__field(u64, until)
	),

	TP_fast_assign(
		__entry->cpu = smp_processor_id();
		__entry->until = until;
	),

	TP_printk("cpu=%d until=%llu", __entry->cpu, __entry->until)
);

/**
 * pfm_message - a message was queued to a context's file
 * @context: the context; without its target, which may be gone
 * @type: PFM_MSG_*
 * @set: of an overflow or of the throttle: the active set
 * @pmds: for these messages: counters that have overflowed
 * @lost: the queue was full
 */
TRACE_EVENT(pfm_message,

	TP_PROTO(const struct pfm_context *context, u32 type, u16 set, u64 pmds, bool lost),

	TP_ARGS(context, type, set, pmds, lost),

	TP_STRUCT__entry(
		__field(u64, ctx)
		__field(u32, type)
		__field(u16, set)
		__field(bool, lost)
		__field(u64, pmds)
	),

	TP_fast_assign(
		__entry->ctx = context->id;
		__entry->type = type;
		__entry->set = set;
		__entry->lost = lost;
		__entry->pmds = pmds;
	),

	TP_printk("ctx=%llu type=%s set=%u pmds=0x%llx lost=%d", __entry->ctx,
		  __print_symbolic(__entry->type,
				   { PFM_MSG_OVFL, "overflow" },
				   { PFM_MSG_END, "end" },
				   { PFM_MSG_THROTTLE, "throttle" },
				   { PFM_MSG_SUSPEND, "suspend" },
				   { PFM_MSG_RESUME, "resume" }),
		  __entry->set, __entry->pmds, __entry->lost)
);

#endif /* _TRACE_PERFMON_H */

/* This part is outside of the guard. */
#include <trace/define_trace.h>
