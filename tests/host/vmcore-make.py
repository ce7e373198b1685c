#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Make a dump of a kernel that never ran, and the tables of its module: vmcore-make.py DIR.

The machine has 4 MiB from address 0, of which the last 64 KiB are missing in DIR/vmcore. The pages
hold words that refer to objects; the names of the call sites in DIR/sites say which objects a scan has to
call lost: lost_* are referred to from pages only that a scan leaves out. DIR/vmcore.many has the
same memory in more segments than an ELF header can count.
"""
import os
import struct
import sys

PAGE, END = 4096, 4 << 20
MISSING = END - 0x10000
DIRECT, IMAGE, TABLE = 0xFFFF888000000000, 0xFFFFFFFF80000000, 0xFFFFEA0000000000
TEXT, TEXT_AT = IMAGE + 0x1000000, 0x200000  # the image, and its physical address
PGD, PAGES, SECTIONS = 0x100000, 0x300000, 0x110000
LRU, SLAB, POISON, HEAD = 1 << 5, 1 << 9, 1 << 22, 1 << 16
BUDDY, OFFLINE = 0xFFFFFF7F, 0xFFFFFEFF

memory = bytearray(END)


def word(at, value):
    struct.pack_into("<Q", memory, at, value)


def half(at, value):
    struct.pack_into("<I", memory, at, value)


# Page tables: the direct map and the image by 2 MiB, the table of pages by 4 KiB.
tables = iter(range(PGD + PAGE, PGD + 0x10000, PAGE))


def entry(table, index, value=None):
    """Set an entry, or find the table that it leads to."""
    at = table + 8 * index
    if value is not None:
        word(at, value)
    elif not struct.unpack_from("<Q", memory, at)[0]:
        word(at, next(tables) | 0x63)
    return struct.unpack_from("<Q", memory, at)[0] & ~0xFFF


def map_page(addr, physical, large):
    table = PGD
    for shift in 39, 30:
        table = entry(table, addr >> shift & 511)
    if large:
        entry(table, addr >> 21 & 511, physical | 0xE3)
    else:
        entry(entry(table, addr >> 21 & 511), addr >> 12 & 511, physical | 0x63)


for physical in range(0, END, 2 << 20):
    map_page(DIRECT + physical, physical, True)
map_page(TEXT, TEXT_AT, True)
for physical in range(0, END // PAGE * 64, PAGE):
    map_page(TABLE + physical, PAGES + physical, False)
word(SECTIONS, DIRECT + SECTIONS + PAGE)
word(SECTIONS + PAGE, TABLE | 0xF)


def page(at, flags=0, mapping=0, kind=0xFFFFFFFF, head=None, private=0, count=1):
    """The kernel's description of a page, as of 6.1."""
    to = PAGES + at // PAGE * 64
    word(to, flags)
    word(to + 8, DIRECT + 0x1000 if head is None else TABLE + head // PAGE * 64 | 1)
    word(to + 24, mapping)
    word(to + 40, private)
    half(to + 48, kind)
    half(to + 52, count)


for at in range(0, END, PAGE):
    page(at)

sites, live = [], []


def objects(name, at, nr=1):
    """Objects of a call site; the first one's address."""
    sites.append(f"{name}+0x10/0x20")
    for i in range(nr):
        live.append((DIRECT + at + 64 * i, len(sites)))
    return DIRECT + at


heap = iter(range(0x142000, 0x14F000, 0x400))
page(0x140000, SLAB)
word(0x140000, objects("held_by_slab_older", next(heap)))
# A slab's word where other pages have their mapping is not one.
page(0x141000, SLAB, mapping=1)
word(0x141000, objects("held_by_slab_anon", next(heap)))
word(TEXT_AT + 0x2008, objects("held_by_variable", next(heap)))
at = next(heap)
held = objects("held_by_list", at, 3)
word(TEXT_AT + 0x3000, held)
word(at + 16, held + 64)
word(at + 64 + 16, held + 128 + 8)
word(0x150000, objects("held_by_tail", next(heap)))
page(0x14F000, HEAD)
page(0x150000, head=0x14F000)
at = next(heap)
chain = objects("lost_chain", at, 3)
word(at, chain + 64)
word(at + 64, chain + 128)
word(0x160000, objects("lost_in_cache", next(heap)))
page(0x160000, LRU)
word(0x162000, objects("lost_in_cache_tail", next(heap)))
page(0x161000, LRU | HEAD)
page(0x162000, head=0x161000)
word(0x164000, objects("lost_in_anon", next(heap)))
page(0x164000, mapping=DIRECT + 1)
# A free block of four pages: only the first one says so.
word(0x16B000, objects("lost_in_free", next(heap)))
page(0x168000, kind=BUDDY, private=2, count=0)
for at in 0x169000, 0x16A000, 0x16B000:
    page(at, count=0)
# The page behind the block is not in it.
page(0x16C000, count=0)
word(0x16C000, objects("held_behind_free", next(heap)))
word(0x170000, objects("lost_in_poisoned", next(heap)))
page(0x170000, POISON)
word(0x171000, objects("lost_in_offline", next(heap)))
page(0x171000, kind=OFFLINE)
word(MISSING, objects("lost_in_missing", next(heap)))

INFO = f"""OSRELEASE=6.1.0-made
PAGESIZE=4096
SYMBOL(swapper_pg_dir)={TEXT - TEXT_AT + PGD:x}
SYMBOL(_stext)={TEXT:x}
SYMBOL(mem_section)={DIRECT + SECTIONS:x}
LENGTH(mem_section)=2048
SIZE(mem_section)=16
OFFSET(mem_section.section_mem_map)=0
NUMBER(SECTION_SIZE_BITS)=27
NUMBER(MAX_PHYSMEM_BITS)=46
SIZE(page)=64
OFFSET(page.flags)=0
OFFSET(page._refcount)=52
OFFSET(page.mapping)=24
OFFSET(page._mapcount)=48
OFFSET(page.private)=40
OFFSET(page.compound_head)=8
LENGTH(zone.free_area)=11
NUMBER(PG_lru)=5
NUMBER(PG_slab)=9
NUMBER(PG_hwpoison)=22
NUMBER(PG_head_mask)={HEAD}
NUMBER(PAGE_BUDDY_MAPCOUNT_VALUE)={BUDDY - (1 << 32)}
NUMBER(PAGE_OFFLINE_MAPCOUNT_VALUE)={OFFLINE - (1 << 32)}
NUMBER(phys_base)={TEXT_AT - 0x1000000}
NUMBER(pgtable_l5_enabled)=0
KERNELOFFSET=0
"""


def note(name, kind, text):
    name += b"\0"
    return struct.pack("<III", len(name), len(text), kind) + b"".join(
        part.ljust(len(part) + 3 & ~3, b"\0") for part in (name, text)
    )


def write(path, segments):
    """Segments are (address, physical address, bytes in the file, bytes)."""
    notes = note(b"CORE", 1, bytes(336)) + note(b"VMCOREINFO", 0, INFO.encode())
    count = len(segments) + 1
    start = 64 + 56 * count + 64
    data = start + len(notes) + PAGE & -PAGE
    many = count >= 0xFFFF
    with open(path, "wb") as f:
        f.write(b"\x7fELF\x02\x01\x01" + bytes(9))
        f.write(
            struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 64 + 56 * count if many else 0, 0, 64, 56,
                        0xFFFF if many else count, 64 if many else 0, int(many), 0)
        )
        f.write(struct.pack("<IIQQQQQQ", 4, 0, start, 0, 0, len(notes), len(notes), 0))
        for addr, physical, there, size in segments:
            f.write(struct.pack("<IIQQQQQQ", 1, 7, data + physical, addr, physical, there, size, 0))
        f.write(struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 0, 0, count, 0, 0) if many else bytes(64))
        f.write(notes)
        f.seek(data)
        f.write(memory[:MISSING])


directory = sys.argv[1]
whole = [(DIRECT, 0, MISSING, END)]
# As QEMU writes it: by virtual addresses, with pages that are mapped more than once.
write(os.path.join(directory, "vmcore"),
      [(TEXT, TEXT_AT, 0x80000, 0x80000), (TABLE, PAGES, 0x10000, 0x10000), (0x7F0000000000, 0x164000, PAGE, PAGE)] + whole)
write(os.path.join(directory, "vmcore.many"),
      [(DIRECT + at % MISSING, at % MISSING, PAGE, PAGE) for at in range(0, 70000 * PAGE, PAGE)] + [(DIRECT + MISSING, MISSING, 0, END - MISSING)])
with open(os.path.join(directory, "sites"), "w") as f:
    f.write("kmem_account sites 1\n# id\tcaller\n")
    for i, caller in enumerate(sites):
        f.write(f"{i + 1}\t{caller}\n")
with open(os.path.join(directory, "live"), "w") as f:
    f.write("kmem_account live 1\n# address\tsite\ttotal\treq\tkind\tage_ns\tcpu\n")
    for addr, site in live:
        f.write(f"{addr:#x}\t{site}\t64\t64\tobject\t-\t-\n")
with open(os.path.join(directory, "kallsyms"), "w") as f:
    for offset, name in (0, "_text"), (0, "_stext"), (0x2000, "made_variable"), (0x3000, "made_list"), (0x80000, "_end"):
        f.write(f"{TEXT + offset:016x} D {name}\n")
