# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Samples at any rate of the emulated PMU, and programs that keep their CPU: source it and call one
# of its functions.

no_throttle_of_perfmon()
{
	local limits=/sys/kernel/perfmon/limits

	[ -d $limits ] || return 0
	echo 1000000000 >$limits/interrupt_rate_max
	echo 100 >$limits/cpu_time_max_percent
}

# no_throttle: neither perf_events nor perfmon leaves samples out or lowers its rate.
#
# perf's rate cannot be written while its share of the time is 0 or 100 (EINVAL), as an
# earlier call leaves it; hence the share goes to another value first.
no_throttle()
{
	local perf=/proc/sys/kernel

	echo 25 >$perf/perf_cpu_time_max_percent
	echo 1000000000 >$perf/perf_event_max_sample_rate
	echo 0 >$perf/perf_cpu_time_max_percent
	no_throttle_of_perfmon
}

# undisturbed COMMAND...: at a priority at which no other thread takes the CPU from it. perf lets a
# counter of Nehalem start no nearer than 32 events to its overflow (nhm_limit_period() in
# arch/x86/events/intel/core.c), so its sample after a context switch may be late.
# On one CPU perf reads its buffer only when the command has ended (perf record -m).
undisturbed()
{
	echo -1 >/proc/sys/kernel/sched_rt_runtime_us
	chrt -f 50 "$@"
}
