#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon list for programs, over a double of the kernel: JSON and bare names have what -e
# accepts, and stat agrees.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

# A line for each name in the JSON file that has the property: NAME ACCEPTED.
answers()
{
	jq -r '(.aliases, .events, [.events[].umasks[]])[] | "\(.name) \(.accepted)"' "$1" | sort -u
}

# Event numbers, unit masks and counters are those of Intel's manual for Nehalem.
test_json_has_what_is_known_of_an_event()
{
	status 0 "$fake" list --json INST_RETIRED
	is figures "$(jq -r '.events[] | select(.name == "INST_RETIRED") |
		[.source, .accepted, .counters, .modelled, .aliases, .perf, .modifiers[:2],
		 (.umasks | length)] | map(tostring) | join(" ")' out)" \
		'libpfm4 true [0,1,2,3,16] null ["instructions"] ["rc0","cpu/event=0xc0/"] ["k","u"] 2'
	is mask "$(jq -r '.events[].umasks[] | select(.umask == "X87") |
		[.name, .default, .counters, .perf] | map(tostring) | join(" ")' out)" \
		'INST_RETIRED:X87 false [0,1,2,3] ["r2c0","cpu/event=0xc0,umask=0x2/"]'
	status 0 "$fake" list -j L1D
	is counters "$(jq -c '.events[] | select(.name == "L1D").umasks[0].counters' out)" "[0,1]"
	status 0 "$fake" list -j 'INST_RETIRED:X*'
	is "of a pattern" "$(jq -c '[.events[].umasks[].name]' out)" '["INST_RETIRED:X87"]'
}

test_json_has_short_names_modifiers_and_the_grammar()
{
	status 0 "$fake" list --json
	is heading "$(jq -r '[.format, .pmu, .description, .emulated] | join(" ")' out)" \
		"1 nhm Intel Nehalem false"
	is "what the short names are" "$(jq -r '[.aliases[] |
		select(.name | IN("cycles", "cache-misses", "L1-dcache-loads")).event] | join(" ")' out)" \
		"UNHALTED_CORE_CYCLES LAST_LEVEL_CACHE_MISSES MEM_INST_RETIRED:LOADS"
	is modifiers "$(jq -r '[.modifiers[].name] | join(" ")' out)" "k u e i c t ldlat"
	is forms "$(jq -r '[.grammar[].form[:4]] | join(" ")' out)" "EVEN EVEN rHEX cpu/ pmcN {EVE"
	jq -r '.grammar[].example' out >examples
	while read -r example; do
		status 0 "$fake" stat -e "$example" true
	done <examples
}

# stat with ten names at a time; with each refused name alone.
test_stat_agrees_with_json()
{
	local name

	status 0 "$fake" list --json
	answers out >said
	cp out json
	sed -n 's/ true$//p' said | paste -sd, | sed 's/\(\([^,]*,\)\{10\}\)/\1\n/g; s/,\n/\n/g' >accepted
	sed -n 's/ false$//p' said >refused
	[ "$(wc -l <accepted)" -ge 30 ] || fail "$(cat accepted)"
	[ "$(wc -l <refused)" -ge 60 ] || fail "$(cat refused)"
	while read -r name; do
		status 0 "$fake" stat -e "$name" true
	done <accepted
	while read -r name; do
		status 125 "$fake" stat -e "$name" true
		grep -qF "pfmon: $(jq -r --arg name "$name" '[.events[], .events[].umasks[]] |
			map(select(.name == $name))[0].reason' json)" err || fail "$name:" "$(cat err)"
	done < <(awk 'NR % 6 == 0' refused)
}

# An event select has the bits of the levels, of the interrupt and of the second counter.
test_perfs_spellings_mean_the_same_event()
{
	local name code raw fields n=0 spelling

	status 0 "$fake" list --json
	jq -r '[.events[].umasks[] | select(.accepted)] | .[range(0; length; 12)] |
		[.name, .code, .perf[0], .perf[1]] | join(" ")' out >spellings
	while read -r name code raw fields; do
		for spelling in "$raw" "$fields"; do
			status 0 "$fake" stat -j -e "$spelling" true
			is "$name as $spelling" "$(jq -r '.events[0].encoded' err)" \
				"$(printf 'config=%#x' $((code & ~0x530000)))"
		done
		n=$((n + 1))
	done <spellings
	[ "$n" -ge 15 ] || fail "only $n events"
}

test_names_are_those_that_are_accepted()
{
	status 0 "$fake" list --json
	answers out | sed -n 's/ true$//p' >want
	status 0 "$fake" list --names
	sort -u out | diff want - >difference || fail "$(cat difference)"
	is "names that are there twice" "$(sort out | uniq -d)" ""
	status 0 "$fake" list --names inst_retired
	sort out | diff <(grep INST_RETIRED want) - >difference || fail "$(cat difference)"
	[ "$(wc -l <out)" -ge 8 ] || fail "$(cat out)"
}

test_the_emulated_pmus_own_names_are_listed_everywhere()
{
	export PFMON_EMULATED=1
	status 0 "$fake" stat -e MEM_INST_RETIRED_LOADS true
	status 0 "$fake" list
	grep -q '^MEM_INST_RETIRED_LOADS ' out || fail "$(cat out)"
	is "HW_INT_RCVD is shown" "$(grep -c '^HW_INT_RCVD ' out)" 1
	status 0 "$fake" list --names
	grep -qx MEM_INST_RETIRED_LOADS out || fail "$(cat out)"
	! grep -q '^L1D' out || fail "what is not modelled is offered"
	status 0 "$fake" list --json
	is figures "$(jq -c '.events[] | select(.name == "MEM_INST_RETIRED_LOADS") |
		[.source, .accepted, .modelled]' out)" '["emulated PMU",true,true]'
	is "not modelled" "$(jq -c '.events[] | select(.name == "L1D").umasks[0] |
		[.accepted, .modelled, .counters]' out)" '[false,false,null]'
	is "what it means" "$(jq -r '.aliases[] | select(.name == "instructions").meaning_here' out |
		grep -c 'instructions that complete')" 1
}

test_text_shows_the_modifiers_and_the_other_ways()
{
	status 0 "$fake" list
	grep -q '^    :t  *measure any thread$' out || fail "$(tail out)"
	tail -n 2 out | grep -q 'rHEX and cpu/event=' || fail "$(tail out)"
	status 0 "$fake" list INST_RETIRED
	says_not "$(cat out)" "Modifiers"
}

test_nothing_but_a_sentence_when_nothing_matches()
{
	status 1 "$fake" list zzz
	is output "$(cat out)" ""
	is errors "$(cat err)" "pfmon: no event matches 'zzz'"
	status 1 "$fake" list --names zzz
	is output "$(cat out)" ""
	says "$(cat err)" "no event matches 'zzz'"
	status 1 "$fake" list --json zzz
	is events "$(jq -c '[.events, .aliases]' out)" "[[],[]]"
	says "$(cat err)" "no event matches 'zzz'"
}

# For a machine that is not the target: the names, and no counters.
test_without_the_system_call_there_are_names()
{
	export PERFMON_FAKE=nosys
	status 0 "$fake" list --json INST_RETIRED
	is figures "$(jq -c '.events[] | select(.name == "INST_RETIRED") |
		[.accepted, .code, .counters, .perf]' out)" '[true,"0x5300c0",null,[]]'
	status 0 "$fake" list --names
	grep -qx INST_RETIRED:X87 out || fail "$(cat out)"
}

run_tests "$@"
