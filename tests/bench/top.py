#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What top costs on a terminal: an account of many sites, all of which change each second.

	top.py PROGRAM [SITES [SECONDS [CGROUPS]]]	5000 sites, 20 seconds, no cgroups

With cgroups the account is a snapshot of the module, in which each site has objects of each cgroup.
Prints the CPU time, the bytes written to the terminal and the memory.  The account is a file; what
the module takes to make one is not in the figure (bench.rst has that).
"""
import os
import pty
import select
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from module_text import SITES_ALL, sites_head, snapshot_head  # noqa: E402

program = os.path.abspath(sys.argv[1])
sites = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
cgroups = int(sys.argv[4]) if len(sys.argv) > 4 else 0


def snapshot(f, turn, rows):
    f.write(snapshot_head(turn * 10**9, (1750000000 + turn) * 10**9) + sites_head(SITES_ALL))
    for i, (size, caller) in enumerate(rows, 1):
        f.write(f"{i}\t0\t{size * cgroups}\t0\t{size * cgroups}\t{turn * cgroups}\t0\t0\t0\t0\t0\tvmlinux\t{i}\t-\t{caller}\t"
                f"kmalloc\tkmalloc-64\t{size}\t{size}\t-\t0\t0\n")
    f.write("== cgroups\nkmem_account cgroups 1\n# site\tcgroup\tallocs\tfrees\tbytes\trequested\n")
    for i, (size, _) in enumerate(rows, 1):
        for group in range(1, cgroups + 1):
            f.write(f"{i}\t{group}\t{turn}\t0\t{size}\t{size}\n")
    f.write("# id\tpath\n" + "".join(f"{group}\t/system.slice/service-{group}.service\n"
                                    for group in range(1, cgroups + 1)) + "== end\n")


def account(turn):
    rows = [(1000000 // (i + 1) + i % (turn + 1), f"function_{i}+0x{i % 4096:x}/0x1000")
            for i in range(sites)]
    if cgroups:
        with open("account.new", "w") as f:
            snapshot(f, turn, rows)
        os.rename("account.new", "account")
        return
    total = sum(size for size, _ in rows)
    with open("account.new", "w") as f:
        f.write(f"total bytes allocated: {total}\ntotal bytes requested: {total}\n"
                f"slack bytes allocated: 0\nnumber of allocs: {turn * sites}\n"
                f"number of frees: 0\nnumber of callers: {sites}\nfrees of unknown objects: 0\n"
                "implied frees: 0\nevents not recorded: 0\n\n"
                "   total    slack      req alloc/free  caller\n")
        for size, caller in rows:
            f.write(f"{size:8} {0:8} {size:8} {turn:5}/{0:<5}  {caller}\n")
    os.rename("account.new", "account")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    account(1)
    pid, fd = pty.fork()
    if not pid:
        os.environ.update({"TERM": "xterm-256color", "LINES": "50", "COLUMNS": "180" if cgroups else "160"})
        os.execv(program, [program, "top", "account"])
    began = last = time.monotonic()
    written, turn = 0, 1
    while time.monotonic() - began < seconds:
        if select.select([fd], [], [], 0.1)[0]:
            written += len(os.read(fd, 65536))
        if time.monotonic() - last > 0.9:
            turn, last = turn + 1, time.monotonic()
            account(turn)
    os.write(fd, b"q")
    while True:
        try:
            if not os.read(fd, 65536):
                break
        except OSError:
            break
    _, status, usage = os.wait4(pid, 0)
    cpu = usage.ru_utime + usage.ru_stime
    print(f"{sites} sites{f', {cgroups} cgroups' if cgroups else ''}, all change each second: {cpu / seconds:.2%} of one CPU, "
          f"{written / seconds:.0f} bytes/s to the terminal, {usage.ru_maxrss / 1024:.0f} MiB")
    sys.exit(status)
