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
	cp "$here"/../{run,guest,*.awk,*.sh} "$tree/tests"
	cp "$here/../../tools/vm/flavours.sh" "$tree/tools/vm"
	printf 'tools:\n' >"$tree/Makefile"
	# No area has programs: the real one prints an empty line then.
	printf 'all:\nlist:\n\t@echo\n' >"$tree/tests/Makefile"
	for file in tools/vm/ends tools/vm/kernel tools/vm/complaints tools/qemu/build \
			tools/build/need; do
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

plan 23

make_tree
suite area
is a_good_run_is_green "$status $(tail -n 1 "$work/said")" '0 3 passed, 0 failed'
suite --all area
is and_one_of_everything "$status $(tail -n 1 "$work/said")" '0 5 passed, 0 failed'

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
noticed a_killed_builder_is_a_failure 'debug-kernel: .*builder' --all area
make_tree
script tools/vm/kernel <<'END'
#!/bin/bash
[ "$1" != debug ]
END
noticed a_kernel_that_cannot_be_built_is_a_failure 'debug-kernel: it could not be built' --all area

# What another area's programs are for is built with the area that runs them.
has an_areas_programs_elsewhere_are_built_with_it \
	"$(make -nB -s -C "$here/.." AREAS=pfmon 2>&1)" '/build/bin/tests/pmu/yardstick'

# What vanishes is missed.
make_tree
chmod -x "$tree/tests/area/first.sh"
noticed a_test_that_is_not_executable_is_a_failure 'area/first.sh is not executable' area
make_tree
a_test area/first host exit
noticed a_test_without_a_case_is_a_failure 'ended early, 1 of its 1 tests did not run' area
make_tree
a_test area/first host 'echo ok 0 - more'
noticed a_case_more_than_planned_is_a_failure 'more tests than it had planned' area
make_tree
a_test area/first host 'echo "ok 1 - a # SKIP"; exit 0'
noticed a_skip_without_a_reason_is_a_failure 'skipped without a reason' area

# What a run leaves out, it says; what is named runs.
said()
{
	echo "$status $(sed -n 's/^  left out: //p' "$work/said"), $(tail -n 1 "$work/said")"
}
make_tree
a_test area/first 'host all'
a_test area/fourth 'host needs=debug'
suite area
is tests_for_all_are_left_out "$(said)" '0 area/first area/fourth, 2 passed, 0 failed'
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
