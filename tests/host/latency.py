#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Logs of function_graph with known answers, and the RFC's five filter rules, computed here.

    latency.py make SEED FILE [OPTION...]   write a log; what is true of it to FILE.json
    latency.py rules US                     the lines that the rules show of a log with its times
                                            and tasks, stdin, which a kernel with that threshold
                                            wrote; then the shrinkers' table
    latency.py waited FUNCTION              direct reclaims in whose stack it is, of a log on stdin

A log is made from calls, not by rules: a scheduler of its own runs tasks on CPUs, each a
tree of calls and tracepoints with times, and prints what the kernel would. So the truth
(shrinkers, causes, lines to be shown) is known from the calls. Options leave columns away:
noproc noabstime notail nothresh (all functions, with their entries), trace-cmd. Others add what a log may have: memcg (reclaim of a memory cgroup),
switches (sched_switch: tasks that wait).

It is independent of the program: it shares nothing with it but the kernel's format.
"""
import json
import random
import re
import sys

T = 134000  # ns: -t 134, as in the RFC

SHRINKERS = [("super_cache_scan+0x0/0x1b0", "00000000a1b2c3d4"),
             ("super_cache_scan+0x0/0x1b0", "00000000deadbe01"),
             ("i915_gem_shrinker_scan+0x0/0xf0 [i915]", "0000000011112222"),
             ("deferred_split_scan+0x0/0x2d0", "0000000033334444")]
GFPS = ["GFP_KERNEL", "GFP_HIGHUSER_MOVABLE|__GFP_ZERO", "GFP_NOFS|__GFP_NOWARN"]


class Call:
    """A function and what is in it: calls and tracepoints, each (when, thing) in ns."""

    def __init__(self, name, begin):
        self.name, self.begin, self.end, self.inner = name, begin, begin, []

    def point(self, now, text):
        self.inner.append((now, text))


class Task:
    def __init__(self, rnd, pid, comm, options=()):
        self.rnd, self.pid, self.comm, self.options = rnd, pid, comm, options
        self.calls = []
        self.shrinks, self.causes, self.waits, self.interrupts = [], [], [], []

    def us(self, low, high):
        """Whole microseconds, for tracepoints have no more digits."""
        return self.rnd.randint(low, high) * 1000

    def slow(self):
        return self.rnd.random() < 0.5

    def shrink_slab(self, call, now):
        scan = Call("shrink_slab", now)
        now += self.us(1, 3)
        for func, addr in self.rnd.sample(SHRINKERS, self.rnd.randint(1, 3)):
            nid = self.rnd.randint(0, 1)
            begin = now
            scan.point(now, f"mm_shrink_slab_start: {func} {addr}: nid: {nid} objects to shrink 3 "
                            "gfp_flags GFP_KERNEL cache items 99 delta 1 total_scan 12 priority 12")
            # 134 us is the threshold: not over it
            took = self.rnd.choice([self.us(1, 120), T, T + 1000, self.us(150, 900)])
            now += took
            scan.point(now, f"mm_shrink_slab_end: {func} {addr}: nid: {nid} unused scan count 0 "
                            "new scan count 3 total_scan 0 last shrinker return val 5")
            self.shrinks.append((begin, now, func.split("+")[0], addr, nid))
            now += self.us(1, 4)
        scan.end = now
        call.inner.append((scan.begin, scan))
        return now

    def inactive(self, call, now):
        func = Call("shrink_inactive_list", now)
        now += self.us(200, 400) if self.slow() else self.us(3, 60)
        func.point(now, f"mm_vmscan_lru_shrink_inactive: nid=0 nr_scanned={self.rnd.randint(1, 99)}")
        func.end = now = now + self.us(1, 3)
        call.inner.append((func.begin, func))
        return now

    def reclaim(self, call, now, order, gfp):
        func = Call("try_to_free_pages", now)
        now += self.us(1, 3)
        begin = now
        func.point(now, f"mm_vmscan_direct_reclaim_begin: order={order} gfp_flags={gfp}")
        now += self.us(1, 5)
        for _ in range(self.rnd.randint(0, 2)):
            now = self.inactive(func, now) + 1000
        if self.slow():
            now = self.shrink_slab(func, now) + 1000
        func.point(now, "mm_vmscan_direct_reclaim_end: nr_reclaimed=32")
        self.causes.append(("direct_reclaim", now - begin, str(order), gfp, begin))
        func.end = now = now + self.us(1, 3)
        call.inner.append((func.begin, func))
        return now

    def memcg_reclaim(self, call, now, order, gfp):
        func = Call("try_to_free_mem_cgroup_pages", now)
        now += self.us(1, 3)
        begin = now
        func.point(now, f"mm_vmscan_memcg_reclaim_begin: order={order} gfp_flags={gfp}")
        now += self.us(1, 200)
        if self.slow():
            now = self.interrupt(func, self.wait(func, now))
        if self.slow():
            now = self.shrink_slab(func, now) + 1000
        func.point(now, "mm_vmscan_memcg_reclaim_end: nr_reclaimed=8")
        self.causes.append(("memcg_reclaim", now - begin, str(order), gfp, begin))
        func.end = now = now + self.us(1, 3)
        call.inner.append((func.begin, func))
        return now

    def wait(self, call, now):
        """Not on its CPU, where the idle task is meanwhile."""
        if "switches" not in self.options:
            return now
        took = self.us(20, 300)
        if "trace-cmd" in self.options:
            texts = (f"{self.comm}:{self.pid} [120] S ==> swapper/0:0 [120]",
                     f"swapper/0:0 [120] R ==> {self.comm}:{self.pid} [120]")
        else:
            texts = (f"prev_comm={self.comm} prev_pid={self.pid} prev_prio=120 prev_state=S ==> "
                     "next_comm=swapper/0 next_pid=0 next_prio=120",
                     "prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
                     f"next_comm={self.comm} next_pid={self.pid} next_prio=120")
        call.point(now, "sched_switch: " + texts[0])
        call.inner.append((now + took, ("idle", "sched_switch: " + texts[1])))
        self.waits.append((now, took))
        return now + took + self.us(1, 3)

    def interrupt(self, call, now):
        """One that comes into a softirq: both are the time of the softirq."""
        if "switches" not in self.options:
            return now
        begin, took = now, [self.us(1, 9), self.us(1, 9), self.us(1, 9)]
        for text in ("softirq_entry: vec=4 [action=BLOCK]", "irq_handler_entry: irq=25 name=virtio1-req.0",
                     "irq_handler_exit: irq=25 ret=handled", "softirq_exit: vec=4 [action=BLOCK]"):
            call.point(now, text)
            now += took.pop() if took else 0
        self.interrupts.append((begin, now - begin))
        return now + self.us(1, 3)

    def compact(self, call, now, order, gfp):
        func = Call("try_to_compact_pages", now)
        now += self.us(1, 3)
        func.point(now, f"mm_compaction_try_to_compact_pages: order={order} gfp_mask={gfp} mode=0")
        for _ in range(self.rnd.randint(1, 2)):
            zone = Call("compact_zone.isra.0" if self.slow() else "compact_zone", now + 1000)
            now += 2000
            begin = now
            zone.point(now, "mm_compaction_begin: zone_start=0x1 migrate_pfn=0x1 free_pfn=0x8 "
                            "zone_end=0x9, mode=sync")
            now += self.us(150, 500) if self.slow() else self.us(5, 90)
            zone.point(now, "mm_compaction_end: zone_start=0x1 migrate_pfn=0x1 free_pfn=0x8 "
                            "zone_end=0x9, mode=sync status=complete")
            self.causes.append(("compaction", now - begin, None, None, begin))
            zone.end = now = now + self.us(1, 3)
            func.inner.append((zone.begin, zone))
        func.end = now = now + 1000
        call.inner.append((func.begin, func))
        return now

    def allocate(self, now, name):
        call = Call(name, now)
        order, gfp = self.rnd.randint(0, 9), self.rnd.choice(GFPS)
        now += self.us(1, 9)
        if "switches" in self.options and self.slow():
            now = self.interrupt(call, self.wait(call, now) + 1000)
        if "memcg" in self.options and self.slow():
            now = self.memcg_reclaim(call, now, order, gfp) + 1000
        if self.slow():
            now = self.compact(call, now, order, gfp) + 1000
        if self.slow():
            now = self.reclaim(call, now, order, gfp) + 1000
        call.end = now
        self.causes.append(("allocation", None, None, None, call))
        self.calls.append(call)
        return now


IDLE = Task(None, 0, "<idle>")


def duration(ns):
    """As trace_print_graph_duration()."""
    mark = next((m for m, us in zip("$@*#!+", (1e6, 1e5, 1e4, 1e3, 1e2, 1e1)) if ns > us * 1000), " ")
    digits = str(ns // 1000)
    rest = f".{ns % 1000:03d}"[:max(0, 8 - len(digits))] if len(digits) < 7 else ""
    return f"{mark} {digits}{rest} us".ljust(14)


class Printer:
    """Lines of a log, each (time, CPU, task, kind, text)."""

    def __init__(self, options):
        self.opt = set(options)
        self.lines = []  # (time, sequence, cpu, task, duration or None, body, shown by)

    def add(self, when, cpu, task, took, body, tag):
        self.lines.append((when, len(self.lines), cpu, task, took, body, tag))

    def call(self, cpu, task, call, depth):
        pad = "  " * depth
        took = call.end - call.begin
        full = "nothresh" in self.opt
        name = call.name
        if full and not call.inner:
            self.add(call.begin, cpu, task, took, f"{pad}{name}();", call)
            return
        if full:
            self.add(call.begin, cpu, task, None, f"{pad}{name}() {{", None)
        for when, thing in call.inner:
            if isinstance(thing, Call):
                self.call(cpu, task, thing, depth + 1)
            elif isinstance(thing, tuple):
                self.add(when, cpu, IDLE, None, f"/* {thing[1]} */", None)
            else:
                self.add(when, cpu, task, None, f"{pad}  /* {thing} */", (call, thing, when))
        if full or took >= T:
            tail = "" if full and "notail" in self.opt else f" /* {name} */"
            self.add(call.end, cpu, task, took, f"{pad}}}{tail}", call)

    def head(self, when, cpu, task, took):
        body = ""
        if "noabstime" not in self.opt:
            body += f"{when // 10**9:5d}.{when % 10**9 // 1000:06d} |  "
        body += f" {cpu:3d}) "
        if "noproc" not in self.opt:
            body += f"{task.comm[:7]}-{task.pid}".center(14) + "  | "
        return body + (duration(took) if took is not None else " " * 14) + "|  "

    def plain(self, when, cpu, task, took, body):
        """As trace-cmd report has it."""
        stamp = f"{task.comm:>16}-{task.pid:<5d} [{cpu:03d}] {when // 10**9:5d}.{when % 10**9 // 1000:06d}: "
        if body.strip().startswith("/*"):
            return stamp + body.strip()[3:-3]
        if body.rstrip().endswith("{"):
            return stamp + f"funcgraph_entry:  {' ' * 14} |  {body}"
        kind = "funcgraph_exit: " if "}" in body else "funcgraph_entry:"
        return stamp + f"{kind}  {duration(took)} |  {body}"

    def text(self):
        out, last = [], {}
        if "trace-cmd" not in self.opt:
            out += ["# tracer: function_graph", "#",
                    "#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS",
                    "#      |          |     |    |           |   |                     |   |   |   |"]
        where = {}
        for when, seq, cpu, task, took, body, tag in sorted(self.lines, key=lambda l: l[:2]):
            if "trace-cmd" in self.opt:
                where[seq] = len(out)
                out.append(self.plain(when, cpu, task, took, body))
                continue
            if cpu in last and last[cpu] is not task or cpu not in last and "noproc" in self.opt:
                was = last.get(cpu, task)
                out += [" ------------------------------------------",
                        f" {cpu:3d}) {was.comm[:7]}-{was.pid}  =>  {task.comm[:7]}-{task.pid} ",
                        " ------------------------------------------", ""]
            last[cpu] = task
            where[seq] = len(out)
            out.append(self.head(when, cpu, task, took) + body)
        return out, where


def shown(printer, lines, where):
    """By the RFC's rules, from the calls: in the order in which they are to be printed."""
    mine = {id(t): s for _, s, _, _, _, _, t in printer.lines if isinstance(t, tuple)}
    points = {}  # call -> {event: [(sequence, text)]}
    for _, seq, _, _, _, _, tag in printer.lines:
        if isinstance(tag, tuple):
            points.setdefault(id(tag[0]), {}).setdefault(tag[1].split(":")[0], []).append((seq, tag))
    with_function = {"try_to_free_pages": ["mm_vmscan_direct_reclaim_begin", "mm_vmscan_direct_reclaim_end"],
                     "try_to_free_mem_cgroup_pages": ["mm_vmscan_memcg_reclaim_begin",
                                                      "mm_vmscan_memcg_reclaim_end"],
                     "compact_zone": ["mm_compaction_begin", "mm_compaction_end"],
                     "try_to_compact_pages": ["mm_compaction_try_to_compact_pages"],
                     "shrink_inactive_list": ["mm_vmscan_lru_shrink_inactive"]}
    ret = []
    for _, seq, _, _, took, _, tag in sorted(printer.lines, key=lambda l: l[:2]):
        if isinstance(tag, Call):
            if took >= T:
                for event in with_function.get(tag.name.split(".")[0], []):
                    for other, _ in points.get(id(tag), {}).get(event, []):
                        ret.append(lines[where[other]])
                ret.append(lines[where[seq]])
        elif isinstance(tag, tuple) and tag[1].startswith("mm_shrink_slab_end"):
            who = tag[1].split(": nid")[0].split(": ", 1)[1]
            begin = [(s, t) for s, t in points[id(tag[0])]["mm_shrink_slab_start"]
                     if t[1].split(": nid")[0].split(": ", 1)[1] == who][-1]
            if tag[2] - begin[1][2] > T:
                ret += [lines[where[begin[0]]], lines[where[seq]]]
    assert mine is not None
    return ret


def shares(tasks, full):
    """What the time of the allocations that are shown went to."""
    causes = {c[0] for task in tasks for c in task.causes} - {"allocation"}
    ret = {"direct_reclaim": 0, "shrink": 0, "compaction": 0, "rest": 0}
    ret.update({"memcg_reclaim": 0} if "memcg_reclaim" in causes else {})
    ret.update({"waiting": 0} if any(task.waits for task in tasks) else {})
    ret.update({"interrupts": 0} if any(task.interrupts for task in tasks) else {})
    for task in tasks:
        for call in task.calls:
            if not full and call.end - call.begin < T:
                continue
            shrinks = [s for s in task.shrinks if call.begin <= s[0] < call.end]
            waits = [w for w in task.waits if call.begin <= w[0] < call.end]
            interrupts = [i for i in task.interrupts if call.begin <= i[0] < call.end]
            inside = {"shrink": sum(s[1] - s[0] for s in shrinks)}
            for cause in causes:
                those = [c for c in task.causes if c[0] == cause and call.begin <= c[4] < call.end]
                inside[cause] = sum(c[1] for c in those)
                if cause != "compaction":
                    inside[cause] -= sum(s[1] - s[0] for s in shrinks
                                         if any(c[4] <= s[0] < c[4] + c[1] for c in those))
                waits = [w for w in waits if not any(c[4] <= w[0] < c[4] + c[1] for c in those)]
                interrupts = [i for i in interrupts
                              if not any(c[4] <= i[0] < c[4] + c[1] for c in those)]
            if "waiting" in ret:
                inside["waiting"] = sum(w[1] for w in waits)
            if "interrupts" in ret:
                inside["interrupts"] = sum(i[1] for i in interrupts)
            inside["rest"] = call.end - call.begin - sum(inside.values())
            for part, took in inside.items():
                ret[part] += took
    return ret


def make(seed, path, options):
    rnd = random.Random(int(seed))
    printer = Printer(options)
    names = ["bash", "my prog", "a|b", "kworker/0:1-x", "1.5 us", "bash"]
    tasks = [Task(rnd, 1000 + i, names[i % len(names)], options) for i in range(12)]
    now = {task: 155 * 10**9 + 1000 * i for i, task in enumerate(tasks)}
    free = [155 * 10**9] * 4
    name = ["__alloc_pages_nodemask", "__alloc_pages", "__alloc_frozen_pages_noprof"][int(seed) % 3]
    for _ in range(300):
        task = rnd.choice(tasks)
        cpu = rnd.randrange(4)
        start = max(now[task], free[cpu]) + 5000
        now[task] = task.allocate(start, name) + 5000
        # two CPUs interleave; on one CPU tasks are switched between allocations
        free[cpu] = now[task]
        printer.call(cpu, task, task.calls[-1], 0)
    lines, where = printer.text()
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")
    timed = "noabstime" not in options
    shrinks = [s for t in tasks for s in t.shrinks] if timed else []
    seen = {"allocation": [c.end - c.begin for t in tasks for c in t.calls
                           if "nothresh" in options or c.end - c.begin >= T]}
    for cause in ("direct_reclaim", "memcg_reclaim", "compaction"):
        seen[cause] = [c[1] for t in tasks for c in t.causes if c[0] == cause] if timed else []
    seen["shrink"] = [s[1] - s[0] for s in shrinks]
    by_order, by_gfp, by_node = {}, {}, {}
    for task in tasks:
        for cause, took, order, gfp, _ in task.causes:
            if cause == "direct_reclaim":
                by_order.setdefault(order, []).append(took)
                by_gfp.setdefault(gfp, []).append(took)
        for begin, end, _, _, nid in task.shrinks:
            by_node.setdefault(str(nid), []).append(end - begin)
    truth = {"shown": shown(printer, lines, where) if timed else None,
             "shrinkers": {}, "names": {}, "causes": {k: sorted(v) for k, v in seen.items() if v},
             "order": by_order if timed else {}, "gfp": by_gfp, "node": by_node,
             "tasks": {f"{t.comm[:7]}-{t.pid}": sum(c[1] for c in t.causes if c[0] == "direct_reclaim")
                       for t in tasks if any(c[0] == "direct_reclaim" for c in t.causes)}}
    truth["shares"] = shares(tasks, "nothresh" in options) if timed else None
    stamps = [line[0] // 1000 for line in printer.lines]
    truth["logged"] = (max(stamps) - min(stamps)) * 1000 if timed else None
    for begin, end, func, addr, _ in shrinks:
        truth["shrinkers"].setdefault(f"{func} {addr}", []).append(end - begin)
        truth["names"].setdefault(func, []).append(end - begin)
    with open(path + ".json", "w") as out:
        json.dump(truth, out)


def near(got, want, what):
    """A percentile may be a sixteenth too large, and no more."""
    if not want <= got <= want + want / 16 + 1:
        sys.exit(f"{what}: {got} for {want}")


def table(out, truth):
    """The shares of the log's time in the table of causes, and what they are of."""
    rows = {line.split()[0]: line.split()[-1] for line in out
            if line.split(" ")[0] in truth["causes"] and len(line.split()) > 7}
    want = {k: f"{100 * sum(v) / truth['logged']:.2f}%" for k, v in truth["causes"].items()} if truth["logged"] else {}
    if {k: v for k, v in rows.items() if v.endswith("%")} != want:
        sys.exit(f"shares {rows} for {want}")
    said = f"{(truth['logged'] or 0) / 1e9:.6f} s from the first to the last time in the log"
    if (said in out) != bool(want):
        sys.exit(f"not said: {said}")


def check(truth_path, out_path, json_path):
    """What the program has written of a made log: its table, its JSON."""
    with open(truth_path) as f:
        truth = json.load(f)
    with open(out_path) as f:
        out = f.read().split("\n")
    with open(json_path) as f:
        got = json.load(f)
    if truth["shown"] is not None:
        if out[:len(truth["shown"])] != truth["shown"]:
            for a, b in zip(out, truth["shown"]):
                if a != b:
                    sys.exit(f"shown\n  {a}\nnot\n  {b}")
        out = out[len(truth["shown"]):]
        # the RFC's own expression for what comes at the end
        seed = re.compile(r"^(\S+) : total time = ([\d.]+) ms, max latency = ([\d.]+) ms$")
        rows = {}
        while out and seed.match(out[0]):
            name, total, most = seed.match(out.pop(0)).groups()
            rows[name] = (total, most)
        want = {k: (f"{sum(v) / 1e6:.6f}", f"{max(v) / 1e6:.6f}") for k, v in truth["names"].items()}
        if rows != want or not want:
            sys.exit(f"shrinkers {rows} for {want}")
    parts = got["allocation_ns"]
    if sum(parts.values()) != sum(truth["causes"]["allocation"]):
        sys.exit(f"shares {parts} do not add up")
    if truth["shares"] is not None and parts != truth["shares"]:
        sys.exit(f"shares {parts} for {truth['shares']}")
    table(out, truth)
    causes = {c["cause"]: c for c in got["causes"]}
    if set(causes) != set(truth["causes"]):
        sys.exit(f"causes {set(causes)} for {set(truth['causes'])}")
    rows = [(f"cause {k}", causes[k], v) for k, v in truth["causes"].items()]
    shrinkers = {s["shrinker"]: s for s in got["shrinkers"]}
    if set(shrinkers) != set(truth["shrinkers"]):
        sys.exit(f"shrinkers {set(shrinkers)}")
    rows += [(k, shrinkers[k], v) for k, v in truth["shrinkers"].items()]
    for what, row, values in rows:
        values = sorted(values)
        if (row["calls"], row["total_ns"], row["min_ns"], row["max_ns"], row["mean_ns"]) != (
                len(values), sum(values), values[0], values[-1], sum(values) // len(values)):
            sys.exit(f"{what}: {row} for {len(values)} {sum(values)} {values[0]} {values[-1]}")
        if truth["logged"] is None:
            if "of_log_percent" in row or "span_ns" in got:
                sys.exit(f"{what}: a share of a log without times")
        elif abs(row["of_log_percent"] - 100 * sum(values) / truth["logged"]) > 1e-6:
            sys.exit(f"{what}: {row['of_log_percent']} % of {truth['logged']} ns")
        for percent in (50, 90, 99):
            near(row[f"p{percent}_ns"], values[-(-len(values) * percent // 100) - 1], what)
        for power, count in row.get("histogram", []):
            if count != sum(power <= v < 2 * power for v in values):
                sys.exit(f"{what}: {count} from {power}")
        if "histogram" in row and sum(n for _, n in row["histogram"]) != len(values):
            sys.exit(f"{what}: histogram")
    lost = {k: v for k, v in got["not_counted"].items() if v and k != "pairs_without_time"}
    if lost:
        sys.exit(f"not counted: {lost}")
    if truth["shown"] is None and not got["not_counted"]["pairs_without_time"]:
        sys.exit("pairs without times are not said")


def check_by(truth_path, key, csv_path):
    with open(truth_path) as f:
        truth = json.load(f)
    with open(csv_path) as f:
        rows = [line.rstrip("\n").split(",") for line in f]
    if rows[0][:2] != [key, "cause"]:
        sys.exit(f"head {rows[0]}")
    cause = "shrink" if key == "node" else "direct_reclaim"
    got = {row[0]: int(row[3]) for row in rows[1:] if row[1] == cause}
    want = truth["tasks"] if key == "task" else {k: sum(v) for k, v in truth[key].items()}
    if got != want or not want:
        sys.exit(f"by {key}: {got} for {want}")
    if rows[0][-1] != "of_log_percent" or any(
            abs(float(row[-1]) - 100 * int(row[3]) / truth["logged"]) > 1e-6 for row in rows[1:]):
        sys.exit(f"shares of {truth['logged']} ns")
    total = sum(int(row[3]) for row in rows[1:] if row[1] == "shrink")
    if total != sum(truth["causes"]["shrink"]):
        sys.exit("rows do not add up")


LINE = re.compile(r"\s*(\d+)\.(\d{6}) \|\s+(\d+)\)\s+(.*)-(\d+)\s+\|(.{15,18}?)\|  \s*(.*?)\s*$")


def rules(us):
    """As the RFC has them, by regular expressions, with lists of all that a task has done."""
    us = int(us)
    with_function = {"try_to_free_pages": ["mm_vmscan_direct_reclaim_begin", "mm_vmscan_direct_reclaim_end"],
                     "try_to_free_mem_cgroup_pages": ["mm_vmscan_memcg_reclaim_begin",
                                                      "mm_vmscan_memcg_reclaim_end"],
                     "compact_zone": ["mm_compaction_begin", "mm_compaction_end"],
                     "try_to_compact_pages": ["mm_compaction_try_to_compact_pages"],
                     "shrink_inactive_list": ["mm_vmscan_lru_shrink_inactive"]}
    done, open_shrinks, total, most = {}, {}, {}, {}
    for line in sys.stdin:
        line = line.rstrip("\n")
        match = LINE.match(line)
        if not match:
            continue
        now = int(match[1]) * 1000000 + int(match[2])
        task = (int(match[5]), match[3] if match[5] == "0" else None)
        event = re.match(r"/\* (\w+): (.*?)\s*\*/$", match[7])
        function = re.match(r"\} /\* ([\w.]+) \*/$", match[7])
        if event and event[1] == "mm_shrink_slab_start":
            open_shrinks[task, event[2].split(": ")[0]] = (now, line)
        elif event and event[1] == "mm_shrink_slab_end":
            begin, first = open_shrinks.pop((task, event[2].split(": ")[0]), (None, None))
            if begin is None:
                continue
            name = event[2].split("+")[0]
            total[name] = total.get(name, 0) + now - begin
            most[name] = max(most.get(name, 0), now - begin)
            if now - begin > us:
                print(first)
                print(line)
        elif event:
            done.setdefault(task, {})[event[1]] = (now, line)
            if event[1].endswith("_begin"):
                done[task].pop(event[1][:-5] + "end", None)
        elif function:
            took = float(re.search(r"([\d.]+) us", match[6])[1])
            for name in with_function.get(function[1], []):
                when, text = done.get(task, {}).pop(name, (None, None))
                # what is older than the call is none of it
                if when is not None and when >= now - took - 100:
                    print(text)
            print(line)
            if function[1].startswith("__alloc"):
                done.pop(task, None)
    for name in sorted(total, key=lambda n: (-total[n], n)):
        print(f"{name} : total time = {total[name] / 1000:.6f} ms, max latency = {most[name] / 1000:.6f} ms")


def waited(name):
    """Direct reclaims whose stack has a function of that name: how many, ns."""
    began, ended, pid, count, total = {}, {}, None, 0, 0
    for line in sys.stdin:
        match = LINE.match(line.rstrip("\n"))
        heading = re.match(r"\s*\S.*-(\d+) +\[\d+\] .*: <stack trace>$", line)
        if heading:
            pid = heading[1]
        elif line.startswith(" => "):
            if line[4:].startswith(name + "+") and pid in ended:
                count, total = count + 1, total + ended.pop(pid)
        elif match:
            now, pid = int(match[1]) * 1000000 + int(match[2]), match[5]
            if "mm_vmscan_direct_reclaim_begin" in line:
                began[pid] = now
            elif "mm_vmscan_direct_reclaim_end" in line and pid in began:
                ended[pid] = now - began.pop(pid)
            else:
                ended.pop(pid, None)
    print(count, total * 1000)


if __name__ == "__main__":
    {"make": lambda a: make(a[0], a[1], a[2:]), "check": lambda a: check(*a),
     "by": lambda a: check_by(*a), "rules": lambda a: rules(*a),
     "waited": lambda a: waited(*a)}[sys.argv[1]](sys.argv[2:])
