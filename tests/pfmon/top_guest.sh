#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon top: tables of the present samples, plain and on a terminal.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=200
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"
# shellcheck source-path=SCRIPTDIR source=known.sh
. "$here/known.sh"

export TERM=xterm

often=(-e instructions:u -c 100000)

# top_batch [ARG...]: plain tables, to the file out
top_batch()
{
	status 0 "$pfmon" top --batch "$@"
	says "$(cat err)" ", 0 lost"
}

# The samples in column 3, of all tables, that are of this symbol, or of another key that is summed
# up by
of()
{
	awk -v name="$1" '$1 ~ /^[0-9]/ && $3 == name { gsub(",", "", $1); sum += $1 }
		END { print sum + 0 }' out
}

# The first line of each table
leaders()
{
	awk '/^#  / { getline; print $3 }' out | sort -u
}

test_the_known_programs_function_leads()
{
	top_batch -d 0.5 -n 2 "${often[@]}" -- "$sampled" bursts
	is tables "$(grep -c '^# .*sampled: instructions:u, period 100,000; ' out)" 2
	is leaders "$(leaders)" heavy
}

test_shares_are_those_of_the_program()
{
	local heavy light

	top_batch -d 0.1 "${often[@]}" -- "$sampled" shares
	heavy=$(of heavy) light=$(of light)
	[ "$light" -gt 0 ] || fail "$(cat out)"
	is heavy "$(((heavy * 10 + light * 5) / light / 10))" 3
}

# All tables together have each sample once.
test_no_sample_is_missing_in_the_tables()
{
	local each=$(((one_insns + 2) / 1001)) first=$(((one_insns + 18) / 1001)) n

	n=$((3 * each + first))

	top_batch -d 0.1 --limit 1000 -e instructions:u -c 1001 -- "$bin/known_threads"
	is shown "$(sed -n 's/^pfmon: \([0-9,]*\) samples shown, 0 lost$/\1/p' err | tr -d ,)" "$n"
	is "in tables" "$(awk '$1 ~ /^[0-9]/ { gsub(",", "", $1); sum += $1 } END { print sum }' out)" "$n"
}

test_the_status_is_the_commands()
{
	status 7 "$pfmon" top --batch -- sh -c 'exit 7'
	status 127 "$pfmon" top --batch -- /nonexistent
	says "$(cat err)" "/nonexistent"
}

test_a_commands_output_is_not_among_the_tables()
{
	top_batch "${often[@]}" -- sh -c 'echo loud; echo loud >&2'
	says_not "$(cat out err)" loud
}

test_all_cpus_are_the_default()
{
	"$sampled" bursts >/dev/null &
	top_batch -d 1 -n 1 "${often[@]}"
	kill $!
	says "$(head -n 1 out)" "# 2 CPUs: instructions:u, "
	is leader "$(leaders)" heavy
}

test_running_processes_are_shown_by_program_and_number()
{
	local pid

	"$victim" spin &
	pid=$!
	top_batch -d 0.5 -n 1 "${often[@]}" -p "$pid" --sort comm,pid
	kill "$pid"
	says "$(head -n 1 out)" "# process $pid: "
	grep -qE "^ +[0-9,]+ +100.00% +victim +$pid$" out || fail "$(cat out)"
}

test_a_process_that_ends_ends_it()
{
	"$victim" spin 1.2 &
	top_batch -d 0.5 "${often[@]}" -p $!
	[ "$(grep -c '^# process' out)" -ge 1 ] || fail "$(cat out)"
}

test_each_event_has_its_table()
{
	top_batch -d 0.5 -n 1 -e instructions:u,branches:u -c 100000,50000 -- "$sampled" bursts
	is tables "$(grep -c '^# .*sampled: [a-z]*:u, period ' out)" 2
	is titles "$(grep -c '^#  ' out)" 2
	top_batch -d 0.5 -n 1 -e instructions:u,branches:u -c 100000,50000 --sort event \
		-- "$sampled" bursts
	is titles "$(grep -c '^#  ' out)" 1
}

test_a_program_that_is_executed_has_its_name()
{
	top_batch -d 0.1 "${often[@]}" --sort comm -- sh -c "exec '$sampled' shares"
	[ "$(of sampled)" -gt "$(of sh)" ] || fail "$(cat out)"
}

test_it_samples_by_the_other_backend_as_well()
{
	PERFMON=perf status 0 "$pfmon" top --batch -d 0.5 -n 1 "${often[@]}" -- "$sampled" bursts
	is leader "$(leaders)" heavy
}

test_what_makes_no_sense_is_refused()
{
	status 125 "$pfmon" top
	says "$(cat err)" "there is no terminal"
	says "$(cat err)" "--batch"
	status 125 "$pfmon" top --batch -e nonsense true
	says "$(cat err)" "event nonsense"
	status 125 "$pfmon" top --batch --sort line true
	says "$(cat err)" "'line' is a key of"
	status 125 "$pfmon" top --batch -d 0 true
	says "$(cat err)" "-d 0: a number of seconds is wanted"
	status 125 "$pfmon" top --batch -a -p 1
	says "$(cat err)" "exclude each other"
}

is_gone()
{
	! kill -0 "$1"
}

test_nothing_is_left_when_it_is_killed()
{
	local pid

	"$pfmon" top --batch -d 0.5 "${often[@]}" >out 2>err &
	pid=$!
	wait_until 30 grep -q '^# 2 CPUs' out
	pgrep -P "$pid" >recorder || fail "there is no process that records"
	kill -9 "$pid"
	wait_until 30 is_gone "$(cat recorder)"
}

# on_terminal ACTION... : pfmon top on a terminal, of a program that runs for long
on_terminal()
{
	"$here/terminal.py" 24 80 "$@" -- "$pfmon" top -d 0.3 "${often[@]}" -- "$sampled" bursts >out 2>err ||
		fail "$(cat out err)"
}

test_q_ends_it_and_the_terminal_is_as_before()
{
	on_terminal wait=heavy key=q end
	is end "$(paste -sd, out)" "status 0,terminal as it was,screen left"
}

test_signals_leave_the_terminal_as_before()
{
	local name

	for name in INT TERM HUP QUIT; do
		on_terminal wait=heavy "signal=$name" end
		says "$(cat out)" "terminal as it was"
		says "$(cat out)" "screen left"
	done
}

test_s_sorts_by_the_next_key()
{
	on_terminal wait=heavy show=symbols key=s show=files key=s show=comms key=s show=pids key=s \
		show=again key=q end
	grep -qE '^# +samples +percent +symbol +file$' symbols || fail "$(cat symbols)"
	grep -qE '^# +samples +percent +file$' files || fail "$(cat files)"
	grep -qE '^# +samples +percent +comm$' comms || fail "$(cat comms)"
	grep -qE '^ +[0-9,]+ +100.00% +sampled$' comms || fail "$(cat comms)"
	grep -qE '^# +samples +percent +pid +comm$' pids || fail "$(cat pids)"
	grep -qE '^# +samples +percent +symbol +file$' again || fail "$(cat again)"
}

test_a_pause_keeps_the_table()
{
	on_terminal wait=heavy key=p wait=paused key=x wait=samples show=one key=x show=two key=p \
		wait=heavy key=q end
	is table "$(cat one)" "$(cat two)"
	says "$(cat one)" paused
}

test_help_is_shown()
{
	on_terminal wait=heavy key=h wait='page up' key=h wait=heavy key=q end
}

test_it_fits_the_terminal_whatever_its_size()
{
	on_terminal wait=heavy show=before size=8x40 show=after key=q end
	[ "$(wc -l <before)" -le 24 ] || fail "$(cat before)"
	[ "$(wc -L <before)" -le 80 ] || fail "$(cat before)"
	[ "$(wc -l <after)" -le 8 ] || fail "$(cat after)"
	is columns "$(wc -L <after)" 40
}

test_colours_follow_the_user()
{
	local escape

	escape=$(printf '\033')
	on_terminal wait=heavy colours=screen key=q end
	says "$(cat screen)" "${escape}[31m"
	NO_COLOR=1 on_terminal wait=heavy colours=screen key=q end
	says_not "$(cat screen)" "${escape}[31m"
}

run_tests "$@"
