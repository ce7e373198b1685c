#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Does the account agree with /proc/allocinfo, site by site where the site is the same?
#
#	allocinfo.py FOLDER OUTPUT
#
# FOLDER is what allocinfo.guest has left, OUTPUT kbuild's folder of the kernel, in the
# tree. The truth is /proc/allocinfo: live bytes and objects by the line of source with the
# name of an allocating function. A call site of the account is a return address: binutils'
# addr2line says which line of which function that is, with what was inlined there. It is
# the same site if /proc/allocinfo has that line; or one further down in the same
# statement: of a call over several lines it has the last, addr2line the first.
#
# What has no such line is compared in sums: /proc/allocinfo has the helper that gives its
# caller on, or ends in a jump to the allocator, where the account has the caller. What one
# of the two cannot know is the table APART, with the reasons.
#
# A line of /proc/allocinfo that has objects, but no call site of the account, is part of a sum
# if its statement calls a helper, is not compared if it allocates pages, and differs otherwise.
#
# Each count has to be between those that the account had before and after, to the byte.
# The kernel's own threads may allocate meanwhile: the best of the rounds is what counts.
#
# KTAP on stdout.
import re
import subprocess
import sys
from collections import defaultdict
from os.path import normpath
from pathlib import Path

ROW = re.compile(r" *(\d+) +(\d+) (\S+):(\d+) (?:\[\S+\] )?func:(\S+)")
# caches and functions of what is not to be compared, and why
APART = (
    (r"kmem_cache(_node)?\+?", None, "of caches that have no tags"),
    (None, "alloc_slab_obj_exts", "the tags themselves"),
    (None, "__vmalloc_area_node", "vmalloc()'s arrays: there with its pages, its caller's"),
    (None, "vmap_init_nodes", "page-backed, from before pages have tags"),
)
# objects of the account's that are there only while it is opened (below 0: the other way)
READING = {"getname_flags": 1, "kma_report_create": 1, "allocinfo_start": -1}
# sums: functions of the account, statements of /proc/allocinfo
SUMS = {
    "mempools": (r"mempool_(init|create)_node", r"\bmempool_\w+\("),
    "hash tables": (r"bucket_table_alloc", r"\brh\w*table_init\("),
    "helpers": (r"", r"\bk(v?[mz]|c)alloc\w*\(|\bk(re)?alloc\w*\(|\bkstrn?dup\w*\(|"
                     r"\bkmemdup\w*\(|\bkmalloc_\w+\(|\bkmem_cache_\w+\("),
}
# statements that allocate pages, per-CPU memory or virtual memory, which the account does not count
PAGES = re.compile(r"\b_*(\w*alloc_pages?\w*|\w*folio_alloc\w*|\w*alloc\w*_folio\w*|get_free_pages?"
                   r"|get_zeroed_page|p[tmug4]+e?d?_alloc_one\w*|v[mz]alloc\w*|\w*alloc_percpu\w*)\(")


def plus(one, other):
    return one[0] + other[0], one[1] + other[1]


def total(counts):
    objects, size = 0, 0
    for count in counts:
        objects, size = objects + count[0], size + count[1]
    return f"{objects} objects, {size} bytes"


def sum_of(column, text):
    """The sum that a function or a statement is of, or None"""
    return next((name for name, row in SUMS.items() if re.search(row[column], text)), None)


def apart(cache, frames):
    """Why a site is not to be compared, or None"""
    functions = {function for _, function, _ in frames}
    for caches, function, why in APART:
        if re.fullmatch(caches, cache) if caches else function in functions:
            return why
    return None


def allocinfo(path):
    """{(file, function, line): (objects, bytes)}, also of those without any"""
    tags = defaultdict(lambda: (0, 0))
    for row in path.read_text().splitlines()[2:]:
        size, calls, file, line, function = ROW.match(row).groups()
        tag = normpath(file), function, int(line)
        # a static inline has a row for each file that it is in
        tags[tag] = plus(tags[tag], (int(calls), int(size)))
    return tags


def account(path):
    """{offset: ((objects, bytes), cache)} of debugfs' sites"""
    version, columns, *rows = path.read_text().splitlines()
    if version != "kmem_account sites 1":
        raise ValueError(f"{path}: not sites")
    columns = columns.lstrip("#").strip().split("\t")
    sites = {}
    for row in rows:
        row = dict(zip(columns, row.split("\t")))
        if row["file"] != "vmlinux":
            raise ValueError(f"{path}: {row['caller']}: in {row['file']}")
        live = int(row["allocs"]) - int(row["frees"]), int(row["total"])
        place = int(row["offset"], 16)
        old, _ = sites.get(place, ((0, 0), ""))
        sites[place] = plus(old, live), row["cache"]
    return sites


class Kernel:
    """What the debug information and the sources say"""

    def __init__(self, output):
        self.vmlinux, self.tree = output / "vmlinux", output.parent
        symbols = subprocess.run(["nm", self.vmlinux], capture_output=True, check=True, text=True)
        self.text = int(re.search(r"^(\w+) T _stext$", symbols.stdout, re.M)[1], 16)
        # {offset: [(file, function, line)]}, what was inlined first; {file: its lines}
        self.frames, self.sources = {}, {}

    def learn(self, offsets):
        """Have the frames of these"""
        offsets -= self.frames.keys()
        # a return address is behind the call
        words = "".join(f"{self.text + offset - 1:#x}\n" for offset in offsets)
        said = subprocess.run(["addr2line", "-a", "-f", "-i", "-e", self.vmlinux],
                              input=words, capture_output=True, check=True, text=True)
        frames = []
        lines = iter(said.stdout.splitlines())
        for line in lines:
            if line.startswith("0x"):
                frames = self.frames.setdefault(int(line, 16) + 1 - self.text, [])
                continue
            file, number = next(lines).split(" ")[0].rsplit(":", 1)
            # the folder that it was built in has another name by now
            file = normpath(file).rsplit("/tree/", 1)[-1]
            frames.append((file, line.split(".")[0], int(number) if number.isdigit() else 0))

    def source(self, file):
        if file not in self.sources:
            path = self.tree / file
            self.sources[file] = path.read_text().splitlines() if path.exists() else []
        return self.sources[file]

    def last(self, file, line):
        """The line that the statement of this one ends on"""
        text = self.source(file)
        last = line
        while last < min(line + 20, len(text)) and not text[last - 1].rstrip().endswith((";", "{")):
            last += 1
        return last

    def tag(self, tags, frames):
        """The line of /proc/allocinfo that these frames are, or None"""
        for file, function, line in frames:
            for here in range(line, self.last(file, line) + 1):
                if (file, function, here) in tags:
                    return file, function, here
        return None

    def statement(self, file, line):
        """What is written in the statement that this line is of"""
        text, last = self.source(file), self.last(file, line)
        while line > 1 and text[line - 2].strip() and text[line - 2].rstrip()[-1] not in ";{}:/":
            line -= 1
        return " ".join(text[line - 1:last])


class Round:
    """One look at the truth, between two at the account"""

    def __init__(self, folder, name, kernel):
        self.name = name
        # by line or name of a sum: what the account went through; by reason: what it has
        self.went, self.apart = defaultdict(lambda: [(0, 0), (0, 0)]), {}
        tags = allocinfo(folder / f"{name}.allocinfo")
        taken = self.book([account(folder / f"{name}.{when}") for when in ("before", "after")],
                          tags, kernel)
        self.real = {tag: tags[tag] for tag in taken & self.went.keys()}
        self.lacks(tags, taken, kernel)
        # a line or a sum may be on one side only
        self.keys = self.went.keys() | self.real.keys()
        self.off = [key for key in self.keys if not self.agrees(key)]

    def lacks(self, tags, taken, kernel):
        """Count the lines of /proc/allocinfo that are no call site of the account"""
        for tag in tags.keys() - taken:
            if not tags[tag][0]:
                continue
            statement = kernel.statement(tag[0], tag[2])
            name = sum_of(1, statement)
            if not name and PAGES.search(statement):
                self.apart["pages"] = plus(self.apart.get("pages", (0, 0)), tags[tag])
                continue
            key = name or tag
            self.real[key] = plus(self.real.get(key, (0, 0)), tags[tag])

    def book(self, looks, tags, kernel):
        """The sites of two looks at the account; the lines that they are"""
        offsets, taken = looks[0].keys() | looks[1].keys(), set()
        kernel.learn(offsets)
        for offset in offsets:
            went = [look.get(offset, ((0, 0), "")) for look in looks]
            frames = kernel.frames[offset]
            why = apart(went[1][1] or went[0][1], frames)
            tag = kernel.tag(tags, frames)
            taken.add(tag)
            if why:
                self.apart[why] = plus(self.apart.get(why, (0, 0)), went[1][0])
                continue
            booked = self.went[tag or sum_of(0, frames[-1][1])]
            booked[:] = [plus(old, live) for old, (live, _) in zip(booked, went)]
        return taken

    def agrees(self, key):
        here, there = tuple(zip(*self.here(key))), self.real.get(key, (0, 0))
        if key[1] in READING and there[0] + READING[key[1]] in here[0]:
            return True
        return all(min(pair) <= n <= max(pair) for n, pair in zip(there, here))

    def here(self, key):
        """What the account went through; nothing if only /proc/allocinfo has the key"""
        return self.went.get(key, [(0, 0), (0, 0)])

    def sums(self):
        return [key for key in self.keys if isinstance(key, str)]

    def lines(self):
        return [key for key in self.keys if not isinstance(key, str)]

    def notes(self):
        compared = total(self.here(key)[1] for key in self.keys)
        yield f"round {self.name}: {total(list(self.apart.values()))} not compared, {compared} are"
        for why, live in sorted(self.apart.items()):
            yield f"{total([live])}: {why}"

    def note(self, key):
        name = key if isinstance(key, str) else "{0}:{2} {1}".format(*key)
        return (f"{name}: {total([self.real.get(key, (0, 0))])} there; "
                f"{total([self.here(key)[1]])} here")


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: allocinfo.py FOLDER OUTPUT")
    folder, kernel = Path(sys.argv[1]), Kernel(Path(sys.argv[2]))
    rounds = [Round(folder, file.name.split(".")[0], kernel)
              for file in sorted(folder.glob("*.allocinfo"))]
    best = min(rounds, key=lambda look: len(look.off))
    lines, off = best.lines(), {key: best.note(key) for key in best.off}
    print("KTAP version 1", "1..2", sep="\n")
    for look in rounds:
        print(f"# round {look.name}: {len(look.off)} of {len(look.keys)} differ")
    print(*(f"# {note}" for note in best.notes()), sep="\n")

    number = 0
    for what, keys in (("line that is a call site", lines), ("sum of the others", best.sums())):
        number += 1
        wrong = [off[key] for key in keys if key in off]
        still = sum(best.here(key)[0] == best.here(key)[1] for key in keys)
        print(f"# {len(keys) - len(wrong)} of {len(keys)} agree, {still} of which nothing has "
              f"moved meanwhile: {total(best.here(key)[1] for key in keys)}")
        for key in keys:
            if key in off or isinstance(key, str):
                print(f"# {best.note(key)}")
        print(f"{'not ' if wrong or not keys else ''}ok {number} each {what} has as much as there")
    return bool(off) or not lines


sys.exit(main())
