#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A kernel that kexec starts while a session runs on each CPU finds the PMU as a reset leaves it.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/tools/build/need" kexec-tools
plan 4
PERFMON_VM_CONSOLE=$work/console "$top/tools/vm/run" --kernel debian --smp 2 --timeout 200 -- \
	"$here/kexec" "$top/build/kernel-debian" "$top/build/bin/pfmon" >"$work/out" 2>"$work/err"
is a_second_kernel_ran "$? $(tail -n 1 "$work/out")" "0 the second kernel"
is a_session_ran_before "$(head -n 1 "$work/out")" "2 sessions"
is its_perf_takes_the_pmu_for_new "$(grep -ciE 'corrupted|broken pmu' "$work/console")" 0
passes it_has_no_other_complaints "$top/tools/vm/complaints" "$work/console"
finish
