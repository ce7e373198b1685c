#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Judge what allocinfo-kernel.sh has measured, in KTAP.

	allocinfo-kernel.py ANSWERS KNOWN BOTH KERNELS BOOTS

ANSWERS is known-answers-allocinfo.txt, KNOWN the folder that allocinfo-kernel.guest has left, BOTH
that of allocinfo.guest in the kernel with the RFC. KERNELS is the folder of stages.sh; BOOTS has a
folder for each kernel, as left by tests/bench/bench.guest.
"""
import re
import subprocess
import sys
from pathlib import Path

LINE = re.compile(r" *(\d+) +(\d+) \S+:\d+ (?:\[\S+\] )?func:(\w+)(.*)$")
COLUMNS = ("calls", "bytes", "waste", "total_calls", "total_bytes")
LOOPS = (("kmalloc", "off"), ("cache", "off"))
# row of the table: kernel, what bench.guest calls the loops, what they are compared with
ROWS = (
    ("all off", "stock", "none", None),
    ("/proc/allocinfo", "stock", "allocinfo", "none"),
    ("all off, with both allocinfo patches", "waste", "none", ("stock", "none")),
    ("/proc/allocinfo with both, and WASTE", "waste", "allocinfo", "none"),
    ("the RFC, compiled in and off", "rfc", "none", ("stock", "none")),
    ("the RFC, on", "rfc", "on", ("stock", "none")),
)
HOOKS = ("__alloc_tagging_slab_alloc_hook", "__alloc_tagging_slab_free_hook")
# what may be added to a pair: by the RFC, compiled in and off; by it on, beside what /proc/allocinfo
# adds; by the allocinfo patches, while profiling is on
MOST_OFF, MOST_BESIDE, MOST_MORE = 6, 20, 40
# the share of functions with the same objects in the RFC's account and in /proc/allocinfo; the
# others have pages, or are helpers for one of the two
LEAST_EQUAL = 0.75


class Results:
    """Numbered results"""

    def __init__(self):
        self.lines, self.failed = [], False

    def add(self, ok, name, notes=()):
        self.lines += [f"# {note}" for note in notes]
        self.lines.append(f"{'ok' if ok else 'not ok'} {{}} {name}")
        self.failed |= not ok

    def show(self):
        count = sum(not line.startswith("#") for line in self.lines)
        print(f"KTAP version 1\n1..{count}")
        number = 0
        for line in self.lines:
            number += not line.startswith("#")
            print(line if line.startswith("#") else line.replace("{}", str(number), 1))


def answers(path):
    rows = {}
    for line in path.read_text().splitlines():
        words = line.split()
        if words and not words[0].startswith("#"):
            rows[words[0]] = tuple(map(int, words[1:]))
    return rows


def tags(path):
    """{function: sums}; a line without the patches' words is an error"""
    sums = {}
    for line in path.read_text().splitlines():
        size, calls, function, rest = LINE.match(line).groups()
        more = dict(re.findall(r"(\w+):(\S+)", rest))
        if "accurate" in more:
            raise ValueError(f"{path}: not accurate: {line}")
        new = (int(calls), int(size)) + tuple(int(more[name]) for name in COLUMNS[2:])
        sums[function] = tuple(map(sum, zip(sums.get(function, (0,) * len(new)), new)))
    return sums


def known(results, expected, folder):
    for phase in ("alloc", "free"):
        got = tags(folder / phase)
        wrong = []
        for function, row in expected.items():
            want = row if phase == "alloc" else (0, 0, 0) + row[3:]
            if got.get(function) != want:
                wrong.append(f"{function}: {got.get(function)}, expected {want}")
        results.add(not wrong, f"after {phase}: {len(expected)} functions by {', '.join(COLUMNS)}",
                    wrong)


def pair(boots, kernel, name, loop):
    """Instructions of a pair; bench.guest says how many ticks so many pairs took"""
    for line in (boots / kernel / f"{name}.ticks").read_text().splitlines():
        words = line.split()
        if tuple(words[:2]) == loop:
            return int(words[2]) / int(words[3])
    raise ValueError(f"{boots}/{kernel}/{name}.ticks has no loop {loop}")


def hook_sizes(path):
    """Instructions of the hooks in an object"""
    sizes = []
    for hook in HOOKS:
        text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", f"--disassemble={hook}", path],
                              check=True, capture_output=True, text=True).stdout
        sizes.append(len(re.findall(r"^ +[0-9a-f]+:\t", text, re.M)))
    return sizes


def added(boots, row, loop):
    label, kernel, name, base = row
    value = pair(boots, kernel, name, loop)
    if base is None:
        return value
    return value - pair(boots, *((kernel, base) if isinstance(base, str) else base), loop)


def cost(results, boots):
    for kernel in ("stock", "waste", "rfc"):
        runs = {loop: {round(pair(boots, kernel, name, loop), 1)
                       for name in ("none", "again", "none-after")} for loop in LOOPS}
        results.add(all(max(run) - min(run) < 0.5 for run in runs.values()),
                    f"{kernel}: three runs with all off take the same", map(str, runs.items()))
    table = [(row[0],) + tuple(round(added(boots, row, loop)) for loop in LOOPS) for row in ROWS]
    notes = [f"{'instructions of a pair':40} kmalloc(64)  object of a cache"]
    notes += [f"{label:40} {one:+11d} {other:+18d}" for label, one, other in table]
    _, allocinfo_on, waste_off, waste_on, rfc_off, rfc_on = (
        [added(boots, row, loop) for loop in LOOPS] for row in ROWS)
    results.add(all(abs(value) < 0.5 for value in waste_off),
                "the allocinfo patches add no instruction to a pair while profiling is off", notes)
    more = [one - other for one, other in zip(waste_on, allocinfo_on)]
    results.add(0 < min(more) and max(more) <= MOST_MORE,
                f"they add at most {MOST_MORE} instructions to a pair while profiling is on",
                [f"the allocinfo patches add {', '.join(f'{value:.1f}' for value in more)}"])
    results.add(0 < min(rfc_off) and max(rfc_off) <= MOST_OFF,
                f"the RFC adds at most {MOST_OFF} instructions to a pair while it is off")
    results.add(all(abs(one - other) <= MOST_BESIDE for one, other in zip(rfc_on, allocinfo_on)),
                f"on, it takes what /proc/allocinfo takes, by {MOST_BESIDE} instructions")


def sizes(results, kernels):
    """What the patches add to vmlinux; all kernels have the other options of one configuration"""
    stock, *patched = ([int(word) for word in (kernels / name / "size").read_text().split()]
                       for name in ("stock", "waste", "rfc"))
    notes = [f"{'added to vmlinux':40} {'text':>8} {'data':>8} {'bss':>8}"]
    for label, size in zip(("both allocinfo patches", "the RFC"), patched):
        notes.append(f"{label:40}" + "".join(f" {new - old:+8d}" for new, old in zip(size, stock)))
    results.add(all(size[0] > stock[0] for size in patched),
                "the size of vmlinux without patches and with them", notes)


def account(path):
    """{function: (objects, bytes)} of debugfs' sites"""
    _, columns, *rows = path.read_text().splitlines()
    columns = columns.lstrip("#").strip().split("\t")
    live = {}
    for row in rows:
        row = dict(zip(columns, row.split("\t")))
        function = re.split(r"[+.]", row["caller"])[0]
        old = live.get(function, (0, 0))
        live[function] = old[0] + int(row["allocs"]) - int(row["frees"]), old[1] + int(row["total"])
    return live


def allocinfo(path):
    """The same of /proc/allocinfo"""
    live = {}
    for line in path.read_text().splitlines()[2:]:
        size, calls, function, _ = LINE.match(line).groups()
        old = live.get(function, (0, 0))
        live[function] = old[0] + int(calls), old[1] + int(size)
    return live


def both(results, folder):
    """The best of the rounds, each /proc/allocinfo between two readings of the account"""
    best = (0, 1)
    for path in folder.glob("*.allocinfo"):
        there = {function: live for function, live in allocinfo(path).items() if any(live)}
        looks = [account(path.with_suffix(suffix)) for suffix in (".before", ".after")]
        named = [function for function in there if all(any(look.get(function, ())) for look in looks)]
        equal = [function for function in named
                 if all(min(pair) <= number <= max(pair) for number, pair in
                        zip(there[function], zip(*(look[function] for look in looks))))]
        best = max(best, (len(equal), len(named)), key=lambda pair: pair[0] / max(pair[1], 1))
    results.add(best[0] >= LEAST_EQUAL * best[1],
                f"the RFC and /proc/allocinfo have the same for {LEAST_EQUAL:.0%} of the functions",
                [f"live objects and bytes are the same for {best[0]} of {best[1]} functions that both name"])


def hooks(results, kernels):
    stock, total = (hook_sizes(kernels / name / "slub.o") for name in ("stock", "total"))
    results.add(0 < min(total) and all(new <= old for new, old in zip(total, stock)),
                "the first allocinfo patch adds no instruction to the hooks in mm/slub.o",
                [f"{hook}: {new} instructions, before {old}"
                 for hook, new, old in zip(HOOKS, total, stock)])


def main():
    if len(sys.argv) != 6:
        sys.exit("usage: allocinfo-kernel.py ANSWERS KNOWN BOTH KERNELS BOOTS")
    path, folder, together, kernels, boots = map(Path, sys.argv[1:])
    results = Results()
    known(results, answers(path), folder)
    both(results, together)
    cost(results, boots)
    sizes(results, kernels)
    hooks(results, kernels)
    results.show()
    return results.failed


sys.exit(main())
