#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host seconds=900
#
# The interface's tests, tests/abi, on AMD's PMU; amd.sh has what is particular to each of
# its forms. With the argument 6.12 on that kernel, see amd_newer.sh.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=sections.sh
. "$here/../sections.sh"
# shellcheck source-path=SCRIPTDIR/.. source=interface.sh
. "$here/../interface.sh"

version=${1:-6.1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

plan $((1 + ${#interface[@]}))
on_machine 'AMD core extension' 'emulated hardware' "$version"
write_list amd 120 "$top/build/bin/tests/abi" "${interface[@]}"
run_list amd "$here/../guest" --cpu EPYC --kernel "$version" --timeout 800
check_guest amd the_guest_has_no_complaints
for name in "${interface[@]}"; do
	check_program "$name" amd "${name}_works_on_amds_pmu"
done
finish
