# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# TAP for shell scripts whose tests are processes of their own. Source it, define
# functions test_NAME (and LIMIT, the seconds for each, if 60 are wrong), and end with
# run_tests "$@". Arguments are glob patterns of names; -l lists them.
#
# Every test runs in a directory of its own, which is empty and the current one, and in
# a process group of its own. It fails when it calls fail or returns non-zero, or takes
# too long; what it prints is shown then.

# This machine may be slow; the guest's clock is slow with it.
PATIENCE=${PERFMON_PATIENCE:-1}
LIMIT=$((${LIMIT:-60} * PATIENCE))

fail()
{
	printf '%s\n' "$@"
	exit 1
}

# The rest of the test has no meaning here.
skip()
{
	printf '%s\n' "$1" >"$TAP_DIR/skip"
	exit 0
}

# To be shown in any case.
note()
{
	printf '%s\n' "$@" >>"$TAP_DIR/notes"
}

# same WHAT GOT WANT
same()
{
	[ "$2" = "$3" ] || fail "$1 is:" "$2" "and should be:" "$3"
}

# says TEXT PART: the text contains the part
says()
{
	case $1 in
	*"$2"*) ;;
	*) fail "this does not say \"$2\":" "$1" ;;
	esac
}

# says_not TEXT PART
says_not()
{
	case $1 in
	*"$2"*) fail "this says \"$2\":" "$1" ;;
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

# One test in a process group of its own, with a time limit: a hang is a failure.
tap_one()
{
	local number=$1 name=$2 script=$3 result=0 dir

	dir=$(mktemp -d) || exit 1
	mkdir "$dir/work"
	(
		cd "$dir/work" || exit 1
		TAP_DIR=$dir TAP_ONE=$name timeout -k 2 "$LIMIT" bash "$script"
	) >"$dir/log" 2>&1 </dev/null || result=$?
	[ "$result" -ne 124 ] || echo "the time limit of $LIMIT s is over" >>"$dir/log"
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
	local script names=() name number=0 failed=0

	if [ -n "${TAP_ONE-}" ]; then # called by tap_one
		"test_$TAP_ONE"
		exit
	fi
	script=$(realpath "$0")
	while read -r name; do
		tap_selected "$name" "$@" && names+=("$name")
	done < <(sed -n 's/^test_\([a-z0-9_]*\)()$/\1/p' "$script")
	if [ "${1-}" = -l ]; then
		sed -n 's/^test_\([a-z0-9_]*\)()$/\1/p' "$script"
		exit 0
	fi
	echo "1..${#names[@]}"
	for name in "${names[@]}"; do
		number=$((number + 1))
		tap_one "$number" "$name" "$script" || failed=1
	done
	exit "$failed"
}
