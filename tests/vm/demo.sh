#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# `make run` shows the output that the README describes, and the second time it builds nothing.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# front ARG...: make, as a user calls it; leaves $status, $out and $err, $took seconds.
front()
{
	local start=$SECONDS

	env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -C "$top" "$@" \
		>"$work/out" 2>"$work/err" </dev/null
	status=$?
	took=$((SECONDS - start))
	out=$(cat "$work/out")
	err=$(cat "$work/err")
}

# counted MINIMUM EVENT: each report counts at least this many of it.
# shellcheck disable=SC2317 # passes calls it
counted()
{
	local count

	count=$(sed -n "s/^ *\([0-9][0-9,]*\)  *$2\(:u\)\{0,1\}\( .*\)\{0,1\}\$/\1/p" "$work/err" |
		tr -d , | sort -n | head -n 1)
	[ "${count:-0}" -ge "$1" ]
}

two_programs()
{
	rm -f "$top/build/demo/pfmon.data"
	front run
	is make_run_succeeds "$status" 0
	has it_counts_a_compressor "$err" 'Counts for .gzip '
	has and_a_python_program "$err" "Counts for '.*python3 -c "
	has whose_own_output_comes_through "$out" '^2666466670000$'
	passes each_with_its_instructions counted 10000000 instructions
	passes and_branches counted 1000000 branches
	has it_profiles_a_shell "$out" '^ +[0-9,]+ +[0-9.]+%  malloc +/.*libc'
	passes whose_recording_left_the_guest test -s "$top/build/demo/pfmon.data"
	has and_the_time "$err" '[0-9] seconds time elapsed'
}

second_time()
{
	front run
	is the_second_make_run_succeeds "$status" 0
	fails and_builds_nothing grep -E ': (started|done in)|^ *(CC|LD|AR|AS) ' "$work/out" "$work/err"
	echo "# the second make run took $took s"
}

own_command()
{
	front run CMD="sh -c 'echo \"two  words\"; exit 3'"
	has make_run_CMD_counts_that_command "$err" 'Counts for .sh -c echo'
	is and_passes_its_arguments_on "$out" 'two  words'
	fails a_command_that_fails_fails_make test "$status" -eq 0
	front run CMD='nonsense-that-is-no-program'
	has a_command_that_is_not_there_is_told "$err" "cannot run 'nonsense-that-is-no-program'"
}

twice()
{
	front tools kernel qemu
	is the_parts_build "$status" 0
	front tools kernel qemu
	is a_second_time_there_is_nothing_to_do "$status $out$err" '0 '
	front help
	has help_names_the_targets "$out" 'make run .*'
	front
	has and_is_what_make_alone_says "$out" 'make test '
}

plan 19
two_programs
second_time
own_command
twice
finish
