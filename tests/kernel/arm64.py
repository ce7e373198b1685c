#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""An account of an arm64 kernel against its own kallsyms and trace, in KTAP.

	arm64.py FIRST NAME PLACE DIR

PLACE says where the kernel, its modules and its memory must be for the boot to be
worth anything; FIRST is the number of the first result.
"""
import bisect
import re
import sys

LINE = 1 << 32		# the low half begins anew
LINEAR = 0xffff000000000000
MODULES = "kmem_account", "kma_known"
ANYWHERE = "bpf", "__builtin__kprobes"


def rows(path):
    """The rows of a file of debugfs as dicts"""
    with open(path) as file:
        next(file)
        names = next(file)[2:].rstrip("\n").split("\t")
        return [dict(zip(names, line.rstrip("\n").split("\t"))) for line in file]


def kallsyms(path):
    """Sorted (address, name, module) of all functions, and the addresses of data"""
    functions, others = [], {}
    for line in open(path):
        words = line.split()
        address, kind, name = int(words[0], 16), words[1], words[2]
        module = words[3][1:-1] if len(words) > 3 else ""
        if kind in "tTwW":
            functions.append((address, name, module))
        others.setdefault(name, address)
    return sorted(functions), others


class Guest:
    def __init__(self, folder):
        self.functions, self.symbols = kallsyms(f"{folder}/kallsyms")
        self.starts = [f[0] for f in self.functions]
        self.sites = rows(f"{folder}/sites")
        self.live = rows(f"{folder}/live")
        with open(f"{folder}/trace") as file:
            self.given = {int(p, 16) for p in re.findall(r" kmalloc: .*ptr=(\S+)", file.read())}
        self.text = self.symbols["_stext"], self.symbols["_etext"]
        self.modules = [a for a, _, m in self.functions if m in MODULES]

    def names_of(self, address):
        """All that kallsyms call the function at an address"""
        i = bisect.bisect_right(self.starts, address) - 1
        start = self.starts[i]
        return start, {(f[1], f[2]) for f in self.functions if f[0] == start}

    def named(self):
        """Each call site has the name that kallsyms has for its whole address"""
        wrong = []
        for row in self.sites:
            address = int(row["address"], 16)
            m = re.match(r"(\S+)\+0x([0-9a-f]+)/0x[0-9a-f]+(?: \[(\S+)\])?$", row["caller"])
            start, names = self.names_of(address - 1) if m else (0, set())
            if not m or address - start != int(m[2], 16) or (m[1], m[3] or "") not in names:
                wrong.append(f"{row['address']} {row['caller']}: {names}")
        return [f"{len(self.sites)} sites"] + wrong[:5], len(self.sites) > 50 and not wrong

    def whole(self):
        """All functions are near, and no two have one low half.

        But what BPF's compiler has made, and instructions that kprobes have copied, of which
        arm64 does the calls by itself.
        """
        starts = {a for a, _, module in self.functions if module not in ANYWHERE}
        middle = self.symbols["sprint_symbol"]
        below, above = middle - min(starts), max(starts) - middle
        return ([f"from {below:#x} below sprint_symbol to {above:#x} above; anywhere: " +
                 str(len(set(self.starts)) - len(starts))],
                below < LINE // 2 and above < LINE // 2 and
                len({a % LINE for a in starts}) == len(starts))

    def alive(self):
        """Objects that the account has for kma_known are those that the kernel gave"""
        ours = {row["id"] for row in self.sites if row["file"] == "kma_known" and
                row["kind"] == "kmalloc"}
        objects = {int(row["address"], 16) for row in self.live
                   if row["site"] in ours and row["kind"] == "object"}
        pages = {int(row["address"], 16) for row in self.live if row["kind"] == "page"}
        low = min(objects) - (1 << 30)
        return ([f"{len(objects)} objects, {len(pages)} pages, memory at {min(objects):#x}"],
                len(objects) > 200 and objects <= self.given and len(pages) > 5 and
                all(low < page < low + (1 << 32) for page in pages))

    def across(self):
        return self.text[0] // LINE != (self.text[1] - 1) // LINE

    def beside(self):
        return all(a // LINE != self.text[0] // LINE for a in self.modules)

    def still(self):
        return self.text[0] % (1 << 40) == 0x8010000

    def high(self):
        return min(int(row["address"], 16) for row in self.live) - LINEAR > 64 << 40


PLACES = {
    "across": (Guest.across, "text on both sides of a 4 GiB line"),
    "beside": (Guest.beside, "text right beyond a 4 GiB line, modules before it"),
    "still": (Guest.still, "where it was linked"),
    "high": (Guest.high, "memory more than 64 TiB up the linear map"),
}


def main():
    number, boot, place, folder = sys.argv[1:]
    number, failed = int(number), False
    guest = Guest(folder)

    def result(name, words, passed):
        nonlocal number, failed
        for word in words:
            print("#", word)
        print("ok" if passed else "not ok", number, f"{boot}: {name}")
        number += 1
        failed |= not passed

    check, words = PLACES[place]
    result(words, [f"text from {guest.text[0]:#x} to {guest.text[1]:#x}, modules "
                   f"from {min(guest.modules):#x} to {max(guest.modules):#x}"], check(guest))
    result("all functions are near, no two have one low half", *guest.whole())
    result("every site has the name of its whole address", *guest.named())
    result("objects are those of the kernel's trace", *guest.alive())
    return 1 if failed else 0


sys.exit(main())
