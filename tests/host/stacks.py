#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Rows of debugfs' sites by stack and by cache, without any of our C code.

	stacks.py FILE stack|cache|cache,caller|caller [--skip A,B*] [--through F]
	stacks.py FILE tree down|up	"PATH<TAB>BYTES" of each node, names of functions

Prints CSV "key,live,allocs", in any order.
"""
import argparse
import collections
import csv
import fnmatch
import re
import sys

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("by")
parser.add_argument("order", nargs="?")
parser.add_argument("--skip", default="")
parser.add_argument("--through", default="")
args = parser.parse_args()

def alloc_traces(text):
    """Rows of SLUB's file: objects in place of bytes."""
    found = []
    for line in text:
        row = re.match(r" +(\d+) (\S+(?: \[\S+\])?)(?: waste=\S+)? age=", line)
        if row:
            found.append({"caller": row[2].replace("<not-available>", "[caller not recorded]"),
                          "cache": "-", "frames": [], "total": row[1], "allocs": "0"})
        elif line.strip() and line != "No data":
            found[-1]["frames"].append(line.strip())
    for row in found:
        if row["caller"] in row["frames"]:
            row["frames"] = row["frames"][row["frames"].index(row["caller"]):]
        else:
            row["frames"] = []
        row["stack"] = ";".join(row["frames"]) or "-"
    return found


with open(args.file, encoding="utf-8") as f:
    lines = f.read().splitlines()
if lines[0].startswith("kmem_account"):
    names = lines[1][2:].split("\t")
    rows = [dict(zip(names, line.split("\t"))) for line in lines[2:]]
else:
    rows = alloc_traces(lines)


def function(frame):
    return re.sub(r"[.+].*", "", frame)


def one_of(frame, patterns):
    return any(fnmatch.fnmatchcase(function(frame), p) for p in patterns.split(",") if p)


def frames(row):
    stack = row["stack"]
    return [] if stack == "-" or re.fullmatch(r"\[[a-z ]+\]", stack) else stack.split(";")


caches = collections.defaultdict(set)
for row in rows:
    caches[row["caller"]].add(row["cache"])

sums = collections.defaultdict(lambda: [0, 0])
for row in rows:
    stack = frames(row)
    if args.through and not any(one_of(frame, args.through) for frame in stack):
        continue
    caller = row["caller"]
    while stack and one_of(stack[0], args.skip):
        stack.pop(0)
    if frames(row):
        caller = stack[0] if stack else "[only helpers on the stack]"
    cache = row["cache"]
    if cache.endswith("+") or len(caches[row["caller"]] - {"-"}) > 1:
        cache = "[several caches]"
    if cache == "-":
        cache = max(caches[row["caller"]])
    cache = "[no cache]" if cache == "-" else cache
    rest = row["stack"].replace("-", "[no stack]", 1) if row["stack"] == "-" else row["stack"]
    whole = ";".join(stack) if stack else caller if frames(row) else f"{caller};{rest}"
    keys = {"stack": [whole], "caller": [caller], "cache": [cache], "cache,caller": [cache, caller],
            "tree": [whole]}
    total = sums[tuple(keys[args.by])]
    total[0] += int(row["total"])
    total[1] += int(row["allocs"])

if args.by == "tree":
    nodes = collections.Counter()
    for (whole,), (live, _) in sums.items():
        first, *outer = whole.split(";")
        way = [first] + [frame if frame[0] == "[" else function(frame) for frame in outer]
        if args.order == "down":
            way.reverse()
        for i in range(len(way)):
            nodes["/".join(way[: i + 1])] += live
    for path, live in nodes.items():
        print(f"{path}\t{live}")
else:
    out = csv.writer(sys.stdout, lineterminator="\n")
    for key, (live, allocs) in sums.items():
        out.writerow([*key, live, allocs])
