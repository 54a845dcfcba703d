#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perfmon.ko is loaded and removed a thousand times on Debian's kernel, and leaves the PMU, the NMI
# watchdog, perf_events and the kernel's memory as it found them.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=1000

plan 3
PERFMON_VM_CONSOLE=$work/console "$top/tools/vm/run" --kernel debian --no-module --smp 2 \
	--cpu Nehalem,pdcm=on,lbr-fmt=3 --timeout 800 -- \
	"$here/cycles" "$top/build/kernel-debian/module" "$n" >"$work/out" 2>&1
is all_cycles_were_completed "$? $(tail -n 1 "$work/out")" "0 $n cycles"
passes the_guest_has_no_complaints "$top/tools/vm/complaints" "$work/console"
is each_load_was_logged "$(grep -c 'perfmon: .*counters' "$work/console")" "$n"
finish
