#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Does the host program know what addr2line -i -f knows? Addresses become the sites of an
# account, each with other bytes, and the sums by chain of lines and by chain of functions
# have to be those of the answers of addr2line.
#
#	inlines.py PROGRAM VMLINUX COUNT SEED [NAME=VALUE...]
#
# COUNT addresses at random in the sections of code, or each byte with COUNT all.
#	symbolizer=llvm-symbolizer	see below
#	section=.text			of that section alone
#	addr2line=addr2line		another one
#	kernel=FILE modules=DIR		VMLINUX is a module of DIR; its addresses are given as
#					places in its functions, of all its bytes
#
# What binutils says of an address is not always so; with llvm's symbolizer beside it
# - the file of a function that a header makes (tracepoints) is the header, not the unit's
#   main file: where the two differ in nothing but names of files, the latter is right;
# - between functions, where it knows no line, the answer of addr2line hangs on what it was
#   asked before: such addresses are left out;
# - in assembler there are labels without a size, inside of others, and nobody says which is
#   the function: functions are compared elsewhere, where the two name the same ones.
# How many there are of each is printed, and more than a few are a failure.
#
# Paths are compared from the top of the source: what comes before is cut off by a look at
# where the files of the program's answers end in those of addr2line.
import bisect
import csv
import functools
import io
import os
import posixpath
import random
import re
import subprocess
import sys
import tempfile

program, vmlinux, count, seed = sys.argv[1:5]
options = dict(arg.split("=", 1) for arg in sys.argv[5:])


def sections():
    out = subprocess.run(["readelf", "-SW", vmlinux], capture_output=True, text=True, check=True)
    for line in out.stdout.splitlines():
        words = re.sub(r"^\s*\[\s*\d+\]", "", line).split()
        if len(words) > 7 and words[1] == "PROGBITS" and words[6] == "AX":
            if options.get("section", words[0]) == words[0]:
                yield int(words[2], 16), int(words[4], 16)


@functools.lru_cache
def functions():
    """of a module: start, size, name"""
    out = subprocess.run(["llvm-nm", "-n", "-S", "--defined-only", vmlinux], capture_output=True,
                         text=True, check=True)
    rows = [line.split() for line in out.stdout.splitlines()]
    return [(int(row[0], 16), int(row[1], 16), row[3]) for row in rows
            if len(row) == 4 and row[2] in "tT" and int(row[1], 16)]


def choose():
    if "kernel" in options:
        every = [start + i for start, size, _ in functions() for i in range(size)]
        return every if count == "all" else sorted(random.Random(int(seed)).sample(every, int(count)))
    ranges = list(sections())
    if count == "all":
        return [start + i for start, size in ranges for i in range(size)]
    rng = random.Random(int(seed))
    starts = rng.choices(ranges, [size for start, size in ranges], k=int(count))
    return sorted({start + rng.randrange(size) for start, size in starts})


def cut(path):
    """addr2line's path, from the top of the source as far as one can tell"""
    path = posixpath.normpath(path) if path != "??" else ""
    for part in options.get("strip", "").split(","):
        if part and path.startswith(part + "/"):
            path = path[len(part) + 1:]
    return path


def place(text):
    """"FILE:LINE" with its additions"""
    text = re.sub(r" \(discriminator \d+\)$", "", text)
    path, line = re.match(r"(.*?):(\d+|\?)(?::\d+)?$", text).groups()
    return cut(path), int(line.replace("?", "0"))


def ask(command, addresses):
    """for each address the frames, innermost first: (function, file, line)"""
    text = subprocess.run(command, input="".join("0x%x\n" % a for a in addresses),
                          capture_output=True, text=True, check=True).stdout
    answers, frames = {}, None
    lines = iter(text.splitlines())
    for line in lines:
        if re.fullmatch(r"0x[0-9a-f]+", line):
            frames = answers.setdefault(int(line, 16), [])
        elif line:
            frames.append((line,) + place(next(lines)))
    return answers


def source_name(function):
    """without what the compiler puts behind it"""
    return re.sub(r"\.(cold|constprop|isra|part|llvm)\b.*", "", function)


@functools.lru_cache
def labels():
    """starts of symbols, and the size of each"""
    out = subprocess.run(["nm", "-n", "-S", vmlinux], capture_output=True, text=True, check=True)
    starts, sizes = [], []
    for line in out.stdout.splitlines():
        words = line.split()
        if words[-2] in "tTwW":
            starts.append(int(words[0], 16))
            sizes.append(int(words[1], 16) if len(words) == 4 else 0)
    return starts, sizes


def label(addr):
    """is the nearest symbol a label?"""
    starts, sizes = labels()
    i = bisect.bisect_right(starts, addr) - 1
    return i < 0 or not sizes[i] or (i and not sizes[i - 1] and starts[i - 1] == starts[i])


def truth(addresses):
    """the answers, and the addresses whose functions are not sure"""
    answers = ask([options.get("addr2line", "addr2line"), "-a", "-i", "-f", "-e", vmlinux],
                  addresses)
    other = options.get("symbolizer")
    if not other:
        return answers, set()
    others = ask([other, "--addresses", "--inlines", "--obj=" + vmlinux], addresses)
    fixed, gone, nameless = 0, 0, set()
    for addr, frames in list(answers.items()):
        theirs = others[addr]
        if not any(line for _, _, line in theirs):
            gone += any(line for _, _, line in frames)
            del answers[addr]
            continue
        if [source_name(f) for f, _, _ in theirs] != [f for f, _, _ in frames] or \
                frames[-1][0] == "??" or label(addr):
            nameless.add(addr)
        merged = [(f, o[1], line) if line == o[2] else (f, path, line)
                  for (f, path, line), o in zip(frames, theirs)]
        if len(frames) == len(theirs) and merged != frames:
            answers[addr] = merged
            fixed += 1
    print("# %d addresses by addr2line; by llvm-symbolizer %d files are others, %d are no code, "
          "the functions of %d are not sure" % (len(answers), fixed, gone, len(nameless)))
    few = [(fixed, 100), (gone, 1000), (len(nameless), 20)]
    if any(n > 10 and n * part > len(answers) for n, part in few):
        sys.exit("# these are too many")
    return answers, nameless


def caller(addr):
    """of a call whose last byte is there"""
    if "kernel" not in options:
        return "0x%x" % (addr + 1)
    module = os.path.basename(vmlinux).split(".")[0]
    for start, size, name in functions():
        if start <= addr < start + size:
            return "%s+0x%x/0x%x [%s]" % (name, addr + 1 - start, size, module)
    raise LookupError(addr)


def account(addresses, path):
    rows = [(100 + i * 7, caller(addr)) for i, addr in enumerate(addresses)]
    total = sum(n for n, _ in rows)
    with open(path, "w", encoding="ascii") as f:
        for name, number in (("total bytes allocated", total), ("total bytes requested", total),
                             ("slack bytes allocated", 0), ("number of allocs", len(rows)),
                             ("number of frees", 0), ("number of callers", len(rows))):
            f.write("%s: %d\n" % (name, number))
        f.write("\n   total    slack      req alloc/free  caller\n")
        for n, name in rows:
            f.write("%8d %8d %8d %5d/%-5d  %s\n" % (n, 0, n, 1, 0, name))
    return dict(zip(addresses, (n for n, _ in rows)))


def sums(pairs):
    ret = {}
    for key, n in pairs:
        ret[key] = ret.get(key, 0) + n
    return ret


def report(path, by):
    kernel = [options.get("kernel", vmlinux)]
    if "modules" in options:
        kernel += ["--modules", options["modules"]]
    out = subprocess.run([program, "report", path, "--vmlinux", *kernel, "--by", by, "--inlines",
                          "both", "--format", "csv"], capture_output=True, text=True, check=True)
    return [(row[0], int(row[1])) for row in list(csv.reader(io.StringIO(out.stdout)))[1:]]


def compare(what, expected, actual, addresses):
    wrong = [key for key in expected.keys() | actual.keys() if expected.get(key) != actual.get(key)]
    for key in sorted(wrong)[:10]:
        print("# %s: %r is %s, expected %s; %s" % (what, key, actual.get(key), expected.get(key),
              ["0x%x" % a for a in addresses.get(key, [])[:3]]))
    print("# %s: %d keys, %d differ" % (what, len(expected), len(wrong)))
    return not wrong


def main():
    addresses = choose()
    answers, nameless = truth(addresses)
    # Without a line there is no unit: the symbol alone names the function.
    known = [a for a in addresses if a in answers and answers[a][-1][2]]
    ok = len(known) * 2 > len(addresses)
    if not ok:
        print("# too few addresses have a line: %d of %d" % (len(known), len(addresses)))
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "account")
        for what, by, asked in (("lines", "line", known),
                                ("functions", "function", [a for a in known if a not in nameless and
                                               answers[a][-1][0] != "??"])):
            weight = account(asked, path)
            rows = report(path, by)
            if what == "lines":
                keys = {a: " > ".join("%s:%d" % (f, n) for _, f, n in reversed(answers[a]))
                        for a in asked}
            else:
                keys = {a: " > ".join(f for f, _, _ in reversed(answers[a])) for a in asked}
                rows = [(k[:k.rindex(" (")] if k.endswith(")") else k, n) for k, n in rows]
            places = {}
            for a in asked:
                places.setdefault(keys[a], []).append(a)
            ok &= compare(what, sums((keys[a], weight[a]) for a in asked), sums(rows), places)
    sys.exit(0 if ok else 1)


main()
