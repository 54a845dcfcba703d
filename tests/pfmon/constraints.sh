#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon assigns an event to the counters that Linux' own tables and Intel's lists of events have for
# it, on each model, and has their events with a second register: constraints.py compares them with
# the rows of pmu/constraints_*.def and pmu/extra_regs_intel.def. LINUX_SOURCE is a source tree of
# Linux 6.1, if not the one below build/.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

dump=$top/build/bin/tests/pfmon/constraints_dump
linux=${LINUX_SOURCE:-$top/build/kernel-6.1/src}
# Returns quickly if the tree exists, and waits for another process that unpacks it.
[ -n "${LINUX_SOURCE-}" ] || "$top/tools/vm/kernel" source >&2 || exit 1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# agrees MODEL NAME
agrees()
{
	is "$2" "$(python3 "$here/constraints.py" counters "$linux" "$dump" "$1" 2>&1)" ''
}

plan 25
agrees pm pentium_m
agrees coreduo core_duo
agrees core core_2
agrees nhm nehalem
agrees wsm westmere
agrees snb sandy_bridge
agrees ivb ivy_bridge
agrees hsw haswell
agrees bdw broadwell
agrees skl skylake
agrees icl ice_lake
agrees spr sapphire_rapids
agrees atom bonnell
agrees slm silvermont
agrees glm goldmont
agrees tmt tremont
agrees knl knights_landing
agrees amd64_fam15h_interlagos amds_family_15h
agrees amd64_fam17h_zen1 amds_family_17h
agrees amd64_fam19h_zen4 amds_family_19h
rows=$top/tools/lib/pmu/constraints_intel.def
is each_row_names_its_source "$(python3 "$here/constraints.py" sources "$linux" "$rows" 2>&1)" ''

differences=
for model in core coreduo atom nhm wsm snb ivb hsw bdw skl icl spr slm glm tmt knl; do
	differences+=$(python3 "$here/constraints.py" registers "$linux" "$dump" "$model" 2>&1)
done
is second_registers_are_those_of_linux_and_the_lists "$differences" ''

# The counters of one model, printed as those of another model.
# shellcheck disable=SC2016 # its own $1
printf '#!/bin/sh\nexec %s "$1" wsm\n' "$dump" >"$work/dump"
chmod +x "$work/dump"
wrong=$(python3 "$here/constraints.py" counters "$linux" "$work/dump" nhm)
passes a_wrong_mask_would_be_noticed \
	grep -qx '40/00-ff has 0xf, Linux and the lists say 0x3 L1D_CACHE_LD.*' <<<"$wrong"
passes an_event_without_its_rule_would_be_noticed grep -q '^53/00-ff has 0xf' <<<"$wrong"
wrong=$(python3 "$here/constraints.py" registers "$linux" "$work/dump" skl)
passes an_event_without_its_register_would_be_noticed \
	grep -qx '01c6 has 0x0, Linux says 0x3f7' <<<"$wrong"
finish
