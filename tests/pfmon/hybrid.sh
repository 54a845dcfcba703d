#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# hybrid.sh - pfmon on a hybrid processor: architectural events count anywhere, other events on the
# requested type of cores, and are refused elsewhere.
# shellcheck disable=SC2317 # section calls functions by name
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
pfmon=$top/build/bin/pfmon
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=sections.sh
. "$here/../sections.sh"
# shellcheck source=tests/pfmon/yardstick.sh
. "$here/yardstick.sh"

hybrid=Nehalem,model=151,pmu-version=5,pmu-hybrid=on,pmu-counters=6,pmu-atom-counters=4
loads=MEM_INST_RETIRED_LOADS

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# count OPTION...: the yardstick's counts
count()
{
	"$pfmon" stat -x, -o /dev/shm/out "$@" -- "$yardstick" 3000 200 || return
	counts /dev/shm/out
}

in_guest()
{
	section info "$pfmon" info
	section json sh -c "'$pfmon' info -j | jq -c .core_types"
	section registers "$pfmon" info --registers
	section usual "$pfmon" stat -- true
	section architectural count -e instructions:u,branches:u
	section name count -e "$loads:u"
	section raw count -e r010b:u
	section register count -e pmc0=0x41010b
	section core count --core-type core -e "instructions:u,$loads:u,r010b:u"
	section atom count --core-type atom -e "instructions:u,$loads:u,r010b:u,r81d0:u"
	section where "$pfmon" stat --core-type=atom -e instructions:u -- \
		sh -c 'taskset -p $$ >/dev/shm/where'
	section mask cat /dev/shm/where
	section cpus sh -c "'$pfmon' stat -a -A --core-type=atom -e instructions -- sleep 0.01 2>&1"
	section none "$pfmon" stat -C 0 --core-type=atom -e instructions -- true
	section running "$pfmon" stat -p 1 --core-type=atom -e instructions
	section unknown "$pfmon" stat --core-type=big -- true
	section record "$pfmon" record --core-type=atom -e r81d0:u -c 1000 -o /dev/shm/r -- "$yardstick" 3000 200
	section refused "$pfmon" record -e r81d0:u -c 1000 -o /dev/shm/r -- "$yardstick" 3000 200
	section end true
}

in_ordinary()
{
	section ordinary "$pfmon" stat --core-type=core -- true
	section end true
}

if [ "${1-}" = in_guest ] || [ "${1-}" = in_ordinary ]; then
	# One stream: two of them keep no order.
	"$1" 2>&1
	exit
fi

# guest OPTION... FUNCTION: run the function of this script in a guest
guest()
{
	PERFMON_VM_CONSOLE=$scratch/console "$top/tools/vm/run" --timeout 300 --smp 2 "${@:1:$#-1}" \
		-- "$0" "${@: -1}" >"$scratch/out" 2>&1 </dev/null
}

part()
{
	section_text "$1" "$scratch/out"
}

# line NAME: the output of the section, on one line, and its status
line()
{
	echo "$(part "$1" | sed '/^$/d' | paste -sd' ') $(section_status "$1" "$scratch/out")"
}

refused="it is not architectural, so the two types of cores of this processor do not count the same by it"
plan 21
"$top/tools/build/need" jq || exit 1
guest --cpu "$hybrid" in_guest
read -r instructions branches loads_want stores <<<"$(expected 3000 200)"
is the_guest_runs_to_its_end "$(tail -n 1 "$scratch/out")" "@@end end 0"
has info_names_the_types "$(part info)" '^Core types +core: CPUs 0; atom: CPUs 1$'
is info_has_them_as_json "$(line json)" \
	'[{"type":"core","cpus":"0"},{"type":"atom","cpus":"1"}] 0'
is the_registers_are_those_of_both "$(part registers | grep -c 'IA32_PERFEVTSEL')" 4
has the_usual_events_count "$(part usual)" '[0-9] +instructions'
is architectural_events_are_exact "$(line architectural)" "$instructions $branches 0"
has an_event_by_name_is_refused "$(line name)" "event $loads:u: $refused.* --core-type core"
has a_raw_one_is_refused "$(line raw)" "event r010b:u: $refused"
has a_value_of_a_register_is_refused "$(line register)" "event pmc0=0x41010b: $refused"
is on_the_p_core_it_counts_what_the_p_core_means "$(line core)" \
	"$instructions $loads_want $loads_want 0"
is on_the_e_core_it_counts_what_the_e_core_means "$(line atom)" \
	"$instructions $loads_want $stores $loads_want 0"
has the_command_runs_on_that_type_only "$(line mask)" ' 2 0$'
has all_cpus_are_those_of_the_type "$(part cpus)" '^ Counts for 1 CPU \(1\)'
has other_cpus_are_refused "$(line none)" 'none of these CPUs is of the type atom: those are 1'
has what_runs_already_is_refused "$(line running)" 'what runs already is not moved'
has an_unknown_type_is_refused "$(line unknown)" '--core-type big: here it is core or atom'
has record_samples_on_one_type "$(line record)" \
	"pfmon: $((loads_want / 1000)) samples of r81d0:u"
has record_refuses_it_elsewhere "$(line refused)" "event r81d0:u: $refused"
passes the_kernel_does_not_complain "$top/tools/vm/complaints" "$scratch/console"

guest --cpu Nehalem in_ordinary
is the_ordinary_guest_runs_to_its_end "$(tail -n 1 "$scratch/out")" "@@end end 0"
has an_ordinary_machine_has_no_types "$(line ordinary)" 'all CPUs of this machine are of one type'
finish
