#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon stat over the real perfmonctl(): intervals, threads, CPUs and delays are exact to the unit;
# threads that start later; estimates of several event sets.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
pfmon=${PFMON:-$top/build/bin/pfmon} # or pfmon-asan
bin=$top/build/bin/tests/pfmon
victim=$bin/victim

# shellcheck source=tests/pfmon/known.sh
. "$here/known.sh"
four=instructions:u,branches:u,loads:u,stores:u

# The sums of an event in all lines but the last, of JSON lines.
summed()
{
	head -n -1 err | jq -s "[.[].events[] | select(.event == \"$1\") | .raw_count] | add"
}

whole()
{
	tail -n 1 err | jq ".events[] | select(.event == \"$1\") | .raw_count"
}

test_intervals_add_up_to_the_unit()
{
	local program

	for program in one procs threads long_one long_procs long_threads; do
		status 0 "$pfmon" stat -j -I 1 -e "$four" "$bin/known_$program"
		is "$program" "$(summed instructions:u) $(summed loads:u)" \
			"$(whole instructions:u) $(whole loads:u)"
	done
	is loads "$(whole loads:u)" 4000000
	status 0 "$pfmon" stat -j -I 1 -e "$four" "$bin/known_long_one"
	is instructions "$(whole instructions:u)" 4000005
	[ "$(wc -l <err)" -ge 4 ] || fail "$(cat err)"
}

test_intervals_of_many_processes_add_up()
{
	status 0 "$pfmon" stat -j -I 5 -e "$four" sh -c \
		'for i in 1 2 3 4 5 6 7 8; do "$0"; done' "$bin/known_procs"
	is instructions "$(summed instructions:u)" "$(whole instructions:u)"
	is stores "$(summed stores:u)" "$(whole stores:u)"
}

test_intervals_of_cpus_add_up()
{
	status 0 "$pfmon" stat -j -I 20 -a -e "$four" "$bin/known_long_procs"
	is instructions "$(summed instructions:u)" "$(whole instructions:u)"
	status 0 "$pfmon" stat -j -I 20 -A -a -e "$four" "$bin/known_long_procs"
	is instructions "$(summed instructions:u)" "$(whole instructions:u)"
}

test_intervals_of_event_sets_add_up_as_they_were_read()
{
	status 0 "$pfmon" stat -j -I 10 -e "$four,loads:k,stores:k" "$bin/known_long_procs"
	is instructions "$(summed instructions:u)" "$(whole instructions:u)"
	is "in sets" "$(summed stores:k)" "$(whole stores:k)"
}

has_threads()
{
	[ "$(find "/proc/$1/task" -mindepth 1 -maxdepth 1 | wc -l)" -gt 4 ]
}

# Some threads end between two steps of pfmon, whichever steps these are: pfmon must not report
# them.
test_threads_that_come_and_go_are_no_error()
{
	local backend how pid

	for backend in perfmonctl perf; do
		for how in churn churn headless headless; do
			"$victim" "$how" 1 &
			pid=$!
			wait_until 20 has_threads "$pid"
			status 0 env PERFMON="${backend#perfmonctl}" "$pfmon" stat -x, -e instructions:u \
				-p "$pid" --timeout 20
			kill -9 "$pid"
			wait "$pid"
			! grep -v '^[0-9]' err || fail "$backend, $how:" "$(cat err)"
			[ "$(head -n 1 err | cut -d, -f1)" -gt 10000 ] || fail "$backend, $how:" "$(cat err)"
		done
	done
}

test_each_thread_is_exact()
{
	status 0 "$pfmon" stat -j --per-thread -e loads:u,instructions:u "$bin/known_threads"
	is loads "$(jq -c '[.per_thread[].events[0].raw_count]' err)" "[$loops,$loops,$loops,$loops]"
	is sum "$(jq '[.per_thread[].events[1].raw_count] | add' err)" "$threads_insns"
	is whole "$(jq '.events[1].raw_count' err)" "$threads_insns"
}

test_each_process_is_exact_with_its_name()
{
	status 0 "$pfmon" stat -j --per-thread -e loads:u sh -c '"$0"; "$0"; :' "$bin/known_one"
	is loads "$(jq -c '[.per_thread[] | select(.comm == "known_one") | .events[0].raw_count >= '"$loops"']' err)" \
		"[true,true]"
	is sum "$(jq '[.per_thread[].events[0].raw_count] | add' err)" "$(jq '.events[0].raw_count' err)"
}

test_each_cpu_counts_what_ran_there()
{
	status 0 "$pfmon" stat -j -A -a -e loads:u taskset -c 1 "$bin/known_long_one"
	[ "$(jq '.per_cpu[] | select(.cpu == 1) | .events[0].raw_count' err)" -ge 1000000 ] ||
		fail "$(cat err)"
	is sum "$(jq '[.per_cpu[].events[0].raw_count] | add' err)" "$(jq '.events[0].raw_count' err)"
}

test_threads_born_later_are_counted_to_the_unit()
{
	local want

	# The count of a run that is counted from its beginning, less the count of the part before.
	"$victim" work 4 &
	status 0 "$pfmon" stat -j -e loads:u,instructions:u --per-thread -p "$!"
	is notes "$(jq -c .notes err)" '[]'
	is threads "$(jq '.per_thread | length' err)" 5
	want=$(jq -c '[.per_thread[1:][].events[1].raw_count] | unique | length' err)
	is "different counts of threads that are alike" "$want" 1
	[ "$(jq '.per_thread[1].events[1].raw_count' err)" -ge 1000000 ] || fail "$(cat err)"
	is sum "$(jq '[.per_thread[].events[0].raw_count] | add' err)" "$(jq '.events[0].raw_count' err)"
}

test_threads_of_several_processes_are_counted_to_the_unit()
{
	local one two

	"$victim" work 2 &
	one=$!
	"$victim" work 3 &
	two=$!
	status 0 "$pfmon" stat -j -e loads:u,instructions:u --per-thread -p "$one,$two"
	is notes "$(jq -c .notes err)" '[]'
	is threads "$(jq '.per_thread | length' err)" 7
	is "counts of threads that are alike" "$(jq -c --argjson one "$one" --argjson two "$two" \
		'[.per_thread[] | select(.tid != $one and .tid != $two) | .events[1].raw_count] | unique | length' err)" 1
	is sum "$(jq '[.per_thread[].events[0].raw_count] | add' err)" "$(jq '.events[0].raw_count' err)"
	# One of two threads ends sooner.
	"$victim" spin 0.5 &
	one=$!
	"$victim" spin 1 &
	status 0 "$pfmon" stat -j -e instructions:u --per-thread -t "$one,$!"
	is threads "$(jq -c '[.per_thread[].tid] | sort' err)" "$(jq -nc "[$one, $!] | sort")"
	is sum "$(jq '[.per_thread[].events[0].raw_count] | add' err)" "$(jq '.events[0].raw_count' err)"
}

test_threads_that_end_sooner_keep_their_counts()
{
	"$victim" coming 300 &
	status 0 "$pfmon" stat -j -e instructions:u -p "$!"
	wait "$!" || fail "the process came to harm: $?"
	is sessions "$(jq .sessions err)" 301
}

test_a_process_is_let_go_without_an_interruption()
{
	# A sleep that is interrupted would be restarted, and an epoll_wait() would fail.
	"$victim" epoll 2 &
	status 0 "$pfmon" stat -j -e instructions:u -p "$!" --timeout 500
	is elapsed "$(jq '.elapsed_seconds < 0.6' err)" true
	wait "$!" || fail "its epoll_wait() was interrupted: $?"
}

test_a_process_survives_the_kill_of_pfmon()
{
	local pid pfmon_pid

	"$victim" coming 1500 &
	pid=$!
	"$pfmon" stat -e instructions:u -p "$pid" 2>err &
	pfmon_pid=$!
	sleep 2.1
	kill -9 "$pfmon_pid"
	wait "$pid" || fail "the process came to harm: $?"
	wait_until 10 grep -q 0 /sys/kernel/perfmon/sessions/thread
}

test_a_delay_counts_the_rest()
{
	status 0 "$pfmon" stat -j --delay 200 -e instructions:u "$victim" spin 0.6
	is share "$(jq '.elapsed_seconds > 0.3 and .elapsed_seconds < 0.5' err)" true
	is insns "$(jq '.events[0].count > 1000000' err)" true
}

test_a_program_that_gains_nothing_by_us_is_named()
{
	chmod 755 . ..
	cp "$(command -v id)" id
	chmod 4755 id
	status 0 setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$pfmon" stat -j -e stores:u sh -c './id -u; :'
	is user "$(cat out)" 65534
	says "$(jq -r '.notes[]' err)" "/id is set-user-id"
	says "$(jq -r '.notes[]' err)" "as root"
	# Its own exec is traced, also with -i.
	status 0 setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$pfmon" stat -j -i -e stores:u ./id -u
	is user "$(cat out)" 65534
	says "$(jq -r '.notes[]' err)" "/id is set-user-id"
	status 0 "$pfmon" stat -j -e stores:u sh -c './id -u; :'
	says_not "$(jq -r '.notes[]' err)" "set-user-id"
}

test_file_capabilities_that_are_lost_are_named()
{
	chmod 755 . ..
	cp "$(command -v id)" id
	setcap cap_net_raw+ep id 2>/dev/null || skip "no file capabilities on this file system"
	status 0 setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$pfmon" stat -j -e stores:u ./id -u
	says "$(jq -r '.notes[]' err)" "/id has file capabilities"
}

test_no_user_is_told_of_privileges_without_need()
{
	status 0 "$pfmon" stat -j -e stores:u id -u
	is notes "$(jq -c .notes err)" '[]'
}

test_a_control_group_is_counted()
{
	local group=/sys/fs/cgroup/pfmon-test

	mkdir -p /sys/fs/cgroup
	[ -e /sys/fs/cgroup/cgroup.procs ] || mount -t cgroup2 none /sys/fs/cgroup ||
		skip "this kernel has no control groups"
	mkdir "$group"
	"$pfmon" stat -j -e loads:u -G pfmon-test sleep 2 2>err &
	sleep 1
	"$victim" spin 30 &
	echo "$!" >"$group/cgroup.procs"
	sleep 0.5
	echo "$!" >/sys/fs/cgroup/cgroup.procs
	wait %1
	is tasks "$(jq .sessions err)" 1
	[ "$(jq '.events[0].count' err)" -ge 10000000 ] || fail "$(cat err)"
	kill "$!"
	wait "$!"
	rmdir "$group"
}

test_metrics_of_real_counts()
{
	status 0 "$pfmon" stat -j -M ipc "$bin/known_long_one"
	is ipc "$(jq '.metrics[0].value - .events[0].count / .events[1].count | fabs < 0.00001' err)" true
}

test_many_events_on_short_processes_are_near()
{
	local command count

	# Four processes with different work: with a plain rotation over all tasks, each program
	# would be in the same set all the time.
	command='i=0; while [ $i -lt 12 ]; do cat '$top'/LICENSE | sort | uniq | wc -l >/dev/null; i=$((i+1)); done'
	status 0 "$pfmon" stat -j -e instructions:u,loads:u,stores:u,branches:u sh -c "$command"
	cp err want
	status 0 "$pfmon" stat -j -e instructions:u,loads:u,stores:u,branches:u,loads:k,stores:k,branches:k,instructions:k \
		sh -c "$command"
	note "$(jq -c '[.events[0:4][] | [.event, .count, .uncertainty_percent]]' err)"
	for count in 0 1 2 3; do
		is "event $count" "$(jq --argjson n "$count" --slurpfile w want \
			'.events[$n] | (.count / $w[0].events[$n].count - 1 | fabs * 100) < ([4 * .uncertainty_percent, 20] | min)' err)" true
		is "uncertainty" "$(jq --argjson n "$count" '.events[$n].uncertainty_percent | . > 0 and . < 30' err)" true
	done
}

test_estimates_say_how_uncertain_they_are()
{
	local wide

	# Half a second at user level, and then reads, which spend their time in the kernel.
	status 0 "$pfmon" stat -j --switch-timeout 40 \
		-e loads:u,stores:u,branches:u,loads:k,stores:k,branches:k python3 -c '
import time
end = time.process_time() + 0.5
while time.process_time() < end: pass
open("/dev/zero", "rb", 0).read(30000000)'
	note "$(jq -c '[.events[] | [.event, .uncertainty_percent]]' err)"
	is "events with an uncertainty" "$(jq '[.events[] | select(.uncertainty_percent > 0)] | length' err)" 6
	wide=$(jq '[.events[] | select(.uncertainty_percent > 10)] | length' err)
	is "notes on wide ones, where there are some" \
		"$(jq '[.notes[] | select(test("uncertain by more than 10 %"))] | length' err)" $((wide > 0))
}

run_tests "$@"
