#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare accounts of the known-answer module with the answers, in KTAP.

	known-answer.py ANSWERS DIR ROUNDS [MODULE]

DIR holds N.alloc and N.free for each round, as left by a guest, and, for module
kma_known, a slabinfo. One result for each round and phase, and for the cache.

In ANSWERS a number ending in c is for each possible CPU, of which DIR/possible
tells the last, and - is any number. "none" in place of the numbers: no row.
"""
import re
import sys

COLUMNS = ("allocs", "frees", "req", "total")
OBJECT_BYTES = 208		# what the answers take cache kma_known to give


def answer(word, cpus):
    if word == "-":
        return None
    return int(word[:-1]) * cpus if word.endswith("c") else int(word)


def answers(path, cpus):
    """{phase: {function: (allocs, frees, req, total)}}; None is any number"""
    phases = {"alloc": {}, "free": {}}
    for line in open(path):
        word = line.split()
        if not word or word[0].startswith("#"):
            continue
        if word[1:] == ["none"]:
            for rows in phases.values():
                rows.pop(word[0], None)
            continue
        numbers = tuple(answer(w, cpus) for w in word[1:])
        phases["alloc"][word[0]] = numbers[:4]
        phases["free"][word[0]] = numbers[4:]
    return phases


def account(path, module):
    """The header as a dict, and {function: sums} of the modules of a name."""
    head, rows = open(path).read().split("\n\n", 1)
    header = {k.strip(): int(v) for k, v in
              (line.split(":") for line in head.splitlines() if line[0] != "#")}
    known = {}
    for line in rows.splitlines()[1:]:
        m = re.match(r" *(\d+) +(\d+) +(\d+) +(\d+)/(\d+) +(.*)$", line)
        total, slack, req, allocs, frees = map(int, m.groups()[:5])
        if total != slack + req:
            raise ValueError(f"{path}: {line}: total is not slack + req")
        site = re.match(rf"(\w+)\+0x\w+/0x\w+ \[{module}\]$", m.group(6))
        if not site:
            continue
        old = known.get(site.group(1), (0, 0, 0, 0))
        new = (allocs, frees, req, total)
        known[site.group(1)] = tuple(map(sum, zip(old, new)))
    return header, known


def differs(want, got):
    if not want or not got:
        return want != got
    return any(w is not None and w != g for w, g in zip(want, got))


def differences(want, path, module):
    header, got = account(path, module)
    for function in sorted(want.keys() | got.keys()):
        if differs(want.get(function), got.get(function)):
            yield f"{function}: {got.get(function)}, expected {want.get(function)}"
    if header["events not recorded"]:
        yield f"{header['events not recorded']} events not recorded"
    if header["frees of unknown objects"] < 10:
        yield "fewer than 10 frees of unknown objects"


def main():
    path, folder, rounds = sys.argv[1:4]
    module = sys.argv[4] if len(sys.argv) > 4 else r"kma_known\w*"
    with_cache = len(sys.argv) == 4
    cpus = 1
    if not with_cache:
        # "0-3", or "0"
        cpus += int(open(f"{folder}/possible").read().split("-")[-1])
    phases = answers(path, cpus)
    print(f"KTAP version 1\n1..{2 * int(rounds) + with_cache}")
    n = 1
    failed = False

    def result(ok, name):
        nonlocal n, failed
        print("ok" if ok else "not ok", n, name)
        n += 1
        failed |= not ok

    if with_cache:
        size = [line.split()[3] for line in open(f"{folder}/slabinfo")
                if line.startswith("kma_known ")]
        result(size == [str(OBJECT_BYTES)],
               f"an object of cache kma_known takes {OBJECT_BYTES} bytes by slabinfo")
    for i in range(1, int(rounds) + 1):
        for phase, want in phases.items():
            wrong = list(differences(want, f"{folder}/{i}.{phase}", module))
            for line in wrong:
                print(f"# {line}")
            result(not wrong, f"round {i}, after {phase}: "
                   f"{len(want)} functions by {', '.join(COLUMNS)}")
    return 1 if failed else 0


sys.exit(main())
