#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perf_migrate.sh - counts are exact if a program moves between CPUs, and after a CPU was offline.
set -u
# shellcheck source-path=SCRIPTDIR source=perf.sh
. "$(dirname "$0")/perf.sh"

plan 13

moved()
{
	"$bin/flip" yardstick 200 >"$scratch/flips" 2>&1 &
	flip=$!
	got=$(count "$events,cpu-migrations" "$yardstick" "$@")
	wait "$flip"
	is "counts_are_exact_under_migration_of_$1_loops" "${got% *}" "$(expected "$@")"
	[ "${got##* }" -ge 20 ]
	verdict "there_were_migrations_in_$1_loops" $? \
		"there were ${got##* }, of $(cat "$scratch/flips") attempts"
}

moved 100000
moved 100001 5000

# The count must not depend on the CPU: everything else runs on the other one.
for cpu in 0 1; do
	with="taskset -c $cpu"
	got=$(count "$events" "$yardstick" 3000)
	is "cpu_${cpu}_is_exact" "$got" "$(expected 3000)"
done

online=/sys/devices/system/cpu/cpu1/online
before=$(kernel_log | grep -cE 'perf|PMU|unchecked MSR')
for round in 1 2 3; do
	run sh -c "echo 0 >$online && echo 1 >$online"
	verdict "cpu_1_goes_and_comes_back_$round" $?
	with="taskset -c 1"
	got=$(count "$events" "$yardstick" 3000)
	is "counts_are_exact_after_cpu_1_came_back_$round" "$got" "$(expected 3000)"
done
is the_kernel_has_nothing_to_say_about_it "$(kernel_log | grep -cE 'perf|PMU|unchecked MSR')" \
	"$before"

finish
