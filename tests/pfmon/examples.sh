#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# examples/ is built as a user builds it: against the installed library, through pkg-config,
# dynamically and statically; and the programs' messages if nothing counts.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
top=$(dirname "$(dirname "$here")")

# build_examples [VARIABLE=VALUE...]: into bin/
build_examples()
{
	PREFIX=$PWD/root "$top/tools/build/install" >/dev/null || return
	mkdir -p bin
	export LD_LIBRARY_PATH=$PWD/root/lib
	PKG_CONFIG_PATH=$PWD/root/lib/pkgconfig make -s -C "$top/examples" O="$PWD/bin" \
		CFLAGS='-O2 -Werror' CXXFLAGS='-O2 -Werror' "$@"
}

test_they_are_built_against_the_shared_library()
{
	build_examples || fail "they do not compile"
	is 'what they are linked with' \
		"$(readelf -d bin/count | sed -n 's/.*NEEDED.*\[\(lib\(perfmon\|pfm\).*\)\]/\1/p')" libperfmon.so.0
}

test_they_are_built_against_the_archive()
{
	build_examples STATIC=1 || fail "they do not compile"
	is 'what they are linked with' "$(readelf -d bin/count | grep -c NEEDED)" 0
}

# The archive defines no names but the interface's, so all others are free for a program.
test_the_archive_has_names_with_the_prefix_only()
{
	nm -g --defined-only "$top/build/lib/libperfmon.a" | awk 'NF == 3 { print $3 }' >names
	[ "$(wc -l <names)" -ge 60 ] || fail "$(cat names)"
	is others "$(grep -v ^perfmon names)" ''
}

test_where_nothing_counts_they_say_so()
{
	local program

	build_examples || fail "they do not compile"
	export PERFMON=nothing
	for program in "count 1" "registers 1" "samples 1000 cycles true"; do
		# shellcheck disable=SC2086 # a program and its arguments
		status 1 bin/$program
		says "$(cat err)" "the environment variable PERFMON names no way to count: 'nothing'"
	done
	bin/scope 1 >out.scope 2>err
	says "$(cat err)" "names no way to count"
}

# The program goes on: it has a purpose besides its regions.
test_where_nothing_counts_regions_say_so_and_the_program_goes_on()
{
	build_examples || fail "they do not compile"
	PERFMON=nothing PERFMON_REGIONS=report status 0 bin/regions 1
	says "$(cat err)" "regions: regions are not counted: the environment variable PERFMON"
	[ ! -e report ] || fail "$(cat report)"
}

test_without_a_wish_regions_are_silent()
{
	build_examples || fail "they do not compile"
	PERFMON=nothing status 0 bin/regions 1
	is 'what it says' "$(cat out err 2>/dev/null)" ''
}

run_tests "$@"
