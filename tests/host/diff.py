# SPDX-License-Identifier: GPL-2.0-only
"""What changed between two account texts, by the description in the man page alone.

	diff.py BEFORE AFTER COLUMN FLOOR [function] <csv of kmem-account diff

COLUMN is total, slack, req, alloc or free.  Compares each row of the csv with what
the two texts say; prints what differs and exits with 1.
"""
import csv
import re
import sys


def read(path, column, by_function):
    rows = {}
    seen = False
    for line in open(path):
        if line.rstrip().endswith("caller"):
            seen = True
            continue
        if not seen or not line.strip():
            continue
        total, slack, req, counts, caller = line.split(None, 4)
        alloc, free = counts.split("/")
        caller = caller.strip()
        if by_function:
            match = re.fullmatch(r"([^+]+)\+0x[0-9a-f]+(?:/0x[0-9a-f]+)?( \[\S+\])?", caller)
            if match:
                caller = match[1][0] + match[1][1:].split(".")[0] + (match[2] or "")
        value = int({"total": total, "slack": slack, "req": req, "alloc": alloc,
                     "free": free}[column])
        rows[caller] = rows.get(caller, 0) + value
    return rows


def main():
    before_path, after_path, column, floor = sys.argv[1:5]
    by_function = "function" in sys.argv[5:]
    before = read(before_path, column, by_function)
    after = read(after_path, column, by_function)
    want = {}
    rest = [0, 0, 0]
    for key in set(before) | set(after):
        a, b = before.get(key, 0), after.get(key, 0)
        if abs(b - a) < int(floor):
            rest = [rest[0] + a, rest[1] + b, rest[2] + 1]
            continue
        state = ("new" if key not in before else "gone" if key not in after
                 else "same" if a == b else "changed")
        percent = f"{100 * (b - a) / a:.2f}" if a else ""
        want[key] = [state, str(a), str(b), str(b - a), percent, "1"]
    if rest[2]:
        a, b, n = rest
        want["[unchanged]" if int(floor) == 1 else "[below the floor]"] = [
            "same" if a == b else "changed", str(a), str(b), str(b - a),
            f"{100 * (b - a) / a:.2f}" if a else "", str(n)]
    rows = list(csv.reader(sys.stdin))
    assert rows[0] == ["caller", "state", "before", "after", "delta", "percent", "rows"], rows[0]
    got = {row[0]: row[1:] for row in rows[1:]}
    assert len(got) == len(rows) - 1, "a key twice"
    deltas = [abs(int(row[4])) for row in rows[1:] if not row[0].startswith("[")]
    assert deltas == sorted(deltas, reverse=True), "not by size of the change"
    for key in set(want) | set(got):
        if want.get(key) != got.get(key):
            print(f"{key}: got {got.get(key)}, expected {want.get(key)}")
            return 1
    return 0


sys.exit(main())
