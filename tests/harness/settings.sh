#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A test that changes the guest's settings does not affect the next one: here tests/one runs a test
# that changes all of them, and another one that prints the settings that it finds.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

kernel=/proc/sys/kernel
limits=/sys/kernel/perfmon/limits
work=$(mktemp -d)
export kernel limits

# script FILE: make an executable script of standard input.
script()
{
	{ echo '#!/bin/bash'; cat; } >"$work/$1"
	chmod +x "$work/$1"
}

script tell <<'END'
cd $kernel && grep -s . kptr_restrict perf_* $limits/*
END
# The rate first: it cannot be written after the other settings.
script spoil <<'END'
echo 1000 >$kernel/perf_event_max_sample_rate
echo 0 >$kernel/perf_cpu_time_max_percent
echo $((2 - $(<$kernel/kptr_restrict))) >$kernel/kptr_restrict
echo $((3 - $(<$kernel/perf_event_paranoid))) >$kernel/perf_event_paranoid
echo $(($(<$limits/interrupt_rate_max) + 1)) >$limits/interrupt_rate_max
echo $((101 - $(<$limits/cpu_time_max_percent))) >$limits/cpu_time_max_percent
echo never >$limits/watchdog_pause
"$(dirname "$0")/tell"
END
"$work/tell" >"$work/before"
"$here/../one" "$work/spoil" >"$work/spoilt" 2>"$work/err"
status=$?
"$work/tell" >"$work/after"
plan 4
is a_test_changed_seven_settings "$(diff "$work/before" "$work/spoilt" | grep -c '^>')" 7
is the_next_test_finds_them_as_they_were "$(cat "$work/after")" "$(cat "$work/before")"
is its_status_is_the_programs "$status" 0
is nothing_is_said_besides "$(cat "$work/err")" ''
finish
