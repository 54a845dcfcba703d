#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record over the real perfmonctl(): the right number of samples, at the right addresses, in
# the right mappings; and a readable file whatever happens to the command, to pfmon or to the disk.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are sampled expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=200
# shellcheck source-path=SCRIPTDIR source=recorder.sh
. "$here/recorder.sh"

library=$bin/sampled_library.so
# shellcheck source=tests/pfmon/yardstick.sh
. "$here/yardstick.sh"
# shellcheck source=tests/pfmon/shares.sh
. "$here/shares.sh"

# See known.S.
known_insns=$((4 * 100000 + 5))

record()
{
	status 0 "$pfmon" record "$@"
	! grep '^pfmon: note' err || fail "$(cat err)"
}

dump()
{
	"$bin/recording_dump" "${1:-pfmon.data}"
}

samples()
{
	dump "$@" | grep -c '^sample'
}

# The ledger is complete and no sample is lost: the recorded number is that of the file.
nothing_lost()
{
	local n

	n=$(samples "$@")
	is ledger "$(dump "$@" | awk '/^lost/ { for (i = 2; i < 8; i++) n[i] += $i }
		END { print n[2], n[3], n[4], n[5], n[6], n[7] }')" "$n $n 0 0 0 0"
	is end "$(dump "$@" | tail -n 1)" "end $n 0 0"
	says "$(cat err)" ", 0 lost"
}

test_as_many_samples_as_events_by_the_period()
{
	local event period want

	no_throttle
	# shellcheck disable=SC2046 # four words
	set -- $(expected 20000)
	for event in instructions:u branches:u loads:u stores:u; do
		for period in 1000 10007 100000; do
			record -e "$event" -c "$period" "$yardstick" 20000
			want=$(($1 / period))
			is "samples of $event each $period" "$(samples)" "$want"
			nothing_lost
		done
		shift
	done
}

# Where the samples are, and their periods
series()
{
	dump "$1" | awk '/^sample/ { print $2, $3 }'
}

# same WHAT: the samples in the file got are those in the file want
same()
{
	cmp -s want got || fail "with $1:" "$(diff want got | head)"
}

# same_series FORMAT SIZE...: buffers of these sizes give the samples of a large one of the
# default format
same_series()
{
	local format=$1 size

	shift
	no_throttle
	record -e instructions:u -c 1009 --format default -o large "$bin/known_one"
	series large >want
	is samples "$(wc -l <want)" $((known_insns / 1009))
	for size; do
		record -e instructions:u -c 1009 --format "$format" --buffer "$size" "$bin/known_one"
		nothing_lost
		series pfmon.data >got
		same "$size"
	done
}

# too_small FORMAT SIZE: no buffer for one sample
too_small()
{
	status 125 "$pfmon" record --format "$1" --buffer "$2" true
	says "$(cat err)" "too small for one sample"
}

test_a_small_buffer_gives_the_same_samples()
{
	same_series default 1K 4K 10000
}

test_the_ring_format_gives_the_same_samples()
{
	same_series ring 1M 64K 8K
	too_small ring 1K
}

# with_values FORMAT: all fields of each sample but the time and the task, which differ in each run
with_values()
{
	record -e instructions:u,branches:u -c 1009,499 --with loads:u --format "$1" "$bin/known_one"
	"$pfmon" script -F comm,period,event,ip,sym,values
}

test_the_compact_format_gives_the_same_samples()
{
	same_series compact 1M 64K 4K
	with_values default >want
	with_values compact >got
	grep -q 'loads:u=[1-9]' want || fail "$(head want)"
	same values
	too_small compact 512
}

test_samples_are_where_the_program_is()
{
	# Each hundredth instruction, counted by single steps.
	"$top/build/bin/tests/pmu/steps" "$yardstick" 60 >steps || fail steps
	no_throttle
	record -e instructions:u -c 100 "$yardstick" 60
	dump | awk '/^sample/ { print $2 }' >got
	awk 'NR % 100 == 1 && NR > 1' steps | sed 's/^0*//' >want
	[ -s want ] || fail "no steps"
	cmp -s want got || fail "$(diff want got | head)"
}

test_random_periods_are_a_series_of_the_seed()
{
	no_throttle
	record -e instructions:u -c 1000 --random 0xff:42 -o one "$bin/known_one"
	record -e instructions:u -c 1000 --random 0xff:42 -o same "$bin/known_one"
	record -e instructions:u -c 1000 --random 0xff:43 -o other "$bin/known_one"
	nothing_lost other
	series one >samples.one
	cmp -s samples.one <(series same) || fail "not the same"
	! cmp -s samples.one <(series other) || fail "the same"
	is "first period" "$(head -n 1 samples.one | cut -d' ' -f2)" 1000
	awk '{ print $2 }' samples.one | sort -n >periods
	is "periods out of range" "$(awk '$1 < 745 || $1 > 1000' periods)" ""
	[ "$(sort -u periods | wc -l)" -gt 100 ] || fail "$(sort -u periods)"
	is "events that the samples stand for are all but the rest" \
		"$(awk -v all="$known_insns" '{ sum += $1 }
			END { print (sum <= all && sum > all - 1000) }' periods)" 1
}

test_shares_are_right()
{
	record -e instructions:u -c 10007 "$sampled" shares
	nothing_lost
	between "heavy()" "$(share heavy)" 72 75
	between "light()" "$(share light)" 24 26
}

test_a_library_that_is_closed_again_is_known()
{
	no_throttle
	record -e instructions:u -c 1009 --buffer 4K "$sampled" library "$library"
	between "work()" "$(share work)" 45 50
	between "light()" "$(share light)" 45 50
}

test_libraries_of_a_short_program_are_known()
{
	record -e instructions:u -c 997 /bin/ls -la /usr/bin
	nothing_lost
	"$pfmon" report --sort file -x ';' >out
	grep -q '/libc.so.6$' out || fail "$(cat out)"
	! grep -F '[unknown]' out || fail "samples at no mapping"
}

test_the_vdso_has_names_wherever_it_is_read()
{
	status 0 "$pfmon" record -e instructions:u -c 1009 "$bin/victim" spin 0.01
	"$pfmon" report --sort symbol,file -x ';' >table
	grep -q ';__vdso_clock_gettime;\[vdso\]$' table || fail "$(cat table)"
	"$pfmon" script >samples
	grep -q ' __vdso_clock_gettime+0x[0-9a-f]* (\[vdso\])' samples || fail "$(head samples)"
	"$pfmon" annotate __vdso_clock_gettime >code 2>&1 || fail "$(cat code)"
	grep -q '%rbp' code || fail "$(cat code)"
	"$pfmon" export -o out.folded
	grep -q ';__vdso_clock_gettime ' out.folded || fail "$(cat out.folded)"
	# Another machine has another vdso, or none: so the recording contains it.
	is images "$(strings pfmon.data | grep -c __vdso_clock_gettime)" 1
}

test_an_exec_is_followed()
{
	record -e instructions:u -c 10007 "$sampled" exec "$sampled" shares
	nothing_lost
	is execs "$(dump | grep -c '^exec')" 1
	between "heavy()" "$(share heavy)" 56 60
	between "light()" "$(share light)" 37 40
	record -e instructions:u -c 10007 sh -c "exec '$sampled' shares"
	between "heavy()" "$(share heavy)" 70 75
}

test_another_thread_ends_the_process()
{
	status 3 "$pfmon" record --no-follow -e instructions:u -c 100003 "$sampled" thread "$library"
	between "work()" "$(share work)" 95 100
	status 3 "$pfmon" record -e instructions:u -c 100003 "$sampled" thread "$library"
	between "work() of one thread, light() of the other" "$(share light)" 40 60
	says "$(dump | tail -n 1)" "end $(samples) 3 0"
}

test_children_are_not_sampled_when_asked()
{
	no_throttle
	record --no-follow -e instructions:u -c 1000 "$bin/known_procs"
	nothing_lost
	# The parent does its own part, and creates and awaits the others: 42 instructions, see
	# there.
	between samples "$(samples)" $((known_insns / 1000)) $(((known_insns + 42) / 1000))
	says "$(cat err)" "; 1 process, 1 thread, "
}

test_kernel_functions_have_names()
{
	record -e instructions:k -c 1009 "$sampled" calls
	nothing_lost
	is "a known function" "$("$pfmon" report -x ';' | awk -F';' '
		$4 ~ /do_syscall_64/ && $5 == "[kernel]" { found = 1 } END { print found }')" 1
	between "[unknown]" "$(share '[unknown]')" 0 2
}

test_kernel_functions_without_names_are_the_kernels()
{
	echo 2 >/proc/sys/kernel/kptr_restrict
	record -e instructions:k -c 1009 "$sampled" calls
	echo 0 >/proc/sys/kernel/kptr_restrict
	is "lines in the kernel" "$("$pfmon" report -x ';' | grep -F '[kernel]' | cut -d';' -f4,5)" \
		"[unknown];[kernel]"
}

test_an_interrupted_recording_is_readable()
{
	local pid

	# Otherwise a program that a shell starts in the background ignores SIGINT.
	env --default-signal=INT "$pfmon" record -e instructions:u -c 100003 "$sampled" long \
		>out 2>err &
	pid=$!
	wait_until 20 grep -q 1 /sys/kernel/perfmon/sessions/thread
	sleep 0.2
	kill -INT "$pid"
	wait "$pid"
	is status "$?" 130
	is output "$(cat out)" ""
	is end "$(dump | tail -n 1)" "end $(samples) 130 1"
	between "heavy()" "$(share heavy)" 95 100
}

test_a_killed_command_is_recorded_to_its_end()
{
	status 137 "$pfmon" record -e instructions:u -c 10007 sh -c \
		'i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done; kill -9 $$'
	is end "$(dump | tail -n 1)" "end $(samples) 137 0"
	"$pfmon" report --sort file -x ';' >out
	! grep -F '[unknown]' out || fail "samples at no mapping"
}

test_a_killed_pfmon_leaves_what_was_written_and_the_command()
{
	local pid

	"$pfmon" record -e instructions:u -c 10007 --buffer 16K "$sampled" long >out 2>err &
	pid=$!
	wait_until 60 sh -c '[ "$(stat -c %s pfmon.data)" -gt 100000 ]'
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	status 0 "$pfmon" report
	says "$(cat out)" "# Note: the recording was not finished"
	between "heavy()" "$(share heavy)" 95 100
	wait_until 60 grep -q 0 /sys/kernel/perfmon/sessions/thread
	pkill -x sampled || fail "the command is gone"
}

test_compressed_it_is_the_same_and_a_second_at_most_is_lost()
{
	local pid plain

	no_throttle
	record -e instructions:u -c 1009 -o plain "$bin/known_one"
	record -e instructions:u -c 1009 -z -o packed "$bin/known_one"
	for plain in plain packed; do
		"$pfmon" report -i "$plain" -x ';' | grep -v '^#' >"$plain.txt"
	done
	is report "$(cat packed.txt)" "$(cat plain.txt)"
	[ $(($(stat -c %s packed) * 3)) -lt "$(stat -c %s plain)" ] || fail "$(ls -l)"
	"$pfmon" record -e instructions:u -c 10007 -z "$sampled" long >out 2>err &
	pid=$!
	wait_until 60 sh -c '[ "$(stat -c %s pfmon.data)" -gt 20000 ]'
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	status 0 "$pfmon" report
	says "$(cat out)" "# Note: the recording was not finished"
	between "heavy()" "$(share heavy)" 95 100
	wait_until 60 grep -q 0 /sys/kernel/perfmon/sessions/thread
	pkill -x sampled || fail "the command is gone"
}

test_a_full_disk_is_an_error_and_the_command_goes_on()
{
	local lost

	mkdir small
	mount -t tmpfs -o size=64k tmpfs small || skip "no tmpfs here"
	status 125 "$pfmon" record -e instructions:u -c 10007 --buffer 16K -o small/data \
		sh -c "'$sampled' library '$library'; exec '$sampled' brief"
	is output "$(cat out)" "done"
	says "$(cat err)" "pfmon: cannot write small/data: No space left on device"
	says "$(tr -d , <err)" "What was recorded until then is in the file: $(samples small/data) samples."
	lost=$(tr -d , <err | sed -n 's/.* samples. \([0-9]*\) more are lost$/\1/p')
	[[ $lost =~ ^[1-9][0-9]*$ ]] || fail "\"$lost\" are lost:" "$(cat err)"
	status 0 "$pfmon" report -i small/data
	says "$(cat out)" "# Note: the recording was not finished"
	says "$(cat out)" " heavy "
	umount small
}

test_a_file_that_may_not_grow_is_like_a_full_disk()
{
	ulimit -S -f 64
	status 125 "$pfmon" record -e instructions:u -c 10007 --buffer 16K \
		sh -c "'$sampled' library '$library'; exec '$sampled' brief"
	is output "$(cat out)" "done"
	says "$(cat err)" "pfmon: cannot write pfmon.data: File too large"
	status 0 "$pfmon" report
	says "$(cat out)" "# Note: the recording was not finished"
	says "$(cat out)" " heavy "
	# The limit of the command itself is unchanged.
	status 153 "$pfmon" stat sh -c 'exec head -c 100000 /dev/zero >large'
}

number()
{
	"$pfmon" report | sed -n 's/^# no symbols: \([0-9,]*\) where nothing is known to be mapped.*/\1/p'
}

# As in a container that sees the host's /proc: it has many processes with low numbers.
test_another_namespaces_proc_names_nothing()
{
	status 0 unshare --pid --fork "$pfmon" record -e instructions:u -c 10007 \
		"$sampled" shares
	between "heavy()" "$(share heavy)" 70 75
	says_not "$(cat err)" "/proc has the numbers"
	says_not "$(cat err)" " where "
	# pfmon knows no mapping of processes that run already, and reports that.
	status 125 unshare --pid --fork "$pfmon" record -p 1
	says "$(cat err)" "-p: /proc has the numbers of another PID namespace's processes"
	status 125 unshare --pid --fork "$pfmon" stat -p 1
	says "$(cat err)" "unshare --mount-proc"
	status 125 unshare --pid --fork "$pfmon" record --name init
	says "$(cat err)" "--name: /proc has"
	"$sampled" long >longer &
	status 0 unshare --pid --fork "$pfmon" record -a -e instructions:u -c 100003 sleep 0.1
	kill -9 $!
	says "$(cat err)" "note: names and files of processes are missing: /proc has"
	# The last line of this output has the same number as the head of the report.
	has "those that have no file" "$(cat err)" "lost.*, $(number) where nothing is known to be mapped; 2 CPUs"
	status 0 unshare --pid --fork --mount-proc "$pfmon" record -a -e instructions:u -c 100003 sleep 0.1
	says_not "$(cat err)" "/proc has"
}

test_a_file_that_cannot_be_made_is_an_error_before_the_command_runs()
{
	status 125 "$pfmon" record -o /nonexistent/data touch ran
	says "$(cat err)" "cannot write /nonexistent/data: No such file or directory"
	status 125 "$pfmon" record -o /dev/full touch ran
	says "$(cat err)" "cannot write /dev/full: No space left on device"
	[ ! -e ran ] || fail "the command ran"
}

test_a_busy_pmu_keeps_the_old_recording()
{
	echo old >pfmon.data
	"$pfmon" stat -a 2>/dev/null &
	wait_until 10 grep -q '[1-9]' /sys/kernel/perfmon/sessions/system
	status 125 "$pfmon" record touch ran
	kill "$!"
	wait "$!"
	says "$(cat err)" "PMU is in use"
	[ ! -e ran ] || fail "the command ran"
	is recording "$(cat pfmon.data)" old
}

# with_limit NAME VALUE COMMAND...: run with another limit than the default
with_limit()
{
	local limit=/sys/kernel/perfmon/limits/$1 usual

	usual=$(cat "$limit")
	echo "$2" >"$limit"
	shift 2
	"$@"
	echo "$usual" >"$limit"
}

test_a_recorded_sample_that_does_not_arrive_is_reported()
{
	local n=$((known_insns / 1000)) said

	no_throttle
	status 0 env LD_PRELOAD="$bin/one_more.so" "$pfmon" record -e instructions:u -c 1000 \
		"$bin/known_one"
	is samples "$(samples)" "$n"
	said="the kernel recorded $((n + 1)) samples, and $n arrived"
	says "$(cat err)" "pfmon: note: $said"
	says "$("$pfmon" report | grep Note)" "# Note: $said"
}

test_too_many_interrupts_are_told()
{
	local lost

	with_limit interrupt_rate_max 1000 \
		status 0 "$pfmon" record -e instructions:u -c 10007 "$sampled" shares
	says "$(cat err)" "pfmon: note: sampling was throttled"
	says "$("$pfmon" report | grep Note)" "sampling was throttled"
	is sense "$("$pfmon" report -j | jq '.lost.throttled > 0 and .lost.all == .lost.throttled')" true
	lost=$("$pfmon" report -j | jq .lost.all)
	says "$(tr -d , <err)" " in pfmon.data $lost lost (throttled: $lost)"
	is ledger "$(dump | awk '/^lost/ { print ($2 == $3 + $6 && $3 > 10) }')" 1
}

# A line that takes the place of the one before, each second; of the last one nothing is left.
test_a_terminal_shows_samples_and_losses_meanwhile()
{
	with_limit interrupt_rate_max 1000 status 0 script -qec \
		"'$pfmon' record -e instructions:u -c 10007 '$sampled' long" typed
	tr '\r' '\n' <typed >lines
	grep -qE '^[1-9] s, [0-9,]+ samples, [1-9][0-9,]* lost' lines || fail "$(cat -v lines)"
	grep -q "^"$'\033'"\[Kpfmon: .* samples of instructions:u in pfmon.data, " lines ||
		fail "$(cat -v lines)"
}

test_the_ledger_is_exact_while_throttled()
{
	local insns=$((4 * 1000000 + 5)) period

	for period in 20 50 500; do
		with_limit cpu_time_max_percent 25 with_limit interrupt_rate_max 100000 \
			status 0 "$pfmon" record -e instructions:u -c "$period" "$bin/known_long_one"
		is "overflows at $period, all accounted for, and as many samples in the file" \
			"$(dump | awk '/^lost/ { print $2, $3 + $4 + $6 - $2, ($6 > 0), $3 }')" \
			"$((insns / period)) 0 1 $(samples)"
	done
}

ordinary()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"
}

test_an_ordinary_user_samples_own_programs_at_user_level()
{
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	chmod 755 ..
	chmod 777 .
	status 0 ordinary "$pfmon" record -e instructions -c 10007 "$sampled" shares
	says "$(cat err)" "samples of instructions:u in pfmon.data, 0 lost"
	says "$(cat err)" "note: sampled at user level only"
	between "heavy()" "$(share heavy)" 70 75
	is "mode" "$(stat -c %a pfmon.data)" 600
}

# Nothing identifies the file: it has no build id, and only root may read the mapping.
test_samples_in_what_cannot_be_identified_are_counted_at_once()
{
	local said

	chmod 755 ..
	chmod 777 .
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	objcopy --remove-section .note.gnu.build-id "$library" library.so
	status 137 ordinary "$pfmon" record -e instructions:u -c 10007 \
		timeout -s KILL 0.05 "$sampled" memfd "$PWD/library.so"
	said=$(sed -n 's/.*, \([0-9,]*\) in files that could not be identified; .*/\1/p' err)
	[ -n "$said" ] || fail "$(cat err)"
	status 0 "$pfmon" report
	says "$(cat out)" "# no symbols: $said in files that are gone or not known to be those recorded"
	says "$(cat out)" "no symbols for $said samples: which file /memfd:copy (deleted) was is not known"
}

test_the_buffer_is_as_large_as_the_user_may_have()
{
	chmod 755 ..
	chmod 777 .
	ulimit -l 64
	status 0 ordinary "$pfmon" record -e instructions:u -c 10007 "$sampled" shares
	between "heavy()" "$(share heavy)" 70 75
	status 125 ordinary "$pfmon" record -e instructions:u --buffer 1M touch ran
	says "$(cat err)" "a sampling buffer of 1048576 bytes is more than this user may have"
	says "$(cat err)" "limited to 65536 bytes (ulimit -l)"
	status 125 "$pfmon" record -e instructions:u --buffer 50 touch ran
	says "$(cat err)" "this kernel refuses a sampling buffer of 50 bytes"
	[ ! -e ran ] || fail "the command ran"
}

# crowd WORD...: make a recording of 41 threads, with these words for pfmon, as an ordinary user
crowd()
{
	status 0 ordinary "$@" "$bin/victim" crowd 40
	! grep 'could not be sampled' err || fail "$*: $(cat err)"
	says "$(cat err)" ", 41 threads, "
}

test_the_first_threads_leave_memory_for_later_ones()
{
	chmod 755 ..
	chmod 777 .
	ulimit -l 256
	crowd "$pfmon" record -e instructions:u
	crowd "$pfmon" record -e task-clock
	crowd env PERFMON=perf "$pfmon" record -e instructions:u
}

test_root_samples_through_a_change_of_user()
{
	cp "$sampled" other
	chown daemon other
	chmod 4755 other
	record -e instructions:u -c 10007 sh -c 'exec ./other shares'
	between "heavy()" "$(share heavy)" 70 75
	# Each of the two contexts has a ledger.
	is ledger "$(dump | awk '/^lost/ { n++; sum += $3 } END { print n, sum }')" "2 $(samples)"
	is end "$(dump | tail -n 1)" "end $(samples) 0 0"
}

test_a_program_that_may_not_be_sampled_ends_it_with_a_note()
{
	chmod 755 ..
	chmod 777 .
	cp "$sampled" secret
	chmod 711 secret
	status 0 ordinary "$pfmon" record -e instructions:u -c 10007 \
		"$sampled" exec ./secret shares
	says "$(cat err)" "was sampled until there"
	says "$("$pfmon" report)" "was sampled until there"
	between "heavy()" "$(share heavy)" 0 0
	between "light()" "$(share light)" 90 100
}

test_nothing_is_left_behind()
{
	is sessions "$(cat /sys/kernel/perfmon/sessions/thread /sys/kernel/perfmon/sessions/system | paste -sd' ')" "0 0"
}

# Three ranks at once, on one machine: each has its file, and report adds up the three.
test_the_recordings_of_ranks_are_added_up()
{
	local rank samples=0 pids=()

	no_throttle
	for rank in 0 1 2; do
		PMI_RANK=$rank "$pfmon" record -e instructions:u -c 1000 -o "%h.%r.data" \
			-- "$bin/known_one" >"out.$rank" 2>&1 &
		pids+=($!)
	done
	for rank in 0 1 2; do
		wait "${pids[rank]}" || fail "rank $rank: status $?" "$(cat "out.$rank")"
	done
	is files "$(echo *.data)" "$(for rank in 0 1 2; do echo "$(uname -n).$rank.data"; done | xargs)"
	for rank in *.data; do
		samples=$((samples + $("$pfmon" report -j "$rank" | jq '[.events[].samples] | add')))
	done
	[ "$samples" -ge $((3 * known_insns / 1000)) ] || fail "$samples samples"
	status 0 "$pfmon" report -j ./*.data
	is samples "$(jq '[.events[].samples] | add' out)" "$samples"
	is recordings "$(jq '.recordings | length' out)" 3
}

run_tests "$@"
