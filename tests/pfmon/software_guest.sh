#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Events of the kernel besides those of the real PMU, by both backends: exact where a count can be
# exact, and the same as perf's counts of the same programs.
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
# shellcheck source=tests/pfmon/known.sh
. "$here/known.sh"

count()
{
	jq ".events[] | select(.event == \"$1\") | .count" err
}

# perfs EVENT COMMAND...: perf's count
perfs()
{
	perf stat -x, -e "$1" -o counts -- "${@:2}" >/dev/null 2>&1
	sed -n "s/^\([0-9.]*\),[a-z]*,$1,.*/\1/p" counts
}

test_hardware_counts_stay_exact_beside_them()
{
	status 0 "$pfmon" stat -j -e instructions:u,task-clock,cs,faults,loads:u "$bin/known_long_threads"
	cp err with
	status 0 "$pfmon" stat -j -e instructions:u,loads:u "$bin/known_long_threads"
	is instructions "$(jq '.events[0].count' with)" "$(count instructions:u)"
	is loads "$(jq '.events[4].count' with)" "$(count loads:u)"
	is sets "$(jq '.sets | length' with)" 0
}

# The files of the guest's root are the host's, and each open() is a switch.
local_victim()
{
	# shellcheck disable=SC2046 # words they are
	cp "$victim" $(ldd "$victim" | grep -o '/[^ ]*') .
	echo "./$(basename "$(ldd "$victim" | grep -o '/[^ ]*ld-[^ ]*')") --library-path . ./victim"
}

test_switches_are_exact()
{
	local program n

	cd "$(mktemp -d -p /tmp)" || return
	program=$(local_victim)
	for n in 0 100; do
		# shellcheck disable=SC2086 # words they are
		status 0 undisturbed "$pfmon" stat -j -e cs,instructions $program naps "$n"
		is switches "$(count cs)" "$n"
	done
}

# faults_of N: of a program that touches N fresh pages, in four digits: with a longer argument the
# program's stack may begin in another page.
faults_of()
{
	status 0 undisturbed taskset -c 0 setarch -R "$pfmon" stat -j \
		-e page-faults,minor-faults,cycles "$victim" touch "$1"
	is "minor ones" "$(count page-faults)" "$(count minor-faults)"
	count page-faults
}

# The pages of files vary a little: one that another program maps at that moment is left out around
# a fault (filemap_map_pages() in mm/filemap.c), and has a fault of its own. Hence pairs of runs, one
# right after the other, and the median.
test_faults_are_exact_and_perfs()
{
	local n few many

	perfs page-faults setarch -R "$victim" touch 1 >/dev/null
	for _ in 1 2 3 4 5; do
		few=$(faults_of 0000) || fail "$few"
		many=$(faults_of 1000) || fail "$many"
		echo "$((many - few)) $few $many" >>ours
		for n in 0 1000; do
			perfs page-faults setarch -R "$victim" touch "$n" >>theirs
		done
	done
	[ "$(sort -n ours | sed -n '3s/ .*//p')" = 1000 ] || fail "$(cat ours)"
	# perf also counts the end of its own child, whose use of the stack varies.
	n=$(($(tail -n 1 theirs) - $(head -n 1 theirs)))
	((n >= 995 && n <= 1005)) || fail "$(cat theirs)"
}

# The kernel moves it at each call but the first, if it is there already at the first.
test_migrations_are_exact()
{
	status 0 "$pfmon" stat -j -e cpu-migrations,instructions "$victim" hop /bin/true
	[ "$(count cpu-migrations)" -ge 999 ] || fail "$(cat err)"
	[ "$(count cpu-migrations)" -le 1001 ] || fail "$(cat err)"
}

test_the_task_clock_is_the_cpu_time_by_both_backends()
{
	local backend

	for backend in '' perf; do
		status 0 env ${backend:+PERFMON="$backend"} "$pfmon" stat -j -e task-clock,cs,instructions:u \
			"$victim" spin 0.3
		jq -e '(.events[0].count / 1e9 - .user_seconds - .system_seconds) | fabs < 0.01' err ||
			fail "$(cat err)"
		[ "$(count instructions:u)" -gt 0 ] || fail "$(cat err)"
	done
}

test_cpus_count_all_that_runs_on_them()
{
	status 0 "$pfmon" stat -j -a -A -e cs,cpu-clock,instructions "$victim" naps 100
	[ "$(count cs)" -ge 200 ] || fail "$(cat err)"
	is CPUs "$(jq '.per_cpu | length' err)" 2
	jq -e '[.per_cpu[].events[1].count / 1e9] | min >= 0.1' err ||
		fail "$(cat err)"
}

test_a_threads_end_loses_nothing()
{
	local pid

	"$victim" coming 200 &
	pid=$!
	sleep 1
	status 0 "$pfmon" stat -j -e cs,faults,instructions -p "$pid"
	is threads "$(jq .sessions err)" 201
	[ "$(count cs)" -ge 200 ] || fail "$(cat err)"
}

test_a_user_without_rights_gets_what_there_is()
{
	cd /tmp || return
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	status 0 setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$pfmon" stat -j -e task-clock,faults,instructions "$victim" touch 100
	is events "$(jq -c '[.events[].event]' err)" '["task-clock","faults:u","instructions:u"]'
	[ "$(count faults:u)" -ge 100 ] || fail "$(cat err)"
	status 125 setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$pfmon" stat -e cs,instructions true
	says "$(cat err)" "event context-switches: perf_event_open(), which counts it, says: Permission denied"
	says "$(cat err)" "kernel.perf_event_paranoid below 2; it is 2"
}

run_tests "$@"
