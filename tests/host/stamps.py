#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The times of the reports in a text, for leaks.

    stamps.py PROGRAM

Makes texts with reports at known times, in each form in which logs, mails and people write a time, and compares the
number of samples and the seconds that leaks says they cover. Texts of which a report has no time of its own have to
be refused, with the number of that report.
"""

import re
import subprocess
import sys
import tempfile
import time

NUMBER = 8
START = 1796000000 + 80000  # so that the day ends between two reports
STEPS = [600, 60, 3600, 1, 600, 45, 700]  # s between two reports
TIMES = [START + sum(STEPS[:i]) for i in range(NUMBER)]


def slabinfo(i):
    count = 1000 * (i + 1)
    return ["slabinfo - version: 2.1", "# name            <active_objs> <num_objs> <objsize>",
            "demo              %6d %6d   1024   32    8 : tunables    0    0    0 : slabdata  9  9  0" % (count, count),
            "dentry              5000   5000    192   21    1 : tunables    0    0    0 : slabdata  9  9  0"]


def date(form, zone=0):
    return lambda i: time.strftime(form, time.gmtime(TIMES[i] + zone))


def uptime(i):
    return TIMES[i] - START + 100.25


def before(head):
    """A line before each report."""
    return lambda: [line for i in range(NUMBER) for line in [head(i)] + slabinfo(i)]


def on_each(prefix):
    """A prefix of each line; the lines of a report are 0.1 ms apart."""
    return lambda: [prefix(i, n) + line for i in range(NUMBER) for n, line in enumerate(slabinfo(i))]


def memleak():
    lines = []
    for i in range(NUMBER):
        lines += [date("[%H:%M:%S]")(i) + " Top 10 stacks with outstanding allocations:",
                  "\t%d bytes in %d allocations from stack" % (1000 * i + 1000, i + 1),
                  "\t\t0xffffffff8141e2e1\tkmalloc_trace+0x21 [kernel]", "\t\t0xffffffff8141e2e2\tdemo+0x21 [kernel]"]
    return lines


def thread():
    """The newest mail comes first, and quotes the others."""
    lines = []
    for i in range(NUMBER):
        head = "On %s B. User <b.user@example.org> wrote:" % date("%a, %b %d, %Y at %H:%M:%S")(i)
        lines = [head] + ["> " + line for line in slabinfo(i) + [""] + lines]
    return lines


def one_without(missing):
    return [line for i in range(NUMBER)
            for line in ([date("Date: %a, %d %b %Y %H:%M:%S +0000")(i)] if i != missing else []) + slabinfo(i)]


def two_boots():
    return ["[%12.6f] %s" % (100 + (i % 4) * 60 + n / 1e4, line) for i in range(NUMBER)
            for n, line in enumerate(slabinfo(i))]


READ = {
    "date": before(date("%a %b %e %H:%M:%S UTC %Y")),
    "date, 12 hours": before(date("%a %d %b %Y %I:%M:%S %p CET")),
    "date, with a mark": before(date("### %a %b %e %H:%M:%S CET %Y ###")),
    "date -R": before(date("%a, %d %b %Y %H:%M:%S +0530", 19800)),
    "date -Is": before(date("%Y-%m-%dT%H:%M:%S-05:00", -18000)),
    "date +%s": before(lambda i: "%d" % TIMES[i]),
    "date +%T": before(date("%T")),
    "a time of day": before(date("--- %H:%M:%S")),
    "uptime": before(date(" %H:%M:%S up 3 days,  2:03,  1 user,  load average: 0.00, 0.01, 0.05")),
    "/proc/uptime": before(lambda i: "%.2f %.2f" % (uptime(i), 4 * uptime(i))),
    "mail": before(date("Date: %a, %e %b %Y %H:%M:%S +0100", 3600)),
    "thread": thread,
    "dmesg": on_each(lambda i, n: "[%12.6f] " % (uptime(i) + n / 1e4)),
    "dmesg with the task": on_each(lambda i, n: "[%12.6f][  T%d] " % (uptime(i) + n / 1e4, n + 1)),
    "dmesg -T": on_each(lambda i, n: date("[%a %b %e %H:%M:%S %Y] ")(i)),
    "dmesg --time-format iso": on_each(lambda i, n: date("%Y-%m-%dT%H:%M:%S")(i) + ",%06d+00:00 " % n),
    "syslog with dmesg": on_each(lambda i, n: date("%b %e %H:%M:%S box kernel: ")(i) + "[%12.6f] " % uptime(i)),
    "syslog": on_each(lambda i, n: date("%b %e %H:%M:%S box kernel: ")(i)),
    "/dev/kmsg": on_each(lambda i, n: "6,%d,%d,-;" % (i * 9 + n, uptime(i) * 1000000 + n)),
    "memleak": memleak,
}
REFUSED = {
    "no times": (lambda: [line for i in range(NUMBER) for line in ["and then"] + slabinfo(i)], 1),
    "one without a time": (lambda: one_without(3), 4),
    "the first without a time": (lambda: one_without(0), 1),
    "two boots": (two_boots, 5),
    "one time in prose": (before(lambda i: "The machine was started on 2026-11-01 at 10:00:00 by the people of "
                                           "the computing centre."), 1),
}


def leaks(program, lines):
    with tempfile.NamedTemporaryFile("w", prefix="stamps") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        done = subprocess.run([program, "leaks", file.name], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, encoding="utf-8", timeout=60)
    head = dict(re.findall(r"^(samples|seconds): (.*)$", done.stdout, re.M))
    return done.returncode, head, done.stderr


def main():
    program, bad = sys.argv[1], 0
    want = {"samples": "%d" % NUMBER, "seconds": "%d" % (TIMES[-1] - TIMES[0])}
    for name, make in READ.items():
        status, head, said = leaks(program, make())
        if status or head != want or "each is a sample, by " not in said:
            print("%s: got %d %s, want %s\n%s" % (name, status, head, want, said))
            bad = 1
    for name, (make, number) in REFUSED.items():
        status, head, said = leaks(program, make())
        want = "report %d of %d has no time after" % (number, NUMBER) if number > 1 else "%d reports without a time" % NUMBER
        if status != 1 or want not in said:
            print("%s: got %d %s\n%s" % (name, status, head, said))
            bad = 1
    sys.exit(bad)


if __name__ == "__main__":
    main()
