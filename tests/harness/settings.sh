#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: guest kernels=plain smp=2 seconds=60
#
# A test that spoils the guest's settings does not spoil the next one: tests/guest runs a list
# of its own here, in which one changes all of them and another says what it finds.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

kernel=/proc/sys/kernel
limits=/sys/kernel/perfmon/limits
work=$(mktemp -d)
export kernel limits

# script FILE: an executable one, from standard input.
script()
{
	{ echo '#!/bin/bash'; cat; } >"$work/$1"
	chmod +x "$work/$1"
	printf '30\t%s\t%s\n' "$1" "$work/$1" >>"$work/list"
}

script tell <<'END'
cd $kernel && grep -s . kptr_restrict perf_* $limits/*
END
# The rate first: it cannot be written afterwards.
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
printf '30\tagain\t%s\n' "$work/tell" >>"$work/list"

# text NAME: what it said in the list's run, without the lines around it.
text()
{
	awk -v name="$1" '$1 == "@@end" { on = 0 } on && NF; $1 == "@@begin" { on = $2 == name }' \
		"$work/out"
}

"$here/../guest" "$work/list" >"$work/out" 2>&1
plan 4
is a_test_changed_seven_settings \
	"$(diff <(text tell) <(text spoil) | grep -c '^>')" 7
is the_next_test_finds_them_as_they_were "$(text again)" "$(text tell)"
is nothing_went_wrong "$(grep -c '^@@end .* 0$' "$work/out") of $(grep -c '^@@begin' "$work/out")" '3 of 3'
is nothing_is_said_besides "$(sed '/^@@begin/,/^@@end/d; /^@@machine/d' "$work/out")" ''
finish
