#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record over the real perfmonctl(): all threads and processes of a command from their first
# instruction, processes that run already, CPUs; several events, and values with samples; the names
# of all mappings, while they exist.
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
# shellcheck source-path=SCRIPTDIR source=shares.sh
. "$here/shares.sh"

record()
{
	status 0 "$pfmon" record "$@"
	! grep '^pfmon: note' err || fail "$(cat err)"
	says "$(cat err)" ", 0 lost"
}

dump()
{
	"$bin/recording_dump" pfmon.data
}

samples()
{
	dump | grep -c '^sample'
}

no_sample_is_unknown()
{
	"$pfmon" report --sort file -x ';' >files
	! grep -F ';[unknown]' files || fail "samples at no mapping:" "$(cat files)"
}

# Each task has one sample for each period in its instructions, see known.S
per_task()
{
	dump | awk '/^sample/ { n[$5]++ } END { for (t in n) print n[t] }' | sort -n | paste -sd' '
}

test_each_thread_has_its_samples_to_the_unit()
{
	record -e instructions:u -c 1001 "$bin/known_threads"
	is "samples of four threads" "$(per_task)" "$(printf '%s\n' $(((one_insns + 2) / 1001)) \
		$(((one_insns + 2) / 1001)) $(((one_insns + 2) / 1001)) \
		$(((one_insns + 18) / 1001)) | sort -n | paste -sd' ')"
	says "$(cat err)" "; 1 process, 4 threads, "
}

test_each_process_has_its_samples_to_the_unit()
{
	record -e instructions:u -c 1001 "$bin/known_procs"
	is "samples of four processes" "$(per_task)" "$(printf '%s\n' $(((one_insns + 2) / 1001)) \
		$(((one_insns + 2) / 1001)) $(((one_insns + 2) / 1001)) \
		$(((one_insns + 36) / 1001)) | sort -n | paste -sd' ')"
	says "$(cat err)" "; 4 processes, 4 threads, "
}

test_all_of_a_pipeline_is_sampled()
{
	record -e instructions:u -c 10007 sh -c "'$sampled' shares | cat; '$sampled' shares"
	says "$(cat err)" "; 4 processes, 4 threads, "
	between "heavy()" "$(share heavy)" 70 75
	no_sample_is_unknown
}

test_an_exec_by_another_thread_than_the_first_goes_on()
{
	printf '#!/bin/sh\nexec "%s" shares\n' "$sampled" >program
	chmod +x program
	record -e instructions:u -c 10007 "$bin/victim" exec "$PWD/program"
	between "heavy()" "$(share heavy)" 65 75
	no_sample_is_unknown
}

test_what_outlives_the_command_is_told_and_goes_on()
{
	status 0 "$pfmon" record -e instructions:u -c 10007 sh -c "'$sampled' brief >longer &"
	says "$(cat err)" "note: 1 thread outlived the command: sampled until its end"
	is sessions "$(cat /sys/kernel/perfmon/sessions/thread)" 0
	wait_until 60 test -s longer
}

# covers: 6.3.2-1
test_two_hundred_short_processes_all_have_their_binary()
{
	status 0 "$pfmon" record -a -e instructions:u -c 10007 -- \
		sh -c 'i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i + 1)); done'
	! grep -q '^pfmon: note' err || fail "$(cat err)"
	[ "$(samples)" -gt 500 ] || fail "$(samples) samples"
	no_sample_is_unknown
	[ "$(dump | awk '/^comm/ && $4 == "true"' | wc -l)" -ge 200 ] || fail "names:" "$(dump | grep ^comm | sort | uniq -c | sort -n | tail)"
}

test_cpus_are_sampled_with_their_kernel()
{
	status 0 "$pfmon" record -a -e cycles -c 100k -- "$sampled" calls
	says "$(cat err)" "; 2 CPUs, "
	"$pfmon" report --sort file -x ';' >files
	grep -q ';\[kernel\]$' files || fail "$(cat files)"
	# A CPU that is idle, or woken up by an interrupt, has a thread with a name.
	is "comms without a name" "$("$pfmon" report --sort comm,pid -x ';' | grep -c ';;\|;:')" 0
	# pfmon reads the kernel's symbols before it samples.
	is "samples of symbols that are read" "$("$pfmon" report --comm pfmon -x ';' | grep -c ';kallsyms_expand_symbol')" 0
	status 0 "$pfmon" record -C 1 -e instructions:u -c 100k -o one -- taskset -c 1 "$sampled" shares
	says "$(cat err)" "; 1 CPU, "
	between "heavy() on this CPU" "$("$pfmon" report -i one -x ';' | awk -F';' '$4 == "heavy" { printf "%d", $2 + 0.5 }')" 45 75
}

# in_background COMMAND...: $pid
in_background()
{
	"$@" >background 2>&1 &
	pid=$!
}

test_a_running_process_is_sampled()
{
	in_background "$sampled" long
	wait_until 20 grep -q "$sampled" "/proc/$pid/maps"
	status 0 "$pfmon" record -p "$pid" -e instructions:u -c 10007 --timeout 200
	between "heavy()" "$(share heavy)" 95 100
	says "$(cat err)" "; 1 process, 1 thread, "
	status 0 "$pfmon" record -t "$pid" -e instructions:u -c 10007 -- sleep 0.1
	between "heavy()" "$(share heavy)" 95 100
	status 0 "$pfmon" record --name sampled -e instructions:u -c 10007 --timeout 100
	between "heavy()" "$(share heavy)" 95 100
	kill "$pid"
	status 125 "$pfmon" record -p 99999 true
	says "$(cat err)" "there is no process 99999"
	status 125 "$pfmon" record -t 99999 true
	says "$(cat err)" "there is no thread 99999"
}

has_threads()
{
	[ "$(find "/proc/$1/task" -mindepth 1 -maxdepth 1 | wc -l)" -gt 4 ]
}

test_a_process_whose_threads_come_and_go_is_sampled()
{
	local backend how

	for backend in perfmonctl perf; do
		for how in churn headless; do
			in_background "$bin/victim" "$how" 1
			wait_until 20 has_threads "$pid"
			status 0 env PERFMON="${backend#perfmonctl}" "$pfmon" record -p "$pid" \
				-e instructions:u -c 10007 --timeout 20
			kill -9 "$pid"
			says "$(cat err)" " samples of instructions:u in pfmon.data, 0 lost; 1 process, "
			# Births and ends may come faster than a single reader can follow.
			[ "$(grep -vc 'changes of mappings were lost' err)" = 1 ] ||
				fail "$backend, $how:" "$(cat err)"
			no_sample_is_unknown
		done
	done
}

# symbol_of FILE: the symbol with most of its samples; the whole report is in "table"
symbol_of()
{
	"$pfmon" report -x ';' --sort symbol,file >table
	grep -F ";$1" table | head -n 1 | cut -d';' -f4
}

mapped()
{
	grep -q " r-xp .*$2" "/proc/$1/maps"
}

test_a_library_that_was_removed_is_read_as_long_as_it_is_mapped()
{
	local before gone="no symbols for .*: .*: it has no name: only root can read it, while a process that was recorded has it"

	for before in yes no; do
		cp "$library" library.so
		in_background "$sampled" stay "$PWD/library.so"
		wait_until 20 mapped "$pid" library.so
		[ "$before" = no ] || rm library.so
		status 0 "$pfmon" record -p "$pid" -e instructions:u -c 10007 --timeout 20
		[ "$before" = yes ] || rm library.so
		is "removed before: $before" "$(symbol_of "$PWD/library.so")" work
		# Another file of the same name is not the mapped one.
		cp "$sampled" library.so
		is "replaced; removed before: $before" "$(symbol_of "$PWD/library.so")" work
		kill -9 "$pid"
		wait "$pid"
		is "ended; removed before: $before" "$(symbol_of "$PWD/library.so")" "[unknown]"
	done
	in_background "$sampled" memfd "$library"
	wait_until 20 mapped "$pid" memfd:
	status 0 "$pfmon" record -p "$pid" -e instructions:u -c 10007 --timeout 20
	is memfd "$(symbol_of /memfd:copy)" work
	kill -9 "$pid"
	wait "$pid"
	is "memfd, ended" "$(symbol_of /memfd:copy)" "[unknown]"
	has "the reason" "$(cat table)" "$gone"
}

test_a_program_of_another_mount_namespace_is_read_as_long_as_it_lives()
{
	mkdir inside
	in_background unshare --mount sh -c 'mount -t tmpfs inside inside && cp "$0" inside/program &&
		exec inside/program long' "$sampled"
	wait_until 20 mapped "$pid" inside/program
	status 0 "$pfmon" record -p "$pid" -e instructions:u -c 10007 --timeout 20
	is "not there" "$(symbol_of "$PWD/inside/program")" heavy
	cp "$library" inside/program
	is "another one there" "$(symbol_of "$PWD/inside/program")" heavy
	kill -9 "$pid"
	wait "$pid"
	is ended "$(symbol_of "$PWD/inside/program")" "[unknown]"
	has "the reason" "$(cat table)" "no symbols for .*: $PWD/inside/program has changed since the recording"
}

test_the_end_of_a_sampled_process_ends_the_recording()
{
	in_background "$sampled" brief
	status 0 "$pfmon" record -p "$pid" -e instructions:u -c 100003 --timeout 60000
	wait "$pid"
	is output "$(cat background)" "done"
	[ "$("$pfmon" report -j | jq '.elapsed_seconds < 30')" = true ] || fail "it waited for the time-out"
}

# From then on, perf's event of the process that has ended always polls as ready.
test_pfmon_sleeps_when_one_of_its_processes_has_ended()
{
	local first second before after

	sleep 0.2 & first=$!
	sleep 2 & second=$!
	"$pfmon" record -e instructions:u -p "$first,$second" 2>err &
	until [ -s pfmon.data ]; do sleep 0.1; done
	wait "$first"
	before=$(awk '{ print $14 + $15 }' "/proc/$!/stat")
	sleep 1
	after=$(awk '{ print $14 + $15 }' "/proc/$!/stat")
	wait
	[ $((after - before)) -lt $(($(getconf CLK_TCK) / 4)) ] ||
		fail "$((after - before)) of $(getconf CLK_TCK) ticks at work"
	says "$(cat err)" "2 processes"
}

test_several_events_have_their_periods()
{
	record -e instructions:u,branches:u,loads:u -c 1001,100 "$bin/known_one"
	"$pfmon" report -j | jq -c '[.events[] | [.event, .period, .samples]]' >got
	is events "$(cat got)" "$(jq -cn "[[\"instructions:u\", 1001, $((one_insns / 1001))],
		[\"branches:u\", 100, $((one_branches / 100))], [\"loads:u\", 100, $((loops / 100))]]")"
}

test_events_of_several_sets_are_sampled_in_turns()
{
	local six=cycles,instructions,branches,stores,loads,DTLB_MISSES:WALK_COMPLETED,loads:u

	# If two counters overflow at once, the overflow after the buffer's last sample is lost.
	status 0 "$pfmon" record -e "$six" -c 10007 --switch-timeout 1 --buffer 4M ls -la /usr/bin
	says "$(cat err)" ", 0 lost"
	is "events without a sample that have some" "$("$pfmon" report -j |
		jq -c '[.events[] | select(.samples == 0 and (.event | test("MISSES") | not))] | length')" 0
	is "other refusals" "$("$pfmon" record -e "$six" --with stores:u true 2>&1 | grep -c 'does not fit\|no counter')" 1
}

test_periods_follow_the_program_for_so_many_samples_a_second()
{
	status 0 "$pfmon" record -i -F 1000 -e instructions:u "$sampled" long
	# In the steady state: the samples of the last second.
	dump | awk '/^sample/ { time[n++] = $4 }
		END { for (i = n; i && time[i - 1] > time[n - 1] - 1e9; i--); print n - i }' >got
	between "samples in the last second" "$(cat got)" 750 1250
	says "$("$pfmon" report)" "# event: instructions:u, 1,000 samples a second wanted"
}

# last_seconds KEY: a line for each event and KEY (tid, cpu) with 500 samples or more: those of
# its last second
last_seconds()
{
	"$pfmon" script -1 -F "$1",time,event | tr -d '[]:' | sort -k1,1 -k3,3 -k2,2n | awk '
		function show() {
			for (i = n; i && time[i - 1] > time[n - 1] - 1; i--);
			if (n >= 500)
				print n - i, key
		}
		$1 " " $3 != key { show(); key = $1 " " $3; n = 0 }
		{ time[n++] = $2 }
		END { show() }'
}

# are_paced WANTED LINES: so many lines of last_seconds, each with a thousand samples. A period stays
# while the rate is within an eighth of the wanted one; and the next look at it, after a tenth of a
# second, may be late on a busy machine.
are_paced()
{
	is "events that were sampled" "$(wc -l <<<"$2")" "$1"
	awk '$1 < 750 || $1 > 1250 { bad = 1 } END { exit bad }' <<<"$2" || fail "not 1000 a second:" "$2"
}

test_each_event_of_each_child_follows_the_program()
{
	status 0 "$pfmon" record -F 1000 -e instructions:u,branches:u sh -c \
		'taskset -c 0 "$0" long & taskset -c 1 "$0" long; wait' "$sampled"
	are_paced 4 "$(last_seconds tid)"
}

test_each_event_of_each_cpu_follows_the_program()
{
	status 0 "$pfmon" record -a -F 1000 -e '{instructions:u},{branches:u},cpu-clock' -- sh -c \
		'taskset -c 0 "$0" long & taskset -c 1 "$0" long; wait' "$sampled"
	are_paced 6 "$(last_seconds cpu)"
}

test_a_delay_leaves_the_beginning_out()
{
	status 0 "$pfmon" record --delay 500 -e instructions:u -c 100003 sh -c "'$sampled' shares; sleep 1; '$sampled' library '$library'"
	is "samples of what came before" "$(share heavy)" 0
	between "work()" "$(share work)" 45 50
}

test_values_come_with_each_sample()
{
	record -e instructions:u -c 4000 --with loads:u,stores:u "$bin/known_one"
	is "the first sample's values differ by the store that is not done" "$(od -An -v -tu8 -w8 pfmon.data |
		awk '{ print $1 }' | grep -cx "$((4000 / 4 - 1))\|$((4000 / 4))")" 2
	is samples "$("$pfmon" report -j | jq '.events[0].samples')" $((one_insns / 4000))
}

test_a_long_period_follows_a_full_buffer()
{
	# A small buffer, so that one long sample is among a few short ones.
	record -i -e instructions:u -c 1000 --long-period 5000 --buffer 1K "$bin/known_one"
	is periods "$(dump | awk '/^sample/ { print $3 }' | head -n 30 | sort -n | uniq | paste -sd' ')" "1000 5000"
}

test_code_made_at_run_time_has_names()
{
	record -e instructions:u -c 1009 "$sampled" jit
	between "made()" "$(share made)" 40 60
	between "light()" "$(share light)" 40 60
}

test_dumped_code_has_its_name_at_its_time()
{
	record -e instructions:u -c 1009 "$sampled" jitdump
	between "first()" "$(share first)" 40 60
	between "second()" "$(share second)" 40 60
}

test_dumped_code_that_moves_or_ends_leaves_its_place()
{
	record -e instructions:u -c 1009 "$sampled" jitmove
	between "moved()" "$(share moved)" 45 52
	between "[anon]" "$(file_share '[anon]')" 45 52
}

test_at_most_a_second_is_lost_with_pfmon()
{
	in_background "$pfmon" record -i -e instructions:u -c 100003 --buffer 4M "$sampled" long
	wait_until 20 grep -q 1 /sys/kernel/perfmon/sessions/thread
	sleep 2.5
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	is "seconds, from the first sample to the last" "$(dump | awk '/^sample/ { if (!first) first = $4; last = $4 }
		END { print (last - first > 1.2e9) }')" 1
	pkill -x sampled
	status 0 "$pfmon" report
	says "$(cat out)" "the recording was not finished"
	between "heavy()" "$(share heavy)" 95 100
}

# Without perf's dummy event: only /proc remains as a source.
by_proc()
{
	env LD_PRELOAD="$bin/no_perfmonctl.so" NO_PERFMONCTL=perf NO_PERFMONCTL_PERF=13 "$pfmon" "$@"
}

test_without_perfs_event_mappings_come_from_proc()
{
	status 0 by_proc record -e instructions:u -c 1009 --buffer 4K "$sampled" library "$library"
	between "work()" "$(share work)" 45 50
	between "light()" "$(share light)" 45 50
	dump | grep -q '^unmap' || fail "its end is not in the file:" "$(dump | grep map)"
	status 0 by_proc record -e instructions:u -c 1009 sh -c "'$sampled' shares; '$sampled' shares; true"
	between "heavy()" "$(share heavy)" 70 75
	# The mappings of a program that has executed another program meanwhile are not in /proc.
	is "unknown samples, in a thousand" "$("$pfmon" report --sort file -x ';' |
		awk -F';' '$4 == "[unknown]" { n += $1 } !/^#/ { all += $1 } END { print int(1000 * n / all) }')" 0
	is names "$(dump | awk '/^comm/ { print $4 }' | sort -u | paste -sd' ')" "sampled sh"
}

test_nothing_is_left_behind()
{
	is sessions "$(cat /sys/kernel/perfmon/sessions/thread /sys/kernel/perfmon/sessions/system | paste -sd' ')" "0 0"
}

run_tests "$@"
