#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host needs=stock seconds=1800 all
#
# perfmon.ko on a debug kernel without patches, whose checkers tell of what Debian's does not:
# the interface, the module coming and going, and the fuzzer for a while.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=sections.sh
. "$here/../sections.sh"
# shellcheck source-path=SCRIPTDIR/.. source=interface.sh
. "$here/../interface.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stock=(--kernel stock-6.12 --debug --smp 2 --cpu 'Nehalem,pdcm=on,lbr-fmt=3')

programs=()
for name in "${interface[@]}" hotplug smp system_smp; do
	case $name in
	# System calls, and what perf_events has to be patched for: debian.sh has the reasons.
	direct|preempt|preempted) ;;
	*) programs+=("$name") ;;
	esac
done

plan $((${#programs[@]} + 3))
on_machine 'Intel Nehalem' 'emulated hardware' 6.12
write_list guest 120 "$top/build/bin/tests/abi" "${programs[@]}"
run_list guest "$here/guest" "${stock[@]}" --mem 640 --timeout 1500
check_guest guest the_guest_has_no_complaints
for program in "${programs[@]}"; do
	check_program "$program" guest "${program}_works_under_the_checkers"
done

"$top/tools/vm/run" "${stock[@]}" --no-module --timeout 900 -- \
	"$here/cycles" "$top/build/kernel-stock-6.12/debug/module" 120 >"$work/out" 2>&1
is it_comes_and_goes_and_leaves_nothing "$? $(tail -n 1 "$work/out")" "0 120 cycles"
"$top/tests/fuzz/run" --module --smp 2 --time 120 >"$work/out" 2>&1
verdict random_commands_break_no_promise $? "$(cat "$work/out")"
finish
