#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tasks that pfmon stat counts, over a double of the kernel: a command with its children and
# threads, processes that run, CPUs; and tasks that outlive the command.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

test_a_command_is_counted()
{
	stat_instructions 0 true
	is tasks "$(tasks)" 1
}

test_its_children_are_counted()
{
	stat_instructions 0 sh -c '/bin/true; /bin/true & wait; /bin/true; exit 0'
	is tasks "$(tasks)" 4
}

test_its_threads_are_counted()
{
	stat_instructions 0 "$victim" threads 7
	is tasks "$(tasks)" 8
}

test_threads_at_once_are_counted()
{
	stat_instructions 0 "$victim" crowd 100
	is tasks "$(tasks)" 101
}

test_grandchildren_are_counted()
{
	stat_instructions 0 sh -c 'sh -c "sh -c \"/bin/true; :\"; :"; :'
	is tasks "$(tasks)" 4
}

test_vfork_children_are_counted()
{
	stat_instructions 0 "$victim" vfork true
	is tasks "$(tasks)" 2
}

test_many_children_one_after_the_other_are_counted()
{
	stat_instructions 0 "$victim" forks 500
	is tasks "$(tasks)" 501
}

test_exec_from_a_thread_keeps_all_counts()
{
	stat_instructions 0 "$victim" exec true
	is tasks "$(tasks)" 2
}

test_exec_keeps_the_context()
{
	stat_instructions 0 sh -c 'exec sh -c "exec true"'
	is tasks "$(tasks)" 1
}

test_no_inherit_counts_the_first_thread_only()
{
	stat_instructions 0 -i "$victim" threads 3
	is tasks "$(tasks)" 1
	stat_instructions 0 --no-inherit "$victim" forks 3
	is tasks "$(tasks)" 1
}

test_no_inherit_leaves_the_command_untraced()
{
	status 0 "$fake" stat -i grep TracerPid /proc/self/status
	is tracer "$(cat out)" "$(printf 'TracerPid:\t0')"
}

test_fewer_descriptors_than_processes_suffice()
{
	(ulimit -n 40 && stat_instructions 0 "$victim" forks 100) || exit 1
	is tasks "$(tasks)" 101
}

# pfmon waits for threads that have ended before it attaches to new threads.
test_fewer_descriptors_than_threads_that_come_and_go_suffice()
{
	(ulimit -n 64 && stat_instructions 0 "$victim" turns 2000) || exit 1
	! grep '^#' err || fail "$(cat err)"
	is tasks "$(tasks)" 2001
}

test_tasks_beyond_the_descriptors_are_reported()
{
	(ulimit -n 64 && stat_instructions 0 "$victim" crowd 100) || exit 1
	grep -q '^# [0-9]* tasks could not be counted: .*open files' err || fail "$(cat err)"
}

test_what_outlives_the_command_is_released()
{
	local pid

	stat_instructions 5 "$victim" linger
	pid=$(sed -n 's/^lingering //p' out)
	[ -n "$pid" ] || fail "$(cat out)"
	grep -q 'TracerPid:.0$' "/proc/$pid/status" || fail "it is gone or still traced"
	says "$(cat err)" "# 1 task outlived the command"
	is tasks "$(tasks)" 2
	kill "$pid"
}

test_a_task_that_cannot_be_counted_is_reported()
{
	status 0 env PERFMON_FAKE=second "$fake" stat -x, -e instructions "$victim" forks 3
	is tasks "$(tasks)" 1
	grep -q '^# 3 tasks could not be counted: PFM_LOAD_CONTEXT' err || fail "$(cat err)"
}

# "start" is called on the context of a thread that has ended since it was listed.
test_a_thread_that_ends_before_it_is_started_is_no_error()
{
	local pid

	sleep 100 &
	pid=$!
	status 0 timeout 300 env PERFMON_FAKE=gone "$fake" stat -x, -e instructions -p "$pid"
	kill "$pid"
	! grep -v '^[0-9]' err || fail "$(cat err)"
}

test_cpus_are_counted_while_a_command_runs()
{
	local cpus

	cpus=$(getconf _NPROCESSORS_ONLN)
	stat_instructions 0 -a true
	is cpus "$(tasks)" "$cpus"
	stat_instructions 0 -C 0 true
	is cpus "$(tasks)" 1
	stat_instructions 0 -a -C 0 true
	is cpus "$(tasks)" 1
	status 0 "$fake" stat -j -C 0 true
	is cpus "$(jq -c .target.cpus err)" "[0]"
}

test_cpus_are_counted_until_the_timeout()
{
	status 0 "$fake" stat -a --timeout 200
	says "$(cat err)" "CPU"
	says "$(cat err)" "seconds time elapsed"
	says_not "$(cat err)" "seconds user"
}

test_a_cpu_that_is_not_there_is_named()
{
	status 125 "$fake" stat -C 4000 true
	says "$(cat err)" "CPU 4000"
	status 125 "$fake" stat -C 0-x true
	says "$(cat err)" "list of CPUs"
}

test_the_command_may_run_on_all_cpus()
{
	grep Cpus_allowed_list /proc/self/status >want
	status 0 "$fake" stat -C 0 grep Cpus_allowed_list /proc/self/status
	is CPUs "$(cat out)" "$(cat want)"
}

test_all_threads_of_a_process_are_counted()
{
	local pid

	"$victim" spin &
	pid=$!
	stat_instructions 0 -p "$pid" sleep 0.1
	is threads "$(tasks)" 1
	stat_instructions 0 -t "$pid" sleep 0.1
	is threads "$(tasks)" 1
	status 0 "$fake" stat -j -p "$pid" --timeout 100
	is pid "$(jq '.target.pid' err)" "$pid"
	is pids "$(jq -c '.target.pids' err)" "[$pid]"
	kill "$pid"
}

test_lists_of_processes_and_threads_are_counted()
{
	local one other

	"$victim" spin &
	one=$!
	"$victim" spin &
	other=$!
	stat_instructions 0 -p "$one,$other" sleep 0.1
	is threads "$(tasks)" 2
	# A number that is there twice is counted once, and the option may be there twice.
	stat_instructions 0 -t "$one" -t "$other,$one" sleep 0.1
	is threads "$(tasks)" 2
	status 0 "$fake" stat -e cycles -p "$one,$other" --timeout 100
	says "$(cat err)" "processes $one, $other (2 threads)"
	status 0 "$fake" stat -e cycles -t "$one,$other" --timeout 100
	says "$(cat err)" "threads $one, $other"
	status 0 "$fake" stat -j -e cycles --per-thread -p "$one,$other" --timeout 100
	is pids "$(jq -c '.target.pids' err)" "[$one,$other]"
	is "one pid" "$(jq -c '.target | has("pid")' err)" false
	is threads "$(jq -c '[.per_thread[].tid] | sort' err)" "$(jq -nc "[$one, $other] | sort")"
	status 0 "$fake" stat -j -e cycles --per-thread -t "$one,$other" --timeout 100
	is tids "$(jq -c '.target.tids' err)" "[$one,$other]"
	is threads "$(jq -c '.per_thread | length' err)" 2
	# The measurement ends with the last of them: there are intervals after the first has ended.
	kill_after_intervals "$one" "$other" &
	status 0 "$fake" stat -x, -I 50 -e instructions -p "$one,$other"
	[ "$(grep -c instructions err)" -ge 4 ] || fail "it ended with the first:" "$(cat err)"
	is instructions "$(sed -n 's/^,\([0-9]*\),,instructions,.*/\1/p' err)" $((2 * 17000))
}

# Kill each process when the counting in "err" has two intervals more.
kill_after_intervals()
{
	local pid lines=0

	for pid in "$@"; do
		wait_until 10 sh -c "[ \"\$(grep -c instructions err)\" -ge $((lines + 2)) ]"
		lines=$(grep -c instructions err)
		kill "$pid"
	done
}

test_the_wrong_one_of_a_list_is_named()
{
	"$victim" spin &
	status 125 "$fake" stat -p "$!,4194304" true
	says "$(cat err)" "there is no process 4194304"
	status 125 "$fake" stat -t "$!,4194304" true
	says "$(cat err)" "there is no thread 4194304"
	status 125 "$fake" stat -p "$!,x" true
	says "$(cat err)" "-p x: a number from 1 to 2147483647 is wanted"
	status 125 "$fake" stat -t "$!," true
	says "$(cat err)" "-t : a number from 1 to 2147483647 is wanted"
	kill "$!"
}

test_a_process_that_is_not_there_is_named()
{
	status 125 "$fake" stat -p 4194304 true
	says "$(cat err)" "no process 4194304"
	status 125 "$fake" stat -t 4194304 true
	says "$(cat err)" "no thread 4194304"
}

run_tests "$@"
