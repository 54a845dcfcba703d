#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host seconds=1800 all
#
# Tests of other areas than the interface's, on Debian's own kernel as they are on ours: pfmon
# through /dev/perfmon, the PMU's, and those that perf has.
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

one=(pfmon/guest pfmon/record_perf pmu/perf_record)
two=(pfmon/guest_smp pfmon/sets pfmon/record_guest pmu/perf_stat pmu/perf_migrate pmu/watchdog
	pmu/devmsr pmu/lbr)

path()
{
	if [ -e "$top/tests/$1.sh" ]; then
		echo "$top/tests/$1.sh"
	else
		echo "$top/build/bin/tests/$1"
	fi
}

# in_guest NAME PROCESSORS TEST...
in_guest()
{
	local name=$1 processors=$2 test
	shift 2

	for test; do
		printf '900\t%s\t%s\n' "$test" "$(path "$test")"
	done >"$work/list-$name"
	run_list "$name" "$here/guest" --kernel debian --smp "$processors" \
		--cpu Nehalem,pdcm=on,lbr-fmt=3 --timeout 1200
}

# check NAME TEST...
check()
{
	local name=$1 test
	shift

	check_guest "$name" "the_guest_has_no_complaints ($name)"
	for test; do
		check_program "$test" "$name" "${test/\//_}_works_without_patches"
	done
}

plan $((2 + ${#one[@]} + ${#two[@]}))
on_machine 'Intel Nehalem' 'emulated hardware' 6.1
in_guest one 1 "${one[@]}" &
in_guest two 2 "${two[@]}"
wait
check one "${one[@]}"
check two "${two[@]}"
finish
