#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Make the memory of a machine that does not exist, for `kmem-account lost`: heap-made.py DIR GIB KERNEL_GIB.

DIR/kcore is an ELF file with a direct map of GIB of memory, in which 2 MiB of each part are kernel pages and the
rest is page cache; the kernel has KERNEL_GIB in all. DIR/kpageflags says so. Each run of kernel pages has objects; each one refers to the next, the first one is held by a word outside them, and every hundredth is referred to by
nothing. DIR/live and DIR/sites list the objects, and DIR/kallsyms has no symbol that the program looks for.
Prints how many objects are lost.
"""
import os
import struct
import sys

PAGE, RUN = 4096, 2 << 20
BASE = 0xFFFF888000000000
EACH, SIZE = 256, 64
LRU = 1 << 5

directory, gib, kernel = sys.argv[1], int(sys.argv[2]) << 30, int(sys.argv[3]) << 30
runs = kernel // RUN
part = gib // runs
assert part % RUN == 0 and part > RUN

ident = b"\x7fELF\x02\x01\x01" + bytes(9)
header = ident + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
segment = struct.pack("<IIQQQQQQ", 1, 7, PAGE, BASE, 0, gib, gib, PAGE)

with open(os.path.join(directory, "kpageflags"), "wb") as f:
    flags = struct.pack("<Q", 0) * (RUN // PAGE) + struct.pack("<Q", LRU) * ((part - RUN) // PAGE)
    for i in range(runs):
        f.write(flags)

objects = [run * part + PAGE + SIZE * i for run in range(runs) for i in range(EACH)]
lost = set(objects[99::100])
held = [o for o in objects if o not in lost]
place = {o: i for i, o in enumerate(held)}
with open(os.path.join(directory, "kcore"), "wb") as f:
    f.write(header + segment)
    f.seek(PAGE)
    f.write(struct.pack("<Q", BASE + held[0]))
    for run in range(runs):
        text = bytearray()
        for o in objects[run * EACH : (run + 1) * EACH]:
            refs = [] if o in lost else held[place[o] + 1 : place[o] + 8]
            text += b"".join(struct.pack("<Q", BASE + ref) for ref in refs).ljust(SIZE, b"\0")
        f.seek(PAGE + run * part + PAGE)
        f.write(text)
    f.truncate(PAGE + gib)

with open(os.path.join(directory, "live"), "w") as f:
    f.write("kmem_account live 1\n# address\tsite\ttotal\treq\tkind\n")
    for o in objects:
        f.write(f"{BASE + o:#x}\t{1 if o in lost else 2}\t{SIZE}\t{SIZE}\tobject\n")
with open(os.path.join(directory, "sites"), "w") as f:
    f.write("kmem_account sites 1\n# id\tcaller\n1\tmade_lost+0x10/0x20\n2\tmade_held+0x10/0x20\n")
with open(os.path.join(directory, "kallsyms"), "w") as f:
    f.write("ffffffff81000000 T _stext\n")
print(len(lost))
