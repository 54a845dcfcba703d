#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# amd.sh - the kernel supports each form of AMD's PMU: what it finds, and what pfmon and perf count,
# on models of it. The tests of its registers have lanes with these models.
# shellcheck disable=SC2317 # section calls functions by name
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
bin=$top/build/bin/tests
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=sections.sh
. "$here/../sections.sh"

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# A model; the kernel's name of its PMU; the first control and counter.
models=(
	"EPYC|AMD core extension, 6 counters|0xc0010200 0xc0010201"
	"EPYC-Milan,pmu-perfmon-v2=on|AMD PerfMonV2, 6 counters|0xc0010200 0xc0010201"
	"phenom|AMD family 10h, 4 counters|0xc0010000 0xc0010004"
)

# The counts of the yardstick that perf and pfmon must have: dispatched loads and stores are those
# with the other in the same operation and those without.
raw_loads=r0529 raw_stores=r0629

pfmon_counts()
{
	"$top/build/bin/pfmon" stat -x, -e "$1" -o /dev/shm/out -- "$bin/pmu/yardstick" 3000 200
	sed -n 's/^\([0-9]*\),,.*:u,.*/\1/p' /dev/shm/out | paste -sd' '
}

perf_counts()
{
	perf stat -x, -e "$1" -o /dev/shm/out -- "$bin/pmu/yardstick" 3000 200
	awk -F, '/^[0-9]/ { print $1 }' /dev/shm/out | paste -sd' '
}

# Often enough that some counters overflow while they are stopped for a switch to the other process:
# such an interrupt finds no context running, and counters that were not read yet. Not so often that
# an interrupt itself is longer than a period. Three interrupts in 3000 are late, so it goes on
# until one was. Prints the number of lost samples, and of late interrupts.
sample_switches()
{
	local -r rival="chrt -f 1 $bin/pmu/yardstick 100 100" late=/sys/kernel/perfmon/stats/interrupts_late

	echo 1000000000 >/sys/kernel/perfmon/limits/interrupt_rate_max
	echo 100 >/sys/kernel/perfmon/limits/cpu_time_max_percent
	for _ in {1..20}; do
		taskset -c 0 "$top/build/bin/pfmon" record -i -e instructions -c 1511 -o /dev/shm/data \
			sh -c "for i in $(seq -s' ' 30); do $rival & $rival; wait; done" 2>&1 |
			sed -n 's/.*[1-9][0-9]* samples of .*, \([0-9,]* lost\).*/\1/p'
		[ "$(cat "$late")" -eq 0 ] || break
	done | sort -u
	cat "$late"
}

# perf's own drivers of IBS must work. Prints nothing on a processor without IBS. The file has its
# own name: pfmon replaces no file that it did not write.
perf_ibs_samples()
{
	local event

	[ -d /sys/bus/event_source/devices/ibs_op ] || return 0
	for event in ibs_op/cnt_ctl=1/ ibs_op// ibs_fetch//; do
		perf record -q -o /dev/shm/perf.data -C 0 -e "$event" -c 16384 -- \
			taskset -c 0 "$bin/pmu/yardstick" 30000 200 2>/dev/null &&
			perf script -i /dev/shm/perf.data -F comm,ip | awk '$1 == "yardstick" { n++ }
				END { print (n >= 100 ? "many" : "few") }'
	done
}

pmu_and_counters()
{
	echo "$(cat /sys/kernel/perfmon/pmu/model), $("$top/build/bin/pfmon" info -j |
		jq '.counters | length') counters"
}

in_guest()
{
	local events=RETIRED_INSTRUCTIONS:u,branches:u loads=''

	case $1 in
	EPYC*) loads=yes ;;
	esac
	section info pmu_and_counters
	section address cat /sys/kernel/perfmon/pmu/pm[cd]0/address
	section perf_ibs perf_ibs_samples
	section pfmon pfmon_counts "$events${loads:+,loads:u,stores:u}"
	section perf perf_counts "instructions:u,branches:u${loads:+,$raw_loads:u,$raw_stores:u}"
	section record sample_switches
	section end true
}

# words NAME: the guest's output in this section, as words
words()
{
	section_text "$1" "$scratch/out" | paste -sd' '
}

model()
{
	local options=$1 pmu=$2 address=$3 expected

	on_machine "${pmu%%, *}" 'emulated hardware' 6.1
	PERFMON_VM_CONSOLE=$scratch/console "$top/tools/vm/run" --timeout 500 \
		--smp 2 --cpu "$options" -- "$0" --in-guest "$options" >"$scratch/out" 2>"$scratch/err"
	is "the_guest_runs_to_its_end ($options)" "$? $(tail -n 1 "$scratch/out")" "0 @@end end 0"
	is "the_pmu_is_recognised ($options)" "$(words info)" "$pmu"
	is "the_registers_are_found ($options)" "$(words address)" "$address"
	expected=$("$here/expect" 3000 200 | sed 's/.*=//' | paste -sd' ')
	[[ $options = EPYC* ]] || expected=$(cut -d' ' -f1,2 <<<"$expected")
	is "pfmon_counts_the_yardstick_exactly ($options)" "$(words pfmon)" "$expected"
	is "perf_counts_the_yardstick_exactly ($options)" "$(words perf)" "$expected"
	expected='many many many'
	[[ $options = EPYC* ]] || expected=
	is "perf_samples_by_ibs ($options)" "$(words perf_ibs)" "$expected"
	has "nothing_is_lost_by_late_interrupts ($options)" "$(words record)" '^0 lost [1-9]'
	passes "the_kernel_does_not_complain ($options)" \
		"$top/tools/vm/complaints" "$scratch/console"
}

if [ "${1-}" = --in-guest ]; then
	shift
	in_guest "$1"
	exit
fi
"$top/tools/build/need" jq linux-perf || exit 1
plan $((8 * ${#models[@]}))
for each in "${models[@]}"; do
	IFS='|' read -r cpu pmu address <<<"$each"
	model "$cpu" "$pmu" "$address"
done
finish
