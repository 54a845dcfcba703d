#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perf reads pfmon's recordings, on the kernel that they were recorded on: the same samples, with
# the same names, of several processes and of the kernel.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=200
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

top=$(dirname "$(dirname "$here")")
pfmon=${PFMON:-$top/build/bin/pfmon}

# One recording for all cases: it takes longer than what they do with it.
if [ -z "${TAP_CASE-}" ]; then
	RECORDED=$(mktemp -d) || exit 1
	export RECORDED
	trap 'rm -rf "$RECORDED"' EXIT
fi

recorded()
{
	if [ ! -e "$RECORDED/data" ]; then
		status 0 "$pfmon" record -o "$RECORDED/new" -e cycles -c 100000 -- sh -c \
			"gzip -c $top/LICENSE | gzip -dc >/dev/null; ls -lR $top/tools >/dev/null; $top/build/bin/tests/pfmon/known_long_threads"
		mv "$RECORDED/new" "$RECORDED/data"
	fi
	cp "$RECORDED/data" data
	status 0 "$pfmon" export -o perf.data data
}

# The functions of the kernel in "symbols", lines "ADDRESS TYPE NAME". If perf finds vmlinux it drops
# labels within a function, which are no functions there and are ordinary symbols in /proc/kallsyms.
kernel_functions()
{
	local vmlinux

	vmlinux=/lib/modules/$(uname -r)/build/vmlinux
	if [ -e "$vmlinux" ]; then
		readelf -sW "$vmlinux" | awk 'NF == 8 && $4 ~ /^(FUNC|NOTYPE)$/ && $7 != "ABS" {
			print $2, $4, $8 }'
	else
		awk 'NF == 3 && $2 ~ /^[tTwW]$/ { print $1, "FUNC", $3 }' /proc/kallsyms
	fi | LC_ALL=C sort >symbols
}

# Lines "SAMPLES NAME" with functions for names: of two names of an address perf may show the other
# one.
functions()
{
	[ -e symbols ] || kernel_functions
	awk 'FILENAME == "symbols" {
			if ($2 == "FUNC" && $1 != at) { at = $1; function_here = $3 }
			if ($3 in of) many[$3]
			of[$3] = function_here
			next
		}
		{ sub(/@.*/, "", $2) } # a function of several versions has an address
		{ n[($2 in of) && !($2 in many) ? of[$2] : $2] += $1 }
		END { for (name in n) print n[name], name }' symbols - | sort -k1,1nr -k2
}

# The functions with the most samples, as "SAMPLES FUNCTION". Only perf has names for the stubs of a
# program's calls of libraries, and for the vdso; only pfmon for stripped files.
of_perf()
{
	perf report --stdio -i perf.data --sort sym -n --no-demangle 2>perf.err |
		awk '/^ .*%/ && $4 !~ /@plt$/ && $4 !~ /^__vdso/ && $4 !~ /^0x/ && $4 != "[unknown]" { print $2, $4 }' | functions
}

of_pfmon()
{
	"$pfmon" report -i data -x ';' --no-demangle |
		awk -F';' '!/^#/ && $4 !~ /^\[(unknown\]|plt\]|0x)/ { n[$4] += $1 } END { for (s in n) print n[s], s }' |
		functions
}

test_perf_report_has_the_same_functions_and_counts()
{
	recorded
	of_perf >perf.lines
	of_pfmon >pfmon.lines
	note "$(wc -l <perf.lines) functions, the first ones:" "$(head -n 5 perf.lines)"
	[ "$(wc -l <perf.lines)" -ge 50 ] || fail "perf found too little:" "$(cat perf.lines perf.err)"
	diff perf.lines pfmon.lines >differences || fail "$(cat differences)"
	says_not "$(cat perf.err)" "restricted"
}

test_perf_script_has_the_same_samples()
{
	recorded
	perf script -i perf.data -F tid,cpu,time,period,ip 2>/dev/null | awk '{ print $1, $2, $3, $4, $5 }' >perf.lines
	"$pfmon" script -1 -F tid,cpu,time,period,ip data 2>/dev/null | awk '{ print $1, $2, $3, $4, $5 }' >pfmon.lines
	[ "$(wc -l <perf.lines)" -ge 100 ] || fail "perf found too little:" "$(cat perf.lines)"
	cmp perf.lines pfmon.lines || fail "$(diff perf.lines pfmon.lines | head)"
}

test_the_kernel_is_one_file_and_has_names()
{
	recorded
	perf report --stdio -i perf.data --sort dso 2>perf.err | awk '/^ .*%/ { print $2 }' >files
	grep -qxF '[kernel.kallsyms]' files || fail "$(cat files)"
	perf script -i perf.data -F ip,sym 2>/dev/null | awk '$1 ~ /^ffff/' >kernel
	[ "$(wc -l <kernel)" -ge 20 ] || fail "$(cat kernel)"
	is unknown "$(grep -cF '[unknown]' kernel)" 0
}

test_of_another_kernel_perf_has_the_names_that_were_recorded()
{
	recorded
	# The release is in the first record: host, then texts.
	sed -i "s/$(uname -r)/$(uname -r | sed 's/^./9/')/" data
	status 0 "$pfmon" export -o perf.data data
	of_perf >perf.lines
	of_pfmon >pfmon.lines
	diff perf.lines pfmon.lines >differences || fail "$(cat differences)"
	says_not "$(cat perf.err)" "restricted"
	perf report --stdio -i perf.data --sort dso 2>perf.err | grep -qF '[kernel.kallsyms]' &&
		fail "it was taken for the kernel that runs"
	return 0
}

run_tests "$@"
