#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Find wrong frees in the logs of log-repeat.guest, and count frees of unknown objects.

	log-repeat.py DIR

Reads the logs by log.py, which knows the format from Documentation/format/log.rst alone.
Nothing in the guest frees an object twice, so that a second free of an address, without an
allocation in between, is a gap in the log. Writes of each log a line
"NUMBER EVENTS UNKNOWN WRONG DROPPED": DROPPED is how many frees by churn_drop() are of
unknown objects; the load had allocated so many before the log began.
"""
import importlib.util
import pathlib
import sys

spec = importlib.util.spec_from_file_location("log", pathlib.Path(__file__).with_name("log.py"))
log = importlib.util.module_from_spec(spec)
spec.loader.exec_module(log)

HELD = 300
SLAB = (log.DEFERRED, log.KMALLOC, log.CACHE, log.LARGE)


def function(path, name):
    """Address and end of a function, by kallsyms."""
    addresses, start = [], None
    for line in open(path):
        words = line.split()
        addresses.append(int(words[0], 16))
        if words[2] == name:
            start = addresses[-1]
    return start, min(a for a in addresses if a > start)


def frees(evs):
    """(frees of unknown objects, second frees) as the two lists of events."""
    live, deferred, unknown, second = {}, {}, [], []
    for e in evs:
        if e["kind"] in (log.SLAB_PAGE, log.PERCPU_PAGE):
            continue
        ptr = e["ptr"]
        if e["alloc"]:
            live[ptr] = True
            continue
        was = live.get(ptr)
        # kfree_rcu() was asked to, and the end of it may be told, too
        loose = e["kind"] == log.DEFERRED or (deferred.get(ptr) and e["quiet"])
        if not was and not e["quiet"]:
            if was is None or deferred.get(ptr) or e["kind"] not in SLAB:
                unknown.append(e)
            else:
                second.append(e)
        live[ptr] = False
        deferred[ptr] = loose
    return unknown, second


def main():
    top, failed = pathlib.Path(sys.argv[1]), 0
    start, end = function(top / "kallsyms", "churn_drop")
    for folder in sorted((f for f in top.iterdir() if f.is_dir()), key=lambda f: int(f.name)):
        _, records, lost = log.read_log(folder)
        evs = log.events(records)
        unknown, second = frees(evs)
        dropped = sum(start < e["site"] <= end for e in unknown)
        print(folder.name, len(evs), len(unknown), len(second), dropped)
        if lost or second or dropped != HELD:
            failed += 1
            print(f"{folder.name}: {lost} lost, {second[:2]}", file=sys.stderr)
    return 1 if failed else 0


sys.exit(main())
