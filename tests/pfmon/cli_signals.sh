#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon stat over a double of the kernel: time limits, signals, and the state that a command
# inherits.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

test_timeout_ends_the_command()
{
	status 143 "$fake" stat --timeout 200 sleep 3000
	says "$(cat err)" cycles
	elapsed=$(sed -n 's/^ *\([0-9]*\)\.\([0-9]\).* seconds time elapsed/\1\2/p' err)
	[ "$elapsed" -ge 2 ] || fail "elapsed: $elapsed tenths"
}

test_a_command_may_outlive_the_timeout()
{
	status 9 "$fake" stat --timeout 300 "$victim" deaf
	says "$(cat err)" cycles
}

test_timeout_leaves_a_short_command_alone()
{
	status 3 "$fake" stat --timeout 2000000 sh -c 'exit 3'
}

interrupt()
{
	local signal=$1 want=$2 pid got=0

	shift 2
	rm -f out # or the output of an earlier run would be compared
	"$fake" stat "$@" >out 2>err </dev/null &
	pid=$!
	wait_until 10 grep -q ready out
	kill "-$signal" "$pid"
	wait "$pid" || got=$?
	[ "$got" -eq "$want" ] || fail "status $got instead of $want" "$(cat err)"
	says "$(cat err)" cycles
}

test_a_signal_is_passed_to_the_command_and_counts_are_printed()
{
	# A background process of a script ignores SIGINT: env restores the default.
	interrupt TERM 143 sh -c 'echo ready; exec sleep 3000'
	interrupt HUP 129 sh -c 'echo ready; exec sleep 3000'
	interrupt TERM 6 sh -c 'trap "kill \$!; exit 6" TERM; echo ready; sleep 3000 & wait'
}

test_sigint_of_the_terminal_ends_both_and_counts_are_printed()
{
	# script(1) makes a terminal; ^C goes to its foreground group, pfmon and command. It is
	# typed when the command runs, and the terminal exists until the end. Their shell is in that
	# group as well: any shell takes the signal and goes on.
	cat >typed <<SH
(until [ -e up ] || [ -e over ]; do sleep 0.05; done; printf '\003'
until [ -e over ]; do sleep 0.05; done) |
script -qec 'trap : INT
	$fake stat -o report sh -c "touch up; exec sleep 3000"; echo status \$?; touch over' log
SH
	rm -f up over
	status 0 sh typed
	says "$(tr -d '\r' <log)" "status 130"
	says "$(cat report)" cycles
}

test_an_interrupt_ends_repetition()
{
	local pid

	"$fake" stat -r 100 -x, sh -c 'echo run >>runs; sleep 0.3' >out 2>err </dev/null &
	pid=$!
	wait_until 10 grep -q run runs
	wait_until 10 sh -c '[ "$(wc -l <runs)" -ge 3 ]'
	kill -TERM "$pid"
	wait "$pid"
	[ "$(wc -l <runs)" -lt 20 ] || fail "it went on"
	grep -q '^# interrupted after [0-9]* of 100 runs' err || fail "$(cat err)"
}

test_signals_reach_the_command_unchanged()
{
	status 0 "$fake" stat "$victim" signals 1000
}

test_the_command_gets_its_signals_and_descriptors_as_they_were()
{
	local mode

	status 0 "$victim" mask
	cp out want
	for mode in -e -ie -ae; do
		status 0 "$fake" stat "$mode" cycles "$victim" mask
		diff want out || exit 1
	done
}

test_closed_descriptors_stay_closed()
{
	"$victim" mask 0<&- 2>&- >want
	"$fake" stat -o report "$victim" mask 0<&- 2>&- >out || fail "status $?"
	diff want out || exit 1
	says_not "$(cat want)" "descriptor 2 is"
	says "$(cat report)" cycles
}

test_ignored_signals_stay_ignored()
{
	status 0 sh -c 'trap "" CHLD INT USR1; grep SigIgn /proc/self/status >ign; exec "$0" stat grep SigIgn /proc/self/status' "$fake"
	is "ignored signals" "$(cat out)" "$(cat ign)"
}

test_limits_are_the_commands_own()
{
	(ulimit -Sn 50 && status 0 "$fake" stat sh -c 'ulimit -Sn') || exit 1
	is limit "$(cat out)" 50
}

stopped()
{
	grep -q '^State:.*[Tt] (\(stopped\|tracing stop\))' "/proc/$1/status"
}

test_a_stopped_command_stays_stopped_until_continued()
{
	local pid child

	"$fake" stat "$victim" stop >out 2>err </dev/null &
	pid=$!
	wait_until 10 sh -c "pgrep -P $pid victim"
	child=$(pgrep -P "$pid" victim)
	wait_until 10 stopped "$child"
	sleep 0.5
	stopped "$child" || fail "it does not stay stopped"
	kill -CONT "$child"
	wait "$pid"
	is status $? 7
}

# pfmon blocks SIGTERM to read it; it is bit 14, of the fourth digit from the right. (The shell that
# executes pfmon may block it, too.)
awaits_sigterm()
{
	grep -q '^Name:.*pfmon-fake$' "/proc/$1/status" &&
		grep -q '^SigBlk:.*[4-7c-f][0-9a-f]\{3\}$' "/proc/$1/status"
}

test_a_signal_ends_a_measurement_without_a_command()
{
	local pid got=0

	"$fake" stat -a >out 2>err </dev/null &
	pid=$!
	wait_until 10 awaits_sigterm "$pid"
	kill -TERM "$pid"
	wait "$pid" || got=$?
	is status "$got" 0
	says "$(cat err)" cycles
}

run_tests "$@"
