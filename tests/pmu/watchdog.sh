#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# watchdog.sh - the kernel finds the PMU in its expected state, and its NMI watchdog ticks.
set -u
# shellcheck source-path=SCRIPTDIR source=perf.sh
. "$(dirname "$0")/perf.sh"

# The number of NMIs of the PMU on a CPU.
interrupts()
{
	awk -v column="$(($1 + 2))" '$1 == "PMI:" { print $column }' /proc/interrupts
}

plan $((9 + $(nproc)))
dmesg >"$scratch/dmesg"
grep -q 'Performance Events: Nehalem events,.* Intel PMU driver' "$scratch/dmesg"
verdict the_kernel_takes_it_for_a_nehalem_pmu $? "$(grep 'Performance Events' "$scratch/dmesg")"
for line in 'version:                3' 'bit width:              48' 'generic registers:      4' \
	'fixed-purpose events:   3' 'event mask:             000000070000000f'; do
	grep -q "$line" "$scratch/dmesg" || missing="${missing-}$line
"
done
is it_reads_the_pmu_as_configured "${missing-}" ""
is no_register_access_fails "$(grep -iE 'unchecked MSR|Broken (PMU|BIOS)|irq loop' "$scratch/dmesg")" ""
grep -q 'NMI watchdog: Enabled' "$scratch/dmesg"
verdict the_watchdog_found_a_counter $? "$(grep -i watchdog "$scratch/dmesg")"
is the_watchdog_is_on "$(cat /proc/sys/kernel/nmi_watchdog)" 1

# A threshold of one second is 10^9 cycles, as the TSC ticks once in each step.
echo 1 >/proc/sys/kernel/watchdog_thresh
for cpu in $(seq 0 $(($(nproc) - 1))); do
	before=$(interrupts "$cpu")
	run taskset -c "$cpu" "$bin/burn" 2500
	ticks=$(($(interrupts "$cpu") - before))
	[ "$ticks" -ge 2 ] && [ "$ticks" -le 4 ]
	verdict "it_ticks_each_second_on_cpu_$cpu" $? "$ticks ticks in 2.5 seconds"
done

# Switched off it sends no NMI, and its counter is free.
echo 0 >/proc/sys/kernel/nmi_watchdog
before=$(interrupts 0)
run taskset -c 0 "$bin/burn" 2500
is switched_off_it_is_silent "$(($(interrupts 0) - before))" 0
got=$(count cycles:u,instructions:u "$bin/burn" 1)
set -- "$got"
[ "${got% *}" = "${got#* }" ]
verdict cycles_are_instructions_where_nothing_repeats $? "$got"
echo 1 >/proc/sys/kernel/nmi_watchdog
run taskset -c 0 "$bin/burn" 2500
[ "$(interrupts 0)" -gt "$before" ]
verdict switched_on_it_ticks_again $?

is no_cpu_was_found_hanging "$(dmesg | grep -iE 'lockup|stalls ')" ""
finish
