#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A history with 13 planted leaks and 8 healthy call sites, for planted.sh.

	planted.py make DIR MINUTES SEED	snapshots with ages, every 5 s (up to 5 minutes) or 10 s
	planted.py check CSV MINUTES		the verdicts
	planted.py reasons CSV			each reason beside the numbers of its row

An object is (birth, death, bytes) in seconds; the account and the ages are counted from these.
"""
import csv
import heapq
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from module_text import BUILD_ID, sites_head, snapshot_head  # noqa: E402

NEVER = float("inf")
BEFORE = -100  # s: birth of what is older than the history
EPOCHS = ["live_lt_%ds" % (1 << i) for i in range(17)] + ["live_ge_65536s"]
# verdicts that say that there is no leak, with a confidence from here on
CLEAR, SURE = ("filling", "cache", "plateau", "falling"), 0.6


def arrivals(rng, seconds, rate):
    """Times of events that come at random, RATE a second."""
    now = rng.expovariate(rate)
    while now < seconds:
        yield now
        now += rng.expovariate(rate)


def lost(rng, seconds, rate, share, life, size=128):
    """Of the objects a SHARE is never freed, and the others are after up to LIFE s."""
    for at in arrivals(rng, seconds, rate):
        yield at, NEVER if rng.random() < share else at + rng.uniform(0, life), size


def every(seconds, step, size):
    """An object each STEP s, and none is freed."""
    at = step / 2
    while at < seconds:
        yield at, NEVER, size
        at += step


def bursts(rng, seconds):
    """40 objects each 30 s, of which 5 stay."""
    for begin in range(10, seconds, 30):
        for n in range(40):
            at = begin + rng.random()
            yield at, NEVER if n < 5 else at + rng.uniform(0, 2), 192


def resized(until):
    """
    8 arrays grow by 96 bytes a second UNTIL then and are never freed. Within a block krealloc() is no event;
    beyond it, it frees the block, and allocates one of twice the size.
    """
    for n in range(8):
        size, since, length = 64, n / 8, 32.0 + 11 * n
        at = since
        while at < until:
            at += 1
            length += 96
            if length > size:
                yield since, at, size
                since = at
                while size < length:
                    size *= 2
        yield since, NEVER, size


def largest(rng, seconds):
    """
    20 tables with as many entries as there were at most: the number goes up and down, and a new maximum
    is ever rarer. krealloc() moves a table to a block of a power of two bytes.
    """
    for _ in range(20):
        size, since, level = 64, BEFORE, rng.gauss(0, 1)
        entries = 64 * 2 ** rng.uniform(0, 6)
        for at in range(1, seconds):
            level = 0.99 * level + 0.14 * rng.gauss(0, 1)
            if entries * (1 + level / 2) > size:
                yield since, at, size
                since = at
                while size < entries * (1 + level / 2):
                    size *= 2
        yield since, NEVER, size


def moved(rng, seconds):
    """What one call site allocates, another makes larger after 2 s: there it is lost."""
    for at in arrivals(rng, seconds - 3, 0.5):
        yield at + 2, NEVER, 512


def based(rng, seconds):
    for _ in range(5000):
        yield BEFORE, NEVER, 256
    yield from lost(rng, seconds, 20, 0.05, 4, 256)


def sawtooth(seconds):
    """A batch that fills for 25 s and is freed at once."""
    for at in range(seconds * 4):
        yield at / 4, (at // 100 + 1) * 25, 256


def full(rng, seconds):
    """A table that has filled after 40 s, and replaces 2 of its objects each second."""
    for n in range(400):
        yield n / 10, NEVER if n % 2 else rng.uniform(41, seconds), 128
    for at in arrivals(rng, seconds - 41, 2):
        yield at + 41, at + 41 + rng.uniform(0, 5), 128


def planted(rng, seconds):
    """Caller, kind, cache, objects."""
    yield "slow", "kmalloc", "kmalloc-512", every(seconds, 10, 512)
    yield "error_path", "kmalloc", "kmalloc-128", lost(rng, seconds, 20, 0.025, 0.2)
    yield "per_open", "kmalloc", "kmalloc-64", lost(rng, seconds, 0.4, 0.5, 6, 64)
    yield "file", "cache", "filp", lost(rng, seconds, 50, 0.038, 1, 256)
    yield "noise", "kmalloc", "kmalloc-128", lost(rng, seconds, 30, 0.03, 20)
    yield "resized", "kmalloc", "", resized(seconds)
    yield "moved", "kmalloc", "kmalloc-512", moved(rng, seconds)
    yield "bursts", "kmalloc", "kmalloc-192", bursts(rng, seconds)
    yield "pages", "page", "", every(seconds, 5, 16384)
    yield "percpu", "percpu", "", every(seconds, 4, 64)
    yield "large", "kmalloc", "", lost(rng, seconds, 0.2, 0.4, 5, 32768)
    yield "list", "kmalloc", "kmalloc-96", every(seconds, 1 / 3, 96)
    yield "based", "kmalloc", "kmalloc-256", based(rng, seconds)


def healthy(rng, seconds):
    yield "full", "kmalloc", "kmalloc-128", full(rng, seconds)
    yield "moves", "kmalloc", "kmalloc-256", ((at, at + 2, 256) for at in arrivals(rng, seconds, 0.5))
    yield "sawtooth", "kmalloc", "kmalloc-256", sawtooth(seconds)
    yield "short", "kmalloc", "kmalloc-1k", lost(rng, seconds, 60, 0, 0.5, 1024)
    yield "dentries", "cache", "dentry", lost(rng, seconds, 20, 0.3, 5, 192)
    yield "boot", "kmalloc", "kmalloc-32", ((BEFORE, NEVER, 32) for _ in range(900))
    yield "tables", "kmalloc", "", resized(0.8 * seconds)
    yield "largest", "kmalloc", "", largest(rng, seconds)


class Site:
    """Counts what happens to the objects, in the order of time."""

    def __init__(self, caller, kind, cache, objects):
        self.caller, self.kind, self.cache = caller, kind, cache
        self.births = sorted(objects)
        self.deaths, self.live = [], {}
        self.allocs = self.frees = 0

    def go_to(self, now):
        while self.allocs < len(self.births) and self.births[self.allocs][0] <= now:
            birth, death, size = self.births[self.allocs]
            self.live[self.allocs] = birth, size
            if death < NEVER:
                heapq.heappush(self.deaths, (death, self.allocs))
            self.allocs += 1
        while self.deaths and self.deaths[0][0] <= now:
            del self.live[heapq.heappop(self.deaths)[1]]
            self.frees += 1

    def row(self, number):
        size = sum(size for _, size in self.live.values())
        return "%d\t0x0\t%d\t0\t%d\t%d\t%d\t0\tvmlinux\t0x%x\t%s\t%s+0x10/0x90\t%s\t%s\t0\n" % (
            number, size, size, self.allocs, self.frees, 4096 * number, BUILD_ID, self.caller, self.kind,
            self.cache or "-")

    def ages(self, number, now):
        ages = [now - birth for birth, _ in self.live.values()]
        counts = [0] * 18
        for age in ages:
            counts[min(int(age).bit_length(), 17)] += 1
        return "%d\t%d\t%s\t0\t%s+0x10/0x90\t%s\n" % (
            number, len(ages), int(max(ages) * 1e9) if ages else "-", self.caller, "\t".join(map(str, counts)))


def make(folder, minutes, seed):
    seconds, step = minutes * 60, 5 if minutes <= 5 else 10
    rng = random.Random(seed)
    sites = [Site(*of) for of in planted(rng, seconds)] + [Site(*of) for of in healthy(rng, seconds)]
    for i in range(seconds // step):
        now = (i + 1) * step
        for site in sites:
            site.go_to(now)
        with open(os.path.join(folder, "s%03d" % i), "w") as out:
            out.write(snapshot_head((1000 + now) * 10**9, (1764000000 + now) * 10**9))
            out.write("reclaimable caches: dentry \n" + sites_head())
            out.writelines(site.row(n) for n, site in enumerate(sites, 1) if site.allocs)
            out.write("== ages\nkmem_account ages 1\n# id\tlive\toldest_ns\tlive_unknown\tcaller\t%s\n" %
                      "\t".join(EPOCHS))
            out.writelines(site.ages(n, now) for n, site in enumerate(sites, 1) if site.allocs)
            out.write("== end\n")


def check(path, minutes):
    with open(path) as rows:
        rows = {row["caller"].split("+")[0]: row for row in csv.DictReader(rows)}
    rng = random.Random(0)
    fault = 0
    for caller, *_ in planted(rng, 10):
        row = rows[caller]
        clear = row["verdict"] in CLEAR and float(row["confidence"]) >= SURE
        # arrays that grow are not lost: a reference leads to each of them
        found = "growing" if caller == "resized" else "leak"
        if clear or (minutes >= 30 and row["verdict"] != found):
            print("planted:", row)
            fault = 1
    for caller, *_ in healthy(rng, 100):
        if rows[caller]["verdict"] == "leak":
            print("healthy:", rows[caller])
            fault = 1
    print(minutes, "minutes:", {caller: row["verdict"] for caller, row in rows.items()})
    return fault


UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def size(words):
    number, unit = words.split()
    return float(number) * UNITS[unit]


BYTES = r"(-?[\d.]+ (?:B|KiB|MiB|GiB))"


def shares(text, row):
    """What a reason says of the share that is never freed."""
    if (got := re.search(r"1 of (\d+) allocations is never freed", text)):
        assert abs(1 / float(row["leaked_of_allocs"]) - int(got[1])) <= 0.51
    if (got := re.search(r"([\d.]+) of 100 allocations are never freed", text)):
        assert abs(100 * float(row["leaked_of_allocs"]) - float(got[1])) <= 0.51
    if " allocation is ever freed" in text or "no new allocation is freed" in text:
        assert float(row["leaked_of_allocs"]) == 1
    if (got := re.search(r"\((\d+) of (\d+) stay\)", text)):
        assert abs(int(got[1]) - float(row["leaked_of_allocs"]) * int(got[2])) <= 1
    elif row["verdict"] == "leak" and row["leaked_of_allocs"] and "unloaded" not in text:
        assert 0, "a share without its figure"
    if (got := re.search(r"(\d+) of (\d+) objects of the first half are live", text)):
        assert got[1] == row["survivors"] and int(got[1]) <= int(got[2])
    if (got := re.search(r"stay decreases \(to (\d+) %", text)):
        assert int(got[1]) < 100 and row["verdict"] != "leak"


def reason(row):
    """Each claim of the reasons of a row has a figure, which is that of the row or agrees with it."""
    text, growth = row["reasons"], int(row.get("growth_per_hour") or row.get("growth_per_run") or 0)
    assert text
    if " samples rise" in text:
        assert growth >= 0
    if " samples fall" in text:
        assert growth <= 0
    # the samples of a workload are those of its turns, and live bytes are all that the site holds
    live = int(row["live"]) if "growth_per_hour" in row else None
    if (got := re.search("the growth is not certain: %s to %s an? " % (BYTES, BYTES), text)):
        assert size(got[1]) <= growth * 1.01 + 1 and growth * 0.99 - 1 <= size(got[2])
    elif row["verdict"] in CLEAR and growth > 4096 and "of samples neither" in text:
        assert 0, "a growth that no reason tells of"
    if (got := re.search("rise to %s and fall again to %s" % (BYTES, BYTES), text)):
        assert size(got[1]) > size(got[2]) and (live is None or size(got[1]) >= 0.99 * live)
    if (got := re.search("from %s to %s each" % (BYTES, BYTES), text)):
        assert size(got[1]) < size(got[2]) and growth > 0 and (live is None or size(got[2]) <= live * 1.01)
    if (got := re.search(r"rate of allocations rises by (-?\d+) %, and live bytes by (-?\d+) %", text)):
        assert int(got[1]) >= 0 and int(got[2]) >= 0
    if (got := re.search(r"(\d+) allocations? (?:is|are) too few to judge the growth by " + BYTES, text)):
        assert row["verdict"] == "too-early" and int(got[1]) < 24
        assert size(got[2]) <= int(row["live"]) * 1.01
    if "unloaded" in text:
        assert int(row["live"]) > 0
    shares(text, row)


def reasons(paths):
    rows = 0
    for path in paths:
        with open(path) as lines:
            for row in csv.DictReader(lines):
                rows += 1
                try:
                    reason(row)
                except AssertionError as error:
                    sys.exit("%s: %s: %s" % (path, error, row))
    print(rows, "rows")
    assert rows


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    elif sys.argv[1] == "reasons":
        reasons(sys.argv[2:])
    else:
        sys.exit(check(sys.argv[2], int(sys.argv[3])))
