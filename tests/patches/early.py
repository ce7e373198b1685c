#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Are the events that the early log had no room for counted, to the event?
#
#	early.py FULL FEW LATE
#
# Directories that agree.guest has left: of a kernel whose log had room for all events that
# come before there are tables, of the same kernel with a log that is too small, and of that
# kernel with tables that came late, with the initcalls.
#
# FEW and LATE have counters in their allocator (counter.py). In one boot, the events that
# the account has counted and those that it reports as lost are together as many as the
# allocator has counted, whatever else the machine does: the counters are read before and
# after the account, and the account must lie between. Other boots do not come into it,
# except for FEW: before there are tables there is one CPU, and interrupts are off, so the
# events that FEW has kept and lost are as many as FULL has kept. The objects that
# /proc/slabinfo has and the account has not can only be objects that were lost.
#
# KTAP on stdout.
import re
import sys
from pathlib import Path

from agree import READERS, Round, header

KEPT = re.compile(r"kmem_account: on since the first slab allocation: added (\d+) events")
LOST = re.compile(r"kmem_account: (\d+) more events at boot were lost")

# Events between two readings of the counters, in the closest round: what the shell needs for
# reading four small files is some dozen. With more, a smaller loss would not be seen.
CLOSE = 200


def said(pattern, folder):
    """The number in the one line of the log that matches; 0 without one"""
    numbers = [int(n) for n in pattern.findall((folder / "dmesg").read_text())]
    if len(numbers) > 1:
        raise ValueError(f"{folder}: said {len(numbers)} times")
    return numbers[0] if numbers else 0


def missing(folder):
    """Objects that slabinfo has more, of caches with more than READERS, at best"""
    rounds = (Round(folder, file.name.split(".")[0]) for file in folder.glob("*.slabinfo"))
    return min(sum(objects for objects, _ in r.rest.values() if objects > READERS)
               for r in rounds)


def stats(path):
    """{key: value} of debugfs' stats"""
    pairs = (line.rsplit(":", 1) for line in path.read_text().splitlines() if ":" in line)
    return {key.strip(): int(value.split()[0]) for key, value in pairs}


class Count:
    """The account's events in one round, and those of the allocator before and after"""

    def __init__(self, file):
        self.before, self.after = (sum(map(int, line.split()))
                                   for line in file.read_text().splitlines())
        told = stats(file.with_suffix(".stats"))
        self.booked = told["events booked"] - told["failed allocations"]
        self.lost = sum(n for key, n in told.items() if key.startswith("not recorded "))

    def between(self):
        return self.before <= self.booked + self.lost <= self.after

    def width(self):
        return self.after - self.before

    def __str__(self):
        return (f"{self.booked} + {self.lost} = {self.booked + self.lost}; "
                f"the allocator: {self.before} to {self.after}")


def results_counted(name, folder):
    """Counted and lost events are all that the allocator of the same boot has counted"""
    counts = [Count(file) for file in sorted(folder.glob("*.counted"))]
    closest = min(counts, key=lambda count: (not count.between(), count.width()))
    # A task that is interrupted between the allocator's counter and the hook is missing in one
    # round. An event that was lost at boot is missing in all of them.
    yield (any(count.between() for count in counts),
           f"{name}: counted and lost are all that the allocator has counted", closest)
    yield (closest.width() <= CLOSE, f"{name}: the counters were read close to the account",
           f"{closest.width()} events in between")


def results_lost(name, full, folder):
    """The account and /proc/slabinfo say what was lost"""
    lost, gone = said(LOST, folder), missing(folder)
    account = header(folder / "account")
    recorded, unknown = account["events not recorded"], account["frees of unknown objects"]
    yield lost > 0, f"{name}: the kernel log reports a loss", f"{lost} lost"
    yield recorded == lost, f"{name}: the account reports as many lost", f"{recorded} not recorded"
    yield unknown <= lost, f"{name}: frees of unknown objects are of these", f"{unknown}"
    yield (missing(full) == 0 < gone <= lost + READERS,
           f"{name}: slabinfo has more than the account, and no more than was lost",
           f"{gone} objects more")
    yield from results_counted(name, folder)


def results(full, few, late):
    all_kept, none_lost = said(KEPT, full), said(LOST, full)
    kept, lost = said(KEPT, few), said(LOST, few)
    yield none_lost == 0 and all_kept > 0, "a log with room loses nothing", f"{all_kept} events"
    yield from results_lost("few", full, few)
    yield kept + lost == all_kept, "few: kept and lost are all there were", f"{kept} + {lost}"
    yield from results_lost("late", full, late)
    yield ("cannot set up the account yet" in (late / "dmesg").read_text(),
           "late: there were no tables at first", f"{said(KEPT, late)} events kept")


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: early.py FULL FEW LATE")
    rows = list(results(*map(Path, sys.argv[1:])))
    print("KTAP version 1", f"1..{len(rows)}", sep="\n")
    for number, (fine, what, note) in enumerate(rows, 1):
        print(f"# {note}", f"{'' if fine else 'not '}ok {number} {what}", sep="\n")
    return not all(fine for fine, _, _ in rows)


sys.exit(main())
