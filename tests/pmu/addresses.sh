#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# addresses.sh - the address of each MSR in the tables of x86 PMUs is the kernel's own, by the names
# in its headers: a table with a wrong address would write to another register.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
pfmon=$top/build/bin/pfmon
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$here/../tap.sh"

"$top/tools/build/need" python3 || exit 1
"$top/tools/vm/kernel" source >&2 || exit 1
src=$top/build/kernel-6.1/src/arch/x86/include/asm

# compare TABLE REGISTERS: the differences, and the number of registers compared
compare()
{
	"$here/addresses.py" "$1" "$src/msr-index.h" "$src/perf_event.h" "$2"
}

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

mapfile -t tables < <("$pfmon" info --pmu list | awk '/Intel|Zhaoxin|AMD/ && !/Itanium/ { print $1 }')
plan $((${#tables[@]} + 2))
total=0
for table in "${tables[@]}"; do
	"$pfmon" info --registers --pmu "$table" >"$scratch/registers"
	result=$(compare "$table" "$scratch/registers")
	compared=$(tail -n 1 <<<"$result")
	total=$((total + compared))
	is "the_addresses_are_the_kernels ($table)" \
		"$(sed '$d' <<<"$result")$([ "$compared" -ge 4 ] || echo "$compared compared")" ''
done
echo "# $total addresses of ${#tables[@]} tables"

# The comparison finds faults: an address that is one off, and a register that the kernel does not
# know.
"$pfmon" info --registers --pmu nehalem | sed 's/ 0x1a6 / 0x1a7 /' >"$scratch/registers"
is a_wrong_address_is_found "$(compare nehalem "$scratch/registers" | sed '$d')" \
	'nehalem: MSR_OFFCORE_RSP_0 is at 0x1a7, to the kernel at 0x1a6'
"$pfmon" info --registers --pmu nehalem | sed 's/MSR_OFFCORE_RSP_0/MSR_OFFSHORE/' >"$scratch/registers"
is a_register_without_a_name_is_found "$(compare nehalem "$scratch/registers" | sed '$d')" \
	"nehalem: no name of the kernel's for MSR_OFFSHORE (0x1a6)"
finish
