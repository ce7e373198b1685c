#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The events of a log of tracefs in another form in which people have them.

	log-forms.py FORM <LOG

FORM:
	tracefs		as it is
	tgid		with trace_options record-tgid
	no-irq-info	without trace_options irq-info
	trace-cmd	trace-cmd report (3.1)
	perf		perf script (6.1)
	64-bit		a kernel of before 4.13, which prints addresses of code as numbers
	32-bit		the same with 32 bits

Only the form differs: names of call sites become addresses where the kernel had no names, and
these differ where the names do.
"""
import re
import sys
import zlib

LINE = re.compile(r"(.{16})-(\d+) +\[(\d+)\] (\S+) +([\d.]+): (\w+): (.*)$")
SITE = re.compile(r"call_site=(\S+?)(/0x[0-9a-f]+)?( \[\w+\])? ")


def without_size(rest):
    return SITE.sub(r"call_site=\1 ", rest).replace("ptr=", "ptr=0x")


def as_address(rest, digits):
    site = SITE.search(rest)
    address = 0xffffffff81000000 + (zlib.crc32(site[0].encode()) & 0xffffff) if site else 0
    rest = SITE.sub("call_site=%x " % (address & (1 << 4 * digits) - 1), rest)
    return re.sub(r"ptr=[0-9a-f]*?([0-9a-f]{%d})\b" % digits, r"ptr=\1", rest)


FORMS = {
    "tracefs": lambda c, p, cpu, f, t, n, r: "%s-%-7s [%s] %s %12s: %s: %s" % (c, p, cpu, f, t, n, r),
    "tgid": lambda c, p, cpu, f, t, n, r:
        "%s-%-7s (%7s) [%s] %s %12s: %s: %s" % (c, p, p, cpu, f, t, n, r),
    "no-irq-info": lambda c, p, cpu, f, t, n, r: "%s-%-7s [%s] %12s: %s: %s" % (c, p, cpu, t, n, r),
    "trace-cmd": lambda c, p, cpu, f, t, n, r: "%s-%-5s [%s] %12s: %-21s (%s) %s" % (
        c, p, cpu, t, n + ":", SITE.search(r)[1], without_size(r)),
    "perf": lambda c, p, cpu, f, t, n, r: "%s %5s [%s] %12s: %30s: (%s) %s" % (
        c, p, cpu, t, "kmem:" + n, SITE.search(r)[1], without_size(r)),
    "64-bit": lambda c, p, cpu, f, t, n, r:
        "%s-%-5s [%s] %s %12s: %s: %s" % (c, p, cpu, f[:4], t, n, as_address(r, 16)),
    "32-bit": lambda c, p, cpu, f, t, n, r:
        "%s-%-5s [%s] %s %12s: %s: %s" % (c, p, cpu, f[:4], t, n, as_address(r, 8)),
}


def main():
    form = FORMS[sys.argv[1]]
    for line in sys.stdin:
        m = LINE.match(line)
        if m and "call_site=" in m[7]:
            print(form(*m.groups()))


main()
