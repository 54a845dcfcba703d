#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# models.sh - the kernel supports every version of the architectural PMU: what it finds, and what
# pfmon and perf count, on models of it. The tests of its registers have lanes with these models.
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

full=pdcm=on,full-width-write=on
# The kernel's data of a model: general and fixed counters, bits. With version 1 the model is Yonah:
# perf assumes registers of version 2 on any processor that it takes for a Nehalem.
models=(
	"model=14,pmu-version=1 4 0 48"
	"pmu-version=2,pmu-width=40 4 3 40"
	"pmu-version=3,$full 4 3 48"
	"pmu-version=4,pmu-counters=8,$full 8 3 48"
	"pmu-version=5,pmu-counters=6,pmu-fixed=2,pmu-width=44,$full 6 2 44"
	"pmu-version=5,pmu-counters=10,$full 10 3 48"
)
counters()
{
	"$top/build/bin/pfmon" info -j |
		jq -r '[([.counters[].kind] | map(select(. == "general")) | length),
			([.counters[].kind] | map(select(. == "fixed")) | length),
			.counter_width] | join(" ")'
}

pfmon_counts()
{
	"$top/build/bin/pfmon" stat -x, -e instructions:u,branches:u,loads:u,stores:u \
		-o /dev/shm/out -- "$bin/pmu/yardstick" 3000 200
	sed -n 's/^\([0-9]*\),,.*:u,.*/\1/p' /dev/shm/out | paste -sd' '
}

perf_counts()
{
	perf stat -x, -e instructions:u,branches:u,r010b:u,r020b:u -o /dev/shm/out -- \
		"$bin/pmu/yardstick" 3000 200
	awk -F, '/^[0-9]/ { print $1 }' /dev/shm/out | paste -sd' '
}

in_guest()
{
	# The encoding of events is Nehalem's on all models.
	export LIBPFM_FORCE_PMU=nhm
	section table cat /sys/kernel/perfmon/pmu/model
	section info counters
	section pfmon pfmon_counts
	# The watchdog comes back some time after pfmon, and takes one of version 1's four counters.
	echo 0 >/proc/sys/kernel/nmi_watchdog
	section perf perf_counts
	section end true
}

# part NAME: the guest's output in this section
part()
{
	section_text "$1" "$scratch/out"
}

# Tests of every model, of any vendor.
usual()
{
	local options=$1 counters=$2 expected

	PERFMON_VM_CONSOLE=$scratch/console "$top/tools/vm/run" --timeout 1200 \
		--cpu "Nehalem,$options" -- "$0" --in-guest >"$scratch/out" 2>"$scratch/err"
	on_machine "$(part table)" 'emulated hardware' 6.1
	is "the_guest_runs_to_its_end ($options)" "$? $(tail -n 1 "$scratch/out")" "0 @@end end 0"
	is "the_counters_are_found ($options)" "$(part info)" "$counters"
	expected=$("$here/expect" 3000 200 | sed 's/.*=//' | paste -sd' ')
	is "pfmon_counts_the_yardstick_exactly ($options)" "$(part pfmon)" "$expected"
	passes "the_kernel_does_not_complain ($options)" \
		"$top/tools/vm/complaints" "$scratch/console"
}

model()
{
	usual "$@"
	is "perf_counts_the_yardstick_exactly ($1)" "$(part perf)" \
		"$("$here/expect" 3000 200 | sed 's/.*=//' | paste -sd' ')"
}

# perf has names of events for it; the emulated PMU has only one of them, instructions.
zhaoxin=vendor=CentaurHauls,family=7,model=27,pmu-version=2

# A hypervisor's processor without a PMU, of a family that always had one.
without_pmu()
{
	is "only_the_software_pmu_is_there ($1)" "$(PERFMON_VM_CONSOLE=$scratch/console "$top/tools/vm/run" \
		--timeout 300 --no-pmu --cpu "Nehalem,$1" -- \
		cat /sys/kernel/perfmon/pmu/model 2>&1)" software
}

# Registers that accept every value and keep none: neither PMU may count zero.
keeping_nothing()
{
	is "registers_that_keep_nothing_are_no_pmu ($1)" "$(PERFMON_VM_CONSOLE=$scratch/console \
		"$top/tools/vm/run" --timeout 300 --cpu "$1,pmu-keeps=off" -- \
		cat /sys/kernel/perfmon/pmu/model 2>&1)" software
}

# QEMU's models of processors, by libpfm4's name of each one's events.
icelake=Icelake-Server,model=106 sapphirerapids=Icelake-Server,model=143
processors=(core2duo Westmere IvyBridge Haswell Broadwell Skylake-Client "$icelake" "$sapphirerapids"
	Denverton Snowridge)

processor()
{
	local expected command="cat /sys/kernel/perfmon/pmu/model; $top/build/bin/pfmon stat true 2>&1
		$top/build/bin/pfmon stat -x, -e instructions:u,branches:u -- $bin/pmu/yardstick 3000 200 2>&1"

	expected=$("$here/expect" 3000 200 | sed 's/.*=//' | head -n 2 | paste -sd' ')
	PERFMON_VM_CONSOLE=$scratch/console "$top/tools/vm/run" --timeout 300 --cpu "$1" -- \
		sh -c "$command" >"$scratch/out" 2>&1
	on_machine "$(head -n 1 "$scratch/out")" 'emulated hardware' 6.1
	has "pfmon_counts_the_usual_events ($1)" "$(cat "$scratch/out")" '[0-9] +instructions'
	is "pfmon_counts_exactly_by_the_processors_names ($1)" \
		"$(sed -n 's/^\([0-9]*\),,.*:u,.*/\1/p' "$scratch/out" | paste -sd' ')" "$expected"
}

if [ "${1-}" = --in-guest ]; then
	in_guest
	exit
fi
"$top/tools/build/need" jq linux-perf || exit 1
plan $((10 + ${#models[@]} * 5 + 2 * ${#processors[@]}))
without_pmu family=6,model=13
without_pmu family=15,model=4
keeping_nothing EPYC
keeping_nothing Nehalem
is a_pmu_that_keeps_nothing_is_said_in_one_line \
	"$(sed -n 's/^.*\] perfmon: //p' "$scratch/console" | tr -d '\r' | head -n 1)" \
	"the PMU's registers keep nothing, it is not used: the hypervisor has to offer one that works"
for each in "${models[@]}"; do
	model "${each%% *}" "${each#* }"
done
usual "$zhaoxin" '4 3 48'
is "its_table_is_found ($zhaoxin)" "$(part table)" Zhaoxin
for each in "${processors[@]}"; do
	processor "$each"
done
finish
