#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Does the account of a boot agree with what the slab allocator itself counts?
#
#	agree.py FOLDER [exact]
#
# FOLDER is what agree.guest has left. The truth is /proc/slabinfo: objects in use
# times the size of one, by cache. Where CPUs keep slabs of their own it takes free
# objects of those for used: it has more than the account then, never less. A kernel
# booted with slub_debug=F has no such slabs; with `exact` each cache must agree, but
# for what came or went between the two readings of the account that it lies between,
# and for the reader's own objects, of which OWN has each. Half of the rounds must say so:
# in one a task may come or go.
#
# KTAP on stdout.
import sys
from pathlib import Path

BOUND = 0.001
READERS = 1  # objects of a cache, besides the reader's own
# The account is that of the middle of an open(), which has a path then (in 6.12 of kmalloc),
# and three arrays of the account's survey, in the room of the map's longest chain, and maybe
# three of a shorter one before; from its end on there is what a file keeps, and a table of
# its functions.
OWN = {"names_cache": -1, "kmalloc-4k": -1, "seq_file": 1, "kmalloc-32": 1}
ARRAYS = 6
# what the allocator is made of: the first objects of a boot, and no reader's
FIRST = ("kmem_cache", "kmem_cache_node")
# rows of debugfs' caches that are no cache's
OTHERS = {"[large kmalloc]", "[pages]", "[percpu]"}


def account_caches(path):
    """{cache: (objects, bytes)} of debugfs' caches"""
    caches = {}
    lines = path.read_text().splitlines()
    if lines[0] != "kmem_account caches 1":
        raise ValueError(f"{path}: not caches")
    for line in lines[2:]:
        objects, total, *_, name = line.split("\t")
        if name not in OTHERS:
            old = caches.get(name, (0, 0))
            caches[name] = old[0] + int(objects), old[1] + int(total)
    return caches


def slabinfo(path):
    """{cache: (objects, bytes)} of /proc/slabinfo"""
    caches = {}
    for line in path.read_text().splitlines():
        if line.startswith(("slabinfo", "#")):
            continue
        name, active, _, size = line.split()[:4]
        old = caches.get(name, (0, 0))
        caches[name] = old[0] + int(active), old[1] + int(active) * int(size)
    return caches


def header(path):
    """{key: value} of /proc/kmem_account"""
    pairs = {}
    for line in path.read_text().split("\n\n")[0].splitlines():
        # which switches are on
        if line.startswith("#"):
            continue
        key, value = line.rsplit(":", 1)
        pairs[key] = int(value)
    return pairs


class Round:
    """One look at the truth, between two at the account"""

    def __init__(self, folder, number):
        before, after = (account_caches(folder / f"{number}.{name}")
                         for name in ("before", "after"))
        truth = slabinfo(folder / f"{number}.slabinfo")
        self.truth = sum(size for _, size in truth.values())
        self.account = sum(size for _, size in after.values())
        self.objects = sum(objects for objects, _ in truth.values())
        # objects and bytes by which the truth is outside of what the account went through
        self.differ = {}
        for name in before.keys() | after.keys() | truth.keys():
            low, high = sorted(c.get(name, (0, 0)) for c in (before, after))
            real = truth.get(name, (0, 0))
            if not low <= real <= high:
                near = high if real > high else low
                self.differ[name] = real[0] - near[0], real[1] - near[1]

        self.rest, arrays = {}, ARRAYS
        for name, (objects, size) in self.differ.items():
            if OWN.get(name) == objects:
                continue
            if name.startswith("kmalloc-") and -arrays <= objects < 0:
                arrays += objects
            else:
                self.rest[name] = objects, size

    def most(self):
        return max((abs(objects) for objects, _ in self.rest.values()), default=0)

    def lack(self):
        return max((-objects for objects, _ in self.rest.values()), default=0)

    def net(self):
        return abs(sum(size for _, size in self.rest.values()))

    def with_own(self):
        return abs(sum(size for _, size in self.differ.values()))

    def __str__(self):
        names = sorted(self.differ, key=lambda name: -abs(self.differ[name][1]))
        return (f"slabinfo has {self.truth} bytes in {self.objects} objects, the account "
                f"{self.account}; objects that slabinfo has more: " +
                ", ".join(f"{name} {self.differ[name][0]:+}" for name in names[:12]))


class Results:
    def __init__(self):
        self.lines, self.failed = [], False

    def check(self, fine, what, *notes):
        self.lines += [f"# {note}" for note in notes]
        number = sum(not line.startswith("#") for line in self.lines) + 1
        self.lines.append(f"{'' if fine else 'not '}ok {number} {what}")
        self.failed |= not fine

    def show(self):
        tests = sum(not line.startswith("#") for line in self.lines)
        print("KTAP version 1", f"1..{tests}", *self.lines, sep="\n")


def check_boot(folder, results):
    """What an account that saw the first object cannot say"""
    boot = header(folder / "account")
    for key in ("frees of unknown objects", "implied frees", "events not recorded"):
        results.check(boot[key] == 0, f"{key} of the boot: none", f"{boot[key]}")
    results.check(boot["number of allocs"] > 1000,
                  f"the account has {boot['number of allocs']} allocations of the boot")
    again = header(folder / "account.on")
    results.check(header(folder / "account.off")["number of allocs"] >=
                  boot["number of allocs"] and
                  again["number of allocs"] < boot["number of allocs"],
                  "off keeps the account, on begins another one",
                  f"{again['number of allocs']} allocations in the new one")


def check_slabinfo(folder, exact, results):
    rounds = [Round(folder, file.name.split(".")[0])
              for file in sorted(folder.glob("*.slabinfo"))]
    middle = sorted(rounds, key=Round.lack)[len(rounds) // 2]
    results.check(middle.lack() <= READERS, "no cache has more in the account than in slabinfo",
                  middle)
    if not exact:
        return
    results.check(all(not r.differ.keys() & set(FIRST) for r in rounds),
                  "the first objects agree to the object")
    middle = sorted(rounds, key=Round.most)[len(rounds) // 2]
    results.check(middle.most() <= READERS, "each cache agrees with slabinfo",
                  f"{middle.most()} objects off at most, in the middle one of the rounds", middle)
    middle = sorted(rounds, key=Round.net)[len(rounds) // 2]
    results.check(middle.net() <= BOUND * middle.truth,
                  f"the account agrees with slabinfo within {BOUND:.1%}",
                  f"{middle.net()} of {middle.truth} bytes: {middle.net() / middle.truth:.4%}; "
                  f"with the reader's own objects {middle.with_own()}")


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["exact"]):
        sys.exit("usage: agree.py FOLDER [exact]")
    folder = Path(sys.argv[1])
    results = Results()
    check_boot(folder, results)
    check_slabinfo(folder, bool(sys.argv[2:]), results)
    results.show()
    return results.failed


if __name__ == "__main__":
    sys.exit(main())
