#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perf_record.sh - stock perf takes the right number of samples, at the right addresses.
set -u
# shellcheck source-path=SCRIPTDIR source=perf.sh
. "$(dirname "$0")/perf.sh"
# shellcheck source-path=SCRIPTDIR/.. source=unthrottled.sh
. "$(dirname "$0")/../unthrottled.sh"

plan 20

# samples EVENT PERIOD ARGUMENTS...: the addresses of perf's samples, a line each.
samples()
{
	event=$1 period=$2
	shift 2
	rm -f "$scratch/data"
	run undisturbed perf record -q -o "$scratch/data" -c "$period" -e "$event" -- "$yardstick" "$@"
	perf script -i "$scratch/data" -F ip 2>/dev/null | tr -d ' ' | grep .
}

no_throttle

# Each event by its period, in many loops: floor(events / period) samples.
loops=20000
# shellcheck disable=SC2046 # four words
set -- $(expected $loops)
for event in instructions:u branches:u r010b:u r020b:u; do
	for period in 1000 9973 100000; do
		is "period_${period}_of_${event}_gives_as_many_samples" \
			"$(samples "$event" "$period" $loops | wc -l)" $(($1 / period))
	done
	shift
done

# The addresses, by single-stepping: the nth sample is at the program's address after n * period
# events. The disassembler knows which instructions branch. (On Nehalem, perf accepts no period
# below 32.)
few=60
objdump -d "$yardstick" | awk -F'\t' '$3 ~ /^(bnd )?(j|call|ret|loop|syscall)/ {
	sub(/:.*/, "", $1); gsub(/ /, "", $1); print $1 }' >"$scratch/branches"
"$bin/steps" "$yardstick" $few >"$scratch/steps"
is single_steps_are_as_many_as_instructions "$(wc -l <"$scratch/steps")" \
	"$("$here/expect" $few | sed -n 's/instructions=//p')"

# after PERIOD [FILE OF ADDRESSES]: the program's address after each period of these events.
after()
{
	awk -v period="$1" '
		FILENAME == ARGV[1] { counts[$1] = 1; some = 1; next }
		due { print $1; due = 0 }
		(!some || $1 in counts) && ++n % period == 0 { due = 1 }' \
		"${2:-/dev/null}" "$scratch/steps"
}

addresses()
{
	samples "$2" "$3" $few >"$scratch/got"
	after "$3" ${4:+"$4"} >"$scratch/wanted"
	[ -s "$scratch/wanted" ] && cmp -s "$scratch/got" "$scratch/wanted"
	verdict "$1" $? "$(diff "$scratch/got" "$scratch/wanted" | head -n 10)"
}

addresses each_hundred_instructions_are_sampled_exactly instructions:u 100
addresses prime_periods_of_instructions_are_sampled_exactly instructions:u 37
addresses each_36th_branch_is_sampled_exactly branches:u 36 "$scratch/branches"
addresses prime_periods_of_branches_are_sampled_exactly branches:u 37 "$scratch/branches"

# Two events of the kernel: one can overflow while the interrupt of the other is handled, and that
# overflow is perf's as well, while no perfmon session is loaded.
late=$(cat /sys/kernel/perfmon/stats/interrupts_late)
run perf record -q -o "$scratch/data" -e cpu/event=0xc0,name=i,period=5003/k \
	-e cpu/event=0xc4,name=b,period=1009/k -- "$yardstick" 20000 20000
perf script -i "$scratch/data" -F event 2>/dev/null | tr -d ' :' | sort | uniq -c >"$scratch/got"
# shellcheck disable=SC2046 # two words
set -- $(count instructions:k,branches:k "$yardstick" 20000 20000)
awk -v instructions="$1" -v branches="$2" '
	$2 ~ /^i/ { i = $1 * 5003 }
	$2 ~ /^b/ { b = $1 * 1009 }
	END { exit !(i >= instructions && b >= branches && i < b * instructions / branches * 2 &&
		     i > b * instructions / branches / 2) }' "$scratch/got"
verdict two_kernel_events_are_both_sampled_to_the_end $? "counts $1 $2, samples
$(cat "$scratch/got")"
is perfmon_takes_none_of_perfs_interrupts "$(cat /sys/kernel/perfmon/stats/interrupts_late)" "$late"

samples instructions:u 777 5000 >"$scratch/first"
samples instructions:u 777 5000 >"$scratch/second"
cmp -s "$scratch/first" "$scratch/second"
verdict the_same_run_gives_the_same_samples $? "$(diff "$scratch/first" "$scratch/second" | head)"

finish
