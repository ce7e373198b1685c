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


# All roots of the module together retain at least what each of them retains alone.
def case_modules():
    print(read("modules.table"))
    data = json.loads(read("modules.json"))
    check(sum(row["retained"] for row in data["rows"]) == data["live_bytes"], "the sum of bytes")
    names = [row["module"] for row in data["rows"]]
    check("variables of the kernel" in names and "stacks" in names, f"other roots: {names}")
    roots = list(csv.DictReader(read("retained.file").splitlines()))
    modules = {row["module"]: row for row in csv.DictReader(read("modules.file").splitlines())}
    for name, row in modules.items():
        parts = [r for r in roots if r["root"].endswith(f"[{name}]")]
        if not parts:
            continue
        alone = sum(int(r["retained"]) for r in parts)
        print(name, row["retained"], "of its roots alone:", alone)
        check(int(row["retained"]) >= alone, f"{name}: less than its roots")
    truth = dict(line.split(": ") for line in read("bytes").splitlines())
    # and its areas of vmalloc(), its IDR and its xarray
    check(int(modules["kma_planted"]["objects"]) >= (len(truth) + 1) * PLANTED, modules["kma_planted"])
    for column in "retained", "objects":
        check(sum(int(r[column]) for r in modules.values()) == sum(int(r[column]) for r in roots), f"sums of {column}")


# A report of the file by root has the figures of why, each object once; by call site, those of its callers.
def case_report():
    report = {row["root"]: row for row in csv.DictReader(read("report.root").splitlines())}
    table = list(csv.DictReader(read("retained.file").splitlines()))
    for row in table:
        found = report.pop(row["root"] if row["direct"] else f"[{row['root']}]", None)
        check(found or row["objects"] == "0", f"not in the report: {row}")
        if found:
            check(found["retained"] == found["current_dynamic"] == row["retained"], f"{row}, but {found}")
            check(found["objects"] == row["objects"], f"{row}, but {found}")
    check(not report, f"only in the report: {report}")
    print(len(table), "roots")
    callers = {}
    for row in csv.DictReader(read("callers.file").splitlines()):
        sums = callers.setdefault(row["caller"], [0, 0, 0])
        for i, column in enumerate(("retained", "live", "bytes")):
            sums[i] += int(row[column])
    for row in csv.DictReader(read("report.caller").splitlines()):
        if row["caller"] != "[memory of the scan]":
            found = [int(row[name]) for name in ("retained", "objects", "current_dynamic")]
            check(callers.pop(row["caller"], None) == found, f"another row: {row}")
    check(not callers, f"call sites without a row: {callers}")


# The rows of single planted objects that nothing holds, without their ages.
def lost(name):
    sites = ("lost_pointer", "lost_error_path", "lost_cache", "lost_large")
    rows = csv.DictReader(read(name).splitlines())
    return {row["caller"]: (row["lost"], row["live"], row["bytes"]) for row in rows if row["caller"].startswith(sites)}


# A word that is left over can come and go, also for the time of one scan. So not all answers have to be the same.
def case_file():
    stable = same_answer = 0
    for kind in ALONE:
        before, after = read(f"held_{kind}.csv"), read(f"held_{kind}.after")
        stable += before == after
        same_answer += before == after and read(f"held_{kind}.file") == before
    print(f"{same_answer} of {stable} kinds that do not change")
    check(stable >= 3 and same_answer >= stable - 1, "other answers")
    # The file itself does not change: the host says what the guest said.
    hosts = [name for name in os.listdir(directory) if name.endswith(".host")]
    check(len(hosts) == 10, f"answers of the host: {hosts}")
    for name in hosts:
        check(read(name) == read(name.removesuffix(".host") + ".file"), f"{name}: another answer")
    before, after, found = lost("lost.before"), lost("lost.after"), lost("lost.file")
    same = [caller for caller in before if before[caller] == after.get(caller)]
    print(before, after, found)
    check(len(same) >= 2, "lost objects do not change")
    check(sum(found.get(caller) == before[caller] for caller in same) >= min(len(same), 2), "other lost objects")
    check(held("from.file") == {(1, "held_tagged"): PLANTED}, held("from.file"))
    table = {row["root"]: row["retained"] for row in csv.DictReader(read("retained.file").splitlines())}
    truth = dict(line.split(": ") for line in read("bytes").splitlines())
    exact = [name for name, size in truth.items() if table[f"variable {name} [kma_planted]"] == size]
    check(len(exact) >= len(truth) - 2, f"retained: {exact} of {truth}")
    check(rows("address.file")[0]["holder"].startswith("held_list+"), "an address")
    check(read("scan.mode").startswith("-rw------- "), read("scan.mode"))
    for plain in read("scan.plain").splitlines():
        if re.match("object|lost_object", plain):
            check(not re.search(r"\bff[0-9a-f]{14}\b", plain), f"an address: {plain}")
    contents = [line.split("\t")[5] for line in read("scan").splitlines() if line.startswith("lost_object")]
    check(contents and all(re.fullmatch("([0-9a-f]{16}){1,8}", text) for text in contents), "contents")
    text = read("scan.refused")
    print(text)
    check(re.search("truncated|no line end|ends in a line", text), "a file that is cut")
    check("the scan has no addresses; make it with --addresses" in text, "an address")
    check([line for line in text.splitlines() if line.isdigit()] == ["1", "1"], "statuses")


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
