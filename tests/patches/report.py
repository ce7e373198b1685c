#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The program's report of an account with the tree that its kernel was built in: is each
function's memory in the folder of the object that has it, by nm?

	report.py PROGRAM NM TREE ACCOUNT WORK

Functions that several objects have are left out of the account, which is then written to
WORK. Built-in code alone: a module is another test's. A boot has hundreds of rows: few of
them are a failure.
"""
import collections
import csv
import io
import os
import re
import subprocess
import sys

ROW = re.compile(r" *(\d+) +(\d+) +(\d+) +(\d+)/(\d+) +(\S+)\+0x[0-9a-f]+/0x[0-9a-f]+$")


def objects(tree):
    """Those that vmlinux is made of"""
    archives = [os.path.join(folder, name) for folder, folders, names in os.walk(tree)
                for name in names if name in ("built-in.a", "lib.a")]
    for path in archives:
        for name in subprocess.run(["ar", "t", path], capture_output=True, text=True,
                                   check=True).stdout.split():
            # thin archives name their members from where they are
            yield os.path.normpath(os.path.join(os.path.dirname(path), name))


def folders(tree, nm):
    """{function: folders of the objects that have it}"""
    found = collections.defaultdict(set)
    paths = sorted({p for p in objects(tree) if p.endswith(".o") and os.path.exists(p)})
    for i in range(0, len(paths), 200):
        text = subprocess.run([nm, "-A", *paths[i:i + 200]], capture_output=True, text=True,
                              check=True).stdout
        for line in text.splitlines():
            path, rest = line.split(":", 1)
            words = rest.split()
            if len(words) == 3 and words[1] in "tTwW":
                found[words[2]].add(os.path.relpath(os.path.dirname(path), tree))
    return found


def main():
    program, nm, tree, account, work = sys.argv[1:]
    where = folders(tree, nm)
    want, rows = collections.Counter(), []
    for line in open(account):
        m = ROW.match(line)
        if m and len(where.get(m[6], ())) == 1:
            rows.append((line, *map(int, m.groups()[:5])))
            want[min(where[m[6]])] += int(m[1])
    total, slack, req, allocs, frees = map(sum, zip(*(r[1:] for r in rows)))
    path = os.path.join(work, "account")
    with open(path, "w") as file:
        file.write(f"total bytes allocated: {total}\ntotal bytes requested: {req}\n"
                   f"slack bytes allocated: {slack}\nnumber of allocs: {allocs}\n"
                   f"number of frees: {frees}\nnumber of callers: {len(rows)}\n\n"
                   "   total    slack      req alloc/free  caller\n")
        file.writelines(r[0] for r in rows)
    said = subprocess.run([program, "report", "-k", tree, path, "--by", "dir", "--format", "csv"],
                          capture_output=True, text=True, check=True)
    got = {row["dir"]: int(row["current_dynamic"]) for row in csv.DictReader(io.StringIO(said.stdout))
           if int(row["current_dynamic"])}
    want = {k: v for k, v in want.items() if v}
    print(f"# {len(rows)} functions, {total} bytes, {len(want)} folders")
    for key in sorted(want.keys() | got.keys()):
        if want.get(key) != got.get(key):
            print(f"# {key}: {got.get(key)}, nm says {want.get(key)}")
    return 0 if want == got and len(rows) > 200 and len(want) > 15 else 1


sys.exit(main())
