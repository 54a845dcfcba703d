#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# POWER: programs run in a ppc64le guest as on x86; the interface is the same there, counts are
# exact, and the kernel's perf_events works on the emulated PMU. Each program is a test here. With
# the argument 6.12 on that kernel, see newer.sh.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
programs=$top/build/bin/tests-ppc64le
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=sections.sh
. "$here/../sections.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run_in_guest MODEL KERNEL PROGRAM...: their output is in $work/MODEL-KERNEL. No program of the
# host runs there: guest.c replaces prove.
run_in_guest()
{
	local guest=$1-$2 model=$1 kernel=$2 program
	shift 2

	for program; do
		printf '90\t%s\t%s\n' "$program" "$programs/$program"
	done >"$work/list-$guest"
	PERFMON_VM_CONSOLE=$work/console-$guest "$top/tools/vm/run" --arch ppc64le --cpu "$model" \
		--kernel "$kernel" --timeout 1200 -- "$programs/guest" "$work/list-$guest" >"$work/$guest" 2>&1
	is "the_${guest}_guest_ends_well" "$?" 0
	passes "the_${guest}_guest_has_no_complaints" "$top/tools/vm/complaints" "$work/console-$guest"
}

# check_on MODEL KERNEL some|all
check_on()
{
	local -n chosen=$3
	local program

	on_machine "IBM $1" 'emulated hardware' "$2"
	run_in_guest "$1" "$2" "${chosen[@]}"
	for program in "${chosen[@]}"; do
		check_section "$program" "$work/$1-$2" "${program#abi/}_works_on_$1-$2"
	done
}

some=(exactly perf abi/counting abi/getinfo abi/sampling)
all=("${some[@]}")
# Not the tests of perf_events, which does not ask sessions to give way here (perfmon(7), "Giving
# way"), of other kernels, of chains, two processors, or long.
for name in block buffer calls close compact config control counting create direct exec exit fork \
	format_handler format_restart formats getinfo hist isolation lifetime load mapping messages \
	narrow notify notify_signals permissions pmcs pmds pointers races random read_reset \
	regressions restart sampling sampling_buffer set_timeouts sets stack states switching \
	switching_restart switching_triggers sysfs system system_sets targets throttle virtual width; do
	[[ " ${some[*]} " == *" abi/$name "* ]] || all+=("abi/$name")
done

cd "$top" || exit 1
kernel=${1:-6.1}
# Otherwise tools/vm/run would build them, with messages in the tests' output.
"$top/tools/vm/ends" ppc64le >&2
"$top/tools/vm/kernel" --arch ppc64le --kernel "$kernel" plain >&2
if [ "$kernel" != 6.1 ]; then
	plan $((2 + ${#all[@]}))
	check_on POWER9 "$kernel" all
	finish
fi
plan $((3 + 6 + 2 * ${#some[@]} + ${#all[@]}))
"$top/tools/vm/run" --arch ppc64le -- "$programs/hello" a 'b c' >"$work/out" 2>"$work/err"
is a_ppc64le_programs_status_is_the_commands "$?" 3
is its_arguments_and_output_come_through "$(cat "$work/out")" $'argument a\nargument b c'
is it_runs_in_the_callers_directory "$(cat "$work/err")" "directory $top"
check_on POWER8 6.1 some
check_on POWER9 6.1 all
check_on POWER10 6.1 some
finish
