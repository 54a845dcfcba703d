#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon stat with more events than counters, over a double of the kernel: sets, groups and scaling.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

# PMD0 is 1000 in each set; set 0 is active for one third of the time.
test_events_that_do_not_fit_take_turns_and_are_scaled()
{
	status 0 "$fake" stat -e "$six" true
	grep -q '3,000      branches  .*  (33\.3%, ± ?)$' err || fail "$(cat err)"
	grep -q '1,500      loads:u  .*  (66\.7%, ± ?)$' err || fail "$(cat err)"
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
	is fields "$(grep -v '^#' err | awk -F';' '{ print NF }' | sort -u)" 10
	is "an event of set 0" "$(sed -n 's/;[^;]*;[^;]*;\([^;]*;0\);[^;]*$/;\1/p' err | grep ';branches;')" \
		"3000;;branches;;33.33;1000;0"
	is "an event of set 1" "$(sed -n 's/;[^;]*;[^;]*;\([^;]*;1\);[^;]*$/;\1/p' err)" \
		"1500;;loads:u;;66.67;1000;1"
	grep -q '^# the events take 2 sets' err || fail "$(cat err)"
	status 0 "$fake" stat -x ';' --no-scale -e "$six" true
	grep -q '^1000;;loads:u;;66.67;.*;1000;1;[^;]*$' err || fail "$(cat err)"
}

test_json_of_sets_tells_share_raw_count_and_set()
{
	status 0 "$fake" stat -j -e "$six" true
	is event "$(jq -c '.events[6] | [.event, .set, .count, .raw_count, .scaled,
		.share_percent, .counts, .raw_counts]' err)" \
		'["loads:u",1,1500,1000,true,66.67,[1500],[1000]]'
	is sets "$(jq -c '[.sets[] | [.set, .turns, .active_seconds]], .switch_timeout_ms' err | paste -sd' ')" \
		'[[0,1,0.001],[1,2,0.002]] 1'
	status 0 "$fake" stat -j --no-scale -e "$six" true
	is event "$(jq -c '.events[6] | [.count, .raw_count, .scaled]' err)" '[1000,1000,false]'
	status 0 "$fake" stat -j -e cycles true
	is "one set" "$(jq -c '[.events[0].set, .events[0].scaled, .events[0].raw_count, .sets,
		.switch_timeout_ms]' err)" '[0,false,18000,[],null]'
}

test_threads_add_up_before_scaling()
{
	# In each of four threads, set 1 is active twice as long as set 0.
	status 0 "$fake" stat -j -e "$six" "$victim" threads 3
	is figures "$(jq -c '.events[6] | [.count, .raw_count, .share_percent]' err)" \
		'[6000,4000,66.67]'
	is turns "$(jq -c '[.sets[].turns]' err)" '[4,8]'
}

test_sets_work_with_all_targets()
{
	local pid

	"$victim" spin &
	pid=$!
	for target in -a "-C 0" "-p $pid" "-t $pid"; do
		# shellcheck disable=SC2086 # an option and its value
		status 0 "$fake" stat $target -j -e "$six" sleep 0.1
		is "figures of $target" "$(jq -c '.events[6].count == 1500 * .sessions' err)" true
	done
	kill "$pid"
}

test_groups_stay_together_and_in_order()
{
	status 0 "$fake" stat -j -e '{loads,stores},{branches,loads:u,stores:u},{branches:u}' true
	is sets "$(jq -c '[.events[].set]' err)" '[0,0,1,1,1,1]'
	status 0 "$fake" stat -j -e '{loads,stores},{branches,cycles}' true
	is sets "$(jq -c '[.events[].set]' err)" '[0,0,0,0]'
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
	is units "$(jq -c '[.events[0,5].derived.unit]' err)" '["GHz","/sec"]'
	status 0 "$fake" stat -j -e '{loads,stores,branches,loads:u},{instructions,cycles,loads}' true
	is unit "$(jq -c '.events[4].derived' err)" \
		'{"unit":"insn per cycle","value":0.944444}'
}

test_what_had_no_turn_is_not_counted()
{
	export PERFMON_FAKE=short
	status 0 "$fake" stat -e "$six" true
	grep -q ' <not counted>      loads:u *(0\.0%)$' err || fail "$(cat err)"
	grep -q ' 1,000      branches .*(100\.0%)$' err || fail "$(cat err)"
	says "$(cat err)" "what is not counted had no turn"
	status 0 "$fake" stat -x ';' -e "$six" true
	grep -qx '<not counted>;;loads:u;;0.00;;;<not counted>;1;' err || fail "$(cat err)"
	status 0 "$fake" stat -j -e "$six" true
	is event "$(jq -c '.events[6] | [.count, .raw_count, .counts, .derived, .scaled]' err)" \
		'[null,null,[null],null,false]'
	is event "$(jq -c '.events[2] | [.count, .scaled]' err)" '[1000,false]'
}

test_short_threads_and_runs_begin_with_different_sets()
{
	export PERFMON_FAKE=short
	status 0 "$fake" stat -j -e "$six" "$victim" forks 5
	is turns "$(jq -c '[.sets[].turns]' err)" '[3,6]' # three of each set
	is figures "$(jq -c '.events[6] | [.raw_count, .share_percent]' err)" '[3000,66.67]'
	status 0 "$fake" stat -j -r 4 -e "$six" true
	is counts "$(jq -c '[.events[2,6].counts]' err)" '[[1000,null,1000,null],[null,1000,null,1000]]'
	is notes "$(jq -r '.notes | length' err)" 1
}

test_the_effective_timeout_is_told()
{
	status 0 "$fake" stat --switch-timeout 0.02 -e "$six" true
	says "$(cat err)" "switched every 0.1 ms (0.02 ms are not possible here)"
	status 0 "$fake" stat --switch-timeout=2500.25 -j -e "$six" true
	is timeout "$(jq .switch_timeout_ms err)" 2500.25
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

run_tests "$@"
