#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host seconds=1800 all
#
# The interface on other kernels that Debian has, by perfmon.ko: for clouds, real-time, and
# the newer Linux.
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

programs=(block buffer close counting exact exec exit fork hotplug isolation lifetime load
	mapping messages notify pmcs pmds races regressions restart sampling sets switching
	system_smp system_sets throttle virtual width)
kernels=(debian-cloud debian-rt debian-6.12)

plan $(((1 + ${#programs[@]}) * ${#kernels[@]}))
for kernel in "${kernels[@]}"; do
	on_machine 'Intel Nehalem' 'emulated hardware' "$([ "$kernel" = debian-6.12 ] && echo 6.12 || echo 6.1)"
	write_list "$kernel" 120 "$top/build/bin/tests/abi" "${programs[@]}"
	run_list "$kernel" "$here/guest" --kernel "$kernel" --cpu 'Nehalem,pdcm=on,lbr-fmt=3' \
		--smp 2 --timeout 900
	check_guest "$kernel" "the_guest_has_no_complaints ($kernel)"
	for program in "${programs[@]}"; do
		check_program "$program" "$kernel" "${program}_works ($kernel)"
	done
done
finish
