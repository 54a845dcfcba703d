#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon annotate on recordings whose samples are at known instructions; objdump lists the
# instructions. Runs on any machine.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=samples.sh
. "$here/samples.sh"
export TERM=xterm

# lines WORD...: fields of the annotated lines, without notes
lines()
{
	"$pfmon" annotate -x ';' "$@" | grep -v '^#'
}

# addresses FUNCTION [PROGRAM [OBJDUMP]]: the addresses of its instructions, by objdump
addresses()
{
	"${3-objdump}" -d --no-show-raw-insn --disassemble="$1" "${2-program}" |
		sed -n 's/^ *\([0-9a-f]*\):\t.*/0x\1/p'
}

# Two samples at the first instruction of inner(), and three at its third; one of outer().
three_places()
{
	local third

	program
	third=$(addresses inner | sed -n 3p)
	third=$(printf '%#x' $((inner + third - $(addresses inner | head -n 1))))
	recording "${1-pfmon.data}" <<EOF
event cycles:u 1000
event branches:u 500
map 100 $PWD/program
comm 100 100 first
comm 100 101 worker
sample 2 $inner
sample 3 $third tid=101
sample 1 $outer
${2-}
EOF
}

test_the_function_with_the_most_samples_is_shown()
{
	three_places
	status 0 "$pfmon" annotate
	is errors "$(cat err)" ""
	is head "$(sed -n '3,/samples  percent/p' out)" "# event: cycles:u, period 1,000
# samples: 6 (of 6,000 events), 0 lost
#
# function: inner of $PWD/program
# 5 samples of cycles:u, 83.33% of all
# It has the most samples; \`pfmon annotate NAME\` shows another function.
#
#    samples  percent  address: instruction"
	mapfile -t at < <(addresses inner | sed 's/^0x//')
	is lines "$(grep -E '^ +[0-9]' out | tail -n +2 | sed 's/:  .*//')" "\
           2   40.00%          ${at[0]}
                               ${at[1]}
           3   60.00%          ${at[2]}
$(printf '                               %s\n' "${at[@]:3}")"
}

test_every_instruction_has_its_samples()
{
	local all count=0 address first

	program
	for address in $(addresses outer); do
		: "${first:=$address}"
		count=$((count + 1))
		printf 'sample %d %#x\n' "$count" $((outer + address - first))
	done >samples
	[ "$count" -gt 5 ] || fail "objdump: $(cat samples)"
	{ echo "map 100 $PWD/program"; cat samples; } | recording pfmon.data
	is "counts and addresses" "$(lines outer | awk -F';' '{ print $1, $6 }')" \
		"$(addresses outer | awk '{ print NR, $1 }')"
	all=$((count * (count + 1) / 2))
	is percentages "$(lines outer | cut -d';' -f2)" \
		"$(seq "$count" | awk -v all="$all" '{ printf "%.2f\n", 100 * $1 / all }')"
}

# A program of two files, each of which has a static function of this name.
same_names()
{
	printf 'static %s work(int n) { return n * %d; }\nint %s(int n) { return work(n); }\n' \
		'__attribute__((noinline)) int' 3 first >first.c
	printf 'static %s work(int n) { return n / %d; }\nint second(int n) { return work(n); }\n%s\n' \
		'__attribute__((noinline)) int' 7 \
		'int first(int); int main(int c, char **v) { (void)v; return first(c) + second(c); }' \
		>second.c
	gcc -O0 -g -o program first.c second.c || fail gcc
}

# Samples at every byte of the program's code: one, two, three, ...
samples_everywhere()
{
	local start file size

	read -r start size < <(readelf -SW program |
		sed -n 's/.* \.text  *PROGBITS  *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\) .*/0x\1 0x\2/p')
	echo "map 100 $PWD/program"
	for ((at = start; at < start + size; at++)); do
		printf 'sample %d %#x\n' $((at % 5 + 1)) "$at"
	done
}

test_the_lines_of_each_function_sum_up_to_what_report_says()
{
	local samples symbol n=0

	same_names
	samples_everywhere | recording pfmon.data
	fields --sort symbol,file >all
	while IFS=';' read -r samples _ _ symbol _; do
		[ "$symbol" != '[unknown]' ] || continue
		n=$((n + 1))
		is "$symbol" "$(lines "$symbol" | awk -F';' '{ n += $1 } END { print n }')" "$samples"
		is "lines of $symbol" "$("$pfmon" annotate -x ';' --source-only "$symbol" |
			awk -F';' '!/^#/ { n += $1 } END { print n }')" "$samples"
		is "$symbol in JSON" "$("$pfmon" annotate -j "$symbol" |
			jq -c '.functions[0] | [.samples[0], ([.lines[].samples[0]] | add)]')" \
			"[$samples,$samples]"
	done <all
	[ "$n" -ge 5 ] || fail "$(cat all)"
}

test_functions_of_one_name_are_all_shown()
{
	same_names
	samples_everywhere | recording pfmon.data
	is instructions "$(lines work | cut -d';' -f6)" "$(objdump -d --no-show-raw-insn program |
		sed -n '/<work>:$/,/^$/s/^ *\([0-9a-f]*\):\t.*/0x\1/p')"
	is files "$(lines work | cut -d';' -f5 | sed 's/:.*//' | sort -u)" "$PWD/first.c
$PWD/second.c"
	cp program other
	{ echo "map 100 $PWD/program"; echo "sample 2 $(offset_of first)"
	  echo "map 200 $PWD/other"; echo "sample 3 $(offset_of first) pid=200"; } | recording data
	is "in two files" "$(lines data first | awk -F';' '$1 { print $1, $4 }')" "3 $PWD/other
2 $PWD/program"
	is "one file" "$(lines data first --file other | awk -F';' '$1 { print $1, $4 }')" \
		"3 $PWD/other"
	is pattern "$(lines data 'fir*' --file '*/program' | awk -F';' '$1 { print $1, $3 }')" \
		"2 first"
}

test_source_stands_before_its_instructions()
{
	three_places
	status 0 "$pfmon" annotate --no-pager inner
	is source "$(grep program.c out)" "\
           5  100.00%  program.c:2  {
                       program.c:3          return n * 3 + 1;
                       program.c:4  }"
	is first "$(grep -A 1 program.c:2 out | tail -n 1)" "$(grep -E ':  push' out)"
	status 0 "$pfmon" annotate --no-source inner
	says_not "$(cat out)" program.c
	says "$(cat out)" "           2   40.00%  $(addresses inner | sed -n '1s/0x//p'):  push"
}

test_lines_alone()
{
	three_places
	status 0 "$pfmon" annotate --source-only outer
	is source "$(grep -v '^#' out)" "\
           1  100.00%  program.c:6  {
                       program.c:7          return inner(n) + 1;
                       program.c:8  }"
	is fields "$(lines --source-only inner | cut -d';' -f1-3,5-)" \
		"5;100.00;inner;$PWD/program.c:2;{
0;0.00;inner;$PWD/program.c:3;\"        return n * 3 + 1;\"
0;0.00;inner;$PWD/program.c:4;}"
}

test_source_that_is_not_there_is_told_once()
{
	three_places
	rm program.c
	status 0 "$pfmon" annotate '*er'
	is notes "$(grep Note out)" \
		"# Note: no text of 1 source file, such as $PWD/program.c: No such file or directory"
	says_not "$(grep -v Note out)" program.c
	is functions "$(grep -c '^# function: ' out)" 2
	mkfifo program.c
	status 0 "$pfmon" annotate inner
	says "$(cat out)" "# Note: no text of 1 source file"
}

test_a_file_without_debug_information()
{
	three_places
	strip -g program
	status 0 "$pfmon" annotate inner
	is notes "$(grep Note out)" "# Note: no source lines of $PWD/program: debug information is missing (see pfmon-report(1))"
	is "all of them" "$(lines inner | awk -F';' '{ n += $1 } END { print n, $5 }')" "5 [unknown]"
	status 0 "$pfmon" annotate --source-only inner
	is unknown "$(grep -v '^#' out)" "           5  100.00%  [unknown]"
}

test_a_function_of_a_stripped_file()
{
	local name

	three_places
	addresses inner >want
	strip program
	name="[$(head -n 1 want)]"
	is addresses "$(lines "$name" | cut -d';' -f6)" "$(cat want)"
	is samples "$(lines "$name" | awk -F';' '{ n += $1 } END { print n }')" 5
}

test_debug_information_apart_has_lines_and_the_file_has_code()
{
	three_places
	objcopy --only-keep-debug program program.debug
	strip program
	objcopy --add-gnu-debuglink=program.debug program
	mkdir .debug
	mv program.debug .debug/
	is lines "$(lines inner | awk -F';' '$1 { print $1, $5 }')" "2 $PWD/program.c:2
3 $PWD/program.c:2"
}

test_branches_and_calls_are_named()
{
	cat >program.c <<'C'
#include <stdio.h>
int counter;
static void callee(void) { counter++; }
int main(int c, char **v)
{
	while (c--)
		callee();
	puts(v[0]);
	return 0;
}
C
	gcc -O0 -g -o program program.c || fail gcc
	printf '%s\n' "map 100 $PWD/program" "sample 1 $(offset_of main)" \
		"sample 1 $(offset_of callee)" | recording pfmon.data
	status 0 "$pfmon" annotate main --no-source
	objdump -d --no-show-raw-insn --disassemble=main program >dump
	is branches "$(sed -n 's/.*:  j[a-z]* *\([0-9a-f]* <.*>\)$/\1/p' out)" \
		"$(sed -n 's/.*\tj[a-z]* *\([0-9a-f]* <.*>\)$/\1/p' dump)"
	is calls "$(sed -n 's/.*:  call[a-z]* *\([0-9a-f]* <.*>\)$/\1/p' out)" \
		"$(sed -n 's/.*\tcall *\([0-9a-f]* <.*>\)$/\1/p' dump)"
	[ "$(grep -c '<main+0x' out)" -ge 2 ] || fail "$(cat out)"
	says "$(cat out)" " <callee>"
	says "$(cat out)" " <puts@plt>"
	says "$("$pfmon" annotate callee)" " <counter>"
	gcc -O0 -fno-plt -o program program.c || fail gcc
	printf '%s\n' "map 100 $PWD/program" "sample 1 $(offset_of main)" | recording pfmon.data
	says "$("$pfmon" annotate main)" " <puts>"
}

test_syntaxes_of_x86()
{
	three_places
	says "$("$pfmon" annotate inner)" "%rsp, %rbp"
	says "$("$pfmon" annotate -M att inner)" "%rsp, %rbp"
	says "$("$pfmon" annotate -M intel inner)" "mov    rbp, rsp"
	status 1 "$pfmon" annotate -M masm inner
	says "$(cat err)" "-M masm: att or intel is wanted"
}

test_names_are_shown_as_written()
{
	echo 'namespace n { void f(int) {} void g() { f(1); } } int main() { n::g(); }' |
		g++ -O0 -g -xc++ -o program - || fail g++
	printf '%s\n' "map 100 $PWD/program" "sample 1 $(offset_of _ZN1n1gEv)" | recording pfmon.data
	status 0 "$pfmon" annotate 'n::g()'
	says "$(cat out)" "# function: n::g() of $PWD/program"
	says "$(cat out)" "<n::f(int)>"
	status 0 "$pfmon" annotate --no-demangle _ZN1n1gEv
	says "$(cat out)" "<_ZN1n1fEi>"
}

test_bytes_that_are_no_instructions_keep_their_samples()
{
	cat >code.s <<'ASM'
	.text
	.globl	_start
	.type	_start, @function
_start:	nop
	.byte	0x06, 0x07, 0x62
	.size	_start, . - _start
ASM
	gcc -nostdlib -static -no-pie -o program code.s || fail gcc
	start=$(offset_of _start)
	{ echo "map 100 $PWD/program"
	  for i in 0 1 2 3; do printf 'sample %d %#x\n' $((i + 1)) $((start + i)); done; } |
		recording pfmon.data
	is lines "$(lines _start | cut -d';' -f1,7)" "1;nop
2;.byte  0x6
3;.byte  0x7
4;.byte  0x62"
}

# The instruction after an instruction that capstone does not know is decoded correctly.
test_instructions_of_x86_that_are_not_decoded()
{
	cat >code.s <<'ASM'
	.text
	.globl	_start
	.type	_start, @function
_start:	vpcmpeqb (%rdi), %ymm17, %k1
	vpcmpeqb %ymm16, %ymm17, %k1{%k2}
	vpcmpb	$4, 0x40(%rdi,%rax,4), %ymm18, %k0
	vpcmpb	$4, 0x1234(%rdi), %ymm18, %k0
	vpcmpub	$1, 0(,%rax,8), %ymm18, %k0
	vpcmpub	$1, 0x40(%rip), %ymm18, %k0
	vptestnmb %ymm16, %ymm16, %k2
	vpminub	0x20(%rsp), %ymm16, %ymm17
	vcmpps	$2, %zmm1, %zmm2, %k3
	kmovd	%k0, %eax
	kortestq %k1, %k2
	kshiftrq $32, %k1, %k2
	rdpkru
	wrpkru
	ret
	.size	_start, . - _start
ASM
	gcc -nostdlib -static -no-pie -o program code.s || fail gcc
	printf '%s\n' "map 100 $PWD/program" "sample 1 $(offset_of _start)" | recording pfmon.data
	is addresses "$(lines _start | cut -d';' -f6)" "$(addresses _start)"
	is last "$(lines _start | tail -n 1 | cut -d';' -f7)" retq
	says "$(lines _start | head -n 1)" ".byte  0x62, "
}

test_a_symbol_that_is_larger_than_the_file()
{
	printf '\t.text\n\t.globl _start\n\t.type _start, @function\n_start: nop\n\t.size _start, 0x7fffffffffff\n' |
		gcc -nostdlib -static -no-pie -xassembler -o program - || fail gcc
	printf '%s\n' "map 100 $PWD/program" "sample 1 $(offset_of _start)" | recording pfmon.data
	status 1 "$pfmon" annotate _start
	says "$(cat err)" "the file does not have the code at 0x"
}

test_code_of_power()
{
	cat >code.s <<'ASM'
	.text
	.type	work, @function
work:	addi	3, 3, 1
	cmpwi	7, 3, 10
	blt	7, work
	bdnz	work
	bl	other
	.long	0
	blr
	.size	work, . - work
	.type	other, @function
other:	blr
	.size	other, . - other
ASM
	powerpc64le-linux-gnu-as -mpower9 -o code.o code.s || fail as
	powerpc64le-linux-gnu-ld -shared -o program code.o || fail ld
	work=$(offset_of work)
	{ echo "map 100 $PWD/program"
	  for i in 0 4 8 12 16 20 24; do printf 'sample %d %#x\n' $((i + 1)) $((work + i)); done; } |
		recording pfmon.data
	at=$(printf '%x' "$(addresses work program powerpc64le-linux-gnu-objdump | head -n 1)")
	is lines "$(lines work | cut -d';' -f1,7)" "1;addi   r3, r3, 1
5;cmpwi  cr7, r3, 0xa
9;blt    cr7, $at <work>
13;bdnz   $at <work>
17;bl     $(printf '%x' $((0x$at + 28))) <other>
21;.long  0
25;blr"
}

test_code_of_another_processor_is_refused()
{
	three_places
	# EM_X86_64, 62, becomes EM_S390, 22; the build id remains.
	printf '\026' | dd of=program bs=1 seek=18 conv=notrunc 2>/dev/null
	status 1 "$pfmon" annotate inner
	says "$(cat err)" "the code is for a processor (ELF's number 22) that pfmon cannot decode"
}

test_code_that_is_in_no_file_is_told()
{
	three_places pfmon.data 'sample 20 kernel
sample 15 jit
sample 12 module
sample 11 nowhere'
	status 0 "$pfmon" annotate
	says "$(cat out)" "# function: inner of "
	says "$(cat out)" "# It has the most samples of those whose code can be read; "
	says "$(cat out)" "# Note: another function has more samples: kernel_function is code of the kernel"
	status 1 "$pfmon" annotate kernel_function
	says "$(cat err)" "kernel_function is code of the kernel ([kernel]), of which there is no image"
	status 1 "$pfmon" annotate module_function
	says "$(cat err)" "code of the kernel ([module])"
	status 1 "$pfmon" annotate jitted
	says "$(cat err)" "jitted was compiled at run time: its code was in memory only"
	status 1 "$pfmon" annotate '[unknown]'
	says "$(cat err)" "[unknown] of [unknown] is in no file"
	printf '%s\n' "map 100 [vdso]" "sample 1 0x10" | recording pfmon.data
	status 1 "$pfmon" annotate
	says "$(cat err)" "[unknown] of [vdso] is in no file: there is no code of it to read"
	printf '%s\n' "map 100 $PWD/program" "sample 1 0x10" | recording pfmon.data
	status 1 "$pfmon" annotate
	says "$(cat err)" "$PWD/program is in no function that is known"
}

test_a_file_that_has_changed_is_refused()
{
	three_places
	printf '%s\n' "map 100 $PWD/program $(readelf -n program | sed -n 's/.*Build ID: //p')" \
		"sample 1 $inner" | recording mine.data
	status 0 "$pfmon" annotate mine.data inner
	printf '%s\n' "map 100 $PWD/program 0123456789abcdef" "sample 1 $inner" | recording other.data
	status 1 "$pfmon" annotate other.data inner
	says "$(cat err)" "no sample is in a function 'inner'"
	says "$(cat err)" ": $PWD/program has changed since the recording."
	status 1 "$pfmon" annotate -i other.data
	says "$(cat err)" ": $PWD/program has changed since the recording."
	is "of two recordings" "$(lines -i other.data -i mine.data inner |
		awk -F';' '{ n += $1 } END { print n }')" 1
	rm program
	status 1 "$pfmon" annotate inner
	says "$(cat err)" "no sample is in a function 'inner'"
	says "$(cat err)" ": $PWD/program: No such file or directory"
	status 1 "$pfmon" annotate
	says "$(cat err)" "is in no function that is known"
}

test_a_function_without_samples_is_told()
{
	three_places
	status 1 "$pfmon" annotate main
	says "$(cat err)" "no sample is in a function 'main'"
	says "$(cat err)" "\`pfmon report\` shows which functions have samples"
	status 1 "$pfmon" annotate --comm worker outer
	says "$(cat err)" "no sample that is chosen is in a function 'outer'"
	status 1 "$pfmon" annotate --comm nobody
	says "$(cat err)" "no sample of the recording is chosen"
}

test_filters_choose_samples()
{
	three_places
	is comm "$(lines inner --comm worker | awk -F';' '$1 { print $1, $2 }')" "3 100.00"
	is tid "$(lines inner --tid 100 | awk -F';' '$1 { print $1, $2 }')" "2 100.00"
	status 0 "$pfmon" annotate --comm first
	says "$(cat out)" "# chosen: 3 samples, 50.00% of all"
	says "$(cat out)" "# 2 samples of cycles:u, 66.67% of those chosen"
	is symbol "$(lines --symbol outer | awk -F';' '$1 { print $1, $3 }')" "1 outer"
}

test_events_are_columns()
{
	three_places pfmon.data "$(program; echo "sample 7 $inner event=1")"
	is columns "$(lines inner | head -n 1 | cut -d';' -f1-5)" "2;40.00;7;100.00;inner"
	is one "$(lines inner --event 'branch*' | head -n 1 | cut -d';' -f1-3)" "7;100.00;inner"
	status 0 "$pfmon" annotate inner
	says "$(cat out)" "# 5 samples of cycles:u, 83.33% of all
# 7 samples of branches:u, 100.00% of all"
	says "$(cat out)" "\
#            cycles:u             branches:u
#    samples  percent       samples  percent  address: instruction"
}

test_cold_lines_can_be_left_out()
{
	three_places
	is limit "$(lines inner --limit 1 | cut -d';' -f1)" 3
	is "no more than have samples" "$(lines inner --limit 100 | cut -d';' -f1)" "2
3"
	is percent "$(lines inner --percent-limit 50 | cut -d';' -f1)" 3
	status 0 "$pfmon" annotate inner --percent-limit 50
	is text "$(grep -v '^#' out)" "\
           5  100.00%  program.c:2  {
                       ...
           3   60.00%          $(addresses inner | sed -n '3s/0x//p'):  movl   %edi, -4(%rbp)
                       ..."
}

test_json()
{
	three_places
	status 0 "$pfmon" annotate -j inner
	is keys "$(jq -r '[.. | objects | keys[]] | unique[]' out | sort)" \
		"$(printf '%s\n' address chosen event events file format functions instruction line \
			lines notes percent samples source symbol | sort)"
	is line "$(jq -c '.functions[0].lines[0] | [.samples, .percent, .line, .address]' out)" \
		"[[2],[40],2,\"$(addresses inner | head -n 1)\"]"
	status 0 "$pfmon" annotate -j --source-only inner
	is line "$(jq -c '.functions[0].lines[1] | [.samples, .line, .text]' out)" \
		'[[0],3,"        return n * 3 + 1;"]'
	rm program.c
	status 0 "$pfmon" annotate -j --source-only inner
	is line "$(jq -c '.functions[0].lines[1].text, .notes' out)" \
		"null
[\"no text of 1 source file, such as $PWD/program.c: No such file or directory\"]"
}

test_a_recording_and_a_function_are_told_apart()
{
	three_places my.data
	is both "$(lines my.data inner | awk -F';' '$1 { n += $1 } END { print n }')" 5
	is recording "$(lines my.data | head -n 1 | cut -d';' -f3)" inner
	is option "$(lines -i my.data outer | head -n 1 | cut -d';' -f3)" outer
	cp my.data pfmon.data
	is function "$(lines outer | head -n 1 | cut -d';' -f3)" outer
	: >outer
	is "a file of this name" "$(lines outer | head -n 1 | cut -d';' -f3)" outer
	is two "$(lines -i my.data -i pfmon.data inner | awk -F';' '{ n += $1 } END { print n }')" 10
	status 1 "$pfmon" annotate none.data inner
	says "$(cat err)" "cannot read none.data: No such file or directory"
}

test_terminals_get_colours_and_a_pager()
{
	local red

	red=$(printf '\033')'[31m'
	three_places
	says "$(script -qec "$pfmon annotate --no-pager inner" /dev/null </dev/null)" "$red  60.00%"
	says_not "$(NO_COLOR=1 script -qec "$pfmon annotate --no-pager" /dev/null </dev/null)" "$red"
	says "$(PAGER='tr a-z A-Z' script -qec "$pfmon annotate" /dev/null </dev/null)" "# FUNCTION"
	says "$("$pfmon" annotate --color always)" "$red  60.00%"
	says_not "$("$pfmon" annotate)" "$red"
}

test_what_the_files_say_is_shown_and_not_obeyed()
{
	three_places
	sed -i "3s/.*/\t$(printf '\033')[2J/" program.c
	status 0 "$pfmon" annotate inner
	is escape "$(grep program.c:3 out)" "                       program.c:3          ?[2J"
}

test_bad_command_lines_are_refused()
{
	local arguments

	three_places
	for arguments in "a b c" "-i pfmon.data inner outer" "--sort symbol" "--limit 0" \
			"-j -x ," "-M" "--nonsense" "--percent-limit 101" "-x ''"; do
		eval "status 1 \"\$pfmon\" annotate $arguments"
		grep -q '^pfmon: ' err || fail "$arguments:" "$(cat err)"
	done
	status 0 "$pfmon" annotate --help
	says "$(cat out)" "usage: pfmon annotate"
	"$pfmon" annotate >/dev/full 2>err && fail "status 0"
	says "$(cat err)" "cannot write the annotated code: No space left on device"
}

# loaded WORD...: large libraries that the command loads
loaded()
{
	LD_DEBUG=files LD_DEBUG_OUTPUT=loader "$pfmon" "$@" >out 2>err || fail "$(cat err)"
	cat loader.* | grep -o 'calling init: .*' | grep -Eo 'lib(pfm|capstone)' | sort -u | paste -sd ' '
	rm loader.*
}

# Their tables of addresses take longer than anything else at the start of a program.
test_large_libraries_are_loaded_when_they_are_needed()
{
	three_places
	is "for a report" "$(loaded report)" ""
	is "for instructions" "$(loaded annotate)" libcapstone
}

test_a_missing_library_is_named()
{
	local file

	three_places
	file=$(ldconfig -p | grep -o 'libcapstone\.so\.[0-9]*$' | head -n 1)
	mkdir other
	echo text >"other/$file"
	LD_LIBRARY_PATH=$PWD/other status 1 "$pfmon" annotate
	says "$(cat err)" "instructions need $file, which cannot be loaded: "
	says "$(cat err)" "Debian's package is libcapstone"
	cp "$(ldd "$pfmon" | sed -n 's/.*libz\.so.* => \(.*\) (.*/\1/p')" "other/$file"
	LD_LIBRARY_PATH=$PWD/other status 1 "$pfmon" annotate
	says "$(cat err)" "$file is another library: "
	status 0 "$pfmon" annotate
}

run_tests "$@"
