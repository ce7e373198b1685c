#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Does --by subsystem give each file to the subsystem that MAINTAINERS names? Files become
# the rows of a /proc/allocinfo, each with other bytes; the sums by subsystem have to be
# those of this script, which makes the regular expressions that get_maintainer.pl makes.
# And is this script right? For SAMPLE files the set of subsystems that it finds is held
# against what get_maintainer.pl --sections prints.
#
#	maintainers.py PROGRAM MAINTAINERS FILES COUNT SEED [GET_MAINTAINER SAMPLE]
#
# FILES has a path on each line, of which COUNT are taken at random.
import csv
import io
import os
import random
import re
import subprocess
import sys
import tempfile


def read_entries(path):
    """(heading, [(letter, value, regular expression)])"""
    entries, heading, patterns = [], None, None
    with open(path, encoding="utf-8") as f:
        for line in f:
            line = line.rstrip()
            found = re.match(r"([A-Z]):\s*(.*)", line)
            if not found:
                if line and not line.startswith("#"):
                    heading, patterns = line, None
                continue
            if patterns is None:
                patterns = []
                entries.append((heading, patterns))
            letter, value = found.groups()
            if letter in "FX":
                perl = value.replace(".", r"\.").replace("*", ".*").replace("?", ".")
                patterns.append((letter, value, re.compile(perl)))
            elif letter == "N":
                patterns.append((letter, value, re.compile(value)))
    return entries


def matches(pattern, path):
    letter, value, regex = pattern
    if letter == "N":
        return bool(regex.search(path))
    if not regex.match(path):
        return False
    # get_maintainer.pl asks the file system what a directory is; here the path tells.
    if "." not in value and "*" not in value and path.startswith(value.rstrip("/") + "/"):
        return True
    return value.endswith("/") or value.count("/") == path.count("/")


def depth(pattern, path):
    letter, value, _ = pattern
    if letter == "N":
        return 0
    if value.startswith("*"):
        return -1
    return value.count("/") + (not value.endswith("/"))


def owners(entries, path):
    """(rank, heading) of each entry that has the path"""
    found = []
    for number, (heading, patterns) in enumerate(entries):
        if any(p[0] == "X" and matches(p, path) for p in patterns):
            continue
        ranks = [(depth(p, path), sum(c not in "*?" for c in p[1])) for p in patterns
                 if p[0] != "X" and matches(p, path)]
        if ranks:
            found.append((max(ranks) + (-number,), heading, {p[1] for p in patterns
                                                              if p[0] != "X" and matches(p, path)}))
    return found


def owner(entries, path):
    best = [(rank, heading) for rank, heading, values in owners(entries, path)
            if values - {"*", "*/"}]
    return max(best)[1] if best else "[no maintainer]"


def report(program, maintainers, files):
    with tempfile.NamedTemporaryFile("w", suffix=".allocinfo") as f:
        f.write("allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n")
        for i, path in enumerate(files):
            f.write("%12d %8d %s:%d func:f%d \n" % (16 * i + 8, 1, path, i + 1, i))
        f.flush()
        out = subprocess.run([program, "report", f.name, "--by", "subsystem", "--maintainers",
                              maintainers, "--format", "csv"], capture_output=True, text=True,
                             check=True)
    return {row[0]: int(row[1]) for row in list(csv.reader(io.StringIO(out.stdout)))[1:]}


def sections(script, maintainers, path):
    with tempfile.TemporaryDirectory() as top:
        os.makedirs(os.path.join(top, os.path.dirname(path)))
        open(os.path.join(top, path), "w", encoding="ascii").close()
        out = subprocess.run(["perl", script, "--no-tree", "--no-git", "--no-git-fallback",
                              "--mpath", os.path.abspath(maintainers), "--sections", "-f", path],
                             capture_output=True, text=True, check=True, cwd=top)
    return {block.split("\n")[0] for block in out.stdout.split("\n\n") if block.strip()}


def main():
    program, maintainers, files, count, seed = sys.argv[1:6]
    entries = read_entries(maintainers)
    with open(files, encoding="utf-8") as f:
        paths = sorted({line.strip() for line in f})
    rng = random.Random(int(seed))
    paths = rng.sample(paths, min(int(count), len(paths)))
    expected = {}
    for i, path in enumerate(paths):
        name = owner(entries, path)
        expected[name] = expected.get(name, 0) + 16 * i + 8
    actual = report(program, maintainers, paths)
    wrong = [k for k in expected.keys() | actual.keys() if expected.get(k) != actual.get(k)]
    for key in wrong[:10]:
        print("# %s has %s, expected %s" % (key, actual.get(key), expected.get(key)))
    print("# %d files, %d subsystems, %d differ" % (len(paths), len(expected), len(wrong)))
    ok = not wrong and len(expected) > 1
    if len(sys.argv) > 7:
        sample = rng.sample(paths, int(sys.argv[7]))
        differ = 0
        for path in sample:
            theirs = sections(sys.argv[6], maintainers, path)
            ours = {heading for _, heading, _ in owners(entries, path)}
            if theirs != ours:
                differ += 1
                print("# %s: get_maintainer.pl %s, here %s" % (path, sorted(theirs - ours),
                                                               sorted(ours - theirs)))
        print("# %d files by get_maintainer.pl, %d differ" % (len(sample), differ))
        ok &= not differ
    sys.exit(0 if ok else 1)


main()
