#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare kmem-account names --all of a dump with what drgn finds in the same dump.

names-drgn.py CORE VMLINUX DENTRY.CSV TASK.CSV
"""
import collections
import csv
import re
import sys

import drgn
from drgn.helpers.linux import fs, sched, slab
from drgn.helpers.linux.cpumask import for_each_possible_cpu

# A panic takes the other CPUs offline. drgn would count what is on their free lists as allocated.
slab.for_each_online_cpu = for_each_possible_cpu


def bare(text):
    """A text without what names writes as "*". A file may have the name "/"."""
    return re.sub("/+", "/", re.sub("[0-9A-Fa-f*-]+", "", text))


def text(value):
    return value.string_().decode(errors="replace")


def dentries(program):
    mounts = {}
    for mount in fs.for_each_mount(program["init_task"].nsproxy.mnt_ns):
        mounts.setdefault(mount.mnt.mnt_sb.value_(), fs.mount_dst(mount).decode().rstrip("/"))
    found = collections.Counter()
    cache = slab.find_slab_cache(program, "dentry")
    for dentry in slab.slab_cache_for_each_allocated_object(cache, "struct dentry"):
        super_block = dentry.d_sb
        name, own = text(super_block.s_type.name), text(super_block.s_id)
        if dentry.d_parent == dentry and dentry != super_block.s_root:
            path = text(dentry.d_name.name)
        else:
            path = mounts.get(super_block.value_(), "") + "/" + fs.dentry_path(dentry).decode()
        found[(name if name == own else f"{name} {own}", bare(path.rstrip("/") or "/"), not dentry.d_inode)] += 1
    return found


def tasks(program):
    found = collections.Counter()
    cache = slab.find_slab_cache(program, "task_struct")
    for task in slab.slab_cache_for_each_allocated_object(cache, "struct task_struct"):
        found[(bare(text(task.comm)), sched.task_state_to_char(task))] += 1
    return found


def rows(name):
    with open(name, newline="") as f:
        return list(csv.DictReader(f))


def compare(what, truth, found):
    off = sum(abs(truth[key] - found[key]) for key in truth.keys() | found.keys())
    for key in sorted(truth.keys() | found.keys(), key=str):
        if truth[key] != found[key]:
            print(f"{what} {key}: {truth[key]} by drgn, {found[key]} by names")
    total = sum(truth.values())
    print(f"{total} {what} by drgn, {sum(found.values())} by names; {len(truth)} kinds; {off} differ")
    return total > 50 and off <= 0.002 * total


def main():
    core, vmlinux, dentry, task = sys.argv[1:]
    program = drgn.Program()
    program.set_core_dump(core)
    program.load_debug_info([vmlinux])
    found = collections.Counter()
    for row in rows(dentry):
        objects = int(row["objects"])
        negative = round(objects * float(row["negative"]) / 100)
        found[row["filesystem"], bare(row["path"].rstrip("/") or "/"), True] += negative
        found[row["filesystem"], bare(row["path"].rstrip("/") or "/"), False] += objects - negative
    good = compare("dentries", dentries(program), found)
    found = collections.Counter()
    for row in rows(task):
        found[bare(row["comm"]), row["state"]] += int(row["objects"])
    return not (compare("tasks", tasks(program), found) and good)


sys.exit(main())
