#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a scan of the heap takes.

heap.py run FILE COMMAND...		run it, and write its most memory to FILE, in KiB
heap.py row DIR NAME LABEL [LOST]	a line from DIR/NAME.json and DIR/NAME.time:
					label|objects|edges|MB read|seconds|MB of memory|its bar
					LOST: as many objects have to be lost, all of made_lost()
"""
import json
import os
import re
import resource
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


{"run": run, "row": row}[sys.argv[1]](*sys.argv[2:])
