#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record --format hist over the real perfmonctl(): the kernel adds samples up, and the
# numbers are those of the default format, to the unit, at the right places, whenever the table
# was read and whatever its size.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are sampled expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=200
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"
# shellcheck source-path=SCRIPTDIR source=known.sh
. "$here/known.sh"

library=$bin/sampled_library.so
no_throttle

record()
{
	status 0 "$pfmon" record "$@"
	! grep '^pfmon: note' err || fail "$(cat err)"
	says "$(cat err)" ", 0 lost"
}

dump()
{
	"$bin/recording_dump" "${1:-pfmon.data}"
}

# The samples at each address: "ADDRESS NUMBER SUM", from any format. A sum is of periods.
numbers()
{
	dump "$@" | awk '/^sample/ { n[$2] += NF > 5 ? $6 : 1; sum[$2] += NF > 5 ? $7 : $3 }
		END { for (a in n) print a, n[a], sum[a] }' | sort
}

samples()
{
	numbers "$@" | awk '{ n += $2 } END { print n + 0 }'
}

# All that the kernel recorded is there, or without room; nothing is lost.
all_there()
{
	local n room

	n=$(samples)
	room=$(dump | awk '/^lost/ { n += $8 } END { print n }')
	is ledger "$(dump | awk '/^lost/ { for (i = 2; i < 8; i++) n[i] += $i }
		END { print n[2], n[3], n[4], n[5], n[6], n[7] }')" "$((n + room)) $((n + room)) 0 0 0 0"
	is end "$(dump | tail -n 1)" "end $n 0 0"
}

# The percentage of the samples in a symbol, in whole numbers
share()
{
	"$pfmon" report -x ';' | awk -F';' -v symbol="$1" '
		$4 == symbol { sum += $2 } END { printf "%d\n", sum + 0.5 }'
}

# between WHAT GOT LOW HIGH
between()
{
	if [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then
		fail "$1 is $2, and should be from $3 to $4:" "$("$pfmon" report --limit 20)"
	fi
}

no_sample_is_unknown()
{
	"$pfmon" report --sort file -x ';' >files
	! grep -F ';[unknown]' files || fail "samples at no mapping:" "$(cat files)"
}

# same OPTION...: the numbers of both formats
same()
{
	record --format default -o default "$@"
	record --format hist "$@"
	all_there
	numbers default >want
	numbers >got
	cmp -s want got || fail "with $*:" "$(diff want got | head)"
}

test_the_numbers_are_those_of_the_default_format()
{
	local period

	for period in 101 1009 10007; do
		same -e instructions:u -c "$period" "$bin/known_one"
		is samples "$(samples)" $(((4 * loops + 5) / period))
	done
	same -e instructions:u -c 1009 --random 0xff:7 "$bin/known_one"
	same -e branches:u -c 499 --random 0x7f:3 "$bin/known_one"
	# A hundred thousand samples in a loop of four instructions.
	record -e instructions:u -c 40 --format hist "$bin/known_long_one"
	all_there
	is samples "$(samples)" $(((4 * 1000000 + 5) / 40))
	[ "$(dump | grep -c '^sample')" -le 6 ] || fail "$(dump)"
}

test_several_events_and_sets_have_their_own()
{
	local event

	same -e instructions:u,branches:u -c 1009,499 "$bin/known_one"
	"$pfmon" report --sort event -x ';' default | grep -v '^#' >want
	"$pfmon" report --sort event -x ';' | grep -v '^#' >got
	is lines "$(wc -l <want)" 2
	cmp -s want got || fail "$(diff want got)"
	# More than there are counters: in turns, so the numbers depend on the time.
	record --format hist -e instructions:u,branches:u,loads:u,stores:u,cycles:u -c 1009 \
		"$bin/known_long_one"
	all_there
	for event in instructions:u branches:u loads:u stores:u cycles:u; do
		"$pfmon" report --sort event -x ';' | grep -q ";$event\$" || fail "$("$pfmon" report)"
	done
}

# Of each task
per_task()
{
	dump "$@" | awk '/^sample/ { n[$5] += NF > 5 ? $6 : 1 } END { for (t in n) print n[t] }' |
		sort -n | paste -sd' '
}

test_each_thread_and_process_has_its_own()
{
	local known

	for known in known_threads known_procs; do
		record -e instructions:u -c 1001 --format default -o default "$bin/$known"
		record -e instructions:u -c 1001 --format hist "$bin/$known"
		all_there
		is "$known" "$(per_task)" "$(per_task default)"
		is tasks "$(per_task | wc -w)" 4
	done
}

# Tables are read each second: more than one time is there, and the sum is right.
test_a_table_that_is_read_again_and_again_loses_nothing()
{
	record -e instructions:u -c 10007 --format hist "$sampled" long
	all_there
	between "heavy()" "$(share heavy)" 95 100
	[ "$(dump | awk '/^sample/ { print $4 }' | sort -u | wc -l)" -gt 2 ] ||
		fail "it was read once:" "$(dump | grep ^sample | head)"
	# Each time later than the one before.
	dump | awk '/^sample/ && $4 < last { exit 1 } /^sample/ { last = $4 }' || fail "$(dump)"
}

test_a_killed_pfmon_leaves_all_but_the_last_second()
{
	"$pfmon" record -e instructions:u -c 10007 --format hist "$sampled" long 2>err &
	wait_until 20 eval '[ "$(dump 2>/dev/null | grep -c ^sample)" -gt 0 ]'
	kill -KILL $!
	wait $! 2>/dev/null
	status 0 "$pfmon" report
	says "$(cat out)" "the recording was not finished"
	between "heavy()" "$(share heavy)" 95 100
	# Otherwise the next test's session has it, too.
	pkill -x sampled || fail "the command is gone"
}

by_proc()
{
	env LD_PRELOAD="$bin/no_perfmonctl.so" NO_PERFMONCTL=perf NO_PERFMONCTL_PERF=13 "$pfmon" "$@"
}

# Samples before the exec are the former program's, though the table has no times.
test_an_exec_divides_the_samples()
{
	local reader

	for reader in "$pfmon" by_proc; do
		status 0 "$reader" record -e instructions:u -c 10007 --format hist \
			"$sampled" exec "$sampled" shares
		all_there
		is execs "$(dump | grep -c '^exec')" 1
		between "heavy()" "$(share heavy)" 56 60
		between "light()" "$(share light)" 37 40
	done
	# In each child the shell is first, and then another program: both have a name.
	record -e instructions:u -c 1009 --format hist -o hist \
		sh -c "'$sampled' shares | cat; exec '$sampled' shares"
	mv hist pfmon.data
	all_there
	between "heavy()" "$(share heavy)" 70 75
	no_sample_is_unknown
	"$pfmon" report --sort comm,file -x ';' >files
	grep -q ';sh;.*/libc' files || fail "nothing of the shell:" "$(cat files)"
	! grep ';sh;.*sampled' files || fail "the shell is in the program:" "$(cat files)"
	! grep ';sampled;.*/dash' files || fail "the program is in the shell:" "$(cat files)"
}

test_an_exec_ends_other_threads_in_the_former_program()
{
	printf '#!/bin/sh\nexec "%s" shares\n' "$sampled" >program
	chmod +x program
	record -e instructions:u -c 10007 --format hist "$bin/victim" exec "$PWD/program"
	all_there
	between "heavy()" "$(share heavy)" 65 75
	no_sample_is_unknown
}

test_chosen_programs_have_their_own()
{
	record -e instructions:u -c 10007 --format hist --follow-exec sampled \
		sh -c "'$sampled' shares; exec '$sampled' shares"
	all_there
	between "heavy()" "$(share heavy)" 74 76
	no_sample_is_unknown
}

test_a_library_that_is_closed_again_is_known()
{
	record -e instructions:u -c 10007 --format hist "$sampled" library "$library"
	between "work()" "$(share work)" 45 50
	between "light()" "$(share light)" 45 50
}

test_cpus_have_all_their_processes()
{
	record -a -e instructions -c 10007 --format hist -- sh -c "'$sampled' shares; '$sampled' shares"
	all_there
	"$pfmon" report --sort pid,symbol --comm sampled -x ';' >out
	is "processes with heavy()" "$(grep -c ';heavy$' out)" 2
	"$pfmon" report --sort cpu -x ';' | grep -v '^#' | cut -d';' -f4 >cpus
	! grep -vx '[01]' cpus || fail "$(cat cpus)"
	# A thread's CPUs are not known.
	record -e instructions:u -c 10007 --format hist "$bin/known_one"
	is cpus "$("$pfmon" report --sort cpu -x ';' | grep -v '^#' | cut -d';' -f4)" '?'
	"$pfmon" script -F comm,cpu | grep -q '^known_one \[  ?\]' || fail "$("$pfmon" script)"
}

test_a_running_process_is_sampled()
{
	"$sampled" long >/dev/null &
	record -e instructions:u -c 10007 --format hist -p $!
	all_there
	between "heavy()" "$(share heavy)" 95 100
}

test_periods_follow_the_program()
{
	record -F 500 -e instructions:u --format hist "$sampled" long
	all_there
	# Four seconds, in the shortest of which the period was still long.
	between samples "$(samples)" 500 8000
	between "heavy()" "$(share heavy)" 95 100
}

test_samples_without_room_are_counted()
{
	local n room all

	record -e instructions:u -c 101 --format default -o default "$sampled" library "$library"
	record -e instructions:u -c 101 --format hist --buffer 1K "$sampled" library "$library"
	all_there
	room=$(dump | awk '/^lost/ { n += $8 } END { print n }')
	n=$(samples)
	if [ "$room" -le 100 ] || [ "$n" -le 100 ]; then
		fail "$n samples, and $room without room"
	fi
	all=$(samples default)
	# The loader's work varies a little with the environment's place.
	if [ $((n + room)) -le $((all * 99 / 100)) ] || [ $((n + room)) -ge $((all * 101 / 100)) ]; then
		fail "$n and $room of $all samples"
	fi
	says "$(tr -d , <err)" " $room more without room in the kernel's table (--buffer)"
	status 0 "$pfmon" report
	says "$(tr -d , <out)" " $room more without room in the kernel's table"
	is "# lines" "$("$pfmon" report -x ';' | grep '^# [lw]' | paste -sd,)" \
		"# lost: 0,# without room: $room"
	is json "$("$pfmon" report -j | jq .lost.without_room)" "$room"
	# With room for all it is 0, and nothing is said of it.
	record -e instructions:u -c 10007 --format hist "$sampled" library "$library"
	says_not "$(cat err)" "without room"
	is json "$("$pfmon" report -j | jq .lost.without_room)" 0
	status 125 "$pfmon" record --format hist --buffer 128 true
	says "$(cat err)" "too small for one sample"
}

# The sums of both values of all samples: each is field 2 of a message, with packed numbers in 2.
pprof_sums='
import gzip, sys

def number(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at

def fields(data):
    at = 0
    while at < len(data):
        tag, at = number(data, at)
        value, at = number(data, at)
        if tag & 7 == 2:
            value, at = data[at:at + value], at + value
        yield tag >> 3, value

sums = [0, 0]
for name, sample in fields(gzip.decompress(sys.stdin.buffer.read())):
    for inner, packed in fields(sample) if name == 2 else ():
        at = 0
        for i in range(2) if inner == 2 else ():
            value, at = number(packed, at)
            sums[i] += value
print(*sums)
'

# All that reads recordings counts each sample as often as it stands for.
test_all_verbs_show_the_numbers()
{
	local n

	record -e instructions:u -c 1009 --format default -o default "$sampled" shares
	record -e instructions:u -c 1009 --format hist "$sampled" shares
	n=$(samples)
	is report "$("$pfmon" report -x ';' | grep -v '^#' | awk -F';' '{ n += $1 } END { print n }')" "$n"
	is events "$("$pfmon" report -j | jq '.events[0].occurrences')" $((n * 1009))
	is folded "$("$pfmon" export --to folded -o - | awk '{ n += $NF } END { print n }')" "$n"
	is json "$("$pfmon" export --to json -o - | jq '[.samples[].count] | add')" "$n"
	is "json's periods" "$("$pfmon" export --to json -o - | jq '[.samples[].period] | add')" \
		$((n * 1009))
	is "json's cpus" "$("$pfmon" export --to json -o - | jq -c '[.samples[].cpu] | unique')" '[null]'
	is script "$("$pfmon" script -1 -F count | awk '{ n += $1 } END { print n }')" "$n"
	is "script's periods" "$("$pfmon" script -1 -F period | awk '{ n += $1 } END { print n }')" \
		$((n * 1009))
	"$pfmon" export --to pprof -o - | python3 -c "$pprof_sums" >sums
	is "pprof's samples and events" "$(cat sums)" "$n $((n * 1009))"
	status 0 "$pfmon" export --to svg -o out.svg
	grep -q "heavy" out.svg || fail "no heavy() in the picture"
	status 0 "$pfmon" export --to perf.data -o perf.data
	is "perf's periods" "$(perf script -i perf.data -F period 2>/dev/null | awk '{ n += $1 } END { print n }')" \
		$((n * 1009))
	status 1 "$pfmon" export --to firefox -o out.json
	says "$(cat err)" "the kernel added those of the recording up"
	is annotate "$("$pfmon" annotate -j heavy | jq '[.functions[0].lines[].samples[0]] | add')" \
		"$("$pfmon" report -x ';' | awk -F';' '$4 == "heavy" { print $1 }')"
	status 0 "$pfmon" diff default pfmon.data
	says "$(tr -d , <out)" "samples: $(samples default) before $n after"
}

test_a_compressed_file_is_the_same()
{
	record -z -e instructions:u -c 1009 --format hist "$bin/known_one"
	status 0 "$pfmon" report
	says "$(tr -d , <out)" "samples: $(((4 * loops + 5) / 1009)) (of"
}

test_an_ordinary_user_has_a_table_too()
{
	chmod 755 ..
	chmod 777 .
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	status 0 setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
		"$pfmon" record -e instructions:u -c 1009 --format hist "$bin/known_one"
	all_there
	is samples "$(samples)" $(((4 * loops + 5) / 1009))
}

test_nothing_is_left_behind()
{
	is sessions "$(cat /sys/kernel/perfmon/sessions/thread /sys/kernel/perfmon/sessions/system | paste -sd' ')" "0 0"
}

run_tests "$@"
