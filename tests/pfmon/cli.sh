#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon as a user sees it, over a double of the kernel (fake_perfmonctl.c): options,
# forms of output, following, signals, exit statuses, errors. Runs on any machine.
#
# The double counts 1000 * (1 + the PMD's number) for each task, so that the number of
# tasks can be told from a count: instructions are 17000 (PMD16), cycles 18000 (PMD17).
#
# runs: host seconds=900
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source=tests/pfmon/cases.sh
. "$here/cases.sh"

top=$(dirname "$(dirname "$here")")
fake=$top/build/bin/tests/pfmon/pfmon-fake
victim=$top/build/bin/tests/pfmon/victim
export LIBPFM_FORCE_PMU=nhm PFMON_EMULATED=0
unset PERFMON_FAKE

# One more than a general counter for each, so two sets: "loads:u" is in the second one.
six=cycles,instructions,branches,stores,loads,DTLB_MISSES:WALK_COMPLETED,loads:u

# The tasks that were counted, from the count of instructions.
tasks()
{
	local count

	count=$(sed -n 's/^\([0-9]*\),,instructions,.*/\1/p' err)
	[ -n "$count" ] || fail "no count of instructions in:" "$(cat err)"
	echo $((count / 17000))
}

stat_instructions()
{
	local want=$1

	shift
	status "$want" "$fake" stat -x, -e instructions "$@"
}

test_a_command_is_counted()
{
	stat_instructions 0 true
	same tasks "$(tasks)" 1
}

test_its_children_are_counted()
{
	stat_instructions 0 sh -c '/bin/true; /bin/true & wait; /bin/true; exit 0'
	same tasks "$(tasks)" 4
}

test_its_threads_are_counted()
{
	stat_instructions 0 "$victim" threads 7
	same tasks "$(tasks)" 8
}

test_threads_at_once_are_counted()
{
	stat_instructions 0 "$victim" crowd 100
	same tasks "$(tasks)" 101
}

test_grandchildren_are_counted()
{
	stat_instructions 0 sh -c 'sh -c "sh -c \"/bin/true; :\"; :"; :'
	same tasks "$(tasks)" 4
}

test_vfork_children_are_counted()
{
	stat_instructions 0 "$victim" vfork true
	same tasks "$(tasks)" 2
}

test_many_children_one_after_the_other_are_counted()
{
	stat_instructions 0 "$victim" forks 500
	same tasks "$(tasks)" 501
}

test_exec_from_a_thread_keeps_all_counts()
{
	stat_instructions 0 "$victim" exec true
	same tasks "$(tasks)" 2
}

test_exec_keeps_the_context()
{
	stat_instructions 0 sh -c 'exec sh -c "exec true"'
	same tasks "$(tasks)" 1
}

test_no_inherit_counts_the_first_thread_only()
{
	stat_instructions 0 -i "$victim" threads 3
	same tasks "$(tasks)" 1
	stat_instructions 0 --no-inherit "$victim" forks 3
	same tasks "$(tasks)" 1
}

test_no_inherit_leaves_the_command_untraced()
{
	status 0 "$fake" stat -i grep TracerPid /proc/self/status
	same tracer "$(cat out)" "$(printf 'TracerPid:\t0')"
}

test_fewer_descriptors_than_processes_suffice()
{
	(ulimit -n 40 && stat_instructions 0 "$victim" forks 100) || exit 1
	same tasks "$(tasks)" 101
}

test_tasks_beyond_the_descriptors_are_reported()
{
	(ulimit -n 64 && stat_instructions 0 "$victim" crowd 100) || exit 1
	grep -q '^# [0-9]* tasks could not be counted: .*open files' err || fail "$(cat err)"
}

test_status_is_the_commands()
{
	status 0 "$fake" stat true
	status 1 "$fake" stat false
	status 255 "$fake" stat sh -c 'exit 255'
}

test_status_of_a_killed_command_is_128_and_the_signal()
{
	status 137 "$fake" stat "$victim" raise 9
	status 139 "$fake" stat "$victim" raise 11
	says "$(cat err)" cycles
}

test_status_is_127_for_a_missing_command()
{
	status 127 "$fake" stat /no/such/command
	says "$(cat err)" "cannot run '/no/such/command': No such file"
	says_not "$(cat err)" cycles
	status 127 "$fake" stat -i no-such-command-in-path
	status 127 "$fake" stat -a /no/such/command
}

test_status_is_126_for_a_command_that_cannot_run()
{
	echo text >file
	status 126 "$fake" stat ./file
	says "$(cat err)" "Permission denied"
	status 126 "$fake" stat /
}

test_status_is_125_for_pfmons_own_failure()
{
	status 125 "$fake" stat
	status 125 "$fake" stat -e nonsense true
	status 125 "$fake" stat -o /no/such/dir/file true
	status 125 "$fake" stat --no-such-option
	status 125 "$fake" nonsense
	status 125 "$fake"
}

test_nothing_runs_when_something_is_wrong()
{
	status 125 "$fake" stat -e nonsense touch ran
	status 125 "$fake" stat -e '{cycles,cycles,cycles,cycles,cycles,cycles}' touch ran
	status 125 env PERFMON_FAKE=oldkernel "$fake" stat -e "$six" touch ran
	status 125 env PERFMON_FAKE=busy "$fake" stat touch ran
	status 125 env PERFMON_FAKE=busy "$fake" stat -a touch ran
	[ ! -e ran ] || fail "the command ran"
}

test_the_commands_output_stays_clean()
{
	status 0 "$fake" stat sh -c 'echo to stdout; echo to stderr >&2'
	same stdout "$(cat out)" "to stdout"
	same "first line of stderr" "$(head -n 1 err)" "to stderr"
	says "$(cat err)" "seconds time elapsed"
}

test_output_goes_to_a_file()
{
	status 0 "$fake" stat -o report sh -c 'echo x >&2'
	same stderr "$(cat err)" x
	says "$(cat report)" instructions
	status 0 "$fake" stat --output=report true
	same headings "$(grep -c 'Counts for' report)" 1
}

test_text_looks_like_this()
{
	status 0 "$fake" stat -e instructions,cycles:u,branches sh -c 'exit 0'
	sed -i 's/[0-9]*\.[0-9]* \(  *sec\|seconds\)/N seconds/; s/[0-9.]* \([ KMG]\)\(\/sec\|GHz\)/N \1\2/; s/# *N/# N/; s/^ *N/N/' err
	sed -e 's/^|//' >want <<'WANT'
|
| Counts for 'sh -c exit 0':
|
|              17,000      instructions
|              18,000      cycles:u
|               1,000      branches
|
WANT
	cut -d'#' -f1 err | sed 's/ *$//' | head -n 7 | diff - <(sed 's/ *$//' want) || exit 1
	grep -q '^N seconds time elapsed$' err || fail "$(cat err)"
	grep -q '^N seconds user$' err || fail "$(cat err)"
	grep -q '^N seconds sys$' err || fail "$(cat err)"
}

test_ipc_needs_the_same_levels()
{
	status 0 "$fake" stat -e instructions,cycles true
	says "$(cat err)" "0.944  insn per cycle"
	status 0 "$fake" stat -e instructions:u,cycles true
	says_not "$(cat err)" "insn per cycle"
}

test_separated_lines_have_nine_fields()
{
	status 0 "$fake" stat -x ';' true
	same "numbers of fields" "$(awk -F';' '{ print NF }' err | sort -u)" 9
	same names "$(cut -d';' -f3 err | paste -sd' ')" \
		"cycles instructions ref-cycles branches loads stores elapsed user sys"
	status 0 "$fake" stat -x ';' -r 2 true
	same "numbers of fields" "$(awk -F';' '{ print NF }' err | sort -u)" 9
	same deviation "$(sed -n '1s/^18000;;cycles;\([^;]*\);100.00;.*;18000;0$/\1/p' err)" 0.00
}

test_a_tab_can_be_written_as_backslash_t()
{
	status 0 "$fake" stat -x '\t' -e branches true
	same fields "$(head -n 1 err | cut -f1,3)" "$(printf '1000\tbranches')"
}

test_a_separator_that_is_in_a_name_is_refused()
{
	status 125 "$fake" stat -x : -e branches:u true
	says "$(cat err)" "occurs in the event name branches:u"
}

test_json_is_one_valid_object()
{
	status 3 "$fake" stat -j -e instructions,branches:u sh -c 'exit 3'
	same figures "$(jq -r '[.format, .runs, .sessions, .status, .interrupted,
		.events[0].event, .events[0].count, .events[0].kernel, .events[0].pmd,
		.events[1].event, .events[1].count, .events[1].kernel,
		.target.kind, (.target.command | length), (.notes | length)] | join(" ")' err)" \
		"1 1 1 3 false instructions 17000 true 16 branches:u 1000 false command 3 0"
	jq -e '.elapsed_seconds > 0 and .user_seconds >= 0 and .system_seconds >= 0' err >out ||
		fail "$(cat err)"
}

test_json_takes_any_argument()
{
	status 0 "$fake" stat -j sh -c 'exit 0' "$(printf 'quote" back\\ nl\n bad\xff \xc3\xa4')"
	jq -e . err >out || fail "$(cat err)"
	same argument "$(jq -r '.target.command[3]' err)" "$(printf 'quote" back\\ nl\n bad\xef\xbf\xbd \xc3\xa4')"
}

test_json_of_repeated_runs_has_each_count()
{
	status 0 "$fake" stat -j -r 3 -e cycles "$victim" forks 1
	same counts "$(jq -c '.events[0].counts' err)" "[36000,36000,36000]"
	same mean "$(jq '.events[0].count == 36000 and .events[0].deviation_percent == 0' err)" true
}

test_repeat_shows_mean_and_deviation()
{
	# One task in the first run, two in the second, three in the third: 17000 * 2.
	echo 0 >runs
	cat >grow <<'SH'
read -r n <runs
echo $((n + 1)) >runs
exec "$1" forks "$n"
SH
	status 0 "$fake" stat -r 3 -e instructions sh grow "$victim"
	says "$(cat err)" "(3 runs)"
	grep -q '34,000 .*( ± 28.87% )' err || fail "$(cat err)" # 17000/sqrt(3)/34000
	same runs "$(cat runs)" 3
}

test_repeat_returns_the_first_failure()
{
	status 4 "$fake" stat -r 3 sh -c 'echo >>runs; [ "$(wc -l <runs)" -ne 2 ] || exit 4'
	same runs "$(wc -l <runs)" 3
}

test_repeat_of_a_missing_command_stops_at_once()
{
	status 127 "$fake" stat -r 1000 /no/such/command
	same complaints "$(wc -l <err)" 1
}

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
	rm -f out # or the last one's is looked at
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
	# A background process of a script ignores SIGINT: env gives it back.
	interrupt TERM 143 sh -c 'echo ready; exec sleep 3000'
	interrupt HUP 129 sh -c 'echo ready; exec sleep 3000'
	interrupt TERM 6 sh -c 'trap "kill \$!; exit 6" TERM; echo ready; sleep 3000 & wait'
}

test_sigint_of_the_terminal_ends_both_and_counts_are_printed()
{
	# script(1) makes a terminal; ^C goes to its foreground group, pfmon and command.
	# It is typed when the command runs, and the terminal is there until all is over.
	# Their shell is in that group as well: it takes the signal and goes on, whichever it is.
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

# PMD0 is 1000 in each set; set 0 is active for one third of the time.
test_events_that_do_not_fit_take_turns_and_are_scaled()
{
	status 0 "$fake" stat -e "$six" true
	grep -q '3,000      branches  .*  (33\.3%)$' err || fail "$(cat err)"
	grep -q '1,500      loads:u  .*  (66\.7%)$' err || fail "$(cat err)"
	says "$(cat err)" "Note: the events take 2 sets of counters, which are switched every 1 ms"
	says "$(cat err)" "scaled up"
	says_not "$(cat err)" "not scaled"
}

test_counts_are_not_scaled_when_asked()
{
	status 0 "$fake" stat --no-scale -e "$six" true
	grep -q ' 1,000      branches  .*  (33\.3%, not scaled)$' err || fail "$(cat err)"
	grep -q ' 1,000      loads:u  .*  (66\.7%, not scaled)$' err || fail "$(cat err)"
	says_not "$(cat err)" "scaled up"
}

test_one_set_is_as_before()
{
	status 0 "$fake" stat --no-scale --switch-timeout 3 -e cycles,branches true
	says_not "$(cat err)" Note
	says_not "$(cat err)" "%)"
	grep -q '18,000      cycles' err || fail "$(cat err)"
}

test_fields_of_sets_tell_share_raw_count_and_set()
{
	status 0 "$fake" stat -x ';' -e "$six" true
	same fields "$(grep -v '^#' err | awk -F';' '{ print NF }' | sort -u)" 9
	same "an event of set 0" "$(sed -n 's/;[^;]*;[^;]*;\([^;]*;0\)$/;\1/p' err | grep ';branches;')" \
		"3000;;branches;;33.33;1000;0"
	same "an event of set 1" "$(sed -n 's/;[^;]*;[^;]*;\([^;]*;1\)$/;\1/p' err)" \
		"1500;;loads:u;;66.67;1000;1"
	grep -q '^# the events take 2 sets' err || fail "$(cat err)"
	status 0 "$fake" stat -x ';' --no-scale -e "$six" true
	grep -q '^1000;;loads:u;;66.67;.*;1000;1$' err || fail "$(cat err)"
}

test_json_of_sets_tells_share_raw_count_and_set()
{
	status 0 "$fake" stat -j -e "$six" true
	same event "$(jq -c '.events[6] | [.event, .set, .count, .raw_count, .scaled,
		.share_percent, .counts, .raw_counts]' err)" \
		'["loads:u",1,1500,1000,true,66.67,[1500],[1000]]'
	same sets "$(jq -c '[.sets[] | [.set, .turns, .active_seconds]], .switch_timeout_ms' err | paste -sd' ')" \
		'[[0,1,0.001],[1,2,0.002]] 1'
	status 0 "$fake" stat -j --no-scale -e "$six" true
	same event "$(jq -c '.events[6] | [.count, .raw_count, .scaled]' err)" '[1000,1000,false]'
	status 0 "$fake" stat -j -e cycles true
	same "one set" "$(jq -c '[.events[0].set, .events[0].scaled, .events[0].raw_count, .sets,
		.switch_timeout_ms]' err)" '[0,false,18000,[],null]'
}

test_threads_add_up_before_scaling()
{
	# In each of four, set 1 is active twice as long as set 0.
	status 0 "$fake" stat -j -e "$six" "$victim" threads 3
	same figures "$(jq -c '.events[6] | [.count, .raw_count, .share_percent]' err)" \
		'[6000,4000,66.67]'
	same turns "$(jq -c '[.sets[].turns]' err)" '[4,8]'
}

test_sets_work_with_all_targets()
{
	local pid

	"$victim" spin &
	pid=$!
	for target in -a "-C 0" "-p $pid" "-t $pid"; do
		# shellcheck disable=SC2086 # an option and its value
		status 0 "$fake" stat $target -j -e "$six" sleep 0.1
		same "figures of $target" "$(jq -c '.events[6].count == 1500 * .sessions' err)" true
	done
	kill "$pid"
}

test_groups_stay_together_and_in_order()
{
	status 0 "$fake" stat -j -e '{loads,stores},{branches,loads:u,stores:u},{branches:u}' true
	same sets "$(jq -c '[.events[].set]' err)" '[0,0,1,1,1,1]'
	status 0 "$fake" stat -j -e '{loads,stores},{branches,cycles}' true
	same sets "$(jq -c '[.events[].set]' err)" '[0,0,0,0]'
}

test_a_group_that_is_too_large_is_explained()
{
	status 125 "$fake" stat -e 'cycles,{loads,stores,branches,loads:u,stores:u}' touch ran
	says "$(cat err)" "the group {loads,stores,branches,loads:u,stores:u} does not fit into one event set"
	says "$(cat err)" "event stores:u does not fit"
	[ ! -e ran ] || fail "the command ran"
}

test_ratios_are_made_within_a_set()
{
	status 0 "$fake" stat -j -e '{cycles,loads,stores,branches,loads:u},{instructions,loads}' true
	same units "$(jq -c '[.events[0,5].derived.unit]' err)" '["GHz","/sec"]'
	status 0 "$fake" stat -j -e '{loads,stores,branches,loads:u},{instructions,cycles,loads}' true
	same unit "$(jq -c '.events[4].derived' err)" \
		'{"value":0.944444,"unit":"insn per cycle"}'
}

test_what_had_no_turn_is_not_counted()
{
	export PERFMON_FAKE=short
	status 0 "$fake" stat -e "$six" true
	grep -q ' <not counted>      loads:u *(0\.0%)$' err || fail "$(cat err)"
	grep -q ' 1,000      branches .*(100\.0%)$' err || fail "$(cat err)"
	says "$(cat err)" "what is not counted had no turn"
	status 0 "$fake" stat -x ';' -e "$six" true
	grep -qx '<not counted>;;loads:u;;0.00;;;<not counted>;1' err || fail "$(cat err)"
	status 0 "$fake" stat -j -e "$six" true
	same event "$(jq -c '.events[6] | [.count, .raw_count, .counts, .derived, .scaled]' err)" \
		'[null,null,[null],null,false]'
	same event "$(jq -c '.events[2] | [.count, .scaled]' err)" '[1000,false]'
}

test_short_threads_and_runs_begin_with_different_sets()
{
	export PERFMON_FAKE=short
	status 0 "$fake" stat -j -e "$six" "$victim" forks 5
	same turns "$(jq -c '[.sets[].turns]' err)" '[3,6]' # three of each set
	same figures "$(jq -c '.events[6] | [.raw_count, .share_percent]' err)" '[3000,66.67]'
	status 0 "$fake" stat -j -r 4 -e "$six" true
	same counts "$(jq -c '[.events[2,6].counts]' err)" '[[1000,null,1000,null],[null,1000,null,1000]]'
	same notes "$(jq -r '.notes | length' err)" 1
}

test_the_effective_timeout_is_told()
{
	status 0 "$fake" stat --switch-timeout 0.02 -e "$six" true
	says "$(cat err)" "switched every 0.1 ms (0.02 ms are not possible here)"
	status 0 "$fake" stat --switch-timeout=2500.25 -j -e "$six" true
	same timeout "$(jq .switch_timeout_ms err)" 2500.25
	says "$(cat err)" "every 2500.25 ms:"
}

test_a_switch_timeout_out_of_range_is_refused()
{
	local bad

	for bad in 0 0.0 -1 x 1x '' . .5 1e3 0.0000001 86400000.1 86400001 99999999999999999999 1.2.3; do
		status 125 "$fake" stat --switch-timeout "$bad" touch ran
		says "$(cat err)" "--switch-timeout $bad: milliseconds are wanted, from 0.000001 to 86400000"
	done
	[ ! -e ran ] || fail "the command ran"
	status 0 "$fake" stat --switch-timeout 86400000 -e "$six" true
	status 0 "$fake" stat --switch-timeout 0.000001 -e "$six" true
}

test_a_kernel_without_sets_is_explained()
{
	export PERFMON_FAKE=oldkernel
	status 125 "$fake" stat -e "$six" true
	says "$(cat err)" "the events take 2 sets of counters, and this kernel has no event sets"
	says "$(cat err)" "Leave events out"
	status 0 "$fake" stat true
}

test_too_little_memory_for_sets_is_explained()
{
	status 125 env PERFMON_FAKE=locked "$fake" stat -e "$six" true
	says "$(cat err)" "more memory than this user may lock"
	says "$(cat err)" "ulimit -l"
}

test_more_sets_than_the_kernel_takes_are_refused()
{
	local events

	events=$(yes L1D:REPL | head -n 34 | paste -sd,) # two of a set, and 16 sets
	status 125 "$fake" stat -e "$events" true
	says "$(cat err)" "PFM_CREATE_EVTSETS: element 16 (set16)"
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

test_pfmon_in_pfmon_says_what_to_do()
{
	# The leak sanitizer does not work in a traced process.
	export ASAN_OPTIONS=detect_leaks=0
	status 125 "$fake" stat -o outer "$fake" stat true
	says "$(cat err)" "another pfmon (which -i prevents)"
	status 0 "$fake" stat -i -o outer "$fake" stat true
	says "$(cat err)" cycles
	says "$(cat outer)" cycles
}

test_ignored_signals_stay_ignored()
{
	status 0 sh -c 'trap "" CHLD INT USR1; grep SigIgn /proc/self/status >ign; exec "$0" stat grep SigIgn /proc/self/status' "$fake"
	same "ignored signals" "$(cat out)" "$(cat ign)"
}

test_limits_are_the_commands_own()
{
	(ulimit -Sn 50 && status 0 "$fake" stat sh -c 'ulimit -Sn') || exit 1
	same limit "$(cat out)" 50
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
	same status $? 7
}

test_what_outlives_the_command_is_released()
{
	local pid

	stat_instructions 5 "$victim" linger
	pid=$(sed -n 's/^lingering //p' out)
	[ -n "$pid" ] || fail "$(cat out)"
	grep -q 'TracerPid:.0$' "/proc/$pid/status" || fail "it is gone or still traced"
	says "$(cat err)" "# 1 task outlived the command"
	same tasks "$(tasks)" 2
	kill "$pid"
}

test_a_task_that_cannot_be_counted_is_reported()
{
	status 0 env PERFMON_FAKE=second "$fake" stat -x, -e instructions "$victim" forks 3
	same tasks "$(tasks)" 1
	grep -q '^# 3 tasks could not be counted: PFM_LOAD_CONTEXT' err || fail "$(cat err)"
}

test_without_the_system_call_the_way_out_is_shown()
{
	export PERFMON_FAKE=nosys
	status 125 "$fake" stat true
	says "$(cat err)" "this kernel has no perfmonctl()"
	says "$(cat err)" tools/vm/run
	says "$(cat err)" "make patch"
	status 1 "$fake" info
	says "$(cat err)" "no perfmonctl()"
	status 1 "$fake" info -j
	same perfmonctl "$(jq .perfmonctl out)" false
	status 0 "$fake" list INST_RETIRED
}

test_a_taken_pmu_is_explained()
{
	status 125 env PERFMON_FAKE=busy "$fake" stat true
	says "$(cat err)" "PMU is in use"
	says "$(cat err)" perf
	says "$(cat err)" session
}

test_without_kernel_level_users_count_at_user_level_and_are_told()
{
	export PERFMON_FAKE=kernel
	status 0 "$fake" stat true
	says "$(cat err)" instructions:u
	says "$(cat err)" "Note: counted at user level only"
	status 0 "$fake" stat -e instructions:u true
	says_not "$(cat err)" Note
	status 125 "$fake" stat -e instructions:k true
	says "$(cat err)" CAP_PERFMON
	status 0 "$fake" stat -x, -e instructions true
	says "$(cat err)" "# counted at user level only"
	status 0 "$fake" stat -j -e instructions true
	same note "$(jq -r '.notes[0]' err | cut -c1-26)" "counted at user level only"
}

test_without_system_wide_rights_the_way_out_is_shown()
{
	status 125 env PERFMON_FAKE=system "$fake" stat -a true
	says "$(cat err)" perf_event_paranoid
	says "$(cat err)" "leave out -a"
}

test_a_thread_of_another_user_is_explained()
{
	status 125 env PERFMON_FAKE=load "$fake" stat -t 1 true
	says "$(cat err)" "belongs to another user"
}

test_cpus_are_counted_while_a_command_runs()
{
	local cpus

	cpus=$(getconf _NPROCESSORS_ONLN)
	stat_instructions 0 -a true
	same cpus "$(tasks)" "$cpus"
	stat_instructions 0 -C 0 true
	same cpus "$(tasks)" 1
	stat_instructions 0 -a -C 0 true
	same cpus "$(tasks)" 1
	status 0 "$fake" stat -j -C 0 true
	same cpus "$(jq -c .target.cpus err)" "[0]"
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
	same CPUs "$(cat out)" "$(cat want)"
}

test_all_threads_of_a_process_are_counted()
{
	local pid

	"$victim" spin &
	pid=$!
	stat_instructions 0 -p "$pid" sleep 0.1
	same threads "$(tasks)" 1
	stat_instructions 0 -t "$pid" sleep 0.1
	same threads "$(tasks)" 1
	status 0 "$fake" stat -j -p "$pid" --timeout 100
	same pid "$(jq '.target.pid' err)" "$pid"
	kill "$pid"
}

test_a_process_that_is_not_there_is_named()
{
	status 125 "$fake" stat -p 4194304 true
	says "$(cat err)" "no process 4194304"
	status 125 "$fake" stat -t 4194304 true
	says "$(cat err)" "no thread 4194304"
}

# pfmon blocks SIGTERM to read it; it is bit 14, of the fourth digit from the right. (So
# may the shell do that becomes pfmon.)
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
	same status "$got" 0
	says "$(cat err)" cycles
}

test_options_that_contradict_each_other_are_refused()
{
	status 125 "$fake" stat -a -p 1 true
	says "$(cat err)" "exclude each other"
	status 125 "$fake" stat -p 1 -t 1 true
	status 125 "$fake" stat -x, -j true
	status 125 "$fake" stat -r 3 -a
	says "$(cat err)" "there is none"
	status 125 "$fake" stat -i -a true
	status 125 "$fake" stat -p 1 -p 2 true
}

test_option_values_are_checked()
{
	local bad

	for bad in 0 -1 x 1x '' 99999999999999999999; do
		status 125 "$fake" stat -r "$bad" true
		status 125 "$fake" stat --timeout "$bad" true
		status 125 "$fake" stat -p "$bad" true
	done
	status 125 "$fake" stat -x '' true
}

test_options_end_at_the_command()
{
	status 0 "$fake" stat printf '%s %s' -e -x
	same output "$(cat out)" "-e -x"
	status 0 "$fake" stat -- printf '%s' --help
	same output "$(cat out)" "--help"
}

test_the_emulated_pmu_refuses_other_events()
{
	export PFMON_EMULATED=1
	status 125 "$fake" stat -e L1D:REPL true
	says "$(cat err)" "does not model it"
	status 0 "$fake" stat -e HW_INT_RCVD,instructions true
}

test_list_shows_events_and_unit_masks()
{
	status 0 "$fake" list
	grep -q '^cycles  *UNHALTED_CORE_CYCLES' out || fail "no short names"
	grep -q '^INST_RETIRED ' out || fail "no events"
	grep -q '^    :ANY_P .*\[default\]' out || fail "no unit masks"
}

test_list_takes_globs_and_words()
{
	status 0 "$fake" list 'mem_inst*'
	same events "$(grep -c '^[A-Z_][A-Z_]* .*' out)" 1
	status 0 "$fake" list MEM_INST_RETIRED:LOADS
	same masks "$(grep -c '^    :' out)" 1
	status 0 "$fake" list retired:any
	grep -q ':ANY_P' out || fail "$(cat out)"
	status 0 "$fake" list cycl
	grep -q '^cycles ' out || fail "$(cat out)"
}

test_list_without_a_match_fails_and_suggests()
{
	status 1 "$fake" list INST_RETIERD
	says "$(cat err)" INST_RETIRED
}

test_list_of_the_emulated_pmu_says_what_counts()
{
	local -r models='^Events that the emulated PMU of this guest models:$'

	export PFMON_EMULATED=1
	status 0 "$fake" list
	sed -n "/$models/,/^\$/p" out >counting
	sed -n '/^Events that it does not model/,$p' out >rest
	grep -q '^MEM_INST_RETIRED ' counting || fail "loads and stores are not listed"
	grep -q '^HW_INT_RCVD ' counting || fail "what libpfm4 does not name is not listed"
	grep -q '^L1D ' rest || fail "the rest is not listed"
	! grep -q '^L1D ' counting || fail "L1D is said to count"
	status 0 "$fake" list 'L1D'
	! grep -q "$models" out || fail "a heading without events"
}

test_info_shows_counters_and_rights()
{
	status 0 "$fake" info
	says "$(cat out)" "4 general, 3 fixed, 48 bits"
	says "$(cat out)" "5 PMCs, 7 PMDs"
	! grep -q '^PMC0 ' out || fail "a summary does not list registers:" "$(cat out)"
	grep -q 'monitor threads *yes, at user and kernel level' out || fail "$(cat out)"
	status 0 env PERFMON_FAKE=kernel,system "$fake" info
	grep -q 'monitor threads *yes, at user level only' out || fail "$(cat out)"
	grep -q 'monitor whole CPUs *no' out || fail "$(cat out)"
}

test_info_shows_registers_of_the_running_pmu()
{
	status 0 "$fake" info --registers
	grep -qE '^PMC0 .*MSR +0x186 +- +0x100000 ' out || fail "$(cat out)"
	same registers "$(grep -cE '^PM[CD][0-9]' out)" 12
	! grep -q 'You may' out || fail "there is more than registers:" "$(cat out)"
	status 0 "$fake" info -jr
	same figures "$(jq -r '[.format, .counter_width, (.pmcs | length), (.pmds | length),
		.pmcs[0].width, has("limits")] | join(" ")' out)" "1 48 5 7  false"
	status 1 env PERFMON_FAKE=nosys "$fake" info -r
	says "$(cat err)" "no perfmonctl()"
	status 1 env PERFMON_FAKE=nosys "$fake" info -jr
	same figures "$(jq .perfmonctl out)" false
}

# Of every table, on a machine that has none of these PMUs, nor the call.
test_info_shows_registers_of_any_pmu()
{
	local name

	export PERFMON_FAKE=nosys
	status 0 "$fake" info --pmu list
	cut -d' ' -f1 out >names
	[ "$(wc -l <names)" -ge 15 ] || fail "$(cat names)"
	same "names used twice" "$(sort names | uniq -d)" ""
	status 0 "$fake" info -jP list
	same names "$(jq -r '.pmus[].name' out)" "$(cat names)"
	while read -r name; do
		status 0 "$fake" info --registers --pmu "$name"
		[ "$(grep -cE '^PMC[0-9]+ +[^ ]+ +[A-Za-z]+ +(0x[0-9a-f]+|-) +[0-9]+ ' out)" -ge 2 ] ||
			fail "$name:" "$(cat out)"
		grep -qE '^PMD(265|281) +tid +soft ' out || fail "$name:" "$(cat out)"
		grep -E '^PM[CD]' out | awk '{ print $1 }' | sort | uniq -d >twice
		same "$name: registers listed twice" "$(cat twice)" ""
		cp out text
		status 0 "$fake" info -j --pmu "$name"
		same "$name: registers" "$(jq '(.pmcs + .pmds) | length' out)" \
			"$(grep -cE '^PM[CD][0-9]' text)"
		status 0 "$fake" info --pmu "$name"
		grep -qE '^Counters +[1-9]' out || fail "$name:" "$(cat out)"
		says "$(cat out)" " bits"
	done <names
}

# From the manuals, not from the tables.
test_info_of_any_pmu_is_right()
{
	export PERFMON_FAKE=nosys
	status 0 "$fake" info --pmu core2
	says "$(cat out)" "2 general, 3 fixed, 40 bits"
	status 0 "$fake" info -r --pmu goldmont
	grep -qE '^PMC3 +IA32_PERFEVTSEL3 +MSR +0x189 +64 +0x100000 +0xffffffff00380000$' out ||
		fail "$(cat out)"
	grep -qE '^PMD18 +IA32_FIXED_CTR2 +MSR +0x30b +48 ' out || fail "$(cat out)"
	status 0 "$fake" info -r --pmu software
	grep -qE '^PMC11 +system-calls +soft +- +64 +0 +0xffffffffffbfffff$' out ||
		fail "$(cat out)"
	grep -qE '^PMD4 +task-clock +soft +- +64 ' out || fail "$(cat out)"
	status 0 "$fake" info --pmu software
	says "$(cat out)" "8, each with its event, 64 bits"
}

test_info_shows_the_pentium_4s_counters_and_selectors()
{
	export PERFMON_FAKE=nosys
	status 0 "$fake" info -r --pmu p4
	same counters "$(grep -cE '^PMD[0-9]+ +MSR_(BPU|MS|FLAME|IQ)_COUNTER[0-5] ' out)" 18
	same CCCRs "$(grep -cE '^PMC[0-9]+ +MSR_(BPU|MS|FLAME|IQ)_CCCR[0-5] ' out)" 18
	same ESCRs "$(grep -cE '^PMC[0-9]+ +MSR_[A-Z0-9]+_ESCR[0-5] ' out)" 45
	grep -qE '^PMC97 +MSR_CRU_ESCR5 +MSR +0x3e1 ' out || fail "$(cat out)"
	status 0 "$fake" info --pmu p4
	says "$(cat out)" "40 bits; pfmon has no events for them"
}

test_info_shows_itaniums_registers_and_debug_registers()
{
	export PERFMON_FAKE=nosys
	status 0 "$fake" info -r --pmu itanium2
	grep -qE '^PMC8 +PMC8 +PMC +0x8 +64 ' out || fail "$(cat out)"
	grep -qE '^PMC257 +IBR1 +IBR +0x1 +64 +0 +0x8000000000000000$' out || fail "$(cat out)"
	grep -qE '^PMC271 +DBR7 +DBR +0x7 +64 +0 +0xc000000000000000$' out || fail "$(cat out)"
	grep -qE '^PMD7 +PMD7 +PMD +0x7 +47 ' out || fail "$(cat out)"
	grep -qE '^PMD272 +cpu-clock ' out || fail "$(cat out)"
	status 0 "$fake" info -r --pmu montecito
	same buffers "$(grep -cE '^PMD(4[89]|5[0-9]|6[0-3]) ' out)" 16
}

test_info_shows_the_special_purpose_registers_of_power()
{
	export PERFMON_FAKE=nosys
	status 0 "$fake" info -r --pmu power9
	same counters "$(grep -cE '^PMD[0-5] +PMC[1-6] +SPR +0x31[3-8] +31 ' out)" 6
	grep -qE '^PMC6 +MMCR0 +SPR +0x31b +64 +0x404c000 ' out || fail "$(cat out)"
	grep -qE '^PMD6 +SIAR +SPR +0x31c +64 ' out || fail "$(cat out)"
	same MMCR3 "$(grep -c MMCR3 out)" 0
	status 0 "$fake" info -r --pmu power10
	grep -qE '^PMC10 +MMCR3 +SPR +0x2f2 ' out || fail "$(cat out)"
}

test_info_refuses_bad_arguments()
{
	status 1 "$fake" info --pmu
	says "$(cat err)" "usage: pfmon info"
	status 1 "$fake" info --pmu no_such_pmu
	says "$(cat err)" "no table of a PMU 'no_such_pmu'"
	says "$(cat err)" "pfmon info --pmu list"
	status 1 "$fake" info --pmu ''
	says "$(cat err)" "no table of a PMU ''"
	status 1 "$fake" info --register-file
	says "$(cat err)" "usage: pfmon info"
	status 1 "$fake" info nehalem
	says "$(cat err)" "usage: pfmon info"
}

test_info_as_json_is_one_valid_object()
{
	status 0 "$fake" info -j
	same figures "$(jq -r '[.perfmonctl, .version, .counter_width, (.counters | length),
		(.pmcs | length), .pmcs[0].address, .pmcs[0].default,
		.rights.thread.kernel_level, .limits.sys_gid, .emulated] | join(" ")' out)" \
		"true 0.6 48 7 5 390 0x100000 true  false"
}

test_help_goes_to_stdout_and_succeeds()
{
	local verb

	status 0 "$fake" help
	says "$(cat out)" "usage: pfmon VERB"
	status 0 "$fake" --help
	for verb in stat list info; do
		status 0 "$fake" "$verb" --help
		says "$(cat out)" "usage: pfmon $verb"
		status 0 "$fake" help "$verb"
		says "$(cat out)" "usage: pfmon $verb"
	done
	status 0 "$fake" --version
	says "$(cat out)" "perfmon interface 0.6"
	status 125 "$fake" help nonsense
	says "$(cat err)" "there is no verb 'nonsense'"
}

test_messages_begin_with_the_programs_name()
{
	status 1 "$fake" list --nonsense
	says "$(cat err)" "pfmon list: unrecognized option '--nonsense'"
}

run_tests "$@"
