#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon report on recordings that recording.py makes. Runs on any machine.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
pfmon=$top/build/bin/tests/pfmon/pfmon-fake # built with the sanitizers

# program [OPTION...]: compile a program, with these options of gcc, and find the offset of the
# function inner() in its file
program()
{
	echo 'int inner(int n) { return n * 3 + 1; } int main(int c, char **v) { (void)v; return inner(c); }' |
		gcc -O0 -g "$@" -xc -o program - || fail "gcc"
	inner=0x$(nm program | awk '$3 == "inner" { print $1 }')
	is "segment's address less offset" \
		"$(readelf -lW program | sed -n 's/^ *LOAD *0x0*\([0-9a-f]*\) *0x0*\1 .* E .*/same/p')" same
}

recording()
{
	python3 "$here/recording.py" "$@" || fail "recording.py"
}

test_a_flat_profile_by_symbol()
{
	program
	recording pfmon.data "$PWD/program" "$inner" "$inner" kernel nowhere kernel "$inner" end
	status 0 "$pfmon" report
	is output "$(TZ=UTC "$pfmon" report)" "# command: $PWD/program argument
# recorded: 2023-11-14 22:13:20 +0000 on node, 0.500 s
# event: event:u, period 1,000
# samples: 6 (of 6,000 events), 2 lost (buffer full: 2)
# no symbols: 1 where nothing is known to be mapped
#
#    samples  percent  symbol           file
           3   50.00%  inner            $PWD/program
           2   33.33%  kernel_function  [kernel]
           1   16.67%  [unknown]        [unknown]
# Note: a note
# Note: no symbols for 1 sample: nothing is known to be mapped there"
	is errors "$(cat err)" ""
}

test_sorted_by_file()
{
	program
	recording data "$PWD/program" "$inner" 0x10 kernel end
	status 0 "$pfmon" report -i data --sort=file
	is lines "$(grep -v '^#' out)" "           2   66.67%  $PWD/program
           1   33.33%  [kernel]"
}

test_fields()
{
	program
	recording data "$PWD/program" "$inner" "$inner" nowhere end
	status 0 "$pfmon" report -i data -x ';'
	is output "$(cat out)" "2;66.67;event:u;inner;$PWD/program
1;33.33;event:u;[unknown];[unknown]
# samples: 3
# lost: 2
# a note
# no symbols for 1 sample: nothing is known to be mapped there"
	status 0 "$pfmon" report -i data -x '\t' --limit 1
	is output "$(head -n 2 out)" "$(printf '2\t66.67\tevent:u\tinner\t%s\n# samples: 3' "$PWD/program")"
	status 0 "$pfmon" report -i data -x nne
	is quoted "$(head -n 1 out | grep -o '"inner"')" '"inner"'
}

test_json()
{
	program
	recording data "$PWD/program" "$inner" nowhere "$inner" end
	status 0 "$pfmon" report -i data -j
	is losses "$(jq -c '[.lost.all, .lost.buffer_full, .recordings[0].finished]' out)" "[2,2,true]"
	is lines "$(jq -c '[.events[0].lines[] | [.samples, .symbol]]' out)" \
		'[[2,"inner"],[1,"[unknown]"]]'
	is keys "$(jq -r '[.. | objects | keys[]] | unique[]' out | sort)" \
		"$(printf '%s\n' all buffer_full chosen command elapsed_seconds encoded errors event \
			events file finished format host hz interrupted late lines lost \
			masked_seconds notes occurrences percent period pmd random_mask recording \
			recordings samples set started status suspended_seconds symbol throttled \
			without_room | sort)"
	status 0 "$pfmon" report -i data -j --sort file
	is lines "$(jq -c '[.events[0].lines[] | has("symbol")]' out)" '[false,false]'
}

test_debug_information_in_a_file_of_its_own_is_used()
{
	program
	objcopy --only-keep-debug program program.debug
	objcopy --strip-all --add-gnu-debuglink=program.debug program
	recording data "$PWD/program" "$inner" end
	status 0 "$pfmon" report -i data -x ,
	is line "$(head -n 1 out)" "1,100.00,event:u,inner,$PWD/program"
}

# separated PROGRAM FILE: the symbols and lines of the program are in another file only
separated()
{
	objcopy --only-keep-debug "$1" "$2"
	objcopy --strip-all "$1"
}

build_id()
{
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

# In a mount namespace: the directory is the machine's own; libc6-dbg makes it.
test_debug_information_is_found_by_build_id()
{
	local id

	program
	separated program separate.debug
	id=$(build_id program)
	mkdir -p "debug/.build-id/${id:0:2}"
	mv separate.debug "debug/.build-id/${id:0:2}/${id:2}.debug"
	recording data "$PWD/program" "$inner" end
	status 0 "$pfmon" report -i data -x ,
	says_not "$(head -n 1 out)" ",inner,"
	# shellcheck disable=SC2016 # the inner shell's
	status 0 unshare -rm sh -c 'mount --bind debug /usr/lib/debug && exec "$0" report -i data -x , --sort symbol,line' "$pfmon"
	says "$(head -n 1 out)" ",inner,"
	says "$(head -n 1 out)" '<stdin>:1'
}

# elfutils' client takes file: as well; a server has these names.
test_debug_information_is_had_of_a_debuginfod()
{
	program
	mkdir -p server/buildid cache
	mkdir "server/buildid/$(build_id program)"
	separated program "server/buildid/$(build_id program)/debuginfo"
	recording data "$PWD/program" "$inner" end
	DEBUGINFOD_CACHE_PATH=$PWD/cache DEBUGINFOD_URLS=file://$PWD/server \
		status 0 "$pfmon" report -i data -x , --sort symbol
	is line "$(head -n 1 out)" "1,100.00,event:u,inner"
}

# assembled NAME: from standard input
assembled()
{
	gcc -nostdlib -static -no-pie -xassembler -o "$1" - 2>gcc.err || fail "gcc" "$(cat gcc.err)"
}

# offset_of PROGRAM SYMBOL: the symbol's offset in the file
offset_of()
{
	local at file memory

	at=0x$(nm "$1" | awk -v name="$2" '$3 == name { print $1 }')
	read -r file memory < <(readelf -lW "$1" | awk '$1 == "LOAD" && / E / { print $2, $3 }')
	printf '%#x\n' $((at - memory + file))
}

test_of_several_names_the_best_one_is_taken()
{
	assembled program <<'ASM'
	.text
	.globl	_start, __alias, alias
	.weak	weak_alias
_start:
	nop
label:	nop
	nop
	.type	alias, @function
	.type	__alias, @function
	.type	weak_alias, @function
	.type	local_alias, @function
weak_alias:
__alias:
local_alias:
alias:
	nop
within:	nop
	.size	alias, . - alias
	.size	__alias, . - __alias
	.size	weak_alias, . - weak_alias
	.size	local_alias, . - local_alias
	.byte	0x90
behind:	nop
	.data
value:	.quad	0
ASM
	start=$(offset_of program _start)
	# One sample in each byte, and one outside the code.
	# shellcheck disable=SC2046 # a list of words
	recording data "$PWD/program" $(for i in 0 1 2 3 4 5 6; do printf '%#x ' $((start + i)); done) \
		0x1 end
	status 0 "$pfmon" report -i data -x ,
	is lines "$(grep -v '^#' out | cut -d, -f1,4 | sort)" "$(printf '%s\n' '2,[unknown]' 1,_start \
		2,alias 1,behind 2,label | sort)"
}

test_many_samples_in_many_functions_take_no_time()
{
	local n=30000

	{
		echo '.text; .globl _start; _start:'
		seq "$n" | sed 's/.*/.globl f&; .type f&, @function; f&: nop; .size f&, 1/'
	} >many.s
	assembled program <many.s
	start=$(offset_of program _start)
	# shellcheck disable=SC2046 # a list of words
	recording data "$PWD/program" $(seq -f %.0f $((start)) $((start + n - 1)) | xargs printf '%#x\n') end
	status 0 timeout "$((20 * PATIENCE))" "$pfmon" report -i data -x ,
	is lines "$(grep -c '^1,0.00,event:u,f[0-9]*,' out)" "$n"
}

test_a_file_that_is_gone_is_said()
{
	recording data /nonexistent/program 0x10 0x20 nowhere end
	status 0 "$pfmon" report -i data
	is "of all" "$(grep '^# no symbols' out)" "# no symbols: 1 where nothing is known to be mapped, 2 in files that are gone or not known to be those recorded"
	says "$(cat out)" "[unknown]  /nonexistent/program"
	says "$(cat out)" ": /nonexistent/program: No such file or directory"
}

symbols()
{
	status 0 "$pfmon" report -x ';' --sort=symbol -i data
	grep -v '^#' out | cut -d';' -f4
}

test_a_file_without_a_build_id_is_known_by_its_state()
{
	program -Wl,--build-id=none
	recording data "$PWD/program" "$inner" "$inner" end
	is before "$(symbols)" inner
	# The same size and the same time of its last change
	cp -p program other
	mv other program
	is replaced "$(symbols)" "[unknown]"
	says "$(cat out)" "no symbols for 2 samples: $PWD/program has changed since the recording"
}

test_a_recording_without_states_takes_files_that_were_there_before_it()
{
	program -Wl,--build-id=none
	sleep 0.05
	recording data "$PWD/program" "$inner" old end
	is before "$(symbols)" inner
	sleep 0.05
	touch -d yesterday program
	is changed "$(symbols)" "[unknown]"
	says "$(cat out)" "has changed since the recording"
}

test_what_is_no_program_has_no_symbols()
{
	mkfifo fifo
	echo text >text
	recording data "$PWD/fifo" 0x10 end
	status 0 timeout "$((10 * PATIENCE))" "$pfmon" report -i data
	says "$(cat out)" "fifo: this is no regular file"
	recording data "$PWD/text" 0x10 end
	status 0 "$pfmon" report -i data
	says "$(cat out)" ": $PWD/text:"
}

test_an_unfinished_recording_is_read_with_a_note()
{
	recording data /nonexistent/program 0x10 kernel
	status 0 "$pfmon" report -i data
	says "$(cat out)" "# samples: 2"
	says "$(cat out)" "# Note: the recording was not finished, or data is cut off"
}

test_files_that_are_no_recordings_are_told_apart()
{
	status 1 "$pfmon" report
	says "$(cat err)" "cannot read pfmon.data: No such file or directory"
	says "$(cat err)" "\`pfmon record\` writes one"
	: >empty
	status 1 "$pfmon" report -i empty
	says "$(cat err)" "empty is empty"
	echo PERFILE2 >perf.data
	status 1 "$pfmon" report -i perf.data
	says "$(cat err)" "perf report"
	status 1 "$pfmon" report -i /dev/zero
	says "$(cat err)" "/dev/zero is no regular file"
	recording data /nonexistent swap end
	status 1 "$pfmon" report -i data
	says "$(cat err)" "other byte order"
	recording data /nonexistent end
	printf '\377' | dd of=data bs=1 seek=28 conv=notrunc 2>/dev/null
	status 1 "$pfmon" report -i data
	says "$(cat err)" "data is damaged: its record at byte 24 makes no sense"
}

test_bad_command_lines_are_refused()
{
	local arguments

	for arguments in "--sort size" "--limit 0" "--limit x" "-j -x ," "--nonsense" "-x ''"; do
		eval "status 1 \"\$pfmon\" report $arguments"
		grep -q '^pfmon: ' err || fail "$arguments:" "$(cat err)"
	done
	status 0 "$pfmon" report --help
	says "$(cat out)" "usage: pfmon report"
	is errors "$(cat err)" ""
}

test_a_report_that_cannot_be_written_is_an_error()
{
	recording data /nonexistent 0x10 end
	"$pfmon" report -i data >/dev/full 2>err && fail "status 0"
	says "$(cat err)" "cannot write the report: No space left on device"
}

run_tests "$@"
