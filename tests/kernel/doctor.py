#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Judge what doctor.guest has left: doctor.py DIR CASE."""
import json
import os
import sys

LEAKS = {"leaky_big", "leaky_hot", "leaky_slow"}


def read(name):
    with open(os.path.join(directory, name)) as f:
        return f.read()


def answer(name):
    return json.loads(read(name + ".json"))


def function(row, key="caller"):
    return row[key].split("+")[0]


def check(good, *text):
    if not good:
        print(*text)
        global failed
        failed = True


def short(name):
    """At most 25 lines of 80 columns."""
    lines = read(name + ".txt").splitlines()
    print("\n".join(lines))
    check(5 < len(lines) <= 25, name, len(lines), "lines")
    check(max(map(len, lines)) <= 80, name, "a line of", max(map(len, lines)))
    check(read(name + ".said") == "", read(name + ".said"))


def case_healthy():
    got = answer("healthy")
    print(got["verdict"], got.get("confidence"), got["why"])
    check(got["verdict"] in ("no alarm", "growing"), "a false alarm")
    check(got["verdict"] == "no alarm" or got["confidence"] < 0.6, "growth without a proof is sure")
    check(not [row for row in got["growth"] if row["verdict"] == "leak"], "a row is a leak")
    check(not [row for row in got["lost"] if not row["caller"].startswith("[before: ")], "lost", got["lost"])
    check(got["seconds"] >= 60 and got["samples"] == 31, got["seconds"], got["samples"])
    check({"callers", "caches"} <= set(got), "no owners")


def case_leak():
    got = answer("leak")
    print(got["verdict"], got["confidence"], got["why"])
    check(got["verdict"] == "leak" and got["confidence"] == 1, "no alarm")
    check(function(got, "of") == "leaky_big", "the wrong owner:", got["of"])
    lost = {function(row): row["lost"] for row in got["lost"] if not row["caller"].startswith("[before: ")}
    print(lost)
    check(set(lost) <= LEAKS, "an owner that loses nothing")
    check(lost.get("leaky_big", 0) > 500 and lost.get("leaky_slow", 0) > 40, "lost objects are not found")
    check({function(row) for row in got["growth"] if row["verdict"] == "leak"} <= LEAKS, "a row is a leak")
    check("kmem-account lost" in got["next"], got["next"])


def case_without():
    """Without the module: the cache of leaky_big grows, and has lost objects; the scan proves it."""
    got = answer("before")
    print(got["verdict"], got["confidence"], got["why"])
    check(got["verdict"] == "leak" and got["of"] in ("kmalloc-1k", "[before: kmalloc-1k]"), "the wrong owner")
    check(any("not loaded" in note for note in got["not_looked_at"]), got["not_looked_at"])
    rows = [row["cache"] for row in got["growth"]]
    print(rows[:4])
    check("kmalloc-1k" in rows[:3], "the growing cache is not named")


def case_memory():
    for name in ("healthy", "leak", "before"):
        memory = answer(name)["memory"]
        total = sum(row["bytes"] for row in memory)
        check(total == int(read("memtotal").split()[1]) * 1024, name, total)
        names = {row["owner"] for row in memory}
        check({"free", "anonymous", "slab, unreclaimable", "[unexplained]"} <= names, name, names)


def case_text():
    for name in ("healthy", "leak", "before"):
        short(name)


def case_commands():
    codes = read("codes").splitlines()
    print("\n".join(codes))
    check(len(codes) >= 3 and "0 kmem-account doctor --for 600" in codes and all(line.startswith("0 ") for line in codes), "a command does not work as printed")
    for name in ("healthy", "leak", "before"):
        cost = answer(name)["cost"]
        print(name, cost)
        check(cost["elapsed_ns"] > 60e9 and 0 < cost["bytes"] < 256 << 20, "the cost")


directory, case = sys.argv[1:]
failed = False
globals()["case_" + case]()
sys.exit(failed)
