#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Rows of an account with two objects of each call of a made file (types.sh).

	typed-calls.py FILE CALLS [MODULE [PREFIX]]

CALLS has a line for each function: its name, the sizes of two objects, the function that it calls
("": kmalloc, "*": through a pointer), and the type. The return address is that of objdump, of which
PREFIX is before the name for another machine.
"""
import re
import subprocess
import sys

path, calls = sys.argv[1:3]
module = " [%s]" % sys.argv[3] if sys.argv[3:] and sys.argv[3] else ""
prefix = sys.argv[4] if len(sys.argv) > 4 else ""

sizes = {}
for line in subprocess.run([prefix + "nm", "-S", path], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
    words = line.split()
    if len(words) == 4:
        sizes[words[3]] = int(words[1], 16)

# function: [(offset after a call, what it says of its target)]
returns, function = {}, None
for line in subprocess.run([prefix + "objdump", "-dr", "--no-show-raw-insn", path], check=True, stdout=subprocess.PIPE,
                           text=True).stdout.splitlines():
    head = re.match(r"([0-9a-f]+) <(\w+)>:", line)
    code = re.match(r" *([0-9a-f]+):\t(\S.*)", line)
    if head:
        start, function, pending = int(head[1], 16), head[2], None
    elif "R_X86_64" in line and pending:
        pending += line
    elif code and function:
        if pending:
            returns.setdefault(function, []).append((int(code[1], 16) - start, pending))
        pending = code[2] if re.match(r"call|blr?\b", code[2]) else None

for line in open(calls, encoding="utf-8"):
    name, first, second, callee, _ = line.rstrip("\n").split("\t")
    found = [at for at, target in returns.get(name, [])
             if (callee or "kmalloc") in target]
    if len(found) == 1:
        size = int(first) + int(second)
        print("%d 0 %d 2 0 %s+0x%x/0x%x%s" % (size, size, name, found[0], sizes[name], module))
