#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel's own KUnit suites, which have run when the guest booted (kunit.enable=1): each of
# their cases is a test here. A suite of the sources without a result is a failure.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
results=/sys/kernel/debug/kunit

cd "$top" || exit 1
find arch formats kernel -name '*_kunit.c' -exec awk '
	/^static struct kunit_suite/ { inside = 1 }
	inside && sub(/^\t\.name = "/, "") { sub(/".*/, ""); print; inside = 0 }' {} + | sort |
while read -r suite; do
	echo "@@suite $suite"
	cat "$results/$suite/results"
done 2>&1 | awk '
	function take(line)
	{
		sub(/^ *(ok|not ok) [0-9]+ (- )?/, line ~ /^ *not/ ? "not ok " ++n " - " : "ok " ++n " - ", line)
		cases[n] = line words
		words = ""
	}
	function settle()
	{
		if (suite != "" && (!planned || had != planned))
			take("not ok 0 - all_cases_of_" suite "_have_a_result")
	}
	/^@@suite / { settle(); suite = $2; planned = had = 0; next }
	/^    1\.\.[0-9]+/ { planned = substr($0, 8) + 0; next }
	/^    (not )?ok [0-9]/ { had++; take($0); next }
	/^ *#/ { sub(/^ */, ""); words = words "\n" $0; next }
	END {
		settle()
		print "1.." n
		for (i = 1; i <= n; i++)
			print cases[i]
	}'
