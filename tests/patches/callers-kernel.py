#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Which call sites have the allocations of a helper, before and after its patch, in KTAP.

	callers-kernel.py KERNELS BOOTS

KERNELS is the folder of stages.sh, BOOTS what callers-kernel.guest has left in each of its kernels,
and in the first and the last of them a second time (NAME.again).

Each kernel has one patch more than the one before it. Of the two the helper of that patch must have
allocations in the first and none in the second, where other functions have as many more, in each
kind of work. A site counts by its function and the kind of its events: two kernels have it at other
addresses. What two boots of one kernel do not count alike is not compared, nor what has another
cause (OTHERS).
"""
import re
import sys
from collections import Counter
from pathlib import Path

WORK = ("boot", "strings", "mounts", "groups", "settings", "packets")
# Functions that allocate more or less than before for another reason than the patch: what reading the
# account allocates for each site; and the list of the symbols that kprobes must not use. Whether the
# list has a marker such as __noinstr_text_start, which has no code, depends on the padding after it.
OTHERS = ("kma_report_show_site", "kma_place_print", "kprobe_add_ksym_blacklist")
# name of the patch's file, helper, its name as a call site, kind of event
HELPERS = (
    ("-account-kvmalloc-", "kvmalloc()", r"(__)?kvmalloc_node(_noprof)?", None),
    ("-account-kasprintf-", "kasprintf()", r"kasprintf", None),
    ("-account-strndup_user-", "strndup_user()", r"strndup_user", None),
    ("-account-a-buffer-", "__alloc_skb(), its data", r"__alloc_skb", "kmalloc"),
    ("-account-a-reference-", "percpu_ref_init()", r"percpu_ref_init", None),
    ("-account-alloc_cpumask", "alloc_cpumask_var_node()", r"alloc_cpumask_var_node(_noprof)?", None),
)


def sites(path):
    """Counters {(function, kind): number} of allocations and of frees"""
    version, columns, *rows = path.read_text().splitlines()
    if version != "kmem_account sites 1":
        raise ValueError(f"{path}: not sites")
    columns = columns.lstrip("#").strip().split("\t")
    allocs, frees = Counter(), Counter()
    for row in rows:
        row = dict(zip(columns, row.split("\t")))
        key = re.split(r"[+.]", row["caller"])[0], row["kind"]
        allocs[key] += int(row["allocs"])
        frees[key] += int(row["frees"])
    return allocs, frees


def boot(folder):
    """{work: (allocations, frees)}, of this work alone"""
    counts, before = {}, (Counter(), Counter())
    for work in WORK:
        now = sites(folder / f"{work}.sites")
        counts[work] = tuple(Counter({key: number - old[key] for key, number in new.items()})
                             for new, old in zip(now, before))
        before = now
    return counts


def helper_of(name):
    for row in HELPERS:
        if row[0] in name:
            return row[1:]
    raise ValueError(f"no helper is known of the patch {name}")


class Effect:
    """Of one patch in one kind of work"""

    def __init__(self, work, helper, before, after, unstable):
        _, name, kind = helper
        is_helper = re.compile(name)

        def of_helper(key):
            return bool(is_helper.fullmatch(key[0])) and kind in (None, key[1])

        self.work = work
        self.had, self.has = ([sum(number for key, number in counts.items() if of_helper(key))
                               for counts in look] for look in (before, after))
        kinds = {key[1] for key, number in before[0].items() if number and of_helper(key)}
        self.gains, self.frees = Counter(), 0
        for key in after[0].keys() | before[0].keys():
            more = after[0][key] - before[0][key]
            if (more and key[1] in kinds and not of_helper(key) and key not in unstable
                    and key[0] not in OTHERS):
                self.gains[key[0]] += more
                self.frees += after[1][key] - before[1][key]

    def right(self):
        return self.has[0] == 0 and sum(self.gains.values()) == self.had[0]

    def notes(self):
        callers = ", ".join(f"{name} ({number})" for name, number in self.gains.most_common(4))
        yield (f"{self.work}: before {self.had[0]}/{self.had[1]}, after {self.has[0]}/{self.has[1]}; "
               f"{sum(self.gains.values())}/{self.frees} more in {len(self.gains)} functions: "
               f"{callers}{', ...' if len(self.gains) > 4 else ''}")


def unstable_of(*pairs):
    """{work: keys} of which two boots of a kernel do not count the same"""
    return {work: {key for one, other in pairs for key in one[work][0].keys() | other[work][0].keys()
                   if one[work][0][key] != other[work][0][key]} for work in WORK}


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: callers-kernel.py KERNELS BOOTS")
    kernels, boots = map(Path, sys.argv[1:])
    names = sorted(path.name for path in kernels.iterdir())
    counts = [boot(boots / name / "guest") for name in names]
    unstable = unstable_of(*((counts[number], boot(boots / f"{names[number]}.again" / "guest"))
                             for number in (0, -1)))
    print(f"KTAP version 1\n1..{len(names) - 1}")
    print(f"# not the same in two boots: "
          f"{', '.join(sorted({key[0] for keys in unstable.values() for key in keys})) or 'nothing'}")
    failed = False
    for number in range(1, len(names)):
        helper = helper_of(names[number])
        effects = [Effect(work, helper, counts[number - 1][work], counts[number][work], unstable[work])
                   for work in WORK]
        effects = [effect for effect in effects if effect.had[0] or effect.has[0]]
        ok = bool(effects) and all(effect.right() for effect in effects)
        failed |= not ok
        for effect in effects:
            print(*(f"# {note}" for note in effect.notes()), sep="\n")
        text = [int((kernels / name / "size").read_text().split()[0])
                for name in names[number - 1:number + 1]]
        print(f"# text of vmlinux: {text[1] - text[0]:+d} bytes")
        print(f"{'ok' if ok else 'not ok'} {number} {helper[0]}: its callers have its allocations")
    return failed


sys.exit(main())
