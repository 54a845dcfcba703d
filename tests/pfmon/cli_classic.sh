#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon as scripts for pfmon 3 call it, without a verb, over a double of the kernel.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

test_a_count_is_right_aligned_in_26_columns_and_on_stdout()
{
	status 0 "$fake" -e INSTRUCTION_RETIRED,cycles true
	is stdout "$(cat out)" "$(printf '%26s %s\n' 17000 INSTRUCTION_RETIRED 18000 cycles)"
	is stderr "$(cat err)" ''
}

test_the_commands_output_comes_first()
{
	status 3 "$fake" -e branches -- sh -c 'echo hello; exit 3'
	is stdout "$(cat out)" "$(printf 'hello\n%26s branches' 1000)"
}

test_a_script_that_reads_columns_works()
{
	"$fake" -e instructions,branches:u true | awk '{ count[$2] = $1 }
		END { print count["instructions"] / count["branches"] }' >ratio
	is ratio "$(cat ratio)" 17
}

test_only_the_first_task_is_counted_without_follow()
{
	status 0 "$fake" -e instructions "$victim" forks 3
	has alone "$(cat out)" '^ *17000 instructions$'
	status 0 "$fake" --follow-all --aggregate-results -e instructions "$victim" forks 3
	has all "$(cat out)" '^ *68000 instructions$'
	is stderr "$(cat err)" ''
}

test_following_in_one_way_says_that_all_are_followed()
{
	status 0 "$fake" --follow-fork --aggregate-results -e instructions "$victim" forks 1
	has all "$(cat out)" '^ *34000 instructions$'
	says "$(cat err)" "pfmon: note: what the command starts is followed whichever way"
}

test_counter_formats()
{
	status 0 "$fake" --us-counter-format -e instructions true
	is us "$(cat out)" "$(printf '%26s instructions' 17,000)"
	status 0 "$fake" --eu-counter-format -e instructions true
	is eu "$(cat out)" "$(printf '%26s instructions' 17.000)"
	status 0 "$fake" --hex-counter-format -e instructions true
	is hex "$(cat out)" "$(printf '%26s instructions' 0x4268)"
}

test_a_header_is_in_lines_with_a_hash()
{
	status 0 "$fake" --with-header -u -k -e instructions,branches true
	is counts "$(grep -vc '^#' out)" 2
	says "$(cat out)" "# command: true"
	says "$(cat out)" "# monitoring mode: per-thread"
	has events "$(cat out)" '^#	PMD16: instructions, set0 = uk$'
	has date "$(cat out)" '^# date: .* 20[0-9][0-9]$'
}

test_times_are_shown()
{
	status 0 "$fake" --show-time -e cycles true
	has times "$(head -n 1 out)" \
		'^real 0h00m[0-9]{2}\.[0-9]{3}s user 0h00m[0-9]{2}\.[0-9]{3}s sys 0h00m[0-9]{2}\.[0-9]{3}s$'
	is lines "$(wc -l <out)" 2
}

test_results_go_to_a_file()
{
	status 0 "$fake" --outfile=counts -e cycles sh -c 'echo own'
	is stdout "$(cat out)" own
	has counts "$(cat counts)" '^ *18000 cycles$'
}

test_levels_can_differ_by_event()
{
	status 0 "$fake" --with-header --priv-levels=k,uk -e instructions,branches,cycles true
	is levels "$(sed -n 's/^#.*PMD.* = //p' out | paste -sd' ')" "k uk u"
	is names "$(grep -v '^#' out | awk '{ print $2 }' | paste -sd' ')" \
		"instructions branches cycles"
}

test_two_lists_of_events_are_two_sets()
{
	status 0 "$fake" --with-header --switch-timeout=2 -e cycles,branches,loads,stores \
		-e instructions,DTLB_MISSES:WALK_COMPLETED,MEM_INST_RETIRED:LOADS,L1D:REPL,L2_RQSTS:MISS true
	is sets "$(sed -n 's/^#.*PMD.*, set\([0-9]*\) = .*/\1/p' out | paste -sd' ')" "0 0 0 0 1 1 1 1 1"
	is counts "$(grep -vc '^#' out)" 9
	says "$(cat err)" "pfmon: note: the events take 2 sets of counters, which are switched every 2 ms"
}

test_cpus_are_counted_together_when_aggregated()
{
	status 0 "$fake" --system-wide --cpu-list=0 --aggregate-results --with-header -e instructions true
	says "$(cat out)" "# monitoring mode: system-wide"
	has count "$(cat out)" '^ *17000 instructions$'
}

test_a_session_ends_after_its_timeout()
{
	local start=$SECONDS

	status 143 "$fake" --session-timeout=1 -e cycles sleep 100
	passes soon test "$((SECONDS - start))" -lt 50
	has count "$(cat out)" '^ *18000 cycles$'
}

test_events_are_listed_by_an_expression()
{
	status 0 "$fake" '-l^INST.*RETIRED$'
	says "$(cat out)" INSTRUCTION_RETIRED
	says_not "$(cat out)" BR_INST
	status 0 "$fake" -i INSTRUCTION_RETIRED
	says "$(cat out)" INSTRUCTION_RETIRED
	status 0 "$fake" -I
	says "$(cat out)" "4 general, 3 fixed"
}

test_what_is_not_done_is_named_and_nothing_runs()
{
	status 125 "$fake" --trigger-data-start-addresses=main -e cycles touch ran
	says "$(cat err)" "--trigger-data-start-addresses of pfmon 3: no verb starts at an access to data"
	status 125 "$fake" -e nonsense touch ran
	status 125 "$fake" --nonsense touch ran
	says "$(cat err)" "pfmon-from-pfmon3(7)"
	[ ! -e ran ] || fail "the command ran"
}

test_the_form_is_an_option_of_stat_as_well()
{
	status 0 "$fake" stat --pfmon3=us -e instructions:u,loads true
	is stdout "$(cat out)" "$(printf '%26s %s\n' 17,000 instructions 1,000 loads)"
	status 125 "$fake" stat --pfmon3=us,nonsense true
	says "$(cat err)" "--pfmon3=us,nonsense: a list of us, eu, hex, header and time is wanted"
	status 125 "$fake" stat --pfmon3 -j true
	says "$(cat err)" "-j, -x and --pfmon3 exclude each other"
}

run_tests "$@"
