#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Make page tables, and say where they lead: page-tables.py MACHINE GRANULE VA_BITS SEED.

MACHINE is x86 or arm, GRANULE the bits of an address in a page, VA_BITS those of an address of the kernel. By the
manuals: Intel's volume 3, 4.5, and Arm's DDI 0487, D8.3. Prints lines "top PHYSICAL", "word PHYSICAL VALUE" for each word
of a table that is not zero, and "page ADDRESS PHYSICAL" or "page ADDRESS none" for addresses of pages of 4 KiB.
"""
import random
import sys

machine, granule, va_bits, seed = sys.argv[1], *map(int, sys.argv[2:])
random.seed(f"{sys.argv[1:]}")
PAGE = 1 << granule
PA_BITS = 52 if machine == "x86" or (granule, va_bits) == (16, 52) else 48

words, used, answers = {}, set(), []


def frame(size):
    """Physical memory of a size, in which nothing else is."""
    while True:
        at = random.randrange(1, 1 << (PA_BITS - 1)) // size * size
        if machine == "x86":
            at &= (1 << 51) - 1
        if at and not used & {at >> 30}:
            used.add(at >> 30)
            return at


def fields(va):
    """The parts of an address, the highest level first: (bits, index), without the offset in a page."""
    text = f"{va & ((1 << va_bits) - 1):0{va_bits}b}"[: va_bits - granule]
    out = []
    while text:
        part = text[-(granule - 3) :]
        text = text[: -len(part)]
        out.insert(0, (len(part), int(part, 2)))
    return out


def flags():
    if machine == "x86":
        keep = [1, 2, 5, 6, 8, 9, 10, 11, *range(52, 59), 63]
    else:
        keep = [2, 3, 4, 6, 7, 10, 11, *range(50, 59)]
        if va_bits < 52 or granule == 16:
            keep += [8, 9]  # with LPA2 these are bits 50 and 51 of the address, which are 0 here
    return sum(1 << bit for bit in keep if random.random() < 0.5)


def address(physical):
    """As an entry has it."""
    if machine == "arm" and granule == 16:
        return physical & ((1 << 48) - 1) | (physical >> 48 & 15) << 12
    return physical


def entry(physical, kind):
    if machine == "x86":
        large = 1 << 7 | random.getrandbits(1) << 12  # bit 12 is an attribute then
        return physical | 1 | (large if kind == "block" else 0) | flags()
    return address(physical) | {"table": 3, "page": 3, "block": 1}[kind] | (0 if kind == "table" else flags())


def map_at(va, size_bits):
    """Map 2**size_bits bytes at an address; False if a part of it is mapped already."""
    table, left = top, va_bits
    for bits, index in fields(va):
        left -= bits
        at = table + 8 * index
        if left == size_bits:
            if at in words:
                return False
            physical = frame(1 << size_bits)
            words[at] = entry(physical, "page" if size_bits == granule else "block")
            mapped.append((va >> size_bits << size_bits, size_bits, physical))
            return True
        if at in words:
            if at not in next_table:
                return False
        else:
            next_table[at] = frame(PAGE)
            words[at] = entry(next_table[at], "table")
        table = next_table[at]


top, next_table, mapped = frame(PAGE), {}, []
step = granule - 3
sizes = [granule, granule + step] + ([granule + 2 * step] if granule == 12 else [])
low = -(1 << va_bits)
regions = [low + random.randrange(1 << (va_bits - 1)) for _ in range(6)]
for _ in range(200):
    size = random.choice(sizes)
    at = random.choice(regions) + random.randrange(1 << 34)
    if at < 0:
        map_at(at >> size << size, size)

for va, size, physical in mapped:
    for _ in range(3):
        inside = random.randrange(1 << size) & ~0xFFF
        answers.append((va + inside, physical + inside))
for _ in range(300):
    at = (random.choice(regions) + random.randrange(1 << 34)) & ~0xFFF
    if at < 0 and not any(va <= at < va + (1 << size) for va, size, _ in mapped):
        answers.append((at, None))

print(f"top {top:x}")
for at, value in sorted(words.items()):
    print(f"word {at:x} {value:x}")
for va, physical in answers:
    print(f"page {va & (1 << 64) - 1:x} {'none' if physical is None else f'{physical:x}'}")
