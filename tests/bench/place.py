#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How many objects share the home bucket of one object: place.py [SEEDS [RUN]]

A model of the live map (module/account/live.h) with a million objects of the sizes of "kma_hold mixed=1", in
slabs of a page in 1 GiB.  Pages come in runs of RUN page frames, of which each begins at a random place (1 frame
by default).  A pair of one call site takes 3 instructions for each other object in its bucket of ten slots, and 53
more if the bucket is full (module/account/chain.c).  The program prints

- the share of places whose bucket is full, by seed;
- percentiles of the difference between the instructions of two free objects on other pages, as before and after a
  switch: of those that both have a free slot, and of all;
- the mean of 64 places, 5 pages apart, as kma_bench measures it, by seed.

Nothing here reads a kernel.
"""
import random
import sys
from collections import Counter

OBJECTS = {16: 812500, 32: 50000, 64: 75000, 96: 62500}  # of 16 sizes of a fifth, rounded up to caches
HOMES = 163700  # as the map has with a million objects
SLOTS = 10
SEARCH = 3  # instructions for each other object: add, cmp, jne
FULL = 53  # of a pair in chain.c more than of one in a home bucket, with the search of that
BASE = 0xFFFF888000000000
FRAMES = 1 << 18
DRAWS = 1000
PLACES, APART = 64, 5


def home_of(addr):
    at = (addr >> 3) * 0x61C88647 % 2**64 >> 32
    at &= 2 ** HOMES.bit_length() - 1
    return at if at < HOMES else at & 2 ** (HOMES.bit_length() - 1) - 1


def cost(others):
    """Return the instructions of a pair beyond those of an object that is alone in its bucket."""
    return SEARCH * others if others < SLOTS else FULL + SEARCH * (others - SLOTS)


def frames(rand, run, number):
    """Return the page frames of a boot, in the order in which the kernel takes them."""
    taken = {}
    while len(taken) < number:
        first = rand.randrange(FRAMES)
        taken.update(dict.fromkeys(range(first, min(first + run, FRAMES))))
    return list(taken)[:number]


def boot(seed, run):
    """Return the numbers of objects in the homes of free objects: drawn anywhere, and at the places of kma_bench."""
    rand = random.Random(seed)
    slabs = sum(-(-count // (4096 // size)) for size, count in OBJECTS.items())
    pages = [BASE + (f << 12) for f in frames(rand, run, slabs + PLACES * APART + 2 * DRAWS)]
    homes, slab = Counter(), 0
    for size, count in OBJECTS.items():
        for nr in range(count):
            homes[home_of(pages[slab + nr // (4096 // size)] + nr % (4096 // size) * size)] += 1
        slab += -(-count // (4096 // size))

    def others(page):
        return homes[home_of(page + rand.randrange(64) * 64)]

    drawn = rand.sample(pages[slabs + PLACES * APART :], 2 * DRAWS)
    return [others(page) for page in drawn], [others(page) for page in pages[slabs : slabs + PLACES * APART : APART]]


def percentiles(differences):
    differences.sort()
    return ", ".join(f"{p} %: {differences[(len(differences) - 1) * p // 100]:+d}" for p in (1, 5, 25, 50, 75, 95, 99))


def main(seeds=20, run=1):
    every, free, both, full, means = [], [], [], [], []
    for seed in range(seeds):
        drawn, places = boot(seed, run)
        every += drawn
        full.append(100 * sum(n >= SLOTS for n in drawn) / len(drawn))
        pairs = list(zip(drawn[::2], drawn[1::2]))
        both += [cost(after) - cost(before) for before, after in pairs]
        free += [cost(after) - cost(before) for before, after in pairs if max(before, after) < SLOTS]
        means.append(sum(map(cost, places)) / PLACES)
    print(f"mean {sum(every) / len(every):.1f} others; full {min(full):.1f} to {max(full):.1f} % by seed")
    print("difference, both with a free slot, at", percentiles(free))
    print("difference, of all, at", percentiles(both))
    print(f"mean of {PLACES} places: {min(means):.0f} to {max(means):.0f} instructions by seed, {sum(means) / seeds:.0f} of all")


main(*map(int, sys.argv[1:]))
