#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host seconds=1200
#
# The interface on Debian's own kernel, which has no patches: perfmon.ko, built against the
# distribution's headers, and /dev/perfmon.
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

# All but the second form of the commands, which is system calls only, and what perf_events
# has to be patched for: that sessions give way to it.
intel=()
for name in "${interface[@]}" exact hotplug smp system_smp; do
	case $name in
	direct|preempt|preempted) ;;
	*) intel+=("$name") ;;
	esac
done
amd=(getinfo pmcs pmds counting width sampling switching notify system_smp)

# guest NAME PMU MODEL PROGRAM...
guest()
{
	local name=$1 pmu=$2 model=$3
	shift 3

	write_list "$name" 120 "$top/build/bin/tests/abi" "$@"
	run_list "$name" "$here/guest" --kernel debian --cpu "$model" --smp 2 --timeout 800
	on_machine "$pmu" 'emulated hardware' 6.1
	check_guest "$name" "the_guest_has_no_complaints ($name)"
	for program in "$@"; do
		check_program "$program" "$name" "${program}_works_without_patches ($name)"
	done
}

plan $((2 + ${#intel[@]} + ${#amd[@]}))
guest intel 'Intel Nehalem' 'Nehalem,pdcm=on,lbr-fmt=3' "${intel[@]}"
guest amd 'AMD core extension' EPYC "${amd[@]}"
finish
