#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Suspend: suspend.c in guests of its own: with one CPU and with two, the debug kernel with two, and
# Debian's with the module.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"
program=$top/build/bin/tests/abi/suspend
log=$top/build/vm/suspend.log

# The output of a guest, one line a test. With --debug the leak detector cannot run at the end: its
# program is on the root file system.
in_guest()
{
	local name=$1 output status=0 skipped
	shift

	output=$("$top/tools/vm/run" --timeout 900 "$@" -- "$program" 2>"$log") || status=$?
	skipped=$(grep -c '# SKIP' <<<"$output")
	if [ "$status" -eq 0 ] && [ "$(grep -c '^ok' <<<"$output")" -eq 8 ] &&
		[ "$skipped" -eq "$expected_skips" ]; then
		report "$name" ok
	else
		report "$name" no "status $status, $skipped skipped" "$output" "$(tail -n 20 "$log")"
	fi
}

plan 4
mkdir -p "${log%/*}"
# With one CPU there is no other CPU.
expected_skips=3
# covers: D.6-5
in_guest counts_and_contexts_survive_a_suspend --smp 1
expected_skips=0
# covers: D.6-5
in_guest counts_and_contexts_survive_a_suspend_of_two_cpus --smp 2
# covers: D.6-5
in_guest counts_and_contexts_survive_a_suspend_of_two_cpus_on_the_debug_kernel --debug --smp 2
# covers: D.6-5
in_guest counts_and_contexts_survive_a_suspend_of_debians_kernel --kernel debian --smp 2
finish
