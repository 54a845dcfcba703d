#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A compiler, sampled by pfmon and by perf: see beside_perf.sh. cc1 is called itself, and its
# addresses are not randomised.
# shellcheck disable=SC2317 # run_tests calls the functions by name
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
LIMIT=400
# shellcheck source-path=SCRIPTDIR source=beside_perf.sh
. "$here/beside_perf.sh"

compiler()
{
	echo setarch -R "$(gcc -print-prog-name=cc1)" -quiet -O2 \
		-imultiarch "$(gcc -print-multiarch)" -I"$top/include/uapi" \
		-o /dev/null "$top/tests/harness.c"
}

test_top_ten_of_a_compiler_agree_with_perf()
{
	# shellcheck disable=SC2046 # a list of words
	compare instructions:u instructions:u 10007 $(compiler)
}

test_top_ten_of_branches_agree_with_perf()
{
	# shellcheck disable=SC2046 # a list of words
	compare branches:u branches:u 5003 $(compiler)
}

run_tests "$@"
