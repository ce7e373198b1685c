#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What top showed in a guest, against /proc/kmem_account before and after the allocations.

	top.py GUEST CASE

CASE is a function below.  Exit status 1 with what was wrong.
"""
import csv
import os
import re
import sys

import pyte

guest, case = sys.argv[1:]


def account(name):
    """Live bytes of each caller, as the module wrote them."""
    with open(f"{guest}/{name}") as f:
        return {row[2]: int(row[0]) for line in f
                if (row := re.match(r" *(\d+) +\d+ +\d+ +(\d+/\d+) +(.*)$", line) and
                    re.match(r" *(\d+) +\d+ +\d+ +(\S+) +(.*)$", line).groups())}


def known(live):
    """The known module allocates by itself alone; all else in the guest may move."""
    return {caller: size for caller, size in live.items() if "[kma_known]" in caller}


def reads(name):
    """The reads of a CSV in order: time, {(caller, kind): row}."""
    got = []
    with open(f"{guest}/{name}") as f:
        for row in csv.DictReader(f):
            if not got or got[-1][0] != row["time"]:
                got.append((row["time"], {}))
            got[-1][1][row["caller"], row["kind"]] = row
    return got


def batch():
    """Live bytes and their change are the module's, site by site."""
    before, after = account("before"), account("after")
    last = reads("alloc.csv")[-1][1]
    want = {caller: (size, size - before.get(caller, 0)) for caller, size in known(after).items()}
    rows = [row for row in last.values() if "[kma_known]" in row["caller"] and int(row["live"])]
    got = {row["caller"]: (int(row["live"]), int(row["change"])) for row in rows}
    want = {caller: both for caller, both in want.items() if both[0]}
    assert len(want) > 10 and got == want and len(rows) == len(got), set(want.items()) ^ set(got.items())


def screen():
    """The rows that grew most come first after the key s, with their bytes."""
    with open(f"{guest}/screen", "rb") as f:
        text = f.read()
    shown = pyte.Screen(80, 24)
    pyte.ByteStream(shown).feed(text[text.index(b"\n") + 1:text.index(b"\nScript done")])
    rows = [row.rstrip() for row in shown.display]
    assert re.match(r"kmem-account top - \d\d:\d\d:\d\d, every 1\.0 s  \d", rows[0]), rows
    assert re.match(r"Live \S+ \S+ \([\d.]+% of \S+ \S+ slab\), \S+ \S+/s(, \d+ sites)?; read in \S+ \S+$", rows[1]), rows
    head = [i for i, row in enumerate(rows) if "CHANGE/s" in row][0]
    listed = rows[head + 1:-1]
    grown = {c: s - account("before").get(c, 0) for c, s in known(account("after")).items()}
    largest = min(grown, key=lambda c: (-grown[c], c))
    unit = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}
    change = [re.match(r" *\S+ \S+ +([+-]?)(\S+) (\S+) ", row).groups() for row in listed]
    change = [float(number) * unit[name] * (-1 if sign == "-" else 1) for sign, number, name in change]
    assert change == sorted(change, reverse=True) and change[0] > 0, listed
    # the rest of the guest may have grown as much
    first = [i for i, row in enumerate(listed) if "[kma_known]" in row][0]
    assert largest[:8] in listed[first] and listed[first].split()[2][0] == "+", (largest, rows)
    assert abs(change[first] / grown[largest] - 1) < 0.06, (grown[largest], listed[first])


def module():
    """The module went and came: a line said so, and the new account is a new baseline."""
    with open(f"{guest}/batch.err") as f:
        assert "/sys/kernel/debug/kmem_account/snapshot: cannot open: No such file or directory" in f.read()
    alloc, all_reads = reads("alloc.csv"), reads("batch.csv")
    assert len(all_reads) > len(alloc) + 1, (len(alloc), len(all_reads))
    # the new account's first sample is the baseline: no change is against the account of before
    # (an account that was read before anything was allocated has no rows, and so no read in the file)
    still = [rows for _, rows in all_reads[len(alloc):] if not any(int(row["change"]) for row in rows.values())]
    base = still[-1] if still else {}
    for key, row in all_reads[-1][1].items():
        was = int(base[key]["live"]) if key in base else 0
        assert int(row["change"]) == int(row["live"]) - was, (row, was)
    assert not [row for row in all_reads[-1][1].values() if "[kma_known]" in row["caller"] and
                int(row["live"])], "objects of before are in the new account"


def series(name):
    """{name: {labels: value}} of a text of metrics."""
    got = {}
    with open(f"{guest}/{name}") as f:
        for line in f:
            if match := re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)\n", line):
                labels = tuple(re.findall(r'(\w+)="([^"]*)"', match[2] or ""))
                got.setdefault(match[1], {})[labels] = float(match[3])
    return got


def known_series(metrics):
    """Live bytes of the known module's call sites, by symbol and offset."""
    return {dict(labels)["site"]: value for labels, value in metrics["kmem_account_site_live_bytes"].items()
            if dict(labels).get("module") == "kma_known" and value}


def is_whole(metrics):
    """The series of call sites add up to the account."""
    for name in ("live_bytes", "live_objects", "allocs_total", "frees_total"):
        total = metrics["kmem_account_" + name][()]
        assert sum(metrics["kmem_account_site_" + name].values()) == total > 0, name


def serve():
    """Served are the module's numbers; without it, that there are none; then those of the new account."""
    before, gone, after = (series("serve." + name) for name in ("before", "gone", "after"))
    want = {caller.split("/")[0]: float(size) for caller, size in known(account("after")).items() if size}
    assert len(want) > 10 and known_series(before) == want, set(known_series(before).items()) ^ set(want.items())
    is_whole(before)
    assert [m["kmem_account_up"][()] for m in (before, gone, after)] == [1, 0, 1]
    assert "kmem_account_live_bytes" not in gone and gone["kmem_account_read_failures_total"][()] > 0
    is_whole(after)
    assert not known_series(after), "objects of before are in the new account"
    assert after["kmem_account_allocs_total"][()] < before["kmem_account_allocs_total"][()]
    with open(f"{guest}/serve.err") as f:
        said = f.read()
    assert re.fullmatch(r"kmem-account: serve: listening on .*\nkmem-account: /sys/\S+/sites: cannot open: No such file or directory\n", said), said


def export():
    """Without the module a sentence, status 1 and no file."""
    for name in ("before", "after"):
        assert status("export." + name) == 0
        is_whole(series("export." + name))
    assert status("export.gone") == 1 and not os.path.exists(f"{guest}/export.gone")
    with open(f"{guest}/export.gone.err") as f:
        said = f.read()
    assert said.count("\n") == 1 and "/sites: cannot open: No such file" in said, said


def verdicts(name):
    with open(f"{guest}/{name}.csv") as f:
        return list(csv.DictReader(f))


def status(name):
    with open(f"{guest}/{name}.status") as f:
        return int(f.read())


def drops(before, after):
    """How often caches were dropped in between: of pages, and of slab objects, as the kernel counts."""
    counts = []
    for name in before, after:
        with open(f"{guest}/drops.{name}") as f:
            counts.append({key: int(value) for key, value in map(str.split, f)})
    return [counts[1][key] - counts[0][key] for key in ("drop_pagecache", "drop_slab")]


def leak():
    """100 objects of each run stay: the first row, with 96 bytes each, and the status of --fail-on."""
    assert drops("begin", "leak") == [0, 0]
    rows = verdicts("leak")
    print(rows[:3])
    assert status("leak") == 3 and rows[0]["verdict"] == "leak"
    assert rows[0]["caller"].startswith("group_task+") and rows[0]["leaked_of_allocs"] == "1.000000"
    assert 0.75 < float(rows[0]["growth_per_run"]) / (100 * 96) < 1.25
    assert [row["caller"] for row in rows if row["verdict"] == "leak"] == [rows[0]["caller"]]


def noleak():
    """The same module frees all: no call site of the kernel is a leak either. --probe drops caches
    before the first sample, and before each that follows 23 turns of the workload and 23 of an empty command."""
    rows = verdicts("noleak")
    print(drops("leak", "noleak"))
    assert drops("leak", "noleak") == [47, 47]
    print([row for row in rows if row["verdict"] == "leak"])
    with open(f"{guest}/noleak.err") as f:
        assert "46 times between 24 samples, in turns with an empty command; caches were dropped before each sample" in f.read()
    assert status("noleak") == 0
    assert not [row for row in rows if row["verdict"] == "leak"]


def bundle():
    """The bundle of a running kernel has all its files, and no address."""
    with open(f"{guest}/bundle") as f:
        text = f.read()
    with open(f"{guest}/bundle.err") as f:
        print(f.read())
    sections = re.findall(r"^== (\w+)$", text, re.M)
    print(sections)
    for name in ("sites", "caches", "stats", "bundle", "meminfo", "slabinfo", "zoneinfo", "modules", "end"):
        assert name in sections, name
    assert "error:" not in text and re.search(r"^MemTotal: +\d+ kB$", text, re.M)
    assert not re.search(r"ffff[0-9a-f]{12}", text)
    assert "group_task+0x" in text


def own():
    """Without an argument the program shows this machine's account; without a module it says so."""
    def lines(name):
        with open(f"{guest}/{name}") as f:
            return f.read().splitlines()

    print(*lines("own.err"), sep="\n")
    # the module of groups allocates by itself alone, and holds what its workload left
    want = {caller: size for caller, size in account("own.before").items() if "[kma_groups]" in caller and size}
    assert want and want == {caller: size for caller, size in account("own.after").items() if caller in want}, want
    got = [(row["caller"], int(row["current_dynamic"])) for row in csv.DictReader(lines("own.csv"))
           if row["caller"] in want]
    assert sorted(got) == sorted(want.items()), got
    total = int(re.match(r"MemTotal: +(\d+) kB", lines("own.meminfo")[0])[1]) * 1024
    rows = list(csv.DictReader(lines("own.where")))
    assert sum(int(row["bytes"]) for row in rows if row["owner"] != "MemTotal") == total, (total, rows)
    assert any("group_task+0x" in line for line in lines("own.svg"))
    assert any(line.startswith("kmem_account_") for line in lines("own.prom"))
    *said, code = lines("own.gone")
    assert code == "2" and "no file of the module can be read here (as root: modprobe kmem_account)" in said[0], said


globals()[case]()
