#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record and top of running processes: the threads that they have, and those that are born
# later, to the unit; and what a program loses while pfmon traces it.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are sampled expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=200
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"

# record TARGET...: without a note and a loss
record()
{
	status 0 "$pfmon" record -e instructions:u -c 1001 "$@"
	! grep '^pfmon: note' err || fail "$(cat err)"
	says "$(cat err)" ", 0 lost"
}

# Each thread's samples, a line for each: "TID SAMPLES"
per_thread()
{
	"$bin/recording_dump" pfmon.data | awk '/^sample/ { n[$5]++ }
		END { for (t in n) print t, n[t] }' | sort -n
}

# The samples of each thread of `victim work` but the first, by what stat counts in one
of_a_worker()
{
	"$victim" work 1 &
	"$pfmon" stat -j -e instructions:u --per-thread -p "$!" 2>&1 |
		jq '.per_thread[1].events[0].raw_count / 1001 | floor'
}

# workers PID...: the samples of each thread but the first ones of these processes
workers()
{
	per_thread | grep -vwE "^($(echo "$*" | tr ' ' '|'))" | cut -d' ' -f2 | paste -sd' '
}

ordinary()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

test_threads_born_later_are_sampled_to_the_unit()
{
	local want

	want=$(of_a_worker)
	[ "$want" -ge 1000 ] || fail "$want samples"
	"$victim" work 4 &
	record -p "$!"
	says "$(cat err)" "; 1 process, 5 threads, "
	is "samples of four threads" "$(workers "$!")" "$want $want $want $want"
	"$pfmon" report --sort symbol,file -x ';' >table
	! grep -F '[unknown]' table || fail "samples without a place:" "$(cat table)"
	has "what they do" "$(head -n 1 table)" "working_thread"
}

test_threads_born_later_are_sampled_by_the_other_backend()
{
	"$victim" work 4 &
	status 0 env PERFMON=perf "$pfmon" record -e instructions:u -c 10007 -p "$!"
	! grep '^pfmon: note' err || fail "$(cat err)"
	says "$(cat err)" "; 1 process, 5 threads, "
}

test_threads_of_several_processes_are_sampled()
{
	local want first

	want=$(of_a_worker)
	"$victim" work 2 &
	first=$!
	sleep 0.5
	"$victim" work 4 &
	# A number that is there twice is sampled once.
	record -p "$first,$!,$first"
	says "$(cat err)" "; 2 processes, 8 threads, "
	is "samples of six threads" "$(workers "$first" "$!")" "$want $want $want $want $want $want"
}

test_processes_of_a_name_are_sampled_with_later_threads()
{
	"$victim" work 3 &
	record --name victim
	says "$(cat err)" "; 1 process, 4 threads, "
}

test_a_thread_alone_is_sampled_alone()
{
	"$victim" work 3 &
	record -t "$!"
	says "$(cat err)" "; 1 process, 1 thread, "
	is "threads with samples" "$(per_thread | awk -v tid="$!" '$1 != tid')" ""
}

test_later_threads_are_sampled_while_a_command_runs()
{
	"$victim" work 4 &
	record -p "$!" -- sh -c 'sleep 4; exit 0'
	says "$(cat err)" "; 1 process, 5 threads, "
	"$victim" later 30 &
	status 7 "$pfmon" record -e instructions:u -c 100003 -p "$!" -- sh -c 'sleep 4; exit 7'
	says "$(cat err)" "; 1 process, 2 threads, "
	kill -0 "$!" || fail "the process has ended"
	kill "$!"
}

test_later_threads_are_in_the_tables_of_top()
{
	"$victim" work 4 &
	status 0 "$pfmon" top --batch -d 0.5 -e instructions:u -c 10007 --sort comm,tid -p "$!"
	says "$(cat err)" ", 0 lost"
	is threads "$(awk -v first="$!" '$1 ~ /^[0-9]/ && $3 == "victim" && $4 > first { print $4 }' out |
		sort -u | wc -l)" 4
}

# record_shell SCRIPT: sample a shell that runs the script after the start of the recording
record_shell()
{
	mkfifo go
	sh -c "read -r line; $1" <go >/dev/null &
	exec 3>go
	"$pfmon" record -e instructions:u -c 1001 -p "$!" 2>err 3>&- &
	wait_until 20 test -s pfmon.data
	echo >&3
	exec 3>&-
	wait "$!" || fail "$(cat err)"
	says "$(cat err)" "; 1 process, 1 thread, "
}

test_forked_processes_are_not_sampled()
{
	record_shell "$sampled shares; :"
	is "samples of the child" "$("$pfmon" report -x ';' | grep -c ';heavy;')" 0
}

test_an_exec_of_a_running_process_is_followed()
{
	record_shell "exec $sampled shares"
	"$pfmon" report -x ';' --sort symbol,comm >table
	has "the largest" "$(head -n 1 table)" "heavy;sampled"
}

test_a_process_is_let_go_without_an_interruption()
{
	# A sleep that is interrupted would be restarted, and an epoll_wait() would fail.
	"$victim" epoll 2 &
	record -p "$!" --timeout 500
	wait "$!" || fail "its epoll_wait() was interrupted: $?"
}

test_a_process_survives_the_kill_of_pfmon()
{
	local pid

	"$victim" coming 1500 &
	pid=$!
	"$pfmon" record -e instructions:u -c 100003 -p "$pid" 2>err &
	sleep 2.1
	kill -9 "$!"
	wait "$pid" || fail "the process came to harm: $?"
	wait_until 10 grep -q 0 /sys/kernel/perfmon/sessions/thread
}

test_thousands_of_later_threads_leave_nothing_behind()
{
	"$victim" coming 2000 &
	status 0 "$pfmon" record -e instructions:u -c 1009 -p "$!"
	wait "$!" || fail "the process came to harm: $?"
	says "$(cat err)" "; 1 process, 2001 threads, "
	! grep '^pfmon: note' err || fail "$(cat err)"
}

# A tracer of the first thread alone: it is told of no births.
trace()
{
	python3 -c '
import ctypes, sys, time
seize, libc = 0x4206, ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
print(libc.ptrace(seize, int(sys.argv[1]), None, None), flush=True)
time.sleep(60)' "$1" >traced
}

test_threads_of_a_traced_process_are_looked_for()
{
	local pid

	"$victim" later 1 &
	pid=$!
	trace "$pid" &
	wait_until 20 test -s traced
	is "the tracer's success" "$(cat traced)" 0
	"$victim" later 1 &
	status 0 "$pfmon" record -e instructions:u -c 10007 -p "$pid,$!" --timeout 4500
	kill %2
	has note "$(grep -c '^pfmon: note: threads that started later' err)" 1
	has note "$(cat err)" "later in process $pid were looked for each 10 ms.* traces it already"
	says "$(cat err)" "; 2 processes, 4 threads, "
}

test_a_program_that_gains_nothing_by_us_is_named()
{
	chmod 755 . ..
	cp "$(command -v id)" id
	chmod 4755 id
	mkdir -m 777 out.d
	status 0 ordinary "$pfmon" record -o out.d/data -e stores:u sh -c './id -u; :'
	is user "$(cat out)" 65534
	has note "$(cat err)" "^pfmon: note: .*/id is set-user-id, and runs without these privileges"
	# Its own exec is traced with -i as well.
	status 0 ordinary "$pfmon" record -i -o out.d/data -e stores:u ./id -u
	is user "$(cat out)" 65534
	has note "$(cat err)" "^pfmon: note: .*/id is set-user-id, and runs without these privileges"
	has "the file's note" "$("$pfmon" report -i out.d/data)" "^# Note: .*/id is set-user-id"
	# So is that of a program that is not sampled.
	status 0 ordinary "$pfmon" record --follow-exec=sh -o out.d/data -e stores:u sh -c './id -u; :'
	has note "$(cat err)" "^pfmon: note: .*/id is set-user-id, and runs without these privileges"
	status 0 ordinary "$pfmon" top --batch -d 0.5 -e stores:u -c 1009 -- sh -c './id -u; sleep 1'
	has note "$(cat err)" "^pfmon: note: .*/id is set-user-id, and runs without these privileges"
	status 0 "$pfmon" record -e stores:u sh -c './id -u; :'
	says_not "$(cat err)" "set-user-id"
	is user "$(cat out)" 0
}

test_a_running_process_that_gains_nothing_by_us_is_named()
{
	chmod 755 . ..
	cp "$(command -v id)" id
	chmod 4755 id
	mkdir -m 777 out.d
	mkfifo go
	setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'read -r line; exec ./id -u' <go >user &
	exec 3>go
	wait_until 20 grep -q '^Uid:.65534' "/proc/$!/status"
	ordinary "$pfmon" record -o out.d/data -e stores:u -c 1009 -p "$!" 2>err 3>&- &
	wait_until 20 test -s out.d/data
	echo >&3
	exec 3>&-
	wait "$!" || fail "$(cat err)"
	is user "$(cat user)" 65534
	has note "$(cat err)" "^pfmon: note: .*/id is set-user-id, and runs without these privileges"
}

# A copy of a shell by a debugger's name: the name is what pfmon goes by.
test_a_debugger_in_pfmon_is_told_of()
{
	cp "$(command -v dash)" strace
	status 0 "$pfmon" record -e stores:u sh -c './strace -c true; :'
	has note "$(cat err)" "^pfmon: note: .*/strace cannot trace programs here, as pfmon traces them: -i leaves"
	status 0 "$pfmon" record -i -e stores:u ./strace -c true
	says_not "$(cat err)" "cannot trace"
}

run_tests "$@"
