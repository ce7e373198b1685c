#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Snapshots of the module for snapshot.sh and history.sh, made of objects whose births and
deaths are known.

	snapshot.py make DIR [N [STEP]]	N snapshots (60) STEP seconds apart (10)

A module would write these: object by object the births of each site are simulated, and the live
objects are counted by age at each snapshot.
"""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from module_text import BOOT, BUILD_ID, sites_head, snapshot_head  # noqa: E402

START = 1764000000  # s since 1970
UP = 1000           # s since boot
EPOCHS = ["live_lt_%ds" % (1 << i) for i in range(17)] + ["live_ge_65536s"]
AGES = ["lt_1us", "lt_10us", "lt_100us", "lt_1ms", "lt_10ms", "lt_100ms", "lt_1s", "lt_10s",
        "lt_100s", "lt_1000s", "lt_10000s", "lt_100000s", "lt_1000000s", "ge_1000000s"]


def objects(until, rate, fate):
    """Births each second at a rate, and each one's death by its fate."""
    for second in range(until):
        for n in range(rate(second)):
            birth = second + n / max(rate(second), 1)
            yield birth, fate(birth)


def sites(until):
    rng = random.Random(22)
    load = lambda s: 20 if s // 60 % 2 else 10
    never = float("inf")
    return {
        # one in twenty is never freed
        ("leaky+0x10/0x90", 64, "kmalloc", "kmalloc-64"):
            list(objects(until, load, lambda b: never if rng.random() < 0.05 else b + rng.random())),
        # objects live 20 to 60 s
        ("busy+0x3/0x40", 192, "kmalloc", "kmalloc-192"):
            list(objects(until, load, lambda b: b + rng.uniform(20, 60))),
        # a cache that fills, and that a shrinker would empty
        ("dentries+0x1/0x2", 192, "cache", "dentry"):
            list(objects(until, load, lambda b: never if rng.random() < 0.05 else b + rng.random())),
        # the same of a cache without a shrinker
        ("inodes+0x5/0x6 [made]", 600, "cache", "made_inodes"):
            list(objects(until, load, lambda b: never if rng.random() < 0.05 else b + rng.random())),
    }


def rows(all_sites, now):
    """The tables sites and ages at a time."""
    yield sites_head()
    for i, ((caller, size, kind, cache), objs) in enumerate(all_sites.items()):
        born = [o for o in objs if o[0] <= now]
        live = sum(o[1] > now for o in born)
        yield "%d\t0x0\t%d\t0\t%d\t%d\t%d\t0\tvmlinux\t0x%x\t%s\t%s\t%s\t%s\t%d\n" % (
            i + 1, live * size, live * size, len(born), len(born) - live, 4096 * (i + 1), BUILD_ID, caller, kind,
            cache, len(born) * size)
    yield "== stats\nversion: 1\nallocations: 1\n== ages\nkmem_account ages 1\n# id\tlive\toldest_ns\t" \
          "remote_cpu\tremote_node\t" + "\t".join(AGES) + "\tunknown\tlive_unknown\tcaller\t" + \
          "\t".join(EPOCHS) + "\n"
    for i, ((caller, _, _, _), objs) in enumerate(all_sites.items()):
        ages = [now - o[0] for o in objs if o[0] <= now < o[1]]
        counts = [0] * 18
        for age in ages:
            counts[min(int(age).bit_length(), 17)] += 1
        yield "%d\t%d\t%s\t0\t0%s\t0\t0\t%s\t%s\n" % (
            i + 1, len(ages), int(max(ages) * 1e9) if ages else "-", "\t0" * 14, caller,
            "\t".join(map(str, counts)))
    yield "== end\n"


def make(folder, n=60, step=10, boot=BOOT, generation=1, extra="", shift=0):
    all_sites = sites(n * step + 1)
    for i in range(n):
        now = (i + 1) * step
        with open(os.path.join(folder, "s%03d" % i), "w") as out:
            out.write(snapshot_head((UP + now) * 10**9, (START + now + shift) * 10**9, boot, generation) + extra)
            out.writelines(rows(all_sites, now))


if __name__ == "__main__":
    make(sys.argv[2], *map(int, sys.argv[3:5]),
         extra="reclaimable caches: dentry inode_cache \nloaded modules: ext4 made \n")
