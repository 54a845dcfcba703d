#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record -b over the real perfmonctl(): the branches that led to each sample, as perf records
# them, and in every program that shows them.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=120
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"

no_throttle

record()
{
	status 0 "$pfmon" record -b "$@"
	says "$(cat err)" ", 0 lost"
}

# The samples with their branches, from perf script or pfmon script: ADDRESS FROM/TO...
stacks()
{
	sed 's,/[PM-]/-/-/[^ ]*,,g' | awk '{ $1 = $1; print }'
}

# perf_events clears the records at a context switch (intel_pmu_lbr_sched_task()), perfmon keeps a
# thread's: perf's sample soon after a switch has only the latest of our branches. The return of an
# interrupt is 0x0/TO, as the kernel's address is not shown, and takes a record of the program's, in
# perf's samples and in ours. The scheduler and the timer decide how many samples have one of the
# two: a few.
same_but_for_the_kernel()
{
	paste -d'|' ours perfs | awk -F'|' '
		$1 == $2 { same++; next }
		{
			interrupted = gsub(/ 0x0\/[^ |]*/, "")
			shorter = $2 != "" && index($1 " ", $2 " ") == 1
			if (shorter || interrupted && index($2 " ", $1 " ") == 1) { other++; next }
			print "ours:   " $1
			print "perfs:  " $2
			exit bad = 1
		}
		END { exit bad || other > same / 20 }'
}

test_the_branches_are_those_that_perf_has()
{
	local program n

	for program in one turns; do
		record -e instructions:u -c 97 "$bin/known_$program"
		"$pfmon" script -1 -F ip,brstack | stacks >ours
		undisturbed perf record -q -m 8M -b -e instructions:u -c 97 -o perf.data \
			"$bin/known_$program" 2>perf.err || fail "$(cat perf.err)"
		perf script -i perf.data -F ip,brstack 2>/dev/null | stacks >perfs
		n=$(wc -l <perfs)
		[ "$n" -ge 30 ] || fail "$n samples of perf's"
		is "samples of known_$program" "$(wc -l <ours)" "$n"
		same_but_for_the_kernel || fail "of known_$program"
	done
	# Some of the last sixteen branches of the second program are different ones.
	is "different branches" "$(tr ' ' '\n' <ours | grep / | sort -u | wc -l)" 2
}

# The format's records are those of the PMDs: the same samples, the same branches. The emulated
# processor predicts that branches go back, as all of these programs do.
test_the_branch_format_has_the_same_branches()
{
	local program

	for program in one turns; do
		record -e instructions:u -c 97 "$bin/known_$program"
		"$pfmon" script -1 -F ip,brstack | stacks >ours
		[ "$(wc -l <ours)" -ge 30 ] || fail "$(wc -l <ours) samples"
		record --format branch -e instructions:u -c 97 "$bin/known_$program"
		"$pfmon" script -1 -F ip,brstack >branches
		stacks <branches >perfs
		is "samples of known_$program" "$(wc -l <perfs)" "$(wc -l <ours)"
		same_but_for_the_kernel || fail "of known_$program"
		tr ' ' '\n' <branches | grep '^0x[1-9]' >records
		[ "$(wc -l <records)" -ge 300 ] || fail "$(wc -l <records) branches"
		is "branches without a prediction" "$(grep -vc '/P/-/-/0$' records)" 0
		is "a mispredicted share of 0" "$("$pfmon" report --branches -x ';' | head -n 1 | cut -d';' -f 7,8)" "0.00;"
	done
	record --format branch -e instructions:u -c 4000 --with loads:u,stores:u "$bin/known_one"
	is "values and branches" "$("$pfmon" script -1 -F values,brstack |
		grep -c 'loads:u=[0-9]* stores:u=[0-9]* 0x[0-9a-f]*/0x[0-9a-f]*/[PM]/-/-/0 ')" 100
}

test_the_report_adds_them_up()
{
	local first

	record -e instructions:u -c 97 "$bin/known_turns"
	"$pfmon" report --branches -x ';' >shown
	# Of the program's own; interrupts return to it: see same_but_for_the_kernel().
	is branches "$(grep -vcF ';[0x0];[unknown];' shown)" 2
	awk -F';' '{ n += $1; returns += /;\[0x0\];\[unknown\];/ ? $1 : 0 }
		END { exit returns > n / 20 }' shown || fail "of interrupts: $(cat shown)"
	is "branches in all" "$(awk -F';' '{ n += $1 } END { print n }' shown)" \
		"$("$pfmon" script -1 -F brstack | tr ' ' '\n' | grep -c /)"
	# Within WORK, from its last instruction to its third.
	first=$((0x$(nm "$bin/known_turns" | sed -n 's/ . leave$//p') - 2))
	has "the loop's" "$(head -n 1 shown)" "^[0-9]*;9[0-9]\.[0-9]*;[a-z_]*\+0x[0-9a-f]*;$bin/known_turns;"
	"$pfmon" script -1 -F brstack | tr ' ' '\n' | grep / | sort | uniq -c | sort -rn >counts
	is "from there" "$(sed -n '1s,.* \(0x[0-9a-f]*\)/.*,\1,p' counts)" "$(printf 0x%x "$first")"
	"$pfmon" report --branches >text
	has heading "$(head -n 1 text)" '^# branches: [0-9,]*, the last ones before each sample$'
	is "the first lines only" "$("$pfmon" report --branches --limit 1 -x , | wc -l)" 1
}

test_perf_reads_what_is_exported()
{
	record -e instructions:u -c 1001 "$bin/known_turns"
	status 0 "$pfmon" export -o out.perf.data --to perf.data
	"$pfmon" script -1 -F ip,brstack | stacks >ours
	perf script -i out.perf.data -F ip,brstack 2>/dev/null | stacks >perfs
	cmp ours perfs || fail "$(diff ours perfs | head)"
	perf report --stdio -i out.perf.data --sort symbol_from,symbol_to >shown 2>&1 ||
		fail "$(cat shown)"
	has branches "$(cat shown)" '^ *100\.00% .* (child|_start) .* (child|_start)'
}

test_the_kernel_is_left_out_or_in()
{
	record -e branches:u -c 1001 "$bin/sampled" calls
	is "addresses of the kernel" "$("$pfmon" script -1 -F brstack | grep -c 0xffff)" 0
	record -e branches -c 10007 "$bin/sampled" calls
	"$pfmon" report --branches -x ';' >shown
	grep -q ';do_syscall_64+0x[0-9a-f]*;\[kernel\];' shown || fail "$(head shown)"
	record -e branches:k -c 10007 "$bin/sampled" calls
	is "branches that end at user level" "$("$pfmon" script -1 -F brstack | tr ' ' '\n' | grep -c '/0x[0-9a-e]')" 0
}

test_values_and_event_sets_have_branches_as_well()
{
	record -e instructions:u -c 4000 --with loads:u,stores:u "$bin/known_one"
	"$pfmon" script -1 -F values,brstack >shown
	is "values and branches" "$(grep -c 'loads:u=[0-9]* stores:u=[0-9]* 0x[0-9a-f]*/0x[0-9a-f]*/-/-/-/0 ' shown)" 100
	status 0 "$pfmon" record -b -e cycles:u,instructions:u,branches:u,loads:u,stores:u,DTLB_MISSES:WALK_COMPLETED:u,MEM_INST_RETIRED:LOADS:u \
		-c 100003 "$bin/known_long_one"
	is "samples without branches" "$("$pfmon" script -1 -F ip,brstack | grep -vc /)" 0
}

test_several_threads_and_a_place_to_start_at()
{
	record -e instructions:u -c 1001 --trigger-start child --trigger-stop leave "$bin/known_threads"
	"$pfmon" report --branches -x ';' >shown
	# After an interrupt the kernel, whose addresses are hidden, branches into the loop.
	is "branches, all in the loop" "$(grep -cv ';\[0x0\];\[unknown\];child' shown)" 1
}

test_a_recording_without_branches_says_so()
{
	status 0 "$pfmon" record -e instructions:u "$bin/known_long_one"
	status 1 "$pfmon" report --branches
	says "$(cat err)" "pfmon.data has no branches"
	record -e instructions:u -c 1001 -o with "$bin/known_turns"
	status 1 "$pfmon" report --branches with pfmon.data
	says "$(cat err)" "pfmon.data has no branches"
	is out "$(cat out)" ""
	status 1 "$pfmon" report --branches --sort symbol with
	says "$(cat err)" "it takes neither --sort, --columns nor --children"
}

# count OPTION...: the sum of the branches that a report has
count()
{
	"$pfmon" report --branches -x ';' "$@" | awk -F';' '{ n += $1 } END { print n + 0 }'
}

# in_script OPTION...: the number of branches that pfmon script has with these samples
in_script()
{
	"$pfmon" script -1 "$@" | tr ' ' '\n' | grep -c '^0x[0-9a-f]*/'
}

test_recordings_are_added_up()
{
	local program

	for program in turns one turns; do
		record -e instructions:u -c 97 -o "$program" "$bin/known_$program"
	done
	is branches "$(count turns one)" $(($(count turns) + $(count one)))
	# The same branches, in the file of the same name.
	"$pfmon" report --branches -x ';' turns | awk -F';' '{ $1 *= 2; print }' >want
	"$pfmon" report --branches -x ';' turns turns | tr ';' ' ' >got
	cmp -s want got || fail "$(diff want got)"
	"$pfmon" report --branches -x ';' turns one | cut -d';' -f 1,3- | sort >table
	"$pfmon" report --branches -j turns one >json
	jq -r '.branches[] | [.count, .from.place, .from.file, .to.place, .to.file, "", ""] | join(";")' json |
		sort >lines
	cmp -s table lines || fail "$(diff table lines)"
	is "in all" "$(jq '.all == .chosen and .all == ([.branches[].count] | add)' json)" true
	is heading "$("$pfmon" report --branches turns one | sed -n 's/^# branches: \([0-9,]*\), .*/\1/p' | tr -d ,)" \
		"$(jq .all json)"
}

test_branches_are_chosen_by_their_samples()
{
	local pid all each=0 processes=0

	record -e instructions:u,branches:u -c 1009,499 sh -c "'$bin/known_turns'; exec '$bin/known_one'"
	all=$(count)
	is "of an event" "$(count --event branches:u)" "$(in_script -e branches:u -F brstack)"
	is "of both" $(($(count --event branches:u) + $(count --event instructions:u))) "$all"
	is "of all names" $(($(count --comm known_turns) + $(count --comm known_one) + $(count --comm sh))) "$all"
	for pid in $("$pfmon" report --sort pid -x ';' | grep -v '^#' | cut -d';' -f 4 | sort -u); do
		each=$((each + $(count --pid "$pid")))
		processes=$((processes + 1))
	done
	is "of all processes" "$processes: $each" "2: $all"
	# To the nanosecond before
	is "of two times" $(($(count --from 0.001) + $(count --to 0.0009999995))) "$all"
	# By either end
	"$pfmon" report --branches -x ';' --symbol child >shown
	has "the loop's" "$(cat shown)" ';child+'
	! grep -v ';child+' shown || fail "$(cat shown)"
	is "of a file" "$(count --file known_turns)" "$("$pfmon" report --branches -x ';' | grep known_turns | awk -F';' '{ n += $1 } END { print n }')"
	has heading "$("$pfmon" report --branches --comm known_one | head -n 1)" '; chosen: [0-9,]*$'
	is "those of 5 percent" "$("$pfmon" report --branches -x ';' --percent-limit 5)" \
		"$("$pfmon" report --branches -x ';' | awk -F';' '$2 >= 5')"
}

run_tests "$@"
