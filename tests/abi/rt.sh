#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host needs=rt seconds=1800 all
#
# The interface on PREEMPT_RT: spinlocks sleep there, interrupts are threads, and a lock that
# is taken where it must not be is a complaint of the kernel.
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

# And what runs beside another owner of the PMU, or on two processors.
programs=("${interface[@]}" exclusion hotplug smp system_smp watchdog)

plan $((2 + ${#programs[@]}))
on_machine 'Intel Nehalem' 'emulated hardware' 6.12
write_list rt 120 "$top/build/bin/tests/abi" "${programs[@]}"
run_list rt "$here/../guest" --rt --cpu 'Nehalem,pdcm=on,lbr-fmt=3' --smp 2 --timeout 1500
check_guest rt the_guest_has_no_complaints
passes the_kernel_is_a_real_time_one grep -q 'PREEMPT_RT' "$work/console-rt"
for name in "${programs[@]}"; do
	# covers: D.9-27
	check_program "$name" rt "${name}_works_on_preempt_rt"
done
finish
