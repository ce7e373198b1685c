#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Usage: places.py PROGRAM COMMAND KEY [KERNEL-OPTION...]

Sum the live bytes that COMMAND shows of the account here, by KEY: file, dir, line or function. Exit with
1 if report has other sums. Sites without a key are left out of both; each command has a name of its
own for them.
"""
import collections
import csv
import io
import json
import subprocess
import sys

program, command, key = sys.argv[1:4]
kernel = sys.argv[4:]


def run(*args):
    done = subprocess.run([program, *args], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{args}: {done.stderr}")
    return done.stdout


def table(*args):
    return list(csv.DictReader(io.StringIO(run(*args, "--format", "csv", *kernel))))


def report(by=key):
    return {row[by]: int(row["current_dynamic"]) for row in table("report", "account", "--by", by)}


def top():
    rows = table("top", "-b", "-n", "1", "account", "--by", key)
    return {row[key]: int(row["live"]) for row in rows}


def timeline():
    last = table("timeline", "history", "--by", key, "--top", "100000")[-1]
    return {name: int(live) for name, live in last.items() if name not in ("ns", "total")}


def leaks():
    # report names an address by its symbol, leaks does not
    live = {row[5]: int(row[0]) for row in (line.rstrip("\n").split(None, 5) for line in open("rows"))}
    sums = collections.Counter()
    for row in table("leaks", "account", "account", "--interval", "60"):
        if row["file"] and (key == "file" or row["line"]):
            sums[row["file"] + (":" + row["line"] if key == "line" else "")] += live[row["caller"].strip()]
    return sums


def folded():
    sums = collections.Counter()
    for line in run("export", "folded", "account", *kernel).splitlines():
        stack, size = line.rsplit(" ", 1)
        names = stack.split(";")
        file = next((i for i, name in enumerate(names) if name.endswith((".c", ".S", ".h"))), None)
        if file is not None:
            sums["/".join(names[:file + 1])] += int(size)
    return sums


def speedscope():
    doc = json.loads(run("export", "speedscope", "account", "--roots", "none", *kernel))
    frames = doc["shared"]["frames"]
    live = next(p for p in doc["profiles"] if p["name"] == "live bytes")
    sums = collections.Counter()
    for stack, size in zip(live["samples"], live["weights"]):
        owner = frames[stack[0]]
        if "line" in owner:
            sums[f"{owner['file']}:{owner['line']}"] += size
    return sums


def known(sums):
    """Rows with a key, also if only the directory or the name of a file is known."""
    part = command in ("top", "leaks", "timeline")
    return {name: size for name, size in sums.items()
            if ("[" not in name or (part and "/" in name)) and name[:2] != "0x" and size}


want, got = report(), globals()[command]()
if key == "function" and command == "top":
    # in a report the file is beside the function
    plain = collections.Counter()
    for name, size in want.items():
        plain[name.split(" (")[0]] += size
    want = plain
want, got = known(want), known(got)
if not want and kernel[:1] != ["-k"]:
    sys.exit("report has nothing")
if want != got:
    for name in sorted(want.keys() | got.keys()):
        if want.get(name) != got.get(name):
            print(f"{name}: report {want.get(name)}, {command} {got.get(name)}")
    sys.exit(1)
