#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Timeouts where the timer is a tick: a guest without high resolution.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

plan 2
output=$("$top/tools/vm/run" --timeout 250 --append highres=off -- "$top/build/bin/tests/abi/set_timeouts" \
	the_effective_timeout_is_a_multiple_of_the_clocks_resolution 2>&1)
status=$?
# covers: 3.1.10-28
is timeouts_are_rounded_up_to_ticks "$status $(grep -c '^ok' <<<"$output")" "0 1"
# covers: 3.1.10-28
has the_resolution_is_a_tick "$output" '^# resolution [1-9][0-9]{6,} ns'
finish
