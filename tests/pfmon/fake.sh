# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # $here comes from the caller, the rest is for it
#
# pfmon over a double of the kernel (fake_perfmonctl.c), for cli_*.sh and record.sh: it runs on
# any machine. Source it with $here set.
#
# The double counts 1000 * (1 + the PMD's number) for each task, so that a count shows the number of
# tasks: instructions are 17000 (PMD16), cycles 18000 (PMD17).

# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
fake=$top/build/bin/tests/pfmon/pfmon-fake
victim=$top/build/bin/tests/pfmon/victim
export LIBPFM_FORCE_PMU=nhm PFMON_EMULATED=0
unset PERFMON_FAKE

# One event more than general counters, so two sets: "loads:u" is in the second one.
six=cycles,instructions,branches,stores,loads,DTLB_MISSES:WALK_COMPLETED,loads:u

# The number of tasks that were counted, from the count of instructions.
tasks()
{
	local count

	count=$(sed -n 's/^\([0-9]*\),,instructions,.*/\1/p' err)
	[ -n "$count" ] || fail "no count of instructions in:" "$(cat err)"
	echo $((count / 17000))
}

stat_instructions()
{
	local want=$1

	shift
	status "$want" "$fake" stat -x, -e instructions "$@"
}
