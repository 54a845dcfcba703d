#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon test over a double of the kernel, which returns wrong counts: the test must report them.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

test_wrong_figures_are_called_broken()
{
	status 1 "$fake" test
	grep -qx '  BROKEN    a known program: 0 instructions, not 2,000,000' out || fail "$(cat out)"
	grep -q '^  BROKEN    more events than counters: estimates from 2 event sets' out || fail "$(cat out)"
	grep -q '^[0-9]* right, [0-9]* off, [1-9][0-9]* broken, [0-9]* not here$' out ||
		fail "$(cat out)"
}

test_findings_go_to_a_file()
{
	status 1 "$fake" test -o findings
	is "standard output" "$(cat out)" ""
	grep -q '^  BROKEN    a known program' findings || fail "$(cat findings)"
	status 1 "$fake" test --output /dev/full
	says "$(cat err)" "cannot write the findings: No space left on device"
	status 1 "$fake" test -o missing/file
	says "$(cat err)" "cannot write 'missing/file': No such file or directory"
}

test_without_a_kernel_no_file_is_written()
{
	PERFMON_FAKE=nosys status 1 "$fake" test -o findings
	[ -s err ] || fail "no reason"
	[ ! -e findings ] || fail "$(cat findings)"
}

test_what_is_refused_is_not_here()
{
	PERFMON_FAKE=kernel status 1 "$fake" test
	grep -qx "  not here  user and kernel level: you may not count the kernel's level" out ||
		fail "$(cat out)"
}

test_the_way_out_of_a_refusal_follows_once()
{
	# It is broken where it needs a sampling buffer, which the double lacks.
	PERFMON_FAKE=busy status 1 "$fake" test
	grep -q "^  not here  a known program: .*the context, the thread or the PMU is in use" out ||
		fail "$(cat out)"
	is "hints" "$(grep -c '^The hardware counters have one owner at a time' out)" 1
	tail -n 1 out | grep -q '^[0-9]* right, .* not here$' || fail "$(cat out)"
}

test_arguments_make_sense_or_are_refused()
{
	status 0 "$fake" test --help
	grep -q '^usage: pfmon test' out || fail "$(cat out)"
	status 1 "$fake" test sleep 1
	says "$(cat err)" "'sleep' is too much: pfmon test has a program of its own"
	status 1 "$fake" test --nonsense
	says "$(cat err)" "pfmon test: unrecognized option '--nonsense'"
}

run_tests "$@"
