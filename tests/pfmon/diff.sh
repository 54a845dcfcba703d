#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon diff: two recordings side by side. Runs on any machine.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=samples.sh
. "$here/samples.sh"

two_recordings()
{
	printf '%s\n' 'event e 1000' 'map 100 /none' 'comm 100 100 old' 'sample 60 kernel' \
		'sample 30 module' 'sample 10 jit' | recording before
	printf '%s\n' 'event e 500' 'map 100 /none' 'comm 100 100 new' 'sample 100 kernel' \
		'sample 90 module' 'sample 10 nowhere' | recording after
}

test_the_largest_difference_comes_first()
{
	two_recordings
	status 0 "$pfmon" diff before after
	is output "$(TZ=UTC "$pfmon" diff before after)" '# before: before
# command: program argument
# recorded: 2023-11-14 22:13:20 +0000 on node, 0.500 s
# after: after
# command: program argument
# recorded: 2023-11-14 22:13:20 +0000 on node, 0.500 s
# event: e
# samples: 100 before, 200 after, 0 lost
# no symbols: 10 where nothing is known to be mapped
#
#  before    after difference  symbol           file
   30.00%   45.00%     +15.00  module_function  [module]
   60.00%   50.00%     -10.00  kernel_function  [kernel]
   10.00%    0.00%     -10.00  jitted           [jit]
    0.00%    5.00%      +5.00  [unknown]        [unknown]
# Note: no symbols for 10 samples: nothing is known to be mapped there'
}

test_fields_have_both_and_the_difference()
{
	two_recordings
	is line "$("$pfmon" diff before after -x , | head -n 1)" \
		"30,30.00,90,45.00,15.00,e,module_function,[module]"
}

test_json_has_both_and_the_difference()
{
	two_recordings
	is line "$("$pfmon" diff -j before after |
		jq -c '.events[0].lines[0] | [.before.samples, .after.percent, .difference, .symbol]')" \
		'[30,45,15,"module_function"]'
}

test_keys_and_filters_are_those_of_report()
{
	two_recordings
	is comm "$("$pfmon" diff -x , --sort comm before after | head -n 2)" "$(printf '%s\n' \
		100,100.00,0,0.00,-100.00,e,old 0,0.00,200,100.00,100.00,e,new)"
	status 0 "$pfmon" diff --symbol '*_function' --limit 1 before after
	says "$(cat out)" "# chosen: 90 before, 190 after"
	says "$(cat out)" "-14.04  kernel_function"
	says_not "$(cat out)" "module_function"
}

test_bad_command_lines_are_refused()
{
	two_recordings
	status 1 "$pfmon" diff before
	says "$(cat err)" "two recordings are wanted, and there is 1"
	status 1 "$pfmon" diff
	says "$(cat err)" "there are 0"
	status 1 "$pfmon" diff --columns events before after
	says "$(cat err)" "--columns is of"
	status 1 "$pfmon" diff before nothing
	says "$(cat err)" "cannot read nothing: No such file"
	status 0 "$pfmon" diff --help
	says "$(cat out)" "usage: pfmon diff"
}

run_tests "$@"
