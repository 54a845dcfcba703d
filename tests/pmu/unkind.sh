#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# unkind.sh - on a PMU with the deviations of real processors from an ideal one, see
# tools/qemu/README.md: perfmon counts right, accounts for all counts that cannot be right, leaves
# no NMI unknown, and `pfmon test` describes the machine.
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

# The instructions of stride, and the number of its instructions in a round.
stride=10240005 round=256

# counts EVENT...: the yardstick's counts, in a line
counts()
{
	"$top/build/bin/pfmon" stat -x, -e "$(IFS=,; echo "$*")" -o /tmp/out -- \
		"$bin/pmu/yardstick" 3000 200
	sed -n 's/^\([0-9]*\),,.*:u,.*/\1/p' /tmp/out | paste -sd' '
}

# samples PERIOD: recorded and lost samples of stride
samples()
{
	"$top/build/bin/pfmon" record -e instructions:u -c "$1" -o /tmp/data -- "$bin/pmu/stride" 2>&1 |
		sed -n 's/.*: \([0-9,]*\) samples of.* \([0-9][0-9,]*\) lost.*/\1 \2/p' | tr -d ,
}

# The distances of samples in instructions, modulo a round, each with its number of occurrences.
distances()
{
	local at place last=''

	"$top/build/bin/pfmon" script -F ip,sym,symoff -1 -i /tmp/data |
		sed -n 's/.*rounds+0x\([0-9a-f]*\).*/\1/p' | while read -r at; do
			# The last instruction is two bytes long.
			place=$((16#$at > 254 ? 255 : 16#$at))
			[ -z "$last" ] || echo $(((place - last + round) % round))
			last=$place
		done | sort -n | uniq -c | sort -rn | awk '{ print $2, $1 }'
}

# Two programs take the CPU from each other, and interrupts arrive when neither one counts.
rivals()
{
	local -r rival="chrt -f 1 $bin/pmu/yardstick 100 100"

	unlimited
	taskset -c 0 "$top/build/bin/pfmon" record -i -e instructions -c 1511 -o /tmp/data \
		sh -c "for i in $(seq -s' ' 30); do $rival & $rival; wait; done" 2>&1 | grep -c ' samples of'
	cat /sys/kernel/perfmon/stats/interrupts_late
}

# The limit on the number of interrupts must not delay any.
unlimited()
{
	echo 1000000000 >/sys/kernel/perfmon/limits/interrupt_rate_max
	echo 100 >/sys/kernel/perfmon/limits/cpu_time_max_percent
}

# in_guest PERIOD [TEST...]: the common part; tests are functions or programs of tests/abi
in_guest()
{
	local period=$1 name

	shift
	for name; do
		if declare -F "$name" >/dev/null; then
			section "$name" "$name"
		else
			section "$name" "$bin/abi/$name" 2>&1
		fi
	done
	section verdict "$top/build/bin/pfmon" test
	unlimited
	section counts counts instructions:u branches:u
	section noise counts instructions:u HW_INT_RCVD:u
	section samples samples "$period"
	section distances distances
	section registers "$top/build/bin/pfmon" info --registers
	section end true
}

# boot MODEL PERIOD [TEST...]
boot()
{
	PERFMON_VM_CONSOLE=$scratch/console "$top/tools/vm/run" --timeout 600 --smp 2 --cpu "$1" -- \
		"$0" --in-guest "${@:2}" >"$scratch/out" 2>"$scratch/err"
	is "the_guest_runs_to_its_end ($1)" "$? $(tail -n 1 "$scratch/out")" "0 @@end end 0"
}

words()
{
	section_text "$1" "$scratch/out" | paste -sd' '
}

# Results that hardly any switch changes: exact counts, a verdict, no NMI without an owner.
right()
{
	is "counts_are_exact ($1)" "$(words counts)" \
		"$("$here/expect" 3000 200 | sed 's/.*=//' | head -n 2 | paste -sd' ')"
	has "pfmon_finds_all_right ($1)" "$(section_text verdict "$scratch/out")" \
		'^10 right, 0 off, 0 broken'
	known "$1"
}

known()
{
	passes "no_interrupt_is_unknown ($1)" "$top/tools/vm/complaints" "$scratch/console"
}

# A sample is that number of instructions behind the overflow, and the next period begins there:
# another interrupt in between hides some instructions, which must be rare.
skid()
{
	local -r delay=20 period=10007
	local model=$1,pmu-pmi-delay=20 distance often

	boot "$model" "$period"
	right "$model"
	is "a_period_begins_where_the_interrupt_comes ($model)" "$(words samples)" \
		"$((stride / (period + delay))) 0"
	read -r distance often _ <<<"$(words distances)"
	is "samples_are_a_period_and_the_skid_apart ($model)" "$distance" \
		"$(((period + delay) % round))"
	verdict "hardly_any_is_not ($model)" "$((often < stride / (period + delay) - 5))" \
		"$(words distances)"
}

# Later than a period, each interrupt finds overflows that were not recorded.
late()
{
	local -r period=1511
	local model=$1,pmu-pmi-delay=20000 recorded lost

	boot "$model" "$period" rivals
	is "counts_are_exact ($model)" "$(words counts)" \
		"$("$here/expect" 3000 200 | sed 's/.*=//' | head -n 2 | paste -sd' ')"
	read -r recorded lost <<<"$(words samples)"
	is "what_is_not_recorded_is_lost ($model)" "$((recorded + lost))" "$((stride / period))"
	has "some_is_recorded_and_some_lost ($model)" "$recorded $lost" '^[1-9][0-9]* [1-9]'
	has "interrupts_arrive_when_nothing_counts ($model)" "$(words rivals)" '^1 [1-9]'
	has "pfmon_says_that_samples_are_missing ($model)" "$(section_text verdict "$scratch/out")" \
		'^  BROKEN    sampling: [0-9]+ samples, not 100'
	has "pfmon_finds_the_rest_right ($model)" "$(section_text verdict "$scratch/out")" \
		'^[89] right, [01] off, 1 broken'
	known "$model"
}

# all_tests MODEL: tests that depend on interrupts are not affected.
all_tests()
{
	local name

	boot "$1" 10007 "${abi[@]}"
	for name in "${abi[@]}"; do
		check_section "$name" "$scratch/out" "${name}_passes ($1)"
	done
	right "$1"
	samples_are_ideal "$1"
}

samples_are_ideal()
{
	is "samples_are_what_they_are_without ($1)" "$(words samples)" "$((stride / 10007)) 0"
	is "samples_are_where_they_are_without ($1)" "$(words distances)" \
		"$((10007 % round)) $((stride / 10007 - 1))"
}

# Between the stop and the handler's check no other owner may act. At kernel level this owner, which
# claims nothing, leaves an NMI in between unknown: perf's would have claimed it.
stolen()
{
	boot "$1" 10007
	right "$1"
	samples_are_ideal "$1"
}

# AMD's interrupts have no source: one without an overflow is perfmon's if it comes shortly after an
# overflow. And AMD's counters start one after the other, which may leave an instruction between
# two.
strays_of_amd()
{
	boot "$1" 10007
	has "pfmon_finds_nothing_broken ($1)" "$(section_text verdict "$scratch/out")" ' 0 broken'
	samples_are_ideal "$1"
	known "$1"
}

# Overflows are found when the program is stopped or switched.
without_interrupts()
{
	local verdict

	boot "$1" 10007
	verdict=$(section_text verdict "$scratch/out")
	has "pfmon_says_that_samples_are_missing ($1)" "$verdict" \
		'^  BROKEN    sampling: [0-9]+ samples, not 100'
	has "pfmon_says_that_no_interrupt_comes ($1)" "$verdict" \
		'^  BROKEN    overflow: no interrupt: the overflow was found [0-9,]+ instructions later'
	has "pfmon_finds_the_counts_right ($1)" "$verdict" '^8 right, 0 off, 2 broken'
	known "$1"
}

# Each maskable interrupt is an extra one; there is no other one without sampling.
overcount()
{
	local count interrupts verdict

	boot "$1" 10007
	read -r count interrupts <<<"$(words noise)"
	is "a_count_is_off_by_the_interrupts ($1)" "$((count - interrupts))" \
		"$("$here/expect" 3000 200 | sed -n '1s/.*=//p')"
	verdict=$(section_text verdict "$scratch/out")
	has "pfmon_says_that_it_is_off_by_a_few ($1)" "$verdict" \
		'^  off .*: a few are usual, where interrupts come'
	has "pfmon_finds_nothing_broken ($1)" "$verdict" ' 0 broken'
	known "$1"
}

# The fourth counter is the microcode's: perfmon does not use it.
tsx()
{
	boot "$1" 10007
	right "$1"
	samples_are_ideal "$1"
	is "the_fourth_counter_is_not_offered ($1)" \
		"$(section_text registers "$scratch/out" | grep -cE 'IA32_(PERFEVTSEL|PMC)3')" 0
	is "the_third_one_is ($1)" \
		"$(section_text registers "$scratch/out" | grep -cE 'IA32_(PERFEVTSEL|PMC)2')" 2
}

nehalem()
{
	local without=${1%,hypervisor=off*},${1##*hypervisor=off,} name

	boot "$1" 10007 "${changes[@]}"
	for name in "${changes[@]}"; do
		check_section "$name" "$scratch/out" "${name}_passes ($1)"
	done
	right "$1"
	# Under a hypervisor perfmon leaves the reset to the host. This host does not do it.
	boot "$without" 10007
	has "without_the_reset_sets_count_nothing ($without)" \
		"$(section_text verdict "$scratch/out")" \
		'^  BROKEN    more events than counters: an event set was never active'
}

# Tests of tests/abi that depend on interrupts; and tests that change events.
abi=(exact narrow notify sampling sampling_buffer switching switching_triggers system_smp throttle
	watchdog)
changes=(counting sets exact switching)

if [ "${1-}" = --in-guest ]; then
	shift
	in_guest "$@"
	exit
fi
# With the branch records that perf expects on the processor itself.
processor=Nehalem,pdcm=on,lbr-fmt=3,hypervisor=off
skid Nehalem
skid "$processor"
late Nehalem
late EPYC
all_tests Nehalem,pmu-stray-pmi=3
all_tests "$processor,pmu-stray-pmi=3"
strays_of_amd EPYC,pmu-stray-pmi=3
all_tests Nehalem,pmu-second-owner=on
stolen "$processor,pmu-second-owner=on"
without_interrupts Nehalem,pmu-pmi=off
overcount Nehalem,pmu-overcount=on
tsx Skylake-Client,pmu-tsx-force-abort=on
nehalem "$processor,pmu-nehalem-erratum=on"
finish
