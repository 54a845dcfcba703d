#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# storm.sh - storms of interrupts, as bad as possible, on processors with branch records and with
# IBS, on the plain kernel and on the debug kernel.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
bin=$top/build/bin/tests/pmu
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# guest NAME ARGUMENT...: all tests pass in this guest
guest()
{
	local name=$1

	shift
	PERFMON_VM_CONSOLE=$scratch/console "$top/tools/vm/run" --timeout 900 --smp 2 "$@" \
		-- "$bin/storm" >"$scratch/out" 2>"$scratch/err"
	is "the_guest_runs_to_its_end ($name)" $? 0
	grep '^#' "$scratch/out"
	is "all_tests_pass ($name)" "$(grep -c '^ok' "$scratch/out")$(grep -A 5 '^not ok' "$scratch/out")" 7
	passes "the_kernel_does_not_complain ($name)" "$top/tools/vm/complaints" "$scratch/console"
}

lbr=Nehalem,pdcm=on,lbr-fmt=3
plan 9
guest "branch records" --cpu $lbr
guest IBS --cpu EPYC
guest "branch records, debug" --cpu $lbr --debug
finish
