#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# suspend.sh - counts are exact on each CPU after suspend to RAM, too.
set -u
# shellcheck source-path=SCRIPTDIR source=perf.sh
. "$(dirname "$0")/perf.sh"

plan 4

log=$scratch/console
# The guest has no files after the suspend, so the run does not end normally: the guest resets
# without an exit status.
PERFMON_VM_CONSOLE=$log "$top/tools/vm/run" --smp 2 --timeout 600 -- "$bin/suspend_guest" \
	>"$scratch/out" 2>&1
sed -n 's/.*suspend: \(.*\)/\1/p' "$log" | tr -d '\r' >"$scratch/said"
sed '/^resumed$/,$d' "$scratch/said" >"$scratch/before"
sed '1,/^resumed$/d' "$scratch/said" >"$scratch/after"

grep -q 'ACPI: PM: Waking up from system sleep state S3' "$log"
verdict the_guest_was_suspended_to_ram $? "$(cat "$scratch/out")"
is both_cpus_count_before "$(grep -c '20000[0-9]* instructions, 10000[0-9]* branches' "$scratch/before")" 2
is both_cpus_count_the_same_after "$(cat "$scratch/after")" "$(cat "$scratch/before")"
is no_register_access_fails "$(grep -iE 'unchecked MSR|irq loop|Call Trace' "$log")" ""
finish
