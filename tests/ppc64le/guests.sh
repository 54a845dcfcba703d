#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host late seconds=1500
#
# POWER: programs run in a ppc64le guest as others do in x86's; the interface is the same
# there, counts are exact, and the kernel's perf_events works on the emulated PMU. Each
# test of every program is one here.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
programs=$top/build/bin/tests-ppc64le
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# All but those that are about other kernels and machines, and those that take longest.
interface=(block buffer calls classes close config control counting create direct exec
	exit fork formats getinfo load messages narrow notify permissions pmcs pmds pointers
	races random read_reset restart sampling sets states sundry switching sysfs system
	system_sets targets throttle virtual width)

# run_in_guest MODEL KERNEL PROGRAM...: what they print is in $work/MODEL-KERNEL.
run_in_guest()
{
	local guest=$1-$2 options=(--cpu "$1" --kernel "$2") program
	shift 2

	for program in "$@"; do
		printf '90\t%s\t%s\n' "$program" "$programs/$program"
	done >"$work/list-$guest"
	PERFMON_VM_CONSOLE=$work/console-$guest "$top/tools/vm/run" --arch ppc64le \
		"${options[@]}" --timeout 1200 -- "$programs/guest" "$work/list-$guest" \
		>"$work/$guest" 2>&1
	echo "$?" >"$work/status-$guest"
}

# What a program printed.
of()
{
	awk -v name="$1" '$1 == "@@end" && $2 == name { on = 0 }
		on
		$1 == "@@begin" && $2 == name { on = 1 }' "$work/$2"
}

# A program passed: it came to its end with status 0, and something was not skipped.
check_program()
{
	local guest=$1 program=$2 text name

	text=$(of "$program" "$guest")
	name=${program#abi/}_works_on_$guest
	if grep -qx "@@end $program 0" "$work/$guest" &&
	   grep '^ok' <<<"$text" | grep -qv '# SKIP'; then
		report "$name" ok
	else
		report "$name" no "$(grep -A 4 -v '^ok' <<<"$text" | grep -v '^ok')"
	fi
	sed -n 's/^ok [0-9]* - \(.*\) # SKIP \(.*\)/# skipped: \1: \2/p' <<<"$text"
}

check_guest()
{
	if [ "$(cat "$work/status-$1")" = 0 ] &&
	   "$top/tools/vm/complaints" "$work/console-$1" >"$work/complaints"; then
		report "the_$1_guest_has_no_complaints" ok
	else
		report "the_$1_guest_has_no_complaints" no \
			"$(cat "$work/complaints")" "$(tail -n 5 "$work/$1")"
	fi
}

# check_on MODEL KERNEL some|all
check_on()
{
	local -n chosen=$3
	local program

	on_machine "IBM $1" 'emulated hardware' "$2"
	run_in_guest "$1" "$2" "${chosen[@]}"
	check_guest "$1-$2"
	for program in "${chosen[@]}"; do
		check_program "$1-$2" "$program"
	done
}

# A model, a kernel, and whether all of the interface is tested there.
guests=("POWER8 6.1 some" "POWER9 6.1 all" "POWER10 6.1 some" "POWER9 6.12 all")
some=(exactly perf abi/counting abi/getinfo abi/sampling)
all=("${some[@]}")
for name in "${interface[@]}"; do
	[[ " ${some[*]} " == *" abi/$name "* ]] || all+=("abi/$name")
done

plan $((3 + ${#guests[@]} + 2 * ${#some[@]} + 2 * ${#all[@]}))
cd "$top" || exit 1
"$top/tools/vm/run" --arch ppc64le -- "$programs/hello" a 'b c' >"$work/out" 2>"$work/err"
is a_ppc64le_programs_status_is_the_commands "$?" 3
is its_arguments_and_output_come_through "$(cat "$work/out")" $'argument a\nargument b c'
is it_runs_in_the_callers_directory "$(cat "$work/err")" "directory $top"

for guest in "${guests[@]}"; do
	# shellcheck disable=SC2086 # three words
	check_on $guest
done
finish
