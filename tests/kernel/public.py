#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The public reports that public.guest re-enacts, and what doctor has to say of each.

    public.py list			the names of the cases
    public.py judge DIR CASE	judge DIR/answer.json

A report is an issue on GitHub, or a record of the kernel's CVE team; some kinds have none. Its numbers
and its hardware are not there; the kind is: who allocates, what is left, and whether something still
refers to it.

Classes:
    lost	the verdict is leak, of the owner, and lost objects prove it
    held	the owner is among the first three that grew; it is no proved loss; a root holds it
    grows	the same, of memory that a scan does not see or that has many roots
    cache	the same for memory that reclaim frees, so that the verdict is not leak
    old	nothing grows; the owner is among the three largest caches
    dead	removed cgroups that memory still holds are counted; what stays for them may be called a leak
    healthy	no alarm
"""
import json
import re
import sys

# name, class, owner, holder (held), report; the last ten of the 32 were kept for one run at the end
CASES = [
    ("status", "lost", "public_status", "", "raspberrypi/linux#1471: 2 kB for each read of /proc/net/wireless"),
    ("error", "lost", "public_error", "", "CVE-2025-68295: an error path without a free"),
    ("secret", "lost", "public_secret", "", "CVE-2023-53852: a text that is written again"),
    ("child", "lost", "public_child", "", "CVE-2025-38405: the parent is freed, not its child"),
    ("deferred", "lost", "public_deferred", "", "CVE-2022-50076: work that is cancelled"),
    ("creds", "lost", "prepare_creds", "", "CVE-2024-26840: credentials of each open"),
    ("stuck", "held", "alloc_skb", "public_queue", "xmm7360/xmm7360-pci#131: packets that are all reached"),
    ("handle", "held", "public_handle", "public_idr", "identifiers that are not taken back"),
    ("thread", "grows", "copy_process|dup_task_struct|alloc_thread_stack|kthread", "", "threads that do not end"),
    ("unlisted", "lost", "public_cache", "", "coreos/bugs#2637: a slab cache that grows; no module is loaded"),
    ("listed", "held", "public_cache", "public_list", "CachyOS/linux-cachyos#613: the same, of objects in a list"),
    ("held", "old", "public_cache", "", "Open-CAS/open-cas-linux#892: the objects are older than the module"),
    ("absent", "cache", "__d_alloc", "", "fluent/fluent-bit#11958: look-ups of files that do not exist"),
    ("temporary", "cache", "__d_alloc", "", "prometheus-community/ipmi_exporter#329: directories for a moment"),
    ("segments", "cache", "__d_alloc|ext4_alloc_inode|alloc_inode", "", "apache/druid#7508: files that stay"),
    ("dentries", "old", "dentry", "", "osandov/drgn#306: millions of dentries"),
    ("kept", "grows", "__d_alloc|alloc_inode", "", "rfjakob/gocryptfs#1031: inodes that are not forgotten"),
    ("zombies", "grows", "copy_process|dup_task_struct|alloc_thread_stack|alloc_pid", "", "children that nobody waits for"),
    ("box_tmpfs", "dead", "", "", "canonical/lxd#5405: containers that are gone hold memory"),
    ("box_cache", "dead", "", "", "moby/moby#35601: the same, of the page cache"),
    ("files", "lost", "alloc_file|alloc_empty_file", "", "files that are opened in the kernel and not closed"),
    ("area", "grows", "vm_area|vmalloc|vmap", "", "areas of vmalloc() whose address is lost"),
    # kept
    ("ring", "lost", "public_ring", "", "objects that refer to each other"),
    ("route", "lost", "public_route", "", "CVE-2024-26834: a reference that is not given back"),
    ("queues", "lost", "public_queues", "", "CVE-2022-49901: what is in an array that is freed"),
    ("packet", "lost", "alloc_skb", "", "packets that have left their queue"),
    ("track", "held", "public_track", "public_table", "connections that do not expire"),
    ("timed", "held", "public_timed", "timer_bases|stack|variable", "objects that wait for a timer"),
    ("deep", "cache", "__d_alloc", "", "opencloudtouch/opencloudtouch#387: look-ups below directories"),
    ("nets", "grows", "sysctl|net|ops_init|kernfs|percpu", "", "network namespaces that stay"),
    ("box_names", "dead", "", "", "hashicorp/nomad#6823: removed cgroups, of dentries"),
    ("box_mounts", "dead", "", "", "deckhouse/deckhouse#2152: removed cgroups, of mounts"),
    # healthy
    ("steady", "healthy", "", "", "a table that fills, memory that swings and steps"),
    ("forks", "healthy", "", "", "processes that begin and end"),
    ("swing", "healthy", "", "", "files that come and go"),
    ("pipes", "healthy", "", "", "data through pipes"),
    ("finds", "healthy", "", "", "walks of all directories"),
    ("modules", "healthy", "", "", "a module that comes and goes"),
    ("copies", "healthy", "", "", "copies of files to disk"),
    ("box_clean", "healthy", "", "", "containers that leave nothing"),
]


def owner_of(row):
    return row.get("caller") or row["cache"]


def judge(got, kind, owner, holder):
    """What is wrong, as sentences."""
    grown = got.get("growth", [])
    first = grown[:3]
    leaks = [owner_of(row) for row in grown if row["verdict"] == "leak"]
    lost = [row for row in got.get("lost", []) if not re.match(r"\[before: (?!public_cache)", row["caller"])]
    print(got["verdict"], got.get("confidence"), got.get("of"), "--", got["why"])
    for row in first:
        print("grown", row["grown"], owner_of(row), row["verdict"], row.get("holder"))
    for row in lost[:3]:
        print("lost", row)
    print("dying", got.get("dying_cgroups"), "caches", got.get("caches", [])[:4])
    print("not looked at", got["not_looked_at"])
    wrong = []
    named = [row for row in first if re.search(owner, owner_of(row))]

    if got["cost"]["elapsed_ns"] > 300e9:
        wrong.append("more than five minutes")
    if kind == "lost":
        if got["verdict"] != "leak" or not re.search(owner, got["of"]):
            wrong.append("the verdict is not a leak of the owner")
        if not [row for row in lost if re.search(owner, row["caller"])]:
            wrong.append("no lost object proves it")
    elif lost:
        wrong.append("an object is called lost")
    if kind in ("held", "grows", "cache") and not named:
        wrong.append("the owner is not among the first three that grew")
    if kind in ("held", "grows") and got["verdict"] not in ("leak", "growing"):
        wrong.append("growth without an end is no alarm")
    if kind == "held" and named and not [row for row in named if re.search(holder, row.get("holder") or "")]:
        wrong.append("the holder is not named")
    if kind in ("cache", "old", "healthy") and (got["verdict"] == "leak" or leaks):
        wrong.append("a leak without a leak")
    if kind == "healthy" and got["verdict"] == "growing" and got["confidence"] >= 0.6:
        wrong.append("a false alarm")
    if kind == "old" and not [row for row in got["caches"][:3] if re.search(owner, row["owner"])]:
        wrong.append("the cache is not among the three largest")
    if kind == "dead" and got.get("dying_cgroups", 0) < 20:
        wrong.append("the removed cgroups are not counted")
    return wrong


if sys.argv[1] == "list":
    print("\n".join(case[0] for case in CASES))
    sys.exit()
directory, name = sys.argv[2:]
chosen = next(case for case in CASES if case[0] == name)
print(*chosen)
with open(f"{directory}/answer.json") as f:
    said = judge(json.load(f), *chosen[1:4])
print("\n".join(said))
sys.exit(bool(said))
