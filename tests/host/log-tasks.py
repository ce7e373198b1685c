#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write an event log with tasks that come, go, take other names and move, and what each task and
cgroup has then.

	log-tasks.py [--seed N] [--old] [--start] [--lost N] LOG TASKS.csv CGROUPS.csv

Written from Documentation/format/log.rst, not from the host program. *.csv have the sorted lines
"OWNER,live,requested,allocs,frees". --old: the module does not mark interrupts, and the longer record
of wide allocations is the short one.
"""
import argparse
import collections
import random
import struct
import zlib

BLOCK, ALLOC, FREE, ALLOC_WIDE, MAGIC = 1, 2, 3, 7, 0x4b4d4142
STEXT, HEAP, START, RATE = 0xffffffff81000000, 0xffff888000000000, 1 << 40, 2_400_000_000
CPUS, EVENTS = 3, 6000
THREAD = 0x10000
COMMS = [b"alpha", b"beta gamma", b"", b"new\nline", b"\x1b[31mred", b"back\\slash", b"\\012", "é".encode(),
         b"kworker/0:1", b"0 1 2", b" lead"]
PATHS = [b"/", b"/a", b"/a/b c", b"/a/\n", b"/x\\y"]


def escape(text):
    return b"".join(b"\\%03o" % c if c < 32 or c in (127, 92) else bytes([c]) for c in text)


def shown(text, none):
    return bytes(63 if c < 32 or c == 127 else c for c in text).decode() if text else none


class Machine:
    """The tasks, as the kernel has them, and the lines about them."""
    def __init__(self, r):
        self.r, self.lines, self.numbers, self.tasks = r, [], {}, {}
        for tid in (1, 2, 7, 8, 100, 101):
            tgid = 100 if tid > 100 else tid
            task = dict(tgid=tgid, kthread=tid in (2, 7), cgroup=r.choice(PATHS),
                        comm=COMMS[tid % len(COMMS)] or b"x")
            self.tasks[tid] = task
            self.first(tid, task)
        self.next = 200

    def first(self, tid, task):
        number = self.number(task["cgroup"])
        self.lines.append(b"#task %d %d %d %d %s" % (tid, task["tgid"], task["kthread"], number,
                                                     escape(task["comm"])))

    def number(self, path):
        if path not in self.numbers:
            self.numbers[path] = len(self.numbers) + 1
            self.lines.append(b"#cgroup %d %s" % (self.numbers[path], escape(path)))
        return self.numbers[path]

    def change(self, time):
        r = self.r
        tid = r.choice(list(self.tasks))
        task = self.tasks[tid]
        what = r.randrange(4)
        if what == 0:
            # a number is used again now and then, and the old task is gone
            new = self.next if r.random() < 0.7 else r.choice([t for t in self.tasks if t > 2])
            self.next += 1
            thread = r.random() < 0.4 and new not in self.tasks and tid > 2
            comm = r.choice(COMMS)
            self.tasks[new] = dict(tgid=task["tgid"] if thread else new, kthread=tid == 2,
                                   cgroup=task["cgroup"], comm=comm)
            line = b"#fork %d %d %d %d %s" % (time, new, tid, THREAD | 0xf00 if thread else 17,
                                              escape(comm))
        elif what == 1:
            task["comm"] = r.choice(COMMS)
            line = b"#comm %d %d %s" % (time, tid, escape(task["comm"]))
        elif what == 2:
            task["cgroup"] = r.choice(PATHS + [None])
            for other in self.tasks.values():
                if task["tgid"] == tid == other["tgid"]:
                    other["cgroup"] = task["cgroup"]
            number = self.number(task["cgroup"]) if task["cgroup"] else 0
            line = b"#move %d %d %d" % (time, tid, number)
        else:
            return
        # as CPUs are read one after the other: not by time, except those of one moment
        self.lines.append(line)


def owners(machine, tid, irq):
    if irq:
        return "[irq]", "[irq]"
    if not tid:
        return "<idle>", "[kthread]"
    task = machine.tasks.get(tid)
    if not task:
        return "[task not in the log]", "[cgroup not in the log]"
    cgroup = shown(task["cgroup"], "[cgroup not in the log]")
    return shown(task["comm"], "[task not in the log]"), "[kthread]" if task["kthread"] else cgroup


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--old", action="store_true")
    parser.add_argument("--start", action="store_true")
    parser.add_argument("--lost", type=int, default=0)
    parser.add_argument("log")
    parser.add_argument("out", nargs=2)
    opts = parser.parse_args()
    r = random.Random(opts.seed)
    machine, time, live = Machine(r), START, []
    streams = [bytearray() for _ in range(CPUS)]
    counts = [collections.defaultdict(lambda: [0, 0, 0, 0]) for _ in range(2)]
    seqs = [0] * CPUS
    for cpu in range(CPUS):
        streams[cpu] += struct.pack("<BBHIQQQII", BLOCK, 5, 0, MAGIC, START, 0, 0, cpu, 0)

    def add(owner, *numbers):
        for count, name in zip(counts, owner):
            for i, n in enumerate(numbers):
                count[name][i] += n

    for number in range(EVENTS):
        time += r.randrange(5000)
        if r.random() < 0.1 and not opts.start:
            # before an event of the same time, or alone
            machine.change(time)
            time += r.randrange(2)
        cpu, delta = r.randrange(CPUS), time - START
        tid = r.choice(list(machine.tasks) + [0, 999999])
        irq = r.random() < 0.1
        if live and r.random() < 0.4:
            ptr, req, size, owner = live.pop(r.randrange(len(live)))
            streams[cpu] += struct.pack("<BBHIQiI", FREE, 3, 1, delta, ptr, 0x2000, tid)
            add(owner, -size, -req, 0, 1)
            seqs[cpu] += 1
            continue
        ptr, req = HEAP + number * 4096, r.randint(1, 4000)
        size, owner = -(-req // 32) * 32, owners(machine, tid, irq and not opts.old)
        site, context = 0x1000 + 16 * r.randrange(4), r.choice((0x100, 0x10000)) if irq and not opts.old else 0
        if r.random() < 0.1:
            body = struct.pack("<QQQQII", ptr, STEXT + site, req, size, tid, 0)
            body += b"" if opts.old else struct.pack("<II", context, 0)
            streams[cpu] += struct.pack("<BBHI", ALLOC_WIDE, (len(body) + 8) // 8, 1, delta) + body
        else:
            streams[cpu] += struct.pack("<BBHIQiIIIII", ALLOC, 5, 1, delta, ptr, site, tid, req, size, 0,
                                        context)
        add(owner, size, req, 1, 0)
        live.append((ptr, req, size, owner))
    # lines of different times in any order, those of one time in theirs
    first = [line for line in machine.lines if line.split()[0] in (b"#task", b"#cgroup")]
    rest = [line for line in machine.lines if line not in first]
    rest.sort(key=lambda line: zlib.crc32(line.split()[1]))
    lines = [b"#tasks start" if opts.start else b"#tasks all"] + first + rest
    if opts.lost:
        lines += [b"#tasks lost 1", b"#tasks lost %d" % opts.lost]
    text = b"".join(line + b"\n" for line in lines + [b"ffffffff81001000 T one", b"ffffffff81002000 T two"])
    header = b"KMALOG\r\n" + struct.pack("<IHHI", 0x01020304, 2, 200, 200)
    header += bytes((64, 12, 2, 1)) + struct.pack("<II", CPUS, 1) + struct.pack(
        "<QQQQ", START, 1_790_000_000_000_000_000, STEXT, STEXT + (1 << 24))
    header += bytes(20) + bytes((0, 0, 0, 0 if opts.old else 1)) + b"6.1.0".ljust(64, b"\0")
    header += b"x86_64".ljust(32, b"\0") + struct.pack("<QQ", RATE, 10 ** 12)
    half = len(text) // 2
    with open(opts.log, "wb") as f:
        f.write(header)
        # a line lies across two chunks
        for part in (text[:half], text[half:]):
            f.write(struct.pack("<IIQ", 0x59534d4b, 0, len(part)) + part)
        for cpu, data in enumerate(streams):
            f.write(struct.pack("<IIQ", 0x48434d4b, cpu, len(data)) + data)
    for count, path in zip(counts, opts.out):
        with open(path, "w") as f:
            f.writelines(sorted("%s,%d,%d,%d,%d\n" % (k, *v) for k, v in count.items()))


if __name__ == "__main__":
    main()
