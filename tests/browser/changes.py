# SPDX-License-Identifier: GPL-2.0-only
"""The page of a comparison: both sides and the change, with its sign, in chart, table, CSV."""
import csv
import os
import xml.etree.ElementTree as ElementTree

from looks import CONTRAST, labels_inside
from selenium.webdriver.common.by import By
from truth import CHARTS, equal, human

PAGE = "changes.html"


def sides(by):
    """(before, after) by name, from `diff --format csv`."""
    with open(f"{os.environ['KMA_WORK']}/changes-{by}.csv", encoding="utf-8") as file:
        return {row[by]: (int(row["before"]), int(row["after"])) for row in csv.DictReader(file)}


def written(before, after):
    if before == after:
        return "±0"
    return ("+" if after > before else "−") + human(abs(after - before))


def moves(path):
    """What the change below a directory hides: by call site, which the csv by file sums up."""
    rows = [pair for name, pair in sides("caller").items() if not path or name.startswith(f"{path}/")]
    up = sum(max(0, after - before) for before, after in rows)
    down = sum(max(0, before - after) for before, after in rows)
    return f" (+{human(up)} and −{human(down)})" if up and down else ""


def inside(path):
    rows = [pair for name, pair in sides("file").items() if not path or name.startswith(f"{path}/")]
    return sum(pair[0] for pair in rows), sum(pair[1] for pair in rows)


def changes_said(b):
    """Heading, cells, tip and table: before, after, the change and its sign."""
    before, after = inside("")
    b.open(PAGE)
    equal(b.text("#title"), "What changed in kernel memory")
    said = (f"Live bytes in the kernel: {human(before)} → {human(after)}, {written(before, after)}"
            f"{moves('')}")
    assert b.text("#subtitle").startswith(said), (b.text("#subtitle"), said)
    for chart in CHARTS:
        b.open(PAGE, f"#?chart={chart}")
        cells = {c["label"].split(":")[0]: c["label"] for c in b.cells() if c["level"] == 2}
        dirs = [name for name in {n.split("/")[0] for n in sides("file")} if name in cells]
        assert len(dirs) > 6, dirs
        for name in dirs:
            before, after = inside(name)
            equal(cells[name].replace("after: ±0", "after: 0 B"),
                  f"{name}: {human(before)} before, {human(after)} after: "
                  f"{written(before, after).replace('±0', '0 B')}{moves(name)}")
        b.hover_cell("fs:")
        assert written(*inside("fs")) in b.text("#tip"), b.text("#tip")
        texts = b.js("return [...document.querySelectorAll('#svg .labels text')].map((e) => e.textContent)")
        assert any(written(*inside("fs")) in text for text in texts), texts[:9]


def changes_sized(b):
    """Sizes are what changed, up or down; or what was, or is."""
    def share(pair):
        return {"change": abs(pair[1] - pair[0]), "before": pair[0], "after": pair[1]}[size]

    for size in ("change", "before", "after"):
        b.open(PAGE, f"#?chart=icicle{'' if size == 'change' else f'&size={size}'}")
        equal(b.js("return document.getElementById('size').value"), size)
        cells = b.js("return [...document.querySelectorAll('#svg [role=treeitem]')].map((e) => "
                     "[e.cell.level, e.cell.rest, e.getAttribute('aria-label').split(':')[0], e.cell.value])")
        want = {}
        for name, pair in sides("caller").items():
            top = name.split("/")[0]
            want[top] = want.get(top, 0) + share(pair)
        whole = [value for level, _, _, value in cells if level == 0][0]
        equal(whole, sum(want.values()))
        level = {name: value for level, rest, name, value in cells if level == 1 and not rest}
        assert len(level) > 5, level
        equal(level, {name: want[name] for name in level})
    b.open(PAGE)
    b.js("const size = document.getElementById('size'); size.value = 'after';"
         "size.dispatchEvent(new Event('change', { bubbles: true }));")
    b.wait("location.hash.includes('size=after')")
    b.driver.back()
    b.wait("document.getElementById('size').value === 'change'")
    b.open("main.html", "#?size=after")
    assert not b.find("#sizes").is_displayed()


def changes_coloured(b):
    """New is orange, gone is blue, and what lies between has the hue of its sign; what is the same
    is grey, where sizes are those of one side."""
    def hue(fill):
        red, blue = int(fill[1:3], 16), int(fill[5:7], 16)
        return (red > blue + 20) - (blue > red + 20)

    for dark in (False, True):
        b.open(PAGE, "#?chart=icicle&size=after", dark=dark)
        gone = set(b.js("return [...document.querySelectorAll('#svg [role=treeitem]')].map((e) =>"
                        "e.cell.after ? '' : e.getAttribute('fill'))")) - {""}
        assert not gone, gone
        b.open(PAGE, "#?chart=icicle&size=before", dark=dark)
        seen_same = b.js("return [...document.querySelectorAll('#svg [role=treeitem]')].slice(1).filter((e) =>"
                         "e.cell.before === e.cell.after).map((e) => e.getAttribute('fill'))")
        assert len(seen_same) > 5 and all(hue(fill) == 0 for fill in seen_same), seen_same
        b.open(PAGE, "#?chart=icicle", dark=dark)
        cells = b.js("return [...document.querySelectorAll('#svg [role=treeitem]')].slice(1).map((e) =>"
                     "[e.cell.before, e.cell.after, e.getAttribute('fill'), e.getAttribute('aria-label')])")
        seen = {-1: 0, 0: 0, 1: 0}
        for before, after, fill, label in cells:
            sign = (after > before) - (after < before)
            seen[sign] += 1
            equal((label, hue(fill)), (label, sign))
        assert seen[-1] > 5 and seen[1] > 5, seen
        new = {fill for before, _, fill, _ in cells if not before}
        gone = {fill for _, after, fill, _ in cells if not after}
        equal((new, gone), ({"#f28c28"}, {"#4da3f0"}) if dark else ({"#e0750a"}, {"#1f6fb4"}))
        assert b.find("#ramp").is_displayed()
    b.open("main.html")
    assert not b.find("#scale").is_displayed()


def changes_sorted(b):
    """The largest change first, whatever its sign; then by each column."""
    b.open(PAGE, "#?rows=files")
    b.all_rows()
    want = sides("file")
    rows = b.table()[1:-1]
    equal(len(rows), len(want))
    equal([cell.replace(" ↓", "") for cell in b.table()[0]],
          ["name", "change", "%", "before", "after", "objects ±"])
    order = sorted(want.values(), key=lambda pair: -abs(pair[1] - pair[0]))
    equal([row[1].lstrip("+−±") for row in rows],
          [written(*pair).lstrip("+−±") for pair in order])
    for column, key, write in (("change", lambda p: p[1] - p[0], lambda p: written(*p)),
                               ("before", lambda p: p[0], lambda p: human(p[0])),
                               ("after", lambda p: p[1], lambda p: human(p[1]))):
        at = ["name", "change", "%", "before", "after"].index(column)
        for down in (True, False):
            head = next(e for e in b.driver.find_elements(By.CSS_SELECTOR, "thead button")
                        if column in e.text)
            b.click(head)
            equal([row[at] for row in b.table()[1:-1]],
                  [write(pair) for pair in sorted(want.values(), key=key, reverse=down)])
    new = [row for row in b.table()[1:-1] if row[2] == "new"]
    gone = [row for row in b.table()[1:-1] if row[2] == "gone"]
    equal((len(new), len(gone)), (sum(not p[0] and p[1] > 0 for p in want.values()),
                                  sum(not p[1] and p[0] > 0 for p in want.values())))
    assert new and gone
    equal(b.table()[-1][1], written(*inside("")))


def changes_leave(b):
    """CSV and SVG; a zoom, a search and the way back are as of any page."""
    b.open(PAGE, "#?rows=files")
    b.driver.execute_cdp_cmd("Browser.grantPermissions", {
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    b.click(b.find("#csv"))
    b.wait("document.getElementById('said').textContent.startsWith('Copied')")
    text = b.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    rows = {row["path"]: row for row in csv.DictReader(text.splitlines())}
    equal({path: (int(row["current_dynamic_before"]), int(row["current_dynamic_after"]))
           for path, row in rows.items()}, sides("file"))
    for row in rows.values():
        equal(int(row["objects_delta"]), int(row["objects_after"]) - int(row["objects_before"]))
    root = ElementTree.fromstring(b.driver.execute_async_script("""
        const done = arguments[0], make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { blob.text().then(done); return make(blob); };
        document.getElementById('save').click();"""))
    assert any(" before, " in (e.text or "") for e in root.iter()), "sizes of both sides"
    b.open(PAGE, "#?q=slub.c")
    assert b.text("#found").endswith(written(*sides("file")["mm/slub.c"])), b.text("#found")
    b.open(PAGE)
    b.click_cell("fs:")
    assert written(*inside("fs")) in b.text("#subtitle")
    b.driver.back()
    b.wait("document.querySelectorAll('#crumbs li').length === 1")
    b.rest()


def changes_look(b):
    """Contrast, labels inside their slices, and no window that is too narrow."""
    for chart in CHARTS:
        labels_inside(b, PAGE, [chart])
        for dark in (False, True):
            b.open(PAGE, f"#?chart={chart}", dark=dark)
            pairs = b.js(CONTRAST)
            low = [(round(r, 2), text) for r, text in pairs if r < 4.5]
            assert len(pairs) > 40 and not low, (chart, dark, low[:5])
        b.open(PAGE, f"#?chart={chart}", size="phone")
        equal(b.js("return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)


CHANGES = [
    ("a comparison: before, after and the sign", changes_said),
    ("a comparison: colours have the sign", changes_coloured),
    ("a comparison: what sizes are", changes_sized),
    ("a comparison: the table", changes_sorted),
    ("a comparison: CSV, SVG, search, zoom", changes_leave),
    ("a comparison: looks", changes_look),
]
