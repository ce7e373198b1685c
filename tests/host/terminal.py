#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a person sees of kmem-account's reports, on a pseudo-terminal.

	terminal.py PROGRAM CASE

CASE is a function below. The working folder has what terminal.sh made. Exit status 1 with what
was wrong.
"""
import csv
import fcntl
import io
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios

program, case = sys.argv[1:]
SIZES = ((80, 24), (40, 10), (200, 50))
MORE = re.compile(r"(\d+) more rows?( \(--all\))?$")
# C0 without newline and tab, DEL, C1, marks that turn the direction of a text
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


def on_terminal(args, columns=80, lines=24, quiet=False, **env):
    """The bytes that a terminal gets from a command; with quiet, without stderr."""
    pid, fd = pty.fork()
    if not pid:
        if quiet:
            os.dup2(os.open("/dev/null", os.O_WRONLY), 2)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        for name in ("COLUMNS", "LINES"):
            os.environ.pop(name, None)
        os.environ.update(env)
        os.execv(program, [program, *args])
    got = b""
    while True:
        try:
            some = os.read(fd, 65536)
        except OSError:
            break
        if not some:
            break
        got += some
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    # The log that check reads is cut.
    if status != (args[0] == "check"):
        raise SystemExit(f"{args}: exit {status}: {got.decode(errors='replace')}")
    # The terminal itself makes CR LF of a newline.
    return got.replace(b"\r\n", b"\n")


def in_pipe(args):
    return subprocess.run([program, *args], check=True, capture_output=True).stdout


def expect(what, *context):
    if not what:
        raise SystemExit("wrong: " + "\n".join(str(c) for c in context))


def rows_of(args):
    """Names and live bytes, largest first, of csv in a pipe."""
    rows = list(csv.reader(io.StringIO(in_pipe([*args, "--format", "csv"]).decode())))
    live = rows[0].index("current_dynamic")
    return [(row[0], int(row[live])) for row in rows[1:]]


def table(screen):
    """Of a report in plain numbers: live bytes and name of each row, and what is below."""
    lines = screen.split("\n")
    end = next(i for i, line in enumerate(lines) if line.endswith(" total"))
    name = lines[0].rindex("caller")
    rows = [(int(line.split()[0]), line[name:]) for line in lines[1:end + 1]]
    return rows, lines[end + 1:]


def same_name(shown, full):
    """Is it the name, or its beginning and end?"""
    if "..." not in shown:
        return shown == full
    head, tail = shown.split("...")
    return full.startswith(head) and full.endswith(tail) and len(shown) < len(full)


def fits():
    """Nothing is wider or longer than the terminal; sums are right; no row of 0 B."""
    for columns, lines in SIZES:
        for account in ("small", "long"):
            screen = on_terminal(["report", account, "--bytes"], columns, lines).decode()
            shown = screen.rstrip("\n").split("\n")
            full = rows_of(["report", account])
            expect(max(map(len, shown)) <= columns, columns, screen)
            expect(len(shown) < lines, lines, screen)
            rows, _ = table(screen)
            total = rows.pop()[0]
            expect(total == sum(live for _, live in full), total, screen)
            expect(sum(live for live, _ in rows) == total, "rows do not add up", screen)
            more = MORE.match(rows[-1][1])
            if more:
                rest = rows.pop()
                expect(int(more[1]) == len(full) - len(rows), "number of rows", screen)
                expect(rest[0] == sum(live for _, live in full[len(rows):]), "rest", screen)
            expect(rows, "no rows", screen)
            for (live, name), (want_name, want_live) in zip(rows, full):
                expect(live == want_live and live > 0, live, want_live, screen)
                expect(same_name(name, want_name), name, want_name, screen)
            if lines == 50 and account == "small":
                expect(len(rows) == sum(live > 0 for _, live in full), "all have room", screen)


def bars():
    """The longest bar is that of the first row, the others are in proportion."""
    screen = on_terminal(["report", "long", "--bytes"], 160, 40).decode()
    rows, _ = table(screen)
    lines = screen.split("\n")[1:len(rows) - 1]
    most = lines[0].count("#")
    expect(most == 160 // 8, most, screen)
    for (live, _), line in zip(rows, lines):
        expect(line.count("#") == live * most // rows[0][0], line, screen)
    expect("#" not in screen.split("\n")[len(rows) - 1], "a bar of the other rows", screen)


TABLES = (["diff", "small", "long"], ["diff", "long", "small", "--by", "module"],
          ["leaks", "long", "long", "--interval", "60", "--top", "40"],
          ["leaks", "long", "long", "--interval", "60"],
          ["latency", "-t", "134", "-f", "plain.trace", "--summary"],
          ["latency", "-t", "134", "-f", "plain.trace", "--summary", "--by", "task"],
          ["objects", "plain.log"], ["objects", "plain.log", "--show", "sites"],
          ["db", "list", "plain.db"], ["db", "show", "plain.db"])


def tables():
    """Tables of other commands fit, or say what they leave out; --all and a pipe have everything."""
    for args in TABLES:
        want = in_pipe(args)
        expect(on_terminal([*args, "--all"], 60, 10, quiet=True) == want, args, "--all")
        expect(on_terminal([*args, "-O", "file"], 60, 10, quiet=True) == b"", args)
        expect(open("file", "rb").read() == want, args, "-O")
        expect(in_pipe([*args, "--all"]) == want, args, "--all in a pipe")
        wide = on_terminal(args, 400, 2000, quiet=True)
        expect(wide == want, args, "all have room")
        for columns in (100, 80):
            screen = on_terminal(args, columns, 24, quiet=True).decode()
            for line in screen.split("\n"):
                expect(len(line) <= columns, args, columns, line)
            # a paragraph has more lines, and the same words
            expect("..." in screen or "left out" in screen or "--all" in screen or
                   screen.split() == want.decode().split(), args, "less, and nothing says so")


def rows_left_out():
    """The first rows of a diff stay, the others are counted, and the total is that of all."""
    whole = in_pipe(["diff", "small", "long"]).decode().split("\n")
    head = next(i for i, line in enumerate(whole) if line.split()[:2] == ["before", "after"])
    end = next(i for i, line in enumerate(whole) if line.endswith(" total"))
    for lines in (24, 40):
        screen = on_terminal(["diff", "small", "long"], 200, lines, quiet=True).decode()
        shown = screen.rstrip("\n").split("\n")
        expect(len(shown) < lines, lines, screen)
        more = next(i for i, line in enumerate(shown) if MORE.match(line))
        expect(shown[:more] == whole[:more] and more > head + 3, "other rows", screen)
        expect(int(MORE.match(shown[more])[1]) == end - more, "number of rows", screen)
        expect(shown[more + 1:] == "\n".join(whole[end:]).rstrip("\n").split("\n"), "below", screen)


def everything():
    """What asks for all rows gets them, on a terminal as in a pipe."""
    for args in (["--all"], ["--format", "csv"], ["--format", "json"], ["--all", "--bytes"]):
        want = in_pipe(["report", "long", *args])
        expect(on_terminal(["report", "long", *args], 40, 10) == want, args)
    on_terminal(["report", "long", "-O", "file"], 40, 10)
    with open("file", "rb") as file:
        expect(file.read() == in_pipe(["report", "long"]), "-O")
    screen = on_terminal(["report", "long", "--top", "30", "--bytes"], 80, 10).decode()
    expect(len(table(screen)[0]) == 32 and "other (" in screen, screen)
    screen = on_terminal(["report", "long", "--columns", "all", "--bytes"], 200, 24).decode()
    titles = in_pipe(["report", "long", "--columns", "all", "--bytes"]).decode().split("\n")[0]
    expect(screen.split("\n")[0].split() == titles.split(), titles, screen)


def environment():
    """COLUMNS and LINES, if they are numbers, are the size."""
    by_size = on_terminal(["report", "long"], 60, 15)
    expect(on_terminal(["report", "long"], 200, 50, COLUMNS="60", LINES="15") == by_size, by_size)
    expect(on_terminal(["report", "long"], 60, 15, COLUMNS="x", LINES="0") == by_size, by_size)
    # A terminal that does not know its size is the usual one.
    expect(on_terminal(["report", "long"], 0, 0) == on_terminal(["report", "long"]), "80 x 24")


def left_out():
    """Columns that have no room are named, and so is what is not counted."""
    screen = on_terminal(["report", "long", "--bytes"], 50, 24).decode()
    words = " ".join(screen.split("\n\n")[1].split())
    expect("Columns left out: requested, waste, allocs, frees." in words, screen)
    expect("Not counted: 12 frees of unknown objects, 3 implied frees." in words, screen)


def commands():
    """Each command that prints names of its input, in each format."""
    for form in ("table", "csv", "json"):
        for command in (["report", "evil"], ["report", "evil", "--all"] if form == "table" else None,
                        ["diff", "evil", "small"], ["db", "list", "evil.db"],
                        ["db", "show", "evil.db"], ["latency", "-t", "134", "-f", "evil.trace"],
                        ["latency", "-t", "134", "-f", "evil.trace", "--by", "task"],
                        ["objects", "evil.log"], ["check", "evil\x1b[2J.log"],
                        ["export", "folded", "evil"] if form == "table" else None,
                        ["export", "speedscope", "evil"] if form == "table" else None,
                        ["export", "prometheus", "evil"] if form == "table" else None,
                        ["leaks", "evil", "evil", "--interval", "60"],
                        ["timeline", "evil.log"]):
            if command and (command[0] != "timeline" or form != "table"):
                if command[0] == "objects" and form == "csv":
                    command = [*command, "--show", "sites"]
                yield command if command[0] == "export" else [*command, "--format", form]
    yield ["trace-analyze", "-f", "evil", "-c", "/dev/stdout"]


def obeys_nothing():
    """No format sends a terminal what it may obey, nor is anything else missing."""
    for args in commands():
        got = on_terminal(args).decode()
        found = CONTROLS.search(got)
        expect(not found, args, found and repr(got[max(0, found.start() - 40):found.end() + 40]))
        if args[0] == "report":
            expect("evil" in got or "ev?" in got or "ev\\u" in got, args, got)


def files_keep_names():
    """In files names are as the format demands."""
    want = open("evil.name", "rb").read().rstrip(b"\n")
    got = in_pipe(["report", "evil", "--format", "csv"])
    expect(want in got, want, got)
    rows = json.loads(in_pipe(["report", "evil", "--format", "json"]))["rows"]
    expect(want.decode() in [row["caller"] for row in rows], rows)
    rows = json.loads(on_terminal(["report", "evil", "--format", "json"]))["rows"]
    expect(want.decode() in [row["caller"] for row in rows], rows)


def formulas():
    """With --csv-safe no name is a formula; numbers and other names stay as they are."""
    bad = tuple("=+-@\t\r\n")
    for args in commands():
        if args[-1] != "csv":
            continue
        plain = list(csv.reader(io.StringIO(in_pipe_of_any(args).decode(), newline="")))
        safe = list(csv.reader(io.StringIO(in_pipe_of_any([*args, "--csv-safe"]).decode(),
                                           newline="")))
        expect(len(plain) == len(safe) and len(plain) > 1, args)
        guarded = 0
        for before, after in zip(plain, safe):
            for old, new in zip(before, after):
                number = re.fullmatch(r"-?[\d.]+", old)
                want = "'" + old if old.startswith(bad) and not number else old
                guarded += want != old
                expect(new == want, args, old, new)
        if args[0] in ("report", "diff", "db", "timeline") or "task" in args:
            expect(guarded, args, plain)
    for args in (["report", "evil", "--csv-safe"], ["report", "evil", "--format", "json", "--csv-safe"]):
        done = subprocess.run([program, *args], capture_output=True)
        expect(done.returncode == 2 and b"--csv-safe needs --format csv" in done.stderr, done)


def in_pipe_of_any(args):
    """check has an exit status of its own."""
    return subprocess.run([program, *args], capture_output=True).stdout


def heads():
    """Each JSON document begins with its format and version."""
    for args in commands():
        if args[-1] != "json" or args[0] == "timeline":
            continue
        head = list(json.loads(in_pipe_of_any(args)).items())[:2]
        name = "kmem-account " + " ".join(args[:2] if args[0] == "db" else args[:1])
        expect(head == [("format", name), ("version", 1)], args, head)


globals()[case]()
