#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Made machines for doctor.sh, and what doctor has to say of them.

	doctor.py make DIR	the directories leak, healthy, without, early, root, and rules
	doctor.py check NAME	NAME.json and NAME.txt of the machine NAME
	doctor.py now JSON	of the machine that the test runs on
	doctor.py known RULES		the form of the rules that are shipped
	doctor.py named RULES TREE...	functions and slab caches of their patterns are in trees of kernels
"""
import fnmatch
import importlib
import json
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
scans = importlib.import_module("leaks-scan")

MEMINFO = """MemTotal: 8000000 kB
MemFree: 1000000 kB
MemAvailable: 3000000 kB
Buffers: 50000 kB
Cached: 2500000 kB
Shmem: 300000 kB
AnonPages: 1500000 kB
KReclaimable: 500000 kB
Slab: 1700000 kB
SReclaimable: 480000 kB
SUnreclaim: 1220000 kB
KernelStack: 16000 kB
PageTables: 40000 kB
VmallocUsed: 90000 kB
Percpu: 12000 kB
SecPageTables: 640 kB
Balloon: 100000 kB
HugePages_Total: 0
Hugetlb: 204800 kB
DirectMap4k: 123456 kB
"""
# What the rows are made of: an independent reading of Documentation/filesystems/proc.rst
ROWS = {
    "anonymous": ("AnonPages",), "page cache": ("Cached", "Shmem"), "shared memory, tmpfs": ("Shmem",),
    "block devices": ("Buffers",), "hugetlbfs": ("Hugetlb",), "page tables": ("PageTables",),
    "stacks of tasks": ("KernelStack",), "vmalloc": ("VmallocUsed", "KernelStack"),
    "page tables of guests, IOMMU": ("SecPageTables",), "reclaimable, not slab": ("KReclaimable", "SReclaimable"), "slab, reclaimable": ("SReclaimable",),
    "slab, unreclaimable": ("SUnreclaim",), "per-CPU": ("Percpu",), "free": ("MemFree",),
}
CACHES = {"kmalloc-64": 64, "dentry": 192, "ext4_inode_cache": 1184}
CGROUPS = {"": 9000, "a": 6000, "a/b": 4000, "c": 1000}  # KiB of slab


def slabinfo(path, active):
    with open(path, "w") as out:
        out.write("slabinfo - version: 2.1\n# name <active_objs>\n")
        for name, size in CACHES.items():
            out.write("%s %d %d %d 21 1 : tunables 0 0 0 : slabdata %d %d 0\n" % (
                name, active[name], active[name] + 21, size, active[name] // 21 + 1, active[name] // 21 + 1))


def text(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as out:
        out.write(content)


def older_scan(path):
    """Without the module: objects are known by their caches. A few are lost since boot."""
    lines = ["kmem_account scan 1", "kernel\trelease\t6.1.0-made", "note\tthe module is not loaded",
             "site\t0\t[before: kmalloc-64]", "site\t1\t[before: dentry]", "root\t0\tvariable dentry_hashtable"]
    lines += ["object\t0\t64\t-\t-\t-"] * 500 + ["object\t1\t192\t-\t0\t8"] * 900
    lines += ["live\t1400\t1400\t204800", "lost\t500\t510\t32000\t-\t500\t[before: kmalloc-64]",
              "lost\t8\t900\t1536\t-\t8\t[before: dentry]"]
    lines.append("end\t%d" % len(lines))
    text(path, "\n".join(lines) + "\n")


def accounts(folder):
    """The snapshots of leaks-scan.py, and its scan."""
    os.makedirs(folder + "/account")
    scans.snapshots(folder + "/account")
    scans.scan(folder + "/scan")


def healthy(folder):
    """Nothing leaks, and nothing is lost."""
    sites, lost = scans.SITES, scans.LOST
    scans.SITES = {name: row for name, row in sites.items() if name not in ("leaky", "listed")}
    scans.LOST = {}
    accounts(folder)
    scans.SITES, scans.LOST = sites, lost


def make(folder):
    os.chdir(folder)
    accounts("leak")
    healthy("healthy")
    for name in ("leak", "healthy"):
        text(name + "/meminfo", MEMINFO)
        slabinfo(name + "/slabinfo", {"kmalloc-64": 40000, "dentry": 70000, "ext4_inode_cache": 3000})
    for path, kib in CGROUPS.items():
        text("leak/cgroup/%s/memory.stat" % path, "anon 123\nslab %d\nslab_reclaimable 5\n" % (kib * 1024))
    text("leak/cgroup/cgroup.stat", "nr_descendants 3\nnr_dying_descendants 4711\n")
    text("without/meminfo", MEMINFO)
    os.makedirs("without/slabinfo")
    for i in range(30):
        path = "without/slabinfo/%02d" % i
        slabinfo(path, {"kmalloc-64": 10000 + 500 * i, "dentry": 70000 + i % 3, "ext4_inode_cache": 3000})
        os.utime(path, (1764000000 + 10 * i,) * 2)
    older_scan("without/scan")
    os.makedirs("early/account")
    shutil.copy("leak/account/s01", "early/account/s01")
    for name in ("version", "zoneinfo", "vmstat", "modules", "kmem_account"):
        text("root/proc/" + name, "x\n")
    text("root/proc/meminfo", MEMINFO)
    slabinfo("root/proc/slabinfo", {"kmalloc-64": 40000, "dentry": 70000, "ext4_inode_cache": 3000})
    text("rules", "# made\nrule: leaks of leaky\nsite: leak?\nfrom: 5.10\nfixed: 6.0.3 6.2\nfix: %s\ntitle: leaky: free it\n\n"
                  "rule: another kernel\nsite: still\nfrom: 6.2\nadvice: none\n\n"
                  "rule: an old cache\ncache: kmalloc-6*\nadvice: reboot\n" % ("ab" * 20))


def memory(meminfo):
    """Bytes by row, with what no line has."""
    lines = {m[1]: int(m[2]) * 1024 for m in re.finditer(r"^(\w+): *(\d+) kB$", meminfo, re.M)}
    rows = {}
    for owner, names in ROWS.items():
        bytes_ = lines.get(names[0], 0) - sum(lines.get(name, 0) for name in names[1:])
        if bytes_ > 0 or owner == "free":
            rows[owner] = max(bytes_, 0)
    rows["[unexplained]"] = lines["MemTotal"] - sum(rows.values())
    return rows


WANT = {  # verdict, confidence, of, rule
    "leak": ("leak", 1, "leaky+0x10/0x90", "leaks of leaky"),
    "healthy": ("no alarm", None, None, None),
    "without": ("leak", 1, "kmalloc-64", "an old cache"),
    "early": ("too early", None, None, None),
    "bundle": ("leak", 1, "leaky+0x10/0x90", None),
}


def owners(rows, most=20):
    return [{"owner": owner, "bytes": bytes_} for owner, bytes_ in sorted(rows.items(), key=lambda row: (-row[1], row[0]))[:most]]


def check(name):
    with open(name + ".json") as f:
        got = json.load(f)
    with open(name + ".txt") as f:
        shown = f.read()
    verdict, sure, of, rule = WANT[name]
    faults = []

    def same(what, is_, want):
        if is_ != want:
            faults.append("%s is %r, not %r" % (what, is_, want))

    same("format", (got["format"], got["version"]), ("kmem-account doctor", 1))
    same("verdict", (got["verdict"], got.get("of"), got.get("known", {}).get("rule")), (verdict, of, rule))
    if sure:
        same("confidence", got["confidence"], sure)
    same("the line of the verdict", bool(re.search(r"^Verdict: %s[,:]" % verdict, shown, re.M)), True)
    # what is not shown is counted
    rows = re.findall(r"^  [+-]\d.* to \d", shown, re.M)
    more = re.search(r"^  and (\d+) more, in --format json$", shown, re.M)
    same("rows of growth", len(rows) + int(more[1] if more else 0), len(got["growth"]))
    if name == "early":
        same("memory", "memory" in got, False)
        return faults
    rows = memory(MEMINFO)
    same("memory", {row["owner"]: row["bytes"] for row in got["memory"]}, rows)
    same("sum", sum(row["bytes"] for row in got["memory"]), 8000000 * 1024)
    same("order", [row["bytes"] for row in got["memory"]], sorted((row["bytes"] for row in got["memory"]), reverse=True))
    same("unexplained", "[unexplained] %.1f MiB" % (rows["[unexplained]"] / 1048576) in shown.replace("\n  ", " "), True)
    if name == "without":
        same("growth", [(row["cache"], row["grown"]) for row in got["growth"]], [("kmalloc-64", 29 * 500 * 64)])
        same("lost", {row["caller"]: row["lost"] for row in got["lost"]}, {"[before: kmalloc-64]": 500, "[before: dentry]": 8})
        same("caches", got["caches"], owners({"kmalloc-64": 24500 * 64, "dentry": 70002 * 192, "ext4_inode_cache": 3000 * 1184}))
        same("callers", "callers" in got, False)
        same("the reason", "the account" in " ".join(got["not_looked_at"]) or "account: No such file" in " ".join(got["not_looked_at"]),
             True)
        return faults
    callers = {}
    sites = {site: row for site, row in scans.SITES.items() if name != "healthy" or site not in ("leaky", "listed")}
    for site, (_, live) in sites.items():
        callers[scans.caller(site)] = callers.get(scans.caller(site), 0) + 64 * live(30)
    same("callers", got["callers"], owners(callers))
    same("caches", got["caches"], owners({"kmalloc-64": 40000 * 64, "dentry": 70000 * 192, "ext4_inode_cache": 3000 * 1184}))
    if name == "healthy":
        same("lost", got["lost"], [])
        same("leaks", [row for row in got["growth"] if row["verdict"] == "leak"], [])
        return faults
    same("lost", sum(row["lost"] for row in got["lost"]), sum(row[0] for row in scans.LOST.values()))
    if name == "leak":
        grown = {row["caller"]: row["grown"] for row in got["growth"]}
        same("grown", grown["leaky+0x10/0x90"], 64 * (scans.load(30) // 100 - scans.load(1) // 100))
        held = {row["caller"]: (row["holder"], row["held"], row["held_of"]) for row in got["growth"] if "holder" in row}
        same("held", held["listed+0x10/0x90"], ("variable list_of_all", 540, 540))
        same("cgroups", got["cgroups"], owners({"/": 2000 * 1024, "/a": 2000 * 1024, "/a/b": 4000 * 1024, "/c": 1000 * 1024}))
        same("dying", got["dying_cgroups"], 4711)
        same("line", "4711 removed but held" in shown, True)
        same("fix", "fixed by abababababab in 6.0.3 6.2" in shown, True)
    return faults


def now(path):
    with open(path) as f:
        got = json.load(f)
    with open("/proc/meminfo") as f:
        total = int(f.readline().split()[1]) * 1024
    faults = [] if sum(row["bytes"] for row in got["memory"]) == total else ["memory does not add up to %d" % total]
    if got["verdict"] != "too early":
        faults.append("a verdict after a second: " + got["verdict"])
    if not got["cost"]["elapsed_ns"] >= 10**9 or not 0 < got["cost"]["bytes"] < 1 << 30:
        faults.append("cost %r" % got["cost"])
    return faults


KEYS = {"rule", "site", "module", "cache", "from", "fixed", "fix", "title", "advice", "source"}


def rules(path):
    """Blocks of KEY: VALUE, an independent reading of Documentation/format/rules.rst."""
    with open(path) as f:
        blocks = re.sub(r"^#.*\n", "", f.read(), flags=re.M).split("\n\n")
    return [dict(line.split(": ", 1) for line in block.strip().splitlines()) for block in blocks if block.strip()]


def known(path):
    faults, names = [], set()
    for rule in rules(path):
        name = rule.get("rule", "?")
        good = "rule" in rule and set(rule) <= KEYS and ("site" in rule or "cache" in rule) and name not in names
        good &= ("fix" in rule) == ("title" in rule) == ("from" in rule) == ("fixed" in rule) != ("advice" in rule)
        good &= re.fullmatch(r"CVE-\d{4}-\d+|Documentation/\S+\.rst", rule.get("source", "")) is not None
        good &= re.fullmatch(r"[0-9a-f]{40}", rule.get("fix", "0" * 40)) is not None
        for key in ("from", "fixed"):
            versions = [tuple(map(int, version.split("."))) for version in rule.get(key, "1.0").split(" ")]
            good &= versions == sorted(versions) and len(versions[-1]) >= 2
        # the mainline has two numbers, but for kernels before 3.0
        good &= len(rule.get("fixed", "1.0").split(" ")[-1].split(".")) == 2
        names.add(name)
        if not good:
            faults.append("%s: %r" % (name, rule))
    print(len(names), "rules")
    return faults if len(names) >= 30 else ["too few rules"]


def named(path, trees):
    """A pattern names a function or a slab cache in each kernel of the rule's range, and in at least one."""
    faults, names = [], {}
    for tree in trees:
        series = tuple(map(int, re.search(r"linux-source-(\d+)\.(\d+)", tree).groups()))
        text = []
        for part in ("fs", "net/core", "net/ipv4", "net/netfilter", "net/ipv6", "net/netlabel", "net/openvswitch", "net/sctp", "block",
                     "kernel", "security/keys", "drivers/nvme", "drivers/net/macvlan.c"):
            for folder, _, files in [(tree, (), [part])] if part.endswith(".c") else os.walk(os.path.join(tree, part)):
                for name in files:
                    if name.endswith(".c"):
                        with open(os.path.join(folder, name), errors="replace") as f:
                            text.append(f.read())
        text = "\n".join(text)
        # what is called or defined in a line, before a comment or a directive; names of caches
        names[series] = set(re.findall(r"\b(\w+)\(", re.sub(r"[#/*].*", "", text))), set(
            re.findall(r'"([\w-]+)"', text) + re.findall(r"KMEM_CACHE(?:_USERCOPY)?\((\w+),", text))
    for rule in rules(path):
        found = 0
        for series, (functions, caches) in names.items():
            first, last = (tuple(map(int, rule.get(key, default).split(" ")[-1].split(".")[:2]))
                           for key, default in (("from", "0.0"), ("fixed", "999.0")))
            has = True
            if "site" in rule:
                has &= bool(fnmatch.filter(functions, rule["site"]))
            elif "*" not in rule["cache"]:
                has &= rule["cache"] in caches
            found += has
            if not has and first <= series < last:
                faults.append("%s: not in %d.%d" % ((rule["rule"],) + series))
        if not found:
            faults.append("%s: in none of %s" % (rule["rule"], sorted(names)))
    return faults


if __name__ == "__main__":
    if sys.argv[1] == "make":
        sys.exit(make(sys.argv[2]))
    if sys.argv[1] == "named":
        found = named(sys.argv[2], sys.argv[3:])
    else:
        found = {"check": check, "now": now, "known": known}[sys.argv[1]](sys.argv[2])
    print("\n".join(found))
    sys.exit(bool(found))
