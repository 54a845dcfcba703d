#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Errors of pfmon stat, over a double of the kernel: exit statuses, refusals and their sentences,
# and the options.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

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
	# The error is reported for a name of any length.
	status 126 "$fake" stat "/$(printf '%05000d' 0)"
	says "$(cat err)" "cannot run '/0000"
	says "$(cat err)" "000': File name too long"
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

# A copy of a shell with a debugger's name: pfmon recognizes debuggers by name.
test_a_debugger_in_pfmon_is_told_of()
{
	cp "$(command -v dash)" strace
	status 0 "$fake" stat sh -c './strace -c true'
	says "$(cat err)" "strace cannot trace programs here, as pfmon traces them: -i leaves"
	status 0 "$fake" stat -i ./strace -c true
	says_not "$(cat err)" "cannot trace"
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
	is perfmonctl "$(jq .perfmonctl out)" false
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
	is note "$(jq -r '.notes[0]' err | cut -c1-26)" "counted at user level only"
}

test_without_system_wide_rights_the_way_out_is_shown()
{
	status 125 env PERFMON_FAKE=system "$fake" stat -a true
	says "$(cat err)" perf_event_paranoid
	says "$(cat err)" "leave out -a"
}

# The kernel refuses threads: because of its level, or in spite of it.
test_a_setting_that_allows_it_is_not_blamed()
{
	status 125 env PERFMON_FAKE=thread "$fake" stat true
	says "$(cat err)" "this user may not monitor threads"
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -lt 3 ]; then
		says "$(cat err)" "a security module forbids it"
		says_not "$(cat err)" "below 3"
	else
		says "$(cat err)" "kernel.perf_event_paranoid below 3"
	fi
}

test_a_thread_of_another_user_is_explained()
{
	status 125 env PERFMON_FAKE=load "$fake" stat -t 1 true
	says "$(cat err)" "belongs to another user"
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
	is output "$(cat out)" "-e -x"
	status 0 "$fake" stat -- printf '%s' --help
	is output "$(cat out)" "--help"
}

test_the_emulated_pmu_refuses_other_events()
{
	export PFMON_EMULATED=1
	status 125 "$fake" stat -e L1D:REPL true
	says "$(cat err)" "does not model it"
	status 0 "$fake" stat -e HW_INT_RCVD,instructions true
}

test_event_names_need_a_library()
{
	mkdir other
	echo text >other/libpfm.so.4
	LD_LIBRARY_PATH=$PWD/other status 125 "$fake" stat -e instructions touch ran
	says "$(cat err)" "event names need libpfm.so.4, which cannot be loaded: "
	says "$(cat err)" "Debian's package is libpfm4."
	[ ! -e ran ] || fail "the command ran"
}

run_tests "$@"
