#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon annotate on what pfmon record samples over the real perfmonctl(): each instruction of a
# known program has the right number of samples.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"

record()
{
	status 0 "$pfmon" record "$@"
	says "$(cat err)" ", 0 lost"
}

# counts: the samples of the known program's instructions, in order. The first six are of _start,
# the last three of leave; annotate shows no function without samples.
counts()
{
	{ "$pfmon" annotate -x ';' _start; "$pfmon" annotate -x ';' leave; } >lines 2>/dev/null
	awk -F';' '/^#/ { next }
		$3 == "leave" { count[6 + ++leave] = $1; next }
		{ count[++start] = $1 }
		END { for (i = 1; i <= 9; i++) printf "%d%s", count[i], i < 9 ? " " : "\n" }' lines
}

# The program is known.S: two instructions, 100,000 times four, and three. The sample of a period is
# at the instruction that follows it.
test_each_instruction_has_its_samples()
{
	local want period

	for period in 1009 997 4001; do
		record -e instructions:u -c "$period" "$bin/known_one"
		want=$(awk -v period="$period" 'BEGIN {
			for (n = period + 1; n <= 400006; n += period)
				count[n <= 2 ? n : n <= 400002 ? 3 + (n - 3) % 4 : n - 400000 + 4]++
			for (i = 1; i <= 9; i++)
				printf "%d%s", count[i], i < 9 ? " " : "\n"
		}')
		is "samples with $period" "$(counts)" "$want"
	done
}

# Skid: a sample is at the instruction after the overflow's own. The
# loop is load, store, decrement, branch; the last branch is not taken.
test_a_sample_is_behind_what_it_is_of()
{
	record -e loads:u -c 1000 "$bin/known_one"
	is loads "$(counts)" "0 0 0 100 0 0 0 0 0"
	record -e stores:u -c 1000 "$bin/known_one"
	is stores "$(counts)" "0 0 0 0 100 0 0 0 0"
	record -e branches:u -c 1000 "$bin/known_one"
	is branches "$(counts)" "0 0 99 0 0 0 1 0 0"
}

test_lines_sum_up_to_what_report_says()
{
	local samples symbol n=0

	record -e instructions:u -c 1009 ls -la /usr/bin
	"$pfmon" report --sort symbol,file -x ';' --file '/*' --limit 10 | grep -v '^#' >all
	while IFS=';' read -r samples _ _ symbol file; do
		[ "$symbol" != '[unknown]' ] || continue
		n=$((n + 1))
		is "$symbol of $file" "$("$pfmon" annotate -x ';' --symbol "$symbol" --file "$file" |
			awk -F';' '!/^#/ { n += $1 } END { print n }')" "$samples"
	done <all
	[ "$n" -ge 5 ] || fail "$(cat all)"
}

test_the_hottest_function_and_its_loop()
{
	record -e instructions:u -c 10007 "$bin/sampled" shares
	status 0 "$pfmon" annotate --percent-limit 1
	says "$(cat out)" "# function: heavy of $bin/sampled"
	is loop "$(grep -oE '(dec[a-z]*|jne) .*' out)" "$(printf '%s\n' 'decq   %rdi' \
		"$(grep -oE 'jne .*' out | head -n 1)")"
	says "$(cat out)" "<heavy"
	status 0 "$pfmon" annotate -j light
	is sum "$(jq '[.functions[0].lines[].samples[0]] | add' out)" "$("$pfmon" report -x ';' |
		awk -F';' '$4 == "light" { print $1 }')"
}

test_code_of_the_kernel_is_told_not_to_be_there()
{
	local symbol

	record -e instructions:k -c 1009 "$bin/sampled" calls
	symbol=$("$pfmon" report -x ';' --file '[kernel]' --limit 1 | head -n 1 | cut -d';' -f4)
	status 1 "$pfmon" annotate "$symbol"
	says "$(cat err)" "$symbol is code of the kernel ([kernel]), of which there is no image"
}

run_tests "$@"
