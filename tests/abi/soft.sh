#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host seconds=900
#
# The software PMU: what its events are, and that the interface is the same on it. The
# tests of the interface run in a guest that has no other PMU; what they need a
# processor's for is skipped, and printed. Its own tests want two processors;
# soft_sampling.sh has those of sampling.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
programs=$top/build/bin/tests/abi
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=sections.sh
. "$here/../sections.sh"
# shellcheck source-path=SCRIPTDIR/.. source=interface.sh
. "$here/../interface.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run_in_guest PROCESSORS NAME...: what they print is in $work/PROCESSORS.
run_in_guest()
{
	local processors=$1
	shift

	write_list "$processors" 60 "$programs" "$@"
	run_list "$processors" "$here/../guest" --smp "$processors" --timeout 800 \
		--append perfmon.pmu=soft
}

mapfile -t counted < <("$programs/soft" -l)
plan $((${#interface[@]} + ${#counted[@]} + 2))
on_machine software itself 6.1
run_in_guest 2 soft &
run_in_guest 1 "${interface[@]}"
wait
for processors in 1 2; do
	check_guest "$processors" "the_guest_with_${processors}_has_no_complaints"
done
check_each soft 2 "${counted[@]}"
for name in "${interface[@]}"; do
	# covers: D.10-9
	check_program "$name" 1 "${name}_works_on_the_software_pmu"
done
finish
