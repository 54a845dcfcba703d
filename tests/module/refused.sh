#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perfmon.ko on Debian's kernel and on machines that it does not support: it reports in one line
# what is wrong and how to fix it, is not loaded, and changes nothing.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The state of a guest before and after, except its log; and the error of insmod.
# shellcheck disable=SC2016 # expanded in the guest
script='
state()
{
	cat /proc/sys/kernel/nmi_watchdog /proc/modules /proc/misc
	ls -d /dev/perfmon /sys/kernel/perfmon 2>&1
}
before=$(state)
insmod "$1" 2>/dev/null
echo "insmod: $?"
[ "$(state)" = "$before" ] && echo "as before"
'

# refused NAME SENTENCE OPTION...: in a guest with these options
refused()
{
	local name=$1 sentence=$2
	shift 2

	PERFMON_VM_CONSOLE=$work/console "$top/tools/vm/run" --kernel debian --no-module --timeout 120 "$@" -- \
		bash -c "$script" sh "$top/build/kernel-debian/module/perfmon.ko" >"$work/out" 2>"$work/err"
	is "${name}_refuses_it" "$? $(paste -sd' ' "$work/out")" "0 insmod: 1 as before"
	is "${name}_is_said_in_one_line" \
		"$(sed -n 's/^.*\] perfmon: //p' "$work/console" | tr -d '\r' | grep -v taint)" "$sentence"
}

none='perf_events found no PMU that works, see its words at boot: in a virtual machine the hypervisor has to offer one'
silent='this PMU counts and does not interrupt: the hypervisor has to deliver its interrupts; pfmon has PERFMON=perf meanwhile'
plan 8
refused no_pmu "$none" --no-pmu
refused registers_that_keep_nothing "$none" --cpu Nehalem,pmu-keeps=off
refused a_pmu_without_interrupts "$silent" --cpu Nehalem,pmu-pmi=off
refused amds_without_interrupts "$silent" --cpu EPYC,pmu-pmi=off
finish
