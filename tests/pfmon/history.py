#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Write a recording of two processes over time as pfmon.data(5) describes it, without pfmon's
own code.

history.py FILE PROGRAM OFFSET [WORD...]: process 100 runs PROGRAM and has samples at OFFSET
of it; its child 101 executes PROGRAM as well. Words: "unfinished"; "one", only the first event;
"empty", without samples; "odd", with names that are hard to write; "lib=FILE", 101 has FILE in
place of PROGRAM; "many", with 100,000 more samples. The times in the file are not in order.
"""
import struct
import sys

from recording import identity

UUID = bytes.fromhex("4d72bec00664414382b4d3fd27243c97")
PARENT, CHILD, BASE, OTHER, KERNEL = 100, 101, 0x10000000, 0x50000000, 0xFFFFFFFF81000000
SECOND, MICRO = 10**9, 10**3


def record(kind, fixed, *texts, raw=b""):
    rest = b"".join(text.encode(errors="surrogateescape") + b"\0" for text in texts) + raw
    rest += b"\0" * (-len(rest) % 8)
    return struct.pack("<IIQ", kind, 16 + len(fixed), 16 + len(fixed) + len(rest)) + fixed + rest


def event(pmd, period, name, *bodies):
    fixed = struct.pack("<HHIQQII16HQ", pmd, 0, 3, period, 0, 0, len(bodies), *[0] * 17)
    return record(5, fixed, name, "FULL_" + name, *bodies)


def mapping(pid, start, name, time):
    return record(7, struct.pack("<iIQQQII32sQ", pid, 5, start, start + (1 << 24), 0,
                                 *identity(name), time), name)


def comm(tid, name, time):
    return record(15, struct.pack("<iiQ", tid, tid, time), name)


def sample(pid, cpu, pmd, period, time, address, *values):
    return struct.pack("<iiHHHHqQQ", pid, pid, pmd, 0, cpu, 0, -period, time, address) + \
        struct.pack("<%dQ" % len(values), *values)


def samples(context, taken):
    return record(11, struct.pack("<IIQ", context, 0, len(taken)), raw=b"".join(taken))


def at(microseconds):
    return SECOND + microseconds * MICRO


def main():
    path, program, words = sys.argv[1], sys.argv[2], sys.argv[4:]
    offset = int(sys.argv[3], 16)
    odd = "odd" in words
    library = next((w[4:] for w in words if w.startswith("lib=")), program)
    place = BASE + offset
    here = [sample(PARENT, 0, 3, 1000, at(5), place, 7),
            sample(PARENT, 0, 3, 1000, at(1), place, 8),
            sample(PARENT, 0, 3, 1003, at(3), KERNEL + 5, 9)]
    there = [sample(CHILD, 1, 3, 1000, at(2), place, 10),
             sample(CHILD, 1, 3, 1000, at(7), OTHER + offset, 12)]
    if "one" not in words:
        there.insert(1, sample(CHILD, 1, 4, 500, at(4), KERNEL + 6))
    if "many" in words:
        here += [sample(PARENT, 0, 3, 1000, at(10 + i), place, i) for i in range(100000)]
    if "empty" in words:
        here, there = [], []
    out = b"PFMDATA\n" + struct.pack("<IHHII", 0x01020304, 2, 0, 24, 0)
    out += record(1, b"", "node", "6.1-none", "x86_64", "PMU", "nhm")
    command = [program, "a<b>&\"'c]]>\x1b\udcff"] if odd else [program, "argument"]
    out += record(2, struct.pack("<II", len(command), 0), *command)
    out += record(3, struct.pack("<QQ", 1700000000 * SECOND, SECOND))
    out += record(4, UUID + struct.pack("<II", 2 << 16, 0))
    out += event(3, 1000, "cycles", "stores")
    if "one" not in words:
        out += event(4, 500, "LOADS:k")
    out += record(6, struct.pack("<IIiiII", 0, 1, PARENT, PARENT, 0, 0))
    out += record(6, struct.pack("<IIiiII", 1, 2, 0, 0, 1, 0))
    out += record(9, struct.pack("<iIQ", CHILD, 0, at(6)))
    out += mapping(CHILD, OTHER, library, at(6))
    out += comm(CHILD, "se;co<nd> 2" if odd else "second", at(6))
    out += samples(1, there)
    out += record(16, struct.pack("<iiiiQ", CHILD, CHILD, PARENT, PARENT, at(2)))
    out += mapping(PARENT, BASE, program, 0)
    out += comm(PARENT, "first", 0)
    out += samples(0, here)
    out += record(17, struct.pack("<iiQ", CHILD, CHILD, at(9)))
    out += record(10, struct.pack("<QQ", KERNEL, KERNEL + 16),
                  "kernel<function>" if odd else "kernel_function", "")
    taken = len(here) + len(there)
    out += record(13, b"", "a note")
    if "unfinished" not in words:
        out += record(14, struct.pack("<QQiI", SECOND // 2, taken, 0, 0))
    with open(path, "wb") as file:
        file.write(out)


main()
