#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Places in a command's code that start and stop counting, over a double of the kernel. The double
# counts whatever was started; triggers_guest.sh checks the exact counts. This needs debug registers
# that work, which a guest has, and not each machine.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

bin=$top/build/bin/tests/pfmon
sampled=$bin/sampled

# uncounted COMMAND...: counting never started
uncounted()
{
	status 0 "$fake" stat -x, -e instructions "$@"
	is count "$(sed -n 's/^\([0-9]*\),,instructions,.*/\1/p' err)" 0
}

test_counting_starts_where_it_is_to()
{
	stat_instructions 0 --trigger-start child "$bin/known_one"
	is tasks "$(tasks)" 1
	stat_instructions 0 --trigger-start heavy "$sampled" shares
	is "a program that is loaded anywhere" "$(tasks)" 1
	uncounted --trigger-start heavy "$sampled" calls
	stat_instructions 0 --trigger-start "0x$(nm "$bin/known_pie" | sed -n 's/ . child$//p')" "$bin/known_pie"
	is "an address" "$(tasks)" 1
}

test_threads_and_children_start_for_themselves()
{
	stat_instructions 0 --trigger-start child "$bin/known_threads"
	is "all threads" "$(tasks)" 4
	stat_instructions 0 --trigger-start child "$bin/known_procs"
	is "all processes" "$(tasks)" 4
	stat_instructions 0 -i --trigger-start child "$bin/known_procs"
	is "the first one" "$(tasks)" 1
	stat_instructions 0 --trigger-start small_thread "$victim" threads 3
	is "all threads but the first, which does not come there" "$(tasks)" 3
}

test_without_a_start_all_start_at_once()
{
	stat_instructions 0 --trigger-stop leave "$bin/known_procs"
	is tasks "$(tasks)" 4
}

test_another_program_waits_for_its_own_start()
{
	stat_instructions 0 --per-thread --trigger-start heavy --follow-exec=sampled \
		sh -c "'$sampled' shares; '$sampled' jit; exec '$sampled' shares"
	is "three, and not the shell" "$(grep -c '^[0-9]* sampled,' err)" 3
	is "two of them came there" "$(grep -c '^[0-9]* sampled,17000,' err)" 2
	stat_instructions 0 --trigger-start light "$sampled" exec /bin/true
	says "$(cat err)" "1 task could not be counted: "
	says "$(cat err)" "/true has no function 'light'"
}

test_what_is_no_place_is_refused_before_anything_runs()
{
	local verb

	for verb in stat record; do
		status 125 "$fake" "$verb" --trigger-start nonsense touch ran
		says "$(cat err)" "/touch has no function 'nonsense'"
		status 125 "$fake" "$verb" --trigger-start '' touch ran
		says "$(cat err)" "--trigger-start: a function or an address is wanted"
		status 125 "$fake" "$verb" --trigger-stop 1,2,3,4,5 touch ran
		says "$(cat err)" "--trigger-stop: there are debug registers for 4 places, and these are more"
		status 125 "$fake" "$verb" --trigger-stop 1 --delay 5 touch ran
		says "$(cat err)" "--delay and --trigger-start or --trigger-stop exclude each other"
		status 125 "$fake" "$verb" --trigger-repeat touch ran
		says "$(cat err)" "--trigger-repeat is about --trigger-start and --trigger-stop"
		status 125 "$fake" "$verb" --trigger-start main -C 0 touch ran
		says "$(cat err)" "are places in the code of a command"
	done
	[ ! -e ran ] || fail "the command ran"
	[ ! -e pfmon.data ] || fail "a recording was written"
}

# A virtual machine's may: nothing would be counted.
test_debug_registers_without_effect_are_noticed_before_anything_runs()
{
	local verb

	for verb in stat record; do
		status 125 env LD_PRELOAD="$bin/no_breakpoints.so" "$top/build/bin/pfmon" "$verb" \
			--trigger-start main touch ran
		is "$verb" "$(cat err)" "\
pfmon: --trigger-start and --trigger-stop need debug registers, and those of this machine stop no program
       The host of a virtual machine decides on them. --delay and --timeout begin and end by time."
	done
	[ ! -e ran ] || fail "the command ran"
}

test_two_functions_of_a_name_are_no_place()
{
	printf 'static int twice(int n) { return n + 1; }\nint (*a)(int) = twice;\n' >a.c
	printf 'static int twice(int n) { return n + 2; }\nint (*b)(int) = twice;\nint main(void) { return 0; }\n' >b.c
	gcc -g a.c b.c -o twice || fail "gcc"
	status 125 "$fake" stat --trigger-start twice ./twice
	says "$(cat err)" "/twice has 2 functions 'twice'"
}

test_a_name_of_the_source_is_one()
{
	printf 'namespace space { __attribute__((noinline)) void work(int) {} }\nint main() { space::work(1); }\n' >name.cc
	g++ -O0 name.cc -o name || fail "g++"
	stat_instructions 0 --trigger-start 'space::work(int)' ./name
	is "as it is written" "$(tasks)" 1
	stat_instructions 0 --trigger-start _ZN5space4workEi ./name
	is "as the linker knows it" "$(tasks)" 1
}

test_the_programs_own_traps_reach_it()
{
	status 133 "$fake" stat --trigger-start main "$victim" raise 5
	stat_instructions 0 --trigger-start child "$bin/known_one"
}

# A remaining breakpoint would kill it, as it is not traced.
test_what_outlives_the_command_has_no_breakpoints_left()
{
	local i

	printf '#include <unistd.h>\nvoid later(void) { write(1, "later\\n", 6); }\nint main(void) { if (fork()) return 0; sleep(1); later(); return 0; }\n' >late.c
	gcc late.c -o late 2>/dev/null || fail "gcc"
	# So many children at once that some have not stopped yet when their parents have ended.
	for i in {1..30}; do
		"$fake" stat -x, -e instructions --trigger-start later --trigger-repeat -o counts ./late >"out.$i" 2>"err.$i" &
	done
	wait
	for i in {1..30}; do
		wait_until 30 grep -q later "out.$i"
	done
}

test_the_options_of_pfmon_3_are_these()
{
	status 0 "$fake" --trigger-code-start-addresses=child --trigger-code-stop-addresses=leave -e instructions "$bin/known_one"
	has count "$(cat out)" '^ *17000 instructions$'
	status 0 "$fake" --trigger-code-start-addresses=leave --trigger-code-follow --follow-all --aggregate-results \
		-e instructions "$bin/known_procs"
	has count "$(cat out)" '^ *68000 instructions$'
	is stderr "$(cat err)" ''
}

run_tests "$@"
