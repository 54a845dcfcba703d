#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tools/vm/run behaves as its documentation states.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
run=$top/tools/vm/run
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# guest ARG...: run it; leaves $status, $out and $err.
guest()
{
	"$run" --timeout 300 "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	out=$(cat "$work/out")
	err=$(cat "$work/err")
}

command_and_output()
{
	mkdir -p "$work/a dir"
	cd "$work/a dir" || exit 1
	# shellcheck disable=SC2016 # for the guest's shell
	MESSAGE='two  words' guest -- sh -c 'pwd; id -u; echo "$MESSAGE"; echo oops >&2; exit 7'
	cd "$work" || exit 1
	is the_status_is_the_commands "$status" 7
	is stderr_is_passed_on_alone "$err" oops
	is directory_user_and_environment_are_as_promised "$out" "$work/a dir
0
two  words"
}

odd_endings()
{
	guest -- sh -c 'kill -SEGV $$'
	is a_signal_ends_in_128_plus_its_number "$status" 139
	guest -- /nonexistent/program
	is a_command_that_is_not_there_is_127 "$status" 127
	has and_says_so "$err" 'cannot run /nonexistent/program'
	guest -- /etc/passwd
	is a_command_that_cannot_run_is_126 "$status" 126
}

arguments_and_input()
{
	# shellcheck disable=SC2016 # as they stand
	guest -- printf '<%s>\n' 'a  b' '' "it's" '"$HOME"' '*' '-n' '\n' 'a
b' 'perfmon.job=x'
	# shellcheck disable=SC2016
	is arguments_arrive_as_they_were_given "$out" '<a  b>
<>
<it'\''s>
<"$HOME">
<*>
<-n>
<\n>
<a
b>
<perfmon.job=x>'
	guest -- sh -c 'readlink /proc/self/fd/0; cat'
	is an_empty_stdin_is_dev_null "$out" /dev/null
	out=$(SHELL=/bin/sh script -qec "$run --timeout 300 -- sh -c 'readlink /proc/self/fd/0; cat'" \
		/dev/null </dev/null | tr -d '\r')
	is and_so_is_that_of_a_terminal "$(grep -v '^ ' <<<"$out")" /dev/null
}

# Input that is not typed: a pipe, a file from its position on, more than fits into any buffer.
standard_input()
{
	out=$({ sleep 10; printf 'late\nno newline at the end'; } | "$run" --timeout 300 -- sh -c 'cat; echo .')
	is stdin_reaches_the_command_whenever_it_comes "$out" 'late
no newline at the end.'
	out=$(printf 'cr\r\n\0\377\4\n' | "$run" --timeout 300 -- od -An -tx1)
	is every_byte_of_it "$out" ' 63 72 0d 0a 00 ff 04 0a'
	head -c 10000001 /dev/urandom >"$work/much"
	out=$("$run" --timeout 300 --smp 2 -- sh -c 'cat | md5sum; wc -c' <"$work/much")
	is ten_megabytes_and_their_end "$out" "$(md5sum <"$work/much")
0"
	printf 'one\ntwo\nthree\n' >"$work/lines"
	{ read -r line; out=$line+$("$run" --timeout 300 -- paste -sd' '); } <"$work/lines"
	is a_file_from_where_its_reader_left_off "$out" 'one+two three'
	out=$(printf '' | "$run" --timeout 300 -- wc -c)
	is an_empty_pipe_ends_at_once "$out" 0
}

# No command may wait for the input's end, nor die of unread input.
unread_input()
{
	local keeper

	mkfifo "$work/open"
	sleep 10000 >"$work/open" &
	keeper=$!
	"$run" --timeout 300 -- sh -c 'exit 4' <"$work/open"
	is a_command_that_does_not_read_ends_before_its_input "$?" 4
	kill "$keeper"
	out=$("$run" --timeout 300 -- sh -c 'head -n 1; exit 5' < <(yes) 2>&1)
	is nor_does_one_wait_that_has_read_enough "$? $out" '5 y'
	out=$("$run" --timeout 300 -- sh -c 'exec <&-; sleep 1; echo on' <"$work/much")
	is and_one_that_closes_it_goes_on "$? $out" '0 on'
}

# Every byte, in an amount that does not fit into any buffer.
binary_output()
{
	head -c 3000000 /dev/urandom >"$work/bytes"
	printf 'cr\r\nlf\n\0\377no newline at the end' >>"$work/bytes"
	# shellcheck disable=SC2016
	"$run" --timeout 300 -- sh -c 'cat "$1"; cat "$1" >&2' sh "$work/bytes" >"$work/out" 2>"$work/err"
	passes stdout_is_passed_on_to_the_byte cmp "$work/bytes" "$work/out"
	passes stderr_is_passed_on_to_the_byte cmp "$work/bytes" "$work/err"
}

file_system()
{
	echo before >"$work/file"
	# shellcheck disable=SC2016
	guest -- sh -c 'echo changed >file && cat file && echo new >new &&
		rm -f /bin/true && ! test -e /bin/true && echo gone'
	is the_guest_may_write_everywhere "$out" 'changed
gone'
	is but_no_file_of_the_host_changes "$(cat "$work/file")" before
	fails and_none_appears test -e "$work/new"
	passes and_none_disappears test -e /bin/true

	mkdir "$work/shared" "$work/shared/inner"
	echo old >"$work/shared/old"
	cd "$work/shared" || exit 1
	guest --rw "$work/shared" -- sh -c 'echo out >inner/new && rm old && touch ../beside'
	cd "$work" || exit 1
	is a_writable_directory_can_be_written "$(cat "$work/shared/inner/new" 2>&1)" out
	fails and_removed_from test -e "$work/shared/old"
	fails but_not_what_is_beside_it test -e "$work/beside"
}

failures()
{
	# Whatever the limits of other tests are, this limit must expire; the guest boots in 5 s.
	PERFMON_PATIENCE=1 guest --timeout 100 -- sh -c 'echo started; sleep 1000'
	is a_command_that_takes_too_long_is_124 "$status" 124
	is what_it_said_until_then_is_there "$out" started
	has and_the_timeout_is_told "$err" 'time is up'

	guest -- sh -c 'echo last words; echo c >/proc/sysrq-trigger; sleep 100'
	is a_panic_is_125 "$status" 125
	has with_the_kernels_last_words "$err" 'Kernel panic - not syncing: sysrq triggered crash'

	guest --append rdinit=/nothing -- true
	is a_guest_that_does_not_come_up_is_125 "$status" 125
	has and_says_why "$err" 'not come up'
}

machine()
{
	# shellcheck disable=SC2016
	guest --smp 2 --mem 600 -- awk '/^processor/ { n++ }
		/^MemTotal/ { m = ($2 > 500000 && $2 < 614400) } END { print n, m }' \
		/proc/cpuinfo /proc/meminfo
	is processors_and_memory_are_as_asked_for "$out" '2 1'
	guest --append 'some.word=5' -- grep -c ' some\.word=5' /proc/cmdline
	is words_are_appended_to_the_command_line "$out" 1
	guest -- sh -c 'date +%s; dmesg | grep -e "Performance Events" -e "tsc: Detected"'
	has the_default_processor_has_a_pmu "$out" 'Nehalem events.*Intel PMU driver'
	has the_frequency_of_its_clocks_is_known "$out" 'tsc: Detected 1000\.000 MHz TSC'
	passes the_clock_is_the_hosts test "$(($(date +%s) - ${out%%[!0-9]*}))" -lt \
		"$((100 * ${PERFMON_PATIENCE:-1}))"
	# A fifth of a second by the TSC is 50 ticks by the APIC's timer, and a few for others.
	# shellcheck disable=SC2016
	guest -- bash -c 'ticks() { awk "/LOC/ { print \$2 }" /proc/interrupts; }
		before=$(ticks) end=$((${EPOCHREALTIME/./} + 200000))
		until ((${EPOCHREALTIME/./} >= end)); do :; done
		echo $(($(ticks) - before))'
	passes and_it_is_true_of_both sh -c "test $out -ge 45 && test $out -lt 75"
	guest --no-pmu -- sh -c 'dmesg | grep "Performance Events"'
	has no_pmu_is_no_pmu "$out" 'no PMU driver'
	guest --no-icount -- sh -c 'dmesg | grep "Performance Events"'
	has without_counting_instructions_there_is_none_either "$out" 'no PMU driver'
	guest --cpu=SandyBridge -- sh -c 'dmesg | grep "Performance Events"'
	has another_processor_can_be_chosen "$out" 'SandyBridge events.*Intel PMU driver'
}

# Without a command: script(1) makes the terminal, we type.
interactive_shell()
{
	local shell

	mkfifo "$work/keys"
	: >"$work/screen"
	SHELL=/bin/sh script -qefc "$run --timeout 300" "$work/screen" <"$work/keys" \
		>"$work/out" 2>&1 &
	shell=$!
	exec 7>"$work/keys"
	until grep -q '# $' "$work/screen" || ! kill -0 "$shell"; do sleep 0.5; done
	# shellcheck disable=SC2016 # for the guest's shell
	printf 'echo $((40 + 2)) $(hostname); tty; exit 3\n' >&7
	wait "$shell"
	is a_shells_status_is_the_runs "$?" 3
	exec 7>&-
	has a_shell_without_a_command_is_in_the_guest "$(tr -d '\r' <"$work/screen")" '^42 guest$'
	has and_has_a_terminal "$(tr -d '\r' <"$work/screen")" '^/dev/hvc0$'
}

# The objects that KASAN, or UBSAN, does not check.
uninstrumented()
{
	local object

	for object in kernel/perfmon/registers kernel/perfmon/tests/fmt_probe \
		arch/x86/perfmon/perfmon formats/default_smpl kernel/irq_work \
		kernel/events/core kernel/time/hrtimer fs/file_table lib/xarray; do
		nm "$top/build/kernel-6.12/debug/$object.o" | grep -q __asan_report ||
			echo "$object: no KASAN"
	done
	nm "$top/build/kernel-6.12/debug/kernel/perfmon/registers.o" | grep -q __ubsan_handle ||
		echo "kernel/perfmon: no UBSAN"
}

debug_kernel()
{
	guest --debug -- sh -c 'zcat /proc/config.gz | grep -c "^CONFIG_KASAN=y"'
	is the_debug_kernel_runs_without_complaint "$status $out" '0 1'
	is kasan_and_ubsan_check_perfmon_and_what_holds_its_objects "$(uninstrumented)" ''
	guest --debug --append kmemleak=off -- sh -c 'echo "WARNING: made up" >/dev/kmsg; exit 3'
	is a_complaint_of_the_debug_kernel_is_125 "$status" 125
	has with_an_excerpt_of_the_log "$err" 'WARNING: made up'
	has and_the_commands_own_status "$err" 'own status was 3'
}

two_at_once()
{
	local first

	# shellcheck disable=SC2016
	"$run" --timeout 300 -- sh -c 'echo one; sleep 3; echo one >/dev/kmsg; exit 1' >"$work/one" &
	first=$!
	guest -- sh -c 'echo two; sleep 3; exit 2'
	is the_second_of_two_guests_has_its_own_status_and_output "$status $out" '2 two'
	wait "$first"
	is and_so_has_the_first "$? $(cat "$work/one")" '1 one'
}

interruption()
{
	local console=$work/interrupted.log guest

	PERFMON_VM_CONSOLE=$console "$run" -- sleep 1000 &
	guest=$!
	until grep -qs 'Run /init' "$console"; do sleep 1; done
	kill -TERM "$guest"
	wait "$guest"
	is a_guest_that_is_told_to_end_does "$?" 143
	fails and_leaves_nothing_running pgrep -f "$console"
	PERFMON_VM_CONSOLE=$console "$run" --timeout 300 -- yes 2>/dev/null | head -n 1 >"$work/out"
	is a_guest_that_nobody_reads_ends "${PIPESTATUS[0]} $(cat "$work/out")" '141 y'
}

usage()
{
	guest --help
	has help_is_there "$out" 'usage: tools/vm/run'
	guest --nonsense value
	is an_unknown_option_is_a_usage_error "$status" 2
	guest --smp none true
	is a_number_that_is_none_is_a_usage_error "$status" 2
	guest --arch m68k true
	has an_architecture_that_is_not_there_is_told "$status $err" \
		"^2 .*'m68k'; there are x86_64 and ppc64le"
	guest --kernel 5.4 true
	has a_kernel_that_is_not_there_is_told "$status $err" "^2 .*version '5\.4'; there are 6\.1 6\.12"
	guest --rw "$work/nowhere" true
	has a_writable_directory_must_be_one "$status $err" '^2 .*nowhere is not a directory'
	guest --accel magic true
	has another_accelerator_is_a_usage_error "$status $err" "^2 .*not 'magic'"
	guest --smp 17 true
	has too_many_processors_are_a_usage_error "$status $err" '^2 .*at most 16'
	guest --timeout
	has a_missing_value_is_a_usage_error "$status $err" '^2 .*no value: --timeout'
	"$run" </dev/null >"$work/out" 2>&1
	has no_command_and_no_terminal_is_told "$(cat "$work/out")" 'no command'
}

plan 66
command_and_output
odd_endings
arguments_and_input
standard_input
unread_input
binary_output
file_system
failures
machine
interactive_shell
debug_kernel
two_at_once
interruption
usage
finish
