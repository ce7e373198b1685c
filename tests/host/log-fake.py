#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A folder that looks like a machine with the module, for kmem-account record --root.

	log-fake.py ROOT LOG

Streams are FIFOs with what LOG (of log-make.py) has; they come with "log on", the rest is
there before. Ends at "log free", after it has written the words that the control file was
given to ROOT/words, and the ms between the first and the last but one to ROOT/ms. A busy machine
may let this script see a word late, so the ms are the most that can have passed: from the last
moment at which the first word had not come yet. ROOT/done is there when all streams were written;
none is written while ROOT/hold is there.
"""
import os
import select
import struct
import sys
import threading
import time

root, log = sys.argv[1], open(sys.argv[2], "rb").read()
PARAMETERS = root + "/sys/module/kmem_account/parameters/"
TRACE = root + "/sys/kernel/debug/kmem_account/trace/"


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


order = "<" if struct.unpack_from("<I", log, 16)[0] < 1 << 16 else ">"
header_len = struct.unpack_from(order + "I", log, 16)[0]
streams, symbols, at = {}, b"", header_len
while at < len(log):
    magic, cpu, size = struct.unpack_from(order + "IIQ", log, at)
    if magic == 0x59534d4b:
        symbols += log[at + 16:at + 16 + size]
    else:
        streams[cpu] = streams.get(cpu, b"") + log[at + 16:at + 16 + size]
    at += 16 + size


def counts(stream):
    """Records and losses of a stream: a BLOCK has both, its records follow; none is a LOST."""
    at = records = lost = 0
    while at < len(stream):
        if stream[at] == 1:
            records, lost = struct.unpack_from(order + "QQ", stream, at + 16)
        else:
            records += 1
        at += 8 * stream[at + 1]
    return records, lost


write(root + "/proc/mounts", b"debugfs /sys/kernel/debug debugfs rw 0 0\n")
write(root + "/proc/kallsyms", b"00000000 a nothing\n" + symbols)
if not os.path.exists(root + "/proc/sys/kernel/random/boot_id"):
    write(root + "/proc/sys/kernel/random/boot_id", b"2b1f5a60-0000-4000-8000-000000000001\n")
for name, value in (("subbufs", b"16\n"), ("subbuf_size", b"262144\n"), ("log", b"N\n")):
    if not os.path.exists(PARAMETERS + name):
        write(PARAMETERS + name, value)
os.makedirs(root + "/run", exist_ok=True)
control = root + "/proc/kmem_account"
if not os.path.exists(control):
    os.mkfifo(control)
# for both: what is written while nobody reads a FIFO is gone
control_fd = os.open(control, os.O_RDWR)
# here from the beginning: a FIFO says nothing of when the module has done as it was told
write(TRACE + "header", log[:header_len])
write(TRACE + "overruns", b"kmem_account overruns 1\n# cpu\trecords\tlost\tnmi\n" + b"".join(
    b"%d\t%d\t%d\t0\n" % ((cpu,) + counts(streams[cpu])) for cpu in sorted(streams)))
for entry in os.listdir(TRACE):
    if entry.startswith("cpu"):
        os.unlink(TRACE + entry)
write(root + "/ready", b"")


def feed(fd, data):
    """Whole records in each write, as the module's relay gives them. A pipe takes them whole."""
    while os.path.exists(root + "/hold"):
        time.sleep(0.01)
    start = at = 0
    while at < len(data):
        size = 8 * data[at + 1]
        if at + size - start > select.PIPE_BUF:
            os.write(fd, data[start:at])
            start = at
        at += size
    os.write(fd, data[start:])


def log_on():
    """The files come with it; the program looks for them again and again."""
    threads = []
    for cpu in streams:
        path = TRACE + "cpu%d" % cpu
        os.mkfifo(path + ".new")
        # for both: a FIFO that nobody writes would be at its end
        fd = os.open(path + ".new", os.O_RDWR)
        os.rename(path + ".new", path)
        threads.append(threading.Thread(target=feed, args=(fd, streams[cpu]), daemon=True))
        threads[-1].start()

    def wait():
        for thread in threads:
            thread.join()
        write(root + "/done", b"")

    threading.Thread(target=wait, daemon=True).start()


words, times, flushes = [], [], 0
while not words or words[-1] != "log free":
    # a moment at which the next word had not been written yet
    before = asked = time.monotonic()
    while not select.select([control_fd], [], [], 0.01)[0]:
        before, asked = asked, time.monotonic()
    for word in os.read(control_fd, 4096).decode().replace("log ", "\nlog ").replace(
            "flush", "\nflush\n").split("\n"):
        if word == "flush":
            flushes += 1
            write(root + "/flushes", b"%d\n" % flushes)
        if word in ("", "flush"):
            continue
        times.append(time.monotonic() if words else before)
        words.append(word)
        if word == "log on":
            log_on()
for entry in os.listdir(TRACE):
    os.unlink(TRACE + entry)
write(root + "/ms", b"%d\n" % (1000 * (times[-2] - times[0]) if len(times) > 1 else 0))
# whole as soon as it is there
write(root + "/words.new", " ".join(words).encode() + b"\n")
os.rename(root + "/words.new", root + "/words")
