#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host seconds=300 all
#
# Security modules and lockdown, on Debian's kernel: ours have none.
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

plan 2
on_machine 'Intel Nehalem' 'emulated hardware' 6.1
write_list guest 120 "$top/build/bin/tests/module" security
run_list guest "$here/guest" --kernel debian --append lsm=lockdown,bpf --timeout 250
check_guest guest the_guest_has_no_complaints
check_program security guest what_security_modules_refuse_is_refused
finish
