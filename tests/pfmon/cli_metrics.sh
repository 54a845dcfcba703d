#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon stat over a double of the kernel: metric groups, more of the default events, files for
# collectors, and comparisons with an earlier measurement.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"
export PFMON_METRICS=$top/tools/pfmon/metrics

# group TEXT...: a metric group "own" of these lines
group()
{
	mkdir -p groups
	printf '%s\n' "$@" >groups/own.txt
	export PFMON_METRICS=$PWD/groups
}

# value FORMULA: its value for instructions (17000) and cycles (18000)
value()
{
	group "event instructions" "event cycles" "metric m u = $1"
	status 0 "$fake" stat -j -M own true
	jq '.metrics[0].value' err
}

test_a_group_counts_its_events_and_computes()
{
	status 0 "$fake" stat -j -M ipc true
	is events "$(jq -c '[.events[].event]' err)" '["instructions","cycles"]'
	is ipc "$(jq -c '.metrics[0]' err)" \
		'{"metric":"ipc","unit":"insn/cycle","value":0.944444}'
	status 0 "$fake" stat -M ipc true
	grep -qE '^ +0\.944 insn/cycle ipc$' err || fail "$(cat err)"
	status 0 "$fake" stat -x ';' -M ipc true
	grep -qx '0.944444;insn/cycle;ipc;;;;;;;' err || fail "$(cat err)"
}

test_arithmetic_is_as_usual()
{
	is product "$(value '2 + 3 * 4')" 14
	is parentheses "$(value '(2 + 3) * 4 - 1')" 19
	is left "$(value '24 / 4 / 2 - 2 - 1')" 0
	is events "$(value '(cycles - instructions) / 1000')" 1
	is nothing "$(value '1 / (cycles - cycles)')" null
}

test_formulas_that_are_none_are_told_with_their_line()
{
	local formula

	for formula in '1 +' '(1' '1)' '' '1 1' 'stores' '* 2' '1 + / 2'; do
		group "event cycles" "metric m u = $formula"
		status 125 "$fake" stat -M own true
		says "$(cat err)" "groups/own.txt:2: "
	done
	group "event cycles" "metric m u = $(printf '(%.0s' {1..1000})"
	status 125 "$fake" stat -M own true
	says "$(cat err)" "too many parentheses"
	group "event cycles" "metric"
	status 125 "$fake" stat -M own true
	says "$(cat err)" "own.txt:2: "
	group "events cycles"
	status 125 "$fake" stat -M own true
	says "$(cat err)" "about, pmu, event or metric is wanted"
}

test_an_event_has_several_names()
{
	group "event x = NO_SUCH | L1D:REPL | stores" "metric m u = x"
	status 0 "$fake" stat -j -M own true
	is event "$(jq -r '.events[0].event' err)" "L1D:REPL"
	group "event x = BR_INST_RETIRED:ALL_BRANCHES:c=1" "metric m u = x"
	status 0 "$fake" stat -j -M own true
	is event "$(jq -r '.events[0].event' err)" "BR_INST_RETIRED:ALL_BRANCHES:c=1"
}

test_an_event_that_is_missing_is_named()
{
	group "event cycles" "event walks = NO_SUCH | NOR_THIS" "metric m u = walks"
	status 125 "$fake" stat -M own touch ran
	says "$(cat err)" "metric group own: its event walks cannot be counted"
	[ ! -e ran ] || fail "the command ran"
}

test_a_group_for_other_pmus_says_so()
{
	status 125 "$fake" stat -M topdown true
	says "$(cat err)" "metric group topdown is not for this PMU (nhm), only for: snb"
}

test_a_group_that_is_none_lists_those_that_there_are()
{
	status 125 "$fake" stat -M nonsense true
	says "$(cat err)" "there is no metric group 'nonsense'"
	says "$(cat err)" "ipc          instructions per cycle"
	says "$(cat err)" "topdown"
	status 125 "$fake" stat -M ../ipc true
	says "$(cat err)" "there is no metric group"
}

test_the_groups_that_come_with_it_are_countable_here()
{
	local name

	for name in ipc branches caches tlb; do
		status 0 "$fake" stat -j -M "$name" true
		is "metrics of $name" "$(jq '[.metrics[].value | type] | unique == ["number"]' err)" true
	done
	for name in skl hsw snb icl spr; do
		LIBPFM_FORCE_PMU=$name status 0 "$fake" stat -j -M topdown true
		is "top-down of $name" "$(jq -r '[.metrics[].metric] | sort | join(" ")' err)" \
			"backend-bound bad-speculation frontend-bound retiring"
		is "sum of $name" "$(jq '[.metrics[].value] | add | . > 99.99 and . < 100.01' err)" true
	done
}

test_groups_share_events()
{
	status 0 "$fake" stat -j -e cycles -M ipc -M branches true
	is events "$(jq -c '[.events[].event]' err)" \
		'["cycles","instructions","branches","BR_MISP_EXEC:ANY"]'
	is metrics "$(jq '.metrics | length' err)" 5
}

test_metrics_are_shown_for_intervals_and_threads()
{
	status 0 "$fake" stat -j -I 50 -M ipc "$victim" spin 0.12
	is interval "$(head -n 1 err | jq '.metrics[0].value')" 0.944444
	status 0 "$fake" stat -j --per-thread -M ipc true
	is thread "$(jq '.per_thread[0].metrics[0].value' err)" 0.944444
}

test_a_group_is_found_beside_an_installed_program()
{
	mkdir -p bin share/pfmon/metrics
	cp "$fake" bin/pfmon
	cp "$PFMON_METRICS/ipc.txt" share/pfmon/metrics/mine.txt
	unset PFMON_METRICS
	status 0 bin/pfmon stat -j -M mine true
	is metric "$(jq -r '.metrics[0].metric' err)" ipc
}

test_levels_of_detail_add_events()
{
	local usual one two three

	status 0 "$fake" stat -j true
	usual=$(jq '.events | length' err)
	status 0 "$fake" stat -j -d true
	one=$(jq '.events | length' err)
	says "$(jq -r '.events[].event' err)" "L1D:REPL"
	status 0 "$fake" stat -j -d -d true
	two=$(jq '.events | length' err)
	says "$(jq -r '.events[].event' err)" "DTLB"
	status 0 "$fake" stat -j -ddd true
	three=$(jq '.events | length' err)
	is "numbers of events" "$(printf '%s\n' "$usual" "$one" "$two" "$three" | sort -nu | xargs)" \
		"$usual $one $two $three"
	is "different events" "$(jq '[.events[].event] | unique | length' err)" "$three"
	PFMON_EMULATED=1 status 0 "$fake" stat -j -ddd true
	says_not "$(jq -r '.events[].event' err)" "L1D:REPL"
	status 125 "$fake" stat -d -e cycles true
	says "$(cat err)" "-d adds to what is counted without -e"
}

test_a_collectors_file_is_written()
{
	status 0 "$fake" stat --openmetrics file -M ipc true
	grep -qx 'pfmon_events_total{event="cycles"} 18000' file || fail "$(cat file)"
	grep -qx 'pfmon_metric{metric="ipc",unit="insn/cycle"} 0.944444' file || fail "$(cat file)"
	is end "$(tail -n 1 file)" "# EOF"
	is files "$(echo file*)" file
	status 0 "$fake" stat --openmetrics file --per-thread -e cycles sh -c '/bin/true; :'
	is threads "$(grep -cE '^pfmon_events_total\{event="cycles",tid="[0-9]+",comm="(sh|true)"\} 18000$' file)" 2
	status 125 "$fake" stat --openmetrics no/such/file true
	says "$(cat err)" "cannot write no/such/file"
}

test_a_collectors_file_is_replaced_as_a_whole()
{
	local pid

	"$fake" stat --openmetrics file -I 5 -o /dev/null -e cycles "$victim" spin 1 &
	pid=$!
	wait_until 10 test -e file
	while kill -0 "$pid" 2>/dev/null; do
		[ "$(tail -n 1 file)" = "# EOF" ] || fail "$(cat file)"
	done
	wait "$pid"
	grep -qx 'pfmon_events_total{event="cycles"} 18000' file || fail "$(cat file)"
}

test_a_change_is_shown_in_percent()
{
	status 0 "$fake" stat -j -o before -e cycles,instructions sh -c '/bin/true; :'
	status 0 "$fake" stat --diff before -e cycles,instructions,stores true
	grep -qE ' 18,000 +cycles .*  -50\.00%$' err || fail "$(cat err)"
	grep -qE ' stores .*  new$' err || fail "$(cat err)"
	status 0 "$fake" stat -j --diff before -e cycles,stores true
	is change "$(jq -c '[.events[].change_percent]' err)" '[-50,null]'
	status 0 "$fake" stat -x ';' --diff before -e cycles true
	is fields "$(awk -F';' '{ print NF }' err | sort -u)" 11
	is change "$(sed -n 's/.*;cycles;.*;//p' err)" "-50.00"
}

test_lines_of_intervals_can_be_compared_with()
{
	status 0 "$fake" stat -j -I 40 -o before -e cycles "$victim" spin 0.1
	status 0 "$fake" stat -j --diff before -e cycles true
	is change "$(jq -c '.events[0].change_percent == 0' err)" true
}

test_a_file_to_compare_with_that_is_none_is_told()
{
	status 125 "$fake" stat --diff nothing touch ran
	says "$(cat err)" "cannot read nothing"
	echo '{"format": 1}' >bad
	status 125 "$fake" stat --diff bad touch ran
	says "$(cat err)" "bad has no counts"
	head -c 2000 /dev/urandom >bad
	status 125 "$fake" stat --diff bad touch ran
	printf '{"format": 1, "events": [{"event": "cycles"}, 1, null, {"count": 3}]}' >bad
	status 0 "$fake" stat --diff bad -e cycles true
	[ ! -e ran ] || fail "the command ran"
}

test_a_control_group_that_is_none_is_told()
{
	status 125 "$fake" stat -G /no/such/group true
	says "$(cat err)" "-G /no/such/group: there is no such control group"
	status 125 "$fake" stat -G x -a true
	says "$(cat err)" "exclude each other"
}

test_tasks_that_a_group_has_and_gets_are_counted()
{
	local first second

	# A directory that looks like a group: only its contents count.
	mkdir -p group/below
	"$victim" spin & first=$!
	"$victim" spin & second=$!
	echo "$first" >group/cgroup.threads
	: >group/below/cgroup.threads
	"$fake" stat -x, -e instructions -G group sleep 2 2>err &
	sleep 1
	echo "$second" >group/below/cgroup.threads
	: >group/cgroup.threads
	wait "$!"
	is tasks "$(tasks)" 2
	kill "$first" "$second"
}

run_tests "$@"
