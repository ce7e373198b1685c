#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a scan of the heap takes.

heap.py run FILE COMMAND...		run it, and write its most memory to FILE, in KiB
heap.py row DIR NAME LABEL [LOST]	a line from DIR/NAME.json and DIR/NAME.time:
					label|objects|edges|MB read|seconds|MB of memory|its bar
					LOST: as many objects have to be lost, all of made_lost()
heap.py timer FILE			lines label|quiet|beside a loop|beside scans|times, from medians of the
					lines of FILE: microseconds of p99.9 and of the maximum
"""
import json
import os
import re
import resource
import statistics
import subprocess
import sys


def run(path, *command):
    code = subprocess.run(command, check=False).returncode
    with open(path, "w") as f:
        f.write(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}\n")
    sys.exit(code)


def row(directory, name, label, lost=None):
    with open(os.path.join(directory, name + ".json")) as f:
        answer = json.load(f)
    with open(os.path.join(directory, name + ".time")) as f:
        kb = int(f.read())
    if lost is not None:
        sites = [(re.split(r"[+]", s["caller"])[0], s["lost"]) for s in answer["sites"]]
        if sites != [("made_lost", int(lost))]:
            sys.exit(f"{label}: {sites} are lost, not {lost} of made_lost")
    objects, edges, pages, ns = (
        max(p[key] for p in answer["passes"]) for key in ("objects", "edges", "pages", "ns")
    )
    bar = (32 * objects + 5 * edges) / 2**20 + 64
    print(f"{label}|{objects}|{edges}|{pages / 256:.0f}|{ns / 1e9:.1f}|{kb / 1024:.0f}|{bar:.0f}")


def timer(path):
    runs = {"quiet": [], "loop": [], "scan": []}
    with open(path) as f:
        for line in f:
            kind, *late = line.split()
            runs[kind].append([int(ns) for ns in late])
    if [len(r) for r in runs.values()] != [10, 10, 10]:
        sys.exit(f"{path}: not ten runs of each kind")
    for i, label in enumerate(("p99.9", "maximum")):
        quiet, loop, scan = (statistics.median(r[i] for r in runs[kind]) / 1000 for kind in runs)
        print(f"{label}|{quiet:.0f}|{loop:.0f}|{scan:.0f}|{scan / quiet:.2f}")


{"run": run, "row": row, "timer": timer}[sys.argv[1]](*sys.argv[2:])
