#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write an ELF core in makedumpfile's form, without compression: kdump-make.py CORE DUMP.

By makedumpfile's diskdump_mod.h: a header, a sub header, the bitmaps of all RAM and of the pages in the
file, a descriptor of each page, the pages. With -d 31 and none of -c, -l, -p and -z, makedumpfile writes the same.
"""
import struct
import sys

PAGE = 4096


def blocks(size):
    return (size + PAGE - 1) // PAGE


def main(core, dump):
    with open(core, "rb") as f:
        elf = f.read()
    (at,) = struct.unpack_from("<Q", elf, 32)
    (nr,) = struct.unpack_from("<H", elf, 56)
    ram, pages, notes, start, length = set(), {}, b"", 0, 0
    for i in range(nr):
        kind, _, off, _, physical, size, memory, _ = struct.unpack_from("<IIQQQQQQ", elf, at + 56 * i)
        if kind == 1:
            ram.update(range(physical // PAGE, (physical + memory) // PAGE))
            for n in range(size // PAGE):
                pages[physical // PAGE + n] = elf[off + PAGE * n : off + PAGE * (n + 1)]
        if kind == 4:
            # the only note is VMCOREINFO
            name, length, _ = struct.unpack_from("<III", elf, off)
            start = 12 + ((name + 3) & ~3)
            notes = elf[off : off + size]
    last = max(ram) + 1
    half = blocks((last + 7) // 8)
    bitmaps = bytearray(2 * half * PAGE)
    for n in ram:
        bitmaps[n // 8] |= 1 << n % 8
    for n in pages:
        bitmaps[half * PAGE + n // 8] |= 1 << n % 8
    head = bytearray(PAGE)
    struct.pack_into("<8si", head, 0, b"KDUMP   ", 6)
    for i, text in enumerate((b"Linux", b"node", b"6.1.0", b"version", b"x86_64")):
        struct.pack_into("65s", head, 12 + 65 * i, text)
    struct.pack_into("<IiiIIIIIIi", head, 424, 0, PAGE, 1, 2 * half, last, len(ram), 0, len(pages), 0, 1)
    sub = bytearray(PAGE)
    struct.pack_into("<QiiQQQQQQ", sub, 0, 0, 31, 0, 0, 0, PAGE + 512 + start, length, PAGE + 512, len(notes))
    struct.pack_into("<QQQ", sub, 80, 0, 0, last)
    sub[512 : 512 + len(notes)] = notes
    assert len(sub) == PAGE
    first = blocks((2 + 2 * half) * PAGE + 24 * len(pages)) * PAGE
    with open(dump, "wb") as f:
        f.write(bytes(head) + bytes(sub) + bytes(bitmaps))
        for i in range(len(pages)):
            f.write(struct.pack("<qIIQ", first + i * PAGE, PAGE, 0, 0))
        f.seek(first)
        for n in sorted(pages):
            f.write(pages[n])


main(*sys.argv[1:])
