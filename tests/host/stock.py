#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Static sizes of a linked kernel by its debugging information, from others: readelf and the
linker's map.

    stock.py sections ELF CSV       `--by section` against readelf: names and bytes
    stock.py total CSV ELF...       sum of the rows against the allocated sections
    stock.py map TREE CSV           `--by file` against the map of mkstatic.sh
    stock.py difference CSV ELF ELF sums of both sides of `diff` against the allocated sections
    stock.py directories CSV        at least 99 % of what was compiled has a directory
"""
import collections
import csv
import os
import re
import subprocess
import sys

bad = 0


def complain(*words):
    global bad
    bad += 1
    if bad < 10:
        print("#", *words)


def run(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def allocated(path):
    """[name, bytes] of each section that takes memory."""
    out = run("readelf", "-SW", path)
    found = re.findall(r"^ +\[ *\d+\] (\S+) +\S+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) +\S+ +([A-Za-z]*) ",
                       out, re.M)
    return [(name, int(size, 16)) for name, size, flags in found if "A" in flags and int(size, 16)]


def rows_of(path):
    with open(path, errors="surrogateescape") as f:
        return list(csv.DictReader(f))


def sections(elf, table):
    want = collections.Counter()
    for name, size in allocated(elf):
        want[name] += size
    got = {row["section"]: int(row["static"]) for row in rows_of(table)}
    for name in set(want) | set(got):
        if want[name] != got.get(name):
            complain("section", name, "has", want[name], "not", got.get(name))


def total(table, *elfs):
    want = sum(size for elf in elfs for _, size in allocated(elf))
    got = sum(int(row["static"]) for row in rows_of(table))
    if got != want or not want:
        complain("rows add up to", got, "sections to", want)


def difference(table, *elfs):
    rows = rows_of(table)
    for side, elf in zip(("before", "after"), elfs):
        want = sum(size for _, size in allocated(elf))
        got = sum(int(row[side]) for row in rows)
        if got != want or not want:
            complain(side, "adds up to", got, "the sections of", elf, "to", want)
    for row in rows:
        if int(row["after"]) - int(row["before"]) != int(row["delta"]):
            complain("row", row)


def by_map(tree, table):
    """Code and variables of C files: all that the map has, and at most the fill before them."""
    kinds = {".text": "text", ".init.text": "init", ".init.data": "init", ".data": "data",
             ".bss": "bss"}
    with open(os.path.join(tree, "vmlinux.map")) as f:
        text = f.read()
    text = text[text.index("Linker script and memory map"):]
    text = re.sub(r"\n ([^ \n*]\S*)\n +0x", r"\n \1 0x", text)
    want = collections.defaultdict(collections.Counter)
    for section, size, name in re.findall(r"^ (\S+) +0x[0-9a-f]+ +0x([0-9a-f]+) (\S+)", text, re.M):
        name = os.path.normpath(re.sub(r"^.*\.a\((.*)\)$", r"\1", name))
        family = re.match(r"\.init\.(text|data)|\.[a-z]+|COMMON", section)
        kind = "bss" if section == "COMMON" else kinds.get(family.group() if family else "")
        source = name.replace(".pi.o", ".o")[:-2] + ".c"
        if kind and name.endswith(".o") and os.path.exists(os.path.join(tree, source)):
            want[source][kind] += int(size, 16)
    both = "drivers/both.c"
    got = {row["file"]: row for row in rows_of(table)}
    seen = 0
    for source, sizes in want.items():
        for kind, size in sizes.items():
            if source == both or source not in got:
                complain(source, "has no row")
                continue
            have = int(got[source][kind])
            # fill of less than an alignment of 64 bytes before a symbol is the symbol's; fill
            # at the end of an object is the next one's
            if not size - 16 < have < size + 64:
                complain(source, "has", size, "bytes of", kind, "not", have)
            seen += size
    if seen < 4000:
        complain("the map has", seen, "bytes")
    for name in got:
        if not name.startswith("[") and not os.path.exists(os.path.join(tree, name)):
            complain(name, "is no file of the source")


# made by the linker, its script, or by kbuild from the linked kernel
MADE = ("[alignment]", "[kallsyms]", "[.BTF]", "[.orc_lookup]", "[early brk]", "[init stack]", "[.notes]")


def directories(table):
    rows = rows_of(table)
    with_dir = without = made = 0
    for row in rows:
        size = int(row["static"])
        if row["dir"] in MADE:
            made += size
        elif row["dir"].startswith("["):
            without += size
            print("# without a directory: %-24s %8d" % (row["dir"], size))
        else:
            with_dir += size
    if not with_dir:
        complain("no row has a directory")
        return
    share = with_dir / (with_dir + without)
    print("# %.2f %% of %d compiled bytes have a directory; %d bytes are made" %
          (100 * share, with_dir + without, made))
    if share < 0.99:
        complain("less than 99 % of what was compiled has a directory")


{"sections": sections, "total": total, "map": by_map, "difference": difference,
 "directories": directories}[sys.argv[1]](*sys.argv[2:])
sys.exit(bad > 0)
