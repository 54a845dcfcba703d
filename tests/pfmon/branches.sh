#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The branches of a recording with their predictions and cycles, in each program that shows them.
# Runs on any machine; branches_guest.sh records branches.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=samples.sh
. "$here/samples.sh"

# Flags: 1 mispredicted, 2 predicted, 4 in a transaction, 8 aborted, 16 cycles. The branch from
# outer() to inner() was taken five times: twice mispredicted, in 10 and in 20 cycles, and three
# times predicted, one of these in 60 cycles; its return twice, and nothing is known of it.
details()
{
	program
	recording "${1-pfmon.data}" <<EOF
event branches:u 500
map 100 $PWD/program
sample 1 $inner branches=$outer/$inner/0x11/10,$inner/$outer
sample 1 $inner branches=$outer/$inner/0x11/20,$outer/$inner/0x12/60
sample 2 $outer branches=$outer/$inner/2
sample 1 $outer branches=$inner/$outer/0,kernel/module/0x1e/70000
sample 1 $outer
EOF
}

test_the_report_has_shares_and_means()
{
	details
	status 0 "$pfmon" report --branches -x ';'
	is lines "$(cat out)" "5;62.50;outer+0x0;$PWD/program;inner+0x0;$PWD/program;40.00;30.0
2;25.00;inner+0x0;$PWD/program;outer+0x0;$PWD/program;;
1;12.50;kernel_function+0x5;[kernel];module_function+0x5;[module];0.00;70000.0"
	status 0 "$pfmon" report --branches
	is text "$(sed -n 3,5p out)" "#      count  percent    missed  cycles  from -> to  file
           5   62.50%    40.00%    30.0  outer+0x0 -> inner+0x0  $PWD/program
           2   25.00%         -       -  inner+0x0 -> outer+0x0  $PWD/program"
	status 0 "$pfmon" report --branches -j
	is json "$(jq -c '.branches[] | [.mispredicted_percent, .cycles]' out | xargs)" \
		"[40,30] [null,null] [0,70000]"
}

test_recordings_with_and_without_details_are_added_up()
{
	details one
	recording other <<EOF
event branches:u 500
map 100 $PWD/program
sample 5 $inner branches=$outer/$inner
EOF
	status 0 "$pfmon" report --branches -x ';' other
	is "nothing is known" "$(cat out)" "5;100.00;outer+0x0;$PWD/program;inner+0x0;$PWD/program;;"
	status 0 "$pfmon" report --branches other
	is heading "$(sed -n 3p out)" "#      count  percent  from -> to  file"
	status 0 "$pfmon" report --branches -x ';' one other
	is "of both" "$(head -n 1 out)" "10;76.92;outer+0x0;$PWD/program;inner+0x0;$PWD/program;40.00;30.0"
}

# brstack CYCLES: the branches in the order of the samples; the last one has so many cycles
brstack()
{
	local there back

	there=$(printf '0x%x/0x%x' $((0x10000000 + outer)) $((0x10000000 + inner)))
	back=${there#*/}/${there%/*}
	cat <<EOF
$there/M/-/-/10 $back/-/-/-/0
$there/M/-/-/20 $there/P/-/-/60
$there/P/-/-/0
$there/P/-/-/0
$back/-/-/-/0 0xffffffff81000005/0xffffffffc0000005/P/X/A/$1
EOF
}

test_the_script_is_that_of_perf()
{
	details
	status 0 "$pfmon" script -1 -F brstack
	is branches "$(sed 's/^ *//; /^$/d' out)" "$(brstack 70000)"
}

# perf has 16 bits for cycles; some versions print more of a branch behind them.
test_perf_reads_them_in_an_export()
{
	details
	status 0 "$pfmon" export -o perf.data --to perf.data
	perf script -i perf.data -F brstack 2>/dev/null | grep / | xargs -n 1 |
		sed -E 's,(/[MP-]/[X-]/[A-]/[0-9]+).*,\1,' >perfs
	is branches "$(cat perfs)" "$(brstack 65535 | xargs -n 1)"
}

# The type of the record is 43, and its fixed part has 32 bytes, of which the last are the count.
test_damaged_details_are_noticed()
{
	local at

	details
	at=$(LC_ALL=C grep -obUaP '\x2b\x00\x00\x00\x20\x00\x00\x00' pfmon.data | head -n 1 | cut -d: -f1)
	[ "${at:-0}" -gt 0 ] || fail "no details in the recording"
	printf '\x05' | dd of=pfmon.data bs=1 seek=$((at + 24)) conv=notrunc status=none
	status 1 "$pfmon" report --branches
	says "$(cat err)" "damaged"
}

run_tests "$@"
