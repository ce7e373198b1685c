#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What an export says, by decoders of our own: pprof by its wire format, speedscope and folded
by their rules, metrics line by line.

    export.py pprof FILE KEY=VALUE...   print the profile as lines, or check what is given
    export.py agree FILE CSV            sums of the profile are those of `report --format csv`
    export.py functions FILE ACCOUNT    live bytes of each function, added up from the account
    export.py stacks FILE FOLDED        stacks and their live bytes are those of folded lines
    export.py lines FILE VMLINUX        chains are those of addr2line -i at each address
    export.py folded FILE SUM           lines, sorted, unique; the numbers add up to SUM
    export.py speedscope FILE SUM       the rules of its schema; the first profile's sum
    export.py metrics FILE              families in one piece, no line twice; sums agree
"""
import collections
import gzip
import json
import re
import subprocess
import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """Yield (number, value) of a message; value is an int or bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size, "a field ends behind its message"
        else:
            raise AssertionError("wire type %d" % kind)
        yield tag >> 3, value


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def message(data):
    ret = collections.defaultdict(list)
    for number, value in fields(data):
        ret[number].append(value)
    return ret


class Profile:
    def __init__(self, path):
        raw = open(path, "rb").read()
        assert raw[:2] == b"\x1f\x8b", "not gzip"
        assert raw[4:8] == b"\0\0\0\0", "gzip with a time"
        top = message(gzip.decompress(raw))
        self.strings = [s.decode("utf-8") for s in top[6]]
        assert self.strings[0] == "" and len(set(self.strings)) == len(self.strings)
        text = lambda m, n: self.strings[m[n][0]] if m[n] else ""
        number = lambda m, n: m[n][0] if m[n] else 0
        self.types = [(text(m, 1), text(m, 2)) for m in map(message, top[1])]
        self.functions = {}
        for m in map(message, top[5]):
            assert number(m, 1) not in self.functions
            assert text(m, 2) == text(m, 3)
            self.functions[number(m, 1)] = (text(m, 2), text(m, 4))
        assert len(set(self.functions.values())) == len(self.functions)
        self.mappings = {}
        for m in map(message, top[3]):
            self.mappings[number(m, 1)] = {
                "file": text(m, 5), "build_id": text(m, 6), "start": number(m, 2),
                "limit": number(m, 3), "flags": [number(m, n) for n in (7, 8, 9, 10)]}
        self.locations = {}
        for m in map(message, top[4]):
            lines = [(self.functions[number(l, 1)] + (number(l, 2),)) for l in map(message, m[4])]
            assert lines, "a location without a function"
            mapping = number(m, 2)
            assert not mapping or mapping in self.mappings
            self.locations[number(m, 1)] = (mapping, number(m, 3), lines)
            if number(m, 3):
                where = self.mappings[mapping]
                assert where["start"] <= number(m, 3) < where["limit"]
        self.samples = []
        for m in map(message, top[2]):
            values = packed(m[2][0])
            assert len(values) == len(self.types) and any(values)
            labels = {}
            for l in map(message, m[3]):
                labels[text(l, 1)] = (number(l, 3), text(l, 4)) if l[3] else text(l, 2)
            self.samples.append((packed(m[1][0]), values, labels))
        self.drop = text(top, 7)
        self.default = text(top, 14)
        self.comments = [self.strings[i] for i in packed(top[13][0])]
        self.time = number(top, 9)
        assert self.default in [name for name, _ in self.types]

    def sums(self):
        return {name: sum(s[1][i] for s in self.samples) for i, (name, _) in enumerate(self.types)}

    def value(self, sample, name):
        return sample[1][[n for n, _ in self.types].index(name)]


def check_pprof(path, *wants):
    p = Profile(path)
    got = {
        "types": ",".join("%s/%s" % t for t in p.types),
        "default": p.default, "drop": str(bool(p.drop)), "time": str(p.time),
        "mappings": ",".join("%s:%s" % (m["file"], m["build_id"]) for m in p.mappings.values()),
        "flags": ",".join("".join(map(str, m["flags"])) for m in p.mappings.values()),
        "comments": "|".join(p.comments),
        "kinds": ",".join(sorted({s[2]["kind"] for s in p.samples if "kind" in s[2]})),
        "modules": ",".join(sorted({s[2]["module"] for s in p.samples if "module" in s[2]})),
        "caches": ",".join(sorted({s[2]["cache"] for s in p.samples if "cache" in s[2]})),
        "sizes": str(sum("bytes" in s[2] for s in p.samples)),
        "addresses": str(sum(bool(l[1]) for l in p.locations.values())),
    }
    if not wants:
        for key, value in got.items():
            print("%s=%s" % (key, value))
    for want in wants:
        key, value = want.split("=", 1)
        if key == "has":
            assert value in got["comments"], got["comments"]
        else:
            assert got[key] == value, "%s: %s" % (key, got[key])


# by the name of the type the column of a report
COLUMNS = {"alloc_objects": "allocs", "inuse_objects": "objects", "inuse_space": "current_dynamic",
           "slack_space": "waste", "alloc_space": "allocated", "delay": "latency",
           "contentions": "waits"}


def check_agree(path, table):
    import csv
    rows = list(csv.DictReader(open(table)))
    p = Profile(path)
    sums = p.sums()
    compared = 0
    for name, value in sums.items():
        column = COLUMNS[name]
        if column in rows[0]:
            assert value == sum(int(r[column]) for r in rows), (name, value)
            compared += 1
    assert compared, list(rows[0])
    nonzero = [r for r in rows if any(int(r[COLUMNS[n]]) for n in sums if COLUMNS[n] in r)]
    assert len(p.samples) >= len(nonzero), (len(p.samples), len(nonzero))


def check_functions(path, account):
    want = collections.Counter()
    for line in open(account, encoding="utf-8").read().split("caller\n", 1)[1].splitlines():
        cells = line.split(None, 4)
        want[re.sub(r"\+0x[0-9a-f]+(/0x[0-9a-f]+)?( \[\w+\])?$", "", cells[4])] += int(cells[0])
    got = collections.Counter()
    p = Profile(path)
    for s in p.samples:
        got[p.locations[s[0][0]][2][-1][0]] += p.value(s, "inuse_space")
    assert +want == +got, (want - got, got - want)


def check_stacks(path, folded):
    p = Profile(path)
    got = collections.Counter()
    for s in p.samples:
        names = [line[0] for i in reversed(s[0]) for line in reversed(p.locations[i][2])]
        got[";".join(names)] += p.value(s, "inuse_space")
    want = collections.Counter()
    for line in open(folded, encoding="utf-8").read().splitlines():
        want[line.rsplit(" ", 1)[0]] += int(line.rsplit(" ", 1)[1])
    assert +got == want, (got - want, want - got)
    assert max(len(s[0]) for s in p.samples) > 2


def addr2line(vmlinux, addresses):
    out = subprocess.run(["addr2line", "-i", "-f", "-a", "-e", vmlinux] + ["%#x" % a for a in addresses],
                         check=True, capture_output=True, text=True).stdout.splitlines()
    ret, at = {}, None
    for line in out:
        if line.startswith("0x"):
            at = ret.setdefault(int(line, 16), [])
            name = None
        elif name is None:
            name = line
        else:
            place = line.split(" (discriminator")[0].rsplit(":", 1)
            at.append((name, place[0].rsplit("/", 1)[-1], int(place[1]) if place[1].isdigit() else 0))
            name = None
    return ret


def check_lines(path, vmlinux):
    p = Profile(path)
    known = {a: lines for _, a, lines in p.locations.values() if a}
    assert len(known) == len(p.locations) > 3, len(known)
    want = addr2line(vmlinux, known)
    for addr, lines in known.items():
        got = [(name, file.rsplit("/", 1)[-1], line) for name, file, line in lines]
        assert got == want[addr], "%#x: %s, not %s" % (addr, got, want[addr])
    assert any(len(lines) > 1 for lines in known.values()), "nothing was inlined"


def check_folded(path, *sums):
    lines = open(path, encoding="utf-8").read().splitlines()
    names = []
    got = [0] * len(sums)
    for line in lines:
        match = re.fullmatch("([^;]+(?:;[^;]+)*?)" + r" (\d+)" * len(sums), line)
        assert match, line
        names.append(match[1])
        for i in range(len(sums)):
            got[i] += int(match[2 + i])
    assert len(set(names)) == len(names) and names == sorted(names)
    assert got == [int(s) for s in sums], got


def check_speedscope(path, total):
    data = json.load(open(path, encoding="utf-8"))
    assert data["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = data["shared"]["frames"]
    assert len({tuple(sorted(f.items())) for f in frames}) == len(frames)
    for f in frames:
        assert set(f) <= {"name", "file", "line"} and f["name"]
    for profile in data["profiles"]:
        assert set(profile) == {"type", "name", "unit", "startValue", "endValue", "samples", "weights"}
        assert profile["type"] == "sampled" and profile["unit"] in ("bytes", "none", "nanoseconds")
        assert len(profile["samples"]) == len(profile["weights"])
        assert sum(profile["weights"]) == profile["endValue"] and not profile["startValue"]
        assert all(0 <= i < len(frames) for s in profile["samples"] for i in s) and all(profile["samples"])
    assert data["profiles"][0]["endValue"] == int(total), data["profiles"][0]["endValue"]


LABELS = re.compile(r'([a-z_]+)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)')


def read_metrics(path):
    """Families with their types and samples; every rule that both formats share is checked."""
    text = open(path, encoding="utf-8").read()
    assert text.endswith("\n")
    openmetrics = text.endswith("# EOF\n")
    families, types, current = {}, {}, None
    for line in text.splitlines():
        if line.startswith("#kmem_account ") or line == "# EOF":
            continue
        if line.startswith("# "):
            word, name = line.split(" ", 3)[1:3]
            if word == "HELP":
                assert name not in families, "family %s twice" % name
                current, families[name] = name, {}
            elif word == "TYPE":
                assert name == current and not families[name]
                types[name] = line.split(" ", 3)[3]
            elif word == "UNIT":
                assert openmetrics and name.endswith("_" + line.split(" ", 3)[3])
            continue
        match = re.fullmatch(r"([a-z_]+)(?:\{(.*)\})? (-?[0-9.e+-]+)", line)
        assert match, line
        name, labels, value = match.groups()
        suffix = name[len(current):]
        assert name.startswith(current)
        if openmetrics:
            assert suffix in {"counter": ("_total", "_created"), "info": ("_info",),
                              "gauge": ("",)}[types[current]], line
        else:
            assert not suffix and (types[current] != "counter" or name.endswith("_total"))
        pairs = LABELS.findall(labels or "")
        assert ",".join('%s="%s"' % p for p in pairs) == (labels or ""), line
        key = (suffix, tuple(sorted(pairs)))
        assert key not in families[current], "twice: " + line
        families[current][key] = float(value)
    return families, types


def check_metrics(path):
    families, _ = read_metrics(path)
    scopes = ("directory_", "module_", "site_")
    compared = 0
    for name, samples in families.items():
        if any(name.startswith("kmem_account_" + s) for s in scopes):
            continue
        for scope in scopes:
            parts = families.get(name.replace("kmem_account_", "kmem_account_" + scope, 1))
            if parts:
                total = sum(v for k, v in samples.items() if k[0] != "_created")
                assert total == sum(v for k, v in parts.items() if k[0] != "_created"), (name, scope)
                compared += 1
    assert compared >= 2, compared


def group_sums(path, by):
    """Bytes of each group, by the tables of a snapshot."""
    names = {-1: "[irq]", -2: "[kthread]", -3: "[before]", -4: "[gone]", -5: "[other]"}
    sums, table = {}, None
    for line in open(path, encoding="utf-8"):
        cells = line.rstrip("\n").split("\t")
        if cells[0] in ("# site", "# id") or line.startswith(("kmem_account ", "==")):
            table = cells
        elif table[:2] == ["# id", "path"]:
            names[int(cells[0])] = cells[1]
        elif table[:2] == ["# site", by]:
            sums[int(cells[1])] = sums.get(int(cells[1]), 0) + int(cells[4])
    assert sums
    return sums, names


def check_groups(snapshot, by, prom, pprof, folded):
    sums, names = group_sums(snapshot, by)
    families, _ = read_metrics(prom)
    got = {dict(k[1])[by]: v for k, v in families["kmem_account_%s_live_bytes" % by].items()}
    whole = families["kmem_account_live_bytes"][("", ())]
    # objects of sites without a row, and groups whose names this script does not know
    assert sum(got.values()) == whole == sum(sums.values()), (whole, got, sums)
    known = {("node %d" % n if by == "node" and n >= 0 else names.get(n)): v for n, v in sums.items()}
    known.pop(None, None)
    assert len(known) > 1
    for name, value in known.items():
        assert got[name] == value, (name, value, got)
    p = Profile(pprof)
    labels = {}
    for sample in p.samples:
        labels[sample[2][by]] = labels.get(sample[2][by], 0) + p.value(sample, "inuse_space")
    roots = {}
    for line in open(folded, encoding="utf-8"):
        stack, value = line.rsplit(" ", 1)
        assert ";" in stack, line
        root = stack.split(";")[0]
        roots[root] = roots.get(root, 0) + int(value)
    some = {k: v for k, v in got.items() if v}
    assert {k: v for k, v in labels.items() if v} == some, labels
    assert {k: v for k, v in roots.items() if v} == some, roots


if __name__ == "__main__":
    globals()["check_" + sys.argv[1]](*sys.argv[2:])
