#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# terminal.py LINES COLUMNS ACTION... -- COMMAND [ARG...]
#
# Run a command on a terminal of that size, and do one action after the other:
#
#	wait=TEXT	wait until it has written that since the last action
#	key=TEXT	type that; \e is an escape
#	size=LxC	make the terminal another size
#	signal=NAME	send a signal
#	show=NAME	wait for a whole screen, from the corner on, and write it, plain, to a file
#	colours=NAME	the same as it is
#	end		wait for its end; say its status, and whether the terminal is as it was
#
# Fails if an expected output does not come within 60 seconds (times PERFMON_PATIENCE).
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

limit = 60 * int(os.environ.get("PERFMON_PATIENCE", "1"))
corner = b"\x1b[H"


class Terminal:
    def __init__(self, size, command):
        self.master, self.slave = pty.openpty()
        self.resize(size)
        self.before = termios.tcgetattr(self.slave)
        self.seen = b""
        self.pid = os.fork()
        if not self.pid:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for fd in range(3):
                os.dup2(self.slave, fd)
            os.closerange(3, 100)
            os.execvp(command[0], command)

    def resize(self, size):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))

    # Until the output since then matches.
    def until(self, fits, what):
        end = time.monotonic() + limit
        while not fits(self.seen):
            if time.monotonic() > end:
                sys.exit(f"{what} did not come, but {self.seen[-2000:]!r}")
            if select.select([self.master], [], [], 0.1)[0]:
                self.seen += os.read(self.master, 65536)

    def screen(self, name, plain):
        self.seen = b""
        self.until(lambda seen: seen.count(corner) > 2, "a screen")
        text = self.seen.split(corner)[-2]
        if plain:
            text = re.sub(rb"\x1b\[[0-9?;]*[A-Za-z]", b"", text)
        with open(name, "wb") as file:
            file.write(text.replace(b"\r", b"") + b"\n")

    def end(self):
        done = []

        def ended(_):
            if not done:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                done.extend([status] if pid else [])
            return done
        self.until(ended, "the end")
        same = termios.tcgetattr(self.slave) == self.before
        while select.select([self.master], [], [], 0)[0]:
            self.seen += os.read(self.master, 65536)
        print("status", os.waitstatus_to_exitcode(done[0]))
        print("terminal", "as it was" if same else "changed")
        print("screen", "left" if b"\x1b[?1049l" in self.seen else "kept")

    def act(self, action):
        what, _, value = action.partition("=")
        if what == "wait":
            self.until(lambda seen: value.encode() in seen, value)
        elif what == "key":
            os.write(self.master, value.replace("\\e", "\x1b").encode())
        elif what == "size":
            self.resize([int(n) for n in value.split("x")])
        elif what == "signal":
            os.kill(self.pid, signal.Signals["SIG" + value])
        elif what in ("show", "colours"):
            self.screen(value, what == "show")
        else:
            self.end()
        if what != "end":
            self.seen = b""


mark = sys.argv.index("--")
size = [int(n) for n in sys.argv[1:3]]
terminal = Terminal(size, sys.argv[mark + 1:])
for action in sys.argv[3:mark]:
    terminal.act(action)
