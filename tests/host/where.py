#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Where the memory of a machine is, without any of our C code.

	where.py where MEMINFO SLABINFO|- ACCOUNT|-	rows "group,owner,bytes"
	where.py cache ACCOUNT SLABINFO|- LINKS|-	rows "cache,live,objects", "cache>aliases"

ACCOUNT is debugfs' sites or caches. Rows are in any order.
"""
import collections
import os
import sys

LINES = """user|anonymous|AnonPages|
files|page cache|Cached|Shmem
files|shared memory, tmpfs|Shmem|
files|block devices|Buffers|
huge pages|hugetlbfs|Hugetlb|
kernel|page tables|PageTables|
kernel|page tables of guests, IOMMU|SecPageTables|
kernel|stacks of tasks|KernelStack|
kernel|vmalloc|VmallocUsed|KernelStack
kernel|compressed swap|Zswap|
kernel|bounce buffers|Bounce|
kernel|reclaimable, not slab|KReclaimable|SReclaimable
kernel|graphics|GPUActive|
kernel|graphics, reclaimable|GPUReclaim|
broken|pages with errors|HardwareCorrupted|"""


def table(path):
    if path == "-":
        return []
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    names = lines[1][2:].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[2:]]


def slabs(path):
    found = {}
    if path == "-":
        return found
    with open(path, encoding="utf-8") as f:
        for line in f.read().splitlines()[2:]:
            numbers, _, data = line.split(" : ")
            name, active, _, size, _, pages = numbers.rsplit(None, 5)
            found[name] = (int(active), int(size), int(pages) * int(data.split()[2]) * 4096)
    return found


def where(meminfo, slabinfo, account):
    with open(meminfo, encoding="utf-8") as f:
        mem = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in f if " kB" in line}
    rows = []
    for line in LINES.splitlines():
        group, owner, name, less = line.split("|")
        size = max(0, mem.get(name, 0) - mem.get(less, 0))
        if size:
            rows.append((group, owner, size))
    ours, percpu = collections.Counter(), collections.Counter()
    for row in table(account):
        kind, cache = row.get("kind", "-"), row["cache"].rstrip("+")
        part = "pages" if kind == "page" or cache == "[pages]" else \
            "percpu" if kind == "percpu" or cache == "[percpu]" else \
            "large" if cache == "[large kmalloc]" else "slab"
        ours[part] += int(row["total"])
        if part == "percpu":
            percpu[row.get("caller", cache)] += int(row["total"])
    left = mem["Slab"]
    caches = slabs(slabinfo).values()
    active = sum(active * size for active, size, _ in caches)
    pages = sum(pages for _, _, pages in caches)
    parts = [("accounted", ours["slab"]), ("accounted, kmalloc of whole pages", ours["large"])]
    if caches:
        parts += [("[before]", max(0, active - ours["slab"])), ("free in slabs", pages - active),
                  ("[before], kmalloc of whole pages", left)]
    else:
        parts += [("[before], or free in slabs", left)]
    for owner, size in parts:
        if min(size, left):
            rows.append(("slab", owner, min(size, left)))
        left -= min(size, left)
    left = mem.get("Percpu", 0)
    for owner, size in percpu.items():
        if size:
            rows.append(("per-CPU", owner, size))
            left -= size
    if left:
        rows.append(("per-CPU", "[before], or free", left))
    rows.append(("free", "free", mem["MemFree"]))
    rest = mem["MemTotal"] - sum(size for _, _, size in rows)
    rows.append(("kernel", "[counted twice]" if rest < 0 else "[unexplained]", rest))
    for row in rows:
        print("|".join(map(str, row)))


def cache(account, slabinfo, links):
    live, objects, several, shown = (collections.Counter() for _ in range(4))
    seen = collections.defaultdict(set)
    for row in table(account):
        seen[row.get("caller", row["cache"])].add(row["cache"])
    for row in table(account):
        name = row["cache"]
        if name.endswith("+") or len(seen[row.get("caller", name)] - {"-"}) > 1:
            name = "[several caches]"
        name = {"-": "[no cache]" if "caller" in row else "[unknown]"}.get(name, name)
        live[name] += int(row["total"])
        objects[name] += int(row["objects"]) if "objects" in row else \
            int(row["allocs"]) - int(row["frees"])
    for name, (active, size, _) in slabs(slabinfo).items():
        before = max(0, active * size - live[name]), max(0, active - objects[name])
        if any(before):
            shown[name + " [before]"] = before
    for name in live:
        print(f"{name}|{live[name]}|{objects[name]}")
    for name, (size, count) in shown.items():
        print(f"{name}|{size}|{count}")
    targets = {} if links == "-" else {
        name: os.readlink(os.path.join(links, name)) for name in os.listdir(links)}
    for name in {*live, *(n for n in slabs(slabinfo))}:
        others = sorted(n for n, t in targets.items() if t == targets.get(name) and n != name)
        if others:
            print(f"{name}>{', '.join(others)}")


if sys.argv[1] == "where":
    where(*sys.argv[2:])
else:
    cache(*sys.argv[2:])
