#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The files of debugfs' sites for leaks.sh, and a check of the command's csv.

	leaks.py make DIR	48 files a minute apart: a leak, a filling cache, a flat site, a cache
	leaks.py check CSV	growth and share of the leak, computed here by another way
"""
import csv
import math
import os
import statistics
import sys

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


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        check(sys.argv[2])
