#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon over the real perfmonctl(): exact counts, following, targets, rights, the PMU's
# other users.
# shellcheck disable=SC2317 # run_tests calls the functions by name
# shellcheck disable=SC2016 # the commands that are counted expand their own words
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
pfmon=${PFMON:-$top/build/bin/pfmon} # or pfmon-asan
bin=$top/build/bin/tests/pfmon
victim=$bin/victim

# shellcheck source=tests/pfmon/known.sh
. "$here/known.sh"
four=instructions:u,branches:u,loads:u,stores:u

# count EVENT [FILE]: the count in the lines of fields
count()
{
	sed -n "s|^\([0-9]*\),,$1,.*|\1|p" "${2:-err}" | grep . || fail "no $1 in:" "$(cat "${2:-err}")"
}

# exactly INSTRUCTIONS BRANCHES LOADS COMMAND... as fields
exactly()
{
	local insns=$1 branches=$2 memory=$3

	shift 3
	status 0 "$pfmon" stat -x, -e "$four" "$@"
	is "counts of $*" \
		"$(count instructions:u) $(count branches:u) $(count loads:u) $(count stores:u)" \
		"$insns $branches $memory $memory"
	grep -q '^#' err && fail "$(cat err)"
	return 0
}

# In the background; $! is its id.
busy()
{
	"$victim" spin &
}

ordinary()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

paranoid()
{
	echo "$1" >/proc/sys/kernel/perf_event_paranoid
}

test_known_counts_are_exact()
{
	for _ in 1 2 3 4 5; do
		exactly "$one_insns" "$one_branches" "$loops" "$bin/known_one"
	done
}

test_known_counts_are_exact_without_following()
{
	exactly "$one_insns" "$one_branches" "$loops" -i "$bin/known_one"
}

test_known_counts_are_exact_beside_a_competitor()
{
	busy
	exactly "$one_insns" "$one_branches" "$loops" "$bin/known_one"
	kill "$!"
}

test_processes_add_up_exactly()
{
	exactly "$procs_insns" "$procs_branches" $((4 * loops)) "$bin/known_procs"
	busy
	exactly "$procs_insns" "$procs_branches" $((4 * loops)) "$bin/known_procs"
	kill "$!"
}

test_threads_add_up_exactly()
{
	exactly "$threads_insns" "$threads_branches" $((4 * loops)) "$bin/known_threads"
	busy
	exactly "$threads_insns" "$threads_branches" $((4 * loops)) "$bin/known_threads"
	kill "$!"
}

test_an_exec_is_counted_through()
{
	# env and nice add their own stores; the result is the same with and without their part.
	status 0 "$pfmon" stat -x, -e stores:u env env "$bin/known_one"
	[ "$(count stores:u)" -ge "$loops" ] || fail "$(cat err)"
}

test_two_at_once_do_not_mix()
{
	"$pfmon" stat -x, -e "$four" -o first "$bin/known_procs" &
	exactly "$procs_insns" "$procs_branches" $((4 * loops)) "$bin/known_procs"
	wait "$!"
	is instructions "$(count instructions:u first)" "$procs_insns"
}

test_repeated_runs_are_the_same()
{
	status 0 "$pfmon" stat -j -r 5 -e instructions:u,stores:u "$bin/known_one"
	is counts "$(jq -c '[.events[].counts]' err)" \
		"[[$one_insns,$one_insns,$one_insns,$one_insns,$one_insns],[$loops,$loops,$loops,$loops,$loops]]"
	is deviation "$(jq '.events[0].deviation_percent == 0' err)" true
}

test_levels_add_up()
{
	status 0 "$pfmon" stat -x, -e instructions,instructions:u,instructions:k "$victim" forks 5
	[ "$(count instructions:k)" -gt 10000 ] || fail "$(cat err)"
	is "user and kernel" "$(($(count instructions:u) + $(count instructions:k)))" \
		"$(count instructions)"
}

test_a_fixed_and_a_general_counter_agree()
{
	status 0 "$pfmon" stat -j -e instructions:u,instructions:u "$victim" forks 5
	is registers "$(jq -c '[.events[].pmd]' err)" "[16,0]"
	is counts "$(jq '.events[0].count == .events[1].count' err)" true
}

test_a_raw_value_counts_as_the_event_does()
{
	status 0 "$pfmon" stat -x, -e pmc2=0x4100c0,stores:u "$bin/known_one"
	is instructions "$(count pmc2=0x4100c0)" "$one_insns"
	status 0 "$pfmon" stat -x, -e pmc16=0x2 "$bin/known_one"
	is instructions "$(count pmc16=0x2/pmd16)" "$one_insns"
}

test_all_modelled_events_can_be_counted()
{
	local event

	for event in $("$pfmon" list | sed -n '/guest models:$/,/^$/s/^\([A-Z_]*\) .*/\1/p'); do
		case $event in
		DTLB_MISSES|ITLB_MISSES) event=$event:WALK_COMPLETED ;;
		MEM_INST_RETIRED) event=$event:LOADS ;;
		esac
		status 0 "$pfmon" stat -x, -e "$event" "$victim" forks 20
		[ "$event" = HW_INT_RCVD ] || [ "$(count "$event")" -gt 0 ] || fail "$(cat err)"
	done
}

test_interrupts_come()
{
	status 0 "$pfmon" stat -x, -e HW_INT_RCVD "$victim" spin 0.5
	[ "$(count HW_INT_RCVD)" -gt 5 ] || fail "$(cat err)"
}

test_the_default_set_makes_sense()
{
	status 0 "$pfmon" stat -j "$victim" forks 5
	is sense "$(jq '[.events[] | {(.event): .count}] | add |
		.cycles >= .instructions and .instructions > .branches and .branches > 0 and
		.loads > 0 and .stores > 0 and .["ref-cycles"] == .cycles' err)" true
}

test_all_processes_of_many_are_counted()
{
	status 0 "$pfmon" stat -j -e instructions:u "$victim" forks 200
	is sessions "$(jq .sessions err)" 201
	is notes "$(jq -c .notes err)" "[]"
}

test_threads_at_once_are_all_counted()
{
	status 0 "$pfmon" stat -j -e instructions:u "$victim" crowd 50
	is sessions "$(jq .sessions err)" 51
}

test_an_exec_from_a_thread_is_followed()
{
	status 0 "$pfmon" stat -j -e stores:u "$victim" exec "$bin/known_one"
	is notes "$(jq -c .notes err)" "[]"
	is sense "$(jq ".events[0].count >= $loops" err)" true
}

test_a_killed_command_is_counted()
{
	status 137 "$pfmon" stat -x, -e instructions:u sh -c 'kill -9 $$'
	[ "$(count instructions:u)" -gt 1000 ] || fail "$(cat err)"
}

test_timeout_stops_a_command_that_runs_on()
{
	status 143 "$pfmon" stat -x, -e instructions:u --timeout 300 "$victim" spin
	[ "$(count instructions:u)" -gt 1000000 ] || fail "$(cat err)"
}

test_a_running_process_is_counted_until_the_command_ends()
{
	busy
	status 0 "$pfmon" stat -x, -e instructions:u -p "$!" sleep 0.3
	[ "$(count instructions:u)" -gt 1000000 ] || fail "$(cat err)"
	status 0 "$pfmon" stat -x, -e instructions:u -t "$!" --timeout 300
	[ "$(count instructions:u)" -gt 1000000 ] || fail "$(cat err)"
	grep -q "TracerPid:.0$" "/proc/$!/status" || fail "the target is traced"
	kill "$!"
}

test_the_end_of_the_process_ends_the_measurement()
{
	local pid spinner

	busy
	spinner=$!
	"$pfmon" stat -x, -e instructions:u -p "$spinner" 2>err &
	pid=$!
	wait_until 20 grep -q 1 /sys/kernel/perfmon/sessions/thread
	sleep 0.2
	kill "$spinner"
	wait "$pid" || fail "status $?" "$(cat err)"
	[ "$(count instructions:u)" -gt 1000000 ] || fail "$(cat err)"
}

test_the_end_of_the_process_ends_counting_but_not_the_command()
{
	busy
	status 3 "$pfmon" stat -j -e instructions:u -p "$!" sh -c 'kill "$0"; sleep 4; exit 3' "$!"
	is sense "$(jq '.elapsed_seconds < 3.5' err)" true
}

test_a_cpu_is_counted()
{
	status 0 "$pfmon" stat -x, -e stores:u -a "$bin/known_one"
	[ "$(count stores:u)" -ge "$loops" ] || fail "$(cat err)"
	status 0 "$pfmon" stat -x, -e stores:u -C 0 taskset -c 0 "$bin/known_one"
	[ "$(count stores:u)" -ge "$loops" ] || fail "$(cat err)"
	status 0 "$pfmon" stat -j -e instructions -a --timeout 200
	is sense "$(jq '.events[0].count > 0 and .elapsed_seconds >= 0.2' err)" true
}

test_sessions_are_seen_and_end()
{
	local pid

	"$pfmon" stat -e instructions:u "$victim" spin 2>/dev/null &
	pid=$!
	wait_until 10 grep -q 1 /sys/kernel/perfmon/sessions/thread
	is sessions "$("$pfmon" info -j | jq -c .sessions)" '{"system":0,"thread":1}'
	kill "$pid"
	wait "$pid"
	wait_until 10 grep -q 0 /sys/kernel/perfmon/sessions/thread
}

test_threads_and_cpus_exclude_each_other()
{
	local pid

	"$pfmon" stat -e instructions:u "$victim" spin 2>/dev/null &
	pid=$!
	wait_until 10 grep -q 1 /sys/kernel/perfmon/sessions/thread
	status 125 "$pfmon" stat -a true
	says "$(cat err)" "PMU is in use"
	says "$(cat err)" "1 of threads, 0 of CPUs"
	status 0 "$pfmon" stat true
	kill "$pid"
	wait "$pid"
	"$pfmon" stat -a 2>/dev/null &
	pid=$!
	wait_until 10 grep -q '[1-9]' /sys/kernel/perfmon/sessions/system
	status 125 "$pfmon" stat touch ran
	[ ! -e ran ] || fail "the command ran"
	kill "$pid"
	wait "$pid"
}

test_perf_and_pfmon_exclude_each_other()
{
	perf stat -e instructions sh -c 'echo $$ >pid; exec "$0" spin' "$victim" 2>/dev/null &
	wait_until 10 grep -q . pid
	sleep 0.2
	status 125 "$pfmon" stat true
	says "$(cat err)" "perf with hardware events"
	kill "$(cat pid)"
	wait "$!"
	wait_until 10 "$pfmon" stat true
}

test_an_ordinary_user_counts_own_programs_at_user_level()
{
	paranoid 2
	status 0 ordinary "$pfmon" stat -e stores "$bin/known_one"
	grep -q '100,000 *stores:u' err || fail "$(cat err)"
	says "$(cat err)" "Note: counted at user level only"
	status 125 ordinary "$pfmon" stat -e stores:k true
	says "$(cat err)" "may not count at kernel level"
}

test_an_ordinary_user_is_told_of_the_watchdog()
{
	local pause=/sys/kernel/perfmon/limits/watchdog_pause before

	before=$(cat "$pause")
	echo capable >"$pause"
	wait_until 10 test "$(cat /sys/kernel/perfmon/sessions/thread)" = 0
	# The watchdog resumes a second after the last session.
	sleep 2
	status 125 ordinary "$pfmon" stat true
	says "$(cat err)" "the NMI watchdog, which is not paused for you (as root: sysctl kernel.nmi_watchdog=0"
	status 0 "$pfmon" stat true
	# Paused for one more second; the module's pause turns its switch off.
	status 125 ordinary "$pfmon" stat true
	says "$(cat err)" "echo any >/sys/kernel/perfmon/limits/watchdog_pause"
	echo "$before" >"$pause"
	status 0 ordinary "$pfmon" stat true
}

test_paranoid_1_allows_kernel_level()
{
	paranoid 1
	status 0 ordinary "$pfmon" stat -x, -e instructions:k true
	[ "$(count instructions:k)" -gt 1000 ] || fail "$(cat err)"
	status 125 ordinary "$pfmon" stat -a true
	says "$(cat err)" "kernel.perf_event_paranoid below 1 (it is 1)"
}

test_paranoid_0_allows_whole_cpus()
{
	paranoid 0
	status 0 ordinary "$pfmon" stat -x, -e instructions -a true
	[ "$(count instructions)" -gt 1000 ] || fail "$(cat err)"
}

# With kernel.perf_event_paranoid at 3; out has the output of info.
may_not_monitor_threads()
{
	local verb

	says "$(cat out)" "(this user may not monitor threads)"
	says "$(cat out)" "Monitoring threads needs the capability CAP_PERFMON, or kernel.perf_event_paranoid below 3 (it is 3)."
	for verb in stat record; do
		status 125 ordinary "$pfmon" "$verb" true
		says "$(cat err)" "this user may not monitor threads"
	done
}

test_info_tells_what_a_user_may_do()
{
	paranoid 2
	status 0 ordinary "$pfmon" info -j
	is rights "$(jq -c '[.rights.thread.allowed, .rights.thread.kernel_level,
		.rights.system_wide.allowed, .rights.paranoid]' out)" "[true,false,false,2]"
	is reason "$(jq -r .rights.system_wide.reason out)" "this user may not monitor whole CPUs"
	paranoid 3
	status 0 ordinary "$pfmon" info
	says "$(cat out)" "Monitoring whole CPUs needs the capability CAP_PERFMON, or kernel.perf_event_paranoid below 1 (it is 3)."
	says_not "$(cat out)" PFM_
	if [ -e /dev/perfmon ]; then # the file's mode decides
		has rights "$(cat out)" "monitor threads +yes, at user level only"
	else
		may_not_monitor_threads
	fi
	paranoid 2
	status 0 "$pfmon" info -j
	is rights "$(jq -c '[.rights.thread.kernel_level, .rights.system_wide.kernel_level]' out)" \
		"[true,true]"
}

test_info_knows_this_pmu()
{
	status 0 "$pfmon" info -j
	is PMU "$(jq -c '[.emulated, .counter_width, .events.pmu, (.counters | length)]' out)" \
		'[true,48,"nhm",7]'
	is registers "$(jq -r '.pmcs[0].name, (.pmds[] | select(.number == 18) | .name)' out |
		paste -sd' ')" "IA32_PERFEVTSEL0 IA32_FIXED_CTR2"
	is "a virtual register" "$(jq -c '.pmds[] | select(.number == 265) | [.type, .address]' out)" \
		'["soft",null]'
	is limits "$(jq '.limits | .switch_timeout_min_ns > 0 and .interrupt_rate_max > 0' out)" true
}

# One line for each register, from /sys/kernel/perfmon/pmu.
sysfs_registers()
{
	local reg

	for reg in /sys/kernel/perfmon/pmu/pm[cd]*; do
		echo "${reg##*/} $(cat "$reg"/{name,type,address,width,default,reserved} | xargs)"
	done | sed 's/ 0xffffffffffffffff / none /' | sort
}

# The same lines from `pfmon info -jr`.
listed_registers()
{
	jq -r '(.pmcs[] | . + { kind: "pmc" }), (.pmds[] | . + { kind: "pmd" }) |
		[.kind, .number, .name, .type, .address // "none", .width, .default, .reserved] |
		@sh' out | tr -d "'" | while read -r kind number name type address rest; do
		[ "$address" = none ] || printf -v address '0x%x' "$address"
		[ "$type" != soft ] || type=SOFT
		echo "$kind$number $name $type $address $rest"
	done | sort
}

test_info_lists_the_registers_that_there_are()
{
	sysfs_registers >sysfs
	[ "$(wc -l <sysfs)" -ge 14 ] || fail "$(cat sysfs)"
	status 0 "$pfmon" info --registers --json
	listed_registers >listed
	diff sysfs listed || fail "the kernel's (<) and pfmon's (>) differ"
	status 0 "$pfmon" info --registers
	is "registers as text" "$(grep -cE '^PM[CD][0-9]' out)" "$(wc -l <sysfs)"
}

# The kernel and pfmon have the same table; an emulated processor lacks some of its registers.
test_info_shows_this_pmu_as_any_machine_would()
{
	local name

	name=$("$pfmon" info --pmu list | sed -n "s| *$(cat /sys/kernel/perfmon/pmu/model)\$||p")
	[ -n "$name" ] || fail "no table is called $(cat /sys/kernel/perfmon/pmu/model)"
	sysfs_registers >sysfs
	status 0 "$pfmon" info --json --pmu "$name"
	listed_registers >listed
	is "not in the table" "$(comm -23 sysfs listed)" ""
	[ "$(comm -12 sysfs listed | wc -l)" -ge 22 ] || fail "$(cat sysfs)"
}

test_a_process_of_another_user_is_refused()
{
	busy
	status 125 ordinary "$pfmon" stat -p "$!" true
	says "$(cat err)" "belongs to another user"
	kill "$!"
}

setuid_copy()
{
	cp "$bin/known_one" "$1"
	chown "$2" "$1"
	chmod 4755 "$1"
}

test_root_counts_through_a_change_of_user()
{
	setuid_copy other daemon
	status 0 "$pfmon" stat -j -e stores:u sh -c 'exec ./other'
	is notes "$(jq -c .notes err)" "[]"
	is sense "$(jq ".events[0].count >= $loops" err)" true
}

test_a_traced_set_user_id_program_gains_nothing()
{
	cp "$(command -v id)" id
	chmod 4755 id
	chmod 755 . ..
	status 0 ordinary "$pfmon" stat -x, -e stores:u -o /dev/null ./id -u
	is user "$(cat out)" 65534
}

test_a_change_of_user_after_release_ends_counting_with_a_note()
{
	chmod 755 . ..
	cp "$(command -v sleep)" sleeper
	chmod 4755 sleeper
	status 0 ordinary "$pfmon" stat -j -i -e stores:u sh -c 'exec ./sleeper 1'
	says "$(jq -r '.notes[0]' err)" "other privileges"
}

test_an_unreadable_program_is_reported()
{
	chmod 755 . ..
	cp "$bin/known_one" secret
	chmod 711 secret
	status 125 ordinary "$pfmon" stat -e stores:u ./secret
	says "$(cat err)" "not readable by you"
	status 0 ordinary "$pfmon" stat -j -e stores:u sh -c './secret; ./secret; :'
	says "$(jq -r '.notes[0]' err)" "2 tasks could not be counted"
}

test_an_event_that_is_not_modelled_is_refused()
{
	status 125 "$pfmon" stat -e L1D:REPL true
	says "$(cat err)" "does not model it"
}

test_a_group_with_too_many_events_is_refused_before_anything_runs()
{
	status 125 "$pfmon" stat -e '{branches,loads,stores,HW_INT_RCVD,DTLB_MISSES:WALK_COMPLETED}' touch ran
	says "$(cat err)" "does not fit"
	[ ! -e ran ] || fail "the command ran"
}

test_a_dynamic_program_is_counted()
{
	status 0 "$pfmon" stat -j python3 -c 'print("hello")'
	is output "$(cat out)" hello
	is sense "$(jq '.events[1].event == "instructions" and .events[1].count > 1000000' err)" true
}

test_nothing_is_left_behind()
{
	is sessions "$(cat /sys/kernel/perfmon/sessions/thread /sys/kernel/perfmon/sessions/system | paste -sd' ')" "0 0"
}

run_tests "$@"
