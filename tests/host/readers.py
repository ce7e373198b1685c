#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tables of the kernel, accounted without any of our C code.

	readers.py KIND FILE	KIND is the name of a function below

Prints "metric<TAB>caller<TAB>number" for each metric of each site, sorted; and
"<metric><TAB>dir:NAME<TAB>number" for the directories of allocinfo.
"""
import collections
import os.path
import re
import sys

sums = collections.defaultdict(lambda: collections.defaultdict(int))
dirs = collections.defaultdict(lambda: collections.defaultdict(int))


def sites(lines):
    names = lines[1][2:].split("\t")
    metrics = {"current_dynamic": "total", "requested": "req", "waste": "slack",
               "allocs": "allocs", "total_dynamic": "all_total", "peak": "peak",
               "remote_frees": "remote_cpu"}
    for line in lines[2:]:
        row = dict(zip(names, line.split("\t")))
        site = sums[row["caller"]]
        for metric, column in metrics.items():
            if row[column] != "-":
                site[metric] += int(row[column])
        site["frees"] += int(row["frees"]) + int(row["unknown"])
        site["objects"] += int(row["allocs"]) - int(row["frees"])


def slub(lines):
    row = re.compile(r"^ *(\d+) (\S+(?: \[\S+\])?)(?: waste=(\d+)/\d+)? age=")
    known = any(" waste=" in line for line in lines)
    for line in lines:
        found = row.match(line)
        if found:
            site = sums[found[2].replace("<not-available>", "[caller not recorded]")]
            site["objects"] += int(found[1])
            if known:
                site["waste"] += int(found[3] or 0)


def allocinfo(lines):
    row = re.compile(r"^ *(-?\d+) +(-?\d+) (\S+):(\d+) (\[\S+\] )?func:(\S+)")
    for line in lines[2:]:
        size, calls, file, number, module, func = row.match(line).groups()
        file = os.path.normpath(file).lstrip("/")
        name = f"{file}:{number} {func}" + (f" {module.strip()}" if module else "")
        for table, key in ((sums, name), (dirs, "dir:" + os.path.dirname(file))):
            for metric, text in (("current_dynamic", size), ("objects", calls)):
                value = int(text)
                table[key][metric] += value if 0 <= value < 1 << 63 else 0


# Functions of the allocators and of the tools, as the samples have them.
INSIDE = re.compile(
    r"(?:__)?(?:kv?[mz]alloc|kmem_cache_alloc|alloc_(?:frozen_)?pages|folio_alloc|vmalloc|kmem_cache)\w*"
    r"|vma_alloc_folio|get_page_from_freelist|__get_free_pages|get_zeroed_page|post_alloc_hook"
    r"|prep_new_page|save_stack|(?:__)?set_page_owner|register_early_stack|pcpu_\w+|alloc_slab_page"
    r"|allocate_slab|new_slab|_+slab_alloc|vm_area_alloc_pages|__alloc_percpu\w*"
    r"|page_frag_alloc\w*|__page_frag_\w+")
SLAB = {"alloc_slab_page", "allocate_slab", "new_slab"}
PERCPU = {"pcpu_alloc_pages", "pcpu_populate_chunk", "pcpu_create_chunk"}
PAGE = re.compile(r"(?:__)?(?:alloc_(?:frozen_)?pages|folio_alloc)\w*|vma_alloc_folio|get_page_from_freelist"
                  r"|__get_free_pages")


def owner(frames, only_pages):
    """The row of a stack whose first frame is the innermost."""
    if frames and frames[0].startswith("register_early_stack"):  # from before page_owner
        return "[page without stack]"
    names = [re.split(r"[+. ]", frame)[0] for frame in frames]
    inside = []
    for frame, name in zip(frames, names):
        if not INSIDE.fullmatch(name):
            break
        inside.append(name)
    large = any("large" in n or n.startswith("kmalloc_order") for n in inside)
    if (only_pages or PAGE.fullmatch(names[0])) and not (large and only_pages):
        if SLAB & set(inside) or (large and not only_pages):
            return "[pages of slab]"
        if PERCPU & set(inside):
            return "[pages of per-CPU memory]"
    return frames[len(inside)] if len(inside) < len(frames) else "[page without stack]"


def add(site, objects, size):
    sums[site]["objects"] += objects
    sums[site]["current_dynamic"] += size


def kmemleak(lines):
    for part in re.split(r"(?m)^unreferenced object", "\n".join(lines))[1:]:
        size = int(re.search(r"\(size (\d+)\)", part)[1])
        stack = re.split(r"  backtrace.*:\n", part)[1].rstrip("\n").split("\n")
        add(owner([re.sub(r"^ *(\[<\w+>\] )?", "", frame) for frame in stack], False), 1, size)


def memleak(lines):
    report = re.split(r"(?m)^\[.*outstanding allocations:\n", "\n".join(lines))[-1]
    for part in re.split(r"(?m)^\s*(?=\d+ bytes in)", report)[1:]:
        size, number = map(int, re.match(r"(\d+) bytes in (\d+)", part).groups())
        stack = [re.sub(r"^\s+(\d+ \[<\w+>\] |0x\w+\s+)?", "", frame).replace(" [kernel]", "")
                 for frame in part.split("\n")[1:] if frame.startswith("\t")]
        add(owner(stack, False), number, size)


def perf_kmem(lines):
    row = re.compile(r" (\S+) +\| +(\d+)/\d+ +\| +\d+/\d+ +\| +(\d+) \|")
    for found in filter(None, map(row.match, lines)):
        site = sums[re.sub(r"\+(?=[0-9a-f]+$)", "+0x", found[1])]
        site["total_dynamic"] += int(found[2])
        site["allocs"] += int(found[3])


def page_owner(lines):
    for part in "\n".join(lines).split("\n\n"):
        order = re.search(r"Page allocated via order (\d+)", part)
        times = re.search(r"(?m)^(\d+) times, (\d+) pages", part)
        base = re.search(r"(?m)^(?:nr_base_pages|stack_count): (\d+)", part)
        stack = [line[1:] for line in part.split("\n") if line.startswith(" ")]
        if base:
            sums[owner(stack, True)]["current_dynamic"] += int(base[1]) * 4096
        elif times:
            add(owner(stack, True), int(times[1]), int(times[2]) * 4096)
        elif order:
            add(owner(stack, True), 1, 4096 << int(order[1]))


kind, path = sys.argv[1:]
with open(path, encoding="utf-8") as f:
    {f.__name__: f for f in (sites, slub, allocinfo, kmemleak, memleak, perf_kmem,
                             page_owner)}[kind](f.read().splitlines())
for table in (sums, dirs):
    for caller in table:
        for metric, value in table[caller].items():
            print(f"{metric}\t{caller}\t{value}")
