#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Callers that allocate in several ways: the inputs, and whether a table has their rows.

	kinds.py make DIR
	kinds.py same INPUT KEY CSV [JSON]
	kinds.py unlike KEYS CSV

make writes the same events as DIR/ftrace.log, DIR/event.log, and DIR/sites (of the module, with stacks), the
first half of them as DIR/early.log, and DIR/INPUT.json with what each has: [caller, kind, live, requested,
allocs, frees]. Written from Documentation/format and the formats of the kernel's trace events, not from
the host program.

same: the rows of CSV and JSON are those of INPUT.json, each once, as far as these have such columns; the last
column is the kind; the total is their sum. KEY is the name of the column of live bytes. unlike: no two rows of CSV
have the same values in the columns KEYS.
"""
import collections
import csv
import json
import random
import struct
import sys

KINDS = ["kmalloc", "cache", "page", "percpu"]
CALLERS = {"both": KINDS, "slab": KINDS[:2], "plain": ["kmalloc"]}
STEXT, HEAP, START = 0xffffffff81000000, 0xffff888000000000, 1 << 40
BLOCK, ALLOC, FREE, ALLOC_WIDE, FREE_WIDE, MAGIC = 1, 2, 3, 7, 8, 0x4b4d4142


def text(caller):
    return caller + "+0x30/0x100"


class Event:
    def __init__(self, number, caller, kind, req, size, free=False):
        self.number, self.caller, self.kind, self.req, self.size = number, caller, kind, req, size
        self.free = free

    def freed(self):
        return Event(self.number, self.caller, self.kind, self.req, self.size, True)

    @property
    def pointer(self):
        # a page lies at a physical address
        return (1 << 20) + (self.number << 16) if self.kind == "page" else HEAP + (self.number << 12)

    def trace(self, i):
        """The lines of ftrace, with the stack of what has no call site."""
        head = "  x-%d [000] .... %d.%06d: " % (100 + i % 3, 1 + i // 1000, i % 1000)
        stack = head + "<stack trace>\n" + "".join(" => %s\n" % f for f in (
            "__alloc_pages+0x1/0x200", text(self.caller), "do_syscall_64+0x5/0x80"))
        slab = "call_site=%s ptr=%016x" % (text(self.caller), self.pointer)
        if self.kind == "page":
            return head + ("mm_page_free: page=%016x pfn=0x%x order=%d\n" if self.free else
                           "mm_page_alloc: page=%016x pfn=0x%x order=%d migratetype=0 gfp_flags=GFP_KERNEL\n") % (
                HEAP + self.number, self.pointer >> 12, (self.size >> 12).bit_length() - 1) + stack
        if self.kind == "percpu":
            return head + ("percpu_free_percpu: base_addr=%016x off=0 ptr=%016x\n" % (HEAP, self.pointer)
                           if self.free else
                           "percpu_alloc_percpu: call_site=%s reserved=0 is_atomic=0 size=%d align=8 "
                           "base_addr=%016x off=0 ptr=%016x bytes_alloc=%d gfp_flags=GFP_KERNEL\n" % (
                               text(self.caller), self.req, HEAP, self.pointer, self.size))
        name = {"kmalloc": "kmalloc", "cache": "kmem_cache_alloc"}[self.kind]
        if self.free:
            return head + "%s: %s\n" % ({"kmalloc": "kfree"}.get(self.kind, "kmem_cache_free"), slab)
        return head + "%s: %s bytes_req=%d bytes_alloc=%d gfp_flags=GFP_KERNEL\n" % (
            name, slab, self.req, self.size)

    def record(self, i):
        """The record of an event log."""
        site = 0x1000 + 0x100 * list(CALLERS).index(self.caller) + 0x30
        flags, tid = 1 + KINDS.index(self.kind), 100 + i % 3
        if self.free and self.kind == "page":
            return struct.pack("<BBHIQQQII", FREE_WIDE, 5, flags, i * 1000, self.pointer, STEXT + site,
                               self.size, tid, 0)
        if self.free:
            return struct.pack("<BBHIQiI", FREE, 3, flags, i * 1000, self.pointer, site, tid)
        return struct.pack("<BBHIQiIIIII", ALLOC, 5, flags, i * 1000, self.pointer, site, tid, self.req,
                           self.size, 0, 0)


def events():
    r, live, out = random.Random(3), [], []
    for number in range(1, 600):
        caller = r.choice(list(CALLERS))
        kind = r.choice(CALLERS[caller])
        req = r.randint(1, 900)
        size = 4096 << r.randrange(3) if kind == "page" else -(-req // 64) * 64
        # trace events of per-CPU memory have no size of the request without the rounding
        req = size if kind in ("page", "percpu") else req
        out.append(Event(number, caller, kind, req, size))
        live.append(out[-1])
        if r.random() < 0.4:
            out.append(live.pop(r.randrange(len(live))).freed())
    return out


def rows(some):
    sums = collections.defaultdict(lambda: [0] * 4)
    for e in some:
        sign = -1 if e.free else 1
        for i, n in enumerate((sign * e.size, sign * e.req, not e.free, e.free)):
            sums[text(e.caller), e.kind][i] += int(n)
    return sorted([*key, *numbers] for key, numbers in sums.items())


def log(some):
    """An event log, as tests/host/log-tasks.py writes them, with three tasks."""
    lines = ["#tasks all", "#cgroup 1 /a"] + ["#task %d %d 0 1 task-%d" % (t, t, t) for t in (100, 101, 102)]
    lines += ["%x T %s" % (STEXT + 0x1000 + 0x100 * i, name) for i, name in enumerate([*CALLERS, "behind"])]
    symbols = "".join(line + "\n" for line in lines).encode()
    stream = struct.pack("<BBHIQQQII", BLOCK, 5, 0, MAGIC, START, 0, 0, 0, 0)
    stream += b"".join(e.record(i) for i, e in enumerate(some))
    header = b"KMALOG\r\n" + struct.pack("<IHHI", 0x01020304, 2, 200, 200) + bytes((64, 12, 2, 1))
    header += struct.pack("<IIQQQQ", 1, 1, START, 1_790_000_000_000_000_000, STEXT, STEXT + (1 << 24))
    header += bytes(20) + bytes((0, 0, 0, 1)) + b"6.1.0".ljust(64, b"\0") + b"x86_64".ljust(32, b"\0")
    header += struct.pack("<QQ", 2_400_000_000, 10 ** 12)
    return header + struct.pack("<IIQ", 0x59534d4b, 0, len(symbols)) + symbols + \
        struct.pack("<IIQ", 0x48434d4b, 0, len(stream)) + stream


def sites(table):
    """Of each row one with a stack and one without, which make it up."""
    out = "kmem_account sites 1\n# id\ttotal\tslack\treq\tallocs\tfrees\tfile\toffset\tbuild_id\tcaller\tkind\tstack\n"
    for i, (caller, kind, live, req, allocs, frees) in enumerate(table):
        for part, stack in enumerate(("-", caller + ";do_syscall_64+0x5/0x80")):
            n = [x // 2 if part else x - x // 2 for x in (live, req, allocs, frees)]
            out += "%d\t%d\t%d\t%d\t%d\t%d\tvmlinux\t0x1030\tab\t%s\t%s\t%s\n" % (
                2 * i + part, n[0], n[0] - n[1], n[1], n[2], n[3], caller, kind, stack)
    return out


def make(where):
    def write(name, data, table):
        with open("%s/%s" % (where, name), "wb") as f:
            f.write(data.encode() if isinstance(data, str) else data)
        with open("%s/%s.json" % (where, name), "w") as f:
            json.dump(table, f)

    some = events()
    half = some[:len(some) // 2]
    write("ftrace.log", "".join(e.trace(i) for i, e in enumerate(some)), rows(some))
    write("early.log", "".join(e.trace(i) for i, e in enumerate(half)), rows(half))
    write("event.log", log(some), rows(some))
    write("sites", sites(rows(some)), rows(some))


def number(row, key):
    return int(row[key])


def found(table, key, names):
    """[caller, kind, ...] of rows, as far as the table has these columns."""
    return sorted([row["caller"], row.get("kind") or "", *(number(row, n) for n in (key, *names))] for row in table)


def same(path, key, table, document=None):
    want = json.load(open(path + ".json"))
    read = list(csv.DictReader(open(table)))
    names = [n for n in ("requested", "allocs", "frees") if n in read[0]]
    columns = [2] + [3 + ("requested", "allocs", "frees").index(n) for n in names]
    want = sorted(row[:2] + [row[i] for i in columns] for row in want)
    bad = found(read, key, names) != want
    # diff had its kind first
    bad |= list(read[0])[1 if "delta" in read[0] else -1] != "kind"
    if document:
        j = json.load(open(document))
        list_of = j.get("rows") or j["sites"]
        bad |= found(list_of, key, names) != want
        bad |= j.get("total", {}).get(key, sum(row[2] for row in want)) != sum(row[2] for row in want)
    if bad:
        print("want", *want, "csv", *found(read, key, names), sep="\n  ")
        if document:
            print("json", *found(list_of, key, names), sep="\n  ")
    return bad


def unlike(keys, path):
    count = collections.Counter(tuple(row.get(k) for k in keys.split(",")) for row in csv.DictReader(open(path)))
    alike = [key for key, n in count.items() if n > 1]
    print(len(count), "rows", *alike, sep="\n  ")
    return bool(alike) or not count


if __name__ == "__main__":
    sys.exit({"make": make, "same": same, "unlike": unlike}[sys.argv[1]](*sys.argv[2:]))
