#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host seconds=600
#
# The software PMU samples: soft_sampling.c, in a guest that has no other PMU.
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

program=soft_sampling
mapfile -t sampled < <("$programs/$program" -l)
plan $((${#sampled[@]} + 1))
on_machine software itself 6.1
write_list guest 60 "$programs" "$program"
run_list guest "$here/../guest" --smp 2 --timeout 500 --append perfmon.pmu=soft
check_guest guest the_guest_has_no_complaints
# covers: D.10-8
check_each "$program" guest "${sampled[@]}"
finish
