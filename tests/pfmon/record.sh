#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record's options and refusals, over a double of the kernel (fake_perfmonctl.c) that
# has no sampling buffers. Runs on any machine; record_guest.sh samples.
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
	refused "-c 0: a number from 1 to" -c 0
	refused "-c many: a number" -c many
	refused "-c 9223372036854775808: a number" -c 9223372036854775808
	refused "--random 0: a mask is wanted" --random 0
	refused "--random 1:x: a mask is wanted" --random 1:x
	refused "--random 1:4294967296: a mask" --random 1:4294967296
	refused "the mask is not below the period, 255" --random 0xff -c 255
	refused "--buffer 0: a number of bytes" --buffer 0
	refused "--buffer 1G: a number of bytes" --buffer 1G
	refused "--buffer 4096M: a number of bytes" --buffer 4096M
	refused "--format rings: default, ring, stack, compact, hist, ibs or branch is wanted" --format rings
	refused "-g and --format ring: call chains come in the format stack only" -g --format ring
	refused "-g and --format compact: call chains come in the format stack only" -g --format compact
	refused "-g and --format default: call chains come in the format stack only" --format default -g
	refused "-g and --format ibs: call chains come in the format stack only" -g --format ibs
	refused "--format ibs: it decodes samples of AMD's Instruction-Based Sampling" --format ibs
	refused "-g and --format hist: call chains come in the format stack only" -g --format hist
	refused "-b and --format hist: the kernel adds samples up, and keeps no branches" -b --format hist
	refused "--with and --format hist: the kernel adds samples up, and keeps no values" \
		--format hist --with loads:u
	refused "--long-period and --format hist: no buffer is ever full" --format hist --long-period 5k
	refused "--format stack: it is for call chains" --format stack
	refused "--format branch: it is for branches" --format branch
	refused "-g and --format branch: call chains come in the format stack only" -g -b --format branch
	refused "--depth is of call chains: -g asks for them" --depth 10
	refused "--depth 0: a number from 1 to 127 is wanted" -g --depth 0
	refused "--depth 128: a number from 1 to 127 is wanted" -g --depth 128
	refused "-o: the file has no name" -o ''
	refused "-o %d.data: a % there is followed by none of h, p, r and %" -o %d.data
	refused "-o a%: a % there is followed by none of" -o a%
	refused "-c 1x: a number from 1 to 9223372036854775807 is wanted, or one with k, M or G" -c 1x
	refused "-c 18446744073709551615: a number from 1 to 9223372036854775807" -c 18446744073709551615
	refused "-c 9223372036854775807G: a number" -c 9223372036854775807G
	refused "-c : a number" -c 1000,
	refused "-c has 2 periods, and there is 1 event" -c 1000,2000 -e cycles
	refused "--long-period 0: a number" --long-period 0
	refused "-F 0: samples a second are wanted, from 1 to 1000000" -F 0
	refused "-F 2000k: samples a second" -F 2000k
	refused "-F and -c or --long-period exclude each other" -F 100 -c 1000
	refused "--delay x: a number from 1 to" --delay x
	refused "--timeout 0: a number from 1 to" --timeout 0
	refused "-p x: a number from 1 to" -p 1,x
	refused "--name no/such: no process has this name" --name no/such
	refused "exclude each other" -p 1 -a
	refused "exclude each other" -t 1 -C 0
	refused "-i is about the children of a command" -i -t 1
	refused "-o -: a recording is a file" -o -
	refused "-z 0: a level from 1 to" -z0
	refused "-z 23: a level from 1 to 22 is wanted" --compress=23
	refused "-z x: a level" --compress=x
	refused "-b: this PMU (of an unknown model) has no records of branches" -b
	refused "command line cannot be understood" --nonsense
	status 0 "$fake" record --help
	says "$(cat out)" "usage: pfmon record"
}

# The double has no sampling buffer: so this is the first error.
taken()
{
	refused "cannot map the sampling buffer" "$@"
}

test_periods_that_the_processor_has_not_are_refused()
{
	refused "-c 31: this processor samples cycles with periods of 32 and more" -c 31
	says "$(cat err)" "-c 32 would do"
	refused "-c 20: this processor samples loads:u" -e cycles,loads:u -c 1000,20
	refused "--long-period 10: this processor" -c 100 --long-period 10
	refused "--random 0x3f: this processor" -c 90 --random 0x3f
	taken -c 32
	taken -c 95 --random 0x3f

	export LIBPFM_FORCE_PMU=bdw
	refused "-c 100: this processor samples cpu/event=0xc0,umask=1/ with periods of 128 and more, in steps" \
		-e cpu/event=0xc0,umask=1/ -c 100
	refused "-c 1000: this processor" -e cpu/event=0xc0,umask=1/ -c 1000
	says "$(cat err)" "-c 960 would do"
	refused "--random 0xff: this processor" -e cpu/event=0xc0,umask=1/ -c 9600 --random 0xff
	refused "-F 100: this processor" -e cpu/event=0xc0,umask=1/ -F 100
	refused "-c 1: this processor samples cycles with periods of 2 and more" -c 1
	taken -e cpu/event=0xc0,umask=1/ -c 1024 --random 0xc0
	taken -c 2

	# The emulated PMU has no errata.
	export PFMON_EMULATED=1 LIBPFM_FORCE_PMU=nhm
	taken -c 1
}

# Variables of the test's own environment that name ranks must not matter.
test_a_rank_without_a_launcher_is_refused()
{
	unset OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK MV2_COMM_WORLD_RANK SLURM_PROCID
	refused "-o %r.data: no job launcher has set a rank for %r" -o %r.data
	says "$(cat err)" " SLURM_PROCID."
	export PMI_RANK=../1
	refused "-o %r.data: no job launcher has set a rank for %r" -o %r.data
}

test_what_is_no_event_is_refused()
{
	refused "this CPU has no event 'nonsense'" -e nonsense
	refused "an event's name is empty" -e cycles,
	refused "this CPU has no event 'nonsense'" -e cycles --with nonsense
}

test_values_have_to_be_there_at_each_sample()
{
	refused "loads:u" -e "cycles" --with instructions,branches,stores,loads,DTLB_MISSES:WALK_COMPLETED,loads:u
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
