#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon report by keys, with filters and of several recordings. Runs on any machine.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=samples.sh
. "$here/samples.sh"

# Two processes, three threads, two CPUs and two events.
two_processes()
{
	program
	recording "${1-pfmon.data}" <<EOF
${2-}
event cycles:u 1000
event branches:u 500 1
map 100 $PWD/program
map 200 $PWD/program
comm 100 100 first
comm 100 101 worker
comm 200 200 second
sample 6 $inner
sample 3 $outer tid=101 cpu=1 ms=1000
sample 2 $inner pid=200 cpu=1 ms=2000
sample 1 kernel pid=200 ms=3000
sample 4 $outer pid=200 event=1
EOF
}

test_threads_and_processes_are_told_apart()
{
	two_processes
	is comm "$(fields --sort comm --event cycles:u)" "$(printf '%s\n' '6;50.00;cycles:u;first' \
		'3;25.00;cycles:u;second' '3;25.00;cycles:u;worker')"
	is tasks "$(fields --sort pid,tid --event cycles:u | cut -d';' -f1,4-)" \
		"$(printf '%s\n' '6;100;100' '3;100;101' '3;200;200')"
	is columns "$("$pfmon" report --sort tid,comm --event cycles:u | sed -n '/^#  /,$p' | head -n 2)" \
		'#    samples  percent  tid  comm
           6   50.00%  100  first'
}

test_a_thread_without_a_known_name_is_its_number()
{
	program
	recording pfmon.data <<EOF
event cycles:u 1000
map 100 $PWD/program
sample 2 $inner tid=101
EOF
	is comm "$(fields --sort comm)" "2;100.00;cycles:u;:101"
	is chosen "$(fields --sort tid --comm :101)" "2;100.00;cycles:u;101"
}

test_cpus_are_told_apart()
{
	two_processes
	is cpus "$(fields --sort cpu --event cycles:u)" "$(printf '%s\n' '7;58.33;cycles:u;0' \
		'5;41.67;cycles:u;1')"
}

test_source_lines_are_told()
{
	two_processes
	is lines "$(fields --sort line --event cycles:u)" "8;66.67;cycles:u;$PWD/program.c:2
3;25.00;cycles:u;$PWD/program.c:6
1;8.33;cycles:u;[unknown]"
	strip program
	status 0 "$pfmon" report --sort line
	says "$(cat out)" "# Note: no source lines of 1 file, such as $PWD/program: debug information"
}

test_addresses_are_as_nm_has_them()
{
	two_processes
	is addresses "$(fields --sort address,file --event cycles:u | cut -d';' -f1,4-)" \
		"$(printf '%s\n' "8;0x$(nm program | sed -n 's/^0*\(.*\) T inner/\1/p');$PWD/program" \
			"3;0x$(nm program | sed -n 's/^0*\(.*\) T outer/\1/p');$PWD/program" \
			"1;0xffffffff81000005;[kernel]")"
}

test_sets_and_events_are_keys()
{
	two_processes
	is events "$(fields --sort event,set)" "$(printf '%s\n' '12;100.00;cycles:u;0' \
		'4;100.00;branches:u;1')"
	is lines "$(fields --sort event,symbol | head -n 2)" "$(printf '%s\n' \
		'8;66.67;cycles:u;inner' '4;100.00;branches:u;outer')"
}

test_events_are_columns()
{
	two_processes
	is table "$("$pfmon" report --columns events --sort symbol | tail -n 6)" \
		'#
#            cycles:u             branches:u
#    samples  percent       samples  percent  symbol
           8   66.67%             0    0.00%  inner
           3   25.00%             4  100.00%  outer
           1    8.33%             0    0.00%  kernel_function'
	is fields "$(fields --columns events --sort symbol | head -n 2)" "$(printf '%s\n' \
		'8;66.67;0;0.00;inner' '3;25.00;4;100.00;outer')"
	status 0 "$pfmon" report --columns events --sort symbol -j
	is json "$(jq -c '.lines[1] | [.samples, .percent, .symbol]' out)" \
		'[[3,4],[25,100],"outer"]'
	status 1 "$pfmon" report --columns events --sort event
	says "$(cat err)" "an event cannot be column and row"
}

test_json_has_a_member_a_key()
{
	two_processes
	status 0 "$pfmon" report -j --sort comm,pid,tid,cpu,set,event,host,file,line,address,symbol
	is members "$(jq -c '.lines[0] | [.comm, .pid, .tid, .cpu, .set, .event, .host, .symbol]' out)" \
		'["first",100,100,0,0,"cycles:u","node","inner"]'
	is place "$(jq -c '.lines[0] | [(.file | endswith("program")), (.line | endswith("c:2")),
		(.address | startswith("0x"))]' out)" '[true,true,true]'
}

test_filters_choose_samples()
{
	two_processes
	is comm "$(fields --sort symbol --comm first)" "6;100.00;cycles:u;inner"
	is pattern "$(fields --sort comm --comm '[fw]*' | cut -d';' -f1,2)" \
		"$(printf '%s\n' '6;66.67' '3;33.33')"
	is pid "$(fields --sort symbol --pid 200 | cut -d';' -f1,4)" \
		"$(printf '%s\n' '2;inner' '1;kernel_function' '4;outer')"
	is tids "$(fields --sort tid --tid 101,200 --event 'c*' | cut -d';' -f1,4)" \
		"$(printf '%s\n' '3;101' '3;200')"
	is cpu "$(fields --sort cpu --cpu 1-7)" "5;100.00;cycles:u;1"
	is symbols "$(fields --sort symbol --symbol outer --symbol 'k*_function' | cut -d';' -f1,4)" \
		"$(printf '%s\n' '3;outer' '1;kernel_function' '4;outer')"
	is base_name "$(fields --sort file --file program | cut -d';' -f4 | uniq)" "$PWD/program"
	is whole_name "$(fields --sort file --file '[kernel]')" "1;100.00;cycles:u;[kernel]"
}

test_what_was_chosen_is_said()
{
	two_processes
	status 0 "$pfmon" report --comm worker
	says "$(cat out)" "# chosen: 3 samples, 25.00% of all"
	says "$(cat out)" "# chosen: 0 samples, 0.00% of all"
	status 0 "$pfmon" report --comm worker -j
	is chosen "$(jq -c '[.events[] | [.samples, .chosen]]' out)" '[[12,3],[4,0]]'
	says "$("$pfmon" report --comm worker -x ,)" "# chosen: 3"
	says_not "$("$pfmon" report)" "chosen"
}

test_times_choose_samples()
{
	two_processes
	is from "$(fields --sort comm --from 1 | cut -d';' -f1,4)" "$(printf '%s\n' '3;second' '3;worker')"
	is both "$(fields --sort comm --from 0.5 --to 1.5 | cut -d';' -f1,4)" "3;worker"
	is to "$(fields --sort comm --to 0 --event cycles:u | cut -d';' -f1,4)" "6;first"
	status 1 "$pfmon" report --from 2 --to 1
	says "$(cat err)" "--to is before --from"
}

test_small_lines_are_left_out()
{
	two_processes
	is large "$(fields --sort symbol --percent-limit 25 --event cycles:u | cut -d';' -f4)" \
		"$(printf '%s\n' inner outer)"
	is none "$(fields --sort symbol --percent-limit 70 --event cycles:u)" ""
}

test_several_recordings_are_added_up()
{
	two_processes a.data "host here"
	two_processes b.data "host there"
	status 0 "$pfmon" report --sort symbol a.data b.data
	says "$(cat out)" "# file: a.data"
	says "$(cat out)" " on there, 0.500 s"
	says "$(cat out)" "# samples: 24 (of 24,000 events), 0 lost"
	is sums "$(fields --sort symbol -i a.data b.data | cut -d';' -f1,4 | head -n 1)" "16;inner"
	is hosts "$(fields --sort host,symbol a.data b.data | cut -d';' -f1,4- | head -n 2)" \
		"$(printf '%s\n' '8;here;inner' '8;there;inner')"
	is recordings "$("$pfmon" report -j a.data b.data | jq -c '[.recordings[] | [.recording, .host]]')" \
		'[["a.data","here"],["b.data","there"]]'
}

test_events_with_other_periods_stay_apart()
{
	local period

	for period in 1000 2000; do
		printf 'event e %s\nsample 1 kernel\nnote %s\n' "$period" "$period" | recording "$period"
	done
	is periods "$("$pfmon" report -j 1000 2000 | jq -c '[.events[] | [.event, .period]]')" \
		'[["e",1000],["e",2000]]'
	says "$("$pfmon" report 1000 2000)" "# Note: 2000: 2000"
}

test_functions_of_stripped_files_have_their_address()
{
	two_processes
	strip program
	is functions "$(fields --sort symbol --event cycles:u | cut -d';' -f1,4)" \
		"$(printf '%s\n' "8;[$inner]" "3;[$outer]" "1;kernel_function")"
	says_not "$("$pfmon" report)" "Note"
}

test_stubs_of_other_files_are_plt()
{
	echo '#include <stdio.h>
		int main(void) { return puts("") + getchar(); }' | gcc -O0 -xc -o stubs - || fail gcc
	at=$(readelf -SW stubs | sed -n 's/.* \.plt  *PROGBITS  *[0-9a-f]* \([0-9a-f]*\) .*/0x\1/p')
	printf '%s\n' "map 100 $PWD/stubs" "sample 2 $at" "sample 1 0x10" | recording pfmon.data
	is stubs "$(fields | cut -d';' -f1,4)" "$(printf '%s\n' '2;[plt]' '1;[unknown]')"
	says "$("$pfmon" report)" \
		"# Note: 1 sample in files but in no known function: --sort=address,file shows where"
}

test_time_in_which_nothing_was_counted_is_told()
{
	printf 'sample 1 kernel\nlost 3 2 12000000 500000000\n' | recording pfmon.data
	says "$("$pfmon" report)" "# samples: 1 (of 1,000 events), 5 lost (buffer full: 3, throttled: 2), masked for 0.012000 s, suspended for 0.500000 s"
	is json "$("$pfmon" report -j | jq -c '.lost | [.all, .masked_seconds, .suspended_seconds]')" \
		'[5,0.012,0.5]'
}

test_names_of_rust_and_d_are_shown_as_written()
{
	cat >names.s <<'ASM'
	.text
	.globl	_start, _RNvCs15kBYyAo9fc_7mycrate7example, _D3std5stdio7writelnFAyaZv, _Rest
_start:	nop
_RNvCs15kBYyAo9fc_7mycrate7example: nop
_D3std5stdio7writelnFAyaZv: nop
_Rest:	nop
ASM
	gcc -nostdlib -static -no-pie -o program names.s 2>gcc.err || fail gcc "$(cat gcc.err)"
	start=$(offset_of _start)
	{
		echo "map 100 $PWD/program"
		printf 'sample %d %#x\n' 4 $((start + 1)) 3 $((start + 2)) 2 $((start + 3))
	} | recording pfmon.data
	is names "$(fields | cut -d';' -f4)" "$(printf '%s\n' mycrate::example \
		'std.stdio.writeln(immutable(char)[])' _Rest)"
	is mangled "$(fields --no-demangle | head -n 1 | cut -d';' -f4)" \
		_RNvCs15kBYyAo9fc_7mycrate7example
}

test_a_field_with_the_separator_is_quoted()
{
	printf '%s\n' 'map 100 /a,"b"/c' 'sample 1 0x10' | recording pfmon.data
	is line "$("$pfmon" report -x , | head -n 1)" '1,100.00,event:u,[unknown],"/a,""b""/c"'
	is other "$(fields --sort file | head -n 1)" '1;100.00;event:u;"/a,""b""/c"'
	is read "$("$pfmon" report -x , | head -n 1 | python3 -c '
import csv, sys
print(next(csv.reader(sys.stdin))[4])')" '/a,"b"/c'
}

test_code_made_at_run_time_has_its_name()
{
	printf '%s\n' 'map 100 /none' 'sample 2 jit' 'sample 1 module' | recording pfmon.data
	is names "$(fields --sort symbol,file,address)" "$(printf '%s\n' \
		'2;66.67;event:u;jitted;[jit];-' \
		'1;33.33;event:u;module_function;[module];0xffffffffc0000005')"
}

test_bad_keys_and_filters_are_refused()
{
	local arguments

	printf 'sample 1 kernel\n' | recording pfmon.data
	while read -r arguments; do
		eval "status 1 \"\$pfmon\" report $arguments"
		grep -q '^pfmon: ' err || fail "$arguments:" "$(cat err)"
		is output "$(cat out)" ""
	done <<'EOF'
--sort symbol,symbol
--sort symbol,
--sort size
--columns symbols
--pid me
--tid -1
--cpu 2-1
--from -1
--to later
--percent-limit 101
--percent-limit x
--color green
--callers
-x '"'
EOF
	status 1 "$pfmon" report --sort size
	says "$(cat err)" "Keys: symbol, file, line, address"
}

run_tests "$@"
