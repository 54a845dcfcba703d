#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host
#
# The check of the conformance matrix finds every kind of fault, in a small tree of
# its own that is broken in one place at a time.
# shellcheck disable=SC2317 # functions are called by faulty
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
top=$work/top
results=$top/build/test/run

# A tree without fault, and a run of its tests.
make_tree()
{
	rm -rf "$top"
	mkdir -p "$top"/{Documentation,kernel/perfmon/tests,include/uapi,tests/{abi,pmu,conformance}} \
		"$results"/{host,plain-1,debug-2}
	cat >"$top/Documentation/conformance.md" <<-'END'
		# Conformance

		### 3.1 Calls

		| row | requirement | where | test |
		|---|---|---|---|
		| 3.1-1 | Success is 0 | room.c:pfm_enter | abi/calls:success_is_zero |
		| 3.1-2 | Failure is -1 | room.c:pfm_enter, room.c:pfm_leave | abi/calls:success_is_zero abi/calls:failure_is_not |
		| 3.1-3 | It is EFAULT | room.c; deviation: E2BIG fits better | - |
		| 3.1-4 | Names are pinned | include/uapi/perfmon.h:PFM_NAME | abi/header:the_names_are_pinned abi/forms:* |
		| 3.1-5 | Tables are valid | room.c | kunit/room_kunit:tables_are_valid abi/inner:inside_a_guest abi/inner:a_guest_runs_it abi/inner:a_function_is_a_case |

		### 5.1 Itanium

		| row | requirement | where | test |
		|---|---|---|---|
		| 5.1-1 | There are 256 | not on this architecture yet | - |
	END
	printf 'int pfm_enter(void)\nint pfm_leave(void)\n' >"$top/kernel/perfmon/room.c"
	echo '#define PFM_NAME 1' >"$top/include/uapi/perfmon.h"
	printf '\tKUNIT_CASE(tables_are_valid),\n' >"$top/kernel/perfmon/tests/room_kunit.c"
	cat >"$top/tests/abi/calls.c" <<-'END'
		/* covers: 3.1-1 */
		/* covers: 3.1-2 */
		TEST(success_is_zero)
		{
		}

		/* covers: 3.1-2 */
		TEST_LIMIT(failure_is_not, 5)
		{
		}
	END
	printf '/* covers: 3.1-5 */\nTEST(inside_a_guest)\n' >"$top/tests/abi/inner.c"
	printf '# covers: 3.1-5\n%s\n' 'is a_guest_runs_it 1 1' 'test_a_function_is_a_case()' \
		>"$top/tests/abi/inner.sh"
	printf '# covers: 3.1-4\npasses the_names_are_pinned true\n' >"$top/tests/abi/header.sh"
	# shellcheck disable=SC2016 # it is not for us
	printf '# covers: 3.1-4\nreport "$form" ok\n' >"$top/tests/abi/forms.sh"
	printf 'TEST(of_another_area)\n' >"$top/tests/pmu/steps.c"
	printf '/* covers: 9.9-9 */\n' >"$top/tests/conformance/fixture.c"
	for place in plain-1 debug-2; do
		printf '1..2\nok 1 - success_is_zero\n# a word\nok 2 - failure_is_not\n' \
			>"$results/$place/abi-calls.tap"
		printf '1..1\n    # Subtest: room\n    1..1\n    ok 1 tables_are_valid\nok 1 - room\n' \
			>"$results/$place/kunit.tap"
	done
	printf '1..1\nok 1 - the_names_are_pinned\n' >"$results/host/abi-header.tap"
	printf '1..2\nok 1 - direct\nok 2 - multiplexed\n' >"$results/host/abi-forms.tap"
	printf '1..2\nok 1 - a_guest_runs_it\nok 2 - a_function_is_a_case\n' \
		>"$results/host/abi-inner.tap"
}

check()
{
	"$here/check" -C "$top" "$@" 2>&1
}

in_matrix()
{
	sed -i "$1" "$top/Documentation/conformance.md"
}

in_calls()
{
	sed -i "$1" "$top/tests/abi/calls.c"
}

in_results()
{
	sed -i "$2" "$results/$1"
}

# faulty NAME PATTERN COMMAND...: the tree with that change has just this fault, which
# matches the pattern.
faulty()
{
	local name=$1 pattern=$2 output status
	shift 2

	make_tree
	"$@"
	output=$(check "$results")
	status=$?
	if [ "$status" -eq 1 ] && [ "$(wc -l <<<"$output")" -eq 2 ] &&
		head -n 1 <<<"$output" | grep -qE -- "$pattern" &&
		tail -n 1 <<<"$output" | grep -qE '; 1 faults$'; then
		report "$name" ok
	else
		report "$name" no "status $status, wanted one fault like $pattern:" "$output"
	fi
}

# fine NAME COMMAND...: the tree with that change has no fault.
fine()
{
	local name=$1 output
	shift

	make_tree
	"$@"
	output=$(check "$results") && output=''
	is "$name" "$output" ''
}

no_deviation()
{
	in_matrix '/^| 3.1-3 /s/; deviation.* | - |/ | - |/'
}

drop_test()
{
	in_calls '7,99d'
}

misplaced_comment()
{
	in_matrix 's| abi/calls:failure_is_not||'
	sed -i 's/^TEST_LIMIT/static void not_a_test/' "$top/tests/abi/calls.c"
}

fails_in_one_guest()
{
	in_results debug-2/abi-calls.tap 's/^ok 2/not ok 2/'
}

skip_in()
{
	local place

	for place in "$@"; do
		in_results "$place/abi-calls.tap" 's/failure_is_not/& # SKIP no PMU/'
	done
}

lose_results()
{
	rm "$results"/*/abi-header.tap
}

new_case_in_a_script()
{
	echo 'ok 2 - something_new' >>"$results/host/abi-header.tap"
}

inner_run_failed()
{
	in_results host/abi-inner.tap 's/^ok/not ok/'
}

plan 37
make_tree
output=$(check)
is a_tree_without_fault_passes "$?" 0
has the_summary_counts_rows "$output" '^conformance: 6 rows: 4 with a test, 1 deviations, 1 not on this'
has without_results_nothing_is_said_to_have_run "$output" 'no fault$'
output=$(check "$results")
is a_run_without_fault_passes "$?" 0
has with_results_all_is_said_to_have_run "$output" 'all ran and passed$'
fine several_comments_may_name_rows in_calls '/failure_is_not/i /* covers: 3.1-2 */'
fine a_comment_may_have_several_lines in_calls '1s| \*/|\n * 3.1-2 */|;2d'

faulty a_row_without_test '^3.1-3: has no test: ' no_deviation
faulty a_deviation_without_reason '^3.1-3: is a deviation without a reason: ' \
	in_matrix 's/deviation: E2BIG fits better/deviation:/'
faulty chapter_5_in_another_chapter '^3.1-3: is not of chapter 5: ' \
	in_matrix 's/room.c; deviation: E2BIG fits better/not on this architecture yet/'
faulty a_row_that_is_there_twice '^3.1-3: is there twice: ' \
	in_matrix '/^| 3.1-3 /p'
faulty a_row_in_another_section '^3.2-3: is in section 3.1: ' in_matrix 's/^| 3.1-3 /| 3.2-3 /'
faulty a_row_with_a_column_too_many '^3.1-3: has 5 columns: ' in_matrix '/^| 3.1-3 /s/$/ x |/'
faulty a_row_without_requirement '^3.1-3: states no requirement: ' in_matrix 's/ It is EFAULT / /'
faulty a_line_that_is_no_row 'is no row: ' in_matrix 's/^| 3.1-3 /| three /'
faulty a_row_that_is_nowhere '^3.1-1: does not say where it is: ' \
	in_matrix '/^| 3.1-1 /s/ room.c:pfm_enter / /'
faulty a_file_that_does_not_exist '^3.1-3: is said to be in kernel/perfmon/hall.c, which does not' \
	in_matrix '/^| 3.1-3 /s/room.c/hall.c/'
faulty a_function_that_does_not_exist '^3.1-2: is said to be in pfm_leav, which is not in' \
	in_matrix 's/pfm_leave/pfm_leav/'
faulty a_macro_that_does_not_exist '^3.1-4: is said to be in PFM_NAMES, which is not in' \
	in_matrix 's/PFM_NAME /PFM_NAMES /'
faulty a_test_that_does_not_exist '^3.1-2: names abi/calls:failure_is_not, which does not exist: ' drop_test
faulty a_malformed_test '^3.1-3: names nothing,: write area' \
	in_matrix '/^| 3.1-3 /s/| - |/| nothing, |/'
faulty a_kunit_case_that_does_not_exist '^3.1-5: names kunit/room_kunit:table_is_valid, which does not' \
	in_matrix 's/tables_are_valid/table_is_valid/'
faulty a_row_that_names_a_test_that_does_not_cover_it '^3.1-1: names abi/calls:failure_is_not, which does not cover' \
	in_matrix '/^| 3.1-1 /s/ |$/ abi\/calls:failure_is_not |/'
faulty a_test_that_covers_a_row_that_does_not_name_it '^abi/calls:failure_is_not: covers 3.1-1, which does not name it: ' \
	in_calls '/covers: 3.1-2/s/3.1-2/3.1-2 3.1-1/'
faulty a_test_that_covers_no_such_row '^abi/calls:failure_is_not: covers 3.1-99, which is no row: ' \
	in_calls '7s/3.1-2/3.1-2 3.1-99/'
faulty an_abi_test_that_covers_nothing '^abi/calls:of_no_row: covers no row: ' \
	in_calls '1i TEST(of_no_row)'
faulty a_comment_without_test 'line 7: covers rows, but no test is directly below: ' misplaced_comment

faulty a_test_that_failed_in_one_guest '^abi/calls:failure_is_not: failed in debug-2: ' fails_in_one_guest
faulty a_test_that_was_skipped_everywhere '^abi/calls:failure_is_not: was skipped everywhere: ' \
	skip_in plain-1 debug-2
fine a_test_that_was_skipped_in_one_guest skip_in plain-1
faulty a_test_that_did_not_get_to_run '^abi/calls:failure_is_not: did not run in plain-1: ' \
	in_results plain-1/abi-calls.tap '/^ok 2/d'
faulty a_program_that_did_not_run '^abi/header:the_names_are_pinned: did not run: ' lose_results
leave_out()
{
	lose_results
	echo abi/header >"$results/left-out"
}
fine a_program_that_the_run_was_not_to_run leave_out
faulty a_kunit_case_that_failed '^kunit/room_kunit:tables_are_valid: failed in plain-1: ' \
	in_results plain-1/kunit.tap 's/^    ok/    not ok/'
faulty a_scripts_case_that_covers_nothing '^abi/header:something_new: covers no row: ' new_case_in_a_script
make_tree
inner_run_failed
output=$(check "$results")
has a_program_is_judged_by_the_script_that_runs_it "$output" '^abi/inner:inside_a_guest: failed in host: '
make_tree
check "$work" >/dev/null
is a_directory_without_results_is_refused "$?" 2
finish
