#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Does CONFIG_DISABLE_GCC_AUTOMATIC_INLINING put call sites into the functions that the
# source has them in?
#
#	inlining.py WITHOUT WITH
#
# Folders that inlining.guest has left, of kernels without the option and with it. The
# helper is new_dir() of fs/proc/proc_sysctl.c: static, called once, by get_subdir(), which
# __register_sysctl_table() calls once; it allocates a directory below /proc/sys. Which
# functions there are is what the kernels' own /proc/kallsyms say. How many directories
# there are is not known, but the same sysctls are registered in both: what the three
# functions allocate is the same, whichever of them is named.
#
# KTAP on stdout.
import re
import sys
from pathlib import Path

HELPER = "new_dir"
CALLERS = ("get_subdir", "__register_sysctl_table")
ROW = re.compile(r" *\d+ +\d+ +(\d+) +(\d+)/\d+ +([\w.]+)\+0x\w+/0x\w+$")


class Boot:
    def __init__(self, folder):
        self.sites, self.has = {}, set()
        rows = 0
        for line in (folder / "account").read_text().split("\n\n", 1)[1].splitlines()[1:]:
            rows += 1
            row = ROW.match(line)
            if not row:
                raise ValueError(f"{folder}: {line}: not a site of the kernel's own text")
            # what gcc has made of a function still has its name: new_dir.isra.0
            name = row[3].split(".")[0]
            allocs, req = self.sites.get(name, (0, 0))
            self.sites[name] = allocs + int(row[2]), req + int(row[1])
        if not rows:
            raise ValueError(f"{folder}: an account without rows")
        for line in (folder / "kallsyms").read_text().splitlines():
            _, kind, name = line.split()[:3]
            if kind in "tTwW":
                self.has.add(name.split(".")[0])
        self.allocs = sum(allocs for allocs, _ in self.sites.values())

    def allocates(self, *names):
        return tuple(map(sum, zip(*(self.sites.get(name, (0, 0)) for name in names))))


def compare(without, option):
    """[(is it so, what, note)]"""
    old, new = (boot.allocates(HELPER, *CALLERS) for boot in (without, option))
    hidden = {name: site for name, site in option.sites.items() if name not in without.has}
    allocs = sum(site[0] for site in hidden.values())
    return [
        (HELPER not in without.has and HELPER not in without.sites and old[0] > 0,
         f"without the option {HELPER}() is a part of its caller, which the account names",
         f"{old[0]} allocations by {' and '.join(CALLERS)}"),
        (HELPER in option.has and option.allocates(HELPER)[0] > 0,
         f"with it the account names {HELPER}()",
         f"{option.allocates(HELPER)[0]} allocations by it"),
        (old == new, f"{HELPER}() and its callers allocate the same in both",
         f"{old[0]} allocations, live {old[1]} bytes; {new[0]}, {new[1]} bytes"),
        (len(option.sites) > len(without.sites), "with the option more functions are named",
         f"{len(without.sites)} without, {len(option.sites)} with it; {len(hidden)} of these, "
         f"with {allocs} of {option.allocs} allocations, are no functions without it"),
    ]


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: inlining.py WITHOUT WITH")
    results = compare(*(Boot(Path(name)) for name in sys.argv[1:]))
    print("KTAP version 1", f"1..{len(results)}", sep="\n")
    for number, (fine, what, note) in enumerate(results, 1):
        print(f"# {note}", f"{'' if fine else 'not '}ok {number} {what}", sep="\n")
    return not all(fine for fine, _, _ in results)


sys.exit(main())
