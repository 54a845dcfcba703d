#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Events of the kernel besides those of the PMU, over a double of the PMU's part: the counts of the
# kernel's events are real.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

seven=task-clock,cpu-clock,page-faults,minor-faults,major-faults,context-switches,cpu-migrations

# count EVENT: its count in the object in err
count()
{
	jq ".events[] | select(.event == \"$1\") | .count" err
}

test_they_are_counted_beside_hardware_events()
{
	status 0 "$fake" stat -j -e "instructions,$seven" "$victim" spin 0.1
	is instructions "$(count instructions)" 17000
	is events "$(jq -c '[.events[].event] | join(",")' err)" "\"instructions,$seven\""
	is "sum of faults" "$(count page-faults)" "$(($(count minor-faults) + $(count major-faults)))"
	[ "$(count task-clock)" -gt 0 ] || fail "$(cat err)"
	is "no register" "$(jq -c '.events[1] | [.pmd, .set, .scaled]' err)" '[null,null,false]'
}

test_they_can_be_all_that_is_counted()
{
	status 0 "$fake" stat -j -e "$seven" "$victim" touch 10
	is events "$(jq '.events | length' err)" 7
	[ "$(count page-faults)" -ge 10 ] || fail "$(cat err)"
}

test_perfs_short_names_are_the_same_events()
{
	status 0 "$fake" stat -j -e faults,page-faults,cs,context-switches,migrations,cpu-migrations \
		"$victim" naps 5
	is faults "$(count faults)" "$(count page-faults)"
	is cs "$(count cs)" "$(count context-switches)"
	is migrations "$(count migrations)" "$(count cpu-migrations)"
	is encoded "$(jq -r '.events[2].encoded' err)" context-switches
}

# The fewest of five runs: a page of the program that this machine's kernel has taken back is a fault
# more. With an argument of another length the program's stack may begin in another page.
test_a_page_that_is_touched_is_a_fault()
{
	local n

	for n in 0000 1000; do
		for _ in 1 2 3 4 5; do
			status 0 setarch -R "$fake" stat -j -e minor-faults "$victim" touch "$n"
			count minor-faults >>"counts.$n"
		done
	done
	is difference "$(($(sort -n counts.1000 | head -n 1) - $(sort -n counts.0000 | head -n 1)))" 1000
}

test_a_nap_is_a_switch()
{
	status 0 "$fake" stat -j -e context-switches "$victim" naps 50
	[ "$(count context-switches)" -ge 50 ] || fail "$(cat err)"
}

# The sum of its user and system time is the same time, which pfmon knows without the event.
test_the_task_clock_is_the_cpu_time()
{
	status 0 "$fake" stat -j -e task-clock "$victim" spin 0.3
	jq -e '(.events[0].count / 1e9 - .user_seconds - .system_seconds) | fabs < 0.02' err ||
		fail "$(cat err)"
}

test_they_force_no_event_set_and_are_not_scaled()
{
	status 0 "$fake" stat -j -e "$seven,$six" "$victim" touch 100
	is sets "$(jq '.sets | length' err)" 2
	is shares "$(jq -c '[.events[:7][] | .share_percent, .uncertainty_percent] | unique' err)" \
		'[0,100]'
	is counts "$(jq '[.events[:7][] | select(.count != .raw_count)] | length' err)" 0
	status 0 "$fake" stat -x, -e "cycles,$seven" true
	is "without a set" "$(awk -F, 'NR > 1 && $9 != "" { n++ } END { print n + 0 }' err)" 0
	says_not "$(cat err)" "sets of counters"
}

test_a_group_may_have_them()
{
	status 0 "$fake" stat -j -e '{cycles,task-clock},{cs}' true
	is cycles "$(count cycles)" 18000
}

test_clocks_have_their_unit_in_each_form()
{
	status 0 "$fake" stat -e task-clock "$victim" spin 0.02
	grep -qE '^ +[0-9]+\.[0-9]{6} msec task-clock +# +[01]\.[0-9]{3}  CPUs utilized$' err ||
		fail "$(cat err)"
	status 0 "$fake" stat -x ';' -e cpu-clock "$victim" spin 0.02
	grep -qE '^[0-9]+\.[0-9]{6};msec;cpu-clock;;100\.00;[01]\.[0-9]{3};CPUs utilized;[0-9.]+;;$' err ||
		fail "$(cat err)"
	status 0 "$fake" stat -j -e task-clock,cs "$victim" spin 0.02
	is unit "$(jq -c '[.events[].unit]' err)" '["ns",null]'
	[ "$(count task-clock)" -ge 1000000 ] || fail "$(cat err)"
	status 0 "$fake" stat --openmetrics=metrics -e task-clock,cs "$victim" spin 0.02
	grep -qE '^pfmon_events_total\{event="task-clock",unit="ns"\} [0-9]{7,}$' metrics ||
		fail "$(cat metrics)"
	grep -qE '^pfmon_events_total\{event="cs"\} [0-9]+$' metrics || fail "$(cat metrics)"
}

test_means_of_runs_have_a_spread()
{
	status 0 "$fake" stat -r 3 -e task-clock,cycles "$victim" spin 0.02
	grep -qE '^ +[0-9]+\.[0-9]{6} msec task-clock .*CPUs utilized +\( ± +[0-9.]+% \)$' err ||
		fail "$(cat err)"
}

test_intervals_add_up()
{
	status 0 "$fake" stat -j -I 30 -e task-clock,faults,cycles "$victim" spin 0.15
	head -n -1 err | jq -s '[.[].events[0].count] | add' >parts
	is clock "$(cat parts)" "$(tail -n 1 err | jq '.events[0].count')"
	is unit "$(head -n 1 err | jq -r '.events[0].unit')" ns
	[ "$(wc -l <err)" -ge 3 ] || fail "$(cat err)"
}

test_each_thread_has_its_own()
{
	status 0 "$fake" stat -j --per-thread -e task-clock,faults sh -c '"$0" touch 500; exit 0' "$victim"
	is threads "$(jq '.per_thread | length' err)" 2
	is sum "$(jq '[.per_thread[].events[1].count] | add' err)" "$(jq '.events[1].count' err)"
	jq -e '.per_thread[] | select(.comm == "victim") | .events[1].count >= 500' err ||
		fail "$(cat err)"
}

# The time of a CPU is all time, whatever thread runs on it.
test_each_cpu_has_its_own()
{
	local cpus

	cpus=$(getconf _NPROCESSORS_ONLN)
	status 0 "$fake" stat -j -A -a -e cpu-clock,cs,cycles --timeout 100
	is CPUs "$(jq '.per_cpu | length' err)" "$cpus"
	is sum "$(jq '[.per_cpu[].events[0].count] | add' err)" "$(count cpu-clock)"
	jq -e '[.per_cpu[].events[0].count] | min >= 100000000' err || fail "$(cat err)"
}

test_a_process_that_runs_already_is_counted()
{
	local pid

	"$victim" naps 1000000 &
	pid=$!
	status 0 "$fake" stat -j -e cs,task-clock,cycles -p "$pid" --timeout 300
	kill "$pid"
	[ "$(count cs)" -ge 10 ] || fail "$(cat err)"
}

test_a_delay_is_not_counted()
{
	local all some

	status 0 "$fake" stat -j -e faults,task-clock "$victim" spin 1
	all=$(count faults)
	status 0 "$fake" stat -j -e faults,task-clock --delay 500 "$victim" spin 1
	jq -e '.events[1].count < 1000000000 and .events[1].count > 0' err || fail "$(cat err)"
	# The faults of its start are not counted; one may come at its end.
	some=$(count faults)
	[ "$some" -lt $((all / 4)) ] || fail "$some faults of $all"
}

test_they_take_the_levels_that_they_have()
{
	local event

	status 0 "$fake" stat -j -e faults,faults:u,faults:k,faults:uk,faults:u:k,cs,cs:k \
		"$victim" touch 100
	is "at user level" "$(($(count faults) - $(count faults:k)))" "$(count faults:u)"
	[ "$(count faults:u)" -ge 100 ] || fail "$(cat err)"
	is both "$(count faults:uk) $(count faults:u:k)" "$(count faults) $(count faults)"
	is "in the kernel" "$(count cs:k)" "$(count cs)"
	for event in task-clock:u cpu-clock:k cpu-clock:uk; do
		status 125 "$fake" stat -e "$event" true
		says "$(cat err)" "event $event: the kernel keeps one count of it, of both levels"
	done
	for event in cs:u migrations:u; do
		status 125 "$fake" stat -e "$event" true
		says "$(cat err)" "event $event: it happens in the kernel, and never at user level"
	done
	for event in faults: faults:x faults:uh faults:pp; do
		status 125 "$fake" stat -e "$event" true
		says "$(cat err)" "event $event: "
	done
	status 125 "$fake" record -e cycles --with cs:k true
	says "$(cat err)" "event cs:k: the kernel keeps one count of it, of both levels"
	says "$(cat err)" "Write context-switches."
}

test_a_near_name_is_suggested()
{
	status 125 "$fake" stat -e context-switch true
	says "$(cat err)" "Did you mean context-switches?"
}

test_they_are_sampled_as_well()
{
	status 0 "$fake" record -e faults "$victim" touch 50
	[ "$("$fake" report --sort symbol -x ';' | sed -n 's/^\([0-9]*\);.*;main$/\1/p')" -ge 50 ] ||
		fail "$("$fake" report)"
	rm pfmon.data
	status 125 "$fake" record -e cycles --with faults true
	says "$(cat err)" "--with faults: no register has it"
	says "$(cat err)" "It is the sum of minor-faults and major-faults"
	[ ! -e pfmon.data ] || fail "a recording is left"
}

test_list_has_them_under_their_own_heading()
{
	status 0 "$fake" list
	sed -n '/^Events of the kernel/,/^$/p' out >section
	is events "$(grep -cE '^[a-z-]+ +[A-Z]' section)" 7
	grep -qE '^context-switches +.* \[cs\]$' section || fail "$(cat section)"
	status 0 "$fake" list cs
	grep -q '^context-switches' out || fail "$(cat out)"
}

test_pfmon_3s_form_has_no_register_for_them()
{
	status 0 "$fake" stat --pfmon3=header -e cycles,cs true
	grep -qE '^#	cs, set0 = uk$' out || fail "$(cat out)"
	grep -qE '^ +[0-9]+ cs$' out || fail "$(cat out)"
}

run_tests "$@"
