#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare the accounts of several intervals with an ftrace log that runs across all of them.

	boundaries.py [--late-frees] IN_FLIGHT DIR

DIR is what boundaries.guest leaves. An interval of the account must be one uninterrupted part
of the log: it starts with one event between the marks "starts" and "has started", and ends
with one between "ends" and "has ended". The account's header gives the length of that part, so
only its position is unknown. A window of this length is moved along the log, event by event.
At one position each row of the account must be equal, to the byte: frees of objects that were
allocated before it are frees of unknown objects, and there is no other trace of them.

A task may be in the middle of an event when another task passes the boundary, IN_FLIGHT
tasks at most. If it is between ftrace's probe and the module's, the last event of the task
before the boundary lies behind it. If it has begun with the list of probes from before the
module's were attached, the first event of the task behind a start is not the module's.
"""
import itertools
import sys

import oracle

NONE = [0, 0, 0, 0]
# Rows that differ: more are no event in flight.
MANY = 30


def of_account(site):
    """The sites of the module itself are one: the log is read when it is unloaded, and has no
    names for them."""
    return "[kmem_account]" if site.startswith("0x") or site.endswith("[kmem_account]") else site


def read_account(path):
    """As the oracle does, with the module's own sites in one row."""
    header, rows = oracle.read_account(path)
    merged = {}
    for site, row in rows.items():
        sums = merged.setdefault(of_account(site), [0, 0, 0, 0])
        for i, value in enumerate(row):
            sums[i] += value
    return header, merged


class Trace:
    """The log, and for each event the one before and after it of the same address."""

    def __init__(self, events, tasks):
        self.events, self.tasks = events, tasks
        self.before, self.behind, last = [-1] * len(events), [len(events)] * len(events), {}
        for i, ev in enumerate(events):
            if ev[1] in last:
                self.before[i] = last[ev[1]]
                self.behind[last[ev[1]]] = i
            last[ev[1]] = i

    def is_alloc(self, i):
        return len(self.events[i]) == 4

    def next_to(self, cut, step, sites):
        """The event of each task that is next to the cut, before it (-1) or behind it (1), if
        it is of one of the sites."""
        found = {}
        for i in range(cut if step > 0 else cut - 1, len(self.events) if step > 0 else -1, step):
            found.setdefault(self.tasks[i], i)
        return [i for i in found.values() if self.events[i][0] in sites or
                self.before[i] >= 0 and self.events[self.before[i]][0] in sites]


class Window:
    """The account of events first to end, and the rows that differ from the module's."""

    def __init__(self, trace, header, rows, first):
        self.trace, self.rows = trace, rows
        self.want = [header[k] for k in ("total bytes allocated", "total bytes requested",
                                         "frees of unknown objects", "implied frees")]
        self.first = self.end = first
        self.have, self.sites = [0, 0, 0, 0], {}
        self.wrong = {site for site, row in rows.items() if row != NONE}

    def differences(self):
        return len(self.wrong) + (self.have != self.want)

    def add(self, site, total=0, req=0, allocs=0, frees=0):
        row = self.sites.setdefault(site, [0, 0, 0, 0])
        for i, value in enumerate((total, req, allocs, frees)):
            row[i] += value
        self.have[0] += total
        self.have[1] += req
        if row == self.rows.get(site, NONE):
            self.wrong.discard(site)
        else:
            self.wrong.add(site)

    def free_of(self, i, sign):
        """Object i is freed, or with sign -1 it is not."""
        site, _, req, total = self.trace.events[i]
        self.add(site, -sign * total, -sign * req, 0, sign)

    def unknown(self, i, sign):
        self.have[2] += sign
        self.add(self.trace.events[i][0], frees=sign)

    def append(self):
        i = self.end
        self.end += 1
        before = self.trace.before[i]
        known = before >= self.first and self.trace.is_alloc(before)
        if known:
            self.free_of(before, 1)
        if self.trace.is_alloc(i):
            site, _, req, total = self.trace.events[i]
            self.have[3] += known
            self.add(site, total, req, 1)
        elif not known:
            self.unknown(i, 1)

    def drop_first(self):
        i = self.first
        self.first += 1
        if not self.trace.is_alloc(i):
            self.unknown(i, -1)
            return
        site, _, req, total = self.trace.events[i]
        self.add(site, -total, -req, -1)
        behind = self.trace.behind[i]
        if behind >= self.end:
            return
        self.free_of(i, -1)
        if self.trace.is_alloc(behind):
            self.have[3] -= 1
        else:
            self.unknown(behind, 1)


def positions(trace, marks, interval, header, rows, shift):
    """(differences, first, end, sites) for each window whose length is that of the header
    + shift; the sites are those that differ, if there are few"""
    name = f"account: {interval}"
    length = (header["number of allocs"] + header["number of frees"] -
              header["implied frees"] + shift)
    first = max(marks[f"{name} starts"], marks[f"{name} ends"] - length)
    last = min(marks[f"{name} has started"], marks[f"{name} has ended"] - length)
    if first > last:
        return
    window = Window(trace, header, rows, first)
    while window.end < first + length:
        window.append()
    while True:
        differences = window.differences()
        yield differences, window.first, window.end, (sorted(window.wrong) if differences <= MANY
                                                      else [])
        if window.first == last:
            return
        window.append()
        window.drop_first()


def moved(trace, first, end, sites, flight):
    """The events of the window with so many more before it, fewer at its start, fewer at its
    end."""
    places = (first, -1), (first, 1), (end, -1)
    for early, missed, late in itertools.product(*(
            itertools.combinations(trace.next_to(*place, sites), number)
            for place, number in zip(places, flight))):
        out = {*missed, *late}
        if len(out) == len(missed) + len(late) and all(first <= i < end for i in out):
            yield ([trace.events[i] for i in sorted(early)] +
                   [trace.events[i] for i in range(first, end) if i not in out])


def agrees(header, rows, events, late_frees):
    """Is this the account? So many frees may have been heard late."""
    wrong = list(oracle.compare(header, rows, events))
    if wrong and late_frees and len(wrong) <= MANY:
        wrong = list(oracle.compare(header, rows, oracle.heard_late(events, rows, late_frees)))
    return not wrong


def in_flight(trace, marks, interval, header, rows, most, late_frees):
    """What has to be assumed so that the account equals a window; None if nothing helps."""
    for flight in sorted(itertools.product(range(most + 1), repeat=3), key=sum):
        early, missed, late = flight
        if early + missed > most:
            continue
        near = sorted(positions(trace, marks, interval, header, rows, missed + late - early))
        for differences, first, end, sites in near[:8]:
            if differences > MANY:
                break
            for events in moved(trace, first, end, sites, flight):
                if agrees(header, rows, events, late_frees):
                    return f"{early + missed} events across its start, {late} across its end"
    return None


def crossed(trace, first, end):
    """Objects that the log knows to be older than the window, freed within it."""
    return sum(not trace.is_alloc(i) and 0 <= trace.before[i] < first and
               trace.is_alloc(trace.before[i]) for i in range(first, end))


def judge(trace, marks, interval, account, most, late_frees):
    """(is it right, what to say, lines that say what differs)"""
    header, rows = read_account(account)
    best = min(positions(trace, marks, interval, header, rows, 0), default=None)
    if best is None:
        return False, "no part of the log is as long", []
    differences, first, end, _ = best
    old = crossed(trace, first, end)
    said = (f"{len(rows)} sites, {end - first} events, {old} frees of older objects among "
            f"{header['frees of unknown objects']} of unknown ones")
    if old < 100:
        return False, said + ": too few to test anything", []
    if not differences and not header["events not recorded"]:
        return True, said, []
    how = in_flight(trace, marks, interval, header, rows, most, late_frees)
    if how and not header["events not recorded"]:
        return True, f"{said}, {how}", []
    return False, said, list(oracle.compare(header, rows, trace.events[first:end]))


def main():
    late_frees = sys.argv[1] == "--late-frees"
    most, folder = int(sys.argv[1 + late_frees]), sys.argv[2 + late_frees]
    lost = oracle.lost_events(f"{folder}/stats")
    events, marks, tasks = oracle.read_trace(f"{folder}/trace")
    events = [(of_account(event[0]), *event[1:]) for event in events]
    trace, failed = Trace(events, tasks), bool(lost)
    names = ["insmod", "on", "clear", "insmod-again"]
    print(f"KTAP version 1\n1..{1 + len(names)}")
    print("not ok" if lost else "ok", f"1 ftrace lost no event ({lost})")
    for n, name in enumerate(names, 2):
        right, said, wrong = judge(trace, marks, name, f"{folder}/{name}", most,
                                    oracle.LATE_FREES * late_frees)
        for line in wrong[:20]:
            print(f"# {line}")
        failed |= not right
        print("ok" if right else "not ok",
              f"{n} {name}: the account is one part of the log: {said}")
    return 1 if failed else 0


sys.exit(main())
