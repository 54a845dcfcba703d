#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host seconds=300
#
# tests/run cannot be fooled: in a small tree of its own, in which nothing is built and
# guests are this machine, something is lost or killed, and the run fails and says what.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree

# script FILE: an executable one, from standard input.
script()
{
	mkdir -p "$(dirname "$tree/$1")"
	cat >"$tree/$1"
	chmod +x "$tree/$1"
}

# a_test NAME RUNS [COMMAND]: a test of one case, which does this besides.
a_test()
{
	script "tests/$1.sh" <<-END
		#!/bin/bash
		# runs: $2
		echo 1..1
		${3-}
		echo ok 1 - it_works
	END
}

# Of the real thing what decides; the rest does nothing, successfully.
make_tree()
{
	local file

	rm -rf "$tree"
	mkdir -p "$tree/tests" "$tree/tools/vm"
	cp "$here"/../{run,guest,pins,skips,*.awk,*.sh} "$tree/tests"
	cp "$here/../../tools/vm/flavours.sh" "$tree/tools/vm"
	printf 'tools:\n' >"$tree/Makefile"
	# No area has programs: the real one prints an empty line then.
	printf 'all:\nlist:\n\t@echo\n' >"$tree/tests/Makefile"
	for file in tools/vm/ends tools/vm/kernel tools/vm/complaints tools/qemu/build \
			tools/build/need tests/conformance/check tests/matrix; do
		script "$file" <<<'#!/bin/sh'
	done
	script tools/vm/run <<-'END'
		#!/bin/bash
		while [ "$1" != -- ]; do shift; done
		shift
		: >"$PERFMON_VM_CONSOLE"
		"$@"
	END
	a_test area/first 'host'
	a_test area/second 'guest smp=1,2 kernels=plain,debug'
	a_test area/third 'guest alone smp=2 kernels=plain'
	cat >"$tree/tests/pinned" <<-'END'
		area/first 1 host
		area/second 1 plain-1 plain-2 debug-2
		area/third 1 plain-2
	END
}

# suite [ARG...]: what it says is in $work/said, its status in $status.
suite()
{
	"$tree/tests/run" "$@" >"$work/said" 2>&1
	status=$?
}

# noticed NAME PATTERN [ARG...]: the run fails, counts it, and says this.
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
}

# The subshell of tests/run that runs this test: the innermost of its ancestors.
# shellcheck disable=SC2016 # it is the test's to expand
kill_the_lane='up=$PPID
	until tr "\0" " " <"/proc/$up/cmdline" | grep -q "tests/run "; do
		up=$(awk "/^PPid/ { print \$2 }" "/proc/$up/status")
	done
	kill -9 "$up"'

plan 32

make_tree
suite area
is a_good_run_is_green "$status $(tail -n 1 "$work/said")" '0 5 passed, 0 failed'

make_tree
a_test area/second 'guest smp=1,2 kernels=plain,debug' "$kill_the_lane"
noticed a_killed_lane_is_a_failure 'run_in_guest plain 2 .*did not come to its end' --kernel plain --smp 2 area/second
make_tree
a_test area/first 'host' "$kill_the_lane"
noticed a_killed_lane_of_the_host_is_a_failure 'run_on_host .*did not come to its end' area
make_tree
a_test area/third 'guest alone smp=2 kernels=plain' "$kill_the_lane"
noticed a_killed_lane_of_a_guest_for_one_test_is_a_failure 'area/third: the guest died' area

# The first kernel is built by the run itself, the others by one beside it.
make_tree
script tools/vm/kernel <<'END'
#!/bin/bash
[ "$1" != debug ] || kill -9 "$PPID"
END
noticed a_killed_builder_is_a_failure 'debug-kernel: .*builder' area
make_tree
script tools/vm/kernel <<'END'
#!/bin/bash
[ "$1" != debug ]
END
noticed a_kernel_that_cannot_be_built_is_a_failure 'debug-kernel: it could not be built' area

# What another area's programs are for is built with the area that runs them.
has an_areas_programs_elsewhere_are_built_with_it \
	"$(make -nB -s -C "$here/.." AREAS=pfmon 2>&1)" '/build/bin/tests/pmu/yardstick'

# What vanishes is missed.
make_tree
rm "$tree/tests/area/first.sh"
noticed a_deleted_test_is_a_failure 'tests/pinned:1: area/first is no test any more' area
make_tree
chmod -x "$tree/tests/area/first.sh"
noticed a_test_that_is_not_executable_is_a_failure 'area/first is there, but it is not executable' area
make_tree
a_test area/second 'guest smp=1,2 kernels=plain'
noticed a_lost_kernel_is_a_failure 'tests/pinned:2: area/second does not want to run on debug-2' area
make_tree
a_test area/fourth host
noticed a_test_that_is_not_pinned_is_a_failure 'area/fourth is a test that is not here' area
make_tree
a_test area/first host 'echo ok 0 - more'
sed -i 's/1\.\.1/1..2/' "$tree/tests/area/first.sh"
noticed another_number_of_cases_is_a_failure 'tests/pinned:1: area/first has 2 cases on host, not 1' area
"$tree/tests/pins" write "$tree/build/test/latest" >"$work/said" 2>&1
is and_is_pinned_when_it_is_right "$? $(cat "$work/said" "$tree/tests/pinned")" '0 area/first 2 host
area/second 1 plain-1 plain-2 debug-2
area/third 1 plain-2'
suite area
is and_then_the_run_is_green "$status $(tail -n 1 "$work/said")" '0 6 passed, 0 failed'
make_tree
a_test area/third 'guest alone smp=2 kernels=plain' 'exit'
noticed a_test_without_a_case_is_a_failure 'ended early, 1 of its 1 tests did not run' area
fails and_a_run_that_failed_pins_nothing "$tree/tests/pins" write "$tree/build/test/latest"

# A skip is expected, or a failure.
skips()
{
	a_test "area/$1" "$2" "echo 'ok 1 - a # SKIP needs 2 CPUs, there is 1; so be it'; exit 0"
}
make_tree
skips second 'guest smp=1,2 kernels=plain,debug'
noticed a_skip_that_is_not_expected_is_a_failure \
	'plain-1: area/second: a was skipped, and tests/skips does not expect' area
echo 'plain-1 area/second needs [0-9] CPUs, .*' >>"$tree/tests/skips"
noticed and_is_one_elsewhere '^  skips: plain-2: area/second: a was skipped' area
is and_only_there "$(grep -c '^  skips: plain-1' "$work/said")" 0
make_tree
a_test area/first host 'echo "# skipped: inner: case: it is late: too late"'
noticed a_skip_in_a_guest_of_a_tests_own_is_told \
	'host: area/first: inner: case was skipped.*: it is late: too late' area
echo 'host area/first it is late: too late' >>"$tree/tests/skips"
suite area
is and_may_be_expected "$status $(tail -n 1 "$work/said")" '0 5 passed, 0 failed'

# What a run leaves out, it says; what is named runs.
said()
{
	echo "$status $(sed -n 's/^  left out: //p' "$work/said"), $(tail -n 1 "$work/said")"
}
make_tree
a_test area/first 'host all'
a_test area/fourth 'host needs=debug'
echo 'area/fourth 1 host' >>"$tree/tests/pinned"
suite area
is tests_for_all_are_left_out "$(said)" '0 area/first, 5 passed, 0 failed'
suite --all area
is but_not_of_a_run_of_all "$(said)" '0 , 6 passed, 0 failed'
suite area/first
is and_not_when_they_are_named "$(said)" '0 , 1 passed, 0 failed'
# shellcheck disable=SC2016 # it is the script's to expand
echo 'echo "$*" >>"$(dirname "$0")/../../kernels"' >>"$tree/tools/vm/kernel"
suite --kernel plain --smp 2 area
is a_run_of_one_kernel_leaves_out_what_needs_another "$(said)" \
	'0 area/first area/fourth, 2 passed, 0 failed'
is and_does_not_build_that "$(cat "$tree/kernels")" plain

# What is mistyped is said at once, and nothing runs.
for words in 'hots' 'guest kernals=plain' 'guest kernels=plain,debgu' 'guest smp=3' \
		'host needs=debgu' 'guest alone quickly'; do
	make_tree
	a_test area/first "$words"
	noticed "a_mistyped_line_is_a_failure ($words)" \
		'^tests/area/first.sh: in the line "runs:": ".*" is' area
done
finish
