#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Charts as others see them: SVG that xmllint accepts and whose areas are the shares of
# the report, PDF that poppler renders and whose text it finds, the same bytes from run
# to run, names that want to be markup, and comparisons.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

golden_setup
account=$work/mine.account
tree=$work/mini/tree
cd "$work"
# What is compared by name below has each name once.
awk '{ split($6, n, "+") } !seen[n[1]]++' rows >rows.mine
account_of rows.mine >mine.account

# draw KIND ARGUMENTS...
draw() {
	"$program" "$1" "$account" -k "$tree" "${@:2}"
}

well_formed() {
	local kind theme

	for kind in rings treemap icicle flame; do
		for theme in light dark print; do
			draw $kind --theme $theme -r a.svg
			xmllint --noout a.svg
			rsvg-convert a.svg | file - | grep 'PNG image data, 1600 x 1000' >/dev/null
		done
	done
}

# The rectangle of each caller, from its tip, against the report: areas in a treemap,
# heights in an icicle.
honest() {
	draw "$1" -r a.svg -a "$2" --depth 12
	"$program" report "$account" -k "$tree" --by caller --format csv >callers.csv
	python3 - "$1" "$2" <<'END'
import csv, sys, xml.etree.ElementTree as ET
kind, attr = sys.argv[1:]
want = {r["caller"]: int(r[attr]) for r in csv.DictReader(open("callers.csv"))}
total, ns = sum(want.values()), "{http://www.w3.org/2000/svg}"
whole, seen = {"treemap": 942 * 834, "icicle": 834, "flame": 942}[kind], 0
side = lambda rect, name: float(rect.get(name))
for rect in ET.parse("a.svg").getroot().iter(ns + "rect"):
    tip = rect.find(ns + "title")
    if tip is None:
        continue
    name = next((c for c in want if tip.text.split(": ")[0].endswith("/" + c)), None)
    if name is None:
        continue
    size = {"treemap": side(rect, "height") * side(rect, "width"), "icicle": side(rect, "height"),
            "flame": side(rect, "width")}[kind]
    assert abs(size / whole - want[name] / total) < 2e-4, (tip.text, size / whole, want[name] / total)
    seen += 1
assert seen >= 8, seen
END
}

# Each text lies in one rectangle and can be read on it, as far as the SVG tells.
texts_inside() {
	local kind theme

	for kind in treemap icicle flame; do
		for theme in light dark print; do
			draw $kind -r a.svg --theme $theme
			texts_of a.svg
		done
	done
}

texts_of() {
	python3 - "$1" <<'END'
import sys, xml.etree.ElementTree as ET
ns, rects, texts = "{http://www.w3.org/2000/svg}", [], []
for e in ET.parse(sys.argv[1]).getroot():
    if e.tag == ns + "rect" and e.find(ns + "title") is not None:
        rects.append([float(e.get(k)) for k in ("x", "y", "width", "height")] + [e.get("fill")])
    if e.tag == ns + "text" and e.get("x") and 112 < float(e.get("y")) < 946 and float(e.get("x")) < 986:
        texts.append((float(e.get("x")), float(e.get("y")), float(e.get("font-size")), e.text, e.get("fill")))
def light(colour):
    c = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    c = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in c]
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] + 0.05
assert len(texts) > 10, texts
for x, y, size, text, fill in texts:
    # 0.4 of the size for each letter is less than any text has
    room = [r for r in rects if r[0] < x and r[1] < y - 0.7 * size and y < r[1] + r[3]
            and x + 0.4 * size * len(text) < r[0] + r[2]]
    assert len(room) == 1, (text, x, y, room)
    pair = sorted((light(fill), light(room[0][4])))
    assert pair[1] / pair[0] >= 4.5, (text, fill, room)
END
}

# same-colours A.png B.png: fail unless each colour of more than 0.3 % of one picture is,
# within 3 of 255, one of more than 0.1 % of the other, and B has more than 5. In C, because python
# needs seconds for the pixels.
make_same_colours() {
	cat >same-colours.c <<'END'
#include <cairo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}
/* the colours of more than a share of a picture, in *list */
static int colours(const char *path, unsigned int per_mille, uint32_t **list)
{
	cairo_surface_t *s = cairo_image_surface_create_from_png(path);
	int width = cairo_image_surface_get_width(s), height = cairo_image_surface_get_height(s), n = 0;
	size_t nr = (size_t)width * height, i, from = 0;
	uint32_t *all = malloc(4 * (nr + 1));

	if (cairo_surface_status(s) || !nr)
		exit(2);
	for (i = 0; i < nr; i++)
		all[i] = 0xffffff & *(uint32_t *)(cairo_image_surface_get_data(s) +
			i / width * cairo_image_surface_get_stride(s) + 4 * (i % width));
	qsort(all, nr, 4, by_value);
	for (i = 1; i <= nr; i++)
		if (i == nr || all[i] != all[from]) {
			if ((i - from) * 1000 > per_mille * nr)
				all[n++] = all[from];
			from = i;
		}
	*list = all;
	return n;
}
static int far(uint32_t a, uint32_t b)
{
	for (int shift = 0; shift < 24; shift += 8)
		if (abs((int)(a >> shift & 255) - (int)(b >> shift & 255)) > 3)
			return 1;
	return 0;
}
int main(int argc, char **argv)
{
	uint32_t *list[2], *some[2];
	int n[2], m[2], i, k, bad = argc != 3;

	for (i = 0; i < 2; i++) {
		n[i] = colours(argv[i + 1], 3, &list[i]);
		m[i] = colours(argv[i + 1], 1, &some[i]);
	}
	bad |= n[1] <= 5;

	for (int side = 0; side < 2; side++)
		for (i = 0; i < n[side]; i++) {
			for (k = 0; k < m[!side] && far(list[side][i], some[!side][k]); k++)
				;
			bad |= k == m[!side];
		}
	printf("%d colours and %d\n", n[0], n[1]);
	return bad;
}
END
	# shellcheck disable=SC2046 # words
	gcc -O1 -o same-colours same-colours.c $(pkg-config --cflags --libs cairo)
}

pdf() {
	draw "$1" -r a.pdf --width 900
	pdftoppm -r 96 -png a.pdf page
	file page*.png | grep 'PNG image data, 900 x 56' >/dev/null
	pdftotext a.pdf - >said
	grep -q 'Kernel memory allocated since the account began: ' said && grep -q 'Largest owners' said && grep -qw mm said
	# not a blank sheet: what poppler draws is what cairo draws
	draw "$1" -r a.png --width 900
	./same-colours page*.png a.png
	rm page*.png
}

# A narrow picture has the legend below the drawing, text of 8.5 pixels or more, all of
# it within, no line on another, and a footer that says all that the wide one says.
narrow() {
	local width

	draw "$1" -r wide.svg
	for width in 400 640 899; do
		draw "$1" -r a.svg --width $width
		rsvg-convert a.svg | file - | grep "PNG image data, $width x " >/dev/null
		python3 - wide.svg a.svg $width <<'END'
import sys, xml.etree.ElementTree as ET
ns = "{http://www.w3.org/2000/svg}"
def texts(path):
    root = ET.parse(path).getroot()
    size = [float(v) for v in root.get("viewBox").split()[2:]]
    return size, [(float(e.get("x")), float(e.get("y")), float(e.get("font-size")), e.text,
                   e.get("text-anchor")) for e in root.iter(ns + "text") if e.get("x")]
(_, high), wide = texts(sys.argv[1])
(width, height), narrow = texts(sys.argv[2])
scale = int(sys.argv[3]) / width
below = max(y for _, y, _, text, _ in narrow if text.startswith("Largest owners"))
for x, y, size, text, anchor in narrow:
    assert size * scale >= 8.5, (size * scale, text)
    assert 0 < x < width and size * 0.8 < y < height - 2, (x, y, text)
    long = 0.4 * size * len(text)
    assert (x - long > 0 if anchor == "end" else x + long < width or anchor == "middle"), (x, text)
lines = sorted((y, x, size, text) for x, y, size, text, anchor in narrow if y >= below and x < width / 2)
assert len(lines) > 12, lines
for (y, _, size, text), (other, _, larger, more) in zip(lines, lines[1:]):
    assert other - y >= 0.9 * larger, (text, more)
foot = " ".join(text for y, x, _, text in lines if y > lines[-1][0] - 120)
words = [w for x, y, _, text, _ in wide if y > high - 50 for w in text.split() if w != "\xb7"]
assert len(words) > 15 and all(w in foot for w in words), (words, foot)
END
	done
}

# Heading and subject of narrow pictures: no line on another, whatever the heading is.
narrow_heading() {
	awk '{ $1 += NR; $3 += NR; print }' rows.mine >rows.more && account_of rows.more >more.account
	"$program" diff "$account" more.account -k "$tree" -r a.svg --width 400
	draw rings -r b.svg --width 400 --title "A heading that is far longer than any narrow picture has room for"
	python3 - a.svg b.svg <<'END'
import sys, xml.etree.ElementTree as ET
ns = "{http://www.w3.org/2000/svg}"
for path in sys.argv[1:]:
    root = ET.parse(path).getroot()
    top = sorted((float(e.get("y")), float(e.get("font-size")), float(e.get("x")), e.text)
                 for e in root.iter(ns + "text") if e.get("x") and float(e.get("y")) < 105)
    left = min(x for _, _, x, _ in top)
    top = [line for line in top if line[2] == left]
    assert len(top) == 3 and top[0][1] >= 17, top
    for (y, _, _, text), (other, size, _, more) in zip(top, top[1:]):
        assert other - y >= 0.9 * size, (text, more)
END
}

# Also at another time of day: only that of the account is in them.
same_again() {
	local kind end

	for kind in rings treemap icicle flame; do
		for end in png pdf svg; do
			draw $kind -r a.$end --theme dark
			mv a.$end $kind.$end
		done
	done
	sleep 1.1
	for kind in rings treemap icicle flame; do
		for end in png pdf svg; do
			draw $kind -r a.$end --theme dark
			cmp a.$end $kind.$end
		done
	done
}

# The file's last change, the snapshot's, SOURCE_DATE_EPOCH as the latest of all.
time_of() {
	grep -Eo '[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8} UTC' a.svg
}

times() {
	touch -d @1600000000 dated && cat "$account" >dated && touch -d @1600000000 dated
	"$program" icicle dated -r a.svg
	[ "$(time_of)" = "2020-09-13 12:26:40 UTC" ]
	SOURCE_DATE_EPOCH=1500000000 "$program" icicle dated -r a.svg
	[ "$(time_of)" = "2017-07-14 02:40:00 UTC" ]
	SOURCE_DATE_EPOCH=1700000000 "$program" icicle dated -r a.svg
	[ "$(time_of)" = "2020-09-13 12:26:40 UTC" ]
	"$program" icicle - <dated -r a.svg && ! time_of
	SOURCE_DATE_EPOCH=1500000000 "$program" icicle - <dated -r a.svg
	[ "$(time_of)" = "2017-07-14 02:40:00 UTC" ]
	"$program" report dated --save-db a.db >/dev/null
	sqlite3 a.db "UPDATE sample SET time = 1400000000000000000"
	"$program" icicle a.db -r a.svg
	[ "$(time_of)" = "2014-05-13 16:53:20 UTC" ]
	# a snapshot of the module has its own time, whenever its file was copied
	python3 "$here/snapshot.py" make . 1 && touch -d @1600000000 s000 &&
		SOURCE_DATE_EPOCH='' "$program" icicle s000 -r a.svg -r a.html
	[ "$(time_of)" = "2025-11-24 16:00:10 UTC" ]
	"$here/page.py" facts a.html | grep -x 'Time	2025-11-24 16:00 UTC' >/dev/null
	if "$here/page.py" facts a.html | grep 'boottime_ns\|reclaimable\|loaded modules'; then return 1; fi
	"$program" report s000 --save-db b.db >/dev/null && SOURCE_DATE_EPOCH='' "$program" icicle b.db -r a.svg
	[ "$(time_of)" = "2025-11-24 16:00:10 UTC" ]
	SOURCE_DATE_EPOCH=1400000000 "$program" icicle a.db -r a.pdf
	pdfinfo -isodates a.pdf | grep '^CreationDate: *2014-05-13T16:53:20' >/dev/null
}

# Names that would be markup, end the text, turn its direction, or are no UTF-8 at all.
hostile() {
	local kind

	{
		printf '9000 0 9000 1 0 </text><script>alert(1)</script>\n'
		printf '8000 0 8000 1 0 a"onload=x\047&amp;]]>\n7000 0 7000 1 0 \xe2\x80\xaegnp.exe\n'
		printf '6000 0 6000 1 0 \xff\xfe\xc3(\xef\xbf\xbf\n5000 0 5000 1 0 esc\x1b[2Jape\n'
	} >rows
	account_of rows >hostile.account
	for kind in rings treemap icicle flame; do
		"$program" $kind hostile.account -r a.svg -r a.png -r a.pdf --title $'\xff<b>\x01\xef\xbf\xbf'
		xmllint --noout a.svg
		python3 - <<'END'
import re, xml.etree.ElementTree as ET
raw = open("a.svg", encoding="utf-8").read()
assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f-\x9f\uffff]", raw)
tags = {e.tag.split("}")[1] for e in ET.fromstring(raw.encode()).iter()}
assert tags <= {"svg", "title", "desc", "style", "rect", "path", "text"}, tags
assert any("<script>" in (e.text or "") for e in ET.fromstring(raw.encode()).iter())
assert not any(k.startswith("on") for e in ET.fromstring(raw.encode()).iter() for k in e.attrib)
END
		pdftotext a.pdf - | grep script >/dev/null
		file a.png | grep 'PNG image data' >/dev/null
	done
}

# The branch is the lowest row; each box lies on its parent, and within its parent's width.
flame_rows() {
	draw flame -r a.svg --depth 12
	python3 - <<'END'
import xml.etree.ElementTree as ET
ns, boxes = "{http://www.w3.org/2000/svg}", {}
for e in ET.parse("a.svg").getroot().iter(ns + "rect"):
    tip = e.find(ns + "title")
    if tip is not None and not tip.text.startswith("other"):
        boxes[tip.text.split(": ")[0]] = [float(e.get(k)) for k in ("x", "y", "width", "height")]
below, rows = 0, {round(b[1], 1) for b in boxes.values()}
for path, (x, y, w, h) in boxes.items():
    parent = boxes.get(path.rpartition("/")[0])
    if parent:
        assert abs(y + h - parent[1]) < 0.1, (path, y, h, parent)
        assert x > parent[0] - 0.1 and x + w < parent[0] + parent[2] + 0.1, path
        below += 1
lowest = max(boxes.values(), key=lambda b: b[1])
assert lowest[2] == 942 and abs(lowest[1] + lowest[3] - 946) < 40, lowest
assert below >= 8 and len(rows) >= 4, (below, rows)
END
}

# Two accounts: the callers of a file that changed, the sizes of their changes, the signs.
compare() {
	awk '{ n = NR % 4; if (n == 3) next; k = n == 0 ? 1 : n == 1 ? 2 : 0.5
		r = int($3 * k); $1 = r + $2; $3 = r; print }' rows.mine >rows.after
	echo "5000 0 5000 1 0 brandnew+0x1/0x9" >>rows.after
	account_of rows.after >after.account
	"$program" diff "$account" after.account -k "$tree" --floor 0 --by caller --format csv >diff.csv
	"$program" diff "$account" after.account -k "$tree" -r a.svg --chart "$1" --depth 12 >said
	[ ! -s said ]
	xmllint --noout a.svg
	python3 - "$1" <<'END'
import csv, re, sys, xml.etree.ElementTree as ET
rows = {r["caller"]: (int(r["before"]), int(r["after"])) for r in csv.DictReader(open("diff.csv"))}
ns, root = "{http://www.w3.org/2000/svg}", ET.parse("a.svg").getroot()
changes = [after - before for before, after in rows.values()]
total, seen, whole = sum(map(abs, changes)), set(), {"treemap": 942 * 834, "icicle": 834, "flame": 942}
hue = lambda c: (c[0] > c[2]) - (c[0] < c[2])
for e in root.iter(ns + ("path" if sys.argv[1] == "rings" else "rect")):
    tip = e.find(ns + "title")
    if tip is None or " before, " not in tip.text:
        continue
    path, sizes = re.fullmatch(r"(.*): (\S+ \w+ before, .*)", tip.text).groups()
    name = next((n for n in rows if path.endswith("/" + n) or path == n), None)
    if name is None:
        continue
    before, after = rows[name]
    sign = "+" if after > before else "\u2212" if after < before else ""
    assert sizes.split("after: ")[1].startswith(sign) and (sign or sizes.endswith(" 0 B")), tip.text
    fill = bytes.fromhex(e.get("fill")[1:])
    if before != after:
        assert hue(fill) == (1 if after > before else -1), (tip.text, e.get("fill"))
    else:
        assert max(fill) - min(fill) < 8, (tip.text, e.get("fill"))
    if sys.argv[1] in whole:
        high, wide = float(e.get("height")), float(e.get("width"))
        size = {"treemap": high * wide, "icicle": high, "flame": wide}[sys.argv[1]]
        assert abs(size / whole[sys.argv[1]] - abs(after - before) / total) < 2e-4, tip.text
    seen.add((before > after) - (before < after) if before and after else "new" if after else "gone")
assert seen == {-1, 1, "new", "gone"} and 0 in changes, seen
texts = [t.text for t in root.iter(ns + "text")]
# what the sum hides, in the picture's rounded units
up, down = (sum(c for c in changes if sign * c > 0) for sign in (1, -1))
moves = re.search(r"\(\+([\d.]+) (\w+) and \u2212([\d.]+) (\w+)\)", " ".join(texts))
units = {"B": 1, "KiB": 1024, "MiB": 1024 ** 2}
for got, unit, want in ((moves[1], moves[2], up), (moves[3], moves[4], -down)):
    assert abs(float(got) - want / units[unit]) <= 0.051, (moves[0], up, down)
assert "Largest changes" in texts and "gone" in texts and "new" in texts
for side in ("before: mine.account: ", "after: after.account: "):
    assert any(t.startswith(side) and " call sites" in t and "unknown objects: 12" in t for t in texts)
END
}

# Without files, of one side only, and when a threshold is to be kept.
compare_others() {
	local status=0

	"$program" diff "$account" after.account -r a.svg --format csv >said
	grep -q '^caller,' said && grep -q '>by caller<\|by caller' a.svg && xmllint --noout a.svg
	"$program" diff "$account" after.account -k "$tree" -b fs -r a.svg
	grep -q 'What changed in kernel memory in fs' a.svg && ! grep -q '>mm<' a.svg
	"$program" diff "$account" after.account -r b.svg --fail-above 0 2>/dev/null || status=$?
	[ "$status" -eq 3 ] && [ -s b.svg ]
	"$program" diff "$account" "$account" -k "$tree" -r a.svg && grep -q 'nothing changed' a.svg
}

static_sizes() {
	"$program" treemap -k "$tree" -r a.svg
	grep -q 'static bytes (static): ' a.svg && grep -q '[0-9] objects' a.svg
	draw icicle -a current -r a.svg -b fs
	grep -q 'static and live bytes (current): ' a.svg
	# by the command of static sizes as well, with its own keys
	"$program" static -k "$tree" -r b.svg --chart treemap >said
	[ ! -s said ]
	"$program" treemap -k "$tree" -a static -r a.svg
	cmp a.svg b.svg
	"$program" static -k "$tree" --by symbol -a text -r a.svg --format csv >said
	grep -q '^symbol,' said && grep -q 'by symbol' a.svg
	cp -r "$tree" other
	rm "$(find other -name '*.o' -path '*/mm/*' | sed -n 1p)"
	"$program" diff "$tree" other -r a.svg --chart icicle >said 2>&1
	xmllint --noout a.svg && grep -q 'static bytes (static): .*, by directory, file and section' a.svg
	grep -q '>gone<' a.svg && grep -q 'after: other, 6.1.0-mini' a.svg
}

make_same_colours
ktap_plan 27
ktap "each kind and theme is well-formed and draws" well_formed
ktap "a treemap's areas are shares of live bytes" honest treemap current_dynamic
ktap "a treemap's areas are shares of waste" honest treemap waste
ktap "an icicle's heights are shares of live bytes" honest icicle current_dynamic
ktap "an icicle's heights are shares of allocations" honest icicle allocs
ktap "a flame graph's widths are shares of live bytes" honest flame current_dynamic
ktap "a text lies in one rectangle and can be read on it" texts_inside
ktap "PDF of rings" pdf rings
ktap "PDF of a treemap" pdf treemap
ktap "PDF of an icicle" pdf icicle
ktap "PDF of a flame graph" pdf flame
ktap "narrow rings" narrow rings
ktap "the heading of a narrow picture" narrow_heading
ktap "a narrow treemap" narrow treemap
ktap "a narrow icicle" narrow icicle
ktap "a narrow flame graph" narrow flame
ktap "a flame graph's rows" flame_rows
ktap "the same from run to run" same_again
ktap "the time is the account's" times
ktap "hostile names" hostile
ktap "comparison: rings" compare rings
ktap "comparison: treemap" compare treemap
ktap "comparison: icicle" compare icicle
ktap "comparison: flame graph" compare flame
ktap "comparison: without files, a branch, a threshold" compare_others
ktap "static sizes" static_sizes
ktap "callers without files" "$program" rings "$data/small.account" -r a.png
ktap_end
