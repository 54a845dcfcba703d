#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The fuzzer of pfmon's input for a short time: a number of cases of one seed, and of another seed
# each time. tests/readers/run runs it for longer.
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
# Keep the input of a fault.
[ "$tap_failed" -ne 0 ] || rm -rf "$work"
finish
