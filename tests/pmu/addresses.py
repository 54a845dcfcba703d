#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The addresses of a table's MSRs, by the kernel's names for them.

addresses.py TABLE HEADER... REGISTERS: the headers have the kernel's names, REGISTERS is the
output of `pfmon info --registers` for the table. Prints a line for each register that has another
address, or that no rule here names, and finally the number of registers compared.
"""
import re
import sys

# The register's name, with # for its number; the kernel's name of the first one; the distance
# between two registers.
RULES = [
    ("IA32_PERFEVTSEL#", "MSR_ARCH_PERFMON_EVENTSEL0", 1),
    ("IA32_PMC#", "MSR_ARCH_PERFMON_PERFCTR0", 1),
    ("IA32_FIXED_CTR#", "MSR_ARCH_PERFMON_FIXED_CTR0", 1),
    ("PERFEVTSEL#", "MSR_P6_EVNTSEL0", 1),
    ("PERFCTR#", "MSR_P6_PERFCTR0", 1),
    ("LASTBRANCH_#_FROM_IP", "MSR_ARCH_LBR_FROM_0", 1),
    ("LASTBRANCH_#_TO_IP", "MSR_ARCH_LBR_TO_0", 1),
]
AMD_OLD = [("PERF_CTL#", "MSR_K7_EVNTSEL0", 1), ("PERF_CTR#", "MSR_K7_PERFCTR0", 1)]
AMD_CORE = [("PERF_CTL#", "MSR_F15H_PERF_CTL", 2), ("PERF_CTR#", "MSR_F15H_PERF_CTR", 2)]
ALIASES = {
    "IA32_FIXED_CTR_CTRL": "MSR_ARCH_PERFMON_FIXED_CTR_CTRL",
    "IA32_PEBS_ENABLE": "MSR_IA32_PEBS_ENABLE",
    "MSR_PEBS_LD_LAT": "MSR_PEBS_LD_LAT_THRESHOLD",
    "IA32_DEBUGCTL": "MSR_IA32_DEBUGCTLMSR",
    "IA32_LBR_CTL": "MSR_ARCH_LBR_CTL",
    "IBS_FETCH_CTL": "MSR_AMD64_IBSFETCHCTL",
    "IBS_FETCH_LINADDR": "MSR_AMD64_IBSFETCHLINAD",
    "IBS_FETCH_PHYSADDR": "MSR_AMD64_IBSFETCHPHYSAD",
    "IC_IBS_EXTD_CTL": "MSR_AMD64_ICIBSEXTDCTL",
    "IBS_OP_CTL": "MSR_AMD64_IBSOPCTL",
    "IBS_OP_RIP": "MSR_AMD64_IBSOPRIP",
    "IBS_OP_DATA": "MSR_AMD64_IBSOPDATA",
    "IBS_OP_DATA2": "MSR_AMD64_IBSOPDATA2",
    "IBS_OP_DATA3": "MSR_AMD64_IBSOPDATA3",
    "IBS_OP_DATA4": "MSR_AMD64_IBSOPDATA4",
    "IBS_DC_LINADDR": "MSR_AMD64_IBSDCLINAD",
    "IBS_DC_PHYSADDR": "MSR_AMD64_IBSDCPHYSAD",
    "BP_IBSTGT_RIP": "MSR_AMD64_IBSBRTARGET",
}


def kernel_names(headers):
    names = {}
    for header in headers:
        with open(header, encoding="utf-8") as lines:
            for line in lines:
                found = re.match(r"#\s*define\s+(MSR_\w+)\s+(0x[0-9a-fA-F]+)\b", line)
                if found:
                    names[found[1]] = int(found[2], 16)
    return names


def expected(name, rules, names):
    """The kernel's address of a register, or None."""
    pentium4 = name.replace("MSR_", "MSR_P4_", 1).replace("_COUNTER", "_PERFCTR")
    for kernel in (ALIASES.get(name), name, pentium4):
        if kernel in names:
            return names[kernel]
    for pattern, first, step in rules:
        found = re.fullmatch(pattern.replace("#", r"(\d+)"), name)
        if found and first in names:
            return names[first] + step * int(found[1])
    return None


def main(table, headers, registers):
    core = table in ("amd_core", "amd_v2")
    rules = RULES + (AMD_CORE if core else AMD_OLD)
    names = kernel_names(headers)
    compared = 0
    with open(registers, encoding="utf-8") as lines:
        for line in lines:
            found = re.match(r"PM[CD]\d+\s+(\S+)\s+MSR\s+0x([0-9a-f]+)\s", line)
            if not found:
                continue
            compared += 1
            want = expected(found[1], rules, names)
            if want is None:
                print(f"{table}: no name of the kernel's for {found[1]} (0x{found[2]})")
            elif want != int(found[2], 16):
                print(f"{table}: {found[1]} is at 0x{found[2]}, to the kernel at {want:#x}")
    print(compared)


main(sys.argv[1], sys.argv[2:-1], sys.argv[-1])
