#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runs: host
#
# The table of PMUs in Documentation/pmu-matrix.md is compared with a run, in a small tree of its own.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{tests,build/bin,run/host-0}
cp "$here/../matrix" "$work/tests"
printf '#!/bin/sh\nprintf "one Intel One\\ntwo Intel Two\\n"\n' >"$work/build/bin/pfmon"
chmod +x "$work/build/bin/pfmon"

# A run's lines: passed, table, kernel, how.
ran()
{
	printf '%s\t%s\t%s\t%s\n' "$@" >"$work/run/host-0/machines"
}

readme()
{
	mkdir -p "$work/Documentation"
	cat >"$work/Documentation/pmu-matrix.md" <<-'END'
		| What works | |
		|---|---|
		| One: all of it, and more | partly: by hand, and no more |

		<!-- Written by tests/matrix --write. -->
		| PMU | Linux 6.1 | Linux 6.12 |
		|---|---|---|
		| Intel One | emulated hardware: 2, validated | validated |
		| Intel Two | validated | emulated hardware: 42, validated |
		<!-- To here. -->
	END
}

all=(1 'Intel One' 6.1 validated 1 'Intel One' 6.12 validated 1 'Intel Two' 6.1 validated
	1 'Intel Two' 6.12 validated 1 'Intel One' 6.1 'emulated hardware')
two=(5 'Intel Two' 6.12 'emulated hardware')

plan 8
readme
ran "${all[@]}" "${two[@]}"
passes the_same_table_is_accepted "$work/tests/matrix" "$work/run"
ran "${all[@]}"
fails a_cell_with_less_is_not "$work/tests/matrix" "$work/run"
echo ppc64le/newer >"$work/run/left-out"
passes but_is_when_the_run_left_tests_out "$work/tests/matrix" "$work/run"
fails which_is_no_run_to_write_down "$work/tests/matrix" --write "$work/run"
ran "${all[@]}" 1 'Intel Two' 6.1 itself
fails more_in_a_cell_never_is "$work/tests/matrix" "$work/run"
ran "${all[@]}" 1 'Intel Three' 6.1 itself
fails and_another_pmu_never_is "$work/tests/matrix" "$work/run"
rm "$work/run/left-out"
ran "${all[@]}"
passes a_run_is_written_down "$work/tests/matrix" --write "$work/run"
passes and_then_the_same "$work/tests/matrix" "$work/run"
finish
