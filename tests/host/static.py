#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Static sizes of a built kernel tree, from others: the linker's map, ar, readelf, nm.

    static.py sections TREE CSV     `static --image --by section` against readelf -S
    static.py objects TREE CSV      `static --image --by object` against the map
    static.py padding TREE CSV      `static --image --by file` against the fills of the map
    static.py whole TREE CSV        `static --by object` against readelf -S of each
    static.py symbols TREE CSV      `static --image --by symbol` against nm
    static.py bloat SCRIPT OLD NEW CSV
                                    `diff OLD NEW --image --by symbol` against the kernel's
                                    bloat-o-meter

Prints what differs; exit status 1 if anything does. CROSS is what the names of nm and size
begin with.
"""
import csv
import os
import re
import subprocess
import sys
from collections import defaultdict

KINDS = ("text", "rodata", "data", "bss", "init", "other")
differ = 0


def complain(*words):
    global differ
    differ += 1
    if differ < 20:
        print(*words)


def run(*command, cwd=None):
    return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          universal_newlines=True, check=True).stdout


def table(path, key):
    with open(path, newline="") as f:
        return {row[key]: {k: int(v) for k, v in row.items() if k != key}
                for row in csv.DictReader(f)}


def sections_of(paths, cwd):
    """file -> [(name, flags, size)] of allocated sections; common symbols are one more."""
    found, here = defaultdict(list), paths[0]
    for line in run("readelf", "-SsW", *paths, cwd=cwd).splitlines():
        if line.startswith("File: "):
            here = line[6:]
        m = re.match(r" *\[ *\d+\] (\S*) +(\S+) +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ +(\S*) ",
                     line)
        if m and "A" in m[4]:
            found[here].append((m[1], m[4], int(m[3], 16)))
        m = re.match(r" *\d+: [0-9a-f]+ +(\d+) .* COM ", line)
        if m:
            found[here].append(("COMMON", "WA", int(m[1])))
    return found


def kernel_objects(tree):
    """What is in the archives that vmlinux was linked from, by ar: name -> its parts."""
    with open(os.path.join(tree, ".vmlinux.o.cmd")) as f:
        archives = re.findall(r"(\S+\.a)\b", f.readline())
    names = {}
    for archive in archives:
        for name in map(os.path.normpath, run("ar", "t", archive, cwd=tree).split()):
            folder, base = os.path.split(name)
            with open(os.path.join(tree, folder, "." + base + ".cmd")) as f:
                m = re.search(r":= \S*ld -r -o \S+ (.*)", f.readline())
            names[name] = m[1].split() if m else [name]
    return names


def sections(tree, rows):
    want = {name: size for name, _, size in sections_of(["vmlinux"], tree)["vmlinux"]}
    for name in sorted(set(want) | set(rows)):
        got = rows.get(name, {}).get("static", 0)
        if got != want.get(name, 0):
            complain(name, "has", want.get(name, 0), "not", got)
    size = {line.split()[0]: int(line.split()[1])
            for line in run(os.environ.get("CROSS", "") + "size", "-A", "vmlinux", cwd=tree).splitlines()
            if len(line.split()) == 3 and line.split()[1].isdigit()}
    total = sum(size[name] for name in want)
    # freed after boot: what lies between two symbols, but the model of per-CPU data
    nm = run(os.environ.get("CROSS", "") + "nm", "vmlinux", cwd=tree)
    bound = {line.split()[2]: int(line.split()[0], 16) for line in nm.splitlines()
             if line.endswith((" __init_begin", " __init_end"))}
    for line in run("readelf", "-SW", "vmlinux", cwd=tree).splitlines():
        m = re.match(r" *\[ *\d+\] (\S+) +\S+ +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) .. +(\S*A\S*) ", line)
        if not m or m[1] not in rows or not rows[m[1]]["static"]:
            continue
        start, length = int(m[2], 16), int(m[3], 16)
        freed = bound["__init_begin"] <= start and start + length <= bound["__init_end"]
        if freed and not m[1].startswith(".data..percpu") and rows[m[1]]["init"] != length:
            complain(m[1], "is freed after boot, and", rows[m[1]])
        if not freed and "init" not in m[1] and "exit" not in m[1] and rows[m[1]]["init"]:
            complain(m[1], "is not freed, and", rows[m[1]])
    if sum(row["static"] for row in rows.values()) != total:
        complain("sum of the rows is not", total)


# sections whose equal entries ld merges
MERGED = re.compile(r"\.(str|cst)[0-9]|strings")


def read_map(tree):
    """object -> section -> bytes that the linker placed, and what it was before merging."""
    placed, before = defaultdict(lambda: defaultdict(int)), defaultdict(lambda: defaultdict(int))
    with open(os.path.join(tree, "vmlinux.map")) as f:
        text = f.read()
    text = text[text.index("Linker script and memory map"):]
    text = re.sub(r"\n ([^ \n*]\S*)\n +0x", r"\n \1 0x", text)
    text = re.sub(r"\n +0x([0-9a-f]+) \(size before relaxing\)", r" 0x\1", text)
    found = re.findall(r"^ (\S+) +0x([0-9a-f]+) +0x([0-9a-f]+) (\S*)(?: 0x([0-9a-f]+))?$",
                       text, re.M)
    for i, (section, start, size, name, was) in enumerate(found):
        size, was, start = int(size, 16), int(was or size, 16), int(start, 16)
        if section == "*fill*" or not name:
            continue
        # ld prints the size of a section of which nothing is left; the next section then
        # begins at the same address
        if MERGED.search(section) and i + 1 < len(found):
            size = min(size, max(0, int(found[i + 1][1], 16) - start))
        name = os.path.normpath(re.sub(r"^.*\.a\((.*)\)$", r"\1", name))
        placed[name][section] += size
        before[name][section] += was
    return placed, before


def padded(before, lists):
    """Bytes that may lie between sections that ld lists with the first of their group: up to the
    alignment less one for each other section. They are alignment, and not of an object."""
    most = 0
    for section in lists:
        align = re.search(r"\.str\d+\.(\d+)$", section)
        if align:
            most += sum(1 for found in before.values() if found.get(section)) * (int(align[1]) - 1)
    return most


def add_up(rows, names):
    """The row of an object, or the sum of those of its parts."""
    found = [rows[name] for name in names if name in rows]
    return {k: sum(row[k] for row in found) for k in found[0]} if found else None


def objects(tree, rows):
    placed, before = read_map(tree)
    kernel = kernel_objects(tree)
    alloc = sections_of(list(kernel), tree)
    moved = merged = fences = between = gathered = 0
    lists = set()  # sections of which all that is left is listed with the first
    for name, found in alloc.items():
        names = {s[0] for s in found}
        linked = sum(placed[name][s] for s in names)
        was = sum(before[name][s] for s in names)
        total = sum(size for _, _, size in found)
        row = add_up(rows, kernel[name])
        if not row:
            if total:
                complain(name, "has no row")
            continue
        if len(kernel[name]) > 1:  # ld -r aligned its parts
            if not 0 <= was - row["static"] - row["merged"] < 16 * len(kernel[name]):
                complain(name, "linked or merged", was, "its parts", row)
            continue
        if row["static"] + row["merged"] != was or row["discarded"] != total - was:
            complain(name, "holds", total, "of it linked or merged", was, "not", row)
        moved += abs(row["static"] - linked)
        # Binutils of Debian 13 list all that is left of a group of merged sections with the
        # first of them, which then is larger than before.
        grown = sum(max(0, placed[name][s] - before[name][s]) for s in names if MERGED.search(s))
        gathered += grown
        lists |= {s for s in names if MERGED.search(s) and placed[name][s] > before[name][s]}
        between += (grown > 0 or linked - row["static"] == 1) and ".rodata.str1.2" in names
        # ARM's index grows where ld fences off code that has none: that is no merging
        merged += sum(max(0, before[name][s] - placed[name][s]) for s in names)
        fences += sum(placed[name][s] > before[name][s] and not MERGED.search(s) for s in names)
    merged -= gathered
    known = {part for parts in kernel.values() for part in parts}
    for name in rows:
        if name not in known and not name.startswith("["):
            complain(name, "is not of the kernel")
    # A section may have lost entries and got a fence; on s390 strings are aligned, and the
    # byte between two of them may be of either.
    allowed = 8 * fences + between + padded(before, lists)
    if not 0 <= sum(row["merged"] for row in rows.values()) - merged <= allowed:
        complain("merged:", merged, "not", sum(row["merged"] for row in rows.values()))
    moved = max(0, moved / 2 - gathered)
    print("# merged %d bytes, %d allowed between sections; %d of other objects than in the map"
          % (merged, allowed, moved))
    # only vmlinux.a has the order of objects that are linked first
    if moved > merged / 10:
        complain("merged strings are not of the objects that the map has them of")


def padding(tree, rows):
    """What the map says was filled up before a section belongs to the directory of its object.
    Fills of 64 bytes and more are mostly room that the script makes."""
    with open(os.path.join(tree, "vmlinux.map")) as f:
        text = f.read()
    text = text[text.index("Linker script and memory map"):]
    text = re.sub(r"\n ([^ \n*]\S*)\n +0x", r"\n \1 0x", text)
    want, small, fill = defaultdict(int), 0, None
    for name, start, size, path in re.findall(
            r"^ (\*fill\*|[^ \n*]\S*) +0x([0-9a-f]+) +0x([0-9a-f]+) ?(\S*)", text, re.M):
        start, size = int(start, 16), int(size, 16)
        if name == "*fill*":
            fill = start, size
        elif fill and path and size:
            if start == fill[0] + fill[1]:
                name = os.path.normpath(re.sub(r"^.*\.a\((.*)\)$", r"\1", path))
                want[os.path.dirname(name)] += fill[1]
                small += fill[1] if fill[1] < 64 else 0
            fill = None
    got = {os.path.dirname(name): row["static"] for name, row in rows.items()
           if os.path.basename(name) == "[alignment]" and "/" in name}
    # what ld -r filled up between parts of an object is in no map
    parts = {os.path.dirname(name) for name, found in kernel_objects(tree).items() if len(found) > 1}
    for name, size in got.items():
        if size > want[name] and name not in parts:
            complain(name, "was given", size, "bytes of padding, the map has", want[name])
    print("# padding: %d bytes of %d in fills below 64" % (sum(got.values()), small))
    if sum(got.values()) * 2 < small:
        complain("most of the padding is of no directory")


def whole(tree, rows):
    names = {part for parts in kernel_objects(tree).values() for part in parts}
    for folder, _, files in os.walk(tree):
        for name in files:
            if name.endswith(".mod"):
                with open(os.path.join(folder, name)) as f:
                    names.update(f.read().split())
    want = sections_of(sorted(names), tree)
    for name in sorted(set(want) | set(rows)):
        total = sum(size for _, _, size in want.get(name, []))
        if total and (name not in rows or rows[name]["static"] != total):
            complain(name, "holds", total, "not", rows.get(name))
        elif not total and rows.get(name, {}).get("static"):
            complain(name, "holds nothing or is not of the kernel:", rows[name])


def symbols(tree, rows):
    """Functions that no other symbol shares its address with."""
    at, names = defaultdict(set), defaultdict(list)
    for line in run(os.environ.get("CROSS", "") + "nm", "-S", "vmlinux", cwd=tree).splitlines():
        words = line.split()
        at[words[0]].add(words[-1])
        if len(words) == 4 and words[2] in "tTwW":
            names[words[3]].append((words[0], int(words[1], 16)))
    linked = defaultdict(list)
    for key, row in rows.items():
        if row["static"]:
            linked[key.split(" (")[0]].append(row["static"])
    # what assembler has in two functions has one owner
    thumb = 1 if "Machine:                           ARM\n" in run("readelf", "-h", "vmlinux", cwd=tree) else 0
    ranges = sorted((int(place, 16) & ~thumb, size) for spots in names.values() for place, size in spots)
    nested, end = set(), (0, 0)
    for start, size in ranges:
        if start < end[1]:
            nested |= {start, end[0]}
        if start + size > end[1]:
            end = start, start + size
    seen = 0
    for name, places in names.items():
        if any(len(at[place]) > 1 or int(place, 16) & ~thumb in nested for place, _ in places):
            continue
        seen += 1
        # a weak function that another one replaced has its bytes in the image, too
        if any(size not in linked[name] for _, size in places):
            complain(name, "has", places, "not", linked[name])
    if seen < 10:
        complain("only", seen, "functions compared")


def shared_names(vmlinux):
    """Names of which nm counts bytes twice, as another symbol is at the same address; and
    those that are a function here and data there, of which bloat-o-meter -t has one."""
    at, kinds = defaultdict(set), defaultdict(set)
    for line in run("nm", "-S", vmlinux).splitlines():
        words = line.split()
        if len(words) == 4 and not words[3].startswith("__pfx_"):
            name = re.sub(r"\.[0-9]+", "", words[3])
            at[words[0]].add(name)
            kinds[name].add(words[2] in "tT")
    return {name for names in at.values() if len(names) > 1 for name in names} | \
        {name for name in kinds if len(kinds[name]) > 1}


def weak_names(tree):
    """Functions that may be there twice: vmlinux has the bytes of both, nm one of them."""
    names = set()
    for line in run("nm", *kernel_objects(tree), cwd=tree).splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "wWvV":
            names.add(words[2])
    return names


def bloat(script, trees, rows):
    """Every function that bloat-o-meter lists, and its totals over these."""
    images = [os.path.join(tree, "vmlinux") for tree in trees]
    skip = set().union(*map(shared_names, images), *map(weak_names, trees))
    seen = left = 0
    sums, wants = [0, 0], [0, 0]
    for line in run(sys.executable, script, "-t", *images).splitlines():
        m = re.match(r"(\S+) +(-|[0-9]+) +(-|[0-9]+) +[-+][0-9]+$", line)
        if not m:
            continue
        name = m[1]
        if name in skip:
            left += 1
            continue
        row = rows.get(name, {"before": 0, "after": 0})
        got = row["before"], row["after"]
        want = tuple(0 if n == "-" else int(n) for n in m.group(2, 3))
        if got != want:
            complain(name, "had, has", want, "not", got)
        seen += 1
        sums = [a + b for a, b in zip(sums, got)]
        wants = [a + b for a, b in zip(wants, want)]
    if sums != wants:
        complain("totals", wants, "not", sums)
    print("# %d functions, %d aliases and weak ones left out; %d -> %d bytes" %
          (seen, left, sums[0], sums[1]))
    if seen < 1000 or left > seen / 5:
        complain("too few functions compared")


if __name__ == "__main__":
    what = sys.argv[1]
    if what == "bloat":
        with open(sys.argv[5], newline="") as f:
            changes = {row["symbol"]: {k: int(row[k]) for k in ("before", "after")}
                       for row in csv.DictReader(f)}
        bloat(sys.argv[2], sys.argv[3:5], changes)
    else:
        keys = {"sections": "section", "objects": "object", "whole": "object",
                "symbols": "symbol", "padding": "file"}
        globals()[what](sys.argv[2], table(sys.argv[3], keys[what]))
    sys.exit(differ > 0)
