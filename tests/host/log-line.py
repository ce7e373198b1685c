#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a person sees of kmem-account record: on a terminal (pyte, of a pseudo-terminal).

	log-line.py PROGRAM ROOT CASE

ROOT is a folder of log-fake.py, which runs; CASE a function below. The working folder is
free. Exit status 1 with what was wrong.
"""
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

import pyte

program, root, case = sys.argv[1:]
PATIENCE = 300  # s; for a machine that has other work
LINE = re.compile(r"^\d+ s, \d+ lost, \d+ records, \d+\.\d MB$")
PHASES = ["kmem-account: reading the kernel's symbols; nothing is recorded yet",
          "kmem-account: recording to got.log"]
END = re.compile(r"^kmem-account: got\.log: [\d.]+ s, [\d.]+ MB, \d+ records, \d+ lost; ended")


class Terminal:
    """A command on a terminal of its own, which has COLUMNS, and what it looks like."""

    def __init__(self, script, columns=80, term="vt100"):
        self.screen = pyte.Screen(columns, 24)
        self.stream = pyte.ByteStream(self.screen)
        self.bytes = b""
        self.began = time.monotonic()
        self.pid, self.fd = pty.fork()
        if not self.pid:
            self.resize(columns, 0)
            os.environ["TERM"] = term
            # a check that runs in the background was started with SIGINT ignored
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execvp("sh", ["sh", "-c", script])

    def resize(self, columns, fd=None):
        size = struct.pack("HHHH", 24, columns, 0, 0)
        fcntl.ioctl(self.fd if fd is None else fd, termios.TIOCSWINSZ, size)

    def rows(self):
        return [row.rstrip() for row in self.screen.display if row.strip()]

    def feed(self):
        """What came meanwhile; False at the end."""
        if not select.select([self.fd], [], [], 0.1)[0]:
            return True
        try:
            got = os.read(self.fd, 4096)
        except OSError:
            return False
        self.bytes += got
        self.stream.feed(got)
        return bool(got)

    def until(self, what, limit=1):
        """Until what() is; there are never more rows than LIMIT meanwhile."""
        while not what():
            assert time.monotonic() - self.began < PATIENCE, self.bytes
            assert self.feed(), ("ended before", self.bytes)
            assert len(self.rows()) <= limit, self.rows()

    def key(self, what):
        os.write(self.fd, what)

    def end(self):
        """The rows at the end, and its exit status."""
        while self.feed():
            assert time.monotonic() - self.began < PATIENCE, self.bytes
        return self.rows(), os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def record(options="", redirect=""):
    return f"exec {program} record --root {root} -o got.log --no-tasks {options} {redirect}"


def sums(records, lost):
    """The fake's counters from now on."""
    path = root + "/sys/kernel/debug/kmem_account/trace/overruns"
    with open(path + ".new", "w") as f:
        f.write(f"kmem_account overruns 1\n# cpu\trecords\tlost\tnmi\n0\t{records}\t{lost}\t0\n")
    os.rename(path + ".new", path)


def line():
    """It is there, follows what is counted, and nothing of it is left by Ctrl-C."""
    t = Terminal(record())
    t.until(lambda: t.rows() and LINE.match(t.rows()[0]))
    assert b"\rnothing is recorded yet, reading the kernel's symbols\x1b[K\r" in t.bytes, t.bytes
    t.until(lambda: ", 0 lost, 4028 records, " in t.rows()[0])
    assert t.screen.cursor.x == 0 and t.screen.cursor.y == 0
    sums(123456789, 42)
    t.until(lambda: ", 42 lost, 123456789 records, " in t.rows()[0])
    sums(7, 0)
    t.until(lambda: ", 0 lost, 7 records, " in t.rows()[0])
    assert LINE.match(t.rows()[0]), t.rows()
    t.key(b"\x03")
    rows, status = t.end()
    assert status == 0 and len(rows) == 1 and "^C" not in rows[0] and END.match(rows[0]), rows
    assert rows[0].endswith("ended by a signal"), rows


def narrow():
    """Never more than one row, and no number is cut."""
    t = Terminal(record(), columns=26)
    t.until(lambda: t.rows() and re.match(r"^\d+ s, 0 lost, 4028 records$", t.rows()[0]))
    assert b"\rnothing is recorded yet\x1b[K\r" in t.bytes, t.bytes
    sums(1234567, 0)
    t.until(lambda: re.match(r"^\d+ s, 0 lost$", t.rows()[0]))
    t.resize(6)
    t.screen.resize(columns=6)
    sums(1, 123456)
    at = len(t.bytes)
    t.until(lambda: re.search(rb"\r\d+ s\x1b\[K\r$", t.bytes[at:]), 2)
    t.key(b"\x03")
    assert t.end()[1] == 0
    assert b"ended by a signal" in t.bytes, t.bytes


def dumb():
    t = Terminal(record("--duration 1.2"), term="dumb")
    rows, status = t.end()
    assert status == 0 and b"\x1b" not in t.bytes and b"\r" not in t.bytes.replace(b"\r\n", b""), t.bytes
    assert rows[:2] == PHASES and END.match("".join(rows[2:])), rows


def quiet():
    t = Terminal(record("-q --duration 1.2"))
    assert t.end() == ([], 0) and not t.bytes, t.bytes


def no_terminal():
    """stderr is a file; that stdin and stdout are terminals does not matter."""
    t = Terminal(record("--duration 1.2", "2>said"))
    assert t.end() == ([], 0), t.bytes
    with open("said", "rb") as f:
        said = f.read()
    assert b"\r" not in said and b"\x1b" not in said, said
    rows = said.decode().splitlines()
    assert rows[:2] == PHASES and len(rows) == 3 and END.match(rows[2]), rows


def background():
    """Another job has the terminal."""
    t = Terminal(f"set -m; ({record('--duration 1.2', '2>&1')}) & wait")
    t.end()
    assert b"lost, " not in t.bytes and PHASES[1].encode() in t.bytes, t.bytes
    assert b" lost; ended after --duration" in t.bytes, t.bytes


def command():
    """A command that writes to the terminal has it for itself."""
    t = Terminal(record("-- sh -c 'printf one; sleep 1.2; echo two'"))
    rows, status = t.end()
    assert status == 0 and b"\x1b" not in t.bytes and rows[:3] == PHASES + ["onetwo"], t.bytes
    assert END.match("".join(rows[3:])), rows


def aside():
    """One that does not write there leaves the line."""
    t = Terminal(record("-- sh -c 'while [ ! -e stop ]; do sleep 0.1; done'", ">out"))
    t.until(lambda: t.rows() and LINE.match(t.rows()[0]))
    open("stop", "w").close()
    rows, status = t.end()
    assert status == 0 and len(rows) <= 2 and END.match("".join(rows)), rows


def error():
    """What went wrong is no part of the line."""
    t = Terminal(f"exec {program} record --root {root} -o /dev/full --no-tasks --size 100G")
    rows, status = t.end()
    assert status == 1 and re.match(r"^kmem-account: /dev/full: cannot write: ", rows[0]), rows


try:
    globals()[case]()
except AssertionError as e:
    sys.exit(f"{case}: {e}")
