#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A compiler run, sampled by pfmon and by perf at the same event and period: the ten symbols with
# the most samples of one have the same number with the other.
#
# cc1 is called itself, for perf would follow gcc's children and pfmon does not. Its addresses are
# not randomised; but the two runs differ in some instructions at their beginning all the same, and
# so in the instructions that the samples hit. So the same number means: within four standard
# deviations of the difference of two counts.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=400
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=unthrottled.sh
. "$here/../unthrottled.sh"

top=$(dirname "$(dirname "$here")")
pfmon=${PFMON:-$top/build/bin/pfmon}

compiler()
{
	echo setarch -R "$(gcc -print-prog-name=cc1)" -quiet -O2 \
		-imultiarch "$(gcc -print-multiarch)" -I"$top/include/uapi" \
		-o /dev/null "$top/tests/harness.c"
}

# Both print lines "SAMPLES SYMBOL", the most samples first. Only pfmon has a name for an address
# without a symbol.
of_pfmon()
{
	"$pfmon" report -x ';' --no-demangle |
		awk -F';' '!/^#/ && $4 !~ /^\[(unknown\]|plt\]|0x)/ { n[$4] += $1 } END { for (s in n) print n[s], s }' |
		sort -k1,1nr -k2
}

of_perf()
{
	perf script -i perf.data -F ip,sym --no-demangle 2>/dev/null |
		awk 'NF && $2 != "[unknown]" { n[$2]++ } END { for (s in n) print n[s], s }' |
		sort -k1,1nr -k2
}

total()
{
	awk '{ sum += $1 } END { print sum }' "$1"
}

# agree ONE OTHER: the first ten of one file are in the other, with the same number of samples
agree()
{
	awk -v one="$1" -v other="$2" '
		FILENAME == other { n[$2] = $1; next }
		FNR <= 10 {
			d = $1 - n[$2]
			if (d * d > 16 * ($1 + n[$2]))
				printf "%s: %d in %s, %d in %s\n", $2, $1, one, n[$2], other
		}' "$2" "$1"
}

# compare EVENT PERFS_EVENT PERIOD
compare()
{
	no_throttle
	# shellcheck disable=SC2046 # a list of words
	status 0 "$pfmon" record -e "$1" -c "$3" -- $(compiler)
	says "$(cat err)" ", 0 lost"
	# shellcheck disable=SC2046 # a list of words
	perf record -q -o perf.data -c "$3" -e "$2" -- $(compiler) 2>perf.err || fail "perf" "$(cat perf.err)"
	of_pfmon >pfmon.lines
	of_perf >perf.lines
	paste <(head -n 12 pfmon.lines) <(head -n 12 perf.lines) | sed 's/^/pfmon, perf: /' >both
	note "$1 each $3: $(total pfmon.lines) samples with names by pfmon, $(total perf.lines) by perf" \
		"$(cat both)"
	[ "$(wc -l <perf.lines)" -ge 10 ] || fail "perf found too little:" "$(cat perf.lines)"
	is disagreements "$(agree perf.lines pfmon.lines; agree pfmon.lines perf.lines)" ""
}

test_top_ten_of_a_compiler_agree_with_perf()
{
	compare instructions:u instructions:u 10007
}

test_top_ten_of_branches_agree_with_perf()
{
	compare branches:u branches:u 5003
}

run_tests "$@"
