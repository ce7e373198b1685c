#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write the memory of a guest of QEMU as a vmcore, and end the guest.

	dump.py SOCKET FILE [COMPRESSED]	SOCKET is QMP's

COMPRESSED is the same memory in makedumpfile's form, with zlib.

The pages are those of the guest's page tables ("paging"): drgn 0.0.22 cannot read a dump
without. The kernel has to have written its vmcoreinfo (-device vmcoreinfo).
"""
import json
import socket
import sys

path, file, *compressed = sys.argv[1:]
with socket.socket(socket.AF_UNIX) as sock:
    sock.settimeout(300)
    sock.connect(path)
    lines = sock.makefile("rw", encoding="utf-8")

    def command(name, **arguments):
        lines.write(json.dumps({"execute": name, "arguments": arguments}) + "\n")
        lines.flush()
        for line in lines:
            answer = json.loads(line)
            if "error" in answer:
                sys.exit(f"dump: {name}: {answer['error']['desc']}")
            if "return" in answer:
                return
        sys.exit(f"dump: {name}: QEMU ended")

    json.loads(lines.readline())
    command("qmp_capabilities")
    command("dump-guest-memory", paging=True, protocol=f"file:{file}")
    for small in compressed:
        command("dump-guest-memory", paging=False, protocol=f"file:{small}", format="kdump-zlib")
    command("quit")
