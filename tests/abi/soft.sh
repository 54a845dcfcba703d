#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host seconds=900
#
# The software PMU: what its events are, and that the interface is the same on it. The
# tests of the interface run in a guest that has no other PMU; what they need a
# processor's for is skipped, and printed. Its own tests want two processors.
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

# The tests of the PMU itself, each one: check_own PROGRAM NAME...
check_own()
{
	local text name program=$1
	shift

	text=$(section_text "$program" "$work/2")
	for name; do
		if grep -qxE "ok [0-9]+ - $name" <<<"$text"; then
			report "$name" ok
		else
			report "$name" no "$(grep -A 4 -E "ok [0-9]+ - $name" <<<"$text")"
		fi
	done
}

mapfile -t counted < <("$programs/soft" -l)
mapfile -t sampled < <("$programs/soft_sampling" -l)
plan $((${#interface[@]} + ${#counted[@]} + ${#sampled[@]} + 2))
on_machine software itself 6.1
run_in_guest 2 soft soft_sampling &
run_in_guest 1 "${interface[@]}"
wait
for processors in 1 2; do
	check_guest "$processors" "the_guest_with_${processors}_has_no_complaints"
done
check_own soft "${counted[@]}"
check_own soft_sampling "${sampled[@]}"
for name in "${interface[@]}"; do
	# covers: D.10-9
	check_program "$name" 1 "${name}_works_on_the_software_pmu"
done
finish
