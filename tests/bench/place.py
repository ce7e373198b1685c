#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How many objects share the home bucket of one object: place.py [SEEDS]

A model of the live map (module/account/live.h) with a million objects of the sizes of "kma_hold mixed=1", in
slabs of a page at random places of 1 GiB.  A pair of one call site takes 3 instructions for each other
object in its bucket of ten slots.  For each seed, the program draws pairs of free objects on other pages, as
before and after a switch, and prints the percentiles of the difference of their instructions, for those
that both have a free slot, and the share of places whose bucket is full.  Nothing here reads a kernel.
"""
import random
import sys
from collections import Counter

OBJECTS = {16: 812500, 32: 50000, 64: 75000, 96: 62500}  # of 16 sizes of a fifth, rounded up to caches
HOMES = 170700  # as stats had with a million objects
SLOTS = 10
SEARCH = 3  # instructions for each other object: add, cmp, jne
BASE = 0xFFFF888000000000
DRAWS = 1000


def home_of(addr):
    at = (addr >> 3) * 0x61C88647 % 2**64 >> 32
    at &= 2 ** HOMES.bit_length() - 1
    return at if at < HOMES else at & 2 ** (HOMES.bit_length() - 1) - 1


def places(seed):
    """Yield the number of objects in the home of each free object that is drawn."""
    rand = random.Random(seed)
    pages = iter(rand.sample(range(1 << 18), sum(n * size // 4000 + 1 for size, n in OBJECTS.items()) + 2 * DRAWS))
    homes = Counter()
    for size, count in OBJECTS.items():
        for nr in range(count):
            if nr % (4096 // size) == 0:
                page = BASE + (next(pages) << 12)
            homes[home_of(page + nr % (4096 // size) * size)] += 1
    for _ in range(2 * DRAWS):
        yield homes[home_of(BASE + (next(pages) << 12) + rand.randrange(64) * 64)]


every, differences, full = [], [], []
for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 20):
    drawn = list(places(seed))
    every += drawn
    full.append(100 * sum(n >= SLOTS for n in drawn) / len(drawn))
    pairs = zip(drawn[::2], drawn[1::2])
    differences += [SEARCH * (after - before) for before, after in pairs if max(before, after) < SLOTS]
differences.sort()
print(f"mean {sum(every) / len(every):.1f} others; full {min(full):.1f} to {max(full):.1f} % by seed")
print("difference at", ", ".join(f"{p} %: {differences[(len(differences) - 1) * p // 100]:+d}" for p in (1, 5, 25, 50, 75, 95, 99)))
