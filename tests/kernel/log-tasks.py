#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare the rows of an event log by task and by cgroup with what is known.

	log-tasks.py tasks TASKS.csv		known tasks of log-tasks.guest
	log-tasks.py cgroups CGROUPS.csv NAME	the module's own account: NAME.cgroups, NAME.sites
	log-tasks.py objects OBJECTS.csv	as tasks, of kmem-account objects
	log-tasks.py timeline TIMELINE.csv	the same at the end
	log-tasks.py sums A.csv B.csv		both have the same sum in each column of numbers

*.csv are of `report --by task,caller` and `--by cgroup,caller`.  Objects have 72 bytes, in slots of 96.
"""
import collections
import csv
import re
import sys

ONE, TWO, THREE = 100, 200, 300
# allocations of group_task() by the tasks' names; what has no glyph is shown as ?
TASKS = {
    "alpha": ONE, "ev?il?[31m": TWO, "\\x b": ONE,
    "first": ONE, "second": TWO, "in a": THREE, "mover": ONE + TWO, "moved": ONE,
    "shortlived": 32 * ONE, "the older": THREE,
}


def function(caller):
    return re.match(r"\w*", caller).group()


def rows(path, key):
    with open(path, newline="") as f:
        return [(row[key], row["caller"], row) for row in csv.DictReader(f)]


def same(got, want):
    for key in sorted(set(got) | set(want)):
        print("#", key, got.get(key), "expected", want.get(key))
    assert got == want


def tasks(path):
    got, other = collections.Counter(), {}
    for task, caller, row in rows(path, "task"):
        if function(caller) == "group_task":
            got[task] += int(row["allocs"])
            assert int(row["current_dynamic"]) == 96 * int(row["allocs"])
            assert int(row["requested"]) == 72 * int(row["allocs"])
        if function(caller) in ("group_timer", "group_work"):
            other[function(caller)] = (re.sub(r"^kworker/\w+:\w+$", "kworker", task), int(row["allocs"]))
    same(got, TASKS)
    same(other, {"group_timer": ("[irq]", 50), "group_work": ("kworker", 60)})


def cgroups(path, name):
    """The module's files have ids, names of ids, and numbers of call sites."""
    named = {-1: "[irq]", -2: "[kthread]", -3: "[before]", -4: "[gone]", -5: "[other]"}
    sites, counts, got, want = {}, [], {}, {}
    with open(name + ".sites") as f:
        for line in f:
            fields = line.rstrip("\n").split("\t")
            caller = next((x for x in fields if re.match(r"group_\w+\+0x", x)), None)
            if caller:
                sites[fields[0]] = function(caller)
    with open(name + ".cgroups") as f:
        table = 0
        for line in f:
            fields = line.rstrip("\n").split("\t")
            table += line.startswith("# id")
            if line.startswith("#") or len(fields) < 2:
                continue
            if table:
                named[int(fields[0])] = fields[1]
            else:
                counts.append(fields)
    for site, cgroup, allocs, frees, live, req, *_ in counts:
        if site in sites and int(allocs):
            want[sites[site], named[int(cgroup)]] = (int(allocs), int(frees), int(live), int(req))
    for cgroup, caller, row in rows(path, "cgroup"):
        if function(caller).startswith("group_"):
            got[function(caller), cgroup] = tuple(int(row[k]) for k in (
                "allocs", "frees", "current_dynamic", "requested"))
    same(got, want)
    assert {c for f, c in want if f == "group_task"} == {"/", "/a", "/b/sub", "/gone", "/old"}


def objects(path):
    got = collections.Counter()
    for task, caller, row in rows(path, "task"):
        if function(caller) == "group_task":
            got[task] += int(row["allocs"])
    same(got, TASKS)


def timeline(path):
    last = {}
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            last = row
    for task, n in TASKS.items():
        print("#", task, last.get(task))
        assert int(last[task]) >= 96 * n


def sums(*paths):
    got = []
    for path in paths:
        total = collections.Counter()
        with open(path, newline="") as f:
            for row in csv.DictReader(f):
                for key, value in row.items():
                    if key != "peak" and re.fullmatch(r"\d+", value):
                        total[key] += int(value)
        got.append(total)
    print("#", dict(got[0]), dict(got[1]))
    assert got[0] == got[1] and got[0]["allocs"] > sum(TASKS.values())


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
