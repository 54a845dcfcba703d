#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Watch a guest become idle while QEMU's main thread is busy.

idle.py DIRECTORY ROUNDS COMMAND...: COMMAND runs a guest, whose monitor is DIRECTORY/monitor (QMP)
and whose thread of processors is late once there is DIRECTORY/late (late_lock.c). The guest prints
"a" when it is awake and "b" when it is about to be idle for 300 ms, ROUNDS times. From "a" until a
few milliseconds after "b" the monitor gets commands, which keep QEMU's main thread busy and do not
wake the guest; then QEMU is left alone. A line if an "a" does not come.
"""
import random
import select
import socket
import subprocess
import sys
import time

LIMIT = 20      # seconds for what takes 300 ms
BOOT_LIMIT = 120


class Monitor:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.recv(4096)  # its greeting
        self.execute("qmp_capabilities")

    def execute(self, command):
        self.socket.send(b'{"execute": "%s"}\n' % command.encode())
        self.socket.recv(4096)


class Guest:
    def __init__(self, command):
        self.run = subprocess.Popen(command, bufsize=0, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE)

    def has_said(self, limit):
        return bool(select.select([self.run.stdout], [], [], limit)[0])

    def says(self, wanted, limit):
        return self.has_said(limit) and self.run.stdout.read(2) == wanted


def disturb(guest, monitor):
    """Until the guest is idle: its kernel's own timers wake it for a while after it has said so."""
    while not guest.has_said(0):
        monitor.execute("query-status")
    end = time.monotonic() + random.uniform(0, 0.08)
    while time.monotonic() < end:
        monitor.execute("query-status")


def main():
    directory, rounds, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    guest = Guest(command)
    monitor = None
    for i in range(rounds):
        if not guest.says(b"a\n", LIMIT if i else BOOT_LIMIT):
            print(f"round {i}: the guest stands still")
            break
        if not monitor:
            monitor = Monitor(directory + "/monitor")
            with open(directory + "/late", "w"):
                pass
        disturb(guest, monitor)
        if not guest.says(b"b\n", 0):
            print(f"round {i}: the guest said something else")
            break
    guest.run.terminate()
    guest.run.wait()


main()
