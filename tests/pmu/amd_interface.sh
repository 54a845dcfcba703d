#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host needs=6.12 seconds=900
#
# The interface's tests, tests/abi, on AMD's PMU, and that on Linux 6.12; amd.sh has what
# is particular to each of its forms, on 6.1.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=interface.sh
. "$here/../interface.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

plan $((1 + ${#interface[@]}))
on_machine 'AMD core extension' 'emulated hardware' 6.12
write_list amd 120 "$top/build/bin/tests/abi" "${interface[@]}"
run_list amd "$here/../guest" --cpu EPYC --kernel 6.12 --timeout 800
check_guest amd the_guest_has_no_complaints
for name in "${interface[@]}"; do
	check_program "$name" amd "${name}_works_on_amds_pmu"
done
finish
