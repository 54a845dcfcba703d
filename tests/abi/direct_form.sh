#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The direct calls: the tests of these programs once more, with a system call for each
# command instead of perfmonctl(); see perfmonctl() in abi.h. What the forms do not have
# in common is in direct.c.
#
# runs: guest kernels=plain smp=1 seconds=1200
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
bin=$top/build/bin/tests/abi
programs=(block buffer close config control counting create exec exit exclusion formats
	getinfo load messages narrow notify permissions pmcs pmds random read_reset restart
	sampling sets states switching system timeslices virtual width)

export PERFMON_FORM=direct

# Tests are numbered through, and have their program's name in front.
number()
{
	awk -v program="$1" -v done="$2" '
		/^(not )?ok [0-9]+ - / {
			sub(/ok [0-9]+ - /, "ok " ++done " - " program "_")
			print
			next
		}
		/^#/ { print }'
}

total=0
for program in "${programs[@]}"; do
	total=$((total + $("$bin/$program" -l | wc -l)))
done
echo "1..$total"
done=0
for program in "${programs[@]}"; do
	# covers: 6.1-1 6.1.1-1 6.1.1-3 6.1.2-1 6.1.2-2 6.1.3-1 6.1.3-2 6.1.3-3 6.1.4-1 6.1.4-3
	# covers: 6.1.5-1 6.1.5-2 6.1.6-1 6.1.7-1 6.1.7-2 6.1.7-3 6.1.8-1 6.1.8-2
	"$bin/$program" 2>&1 | number "$program" "$done"
	done=$((done + $("$bin/$program" -l | wc -l)))
done
