#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The fuzzer for a short time: five minutes in all, half of it on one processor and half on two.
# tests/fuzz/run runs it for longer.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"

# Of the host's time, which the fuzzer uses; less of the guest's time passes.
seconds=150

plan 1
# The output as it comes, so that it has the last seed even if the guest dies.
"$top/build/bin/tests/fuzz/fuzz" -t "$seconds" 2>&1 | sed -u 's/^/# /'
if [ "${PIPESTATUS[0]}" -eq 0 ]; then
	report random_commands_break_no_promise ok
else
	report random_commands_break_no_promise no "see above; tests/README.md says how to repeat it"
fi
finish
