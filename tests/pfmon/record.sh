#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record's options and refusals, over a double of the kernel (fake_perfmonctl.c) that
# has no sampling buffers. Runs on any machine; record_guest.sh samples.
#
# runs: host seconds=600
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

# refused SENTENCE ARGUMENT...: nothing runs, and nothing is written
refused()
{
	local sentence=$1

	shift
	status 125 "$fake" record "$@" touch ran
	says "$(cat err)" "$sentence"
	[ ! -e ran ] || fail "the command ran: $*"
	[ ! -e pfmon.data ] || fail "a recording was written: $*"
}

test_bad_command_lines_are_refused()
{
	status 125 "$fake" record
	says "$(cat err)" "there is nothing to sample: name a command"
	refused "-c 0: a number from 1 on is wanted" -c 0
	refused "-c many: a number" -c many
	refused "-c 9223372036854775808: a number" -c 9223372036854775808
	refused "--random 0: a mask is wanted" --random 0
	refused "--random 1:x: a mask is wanted" --random 1:x
	refused "--random 1:4294967296: a mask" --random 1:4294967296
	refused "the mask is not below the period, 255" --random 0xff -c 255
	refused "--buffer 0: a number of bytes" --buffer 0
	refused "--buffer 1G: a number of bytes" --buffer 1G
	refused "--buffer 4096M: a number of bytes" --buffer 4096M
	refused "-o: the file has no name" -o ''
	refused "-e is given twice" -e cycles -e branches
	refused "command line cannot be understood" --nonsense
	status 0 "$fake" record --help
	says "$(cat out)" "usage: pfmon record"
}

test_what_is_no_single_event_is_refused()
{
	refused "this CPU has no event 'nonsense'" -e nonsense
	refused "this is more than one event" -e cycles,branches
	refused "this is more than one event" -e pmc16=0x22
	refused "an event's name is empty" -e cycles,
}

test_kernel_level_without_rights_is_refused()
{
	export PERFMON_FAKE=kernel
	refused "this user may not count at kernel level" -e cycles:k
}

test_a_kernel_without_perfmon_is_said()
{
	export PERFMON_FAKE=nosys
	refused "this kernel has no perfmonctl()"
}

test_an_old_recording_stays_when_a_new_one_cannot_be_made()
{
	echo old >data
	status 125 "$fake" record -o data touch ran
	says "$(cat err)" "cannot map the sampling buffer"
	[ ! -e ran ] || fail "the command ran"
	is recording "$(cat data)" old
	status 127 "$fake" record -o data /nonexistent
	says "$(cat err)" "cannot run '/nonexistent': No such file or directory"
	is recording "$(cat data)" old
}

run_tests "$@"
