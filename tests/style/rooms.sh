#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The modules of the core use each other as the diagram in Documentation/architecture.md shows, and
# in no circle; a violation is noticed, in a copy.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# copy: make a new copy in $work/copy
copy()
{
	rm -rf "$work/copy"
	mkdir -p "$work/copy/kernel" "$work/copy/Documentation" "$work/copy/tools/build"
	cp -r "$top/kernel/perfmon" "$work/copy/kernel"
	cp -r "$top/arch" "$top/formats" "$work/copy"
	cp "$top/Documentation/architecture.md" "$work/copy/Documentation"
	cp "$top/tools/build/rooms" "$work/copy/tools/build"
}

plan 8
passes the_drawing_is_that_of_the_code "$top/tools/build/rooms"
copy
echo '#include "run.h"' >>"$work/copy/kernel/perfmon/cpu.h"
fails a_circle_is_noticed "$work/copy/tools/build/rooms"
has it_is_named "$("$work/copy/tools/build/rooms" 2>&1)" 'in a circle'
copy
printf 'void pfm_early(void)\n{\n\tpfm_pmu_interrupt(0, 0);\n}\n' >>"$work/copy/kernel/perfmon/stats.c"
has a_call_that_closes_a_circle_is_noticed "$("$work/copy/tools/build/rooms" 2>&1)" 'in a circle'
copy
echo '#include "stats.h"' >>"$work/copy/kernel/perfmon/validate.c"
fails an_arrow_that_is_not_drawn_is_noticed "$work/copy/tools/build/rooms"
passes it_can_be_drawn "$work/copy/tools/build/rooms" --write
copy
echo '#include "../../../kernel/perfmon/message.h"' >>"$work/copy/arch/x86/perfmon/amd.c"
fails an_architecture_that_knows_the_queue_is_noticed "$work/copy/tools/build/rooms"
copy
echo '#include <asm/perfmon_msr.h>' >>"$work/copy/kernel/perfmon/cpu.c"
fails a_core_that_knows_an_architecture_is_noticed "$work/copy/tools/build/rooms"
finish
