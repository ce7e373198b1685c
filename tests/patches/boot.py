#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# What boot.guest has left of boots with bad command lines, in folders of FOLDER.
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


def results(top):
    lines = said(top / "nonsense")
    yield (len(lines) == 1 and "kmem_account=nonsense is none of" in lines[0],
           "nonsense on the command line: one warning", lines)
    yield not said(top / "off"), "off: not a word", said(top / "off")
    for name in ("nonsense", "off"):
        yield (value(top / name / "account", "number of allocs") == 0,
               f"{name}: no account", [])

    lines = said(top / "full")
    yield (any("does not fit in memory" in line for line in lines),
           "a map that does not fit in memory: a line in the log", lines)
    account = top / "full" / "account"
    lost = value(account, "events not recorded")
    yield (value(account, "number of allocs") > 1000 and
           value(account, "frees of unknown objects") <= lost,
           "the account has the boot, and counts what it has not", [f"{lost} events not recorded"])


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
