#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tools/build: long steps show their progress, and steps that fail show their errors.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
step=$top/tools/build/step
need=$top/tools/build/need
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

a_good_step()
{
	"$step" 'making things' "$work/logs/good.log" sh -c 'echo much; echo more >&2' \
		>"$work/out" 2>"$work/err"
	is a_good_step_succeeds "$?" 0
	has its_start_is_told "$(cat "$work/err")" '^  making things: started$'
	has its_end_and_time_are_told "$(cat "$work/err")" '^  making things: done in [0-9]+ s$'
	is what_it_prints_is_in_the_log_alone "$(cat "$work/logs/good.log" "$work/out")" 'much
more'
}

a_bad_step()
{
	"$step" 'making things' "$work/bad.log" sh -c 'seq 100; echo the reason >&2; exit 7' \
		>"$work/out" 2>"$work/err"
	is a_failing_step_has_the_commands_status "$?" 7
	has it_is_told_with_status_and_time "$(cat "$work/err")" 'FAILED after [0-9]+ s \(status 7\)'
	has with_the_last_lines "$(cat "$work/err")" '^    the reason$'
	has of_which_there_are_some "$(cat "$work/err")" '^    80$'
	fails but_not_all grep -q '^    60$' "$work/err"
	has and_the_path_of_the_log "$(tail -n 1 "$work/err")" "the whole log is $work/bad\.log"
	"$step" 'nothing' "$work/none.log" /nonexistent/program 2>"$work/err"
	is a_command_that_is_not_there_fails "$?" 127
}

# On a terminal the time counts up in place.
on_a_terminal()
{
	script -qec "$step waiting $work/slow.log sleep 3" /dev/null >"$work/out" 2>&1 </dev/null
	is a_step_on_a_terminal_succeeds "$?" 0
	has its_line_shows_the_time_that_passes "$(tr '\r' '\n' <"$work/out")" 'waiting: [1-9] s'
	has and_ends_with_the_whole_of_it "$(tr '\r' '\n' <"$work/out")" 'waiting: done in ([3-9]|[1-9][0-9]+) s'
}

an_end_from_outside()
{
	local pid

	: >"$work/slow.log"
	setsid "$step" waiting "$work/slow.log" sh -c 'echo up; exec sleep 300' 2>/dev/null &
	pid=$!
	until grep -q up "$work/slow.log"; do sleep 0.1; done
	kill -TERM -- "-$pid"
	wait "$pid"
	is a_step_that_is_told_to_end_does "$?" 143
}

packages()
{
	is packages_that_are_there_need_nothing "$("$need" dpkg bash 2>&1; echo $?)" 0
	PATH=$work/bin:$PATH
	mkdir "$work/bin"
	printf '#!/bin/sh\necho unknown\n' >"$work/bin/dpkg-query"
	printf '#!/bin/sh\nexit 1\n' >"$work/bin/sudo"
	printf '#!/bin/sh\necho 1000\n' >"$work/bin/id"
	chmod 755 "$work/bin"/*
	is without_the_right_to_install_it_fails "$("$need" some-package 2>"$work/err"; echo $?)" 1
	has and_says_what_to_install "$(cat "$work/err")" 'apt-get install some-package'
	printf '#!/bin/sh\necho 0\n' >"$work/bin/id"
	printf '#!/bin/sh\ntouch "%s"\n' "$work/installed" >"$work/bin/apt-get"
	chmod 755 "$work/bin"/*
	is who_forbids_it_gets_no_package "$(PERFMON_NO_INSTALL=1 "$need" some-package 2>"$work/err"; echo $?)" 1
	has but_its_name "$(cat "$work/err")" 'PERFMON_NO_INSTALL is set, .* apt-get install some-package'
	fails and_nothing_was_run [ -e "$work/installed" ]
	PERFMON_NO_INSTALL=1 "$need" @demo some-package @deb 2>"$work/err"
	has a_purpose_is_its_packages "$(cat "$work/err")" ' gzip python3-minimal some-package'
	has those_of_purposes_in_it_too "$(cat "$work/err")" ' libc6-dev .* libzstd-dev .* debhelper '
	is an_unknown_purpose_fails "$("$need" @demo @unknown 2>"$work/err"; echo $?)" 1
	is and_is_named "$(cat "$work/err")" 'need: packages has no purpose @unknown'
}

plan 25
a_good_step
a_bad_step
on_a_terminal
an_end_from_outside
packages
finish
