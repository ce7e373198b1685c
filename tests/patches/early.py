#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Is what the early log had no room for counted, to the event?
#
#	early.py FULL FEW LATE SAME
#
# Folders that agree.guest has left: of a kernel whose log had room for all that comes
# before there are tables, of the same one with a log that is too small, of that with
# tables that came late, with the initcalls, and of the first with the memory and the clock
# of the third. What is kept and what is lost of the second must be as many as the first has
# kept; what is booked and what is lost of the third, about as many as the fourth has booked,
# for no two boots are the same. What /proc/slabinfo has more than the account can only be
# objects that were lost.
#
# KTAP on stdout.
import re
import sys
from pathlib import Path

from agree import READERS, Round, header

KEPT = re.compile(r"kmem_account: on since the first slab allocation: added (\d+) events")
LOST = re.compile(r"kmem_account: (\d+) more events at boot were lost")

# of the events of a boot; boots that count instructions differed by 0.0006 and 0.0011
ALIKE = 0.003


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


def booked(folder):
    account = header(folder / "account")
    return account["number of allocs"] + account["number of frees"]


def results_lost(name, full, folder):
    """Whatever was lost: the account and /proc/slabinfo say so"""
    lost, gone = said(LOST, folder), missing(folder)
    account = header(folder / "account")
    recorded, unknown = account["events not recorded"], account["frees of unknown objects"]
    yield lost > 0, f"{name}: the log of the kernel tells of a loss", f"{lost} lost"
    yield recorded == lost, f"{name}: the account names what was lost", f"{recorded} not recorded"
    yield unknown <= lost, f"{name}: frees of unknown objects are of these", f"{unknown}"
    yield (missing(full) == 0 < gone <= lost + READERS,
           f"{name}: slabinfo has more than the account, and no more than was lost",
           f"{gone} objects more")


def results(full, few, late, same):
    all_kept, none_lost = said(KEPT, full), said(LOST, full)
    kept, lost = said(KEPT, few), said(LOST, few)
    yield none_lost == 0 and all_kept > 0, "a log with room loses nothing", f"{all_kept} events"
    yield from results_lost("few", full, few)
    yield kept + lost == all_kept, "few: kept and lost are all there were", f"{kept} + {lost}"
    yield from results_lost("late", same, late)
    yield ("cannot set up the account yet" in (late / "dmesg").read_text(),
           "late: there were no tables at first", f"{said(KEPT, late)} events kept")
    events, known = booked(same), booked(late) + said(LOST, late)
    yield (abs(events - known) <= ALIKE * events, "late: booked and lost are all there were",
           f"{booked(late)} + {said(LOST, late)}, and {events} of the other boot")


def main():
    if len(sys.argv) != 5:
        sys.exit("usage: early.py FULL FEW LATE SAME")
    rows = list(results(*map(Path, sys.argv[1:])))
    print("KTAP version 1", f"1..{len(rows)}", sep="\n")
    for number, (fine, what, note) in enumerate(rows, 1):
        print(f"# {note}", f"{'' if fine else 'not '}ok {number} {what}", sep="\n")
    return not all(fine for fine, _, _ in rows)


sys.exit(main())
