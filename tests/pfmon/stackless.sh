#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pfmon record -g on the debug kernel, where the format with call chains is a module, and not
# loaded.
set -u
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

pfmon=$(dirname "$(dirname "$here")")/build/bin/pfmon
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

plan 2
# An earlier test may have loaded it.
rmmod perfmon_stack_smpl 2>/dev/null
PERFMON=syscall "$pfmon" record -g -o "$work/data" true 2>"$work/err"
is the_status_is_pfmons "$?" 125
is the_way_out_is_named "$(grep -c -e 'has no call chains: its sampling format stack is not there' \
	-e perfmon_stack_smpl -e 'PERFMON=perf' "$work/err")" 2
finish
