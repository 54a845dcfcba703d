#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host needs=ppc64le seconds=1500 all
#
# POWER: programs run in a ppc64le guest as others do in x86's; the interface is the same
# there, counts are exact, and the kernel's perf_events works on the emulated PMU. Each
# program is a test here. With the argument 6.12 on that kernel, see newer.sh.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
programs=$top/build/bin/tests-ppc64le
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=sections.sh
. "$here/../sections.sh"
# shellcheck source-path=SCRIPTDIR/.. source=interface.sh
. "$here/../interface.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run_in_guest MODEL KERNEL PROGRAM...: what they print is in $work/MODEL-KERNEL.
run_in_guest()
{
	local guest=$1-$2 model=$1 kernel=$2
	shift 2

	write_list "$guest" 90 "$programs" "$@"
	run_list "$guest" "$programs/guest" --arch ppc64le --cpu "$model" --kernel "$kernel" \
		--timeout 1200
}

# check_on MODEL KERNEL some|all
check_on()
{
	local -n chosen=$3
	local program

	on_machine "IBM $1" 'emulated hardware' "$2"
	run_in_guest "$1" "$2" "${chosen[@]}"
	check_guest "$1-$2" "the_$1-$2_guest_has_no_complaints"
	for program in "${chosen[@]}"; do
		check_program "$program" "$1-$2" "${program#abi/}_works_on_$1-$2"
	done
}

some=(exactly perf abi/counting abi/getinfo abi/sampling)
all=("${some[@]}")
for name in "${interface[@]}"; do
	# perf_events does not ask sessions to give way here: perfmon(7), "Giving way".
	[[ $name == preempt* || " ${some[*]} " == *" abi/$name "* ]] || all+=("abi/$name")
done

cd "$top" || exit 1
kernel=${1:-6.1}
# Else tools/vm/run builds them and says so.
"$top/tools/vm/ends" ppc64le >&2
"$top/tools/vm/kernel" --arch ppc64le --kernel "$kernel" plain >&2
if [ "$kernel" != 6.1 ]; then
	plan $((1 + ${#all[@]}))
	check_on POWER9 "$kernel" all
	finish
fi
plan $((3 + 3 + 2 * ${#some[@]} + ${#all[@]}))
"$top/tools/vm/run" --arch ppc64le -- "$programs/hello" a 'b c' >"$work/out" 2>"$work/err"
is a_ppc64le_programs_status_is_the_commands "$?" 3
is its_arguments_and_output_come_through "$(cat "$work/out")" $'argument a\nargument b c'
is it_runs_in_the_callers_directory "$(cat "$work/err")" "directory $top"
check_on POWER8 6.1 some
check_on POWER9 6.1 all
check_on POWER10 6.1 some
finish
