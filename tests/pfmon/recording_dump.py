#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
recording_dump.py FILE: what is in a recording, as pfmon.data(5) describes it, a line each:

    event NAME PERIOD       map START END NAME      unmap START END     exec
    sample ADDRESS PERIOD   lost OVERFLOWS RECORDED FULL ERROR THROTTLED MESSAGES
    note TEXT               end SAMPLES STATUS FLAGS
"""
import struct
import sys


def text(raw):
    return raw.split(b"\0", 1)[0].decode(errors="replace")


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    magic, order, major, _, at, _ = struct.unpack_from("8sIHHII", data)
    assert magic == b"PFMDATA\n" and order == 0x01020304 and major == 1
    while at < len(data):
        kind, fixed, size = struct.unpack_from("IIQ", data, at)
        head, rest = data[at + 16:at + fixed], data[at + fixed:at + size]
        assert size % 8 == 0 and fixed % 8 == 0 and len(rest) == size - fixed
        if kind == 5:
            print("event", text(rest), struct.unpack_from("HHIQ", head)[3])
        elif kind == 7:
            _, _, start, end = struct.unpack_from("iIQQ", head)
            print(f"map {start:x} {end:x} {text(rest)}")
        elif kind == 8:
            _, _, start, end = struct.unpack_from("iIQQ", head)
            print(f"unmap {start:x} {end:x}")
        elif kind == 9:
            print("exec")
        elif kind == 11:
            assert len(rest) == 40 * struct.unpack_from("IIQ", head)[2]
            for i in range(0, len(rest), 40):
                reset, _, address = struct.unpack_from("qQQ", rest, i + 16)
                print(f"sample {address:x} {-reset}")
        elif kind == 12:
            print("lost", *struct.unpack_from("IIQQQQQQ", head)[2:])
        elif kind == 13:
            print("note", text(rest))
        elif kind == 14:
            print("end", *struct.unpack_from("QQiI", head)[1:])
        at += size


main()
