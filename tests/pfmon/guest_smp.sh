#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon with more than one CPU: the CPU that is counted, migration, CPUs that go offline.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
LIMIT=300
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
pfmon=${PFMON:-$top/build/bin/pfmon}
bin=$top/build/bin/tests/pfmon
victim=$bin/victim
loops=100000 # of known.S
# shellcheck source=tests/pfmon/yardstick.sh
. "$here/yardstick.sh"

online()
{
	echo "$2" >"/sys/devices/system/cpu/cpu$1/online"
}

stores()
{
	jq '.events[0].count' err
}

test_only_the_named_cpu_is_counted()
{
	status 0 taskset -c 0 "$pfmon" stat -j -e stores:u -C 1 taskset -c 0 "$bin/known_one"
	[ "$(stores)" -lt "$loops" ] || fail "$(cat err)"
	status 0 taskset -c 0 "$pfmon" stat -j -e stores:u -C 1 taskset -c 1 "$bin/known_one"
	[ "$(stores)" -ge "$loops" ] || fail "$(cat err)"
}

test_all_cpus_are_counted()
{
	local cpu

	for cpu in 0 1; do
		status 0 "$pfmon" stat -j -e stores:u -a taskset -c "$cpu" "$bin/known_one"
		[ "$(stores)" -ge "$loops" ] || fail "$(cat err)"
		is sessions "$(jq .sessions err)" 2
		is cpus "$(jq -c .target.cpus err)" "[0,1]"
	done
}

test_counts_stay_exact_while_threads_move_between_cpus()
{
	local spinners

	for _ in 1 2 3; do
		"$victim" spin &
		spinners="${spinners-} $!"
	done
	status 0 "$pfmon" stat -j -r 20 -e instructions:u,stores:u "$bin/known_threads"
	# shellcheck disable=SC2086 # a list of words
	kill $spinners
	is "different counts" \
		"$(jq -c '[.events[] | .counts | unique] ' err)" "[[$((16 * loops + 44))],[$((4 * loops))]]"
}

test_a_thread_that_is_moved_back_and_forth_is_counted_to_its_end()
{
	status 0 "$pfmon" stat -j -e stores:u "$victim" hop "$bin/known_one"
	[ "$(stores)" -ge "$loops" ] || fail "$(cat err)"
	is notes "$(jq -c .notes err)" "[]"
}

test_the_yardstick_is_exact_while_it_is_moved_every_millisecond()
{
	local round want total=0

	want=$(expected 400000)
	for ((round = 1; round <= rounds; round++)); do
		"$victim" push yardstick >moves &
		is "round $round" "$(counted report "$yardstick" 400000)" "$want"
		wait "$!" || fail "push"
		total=$((total + $(cat moves)))
	done
	[ "$total" -ge $((10 * rounds)) ] || fail "$total moves only"
	"$victim" push yardstick >moves &
	note "pfmon: $want, $rounds of $rounds times, $total moves in all" \
		"perf:  $(perf_counted "$yardstick" 400000), moved as well"
	wait "$!" || fail "push"
}

# An ordinary user's command that goes on until a privileged user has had the PMU.
interrupted_by_root()
{
	local pid

	chmod 755 ..
	chmod 777 .
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$pfmon" "$@" \
		sh -c '>begun; until [ -e back ]; do :; done' 2>err &
	pid=$!
	until [ -e begun ]; do sleep 0.01; done
	"$pfmon" stat -j -o taken -e instructions:u -a sleep 0.05
	touch back
	wait "$pid" || fail "$(cat err)"
	is "root's sessions" "$(jq .sessions taken)" 2
}

test_counting_tells_that_a_privileged_user_took_the_pmu()
{
	interrupted_by_root stat -j -e instructions:u
	says "$(jq -r '.notes[]' err)" "by a privileged user"
	is lost "$(jq '.suspended_seconds > 0.01 and .suspended_seconds < .elapsed_seconds' err)" \
		true
	is counted "$(jq '.events[0].count > 1000' err)" true
	status 0 "$pfmon" stat -j -e instructions:u true
	is lost "$(jq .suspended_seconds err)" 0
}

test_sampling_tells_that_a_privileged_user_took_the_pmu()
{
	interrupted_by_root record -e instructions:u -c 100003
	says "$(cat err)" "note: the PMU was taken for"
	says "$("$pfmon" report)" "by a privileged user"
}

test_a_cpu_that_goes_offline_is_reported()
{
	local pid

	"$pfmon" stat -j -e instructions -a --timeout 3000 2>err &
	pid=$!
	wait_until 10 grep -q 2 /sys/kernel/perfmon/sessions/system
	online 1 0
	wait "$pid" || fail "status $?" "$(cat err)"
	online 1 1
	says "$(jq -r '.notes[0]' err)" "CPU 1 went offline"
	is sense "$(jq '.events[0].count > 0 and .elapsed_seconds > 2' err)" true
}

test_the_end_of_the_only_cpu_ends_the_measurement()
{
	local pid

	"$pfmon" stat -j -e instructions -C 1 2>err &
	pid=$!
	wait_until 10 grep -q 1 /sys/kernel/perfmon/sessions/system
	online 1 0
	wait "$pid" || fail "status $?" "$(cat err)"
	online 1 1
	says "$(jq -r '.notes[0]' err)" "CPU 1 went offline"
}

test_an_offline_cpu_cannot_be_counted()
{
	online 1 0
	status 125 "$pfmon" stat -C 1 true
	says "$(cat err)" "CPU 1"
	says "$(cat err)" "It is offline"
	status 0 "$pfmon" stat -j -a true
	is cpus "$(jq -c .target.cpus err)" "[0]"
	online 1 1
}

run_tests "$@"
