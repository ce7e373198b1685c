#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A log of slab events, accounted by task without any of our C code.

	tasks.py LOG

LOG is text of ftrace, trace-cmd report (also -l) or perf script, perhaps packed by gzip or xz. Prints
"task,live,requested,allocs,frees,objects" for each task, sorted.
"""
import collections
import gzip
import lzma
import re
import sys

PREFIX = re.compile(r"^(?P<task>.{16,}?)(?:-| +)(?P<pid>\d+)(?:/\d+)? +(?:\([ \d-]+\) +)?\[\d+\] +"
                    r"(?:(?P<flags>[^\d\s:]\S*) +)?[\d.]+: +(?:kmem:)?"
                    r"(?P<event>kmalloc|kmem_cache_alloc|kfree|kmem_cache_free)(?:_node)?:")
# trace-cmd report -l: "sh-109     1.Ns1.     9.584593: kfree:"
LATENCY = re.compile(r"^(?P<task>.{8,}?)-(?P<pid>\d+) +\d+(?P<flags>[^\d\s]\S*) +[\d.]+: +"
                     r"(?P<event>kmalloc|kmem_cache_alloc|kfree|kmem_cache_free)(?:_node)?:")
SITE = re.compile(r"call_site=(\S+)")
PTR = re.compile(r"ptr= *(\S+)")
SIZES = re.compile(r"bytes_req=(\d+) bytes_alloc=(\d+)")
# the first of two events of a large kmalloc
ALLOCATOR = re.compile(r"__kv?malloc\w*_noprof\+")

path = sys.argv[1]
opener = {"gz": gzip.open, "xz": lzma.open}.get(path.rsplit(".", 1)[-1], open)
rows = collections.defaultdict(lambda: [0] * 5)  # live, req, allocs, frees, objects
live, large = {}, {}


def gone(ptr):
    task, req, alloc = live.pop(ptr)
    for i, n in enumerate((-alloc, -req, 0, 1, -1)):
        rows[task][i] += n


with opener(path, "rt", errors="replace") as log:
    for line in log:
        m = PREFIX.match(line) or LATENCY.match(line)
        if not m:
            continue
        task = m["task"].strip()
        if (m["flags"] or "")[2:3] in set("hHszZ"):
            task = "[irq]"
        elif task == "<...>":
            task = "[task not in the log]"
        ptr = PTR.search(line)[1]
        if ptr.startswith("(") or int(ptr, 16) <= 16:  # "(null)", "(nil)"
            continue
        if "alloc" not in m["event"]:
            if ptr in live:
                gone(ptr)
            else:
                rows[task][3] += 1
            continue
        req, alloc = map(int, SIZES.search(line).groups())
        if large.pop((m["pid"], ptr), None) == (req, alloc) and ptr in live:
            owner = live.pop(ptr)[0]
            for i, n in enumerate((-alloc, -req, -1, 0, -1)):
                rows[owner][i] += n
        if ptr in live:
            gone(ptr)
        if alloc > 8192 and ALLOCATOR.match(SITE.search(line)[1]):
            large[m["pid"], ptr] = req, alloc
        live[ptr] = task, req, alloc
        for i, n in enumerate((alloc, req, 1, 0, 1)):
            rows[task][i] += n
for task, numbers in sorted(rows.items()):
    print(task, *numbers, sep=",")
