#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare the account of pages with the kernel's count of free ones, in KTAP.

	pages.py DIR ROUNDS

DIR is as left by pages.guest. What the kernel lacks since the first reading is
what the account has more: pages at sites, pages of slabs and of per-CPU chunks,
less those that were freed and are older than the account.
"""
import sys

# A reading takes a moment in which other tasks allocate and free.
ERROR_BYTES = 512 * 1024
# Of 512 objects of 2 KiB and 4 of 64 KiB some fit into slabs that are there.
SLAB_PAGES = (512 * 2048 + 4 * 65536) // 2
# More than a CPU's first chunk has to spare.
PERCPU_PAGES = 65536
# Slabs that come and go between two readings of a kernel at rest.
SLAB_ERROR = 128 * 1024
HELD = ("page bytes", "slab page bytes", "percpu page bytes")


def figures(path):
    lines = open(path).read().splitlines()
    found = {k: int(v) for k, v in (l.split(": ") for l in lines if ": " in l)}
    if ": " not in lines[0]:
        found["time"] = float(lines[0])
    return found


def rows(path):
    names = None
    for line in open(path):
        if line.startswith("# "):
            names = line[2:].rstrip("\n").split("\t")
        elif names:
            yield dict(zip(names, line.rstrip("\n").split("\t")))


def main():
    folder, rounds = sys.argv[1], int(sys.argv[2])
    results = []

    def result(ok, name):
        results.append(ok)
        print("ok" if ok else "not ok", len(results), name)

    print("KTAP version 1")
    print(f"1..{4 * rounds + 5}")
    for i in range(1, rounds + 1):
        before, held = (figures(f"{folder}/{i}.{name}") for name in ("before", "held"))
        more = {k: held[k] - before[k] for k in held if k in before}
        print(f"# round {i}: pages of slabs {more['slab page bytes']}, of per-CPU chunks "
              f"{more['percpu page bytes']}, freed of older ones "
              f"{more['unknown page bytes freed']}; the kernel says {more['kernel Slab']} "
              f"and {more['kernel Percpu']}")
        # the chunks keep their pages for the next round
        result(more["slab page bytes"] >= SLAB_PAGES and
               (i > 1 or more["percpu page bytes"] >= PERCPU_PAGES),
               f"round {i}: pages of other allocators are summed")
        result(abs(more["slab page bytes"] - more["kernel Slab"]) <= SLAB_ERROR and
               more["percpu page bytes"] == more["kernel Percpu"],
               f"round {i}: as many as the kernel counts")
        stats = figures(f"{folder}/{i}.stats")
        live = {}
        for row in rows(f"{folder}/{i}.live"):
            live[row["kind"]] = live.get(row["kind"], 0) + int(row["total"])
        want = {"page": stats["page bytes"], "percpu": stats["percpu bytes"]}
        print(f"# round {i}: stats {want}, live {live}")
        result(all(live.get(k, 0) == v for k, v in want.items()),
               f"round {i}: live lists the pages and per-CPU objects of stats")
        caches = {r["cache"]: int(r["total"]) for r in rows(f"{folder}/{i}.caches")}
        result(caches.get("[pages]", 0) == want["page"] and
               caches.get("[percpu]", 0) == want["percpu"] and
               sum(caches.values()) == sum(live.values()),
               f"round {i}: caches has them in rows of their own")

    first = figures(f"{folder}/0.budget")
    errors = []
    for i in (1, 2):
        now = figures(f"{folder}/{i}.budget")
        lacking = first["free"] - now["free"]
        held = sum(now[k] - first[k] for k in HELD)
        unknown = now["unknown page bytes freed"] - first["unknown page bytes freed"]
        errors.append((now["time"], lacking - held + unknown))
        print(f"# the kernel lacks {lacking} bytes more after {now['time'] - first['time']:.0f} s; "
              f"the account has {held}, of which " +
              ", ".join(f"{k} {now[k] - first[k]}" for k in HELD))
        print(f"# = held {held} - unknown {unknown} + error {errors[-1][1]}")
        result(abs(errors[-1][1]) < ERROR_BYTES,
               f"reading {i}: the error is below {ERROR_BYTES} bytes")
    minutes = (errors[1][0] - errors[0][0]) / 60
    drift = (errors[1][1] - errors[0][1]) / minutes
    print(f"# drift: {drift:.0f} bytes a minute of work")
    last = figures(f"{folder}/2.budget")
    dropped = {k: v for k, v in last.items() if k.startswith("not recorded") and v}
    print(f"# {last['events booked']} events, implied {last['implied frees']}, "
          f"not recorded: {dropped or 'none'}")
    result(not dropped, "every event was recorded")
    result(not open(f"{folder}/negative").read(), "no number was ever negative")
    complaints = open(f"{folder}/complaints").read()
    for line in complaints.splitlines()[:10]:
        print("#", line)
    result(not complaints, "the kernel has no complaint")
    return 0 if all(results) else 1


sys.exit(main())
