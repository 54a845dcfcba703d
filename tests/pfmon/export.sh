#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon export on recordings that history.py makes, read by perf, protoc, xmllint and jq. Runs on
# any machine.
# shellcheck disable=SC2317,SC2154 # run_tests calls the functions by name; history.sh
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=history.sh
. "$here/history.sh"

# Both print lines "tid time period address symbol".
of_perf()
{
	perf script -i "$1" --no-demangle -F tid,time,period,ip,sym 2>perf.err | awk '{ print $1, $2, $3, $4, $5 }'
}

of_pfmon()
{
	"$pfmon" script -1 --no-demangle -F tid,time,period,ip,sym data 2>/dev/null | awk '{ print $1, $2, $3, $4, $5 }'
}

# Also over a fork and an exec, after which the program has another address.
test_perf_has_the_same_samples_and_names()
{
	history
	status 0 "$pfmon" export -o perf.data data
	is errors "$(cat err)" "pfmon: a note"
	is samples "$(of_perf perf.data)" "$(of_pfmon)"
	is comms "$(perf script -i perf.data -F comm,tid 2>/dev/null | awk '{ print $1, $2 }' | sort | uniq -c | xargs)" \
		"3 first 100 2 first 101 1 second 101"
}

test_perf_report_counts_what_report_counts()
{
	history one
	status 0 "$pfmon" export --to perf.data -o out.perf data
	perf report --stdio -i out.perf --sort sym -n 2>perf.err | awk '/^ .*%/ { print $2, $4 }' | sort >perf.lines
	"$pfmon" report -i data -x ';' | awk -F';' '!/^#/ { print $1, $4 }' | sort >pfmon.lines
	is lines "$(cat perf.lines)" "$(cat pfmon.lines)"
	is lines "$(cat perf.lines)" "1 kernel_function
4 inner"
	says_not "$(cat perf.err)" "restricted"
}

test_perf_has_what_is_known_of_the_machine_and_the_events()
{
	history
	status 0 "$pfmon" export -o perf.data data
	perf report --header-only -i perf.data >header 2>/dev/null
	says "$(cat header)" "hostname : node"
	says "$(cat header)" "os release : 6.1-none"
	says "$(cat header)" "arch : x86_64"
	says "$(cat header)" "nrcpus online : 2"
	says "$(cat header)" "cmdline : pfmon record -- $PWD/program argument"
	perf evlist -i perf.data >events
	is events "$(head -n 2 events)" "cycles
LOADS:k"
	perf evlist -v -i perf.data >events
	says "$(cat events)" "{ sample_period, sample_freq }: 1000"
	is counts "$(perf script -i perf.data -F event 2>/dev/null | sed 's/^ *//' | LC_ALL=C sort | uniq -c | xargs)" "1 LOADS:k: 5 cycles:"
}

test_perf_has_the_build_ids()
{
	local pid

	history
	pid=$(readelf -n program | sed -n 's/.*Build ID: //p')
	python3 - "$pid" <<'PYTHON' || fail "no mapping was found"
import struct, sys
data, build_id = bytearray(open("data", "rb").read()), bytes.fromhex(sys.argv[1])
at = found = 0
at = 24
while at < len(data):
    kind, fixed, size = struct.unpack_from("<IIQ", data, at)
    if kind == 7:
        struct.pack_into("<II32s", data, at + 48, len(build_id), 0, build_id)
        found += 1
    at += size
open("data", "wb").write(data)
sys.exit(found != 2)
PYTHON
	status 0 "$pfmon" export -o perf.data data
	is "build ids" "$(perf buildid-list -i perf.data | grep program)" "$pid $PWD/program"
	is names "$(of_perf perf.data)" "$(of_pfmon)"
	echo 'int main(void) { return 0; }' | gcc -xc -o program -
	perf script -i perf.data -F sym 2>/dev/null | grep -q inner && fail "perf took another program's names"
	return 0
}

test_many_samples_are_in_order_for_perf_too()
{
	history many
	status 0 "$pfmon" export -o perf.data data
	of_perf perf.data >perf.lines
	of_pfmon >pfmon.lines
	is lines "$(wc -l <perf.lines)" 100006
	cmp perf.lines pfmon.lines || fail "they differ"
}

test_stacks_are_folded()
{
	history
	status 0 "$pfmon" export -o stacks.folded data
	is stacks "$(cat stacks.folded)" "first;inner 3
first;kernel_function 1
second;inner 1"
	says "$(cat err)" "data has 2 events: this is of cycles; -e chooses another one"
	status 0 "$pfmon" export -e LOADS:k --to folded -o - data
	is stacks "$(cat out)" "first;kernel_function 1"
	history odd one
	status 0 "$pfmon" export --to folded -o - data
	is odd "$(tail -n 1 out)" "se:co<nd> 2;inner 1"
}

# As of the ranks of a job, or of hosts.
test_several_recordings_are_one_graph()
{
	history
	cp data other
	status 0 "$pfmon" export -o both.folded data other
	is stacks "$(cat both.folded)" "first;inner 6
first;kernel_function 2
second;inner 2"
	status 0 "$pfmon" export -e LOADS:k --to folded -o - -i data -i other data
	is stacks "$(cat out)" "first;kernel_function 3"
	status 0 "$pfmon" export -o one.svg data
	status 0 "$pfmon" export -o both.svg data other
	xmllint --noout both.svg 2>xml.err || fail "$(cat xml.err)"
	is frames "$(grep -c 'class="frame"' both.svg)" "$(grep -c 'class="frame"' one.svg)"
	says "$(cat both.svg)" "program argument and 1 more</text>"
	says "$(cat both.svg)" ">10 samples of cycles on node</text>"
	says "$(cat both.svg)" "<title>kernel_function: 2 samples, 20.00%</title>"
	says_not "$(cat one.svg)" " more</text>"
}

test_several_recordings_are_refused_by_formats_of_one()
{
	local name

	history one
	for name in a.perf a.pprof a.firefox.json a.json; do
		status 1 "$pfmon" export -o "$name" data data
		says "$(cat err)" " is of one recording, not of 2"
		says "$(cat err)" "folded and svg add several up"
		[ ! -e "$name" ] || fail "there is $name"
	done
	status 1 "$pfmon" export -o a.svg data nothing
	says "$(cat err)" "cannot read nothing"
	[ ! -e a.svg ] || fail "there is a.svg"
	status 1 "$pfmon" export -e LOADS:k -o a.svg data
	says "$(cat err)" "has no event 'LOADS:k'"
}

test_a_flame_graph_is_well_formed()
{
	history one odd $'lib=/no<where>&\001\377"quoted\"'
	status 0 "$pfmon" export -o flame.svg data
	xmllint --noout flame.svg 2>xml.err || fail "$(cat xml.err)"
	is "frames of all, comms, files, symbols" "$(grep -c 'class="frame"' flame.svg)" 9
	says "$(cat flame.svg)" '<title>kernel&#60;function&#62;: 1 samples, 20.00%</title>'
	says "$(cat flame.svg)" 'data-name="se;co&#60;nd&#62; 2" data-x="4" data-w="1"'
	is references "$(grep -cE 'href|src=|@import|url\(' flame.svg)" 0
}

test_frames_lie_on_the_frames_below()
{
	history
	status 0 "$pfmon" export -o flame.svg data
	xmllint --xpath '//*[@class="frame"]/@data-w' flame.svg | grep -o '[0-9]*' | sort -n | uniq -c >widths
	is widths "$(awk '{ print $1 "x" $2 }' widths | xargs)" "5x1 2x3 1x4 1x5"
	status 1 "$pfmon" export -e 2 -o flame.svg "$PWD/nowhere"
	history empty
	status 1 "$pfmon" export -o empty.svg data
	says "$(cat err)" "there are no samples, and so nothing to be drawn"
	[ ! -e empty.svg ] || fail "there is a file"
}

# The fields of the profile by number, as protoc prints them.
decoded()
{
	gzip -dc out.pb.gz | protoc --decode_raw || fail "protoc"
}

test_pprof_adds_up()
{
	history
	status 0 "$pfmon" export -o out.pb.gz data
	decoded >text
	is "value types" "$(grep -c '^1 {' text)" 4
	is "functions" "$(grep -c '^5 {' text)" 2
	is "the table of strings begins with" "$(grep -m 1 '^6: ' text)" '6: ""'
	grep -q '^6: "inner"$' text || fail "$(cat text)"
	grep -q '^6: "kernel_function"$' text || fail "$(cat text)"
	is "time" "$(grep '^9: ' text)" "9: 1700000000000000000"
	is "duration" "$(grep '^10: ' text)" "10: 500000000"
	is "period" "$(grep '^12: ' text)" "12: 1000"
	# One row for each stack: inner (3 samples in two rows), the kernel for each event, and the
	# child's two.
	is "rows" "$(grep -c '^2 {' text)" 5
}

test_the_firefox_profiler_has_a_track_for_each_thread()
{
	history one
	status 0 "$pfmon" export -o out.firefox.json data
	is threads "$(jq -c '[.threads[] | [.name, .processName, .pid, .tid, (.samples.data | length)]]' out.firefox.json)" \
		'[["first","first",100,100,3],["first","second",101,101,1],["second","second",101,101,1]]'
	is stacks "$(jq -r '.threads[0] | . as $t | .samples.data[] | $t.stringTable[$t.frameTable.data[$t.stackTable.data[.[0]][1]][0]]' out.firefox.json)" \
		"inner (in $PWD/program)
kernel_function (in [kernel])
inner (in $PWD/program)"
	is times "$(jq -c '[.threads[0].samples.data[][1]]' out.firefox.json)" "[0,0.002,0.004]"
	is version "$(jq -c '[.meta.version, .meta.presymbolicated, .meta.categories[1].name]' out.firefox.json)" '[24,true,"Kernel"]'
	is categories "$(jq -c '.threads[0] | [.frameTable.data[][7]]' out.firefox.json)" "[0,1]"
}

test_json_has_every_sample()
{
	history
	status 0 "$pfmon" export -o out.json data
	is samples "$(jq -c '.samples[] | [.event, .time, .pid, .cpu, .period, .symbol, .values]' out.json)" \
		'[0,1000001000,100,0,1000,"inner",[8]]
[0,1000002000,101,1,1000,"inner",[10]]
[0,1000003000,100,0,1003,"kernel_function",[9]]
[1,1000004000,101,1,500,"kernel_function",null]
[0,1000005000,100,0,1000,"inner",[7]]
[0,1000007000,101,1,1000,"inner",[12]]'
	is address "$(jq -r '.samples[2].ip' out.json)" 0xffffffff81000005
	is events "$(jq -c '[.events[] | [.event, .samples, .values]]' out.json)" '[["cycles",5,["stores"]],["LOADS:k",1,[]]]'
	jq -r '.. | objects | keys[]' out.json | sort -u >keys
	while read -r key; do
		grep -qwF -- "$key" "$top/Documentation/man/pfmon-export.1" || fail "pfmon-export(1) does not mention $key"
	done <keys
}

test_the_end_of_the_name_tells_the_format()
{
	local name

	history one
	for name in a.perf a.collapsed a.pprof a.gecko.json; do
		status 0 "$pfmon" export -o "$name" data
		[ -s "$name" ] || fail "no $name"
	done
	is magic "$(head -c 8 a.perf)" PERFILE2
	is magic "$(head -c 2 a.pprof | od -An -tx1)" " 1f 8b"
	status 1 "$pfmon" export -o a.txt data
	says "$(cat err)" "-o a.txt: its suffix names no format"
	says "$(cat err)" "perf.data, folded, svg, pprof, firefox, json"
	status 1 "$pfmon" export --to pdf -o a data
	says "$(cat err)" "there is no format 'pdf'"
	status 1 "$pfmon" export data
	says "$(cat err)" "where to?"
}

test_binary_formats_go_to_a_pipe_and_to_no_terminal()
{
	history one
	"$pfmon" export --to perf.data -o - data 2>err >stdout.perf || fail "$(cat err)"
	is samples "$(of_perf stdout.perf)" "$(of_pfmon)"
	script -qec "$pfmon export --to perf.data -o - data" /dev/null >terminal </dev/null && fail "status 0"
	says "$(cat terminal)" "perf.data is not written to a terminal"
}

test_a_failed_export_leaves_what_was_there()
{
	history many
	mkdir -p small
	echo before >small/a.json
	(
		ulimit -f 100
		trap '' XFSZ
		"$pfmon" export -o small/a.json data 2>err
		echo $? >status
	)
	is status "$(cat status)" 1
	says "$(cat err)" "cannot write small/a.json: File too large"
	is content "$(cat small/a.json)" before
	is files "$(ls small)" a.json
}

# When the file has just been created, and when it is to be written. pfmon-fake has the sanitizers
# in, which want to be preloaded before anything else.
test_a_signal_takes_the_unfinished_file_away()
{
	local function

	history one
	mkdir some
	echo before >some/a.json
	for function in mkostemp fchmod; do
		ENDED_IN=$function LD_PRELOAD=$top/build/bin/tests/pfmon/ended_in.so \
			"$top/build/bin/pfmon" export -o some/a.json data 2>err
		is "status in $function" "$?" 143
		is "files in $function" "$(ls some)" a.json
		is "content in $function" "$(cat some/a.json)" before
	done
}

test_files_that_cannot_be_written_are_named()
{
	local format

	history one many
	for format in perf.data folded svg pprof firefox json; do
		status 1 "$pfmon" export --to "$format" -o /dev/full data
		says "$(cat err)" "cannot write /dev/full: No space left on device"
		"$pfmon" export --to "$format" -o - data >/dev/full 2>err && fail "status 0"
		says "$(cat err)" "cannot write standard output: No space left on device"
	done
	status 1 "$pfmon" export -o nowhere/a.svg data
	says "$(cat err)" "cannot write nowhere/a.svg: No such file or directory"
	(
		trap '' PIPE
		"$pfmon" export --to json -o - data 2>err
		echo $? >status
	) | true
	is status "$(cat status)" 1
	says "$(cat err)" "cannot write standard output: Broken pipe"
}

test_links_stay_and_the_usual_mode_is_given()
{
	history one
	echo old >file.json
	ln -s file.json link.json
	umask 027
	status 0 "$pfmon" export -o link.json data
	[ -L link.json ] || fail "the link is gone"
	is mode "$(stat -c %a file.json)" 640
	jq -e .finished file.json >/dev/null || fail "$(cat file.json)"
}

test_without_samples_there_are_empty_files()
{
	history empty
	status 0 "$pfmon" export -o perf.data data
	is samples "$(perf script -i perf.data 2>/dev/null)" ""
	status 0 "$pfmon" export -o out.json data
	is samples "$(jq -c .samples out.json)" "[]"
	status 0 "$pfmon" export -o out.firefox.json data
	is threads "$(jq -c .threads out.firefox.json)" "[]"
	status 0 "$pfmon" export -o out.pb.gz data
	decoded >text
	status 0 "$pfmon" export --to folded -o - data
	is stacks "$(cat out)" ""
}

test_a_damaged_recording_is_refused_and_nothing_written()
{
	history
	printf '\377' | dd of=data bs=1 seek=28 conv=notrunc 2>/dev/null
	status 1 "$pfmon" export -o a.svg data
	says "$(cat err)" "data is damaged"
	[ ! -e a.svg ] || fail "there is a file"
}

run_tests "$@"
