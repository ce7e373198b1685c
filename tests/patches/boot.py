#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# What boot.guest has left of boots without an account, and of boots with command lines
# that ask for what there is not, in folders of FOLDER.
#
#	boot.py FOLDER
#
# KTAP on stdout.
import re
import sys
from pathlib import Path

SAID = re.compile(r"kmem_account: (.*)")


def said(folder):
    """Lines of the log that are ours"""
    return [match[1] for match in map(SAID.search, (folder / "dmesg").read_text().splitlines())
            if match]


def value(path, key):
    return int(re.search(rf"^{key}: *(\d+)$", path.read_text(), re.M)[1])


def tables(path):
    """Bytes of vmalloc() that the account's tables have, by /proc/vmallocinfo"""
    return sum(int(line.split()[1]) for line in path.read_text().splitlines())


def results_off(top, name):
    folder = top / name
    yield (value(folder / "account", "number of allocs") == 0, f"{name}: no account", [])
    size = tables(folder / "tables")
    yield size == 0, f"{name}: no tables", [f"{size} bytes"]
    yield (all((folder / file).read_text().startswith(("kmem_account", "version"))
               for file in ("sites", "live", "caches", "pinned", "stats")),
           f"{name}: the files are there", [])
    size = tables(folder / "tables.on")
    yield (size > 0 and value(folder / "account.on", "number of allocs") > 0,
           f"{name}: turned on, it has tables and an account", [f"{size} bytes"])


def results_refused(top):
    """A parameter that is out of its range: all that was logged is given up"""
    text = "\n".join(said(top / "refused"))
    lost = [int(n) for n in re.findall(r"the account did not start: (\d+) events at boot were lost", text)]
    yield ("max_sites=99999: out of range" in text and len(lost) == 1 and lost[0] > 1000 and
           not (top / "refused" / "account").exists() and not tables(top / "refused" / "tables"),
           "refused: no account, no tables, and the log says how much it would have had",
           [f"{lost} events"])


def results(top):
    lines = said(top / "nonsense")
    yield (len(lines) == 1 and "kmem_account=nonsense: invalid value" in lines[0],
           "nonsense on the command line: one warning", lines)
    yield not said(top / "off"), "off: not a word", said(top / "off")
    for name in ("nonsense", "off"):
        yield from results_off(top, name)
    yield from results_refused(top)

    lines = said(top / "full")
    for asked in ("max_objects=", "max_sites="):
        yield (sum(asked in line and "not fit into memory" in line for line in lines) == 1,
               f"{asked} that does not fit into memory: a line in the log", lines)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: boot.py FOLDER")
    rows = list(results(Path(sys.argv[1])))
    print("KTAP version 1", f"1..{len(rows)}", sep="\n")
    for number, (fine, what, notes) in enumerate(rows, 1):
        for note in notes:
            print(f"# {note}")
        print(f"{'' if fine else 'not '}ok {number} {what}")
    return not all(fine for fine, _, _ in rows)


sys.exit(main())
