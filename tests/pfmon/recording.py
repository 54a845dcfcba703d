#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Write a recording as pfmon.data(5) describes it, without pfmon's own code.

recording.py FILE PROGRAM [WORD...]: samples at offsets of PROGRAM. A word is an offset
(0x...), "kernel" or "nowhere", for a sample each; further addresses, "0x1<0x2<0x3", are the
return addresses of its calls, the innermost first. Or "end", without which the recording is not
finished; "old": by an earlier pfmon, which recorded only build ids, and the program has none;
"swap": the other byte order for all following words, so it must be the first word.
"""
import functools
import os
import re
import struct
import subprocess
import sys
import time

UUID = bytes.fromhex("4d72bec00664414382b4d3fd27243c97")
PID, BASE, KERNEL = 4711, 0x10000000, 0xFFFFFFFF81000000
order = "<"


def pack(form, *values):
    return struct.pack(order + form, *values)


def record(kind, fixed, *texts, raw=b""):
    assert len(fixed) % 8 == 0
    rest = b"".join(text.encode() + b"\0" for text in texts) + raw
    rest += b"\0" * (-len(rest) % 8)
    return pack("IIQ", kind, 16 + len(fixed), 16 + len(fixed) + len(rest)) + fixed + rest


@functools.lru_cache
def identity(name):
    """Size, kind and bytes of the identity of the file."""
    try:
        at = os.stat(name)
    except OSError:
        return 0, 2, b""
    if os.path.isfile(name):
        notes = subprocess.run(["readelf", "-n", name], capture_output=True, text=True).stdout
        linked = re.search("Build ID: ([0-9a-f]+)", notes)
        if linked:
            bits = bytes.fromhex(linked.group(1))
            return len(bits), 0, bits
    return 32, 1, struct.pack("=QQQQ", at.st_ino, at.st_size, at.st_mtime_ns, at.st_ctime_ns)


def sample(address, moment):
    return pack("iiHHHHqQQ", PID, PID, 3, 0, 0, 0, -1000, moment, address)


def chain(addresses):
    kernel = [a for a in addresses if a >= KERNEL]
    user = addresses[len(kernel):]
    return pack("HHHH", len(kernel), len(user), 0, 0) + b"".join(pack("Q", a) for a in kernel + user)


def main():
    global order
    path, program, words = sys.argv[1], sys.argv[2], sys.argv[3:]
    if words[:1] == ["swap"]:
        order = ">"
    at = {"kernel": KERNEL + 5, "nowhere": 64}
    calls = [[at[a] if a in at else BASE + int(a, 16) for a in w.split("<")]
             for w in words if w not in ("end", "old", "swap")]
    samples = [sample(addresses[0], at) for at, addresses in enumerate(calls)]
    out = b"PFMDATA\n" + pack("IHHII", 0x01020304, 2, 0, 24, 0)
    out += record(1, b"", "node", "6.1", "x86_64", "PMU", "nhm")
    out += record(2, pack("II", 2, 0), program, "argument")
    began = time.time_ns() if "old" in words else 1700000000 * 10**9
    out += record(3, pack("QQ", began, 12345))
    out += record(4, UUID + pack("II", 2 << 16, 0))
    out += record(5, pack("HHIQQII16HQ", 3, 0, 1, 1000, 0, 0, 0, *[0] * 16, 0), "event:u", "EVENT")
    out += record(6, pack("IIiiII", 0, 1, PID, PID, 0, 0))
    known = (0, 0, b"") if "old" in words else identity(program)
    out += record(7, pack("iIQQQII32sQ", PID, 5, BASE, BASE + (1 << 30), 0, *known, 0), program)
    out += record(15, pack("iiQ", PID, PID, 0), "prog")
    out += record(10, pack("QQ", KERNEL, KERNEL + 16), "kernel_function", "")
    if any(len(addresses) > 1 for addresses in calls):
        out += record(41, pack("IIQ", 0, 0, len(calls)), raw=b"".join(chain(c) for c in calls))
    out += record(11, pack("IIQ", 0, 0, len(samples)), raw=b"".join(samples))
    out += record(12, pack("IIQQQQQQQQ", 0, 0, len(samples) + 2, len(samples), 2, 0, 0, 0, 0, 0))
    out += record(13, b"", "a note")
    if "end" in words:
        out += record(14, pack("QQiI", 5 * 10**8, len(samples), 0, 0))
    with open(path, "wb") as file:
        file.write(out)


if __name__ == "__main__":
    main()
