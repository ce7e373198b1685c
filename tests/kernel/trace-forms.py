#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The events of a text of tracefs, counted by their fields alone.

	trace-forms.py TEXT

Prints "allocs frees bytes" of slab objects and pages.  What stands before the name of an event
is not looked at, so that the form of the text makes no difference.  An address that is given
out while it is in use was freed without an event (kernels do so in bulk), or after it in the
text (a clock that counts ticks): that is a free, too.
"""
import re
import sys

NUMBER = r"(0x[0-9a-f]+|\d+)(?: \(-?\d+\))?"
ALLOC = re.compile(r"\b(?:kmalloc|kmem_cache_alloc)(?:_node)?: .*\bptr=(\S+) .*"
                   r"\bbytes_req=\S+(?: \(\d+\))? bytes_alloc=%s" % NUMBER)
FREE = re.compile(r"\b(?:kfree|kmem_cache_free): .*\bptr=(\S+)")
PAGE = re.compile(r"\bmm_page_(alloc|free): .*\bpfn=(\S+) .*\border=%s" % NUMBER)
NULL = re.compile(r"\(null\)|\(nil\)|(0x)?0+$")


def main():
    allocs = frees = total = 0
    live = set()
    with open(sys.argv[1], encoding="utf-8", errors="replace") as text:
        for line in text:
            if found := ALLOC.search(line):
                what, size = found[1], int(found[2], 0)
            elif found := FREE.search(line):
                what, size = found[1], None
            elif found := PAGE.search(line):
                what = "page " + found[2]
                size = 4096 << int(found[3], 0) if found[1] == "alloc" else None
                if NULL.match(found[2]):
                    continue
            else:
                continue
            if NULL.match(what):
                continue
            if size is None:
                frees += 1
                live.discard(what)
            else:
                allocs += 1
                total += size
                frees += what in live
                live.add(what)
    print(allocs, frees, total)


main()
