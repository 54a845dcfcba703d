#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record over the real perfmonctl(): names of BPF programs, where the kernel compiles them.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are sampled expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=200
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"

# named OPTION... -- COMMAND: 20,000 times a program of 1000 instructions and a little more
named()
{
	status 0 "$pfmon" record -e instructions:k -c 10007 "$@"
	"$pfmon" report -x ';' >shown
	awk -F';' '
		$5 == "[bpf]" && $4 ~ /^bpf_prog_[0-9a-f]+_pfmon_run$/ { n += $1 }
		END { exit !(n >= 1950 && n <= 2100) }' shown || fail "no such name:" "$(head -n 40 shown)"
}

test_a_program_that_comes_and_goes_has_its_name()
{
	# The kernel's names are known before: those of the calls are written.
	named -- sh -c '"$0/sampled" calls; "$0/bpf_run"; "$0/sampled" calls' "$bin"
	named -a -- "$bin/bpf_run"
}

run_tests "$@"
