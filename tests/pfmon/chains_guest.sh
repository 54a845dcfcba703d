#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record -g through perf_events' backend and the kernel's own: programs whose
# calls are known have the right chains, the same as perf records.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=200
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"

no_throttle
own=syscall
[ ! -e /dev/perfmon ] || own=device # the module's
backends="perf $own"

# through BACKEND ARGUMENT...: record without a lost sample. With perf_events the thread runs on
# while samples are read, so the buffer must be large enough.
through()
{
	local backend=$1

	shift
	status 0 env PERFMON="$backend" "$pfmon" record -g --buffer 2M "$@"
	says "$(cat err)" ", 0 lost"
}

folded()
{
	"$pfmon" export --to folded -o - 2>/dev/null
}

# The same from perf's recording: comm;outermost;...;innermost COUNT
folded_of_perf()
{
	perf script -i "$1" -F comm,ip,sym 2>/dev/null | awk '
		/^[^ \t]/ { comm = $1; line = ""; next }
		NF { line = ";" $2 line; next }
		comm { n[comm line]++; comm = "" }
		END { if (comm) n[comm line]++; for (l in n) print l, n[l] }' | LC_ALL=C sort
}

# share PATTERN PERCENT: the stacks of the folded form that fit are that part of all, +- 1
share()
{
	awk -v pattern="$1" -v wanted="$2" '
		{ n = $NF; sub(/ [0-9]+$/, ""); all += n }
		$0 ~ pattern { part += n }
		END { p = all ? 100 * part / all : -1; if (p < wanted - 1 || p > wanted + 1) print pattern, p }'
}

test_shares_are_those_of_the_loops()
{
	local backend wrong

	for backend in $backends; do
		through "$backend" -e instructions:u -c 1009 "$bin/chained" shares 100000
		folded >stacks
		wrong=$(share ';f1$' 16.67 <stacks; share ';f1;f2$' 33.33 <stacks; share ';f1;f2;f3$' 50 <stacks)
		is "$backend: wrong shares" "$wrong" ''
		is "$backend: all of them" "$(awk '{ n += $NF } END { print n }' stacks)" \
			"$("$pfmon" report -x ';' | sed -n 's/^# samples: //p')"
		"$pfmon" report --sort symbol -x ';' | awk -F';' '$4 ~ /^f[123]$/ { printf "%s %.0f %.0f\n", $4, $2, $6 }' |
			LC_ALL=C sort >lines
		is "$backend: self and with callees" "$(cat lines)" "f1 17 100
f2 33 83
f3 50 50"
	done
}

test_a_function_that_calls_itself_counts_once()
{
	local backend

	for backend in $backends; do
		through "$backend" -e instructions:u -c 1009 "$bin/chained" recurse 20000
		folded >stacks
		is "$backend: depths" "$(grep -o 'recurse.*' stacks | sed 's/ .*//' | sort -u | wc -l)" 10
		is "$backend: wrong shares" "$(share ';run;recurse$' 10 <stacks; share ";run$(printf ';recurse%.0s' {1..10})\$" 10 <stacks)" ''
		"$pfmon" report --sort symbol -x ';' | grep ';recurse;' >line
		has "$backend: with callees" "$(cat line)" \
			'^[0-9]+;(99|100)\.[0-9]+;instructions:u;recurse;[0-9]+;(99|100)\.[0-9]+$'
	done
}

test_chains_are_cut_at_their_depth()
{
	local backend

	for backend in $backends; do
		through "$backend" -e instructions:u -c 10007 --depth 5 "$bin/chained" depth 20
		folded >stacks
		is "$backend: five" "$(sed -n 's/^chained\(;dive;dive;dive;dive;dive\) .*/\1/p' stacks)" \
			";dive;dive;dive;dive;dive"
		through "$backend" -e instructions:u -c 10007 "$bin/chained" depth 200
		folded >stacks
		is "$backend: 127" "$(grep -E -c '^chained(;dive){127} ' stacks)" 1
	done
}

test_the_kernel_was_called_by_user_level()
{
	local backend period

	for backend in $backends; do
		# Part of an interrupt is counted as well. With one call of the loop it may be just a period
		# long: then each sample is at one of a few places. Not so with both periods.
		: >enough
		for period in 1009 1511; do
			through "$backend" -e instructions -c "$period" "$bin/chained" kernel 3000
			folded >stacks
			awk '/^chained;_start;begin;run;f1;f2;f3;calls;call;entry_SYSCALL_64_after_hwframe;do_syscall_64/ { n += $NF }
				{ all += $NF } END { print (n > all / 4) }' stacks >>enough
		done
		has "$backend: a quarter in the call" "$(cat enough)" 1
		through "$backend" -e instructions:u -c 1009 "$bin/chained" kernel 3000
		# An interrupt may come when the kernel was entered already: the sample is at that
		# address.
		"$pfmon" export --to json -o all.json
		is "$backend: functions of the kernel that led there" \
			"$(jq '[.samples[].callers[].ip | select(startswith("0xffff"))] | length' all.json)" 0
	done
}

test_callers_and_callees()
{
	through perf -e instructions:u -c 1009 "$bin/chained" shares 100000
	"$pfmon" report --callees >shown
	is callees "$(sed -n 's/.*%  //p' shown)" "_start
 begin
  run
   f1
    f2
     f3"
	is "a line" "$(awk 'length($0) > 80' shown)" ''
	"$pfmon" report --callers --limit 3 >shown
	is callers "$(sed -n 's/.*%  //p' shown)" "f3
 f2
  f1"
	has "what is left out" "$(tail -n 1 shown)" '^# Not shown: [0-9]+ smaller ones'
	"$pfmon" report --callers -j --symbol f2 >json
	is "callers of f2" "$(jq -r '.events[0].calls[0] | "\(.symbol) \(.percent) \(.calls[0].symbol)"' json)" \
		"f2 100 f1"
	# The samples of f2 itself and those of f3.
	is "samples in f2" "$(jq '.events[0].chosen' json)" \
		"$("$pfmon" report -j --symbol 'f[23]' | jq '.events[0].chosen')"
}

test_children_and_threads_have_their_own()
{
	local backend

	for backend in $backends; do
		through "$backend" -e instructions:u -c 1009 "$bin/chained" procs 30000
		folded >stacks
		is "$backend: f3's callers" "$(grep -o 'run;.*f3 ' stacks | LC_ALL=C sort -u | xargs)" \
			"run;procs;f1;f2;f3 run;procs;f3"
		through "$backend" -e instructions:u -c 10007 "$bin/chained_threads"
		folded >stacks
		for name in one two three; do
			is "$backend: wrong share of $name" "$(share ";$name;outer_$name;inner_$name\$" 33.33 <stacks)" ''
		done
	done
}

test_a_call_that_never_returns_is_of_its_caller()
{
	local backend

	for backend in $backends; do
		through "$backend" -e instructions:u -c 1009 "$bin/chained" noreturn 300000
		is "$backend: wrong share" "$(folded | share '^chained;_start;begin;run;last;leave$' 100)" ''
	done
}

test_perf_records_the_same()
{
	local backend what

	for what in "shares 30000" "recurse 3000" "depth 50"; do
		# shellcheck disable=SC2086 # two words
		undisturbed perf record -q -m 4M -g -e instructions:u -c 1009 -o theirs "$bin/chained" $what \
			2>perf.err || fail "$(cat perf.err)"
		folded_of_perf theirs >perfs
		[ "$(wc -l <perfs)" -ge 3 ] || [ "$what" = "depth 50" ] || fail "$what:" "$(cat perfs)"
		for backend in $backends; do
			# shellcheck disable=SC2086 # two words
			status 0 undisturbed env PERFMON="$backend" "$pfmon" record -g --buffer 2M \
				-e instructions:u -c 1009 "$bin/chained" $what
			says "$(cat err)" ", 0 lost"
			folded | LC_ALL=C sort >ours
			cmp ours perfs || fail "$backend, $what:" "$(diff perfs ours)"
		done
	done
}

test_perf_reads_what_is_exported()
{
	through perf -e instructions -c 1009 "$bin/chained" kernel 300
	status 0 "$pfmon" export -o out.perf.data
	# perf prints addresses within files for chains. For a call that is a function's last
	# instruction, as in some functions of the kernel, it names the next function.
	"$pfmon" script -F ip,sym | sed -n 's/^ *[0-9a-f]*\([0-9a-f]\{3\}\) /\1 /p' >ours
	perf script -i out.perf.data -F ip,sym 2>/dev/null |
		sed -n 's/^[ \t]*[0-9a-f]*\([0-9a-f]\{3\}\) /\1 /p' >theirs
	[ "$(wc -l <ours)" -gt 100 ] || fail "$(wc -l <ours) lines"
	is addresses "$(diff <(cut -c1-3 ours) <(cut -c1-3 theirs) | head -n 5)" ''
	is "user level" "$(grep -E ' (_start|begin|run|f1|f2|f3|calls|call)$' theirs)" \
		"$(grep -E ' (_start|begin|run|f1|f2|f3|calls|call)$' ours)"
	perf report --stdio -i out.perf.data --no-children -g caller >shown 2>&1 || fail "$(cat shown)"
	says "$(cat shown)" "_start"
}

# perf_events reports what its ring lost with the next sample that fits; there may be none.
test_what_finds_no_room_is_told()
{
	local n lost

	through perf -e instructions:u -c 1009 "$bin/chained" shares 100000
	n=$("$pfmon" report -x ';' | sed -n 's/^# samples: //p')
	status 0 env PERFMON=perf "$pfmon" record -g --buffer 4K -e instructions:u -c 1009 \
		"$bin/chained" shares 100000
	lost=$("$pfmon" report -x ';' | sed -n 's/^# lost: //p')
	[ "$lost" -gt 0 ] || fail "nothing was lost"
	is "recorded and lost" "$(($("$pfmon" report -x ';' | sed -n 's/^# samples: //p') + lost))" "$n"
}

# The kernel may give up a fault that it cannot finish at once: the program takes it again.
test_events_of_the_kernel_have_chains_too()
{
	local backend n

	for backend in perf $own; do
		through "$backend" -e page-faults -c 1 "$bin/chained" faults 300
		n=$(folded | sed -n 's/^chained;_start;begin;run;f1;f2;f3;touches //p')
		if [ "${n:-0}" -lt 300 ] || [ "$n" -gt 305 ]; then
			fail "$backend: ${n:-no} faults, of 300"
		fi
		through "$backend" -e cpu-clock -F 5000 "$bin/chained" shares 3000000
		folded | grep -q '^chained;_start;begin;run;f1;f2;f3 ' || fail "$backend:" "$(folded)"
	done
}

test_a_whole_cpu()
{
	local backend

	for backend in $backends; do
		status 0 env PERFMON="$backend" "$pfmon" record -g -C 0 -e instructions:u -c 1009 \
			taskset -c 0 "$bin/chained" shares 100000
		is "$backend: wrong share" "$(folded | grep '^chained;' | share ';f1;f2;f3$' 50)" ''
	done
}

test_branches_and_values_go_with_chains()
{
	PERFMON=$own
	export PERFMON
	status 0 "$pfmon" record -g -b -e instructions:u -c 1009 --with loads:u "$bin/chained" shares 30000
	says "$(cat err)" ", 0 lost"
	is "wrong share" "$(folded | share ';f1;f2;f3$' 50)" ''
	"$pfmon" script -1 -F values,brstack >shown
	is "values and branches" "$(grep -c '^ *loads:u=[0-9]* 0x[0-9a-f]*/0x' shown)" "$(wc -l <shown)"
	status 0 "$pfmon" record -g -z -e instructions:u,branches:u -c 1009 "$bin/chained" shares 30000
	is "wrong share" "$(folded | share ';f1;f2;f3$' 50)" ''
}

run_tests "$@"
