#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon over the real perfmonctl(): counting and sampling that start and stop at places in the code,
# to the instruction; and --follow-exec for the programs of a name.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are sampled expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=120
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"
# shellcheck source-path=SCRIPTDIR source=known.sh
. "$here/known.sh"

work=$((4 * loops + 2)) # from "child" to "leave": see known.S

# counts WANTED OPTION... COMMAND: compare the number of instructions at user level
counts()
{
	local wanted=$1

	shift
	status 0 "$pfmon" stat -x, -e instructions:u "$@"
	is "instructions: $*" "$(sed -n 's/^\([0-9]*\),,instructions:u,.*/\1/p' err)" "$wanted"
}

samples()
{
	"$bin/recording_dump" pfmon.data | grep -c '^sample'
}

test_a_count_is_exact_from_place_to_place()
{
	counts "$work" --trigger-start child --trigger-stop leave "$bin/known_one"
	counts $((one_insns)) --trigger-start child "$bin/known_one"
	counts "$work" --trigger-stop leave "$bin/known_one"
	counts 3 --trigger-start leave "$bin/known_one"
	counts "$work" --trigger-start child --trigger-stop leave "$bin/known_pie"
	counts "$work" -i --trigger-start child --trigger-stop leave "$bin/known_procs"
}

test_each_task_has_its_own()
{
	counts $((4 * work)) --trigger-start child --trigger-stop leave "$bin/known_procs"
	counts $((4 * work)) --trigger-start child --trigger-stop leave "$bin/known_threads"
	counts $((procs_insns - 4 * 3)) --trigger-stop leave "$bin/known_procs"
}

test_it_starts_once_or_each_time()
{
	local turn=4002

	counts "$turn" --trigger-start child --trigger-stop leave "$bin/known_turns"
	counts $((10 * turn)) --trigger-repeat --trigger-start child --trigger-stop leave "$bin/known_turns"
	counts $((10 * turn + 9 * 2 + 5)) --trigger-start child "$bin/known_turns"
	counts $((10 * turn + 9 * 2 + 5)) --trigger-repeat --trigger-start child "$bin/known_turns"
	# One place for both: every other turn, 5 times until it comes there again.
	counts $((5 * (turn + 2))) --trigger-repeat --trigger-start child --trigger-stop child "$bin/known_turns"
}

test_events_that_take_turns_start_there_too()
{
	status 0 "$pfmon" stat -x, -e '{instructions:u,branches:u,loads:u,stores:u},{cycles:u,MEM_INST_RETIRED:LOADS:u,MEM_INST_RETIRED:STORES:u,DTLB_MISSES:WALK_COMPLETED:u}' \
		--trigger-start child --trigger-stop leave "$bin/known_long_one"
	awk -F, -v want=$((40 * loops)) '/,instructions:u,/ { exit !($1 > 0.9 * want && $1 < 1.1 * want) }' err ||
		fail "$(cat err)"
}

test_samples_are_exact_from_place_to_place()
{
	status 0 "$pfmon" record -e instructions:u -c 1001 --trigger-start child --trigger-stop leave "$bin/known_threads"
	is "samples of four threads" "$(samples)" $((4 * (work / 1001)))
	says "$(cat err)" ", 0 lost; 1 process, 4 threads, "
	status 0 "$pfmon" record -e instructions:u -c 1001 --trigger-repeat --trigger-start child --trigger-stop leave "$bin/known_turns"
	is "samples of ten turns, of which each goes on where the last one was" "$(samples)" $((10 * 4002 / 1001))
	status 0 "$pfmon" record -i -e instructions:u -c 1001 --trigger-start leave "$bin/known_one"
	is "samples of three instructions" "$(samples)" 0
}

test_one_function_is_sampled()
{
	status 0 "$pfmon" record -e instructions:u -c 1009 --trigger-start light "$sampled" shares
	"$pfmon" report -x ';' >shown
	awk -F';' '/;heavy;/ { heavy += $1 } /;light;/ { light += $1 } { all += $1 }
		END { exit !(!heavy && light > 1800 && light > 0.95 * all) }' shown || fail "$(cat shown)"
}

three()
{
	ln -sf "$bin/known_one" one
	ln -sf "$bin/known_procs" two
	ln -sf "$bin/known_threads" three
}

test_the_programs_of_a_name_are_counted()
{
	three
	counts $((one_insns)) --follow-exec=one sh -c './one; ./two; ./three; :'
	counts $((procs_insns + threads_insns)) --follow-exec='t*' sh -c './one; ./two; ./three; :'
	counts $((procs_insns + one_insns)) --follow-exec-exclude='*sh' --follow-exec-exclude=three \
		sh -c './one; ./two; ./three; :'
	counts $((4 * work)) --follow-exec=known_procs --trigger-start child --trigger-stop leave \
		sh -c './one; ./two; ./three; :'
}

test_the_programs_of_a_name_are_sampled()
{
	three
	status 0 "$pfmon" record -e instructions:u -c 1001 --follow-exec="t[hw]*" sh -c './one; ./two; exec ./three'
	says "$(cat err)" "; 5 processes, 8 threads, "
	is samples "$(samples)" $((4 * ((one_insns + 2) / 1001) + 2 * ((one_insns + 2) / 1001) +
		(one_insns + 36) / 1001 + (one_insns + 18) / 1001))
	"$pfmon" report --sort comm,file -x ';' >shown
	! grep -E ';(one|sh);|unknown' shown || fail "$(cat shown)"
	[ "$(grep -cE ';(two|three);.*/known_' shown)" -eq 2 ] || fail "$(cat shown)"
}

test_a_program_that_executes_another_is_sampled_until_there()
{
	three
	status 0 "$pfmon" record -e instructions:u -c 10007 --follow-exec=sampled \
		sh -c "'$sampled' exec ./one; exec '$sampled' exec ./two"
	"$pfmon" report --sort symbol,file -x ';' >shown
	! grep known_ shown || fail "$(cat shown)"
	awk -F';' '/;light;/ { light += $1 } END { exit !(light > 380) }' shown || fail "$(cat shown)"
}

test_without_perfs_event_programs_are_sampled_too()
{
	three
	status 0 env LD_PRELOAD="$bin/no_perfmonctl.so" NO_PERFMONCTL=perf NO_PERFMONCTL_PERF=13 \
		"$pfmon" record -e instructions:u -c 1001 --follow-exec="t*" sh -c './one; ./two; exec ./three'
	"$pfmon" report --sort comm,file -x ';' >shown
	[ "$(grep -cE ';(two|three);.*/known_' shown)" -eq 2 ] || fail "$(cat shown)"
	! grep -E ';(one|sh);|unknown' shown || fail "$(cat shown)"
}

test_nothing_of_that_name_is_said_in_the_recording()
{
	status 0 "$pfmon" record --follow-exec=nonsense sh -c 'ls; ls'
	says "$(cat err)" "note: no program that was executed is one of --follow-exec=nonsense: nothing was sampled"
	"$pfmon" report >shown 2>&1
	says "$(cat shown)" "no program that was executed"
}

is_running()
{
	kill -0 "$1" 2>/dev/null && [ "$(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null)" != Z ]
}

# No breakpoint is left in a command whose pfmon has ended: a breakpoint would kill it later.
test_a_command_with_places_ends_with_pfmon()
{
	local verb option tool pid

	for verb in 'stat -o counts' 'stat -i -o counts' record 'record -i'; do
		for option in '' --trigger-start=waiting_thread; do
			# shellcheck disable=SC2086 # words they are
			"$pfmon" $verb -e instructions:u $option "$bin/victim" spin 20 >out 2>err &
			tool=$!
			until pid=$(pgrep -x victim); do sleep 0.05; done
			sleep 0.1
			kill -KILL "$tool"
			wait "$tool"
			sleep 0.2
			if [ "$option" ]; then
				! is_running "$pid" || fail "$verb: the command is left"
			else
				is_running "$pid" || fail "$verb: the command has ended"
				kill -KILL "$pid"
				while is_running "$pid"; do sleep 0.1; done
			fi
		done
	done
}

test_nothing_is_left_behind()
{
	is sessions "$(cat /sys/kernel/perfmon/sessions/thread /sys/kernel/perfmon/sessions/system | paste -sd' ')" "0 0"
}

run_tests "$@"
