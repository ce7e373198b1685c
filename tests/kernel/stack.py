#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare estimates of `report --by stack` with shares that are known.

	stack.py alloc|odd SITES REPORT.csv SAID	SITES is the module's file, SAID what went to stderr

path_site() of kma_paths has 40,000 objects from before the switch and 40,000 more, of which the
callers have known shares; at "odd" those of path_odd() are freed.  KTAP on stdout.
"""
import csv
import re
import sys

SHARES = {"path_rare": 2500, "path_odd": 20000, "path_even": 17500}
SLOT = 256
LIMIT = 5  # standard errors: by chance one run in a million

name, sites, report, said = sys.argv[1:]
live = {caller: 0 if name == "odd" and caller == "path_odd" else objects
        for caller, objects in SHARES.items()}
results = []


def check(what, *wrong):
    for line in wrong:
        print("#", line)
    print(("not " if wrong else "") + f"ok {len(results) + 1} samples, {name}: {what}")
    results.append(not wrong)


def function(frame):
    return re.match(r"\[?\w*\]?", frame).group()


with open(sites, newline="") as f:
    lines = f.read().splitlines()
head = lines[1][2:].split("\t")
raw = [dict(zip(head, line.split("\t"))) for line in lines[2:]]
mine = [row for row in raw if row["caller"].startswith("path_site+")]
with open(report, newline="") as f:
    rows = list(csv.DictReader(f))

print("KTAP version 1")
got, samples = {}, {}
for row in rows:
    frames = row["stack"].split(";")
    if function(frames[0]) != "path_site":
        continue
    who = function(frames[1])
    figures = {key: int(row[key]) for key in
               ("current_dynamic", "allocs", "frees", "objects", "samples", "live_error")}
    got[who] = {key: got.get(who, {}).get(key, 0) + figures[key] for key in figures}
for row in mine:
    frames = row["stack"].split(";")
    who = function(frames[1] if len(frames) > 1 else frames[0])
    samples[who] = samples.get(who, 0) + int(row["allocs"]) - int(row["frees"])

for who, figures in sorted(got.items()):
    print("#", who, figures)
before = 40000 - (0 if name == "alloc" else SHARES["path_odd"])
check("the stacks add up to the call site",
      *(f"{key}: {value}, expected {want}" for key, value, want in (
          ("bytes", sum(g["current_dynamic"] for g in got.values()), SLOT * (before + sum(live.values()))),
          ("allocs", sum(g["allocs"] for g in got.values()), 80000)) if value != want))
check("what is from before the switch is apart, and exact",
      *(["no row [before]"] if "[before]" not in got else
        [str(got["[before]"])] if (got["[before]"]["objects"], got["[before]"]["live_error"]) != (before, 0) else []))
check(f"each estimate is within {LIMIT} standard errors",
      *(f"{who}: {got.get(who)}, expected {SLOT * want}" for who, want in live.items()
        if abs(got.get(who, {"current_dynamic": 0})["current_dynamic"] - SLOT * want) >
        LIMIT * got.get(who, {"live_error": 0})["live_error"]))
# sqrt(p (1 - p) / n) of the sums, by hand; ours adds 5 % and samples, and subtracts what was seen
n = max(sum(samples.get(who, 0) for who in SHARES), 1)
whole = SLOT * sum(live.values())
errors = {who: whole * (want / sum(live.values()) * (1 - want / sum(live.values())) / n) ** .5
          for who, want in live.items() if want}
check("the standard error is that of a share",
      *(f"{who}: {got.get(who)}, expected about {error:.0f}" for who, error in errors.items()
        if who not in got or not .8 * error < got[who]["live_error"] < 1.3 * error))
check("as many samples as the module has taken",
      *(f"{who}: {got[who]['samples']}, expected {samples.get(who)}" for who in SHARES
        if who in got and got[who]["samples"] != samples.get(who)))
check("and the report says that they are estimates",
      *([] if "estimates" in open(said).read() else [open(said).read()]))
print(f"1..{len(results)}")
sys.exit(not all(results))
