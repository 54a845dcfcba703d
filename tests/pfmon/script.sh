#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon script on recordings that history.py makes. Runs on any machine.
# shellcheck disable=SC2317,SC2154 # run_tests calls the functions by name; history.sh
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=history.sh
. "$here/history.sh"

# address BASE: the address of inner(), as samples print it
address()
{
	printf '%16x' $(($1 + 0x$inner))
}

test_samples_are_in_the_order_of_time_over_all_contexts()
{
	history
	status 0 "$pfmon" script data
	is times "$(grep -o '1\.00[0-9]*:' out)" "$(printf '1.00000%d:\n' 1 2 3 4 5 7)"
	is blocks "$(head -n 3 out)" "first   100/100   [000]     1.000001:       1000 cycles: 
	$(address 0x10000000) inner+0x4 ($PWD/program)"
	says "$(cat err)" "pfmon: a note"
}

test_a_line_for_each_sample()
{
	history
	status 0 "$pfmon" script --one-line data
	is lines "$(wc -l <out)" 6
	is last "$(tail -n 1 out)" "second   101/101   [001]     1.000007:       1000 cycles: $(address 0x50000000) inner+0x4 ($PWD/program)"
	is kernel "$(sed -n 4p out)" "first   101/101   [001]     1.000004:        500 LOADS:k: ffffffff81000006 kernel_function+0x6 ([kernel])"
}

test_fields_are_chosen_added_and_left_out()
{
	history
	status 0 "$pfmon" script -F ip,sym data
	is place "$(head -n 1 out)" "$(address 0x10000000) inner"
	is lines "$(wc -l <out)" 6
	status 0 "$pfmon" script -1 -F tid,event,values data
	is values "$(head -n 4 out)" "  100 cycles:  stores=8
  101 cycles:  stores=10
  100 cycles:  stores=9
  101 LOADS:k: "
	status 0 "$pfmon" script -1 -F -period,-dso,-symoff,-comm data
	is less "$(head -n 1 out)" "  100/100   [000]     1.000001: cycles: $(address 0x10000000) inner"
	status 0 "$pfmon" script -1 -F +values,-time data
	says "$(head -n 1 out)" "[000]       1000 cycles: "
	says "$(head -n 1 out)" "program) stores=8"
}

test_fields_that_do_not_exist_are_refused_by_name()
{
	history
	status 1 "$pfmon" script -F comm,callindent data
	says "$(cat err)" "there is no field 'callindent'"
	says "$(cat err)" "symoff, dso, values"
	status 1 "$pfmon" script -F -comm,-pid,-tid,-cpu,-time,-period,-event,-ip,-sym,-symoff,-dso data
	says "$(cat err)" "no field is left"
}

test_one_event_of_several_by_name_or_number()
{
	history
	status 0 "$pfmon" script -1 -e LOADS:k data
	is lines "$(wc -l <out)" 1
	status 0 "$pfmon" script -1 -e 1 data
	is lines "$(wc -l <out)" 5
	status 1 "$pfmon" script -e nothing data
	says "$(cat err)" "no event 'nothing'"
	says "$(cat err)" "Its events are: cycles, LOADS:k."
}

test_what_the_recording_says_is_shown_and_not_obeyed()
{
	history odd
	status 0 "$pfmon" script -1 -F comm,sym data
	is last "$(tail -n 1 out)" "se;co<nd> 2  inner"
	python3 "$here/history.py" data "$PWD/program" "$inner" $'lib=/no\nfile\033'
	status 0 "$pfmon" script -1 -F dso data
	is last "$(tail -n 1 out)" " (/no?file?)"
}

# A heading "comm pid/tid ... event:", frames "address symbol (file)", and an empty line: the form
# that programs expect that fold stacks.
test_programs_that_fold_stacks_can_read_it()
{
	history
	"$pfmon" script data 2>err | awk '
		!NF { if (name == "" || frame == "") exit 1; n[name ";" frame]++; name = frame = ""; next }
		/^[^ \t].*:[ ]+[0-9]+[ ]+[^ ]+:[ ]*$/ && match($0, /^[^ ]+[ ]+[0-9]+\/[0-9]+[ ]+/) { name = $1; next }
		/^\t *[0-9a-f]+ .+ \(.*\)$/ { frame = $2; sub(/\+0x[0-9a-f]+$/, "", frame); next }
		{ print "not understood: " $0 }
		END { for (stack in n) print stack, n[stack] }' | sort >folded
	is folded "$(cat folded)" "first;inner 3
first;kernel_function 2
second;inner 1"
}

test_an_unfinished_recording_is_shown_with_a_note()
{
	history unfinished
	status 0 "$pfmon" script -i data
	is samples "$(grep -c '\[00' out)" 6
	says "$(cat err)" "the recording was not finished"
}

test_a_recording_without_samples_prints_nothing()
{
	history empty
	status 0 "$pfmon" script data
	is output "$(cat out)" ""
}

test_samples_that_cannot_be_written_are_an_error()
{
	history many
	"$pfmon" script data >/dev/full 2>err && fail "status 0"
	says "$(cat err)" "pfmon: cannot write the samples: No space left on device"
	(
		trap '' PIPE
		"$pfmon" script data 2>err
		echo $? >status
	) | true
	is status "$(cat status)" 1
	says "$(cat err)" "cannot write the samples: Broken pipe"
}

test_bad_command_lines_are_refused()
{
	history
	status 1 "$pfmon" script data data
	says "$(cat err)" "'data' is one file too many"
	status 1 "$pfmon" script --nonsense
	says "$(cat err)" "pfmon script --help"
	status 1 "$pfmon" script nowhere
	says "$(cat err)" "cannot read nowhere: No such file or directory"
	status 0 "$pfmon" script --help
	says "$(cat out)" "usage: pfmon script"
}

run_tests "$@"
