# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For the scripts of this directory: TAP, perf, and what yardstick counts.

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
bin=$top/build/bin/tests/pmu
# shellcheck disable=SC2034 # for those who include this
yardstick=$bin/yardstick
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
number=0
failures=0

# The yardstick's events as perf names them, in the order of expect's output.
# shellcheck disable=SC2034
events=instructions:u,branches:u,r010b:u,r020b:u

# behaviour NAME STATUS [DIAGNOSTICS]: one result.
behaviour()
{
	number=$((number + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $number - $1"
	else
		failures=$((failures + 1))
		echo "not ok $number - $1"
		[ -z "${3-}" ] || printf '%s\n' "$3" | sed 's/^/# /'
	fi
}

# equal NAME GOT WANTED: they are the same words.
equal()
{
	[ "$2" = "$3" ]
	behaviour "$1" $? "got $2
should be $3"
}

finish()
{
	echo "1..$number"
	[ "$failures" -eq 0 ]
	exit
}

# What a command printed is of interest only if something goes wrong with it.
run()
{
	"$@" >"$scratch/out" 2>&1 || {
		echo "# $* failed:"
		sed 's/^/# /' "$scratch/out"
		return 1
	}
}

# count EVENTS COMMAND...: perf's counts, as words; what the command prints is in out.
# perf itself is run by the words in $with.
with=
count()
{
	wanted=$1
	shift
	# shellcheck disable=SC2086
	$with perf stat -x, -o "$scratch/stat" -e "$wanted" -- "$@" >"$scratch/out" 2>&1
	awk -F, '/^[^#]/ && NF > 2 { printf "%s%s", separator, $1; separator = " " }' "$scratch/stat"
}

# expected ARGUMENTS OF EXPECT...: the hand count, as words.
expected()
{
	"$here/expect" "$@" | sed 's/.*=//' | paste -sd' '
}
