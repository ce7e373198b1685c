#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The ring chart as others see it: well-formed SVG whose angles are the shares of
# the report, text that is text, PNG of the size that was asked for, and both the
# same from run to run.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

golden_setup
account=$work/mine.account
tree=$work/mini/tree

draw() {
	"$program" rings "$account" -k "$tree" "$@"
}

well_formed() {
	draw -r "$work/a.svg" --title '<b>&"x"' && python3 - "$work/a.svg" <<'EOF'
import sys, xml.etree.ElementTree as ET
root = ET.parse(sys.argv[1]).getroot()
ns = "{http://www.w3.org/2000/svg}"
assert root.tag == ns + "svg"
texts = [t.text for t in root.iter(ns + "text")]
assert '<b>&"x"' in texts, texts[:3]
assert "fs" in texts and "Largest owners" in texts
assert all(p.find(ns + "title") is not None or p.get("class") == "e" for p in root.iter(ns + "path"))
EOF
}

# The sweep of each first-ring slice, from its points, against the report.
honest() {
	draw -r "$work/a.svg" -a "$1"
	"$program" report "$account" -k "$tree" --by dir --depth 1 --format csv >"$work/top.csv"
	python3 - "$work/a.svg" "$work/top.csv" "$1" <<'EOF'
import csv, math, re, sys, xml.etree.ElementTree as ET
svg, table, attr = sys.argv[1:]
rows = {}
for row in csv.DictReader(open(table)):
    rows["init.c" if row["dir"] == "." else row["dir"]] = int(row[attr])
total = sum(rows.values())
ns = "{http://www.w3.org/2000/svg}"
cx, cy = 516, 528
seen = 0
for path in ET.parse(svg).getroot().iter(ns + "path"):
    title = path.find(ns + "title")
    if title is None or title.text.split(": ")[0] not in rows:
        continue
    n = list(map(float, re.findall(r"-?[0-9.]+", path.get("d"))))
    start, end = n[0:2], n[7:9]
    angle = lambda p: math.atan2(p[0] - cx, cy - p[1]) % (2 * math.pi)
    share = (angle(end) - angle(start)) % (2 * math.pi) / (2 * math.pi)
    want = rows[title.text.split(": ")[0]] / total
    assert abs(share - want) < 1e-3, (title.text, share, want)
    seen += 1
assert seen >= 4, seen
EOF
}

png_size() {
	draw -r "$work/a.png" --width "$1"
	python3 - "$work/a.png" "$1" <<'EOF'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
width, height = struct.unpack(">II", data[16:24])
assert width == int(sys.argv[2]) and height == round(width * 1000 / 1600), (width, height)
pixels, at = b"", 8
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    pixels += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
    at += 12 + size
assert len(set(zlib.decompress(pixels))) > 50, "blank"
EOF
}

same_again() {
	draw -r "$work/a.svg" -r "$work/a.png"
	draw -r "$work/b.png" -r "$work/b.svg"
	cmp "$work/a.svg" "$work/b.svg" && cmp "$work/a.png" "$work/b.png"
}

branch() {
	draw -r "$work/a.svg" -b fs
	grep -q 'Kernel memory in fs allocated since the account began: ' "$work/a.svg" && grep -q '>alpha<' "$work/a.svg" &&
		! grep -q '>mm<' "$work/a.svg"
}

nearest() {
	local said

	said=$(draw -r "$work/c.svg" -b fs/alfa 2>&1) && return 1
	[ "$said" = "kmem-account: there is no branch 'fs/alfa'; the nearest is 'fs/alpha'" ] &&
		[ ! -e "$work/c.svg" ]
}

footer() {
	draw -r "$work/a.svg"
	grep -q 'mine.account: [0-9]* call sites.*live without a directory: .*unknown objects: 12' \
		"$work/a.svg" && grep -q 'Linux 6.1.0-mini' "$work/a.svg"
}

# The title of a snapshot of a machine with 64 MiB of slab memory.
title() {
	local said share live as

	mkdir "$work/series"
	python3 "$here/snapshot.py" make "$work/series" 2
	printf 'MemTotal: 1000000 kB\nMemFree: 500000 kB\nSlab: 65536 kB\n' >"$work/meminfo"
	said=$(python3 - "$work/series/s001" <<'EOF'
import sys, time
head = dict(line.split(": ") for line in open(sys.argv[1]).read().split("\n== ")[0].split("\n")[1:] if ": " in line)
begin = int(head["time_ns"]) - int(head["boottime_ns"]) + int(head["loaded_ns"])
print(time.strftime("Slab memory allocated since %H:%M UTC: ", time.gmtime(begin // 10**9)))
EOF
)
	live=$("$program" report "$work/series/s001" --format json | python3 -c '
import json, sys; print(json.load(sys.stdin)["total"]["current_dynamic"])')
	share=$(python3 -c "print(f'{$live / 1024:.1f} KiB, {100 * $live / (64 << 20):.1f}% of all slab')")
	for as in report.txt a.svg a.html; do
		case $as in
		*.txt) "$program" report "$work/series/s001" --meminfo "$work/meminfo" -O "$work/$as" ;;
		*) "$program" rings "$work/series/s001" --meminfo "$work/meminfo" -r "$work/$as" ;;
		esac
		grep -F "$said$share" "$work/$as" >/dev/null || { echo "$as has no '$said$share'"; return 1; }
	done
	# without the machine's memory no share; of a part of it no time of another account
	"$program" report "$work/series/s001" | grep -F "$said" | grep -F 'of all slab' && return 1
	"$program" report "$work/series/s001" --meminfo "$work/meminfo" --all-slab --format json | python3 -c "
import json, sys
report = json.load(sys.stdin)
rows = {row['caller']: row['current_dynamic'] for row in report['rows']}
assert rows['[allocated before, or free in slabs]'] == (64 << 20) - $live, rows
assert report['total']['current_dynamic'] == 64 << 20, report['total']"
	said=$("$program" report "$work/series/s001" --all-slab 2>&1) && return 1
	[[ $said = *'--all-slab needs --meminfo FILE'* ]]
}

ktap_plan 10
ktap "SVG is well-formed, with text and tooltips" well_formed
ktap "angles are shares of live bytes" honest current_dynamic
ktap "angles are shares of waste" honest waste
ktap "PNG, 1600 wide" png_size 1600
ktap "PNG, 960 wide" png_size 960
ktap "the same from run to run" same_again
ktap "a branch" branch
ktap "a branch that is not there names the nearest" nearest
ktap "the title says what is counted, since when, and its share of all slab" title
ktap "the footer says what is missing" footer
ktap_end
