#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Read logs of events and compare them with the account of the same time.

	log.py DIR

Written from Documentation/format/log.rst alone; it shares no code with the module or
with the host program. DIR is what log.guest leaves: a folder for each log, and in left-out
the names of those that are not for this guest.
"""
import os
import re
import struct
import sys

BLOCK, ALLOC, FREE, LOST, TIME, MODULE, ALLOC_WIDE, FREE_WIDE, START, END = range(1, 11)
DEFERRED, KMALLOC, CACHE, PAGE, PERCPU, LARGE, SLAB_PAGE, PERCPU_PAGE = range(8)
QUIET, FAILED, NODE = 16, 32, 6
LOCAL, MONO, COUNTER = range(3)
MAGIC = 0x4b4d4142
BITS = {"x86_64": 64, "aarch64": 64, "i686": 32, "armv7l": 32}


class Bad(Exception):
    pass


def text(data):
    return data.split(b"\0")[0].decode()


def read_module(data, at):
    base, size, build_id, id_len, name_len = struct.unpack_from("<QQ20sBB", data, at + 8)
    return {"base": base, "size": size, "id": build_id[:id_len].hex(),
            "name": data[at + 48:at + 48 + name_len].decode(),
            "flags": struct.unpack_from("<H", data, at + 2)[0]}


def read_header(data):
    (magic, order, version, fixed, length, bits, shift, clock, kinds, cpus, nodes,
     start, wall, stext, etext, build_id, id_len, bounds, release, machine, rate, mono) = \
        struct.unpack_from("<8sIHHIBBBBIIQQQQ20sBB2x64s32sQQ", data)
    if (magic, order, version) != (b"KMALOG\r\n", 0x01020304, 2 if clock == COUNTER else 1):
        raise Bad(f"header {magic} {order:#x} {version}")
    if bounds != 1:
        raise Bad(f"a log with bounds {bounds}")
    if length != len(data) or length % 8:
        raise Bad(f"{len(data)} bytes of header, which says {length}")
    modules, at = [], fixed
    while at < length:
        kind, words = data[at], data[at + 1]
        if kind != MODULE or not words:
            raise Bad(f"record {kind} in the header")
        modules.append(read_module(data, at))
        at += 8 * words
    return {"bits": bits, "shift": shift, "kinds": kinds, "cpus": cpus, "nodes": nodes,
            "clock": clock, "rate": rate, "mono": mono, "start": start, "wall": wall, "stext": stext, "etext": etext,
            "id": build_id[:id_len].hex(), "release": text(release),
            "machine": text(machine), "modules": modules}


def read_event(kind, flags, data, at, stext):
    """(site, ptr, req, alloc, gfp, node, flags, tid), or as many as a free has"""
    e = {"alloc": kind in (ALLOC, ALLOC_WIDE), "flags": flags, "kind": flags & 15,
         "quiet": bool(flags & QUIET)}
    if kind == ALLOC:
        e["ptr"], site, e["tid"], e["req"], e["bytes"], e["gfp"], context = \
            struct.unpack_from("<QiIIIII", data, at + 8)
        # interrupts and a softirq, of the kernel's preempt count
        if context & ~0xf0100:
            raise Bad(f"context {context:#x}")
    elif kind == FREE:
        e["ptr"], site, e["tid"] = struct.unpack_from("<QiI", data, at + 8)
    elif kind == ALLOC_WIDE:
        e["ptr"], site, e["req"], e["bytes"], e["tid"], e["gfp"], context, zero = \
            struct.unpack_from("<QQQQIIII", data, at + 8)
        if context & ~0xf0100 or zero:
            raise Bad(f"context {context:#x}, reserved {zero:#x}")
    else:
        e["ptr"], site, e["bytes"], e["tid"] = struct.unpack_from("<QQQI", data, at + 8)
    if kind in (ALLOC, FREE) and site:
        site += stext
    e["site"] = site
    if e["alloc"] and bool(flags & FAILED) != (e["ptr"] == 0):
        raise Bad(f"flags {flags:#x} of object {e['ptr']:#x}")
    if not e["alloc"] and e["ptr"] <= 16:
        raise Bad("a free of no object")
    return e


def read_bound(data, at):
    words = struct.unpack_from("<QQQQQQQIB3s", data, at + 8)
    return dict(zip(("time", "mono", "wall", "records", "lost", "nmi", "missed", "streams",
                     "clock", "zero"), words))


def read_stream(data, cpu, stext):
    """All records of a CPU; raises Bad for what the format does not allow."""
    out, at, seq, lost, since, last, expect = [], 0, None, 0, 0, 0, None
    bounds, before = [], None
    while at < len(data):
        kind, words, flags, delta = struct.unpack_from("<BBHI", data, at)
        if not words or at + 8 * words > len(data):
            raise Bad(f"record of {words} words at {at} of {len(data)}")
        if kind == BLOCK:
            since, number, lost_now, of_cpu, _ = struct.unpack_from("<QQQII", data, at + 8)
            if delta != MAGIC or of_cpu != cpu or words != 5:
                raise Bad(f"block at {at}: {delta:#x}, CPU {of_cpu}")
            if number - (seq or 0) != lost_now - lost:
                raise Bad(f"block at {at}: number {number} after {seq}, lost {lost_now}")
            expect = lost_now - lost or None
            seq, lost, now = number, lost_now, since
        elif seq is None:
            raise Bad("no block at the beginning")
        else:
            if len(bounds) != (kind != START) and kind != LOST:
                raise Bad(f"record {kind} at {at} behind {bounds}")
            before = seq
            seq += 1
            if kind == TIME:
                since = struct.unpack_from("<Q", data, at + 8)[0]
            now = since + delta
            if (kind == LOST) != (expect is not None):
                raise Bad(f"record {kind} at {at}, {expect} were lost")
            if kind == LOST:
                n = struct.unpack_from("<Q", data, at + 8)[0]
                if n != expect:
                    raise Bad(f"{n} lost at {at}, by numbers {expect}")
                expect = None
            elif kind == MODULE:
                out.append((now, cpu, seq, "module", read_module(data, at)))
            elif kind in (ALLOC, FREE, ALLOC_WIDE, FREE_WIDE):
                out.append((now, cpu, seq, "event", read_event(kind, flags, data, at, stext)))
            elif kind in (START, END):
                bounds.append(read_bound(data, at))
                said = bounds[-1]["records"], bounds[-1]["lost"]
                if said != (before - lost, lost):
                    raise Bad(f"record {kind} at {at} says {said}, not {before} - {lost}")
            elif kind != TIME:
                raise Bad(f"record {kind} at {at}")
        if now < last:
            raise Bad(f"time goes back by {last - now} at {at}")
        last = now
        at += 8 * words
    if data and len(bounds) != 2:
        raise Bad(f"CPU {cpu} ends without an END: {bounds}")
    return out, seq or 0, lost, bounds


def check_bounds(header, bounds, records, nmi):
    """The STARTs say the same, and so do the ENDs. All events are between the two."""
    for which, what in enumerate(("START", "END")):
        said = {tuple(b[which][k] for k in ("time", "mono", "wall", "missed", "streams", "clock",
                                            "zero")) for b in bounds.values()}
        if len(said) != 1:
            raise Bad(f"{what}s of {len(bounds)} streams differ: {said}")
    start, end = next(iter(bounds.values()))
    if (start["missed"], start["streams"], end["streams"]) != (0, 0, len(bounds)):
        raise Bad(f"{len(bounds)} streams, {start}, {end}")
    if (start["clock"], end["clock"], end["zero"]) != (header["clock"],) * 2 + (bytes(3),):
        raise Bad(f"clock {header['clock']}, {start}, {end}")
    # local_clock() may differ between CPUs, by up to a millisecond
    slack = 1000000 if header["clock"] == LOCAL else 0
    times = [r[0] for r in records] or [start["time"]]
    if not header["start"] - slack <= start["time"] - slack <= times[0] <= times[-1] <= end["time"] + slack:
        raise Bad(f"events from {times[0]} to {times[-1]}, {start}, {end}")
    if not header["mono"] <= start["mono"] <= end["mono"] or not header["wall"] <= start["wall"] <= end["wall"]:
        raise Bad(f"{header['mono']}, {header['wall']}, {start}, {end}")
    header["bounds"] = start, end
    refused = {cpu: b[1]["nmi"] for cpu, b in bounds.items()}
    if any(refused.get(cpu, 0) != n for cpu, n in nmi.items()):
        raise Bad(f"refused: overruns has {nmi}, the ENDs have {refused}")


def read_overruns(path):
    lines = open(path).read().splitlines()
    if lines[:2] != ["kmem_account overruns 1", "# cpu\trecords\tlost\tnmi"]:
        raise Bad(f"{path} begins with {lines[:2]}")
    return {int(c): (int(r), int(n), int(i)) for c, r, n, i in (x.split("\t") for x in lines[2:])}


def read_log(folder):
    """Header, all records by time, and how many events were lost; raises Bad."""
    header = read_header(open(f"{folder}/header", "rb").read())
    overruns = read_overruns(f"{folder}/overruns")
    records, lost, bounds = [], 0, {}
    for cpu, (numbers, lost_there, _) in overruns.items():
        path = f"{folder}/cpu{cpu}"
        data = open(path, "rb").read() if os.path.exists(path) else b""
        found, seq, lost_here, here = read_stream(data, cpu, header["stext"])
        if here:
            bounds[cpu] = here
        if (seq, lost_here) != (numbers, lost_there):
            raise Bad(f"cpu{cpu}: {seq} records, {lost_here} lost; overruns {numbers}, {lost_there}")
        records += found
        lost += lost_here
    records.sort(key=lambda r: r[:3])
    check_bounds(header, bounds, records, {cpu: o[2] for cpu, o in overruns.items()})
    return header, records, lost


def events(records):
    """Those that book something; of a large kmalloc() that is told of twice, one."""
    out, large = [], {}
    for now, cpu, _, what, e in records:
        if what != "event" or (e["alloc"] and not e["ptr"]):
            continue
        e["time"], e["cpu"] = now, cpu
        if e["alloc"] and e["kind"] == LARGE:
            first = large.pop(cpu, None)
            if first is not None and [out[first][k] for k in ("ptr", "req")] == [e["ptr"], e["req"]]:
                out[first] = e
                continue
            large[cpu] = len(out)
        elif not e["alloc"]:
            # the next one at that address is another object
            large = {c: n for c, n in large.items() if out[n]["ptr"] != e["ptr"]}
        out.append(e)
    return out


def account(evs):
    """{site: [total, req, allocs, frees, unknown]}, implied frees"""
    sites, live, implied = {}, {}, 0

    def row(site):
        return sites.setdefault(site, [0, 0, 0, 0, 0])

    def gone(e):
        r = row(e["site"])
        r[0] -= e["bytes"]
        r[1] -= e["req"]
        r[3] += 1

    for e in evs:
        old = live.pop(e["ptr"], None)
        if e["alloc"]:
            if old and e["quiet"]:
                live[e["ptr"]] = old
                continue
            if old:
                implied += 1
                gone(old)
            live[e["ptr"]] = e
            r = row(e["site"])
            r[0] += e["bytes"]
            r[1] += e["req"]
            r[2] += 1
        elif old:
            gone(old)
        elif not e["quiet"]:
            row(e["site"])[4] += 1
    return sites, implied


def read_sites(path):
    """{address: [total, req, allocs, frees, unknown]} and {address: caller}"""
    lines = open(path).read().splitlines()
    names = lines[1][2:].split("\t")
    rows, callers = {}, {}
    for line in lines[2:]:
        f = dict(zip(names, line.split("\t")))
        address = int(f["address"], 16)
        rows[address] = [int(f[k]) for k in ("total", "req", "allocs", "frees", "unknown")]
        callers[address] = f["caller"]
    return rows, callers


def read_account(path):
    head = open(path).read().split("\n\n", 1)[0]
    return {k.strip(): int(v) for k, v in (x.split(":") for x in head.splitlines() if x[0] != "#")}


def cuts(evs, allocs, frees):
    """First and last event of each run that may have these numbers of both. A quiet free
    is one or is none."""
    sums, at = [(0, 0, 0)], {}
    for e in evs:
        a, f, q = sums[-1]
        sums.append((a + 1, f, q) if e["alloc"] else (a, f + (not e["quiet"]), q + e["quiet"]))
    for i, s in enumerate(sums):
        at.setdefault(s[0], []).append(i)
    for i, (a, f, q) in enumerate(sums):
        for end in at.get(a + allocs, ()):
            if 0 <= frees - (sums[end][1] - f) <= sums[end][2] - q:
                yield i, end


def beside(folder, header, records, lost):
    """The account's rows are those of the log between two events."""
    rows, callers = read_sites(f"{folder}/sites")
    head = read_account(f"{folder}/account")
    evs = events(records)
    rows = {a: r for a, r in rows.items() if any(r)}
    known = {a for a, c in callers.items() if "[kma_known]" in c}
    if lost or head["events not recorded"]:
        raise Bad(f"{lost} lost, {head['events not recorded']} not recorded")
    if header["cpus"] > 1:
        got = account(evs)[0]
        wrong = [f"{callers[a]}: log {got.get(a)}, module {rows[a]}"
                 for a in sorted(known) if rows.get(a) and got.get(a) != rows[a]]
        if wrong:
            raise Bad("; ".join(wrong[:5]))
        return f"{len(known)} rows of kma_known, of {len(evs)} events"
    best = None
    for first, last in cuts(evs, head["number of allocs"],
                            head["number of frees"] - head["implied frees"]):
        got, implied = account(evs[first:last])
        wrong = [f"{callers.get(a, hex(a))}: log {got.get(a)}, module {rows.get(a)}"
                 for a in sorted(got.keys() | rows.keys()) if got.get(a) != rows.get(a)]
        if implied != head["implied frees"]:
            wrong.append(f"{implied} implied frees, module {head['implied frees']}")
        if best is None or len(wrong) < len(best):
            best = wrong
        if not wrong:
            return f"{len(rows)} rows, {last - first} events"
    if best is None:
        raise Bad(f"no {head['number of allocs']} + {head['number of frees']} events in {len(evs)}")
    raise Bad(f"{len(best)} rows differ: " + "; ".join(best[:5]))


def machine(folder, header, records, lost):
    """The header is what the machine's own files say."""
    symbols = {}
    for line in open(f"{folder}/kallsyms"):
        w = line.split()
        if len(w) == 3:
            symbols.setdefault(w[2], int(w[0], 16))
    modules = {}
    for line in open(f"{folder}/modules"):
        w = line.split()
        modules[w[0]] = int(w[5], 16)
    notes = open(f"{folder}/notes", "rb").read()
    # x86 has init's text behind the other, and modules behind both; arm64 has data in
    # between, and modules in front
    ends = symbols["_etext"], symbols["_einittext"]
    # unless it changed meanwhile
    before, after = open(f"{folder}/clocksource").read().split()
    counter = before.startswith(("tsc", "arch_sys_counter"))
    checks = {
        "clock": before != after or header["clock"] == (COUNTER if counter else MONO),
        "stext": header["stext"] == symbols["_stext"],
        "etext": header["etext"] in ends or ends[0] < ends[1] <= header["etext"]
                 <= min((m for m in modules.values() if m > header["stext"]), default=1 << 64),
        "build ID": header["id"] and bytes.fromhex(header["id"]) in notes,
        "release": header["release"] == open(f"{folder}/release").read().strip(),
        "machine": header["machine"] in BITS,
        "word": header["bits"] == BITS.get(header["machine"]) and
                header["shift"] == 12,
        "kinds": header["kinds"] == 1,
        "modules": {m["name"]: m["base"] for m in header["modules"]} == modules,
        "build IDs of modules": all(m["id"] for m in header["modules"]),
        "start": not records or header["start"] <= records[0][0],
    }
    wrong = [k for k, good in checks.items() if not good]
    if wrong:
        raise Bad("not so: " + ", ".join(wrong) + f"; {header}")
    return f"{len(modules)} modules"


def small(folder, header, records, lost):
    """What is not in the log was counted as lost. The log was on before the account and
    after it, for one write to a file each: some hundred events."""
    head = read_account(f"{folder}/account")
    booked = head["number of allocs"] + head["number of frees"] - head["implied frees"]
    logged = sum(r[3] == "event" for r in records)
    if lost < 10 * logged or not booked <= logged + lost <= 1.02 * booked + 500:
        raise Bad(f"{logged} logged, {lost} lost; account {booked}")
    return f"{logged} logged + {lost} lost, account {booked}"


def stalls(folder, header, records, lost):
    """There is more behind a gap: each reading made room, which what came next took."""
    gaps = {}
    for _, cpu, seq, _, _ in records:
        gaps.setdefault(cpu, []).append(seq)
    n = max(sum(b - a > 2 for a, b in zip(s, s[1:])) for s in gaps.values())
    if not lost or n < 3:
        raise Bad(f"{len(records)} records, {lost} lost in {n} gaps")
    return f"{len(records)} records, {lost} lost, {n} gaps of a CPU"


def may_precede(a, b):
    """Records of two CPUs with one time have no order: the clock of a guest may stand still"""
    return a[0] < b[0] or (a[0] == b[0] and (a[1] != b[1] or a[2] < b[2]))


def comings(folder, header, records, lost):
    base = int(open(f"{folder}/known").read().split()[5], 16)
    told = [(r[4]["flags"], r[4]["base"] == base, bool(r[4]["id"])) for r in records
            if r[3] == "module" and r[4]["name"] == "kma_known"]
    # it comes, its init part comes and goes, it is told of again with its build ID
    want = {(2, False), (0, True), (3, False), (1, True)}
    if {t[:2] for t in told} != want or (0, True, True) not in told:
        raise Bad(f"records of the module: {told}")
    size = max(r[4]["size"] for r in records if r[3] == "module")
    there = [r for r in records if r[3] == "module" and
             r[4]["name"] == "kma_known" and r[4]["base"] == base]
    calls = [r for r in records if r[3] == "event" and base <= r[4]["site"] < base + size]
    outside = [r for r in calls if not (may_precede(there[0], r) and may_precede(r, there[-1]))]
    if not calls or outside:
        raise Bad(f"records {there[0][:3]} to {there[-1][:3]}, {len(calls)} calls, "
                  f"outside {[r[:3] for r in outside[:2]]}")
    return f"{len(calls)} events of the module between its records"


def held(evs, page):
    """{site: [total, req]} at the end: pages one by one, for they are freed in parts."""
    live, sums = {}, {}
    for e in evs:
        pages = e["kind"] in (PAGE, SLAB_PAGE, PERCPU_PAGE)
        many = range(e["ptr"], e["ptr"] + e["bytes"], page) if pages else (e["ptr"],)
        for at in many:
            if not e["alloc"]:
                live.pop(at, None)
            elif not (e["quiet"] and at in live):
                live[at] = (e["site"], page, page) if pages else (e["site"], e["bytes"], e["req"])
    for site, total, req in live.values():
        row = sums.setdefault(site, [0, 0])
        row[0] += total
        row[1] += req
    return sums


def allocators(folder, header, records, lost):
    """Each allocator's frees find what was allocated; no address is of two kinds; what
    is live is what the account says."""
    if header["kinds"] != 7:
        raise Bad(f"kinds {header['kinds']}")
    evs = events(records)
    seen = {k: sum(e["alloc"] and e["kind"] == k for e in evs) for k in range(8)}
    if not all(seen[k] for k in (KMALLOC, CACHE, PAGE, PERCPU, SLAB_PAGE)):
        raise Bad(f"allocations by kind: {seen}")
    live, paired = {}, 0
    pages = (PAGE, SLAB_PAGE, PERCPU_PAGE)
    for e in evs:
        old = live.pop(e["ptr"], None)
        if old and not e["alloc"]:
            paired += 1
            if (old["kind"] in pages) != (e["kind"] == PAGE) or \
               (old["kind"] == PERCPU) != (e["kind"] == PERCPU):
                raise Bad(f"{old} freed by {e}")
            if e["kind"] == PAGE and not e["bytes"]:
                raise Bad(f"{e} of no size")
        if e["alloc"]:
            live[e["ptr"]] = e
    frees = sum(not e["alloc"] for e in evs)
    if paired < 0.5 * frees:
        raise Bad(f"{paired} of {frees} frees know their object")
    rows, callers = read_sites(f"{folder}/sites")
    got = held(evs, 1 << header["shift"])
    known = [a for a, c in callers.items() if "[kma_known_pages]" in c and any(rows[a])]
    wrong = [f"{callers[a]}: log {got.get(a)}, module {rows[a]}" for a in known
             if got.get(a, [0, 0]) != rows[a][:2]]
    if wrong or not known:
        raise Bad("; ".join(wrong[:5]) or "no row of kma_known_pages")
    return f"{seen} allocations, {paired} of {frees} frees know their object, {len(known)} rows"


def missed(folder, header, records, lost):
    """Two objects for each call that was missed: their allocations are there, their frees
    are not."""
    site = [e["site"] for e in events(records) if e["alloc"] and e["req"] == 100]
    many = max(set(site), key=site.count, default=0)
    ptrs = [e["ptr"] for e in events(records) if e["alloc"] and e["site"] == many]
    frees = sum(not e["alloc"] and e["ptr"] in ptrs for e in events(records))
    if lost or len(ptrs) != 10:
        raise Bad(f"{len(ptrs)} allocations, {lost} lost")
    return f"{len(ptrs)} allocations, {frees} frees"


def twice(evs):
    """Allocations of what is live. Frees of what is not are no sign: while probes come and
    go, one after the other, there are some whose allocation was not heard. Nor has what two
    CPUs do at one time an order: a guest that did not get its own may have a clock of jiffies."""
    live, frees, n = {}, {}, 0
    for e in evs:
        if not e["alloc"]:
            frees.setdefault(e["ptr"], set()).add((e["time"], e["cpu"]))
    for e in evs:
        old = live.get(e["ptr"])
        if e["alloc"] and old and not e["quiet"]:
            n += not any(time == at["time"] and cpu != at["cpu"]
                         for time, cpu in frees.get(e["ptr"], ()) for at in (old, e))
        live[e["ptr"]] = e if e["alloc"] else None
    return n


def kernel_rate(top):
    """The units a second that the kernel last measured, None if it said nothing."""
    rates = re.findall(r"(?:Detected|calibration:) ([0-9]+)\.([0-9]{3}) MHz", open(f"{top}/tsc").read())
    return (int(rates[-1][0]) * 1000 + int(rates[-1][1])) * 1000 if rates else None


def clock(folder, header, records, lost):
    """Its times are within those of /proc/uptime, which has hundredths of a second. No
    object is handed out twice without a free in between, on whatever CPU that was.
    local_clock() does not promise that.

    A guest that does not get its time measures a wrong rate of its TSC. So the rate of the
    header is compared with what the kernel printed, and the times of events are found between
    the START and the END, which have both clocks."""
    first, last = (float(x) for x in open(f"{folder}/uptime"))
    start, end = header["bounds"]
    spent = end["mono"] - start["mono"]
    times = [(start["mono"] + (r[0] - start["time"]) * spent / (end["time"] - start["time"])) / 1e9
             for r in records]
    wanted = {"counter": (COUNTER,), "mono": (MONO,), "local": (LOCAL,),
              "auto": (COUNTER, MONO)}[folder.rpartition("-")[2]]
    if header["clock"] not in wanted:
        raise Bad(f"clock {header['clock']}")
    rate = kernel_rate(os.path.dirname(folder)) if header["clock"] == COUNTER else 10 ** 9
    if rate and header["rate"] != rate:
        raise Bad(f"the header has {header['rate']} a second, the kernel {rate}")
    if not first - 0.01 <= times[0] <= times[-1] <= last + 0.02 or times[-1] - times[0] < 1:
        raise Bad(f"{times[0]} to {times[-1]} s, uptime {first} to {last}")
    evs = events(records)
    bad = twice(evs)
    if bad and header["clock"] != LOCAL:
        raise Bad(f"{bad} of {len(evs)} events are not in their order")
    return (f"{times[-1] - times[0]:.3f} s of {last - first:.2f}, {header['rate']} a second, "
            f"{bad} of {len(evs)} events not in their order")


def sound(folder, header, records, lost):
    if lost or not any(r[3] == "event" for r in records):
        raise Bad(f"{len(records)} records, {lost} lost")
    return f"{len(records)} records"


CHECKS = (
    ("beside", "numbers, times and losses are sound", sound),
    ("beside", "the account of the log is the module's", beside),
    ("beside", "the header says what the machine's own files say", machine),
    ("small", "what is not logged is counted as lost", small),
    ("stalls", "a reader that stalls finds gaps, and what is behind them", stalls),
    ("alone", "a log without an account, flushed and read in pieces", sound),
    ("comings", "a module's events lie between its records", comings),
    ("late", "a CPU that came later", sound),
    ("refused", "a log with NMIs", sound),
    ("missed", "what a skipped kprobe would have told is not there", missed),
    ("clock-counter", "times of the machine's counter", clock),
    ("clock-mono", "times of the kernel's clock", clock),
    ("clock-local", "times of local_clock()", clock),
    ("clock-auto", "times of the clock that is chosen", clock),
    ("allocators", "pages and per-CPU objects", allocators),
)


def main():
    top, failed, left_out = sys.argv[1], 0, []
    if os.path.exists(f"{top}/left-out"):
        with open(f"{top}/left-out", encoding="ascii") as f:
            left_out = f.read().split()
    checks = [c for c in CHECKS if c[0] not in left_out]
    print(f"KTAP version 1\n1..{len(checks)}")
    for n, (name, what, check) in enumerate(checks, 1):
        try:
            said = check(f"{top}/{name}", *read_log(f"{top}/{name}"))
            print(f"ok {n} {name}: {what}: {said}")
        except (Bad, struct.error, KeyError, ValueError, OSError) as e:
            failed += 1
            print(f"# {re.sub('[^ -~]', '?', repr(e))[:2000]}")
            print(f"not ok {n} {name}: {what}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
