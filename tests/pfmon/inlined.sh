#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Inlined functions in call chains, of a recording that recording.py makes of a compiled program;
# elfutils' own program reads the same debug information. binutils' addr2line does not name
# functions in namespaces.
# shellcheck disable=SC2317,SC2154 # run_tests calls the functions by name; history.sh
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=history.sh
. "$here/history.sh"

# The compiler puts innermost() into inner(), that into middle(), and that into outer().
program()
{
	cat >program.cc <<-'END'
		#define INLINED static inline __attribute__((always_inline))

		namespace work {
		INLINED long innermost(long n) { return n * n ^ n >> 3; }
		INLINED long inner(long n) { return innermost(n + 5) + 3; }
		}
		INLINED long middle(long n) { return work::inner(n) * 7; }
		extern "C" long callee(long n);
		extern "C" __attribute__((noinline)) long outer(long n)
		{
			return middle(n) - callee(n) + n;
		}
		extern "C" __attribute__((noinline)) long callee(long n) { return n / 3; }
	END
	g++ -O2 -g -fPIC -nostdlib -shared -o program program.cc || fail "g++"
}

# The functions at an address, the innermost first, in a line; the address is also the offset.
expected()
{
	eu-addr2line -if -e program "$1" | awk 'NR % 2 { print $1 }' | xargs
}

# The addresses of the instructions of a function.
addresses()
{
	objdump -d --no-show-raw-insn program | awk -v name="<$1>:" '
		$2 == name { within = 1; next } !NF { within = 0 } within { sub(/:$/, "", $1); print "0x" $1 }'
}

# Of the addresses of outer(), the first one that all four functions share.
deepest()
{
	local address

	for address in $(addresses outer); do
		[ "$(expected "$address" | wc -w)" != 4 ] || { echo "$address"; return; }
	done
	fail "the compiler inlined nothing"
}

# Two samples: one in callee(), called by outer() just behind $deep, and one at $deep itself.
recording()
{
	program
	deep=$(deepest) || fail "$deep"
	callee=$(addresses callee | head -n 1)
	python3 "$here/recording.py" data "$PWD/program" "$callee<$(printf '0x%x' $((deep + 1)))" "$deep" end ||
		fail "recording.py"
}

test_they_are_those_of_elfutils()
{
	local address

	program
	for address in $(addresses outer); do
		python3 "$here/recording.py" data "$PWD/program" "$address" end
		status 0 "$pfmon" script -F ip,sym data
		is "at $address" "$(sed 's/^ *[0-9a-f]* //; s/ (inlined)//; s/(.*//' out | xargs)" \
			"$(expected "$address")"
	done
}

# A sample in callee(), and one at $deep itself. The call of callee() ends behind $deep.
test_trees_show_them()
{
	recording
	status 0 "$pfmon" report --callees data
	is callees "$(sed -n 's/.*%  //p' out)" "outer
 middle (inlined)
  inner (inlined)
   innermost (inlined)
    callee"
	status 0 "$pfmon" report --callers data
	is callers "$(sed -n 's/.*%  //p' out)" "callee
 innermost (inlined)
  inner (inlined)
   middle (inlined)
    outer
innermost (inlined)
 inner (inlined)
  middle (inlined)
   outer"
	status 0 "$pfmon" report --callers -j data
	is json "$(jq -c '[.events[].calls[] | [.symbol, .inlined, .calls[0].inlined]]' out)" \
		'[["callee",false,true],["innermost",true,true]]'
	status 0 "$pfmon" report --callees --symbol inner data
	is "from a function on" "$(sed -n 's/.*%  //p' out)" "inner (inlined)
 innermost (inlined)
  callee"
	status 0 "$pfmon" report --callees --no-inline data
	is "without them" "$(sed -n 's/.*%  //p' out)" "outer
 callee"
}

test_exports_have_them()
{
	local stack="program;outer;middle;inner;innermost"

	recording
	status 0 "$pfmon" export --to folded -o - data
	is folded "$(sed 's/^[^;]*/program/' out)" "$stack 1
$stack;callee 1"
	status 0 "$pfmon" export --to folded --no-inline -o - data
	is "without them" "$(sed 's/^[^;]*/program/' out)" "program;outer 1
program;outer;callee 1"
	status 0 "$pfmon" export --to firefox -o out.json data
	is "firefox" "$(jq -c '[.threads[0].stringTable[] | split(" ")[0]]' out.json)" \
		'["outer","middle","inner","innermost","callee"]'
	# A line of a location is a message 4 with a function; outer() is at the location, too.
	status 0 "$pfmon" export -o out.pb.gz data
	is pprof "$(gzip -dc out.pb.gz | protoc --decode_raw | awk '
		/^4 {/ { n = 0 } /^  4 {/ { n++ } /^}/ && n { print n; n = 0 }' | sort | xargs)" "1 4"
}

test_script_prints_them_as_perf_does()
{
	recording
	status 0 "$pfmon" script -F ip,sym,symoff,dso data
	is "the first sample" "$(sed -n '2,5s/^ *[0-9a-f]* //p' out | sed 's,/.*/,,; s/+0x[0-9a-f]*/+N/')" \
		"innermost (inlined)
inner (inlined)
middle (inlined)
outer+N (program)"
	status 0 "$pfmon" script -F ip,sym --no-inline data
	is "without them" "$(awk 'NF { print $2 }' out | xargs)" "callee outer outer"
}

test_they_are_of_a_report_of_trees()
{
	recording
	status 0 "$pfmon" report --sort symbol --no-inline data
	status 1 "$pfmon" diff --no-inline data data
	says "$(cat err)" "are of \`pfmon report\`"
}

run_tests "$@"
