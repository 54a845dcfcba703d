#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tests/run cannot be fooled: in a small tree of its own, in which nothing is built and the guest's
# output is given, something is wrong, and the run fails and reports it.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree

# script FILE: make an executable script of standard input.
script()
{
	mkdir -p "$(dirname "$tree/$1")"
	cat >"$tree/$1"
	chmod +x "$tree/$1"
}

# first_says TEXT: the output of area/first, in the lane of this machine.
first_says()
{
	printf '#!/bin/sh\n%s\n' "$1" | script tests/area/first.sh
}

# guest_says TEXT [CONSOLE-TEXT [STATUS]]: the output of the guest of the lane "guest", which has
# area/second
guest_says()
{
	printf '%s\n' "$1" >"$tree/out"
	printf '%s\n' "${2-}" >"$tree/console"
	echo "${3-0}" >"$tree/status"
}

second='tests/area/second.sh .. '

# The deciding parts of the real tree; all other programs succeed without an action.
make_tree()
{
	local file

	rm -rf "$tree"
	mkdir -p "$tree/tests" "$tree/tools/vm"
	cp "$here"/../{run,one,inside,*.awk} "$tree/tests"
	cp "$here/../../tools/vm/complaints" "$tree/tools/vm"
	printf 'tools:\n' >"$tree/Makefile"
	printf 'all:\nlist:\n' >"$tree/tests/Makefile"
	for file in tools/vm/ends tools/vm/kernel tools/qemu/build tools/build/need; do
		script "$file" <<<'#!/bin/sh'
	done
	script tools/vm/run <<-'END'
		#!/bin/bash
		cp console "$PERFMON_VM_CONSOLE"
		cat out
		exit "$(cat status)"
	END
	first_says 'echo 1..1; echo ok 1 - it_works'
	script tests/area/second.sh <<<'#!/bin/sh'
	guest_says "$second"$'\n1..2\nok 1 - a\nok 2 - b\nok'
	printf 'host\ttest\thost\tarea/first\nguest\ttest\t--smp 2\tarea/second\n' >"$tree/tests/lanes"
}

# suite [ARG...]: run tests/run; its output is in $work/said, its status in $status.
suite()
{
	"$tree/tests/run" "$@" >"$work/said" 2>&1
	status=$?
}

# noticed NAME PATTERN [ARG...]: the run fails, counts the failure, and reports it by this pattern.
noticed()
{
	local name=$1 pattern=$2 last
	shift 2

	suite "$@"
	last=$(tail -n 1 "$work/said")
	if [ "$status" -eq 1 ] && [[ $last =~ ^[0-9]+\ passed,\ [1-9][0-9]*\ failed$ ]] &&
	   grep -qE -- "$pattern" "$work/said"; then
		report "$name" ok
	else
		report "$name" no "status $status, no $pattern in:" "$(cat "$work/said")"
	fi
	make_tree
}

plan 22
make_tree
suite
is a_good_run_is_green "$status $(tail -n 1 "$work/said")" '0 3 passed, 0 failed'
suite area/first
is a_test_that_is_named_runs_alone "$status $(tail -n 1 "$work/said")" '0 1 passed, 0 failed'
noticed a_name_that_is_none_is_an_error 'there is no test area/third' area/third

# A program with a wrong plan, or that does not reach its end.
first_says 'echo 1..1; echo not ok 1 - it_works; echo "# for a reason"; exit 1'
noticed a_failure_is_one 'host.area-first: area/first: not ok 1 - it_works'
is and_no_early_end "$(grep -c 'the lane ended' "$work/said")" 0
first_says 'echo 1..1; echo not ok 1 - it_works; exit 1'
noticed and_says_how_to_repeat_it '^A program failed: tests/run --lane host area/first'
first_says 'echo ok 1 - it_works'
noticed a_missing_plan_is_one 'area/first: .*'
first_says 'echo 1..2; echo ok 1 - it_works'
noticed an_early_end_is_one 'area/first: '
first_says 'echo 1..1; echo ok 1 - it_works; echo ok 2 - more'
noticed a_case_more_than_planned_is_one 'area/first: '
first_says 'echo 1..1; echo ok 1 - it_works; exit 3'
noticed a_status_is_one 'area/first: Dubious, test returned 3'
first_says 'echo 1..0'
noticed a_program_without_a_case_is_one 'area/first: '
first_says 'echo 1..1; echo "ok 1 - a # SKIP it is late"'
noticed a_skip_for_another_reason_is_one 'not ok 1 - a may not be skipped here: it is late'
# shellcheck disable=SC2016 # it is the program's to expand: the subshell of tests/run above it
first_says 'up=$PPID
	until tr "\0" " " <"/proc/$up/cmdline" | grep -q "tests/run "; do
		up=$(awk "/^PPid/ { print \$2 }" "/proc/$up/status")
	done
	kill -9 "$up"; sleep 3'
noticed a_lane_that_is_killed_is_one 'host: the lane did not come to its end'
chmod -x "$tree/tests/area/first.sh"
noticed a_script_that_cannot_be_executed_is_an_error 'tests/area/first.sh is not executable'
script tests/area/third.sh <<<'#!/bin/sh'
noticed a_program_without_a_lane_is_an_error 'no lane for area/third'

# A guest.
guest_says "$second"$'\n1..2\nok 1 - a' 'Kernel panic' 125
noticed a_guest_that_dies_is_one 'area/second: the lane ended while it ran'
guest_says 'tools/vm/run: the guest did not come up' '' 125
noticed a_guest_that_does_not_boot_is_one 'area/second: it did not run'
guest_says "$second"$'\n1..2\nok 1 - a\nok 2 - b\nok' '[ 1.0] tests: area/second
[ 1.1] WARNING: CPU: 0 at kernel'
noticed a_complaint_of_the_kernel_is_one 'the kernel complained during area/second'
guest_says "$second"$'\n1..2\nok 1 - a\nok 2 - b\nok' '' 124
noticed a_status_of_the_guest_is_one 'guest: it ended with status 124'

# A program that fails once.
fails_once="[ -e \"\$0.ran\" ] && { echo 1..1; echo ok 1 - it_works; exit; }; touch \"\$0.ran\"; exit 1"
first_says "$fails_once"
suite
is what_fails_once_does_not_fail_the_run "$status $(tail -n 1 "$work/said")" '0 3 passed, 0 failed'
has but_is_named "$(cat "$work/said")" '^Unsteady, .*: tests/run --lane host area/first$'
make_tree
for name in first third fourth fifth; do
	printf '#!/bin/sh\n%s\n' "$fails_once" | script "tests/area/$name.sh"
done
sed -i 's,area/first,area/* !area/second,' "$tree/tests/lanes"
noticed from_the_fourth_on_it_fails '4 failed$'
finish
