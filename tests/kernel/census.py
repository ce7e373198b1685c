#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Judge what census.guest has left: census.py DIR CASE."""
import collections
import csv
import os
import sys

PLANTED = 100
# Kinds of kma_planted, by what their objects are in: cache, most that can be lost there, and how many
# have to be found. The kinds in kmalloc-128 are rings, chains and trees, which one word can hide.
LOST = {
    "kma_planted": (PLANTED, 97),
    "filp": (PLANTED, 90),
    "kmalloc-96": (PLANTED, 97),
    "kmalloc-128": (4 * PLANTED + 1, 142),
    "kmalloc-192": (PLANTED, 97),
}
# What is held there is not lost, and nothing else of the module is in these caches.
HELD = ("kmalloc-256", "kmalloc-512")


def lines(name):
    with open(os.path.join(directory, name)) as f:
        return [line.rstrip("\n").split("\t") for line in f]


def slabinfo(name):
    """Slots of all slabs by cache."""
    with open(os.path.join(directory, name)) as f:
        return {w[0]: int(w[2]) for w in map(str.split, f) if w[0] not in ("slabinfo", "#")}


def lost(name):
    with open(os.path.join(directory, name), newline="") as f:
        return {row["caller"].removeprefix("[before: ").removesuffix("]").removesuffix(", merged"): int(row["lost"]) for row in csv.DictReader(f)}


def check(good, text):
    if not good:
        print(text)
        global failed
        failed = True


def compare(name):
    """Objects and free ones of a scan are all slots of all slabs."""
    table, slots = lines(name), slabinfo(name + ".slabinfo")
    callers = {line[1]: line[2] for line in table if line[0] == "site"}
    objects = collections.Counter(callers.get(line[1], "?") for line in table if line[0] == "object" and line[1] != "-")
    last = [line for line in table if line[0] == "pass"][-1]
    found, total = sum(objects.values()) + int(last[7]), sum(slots.values())
    print(f"{name}: {sum(objects.values())} objects and {last[7]} free ones are {found} of {total} slots")
    check(abs(found - total) <= 0.005 * total, f"{name}: {found} of {total}")
    for caller, nr in objects.items():
        cache = caller.removeprefix("[before: ").removesuffix("]").removesuffix(", merged")
        if caller.startswith("[before: "):
            check(nr <= slots.get(cache, 0), f"{name}: {nr} objects of {cache}, which has {slots.get(cache)} slots")
    return objects


def case_slabs():
    for i in range(1, 4):
        objects = compare(f"scan.{i}")
        check(all(caller.startswith("[before: ") for caller in objects), f"scan.{i}: only caches are known")
        check(len(objects) > 60, f"scan.{i}: {len(objects)} caches")
        with open(os.path.join(directory, f"scan.{i}.said")) as f:
            check("the module is not loaded" in f.read(), f"scan.{i}: said")


def case_both():
    objects = compare("both")
    listed = sum(nr for caller, nr in objects.items() if not caller.startswith("[before"))
    print(f"{listed} objects of call sites")
    check(listed > 100, "the objects that the module lists keep their call sites")


def losses(name):
    found, before = lost(name), lost("quiet.csv")
    print(f"{name}: {found}")
    for cache, (most, least) in LOST.items():
        nr = found.get(cache, 0)
        check(least <= nr - before.get(cache, 0) <= most, f"{name}: {nr} objects of {cache}")
    for cache in HELD:
        check(found.get(cache, 0) <= before.get(cache, 0), f"{name}: {found.get(cache)} held objects of {cache}")


def case_quiet():
    # The kernel registers empty tables of sysctl at boot, forgets their headers, and tells kmemleak so
    # (__register_sysctl_init()): nothing refers to them.
    found = lost("quiet.csv")
    print(found)
    check(sum(found.values()) <= 8, "nothing is lost before anything was planted, but headers of sysctl")
    check(all(cache.startswith("kmalloc-") for cache in found), "headers are of kmalloc()")


def case_lost():
    losses("lost.csv")


def case_older():
    losses("lost.both.csv")
    check(not lost("lost.module.csv"), "without --before, older objects are not lost")


def case_why():
    with open(os.path.join(directory, "why.csv"), newline="") as f:
        table = list(csv.DictReader(f))
    check(any(row["holder"] == "nothing" and int(row["objects"]) >= 90 for row in table), "the lost files")
    check(any(row["root"] for row in table), "a root of the others")


directory, case = sys.argv[1:]
failed = False
globals()["case_" + case]()
sys.exit(failed)
