#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write small event logs with and without boundary records.

	log-bounds.py FOLDER

Written from Documentation/format/log.rst with struct.pack, not from the host program. Each
log has two CPUs. In all but where the name says so, CPU 0 frees A, which is older than the
log, allocates B, frees it and frees it again; CPU 1 allocates C.
"""
import pathlib
import struct
import sys

BEGIN, END_TIME, WALL = 1_000_000, 9_000_000, 1_700_000_000_000_000_000
A, B, C, EARLY = (0xffff888000001000 + 0x100 * i for i in range(4))
STEXT = 0xffffffff81000000


def header(bounds, totals):
    return struct.pack("<8sIHHIBBBBIIQQQQ20sBBBx64s32sQQ", b"KMALOG\r\n", 0x01020304, 1, 200, 200,
                       64, 12, 1, 1, 2, 1, BEGIN, WALL, STEXT, 0, b"", 0, bounds, totals,
                       b"6.1.0", b"x86_64", 1_000_000_000, BEGIN)


def block(cpu, time):
    return struct.pack("<BBHIQQQII", 1, 5, 0, 0x4b4d4142, time, 0, 0, cpu, 0)


def alloc(delta, ptr):
    return struct.pack("<BBHIQiIIIII", 2, 5, 1, delta, ptr, 0x10, 1, 60, 64, 0, 0)


def free(delta, ptr):
    return struct.pack("<BBHIQiI", 3, 3, 1, delta, ptr, 0x20, 1)


def bound(kind, delta, time, records, nmi=0, missed=0, streams=0, lost=0):
    return struct.pack("<BBHIQQQQQQQIB3x", kind, 9, 0, delta, time, time, 0, records, lost, nmi,
                       missed, streams, 1)


def start(delta=0, time=BEGIN, records=0):
    return bound(9, delta, time, records)


def end(records, **more):
    return bound(10, 5000, END_TIME, records, streams=2, **more)


def chunk(cpu, data):
    return struct.pack("<IIQ", 0x48434d4b, cpu, len(data)) + data


def totals(*lines):
    text = "".join(line + "\n" for line in lines).encode()
    return struct.pack("<IIQ", 0x59534d4b, 0, len(text)) + text


EVENTS = free(10, A) + alloc(20, B) + free(30, B) + free(40, B)
ONE = block(1, BEGIN) + start() + alloc(15, C)
WHOLE = block(0, BEGIN) + start() + EVENTS + end(5), ONE + end(2)
OLD = block(0, BEGIN) + EVENTS, block(1, BEGIN) + alloc(15, C)
LOGS = {
    "whole": (1, *WHOLE),
    "old": (0, *OLD),
    "killed": (1, block(0, BEGIN) + start() + EVENTS + end(5), ONE),
    "unread": (1, block(0, BEGIN) + start() + EVENTS + end(5), None),
    "empty": (1, None, None),
    "missed": (1, block(0, BEGIN) + start() + EVENTS + end(5, missed=7),
               ONE + end(2, missed=7, nmi=3)),
    # two frees of an object before the log begins, and one after: no error, but unknown
    "before": (1, block(0, BEGIN) + free(1, EARLY) + start(5, BEGIN + 5, 1) + free(7, EARLY) + end(3),
               block(1, BEGIN) + start(0, BEGIN + 5) + alloc(15, C) + end(2)),
}


# of a recorder that writes totals: bounds of the streams, the totals, the streams
TOTALS = {
    "totals": (1, totals("#total 0 6 0 0", "#total 1 3 0 0", "#end 2"), *WHOLE),
    "totals-old": (0, totals("#total 0 4 0 0", "#total 1 1 0 0", "#end 2"), *OLD),
    # the recorder was killed when it had read all streams
    "no-totals": (1, b"", *WHOLE),
    "no-totals-old": (0, b"", *OLD),
    # the last line is missing, or it is of more CPUs, or it is cut within its number
    "cut-line": (1, totals("#total 0 6 0 0", "#total 1 3 0 0"), *WHOLE),
    "cut-total": (1, totals("#total 0 6 0 0", "#end 2"), *WHOLE),
    "cut-number": (1, totals("#total 0 6 0 0", "#total 1 3 0 0", "#end 2")[:-1], *WHOLE),
    # CPU 1 has 3 more, of which 1 was lost, and CPU 0 all; a CPU that is none has no stream
    "tail": (0, totals("#total 0 4 0 0", "#total 1 4 1 0", "#end 2"), *OLD),
    "gone": (0, totals("#total 0 4 0 0", "#total 1 1 0 0", "#end 2"), OLD[0], None),
    "foreign": (1, totals("#total 0 6 0 0", "#total 1 3 0 0", "#total 2 9 0 0", "#end 2"), *WHOLE),
}


def main():
    logs = {name: (log[0], 0, b"", *log[1:]) for name, log in LOGS.items()}
    logs.update({name: (log[0], 1, *log[1:]) for name, log in TOTALS.items()})
    for name, (bounds, flag, text, *streams) in logs.items():
        data = header(bounds, flag) + b"".join(chunk(i, s) for i, s in enumerate(streams) if s)
        pathlib.Path(sys.argv[1], name + ".log").write_bytes(data + text)


main()
