#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# hybrid.sh - on a hybrid processor the kernel and pfmon use the common features of its two types of
# cores: a program that moves from one to the other every millisecond is counted exactly. The tests
# of its registers have lanes.
# shellcheck disable=SC2317 # section calls functions by name
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
bin=$top/build/bin/tests
pfmon=$top/build/bin/pfmon
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=sections.sh
. "$here/../sections.sh"

# Alder Lake by its number, with P-cores of 6 counters and E-cores of 4.
hybrid=Nehalem,model=151,pmu-version=5,pmu-hybrid=on,pmu-counters=6,pmu-atom-counters=4
loops=300000
events=instructions:u,branches:u
online=/sys/devices/system/cpu/cpu1/online

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# counts_of FILE: the counts in the output of -x,
counts_of()
{
	sed -n 's/^\([0-9]*\),,.*:u,.*/\1/p' "$1" | paste -sd' '
}

# The yardstick, moved to another CPU once a millisecond.
moving()
{
	"$bin/pmu/flip" yardstick 1000 >/dev/shm/flips &
	"$pfmon" stat -x, -e "$events,cpu-migrations" -o /dev/shm/out -- "$bin/pmu/yardstick" "$loops"
	wait "$!"
	counts_of /dev/shm/out
	sed -n 's/^\([0-9]*\),,cpu-migrations,.*/\1/p' /dev/shm/out
}

core_types()
{
	cat /sys/kernel/perfmon/pmu/model /sys/kernel/perfmon/pmu/core_types
}

counters()
{
	"$pfmon" info -j | jq -r '[([.counters[].kind] | map(select(. == "general")) | length),
		([.counters[].kind] | map(select(. == "fixed")) | length), .counter_width] | join(" ")'
}

in_guest()
{
	section types core_types
	section counters counters
	section moving moving
	section test "$pfmon" test
	section end true
}

# A second CPU that comes online when the first one has determined the registers.
late()
{
	section online sh -c "echo 1 >$online"
	section state cat "$online"
	section end true
}

# guest OPTION... -- FUNCTION: run the function in a guest; its output is in $scratch/out
guest()
{
	PERFMON_VM_CONSOLE=$scratch/console "$top/tools/vm/run" --timeout 600 "${@:1:$#-2}" -- \
		"$0" "${@: -1}" >"$scratch/out" 2>&1 </dev/null
}

part()
{
	section_text "$1" "$scratch/out"
}

text()
{
	part "$1" | sed '/^$/d' | paste -sd' '
}

all_of_one_type()
{
	local name=$1 want=$2

	shift 2
	guest "$@" -- in_types
	is "$name" "$(text types)" "$want"
	passes "the_kernel_does_not_complain ($name)" "$top/tools/vm/complaints" "$scratch/console"
}

in_types()
{
	section types sh -c 'cat /sys/kernel/perfmon/pmu/model; ls /sys/kernel/perfmon/pmu | grep core_types'
}

case ${1-} in
in_guest|late|in_types) "$1" 2>&1; exit ;; # one stream: two of them keep no order
esac

"$top/tools/build/need" jq || exit 1
read -r -a expected <<<"$("$here/expect" "$loops" | sed 's/.*=//' | paste -sd' ')"
guest --smp 2 --cpu "$hybrid" -- in_guest
is the_guest_runs_to_its_end "$(tail -n 1 "$scratch/out")" "@@end end 0"
on_machine 'Intel Alder Lake' 'emulated hardware' 6.1
is sysfs_says_which_cpus_are_of_which_type "$(text types)" \
	"Intel Alder Lake, hybrid core 0 atom 1"
is the_registers_are_those_that_both_have "$(text counters)" "4 3 48"
is a_program_that_moves_is_counted_exactly "$(part moving | head -n 1)" \
	"${expected[0]} ${expected[1]}"
[ "$(part moving | sed -n 2p)" -ge 10 ]
verdict and_it_did_move "$?" "$(part moving)"
is pfmon_test_finds_nothing_wrong "$(section_status test "$scratch/out")" 0
passes the_kernel_does_not_complain "$top/tools/vm/complaints" "$scratch/console"

# Widths that no processor has: the common features are right.
guest --smp 2 --cpu "$hybrid,pmu-atom-width=40,pmu-atom-counters=2" -- in_guest
is fixed_counters_of_different_widths_are_left_out "$(text counters)" "2 0 40"
# perf_events does not survive an Alder Lake without fixed counters.
plain=Nehalem,pmu-hybrid=on,pmu-atom-width=40,pmu-fixed=0,pmu-atom-fixed=0
guest --smp 2 --cpu "$plain" --append nmi_watchdog=0 -- in_guest
is the_least_width_is_common "$(text counters)" "2 0 40"
is a_program_that_moves_is_counted_exactly_by_uneven_counters "$(part moving | head -n 1)" \
	"${expected[0]} ${expected[1]}"

all_of_one_type one_type_makes_an_ordinary_processor 'Intel Alder Lake' \
	--smp 2 --cpu "$hybrid,pmu-atom-cpus=0"
all_of_one_type and_so_does_the_other 'Intel Alder Lake' \
	--smp 2 --cpu "$hybrid,pmu-atom-cpus=3"

guest --smp 2 --cpu "$hybrid" --append maxcpus=1 -- late
is a_cpu_of_another_type_that_comes_late_is_refused \
	"$(section_status online "$scratch/out") $(text state)" "1 0"
has and_the_log_says_so "$(tr -d '\r' <"$scratch/console")" \
	'perfmon: CPU 1 has another PMU than those before it, and stays offline'
guest --smp 2 --cpu "$hybrid,pmu-atom-cpus=0" --append maxcpus=1 -- late
is one_of_the_same_type_comes_online "$(section_status online "$scratch/out") $(text state)" "0 1"
finish
