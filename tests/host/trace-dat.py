#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare two csv reports of one recording, in every number of every row.

	trace-dat.py [--functions] WANT GOT

Order of rows and sizes of functions (+0x1/0x2) do not count, as text has none; nor do
wrong frees, which no log of a kernel that knows none has. With --functions rows of one
function are added up, and peaks, which do not add up, are left out: stacks in text have
no offsets.
"""
import collections
import csv
import re
import sys

functions = "--functions" in sys.argv
tables = []
for path in sys.argv[-2:]:
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f))
    head = next(row for row in rows if row[0] == "caller")
    drop = {"wrong_frees"} | ({"peak"} if functions else set())
    kind = head.index("kind")
    keep = [i for i, name in enumerate(head) if i and i != kind and name not in drop]
    table = collections.defaultdict(lambda: [0] * len(keep))
    for row in rows:
        if row is head:
            continue
        caller = re.sub(r"(\+0x[0-9a-f]+)/0x[0-9a-f]+", r"\1", row[0])
        if functions:
            caller = re.sub(r"\+0x[0-9a-f]+", "", caller)
        key = caller, row[kind]
        table[key] = [a + int(row[i]) for a, i in zip(table[key], keep)]
    tables.append((([head[i] for i in keep]), dict(table)))

(names, want), (other, got) = tables
if names != other:
    sys.exit(f"columns {other}, expected {names}")
bad = [key for key in sorted(want.keys() | got.keys()) if want.get(key) != got.get(key)]
for key in bad[:10]:
    print(f"{key}: {got.get(key)}, expected {want.get(key)}")
if len(want) < 10:
    sys.exit(f"only {len(want)} rows")
sys.exit(1 if bad else 0)
