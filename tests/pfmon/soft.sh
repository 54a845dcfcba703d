#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon on a machine without a PMU: the kernel's software PMU, one guest.
# shellcheck disable=SC2317 # section calls functions by name
set -u

here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
# shellcheck source-path=SCRIPTDIR/.. source=sections.sh
. "$here/../sections.sh"

pfmon=$top/build/bin/pfmon

# counted EVENT COMMAND...: its count
counted()
{
	"$pfmon" stat -x, -e "$1" -o counts -- "${@:2}" 2>/dev/null
	cut -d, -f1 counts
}

# Each block that dd copies takes two calls.
count_calls()
{
	local n

	for n in 1000 3000; do
		counted system-calls dd if=/dev/zero of=/dev/null bs=1 count="$n"
	done
}

# Each page of its buffer is a fault, at the time when the kernel fills it.
count_faults()
{
	local n

	for n in 4 8; do
		counted page-faults dd if=/dev/zero of=/dev/null bs="${n}M" count=1
	done
}

# The part that runs in the guest: a section for each step.
steps()
{
	# The host's files are in /tmp.
	cd "$(mktemp -d)" || exit 1
	section info "$pfmon" info
	section list "$pfmon" list
	section glob "$pfmon" list faults
	section default "$pfmon" stat -- /bin/true
	section calls count_calls
	section faults count_faults
	section level "$pfmon" stat -e page-faults:u,minor-faults:k,task-clock \
		-- dd if=/dev/zero of=/dev/null bs=4M count=1
	section cpus "$pfmon" stat -a -e cpu-clock,task-clock,context-switches --timeout 200
	section unknown "$pfmon" stat -e page-fault -- /bin/true
	section hardware "$pfmon" stat -e cycles -- /bin/true
	section modifier "$pfmon" stat -e system-calls:u -- /bin/true
	section raw "$pfmon" stat -e pmc11=0x400000 -- /bin/true
	# shellcheck disable=SC2016 # for that shell
	section record "$pfmon" record -c 100000 -- sh -c 'i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done'
	section record_calls "$pfmon" record -e system-calls -c 10 -o calls \
		-- dd if=/dev/zero of=/dev/null bs=1 count=1000
	section report "$pfmon" report -i calls
	chmod a+rx . && section nobody setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$pfmon" stat -- /bin/true
}

if [ "${1-}" = guest ]; then
	steps 2>&1
	exit
fi

# The output of a step.
of()
{
	section_text "$1" "$out"
}

out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
"$top/tools/vm/run" --no-pmu --timeout 500 -- "$here/soft.sh" guest >"$out" 2>&1

# The difference between a step's two counts.
difference()
{
	of "$1" | awk '/^[0-9]+$/ { n[++i] = $1 } END { print n[2] - n[1] }'
}

plan 25
has info_names_the_pmu "$(of info)" '^PMU +software$'
has info_counts_its_events "$(of info)" '^Events +12, of the kernel$'
for event in task-clock cpu-clock page-faults minor-faults major-faults context-switches \
	cpu-migrations system-calls; do
	has "list_has_$event" "$(of list)" "^$event +[A-Z]"
done
is a_word_selects "$(of glob | grep -c '^[a-z-]*faults ')" 3
has stat_counts_without_an_event "$(of default)" '[0-9] +system-calls'
is system_calls_are_exact "$(difference calls)" 4000
# The addresses of a program's parts, and the number of pages that they touch, vary.
faults=$(difference faults)
passes page_faults_are_those_of_the_pages test "$((faults > 1014 && faults < 1034))" = 1
has faults_have_levels "$(of level)" '1,0[0-9][0-9] +minor-faults:k'
has clocks_are_parts_of_cpus "$(of level)" ' task-clock +# +0\.[0-9]+  CPUs'
has whole_cpus_are_counted "$(of cpus)" '[1-9][0-9,]* +context-switches'
has near_names_are_suggested "$(of unknown)" 'Did you mean page-faults'
has hardware_events_are_explained "$(of hardware)" "software PMU has no event 'cycles'"
has modifiers_that_do_not_exist_are_refused "$(of modifier)" 'no such modifier'
has raw_values_count "$(of raw)" '[1-9][0-9]* +pmc11=0x400000'
has clocks_are_recorded "$(of record)" '[1-9][0-9,]* samples of task-clock in pfmon.data, 0 lost'
has events_are_recorded "$(of record_calls)" '2[0-9][0-9] samples of system-calls in calls, 0 lost'
has a_recording_is_reported "$(of report)" 'system-calls'
has anybody_counts "$(of nobody)" '[1-9][0-9]* +system-calls'
finish
