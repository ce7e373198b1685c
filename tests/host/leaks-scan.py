#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Snapshots and the file of a scan of one made machine, for leaks-scan.sh.

	leaks-scan.py make DIR		30 snapshots, 10 s apart, and a scan at the time of the last one
	leaks-scan.py check WITH WITHOUT	csv of leaks with the scan and without it
"""
import csv
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from module_text import BOOT, BUILD_ID, sites_head, snapshot_head  # noqa: E402

SAMPLES, LAST = 30, 1300  # the last one is LAST s after the boot


def load(i):
    """Allocations until a sample: two rates in turns."""
    return sum(1000 if n // 7 % 2 else 2000 for n in range(i))


# caller: kind, live objects at a sample
SITES = {
    "still": ("kmalloc", lambda i: 900),
    "swings": ("kmalloc", lambda i: 200 + 100 * (i % 6)),
    "leaky": ("kmalloc", lambda i: 100 + load(i) // 100),
    "listed": ("kmalloc", lambda i: 100 + load(i) // 100),
    "ring": ("kmalloc", lambda i: 6),
    "both": ("kmalloc", lambda i: 40),
    "both ": ("cache", lambda i: 50),
    "absent": ("kmalloc", lambda i: 30),
    "unnamed": ("kmalloc", lambda i: 20),
    "unseen": ("kmalloc", lambda i: 8),
    "buffers": ("page", lambda i: 70),
    "counters": ("percpu", lambda i: 80),
}
# verdicts without a scan
BEFORE = {"still": "plateau", "swings": "cache", "leaky": "leak", "listed": "leak"}

# What the scan has, by call site: lost objects, live ones, heads. "elsewhere" is in no snapshot.
LOST = {"still": (3, 900, 3), "leaky": (410, 540, 400), "ring": (6, 6, 0), "both": (7, 90, 7), "elsewhere": (1, 1, 1)}
# and by call site and root: objects
HELD = {
    "still": {"variable table [foo]": 600, "task 7 (sh) stack": 297},
    "swings": {"variable table [foo]": 250, "variable other": 251},
    "leaky": {"variable other": 3},
    "listed": {"variable list_of_all": 540},
    "both": {"variable other": 83},
    "unseen": {},
    "elsewhere": {},
    "buffers": {},
}
NOTHING = {"still": 3, "leaky": 537, "ring": 6, "both": 7, "unseen": 8, "elsewhere": 1}
ROOTS = sorted({root for roots in HELD.values() for root in roots})

# caller: verdict, confidence, lost, lost_of, holder, held, held_of, what the reasons have to have
WANT = {
    "still": ("leak", "1.00", "3", "900", "variable table [foo]", "600", "900",
              r"3 of 900 objects have no reference left in the kernel; "
              r"held by variable table \[foo\]: 600 of 900 \(67 %\)"),
    "swings": (None, None, "0", "", "variable other", "251", "501",
               r".*; held by variable other: 251 of 501 \(50 %\)(; the scan saw 501 objects, the newest input has 200)"),
    "leaky": ("leak", "1.00", "410", "540", "variable other", "3", "540",
              r"410 of 540 objects have no reference left in the kernel; the minima of .* rise .*"
              r"; held by variable other: 3 of 540 \(1 %\)"),
    "listed": (None, None, "0", "", "variable list_of_all", "540", "540",
               r"the minima of .* rise .*; held by variable list_of_all: 540 of 540 \(100 %\)"),
    "ring": ("leak", "1.00", "6", "6", "", "0", "6", r"6 of 6 objects have only references from other lost objects"),
    "both": ("leak", "0.50", "7", "90", "variable other", "83", "90",
             r"7 of 90 objects of all kinds of this caller have no reference left in the kernel; "
             r"held by variable other: 83 of 90 \(92 %\)"),
    "absent": (None, None, "", "", "", "", "", r".*; the scan has no object of this call site"),
    "unnamed": (None, None, "", "", "", "", "", r".*; the scan has no object of this call site"),
    "unseen": (None, None, "0", "", "", "0", "8",
               r".*; 8 objects are held in a way that a scan cannot see: by the page and the offset"),
    "buffers": (None, None, "", "", "", "", "", r".*; a scan does not see pages"),
    "counters": (None, None, "", "", "", "", "", r".*; a scan does not see per-CPU memory"),
}
WANT["both "] = WANT["both"]


def caller(name):
    return name.strip() + "+0x10/0x90"


def snapshots(folder):
    for i in range(1, SAMPLES + 1):
        up = (LAST - 10 * (SAMPLES - i)) * 10**9
        with open(os.path.join(folder, "s%02d" % i), "w") as out:
            out.write(snapshot_head(up, 1764000000 * 10**9 + up) + "reclaimable caches: dentry \n" + sites_head())
            for n, (name, (kind, live)) in enumerate(SITES.items(), 1):
                allocs = 10000 + load(i)
                size = 64 * live(i)
                out.write("%d\t0x0\t%d\t0\t%d\t%d\t%d\t0\tvmlinux\t0x%x\t%s\t%s\t%s\t%s\t0\n" % (
                    n, size, size, allocs, allocs - live(i), 4096 * n, BUILD_ID, caller(name), kind,
                    "filp" if kind == "cache" else "-"))
            out.write("== end\n")


def scan(path, up=LAST, boot=BOOT, generation=1, release="6.1.0-made", build_id=BUILD_ID, moment=True, names=None):
    """A file of a scan. Every second object is held by the one before it, so that roots have to be followed."""
    names = names or (list(dict.fromkeys(name.strip() for name in SITES if name != "unnamed")) + ["elsewhere"])
    lines = ["kmem_account scan 1", "kernel\trelease\t" + release, "kernel\tmachine\tx86_64",
             "kernel\tbuild_id\t" + build_id]
    if moment:
        lines += ["kernel\tboot_id\t" + boot, "kernel\tboottime_ns\t%d" % (up * 10**9), "kernel\ttime_ns\t%d" % 10**18,
                  "kernel\tloaded_ns\t900000000000", "kernel\tgeneration\t%d" % generation]
    lines += ["note\tthis is a made machine"]
    lines += ["site\t%d\t%s" % (n, caller(name)) for n, name in enumerate(names)]
    # the objects of one caller can have two sites
    lines += ["site\t%d\t%s" % (len(names), caller(names[0]))]
    lines += ["root\t%d\t%s" % (2 if "stack" in root else 0, root) for root in ROOTS]
    nr, objects = 0, []
    for site, name in enumerate(names):
        for root, of in HELD.get(name, {}).items():
            for n in range(of):
                own = len(names) if name == names[0] and n % 3 == 0 else site
                objects.append("object\t%d\t64\t%s\t%s\t8" % (own, nr - 1 if n % 2 else "-", "-" if n % 2 else ROOTS.index(root)))
                nr += 1
    for site, name in enumerate(names):
        objects += ["object\t%d\t64\t-\t-\t-" % site] * NOTHING.get(name, 0)
    lines += objects + ["live\t%d\t%d\t%d" % (len(objects), len(objects), 64 * len(objects))]
    for name, (lost, live, heads) in LOST.items():
        if name in names:
            lines.append("lost\t%d\t%d\t%d\t-\t%d\t%s" % (lost, live, 64 * lost, heads, caller(name)))
    if "unseen" in names:
        lines.append("unseen\t8\t8\t512\t-\t8\t%s\tby the page and the offset\tdrivers/a.c:1\t" % caller("unseen"))
    lines.append("end\t%d" % len(lines))
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")


def make(folder):
    snapshots(folder)
    at = lambda name: os.path.join(folder, name)  # noqa: E731
    scan(at("scan"))
    scan(at("older"), up=LAST - 90)
    scan(at("younger"), up=LAST + 5)
    scan(at("boot"), boot="22222222-2222-4333-8444-555555555555")
    scan(at("cleared"), generation=2)
    scan(at("release"), release="6.12.0-made")
    scan(at("build"), build_id="f" * 40)
    scan(at("bare"), moment=False)
    scan(at("stranger"), names=["foreign", "strange"])
    with open(at("scan")) as whole:
        lines = whole.readlines()
    with open(at("cut"), "w") as out:
        out.writelines(lines[:-1])
    with open(at("damaged"), "w") as out:
        out.writelines(line.replace("object\t0\t64\t0", "object\t0\t64\t99999") for line in lines)


def table(path):
    with open(path) as rows:
        return {row["caller"].split("+")[0] + (" " if row["kind"] == "cache" else ""): row for row in csv.DictReader(rows)}


def check(with_scan, without):
    rows, before = table(with_scan), table(without)
    fault = 0
    for name, (verdict, sure, lost, lost_of, holder, held, held_of, reasons) in WANT.items():
        row, was = rows[name], before[name]
        want = (verdict or was["verdict"], sure or was["confidence"], lost, lost_of, holder, held, held_of)
        got = tuple(row[column] for column in ("verdict", "confidence", "lost", "lost_of", "holder", "held", "held_of"))
        saw = r"(; the scan saw \d+ objects, the newest input has \d+)?"
        same = all(row[column] == was[column] for column in ("live", "growth_per_hour", "kind", "survivors"))
        if got != want or not re.fullmatch(reasons + saw, row["reasons"]) or not same:
            print(name, "\nwant", want, reasons, "\ngot ", got, row["reasons"])
            fault = 1
        if not verdict and not row["reasons"].startswith(was["reasons"]):
            print(name, "had the reasons", was["reasons"])
            fault = 1
        # what the samples say of a share belongs to the verdict of the samples
        if bool(row["leaked_of_allocs"]) != (was["verdict"] == "leak"):
            print(name, "share", row["leaked_of_allocs"])
            fault = 1
        if was["verdict"] != BEFORE.get(name, was["verdict"]):
            print(name, "without a scan", was["verdict"])
            fault = 1
    if len(rows) != len(WANT) or set(before["still"]) & {"lost", "holder"}:
        print(len(rows), "rows,", list(before["still"]))
        fault = 1
    return fault


if __name__ == "__main__":
    sys.exit(make(sys.argv[2]) if sys.argv[1] == "make" else check(sys.argv[2], sys.argv[3]))
