# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# TAP for tests that are shell scripts. Source it, then either state the plan and name
# behaviours, one result each:
#
#	plan 2
#	is the_status_is_the_commands "$?" 7
#	passes the_log_is_written test -s "$log"
#	finish
#
# or write cases, functions test_NAME, and end with run_tests "$@", whose arguments are glob
# patterns of names (-l lists them). Every case runs in a process group of its own and in a
# directory of its own, which is empty and the current one. There the same assertions print nothing
# if they hold, and end the case if they do not. It fails as well if it returns non-zero, or takes
# longer than LIMIT seconds (60); then its output is shown.

tap_number=0
tap_failed=0
tap_planned=0
# This machine may be slow; a guest's clock is slow with the guest.
PATIENCE=${PERFMON_PATIENCE:-1}

# The same language, but its start takes 5 million instructions, and that of Debian's jq 170
# million.
jq()
{
	gojq "$@"
}

# plan NUMBER, or without a number, if only the end knows it: then finish states it.
plan()
{
	tap_planned=$1
	echo "1..$1"
}

# on_machine PMU HOW KERNEL: the following tests ran on this PMU; see tests/pmus.
on_machine()
{
	echo "# machine: $1, $2, $3"
}

# report NAME ok|no [DIAGNOSTIC...]: the result of every assertion
report()
{
	if [ -n "${TAP_CASE-}" ]; then
		[ "$2" = ok ] || fail "$1:" "${@:3}"
		return
	fi
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

# verdict NAME STATUS [DIAGNOSTIC...]: report by the status of a command
verdict()
{
	local name=$1 status=$2
	shift 2

	if [ "$status" -eq 0 ]; then
		report "$name" ok
	else
		report "$name" no "$@"
	fi
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

# has NAME TEXT PATTERN: the text matches the extended regular expression.
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

# inner_skips PROGRAM TAP: print the skips of a program in a guest of the test's own.
inner_skips()
{
	sed -n "s|^ok [0-9]* - \(.*\) # SKIP \(.*\)|# skipped: $1: \1: \2|p" <<<"$2"
}

finish()
{
	[ "$tap_planned" -ne 0 ] || plan "$tap_number"
	[ "$tap_number" -eq "$tap_planned" ] && [ "$tap_failed" -eq 0 ]
	exit
}

# For cases alone.

fail()
{
	printf '%s\n' "$@"
	exit 1
}

# skip REASON: the rest of the case cannot be tested here.
skip()
{
	printf '%s\n' "$1" >"$TAP_DIR/skip"
	exit 0
}

# note TEXT...: shown in any case
note()
{
	printf '%s\n' "$@" >>"$TAP_DIR/notes"
}

# says TEXT PART: the text contains the part
says()
{
	case $1 in
	*"$2"*) ;;
	*) fail "this does not contain \"$2\":" "$1" ;;
	esac
}

# says_not TEXT PART
says_not()
{
	case $1 in
	*"$2"*) fail "this contains \"$2\":" "$1" ;;
	esac
}

# status WANT COMMAND...: its output goes to the files out and err
status()
{
	local want=$1 got=0

	shift
	"$@" >out 2>err </dev/null || got=$?
	[ "$got" -eq "$want" ] ||
		fail "status $got instead of $want: $*" "$(head -c 2000 out err)"
}

# wait_until SECONDS COMMAND...
wait_until()
{
	local left=$(($1 * 20 * PATIENCE))

	shift
	until "$@" >/dev/null 2>&1; do
		left=$((left - 1))
		[ "$left" -gt 0 ] || fail "timed out: $*"
		sleep 0.05
	done
}

tap_selected()
{
	local name=$1 pattern

	shift
	[ $# -eq 0 ] && return 0
	for pattern in "$@"; do
		# shellcheck disable=SC2053 # a pattern it is
		[[ $name == $pattern ]] && return 0
	done
	return 1
}

# One case in a process group of its own, with a time limit: a hang is a failure.
tap_one()
{
	local number=$1 name=$2 script=$3 limit=$((${LIMIT:-60} * PATIENCE)) result=0 dir

	dir=$(mktemp -d) || exit 1
	mkdir "$dir/work"
	(
		cd "$dir/work" || exit 1
		TAP_DIR=$dir TAP_CASE=$name timeout -k 2 "$limit" bash "$script"
	) >"$dir/log" 2>&1 </dev/null || result=$?
	[ "$result" -ne 124 ] || echo "the time limit of $limit s is over" >>"$dir/log"
	if [ "$result" -ne 0 ]; then
		echo "not ok $number - $name"
		sed 's/^/# /' "$dir/log"
	elif [ -f "$dir/skip" ]; then
		echo "ok $number - $name # SKIP $(cat "$dir/skip")"
	else
		echo "ok $number - $name"
	fi
	[ ! -f "$dir/notes" ] || sed 's/^/# /' "$dir/notes"
	rm -rf "$dir"
	return "$result"
}

# run_tests [-l | PATTERN...]
run_tests()
{
	local script cases=() name number=0 failed=0

	if [ -n "${TAP_CASE-}" ]; then # called by tap_one
		"test_$TAP_CASE"
		exit
	fi
	script=$(realpath "$0")
	while read -r name; do
		tap_selected "$name" "$@" && cases+=("$name")
	done < <(sed -n 's/^test_\([a-z0-9_]*\)()$/\1/p' "$script")
	if [ "${1-}" = -l ]; then
		sed -n 's/^test_\([a-z0-9_]*\)()$/\1/p' "$script"
		exit 0
	fi
	echo "1..${#cases[@]}"
	for name in "${cases[@]}"; do
		number=$((number + 1))
		tap_one "$number" "$name" "$script" || failed=1
	done
	exit "$failed"
}
