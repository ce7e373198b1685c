#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Judge what why.guest has left: why.py DIR CASE."""
import csv
import json
import os
import re
import sys

PLANTED = 100
STACK = 16
COLUMNS = "depth objects share holder offset field root"


def read(name):
    with open(os.path.join(directory, name)) as f:
        return f.read()


def rows(name):
    table = list(csv.DictReader(read(name).splitlines()))
    for row in table:
        check(" ".join(row) == COLUMNS, f"{name}: columns {list(row)}")
        row["depth"], row["objects"] = int(row["depth"]), int(row["objects"])
    return table


def check(good, text):
    if not good:
        print(text)
        global failed
        failed = True


def expected():
    return dict(line.split(": ", 1) for line in read("roots").splitlines())


# Kinds of which each object is held by itself, so that a word that is left over somewhere changes the
# path of one object. In a list it can change the paths of many.
ALONE = "xarray idr hash rbtree vmalloc tagged".split()


# The module knows what holds its objects.
def case_kinds():
    check(len(expected()) == 14, "14 kinds")
    for site, root in expected().items():
        table = rows(site + ".csv")
        all_objects = STACK if site == "held_stack" else PLANTED
        found = sum(row["objects"] for row in table if row["root"] == root)
        print(site, found, root)
        check(table[0]["objects"] == all_objects, f"{site}: {table[0]['objects']} objects")
        if found < (0.9 * all_objects if site.removeprefix("held_") in ALONE else 1):
            check(False, f"{site}: {found} of {all_objects} objects are held by {root}")
            for row in table:
                print("  ", row)


# The rows below a row have its objects, and each object has one path.
def case_tree():
    for site in expected():
        table = rows(site + ".csv")
        for i, row in enumerate(table):
            below = []
            for other in table[i + 1 :]:
                if other["depth"] <= row["depth"]:
                    break
                if other["depth"] == row["depth"] + 1:
                    below.append(other["objects"])
            check(not below or sum(below) == row["objects"], f"{site}: {row} has {below}")
            check(below or row["root"] or row["holder"] in ("...", "nothing"), f"{site}: no end: {row}")
            share = 100 * row["objects"] / table[0]["objects"]
            check(abs(float(row["share"]) - share) < 0.001, f"{site}: share of {row}")
    lists = [row["holder"] for row in rows("held_list.csv") if row["holder"].startswith("list of ")]
    check(len(lists) == 1 and lists[0].endswith(" through offset 0"), f"one list: {lists}")
    nothing = [row["objects"] for row in rows("lost_chain.csv") if row["holder"] == "nothing"]
    check(sum(nothing) >= 1, f"lost: {nothing}")


def case_address():
    table = rows("address.csv")
    for row in table:
        print(row)
    check([row["depth"] for row in table] == list(range(len(table))), "a path")
    check(all(row["objects"] == 1 for row in table), "one object")
    last = table[-1]
    if last["holder"] == "...":
        check(len(table) == 66, "64 levels")
    else:
        check(last["root"] == expected()["held_list"], "the root")
    check(all(row["holder"].startswith("held_list+") for row in table[:-1]), "the list")
    check(all(row["offset"] in ("0", "8") for row in table[1:-1]), "its members")


# Objects by call site, at the depths from the root at which they are.
def held(name):
    found = {}
    for row in rows(name)[1:]:
        key = (row["depth"], re.split(r"[+ ]", row["holder"])[0])
        found[key] = found.get(key, 0) + row["objects"]
    return found


def case_from():
    print(read("from.table"))
    check(held("from.tagged") == {(1, "held_tagged"): PLANTED}, held("from.tagged"))
    check(held("from.list") == {(1, "held_list"): PLANTED}, held("from.list"))
    top = rows("from.list")[0]
    check(top["root"] == "variable planted_list [kma_planted]" and not top["holder"], top)
    nodes = held("from.xa")
    check(nodes.get((2, "held_xarray")) == PLANTED, nodes)
    check(rows("from.xa")[0]["objects"] > PLANTED, "nodes and objects")
    module = held("from.module")
    for kind in "list", "hlist", "rbtree", "tagged", "inside", "hash":
        check(module.get((1, "held_" + kind)) == PLANTED, f"{kind}: {module}")
    check(not [key for key in module if key[1].startswith("lost_")], module)


# The module knows how many bytes only one of its variables holds. It cannot be more. A word that is left
# over in another variable can take a whole list from it, so two of seven may have less.
def case_retained():
    print(read("retained.table"))
    table = {row["root"]: row for row in csv.DictReader(read("retained.csv").splitlines())}
    truth = dict(line.split(": ") for line in read("bytes").splitlines())
    check(len(truth) == 6, f"truth: {truth}")
    # The xarray's nodes are in it, too.
    exact = int(table["variable planted_xa [kma_planted]"]["objects"]) > PLANTED
    for name, size in truth.items():
        row = table[f"variable {name} [kma_planted]"]
        print(row, size)
        check(int(row["retained"]) <= int(size), f"{name}: {row['retained']} of {size} bytes")
        check(int(row["objects"]) <= PLANTED, f"{name}: {row['objects']} objects")
        exact += row["retained"] == size and row["objects"] == str(PLANTED)
    check(exact >= 5, f"{exact} of 7 variables retain all that they hold")
    check(int(table["variable planted_list [kma_planted]"]["direct"]) == 2, "both ends of the list")
    data = json.loads(read("retained.json"))
    check(sum(row["retained"] for row in data["rows"]) == data["live_bytes"], "the sum of bytes")
    check(sum(row["objects"] for row in data["rows"]) == data["live_objects"], "the sum of objects")
    names = [row["root"] for row in data["rows"]]
    check("several roots" in names and "nothing" in names, "what no root holds alone")
    sizes = [row["retained"] for row in data["rows"]]
    check(sizes == sorted(sizes, reverse=True), "sorted")


def case_callers():
    print(read("callers.table"))
    table = list(csv.DictReader(read("callers.csv").splitlines()))
    for row in table:
        check(int(row["retained"]) >= int(row["bytes"]), f"less than its own: {row}")
    found = {row["caller"].split("+")[0]: row for row in table}
    for kind in "list", "tagged", "hash", "rbtree":
        row = found["held_" + kind]
        check(row["retained"] == row["bytes"], f"nothing is below them: {row}")
        check(row["live"] == str(PLANTED), f"all of them: {row}")


def case_output():
    data = json.loads(read("hash.json"))
    check(data["objects"] == PLANTED, "objects")
    check([set(row) == set(COLUMNS.split()) for row in data["rows"]], "members")
    print(read("hash.table"))
    check(re.search(r"^ +\d+ +[0-9.]+% +variable planted_hash \[kma_planted\]", read("hash.table"), re.M), "the table")
    check(read("mode").startswith("-rw------- "), read("mode"))


def case_refused():
    text = read("refused")
    print(text)
    check("no live object of the call site 'no_such_caller'" in text, "a call site")
    check("no live object has this address" in text, "an address")
    check("no root 'no_such_root' holds live objects" in text, "a root")
    check(text.count("give one call site, one address, --from or --retained") == 3, "nothing to ask for, or too much")
    check([line for line in text.splitlines() if line.isdigit()] == ["1", "1", "1", "2", "2", "2"], "statuses")


directory, case = sys.argv[1], sys.argv[2]
failed = False
globals()["case_" + case]()
sys.exit(failed)
