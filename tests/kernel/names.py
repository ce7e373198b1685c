#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Judge what names.guest has left: names.py DIR CASE."""
import csv
import json
import os
import sys

# As names.c plants them, of 100 dentries: with a file, without.
PATTERNS = {
    "/mnt/disk/run/ipmi_exporter-*": (10, 30),
    "/tmp/cache/*": (25, 0),
    "/tmp/log/app.*.log": (15, 0),
    "/mnt/disk/by-uuid/*": (2, 10),
    "/tmp/sessions/user*-session*": (8, 0),
}


def text(name):
    with open(os.path.join(directory, name)) as f:
        return f.read()


def table(name):
    with open(os.path.join(directory, name), newline="") as f:
        return list(csv.DictReader(f))


def check(good, said):
    if not good:
        print(said)
        global failed
        failed = True


def shares(name, rows, points):
    """The rows of the planted patterns have their shares and negative ones, within so many points. Returns the most that one is off."""
    rows, most = {row["path"]: row for row in rows}, 0
    planted = int(text("plan"))
    all_dentries = int(text("dentry-state").split()[0])
    for pattern, (positive, negative) in PATTERNS.items():
        row = rows.get(pattern, {"share": 0, "negative": 0})
        share = planted * (positive + negative) / all_dentries
        # Of all dentries: those of the row that are negative, as the row says, and as it is true.
        negatives = float(row["share"]) * float(row["negative"]) / 100 - planted * negative / all_dentries
        off = max(abs(float(row["share"]) - share), abs(negatives))
        check(off <= points, f"{name}: {pattern}: {row['share']} % of {share:.2f}, negative {row['negative']} %: {off:.2f} off")
        most = max(most, off)
    print(f"{name}: {most:.2f} points off at most")
    return rows


def case_sample():
    rows = shares("sample", table("dentry.csv"), 2)
    check(rows["/mnt/disk/run/ipmi_exporter-*"]["filesystem"] == "ext4 vdb", "the file system of the disk")
    check(rows["/tmp/cache/*"]["filesystem"] == "tmpfs", "the file system of /tmp")
    head = json.loads(text("dentry.json"))
    check(head["sampled"] == 10000, "the size of the sample")
    check(head["named"] + head["changed"] + head["freed"] + head["unknown"] == head["sampled"], "the head adds up")
    check(sum(row["seen"] for row in head["names"]) == head["named"], "the rows add up")


def case_all():
    rows = table("dentry.all.csv")
    shares("all", rows, 0.5)
    state = text("dentry-state").split()
    found = sum(int(row["objects"]) for row in rows)
    negative = sum(int(row["objects"]) * float(row["negative"]) / 100 for row in rows)
    print(f"{found} dentries of {state[0]}, {negative:.0f} negative ones of {state[4]}")
    check(abs(found - int(state[0])) <= 0.005 * int(state[0]), "as many dentries as the kernel has")
    # The kernel counts only those that nobody uses.
    check(abs(negative - int(state[4])) <= 0.01 * int(state[0]), "as many negative ones as the kernel has")
    # The kernel's own thread has mounted it in the place of its root, too.
    check(any(row["path"] == "/dev/null" and row["filesystem"] == "devtmpfs" for row in rows), "a device below /dev")
    check(all(float(row["share_error"]) == 0 for row in rows), "no error without a sample")


def case_storm():
    print(text("storm"))
    changed = 0
    for i in range(1, 1 + int(text("runs"))):
        head = json.loads(text(f"storm.{i}.json"))
        shares(f"storm {i}", head["names"], 2)
        changed += head["changed"] + head["freed"]
        check(head["named"] >= 0.98 * head["sampled"], f"storm {i}: {head['named']} of {head['sampled']} named")
    print(f"{changed} objects changed or were freed")


def keys_of(row):
    return [column for column in row if column != "pinned"]


def count(name, *keys, column="objects"):
    """Objects of the rows whose keys are these; None is any."""
    rows = table(name + ".csv")
    columns = keys_of(rows[0])[-len(keys):]
    return sum(int(row[column]) for row in rows if all(k in (None, row[c]) for k, c in zip(keys, columns)))


def flagged(name, flag, *keys):
    rows = [row for row in table(name + ".csv") if [row[c] for c in keys_of(row)[-len(keys):]] == list(keys)]
    return round(sum(int(row["objects"]) * float(row[flag]) / 100 for row in rows))


def same(said, got, want, slack=0):
    print(f"{said}: {got}, expected {want}")
    check(want - slack <= got <= want + slack, f"{said}: {got}, expected {want}")


def between(said, got, number, slack=0):
    """As many as the kernel had before or after, or in between."""
    a, b = sorted((number("before"), number("after")))
    print(f"{said}: {got}, the kernel has {a} to {b}")
    check(a - slack <= got <= b + slack, f"{said}: {got}, the kernel has {a} to {b}")


def case_inode():
    total = lambda when: int(text(f"{when}/inode-state").split()[0])
    between("inodes", count("inode", None), total, total("before") // 200)
    planted = int(text("plan"))
    for pattern, (positive, _) in PATTERNS.items():
        same(pattern, count("inode", pattern), planted // 100 * positive)
    same("unlinked", flagged("inode", "unlinked", "tmpfs", "/tmp/gone-*"), 200)


def case_tasks():
    def stat(when, comm=None, state=None):
        lines = [line for line in text(f"{when}/stat").splitlines() if ")" in line]
        split = [(line[line.index("(") + 1:line.rindex(")")], line[line.rindex(")") + 2]) for line in lines]
        return sum(comm in (None, c) and state in (None, s) for c, s in split)

    # idle tasks of the CPUs but the first one; the reader of /proc, and what ended just now
    between("tasks", count("task_struct", None), stat, 8)
    between("idle threads", count("task_struct", None, "I"), lambda when: stat(when, None, "I"), 3)
    same("sleepers", count("task_struct", "sleeper-*", "S"), 40)
    same("stopped", count("task_struct", "stopper", "T"), 20)
    same("zombies", count("task_struct", "stopper", "Z"), 20)
    same("memory of the sleepers", count("mm_struct", "sleeper-*", "rootfs", "/names") + count("mm_struct", "sleeper-*", "tmpfs", "/names"), 40)
    same("memory of the stopped", count("mm_struct", "stopper", None, "/names"), 20)


def case_sockets():
    def lines(when, kind, column=None, value=None):
        rows = [line.split() for line in text(f"{when}/{kind}").splitlines() if line.split()[0] not in ("sl", "sk", "Num")]
        return sum(column is None or row[column].endswith(value) for row in rows)

    same("listeners", count("sock", "TCP", "inet", "listen", "4001:0"), 30)
    same("clients", count("sock", "TCP", "inet", "established", "*:4001"), 30)
    same("not accepted", count("sock", "TCP", "inet", "established", "4001:*"), 30)
    same("UDP sockets", count("sock", "UDP", "inet", "close", "4002:0"), 30)
    same("connected ones", count("sock", "UDP", "inet", "established", "*:4003"), 1)
    for kind, state, number in (("tcp", "listen", "0A"), ("tcp", "established", "01")):
        between(f"{kind} {state}", count("sock", "TCP", "inet", state, None), lambda when: lines(when, kind, 3, number))
    between("unix", count("sock", None, "unix", None, None), lambda when: lines(when, "unix"), 1)
    netlink = lambda when: lines(when, "netlink")
    between("netlink", count("sock", "NETLINK", "netlink", None, None), netlink)
    check(count("sk_buff", None, None, "UNIX") >= 10, "unread messages of a pair")
    check(count("sk_buff", None, "IPv4", None) >= 100, "unread datagrams")


def case_cgroups():
    def stat(when, name):
        return int(dict(line.split() for line in text(f"{when}/cgroup.stat").splitlines())[name])

    rows = table("cgroup.csv")
    check(all(row["filesystem"] == "cgroup2" for row in rows), "the file system of cgroups")
    dead = round(sum(int(row["objects"]) * float(row["dead"]) / 100 for row in rows))
    between("dead cgroups", dead, lambda when: stat(when, "nr_dying_descendants"))
    between("others", count("cgroup", None) - dead, lambda when: stat(when, "nr_descendants"))
    same("pods", count("cgroup", "/mnt/cgroup/pod-*"), 6 + flagged("cgroup", "dead", "/mnt/cgroup/pod-*"))


def case_pins():
    """What holds each planted cgroup is found, and none of what holds the others."""
    rows = {row["path"]: row for row in table("cgroup.csv")}
    planted = dict(line.split("\t") for line in text("planted").splitlines())
    release = tuple(map(int, text("release").split(".")[:2]))
    names = {path.rsplit("/", 1)[1] for path in planted}
    named = freed = 0
    for path, holder in planted.items():
        name = path.rsplit("/", 1)[1]
        row = rows.get(path, {"dead": 100, "pinned": ""})
        parts = [part.split(" ", 1)[1] if part[0].isdigit() else part for part in row["pinned"].split("; ") if part]
        good = float(row["dead"]) == 100 and not any(other in row["pinned"] for other in names - {name})
        # Since 7.1 the parent of a removed cgroup gets its pages; the inode may still hold it.
        if release >= (7, 1) and "page" in holder and "swap" not in holder:
            good &= "page" not in row["pinned"] and "nothing" not in row["pinned"]
            freed += not parts
        elif holder == "page in swap" and not os.path.exists(os.path.join(directory, "swap-counts")):
            freed += not parts
            good &= "swap" not in row["pinned"] and "nothing" not in row["pinned"]
        else:
            good &= holder in parts
        check(good, f"{path}: {row['pinned']}, expected {holder}")
        named += good
    print(f"{named} of {len(planted)} dead cgroups with what holds them, {freed} freed")
    check(named == len(planted) == 9 * int(text("pins")), "all of the planted ones")
    if release < (7, 1):
        pods = [row["pinned"] for row in rows.values() if row["path"] == "/mnt/cgroup/pod-*"]
        print(pods)
        check(len(pods) == 1 and "pages of tmpfs /tmp/paid-* (4 of 4)" in pods[0], "the pods")


def case_kernfs():
    def files(when):
        # Three more network namespaces have the same files of lo, which this one does not see.
        names = text(f"{when}/sys").splitlines()
        return len(names) + 3 * sum("/net/lo/" in name + "/" for name in names)

    between("files of sysfs", count("kernfs_node", "sysfs", None), files, 5)
    same("directories of pods", count("kernfs_node", "cgroup2", "/mnt/cgroup/pod-*"), count("cgroup", "/mnt/cgroup/pod-*"))


def case_nets():
    rows = table("net.csv")
    names = {row["namespace"] for row in rows}
    held = set(text("before/nets").split())
    print(names, held)
    # that of boot is a variable
    check(len(held - names) == 1 and len(held) == 4, "the namespaces that processes have")
    check(all(row["devices"] == "lo" for row in rows), "their devices")
    check(all(float(row["dead"]) == 0 for row in rows if row["namespace"] in held), "none of them is dead")


def case_bpf():
    same("maps", count("bpf_map", "hash", "of_pod_*"), 35)
    same("other maps", count("bpf_map", "array", "of_pod_*"), 35)
    same("programs", count("bpf_prog", "socket_filter", "of_pod_*"), 70)


directory, case = sys.argv[1:]
failed = False
globals()["case_" + case]()
sys.exit(failed)
