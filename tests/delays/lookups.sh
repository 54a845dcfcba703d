#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# "windows" lists each function that finds a context without a reference, with its reason.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
cd "$top" || exit 1

plan 3
found=$(awk -f "$here/lookups.awk" kernel/perfmon/*.[ch] kernel/perfmon/module/*.c arch/*/perfmon/*.c formats/*.c)
listed=$(awk '$1 == "lookup" { print $2 }' "$here/windows" | sort)
is a_lookup_without_a_reference_has_its_reason "$(grep -vwF "$listed" <<<"$found")" ""
is no_reason_is_of_a_lookup_that_is_gone \
	"$(comm -13 <(cut -d' ' -f 1 <<<"$found" | sort) - <<<"$listed")" ""
is a_new_lookup_is_noticed "$(awk -f "$here/lookups.awk" - <<'C'
static bool pfm_new(struct task_struct *task)
{
	return !pfm_thread_context(task);
}
C
)" "pfm_new -:3"
finish
