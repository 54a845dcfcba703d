#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The fuzzer on POWER9 for two minutes, on one processor and on two.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

plan 1
# The output as it comes, so that it has the last seed even if the guest dies.
"$here/../fuzz/run" --cpu POWER9 --time 120 2>&1 | sed -u 's/^/# /'
if [ "${PIPESTATUS[0]}" -eq 0 ]; then
	report random_commands_break_no_promise_on_power9 ok
else
	report random_commands_break_no_promise_on_power9 no "see above; tests/fuzz/README.md says how to repeat it"
fi
finish
