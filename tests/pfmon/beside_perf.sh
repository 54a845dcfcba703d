# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # $here comes from the caller
#
# A command, sampled by pfmon and by perf at the same event and period: the ten symbols with the
# most samples of one have the same number with the other. Source it with $here set.
#
# Two runs differ in some instructions at their beginning, and so in the instructions that the
# samples hit. So the same number means: within four standard deviations of the difference of two
# counts.

# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=unthrottled.sh
. "$here/../unthrottled.sh"

top=$(dirname "$(dirname "$here")")
pfmon=${PFMON:-$top/build/bin/pfmon}

# Both print lines "SAMPLES<TAB>SYMBOL", the most samples first. Only pfmon has a name for an
# address without a symbol. Of names with several versions, the tools may choose another one.
of_pfmon()
{
	"$pfmon" report -x ';' --no-demangle |
		awk -F';' '!/^#/ && $4 !~ /^\[(unknown\]|plt\]|0x)/ { sub(/@.*/, "", $4); n[$4] += $1 }
			END { for (s in n) print n[s] "\t" s }' | sort -k1,1nr -k2
}

of_perf()
{
	perf script -i perf.data -F ip,sym --no-demangle 2>/dev/null |
		awk 'NF && $2 != "[unknown]" { sub(/^ *[^ ]+ /, ""); sub(/@.*/, ""); n[$0]++ }
			END { for (s in n) print n[s] "\t" s }' | sort -k1,1nr -k2
}

total()
{
	awk '{ sum += $1 } END { print sum }' "$1"
}

# agree ONE OTHER: the first ten of one file are in the other, with the same number of samples
agree()
{
	awk -F'\t' -v one="$1" -v other="$2" '
		FILENAME == other { n[$2] = $1; next }
		FNR <= 10 {
			d = $1 - n[$2]
			if (d * d > 16 * ($1 + n[$2]))
				printf "%s: %d in %s, %d in %s\n", $2, $1, one, n[$2], other
		}' "$2" "$1"
}

# compare EVENT PERFS_EVENT PERIOD COMMAND...
compare()
{
	local event=$1 perfs=$2 period=$3

	shift 3
	no_throttle
	status 0 "$pfmon" record -e "$event" -c "$period" -- "$@"
	says "$(cat err)" ", 0 lost"
	perf record -q -o perf.data -c "$period" -e "$perfs" -- "$@" >perf.out 2>perf.err ||
		fail "perf" "$(cat perf.err)"
	of_pfmon >pfmon.lines
	of_perf >perf.lines
	paste <(head -n 12 pfmon.lines) <(head -n 12 perf.lines) | sed 's/^/pfmon, perf: /' >both
	note "$event each $period: $(total pfmon.lines) samples with names by pfmon, $(total perf.lines) by perf" \
		"$(tail -n 1 err)" "$(cat both)"
	[ "$(wc -l <perf.lines)" -ge 10 ] || fail "perf found too little:" "$(cat perf.lines)"
	is disagreements "$(agree perf.lines pfmon.lines; agree pfmon.lines perf.lines)" ""
}
