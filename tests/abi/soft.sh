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

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# All but those that are about the processor's PMU, suspend, or the lack of perfmon; and but
# for those that take longest, exact and timeslices, which pass here as well.
interface=(block buffer calls classes close config control counting create direct exec exit
	fork formats getinfo load messages narrow notify permissions pmcs pmds pointers races
	random read_reset restart sampling sets states sundry switching sysfs system
	system_sets targets throttle virtual width)

# run_in_guest PROCESSORS NAME...: what they print is in $work/PROCESSORS.
run_in_guest()
{
	local processors=$1 name
	shift

	for name in "$@"; do
		printf '60\t%s\t%s\n' "$name" "$programs/$name"
	done >"$work/list-$processors"
	# The list has to be where the guest sees it.
	PERFMON_VM_CONSOLE=$work/console-$processors "$top/tools/vm/run" --smp "$processors" \
		--append perfmon.pmu=soft --timeout 800 -- \
		"$here/../guest" "$work/list-$processors" >"$work/$processors" 2>&1
	echo "$?" >"$work/status-$processors"
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
	local name=$1 text

	text=$(of "$name" 1)
	if grep -qx "@@end $name 0" "$work/1" &&
	   grep '^ok' <<<"$text" | grep -qv '# SKIP'; then
		report "${name}_works_on_the_software_pmu" ok
	else
		report "${name}_works_on_the_software_pmu" no \
			"$(grep -A 4 -v '^ok' <<<"$text" | grep -v '^ok')"
	fi
	sed -n 's/^ok [0-9]* - \(.*\) # SKIP \(.*\)/# skipped: \1: \2/p' <<<"$text"
}

# The tests of the PMU itself, each one.
check_own()
{
	local text name

	text=$(of soft 2)
	for name in "${own[@]}"; do
		if grep -qxE "ok [0-9]+ - $name" <<<"$text"; then
			report "$name" ok
		else
			report "$name" no "$(grep -A 4 -E "ok [0-9]+ - $name" <<<"$text")"
		fi
	done
}

mapfile -t own < <("$programs/soft" -l)
plan $((${#interface[@]} + ${#own[@]} + 2))
on_machine software itself 6.1
run_in_guest 2 soft &
run_in_guest 1 "${interface[@]}"
wait
for processors in 1 2; do
	if [ "$(cat "$work/status-$processors")" = 0 ] &&
	   "$top/tools/vm/complaints" "$work/console-$processors" >"$work/complaints"; then
		report "the_guest_with_${processors}_has_no_complaints" ok
	else
		report "the_guest_with_${processors}_has_no_complaints" no \
			"$(cat "$work/complaints")" "$(tail -n 5 "$work/$processors")"
	fi
done
check_own
for name in "${interface[@]}"; do
	# covers: D.10-9
	check_program "$name"
done
finish
