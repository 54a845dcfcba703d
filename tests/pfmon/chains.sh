#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The output of call chains, of a recording that recording.py makes. Runs on any machine;
# chains_guest.sh records chains.
#
# runs: host seconds=300
# shellcheck disable=SC2317,SC2154 # run_tests calls the functions by name; history.sh
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=history.sh
. "$here/history.sh"

# Four functions of 16 bytes each, one behind the other, in a file of their own.
program()
{
	{
		echo '.text'
		for name in outer middle inner last; do
			printf '.globl %s\n.type %s, @function\n%s: .skip 16, 0x90\n.size %s, 16\n' "$name" "$name" "$name" "$name"
		done
	} >program.s
	gcc -nostdlib -shared -o program program.s || fail gcc
	start=$((0x$(nm program | sed -n 's/ T outer$//p')))
}

# at FUNCTION BYTE: the address as an offset, for recording.py
at()
{
	local n

	case $1 in outer) n=0 ;; middle) n=16 ;; inner) n=32 ;; last) n=48 ;; esac
	printf '0x%x' $((start + n + $2))
}

# Three samples in inner, called by middle, called by outer; one in middle; one in the kernel, called
# by inner; and one in inner, which has called itself. The call of inner is the last instruction of
# middle.
recording()
{
	local outer middle inner

	program
	outer=$(at outer 8) middle=$(at inner 0) inner=$(at inner 8)
	python3 "$here/recording.py" data "$PWD/program" \
		"$(at inner 0)<$middle<$outer" "$(at inner 4)<$middle<$outer" "$(at inner 5)<$middle<$outer" \
		"$(at middle 3)<$outer" "kernel<$(at inner 0)<$middle<$outer" \
		"$(at inner 9)<$inner<$middle<$outer" end || fail "recording.py"
}

test_report_has_a_column_with_the_callees()
{
	recording
	status 0 "$pfmon" report --sort symbol -x ';' data
	is lines "$(grep -v '^#' out)" "4;66.67;event:u;inner;5;83.33
1;16.67;event:u;middle;6;100.00
1;16.67;event:u;kernel_function;1;16.67
0;0.00;event:u;outer;6;100.00"
	status 0 "$pfmon" report --sort symbol --children data
	is "the first ones" "$(sed -n 's/.*%  //p' out | xargs)" "middle outer inner kernel_function"
	says "$(cat out)" "samples  percent +callees  symbol"
	status 0 "$pfmon" report --sort file -j data
	is files "$(jq -c '.events[0].lines[] | [.samples, .with_callees]' out | xargs)" "[5,6] [1,1]"
	status 0 "$pfmon" report --sort symbol --symbol middle -x ';' data
	is "where they are is chosen" "$(grep -v '^#' out)" "1;100.00;event:u;middle;1;100.00
0;0.00;event:u;outer;1;100.00"
}

test_a_recording_without_chains_has_no_such_column()
{
	program
	python3 "$here/recording.py" data "$PWD/program" "$(at inner 0)" end
	status 0 "$pfmon" report data
	says_not "$(cat out)" "+callees"
	status 1 "$pfmon" report --callers data
	says "$(cat err)" "data has no call chains"
	says "$(cat err)" "pfmon record -g records them"
}

test_callees_are_below_their_callers()
{
	recording
	status 0 "$pfmon" report --callees data
	is tree "$(sed -n 's/^ *\([0-9]* *[0-9.]*%\)  *\([0-9.]*%\)  /\1 \2 /p' out)" "6  100.00% 0.00% outer
6  100.00% 16.67%  middle
5   83.33% 50.00%   inner
1   16.67% 16.67%    inner
1   16.67% 16.67%    kernel_function"
	status 0 "$pfmon" report --callees --limit 2 data
	says "$(cat out)" "# Not shown: 1 smaller one (--percent-limit, --limit)"
	status 0 "$pfmon" report --callees --percent-limit 50 --symbol inner data
	is "from inner on" "$(sed -n 's/.*%  //p' out)" "inner"
	says "$(cat out)" "# samples: 6, chosen: 5"
}

test_callers_are_below_what_they_call()
{
	recording
	status 0 "$pfmon" report --callers data
	is tree "$(sed -n 's/.*%  //p' out)" "inner
 middle
  outer
 inner
  middle
   outer
kernel_function
 inner
  middle
   outer
middle
 outer"
	status 0 "$pfmon" report --callers -j data
	is inner "$(jq -c '.events[0].calls[0] | [.symbol, .samples, .calls[0].symbol, .calls[0].samples]' out)" \
		'["inner",4,"middle",3]'
}

test_trees_of_several_recordings_are_one()
{
	recording
	cp data again
	status 0 "$pfmon" report --callees data again
	is tree "$(sed -n 's/^ *\([0-9]* *[0-9.]*%\)  *\([0-9.]*%\)  /\1 \2 /p' out)" "12  100.00% 0.00% outer
12  100.00% 16.67%  middle
10   83.33% 50.00%   inner
2   16.67% 16.67%    inner
2   16.67% 16.67%    kernel_function"
	says "$(cat out)" "# samples: 12"
	status 0 "$pfmon" report --callers -j data again data
	is inner "$(jq -c '.events | [length, .[0].samples, .[0].calls[0].samples]' out)" '[1,18,12]'
	python3 "$here/recording.py" plain "$PWD/program" "$(at inner 0)" end
	status 1 "$pfmon" report --callees data plain
	says "$(cat err)" "plain has no call chains"
}

test_trees_do_not_go_with_what_is_no_tree()
{
	local words

	recording
	for words in "--callers --callees" "--callers -x ," "--callees --sort symbol" \
			"--callees --branches" "--callers --columns=events" \
			"--callers --children" "--children --columns=events"; do
		# shellcheck disable=SC2086 # several words
		status 1 "$pfmon" report data $words
	done
	status 1 "$pfmon" diff --callers data data
	says "$(cat err)" "are of \`pfmon report\`"
}

test_stacks_are_folded()
{
	recording
	status 0 "$pfmon" export --to folded -o - data
	is stacks "$(cat out)" "prog;outer;middle 1
prog;outer;middle;inner 3
prog;outer;middle;inner;inner 1
prog;outer;middle;inner;kernel_function 1"
	status 0 "$pfmon" export -o flame.svg data
	xmllint --noout flame.svg || fail "xmllint"
	is "frames of all, prog and functions" "$(grep -c 'class="frame"' flame.svg)" 7
}

test_script_prints_chains()
{
	recording
	status 0 "$pfmon" script -F ip,sym,symoff data
	is "the first one" "$(sed 's/^ *[0-9a-f]* //' out | head -n 4)" "inner+0x0
middle+0x10
outer+0x8"
	status 0 "$pfmon" script -1 -F sym data
	is "one line each" "$(xargs <out)" "inner inner inner middle kernel_function inner"
}

test_other_programs_read_them()
{
	recording
	status 0 "$pfmon" export -o out.perf.data data
	perf script -i out.perf.data -F ip,sym 2>/dev/null | awk 'NF { print $2 }' | xargs >names
	# perf looks up the address behind the call, where another function begins.
	is perf "$(cat names)" "inner inner outer inner inner outer inner inner outer middle outer kernel_function inner inner outer inner inner inner outer"
	status 0 "$pfmon" export -o out.pb.gz data
	is "stacks of pprof" "$(gzip -dc out.pb.gz | protoc --decode_raw | grep -c '^2 {')" 6
	status 0 "$pfmon" export --to firefox -o out.json data
	is "stacks of the Firefox profiler" "$(jq -c '[.threads[0].stackTable.data[][0]]' out.json)" "[null,0,1,2,2]"
	status 0 "$pfmon" export --to json -o all.json data
	is "callers" "$(jq -c '[.samples[4].callers[].symbol]' all.json)" '["inner","middle","outer"]'
}

test_diff_and_annotate_go_on_as_before()
{
	recording
	status 0 "$pfmon" diff data data
	says_not "$(cat out)" "outer"
	status 0 "$pfmon" annotate -i data inner
	says "$(cat out)" "66.67"
}

run_tests "$@"
