#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The fuzzer of what pfmon reads for a short time: so many cases of one seed, and so many of
# another one each time. tests/readers/run is for long times.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"

work=$(mktemp -d)
cd "$work" || exit

fuzz()
{
	local name=$1 output
	shift

	output=$("$top/build/bin/tests/readers/readers" "$@" 2>&1)
	verdict "$name" $? "$output"
	echo "# $(grep '^seed' <<<"$output")"
}

plan 2
fuzz known_cases_do_no_harm -n 2000 -s 1
fuzz new_cases_do_no_harm -n 2000
# What a fault leaves, one wants to see.
[ "$tap_failed" -ne 0 ] || rm -rf "$work"
finish
