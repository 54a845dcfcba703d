#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host seconds=1500
#
# pfmon on Debian's own kernel, through /dev/perfmon: the tests that it has on ours.
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

one=(guest record_perf)
two=(guest_smp sets record_guest)

# in_guest NAME PROCESSORS TEST...: tests of tests/pfmon
in_guest()
{
	local name=$1 processors=$2 test
	shift 2

	for test; do
		printf '900\t%s\t%s\n' "$test" "$top/tests/pfmon/$test.sh"
	done >"$work/list-$name"
	run_list "$name" "$here/guest" --kernel debian --smp "$processors" --timeout 1200
}

# check NAME TEST...
check()
{
	local name=$1 test
	shift

	check_guest "$name" "the_guest_has_no_complaints ($name)"
	for test; do
		check_program "$test" "$name" "pfmons_${test}_works_without_patches"
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
