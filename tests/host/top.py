#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a person sees of kmem-account top: on a terminal (pyte, of a pseudo-terminal).

	top.py PROGRAM CASE

CASE is a function below.  The working folder is free.  Accounts are written here, so that what
the screen has to show is known.  Exit status 1 with what was wrong.
"""
import csv
import fcntl
import os
import pty
import re
import resource
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

import pyte

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from module_text import SITES_ALL, sites_head, snapshot_head  # noqa: E402

program, case = sys.argv[1:]
PATIENCE = 300  # s; for a machine that has other work
DOWN, ENTER, ESCAPE = "\x1b[B", "\r", "\x1b"  # of TERM=linux
BASE = {"big+0x10/0x20": 5000000, "leak+0x1/0x9 [mod]": 1000, "small+0x2/0x3": 40}


def account(live, allocs=None, path="account"):
    """An account as the module writes one, in place of the one before."""
    total = sum(live.values())
    with open(path + ".new", "w") as f:
        nr = sum((allocs or {}).get(name, 1) for name in live)
        f.write(f"total bytes allocated: {total:11}\ntotal bytes requested: {total:11}\n"
                f"slack bytes allocated: {0:11}\nnumber of allocs: {nr:11}\nnumber of frees: {0:11}\n"
                f"number of callers: {len(live):11}\nfrees of unknown objects: {0:11}\n"
                f"implied frees: {0:11}\nevents not recorded: {0:11}\n\n"
                "   total    slack      req alloc/free  caller\n")
        for name, size in live.items():
            f.write(f"{size:8} {0:8} {size:8} {(allocs or {}).get(name, 1):5}/{0:<5}  {name}\n")
    os.rename(path + ".new", path)


class Terminal:
    """A command on a terminal of its own, and what it looks like.

    pyte knows the type linux; it lacks what xterm has to repeat a character.
    """

    def __init__(self, command, columns=100, lines=20, env=None):
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.bytes = b""
        self.began = time.monotonic()
        self.pid, self.fd = pty.fork()
        if not self.pid:
            self.size(columns, lines, 0)
            for name in ("NO_COLOR", "COLUMNS", "LINES"):
                os.environ.pop(name, None)
            os.environ.update({"TERM": "linux", "LC_ALL": "C.UTF-8", **(env or {})})
            # a check that runs in the background was started with SIGINT ignored
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execvp(command[0], command)

    def size(self, columns, lines, fd=None):
        fcntl.ioctl(self.fd if fd is None else fd, termios.TIOCSWINSZ,
                    struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns, lines):
        self.screen.resize(lines, columns)
        self.size(columns, lines)

    def rows(self):
        return [row.rstrip() for row in self.screen.display]

    def list(self):
        """The rows below the headings."""
        rows = self.rows()
        head = [i for i, row in enumerate(rows) if re.search(r"\bLIVE\b", row)][0]
        return [row for row in rows[head + 1:-1] if row]

    def feed(self):
        if not select.select([self.fd], [], [], 0.05)[0]:
            return True
        try:
            got = os.read(self.fd, 65536)
        except OSError:
            return False
        self.bytes += got
        self.stream.feed(got)
        return bool(got)

    def until(self, what):
        while True:
            try:
                if what():
                    return
            except (IndexError, StopIteration):  # no screen yet, or not all of it
                pass
            assert time.monotonic() - self.began < PATIENCE, "\n".join(self.rows())
            assert self.feed(), ("ended before", self.bytes[-2000:])

    def has(self, text):
        self.until(lambda: any(text in row for row in self.rows()))

    def lacks(self, text):
        self.until(lambda: not any(text in row for row in self.rows()))

    def key(self, what):
        os.write(self.fd, what.encode())

    def end(self):
        while self.feed():
            assert time.monotonic() - self.began < PATIENCE, self.bytes
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def top(*options, **how):
    return Terminal([program, "top", "-d", "0.1", *options, "account"], **how)


def chosen(t):
    """The row of the cursor: the one in reverse that is no heading."""
    for y, row in enumerate(t.rows()):
        cell = t.screen.buffer[y][0]
        if cell.reverse and "LIVE" not in row:
            return row
    return ""


def numbers():
    """Change since the baseline, as the files have them; the baseline moves."""
    account(BASE)
    t = top()
    t.has("big+0x10/0x20")
    account({**BASE, "leak+0x1/0x9 [mod]": 1000 + 3 * 1024, "new+0x1/0x2": 77})
    t.until(lambda: re.search(r"^ +4\.0 KiB +\+3\.0 KiB .* leak", t.list()[1]))
    t.until(lambda: re.search(r"^ +77 B +\+77 B .* new", t.list()[2]))
    assert re.search(r"^ +4\.8 MiB +0 B +0 B .* big", t.list()[0]), t.list()
    t.key("b")
    t.until(lambda: re.search(r"^ +4\.0 KiB +0 B .* leak", t.list()[1]))
    t.key("q")
    assert t.end() == 0


def cursor():
    """It stays on its row, whatever the order; sort and reverse."""
    account(BASE)
    t = top()
    t.has("big+0x10/0x20")
    t.key(DOWN)
    t.until(lambda: "leak" in chosen(t))
    account({**BASE, "leak+0x1/0x9 [mod]": 9000000})
    t.until(lambda: "leak" in t.list()[0] and "leak" in chosen(t))
    t.key("I")
    t.until(lambda: "small" in t.list()[0] and "leak" in chosen(t))
    t.key("Is")
    t.until(lambda: "leak" in t.list()[0])
    t.key("g")
    t.has("FUNCTION")
    t.until(lambda: t.list()[0].endswith(" leak"))
    t.key("g")
    t.has("MODULE")
    t.until(lambda: {row.split()[-1] for row in t.list()} == {"mod", "vmlinux"})
    t.key("t")
    t.has("directories need a kernel: start with -k DIR or --vmlinux FILE")
    t.key("q")
    assert t.end() == 0


def typed():
    """Search, filter, interval, file, help, details."""
    account(BASE)
    t = top()
    t.has("big+0x10/0x20")
    t.key("fSMALL" + ENTER)
    t.until(lambda: "small" in chosen(t))
    t.key("\\leak" + ENTER)
    t.until(lambda: len(t.list()) == 1 and "leak" in t.list()[0])
    t.has("filter: leak")
    t.key(ENTER)
    t.has("call site    leak+0x1/0x9 [mod]")
    t.has("function     leak")
    t.key(ESCAPE)
    t.until(lambda: len(t.list()) == 1)
    t.key(ESCAPE)
    t.until(lambda: len(t.list()) == 3)
    rules(t)
    t.key("d12" + ENTER)
    t.has("every 12.0 s")
    t.key("d0" + ENTER)
    t.has("the interval must be 0.1 to 3600 seconds")
    t.key("h")
    t.has("reverse the order")
    t.key("x" + "h")
    t.until(lambda: len(t.list()) == 3)
    t.key("wsaved.csv" + ENTER)
    t.has("saved 3 rows to saved.csv")
    with open("saved.csv") as f:
        got = {row["caller"]: int(row["live"]) for row in csv.DictReader(f)}
    assert got == BASE, got
    t.key("wnone/saved.csv" + ENTER)
    t.has("not saved: none/saved.csv: cannot")
    t.key("q")
    assert t.end() == 0


def rules(t):
    """The filter takes rules, which have the same meaning as --only and --not."""
    t.key("/module=mod" + ENTER)
    t.until(lambda: len(t.list()) == 1 and "leak" in t.list()[0])
    t.has("filter: module=mod")
    t.key("/!caller=leak live<%d" % BASE["big+0x10/0x20"] + ENTER)
    t.until(lambda: len(t.list()) == 1 and "small" in t.list()[0])
    for text, why in (("/cgroup=/a", "the rows have no cgroup"), ("/live>x", "a number has digits"),
                      ("/module=mod what", "a rule is KEY=PATTERN"), ("/stack=a", "stacks are selected by")):
        t.key(text + ENTER)
        t.has(why)
        t.until(lambda: len(t.list()) == 3)
    t.key("/big" + ENTER)
    t.until(lambda: len(t.list()) == 1)
    t.key(ESCAPE)
    t.until(lambda: len(t.list()) == 3)


def cgroups():
    """The key g has cgroups only while the account has; the details list them; --by cgroup loses its account."""
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/readers/snapshot-cgroups-6.1"), "account")
    t = top(columns=200)
    t.has("LARGEST CGROUP")
    t.key("fgroup_task" + ENTER)
    t.until(lambda: "group_task+" in chosen(t) and "[before]" in chosen(t))
    t.key(ENTER)
    t.has("cgroups")
    t.until(lambda: any(re.search(r"37\.5 KiB +4\d\.\d% .* \[before\]", row) for row in t.rows()))
    t.key(ESCAPE + "gggg")
    t.until(lambda: any(re.search(r" CGROUP$", row) for row in t.rows()))
    t.until(lambda: any(row.endswith(" /d") for row in t.list()))
    account(BASE)
    t.has("the numbers are not current: account: no cgroups in this input")
    t.key("g")
    t.until(lambda: any("big+0x10/0x20" in row for row in t.list()))
    t.key("gggg")
    t.until(lambda: any("CALL SITE" in row for row in t.rows()))
    t.key("q")
    assert t.end() == 0


def inlined():
    """The details name the functions that were inlined at a call site, as addr2line does."""
    os.makedirs("src/fs", exist_ok=True)
    with open("src/fs/a.c", "w") as f:
        f.write("void *slow(long n);\n"
                "static inline __attribute__((always_inline)) char *fast(long n)\n{\n\treturn slow(n + 8);\n}\n"
                "static inline __attribute__((always_inline)) char *zero(long n)\n{\n\tchar *p = fast(n);\n\n"
                "\t*p = 0;\n\treturn p;\n}\n"
                "char *owner(long n)\n{\n\tchar *p = zero(n * 3);\n\n\tp[1] = 1;\n\treturn p;\n}\n"
                "__attribute__((noinline)) void *slow(long n)\n{\n\treturn (void *)(n * 4096);\n}\n"
                "void _start(void)\n{\n\towner(1);\n}\n")
    subprocess.run(["gcc", "-g", "-O1", "-fno-ipa-cp", "-fno-pic", "-no-pie", "-nostdlib", "-static", "-o", "../vmlinux", "fs/a.c"],
                   cwd="src", check=True)
    nm = {cells[-1]: cells for cells in (line.split() for line in subprocess.run(
        ["nm", "-S", "vmlinux"], capture_output=True, text=True, check=True).stdout.splitlines())}
    start, size = (int(nm["owner"][i], 16) for i in (0, 1))
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "vmlinux"], capture_output=True, text=True,
                          check=True).stdout.split("<owner>:")[1].splitlines()
    call = [i for i, line in enumerate(code) if re.search(r"call.*<slow>", line)][0]
    after = int(code[call + 1].split(":")[0], 16)
    chain = subprocess.run(["addr2line", "-i", "-f", "-e", "vmlinux", hex(after - 1)], capture_output=True, text=True,
                           check=True).stdout.split("\n")
    want = [f"{name} fs/a.c:{line.rpartition(':')[2].split()[0]}" for name, line in zip(chain[::2], chain[1::2])]
    assert len(want) == 3 and want[2].startswith("owner "), want
    account({f"owner+0x{after - start:x}/0x{size:x}": 4096})
    t = top("--vmlinux", "vmlinux")
    t.has("owner+0x")
    t.key(ENTER)
    t.has("inlined      " + want[0])
    rows = t.rows()
    at = next(i for i, row in enumerate(rows) if "inlined " in row)
    assert rows[at + 1].strip() == want[1], rows
    assert any(row.strip() == "line         " + want[2].split()[1] for row in rows), (rows, want)
    t.key("q")
    assert t.end() == 0


def mouse():
    """Function keys and their menus; a mouse, of a terminal that has one."""
    account(BASE)
    t = top(env={"TERM": "screen"}, lines=24, columns=80)
    t.has("F1 Help")
    def click(x, y, button=0):
        for code in (button, 3) if button < 64 else (button,):  # press and release; the wheel has no release
            t.key("\x1b[M" + "".join(chr(32 + n) for n in (code, x + 1, y + 1)))

    def at(text):
        return next((row.index(text), y) for y, row in enumerate(t.rows()) if text in row)

    t.has("big+0x10/0x20")
    click(*at("leak+0x1"))
    t.until(lambda: "leak" in chosen(t))
    click(*at("leak+0x1"))
    t.has("call site    leak+0x1/0x9 [mod]")
    t.key(ESCAPE)
    t.until(lambda: len(t.list()) == 3)
    click(5, 9, 64)  # the wheel
    t.until(lambda: "big" in chosen(t))
    click(*at("LIVE      "))
    t.until(lambda: "small" in t.list()[0])
    click(*at("CALL SITE"))
    t.until(lambda: "big" in t.list()[0])
    t.key("\x1b[17~")  # F6
    t.has("Sort by")
    t.key(ESCAPE)
    t.lacks("Sort by")
    t.key("\x1bOQ")  # F2
    t.has("A row is a")
    t.key("jj" + ENTER)
    t.until(lambda: {row.split()[-1] for row in t.list()} == {"mod", "vmlinux"})
    click(*at("F10 Quit"))
    assert t.end() == 0


def paused():
    """Nothing is read; keys work; then all is read at once."""
    account(BASE)
    t = top()
    t.has("big+0x10/0x20")
    t.key(" ")
    t.has("PAUSED")
    account({**BASE, "new+0x1/0x2": 7000000})
    t.key(DOWN)
    t.until(lambda: "leak" in chosen(t))
    end = time.monotonic() + 1
    t.until(lambda: time.monotonic() > end)
    assert not any("new+" in row for row in t.rows()), t.rows()
    t.key(" ")
    t.until(lambda: "new+0x1/0x2" in t.list()[0] and "leak" in chosen(t))
    t.key("q")
    assert t.end() == 0


def module():
    """The account goes, comes again, and begins anew."""
    account(BASE, {"big+0x10/0x20": 1000})
    t = top()
    t.has("big+0x10/0x20")
    os.unlink("account")
    t.has("the numbers are not current: account: cannot open: No such file or directory")
    assert len(t.list()) == 3, t.rows()
    account({"big+0x10/0x20": 64})
    t.lacks("the numbers are not current")
    t.has("the account was restarted 1 time")
    t.until(lambda: len(t.list()) == 1 and re.search(r"^ +64 B +0 B +0 B .* big", t.list()[0]))
    with open("account", "w") as f:
        f.write("no account\n")
    t.has("the numbers are not current: account:1: ")
    t.key("q")
    assert t.end() == 0


def replay():
    """A history (top.sh made it): steps, jumps, the baseline, and going on by itself."""
    def live(t):
        return next(row for row in t.list() if "busy+" in row).split()

    t = Terminal([program, "top", "-d", "0.1", "--replay", "history"], columns=140,
                 env={"TZ": "UTC"})
    t.has("2025-11-24 16:00:50 (sample 5 of 5), every 0.1 s  PAUSED")
    with open("lives") as f:  # live bytes of the site busy in each snapshot
        want = [int(line) for line in f]
    t.until(lambda: live(t)[:2] == [f"{want[4] / 1024:.1f}", "KiB"])
    change = f"+{(want[4] - want[0]) / 1024:.1f}"
    assert live(t)[2:4] == [change, "KiB"], (live(t), change)
    t.key(".")
    t.has("this is the newest sample")
    t.key(",,")
    t.has("(sample 3 of 5)")
    t.until(lambda: live(t)[:2] == [f"{want[2] / 1024:.1f}", "KiB"])
    t.key(":16:00:15" + ENTER)
    t.has("2025-11-24 16:00:10 (sample 1 of 5)")
    t.until(lambda: live(t)[2:4] == ["0", "B"])
    t.key(",")
    t.has("this is the oldest sample")
    t.key(":15:00" + ENTER)
    t.has("the samples are from 2025-11-24 16:00:10 to 2025-11-24 16:00:50")
    t.key(":tea" + ENTER)
    t.has("invalid time 'tea'")
    t.key(".b.")
    t.has("(sample 3 of 5)")
    t.until(lambda: live(t)[2:4] == [f"+{(want[2] - want[1]) / 1024:.1f}", "KiB"])
    t.key(" ")
    t.has("(sample 5 of 5)")
    t.has("PAUSED")
    t.key("q")
    assert t.end() == 0
    account(BASE)
    t = top()
    t.has("big+0x10/0x20")
    t.key(",")
    t.has("there are no earlier samples: start with --replay DIR")
    t.key("h")
    t.has("reverse the order")
    t.key("h:")
    t.has("there are no earlier samples: start with --replay DIR")
    t.key("q")
    assert t.end() == 0


def snapshot(up, live, boot=1, allocs=None):
    """The module's snapshot, UP seconds after the machine's boot."""
    rows = "".join(
        f"{i}\t0\t{size}\t0\t{size}\t{(allocs or {}).get(name, 1)}\t0\t0\t0\t{size}\t{size}\tvmlinux\t{i}\t-\t{name}\t"
        f"kmalloc\tkmalloc-64\t{size}\t{size}\t-\t0\t0\n" for i, (name, size) in enumerate(live.items(), 1))
    return (snapshot_head(int(up * 1e9), int((1750000000 + up) * 1e9), f"00000000-0000-4000-8000-{boot:012}") +
            sites_head(SITES_ALL) + rows + "== end\n")


def remote():
    """Snapshots by a pipe: their time, keys from the terminal, a snapshot in two parts, the end."""
    os.mkfifo("pipe")
    t = Terminal(["sh", "-c", 'exec "$0" top - -d 0.1 <pipe', program], env={"TZ": "UTC"})
    with open("pipe", "w") as pipe:
        def send(text):
            pipe.write(text)
            pipe.flush()

        send(snapshot(100, BASE))
        t.has("15:08:20")
        t.until(lambda: "big+0x10/0x20" in t.list()[0])
        t.key(DOWN)
        t.until(lambda: "leak+0x1/0x9" in chosen(t))
        send(snapshot(110, dict(BASE, **{"leak+0x1/0x9 [mod]": 1000 + 20480})))
        t.has("15:08:30")
        # 20 KiB more in ten seconds of the target, however fast they came
        t.until(lambda: re.search(r" \+?20\.0 KiB +\+?2\.0 KiB ", [r for r in t.list() if "leak" in r][0]))
        half = snapshot(120, dict(BASE, **{"big+0x10/0x20": 7340032}))
        send(half[:len(half) // 2])
        time.sleep(0.5)
        t.feed()
        assert not any("7.0 MiB" in row for row in t.rows())
        send(half[len(half) // 2:])
        t.has("7.0 MiB")
        # another boot is another account
        send(snapshot(5, dict(BASE, **{"big+0x10/0x20": 1048576}), boot=2))
        t.until(lambda: re.match(" *1[.]0 MiB +0 B +0 B ", t.list()[0]))
    t.has("the stream has ended")
    t.key("q")
    assert t.end() == 0


def sizes():
    """A small and a large terminal, and one that changes."""
    account({**BASE, **{f"site_{i:03}+0x1/0x2": 30 + i for i in range(100)}})
    t = top(columns=20, lines=5)
    t.has("big+")
    t.resize(40, 10)
    t.until(lambda: len(t.list()) == 7)
    t.resize(300, 80)
    t.until(lambda: len(t.list()) > 70 and "ALLOCS/s" in "".join(t.rows()))
    t.resize(80, 24)
    t.until(lambda: 15 < len(t.list()) < 24)
    assert all(len(row) <= 80 for row in t.rows())
    t.key("q")
    assert t.end() == 0


def modes(fd):
    return termios.tcgetattr(fd)[:4]


def fill(t):
    """Until top waits in a write: the terminal takes no more, because nobody reads it."""
    pid = os.tcgetpgrp(t.fd)
    begin, i = time.monotonic(), 0
    while True:
        i += 1
        account({**BASE, **{f"site_{n:03}+0x1/0x2": 100 + (n * 7919 + i * 104729) % 900 for n in range(60)}})
        time.sleep(0.1)
        with open(f"/proc/{pid}/syscall") as f:  # number and arguments; ncurses writes to 1
            if f.read().split()[1:2] == ["0x1"]:
                return
        assert time.monotonic() - begin < PATIENCE


def left(how):
    """The terminal is what it was, however top ends."""
    account(BASE)
    # this type has a screen of its own for programs, which top has to leave
    t = Terminal(["bash", "--norc", "-i"], columns=200, lines=60,
                 env={"PS1": "ready> ", "TERM": "xterm-256color"})
    t.has("ready>")
    before = modes(t.fd)
    t.key(f"'{program}' top -d 0.1 account\n")
    t.has("big+0x10/0x20")
    assert modes(t.fd) != before and t.screen.cursor.hidden
    at = len(t.bytes)
    if how == "suspended":
        # one press is enough, also while the screen is written
        fill(t)
        t.key("\x1a")
        t.until(lambda: b"Stopped" in t.bytes[at:])
        assert b"\x1b[?1049l" in t.bytes[at:]
        # the shell says so before it prompts, and sets its own modes when it prompts
        t.until(lambda: modes(t.fd) == before)
        assert not t.screen.cursor.hidden
        t.key("fg\n")
        t.until(lambda: b"big+0x10/0x20" in t.bytes[t.bytes.rindex(b"Stopped"):])
        assert modes(t.fd) != before
        at = len(t.bytes)
        t.key("q")
    elif how == "interrupted":
        t.key("\x03")
    elif how == "starved":
        # a terminal that becomes large needs memory, which there is none of from now on
        resource.prlimit(os.tcgetpgrp(t.fd), resource.RLIMIT_AS, (1, 1))
        account({f"site{i}+0x1/0x2": 100 + i for i in range(60000)})
    else:
        os.killpg(os.tcgetpgrp(t.fd), signal.SIGTERM)
    # the screen of before is shown again, and the prompt is on it
    t.until(lambda: b"ready> " in t.bytes[at:])
    assert b"\x1b[?1049l" in t.bytes[at:], t.bytes[at:]
    t.until(lambda: modes(t.fd) == before)
    assert not t.screen.cursor.hidden
    t.key("exit\n")
    t.end()


def suspended():
    left("suspended")


def interrupted():
    left("interrupted")


def terminated():
    left("terminated")


def starved():
    left("starved")


def colours():
    """Only where they are wanted."""
    for env, wanted in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "vt100"}, False)):
        account(BASE)
        t = top(env=env)
        t.has("big+0x10/0x20")
        account({**BASE, "leak+0x1/0x9 [mod]": 5000})
        t.until(lambda: re.search(r"\+3\.9 KiB .* leak", t.list()[1]))
        t.key("q")
        assert t.end() == 0
        assert bool(re.search(rb"\x1b\[[0-9;]*3[12]m", t.bytes)) == wanted, (env, t.bytes)


def quiet():
    """While nothing changes but the clock, little is written: nothing flickers."""
    account({**BASE, **{f"site_{i:03}+0x1/0x2": 30 + i for i in range(60)}})
    t = top(lines=50)
    t.has("site_059")
    end = time.monotonic() + 1
    t.until(lambda: time.monotonic() > end)
    at = len(t.bytes)
    end = time.monotonic() + 3
    t.until(lambda: time.monotonic() > end)
    # 30 reads: the time and what reading took, not 50 lines of 100 characters
    assert 0 < len(t.bytes) - at < 30 * 200, len(t.bytes) - at
    t.key("q")
    assert t.end() == 0


def elsewhere():
    """With another standard input, keys come from the terminal; nothing spins."""
    account(BASE)
    t = Terminal(["sh", "-c", f"exec '{program}' top -d 60 account </dev/null"])
    t.has("big+0x10/0x20")
    before = cpu(t.pid)
    end = time.monotonic() + 2
    t.until(lambda: time.monotonic() > end)
    assert cpu(t.pid) - before < 50, cpu(t.pid) - before  # ticks of 10 ms
    t.key(DOWN)
    t.until(lambda: "leak" in chosen(t))
    t.key("q")
    assert t.end() == 0


def cpu(pid):
    """CPU time of a process, in ticks."""
    with open(f"/proc/{pid}/stat") as f:
        return sum(int(x) for x in f.read().rpartition(")")[2].split()[11:13])


def unknown():
    """A terminal that nobody knows, and a standard output that is none."""
    account(BASE)
    t = top(env={"TERM": "no-such-terminal"})
    assert t.end() == 1
    assert b"top: unknown terminal type 'no-such-terminal'; set TERM or use -b" in t.bytes
    t = top(env={"TERM": "dumb"})
    assert t.end() == 1
    assert t.bytes.strip() == (b"kmem-account: top: terminal type 'dumb' cannot move the cursor; "
                               b"set TERM or use -b"), t.bytes
    # whose modes stay as they were
    fd, terminal = pty.openpty()
    before = termios.tcgetattr(terminal)
    subprocess.run([program, "top", "account"], stdin=terminal, stdout=terminal, stderr=terminal,
                   env={**os.environ, "TERM": "dumb"}, timeout=PATIENCE)
    assert os.read(fd, 4096).startswith(b"kmem-account: top: terminal type 'dumb'")
    assert termios.tcgetattr(terminal) == before
    out = subprocess.run([program, "top", "-n", "1", "account"], capture_output=True, text=True,
                         check=True).stdout
    assert re.search(r"^ +4\.8 MiB .*  big\+0x10/0x20$", out, re.M), out


globals()[case]()
