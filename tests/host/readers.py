#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tables of the kernel, accounted without any of our C code.

	readers.py KIND FILE	KIND is sites, slub or allocinfo

Prints "metric<TAB>caller<TAB>number" for each metric of each site, sorted; and
"<metric><TAB>dir:NAME<TAB>number" for the directories of allocinfo.
"""
import collections
import os.path
import re
import sys

sums = collections.defaultdict(lambda: collections.defaultdict(int))
dirs = collections.defaultdict(lambda: collections.defaultdict(int))


def sites(lines):
    names = lines[1][2:].split("\t")
    metrics = {"current_dynamic": "total", "requested": "req", "waste": "slack",
               "allocs": "allocs", "total_dynamic": "all_total", "peak": "peak",
               "remote_frees": "remote_cpu"}
    for line in lines[2:]:
        row = dict(zip(names, line.split("\t")))
        site = sums[row["caller"]]
        for metric, column in metrics.items():
            if row[column] != "-":
                site[metric] += int(row[column])
        site["frees"] += int(row["frees"]) + int(row["unknown"])
        site["objects"] += int(row["allocs"]) - int(row["frees"])


def slub(lines):
    row = re.compile(r"^ *(\d+) (\S+(?: \[\S+\])?)(?: waste=(\d+)/\d+)? age=")
    known = any(" waste=" in line for line in lines)
    for line in lines:
        found = row.match(line)
        if found:
            site = sums[found[2].replace("<not-available>", "[caller not recorded]")]
            site["objects"] += int(found[1])
            if known:
                site["waste"] += int(found[3] or 0)


def allocinfo(lines):
    row = re.compile(r"^ *(-?\d+) +(-?\d+) (\S+):(\d+) (\[\S+\] )?func:(\S+)")
    for line in lines[2:]:
        size, calls, file, number, module, func = row.match(line).groups()
        file = os.path.normpath(file).lstrip("/")
        name = f"{file}:{number} {func}" + (f" {module.strip()}" if module else "")
        for table, key in ((sums, name), (dirs, "dir:" + os.path.dirname(file))):
            for metric, text in (("current_dynamic", size), ("objects", calls)):
                value = int(text)
                table[key][metric] += value if 0 <= value < 1 << 63 else 0


kind, path = sys.argv[1:]
with open(path, encoding="utf-8") as f:
    {"sites": sites, "slub": slub, "allocinfo": allocinfo}[kind](f.read().splitlines())
for table in (sums, dirs):
    for caller in table:
        for metric, value in table[caller].items():
            print(f"{metric}\t{caller}\t{value}")
