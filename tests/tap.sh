# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# TAP for tests that are shell scripts. Source it, state the plan, then name behaviours:
#
#	plan 2
#	is the_status_is_the_commands "$?" 7
#	passes the_log_is_written test -s "$log"
#	finish

tap_number=0
tap_failed=0
tap_planned=0

plan()
{
	tap_planned=$1
	echo "1..$1"
}

# on_machine PMU HOW KERNEL: what follows is of this PMU's table; see summary.awk.
on_machine()
{
	echo "# machine: $1, $2, $3"
}

# report NAME ok|no [DIAGNOSTIC...]
report()
{
	tap_number=$((tap_number + 1))
	if [ "$2" = ok ]; then
		echo "ok $tap_number - $1"
		return
	fi
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_number - $1"
	shift 2
	[ $# -eq 0 ] || printf '%s\n' "$@" | head -n 30 | sed 's/^/# /'
}

# is NAME GOT WANTED
is()
{
	if [ "$2" = "$3" ]; then
		report "$1" ok
	else
		report "$1" no "is:     $2" "wanted: $3"
	fi
}

# has NAME TEXT PATTERN: an extended regular expression.
has()
{
	if grep -qE -- "$3" <<<"$2"; then
		report "$1" ok
	else
		report "$1" no "nothing matches $3 in:" "$2"
	fi
}

# passes NAME COMMAND [ARG...]
passes()
{
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then
		report "$name" ok
	else
		report "$name" no "failed: $*" "$output"
	fi
}

# fails NAME COMMAND [ARG...]
fails()
{
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then
		report "$name" no "succeeded, should fail: $*" "$output"
	else
		report "$name" ok
	fi
}

# skip NAME REASON
skip()
{
	tap_number=$((tap_number + 1))
	echo "ok $tap_number - $1 # SKIP $2"
}

# inner_skips PROGRAM TAP: what a program skipped in a guest of the test's own; see
# summary.awk.
inner_skips()
{
	sed -n "s/^ok [0-9]* - \(.*\) # SKIP \(.*\)/# skipped: $1: \1: \2/p" <<<"$2"
}

finish()
{
	[ "$tap_number" -eq "$tap_planned" ] && [ "$tap_failed" -eq 0 ]
	exit
}
