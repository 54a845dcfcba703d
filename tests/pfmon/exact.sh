#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon counts the known events of the yardstick (tests/pmu/yardstick.S), to the unit, in 20 of 20
# runs, under any disturbance. The output has perf's figures as well.
#
# On the debug kernel a traced signal takes longer than the storm leaves between two of
# them, so this takes an hour there; guest.sh shows exact counts on that.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=300
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
pfmon=${PFMON:-$top/build/bin/pfmon}
# shellcheck source=tests/pfmon/yardstick.sh
. "$here/yardstick.sh"

test_alone()
{
	local round want

	want=$(expected 20000)
	for ((round = 1; round <= rounds; round++)); do
		is "round $round" "$(counted report "$yardstick" 20000)" "$want"
	done
	note "pfmon: $want, $rounds of $rounds times" "perf:  $(perf_counted "$yardstick" 20000)"
}

test_under_ten_thousand_context_switches_against_a_competitor()
{
	local round want

	# All threads of equal real-time priority on one CPU: each sched_yield() switches to another
	# thread.
	taskset -p 1 $$ >affinity || fail "taskset"
	chrt -f -p 3 $$ || fail "chrt"
	chrt -f 1 "$yardstick" 2000000000 2000000000 &
	chrt -f -p 1 $$
	want=$(expected 10000 10000)
	for ((round = 1; round <= rounds; round++)); do
		perf stat -x, -e context-switches -o switches -- "$pfmon" stat -x, -e "$events" \
			-o report -- "$yardstick" 10000 10000 || fail "perf"
		is "round $round" "$(counts report)" "$want"
		[ "$(awk -F, '/context-switches/ { print $1 }' switches)" -ge 10000 ] ||
			fail "too few switches in round $round:" "$(cat switches)"
	done
	note "pfmon: $want, $rounds of $rounds times" \
		"perf:  $(perf_counted "$yardstick" 10000 10000)"
	kill %1
}

test_under_a_storm_of_signals()
{
	local round want got handled=0

	for ((round = 1; round <= rounds; round++)); do
		got=$(counted report "$yardstick" 2000 0 100 200) || fail "$(cat report)"
		read -r -a said <out
		want=$(expected 2000 0 100 200 -- "${said[@]}")
		is "round $round" "$got" "$want"
		handled=$((handled + said[1]))
	done
	[ "$handled" -ge $((100 * rounds)) ] || fail "$handled signals only"
	note "pfmon: $want, the last of $rounds right ones; $handled signals in all"
	got=$(perf_counted "$yardstick" 2000 0 100 200)
	read -r -a said <perf.out
	note "perf:  $got; expected of it: $(expected 2000 0 100 200 -- "${said[@]}")"
}

test_two_at_once()
{
	local round want_first want_second

	want_first=$(expected 20000 500)
	want_second=$(expected 15000 900)
	for ((round = 1; round <= rounds; round++)); do
		counted first "$yardstick" 20000 500 >got &
		is "the second in round $round" "$(counted second "$yardstick" 15000 900)" \
			"$want_second"
		wait "$!" || fail "$(cat first)"
		is "the first in round $round" "$(cat got)" "$want_first"
	done
	note "pfmon: $want_first and $want_second, $rounds of $rounds times" \
		"perf:  $(perf_counted "$yardstick" 20000 500) and $(perf_counted "$yardstick" 15000 900), one by one"
}

test_threads_by_a_context_each()
{
	local round known=$top/build/bin/tests/pfmon/known_threads

	# See known.S: four threads.
	for ((round = 1; round <= rounds; round++)); do
		is "round $round" "$(counted report "$known")" "1600044 400013 400000 400000"
	done
	note "pfmon: 1600044 400013 400000 400000, $rounds of $rounds times" \
		"perf:  $(perf_counted "$known")"
}

run_tests "$@"
