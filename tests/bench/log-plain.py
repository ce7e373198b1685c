#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The script that one would write instead: a regular expression and a dict.

	log-plain.py LOG	prints live bytes, allocations and frees of all call sites

It knows the logs of one kernel, and neither pages nor what is told twice.
"""
import re
import sys

EVENT = re.compile(r" (kmalloc|kmem_cache_alloc|kfree|kmem_cache_free): call_site=(\S+(?: \[\w+\])?) "
                   r"ptr=([0-9a-f]+)(?: bytes_req=(\d+) bytes_alloc=(\d+))?")


def main():
    live, sites = {}, {}
    with open(sys.argv[1]) as log:
        for line in log:
            m = EVENT.search(line)
            if not m:
                continue
            _, site, ptr, req, alloc = m.groups()
            ptr = int(ptr, 16)
            if ptr <= 16:
                continue
            old = live.pop(ptr, None)
            if old:
                row = sites[old[0]]
                row[0] -= old[2]
                row[1] -= old[1]
                row[3] += 1
            row = sites.setdefault(site, [0, 0, 0, 0])
            if alloc:
                live[ptr] = (site, int(req), int(alloc))
                row[0] += int(alloc)
                row[1] += int(req)
                row[2] += 1
            elif not old:
                row[3] += 1
    print(*(sum(row[i] for row in sites.values()) for i in (0, 2, 3)))


main()
