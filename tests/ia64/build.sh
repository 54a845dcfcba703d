#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A kernel for ia64, with perfmon and its hooks, compiles and links without a warning. It is not
# run: KUnit tests the code on a model of the registers.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
out=$top/build/kernel-6.1/ia64-plain
tool=$top/build/ia64/bin/ia64-linux-gnu-
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

# Functions that call this one, by the relocations of an object.
callers()
{
	"${tool}objdump" -dr "$out/$1" | awk -v name="$2" '
		/^[0-9a-f]+ <.*>:$/ { gsub(/[<>:]/, "", $2); fn = $2 }
		$0 ~ "[ \t]" name "($|[^A-Za-z0-9_])" && /PCREL|PLT|LTOFF/ { print fn }' | sort -u
}

plan 11
"$top/tools/vm/kernel" --arch ia64 plain >&2
is the_kernel_is_built "$?" 0
is nothing_is_warned_of "$(grep -ciE 'warning[: ]|undefined' "$out/build.log")" 0
has it_is_an_itaniums "$("${tool}readelf" -h "$out/vmlinux")" 'Machine: +Intel IA-64'
"${tool}nm" "$out/vmlinux" >"$out/symbols"
is its_system_calls_are_perfmons \
	"$(grep -cE ' T sys_(perfmonctl|pfm_[a-z_]+)$' "$out/symbols")" 17
has the_switch_of_threads_calls_it "$(callers kernel/sched/core.o pfm_ita_psr_switch)" '^(__schedule|context_switch.*)$'
has ptrace_asks_it "$(callers arch/ia64/kernel/ptrace.o pfm_ia64_debug_begin)" '^access_uarea$'
has an_exit_tells_it "$(callers arch/ia64/kernel/process.o pfm_ia64_debug_end)" '^exit_thread$'
has its_interrupt_has_its_vector \
	"$(grep -E 'define IA64_PERFMON_VECTOR' "$top/build/kernel-6.1/src/arch/ia64/include/asm/hw_irq.h")" 0xee
for model in itanium itanium2 montecito; do
	on_machine "$("$top/build/bin/pfmon" info --pmu list | sed -n "s/^$model  *//p")" compiled 6.1
	is "${model}_is_in_it" "$(grep -cE " [DdRr] pfm_$model\$" "$out/symbols")" 1
done
finish
