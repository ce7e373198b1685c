#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A day of snapshots, recorded by watch.

	history-day.py PROGRAM DIR SITES SAMPLES SHARE AGES [CGROUPS]

Between two samples, a minute apart, SHARE of the SITES allocates and frees objects: rates differ by
a factor of 10,000 from site to site, and from minute to minute by a half. With AGES 1 the snapshots
have the table ages; with CGROUPS, all sites are used by that many cgroups, each of which changes
with its site. One program records all, from a FIFO for each snapshot: none is read twice.
"""
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from module_text import BUILD_ID, sites_head, snapshot_head  # noqa: E402

program, folder = sys.argv[1:3]
nr, samples, share, ages = int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5]), int(sys.argv[6])
cgroups = int(sys.argv[7]) if len(sys.argv) > 7 else 0
rng = random.Random(22)
START, SIZES = 1764028800, (32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096)  # begins with a day
AGES = "== ages\nkmem_account ages 1\n# id\tlive\toldest_ns\tlive_unknown\tcaller\t" + \
       "\t".join("live_lt_%ds" % (1 << i) for i in range(17)) + "\tlive_ge_65536s\n"


class Site:
    def __init__(self, i):
        self.id = i + 1
        self.caller = "function_%d+0x%x/0x400" % (i // 3, 16 * (i % 3 + 1))
        self.size = rng.choice(SIZES)
        self.slack = rng.randrange(self.size // 4)
        self.rate = 10 ** rng.uniform(-1, 3) * 60   # allocations a minute
        self.life = 10 ** rng.uniform(0, 4)         # s
        self.peak = self.frees = 0
        self.allocs = int(self.rate * max(1, self.life / 60))  # as many come as go
        self.births = [(-self.life, self.allocs)]   # (time, how many live)

    def step(self, now):
        n = max(1, int(self.rate * rng.uniform(0.5, 1.5)))
        if ages:
            self.free_by_birth(now)
            self.births.append((now - rng.uniform(0, 60), n))
            self.frees += sum(live for _, live in self.births[:-40])
            self.births = self.births[-40:]
        else:
            self.frees += int(self.live() * min(1, 60 / self.life) * rng.uniform(0.9, 1))
        self.allocs += n
        self.peak = max(self.peak, self.live())
        self.text = self.row()

    def free_by_birth(self, now):
        left = []
        for birth, live in self.births:
            die = min(live, int(live * min(1, 60 / self.life)) + (rng.random() < 0.5))
            self.frees += die
            if live - die:
                left.append((birth, live - die))
        self.births = left

    def live(self):
        return self.allocs - self.frees

    def row(self):
        live = self.live()
        return "%d\t0x0\t%d\t%d\t%d\t%d\t%d\t0\tvmlinux\t0x%x\t%s\t%s\tkmalloc\tkmalloc-%d\t%d\n" % (
            self.id, live * self.size, live * self.slack, live * (self.size - self.slack), self.allocs, self.frees,
            4096 * self.id, BUILD_ID, self.caller, self.size, self.peak * self.size)

    def part(self, cgroup):
        """What a cgroup has of the site: the first one the least."""
        def share(number):
            return number * cgroup * (cgroup + 1) // (cgroups * (cgroups + 1)) - \
                number * cgroup * (cgroup - 1) // (cgroups * (cgroups + 1))

        allocs, frees = share(self.allocs), share(self.frees)
        live = max(allocs - frees, 0)
        return "%d\t%d\t%d\t%d\t%d\t%d\n" % (self.id, cgroup, allocs, allocs - live, live * self.size,
                                            live * (self.size - self.slack))

    def age(self, now):
        counts = [0] * 18
        for birth, live in self.births:
            counts[min(int(now - birth).bit_length(), 17)] += live
        oldest = "%d" % ((now - self.births[0][0]) * 1e9) if self.births else "-"
        return "%d\t%d\t%s\t0\t%s\t%s\n" % (self.id, self.live(), oldest, self.caller,
                                           "\t".join(map(str, counts)))


sites = [Site(i) for i in range(nr)]
for at in range(-20, 0):  # what lives before the day begins
    for site in sites:
        site.step(60 * at)


def snapshot(out, now):
    out.write(snapshot_head((100000 + now) * 10**9, (START + now) * 10**9) + sites_head())
    out.writelines(site.text for site in sites)
    if ages:
        out.write(AGES)
        out.writelines(site.age(now) for site in sites)
    if cgroups:
        out.write("== cgroups\nkmem_account cgroups 1\n# site\tcgroup\tallocs\tfrees\tbytes\trequested\n")
        for site in sites:
            out.writelines(site.part(cgroup) for cgroup in range(1, cgroups + 1))
        out.writelines(["# id\tpath\n"] + ["%d\t/system.slice/service-%d.service\n" % (cgroup, cgroup)
                                           for cgroup in range(1, cgroups + 1)])
    out.write("== end\n")


def new_fifo():
    os.mkfifo(fifo + ".new")
    os.rename(fifo + ".new", fifo)


fifo = folder + ".fifo"
new_fifo()
watch = subprocess.Popen([program, "watch", "-f", fifo, "--interval", "0.01", "-n", str(samples), folder])
try:
    for i in range(samples):
        for site in rng.sample(sites, int(nr * share)):
            site.step(60 * i)
        with open(fifo, "w") as out:  # waits for the reader, who finds another one the next time
            new_fifo()
            snapshot(out, 60 * i)
finally:
    os.remove(fifo)
sys.exit(watch.wait())
