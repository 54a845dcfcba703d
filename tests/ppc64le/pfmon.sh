#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon on POWER: events by name, exact counts of a program whose instructions are known, and
# samples at its addresses; recordings of the guest can be read on the host.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
pfmon=$top/build/bin/pfmon-ppc64le
programs=$top/build/bin/tests-ppc64le
# See known.S.
known=$programs/known
instructions=$((4 + 2 * 1000000 + 3))
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# on_power MODEL COMMAND...: run it in a guest; $work is the one directory that it can write to
on_power()
{
	local model=$1
	shift

	"$top/tools/vm/run" --arch ppc64le --cpu "$model" --rw "$work" --timeout 120 -- "$@"
}

# counts FILE: the counts of the events in the output of `pfmon stat -x,`, without the times
counts()
{
	awk -F, '$1 ~ /^[0-9]+$/ { print $1 }' "$1" | paste -sd' '
}

cd "$work" || exit 1
# Otherwise tools/vm/run would build them, with messages in the tests' output.
"$top/tools/vm/ends" ppc64le >&2
"$top/tools/vm/kernel" --arch ppc64le plain >&2
plan 17

for model in POWER8 POWER9 POWER10; do
	on_power "$model" "$pfmon" stat -x, \
		-e cycles:u,instructions:u,PM_RUN_CYC:u,PM_RUN_INST_CMPL:u "$known" >out 2>err
	is "pfmon_stat_succeeds_on_$model" "$?" 0
	is "counts_by_name_are_exact_on_$model" "$(counts err)" \
		"$instructions $instructions $instructions $instructions"
done

passes each_table_of_libpfm4_is_understood on_power POWER9 "$programs/events"

on_power POWER9 "$pfmon" info >out
has info_names_the_pmu_and_its_events "$(cat out)" 'Events +958, POWER9'
has info_shows_the_counters "$(cat out)" '4 general, 2 fixed, 31 bits'

on_power POWER9 "$pfmon" list 'PM_RUN_*' >out
has list_says_what_counts_in_the_guest "$(grep -A 2 'this guest models' out)" PM_RUN_CYC
on_power POWER9 "$pfmon" stat -e branches "$known" 2>err
has what_would_count_zero_is_refused "$(cat err)" 'does not model it'

on_power POWER9 "$pfmon" stat "$known" 2>err
has the_default_events_have_a_derived_figure "$(cat err)" '1\.000 +insn per cycle'
on_power POWER9 "$pfmon" stat -x, -e pmc1=0x10002,pmc4=0x10000 "$known" 2>err
is raw_values_count_too "$(counts err)" "$instructions $instructions"

on_power POWER9 "$pfmon" record -c 10000 -e instructions:u -o data "$known" 2>err
is pfmon_record_succeeds "$?" 0
has nothing_is_lost "$(cat err)" ', 0 lost'
report=$("$top/build/bin/pfmon" report -i data)
has all_samples_are_there "$report" "$((instructions / 10000))"
has they_are_where_the_program_is "$report" ' (99|100)\.[0-9]+% +rounds .*/known$'
finish
