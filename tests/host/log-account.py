#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Account a text log of kmem events, as plainly as can be.

	log-account.py [--losses] LOG...

Written from the formats of the events in Linux 3.x to 7.2, not from the host program:
a regular expression for each field and a dict from address to owner. Prints what
`kmem-account report --format csv` does, sorted; with --losses a line of JSON instead.
LOG may be - or packed by gzip or xz.

What the numbers mean:
- a free of an unknown address counts as a free of the site that freed it;
- an allocation of a live address frees its owner;
- the first of the two events of a large kmalloc (6.12 and later), by a function of the
  allocator, is as if it were not there;
- pages and per-CPU memory are of the first function in the stack that is none of an
  allocator's; pages of slab and of per-CPU memory are no rows if the log has the events
  of those, too;
- pages are 4096 bytes, and each is an owner of its own here: a block may be freed in
  parts, so objects are counted as the program does, by blocks of powers of two.
"""
import gzip
import io
import json
import lzma
import re
import sys

PAGE = 4096
LARGE = 8192
# "task-1234", or "task  1234/1234" of perf script, which names the events' systems
HEAD = re.compile(r"^(?:(?:.{16}|.*?)-\d+|.{16} +\d+(?:/\d+)?) *(?:\([ \d-]+\) *)?\[(\d+)\]"
                  r"[^:]{0,46}?\d: +(.*)$")
EVENT = re.compile(r"(?:\w+:(?=\w))?(\w+):(.*)$")
SITE = re.compile(r"\bcall_site=(\S+(?: \[[^\]\s]+\])?)")
PTR = re.compile(r"\bptr= *(\S+)")
NUMBER = {key: re.compile(r"\b%s=(\d+)(?=\s|$)" % key)
          for key in ("bytes_req", "bytes_alloc", "size", "order")}
PFN = re.compile(r"\bpfn=(0x[0-9a-f]+|\d+)\b")
FRAME = re.compile(r"^ *=> +(\S+(?: \[[^\]\s]+\])?)")
LOST = re.compile(r"^ *CPU:\d+ \[(?:LOST (\d+) EVENTS|(\d+) EVENTS DROPPED)\]")
ENTRIES = re.compile(r"^# entries-in-buffer/entries-written: *(\d+)/(\d+)")
ALLOCATOR = re.compile(r"__kv?malloc\w*_noprof\+")
KINDS = {
    "kmalloc": ("kmalloc", False), "kmalloc_node": ("kmalloc", False),
    "kfree": ("kmalloc", True),
    "kmem_cache_alloc": ("cache", False), "kmem_cache_alloc_node": ("cache", False),
    "kmem_cache_free": ("cache", True),
    "mm_page_alloc": ("page", False), "mm_page_free": ("page", True),
    "percpu_alloc_percpu": ("percpu", False), "percpu_free_percpu": ("percpu", True),
}
NULL = ("(null)", "(nil)")
NO_SITE = {"page": "[page without stack]", "percpu": "[per-CPU memory without stack]"}
TAKEN = {"slab": "[pages of slab]", "percpu": "[pages of per-CPU memory]"}

# Functions of the allocators, by pattern: what is on the stack at an event of a page.
# free_pages_and_swap_cache() (mm/swap_state.c) is the caller of one.
PAGE_FUNCTION = re.compile(
    r"^_*(trace_event_\w+|traceiter_\w+|get_page_from_freelist|alloc_pages?(_\w+)?|"
    r"alloc_frozen_pages\w*|folio_alloc\w*|vma_alloc_folio|get_free_pages|get_zeroed_page|"
    r"free_pages?(_(?!and_swap_cache)\w+)?|free_frozen_pages\w*|free_unref_\w+|free_hot_cold_page\w*|"
    r"free_the_page|free_pcp_prepare|free_compound_page|"
    r"page_frag_\w+|vm_area_alloc_pages|vmalloc\w*|vzalloc\w*|kvmalloc_node|vunmap|vfree\w*|"
    r"delayed_vfree_work|kvfree|put_page|put_single_page|put_compound_page|"
    r"folio_put\w*|folios_put_refs|release_pages|make_alloc_exact)$")
SLAB_FUNCTION = re.compile(
    r"^_*(alloc_slab_page|allocate_slab|new_slab|slab_alloc\w*|refill_objects|kmem_cache_alloc\w*|"
    r"kmalloc\w*|do_kmalloc_node|free_slab|discard_slab|rcu_free_slab|free_large_kmalloc|"
    r"free_nonslab_page|kfree|kmem_cache_free)$")
PERCPU_FUNCTION = re.compile(r"^_*(pcpu_\w+|alloc_percpu\w*|alloc_reserved_percpu|free_percpu)$")


class Sites:
    """Counters of (caller, kind), in the order of the program's columns."""

    COLUMNS = ("current", "req", "waste", "allocs", "frees", "total", "peak", "objects",
               "remote", "wrong")

    def __init__(self):
        self.rows = {}

    def of(self, site):
        return self.rows.setdefault(site, dict.fromkeys(self.COLUMNS, 0))

    def grow(self, site, alloc, req):
        row = self.of(site)
        row["current"] += alloc
        row["req"] += req
        row["total"] += alloc
        row["allocs"] += 1
        row["objects"] += 1
        row["peak"] = max(row["peak"], row["current"])

    def shrink(self, site, alloc, req):
        row = self.of(site)
        row["current"] -= alloc
        row["req"] -= req
        row["frees"] += 1
        row["objects"] -= 1


def lines_of(path):
    raw = sys.stdin.buffer if path == "-" else open(path, "rb")
    raw = io.BufferedReader(raw)
    magic = raw.peek(6)[:6]
    if magic[:2] == b"\x1f\x8b":
        raw = gzip.open(raw)
    elif magic == b"\xfd7zXZ\0":
        raw = lzma.open(raw)
    for line in io.TextIOWrapper(raw, "latin-1", newline="\n"):
        yield line.rstrip("\n").rstrip("\r")


def address(text):
    return 0 if text in NULL else int(text, 16)


def site_text(text):
    odd = re.fullmatch("[0-9a-f]{1,16}", text) and len(text) not in (8, 16)
    return "0x" + text if odd else text


def stem(function):
    return re.sub("_noprof$", "", re.split(r"[+. ]", function)[0])


def frame_site(kind, frames):
    """Whom a stack accuses: a caller, or a name for the pages of an allocator."""
    for frame in frames:
        name = stem(frame)
        if PAGE_FUNCTION.match(name):
            continue
        if PERCPU_FUNCTION.match(name):
            if kind == "percpu":
                continue
            return TAKEN["percpu"]
        if SLAB_FUNCTION.match(name) and kind == "page":
            return TAKEN["slab"]
        if "+" in frame:
            return frame
        function, _, module = frame.partition(" ")
        return function + "+0x1" + (" " + module if module else "")
    return None


class Log:
    """Reads lines; self.events is what happened, in the order of the log."""

    def __init__(self):
        self.events = []  # dicts
        self.lost = self.other = self.bad = 0
        self.names = set()

    def read(self, lines):
        held = {}  # cpu: event without site, whose stack may come
        frames = None
        for line in lines:
            m = FRAME.match(line)
            if m:
                if frames is not None:
                    frames.append(m.group(1))
                continue
            frames = None
            m = HEAD.match(line)
            if not m:
                self.no_event(line)
                continue
            cpu, rest = int(m.group(1)), m.group(2)
            if rest.startswith(("<stack trace>", "kernel_stack:")):
                if cpu in held:
                    frames = held[cpu]["frames"]
                continue
            held.pop(cpu, None)
            event = self.event(cpu, rest)
            if event:
                self.events.append(event)
                if event["site"] is None:
                    held[cpu] = event
        for event in self.events:
            if event["site"] is None:
                event["site"] = (frame_site(event["kind"], event["frames"]) or
                                 NO_SITE[event["kind"]])

    def no_event(self, line):
        m = LOST.match(line)
        if m:
            self.lost += int(m.group(1) or m.group(2))
            return
        m = ENTRIES.match(line)
        if m:
            self.lost += int(m.group(2)) - int(m.group(1))
        elif line.strip() and not line.lstrip().startswith("#"):
            self.bad += 1

    def event(self, cpu, rest):
        m = EVENT.match(rest)
        if not m or m.group(1) not in KINDS:
            self.other += 1
            return None
        kind, free = KINDS[m.group(1)]
        fields = m.group(2)
        self.names.add(kind)
        event = {"cpu": cpu, "kind": kind, "free": free, "req": 0, "alloc": 0, "frames": []}
        m = SITE.search(fields)
        event["site"] = site_text(m.group(1)) if m else None
        if kind == "page":
            event["ptr"] = int(PFN.search(fields).group(1), 0)
            event["req"] = event["alloc"] = PAGE << self.number("order", fields)
            return event
        event["ptr"] = address(PTR.search(fields).group(1))
        if free:
            return event
        if kind == "percpu":
            both = self.number("bytes_alloc", fields, self.number("size", fields))
            event["req"] = event["alloc"] = both
        else:
            event["req"] = self.number("bytes_req", fields)
            event["alloc"] = self.number("bytes_alloc", fields)
        return event

    @staticmethod
    def number(key, fields, default=None):
        m = NUMBER[key].search(fields)
        return int(m.group(1)) if m else default


def without_firsts(events):
    """The events, but for the first of two that tell of one large kmalloc."""
    last, twice = {}, set()
    for i, event in enumerate(events):
        if event["free"] or event["kind"] != "kmalloc" or event["alloc"] <= LARGE:
            continue
        first = last.get(event["cpu"])
        if first is not None:
            before = events[first]
            if (event["ptr"] and ALLOCATOR.match(before["site"]) and
                    all(event[k] == before[k] for k in ("ptr", "req", "alloc"))):
                twice.add(first)
                last[event["cpu"]] = None
                continue
        last[event["cpu"]] = i
    return [e for i, e in enumerate(events) if i not in twice], len(twice)


class Pages:
    """Owners of pages by number; blocks are how many parts of powers of two there are."""

    def __init__(self, sites, count):
        self.sites, self.count = sites, count
        self.owner = {}  # pfn: (block, cpu); block: [site, set of pfns]

    @staticmethod
    def parts(pfns):
        """How few aligned blocks of powers of two make up these pages."""
        left, number = sorted(pfns), 0
        have = set(pfns)
        while left:
            first, size = left[0], 1
            while first % (2 * size) == 0 and all(first + i in have for i in range(2 * size)):
                size *= 2
            left = left[size:]
            number += 1
        return number

    def drop(self, event):
        """Take the pages of a free out; False when none was known at its beginning."""
        first, nr = event["ptr"], event["alloc"] // PAGE
        known = self.owner.get(first)
        if not known:
            return False
        at = first
        while at < first + nr:
            known = self.owner.get(at)
            if not known:
                at += 1
                continue
            block, cpu = known
            gone = {p for p in block[1] if at <= p < first + nr}
            row = self.sites.of(block[0])
            before = self.parts(block[1])
            block[1] -= gone
            for pfn in gone:
                del self.owner[pfn]
            after = self.parts(block[1])
            row["current"] -= len(gone) * PAGE
            row["req"] -= len(gone) * PAGE
            row["frees"] += 1
            row["objects"] += after - before
            row["remote"] += cpu != event["cpu"]
            at = max(gone) + 1
        return True

    def book(self, event):
        site = (event["site"], "page")
        if not event["ptr"]:
            self.count["null" if event["free"] else "failed"] += 1
            return
        if event["free"]:
            if not self.drop(event):
                self.count["unknown"] += 1
                self.sites.of(site)["frees"] += 1
            return
        pfns = set(range(event["ptr"], event["ptr"] + event["alloc"] // PAGE))
        block = [site, pfns]
        for pfn in pfns:
            if pfn in self.owner:
                raise SystemExit(f"page {pfn:#x} is given out twice: this script cannot tell")
            self.owner[pfn] = (block, event["cpu"])
        self.sites.grow(site, event["alloc"], event["req"])


def account(events):
    sites, live = Sites(), {}
    count = dict.fromkeys(("unknown", "implied", "failed", "null", "twice"), 0)
    events, count["twice"] = without_firsts(events)
    pages = Pages(sites, count)
    for event in events:
        if event["kind"] == "page":
            pages.book(event)
            continue
        ptr = event["ptr"]
        site = (event["site"], event["kind"])
        if ptr in (0, 0x10):
            count["null" if event["free"] else "failed"] += 1
            continue
        # per-CPU memory has addresses of its own
        key = (event["kind"] == "percpu", ptr)
        old = live.pop(key, None)
        if old:
            sites.shrink(old["owner"], old["alloc"], old["req"])
            if event["free"]:
                row = sites.of(old["owner"])
                row["remote"] += old["cpu"] != event["cpu"]
                row["wrong"] += old["kind"] != event["kind"]
            else:
                count["implied"] += 1
        elif event["free"]:
            count["unknown"] += 1
            sites.of(site)["frees"] += 1
        if not event["free"]:
            sites.grow(site, event["alloc"], event["req"])
            live[key] = dict(event, owner=site)
    return sites, count


def main():
    args = sys.argv[1:]
    losses = "--losses" in args
    log = Log()
    for path in args:
        if path != "--losses":
            log.read(lines_of(path))
    sites, count = account(log.events)
    if losses:
        count.update(lost=log.lost, bad=log.bad, other=log.other)
        print(json.dumps(count, sort_keys=True))
        return
    left_out = set()
    if log.names & {"kmalloc", "cache"}:
        left_out.add(TAKEN["slab"])
    if "percpu" in log.names:
        left_out.add(TAKEN["percpu"])
    for (site, kind), row in sorted(sites.rows.items()):
        row["waste"] = row["current"] - row["req"]
        if site not in left_out and any(row.values()):
            print(",".join([site] + [str(row[c]) for c in Sites.COLUMNS] + [kind]))


main()
