#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Kill kmem-account record again and again, and compare its file with what it must have.

	log-kill.py PROGRAM FOLDER KILLS [OPTION...]

This program is the module (record --root), on two CPUs: events gather in a buffer for each CPU,
and a buffer is handed out, through a FIFO, when it is full or when the recorder says flush. The
recorder is killed (SIGKILL) at a random moment. OPTIONs are passed to record.

What must be in the file follows from the order of events, not from a time. The recorder says
flush only when the file has all that was readable at the flush before. So if this program has
handed out events, has then seen that no word of the recorder is waiting, and has then got two
flushes, the file has these events: the first of the two was said after they were handed out, and
the second one when they were written.

Each file has to be reported as one without an end, with a prefix of each CPU's events that has at
least those. Written from Documentation/format/log.rst, not from the host program.
"""
import glob
import json
import os
import random
import select
import signal
import struct
import subprocess
import sys
import time

CPUS = 2
STEXT, HEAP = 0xffffffff81000000, 0xffff888000000000
FULL = 2000  # bytes of a buffer
PATIENCE = 120  # s; for a machine that has other work

program, folder, kills, options = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
root = folder + "/root"
TRACE = root + "/sys/kernel/debug/kmem_account/trace/"
control = root + "/proc/kmem_account"
chance = random.Random(19)


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


class Cpu:
    """A stream: events that gather, and those that were handed out."""

    def __init__(self, number):
        self.number, self.events, self.handed, self.buffer, self.queue = number, 0, 0, b"", b""
        self.buffer_events, self.seq, self.base = 0, 0, 0
        path = TRACE + "cpu%d" % number
        os.mkfifo(path + ".new")
        self.fd = os.open(path + ".new", os.O_RDWR | os.O_NONBLOCK)
        os.rename(path + ".new", path)

    def begin(self, now):
        self.base = now
        self.buffer = struct.pack("<BBHIQQQII", 1, 5, 0, 0x4b4d4142, now, self.seq, 0, self.number, 0)
        if not self.seq:
            self.buffer += struct.pack("<BBHIQQQQQQQIB3x", 9, 9, 0, 0, now, now, 0, 0, 0, 0, 0, 0, 1)
            self.seq = 1

    def event(self):
        now = time.monotonic_ns()
        if not self.buffer:
            self.begin(now)
        ptr = HEAP + (self.events * CPUS + self.number) * 64
        self.buffer += struct.pack("<BBHIQiIIIII", 2, 5, 1, now - self.base, ptr, 0x10, 1, 60, 64, 0, 0)
        self.events += 1
        self.seq += 1
        if len(self.buffer) > FULL:
            self.hand_out()

    def hand_out(self):
        """The recorder empties the FIFO, unless it was killed; then nothing matters any more."""
        self.queue += self.buffer
        self.buffer = b""
        while self.queue:
            try:
                self.queue = self.queue[os.write(self.fd, self.queue):]
            except BlockingIOError:
                return
        self.handed = self.events


def prepare():
    """The machine before "log on". Words of the recorder before are taken from the FIFO."""
    while select.select([control_fd], [], [], 0)[0]:
        os.read(control_fd, 4096)
    start = time.monotonic_ns()
    write(TRACE + "header", struct.pack(
        "<8sIHHIBBBBIIQQQQ20sBBBx64s32sQQ", b"KMALOG\r\n", 0x01020304, 1, 200, 200, 64, 12, 1, 1,
        CPUS, 1, start, time.time_ns(), STEXT, 0, b"", 0, 1, 0, b"6.1.0", b"x86_64", 1_000_000_000, start))
    write(TRACE + "overruns", b"kmem_account overruns 1\n# cpu\trecords\tlost\tnmi\n")
    for path in glob.glob(TRACE + "cpu*"):
        os.unlink(path)


class Words:
    """What the recorder writes to the control file."""

    def __init__(self):
        self.on, self.flushes = False, 0

    def waiting(self, seconds):
        return bool(select.select([control_fd], [], [], seconds)[0])

    def get(self):
        text = os.read(control_fd, 4096).decode()
        self.on |= "log on" in text
        self.flushes += text.count("flush")
        return text.count("flush")


def play(recorder, flushes, steps, sure):
    """Be the module for so many FLUSHES and STEPS more; the events that the file must have.
    SURE: and until there is one."""
    words, cpus, marks, must = Words(), [], [], 0
    patience = time.monotonic() + PATIENCE
    while not words.on:
        if recorder.poll() is not None or time.monotonic() > patience:
            sys.exit("the recorder has not begun")
        if words.waiting(0.01):
            words.get()
    cpus = [Cpu(i) for i in range(CPUS)]
    while (steps := steps - (words.flushes >= flushes and (bool(must) or not sure))) >= 0:
        if recorder.poll() is not None or time.monotonic() > patience:
            sys.exit("the recorder has ended, or does not say flush")
        for cpu in cpus:
            for _ in range(chance.randrange(20)):
                cpu.event()
        if words.waiting(0.002):
            words.get()
            for cpu in cpus:
                if cpu.buffer or cpu.queue:
                    cpu.hand_out()
        elif not marks or marks[-1][0] != words.flushes + 2:
            marks.append((words.flushes + 2, [cpu.handed for cpu in cpus]))
        for said, handed in marks:
            if said <= words.flushes and any(handed):
                must = handed
    return must or [0] * CPUS, [cpu.events for cpu in cpus], cpus


def check(path):
    """Check's json, or None if the file has not even a header."""
    done = subprocess.run([program, "check", "--format", "json", path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, timeout=PATIENCE)
    if done.returncode != 1:
        sys.exit("check of a killed recorder's file: exit status %d" % done.returncode)
    return json.loads(done.stdout) if done.stdout else None


def records(path):
    """Events of each CPU, which must be the first ones that it had."""
    data = open(path, "rb").read()
    if data[:4] == b"\x28\xb5\x2f\xfd":
        # a frame that is cut at the end of the file is no reason to drop those before
        data = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False).stdout
    streams, at = [b""] * CPUS, 200
    while at + 16 <= len(data):
        magic, cpu, size = struct.unpack_from("<IIQ", data, at)
        if magic == 0x48434d4b:
            streams[cpu] += data[at + 16:at + 16 + size]
        at += 16 + size
    got = []
    for number, stream in enumerate(streams):
        at, nr = 0, 0
        while at + 8 <= len(stream) and at + 8 * stream[at + 1] <= len(stream):
            if stream[at] == 2:
                if struct.unpack_from("<Q", stream, at + 8)[0] != HEAP + (nr * CPUS + number) * 64:
                    sys.exit("%s: event %d of CPU %d is another one" % (path, nr, number))
                nr += 1
            at += 8 * stream[at + 1]
        got.append(nr)
    return got


def kill_one(flushes, steps, sure):
    """One recorder, killed; how many events must be there, are there, and were logged."""
    prepare()
    recorder = subprocess.Popen([program, "record", "--root", root, "-o", folder + "/killed.log", "-q",
                                 "--no-symbols", *options])
    must, logged, cpus = play(recorder, flushes, steps, sure)
    recorder.send_signal(signal.SIGKILL)
    if recorder.wait() != -signal.SIGKILL:
        sys.exit("the recorder has ended by itself: %d" % recorder.returncode)
    for cpu in cpus:
        os.close(cpu.fd)
    (path,) = glob.glob(folder + "/killed.log.??????")
    said, got = check(path), [0] * CPUS
    if said:
        got = records(path)
        if "no_end" not in said["summary"] or set(said["summary"]) - {"no_end", "cut"}:
            sys.exit("check says %s" % said["summary"])
        if said["allocations"] != sum(got):
            sys.exit("check says %d events, there are %s" % (said["allocations"], got))
    os.unlink(path)
    if any(g < m for g, m in zip(got, must)):
        sys.exit("of CPUs %s events must be there, %s are" % (must, got))
    return sum(must), sum(got), sum(logged)


write(root + "/proc/mounts", b"debugfs /sys/kernel/debug debugfs rw 0 0\n")
write(root + "/proc/kallsyms", b"")
write(root + "/proc/sys/kernel/random/boot_id", b"2b1f5a60-0000-4000-8000-000000000001\n")
for name, value in (("subbufs", b"16\n"), ("subbuf_size", b"262144\n"), ("log", b"N\n")):
    write(root + "/sys/module/kmem_account/parameters/" + name, value)
os.makedirs(root + "/run", exist_ok=True)
if not os.path.exists(control):
    os.mkfifo(control)
control_fd = os.open(control, os.O_RDWR)
sums, least = [0, 0, 0], 0
for i in range(kills):
    one = kill_one(chance.randrange(5), chance.randrange(30), i % 3 == 0)
    sums = [a + b for a, b in zip(sums, one)]
    least += one[0] > 0
print("# %d kills; events: %d must be there, %d are, %d were logged" % (kills, *sums))
# A test that kills before anything is written, or after everything is, shows nothing.
if least < kills / 4 or sums[1] >= sums[2]:
    sys.exit("in %d of %d files there must be events" % (least, kills))
