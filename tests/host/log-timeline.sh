#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account timeline: log-make.py knows when which site's live bytes changed. Each sample
# of each owner is the sum of what was before; JSON and the picture have the same numbers.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
fixture mktree.sh mini >/dev/null
"$here/log-make.py" --names alpha_inode_other,beta_inode_other,super_other \
	--seed 4 --events 9000 --lose --history history.json made.log made.csv

# Hours of nothing take no hours, and no memory.
gap() {
	"$here/log-make.py" --seed 2 --events 9000 --lose --history history.json made.log made.csv && samples "$@"
}

# The same events by a counter make the same timeline.
counter() {
	"$here/log-make.py" --seed 2 --events 9000 --counter 2793486123 --history history.json made.log made.csv &&
		samples "$@"
}

# Losses are marked where they occur: together they are those of the report.
losses() {
	"$here/log-make.py" --seed 4 --events 9000 --lose --history history.json made.log made.csv &&
		"$program" timeline made.log --format json -r lost.svg -O trace.json 2>/dev/null &&
		"$program" report made.log --format json >report.json 2>/dev/null || return 1
	python3 - <<-'END'
		import json, re
		marks = [e["name"] for e in json.load(open("trace.json"))["traceEvents"] if e["ph"] == "i"]
		lost = json.load(open("report.json"))["not_counted"]["events_not_recorded"]
		svg = re.findall(r"<title>(\d+) events? not recorded", open("lost.svg").read())
		assert len(marks) > 1 and len(svg) == len(marks), (marks, svg)
		assert sum(int(m.split()[0]) for m in marks) == lost == sum(map(int, svg)), (marks, lost, svg)
	END
}

# samples OPTION...: those of the program are true
samples() {
	"$program" timeline made.log "$@" >out.csv 2>stderr || { cat stderr; return 1; }
	python3 - "$@" <<-'END'
		import csv, json, re, sys
		rows = list(csv.reader(open("out.csv")))
		names, rows = rows[0][2:], [[int(x) for x in r] for r in rows[1:]]
		module = lambda site: (re.search(r"\[(.*)\]$", site) or [0, "vmlinux"])[1]
		def folder(site):
		    return "[module kma_made]" if site[-1] == "]" else \
		        "fs" if site.startswith("super_") else \
		        re.sub("^(alpha|beta)_.*", r"fs/\1", site) if "_inode_" in site else "[unknown symbol]"

		key = module if "module" in sys.argv else folder if "dir" in sys.argv else lambda site: site
		if "--depth" in sys.argv:
		    key = lambda site: re.sub("/.*", "", folder(site))
		history = [(ns, key(site), n) for ns, site, n in json.load(open("history.json"))]
		live, at, peaks = {}, 0, {}
		for ns, total, *bytes in rows:
		    while at < len(history) and history[at][0] < ns:
		        live[history[at][1]] = live.get(history[at][1], 0) + history[at][2]
		        at += 1
		    for site, n in live.items():
		        peaks[site] = max(peaks.get(site, 0), n)
		    assert total == sum(live.values()) == sum(bytes), (ns, total, sum(live.values()), sum(bytes))
		    for name, n in zip(names, bytes):
		        if not name.startswith("[other"):
		            assert n == live.get(name, 0), (ns, name, n, live.get(name, 0))
		top = sorted(peaks, key=lambda s: (-peaks[s], s))
		own = [n for n in names if not n.startswith("[other")]
		assert own == [s for s in top if peaks[s]][:len(own)], (own, top)
		assert len(own) == len(names) or len(names) == len(own) + 1
		points = int(sys.argv[sys.argv.index("--points") + 1]) if "--points" in sys.argv else 250
		print("#", len(rows), "samples of", len(names), "owners, peak", max(r[1] for r in rows))
		assert points <= len(rows) <= 2 * points + 1 and max(r[1] for r in rows) > 0
		steps = {b[0] - a[0] for a, b in zip(rows, rows[1:-1])}
		assert len(steps) == 1, steps
		if "--from" in sys.argv:
		    assert rows[0][0] == float(sys.argv[sys.argv.index("--from") + 1]) * 1e9, rows[0]
		if "--to" in sys.argv:
		    assert rows[-1][0] <= float(sys.argv[sys.argv.index("--to") + 1]) * 1e9, rows[-1]
	END
}

# The account of a report at the end, and what is said of it: there are losses.
report() {
	"$program" timeline made.log --points 5 --top 1000 >out.csv 2>stderr && "$program" report made.log --format csv >report.csv 2>want
	diff want stderr && grep -q 'events were lost' stderr || return 1
	[ "$(tail -n 1 out.csv | cut -d, -f 2)" = "$(awk -F, '{ s += $2 } END { printf "%d", s }' report.csv)" ]
}

trace() {
	"$program" timeline made.log --points 40 --top 4 >out.csv && "$program" timeline made.log --points 40 --top 4 --format json >out.json
	python3 - <<-'END'
		import csv, json
		rows = list(csv.reader(open("out.csv")))
		trace = json.load(open("out.json"))["traceEvents"]
		at = {}
		marks = [e for e in trace if e["ph"] == "i"]
		assert all(e["name"].endswith(("1 event not recorded", "events not recorded")) for e in marks)
		for e in trace[1:]:
		    if e in marks:
		        continue
		    assert e["ph"] == "C" and set(e["args"]) == {"bytes"}
		    at.setdefault(round(e["ts"] * 1000), {})[e["name"]] = e["args"]["bytes"]
		now, events = {}, 0
		for row in rows[1:]:
		    new = at.pop(int(row[0]), {})
		    assert all(now.get(k) != v for k, v in new.items())
		    now.update(new)
		    events += len(new)
		    assert [now[n] for n in rows[0][1:]] == [int(x) for x in row[1:]], row
		assert not at and len(trace) - len(marks) - 1 == events > 100
		print("#", events, "events")
	END
}

# Areas as high as the numbers, one on top of the other.
picture() {
	"$program" timeline made.log --points 40 --top 4 >out.csv
	"$program" timeline made.log --points 40 --top 4 -r out.svg -r out.png --width 800 --title '<a & b>' >out.txt
	[ ! -s out.txt ] && [ "$(head -c 24 out.png | tail -c 8 | od -An -tu1 | tr -s ' ')" = " 0 0 3 32 0 0 1 244" ]
	python3 - <<-'END'
		import csv, re
		import xml.etree.ElementTree as tree
		rows = list(csv.reader(open("out.csv")))
		names, rows = rows[0][2:], [[int(x) for x in r[2:]] for r in rows[1:]]
		root = tree.parse("out.svg").getroot()
		assert root[0].text == "<a & b>"
		areas = [p for p in root if p.tag.endswith("path") and "not recorded" not in p[0].text]
		assert len(areas) == len(names) == 5
		# the uppermost number at the left says what the height is
		ticks = [(float(t.get("y")), t.text.split()) for t in root if t.get("x") == "128.00"]
		ticks = sorted((y, float(n) * 1024 ** ["B", "KiB", "MiB", "GiB"].index(unit)) for y, (n, unit) in ticks)
		height = ticks[0][1]
		edges = [[tuple(map(float, p.split())) for p in re.findall("[ML]([-0-9. ]+)", a.get("d"))] for a in areas]
		# pixels for a byte: the largest number of all has the smallest error
		most, k, i = max((n, k, i) for k, row in enumerate(rows) for i, n in enumerate(row))
		scale = (edges[i][-1 - k][1] - edges[i][k][1]) / most
		for i, area in enumerate(areas):
		    assert area[0].text.startswith(names[i] + ": ")
		    points = edges[i]
		    half = len(points) // 2
		    assert half == len(rows)
		    for k in range(half):
		        (x, upper), (x2, lower) = points[k], points[-1 - k]
		        assert x == x2
		        below = sum(rows[k][:i])
		        assert abs(lower - upper - rows[k][i] * scale) < 0.1, (i, k)
		        assert abs((890 - lower) - below * scale) < 0.1, (i, k)
		    assert points[0][0] == 140 and points[half - 1][0] == 1110
		assert abs(760 / scale / height - 1) < 0.02, (760 / scale, height)
		# and all of them are as high as they say
		assert ticks[-1][1] == 0 and len(ticks) >= 4, ticks
		for y, n in ticks:
		    assert abs((ticks[-1][0] - y) / (ticks[-1][0] - ticks[0][0]) - n / height) < 1e-4, ticks
		    # and by the scale of the areas: a number stands where so many bytes are
		    assert abs(ticks[-1][0] - y - n * scale) < 0.2, (ticks, scale)
		assert max(map(sum, rows)) <= height * 1.01
	END
}

# The table of a page has what the samples say.
page() {
	"$program" timeline made.log -r page.html --format csv >out.csv 2>/dev/null && "$here/figure.py" page.html >rows || return 1
	python3 - <<-'END'
		import csv
		def human(n):
		    unit = 0
		    while n >= 1024 and unit < 4:
		        n, unit = n / 1024, unit + 1
		    return ("%.1f %s" if unit else "%d %s") % (n, ["B", "KiB", "MiB", "GiB", "TiB"][unit])
		table = list(csv.reader(open("out.csv")))
		rows = [line.rstrip("\n").split("\t") for line in open("rows")][1:]
		owners = table[0][2:] + ["total"]
		assert [row[0] for row in rows] == owners, rows
		for row, column in zip(rows, list(range(2, len(table[0]))) + [1]):
		    of = [int(line[column]) for line in table[1:]]
		    change = of[-1] - of[0]
		    want = [human(of[0]), human(of[-1]), ("+" if change > 0 else "-" if change < 0 else "") + human(abs(change)),
		            human(min(of)), human(max(of))]
		    assert row[1:] == want, (row, want)
	END
}

# refuse CODE SENTENCE ARGUMENTS...
refuse() {
	local code=0 want=$1 sentence=$2

	shift 2
	"$program" timeline "$@" >out.txt 2>stderr || code=$?
	[ $code = "$want" ] && [ ! -s out.txt ] && [ "$(wc -l <stderr)" = 1 ] && grep -q -e "$sentence" stderr
}

refused() {
	refuse 1 'not an event log' "$data/small.account" || return 1
	refuse 2 "'out.gif': unsupported picture format" made.log -r out.gif || return 1
	refuse 2 "invalid --format 'table' (expected csv or json)" made.log --format table || return 1
	refuse 2 '--width needs -r FILE' made.log --width 800 || return 1
	"$here/log-make.py" --events 1 one.log one.csv && head -c 500 one.log >none.log
	refuse 2 'needs -k DIR' one.log --by dir || return 1
	refuse 1 'no events' none.log
}

# A log that says that it began after all of its events has one sample more, that of its end.
before_start() {
	local code=0

	python3 - made.log early.log <<-'END'
		import struct, sys
		log = bytearray(open(sys.argv[1], "rb").read())
		start, = struct.unpack_from("<Q", log, 32)
		struct.pack_into("<Q", log, 32, start + 10 ** 12)
		open(sys.argv[2], "wb").write(log)
	END
	# not the time that it takes: without an end it takes all memory, or for ever
	(ulimit -t 60; "$program" timeline early.log >out.csv 2>stderr) || code=$?
	if [ $code != 0 ] || [ "$(cut -d, -f 1 out.csv | tail -n +2 | tr '\n' ' ')" != "0 1 " ]; then
		cat stderr
		return 1
	fi
	"$program" objects early.log --show errors --format csv >out.csv 2>stderr
	[ "$(wc -l <out.csv)" -gt 20 ] && awk -F, 'NR > 1 && ($8 > 1e12 || $4 > 1e12)' out.csv | diff /dev/null -
}

ktap_plan 16
ktap "samples" samples
ktap "all owners" samples --top 1000 --points 37
ktap "few samples" samples --points 2 --top 1
ktap "by module" samples --by module
ktap "by directory" samples --by dir -k mini/tree --force
ktap "by top directory" samples --by dir -k mini/tree --force --depth 1
ktap "an interval" samples --from 0.001 --to 0.0021 --points 30
ktap "the report of the end" report
ktap "a trace of counters" trace
ktap "a picture" picture
ktap "a page" page
ktap "refused" refused
ktap "events from before the beginning" before_start
ktap "losses are marked" losses
ktap "gaps" gap --points 300
ktap "by a counter" counter --points 300
ktap_end
