#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Make an event log of the files below trace/, as log.guest leaves them.

	log-pack.py FOLDER LOG

Written from Documentation/format/log.rst alone: the header, then a chunk of each CPU's
stream, and one of kallsyms. The machine that writes it has the target's byte order.
"""
import re
import struct
import sys
from pathlib import Path


def chunk(magic, cpu, data):
    return struct.pack("=IIQ", magic, cpu, len(data)) + data


def main():
    folder = Path(sys.argv[1])
    log = [(folder / "header").read_bytes(),
           chunk(0x59534D4B, 0, (folder / "kallsyms").read_bytes())]
    for file in folder.iterdir():
        if re.fullmatch(r"cpu\d+", file.name):
            log.append(chunk(0x48434D4B, int(file.name[3:]), file.read_bytes()))
    Path(sys.argv[2]).write_bytes(b"".join(log))


main()
