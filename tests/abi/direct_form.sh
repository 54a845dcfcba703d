#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The direct calls: the tests of these programs once more, with a system call for each
# command instead of perfmonctl(); see perfmonctl() in abi.h. What the forms do not have
# in common is in direct.c.
#
# runs: guest kernels=plain smp=1 seconds=1200 all
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=sections.sh
. "$top/tests/sections.sh"
bin=$top/build/bin/tests/abi
programs=(block buffer close config control counting create exclusion exec exit
	format_handler format_restart formats getinfo load mapping messages narrow notify
	notify_signals permissions pmcs pmds random read_reset restart sampling
	sampling_buffer set_timeouts sets states switching switching_restart
	switching_triggers system timeslices virtual watchdog width)

export PERFMON_FORM=direct

# run_program NAME: its tests, numbered through, with its name in front. One that ended
# early, or not well though none of its tests failed, is told by its plan and its status.
run_program()
{
	section "$1" "$bin/$1" 2>&1 | awk -v program="$1" -v done="$2" '
		/^1\.\.[0-9]+$/ { planned = substr($0, 4) }
		/^(not )?ok [0-9]+ - / {
			ran++
			failed += /^not/
			sub(/ok [0-9]+ - /, "ok " ++done " - " program "_")
			print
		}
		/^#/
		/^@@end / { status = $3 }
		END {
			if (ran != planned || (status != 0) != (failed > 0))
				printf "not ok %d - %s_comes_to_its_end\n# status %s, %d of %d tests ran\n",
				       ++done, program, status, ran, planned
		}'
}

# The programs know how many tests they have.
total=0
for program in "${programs[@]}"; do
	total=$((total + $("$bin/$program" -l | wc -l)))
done
echo "1..$total"
done=0
for program in "${programs[@]}"; do
	# covers: 6.1-1 6.1.1-1 6.1.1-3 6.1.2-1 6.1.2-2 6.1.3-1 6.1.3-2 6.1.3-3 6.1.4-1 6.1.4-3
	# covers: 6.1.5-1 6.1.5-2 6.1.6-1 6.1.7-1 6.1.7-2 6.1.7-3 6.1.8-1 6.1.8-2
	run_program "$program" "$done"
	done=$((done + $("$bin/$program" -l | wc -l)))
done
