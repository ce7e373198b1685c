#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare what kmemleak.guest has left of its two boots: kmemleak.py KMEMLEAK LOST CASE."""
import collections
import csv
import json
import os
import re
import sys

PLANTED = 100
# Objects of these refer to no other ones, so no word can hide several of them.
ALONE = ("lost_pointer", "lost_error_path", "lost_cache", "lost_large")
PLANTED_SITE = re.compile(r"\b((?:lost|held)_\w+)\+0x")


def read(directory, name):
    with open(os.path.join(directory, name)) as f:
        return f.read()


def by_kmemleak():
    """Objects by the planted function in their stack; others by their first function."""
    found = collections.Counter()
    for report in read(kmemleak, "kmemleak").split("unreferenced object ")[1:]:
        site = PLANTED_SITE.search(report)
        frames = re.findall(r"\] (\w+)\+0x", report)
        found[site.group(1) if site else " < ".join(frames[:3])] += 1
    return found


def by_lost():
    found = collections.Counter()
    with open(os.path.join(lost, "lost.csv"), newline="") as f:
        for row in csv.DictReader(f):
            found[re.split(r"[+ ]", row["caller"])[0]] += int(row["lost"])
    return found


def judge(name, found):
    print(f"{name}: {sum(found.values())} objects")
    held = {site: n for site, n in found.items() if site.startswith("held_")}
    few = {site: found[site] for site in ALONE if found[site] < PLANTED * 9 // 10}
    print(f"held, and called lost: {held or 'none'}; lost, of which few were found: {few or 'none'}")
    return held, few


def case_kmemleak():
    # what the peer finds is its own affair; it has to have run
    judge("kmemleak", by_kmemleak())
    return any(site.startswith("lost_") for site in by_kmemleak())


def case_lost():
    held, few = judge("kmem-account lost", by_lost())
    return not held and not few


def case_beside():
    first, second = by_kmemleak(), by_lost()
    print(f"{'call site':<40} {'kmemleak':>9} {'lost':>9}")
    for site in sorted(first | second):
        print(f"{site[:40]:<40} {first[site]:>9} {second[site]:>9}")
    seconds = float(read(kmemleak, "end")) - float(read(kmemleak, "begin"))
    ours = json.loads(read(lost, "lost.json"))["passes"][0]
    print(f"one scan: kmemleak {seconds:.2f} s; lost, one pass: {ours}")
    return all(second[site] >= 0.99 * first[site] for site in ALONE)


kmemleak, lost, case = sys.argv[1:]
sys.exit(not globals()["case_" + case]())
