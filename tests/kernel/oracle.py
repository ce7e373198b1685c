#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Account an ftrace log of kmem events and compare with the module's account.

	oracle.py [--late-frees] TRACE ACCOUNT STATS

Written from the contract of /proc/kmem_account alone, as plainly as can be: a
dict from pointer to owner. It shares no code with the module or with the host
program.

The log covers more than the account. Between the marks "account: on" and
"account: is on", and between "off" and "is off", lies the one event with which
the account began, or ended; which one is found from the number of allocations
and of frees in the account's header. Then every row must be equal, to the byte.
"""
import itertools
import re
import sys

# 5.10 has events of their own for a node; 7.2 says name= before bytes_req
EVENT = re.compile(r"-(\d+) +\[\d+\] .*?: (kfree|kmem_cache_free|kmalloc|kmem_cache_alloc)"
                   r"(?:_node)?: call_site=(.*?) ptr=([0-9a-f]+)"
                   r"(?:.* bytes_req=(\d+) bytes_alloc=(\d+))?")
# The first of two events of a large kmalloc, 6.12 and 7.2: not its caller's. The task may move
# to another CPU between the two.
ALLOCATOR = re.compile(r"__kv?malloc\w*_noprof\+")
LARGE = 8192
MARK = re.compile(r": tracing_mark_write: (account: .*)$")
# What is freed and no object: NULL and ZERO_SIZE_PTR. Where pointers are hashed,
# the latter is what this function of kma_known.ko frees.
NO_OBJECT = {0, 0x10}
FREES_NO_OBJECT = "known_zero_size+"
# So many frees may be heard late. Three were, of 32,000 events, on a machine with much other work.
LATE_FREES = 8


def read_trace(path):
    """[(site, ptr, req, alloc) or (site, ptr) for a free], {mark: index}, [task of event]"""
    events, marks, tasks, last = [], {}, [], {}
    lines = open(path).readlines()
    no_object = NO_OBJECT | {int(m.group(5), 16) for m in
                             map(EVENT.search, lines)
                             if m and m.group(4).startswith(FREES_NO_OBJECT)}
    for line in lines:
        m = EVENT.search(line)
        if m:
            task, name, site, ptr, req, alloc = m.groups()
            ptr = int(ptr, 16)
            if ptr in no_object:
                continue
            if name.endswith("free"):
                events.append((site, ptr))
                tasks.append(int(task))
                continue
            event = (site, ptr, int(req), int(alloc))
            # a task has one first event at a time, but in an interrupt it may have another
            first = last.pop((task, event[1:]), None)
            if first is not None:
                events[first] = event
                continue
            if event[3] > LARGE and ALLOCATOR.match(site):
                last[task, event[1:]] = len(events)
            events.append(event)
            tasks.append(int(task))
            continue
        m = MARK.search(line)
        if m:
            marks[m.group(1)] = len(events)
    return events, marks, tasks


def lost_events(path):
    """What ftrace lost, by its own count."""
    return sum(int(v) for v in
               re.findall(r"(?:overrun|dropped events): (\d+)", open(path).read()))


def read_account(path):
    """The header, and {caller: [total, req, allocs, frees]}; equal names add up."""
    head, rows = open(path).read().split("\n\n", 1)
    header = {k.strip(): int(v) for k, v in
              (line.split(":") for line in head.splitlines() if line[0] != "#")}
    sites = {}
    for line in rows.splitlines()[1:]:
        total, _, req, allocs, frees, site = re.match(
            r" *(\d+) +(\d+) +(\d+) +(\d+)/(\d+) +(.*)$", line).groups()
        row = sites.setdefault(site, [0, 0, 0, 0])
        for i, v in enumerate((total, req, allocs, frees)):
            row[i] += int(v)
    return header, sites


def cuts(events, marks, allocs, frees):
    """All pairs of first and last event with these numbers of events between."""
    first, last = marks["account: on"], marks["account: is off"]
    sums = [(0, 0)]
    for ev in events[first:last]:
        a, f = sums[-1]
        sums.append((a + 1, f) if len(ev) == 4 else (a, f + 1))
    ends = {}
    for i in range(marks["account: off"] - first, len(sums)):
        ends.setdefault(sums[i], []).append(first + i)
    for i in range(marks["account: is on"] - first + 1):
        a, f = sums[i]
        for end in ends.get((a + allocs, f + frees), ()):
            yield first + i, end


def account(events):
    """{site: [total, req, allocs, frees]}, frees of unknown objects, implied frees"""
    sites, live = {}, {}
    unknown = implied = 0

    def row(site):
        return sites.setdefault(site, [0, 0, 0, 0])

    def gone(owner):
        r = row(owner[0])
        r[0] -= owner[2]
        r[1] -= owner[1]
        r[3] += 1

    for ev in events:
        site, ptr = ev[:2]
        old = live.pop(ptr, None)
        if len(ev) == 4:
            if old:
                implied += 1
                gone(old)
            live[ptr] = (site, ev[2], ev[3])
            r = row(site)
            r[0] += ev[3]
            r[1] += ev[2]
            r[2] += 1
        elif old:
            gone(old)
        else:
            unknown += 1
            row(site)[3] += 1
    return sites, unknown, implied


def compare(header, rows, events):
    """Lines that say what differs."""
    sites, unknown, implied = account(events)
    for site in sorted(sites.keys() | rows.keys()):
        if sites.get(site) != rows.get(site):
            yield f"{site}: trace {sites.get(site)}, module {rows.get(site)}"
    want = {
        "total bytes allocated": sum(r[0] for r in sites.values()),
        "total bytes requested": sum(r[1] for r in sites.values()),
        "frees of unknown objects": unknown,
        "implied frees": implied,
        "events not recorded": 0,
    }
    for key, value in want.items():
        if header[key] != value:
            yield f"{key}: trace {value}, module {header[key]}"


def best_cut(events, marks, header, rows):
    """What differs in the cut of the trace that differs least; and that cut."""
    best, cut, tried = ["no cut of the trace has as many events as the account"], [], 0
    for first, last in cuts(events, marks, header["number of allocs"],
                            header["number of frees"] - header["implied frees"]):
        wrong = list(compare(header, rows, events[first:last]))
        tried += 1
        if tried == 1 or len(wrong) < len(best):
            best, cut = wrong, events[first:last]
        if not wrong:
            break
    return best, cut


def late_pairs(cut):
    """{site: {change: events}}: the events are a free, the next allocation of its address, and
    what comes behind that. If the free is heard behind the allocation, it takes the new object,
    and the change is added to the row of the site: what frees the object later frees an unknown
    one; if nothing does, the object is not live."""
    of_address, pairs = {}, {}
    for i, ev in enumerate(cut):
        of_address.setdefault(ev[1], []).append(i)
    for seen in of_address.values():
        for at in range(len(seen) - 1):
            events = seen[at:at + 3]
            is_alloc = [len(cut[i]) == 4 for i in events]
            if is_alloc == [False, True]:
                site, _, req, total = cut[events[1]]
                change = (-total, -req, 0, 1)
            elif is_alloc == [False, True, False]:
                site, change = cut[events[2]][0], (0, 0, 0, 1)
            else:
                continue
            pairs.setdefault(site, {}).setdefault(change, []).append(events)
    return pairs


def heard_late(cut, rows, most):
    """The same events, with so many frees behind the next allocation of their address that the
    rows are those of the account; the events as they are if there are no such frees.

    5.10 tells of a cache's free when it is done. An interrupt or another CPU may tell of the
    address before the module has heard of that, and after ftrace has. The module then has an
    implied free, and the free takes the new object."""
    sites, pairs, behind, used = account(cut)[0], late_pairs(cut), {}, set()

    def take(change, known):
        free = next((events for events in known[change] if used.isdisjoint(events)), None)
        if free:
            used.update(free)
            behind[free[1]] = free[0]
        return free

    for site in sites.keys() | rows.keys():
        want = tuple(b - a for a, b in zip(sites.get(site, [0] * 4), rows.get(site, [0] * 4)))
        known = pairs.get(site, {})
        if not any(want):
            continue
        if not 0 < want[3] <= most - len(behind):
            return cut
        for changes in itertools.combinations_with_replacement(known, want[3]):
            if tuple(map(sum, zip(*changes))) == want:
                break
        else:
            return cut
        if not all(take(change, known) for change in changes):
            return cut
    moved, out = set(behind.values()), []
    for i, ev in enumerate(cut):
        if i not in moved:
            out.append(ev)
        if i in behind:
            out.append(cut[behind[i]])
    return out


def main():
    late = sys.argv[1] == "--late-frees"
    trace, account_file, stats = sys.argv[1 + late:]
    print("KTAP version 1\n1..2")
    lost = lost_events(stats)
    print("not ok" if lost else "ok", f"1 ftrace lost no event ({lost})")
    events, marks, _ = read_trace(trace)
    header, rows = read_account(account_file)
    best, cut = best_cut(events, marks, header, rows)
    if best and late and not list(compare(header, rows, heard_late(cut, rows, LATE_FREES))):
        print("# frees were heard behind the next allocation of their address:")
        for line in best:
            print(f"# {line}")
        best = []
    for line in best:
        print(f"# {line}")
    print("not ok" if best else "ok", f"2 {len(rows)} sites and {len(events)} "
          f"events: the module agrees with the trace in every row")
    return 1 if best or lost else 0


if __name__ == "__main__":
    sys.exit(main())
