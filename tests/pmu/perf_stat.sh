#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perf_stat.sh - stock perf counts the yardstick's events, and counts them exactly.
set -u
# shellcheck source-path=SCRIPTDIR source=perf.sh
. "$(dirname "$0")/perf.sh"

plan 25

exactly()
{
	name=$1
	shift
	is "$name" "$(count "$events" "$yardstick" "$@")" "$(expected "$@")"
}

exactly one_loop_is_exact 1
exactly a_thousand_loops_are_exact 1000
exactly a_hundred_thousand_loops_are_exact 100000
exactly system_calls_are_exact 2000 1999

# The yardstick prints the number of its loops and signals.
got=$(count "$events" "$yardstick" 2000 0 100 200)
# shellcheck disable=SC2046 # two words
is signals_are_exact "$got" "$(expected 2000 0 100 200 -- $(cat "$scratch/out"))"

first=$(count "$events" "$yardstick" 5000 100)
for again in 2 3 4 5; do
	is "run_${again}_gives_the_same_numbers" "$(count "$events" "$yardstick" 5000 100)" "$first"
done

for event in instructions branches r010b r020b; do
	# shellcheck disable=SC2046 # three words
	set -- $(count "{$event:u,$event:k,$event}" "$yardstick" 1000 500)
	is "user_and_kernel_${event}_add_up" "$(($1 + $2))" "${3-}"
	[ "$2" -gt 0 ]
	verdict "the_kernel_has_${event}_too" $? "it has $2"
done

# Two processes of equal real-time priority on one CPU: each sched_yield() switches to the other
# one.
run chrt -f -p 3 $$
chrt -f 1 taskset -c 0 "$yardstick" 2000000000 2000000000 &
rival=$!
with="chrt -f 1 taskset -c 0"
got=$(count "$events,context-switches" "$yardstick" 10000 10000)
with=
kill "$rival"
wait "$rival" 2>/dev/null
run chrt -o -p 0 $$
is context_switches_are_exact "${got% *}" "$(expected 10000 10000)"
[ "${got##* }" -ge 10000 ]
verdict there_were_ten_thousand_context_switches $? "there were ${got##* }"

# Two processes at once, each with counters of its own.
perf stat -x, -o "$scratch/other" -e "$events" -- "$yardstick" 20000 3000 &
got=$(count "$events" "$yardstick" 30000 3000)
wait
is one_of_two_at_once_is_exact "$got" "$(expected 30000 3000)"
other=$(awk -F, '/^[^#]/ && NF > 2 { print $1 }' "$scratch/other" | paste -sd' ')
is the_other_of_two_at_once_is_exact "$other" "$(expected 20000 3000)"

# Default events, most of which this PMU does not model: the kernel must not complain.
before=$(kernel_log | wc -l)
run perf stat "$yardstick" 100
verdict perf_stat_without_events_works $?
run perf stat -d -d -d "$yardstick" 100
verdict perf_stat_with_every_cache_event_works $?
run perf stat -a -- "$yardstick" 100
verdict perf_stat_of_all_cpus_works $?
is the_kernel_has_nothing_to_say_about_it "$(kernel_log | tail -n "+$((before + 1))")" ""

finish
