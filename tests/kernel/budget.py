#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The error budget: slab bytes by slabinfo against the account, in KTAP.

	budget.py DIR [MOMENT...]

DIR has a folder for each moment, as left by budget.guest: right after loading
the module, and later. At each later moment (busy and relaxed, if none is named)

	slab bytes by slabinfo = accounted + unknown + error

where unknown is what was there before the module and has not been freed since:
what the account lacked right after loading, less the bytes of the unknown frees
seen from there on. An event that the map had no room for may be wrong by the size of its
object. Large kmallocs are pages, of which slabinfo knows nothing.
"""
import glob
import sys

BAR = 0.5		# per cent of the slab bytes
LOST = 96		# bytes of the largest object of growth.guest
LARGE = "[large kmalloc]"


def slabinfo(path):
    """{cache: bytes of its active objects}"""
    caches = {}
    for line in open(path).read().splitlines()[2:]:
        word = line.split(" : ")[0].split()
        name, active, size = " ".join(word[:-5]), int(word[-5]), int(word[-3])
        caches[name] = caches.get(name, 0) + active * size
    return caches


def accounted(path):
    """{cache: bytes of its live objects by the account}"""
    lines = open(path).read().splitlines()
    column = lines[1][2:].split("\t").index
    caches = {}
    for line in lines[2:]:
        cell = line.split("\t")
        name = cell[column("cache")]
        caches[name] = caches.get(name, 0) + int(cell[column("total")])
    return caches


def stats(path):
    return {key: int(value) for key, value in
            (line.split(": ") for line in open(path))}


class Reading:
    def __init__(self, folder):
        self.slab = slabinfo(f"{folder}/slabinfo")
        self.account = accounted(f"{folder}/caches")
        self.stats = stats(f"{folder}/stats")
        self.account.pop(LARGE, None)

    def missing(self):
        """{cache: bytes that slabinfo has and the account has not}"""
        names = self.slab.keys() | self.account.keys()
        return {n: self.slab.get(n, 0) - self.account.get(n, 0) for n in names}

    def before(self):
        """What was there before the module, if all is seen"""
        return sum(self.missing().values()) + self.stats["unknown free bytes"]


def look(folder):
    """The reading in which slabinfo has least that is free on a CPU"""
    return min((Reading(path) for path in glob.glob(f"{folder}/*")),
               key=Reading.before)


def largest(now, then, n=8):
    """What the account lacks now and did not lack then, by cache"""
    now, then = now.missing(), then.missing()
    change = {c: now.get(c, 0) - then.get(c, 0) for c in now.keys() | then.keys()}
    return sorted(((v, c) for c, v in change.items() if v),
                  key=lambda row: -abs(row[0]))[:n]


def main():
    folder, *moments = sys.argv[1:]
    first = look(f"{folder}/loaded")
    moments = moments or ["busy", "relaxed"]
    failed = False

    print(f"KTAP version 1\n1..{len(moments)}")
    print(f"# loaded: {sum(first.slab.values())} slab bytes = "
          f"{sum(first.account.values())} accounted + "
          f"{sum(first.missing().values())} unknown")
    for n, name in enumerate(moments, 1):
        m = look(f"{folder}/{name}")
        slab, account = sum(m.slab.values()), sum(m.account.values())
        unknown = first.before() - m.stats["unknown free bytes"]
        error = slab - account - unknown
        percent = 100 * error / slab
        lost = m.stats["not recorded map full"] - first.stats["not recorded map full"]
        ok = abs(error) <= BAR / 100 * slab + LOST * lost
        failed |= not ok
        print(f"# {name}: {slab} slab bytes = {account} accounted + {unknown} "
              f"unknown + {error} error")
        for key in ("allocations", "frees", "implied frees", "unknown frees",
                    "unknown free bytes", "unknown free untold",
                    "not recorded missed", "not recorded size", "not recorded map full"):
            print(f"#   {key}: {m.stats[key] - first.stats[key]}")
        print("#   slabinfo less account, by cache, since loading (what was "
              "freed of the unknown is in it):")
        for value, cache in largest(m, first):
            print(f"#   {value:10} {cache}")
        more = f" and {LOST} bytes for each of {lost} lost events" if lost else ""
        print("ok" if ok else "not ok", n, f"{name}: error {percent:.3f} % of "
              f"{slab} slab bytes, at most {BAR} %{more}")
    return failed


sys.exit(main())
