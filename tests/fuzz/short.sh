#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The fuzzer for a short time: five minutes in all, half of it on one processor and half
# on two. tests/fuzz/run is for long times.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"

# Of the host's time, which is what the fuzzer goes by; of the guest's it is less.
seconds=150

plan 1
# As it comes, so that the last seed is known if the guest dies of it.
"$top/build/bin/tests/fuzz/fuzz" -t "$seconds" 2>&1 | sed -u 's/^/# /'
if [ "${PIPESTATUS[0]}" -eq 0 ]; then
	report random_commands_break_no_promise ok
else
	report random_commands_break_no_promise no "see above; tests/README.md says how to repeat it"
fi
finish
