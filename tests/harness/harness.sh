#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The harness reports every kind of failure.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

broken=$top/build/bin/tests/harness/broken
out=$(PERFMON_PATIENCE=1 "$broken")
status=$?

plan 19
is failures_are_the_status "$status" 1
has the_plan_is_first "$(head -n 1 <<<"$out")" '^1\.\.12$'
has a_good_test_is_ok "$out" '^ok 1 - a_good_test$'
has what_it_prints_is_a_comment "$out" '^# figure 3$'
has a_false_condition_is_quoted "$out" '^# .*broken\.c:[0-9]+: 1 \+ 1 == 3 is false$'
has unequal_numbers_are_shown "$out" '^# .*-1 == 3 does not hold: -1 \(0xffffffffffffffff\), 3 \(0x3\)$'
has another_errno_is_named "$out" '^# .*failed with EBADF, not EINVAL$'
has a_success_is_told "$out" '^# .*succeeded, should fail with EINVAL$'
has a_failing_call_is_told "$out" '^# .*close\(-1\) failed: .*EBADF'
has a_crash_is_a_failure "$out" '^not ok [0-9]+ - a_crash$'
has and_names_the_signal "$out" '^# it was killed by signal 11'
has a_hang_is_a_failure "$out" '^# it did not finish within 1 s$'
has a_grandchilds_failure_is_one "$out" '^not ok [0-9]+ - a_failing_grandchild$'
has an_exit_is_a_failure "$out" '^# it exited with status 3$'
has a_skip_has_its_reason "$out" '^ok [0-9]+ - a_skip # SKIP there is no reason$'
has what_is_left_behind_does_no_harm "$out" '^ok 12 - a_test_that_leaves_a_process_behind$'
fails and_is_killed pgrep -r S,R,D -x broken

is tests_can_be_chosen "$("$broken" 'a_g*')" '1..1
ok 1 - a_good_test
# figure 3'
fails a_name_that_is_none_is_an_error "$broken" nonsense

finish
