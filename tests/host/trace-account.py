#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The account file of trace_analyze, as plainly as can be.

	trace-account.py LOG [--map System.map] [--files LIST] [--branch DIR]
		[--kind kmalloc|cache] [--order NAME] [--callers]

Written from the script's own output and from the text of the events of Linux 3.x, not
from the host program. LIST has a line "address path" for each call site, by addr2line.
With --callers the callers file instead.
"""
import argparse
import bisect
import gzip
import re

ap = argparse.ArgumentParser()
ap.add_argument("log")
ap.add_argument("--map")
ap.add_argument("--files")
ap.add_argument("--branch", default="")
ap.add_argument("--kind")
ap.add_argument("--order", default="current_dynamic")
ap.add_argument("--callers", action="store_true")
args = ap.parse_args()

ALLOC = re.compile(r": (kmalloc|kmem_cache_alloc)(?:_node)?: call_site=(\w+) ptr=(\w+) "
                   r"bytes_req=(\d+) bytes_alloc=(\d+)")
FREE = re.compile(r": (kfree|kmem_cache_free): call_site=(\w+) ptr=(\w+)")
KIND = {"kmalloc": "kmalloc", "kfree": "kmalloc",
        "kmem_cache_alloc": "cache", "kmem_cache_free": "cache"}


class Site:
    NUMBERS = "total_dynamic", "current_dynamic", "req", "alloc_count", "free_count"

    def __init__(self):
        self.total_dynamic = self.current_dynamic = self.req = 0
        self.alloc_count = self.free_count = 0

    @property
    def waste(self):
        return self.current_dynamic - self.req


sites, live = {}, {}


def free(address):
    site, alloc, req = live.pop(address)
    site.current_dynamic -= alloc
    site.req -= req
    site.free_count += 1


with (gzip.open if args.log.endswith(".gz") else open)(args.log, "rt", errors="replace") as log:
    for line in log:
        m = ALLOC.search(line)
        if m:
            key = KIND[m[1]], int(m[2], 16)
            site = sites.setdefault(key, Site())
            req, alloc = int(m[4]), int(m[5])
            if m[3] in live:
                free(m[3])
            live[m[3]] = site, alloc, req
            site.total_dynamic += alloc
            site.current_dynamic += alloc
            site.req += req
            site.alloc_count += 1
            continue
        m = FREE.search(line)
        if not m or set(m[3]) == {"0"}:
            continue
        # add_free() of the script: a free of what it does not know is in no call site
        if m[3] in live:
            free(m[3])

symbols = []
if args.map:
    for line in open(args.map):
        addr, kind, name = line.split()
        symbols.append((int(addr, 16), kind, name))
starts = sorted({s[0] for s in symbols})
code = {s[0]: s[2] for s in reversed(symbols) if s[1] in "tTwW"}


def name_of(addr):
    """As %pS has it, in pieces: symbol+offset, /size."""
    i = bisect.bisect_right(starts, addr) - 1
    if i < 0 or i + 1 >= len(starts) or starts[i] not in code:
        return "%x" % addr, ""
    return "%s+0x%x" % (code[starts[i]], addr - starts[i]), "/0x%x" % (starts[i + 1] - starts[i])


files = {}
if args.files:
    for line in open(args.files):
        addr, path = line.split(None, 1)
        files[int(addr, 16)] = path.strip()

# one call site by address, as in the script, whatever it allocates by
shown = {}
for (kind, addr), site in sites.items():
    if not args.kind or kind == args.kind:
        sum_of = shown.setdefault(addr, Site())
        for what in Site.NUMBERS:
            setattr(sum_of, what, getattr(sum_of, what) + getattr(site, what))

rows = []
for addr, site in shown.items():
    path = files.get(addr, "[unknown address]" if args.map else "-")
    if args.branch and not (path + "/").startswith(args.branch.rstrip("/") + "/"):
        continue
    rows.append([*name_of(addr), path, site])


short, places = {}, {}
for row in rows:
    short[row[0]] = short.get(row[0], 0) + 1
    places.setdefault(row[0] + row[1], set()).add(row[2])
lines = []
for row in rows:
    text = row[0]
    if short[text] > 1:
        text = row[0] + row[1]
        if len(places[text]) > 1:
            text += " " + row[2]
    lines.append((text, row[2], row[3]))
lines.sort(key=lambda r: (-getattr(r[2], args.order), r[0]))

if args.callers:
    for text, path, s in lines:
        print("{:<60} {:<8} {:<8} {}".format(text, s.current_dynamic, s.waste, path))
else:
    total = [sum(getattr(r[2], what) for r in lines)
             for what in ("current_dynamic", "req", "waste", "alloc_count", "free_count")]
    print("current bytes allocated: {:>10}\n"
          "current bytes requested: {:>10}\n"
          "current wasted bytes:    {:>10}\n"
          "number of allocs:        {:>10}\n"
          "number of frees:         {:>10}\n"
          "number of callers:       {:>10}\n".format(*total, len(lines)))
    print("   total    waste      net alloc/free  caller")
    print("-" * 45)
    for text, path, s in lines:
        print("%8d %8d %8d %5d/%-5d %s" % (s.total_dynamic, s.waste, s.current_dynamic,
                                         s.alloc_count, s.free_count, text))
