#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon stat with more events than counters, over the kernel's event sets: no event is lost or
# counted twice at a switch, shares are right, estimates are close, the order is kept.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=200
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
pfmon=${PFMON:-$top/build/bin/pfmon}
bin=$top/build/bin/tests/pfmon
victim=$bin/victim
limits=/sys/kernel/perfmon/limits
# shellcheck source=tests/pfmon/yardstick.sh
. "$here/yardstick.sh"

four=instructions:u,branches:u,loads:u,stores:u
loops=300000

# The known count of one event: known EVENT LOOPS
known()
{
	"$top/tests/pmu/expect" "$2" | sed -n "s/^$1=//p"
}

# is_near GOT WANT PER_MILLE
is_near()
{
	awk -v got="$1" -v want="$2" -v limit="$3" 'BEGIN {
		off = got > want ? got - want : want - got
		exit !(got != "null" && off <= want * limit / 1000)
	}'
}

# near WHAT GOT WANT PER_MILLE
near()
{
	is_near "${@:2}" || fail "$1 is $2, which is not within $4 per mille of $3"
}

# near_once PER_MILLE NUMBER RUN: in one of five runs all estimates of yardstick's events are near,
# which are so many. While the host does not run the guest's CPU, the time of the loaded set goes on
# without events.
near_once()
{
	local event count far n

	for _ in 1 2 3 4 5; do
		"$3"
		far='' n=0
		while read -r event count; do
			n=$((n + 1))
			is_near "$count" "$(known "$event" "$loops")" "$1" || far+=" $event $count"
		done < <(jq -r '.events[] | select(.event | test("^(instructions|branches|loads|stores):u$")) |
			"\(.event | rtrimstr(":u")) \(.count)"' err)
		is estimates "$n" "$2"
		[ -n "$far" ] || return 0
		note "not near:$far"
	done
	fail "not within $1 per mille:$far"
}

# The given number of groups of the same events. Each fills the four general counters, so it is a
# set.
copies()
{
	local n=$1 i list=''

	for ((i = 0; i < n; i++)); do
		list+="${list:+,}{$four,branches:u}"
	done
	echo "$list"
}

# For each event, the sum over all sets of the raw counts of its first mention in a set.
raw_sum()
{
	jq --arg event "$1" '[.events | group_by(.set)[] |
		map(select(.event == $event))[0].raw_count] | add' err
}

active()
{
	jq '[.sets[].active_seconds] | add' err
}

test_counts_of_all_sets_together_are_exact()
{
	local sets event

	for sets in 2 3 7; do
		status 0 "$pfmon" stat -j --switch-timeout 0.25 -e "$(copies "$sets")" \
			"$yardstick" "$loops"
		is sets "$(jq '.sets | length' err)" "$sets"
		for event in instructions branches loads stores; do
			is "$event over $sets sets" "$(raw_sum "$event:u")" \
				"$(known "$event" "$loops")"
		done
	done
}

test_counts_of_all_sets_are_exact_beside_a_competitor()
{
	"$victim" spin &
	status 0 "$pfmon" stat -j --switch-timeout 0.25 -e "$(copies 3)" "$yardstick" "$loops"
	kill "$!"
	is instructions "$(raw_sum instructions:u)" "$(known instructions "$loops")"
	is stores "$(raw_sum stores:u)" "$(known stores "$loops")"
}

nine_events()
{
	status 0 "$pfmon" stat -j \
		-e "cycles,instructions:u,ref-cycles,branches:u,loads:u,stores:u" \
		-e "DTLB_MISSES:WALK_COMPLETED,ITLB_MISSES:WALK_COMPLETED,HW_INT_RCVD" \
		"$yardstick" "$loops"
	is sets "$(jq '.sets | length' err)" 2
	is "sum of shares" "$(jq '[.events | group_by(.set)[] | .[0].share_percent] | add |
		. > 99.98 and . < 100.02' err)" true
}

test_nine_events_are_estimated()
{
	near_once 30 4 nine_events
	note "$(jq -r '.events[] | "\(.event) \(.count) (\(.share_percent)%)"' err)"
}

ten_sets()
{
	status 0 "$pfmon" stat -j --switch-timeout 0.2 -e "$(copies 10)" "$yardstick" "$loops"
	is sets "$(jq '.sets | length' err)" 10
	is scaled "$(jq '[.events[].scaled] | unique == [true]' err)" true
}

test_estimates_are_near_with_many_sets()
{
	near_once 50 50 ten_sets
}

test_no_scale_leaves_counts_as_they_were_read()
{
	status 0 "$pfmon" stat -j --no-scale --switch-timeout 0.25 -e "$(copies 2)" \
		"$yardstick" "$loops"
	is "counts as read" "$(jq '[.events[] | .count == .raw_count] | unique == [true]' err)" true
	is instructions "$(jq '[.events[] | select(.event == "instructions:u") | .count] | add' err)" \
		"$(known instructions "$loops")"
	status 0 "$pfmon" stat --no-scale -e "$(copies 2)" "$yardstick" "$loops"
	says "$(cat err)" "%, not scaled)"
}

# longer WHAT SHORT LONG OPTION...: in the long run of a spinning program, the sets' active times
# are longer by the program's additional CPU time. The time before the end of the exec and from the
# exit on is in both runs, is not counted, and is long on a debug kernel.
longer()
{
	local what=$1 seconds times=''

	for seconds in "$2" "$3"; do
		status 0 "$pfmon" stat -j -i "${@:4}" "$victim" spin "$seconds"
		times+=" $(active) $(jq '.user_seconds + .system_seconds' err)"
	done
	# shellcheck disable=SC2086 # four numbers
	set -- $times
	note "$what: active $1 of $2 s, $3 of $4 s"
	near "$what" "$(awk "BEGIN { printf \"%.9f\", $3 - $1 }")" \
		"$(awk "BEGIN { printf \"%.9f\", $4 - $2 }")" 1
}

test_active_times_add_up_to_the_threads_cpu_time()
{
	longer "three sets" 0.2 1.4 -e "$(copies 3)"
}

test_active_times_add_up_to_the_time_of_the_cpus()
{
	local ms times=''

	for ms in 500 3500; do
		status 0 "$pfmon" stat -j -a -e "$(copies 3)" --timeout "$ms"
		times+=" $(active) $(jq '.elapsed_seconds * (.target.cpus | length)' err)"
	done
	# shellcheck disable=SC2086 # four numbers
	set -- $times
	note "active $1 of $2 s, $3 of $4 s; $(jq -c '[.sets[].turns]' err) turns"
	near "the sets' time" "$(awk "BEGIN { printf \"%.9f\", $3 - $1 }")" \
		"$(awk "BEGIN { printf \"%.9f\", $4 - $2 }")" 1
}

test_sixty_four_sets_of_four_events_do_not_drift()
{
	local i list=''

	for ((i = 0; i < 64; i++)); do
		list+="${list:+,}{loads:u,stores:u,branches:u,loads:k}"
	done
	longer "64 sets" 0.2 1.4 --switch-timeout 1 -e "$list"
	is sets "$(jq '.sets | length' err)" 64
	is "order of $(jq -c '[.sets[].turns]' err)" "$(turns_in_order)" true
}

# With round robin from set 0 on, no set is more than one turn ahead, and no set is ahead of an
# earlier set.
turns_in_order()
{
	jq '[.sets[].turns] | . == (sort | reverse) and first - last <= 1' err
}

test_sets_take_turns_in_order()
{
	for sets in 2 5; do
		status 0 "$pfmon" stat -j -i --switch-timeout 0.5 -e "$(copies "$sets")" \
			"$victim" spin 0.3
		is "order of $(jq -c '[.sets[].turns]' err)" "$(turns_in_order)" true
	done
}

test_groups_become_sets_in_the_order_they_were_written()
{
	status 0 "$pfmon" stat -j -e "{stores:u},{loads:u,stores,branches:k,loads:k},{branches:u}" \
		"$yardstick" "$loops"
	is sets "$(jq -c '[.events[].set]' err)" '[0,1,1,1,1,2]'
}

test_a_turn_is_as_long_as_asked_for()
{
	local ms

	for ms in 0.25 1 7.5; do
		status 0 "$pfmon" stat -j -i --switch-timeout "$ms" -e "$(copies 2)" \
			"$victim" spin 0.6
		is "timeout" "$(jq ".switch_timeout_ms == $ms" err)" true
		is "turns of $ms ms" "$(jq "(([.sets[].turns] | add) - 1) * $ms / 1000 |
			. <= $(active) and . > $(active) * 0.8" err)" true
	done
}

test_a_timeout_below_the_limit_is_rounded_up_and_told()
{
	status 0 "$pfmon" stat -j --switch-timeout 0.001 -e "$(copies 2)" "$yardstick" 20000
	is timeout "$(jq '.switch_timeout_ms * 1000000' err)" "$(cat "$limits/switch_timeout_min_ns")"
	says "$(jq -r '.notes[]' err)" "(0.001 ms are not possible here)"
	is limit "$("$pfmon" info -j | jq .limits.switch_timeout_min_ns)" \
		"$(cat "$limits/switch_timeout_min_ns")"
}

test_a_program_shorter_than_a_turn_is_told_apart()
{
	status 0 "$pfmon" stat -j --switch-timeout 5000 -e "$(copies 2)" "$yardstick" 1000
	is "first set" "$(jq '.events[0].count' err)" "$(known instructions 1000)"
	is "second set" "$(jq -c '.events[-1] | [.count, .share_percent]' err)" '[null,0]'
	says "$(jq -r '.notes[]' err)" "had no turn"
	status 0 "$pfmon" stat -j -r 4 --switch-timeout 5000 -e "$(copies 2)" "$yardstick" 1000
	is "counts in turns" "$(jq -c --argjson n "$(known instructions 1000)" \
		'[.events[] | select(.event == "instructions:u") | .counts] ==
			[[$n, null, $n, null], [null, $n, null, $n]]' err)" true
}

test_processes_and_threads_are_counted_in_sets()
{
	# See known.S: a parent, or first thread, and three more, alike. The guest's two processors
	# run in turns, at the end of a set's time as well, and the time passes for both: estimates
	# need one processor.
	local program on

	for program in long_procs long_threads; do
		for on in 0,1 0; do
			status 0 taskset -c "$on" "$pfmon" stat -j --switch-timeout 0.1 \
				-e "$(copies 2)" "$bin/known_$program"
			is loads "$(raw_sum loads:u)" 4000000
		done
		near "estimate of $program" "$(jq '.events[2].count' err)" 4000000 30
	done
}

test_a_running_process_and_thread_are_counted_in_sets()
{
	local pid target

	"$victim" spin &
	pid=$!
	for target in "-p $pid" "-t $pid"; do
		# shellcheck disable=SC2086 # an option and its value
		status 0 "$pfmon" stat -j $target -e "$(copies 3)" --timeout 300
		is "$target" "$(jq '[.events[] | select(.event == "instructions:u") | .count > 0] |
			length == 3 and all' err)" true
		is "sets of $target" "$(jq '[.sets[].active_seconds > 0.05] | unique == [true]' err)" true
	done
	kill "$pid"
}

test_cpus_are_counted_in_sets()
{
	status 0 "$pfmon" stat -j -a --switch-timeout 0.25 -e "$(copies 2)" "$yardstick" "$loops"
	# Other threads may run too, but the program's loads are all counted.
	[ "$(raw_sum loads:u)" -ge "$(known loads "$loops")" ] || fail "$(cat err)"
	# The turns of the sets, not their times: while all CPUs idle the guest's clock goes with
	# the host's. Each CPU may end in the set that it began with, and CPUs begin with different
	# sets.
	is "turns of two sets on two CPUs: $(jq -c '[.sets[].turns]' err)" \
		"$(jq '[.sets[].turns] | .[0] - .[1] | fabs <= 2' err)" true
	[ "$(jq '.sets[1].turns' err)" -ge 10 ] || fail "$(cat err)"
}

test_ratios_are_those_of_their_set()
{
	status 0 "$pfmon" stat -j --switch-timeout 0.25 \
		-e '{instructions:u,cycles:u,loads:u,stores:u,branches:u,loads:k},{instructions:u,cycles:u,stores:k}' \
		-e '{instructions:u,loads,stores,branches,loads:u}' "$yardstick" "$loops"
	is units "$(jq -c '[.events[] | select(.event == "instructions:u") | .derived.unit]' err)" \
		'["insn per cycle","insn per cycle","/sec"]'
}

test_an_ordinary_user_without_locked_memory_is_told()
{
	local list

	# More than a user's allowance without locked memory.
	list=$(copies 256)
	status 125 sh -c 'ulimit -l 0; exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"' \
		sh "$pfmon" stat -e "$list" touch ran
	says "$(cat err)" "more memory than this user may lock"
	says "$(cat err)" "ulimit -l"
	[ ! -e ran ] || fail "the command ran"
}

test_one_set_has_no_shares()
{
	status 0 "$pfmon" stat -j -e "$four" "$yardstick" 1000
	is sets "$(jq -c '[.sets, .events[0].share_percent, .events[0].scaled]' err)" '[[],100,false]'
	is instructions "$(jq '.events[0].count' err)" "$(known instructions 1000)"
}

run_tests "$@"
