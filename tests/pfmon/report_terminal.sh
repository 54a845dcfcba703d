#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon report on a terminal, which script(1) provides: pager and colours. Runs on any machine.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=samples.sh
. "$here/samples.sh"
export TERM=xterm

escape=$(printf '\033')
red="${escape}[31m" green="${escape}[32m"

# 96 %, 3 % and 0.4 %
three_lines()
{
	printf '%s\n' 'sample 965 kernel' 'sample 31 module' 'sample 4 nowhere' | recording pfmon.data
}

# on_terminal WORD...: pfmon's output on the terminal
on_terminal()
{
	timeout "$((20 * PATIENCE))" script -qec "$(printf '%q ' "$pfmon" "$@")" /dev/null </dev/null |
		tr -d '\r'
}

test_a_file_gets_neither_colours_nor_a_pager()
{
	three_lines
	PAGER='touch paged; cat' status 0 "$pfmon" report
	says_not "$(cat out)" "$escape"
	[ ! -e paged ] || fail "the pager ran"
}

test_hot_lines_are_coloured()
{
	three_lines
	on_terminal report --no-pager >out
	says "$(cat out)" "$red  96.50%"
	says "$(cat out)" "$green   3.10%"
	says "$(cat out)" " 4    0.40%"
}

test_no_color_and_a_dumb_terminal_are_respected()
{
	three_lines
	says_not "$(NO_COLOR=1 on_terminal report --no-pager)" "$escape"
	says_not "$(TERM=dumb on_terminal report --no-pager)" "$escape"
	says_not "$(on_terminal report --no-pager --color never)" "$escape"
	says "$(NO_COLOR='' on_terminal report --no-pager)" "$red"
}

test_colours_can_be_forced()
{
	three_lines
	says "$(NO_COLOR=1 "$pfmon" report --color=always)" "$red  96.50%"
}

test_a_terminal_gets_the_users_pager()
{
	three_lines
	says "$(PAGER='tr a-z A-Z' on_terminal report)" "KERNEL_FUNCTION"
	says "$(PFMON_PAGER='tr a-z A-Z' PAGER=false on_terminal report)" "KERNEL_FUNCTION"
	# shellcheck disable=SC2016 # the pager's shell expands it
	says "$(PAGER='echo less=$LESS; cat' on_terminal report)" "less=FRSX"
}

test_no_pager_is_none()
{
	three_lines
	says "$(PAGER='tr a-z A-Z' on_terminal report --no-pager)" "kernel_function"
	says "$(PFMON_PAGER='' PAGER='tr a-z A-Z' on_terminal report)" "kernel_function"
	says "$(PAGER='tr a-z A-Z' on_terminal report -x ,)" "kernel_function"
}

test_a_pager_that_is_not_there_swallows_nothing()
{
	three_lines
	says "$(PAGER=/nonexistent/pager on_terminal report)" "kernel_function"
}

run_tests "$@"
