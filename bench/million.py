#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
million.py FILE [SAMPLES]: write a recording like one of a build: 20 processes one after the
other, samples in a compiler, its libraries, another program and the kernel, in order of time.

The distribution of functions is that of real profiles: few of them often and very many seldom.
The random numbers have a fixed seed, so each run has the same samples of the same files.
"""
import random
import struct
import subprocess
import sys

UUID = bytes.fromhex("4d72bec00664414382b4d3fd27243c97")
KERNEL, KERNEL_FUNCTIONS = 0xFFFFFFFF81000000, 3000
PROCESSES, BATCH, PERIOD = 20, 800, 100000
# Shares of 100 samples.
SHARES = {"cc1": 62, "libc": 12, "python3": 8, "libstdc++": 3, "kernel": 15}


def record(kind, fixed, *texts, raw=b""):
    rest = b"".join(text.encode() + b"\0" for text in texts) + raw
    rest += b"\0" * (-len(rest) % 8)
    return struct.pack("<IIQ", kind, 16 + len(fixed), 16 + len(fixed) + len(rest)) + fixed + rest


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def files():
    gcc = lambda *words: output("gcc", *words).strip()
    return {
        "cc1": gcc("-print-prog-name=cc1"),
        "libc": output("realpath", gcc("-print-file-name=libc.so.6")).strip(),
        "libstdc++": output("realpath", gcc("-print-file-name=libstdc++.so.6")).strip(),
        "python3": output("realpath", "/usr/bin/python3").strip(),
    }


def code(path):
    """The offset and size of the code in the file, and its build id."""
    lines = output("readelf", "-lnW", path).splitlines()
    fields = next(l.split() for l in lines if l.split()[:1] == ["LOAD"] and " E " in l[60:])
    ids = [l.split()[-1] for l in lines if "Build ID:" in l]
    return int(fields[1], 16), int(fields[4], 16), bytes.fromhex(ids[0]) if ids else b""


class Places:
    """Addresses. The first ones are drawn far more often than the last."""

    def __init__(self, start, size, draw):
        self.at = [start + draw.randrange(0, size) for _ in range(size // 40)]

    def choose(self, draw):
        return self.at[int(len(self.at) * draw.random() ** 5)]


def main():
    path, samples = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
    draw = random.Random(1)
    out = [b"PFMDATA\n" + struct.pack("<IHHII", 0x01020304, 2, 0, 24, 0),
           record(1, b"", "node", "6.1", "x86_64", "Intel Nehalem", "nhm"),
           record(2, struct.pack("<II", 1, 0), "make"), record(3, struct.pack("<QQ", 17 * 10**17, 0)),
           record(4, UUID + struct.pack("<II", 2 << 16, 0)),
           record(5, struct.pack("<HHIQQII16HQ", 17, 0, 3, PERIOD, 0, 0, 0, *[0] * 16, 0),
                  "cycles", "CYCLES")]
    places, maps = {}, []
    for number, (name, file) in enumerate(files().items()):
        offset, size, build_id = code(file)
        base = 0x7F0000000000 + (number << 32)
        places[name] = Places(base, size, draw)
        maps.append((base, base + (size + 0xFFF & ~0xFFF), offset, build_id, file))
    places["kernel"] = Places(KERNEL, KERNEL_FUNCTIONS * 256, draw)
    out += [record(10, struct.pack("<QQ", KERNEL + 256 * i, KERNEL + 256 * (i + 1)),
                   "kernel_function_%d" % i, "") for i in range(KERNEL_FUNCTIONS)]
    names = [name for name, share in SHARES.items() for _ in range(share)]
    time, left = 1000, samples
    for process in range(PROCESSES):
        pid, n = 1000 + process, left // (PROCESSES - process)
        left -= n
        out.append(record(6, struct.pack("<IIiiII", process, 1, pid, pid, 0, 0)))
        out.append(record(15, struct.pack("<iiQ", pid, pid, time), "cc1"))
        out += [record(7, struct.pack("<iIQQQII32sQ", pid, 5, start, end, offset, len(id), 0, id, time),
                       file) for start, end, offset, id, file in maps]
        while n:
            batch = min(n, BATCH)
            n -= batch
            rows = []
            for _ in range(batch):
                time += 1000
                address = places[names[draw.randrange(100)]].choose(draw)
                rows.append(struct.pack("<iiHHHHqQQ", pid, pid, 17, 0, 0, 0, -PERIOD, time, address))
            out.append(record(11, struct.pack("<IIQ", process, 0, batch), raw=b"".join(rows)))
        out.append(record(12, struct.pack("<IIQQQQQQQQ", process, 0, samples, samples, *[0] * 6)))
    out.append(record(14, struct.pack("<QQiI", time, samples, 0, 0)))
    with open(path, "wb") as file:
        file.write(b"".join(out))


main()
