# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The yardstick (tests/pmu/yardstick.S): its known counts, and the counts by pfmon and by perf.
# Source it with $top and $pfmon set.
# shellcheck disable=SC2034,SC2154 # so these are used, and set, elsewhere

yardstick=$top/build/bin/tests/pmu/yardstick
rounds=5
events=instructions:u,branches:u,loads:u,stores:u

# The counts that "yardstick ARG..." must have, on one line.
expected()
{
	"$top/tests/pmu/expect" "$@" | sed 's/.*=//' | paste -sd' '
}

# The counts of a report in fields.
counts()
{
	grep '^#' "$1" && return 1
	sed -n 's/^\([0-9]*\),,.*:u,.*/\1/p' "$1" | paste -sd' '
}

# counted FILE COMMAND...: the counts by pfmon
counted()
{
	local report=$1

	shift
	"$pfmon" stat -x, -e "$events" -o "$report" -- "$@" >out || return 1
	counts "$report"
}

perf_counted()
{
	perf stat -x, -e instructions:u,branches:u,r010b:u,r020b:u -o perf -- "$@" >perf.out ||
		return 1
	awk -F, '/^[0-9]/ { print $1 }' perf | paste -sd' '
}
