#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write an event log of the module, and the account that it has to give.

	log-make.py [OPTION...] LOG EXPECTED.csv [FACTS.json]

Written from Documentation/format/log.rst and module/uapi/kmem_account.h with struct.pack,
not from the host program. The events are the same for every byte order and word size:
addresses differ in what 32 bits leave out alone, so that all accounts are equal. What the
account is says a dict from address to owner, as plain as can be. EXPECTED.csv has the
rows of `kmem-account report --format csv`, sorted.
"""
import argparse
import json
import random
import struct

ALLOC, FREE, LOST, TIME, MODULE, ALLOC_WIDE, FREE_WIDE = 2, 3, 4, 5, 6, 7, 8
KIND = {"deferred": 0, "kmalloc": 1, "cache": 2, "page": 3, "percpu": 4, "large": 5, "slab_page": 6}
TAKEN, NO_SITE = "[pages of slab]", {"page": "[pages without call site]",
                                     "percpu": "[per-CPU memory without call site]"}
QUIET, FAILED = 0x10, 0x20
BLOCK_MAGIC = 0x4b4d4142
START, WALL = 5_000_000_000, 1_790_000_000_000_000_000
SECOND = 1_000_000_000
# of a counter that has run for some years
LONG_AGO = (1 << 63) + 12345
BUILD_ID = bytes(range(20))
SPAN = 0x100


class Arch:
    """Byte order, and where the kernel lies."""
    def __init__(self, order, bits):
        self.e = "<" if order == "little" else ">"
        self.bits = bits
        self.stext = 0xffffffff81000000 if bits == 64 else 0xc0100000
        self.module = 0xffffffffc0200000 if bits == 64 else 0xbf000000
        self.heap = 0xffff888000000000 if bits == 64 else 0xc8000000
        self.percpu = 0x0000607000000000 if bits == 64 else 0x3f000000

    def pack(self, fmt, *values):
        return struct.pack(self.e + fmt, *values)


# Functions: 30 of the kernel and 10 of a module, each allocates by one kind.
NAMES = [("vmlinux", "func_%02d" % i) for i in range(30)] + \
        [("kma_made", "made_%02d" % i) for i in range(10)]
KINDS = ["kmalloc", "cache", "kmalloc", "page", "cache", "kmalloc", "percpu", "kmalloc", "cache", "page"]


def site_address(arch, number, offset):
    file = NAMES[number][0]
    base = arch.stext if file == "vmlinux" else arch.module
    first = 0 if file == "vmlinux" else 30
    return base + 0x1000 + (number - first) * SPAN + offset


def site_text(number, offset):
    file, name = NAMES[number]
    return "%s+0x%x/0x%x%s" % (name, offset, SPAN, "" if file == "vmlinux" else " [kma_made]")


class Account:
    """What the events say. A row is of a call site and of how it allocates, or frees."""
    KINDS = {"deferred": "", "large": "kmalloc", "slab_page": "page"}

    def __init__(self):
        self.live, self.rows, self.history, self.now = {}, {}, [], 0
        self.unknown = self.implied = 0

    def row(self, site, kind):
        return self.rows.setdefault((site, self.KINDS.get(kind, kind)), dict(current=0, req=0, allocs=0, frees=0, total=0, peak=0,
                                                                             objects=0, remote=0, wrong=0))

    def restart(self):
        """Counts are those of what comes."""
        self.unknown = self.implied = 0
        for row in self.rows.values():
            row.update(allocs=0, frees=0, total=0, remote=0, wrong=0, peak=row["current"])

    def out(self, key):
        site, req, alloc, cpu, kind = self.live.pop(key)
        self.history.append((self.now, site, -alloc))
        row = self.row(site, kind)
        row["current"] -= alloc
        row["req"] -= req
        row["objects"] -= 1
        row["frees"] += 1
        return row, cpu, kind

    def alloc(self, key, site, req, alloc, cpu, kind):
        if key in self.live:
            self.implied += 1
            self.out(key)
        row = self.row(site, kind)
        self.live[key] = (site, req, alloc, cpu, kind)
        self.history.append((self.now, site, alloc))
        row["current"] += alloc
        row["req"] += req
        row["total"] += alloc
        row["allocs"] += 1
        row["objects"] += 1
        row["peak"] = max(row["peak"], row["current"])

    def free(self, key, site, cpu, kind, quiet):
        if key not in self.live:
            if not quiet:
                self.unknown += 1
                self.row(site, kind)["frees"] += 1
            return
        row, was_cpu, was_kind = self.out(key)
        row["remote"] += cpu != was_cpu
        row["wrong"] += kind not in (was_kind, "deferred")

    def csv(self, wrong):
        lines = []
        for (site, kind), r in self.rows.items():
            if site == TAKEN or not any(r.values()):
                continue
            lines.append(",".join(str(x) for x in (
                site, r["current"], r["req"], r["current"] - r["req"], r["allocs"], r["frees"],
                r["total"], r["peak"], r["objects"], r["remote"]) + ((r["wrong"],) if wrong else ()) + (kind,)))
        return sorted(lines)


class Objects:
    """What single allocations were, for kmem-account objects; as plain as can be."""
    def __init__(self, release):
        # from 6.4 on kfree() frees the objects of all caches
        self.kfree_frees_all = [int(n) for n in release.split(".")[:2]] >= [6, 4]
        self.live, self.gone = {}, {}
        self.allocs, self.frees, self.errors = [], [], []
        self.counts = dict(unknown=0, implied=0, failed=0, before=0)
        self.on = True

    def alloc(self, key, site, req, alloc, cpu, kind, time, tid, node):
        self.counts["implied"] += self.on and key in self.live
        self.live[key] = dict(site=site, req=req, alloc=alloc, cpu=cpu, kind=kind, time=time, tid=tid,
                              node=node, on=self.on)
        if self.on:
            self.allocs.append(self.live[key])

    def free(self, key, site, cpu, kind, time, tid, quiet):
        here, was = dict(site=site, cpu=cpu, time=time, tid=tid), self.gone.get(key)
        loose = kind == "deferred" or (was is not None and was[2] and quiet)
        obj = self.live.pop(key, None)
        if obj is None:
            if self.on and not quiet:
                if was is None or kind == "page" or was[2]:
                    self.counts["unknown"] += 1
                else:
                    self.errors.append(("double free", was[0], was[1], here))
            self.gone[key] = (was[0] if was else None, here, loose)
            return
        self.gone[key] = (obj, here, loose)
        if self.on:
            self.counts["before"] += not obj["on"]
            self.frees.append((obj, here))
            if {kind, obj["kind"]} == {"kmalloc", "cache"} and \
                    not (kind == "kmalloc" and self.kfree_frees_all):
                self.errors.append(("other function", obj, here, None))

    @staticmethod
    def sums(objs, key):
        out = {}
        for obj in objs:
            n = out.setdefault(key(obj), [0, 0, 0])
            for i, x in enumerate((1, obj["req"], obj["alloc"])):
                n[i] += x
        return sorted([list(k) if isinstance(k, tuple) else [k], v] for k, v in out.items())

    def facts(self):
        def power(n):
            return n if n < 2 else 1 << (n - 1).bit_length()

        def where(w):
            return [w["time"] - START, w["cpu"], w["tid"], w["site"]] if w else [None] * 4

        sites = {}
        for obj in self.allocs:
            s = sites.setdefault(obj["site"], dict(allocs=0, freed=0, live=0, life=0, longest=0))
            s["allocs"] += 1
        for obj in self.live.values():
            if obj["on"]:
                sites[obj["site"]]["live"] += 1
        ages = []
        for obj, here in self.frees:
            age = here["time"] - obj["time"]
            ages.append(dict(obj, age=age))
            if obj["on"]:
                s = sites[obj["site"]]
                s["freed"] += 1
                s["life"] += age
                s["longest"] = max(s["longest"], age)
        bins = lambda o: next((i for i in range(10) if o["age"] < 1000 * 10 ** i), 10)
        pairs = [dict(o, pair=(o["cpu"], h["cpu"])) for o, h in self.frees]
        nodes = [dict(o, pair=(o["cpu"] // 2 if o["node"] < 0 else o["node"], h["cpu"] // 2))
                 for o, h in self.frees]
        return dict(self.counts, sizes=self.sums(self.allocs, lambda o: power(o["req"])),
                    waste=self.sums(self.allocs, lambda o: power(o["alloc"] - o["req"])),
                    lifetimes=self.sums(ages, bins), cpus=self.sums(pairs, lambda o: o["pair"]),
                    nodes=self.sums(nodes, lambda o: o["pair"]),
                    sites=sites, live=len(self.live),
                    errors=[[what] + where(a) + where(b) + where(c) for what, a, b, c in self.errors])


class Clock:
    """ns, or a counter that goes so fast; it counts whole units, and the next one is taken."""
    def __init__(self, rate):
        self.rate, self.start = rate or SECOND, LONG_AGO if rate else START
        # a slow one has whole ns
        self.step = 1 if self.rate >= SECOND else SECOND // self.rate

    def at(self, time):
        return self.start - (START - time) * self.rate // SECOND


class Stream:
    """One CPU's records, in sub-buffers that begin with a block."""
    def __init__(self, arch, cpu, size, clock):
        self.arch, self.cpu, self.size, self.clock = arch, cpu, size, clock
        self.data, self.room = bytearray(), 0
        self.seq = self.lost = self.pending = self.base = 0
        self.events = []        # (time, offset in the stream)

    def block(self, time):
        a = self.arch
        self.data += a.pack("BBHI", 1, 5, 0, BLOCK_MAGIC) + a.pack("QQQII", time, self.seq,
                                                                  self.lost, self.cpu, 0)
        self.room, self.base = self.size - 40, time
        if self.pending:
            self.record(LOST, 0, time, a.pack("Q", self.pending))
            self.pending = 0

    def record(self, kind, flags, time, body):
        words = (len(body) + 8) // 8
        self.data += self.arch.pack("BBHI", kind, words, flags, time - self.base) + body
        self.room -= words * 8
        self.seq += 1

    def event(self, kind, flags, time, body):
        time = self.clock.at(time)
        if self.room < len(body) + 8 + 16:
            self.block(time)
        if time - self.base >= 1 << 32:
            self.record(TIME, 0, self.base, self.arch.pack("Q", time))
            self.base = time
        self.record(kind, flags, time, body)

    def lose(self, events):
        """The sub-buffers are full: numbers go on, the next event has a block."""
        self.seq += events
        self.lost += events
        self.pending += events
        self.room = 0


def alloc_record(arch, r, site, ptr, req, size, node, kind, tid, gfp, flags):
    number, offset = site
    flags |= KIND[kind] | (node + 1 << 6)
    address = site_address(arch, number, offset)
    if r.random() < 0.1 or size >= 1 << 32:
        return ALLOC_WIDE, flags, arch.pack("QQQQII", ptr, address, req, size, tid, gfp)
    return ALLOC, flags, arch.pack("QiIIIII", ptr, address - arch.stext, tid, req, size, gfp, 0)


def free_record(arch, r, site, ptr, size, kind, tid, quiet):
    flags = KIND[kind] | (QUIET if quiet else 0)
    if site is None:
        if kind == "page":
            return FREE_WIDE, flags, arch.pack("QQQII", ptr, 0, size, tid, 0)
        return FREE, flags, arch.pack("QiI", ptr, 0, tid)
    address = site_address(arch, *site)
    if r.random() < 0.1:
        return FREE_WIDE, flags, arch.pack("QQQII", ptr, address, 0, tid, 0)
    return FREE, flags, arch.pack("QiI", ptr, address - arch.stext, tid)


class Maker:
    def __init__(self, arch, opts):
        self.arch, self.opts = arch, opts
        self.r = random.Random(opts.seed)       # of what happens
        self.w = random.Random(opts.seed + 1)   # of how it is written
        self.account, self.objects = Account(), Objects(opts.release)
        self.objects.on = not opts.begin
        self.clock = Clock(opts.counter)
        self.streams = [Stream(arch, cpu, opts.subbuf, self.clock) for cpu in range(opts.cpus)]
        self.live = []                          # (kind, number of the object, bytes)
        self.facts = dict(allocs=0, frees=0, lost=0, failed=0, null=0, twice=0)
        self.time = START

    def address(self, kind, number):
        a = self.arch
        if kind == "page":
            return (1 << 20) + number * 4096 * 16       # physical
        if kind == "percpu":
            return a.percpu + number * 64
        return a.heap + number * 64

    def write(self, cpu, book, *records):
        """An event of a CPU; unless it is lost, it is booked."""
        stream = self.streams[cpu]
        if self.opts.lose and self.r.random() < 0.0005:
            self.losing[cpu] = self.r.randint(1, 50)
        if self.losing[cpu]:
            self.losing[cpu] -= 1
            stream.lose(1)
            self.facts["lost"] += 1
            return
        for kind, flags, body in records:
            stream.event(kind, flags, self.time, body)
        if self.opts.begin and self.time - START >= self.opts.begin * 1e9:
            self.opts.begin = None
            self.account.restart()
            self.objects.on = True
        self.account.now = self.time - START
        if not self.opts.end or self.time - START < self.opts.end * 1e9:
            book()

    def one_alloc(self, cpu):
        r, number = self.r, self.r.randrange(len(NAMES))
        kind = KINDS[number % 10]
        offset = r.choice((0x11, 0x33, 0x55))
        req = r.randint(1, 9000)
        size = -(-req // 64) * 64
        thing = r.randrange(4000)
        if r.random() < 0.001:
            req = size = 5 << 32
        if kind == "page":
            req = size = 4096 << thing % 4      # a block never changes its size
        failed = r.random() < 0.01
        node, tid = r.choice((0, 0, 1)), r.randint(0, 500)
        ptr = 0 if failed else self.address(kind, thing)
        site, text = (number, offset), site_text(number, offset)
        domain = "slab" if kind in ("kmalloc", "cache") else kind
        # pages of slab are no row; single pages may be told of before, by their block
        taken = kind == "page" and r.random() < 0.3
        quiet = kind == "page" and r.random() < 0.2
        twice = kind == "kmalloc" and size > 8192 and not failed and r.random() < 0.5

        def book():
            self.facts["allocs"] += 1 + twice
            self.facts["twice"] += twice
            if failed:
                self.facts["failed"] += 1
                self.objects.counts["failed"] += self.objects.on and not taken
            elif not taken and not (quiet and (domain, thing) in self.objects.live):
                self.objects.alloc((domain, thing), text, req, size, cpu, kind, self.time, tid, node)
            if failed:
                return
            if not (quiet and (domain, thing) in self.account.live):
                self.account.alloc((domain, thing), TAKEN if taken else text, req, size, cpu, kind)

        flags = (FAILED if failed else 0) | (QUIET if quiet else 0)
        part = "large" if kind == "kmalloc" and size > 8192 else "slab_page" if taken else kind
        records = [alloc_record(self.arch, self.w, site, ptr, req, size, node, part, tid, 0xcc0, flags)]
        if twice:
            # the function of the allocator itself, which is the owner for a moment
            records.insert(0, alloc_record(self.arch, self.w, (2, 0x99), ptr, req, size, node, part, tid,
                                           0xcc0, flags))
        self.write(cpu, book, *records)
        if not failed:
            self.live.append((kind, thing, size))

    def one_free(self, cpu):
        r = self.r
        if self.live and r.random() < 0.97:
            kind, thing, size = self.live.pop(r.randrange(len(self.live)))
        else:
            kind, thing, size = r.choice(("kmalloc", "cache")), r.randrange(4000, 5000), 0
        quiet = r.random() < 0.1 and kind in ("kmalloc", "cache")
        null = kind == "kmalloc" and r.random() < 0.01
        if kind == "cache" and r.random() < 0.05:
            kind = "kmalloc"            # the function of another allocator
        part = kind
        if quiet and r.random() < 0.5:
            part = "deferred"
        number = r.choice([i for i in range(len(NAMES)) if KINDS[i % 10] == kind])
        offset = 0x77
        ptr = 0 if null else self.address(kind, thing)
        if null:
            self.live.append((kind, thing, size))

        site = None if kind in NO_SITE else (number, offset)

        def book():
            self.facts["frees"] += 1
            if null:
                self.facts["null"] += 1
                return
            domain = "slab" if kind in ("kmalloc", "cache") else kind
            self.objects.free((domain, thing), NO_SITE[kind] if site is None else site_text(*site), cpu, part,
                              self.time, tid, quiet)
            self.account.free((domain, thing), NO_SITE[kind] if site is None else site_text(*site), cpu,
                              part, quiet)

        tid = r.randint(0, 500)
        self.write(cpu, book, free_record(self.arch, self.w, site, ptr, size, part, tid, quiet))

    def run(self):
        self.losing = [0] * self.opts.cpus
        cpu = before = 0
        for _ in range(self.opts.events):
            if self.r.random() < 0.2:
                cpu = self.r.randrange(self.opts.cpus)
            # some events of two CPUs have one time: then the lower CPU is first
            if self.r.random() < 0.8 or cpu < before:
                self.time += self.r.randint(1, 900) * self.clock.step
            if self.r.random() < 0.0001:
                self.time += 9_000_000_000
            before = cpu
            if self.r.random() < 0.55:
                self.one_alloc(cpu)
            else:
                self.one_free(cpu)


def module_record(arch):
    name = b"kma_made"
    body = arch.pack("QQ", arch.module, 0x10000) + BUILD_ID[::-1] + bytes((20, len(name), 0, 0))
    body += name + b"\0" * (-len(name) % 8)
    assert len(body) % 8 == 0
    return arch.pack("BBHI", MODULE, len(body) // 8 + 1, 0, 0) + body


def header(arch, opts, clock):
    """The first logs had no rate, and ended before it."""
    modules, new = module_record(arch), opts.counter or opts.version > 1
    version = opts.version or (2 if opts.counter else 1)
    fixed = 200 if new else 184
    raw = b"KMALOG\r\n" + arch.pack("IHHIBBBBII", 0x01020304, version, fixed, fixed + len(modules),
                                    arch.bits, 12, 2 if opts.counter else 0, 7, opts.cpus, 2)
    raw += arch.pack("QQQQ", clock.start, WALL, arch.stext, arch.stext + 0x800000)
    raw += BUILD_ID + bytes((20, 0, 0, 0)) + opts.release.encode().ljust(64, b"\0")
    raw += b"made".ljust(32, b"\0")
    assert len(raw) == 184
    raw += arch.pack("QQ", clock.rate if opts.rate is None else opts.rate, START) if new else b""
    return raw + modules


def symbols(arch):
    digits = arch.bits // 4
    lines = []
    for i, (file, name) in enumerate(NAMES):
        tail = "" if file == "vmlinux" else "\t[kma_made]"
        lines.append("%0*x t %s%s" % (digits, site_address(arch, i, 0), name, tail))
        if i in (29, 39):
            lines.append("%0*x T end_%d%s" % (digits, site_address(arch, i, SPAN), i, tail))
    lines[7:7] = ["#node 0 0-1", "#node 1 2,3-3"]
    return ("\n".join(lines) + "\n").encode()


def chunk(arch, magic, cpu, data):
    return arch.pack("IIQ", magic, cpu, len(data)) + data


def chunks(arch, maker):
    """Pieces of the streams, as who drains them by turns gets them."""
    out, left = [], [bytes(s.data) for s in maker.streams]
    while any(left):
        for cpu, data in enumerate(left):
            n = maker.w.choice((8, 64, 1000 * 8, 4096, 65536))
            if data:
                out.append(chunk(arch, 0x48434d4b, cpu, data[:n]))
                left[cpu] = data[n:]
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--order", choices=("little", "big"), default="little")
    p.add_argument("--bits", type=int, choices=(32, 64), default=64)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--events", type=int, default=20000)
    p.add_argument("--cpus", type=int, default=4)
    p.add_argument("--subbuf", type=int, default=4096)
    p.add_argument("--version", type=int, default=0)
    p.add_argument("--counter", type=int, metavar="HZ", help="times are of a counter that goes so fast")
    p.add_argument("--rate", type=int, metavar="HZ", help="what the header says of it")
    p.add_argument("--release", default="6.1.0-made")
    p.add_argument("--lose", action="store_true", help="events of which only the number is there")
    p.add_argument("--from", type=float, dest="begin", metavar="S", help="the account counts from there")
    p.add_argument("--to", type=float, dest="end", metavar="S")
    p.add_argument("--no-symbols", action="store_true")
    p.add_argument("--no-wrong", action="store_true", help="EXPECTED has no column of wrong frees")
    p.add_argument("--history", metavar="FILE", help="each change of a site's live bytes: ns, site, bytes")
    p.add_argument("--names", help="names of the kernel's first functions, with commas in between")
    p.add_argument("log")
    p.add_argument("expected")
    p.add_argument("facts", nargs="?")
    opts = p.parse_args()
    for i, name in enumerate(opts.names.split(",") if opts.names else ()):
        NAMES[i] = ("vmlinux", name)
    arch = Arch(opts.order, opts.bits)
    maker = Maker(arch, opts)
    maker.run()
    with open(opts.log, "wb") as f:
        f.write(header(arch, opts, maker.clock))
        if not opts.no_symbols:
            f.write(chunk(arch, 0x59534d4b, 0, symbols(arch)))
        for piece in chunks(arch, maker):
            f.write(piece)
    with open(opts.expected, "w") as f:
        f.write("\n".join(maker.account.csv(not opts.no_wrong)) + "\n")
    if opts.history:
        with open(opts.history, "w") as f:
            json.dump([x for x in maker.account.history if x[1] != TAKEN], f)
    if opts.facts:
        maker.facts["objects"] = maker.objects.facts()
        maker.facts.update(unknown=maker.account.unknown, implied=maker.account.implied)
        with open(opts.facts, "w") as f:
            json.dump(maker.facts, f)


main()
