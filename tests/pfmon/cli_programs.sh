#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# stat --follow-exec, over a double of the kernel: of all programs that a command executes, the
# programs of a name. follow_guest.sh samples them.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=fake.sh
. "$here/fake.sh"

# A shell that runs three programs: one, two, three
three='./one vfork true; ./two forks 2; ./three forks 1; exit 4'

programs()
{
	local name

	for name in one two three; do
		ln -s "$victim" "$name.file"
		cp "$victim" "$name"
	done
}

test_only_the_programs_of_a_name_are_counted()
{
	programs
	stat_instructions 4 sh -c "$three"
	is "without a choice" "$(tasks)" 8
	stat_instructions 4 --follow-exec=one sh -c "$three"
	is "what executes another one is over" "$(tasks)" 2
	stat_instructions 4 --follow-exec=two sh -c "$three"
	is "its children are it as well" "$(tasks)" 3
	stat_instructions 4 --follow-exec='t[hw]*' sh -c "$three"
	is "those of a pattern" "$(tasks)" 5
	stat_instructions 4 --follow-exec=one --follow-exec=three sh -c "$three"
	is "those of two patterns" "$(tasks)" 4
}

test_programs_can_be_left_out()
{
	programs
	stat_instructions 4 --follow-exec-exclude='*sh' sh -c "$three"
	is "all but the shell" "$(tasks)" 7
	stat_instructions 4 --follow-exec='t*' --follow-exec-exclude=true sh -c "$three"
	is "two and three" "$(tasks)" 5
}

test_a_pattern_with_a_slash_is_of_the_whole_path()
{
	programs
	stat_instructions 4 --follow-exec="$PWD/two" sh -c "$three"
	is "the file's" "$(tasks)" 3
	stat_instructions 4 --follow-exec='/*/t[hw]*' sh -c "$three"
	is "a star is slashes as well" "$(tasks)" 5
	stat_instructions 4 --follow-exec=./two sh -c "$three"
	is "as it was executed" "$(tasks)" 3
	stat_instructions 4 --follow-exec=/two sh -c "$three"
	is "no part of one" "$(sed -n 's/^\([0-9]*\),,instructions,.*/\1/p' err)" 0
}

test_links_and_scripts_have_their_names_too()
{
	programs
	printf '#!/bin/sh\n:\n' >a-script-with-a-name-of-more-than-sixteen-letters
	chmod +x a-script*
	stat_instructions 0 --follow-exec='*six*letters' sh -c './a-script*; :'
	is "a script" "$(tasks)" 1
	stat_instructions 0 --follow-exec=one.file sh -c './one.file forks 1; ./two forks 1'
	is "a link" "$(tasks)" 2
	stat_instructions 0 --follow-exec=victim sh -c './one.file forks 1; ./two forks 1'
	is "what a link leads to" "$(tasks)" 2
}

test_a_task_is_followed_through_programs_that_are_not_counted()
{
	programs
	printf '#!/bin/sh\nexec ./three threads 2\n' >run
	chmod +x run
	stat_instructions 0 --follow-exec=three sh -c './two exec ./run; :'
	is "executed by a thread, and by a script" "$(tasks)" 3
	stat_instructions 0 --follow-exec=two sh -c './two exec ./run; :'
	is "two threads, of which one executes another program" "$(tasks)" 2
}

test_nothing_of_that_name_is_said()
{
	status 0 "$fake" stat -e instructions --follow-exec=nonsense --follow-exec-exclude=sh true
	says "$(cat err)" "no program that was executed is one of --follow-exec=nonsense, --follow-exec-exclude=sh: nothing was counted"
}

test_what_follows_nothing_chooses_nothing()
{
	local target

	for target in -i -a "-C 0" "-p 1" "-t 1"; do
		# shellcheck disable=SC2086 # two words
		status 125 "$fake" stat $target --follow-exec=ls touch ran
		says "$(cat err)" "about the programs that a command executes"
		# shellcheck disable=SC2086
		status 125 "$fake" record $target --follow-exec-exclude=ls touch ran
		says "$(cat err)" "about the programs that a command executes"
	done
	[ ! -e ran ] || fail "the command ran"
}

test_the_options_of_pfmon_3_are_these()
{
	programs
	status 4 "$fake" --follow-all --follow-exec='^t[hw]' --aggregate-results -e instructions sh -c "$three"
	has two_and_three "$(cat out)" '^ *85000 instructions$'
	status 4 "$fake" --follow-fork --follow-exec-exclude='sh$' --aggregate-results -e instructions sh -c "$three"
	has all_but_the_shell "$(cat out)" '^ *119000 instructions$'
	status 125 "$fake" --follow-exec='(a|b)' -e instructions touch ran
	says "$(cat err)" "--follow-exec=(a|b): this expression is too much for the verbs"
	[ ! -e ran ] || fail "the command ran"
}

run_tests "$@"
