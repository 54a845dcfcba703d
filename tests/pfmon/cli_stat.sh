#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon stat over a double of the kernel: intervals, single threads and CPUs, delays, and the file
# that the counts are written to.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

two=cycles,instructions

test_intervals_add_up_in_fields()
{
	status 0 "$fake" stat -x ';' -I 50 -e "$two" "$victim" spin 1
	is fields "$(awk -F';' '{ print NF }' err | sort -u)" 11
	[ "$(grep -c '^[0-9.]*;[0-9]*;;cycles;' err)" -ge 2 ] || fail "$(cat err)"
	is cycles "$(awk -F';' '$1 != "" && $4 == "cycles" { sum += $2 } END { print sum }' err)" \
		"$(awk -F';' '$1 == "" && $4 == "cycles" { print $2 }' err)"
}

test_interval_times_rise()
{
	status 0 "$fake" stat -x ';' -I 30 -e cycles "$victim" spin 1
	awk -F';' '$1 != "" { print $1 }' err >ends
	[ "$(wc -l <ends)" -ge 3 ] || fail "$(cat err)"
	sort -nu ends | diff ends - || fail "the times are not in order"
}

test_intervals_are_lines_of_json()
{
	status 0 "$fake" stat -j -I 50 -e "$two" "$victim" spin 0.2
	is "last object" "$(tail -n 1 err | jq -c '[.format, .events[0].count]')" "[1,18000]"
	is "the lines" "$(jq -c type err | sort -u)" '"object"'
	is "sum" "$(head -n -1 err | jq -s '[.[].events[0].raw_count] | add')" 18000
	is "objects" "$(jq -c . err | wc -l)" "$(wc -l <err)"
}

test_intervals_as_text_have_a_heading_and_sums()
{
	status 0 "$fake" stat -I 50 -e "$two" "$victim" spin 0.2
	grep -qE '^# +time +count +event$' err || fail "$(cat err)"
	grep -qE '^ +0\.[0-9]{9} +18,000 +cycles' err || fail "$(cat err)"
	grep -qE '^ +18,000 +cycles' err || fail "$(cat err)"
}

test_intervals_of_event_sets_are_scaled()
{
	status 0 "$fake" stat -j -I 50 -e "$six" "$victim" spin 0.12
	is "scaled" "$(head -n 1 err | jq '.events[6].scaled')" true
	is "scaled count" "$(head -n 1 err | jq -c '.events[6] | [.count, .raw_count]')" "[1500,1000]"
}

test_each_thread_is_shown()
{
	status 0 "$fake" stat -j --per-thread -e "$two" "$victim" threads 3
	is threads "$(jq '.per_thread | length' err)" 4
	is names "$(jq -c '[.per_thread[].comm] | unique' err)" '["victim"]'
	is sum "$(jq '[.per_thread[].events[0].raw_count] | add' err)" "$(jq '.events[0].count' err)"
	status 0 "$fake" stat --per-thread -e "$two" "$victim" threads 3
	is lines "$(grep -cE '^ +[0-9]+ victim +18,000 +cycles' err)" 4
}

test_each_thread_is_a_field()
{
	status 0 "$fake" stat -x ';' --per-thread -e cycles sh -c '/bin/true; exit 0'
	is fields "$(awk -F';' '{ print NF }' err | sort -u)" 11
	is programs "$(sed -n 's/^[0-9]* \([a-z]*\);18000;.*/\1/p' err | sort | paste -sd' ')" "sh true"
	is sum "$(sed -n 's/^;\([0-9]*\);;cycles;.*/\1/p' err)" 36000
}

test_a_program_with_the_separator_in_its_name_is_quoted()
{
	cp /bin/true 'a;"b'
	status 0 "$fake" stat -x ';' --per-thread -e cycles './a;"b'
	grep -q '^"[0-9]* a;""b";18000;' err || fail "$(cat err)"
}

test_each_thread_has_its_intervals()
{
	status 0 "$fake" stat -j -I 40 --per-thread -e cycles "$victim" spin 0.15
	is sum "$(head -n -1 err | jq -s '[.[].events[0].raw_count] | add')" 18000
	is comm "$(head -n 1 err | jq -r .comm)" victim
}

test_each_cpu_is_shown()
{
	local cpus option

	cpus=$(getconf _NPROCESSORS_ONLN)
	for option in -A --per-cpu --no-aggregate; do
		status 0 "$fake" stat -j "$option" -a -e cycles true
		is CPUs "$(jq '.per_cpu | length' err)" "$cpus"
	done
	is cpu "$(jq '.per_cpu[0].cpu' err)" 0
	status 0 "$fake" stat -A -C 0 -e cycles true
	grep -qE '^ +CPU0 +18,000 +cycles' err || fail "$(cat err)"
}

test_options_that_do_not_go_together_are_refused()
{
	status 125 "$fake" stat -A true
	says "$(cat err)" "--per-cpu is for -a and -C"
	status 125 "$fake" stat --per-thread -a true
	says "$(cat err)" "--per-thread is for commands"
	status 125 "$fake" stat -A --per-thread -a true
	says "$(cat err)" "exclude each other"
	status 125 "$fake" stat --append true
	says "$(cat err)" "--append is about the file of -o"
	status 125 "$fake" stat -I 0 true
	says "$(cat err)" "-I 0: a number from 1"
}

test_a_delay_leaves_the_beginning_out()
{
	local start=$EPOCHREALTIME

	status 0 "$fake" stat -j --delay 100 -e cycles "$victim" spin 0.3
	is "less than the whole" "$(jq --argjson wall "$(awk "BEGIN { print $EPOCHREALTIME - $start }")" \
		'.elapsed_seconds + 0.1 <= $wall and .elapsed_seconds > 0' err)" true
	is count "$(jq '.events[0].count' err)" 18000
}

test_a_command_that_ends_before_the_delay_is_told()
{
	status 3 "$fake" stat -j -D 5000 -e cycles sh -c 'exit 3'
	is count "$(jq '.events[0].count' err)" 0
	says "$(jq -r '.notes[]' err)" "ended before the delay"
}

test_the_time_out_begins_after_the_delay()
{
	local target

	# It starts late, and counts for the whole time nevertheless.
	for target in '-C 0' "$victim spin 5"; do
		# shellcheck disable=SC2086 # words they are
		"$fake" stat -j --delay 100 --timeout 150 -e cycles $target 2>err &
		sleep 0.05
		kill -STOP $!
		sleep 0.4
		kill -CONT $!
		wait $!
		is "elapsed of $target" "$(jq '.elapsed_seconds >= 0.149' err)" true
	done
}

test_output_is_appended()
{
	status 0 "$fake" stat -x ';' -o file -e cycles true
	status 0 "$fake" stat -x ';' -o file --append -e cycles true
	is runs "$(grep -c ';cycles;' file)" 2
	status 0 "$fake" stat -x ';' -o file -e cycles true
	is runs "$(grep -c ';cycles;' file)" 1
}

test_output_can_be_the_standard_output()
{
	status 0 "$fake" stat -x ';' -o - -e cycles true
	is counts "$(grep -c ';cycles;' out)" 1
	is errors "$(cat err)" ""
	[ ! -e - ] || fail "there is a file '-'"
}

test_output_that_is_lost_is_an_error()
{
	local got=0

	"$fake" stat -o /dev/full -e cycles true 2>err || got=$?
	is status "$got" 125
	says "$(cat err)" "cannot write /dev/full"
	got=0
	"$fake" stat -o - -e cycles true >/dev/full 2>err || got=$?
	is status "$got" 125
}

test_threads_that_come_later_are_counted()
{
	"$victim" later 5 &
	stat_instructions 0 -p "$!" sleep 4
	is threads "$(tasks)" 2
	kill "$!"
}

test_threads_that_have_ended_keep_their_counts()
{
	"$victim" coming 200 &
	stat_instructions 0 -p "$!"
	wait "$!" || fail "the process came to harm: $?"
	[ "$(tasks)" -ge 190 ] || fail "$(tasks) threads were counted"
}

test_the_process_survives_the_end_of_pfmon()
{
	local pid pfmon

	"$victim" coming 100000 &
	pid=$!
	"$fake" stat -p "$pid" 2>err &
	pfmon=$!
	wait_until 10 grep -q "TracerPid:.[1-9]" "/proc/$pid/status"
	sleep 0.2
	kill -9 "$pfmon"
	wait "$pfmon"
	wait_until 10 grep -q "TracerPid:.0$" "/proc/$pid/status"
	kill -0 "$pid" || fail "it is gone"
	status 0 "$fake" stat -p "$pid" --timeout 100
	wait_until 10 grep -q "TracerPid:.0$" "/proc/$pid/status"
	kill -0 "$pid" || fail "it is gone"
	kill "$pid"
}

test_a_process_is_counted_in_repeated_runs()
{
	"$victim" spin &
	status 0 "$fake" stat -j -e cycles -r 3 -p "$!" sleep 0.1
	is counts "$(jq -c '.events[0].counts' err)" "[18000,18000,18000]"
	is notes "$(jq -c '.notes' err)" "[]"
	kill "$!"
}

test_a_process_that_is_traced_is_polled()
{
	local pid

	status 0 "$fake" stat -x, -o outer -e instructions sh -c '
		"$1" later 5 & "$0" stat -x, -e instructions -p $! sleep 4 2>inner; kill $!' \
		"$fake" "$victim"
	grep -q '^34000,,instructions' inner || fail "$(cat inner)"
	grep -q '^# threads that started later were looked for.*traces it already' inner ||
		fail "$(cat inner)"
}

test_runs_that_failed_are_told_of()
{
	rm -f seen
	status 3 "$fake" stat -j -r 3 -e cycles sh -c '[ -e seen ] && exit 3; touch seen'
	says "$(jq -r '.notes[]' err)" "2 of 3 runs ended with a status other than 0"
	says "$(jq -r '.notes[]' err)" "first run 2, with 3"
	status 0 "$fake" stat -j -r 3 -e cycles true
	is notes "$(jq -c .notes err)" "[]"
	status 3 "$fake" stat -j -e cycles sh -c 'exit 3'
	is notes "$(jq -c .notes err)" "[]"
}

run_tests "$@"
