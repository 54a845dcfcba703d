# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # $top and $work come from the caller
#
# The interface's tests, tests/abi, in a guest of another PMU than the usual one; for
# scripts that source tap.sh and sections.sh as well. $work is a directory of the caller's. A guest has a
# name: what it prints is in $work/NAME, its status in status-NAME, its kernel's log in
# console-NAME.

# All tests but the ones about other kernels, the usual machine's PMU, suspend, or the
# lack of perfmon, and the two that take longest: exact and timeslices.
# shellcheck disable=SC2034 # for the callers
interface=(block buffer calls close config control counting create direct exec exit
	fork format_handler format_restart formats getinfo hist isolation lifetime load mapping
	messages narrow notify notify_signals permissions pmcs pmds pointers preempt
	preempted races random read_reset regressions restart sampling sampling_buffer
	set_timeouts sets states switching switching_restart switching_triggers sysfs system
	system_sets targets throttle virtual width)

# write_list GUEST SECONDS DIRECTORY PROGRAM...: for tests/guest, where a guest sees it
write_list()
{
	local guest=$1 seconds=$2 directory=$3 program
	shift 3

	for program in "$@"; do
		printf '%s\t%s\t%s\n' "$seconds" "$program" "$directory/$program"
	done >"$work/list-$guest"
}

# run_list GUEST RUNNER OPTION...: the list, by tests/guest or another that does the same,
# in a guest of tools/vm/run with these options
run_list()
{
	local guest=$1 runner=$2
	shift 2

	PERFMON_VM_CONSOLE=$work/console-$guest "$top/tools/vm/run" "$@" -- \
		"$runner" "$work/list-$guest" >"$work/$guest" 2>&1
	echo "$?" >"$work/status-$guest"
}

# check_program PROGRAM GUEST NAME: see check_section
check_program()
{
	check_section "$1" "$work/$2" "$3"
}

# check_each PROGRAM GUEST NAME...: tests of a program, each one
check_each()
{
	local text name program=$1 guest=$2
	shift 2

	text=$(section_text "$program" "$work/$guest")
	for name; do
		if grep -qxE "ok [0-9]+ - $name" <<<"$text"; then
			report "$name" ok
		else
			report "$name" no "$(grep -A 4 -E "ok [0-9]+ - $name" <<<"$text")"
		fi
	done
}

# check_guest GUEST NAME: it ended well, and its kernel does not complain.
check_guest()
{
	if [ "$(cat "$work/status-$1")" = 0 ] &&
	   "$top/tools/vm/complaints" "$work/console-$1" >"$work/complaints"; then
		report "$2" ok
	else
		report "$2" no "status $(cat "$work/status-$1")" "$(cat "$work/complaints")" \
			"$(tail -n 5 "$work/$1")"
	fi
}
