#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
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

# A tree without a fault.
make_tree()
{
	rm -rf "$top"
	mkdir -p "$top"/{Documentation,kernel/perfmon/tests,tests/{abi,pmu,conformance}}
	cat >"$top/Documentation/conformance.md" <<-'END'
		# Conformance

		### 3.1 Calls

		| row | requirement | note | tests |
		|---|---|---|---|
		| 3.1-1 | Success is 0 | | abi/calls:success_is_zero |
		| 3.1-2 | Failure is -1 | | abi/calls:success_is_zero abi/calls:failure_is_not |
		| 3.1-3 | It is EFAULT | deviation: E2BIG fits better | |
		| 3.1-4 | Names are pinned | | abi/forms:* abi/header:the_names_are_pinned |
		| 3.1-5 | Tables are valid | | abi/inner:a_guest_runs_it abi/inner:a_function_is_a_case lane:all kunit/room_kunit:tables_are_valid |
	END
	printf '/* covers: 3.1-5 */\nstatic void tables_are_valid(struct kunit *test)\n' \
		>"$top/kernel/perfmon/tests/room_kunit.c"
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
	printf '# covers: 3.1-5\n%s\n' 'is a_guest_runs_it 1 1' 'test_a_function_is_a_case()' \
		>"$top/tests/abi/inner.sh"
	printf '# covers: 3.1-4\npasses the_names_are_pinned true\n' >"$top/tests/abi/header.sh"
	# shellcheck disable=SC2016 # it is not for us
	printf '# covers: 3.1-4\nreport "$form" ok\n' >"$top/tests/abi/forms.sh"
	printf 'TEST(of_another_area)\n' >"$top/tests/pmu/steps.c"
	printf '/* covers: 9.9-9 */\n' >"$top/tests/conformance/fixture.c"
	printf '# covers: 3.1-5\nall\ttest\thost\tabi/*\n' >"$top/tests/lanes"
}

in_matrix()
{
	sed -i "$1" "$top/Documentation/conformance.md"
}

in_calls()
{
	sed -i "$1" "$top/tests/abi/calls.c"
}

# faulty NAME PATTERN COMMAND...: the tree with that change has exactly this fault, which matches
# the pattern.
faulty()
{
	local name=$1 pattern=$2 output status
	shift 2

	make_tree
	"$@"
	output=$("$here/check" "$top" 2>&1)
	status=$?
	if [ "$status" -eq 1 ] && [ "$(wc -l <<<"$output")" -eq 2 ] &&
		head -n 1 <<<"$output" | grep -qE -- "$pattern" &&
		tail -n 1 <<<"$output" | grep -qE '; 1 faults$'; then
		report "$name" ok
	else
		report "$name" no "status $status, wanted one fault like $pattern:" "$output"
	fi
}

misplaced_comment()
{
	sed -i 's/^TEST_LIMIT/static void not_a_test/' "$top/tests/abi/calls.c"
}

plan 16
make_tree
output=$("$here/check" --write "$top")
is a_tree_without_fault_passes "$?" 0
has the_summary_counts_rows "$output" '^conformance: 5 rows, 1 deviations; 8 tests name rows; no fault$'
cp "$top/Documentation/conformance.md" "$work/written"
make_tree
is the_column_is_what_the_tests_say "$(cat "$work/written")" "$(cat "$top/Documentation/conformance.md")"
in_matrix 's/abi.calls:success_is_zero |/abi\/none |/'
"$here/check" --write "$top" >"$work/out"
is and_is_written_anew "$(cat "$work/written")" "$(cat "$top/Documentation/conformance.md")"
in_calls '1s| \*/|\n * 3.1-2 */|;2d'
passes a_comment_may_have_several_lines "$here/check" "$top"

faulty a_row_without_test '^3.1-3: has no test: ' in_matrix 's/ deviation: E2BIG fits better//'
faulty a_deviation_without_reason '^3.1-3: is a deviation without a reason: ' \
	in_matrix 's/deviation: E2BIG fits better/deviation:/'
faulty a_row_that_is_there_twice '^3.1-3: is there twice: ' in_matrix '/^| 3.1-3 /p'
faulty a_row_in_another_section '^3.2-3: is in section 3.1: ' in_matrix 's/^| 3.1-3 /| 3.2-3 /'
faulty a_row_with_a_column_too_many '^3.1-3: has 5 columns: ' in_matrix '/^| 3.1-3 /s/$/ x |/'
faulty a_row_without_requirement '^3.1-3: states no requirement: ' in_matrix 's/ It is EFAULT / /'
faulty a_line_that_is_no_row 'is no row: ' in_matrix 's/^| 3.1-3 /| three /'
faulty a_test_that_covers_no_such_row '^abi/calls:failure_is_not: covers 3.1-99, which is no row: ' \
	in_calls '7s/3.1-2/3.1-2 3.1-99/'
faulty an_abi_test_that_covers_nothing '^abi/calls:of_no_row: covers no row: ' \
	in_calls '1i TEST(of_no_row)'
faulty a_comment_without_test 'line 7: covers rows, but no test is directly below: ' misplaced_comment
rm "$top/Documentation/conformance.md"
"$here/check" "$top" >"$work/out" 2>&1
is a_tree_without_matrix_is_refused "$?" 2
finish
