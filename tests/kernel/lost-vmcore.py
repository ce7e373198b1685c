#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare scans of a dump with those of the running guest: lost-vmcore.py GUEST FOUND CASE."""
import csv
import os
import re
import sys

PLANTED = 100
# Kinds whose objects refer to no other one: a word that is left over hides one of them at most.
ALONE = ("lost_pointer", "lost_error_path", "lost_cache", "lost_large")
# Heads: a word that is left over can hide all objects behind one.
LINKED = ("lost_ring", "lost_chain", "lost_tree", "lost_behind_head")
# Kinds of which each object is held by itself. In a list a word that is left over can change many paths.
SINGLE = "xarray idr hash rbtree vmalloc tagged".split()
# What belongs to the lost socket buffers and files; see lost.py.
PARTS = re.compile(
    r"^(lost_skb|__alloc_skb|kmalloc_reserve|(__)?alloc_(empty_)?file|(security|lsm)_file_alloc|init_file"
    r"|__d_alloc|(security_)?prepare_creds|lsm_(cred|blob)_alloc)$"
)


def rows(directory, name):
    with open(os.path.join(directory, name), newline="") as f:
        return list(csv.DictReader(f))


def check(good, text):
    if not good:
        print(text)
        global failed
        failed = True


def lost_by_site(directory):
    found = {}
    for row in rows(directory, "lost.csv"):
        site = re.split(r"[+ ]", row["caller"])[0]
        found[site] = found.get(site, 0) + int(row["lost"])
    return found


def case_lost():
    """The same call sites, and of each as many objects, but for what words that are left over hide."""
    live, dump = lost_by_site(guest), lost_by_site(found)
    for site in sorted(live.keys() | dump.keys()):
        print(f"{site}: {live.get(site, 0)} in the guest, {dump.get(site, 0)} in the dump")
    for site in dump:
        check(site in ALONE or site in LINKED or PARTS.match(site), f"not lost: {dump[site]} of {site}")
    # The credentials of a thread are a single object, which one word can hide.
    for site in live.keys() ^ dump.keys():
        check(PARTS.match(site) and live.get(site, 0) + dump.get(site, 0) <= 2, f"another call site: {site}")
    for site in ALONE:
        check(0.9 * PLANTED <= dump.get(site, 0) <= PLANTED, f"{dump.get(site, 0)} of {PLANTED} of {site}")
    alone = sum(dump.get(site, 0) for site in ALONE)
    check(alone >= 0.97 * PLANTED * len(ALONE), f"{alone} of {PLANTED * len(ALONE)} single objects")
    for site, least in zip(LINKED, (80, 1, 60, 1)):
        check(least <= dump.get(site, 0) <= PLANTED, f"{dump.get(site, 0)} of {PLANTED} of {site}")
    total = sum(live.values()), sum(dump.values())
    print(f"in all: {total[0]} in the guest, {total[1]} in the dump")


def roots(directory, site):
    """The roots of a call site's objects, and how many objects each holds."""
    held = {}
    for row in rows(directory, f"{site}.csv"):
        if row["root"]:
            held[row["root"]] = held.get(row["root"], 0) + int(row["objects"])
    return held


def case_why():
    with open(os.path.join(guest, "roots")) as f:
        truth = dict(line.strip().split(": ", 1) for line in f)
    check(len(truth) == 14, "14 kinds")
    for site, root in truth.items():
        live, dump = roots(guest, site), roots(found, site)
        print(f"{site}: {live} in the guest, {dump} in the dump")
        objects = sum(dump.values())
        right = sum(nr for name, nr in dump.items() if name.startswith(root))
        least = 0.9 * objects if site.removeprefix("held_") in SINGLE else 1
        check(objects and right >= least, f"{site}: {right} of {objects} by {root}")
        check(sum(live.values()) == objects, f"{site}: another number of objects")


def case_said():
    with open(os.path.join(found, "said")) as f:
        said = f.read()
    print(said)
    check("there was one pass" in said, "one pass")
    check("lacks" not in said, "a dump of QEMU is complete")
    with open(os.path.join(found, "table")) as f:
        check("lost_pointer() have no reference left" in f.read(), "the sentence")


def case_census():
    """Each allocated object of each cache, as drgn finds them in the same dump."""
    truth = {}
    with open(os.path.join(guest, "slabs")) as f:
        for line in f:
            cache, nr = line.split()
            if int(nr):
                truth[f"[before: {cache}]"] = int(nr)
    census = {row["caller"].replace(", merged]", "]"): int(row["live"]) for row in rows(found, "census.csv")}
    for name in sorted(truth.keys() | census.keys()):
        if truth.get(name) != census.get(name):
            print(f"{name}: {truth.get(name)} by drgn, {census.get(name)} by the census")
    off = sum(abs(truth.get(name, 0) - census.get(name, 0)) for name in truth.keys() | census.keys())
    total = sum(truth.values())
    print(f"{len(truth)} caches, {total} objects by drgn; {off} differ")
    check(len(truth) > 60 and total > 20000, "enough caches and objects")
    check(off <= total / 1000, "the same objects")


guest, found, case = sys.argv[1:]
failed = False
globals()["case_" + case]()
sys.exit(failed)
