#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record of the kernel's events, which perf_events samples: the right number of samples, at
# the right addresses, alone and besides those of the PMU, by both backends.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=120
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"

nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"

# samples FIELDS PATTERN: the recording's samples in the lines of a report by these fields that
# match the pattern
samples()
{
	"$pfmon" report --sort "$1" -x ';' | grep -v '^#' | grep -E "$2" |
		awk -F';' '{ n += $1 } END { print n + 0 }'
}

nothing_lost()
{
	says "$(cat err)" ", 0 lost"
	! grep '^pfmon: note' err || fail "$(cat err)"
}

# The files of the guest's root are the host's, and each open() is a switch.
local_victim()
{
	# shellcheck disable=SC2046 # words they are
	cp "$victim" $(ldd "$victim" | grep -o '/[^ ]*') .
	echo "./$(basename "$(ldd "$victim" | grep -o '/[^ ]*ld-[^ ]*')") --library-path . ./victim"
}

test_each_page_that_is_touched_is_a_sample_there()
{
	local backend

	for backend in '' perf; do
		status 0 env ${backend:+PERFMON="$backend"} "$pfmon" record -e page-faults "$victim" touch 3000
		nothing_lost
		is "samples in main" "$(samples symbol ';main$')" 3000
	done
	status 0 "$pfmon" record -e faults -c 100 "$victim" touch 3000
	n=$(samples event faults)
	((n >= 30 && n <= 34)) || fail "$n"
	says "$("$pfmon" report)" "# event: faults, period 100"
}

test_a_nap_is_a_sample_in_the_kernel()
{
	local program

	cd "$(mktemp -d -p /tmp)" || return
	program=$(local_victim)
	# shellcheck disable=SC2086 # words they are
	status 0 chrt -f 50 "$pfmon" record -e cs $program naps 100
	nothing_lost
	is samples "$(samples event ';cs$')" 100
	is "in the scheduler" "$(samples symbol,file ';schedule;\[kernel\]$')" 100
}

test_the_clock_has_a_sample_each_millisecond()
{
	local backend n clock

	for backend in '' perf; do
		for clock in task-clock cpu-clock; do
			status 0 env ${backend:+PERFMON="$backend"} "$pfmon" record -e "$clock" "$victim" spin 0.5
			nothing_lost
			n=$(samples event "$clock")
			((n >= 495 && n <= 520)) || fail "$clock: $n"
		done
	done
}

test_a_frequency_is_kept()
{
	status 0 "$pfmon" record -F 200 -e cpu-clock "$victim" spin 1
	n=$(samples event cpu-clock)
	((n >= 198 && n <= 206)) || fail "$n"
	says "$("$pfmon" report)" "# event: cpu-clock, 200 samples a second wanted"
	status 0 "$pfmon" record -F 1000 -e faults "$victim" touch 20000
	[ "$("$pfmon" script -1 -F period | sort -u | wc -l)" -ge 2 ] || fail "one period"
}

test_samples_of_the_pmu_stay_exact_beside_them()
{
	local all='-e instructions:u,faults,loads:u,cs -c 1009,1,1013,1'

	# shellcheck disable=SC2086 # words they are
	status 0 "$pfmon" record $all "$bin/known_threads"
	nothing_lost
	is instructions "$(samples event ';instructions:u$')" $((4 * (400002 / 1009) + 18 / 1009))
	is loads "$(samples event ';loads:u$')" $((4 * (100000 / 1013)))
	[ "$(samples event ';faults$')" -ge 1 ] || fail "$("$pfmon" report)"
	is events "$("$pfmon" report -x ';' --sort event | grep -v '^#' | cut -d';' -f3 | sort -u | paste -sd,)" \
		cs,faults,instructions:u,loads:u
}

test_each_process_has_its_own()
{
	status 0 "$pfmon" record -e faults sh -c "'$victim' touch 500; '$victim' touch 700"
	nothing_lost
	is "two processes" "$(samples pid,symbol ';main$' | paste -sd' ')" 1200
	is each "$("$pfmon" report --sort pid,symbol -x ';' | grep ';main$' | cut -d';' -f1 | sort | paste -sd' ')" \
		"500 700"
}

test_cpus_are_sampled_whatever_runs()
{
	status 0 "$pfmon" record -a -e cpu-clock "$victim" spin 0.3
	is CPUs "$("$pfmon" report --sort cpu -x ';' | grep -vc '^#')" 2
	n=$(samples comm ';victim')
	((n >= 290 && n <= 330)) || fail "$("$pfmon" report --sort comm)"
}

test_a_process_that_runs_already_is_sampled_until_its_end()
{
	local backend pid

	for backend in '' perf; do
		"$victim" spin 1 &
		pid=$!
		sleep 0.2
		status 0 env ${backend:+PERFMON="$backend"} "$pfmon" record -e task-clock -p "$pid"
		n=$(samples event task-clock)
		((n >= 200 && n <= 900)) || fail "$n"
	done
}

test_alone_they_leave_the_pmu_to_others()
{
	status 0 perf stat -x, -e cycles:u -o counts -- "$pfmon" record -e cpu-clock "$victim" spin 0.1
	grep -qE '^[1-9][0-9]*,,cycles:u,' counts || fail "$(cat counts)"
}

# A ring of a page holds 64 samples, and the process that empties it is stopped.
test_what_finds_no_room_is_counted()
{
	local pid lost

	"$pfmon" record -C 0 -e faults --buffer 4096 2>err &
	pid=$!
	# The file begins before the samples do, which are written each second.
	until [ -s pfmon.data ] && [ "$(samples event faults)" -gt 0 ]; do
		taskset 1 "$victim" touch 10
		sleep 0.1
	done
	kill -STOP "$pid"
	taskset 1 "$victim" touch 5000
	kill -CONT "$pid"
	kill -INT "$pid"
	wait "$pid"
	lost=$(sed -n 's/.* in pfmon.data, \([0-9,]*\) lost (buffer full: .*/\1/p' err | tr -d ,)
	[ "$lost" -ge $((5000 - 64)) ] || fail "$(cat err)"
	says "$("$pfmon" report)" "lost (buffer full: "
}

# value NAME: the value in each sample in main
value()
{
	"$pfmon" script -1 -F sym,values | sed -n "s/^ *main .*\<$1=\([0-9]*\).*/\1/p"
}

test_they_come_as_values_with_samples_of_the_pmu()
{
	status 0 "$pfmon" record -e branches:u -c 101 --with cs,instructions:u,minor-faults,task-clock "$victim" touch 3000
	value minor-faults >faults
	sort -nc faults || fail "$(cat faults)"
	[ "$(tail -n 1 faults)" -ge $(($(head -n 1 faults) + 2000)) ] || fail "$(cat faults)"
	value task-clock | sort -nc || fail "the clock runs back"
	[ "$(value task-clock | tail -n 1)" -gt 1000000 ] || fail "$(value task-clock)"
	"$pfmon" script -1 -F values >shown
	grep -qE 'instructions:u=[0-9]+ task-clock=[0-9]+ context-switches=[0-9]+ minor-faults=[0-9]+$' shown ||
		fail "$(head -n 3 shown)"
	status 0 "$pfmon" record -b -e branches:u -c 1000 --with minor-faults,loads:u "$victim" touch 3000
	value minor-faults | sort -nc || fail "$("$pfmon" script -1 -F values)"
	[ "$("$pfmon" script -1 -F brstack | grep -c /)" -gt 10 ] || fail "no branches"
	status 125 "$pfmon" record -e cpu-clock --with instructions:u true
	says "$(cat err)" "--with: values come with samples of the PMU's events, and cpu-clock is the kernel's"
	status 125 env PERFMON=perf "$pfmon" record -e branches:u --with cs true
	says "$(cat err)" "-e context-switches samples the event itself"
}

test_a_file_of_another_kind_is_not_overwritten()
{
	echo precious >letter.c
	status 125 "$pfmon" record -e cpu-clock -o letter.c touch ran
	says "$(cat err)" "letter.c is there, and is no recording"
	is letter "$(cat letter.c)" precious
	[ ! -e ran ] || fail "the command ran"
	: >empty.data
	status 0 "$pfmon" record -e cpu-clock -o empty.data true
	status 0 "$pfmon" record -e cpu-clock -o empty.data true
	status 0 "$pfmon" record -e cpu-clock -o /dev/null true
	mkfifo fifo
	cat fifo >copy &
	status 0 "$pfmon" record -e cpu-clock -o fifo true
	wait $!
	says "$("$pfmon" report -i copy)" "# event: cpu-clock"
}

test_too_few_descriptors_are_said_with_the_way_out()
{
	local n

	for ((n = 6; n < 20; n++)); do
		(ulimit -n "$n" && exec "$pfmon" record -e cpu-clock true) 2>err && continue
		says "$(cat err)" "ulimit -Hn"
	done
	is "of 19 enough" "$("$pfmon" report | grep -c 'event: cpu-clock')" 1
}

test_triggers_and_delays_hold_for_them()
{
	status 0 "$pfmon" record -e faults --trigger-start main "$victim" touch 1000
	is "samples in main" "$(samples symbol ';main$')" 1000
	is "before main" "$(samples symbol ';(_dl_.*|dl_main)$')" 0
	status 0 "$pfmon" record -e cpu-clock --delay 500 "$victim" spin 1
	n=$(samples event cpu-clock)
	((n >= 100 && n <= 900)) || fail "$n"
}

test_perf_opens_them_as_what_they_are()
{
	status 0 "$pfmon" record -e cpu-clock,faults,instructions:u -c 1M,1,100k "$victim" touch 1000
	status 0 "$pfmon" export --to perf.data -o perf.data pfmon.data
	perf evlist -v -i perf.data >shown
	grep -qE '^cpu-clock: type: 1, ' shown || fail "$(cat shown)"
	grep -qE '^faults: type: 1, size: [0-9]+, config: 0x2, ' shown || fail "$(cat shown)"
	perf report -i perf.data --stdio -F sample,symbol >shown 2>err
	grep -qE ' 1000 +\[\.\] main' shown || fail "$(cat shown err)"
}

test_branches_come_with_those_of_the_pmu_only()
{
	status 0 "$pfmon" record -b -e faults,branches:u -c 1,1000 "$victim" touch 200
	is samples "$(samples symbol ';faults;main$')" 200
	"$pfmon" script -1 -F event,brstack | grep faults >shown
	! grep / shown || fail "$(head shown)"
	"$pfmon" script -1 -F event,brstack | grep -q 'branches:u.*/' || fail "no branches"
}

test_a_level_that_was_named_has_the_samples_of_it()
{
	local backend

	for backend in '' perf; do
		status 0 env ${backend:+PERFMON="$backend"} "$pfmon" record -e cpu-clock:u -c 100k "$victim" spin 0.1
		[ "$(samples event ';cpu-clock:u$')" -ge 100 ] || fail "$(cat err)"
		is "in the kernel" "$(samples file '\[kernel\]$')" 0
		status 0 env ${backend:+PERFMON="$backend"} "$pfmon" record -e cpu-clock:k -c 100k "$victim" touch 20000
		[ "$(samples file '\[kernel\]$')" -ge 100 ] || fail "$(cat err)"
		is "at user level" "$(samples file ';/')" 0
	done
	# shellcheck disable=SC2016 # the command expands it
	status 0 "$pfmon" record -e faults:u,cs:k sh -c '"$0" touch 300; sleep 0.01' "$victim"
	is "faults in main" "$(samples symbol ';faults:u;main$')" 300
	is "in the kernel" "$(samples file ';faults:u;\[kernel\]$')" 0
	[ "$(samples event ';cs:k$')" -ge 1 ] || fail "$("$pfmon" report)"
}

test_a_user_without_rights_gets_what_there_is()
{
	cd "$(mktemp -d -p /tmp)" || return
	chmod 777 .
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	# shellcheck disable=SC2086 # words they are
	status 0 $nobody "$pfmon" record -e cpu-clock,faults -c 1M,1 "$victim" touch 100
	says "$(cat err)" "note: sampled at user level only (:u)"
	is faults "$(samples symbol ';faults:u;main$')" 100
	is "in the kernel" "$(samples file '\[kernel\]')" 0
	# shellcheck disable=SC2086 # words they are
	status 0 $nobody "$pfmon" record -e task-clock:u,faults:u -c 1M,1 "$victim" touch 100
	says_not "$(cat err)" "note: sampled at user level"
	is faults "$(samples symbol ';faults:u;main$')" 100
	# shellcheck disable=SC2086 # words they are
	status 125 $nobody "$pfmon" record -e cs true
	says "$(cat err)" "It happens in the kernel, and that takes CAP_PERFMON, or a kernel.perf_event_paranoid below 2; it is 2"
	# shellcheck disable=SC2086 # words they are
	status 125 $nobody "$pfmon" record -e cpu-clock:k true
	says "$(cat err)" "Kernel level takes CAP_PERFMON, or a kernel.perf_event_paranoid below 2; it is 2"
	# perfmon's own PMDs: perf does not provide them
	# shellcheck disable=SC2086 # words they are
	status 0 $nobody "$pfmon" record -e branches:u -c 101 --with cs,migrations,minor-faults "$victim" touch 100
	value context-switches | sort -nc || fail "$("$pfmon" script -1 -F values)"
	[ "$(value context-switches | wc -l)" -ge 1 ] || fail "$("$pfmon" script -1 -F values)"
}

test_what_cannot_be_is_refused_with_a_way_out()
{
	status 125 "$pfmon" record -e cpu-clock -c 9999 true
	says "$(cat err)" "the kernel samples it each 10000 ns at most"
	status 125 "$pfmon" record -e faults --random 0x1 -c 100 true
	says "$(cat err)" "always with the same period"
	status 125 "$pfmon" record -e faults -b true
	says "$(cat err)" "-b: branches come with samples of the PMU's events"
	echo 1000 >/proc/sys/kernel/perf_event_max_sample_rate
	status 125 "$pfmon" record -e cpu-clock -F 2000 true
	says "$(cat err)" "kernel.perf_event_max_sample_rate: ask for less with -F"
	[ ! -e pfmon.data ] || fail "it left a file"
}

test_throttling_is_told()
{
	echo 1000 >/proc/sys/kernel/perf_event_max_sample_rate
	status 0 "$pfmon" record -e cpu-clock -c 10k "$victim" spin 0.2
	says "$(cat err)" "note: perf_events throttled the kernel's events"
}

test_nothing_is_left_behind()
{
	is sessions "$(cat /sys/kernel/perfmon/sessions/thread /sys/kernel/perfmon/sessions/system | paste -sd' ')" "0 0"
}

run_tests "$@"
