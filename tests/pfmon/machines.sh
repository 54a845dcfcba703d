#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon test on machines of all kinds: the verdict is right about each.
set -u

here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

pfmon=$top/build/bin/pfmon
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# findings NAME VERDICTS OPTION... -- COMMAND...: compare the last line with VERDICTS; the exit
# status reports a broken machine
findings()
{
	local name=$1 verdicts=$2 got status=1

	shift 2
	[ "${verdicts#*0 broken}" = "$verdicts" ] || status=0
	"$top/tools/vm/run" --timeout 300 "$@" >"$work/$name" 2>&1
	got="status $?, $(tail -n 1 "$work/$name")"
	if [ "$got" = "status $status, $verdicts" ]; then
		report "$name" ok
	else
		report "$name" no "$got, not $verdicts" "$(cat "$work/$name")"
	fi
}

plan 12
all='10 right, 0 off, 0 broken, 0 not here'
findings a_nehalem "$all" -- "$pfmon" test
findings a_nehalem_with_two_processors_on_the_debug_kernel "$all" --debug --smp 2 -- "$pfmon" test
# Its counters start one by one, with an instruction between the first and the last.
findings an_epyc '9 right, 1 off, 0 broken, 0 not here' --cpu EPYC -- "$pfmon" test
findings an_epyc_with_a_switch_for_all "$all" --cpu EPYC-Milan,pmu-perfmon-v2=on -- "$pfmon" test
findings a_counter_of_40_bits "$all" --cpu Nehalem,pmu-version=2,pmu-width=40 -- "$pfmon" test
findings the_software_pmu '8 right, 0 off, 0 broken, 2 not here' --no-pmu -- "$pfmon" test
findings perf_events '8 right, 0 off, 0 broken, 2 not here' -- env PERFMON=perf "$pfmon" test
# Without interrupts an overflow is found late, and samples are missing.
findings a_pmu_without_interrupts '8 right, 0 off, 2 broken, 0 not here' --cpu Nehalem,pmu-pmi=off -- \
	"$pfmon" test
findings debians_kernel_by_the_module "$all" --kernel debian -- "$pfmon" test
# Root alone pauses the NMI watchdog, which holds a counter, unless this is changed.
findings an_ordinary_user '9 right, 0 off, 0 broken, 1 not here' -- \
	sh -c 'echo any >/sys/kernel/perfmon/limits/watchdog_pause; exec "$@"' sh \
	setpriv --reuid=65534 --regid=65534 --clear-groups "$pfmon" test
findings beside_the_watchdog '1 right, 0 off, 0 broken, 9 not here' -- \
	setpriv --reuid=65534 --regid=65534 --clear-groups "$pfmon" test
has it_names_the_watchdog_and_the_way_out "$(cat "$work/beside_the_watchdog")" \
	'^the NMI watchdog, which is not paused for you'
finish
