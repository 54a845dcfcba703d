#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Write a recording as pfmon.data(5) describes it, of lines on standard input:

    host NAME                       the machine's name (node)
    event NAME PERIOD [SET]         a sampled event; the first one is number 0 (event:u 1000)
    map PID FILE [BUILD_ID]         a mapping of FILE's bytes, from the beginning on
    comm PID TID NAME               a thread's name
    sample N OFFSET [KEY=VALUE...]  N samples at an offset of the file, or at kernel, module,
                                    nowhere or jit; keys: pid, tid, cpu, ms, event, and
                                    branches=FROM/TO[/FLAGS[/CYCLES]],...: places, the latest first
    lost FULL THROTTLED MASKED_NS SUSPENDED_NS
    note TEXT

samples.py FILE
"""
import struct
import sys

from recording import identity

UUID = bytes.fromhex("4d72bec00664414382b4d3fd27243c97")
BASE, JIT, KERNEL, MODULE = 0x10000000, 0x70000000, 0xFFFFFFFF81000000, 0xFFFFFFFFC0000000
PLACES = {"kernel": KERNEL + 5, "module": MODULE + 5, "nowhere": 64, "jit": JIT + 7}


def address(place):
    return PLACES[place] if place in PLACES else BASE + int(place, 16)


def record(kind, fixed, *texts, raw=b""):
    assert len(fixed) % 8 == 0
    rest = b"".join(text.encode() + b"\0" for text in texts) + raw
    rest += b"\0" * (-len(rest) % 8)
    size = 16 + len(fixed) + len(rest)
    return struct.pack("<IIQ", kind, 16 + len(fixed), size) + fixed + rest


class Recording:
    def __init__(self):
        self.host, self.events, self.lost = "node", [], [0, 0, 0, 0]
        self.records, self.samples, self.count = b"", bytearray(), 0
        self.branches, self.details = bytearray(), bytearray()

    def map(self, pid, name, build_id=""):
        bits = bytes.fromhex(build_id)
        what = (len(bits), 0, bits) if bits else identity(name)
        fixed = struct.pack("<iIQQQII32sQ", int(pid), 5, BASE, BASE + (1 << 30), 0, *what, 0)
        self.records += record(7, fixed, name)
        self.records += record(18, struct.pack("<iIQQQ", int(pid), 0, JIT, JIT + 64, 0), "jitted")

    def comm(self, pid, tid, name):
        self.records += record(15, struct.pack("<iiQ", int(pid), int(tid), 0), name)

    def sample(self, number, place, *pairs):
        keys = {"pid": 100, "cpu": 0, "ms": 0, "event": 0}
        words = dict(pair.split("=") for pair in pairs)
        self.branch(int(number), words.pop("branches", ""))
        keys.update((key, int(value)) for key, value in words.items())
        name, period, which = self.events[keys["event"]]
        at = address(place)
        tid, time = keys.get("tid", keys["pid"]), 5 * 10**9 + keys["ms"] * 10**6
        entry = struct.pack("<iiHHHHqQQ", keys["pid"], tid, 3 + keys["event"], which,
                            keys["cpu"], 0, -period, time, at)
        self.samples += int(number) * entry
        self.count += int(number)

    def branch(self, number, text):
        """The branches of each of so many samples."""
        branches = [word.split("/") for word in text.split(",") if word]
        words = struct.pack("<Q", len(branches))
        details = b""
        for branch in branches:
            words += struct.pack("<QQ", address(branch[0]), address(branch[1]))
            details += struct.pack("<II", *(int(word, 0) for word in (branch + ["0", "0"])[2:4]))
        self.branches += number * words
        self.details += number * details

    def beside(self):
        """The records that belong to the samples."""
        fixed, out = struct.pack("<IIQ", 0, 0, self.count), b""
        if any(self.details):
            out += record(43, fixed, raw=self.details)
        if any(self.branches):
            out += record(40, fixed, raw=self.branches)
        return out

    def line(self, words):
        verb, rest = words[0], words[1:]
        if verb == "host":
            self.host = rest[0]
        elif verb == "event":
            self.events.append((rest[0], int(rest[1]), int(rest[2]) if rest[2:] else 0))
        elif verb == "lost":
            self.lost = [int(word) for word in rest]
        elif verb == "note":
            self.records += record(13, b"", " ".join(rest))
        else:
            if verb == "sample" and not self.events:
                self.events.append(("event:u", 1000, 0))
            getattr(self, verb)(*rest)

    def bytes(self):
        full, throttled, masked, suspended = self.lost
        out = b"PFMDATA\n" + struct.pack("<IHHII", 0x01020304, 2, 0, 24, 0)
        out += record(1, b"", self.host, "6.1", "x86_64", "PMU", "nhm")
        out += record(2, struct.pack("<II", 2, 0), "program", "argument")
        out += record(3, struct.pack("<QQ", 1700000000 * 10**9, 12345))
        out += record(4, UUID + struct.pack("<II", 2 << 16, 0))
        for number, (name, period, which) in enumerate(self.events):
            out += record(5, struct.pack("<HHIQQII16HQ", 3 + number, which, 1, period, 0, 0, 0,
                                         *[0] * 17), name, name.upper())
        out += record(6, struct.pack("<IIiiII", 0, 2, 0, 0, 0, 0)) + self.records
        out += record(10, struct.pack("<QQ", KERNEL, KERNEL + 16), "kernel_function", "")
        out += record(10, struct.pack("<QQ", MODULE, MODULE + 16), "module_function", "[module]")
        out += self.beside() + record(11, struct.pack("<IIQ", 0, 0, self.count), raw=self.samples)
        out += record(12, struct.pack("<II8Q", 0, 0, self.count, self.count, full, 0, throttled,
                                      0, masked, suspended))
        return out + record(14, struct.pack("<QQiI", 5 * 10**8, self.count, 0, 0))


def main():
    recording = Recording()
    for line in sys.stdin:
        if line.split():
            recording.line(line.split())
    with open(sys.argv[1], "wb") as file:
        file.write(recording.bytes())


main()
