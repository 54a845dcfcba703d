#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perfmon.ko on a debug kernel without patches, whose checkers find faults that Debian's kernel does
# not report: loading and removing the module, and the fuzzer for a while. The lane debug-module has
# the interface.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stock=(--kernel stock-6.12 --debug --smp 2 --cpu 'Nehalem,pdcm=on,lbr-fmt=3')

plan 2
"$top/tools/vm/run" "${stock[@]}" --no-module --timeout 900 -- \
	"$here/cycles" "$top/build/kernel-stock-6.12/debug/module" 120 >"$work/out" 2>&1
is it_comes_and_goes_and_leaves_nothing "$? $(tail -n 1 "$work/out")" "0 120 cycles"
"$top/tests/fuzz/run" --module --smp 2 --time 120 >"$work/out" 2>&1
verdict random_commands_break_no_promise $? "$(cat "$work/out")"
finish
