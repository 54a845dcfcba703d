#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perfmon.pmu= on the kernel's command line: none takes the PMU away, and another word than soft and
# none is reported and does the same.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# boot CHOICE: the model, and what stat says of an event, in a guest; its messages are in $work/console.
boot()
{
	: >"$work/console"
	PERFMON_VM_CONSOLE=$work/console "$top/tools/vm/run" --cpu Nehalem --timeout 200 --append "perfmon.pmu=$1" -- \
		sh -c "cat /sys/kernel/perfmon/pmu/model; '$top/build/bin/pfmon' stat -e instructions -- true 2>&1"
}

# The kernel's messages of a choice that it does not know.
reported()
{
	tr -d '\r' <"$work/console" | sed -n 's/.*\(no .* PMU: perfmon\.pmu=.*\)/\1/p'
}

plan 5
output=$(boot none)
is none_takes_the_pmu_away "$(head -n 1 <<<"$output")" none
has pfmon_says_so "$output" '^pfmon: event instructions: this kernel has no PMU$'
is none_is_a_choice "$(reported)" ''
output=$(boot fast)
is another_choice_takes_it_away "$(head -n 1 <<<"$output")" none
has another_choice_is_reported "$(reported)" '^no .* PMU: perfmon\.pmu=fast: there is soft, and none$'
finish
