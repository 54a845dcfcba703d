#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon through perf_event_open() (PERFMON=perf): the counts and samples of the system call, for
# commands, threads, processes and CPUs; and a clear message where perf_events cannot do it.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=unthrottled.sh
. "$here/../unthrottled.sh"

top=$(dirname "$(dirname "$here")")
pfmon=${PFMON:-$top/build/bin/pfmon} # or pfmon-asan
bin=$top/build/bin/tests/pfmon
victim=$bin/victim
sampled=$bin/sampled
# shellcheck source=tests/pfmon/yardstick.sh
. "$here/yardstick.sh"
export PERFMON=perf

# shellcheck source=tests/pfmon/known.sh
. "$here/known.sh"

# The NMI watchdog uses a counter, by perf_events: no assignment of pfmon's may depend on it.
watchdog()
{
	echo "$1" >/proc/sys/kernel/nmi_watchdog
}

# A kernel without perfmonctl().
no_perfmonctl()
{
	env -u PERFMON LD_PRELOAD="$bin/no_perfmonctl.so" "$@"
}

ordinary()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

dump()
{
	"$bin/recording_dump" "${1:-pfmon.data}"
}

test_info_says_which_backend()
{
	status 0 "$pfmon" info
	says "$(cat out)" "by perf_event_open()"
	is backend "$("$pfmon" info -j | jq -r '"\(.backend) \(.perfmonctl)"')" "perf_events false"
	status 0 env PERFMON=syscall "$pfmon" info
	says "$(cat out)" "by the system call perfmonctl()"
	status 0 env -u PERFMON "$pfmon" info
	says "$(cat out)" "by the system call perfmonctl()"
	is formats "$("$pfmon" info -j | jq -c .formats)" '["default","stack"]'
}

test_another_backend_is_refused()
{
	status 125 env PERFMON=back "$pfmon" stat true
	says "$(cat err)" "PERFMON names no way to count: 'back'"
}

test_a_kernel_without_perfmonctl_has_the_counts_all_the_same()
{
	is backend "$(no_perfmonctl "$pfmon" info -j | jq -r .backend)" perf_events
	status 0 no_perfmonctl "$pfmon" stat -x, -e "$events" -o report -- "$yardstick" 20000
	is counts "$(counts report)" "$(expected 20000)"
}

test_a_kernel_without_either_says_so()
{
	status 125 no_perfmonctl env NO_PERFMONCTL_PERF=38 "$pfmon" stat true
	says "$(cat err)" "neither perfmonctl() nor perf_event_open()"
}

test_a_forbidden_perf_event_open_is_explained()
{
	local error

	for error in 1 13; do
		status 125 no_perfmonctl env NO_PERFMONCTL_PERF="$error" "$pfmon" stat true
		says "$(cat err)" "perf_events forbids this user to monitor anything"
		says "$(cat err)" "kernel.perf_event_paranoid at 2 or below"
		says "$(cat err)" CAP_PERFMON
	done
}

test_the_counts_are_those_of_the_system_call()
{
	local want on

	want=$(expected 20000)
	for on in 1 0; do
		watchdog "$on"
		for _ in 1 2 3 4 5; do
			is "with perf_events" "$(counted report "$yardstick" 20000)" "$want"
		done
		is "by the system call" "$(PERFMON=syscall counted report "$yardstick" 20000)" "$want"
	done
}

test_processes_and_threads_add_up_exactly()
{
	"$victim" spin &
	is processes "$(counted report "$bin/known_procs")" \
		"$procs_insns $procs_branches $((4 * loops)) $((4 * loops))"
	is threads "$(counted report "$bin/known_threads")" \
		"$threads_insns $threads_branches $((4 * loops)) $((4 * loops))"
	status 0 "$pfmon" stat -x, -i -e "$events" -o report "$bin/known_one"
	is "the first only" "$(counts report)" "$one_insns $one_branches $loops $loops"
	kill "$!"
}

# Two descriptors for each thread, for the running threads, those to come and those that have ended.
test_fewer_descriptors_than_threads_that_come_and_go_suffice()
{
	local branches

	(ulimit -n 160 && status 0 "$pfmon" stat -j -e branches:u "$victim" turns 2000) || exit 1
	is notes "$(jq -c .notes err)" "[]"
	is tasks "$(jq .sessions err)" 2001
	branches=$(jq '.events[0].counts[0]' err)
	[ "$branches" -ge 2000000 ] || fail "$branches"
}

test_a_context_takes_a_descriptor_beside_those_of_its_events()
{
	(ulimit -n 160 && status 0 "$pfmon" stat -j -e branches:u "$victim" crowd 60) || exit 1
	is notes "$(jq -c .notes err)" "[]"
	is tasks "$(jq .sessions err)" 61
}

test_without_events_it_counts_what_fits_beside_the_watchdog()
{
	watchdog 1
	status 0 "$pfmon" stat -j "$bin/known_one"
	is "not counted" "$(jq '[.events[] | select(.counts[0] == null)] | length' err)" 0
	[ "$(jq '.events | length' err)" -ge 5 ] || fail "$(cat err)"
}

offered()
{
	"$pfmon" info -j | jq '.counters | length'
}

test_the_watchdogs_counter_is_not_offered()
{
	local left=10

	watchdog 1
	# perfmon resumes it a second after the last session, which an earlier test had.
	while [ "$(offered)" != 6 ] && [ "$((left -= 1))" -gt 0 ]; do
		sleep 1
	done
	is counters "$(offered)" 6
	watchdog 0
	is counters "$(offered)" 7
}

test_sets_take_turns()
{
	local want got

	watchdog 0
	# shellcheck disable=SC2046 # four words
	set -- $(expected 4000000)
	want=$3
	status 0 "$pfmon" stat -j --switch-timeout 2 \
		-e "loads:u,stores:u,branches:u,MEM_INST_RETIRED:STORES:u,MEM_INST_RETIRED:LOADS:u" \
		"$yardstick" 4000000
	says "$(jq -r '.notes[]' err)" "2 sets of counters, which are switched every 2 ms"
	# Each loop is like the others: scaled up, the loads of both sets add up to those of all
	# loops.
	for got in $(jq '.events[0].counts[0], .events[4].counts[0]' err); do
		if [ "$got" -lt $((want * 9 / 10)) ] || [ "$got" -gt $((want * 11 / 10)) ]; then
			fail "$got instead of about $want:" "$(cat err)"
		fi
	done
}

test_a_process_that_ends_ends_the_count()
{
	sleep 2 &
	status 0 timeout 200 "$pfmon" stat -x, -e instructions:u -p "$!"
	grep -q 'instructions:u' err || fail "$(cat err)"
	"$victim" spin &
	status 0 "$pfmon" stat -x, -e instructions:u -t "$!" --timeout 100
	[ "$(sed -n 's/,,instr.*//p' err)" -gt 1000000 ] || fail "$(cat err)"
	kill "$!"
}

test_whole_cpus_are_counted()
{
	"$victim" spin &
	status 0 "$pfmon" stat -x, -e instructions -a --timeout 200
	kill "$!"
	[ "$(sed -n 's/,,instr.*//p' err)" -gt 10000000 ] || fail "$(cat err)"
}

test_an_ordinary_user_counts_at_user_level()
{
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	chmod 777 .
	status 0 ordinary "$pfmon" stat -x, -e "$events" -o report "$bin/known_one"
	is counts "$(counts report)" "$one_insns $one_branches $loops $loops"
	status 125 ordinary "$pfmon" stat -e instructions:k true
	says "$(cat err)" "kernel.perf_event_paranoid"
	status 125 ordinary "$pfmon" stat -a --timeout 100
	says "$(cat err)" "perf_events forbids this user to monitor whole CPUs"
	says "$(cat err)" "kernel.perf_event_paranoid at 0 or below (it is 2)"
	status 125 ordinary "$pfmon" stat -e instructions:u -p 1 --timeout 100
	says "$(cat err)" "It belongs to another user"
}

test_a_level_that_forbids_all_is_named()
{
	local level

	chmod 777 .
	for level in 3 4; do
		echo "$level" >/proc/sys/kernel/perf_event_paranoid
		status 125 ordinary "$pfmon" stat -a --timeout 100
		says "$(cat err)" "kernel.perf_event_paranoid at 2 or below, for whole CPUs 0 (it is $level)"
		status 1 ordinary "$pfmon" info
		says "$(cat err)" "kernel.perf_event_paranoid at 2 or below"
		status 1 ordinary "$pfmon" info -j
		is reason "$(jq -r .reason out)" "perf_events forbids this user to monitor anything"
		says "$(jq -r .hint out)" "sysctl kernel.perf_event_paranoid=2"
	done
	echo 2 >/proc/sys/kernel/perf_event_paranoid
}

test_counters_that_are_taken_away_leave_no_count()
{
	watchdog 0
	"$victim" spin &
	"$pfmon" stat -x, -e loads:u,stores:u,branches:u -t "$!" --timeout 1000 2>taken &
	sleep 0.2
	perf stat -a -e r00c0:D,r01c4:D,r010b:D,r020b:D -- sleep 0.2 >/dev/null 2>&1
	wait "$!"
	kill %1
	says "$(cat taken)" "perf_events had too few counters for all events at the same time"
	! grep '^[1-9]' taken | grep ':u' || fail "$(cat taken)"
}

test_samples_are_those_of_the_system_call()
{
	no_throttle
	status 0 "$pfmon" record -e instructions:u -c 10007 -o perf.data "$yardstick" 20000
	says "$(cat err)" ", 0 lost"
	status 0 env PERFMON=syscall "$pfmon" record -e instructions:u -c 10007 -o sys.data \
		"$yardstick" 20000
	dump perf.data | awk '/^sample/ { print $2 }' >got
	dump sys.data | awk '/^sample/ { print $2 }' >want
	is number "$(wc -l <got)" $((1540324 / 10007))
	cmp -s want got || fail "$(diff want got | head)"
}

test_the_hot_function_is_the_same()
{
	local backend

	for backend in syscall perf; do
		status 0 env PERFMON="$backend" "$pfmon" record -e instructions:u -c 10007 \
			-o "$backend.data" "$sampled" shares
		"$pfmon" report -i "$backend.data" -x ';' | awk -F';' '!/^#/ { print $4; exit }' >"$backend"
	done
	[ -s perf ] || fail "no samples: $(cat err)"
	is "the hottest by the system call" "$(cat syscall)" heavy
	is "the hottest with perf_events" "$(cat perf)" heavy
}

test_a_small_buffer_loses_nothing_of_a_slow_program()
{
	status 0 "$pfmon" record -i --buffer 4K -e instructions:u -c 20011 "$bin/known_procs"
	says "$(cat err)" ", 0 lost"
	is samples "$(dump | grep -c '^sample')" $((one_insns / 20011))
}

test_what_perf_events_cannot_do_is_said()
{
	status 125 "$pfmon" record --random 0xff -e instructions:u -c 10007 "$bin/known_one"
	says "$(cat err)" "perf_events cannot randomise periods"
}

# Restore the watchdog at the end: another test of this guest needs it.
was=$(cat /proc/sys/kernel/nmi_watchdog)
[ -n "${TAP_CASE-}" ] || trap 'watchdog "$was"' EXIT
run_tests "$@"
