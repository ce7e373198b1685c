#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Any keys and any rules, against a grouping of the same rows by Python's standard library.

	keys.py PROGRAM CASES [SEED]	random lists of keys and rules
	keys.py PROGRAM pairs		each pair of keys in each command that shows accounts

Makes random accounts in the forms of debugfs' snapshot, debugfs' sites with stacks, and
/proc/allocinfo, and for each case a random list of keys and random rules of --only and --not. The
texts of the keys are stated here by what the rows were made of, not by what the program prints.
"""
import collections
import csv
import fnmatch
import io
import itertools
import random
import subprocess
import sys
import tempfile

import export

program, cases = sys.argv[1], sys.argv[2]
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 44
random.seed(seed)


def numbers():
    live = random.choice([0, 0, 8, 96, 4096, 10**6]) * random.randrange(9)
    return {"live": live, "allocs": random.randrange(1000) + 1}


def size(row):
    """The mean size of its objects, rounded up to a power of two."""
    if not row["live"]:
        return "[no size]"
    power = (-(-row["live"] // row["allocs"]) - 1).bit_length()
    return "%d%s" % (1 << power % 10, ["", "k", "M"][power // 10])


def site(number):
    """A row of debugfs' sites, by the values of its keys. No two have the same caller."""
    module = random.choice([None, None, "ext4", "xfs", "nf_tables"])
    function = random.choice(["alloc_a", "alloc_b", "b.part.0", "dup", "x"]) + str(random.randrange(6))
    offset = "+0x%x/0x100" % number
    return {"caller": function + offset + (" [%s]" % module if module else ""),
            "function": function, "module": module or "vmlinux",
            "kind": random.choice(["kmalloc", "cache"]),
            "cache": random.choice(["kmalloc-64", "kmalloc-1k", "dentry", "inode_cache"])}


def write_sites(rows, out):
    out.write("kmem_account sites 1\n# id\taddress\ttotal\tslack\treq\tallocs\tfrees\tunknown\tfailed\t"
              "all_total\tall_req\tfile\toffset\tbuild_id\tcaller\tkind\tcache\tpeak\tpeak_max\tstack\n")
    for row in rows:
        out.write("\t".join(map(str, [
            row["id"], "0xffffffff81000000", row["live"], 0, row["live"], row["allocs"], 0, 0, 0,
            row["live"], row["live"], "-", "-", "-", row["caller"], row["kind"], row["cache"], 0, 0,
            row.get("stack", "-")])) + "\n")


def sites_with_stacks(path):
    rows = []
    for n in range(random.randrange(1, 60)):
        row = dict(site(n), id=n, **numbers())
        frames = ["f%d+0x1/0x2" % random.randrange(4) for _ in range(random.randrange(1, 4))]
        row["stack"] = ";".join([row["caller"], *frames])
        row["size"] = size(row)
        rows.append(row)
    with open(path, "w", encoding="utf-8") as out:
        write_sites(rows, out)
    return rows


def snapshot(path):
    """Call sites, and the numbers of each in some cgroups, which add up to those of the site."""
    paths = {0: "/", 5: "/a", 6: "/a/b", 7: "/ab", 8: "/docker/x y", 9: "/a,b"}
    sites, rows, parts = [], [], []
    for n in range(random.randrange(1, 40)):
        one = dict(site(n), id=n, live=0, allocs=0)
        for group in random.sample(sorted(paths), random.randrange(1, 4)):
            part = dict(one, cgroup=paths[group], **numbers())
            one["live"] += part["live"]
            one["allocs"] += part["allocs"]
            rows.append(part)
            parts.append((n, group, part["allocs"], 0, part["live"], part["live"]))
        sites.append(one)
        for part in rows[len(rows) - len([part for part in parts if part[0] == n]):]:
            part["size"] = size(one)
    with open(path, "w", encoding="utf-8") as out:
        out.write("kmem_account snapshot 1\nboot_id: 1fd5fec8-18c3-4504-9d5f-4ef83eda37e6\n"
                  "boottime_ns: 25475154190\ntime_ns: 1795591351982298400\nloaded_ns: 3570908040\n"
                  "generation: 1\nrelease: 6.1.0\nmachine: x86_64\nversion: 0.1\n== sites\n")
        write_sites(sites, out)
        out.write("== cgroups\nkmem_account cgroups 1\n# site\tcgroup\tallocs\tfrees\tbytes\trequested\n")
        for part in parts:
            out.write("\t".join(map(str, part)) + "\n")
        out.write("# id\tpath\n" + "".join("%d\t%s\n" % item for item in paths.items()) + "== end\n")
    return rows


def allocinfo(path):
    rows = []
    for _ in range(random.randrange(1, 60)):
        folder = random.choice(["fs", "fs/ext4", "mm", "drivers/net/ab"])
        line = "%s/%s.c:%d" % (folder, random.choice("abc"), random.randrange(1, 30))
        module = random.choice([None, "ext4", "xfs"])
        function = random.choice(["foo", "bar", "baz"])
        file = line.rpartition(":")[0]
        if line in [row["line"] for row in rows]:
            continue
        rows.append({"file": file, "dir": folder, "line": line, "module": module or "vmlinux",
                     "function": "%s (%s)" % (function, file), "name": function, "kind": "[no kind]",
                     "caller": "%s %s%s" % (line, function, " [%s]" % module if module else ""),
                     "live": numbers()["live"], "allocs": 1})
        rows[-1]["size"] = size(rows[-1])
    with open(path, "w", encoding="utf-8") as out:
        out.write("allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n")
        for row in rows:
            module = row["caller"].partition("[")[2][:-1]
            out.write("%12d %8d %s %sfunc:%s \n" % (row["live"], 1, row["line"], "[%s] " % module if module else "",
                                                    row["name"]))
    return rows


FORMS = [
    (snapshot, ["caller", "function", "module", "kind", "size", "cache", "cgroup"]),
    (sites_with_stacks, ["caller", "function", "module", "kind", "size", "cache", "stack"]),
    (allocinfo, ["caller", "function", "module", "kind", "size", "file", "dir", "line"]),
]


def glob(text):
    """A pattern that may match the text. For the program brackets are no special characters."""
    cut = random.randrange(len(text) + 1)
    return random.choice([text, text[:cut] + "*", "*" + text[cut:], "*"]) or "*"


def rule(rows, keys):
    """A rule, as typed, and what it selects."""
    if random.randrange(4) == 0:
        number = random.choice(rows)["live"]
        if random.randrange(2):
            return "live>%d" % number, lambda row: row["live"] > number
        return "live<%d" % number, lambda row: row["live"] < number
    key = random.choice([key for key in keys if key != "stack"])
    globs = [glob(random.choice(rows)[key]) for _ in range(random.randrange(1, 3))]
    typed = ",".join('"%s"' % one if "," in one else one for one in globs)

    def matches(row):
        texts = [row[key]]
        if key == "function":
            texts.append(row[key].partition(" (")[0])
        if key == "caller" and "+" in row[key]:
            texts.append(row[key].partition("+")[0])
            texts.append(row[key].partition("+")[0] + "".join(row[key].partition(" [")[1:]))
        if key in ("dir", "cgroup"):
            # a directory and a cgroup stand for all below them
            texts += [row[key][:i] for i, c in enumerate(row[key]) if c == "/"]
        return any(fnmatch.fnmatchcase(text, one.replace("[", "[[]")) for text in texts for one in globs)

    return "%s=%s" % (key, typed), matches


class Csv:
    """Rows of report or leaks: a column for each key, and one of live bytes."""
    def __init__(self, live):
        self.live = live

    def key(self, row, by):
        return tuple(row[key] for key in by)

    def sums(self, text, by):
        got = collections.Counter()
        for row in csv.DictReader(io.StringIO(text.decode())):
            key = self.key(row, by)
            assert key not in got, key
            got[key] += int(row[self.live])
        return got


class Folded:
    """Lines of folded stacks: frames for each key, then the function."""
    def key(row, by):
        frames = []
        # what is no place in the code has directories below it
        last = [] if {"file", "dir", "line", "function", "stack"} & set(by) else ["dir"]
        for key in [*by, *last]:
            if key == "dir":
                frames += row.get("dir", "").split("/") if "dir" in row else []
                if "file" in row and key == [*by, *last][-1]:
                    frames.append(row["file"].rpartition("/")[2])
            elif key == "stack":
                frames += [frame.partition("+")[0] for frame in reversed(row["stack"].split(";")[1:])]
            elif key != "caller":
                frames.append(row[key])
        return ";".join([*frames, row.get("name", row["function"])])

    def sums(text, by):
        lines = [line.rpartition(" ") for line in text.decode().splitlines()]
        assert len({line[0] for line in lines}) == len(lines), by
        return collections.Counter({line[0]: int(line[2]) for line in lines})


class Pprof:
    """Labels of the samples of a profile; caller and stack are locations."""
    def key(row, by):
        return tuple(row[key] for key in by if key not in ("caller", "stack"))

    def sums(text, by):
        with tempfile.NamedTemporaryFile() as file:
            file.write(text)
            file.flush()
            profile = export.Profile(file.name)
        got = collections.Counter()
        for sample in profile.samples:
            got[Pprof.key(sample[2], by)] += profile.value(sample, "inuse_space")
        return got


COMMANDS = [
    ("report", lambda path: ("report", path, "-a", "live", "--columns", "live", "--format", "csv"),
     Csv("current_dynamic")),
    ("folded", lambda path: ("export", "folded", path), Folded),
    ("leaks", lambda path: ("leaks", path, path, path, "--interval", "60", "--format", "csv"), Csv("live")),
    ("pprof", lambda path: ("export", "pprof", path), Pprof),
]


def case(path, rows, keys):
    by = random.sample(keys, random.randrange(1, 4))
    rules = [(random.choice(["--only", "--not"]), *rule(rows, keys)) for _ in range(random.choice([0, 1, 1, 2]))]
    command, words, read = random.choice(COMMANDS)
    if command == "leaks" and any(typed.startswith("live") for _, typed, _ in rules):
        command, words, read = COMMANDS[0]	# numbers change over time
    args = [program, *words(path), "--by", ",".join(by)]
    for option, typed, _ in rules:
        args += [option, typed]
    if "cgroup" in by or any(typed.startswith("cgroup=") for _, typed, _ in rules) or "stack" in by:
        table = rows
    else:
        # without a key of a table the rows are call sites
        table = {}
        for n, row in enumerate(rows):
            one = table.setdefault(row.get("id", n), dict(row, live=0))
            one["live"] += row["live"]
        table = table.values()
    def passes(row):
        return all(matches(row) == (option == "--only") for option, _, matches in rules)

    if "cgroup" in by and not any(typed.startswith("cgroup=") for _, typed, _ in rules):
        # call sites are selected before they are divided
        sums = {}
        for row in rows:
            one = sums.setdefault(row["id"], dict(row, live=0))
            one["live"] += row["live"]
        chosen = [row for row in rows if passes(sums[row["id"]])]
    else:
        chosen = [row for row in table if passes(row)]
    want = collections.Counter()
    for row in chosen:
        want[read.key(row, by)] += row["live"]
    done = subprocess.run(args, capture_output=True, check=False)
    if not want:
        assert done.returncode == 1 and b"is selected by" in done.stderr, (args, done)
        return
    assert done.returncode == 0, (args, done)
    got = read.sums(done.stdout, by)
    if command in ("report", "leaks"):
        assert got == want, (args, sorted((got - want).items()), sorted((want - got).items()))
    # an export leaves out zeros
    assert +got == +want, (args, sorted((got - want).items()), sorted((want - got).items()))


def run(*args):
    done = subprocess.run([program, *args], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (args, done)
    return done.stdout


def pairs(folder):
    """Each command takes each pair in both orders, and the numbers add up to the account."""
    commands = 0
    for write, keys in FORMS:
        rows = write(folder + "/in")
        for by in (",".join(pair) for pair in itertools.permutations(keys, 2)):
            read = csv.DictReader(io.StringIO(run("report", folder + "/in", "--by", by, "--format", "csv")))
            assert sum(int(row["current_dynamic"]) for row in read) == sum(row["live"] for row in rows), by
            read = csv.DictReader(io.StringIO(run("diff", folder + "/in", folder + "/in", "--by", by,
                                                  "--floor", "0", "--format", "csv")))
            assert sum(int(row["after"]) for row in read) == sum(row["live"] for row in rows), by
            for chart in "rings", "icicle":
                run(chart, folder + "/in", "--by", by, "-a", "objects" if "file" in rows[0] else "allocs",
                    "-r", folder + "/out.svg", "-r", folder + "/out.html")
            commands += 4
            if "stack" not in by:
                read = csv.DictReader(io.StringIO(run("top", "-b", "-n", "1", folder + "/in", "--by", by,
                                                      "--format", "csv")))
                got = collections.Counter()
                for row in read:
                    got[tuple(row[key] for key in by.split(","))] += int(row["live"])
                want = collections.Counter()
                for row in rows:
                    want[tuple(row[key] for key in by.split(","))] += row["live"]
                assert +got == +want, (by, got - want, want - got)
                commands += 1
    print("%d commands" % commands)


with tempfile.TemporaryDirectory() as folder:
    if cases == "pairs":
        pairs(folder)
        sys.exit()
    for n in range(int(cases)):
        if n % 20 == 0:
            made = [(folder + "/%d" % i, form[0](folder + "/%d" % i), form[1]) for i, form in enumerate(FORMS)]
        case(*made[n % len(made)])
print("%s cases, seed %d" % (cases, seed))
