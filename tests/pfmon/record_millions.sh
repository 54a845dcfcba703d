#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Ten million samples of a hot loop: the histogram has all of them in 4 MiB, and for each place
# the number of the default format.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=3000
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"
no_throttle

period=199
samples=10000000

# turns: of the program, so that it has as many samples; a thousand turns have $1 instructions
turns()
{
	echo $(((samples * period / $1 + 1) * 1000))
}

record()
{
	status 0 "$pfmon" record --format "$1" -o "$1" -e instructions:u -c "$period" "${@:2}"
	! grep '^pfmon: note' err || fail "$1:" "$(cat err)"
	says "$(cat err)" ", 0 lost"
	says_not "$(cat err)" "without room"
}

# "NUMBER;ADDRESS" of each place
places()
{
	"$pfmon" report --sort address -x ';' "$1" | awk -F';' '!/^#/ { print $1 ";" $4 }' | sort
}

test_the_histogram_of_ten_million_samples_is_that_of_the_samples()
{
	local many few n

	"$pfmon" stat -x, -e instructions:u -o few "$bin/chained" shares 1000 || fail "$(cat few)"
	"$pfmon" stat -x, -e instructions:u -o many "$bin/chained" shares 2000 || fail "$(cat many)"
	few=$(head -n 1 few | cut -d, -f1) many=$(head -n 1 many | cut -d, -f1)
	n=$(turns $((many - few)))
	record hist --buffer 4M "$bin/chained" shares "$n"
	[ "$(stat -c %s hist)" -le 100000 ] || fail "$(stat -c %s hist) bytes of a histogram"
	record default -z "$bin/chained" shares "$n"
	places hist >hist.places
	places default >default.places
	[ "$(wc -l <default.places)" -ge 5 ] || fail "$(cat default.places)"
	[ "$(awk -F';' '{ n += $1 } END { print n }' default.places)" -ge "$samples" ] ||
		fail "$(cat default.places)"
	cmp -s hist.places default.places || fail "$(diff hist.places default.places | head)"
}

run_tests "$@"
