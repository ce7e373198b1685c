#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reports as people paste them: made, changed, and read.

    mutate.py PROGRAM [--seed N] [--each N] [--only FORMAT]
    mutate.py --list

Each format below is a function that makes a report of random numbers: its head, and its records, each with its
lines and with the numbers that the report of the program must have. A mutation changes the text, and says which
records are then still in it, so the right answer comes from the generator alone, by addition. The program must
print these numbers, or exit with 1 and a sentence. Prints KTAP: a result for each format.
"""

import argparse
import collections
import csv
import io
import os
import random
import subprocess
import sys
import tempfile

Record = collections.namedtuple("Record", "lines key values")
# by: the key of the report; columns: those of the csv that are checked; head: lines in front; foot: behind;
# unique: what the numbers do if the whole text is there twice ("once", "last" or "sum")
Report = collections.namedtuple("Report", "by columns head records foot blank")

PROSE = [
    "Hello,", "this is what I see after two hours of load:", "The machine has 16 GB; nothing else runs on it.",
    "-- ", "Regards, A. User", "Signed-off-by: A. User <a.user@example.org>", "See the attached file (kernel 6.12).",
    "On Mon, Nov 30, 2026 at 10:00 AM B. User wrote:", "| it was fine | until today |", "Is that a leak?",
]


def words(rnd, number):
    """Names of functions, each once."""
    kinds = ["alloc", "open", "create", "probe", "read", "map", "init"]
    names = set()
    while len(names) < number:
        names.add("demo%d_%s" % (rnd.randrange(1000), rnd.choice(kinds)))
    return sorted(names, key=lambda name: rnd.random())


def size(rnd):
    return rnd.choice([8, 96, 192, 1024, 4096]) * rnd.randrange(1, 5000)


def frame(rnd, name, module=None):
    end = rnd.randrange(0x40, 0x2000)
    return "%s+0x%x/0x%x%s" % (name, rnd.randrange(1, end), end, " [%s]" % module if module else "")


def address(rnd):
    return 0xffff888000000000 + rnd.randrange(1 << 32) * 64


# ---- formats


def allocinfo(rnd):
    records = []
    for name in words(rnd, rnd.randrange(3, 12)):
        file, line, module = "fs/%s.c" % name[:5], rnd.randrange(1, 3000), rnd.choice([None, "demo"])
        total, calls = size(rnd), rnd.randrange(1, 10000)
        text = "%12d %8d %s:%d %sfunc:%s " % (total, calls, file, line, "[%s] " % module if module else "", name)
        key = "%s:%d %s%s" % (file, line, name, " [%s]" % module if module else "")
        records.append(Record([text], key, (total, calls)))
    head = ["allocinfo - version: 1.0", "#     <size>  <calls> <tag info>"]
    return Report("caller", ["current_dynamic", "objects"], head, records, [], False)


def allocinfo_oom(rnd):
    report = allocinfo(rnd)
    records = []
    for record in report.records:
        mib, rest = rnd.randrange(1, 900), record.lines[0].split(None, 1)[1]
        records.append(Record(["%8d MiB %s" % (mib, rest)], record.key, (mib << 20, record.values[1])))
    return report._replace(head=["Memory allocations:"], records=records)


def kmemleak(rnd):
    records, seen = [], set()
    for name in words(rnd, rnd.randrange(2, 8)):
        ptr = address(rnd)
        if ptr in seen:
            continue
        seen.add(ptr)
        total, caller = rnd.choice([64, 192, 2048]), frame(rnd, name)
        lines = ["unreferenced object 0x%x (size %d):" % (ptr, total),
                 '  comm "insmod", pid %d, jiffies %d (age 27.850s)' % (rnd.randrange(2, 4000), rnd.randrange(1 << 32)),
                 "  hex dump (first 32 bytes):",
                 "    00 00 00 00 ad 4e ad de ff ff ff ff 00 00 00 00  .....N..........",
                 "  backtrace (crc %x):" % rnd.randrange(1 << 32)]
        hidden = rnd.choice(["", "[<%016x>] " % rnd.randrange(1 << 32)])
        lines += ["    %s%s" % (hidden, text) for text in ("__kmalloc_noprof+0x335/0x450", caller,
                                                          "do_init_module+0x60/0x250")]
        if rnd.random() < 0.3:
            lines.insert(0, "BUG: memory leak")
        records.append(Record(lines, caller, (total, 1)))
    return Report("caller", ["current_dynamic", "objects"], [], records, [], False)


def page_owner(rnd):
    records = []
    for pfn, name in enumerate(words(rnd, rnd.randrange(2, 8)), rnd.randrange(1 << 20)):
        order, caller = rnd.randrange(4), frame(rnd, name)
        lines = ["Page allocated via order %d, mask 0xcc0(GFP_KERNEL), pid 1, tgid 1 (init), ts 12345678 ns" % order,
                 "PFN 0x%x type Unmovable Block 8 type Unmovable Flags 0x200(workingset|node=0|zone=1)" % pfn,
                 " post_alloc_hook+0x60/0xa0", " get_page_from_freelist+0x7e5/0x8b0", " __alloc_pages+0xdb/0x1d0",
                 " " + caller, " do_syscall_64+0x5b/0xc0", ""]
        records.append(Record(lines, caller, (4096 << order, 1)))
    return Report("caller", ["current_dynamic", "objects"], [], records, [], True)


def page_owner_sort(rnd):
    records = []
    old, pfn = rnd.random() < 0.5, rnd.random() < 0.5
    for record in page_owner(rnd).records:
        times = rnd.randrange(1, 5000)
        total = record.values[0] * times
        first = "%d times:" % times if old else "%d times, %d pages:" % (times, total // 4096)
        # as "grep -v ^PFN", which the kernel's documentation had
        lines = [line for line in record.lines if pfn or not line.startswith("PFN ")]
        records.append(Record([first] + lines, record.key, (total, times)))
    return Report("caller", ["current_dynamic", "objects"], [], records, [], True)


def memleak(rnd):
    records = []
    arm = rnd.random() < 0.5
    for name in words(rnd, rnd.randrange(2, 8)):
        total, count, caller = size(rnd), rnd.randrange(1, 300), "%s+0x%x" % (name, rnd.randrange(1, 4096))
        frames = (["__traceiter_kmalloc+0x68"] if arm else []) + ["__kmalloc+0x280", caller, "do_syscall_64+0x5b"]
        lines = ["%d bytes in %d allocations from stack" % (total, count)]
        lines += ["\t%d [<%016x>] %s" % (i, 0xffffffff81000000 + rnd.randrange(1 << 20), text)
                  for i, text in enumerate(frames)]
        records.append(Record(lines, caller, (total, count)))
    head = ["[07:14:06] Top %d stacks with outstanding allocations:" % len(records)]
    return Report("caller", ["current_dynamic", "objects"], head, records, ["done"], False)


def slabs(rnd):
    for number, name in enumerate(words(rnd, rnd.randrange(3, 10))):
        per, order, bytes_ = rnd.randrange(1, 33), rnd.randrange(4), 8 * rnd.randrange(1, 16)
        slab = rnd.randrange(1, 500)
        total = per * slab
        yield name, rnd.randrange(1, total + 1), total, bytes_, per, 1 << order, slab


def slabinfo(rnd):
    records = [Record(["%-17s %6d %6d %6d %4d %4d : tunables    0    0    0 : slabdata %6d %6d      0"
                       % (name, active, total, each, per, pages, slab, slab)], name, (active * each, active))
               for name, active, total, each, per, pages, slab in slabs(rnd)]
    head = ["slabinfo - version: 2.1",
            "# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> "
            "<batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>"]
    return Report("cache", ["current_dynamic", "objects"], head, records, [], False)


def crash(rnd):
    records = [Record(["%16x %8d %10d %9d %6d %4dk  %s" % (address(rnd), each, active, total, slab, 4 * pages, name)],
                      name, (active * each, active))
               for name, active, total, each, per, pages, slab in slabs(rnd)]
    head = ["CACHE             OBJSIZE  ALLOCATED     TOTAL  SLABS  SSIZE  NAME"]
    return Report("cache", ["current_dynamic", "objects"], head, records, [], False)


def vmstat(rnd):
    records = [Record(["%-24s %6d %6d %6d %6d" % (name, active, total, each, per)], name, (active * each, active))
               for name, active, total, each, per, pages, slab in slabs(rnd)]
    head = ["Cache                       Num  Total   Size  Pages"]
    return Report("cache", ["current_dynamic", "objects"], head, records, [], False)


def memstrack(rnd):
    """Of a kernel with pages of 4 KiB; the largest module tells them from others."""
    records = []
    for name in words(rnd, rnd.randrange(2, 8)):
        pages = rnd.randrange(3000, 30000)
        peak = pages + rnd.randrange(1000)
        text = "Module %s using %.1fMB (%d pages), peak allocation %.1fMB (%d pages)" % (
            name, pages * 4096 / (1 << 20), pages, peak * 4096 / (1 << 20), peak)
        records.append(Record([text], "[module %s]" % name, (pages * 4096, peak * 4096)))
    return Report("caller", ["current_dynamic", "peak"], ["======== Report format module_summary: ========"], records,
                  ["======== Report format module_summary END ========"], False)


def drgn(rnd):
    records = [Record(["0x%-18x | %-20.19s | %12d | %12d | %8d | %11d | %13d"
                       % (address(rnd), name, active, total, each, per, pages)], name, (active * each, active))
               for name, active, total, each, per, pages, slab in slabs(rnd)]
    head = ["struct kmem_cache *  |         name         | active_objs  |   num_objs   | objsize  | objperslab  | "
            "pageperslab  ", "-" * 20 + " | " + "-" * 20 + " | " + "-" * 12]
    return Report("cache", ["current_dynamic", "objects"], head, records, [], False)


def oom_slab(rnd):
    records = []
    for name, active, total, each, per, pages, slab in slabs(rnd):
        used = active * each // 1024
        records.append(Record(["%-17s %10dKB %10dKB" % (name, used, total * each // 1024)], name, (used * 1024,)))
    head = ["Unreclaimable slab info:", "Name                      Used          Total"]
    return Report("cache", ["current_dynamic"], head, records, [], False)


def vmallocinfo(rnd):
    records, at = [], 0xffffc90000000000
    for name in words(rnd, rnd.randrange(2, 9)):
        pages, caller = rnd.randrange(1, 300), frame(rnd, name, rnd.choice([None, "demo"]))
        end = at + (pages + 1) * 4096
        text = "0x%016x-0x%016x %7d %s pages=%d vmalloc N0=%d" % (at, end, end - at, caller, pages, pages)
        records.append(Record([text], caller, (pages * 4096, 1)))
        at = end + rnd.randrange(4) * 4096
    return Report("caller", ["current_dynamic", "objects"], [], records, [], False)


def bpftrace(rnd):
    records = []
    for name in words(rnd, rnd.randrange(2, 8)):
        offset, total = rnd.randrange(1, 4000), size(rnd)
        lines = ["@bytes[", "    __kmalloc_noprof+280", "    %s+%d" % (name, offset), "    do_syscall_64+91",
                 "%s: %d" % (rnd.choice(["]", ", cat]"]), total)]
        records.append(Record(lines, "%s+0x%x" % (name, offset), (total,)))
    return Report("caller", ["total_dynamic"], ["Attaching 2 probes...", "^C", ""], records, [], False)


def hist(rnd):
    records = []
    for name in words(rnd, rnd.randrange(2, 8)):
        hits, total = rnd.randrange(1, 5000), size(rnd)
        text = "{ call_site: [%016x] %-40s } hitcount: %10d  bytes_req: %10d  bytes_alloc: %10d" % (
            0xffffffff81000000 + rnd.randrange(1 << 20), name, hits, total, total)
        records.append(Record([text], name, (hits, total)))
    head = ["# event histogram", "#",
            "# trigger info: hist:keys=call_site.sym:vals=hitcount,bytes_req,bytes_alloc:sort=bytes_alloc:size=2048 "
            "[active]", "#", ""]
    return Report("caller", ["allocs", "total_dynamic"], head, records,
                  ["", "Totals:", "    Hits: 5", "    Entries: 2", "    Dropped: 0"], False)


def ftrace(rnd):
    """Each site allocates some objects and frees some of them; the stamps rise."""
    records, now = [], rnd.randrange(1, 1 << 20)
    for name in words(rnd, rnd.randrange(2, 8)):
        caller, each, live = frame(rnd, name), rnd.choice([8, 96, 1024]), 0
        lines, number = [], rnd.randrange(1, 5)
        for i in range(number):
            now += 1
            ptr, freed = address(rnd) + 8 * i, rnd.random() < 0.5
            start = "            bash-%-5d   [%03d] .....  %d.%06d: " % (rnd.randrange(2, 30000), 1, now // 1000, now)
            lines.append(start + "kmalloc: call_site=%s ptr=%016x bytes_req=%d bytes_alloc=%d gfp_flags=GFP_KERNEL"
                         % (caller, ptr, each, each))
            if freed:
                lines.append(start + "kfree: call_site=demo_free+0x1/0x2 ptr=%016x" % ptr)
            live += 0 if freed else each
        records.append(Record(lines, caller, (live, number)))
    return Report("caller", ["current_dynamic", "allocs"], ["# tracer: nop", "#"], records, [], False)


def slabtop(rnd):
    records = []
    for name, active, total, each, per, pages, slab in slabs(rnd):
        each = rnd.choice([512, 1024, 2048, 256 * 5])  # what two digits of KiB are exact for
        text = "%6d %6d %3d%% %7.2fK %6d %8d %9dK %-23s" % (total, active, 100 * active // total, each / 1024, slab,
                                                             per, slab * pages * 4, name)
        records.append(Record([text], name, (active * each, active)))
    head = [" Active / Total Objects (% used)    : 110848 / 132470 (83.7%)",
            " Minimum / Average / Maximum Object : 0.01K / 0.22K / 8.00K", "",
            "  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME                   "]
    return Report("cache", ["current_dynamic", "objects"], head, records, [], False)


def perf_kmem(rnd):
    records, rule = [], "-" * 105
    for name in words(rnd, rnd.randrange(2, 8)):
        each, hits, offset = rnd.choice([8, 96, 1024]), rnd.randrange(1, 500), rnd.randrange(1, 4000)
        text = " %-34s | %9d/%-6d | %9d/%-6d | %8d | %9d | %6.3f%%" % (
            "%s+%x" % (name, offset), each * hits, each, each * hits, each, hits, 0, 0)
        records.append(Record([text], "%s+0x%x" % (name, offset), (each * hits, hits)))
    head = [rule, " Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag",
            rule]
    return Report("caller", ["total_dynamic", "allocs"], head, records,
                  [rule, "", "SUMMARY (SLAB allocator)", "========================", "Total bytes requested: 5"], False)


def perf_pages(rnd):
    records, rule = [], "-" * 105
    for name in words(rnd, rnd.randrange(2, 8)):
        order, hits = rnd.randrange(4), rnd.randrange(1, 5000)
        kib = (4 << order) * hits
        text = " %16s | %9s | %5d | %8s | %-19s | %s" % (format(kib, ","), format(hits, ","), order, "MOVABLE",
                                                          "HUM|Z|C", name)
        records.append(Record([text], name, (kib << 10, hits)))
    head = ["#", "# GFP flags", "", rule,
            " Total alloc (KB) | Hits      | Order | Mig.type | GFP flags           | Callsite", rule]
    return Report("caller", ["total_dynamic", "allocs"], head, records, [rule], False)


def perf_script(rnd):
    """With call graphs, whose frames belong to no event of kmalloc."""
    records, now = [], rnd.randrange(1, 1 << 20)
    for name in words(rnd, rnd.randrange(2, 8)):
        caller, each, ptr = "%s+0x%x" % (name, rnd.randrange(1, 4000)), rnd.choice([8, 96, 1024]), address(rnd)
        lines = []
        for event, rest in (("kmalloc", "bytes_req=%d bytes_alloc=%d gfp_flags=GFP_KERNEL" % (each, each)),
                            ("kfree", "")):
            if event == "kfree" and rnd.random() < 0.5:
                continue
            now += 1
            lines += ["fio  %d [%03d] %5d.%06d: kmem:%s: call_site=%s ptr=0x%x %s" % (
                rnd.randrange(2, 30000), 0, now // 1000, now, event, caller if event == "kmalloc" else
                "demo_free+0x1/0x2", ptr, rest), "\tffffffff8164efd5 __kmalloc_noprof+0x215 ([kernel.kallsyms])",
                      "\tffffffff813d9447 %s ([kernel.kallsyms])" % caller, ""]
        records.append(Record(lines, caller, (0 if len(lines) > 4 else each, 1)))
    return Report("caller", ["current_dynamic", "allocs"], [], records, [], True)


FORMATS = [allocinfo, allocinfo_oom, kmemleak, page_owner, page_owner_sort, memleak, slabinfo, crash, drgn, oom_slab,
           vmallocinfo, bpftrace, hist, slabtop, vmstat, memstrack, perf_kmem, perf_pages, perf_script, ftrace]

# ---- mutations of the whole text


def plain(report, records=None):
    lines = list(report.head)
    for record in report.records if records is None else records:
        lines += record.lines
    return lines + report.foot


def everywhere(prefix):
    return lambda rnd, lines: [prefix + line for line in lines]


def log_prefix(before, after=""):
    """Times of a log; the lines of a log have no line ends within them."""
    def mutation(rnd, lines):
        at = rnd.randrange(100, 100000)
        return ["%s[%5d.%06d]%s %s" % (before, at + i // 50, rnd.randrange(1000000), after, line)
                for i, line in enumerate(lines)]
    return mutation


def numbered(rnd, lines):
    return ["%d:%s" % (i, line) for i, line in enumerate(lines, 1)]


def cat_n(rnd, lines):
    return ["%6d\t%s" % (i, line) for i, line in enumerate(lines, 1)]


def crlf(rnd, lines):
    return [line + "\r" for line in lines]


def bom(rnd, lines):
    return ["\ufeff" + lines[0]] + lines[1:]


def trailing(rnd, lines):
    return [line + rnd.choice(["", " ", "  ", "\t"]) if line else line for line in lines]


def fenced(rnd, lines):
    return ["```"] + lines + ["```"]


def prose(rnd, lines):
    before = [rnd.choice(PROSE) for _ in range(rnd.randrange(4))] + [""]
    after = [""] + [rnd.choice(PROSE) for _ in range(rnd.randrange(4))]
    return before + lines + after


def coloured(rnd, lines):
    return ["\033[01;31m\033[K" + line[:4] + "\033[m\033[K" + line[4:] if rnd.random() < 0.5 and len(line) > 4 else line
            for line in lines]


TEXTS = [everywhere("> "), everywhere("> > "), everywhere("    "), everywhere("\t"), log_prefix(""),
         log_prefix("", "[    T1]"), log_prefix("<6>"), log_prefix("Nov 30 02:37:24 box kernel: "),
         everywhere("Nov 30 02:37:24 box kernel: "), everywhere("2026-11-30T02:37:24.123456+00:00 box kernel: "),
         numbered, cat_n, crlf, bom, trailing, fenced, prose, coloured]

# ---- mutations of the records: return the lines and the records that are in them


def whole(rnd, report):
    return plain(report), report.records


def shuffled(rnd, report):
    records = rnd.sample(report.records, len(report.records))
    return plain(report, records), records


def some(rnd, report):
    """As grep: no head and no foot, or both, and only some records."""
    records = [record for record in report.records if rnd.random() < 0.6] or report.records[:1]
    if rnd.random() < 0.5:
        report = report._replace(head=[], foot=[])
    return plain(report, records), records


def head(rnd, report):
    records = report.records[:rnd.randrange(1, len(report.records) + 1)]
    return plain(report._replace(foot=[]), records), records


def tail(rnd, report):
    records = report.records[rnd.randrange(len(report.records)):]
    return plain(report._replace(head=[]), records), records


def twice(rnd, report):
    return plain(report) + [""] * rnd.randrange(3) + plain(report), report.records


def between(rnd, report):
    """Prose between two records."""
    at = rnd.randrange(1, len(report.records)) if len(report.records) > 1 else 1
    lines = report.head + sum((record.lines for record in report.records[:at]), [])
    lines += [rnd.choice(PROSE)] + sum((record.lines for record in report.records[at:]), []) + report.foot
    return lines, report.records


def wrapped(rnd, report):
    """As a mailer wraps lines of more than 76 columns."""
    lines = []
    for line in plain(report):
        at = line.rfind(" ", 0, 77) if len(line.rstrip()) > 76 else -1
        lines += [line[:at], line[at + 1:].lstrip()] if at > 0 else [line]
    return lines, report.records


PARTS = [whole, whole, shuffled, wrapped, some, head, tail, twice, between]
# What is twice in a list of sums cannot be told from two equal rows; a trace that is twice has implied frees.
# Of most formats only the last words of a row fit no more.
WRAPPED = {"allocinfo", "allocinfo_oom", "slabinfo", "vmallocinfo"}
NOT = {"twice": {"ftrace", "perf_script", "allocinfo_oom"},
       # a table of perf has a head and an end
       "tail": {"perf_kmem", "perf_pages", "vmstat"},
       # a report whose title says how many stacks follow
       "some": {"memleak", "perf_kmem", "perf_pages", "vmstat"}, "head": {"memleak", "perf_kmem", "perf_pages"}}


def sums(records):
    out = collections.defaultdict(lambda: None)
    for record in records:
        old = out[record.key] or (0,) * len(record.values)
        out[record.key] = tuple(a + b for a, b in zip(old, record.values))
    return dict(out)


def run(program, text, report):
    with tempfile.NamedTemporaryFile("wb", prefix="mutated") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([program, "report", file.name, "--by", report.by, "--format", "csv"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=60)
    said = done.stderr.decode(errors="replace")
    if done.returncode == 1 and not done.stdout:
        return None, said if said.startswith("kmem-account: ") and said.count("\n") == 1 else "no sentence: " + said
    if done.returncode:
        return None, "exit %d: %s" % (done.returncode, said)
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    # rows of what was freed by others have no allocations of their own
    got = {row[report.by]: tuple(int(row[column]) for column in report.columns) for row in rows
           if row[report.by] != "demo_free+0x1/0x2"}
    return got, said


NOBODY = "[without call site]"


def differs(got, said, wants, cut=None):
    """The reason why an answer is wrong, or None. cut: the records up to the one in which the text is cut."""
    if got is None:
        return None if said.startswith("kmem-account: ") else said
    # the name at the end of the text may be cut, if this is said: all numbers are right
    if cut and got not in wants and "the name at its end may be cut" in said:
        for key in set(got) - {record.key for record in cut}:
            # "file:line name [module]"
            (whole, *module), (name, *of) = cut[-1].key.split(" [", 1), key.split(" [", 1)
            if whole.startswith(name) and module == of:
                wants = wants + [sums(cut[:-1] + [cut[-1]._replace(key=key)])]
    # a last stack that is cut before its caller
    if NOBODY in got and "truncated" in said:
        del got[NOBODY]
    return None if got in wants else "got %s\nwant %s\nsaid %s" % (got, wants, said)


def one(rnd, program, make):
    report = make(rnd)
    part = rnd.choice([p for p in PARTS if make.__name__ not in NOT.get(p.__name__, ()) and
                       (p is not wrapped or make.__name__ in WRAPPED)])
    lines, records = part(rnd, report)
    names, wants = [part.__name__], [sums(records)]
    for text in rnd.sample(TEXTS, rnd.choice([0, 1, 1, 2])):
        # a byte order mark comes first, whatever else is done
        if text is not bom or len(names) == 1:
            lines = text(rnd, lines)
            names.append(getattr(text, "__qualname__", "?"))
    raw = ("\n".join(lines) + "\n").encode()
    # the events of a site that is cut are counted up to the cut
    if rnd.random() < 0.1 and make not in (ftrace, perf_script):
        # cut anywhere: the records up to there, perhaps with the one that is cut
        raw = raw[:rnd.randrange(1, len(raw))]
        names.append("cut")
        wants = [sums(records[:i]) for i in range(len(records) + 1)]
    elif rnd.random() < 0.1:
        # as it is copied from a terminal
        raw = raw.rstrip(b"\n")
        names.append("no line end")
    got, said = run(program, raw, report)
    reasons = [differs(got, said, wants, records[:i + 1] if names[-1] == "cut" else None) for i in range(len(records))]
    reason = None if None in reasons else reasons[0]
    return reason and "%s\n%s\n%s" % (" ".join(names), reason, raw.decode(errors="replace")), got is None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("--list", action="store_true", help="print the names of the formats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--only")
    args = parser.parse_args()
    if args.list:
        print("\n".join(make.__name__ for make in FORMATS))
        return
    formats = [make for make in FORMATS if args.only in (None, make.__name__)]
    print("KTAP version 1\n1..%d" % len(formats))
    failed = False
    for number, make in enumerate(formats, 1):
        rnd, bad, refused = random.Random("%d %s" % (args.seed, make.__name__)), None, 0
        for _ in range(args.each):
            reason, no = one(rnd, args.program, make)
            refused += no
            bad = bad or reason
        # most of what is made must be read, not refused
        if not bad and refused > args.each / 4:
            bad = "%d of %d are refused" % (refused, args.each)
        if bad:
            print("\n".join("# " + line for line in bad.splitlines()))
        print("%s %d %s: %d mutations, seed %d" % ("not ok" if bad else "ok", number, make.__name__, args.each,
                                                    args.seed))
        failed |= bool(bad)
    sys.exit(failed)


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    main()
