#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A made heap, and what goes with each of its roots, modules and call sites.

	retained.py DIR CALLER...

makes a random graph of objects of the call sites, removes each root, each module's roots and each call
site's objects in turn, and counts what is no longer reached. It writes DIR/scan, the file that
kmem-account scan would make of it; DIR/root.csv, module.csv and caller.csv, the tables of why; and
DIR/parts.csv: root, call site, bytes and objects.
"""
import random
import sys

random.seed(41)
work, callers = sys.argv[1], sys.argv[2:]
OBJECTS = 400
SCAN, NOTHING, SEVERAL = "memory of the scan", "nothing", "several roots"
FREE = "memory that was free before the scan"
# Names and classes: variables are searched first, then memory, stacks and other pages.
ROOTS = [("variable table [foo]", 0), ("variable list [foo]", 0), ("variable dentry_hashtable", 0),
         ("per-CPU variable cpu_cache [bar]", 0), ("variable lonely", 0),
         ("vmalloc area of foo_init+0x10/0x20 [foo]", 1), ("vmalloc area of alloc_large_system_hash+0x1/0x2", 1),
         ("task 7 (sh) stack", 2), ("other pages", 3)]
OTHERS = ["variables of the kernel", "vmalloc areas and older objects", "stacks", "other pages"]

site = [random.randrange(len(callers)) for _ in range(OBJECTS)]
size = [8 * random.randint(1, 64) for _ in range(OBJECTS)]
to = [set() for _ in range(OBJECTS)]
for _ in range(OBJECTS * 3 // 2):
    to[random.randrange(OBJECTS)].add(random.randrange(OBJECTS))
direct = [set(random.sample(range(OBJECTS), random.randint(1, 9))) for _ in ROOTS]
direct[4] = set()


def reached(roots, without=frozenset()):
    """By object: the class of the roots that reach it first."""
    found = {}
    for kind in range(4):
        stack = [o for names, o_kind, targets in roots if o_kind == kind for o in targets]
        new = set()
        while stack:
            at = stack.pop()
            if at in found or at in new or at in without:
                continue
            new.add(at)
            stack.extend(to[at])
        found.update((o, kind) for o in new)
    return found


def table(roots):
    """Rows (name, objects, direct), and the row of each object."""
    every, row = reached(roots), {}
    for i, (name, kind, targets) in enumerate(roots):
        # A class counts only where no class before it reaches: take these roots out alone.
        rest = reached(roots[:i] + roots[i + 1:])
        for o in every:
            if every[o] == kind and rest.get(o) != kind:
                row[o] = name
    for o in range(OBJECTS):
        row.setdefault(o, SEVERAL if o in every else NOTHING)
    rows = [(name, [o for o in row if row[o] == name], len(targets)) for name, _, targets in roots]
    rows += [(name, [o for o in row if row[o] == name], None) for name in (SEVERAL, NOTHING)]
    return [r for r in rows if r[1] or r[2] is not None], row


def order(rows):
    return sorted(rows, key=lambda r: (-r[1], -(r[3] if r[3] is not None else 2**64), r[0]))


by_root = [(name, kind, targets) for (name, kind), targets in zip(ROOTS, direct)]
rows, row = table(by_root)
own = (SCAN, 640, 3, None)
roots = order([(n, sum(size[o] for o in all_), len(all_), d) for n, all_, d in rows] + [own, (FREE, 0, 0, None)])
roots = [r for r in roots if r[0] != FREE]

merged = {}
for name, kind, targets in by_root:
    module = name[name.index("[") + 1:-1] if "[" in name else None
    key = (module, 0) if module else (OTHERS[kind], kind)
    merged.setdefault(key, set()).update(targets)
rows, _ = table([(name, kind, targets) for (name, kind), targets in merged.items()])
modules = order([(n, sum(size[o] for o in all_), len(all_), d) for n, all_, d in rows] + [own])

# A call site retains what each of its objects dominates, and what nothing holds of its own.
every = reached(by_root)
sites = []
for s, caller in enumerate(callers):
    mine = [o for o in range(OBJECTS) if site[o] == s]
    gone = {o for o in mine if o not in every}
    for o in mine:
        if o in every:
            rest = reached(by_root, {o})
            gone |= {x for x in every if rest.get(x) != every[x]}
    sites.append((caller, sum(size[o] for o in gone), len(gone), len(mine), sum(size[o] for o in mine)))
sites.sort(key=lambda r: (-r[1], -r[3], r[0]))

parts = {}
for o in range(OBJECTS):
    part = parts.setdefault((row[o], callers[site[o]]), [0, 0])
    part[0] += size[o]
    part[1] += 1
parts[SCAN, "[memory of the scan]"] = list(own[1:3])


def cell(number):
    return "-" if number is None else str(number)


lines = ["kmem_account scan 1", "kernel\trelease\t6.1.0-mini"]
lines += [f"place\t-\t-\t-\t{caller}" for caller in callers]
lines += [f"site\t{s + 1}\t{caller}" for s, caller in enumerate(callers)]
lines.append(f"live\t{OBJECTS}\t{OBJECTS + own[2]}\t{sum(size) + own[1]}")
for word, all_ in ("root", roots), ("module", modules):
    lines += [f"retained_{word}\t{b}\t{n}\t{cell(d)}\t0\t{name}" for name, b, n, d in all_]
lines += [f"retained_caller\t{b}\t{n}\t{live}\t{mine}\t{name}" for name, b, n, live, mine in sites]
number = {r[0]: i for i, r in enumerate(roots)}
of_site = {s[0]: i for i, s in enumerate(sites)}
for (root, caller), (b, n) in sorted(parts.items()):
    lines.append(f"retained_part\t{number[root]}\t{of_site.get(caller, '-')}\t{n}\t{b}")
lines.append(f"end\t{len(lines)}")
with open(f"{work}/scan", "w") as f:
    f.write("\n".join(lines) + "\n")
for name, head, all_ in (("root", "root,retained,objects,direct", roots),
                         ("module", "module,retained,objects,direct", modules),
                         ("caller", "caller,retained,objects,live,bytes", sites)):
    with open(f"{work}/{name}.csv", "w") as f:
        f.write(head + "\n")
        for r in all_:
            f.write(",".join("" if c is None else str(c) for c in r) + "\n")
with open(f"{work}/parts.csv", "w") as f:
    for (root, caller), (b, n) in sorted(parts.items()):
        f.write(f"{root},{caller},{b},{n}\n")
