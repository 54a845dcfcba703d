#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host
#
# The harness tells every kind of failure, and tests/run's summary counts them all.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

broken=$top/build/bin/tests/harness/broken
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

out=$(PERFMON_PATIENCE=1 "$broken")
status=$?

# summarised TEXT: what summary.awk makes of this output of a guest.
summarised()
{
	rm -f "$work/results" "$work/failures" "$work/skips"
	printf '%s\n' "$1" | mawk -W interactive -v dir="$work" -v label=test -f "$here/../summary.awk" >"$work/shown"
	cat "$work/results"
}

plan 28
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

is results_are_counted "$(summarised "@@begin a/b
$out

@@end a/b 1")" 'a/b 2 9 1'
is tests_that_did_not_run_are_failures "$(summarised '@@begin a/b
1..5
ok 1 - one
@@end a/b 0')" 'a/b 1 4 0'
is a_skip_without_a_reason_is_a_failure "$(summarised '@@begin a/b
1..3
ok 1 - one # SKIP
ok 2 - two # SKIP it is late
ok 3 - three
@@end a/b 0')" 'a/b 1 1 1'
is a_program_without_a_plan_is_a_failure "$(summarised '@@begin a/b
cannot execute
@@end a/b 126')" 'a/b 0 1 0'
is a_status_without_a_failure_is_a_failure "$(summarised '@@begin a/b
1..1
ok 1 - one
@@end a/b 1')" 'a/b 1 1 0'
is a_test_that_its_guest_dies_in_is_a_failure "$(summarised '@@begin a/b
1..1
ok 1 - one')" 'a/b 1 1 0'
is kunit_is_counted_by_test "$(summarised '@@begin kunit
1..2
    # Subtest: first
    1..2
    ok 1 - one
    # two: EXPECTATION FAILED
    not ok 2 - two
not ok 1 - first
    # Subtest: second
    1..1
    ok 1 three
ok 2 - second
@@end kunit 0')" 'kunit 2 1 0'
summarised '@@begin a/b
1..2
not ok 1 - one
# because
# and
# so
# on
# and on
ok 2 - two
# no reason
@@end a/b 1' >/dev/null
is a_failure_is_told_again_with_the_first_lines_of_its_reason "$(cat "$work/failures")" \
	'  test: a/b: not ok 1 - one
      # because
      # and
      # so
      # on'
is a_skip_inside_names_a_program_with_its_area \
	"$(inner_skips area/name 'ok 1 - it # SKIP why')" '# skipped: area/name: it: why'
finish
