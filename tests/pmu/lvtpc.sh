#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lvtpc.sh - a guest of a hypervisor that leaves the local APIC's performance entry unmasked when it
# delivers the PMU's interrupt, as KVM did on Intel before Linux 6.6: counts that need interrupts
# are right there as elsewhere, and no NMI is unknown.
# shellcheck disable=SC2317 # section calls functions by name
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
bin=$top/build/bin/tests
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=sections.sh
. "$here/../sections.sh"

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# Tests that depend on interrupts: of tests/abi, and of tests/pmu.
abi=(exact narrow notify sampling sampling_buffer switching switching_triggers system_smp throttle
	watchdog)
period=1000

# Each overflow is a sample, but for the rest of a period: prints the samples, and their expected
# number.
pfmon_samples()
{
	"$top/build/bin/pfmon" record -e branches:u -c "$period" -o /dev/shm/data -- \
		"$bin/pmu/yardstick" 3000 200 2>&1 | sed -n 's/.*: \([0-9,]*\) samples of.* \([0-9][0-9,]*\) lost.*/\1 \2/p'
	"$top/build/bin/pfmon" stat -x, -e branches:u -o /dev/shm/out -- "$bin/pmu/yardstick" 3000 200
	sed -n 's/^\([0-9]*\),,.*:u,.*/\1/p' /dev/shm/out
}

# Interrupts that found the counter still stopped by a switch to the other process: only the counter
# shows them.
sample_switches()
{
	local -r rival="chrt -f 1 $bin/pmu/yardstick 100 100"

	echo 1000000000 >/sys/kernel/perfmon/limits/interrupt_rate_max
	echo 100 >/sys/kernel/perfmon/limits/cpu_time_max_percent
	for _ in {1..5}; do
		taskset -c 0 "$top/build/bin/pfmon" record -i -e instructions -c 1511 -o /dev/shm/data \
			sh -c "for i in $(seq -s' ' 30); do $rival & $rival; wait; done" 2>&1 |
			sed -n 's/.*[1-9][0-9]* samples of .*, \([0-9,]* lost\).*/\1/p'
	done | sort -u
}

perf_samples()
{
	perf record -q -e branches:u -c "$period" -o /dev/shm/perf -- "$bin/pmu/yardstick" 3000 200
	perf script -i /dev/shm/perf -F ip 2>/dev/null | grep -c .
}

in_guest()
{
	local name

	for name in "${abi[@]}"; do
		section "$name" "$bin/abi/$name" 2>&1
	done
	section pfmon pfmon_samples
	section switches sample_switches
	section perf perf_samples
	section verdict "$top/build/bin/pfmon" test
	section end true
}

words()
{
	section_text "$1" "$scratch/out" | paste -sd' '
}

if [ "${1-}" = --in-guest ]; then
	in_guest
	exit
fi
"$top/tools/build/need" linux-perf || exit 1
plan $((7 + ${#abi[@]}))
on_machine 'Intel Nehalem' 'emulated hardware' 6.1
PERFMON_VM_CONSOLE=$scratch/console "$top/tools/vm/run" --timeout 800 --smp 2 \
	--cpu Nehalem,pmu-lvtpc-mask=off -- "$0" --in-guest >"$scratch/out" 2>"$scratch/err"
is the_guest_runs_to_its_end "$? $(tail -n 1 "$scratch/out")" "0 @@end end 0"
for name in "${abi[@]}"; do
	check_section "$name" "$scratch/out" "${name}_passes"
done
read -r samples lost branches <<<"$(words pfmon | tr -d ,)"
is pfmon_samples_every_period "$samples $lost" "$((branches / period)) 0"
is the_branches_are_the_yardsticks "$branches" "$("$here/expect" 3000 200 | sed -n '2s/.*=//p')"
is nothing_is_lost_at_switches "$(words switches)" '0 lost'
is perf_samples_every_period "$(words perf)" "$samples"
has pfmon_finds_all_right "$(section_text verdict "$scratch/out")" '^10 right, 0 off, 0 broken'
passes no_interrupt_is_unknown "$top/tools/vm/complaints" "$scratch/console"
finish
