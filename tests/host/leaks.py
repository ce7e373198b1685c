#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The files of debugfs' sites for leaks.sh, and a check of the command's csv.

	leaks.py make DIR	48 files a minute apart: a leak, a filling cache, a flat site, a cache
	leaks.py check CSV	growth and share of the leak, computed here by another way
	leaks.py cgroups DIR	48 snapshots a minute apart: one of two cgroups leaks at a call site
	leaks.py check-cgroups CSV	the rows by cgroup, each with what it was given
	leaks.py check-timeline CSV	the columns of timeline --by cgroup, in each minute what it was given
"""
import csv
import math
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from module_text import BUILD_ID, sites_head, snapshot_head  # noqa: E402

SITES = ("leaky+0x10/0x90", "filling+0x3/0x40", "flat+0x1/0x2", "swings+0x5/0x6 [made]")
SIZES = (64, 192, 128, 256)
KINDS = ("kmalloc", "cache", "cache", "cache")


def state(i):
    """Allocations and live objects of each site in minute i."""
    load = sum(100 if n // 5 % 2 else 200 for n in range(i + 1))
    return ((1000 + load, 500 + load // 20), (10000 + 300 * i, int(5000 * (1 - math.exp(-i / 15)))),
            (5000 + 300 * i, 2000 + i * 37 % 100), (9000 + 400 * i, 100 + i % 4 * 900))


def make(folder):
    for i in range(48):
        with open(os.path.join(folder, "s%02d" % i), "w") as out:
            out.write("kmem_account sites 1\n# total\tslack\treq\tallocs\tfrees\tcaller\tkind\n")
            for caller, size, kind, (allocs, live) in zip(SITES, SIZES, KINDS, state(i)):
                out.write("%d\t0\t%d\t%d\t%d\t%s\t%s\n" %
                          (live * size, live * size, allocs, allocs - live, caller, kind))


def check(path):
    rows = {row["caller"]: row for row in csv.DictReader(open(path))}
    want = dict(zip(SITES, ("leak", "filling", "plateau", "cache")))
    got = {caller: row["verdict"] for caller, row in rows.items()}
    assert got == want, got
    leak = rows[SITES[0]]
    assert leak["rank"] == "1"
    assert int(leak["live"]) == state(47)[0][1] * SIZES[0]
    assert abs(float(leak["leaked_of_allocs"]) - 1 / 20) < 0.002, leak
    # the load is 150 a minute on average, of which one in 20 stays
    slope = statistics.mean((state(i + 10)[0][1] - state(i)[0][1]) / 10 for i in range(37)) * 60 * SIZES[0]
    assert abs(int(leak["growth_per_hour"]) / slope - 1) < 0.1, (leak, slope)


def parts(i):
    """Number of the site, cgroup, allocations and live objects in minute i."""
    leak, _, flat, _ = state(i)
    return (1, 11, *flat), (1, 12, *leak), (2, 11, *flat)


def make_cgroups(folder):
    for i in range(48):
        with open(os.path.join(folder, "c%02d" % i), "w") as out:
            out.write(snapshot_head((1000 + 60 * i) * 10**9, (1764000000 + 60 * i) * 10**9) + sites_head())
            for site, caller in enumerate(("leaky+0x10/0x90", "flat+0x1/0x2", "ungrouped+0x3/0x4"), 1):
                allocs, live = map(sum, zip(*(part[2:] for part in parts(i) if part[0] == site or site == 3)))
                out.write("%d\t0x0\t%d\t0\t%d\t%d\t%d\t0\tvmlinux\t0x%x\t%s\t%s\tkmalloc\tkmalloc-64\t0\n" % (
                    site, live * 64, live * 64, allocs, allocs - live, 4096 * site, BUILD_ID, caller))
            out.write("== cgroups\nkmem_account cgroups 1\n# site\tcgroup\tallocs\tfrees\tbytes\trequested\n")
            for site, cgroup, allocs, live in parts(i):
                out.write("%d\t%d\t%d\t%d\t%d\t%d\n" % (site, cgroup, allocs, allocs - live, live * 64, live * 64))
            out.write("# id\tpath\n11\t/good\n12\t/bad\n== end\n")


def check_cgroups(path):
    got = {(row["caller"], row["cgroup"]): (row["verdict"], int(row["live"])) for row in csv.DictReader(open(path))}
    live = [part[3] * 64 for part in parts(47)]
    assert got.pop(("ungrouped+0x3/0x4", "[in no group]"))[1] == sum(live)
    want = {("leaky+0x10/0x90", "/good"): ("plateau", live[0]), ("leaky+0x10/0x90", "/bad"): ("leak", live[1]),
            ("flat+0x1/0x2", "/good"): ("plateau", live[2])}
    assert got == want, got


def check_timeline(path):
    """Live bytes of each cgroup at each minute; a minute may have several samples."""
    rows = list(csv.DictReader(open(path)))
    minutes = [int(row["ns"]) // 10**9 - 1764000000 for row in rows]
    assert sorted(set(minutes)) == [60 * i for i in range(48)], minutes
    for i, row in zip((at // 60 for at in minutes), rows):
        good, bad = (sum(part[3] * 64 for part in parts(i) if part[1] == cgroup) for cgroup in (11, 12))
        assert (int(row["/good"]), int(row["/bad"]), int(row["[in no group]"])) == (good, bad, good + bad), (i, row)


if __name__ == "__main__":
    {"make": make, "check": check, "cgroups": make_cgroups, "check-cgroups": check_cgroups,
     "check-timeline": check_timeline}[sys.argv[1]](sys.argv[2])
