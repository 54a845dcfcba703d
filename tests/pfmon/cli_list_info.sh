#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The verbs list, info and help, over a double of the kernel.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

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
	is events "$(grep -c '^[A-Z_][A-Z_]* .*' out)" 1
	status 0 "$fake" list MEM_INST_RETIRED:LOADS
	is masks "$(grep -c '^    :' out)" 1
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
	! grep -q '^L1D ' counting || fail "L1D is listed as countable"
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
	is registers "$(grep -cE '^PM[CD][0-9]' out)" 12
	! grep -q 'You may' out || fail "there is more than registers:" "$(cat out)"
	status 0 "$fake" info -jr
	is figures "$(jq -r '[.format, .counter_width, (.pmcs | length), (.pmds | length),
		.pmcs[0].width, has("limits")] | join(" ")' out)" "1 48 5 7  false"
	status 1 env PERFMON_FAKE=nosys "$fake" info -r
	says "$(cat err)" "no perfmonctl()"
	status 1 env PERFMON_FAKE=nosys "$fake" info -jr
	is figures "$(jq .perfmonctl out)" false
}

# For every table, on a machine that has none of these PMUs, nor the call.
test_info_shows_registers_of_any_pmu()
{
	local name

	export PERFMON_FAKE=nosys
	status 0 "$fake" info --pmu list
	cut -d' ' -f1 out >names
	[ "$(wc -l <names)" -ge 15 ] || fail "$(cat names)"
	is "names used twice" "$(sort names | uniq -d)" ""
	status 0 "$fake" info -jP list
	is names "$(jq -r '.pmus[].name' out)" "$(cat names)"
	while read -r name; do
		status 0 "$fake" info --registers --pmu "$name"
		[ "$(grep -cE '^PMC[0-9]+ +[^ ]+ +[A-Za-z]+ +(0x[0-9a-f]+|-) +[0-9]+ ' out)" -ge 2 ] ||
			fail "$name:" "$(cat out)"
		grep -qE '^PMD(265|281) +tid +soft ' out || fail "$name:" "$(cat out)"
		grep -E '^PM[CD]' out | awk '{ print $1 }' | sort | uniq -d >twice
		is "$name: registers listed twice" "$(cat twice)" ""
		cp out text
		status 0 "$fake" info -j --pmu "$name"
		is "$name: registers" "$(jq '(.pmcs + .pmds) | length' out)" \
			"$(grep -cE '^PM[CD][0-9]' text)"
		status 0 "$fake" info --pmu "$name"
		grep -qE '^Counters +[1-9]' out || fail "$name:" "$(cat out)"
		says "$(cat out)" " bits"
	done <names
}

# Numbers from the manuals, not from the tables.
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
	is counters "$(grep -cE '^PMD[0-9]+ +MSR_(BPU|MS|FLAME|IQ)_COUNTER[0-5] ' out)" 17
	is CCCRs "$(grep -cE '^PMC[0-9]+ +MSR_(BPU|MS|FLAME|IQ)_CCCR[0-5] ' out)" 17
	is ESCRs "$(grep -cE '^PMC[0-9]+ +MSR_[A-Z0-9]+_ESCR[0-5] ' out)" 45
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
	is buffers "$(grep -cE '^PMD(4[89]|5[0-9]|6[0-3]) ' out)" 16
}

test_info_shows_the_special_purpose_registers_of_power()
{
	export PERFMON_FAKE=nosys
	status 0 "$fake" info -r --pmu power9
	is counters "$(grep -cE '^PMD[0-5] +PMC[1-6] +SPR +0x31[3-8] +31 ' out)" 6
	grep -qE '^PMC6 +MMCR0 +SPR +0x31b +64 +0x404c000 ' out || fail "$(cat out)"
	grep -qE '^PMD6 +SIAR +SPR +0x31c +64 ' out || fail "$(cat out)"
	is MMCR3 "$(grep -c MMCR3 out)" 0
	status 0 "$fake" info -r --pmu power10
	grep -qE '^PMC10 +MMCR3 +SPR +0x2f2 ' out || fail "$(cat out)"
}

test_info_refuses_bad_arguments()
{
	status 1 "$fake" info --pmu
	says "$(cat err)" '`pfmon info --help` shows the options'
	status 1 "$fake" info --pmu no_such_pmu
	says "$(cat err)" "no table of a PMU 'no_such_pmu'"
	says "$(cat err)" "pfmon info --pmu list"
	status 1 "$fake" info --pmu ''
	says "$(cat err)" "no table of a PMU ''"
	status 1 "$fake" info --register-file
	says "$(cat err)" '`pfmon info --help` shows the options'
	status 1 "$fake" info nehalem
	says "$(cat err)" "usage: pfmon info"
}

test_info_as_json_is_one_valid_object()
{
	status 0 "$fake" info -j
	is figures "$(jq -r '[.perfmonctl, .version, .counter_width, (.counters | length),
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
