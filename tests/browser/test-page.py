#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a person can do with the page, done. Started by run.sh."""
import csv
import os
import sys
import time
import xml.etree.ElementTree as ElementTree

from browser import SIZES, ActionChains, Browser, By, Keys, Ktap, fail
from changes import CHANGES
from groups import GROUPS
from lines import LINES
from keys import KEYS
from past import PAST
from shown import SHOWN
from times import TIMES
from looks import (areas, contrast, fits, forced_colours, labels_inside, names_for_readers, one_scale,
                   printing, theme_toggle)
from truth import CHARTS, below, equal, human, report

WORK = os.environ["KMA_WORK"]
THE_KERNEL = "the kernel"


def loads(b):
    b.open("main.html")
    equal(b.text("#title"), f"Kernel memory allocated: {human(below('', 'current_dynamic'))}")
    assert human(below("", "current_dynamic")) in b.text("#subtitle"), b.text("#subtitle")


def by_chart(chart):
    def test(b):
        b.open("main.html", f"#?chart={chart}")
        cells = {c["label"].split(":")[0]: c["label"] for c in b.cells() if c["level"] == 2}
        dirs = {name.split("/")[0] for name in report("file")}
        shown = [d for d in dirs if below(d, "current_dynamic") > 20000]
        assert len(shown) >= 6, shown
        for name in shown:
            value = below(name, "current_dynamic")
            share = 100 * value / below("", "current_dynamic")
            equal(cells[name], f"{name}: {human(value)}, {share:.1f}% of all")
    return test


def zoom_and_back(b):
    b.open("main.html")
    for chart in CHARTS:
        b.js("location.hash = arguments[0]", f"#?chart={chart}")
        b.wait("document.querySelector('input[name=chart]:checked').value === arguments[0]", chart)
        b.rest()
        tail = "" if chart == "rings" else f"?chart={chart}"
        b.click_cell("fs/kernfs:" if chart != "treemap" else "fs:")
        where = "fs/kernfs" if chart != "treemap" else "fs"
        equal(b.address(), f"#{where}{tail}")
        equal(b.text("#crumbs"), "\n".join([THE_KERNEL] + where.split("/")))
        assert human(below(where, "current_dynamic")) in b.text("#subtitle")
        assert all(c["label"].startswith((where, "other")) for c in b.cells()), "cells of the branch"
        b.driver.back()
        b.wait("document.querySelectorAll('#crumbs li').length === 1")
        b.rest()
        equal(b.cells()[0]["label"].split(":")[0], THE_KERNEL)
        b.driver.forward()
        b.wait("document.querySelectorAll('#crumbs li').length > 1")
        b.rest()
        equal(b.cells()[0]["label"].split(":")[0], where)


def ways_up(b):
    b.open("main.html", "#drivers/tty")
    b.click_cell("drivers/tty:")
    equal(b.address(), "#drivers")
    b.press(Keys.ESCAPE)
    equal(b.address(), "#")
    b.open("main.html", "#drivers/tty")
    b.click(b.find("#up"))
    equal(b.address(), "#drivers")
    b.open("main.html", "#drivers/tty/vt")
    b.click(b.driver.find_elements(By.CSS_SELECTOR, "#crumbs a")[0])
    equal(b.address(), "#")
    equal(b.js("return document.getElementById('up').disabled"), True)


def address(b):
    b.open("main.html", "#fs/proc?attr=objects&chart=icicle&rows=files&q=proc")
    equal(b.js("return [document.getElementById('search').value, document.getElementById('rows').value,"
               "document.querySelector('input[name=chart]:checked').value]"), ["proc", "files", "icicle"])
    assert b.text("#subtitle").lower().startswith("live objects in fs/proc: "), b.text("#subtitle")
    b.open("main.html", "#fs/nosuch/thing?attr=nonsense&chart=__proto__&other=-3")
    equal(b.cells()[0]["label"].split(":")[0], "fs")
    equal(b.text("#said"), "There is no “fs/nosuch/thing” here.")
    b.open("main.html", "#%E0%A4%A")
    equal(b.cells()[0]["label"].split(":")[0], THE_KERNEL)
    b.open("drivers.html", "#drivers/base")
    equal(b.text("#crumbs"), "drivers\nbase")
    assert human(below("drivers/base", "current_dynamic")) in b.text("#subtitle")


def attribute(b):
    b.open("main.html")
    b.click(b.find("#attr"))
    b.press(Keys.ARROW_DOWN, Keys.ENTER)
    equal(b.address(), "#?attr=objects")
    equal(b.text("#subtitle").lower(), f"live objects in {THE_KERNEL}: {below('', 'objects'):,}")
    equal(b.cell("mm:")["label"].split(",")[0:1], [f"mm: {below('mm', 'objects'):,}".split(",")[0]])
    b.driver.back()
    b.wait("!location.hash.includes('attr')")


def chart_switch(b):
    b.open("main.html", "#fs")
    for chart in ("icicle", "flame", "treemap", "rings"):
        b.click(b.find(f"input[value={chart}]"))
        equal(b.address(), "#fs" + ("" if chart == "rings" else f"?chart={chart}"))
        equal(b.js("return document.getElementById('svg').getAttribute('aria-label').split(' ')[0]"),
              chart.capitalize())


def searching(b):
    b.open("main.html")
    b.press("/")
    equal(b.focused(), "search")
    b.press("kernfs")
    rows = b.table()
    want = {name: row["current_dynamic"] for name, row in report("caller").items() if "kernfs" in name}
    parts = (name.split("/") for name in report("file"))
    nodes = {tuple(p[:i + 1]) for p in parts for i in range(len(p)) if "kernfs" in p[i]}
    equal(len(rows) - 2, len(want) + len(nodes))
    assert all("kernfs" in row[0] for row in rows[1:-1]), rows[1:4]
    once = below("fs/kernfs", "current_dynamic") + sum(
        value for name, value in want.items() if not name.startswith("fs/kernfs/"))
    assert human(once) in b.text("#found"), (b.text("#found"), human(once))
    cells = b.cells()
    for cell in cells[1:]:
        inside = "kernfs" in cell["label"] or cell["label"].startswith(("fs:", "other"))
        assert cell["dim"] != inside or cell["label"].startswith("other"), cell
    assert sum(cell["dim"] for cell in cells) > 20
    # By colour: what is dimmed hides what is below it, and names that are left can be read.
    fills = b.js("""return [...document.querySelectorAll('#svg [role=treeitem]')].filter((e) => e.classList.contains(
        'dim')).map((e) => [getComputedStyle(e).fill, getComputedStyle(e).fillOpacity, getComputedStyle(e).opacity])""")
    equal({tuple(fill) for fill in fills}, {("rgb(230, 233, 237)", "1", "1")})
    b.press(Keys.ESCAPE)
    equal(b.js("return document.getElementById('search').value"), "")
    assert not any(cell["dim"] for cell in b.cells())
    b.open("main.html", "#?q=nothing+has+this+name")
    equal(b.text("#found"), "0 found, 0 B (0.0%)")


def table_sorts(b):
    b.open("main.html", "#?rows=files")
    b.all_rows()
    equal(len(b.table()) - 2, len(report("file")))
    for column, place in (("objects", 3), ("live", 1)):
        head = next(e for e in b.driver.find_elements(By.CSS_SELECTOR, "thead button") if column in e.text)
        for way in ("descending", "ascending") if column == "objects" else ("descending",):
            b.click(head)
            head = b.driver.switch_to.active_element
            equal(b.js("return arguments[0].closest('th').ariaSort", head), way)
            metric = "objects" if column == "objects" else "current_dynamic"
            want = sorted((row[metric] for row in report("file").values()), reverse=way == "descending")
            write = human if metric == "current_dynamic" else lambda v: f"{v:,}"
            equal([row[place] for row in b.table()[1:-1]], [write(value) for value in want])
    b.click(b.driver.find_elements(By.CSS_SELECTOR, "thead button")[0])
    names = b.js("return [...document.querySelectorAll('tbody .label > :not(.where):not(.swatch)')].map("
                 "(e) => e.textContent)")
    equal(names, sorted(names))
    equal(b.table()[-1][1:3], [human(below("", "current_dynamic")), "100.0%"])


def table_and_chart(b):
    """A row marks its slice, a link zooms."""
    b.open("main.html")
    link = next(e for e in b.driver.find_elements(By.CSS_SELECTOR, "tbody a") if e.text == "drivers")
    ActionChains(b.driver, duration=0).move_to_element(link).perform()
    equal(b.js("return document.querySelector('.mark').getAttribute('d')"),
          b.js("return document.querySelectorAll('#svg [role=treeitem]')[arguments[0]].getAttribute('d')",
               b.cell("drivers:")["at"]))
    b.click(link)
    equal(b.address(), "#drivers")


def other_opens(b):
    """3,000 of a file: gathered, opened, gathered again; each step adds up."""
    b.open("hostile.html", "#many/of.c")
    for chart in CHARTS:
        b.open("hostile.html", f"#many/of.c?chart={chart}")
        seen = sum(c["level"] == 2 for c in b.cells()[1:])
        before = b.cell("other")["label"]
        rest = int(before.split(" ")[1].replace(",", ""))
        equal(rest + seen - 1, 3000)
        b.click_cell("other")
        assert "other=" in b.address(), b.address()
        equal(b.cells()[0]["label"], before)
        equal(b.text("#crumbs").split("\n")[-1], "other")
        equal(b.text("tfoot th"), f"{rest:,} together")
        assert sum(c["level"] == 2 for c in b.cells()[1:]) > 10
        b.press(Keys.ESCAPE)
        assert "other=" not in b.address()


def keyboard(b):
    """All by keys: controls in the order they are seen, cells, zoom; and what is focused shows."""
    b.open("main.html")
    seen = []
    for _ in range(11):
        b.press(Keys.TAB)
        seen.append(b.focused())
        shown = b.js("""const e = document.activeElement, s = getComputedStyle(e);
            const near = e.type === 'radio' ? getComputedStyle(e.nextElementSibling) : s;
            return near.outlineStyle !== 'none' && near.outlineWidth !== '0px' ||
                !!document.querySelector('.mark.strong')?.getAttribute('d');""")
        assert shown, f"no focus ring: {seen[-1]}"
    equal(seen[0:8], ["rings", "by", "attr", "search", "only", "theme", "Keys", "link"])
    assert seen[8].startswith(THE_KERNEL) and seen[9] == "rows", seen
    b.js("document.querySelector('#svg [tabindex=\"0\"]').focus()")
    b.press(Keys.ARROW_DOWN)
    first = b.focused()
    assert first.startswith("mm: "), first
    b.press(Keys.ARROW_RIGHT)
    second = b.focused()
    assert second.startswith("fs: "), second
    b.press(Keys.ARROW_LEFT)
    equal(b.focused(), first)
    b.press(Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert b.focused().startswith("fs/"), b.focused()
    b.press(Keys.ARROW_UP)
    equal(b.focused(), second)
    b.press(Keys.ENTER)
    equal(b.address(), "#fs")
    assert b.focused().startswith("fs: "), b.focused()
    b.press(Keys.ARROW_DOWN, Keys.HOME)
    assert b.focused().startswith("fs: "), b.focused()
    b.press(Keys.BACKSPACE)
    equal(b.address(), "#")
    assert b.focused().startswith("fs: "), "the focus stays where it came from"
    b.press(Keys.SPACE)
    equal(b.address(), "#fs")
    for chart, keys in (("icicle", (Keys.ARROW_RIGHT, Keys.ARROW_DOWN)),
                        ("flame", (Keys.ARROW_UP, Keys.ARROW_RIGHT))):
        b.open("main.html", "#?chart=" + chart)
        b.js("document.querySelector('#svg [tabindex=\"0\"]').focus()")
        b.press(*keys)
        equal(b.focused(), second)


def hover_is_focus(b):
    b.open("main.html")
    b.hover_cell("fs:")
    hovered = b.text("#tip")
    assert hovered.startswith("fs\n" + human(below("fs", "current_dynamic"))), hovered
    assert f"{below('fs', 'objects'):,}" in hovered, hovered
    mark = b.js("return document.querySelector('.mark').getAttribute('d')")
    b.js("document.querySelector('#svg [tabindex=\"0\"]').focus()")
    b.press(Keys.ARROW_DOWN)
    while not b.focused().startswith("fs:"):
        b.press(Keys.ARROW_RIGHT)
    equal(b.text("#tip"), hovered)
    equal(b.js("return document.querySelector('.mark').getAttribute('d')"), mark)
    for x in (2, 1400):
        box = b.js("const r = document.getElementById('tip').getBoundingClientRect();"
                   "return [r.left, r.top, r.right, r.bottom]")
        assert box[0] >= 0 and box[1] >= 0 and box[2] <= 1440 and box[3] <= 900, (x, box)


def touch(b):
    b.open("main.html", size="phone")
    x, y = b.point_in(b.cell("mm:"))
    b.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
        "type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    b.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    b.wait("location.hash === '#mm'")
    b.rest()
    equal(b.cells()[0]["label"].split(":")[0], "mm")


def motion(b):
    """A zoom moves, through frames between, and with reduced motion it does not. A busy machine may draw one
    frame or none in the time of a zoom, so it zooms until one was seen to move, in and out, up to ten times."""
    zoom = """
        const done = arguments[0], pane = document.getElementById('chart');
        let moved = 0;
        const watch = () => {
            moved += pane.classList.contains('moving');
            if (performance.now() - begin < 700) requestAnimationFrame(watch);
            else done(moved);
        };
        const begin = performance.now();
        location.hash = '%s';
        requestAnimationFrame(watch);"""
    for still in (False, True):
        b.open("main.html", still=still)
        moved = []
        while len(moved) < (3 if still else 10) and max(moved, default=0) < 2:
            moved.append(b.driver.execute_async_script(zoom % ("#" if len(moved) % 2 else "#fs")))
        assert max(moved) == 0 if still else max(moved) >= 2, (still, moved)
        if len(moved) % 2 == 0:
            b.driver.execute_async_script(zoom % "#fs")
        equal(b.cells()[0]["label"].split(":")[0], "fs")


def steps(b):
    """With motion the click draws the picture only; the table follows in steps. Where one zoom comes into
    another, the last one's view is the one that is shown in the end."""
    click = """const path = [...document.querySelectorAll('#svg [role=treeitem]')].find(
        (e) => e.getAttribute('aria-label').startsWith(arguments[0]));
        path.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        return document.getElementById('table-title').textContent;"""
    shown = {}
    for where in ("", "fs", "kernel"):
        b.open("main.html", f"#{where}?rows=leaves")
        shown[where] = (b.text("#table-title"), b.text("#subtitle"), b.text("#crumbs"), b.table())
    assert len(shown["fs"][3]) > 40, "several steps"
    for then in (None, "", "kernel"):
        b.open("main.html", "#?rows=leaves", still=False)
        equal(b.js(click, "fs:"), shown[""][0])
        if then is not None:
            b.js("""requestAnimationFrame(() => requestAnimationFrame(() => { location.hash = arguments[0]; }));""",
                 f"#{then}?rows=leaves")
            b.wait("decodeURIComponent(location.hash) === arguments[0]", f"#{then}?rows=leaves")
        b.wait("document.querySelector('.moving') || document.getElementById('table-title').textContent !== "
               "arguments[0]", shown[""][0])
        b.rest()
        want = shown["fs" if then is None else then]
        b.wait("document.getElementById('table-title').textContent === arguments[0]", want[0])
        b.rest()
        equal((b.text("#table-title"), b.text("#subtitle"), b.text("#crumbs"), b.table()), want)


def no_strip(b):
    """Beside the table there is a scroll bar where it scrolls, and else nothing."""
    room = """const p = document.querySelector('.scroll'), t = document.getElementById('table');
        return [p.offsetWidth > p.clientWidth, p.clientWidth - t.offsetWidth, p.scrollWidth - p.clientWidth];"""
    for address, bar in (("#", False), ("#mm/slub.c", False), ("#?rows=leaves", True), ("#?rows=leaves&cols=", True)):
        for size, dark in (("desktop", False), ("laptop", True), ("phone", False)):
            b.open("main.html", address, size=size, dark=dark)
            equal((address, size, b.js(room)), (address, size, [bar and size != "phone", 0, 0]))


def csv_copied(b):
    b.open("main.html", "#?rows=files")
    b.driver.execute_cdp_cmd("Browser.grantPermissions", {
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    b.click(b.find("#csv"))
    b.wait("document.getElementById('said').textContent.startsWith('Copied')")
    text = b.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    rows = list(csv.DictReader(text.splitlines()))
    got = {row.pop("path"): {name: int(value) for name, value in row.items()} for row in rows}
    equal(got, report("file"))
    b.open("hostile.html", "#?rows=files")
    b.click(b.find("#csv"))
    b.wait("document.getElementById('said').textContent.startsWith('Copied')")
    text = b.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    paths = [row["path"] for row in csv.DictReader(text.split("\n"))]
    assert '"quoted"\'s/"quoted"\'s.c' in paths and len(paths) == 13, paths
    assert "\u202eright-to-left\u202c/\u202eright-to-left\u202c.c" in paths, "names as they are"


def svg_saved(b):
    for page in ("main.html", "hostile.html"):
        b.open(page, "#?chart=treemap")
        b.click(b.find("#save"))
        name = f"{WORK}/kernel-treemap.svg"
        end = time.monotonic() + 120
        while not os.path.exists(name) and time.monotonic() < end:
            time.sleep(0.02)
        root = ElementTree.parse(name).getroot()
        os.remove(name)
        space = "{http://www.w3.org/2000/svg}"
        tips = [t.text for t in root.iter(f"{space}title")]
        assert len(tips) == len(b.cells()) + 1, (len(tips), len(b.cells()))
        assert b.cells()[1]["label"] in tips
        equal({e.tag for e in root.iter()}, {space + t for t in ("svg", "g", "path", "rect", "text", "title")})
        assert all(p.get("fill", "").startswith("#") for p in root.iter(f"{space}path"))
        assert len(list(root.iter(f"{space}text"))) > 10


def hostile(b):
    """Names that want to be markup are text, in each chart, the table, the tip, the crumbs."""
    for chart in CHARTS:
        b.open("hostile.html", f"#?chart={chart}&rows=leaves&q=alert")
        equal(b.js("return [document.title, document.images.length, document.scripts.length, "
                   "document.querySelectorAll('b, i, iframe').length]"),
              ["</title><img src=x onerror=alert(1)>", 0, 2, 0])
        assert "<img/src=x/onerror=alert(1)>" in b.text("tbody"), b.text("tbody")[:200]
        b.open("hostile.html", f"#?chart={chart}")
        for start in ("<:", '"quoted"\'s:', "&lt;b&gt;:", "\ufffdright-to-left\ufffd:", "a%2Fb?q=1#x:"):
            b.hover_cell(start)
            equal(b.text("#tip").split("\n")[0], start[:-1])
            b.click_cell(start)
            assert b.text("#crumbs").endswith(start[:-1]), b.text("#crumbs")
            equal(b.cells()[0]["label"].split(": ")[0], start[:-1])
            b.driver.back()
            b.wait("document.querySelectorAll('#crumbs li').length === 1")
            b.rest()
    b.driver.refresh()
    equal(b.js("return document.documentElement.scrollWidth <= innerWidth"), True)


def policy(b):
    """What is put into the page later does not run."""
    b.open("main.html")
    ran = b.driver.execute_async_script("""
        const done = arguments[0];
        addEventListener('securitypolicyviolation', (e) => done([!!window.ran, e.effectiveDirective]));
        const s = document.createElement('script');
        s.textContent = 'window.ran = 1';
        document.body.append(s);""")
    equal(ran, [False, "script-src-elem"])
    b.driver.get_log("browser")


def folded(b):
    b.open("folded.html")
    assert any(c["label"].startswith("other") for c in b.cells()), "gathered by --max-nodes"
    want = sum(100000 - 5000 * i for i in range(12)) + sum(1 + i % 7 for i in range(3000))
    assert human(want) in b.text("#subtitle"), b.text("#subtitle")
    equal(b.table()[-1][1], human(want))
    leaves = b.js("return [...document.querySelectorAll('#facts div')].find((row) => "
                  "row.textContent.startsWith('Combined')).lastChild.textContent")
    assert 2900 < int(leaves) < 3012, leaves


def callers(b):
    """An account without a kernel: call sites, and five metrics."""
    b.open("callers.html", "#?attr=waste")
    rows = b.table()
    equal([cell.replace(" ↓", "") for cell in rows[0]],
          ["name", "waste", "share", "live", "requested", "allocs", "frees"])
    total = b.table()[-1]
    assert total[1].split(" ")[0] != "0" and total[2] == "100.0%", total


def columns(b):
    """The table has as many columns as fit; a user chooses others, and the address keeps them."""
    seen = {}
    for size in ("desktop", "laptop", "phone"):
        b.open("callers.html", size=size)
        room = b.js("const s = document.querySelector('.scroll'); return [s.scrollWidth, s.clientWidth]")
        assert room[0] <= room[1], (size, room)
        seen[size] = [cell.replace(" ↓", "") for cell in b.table()[0]]
    assert len(seen["phone"]) < len(seen["desktop"]), seen
    equal(seen["phone"][:3], ["name", "live", "share"])
    b.open("callers.html", size="laptop")
    b.js("document.querySelector('#columns summary').focus()")
    b.press(Keys.ENTER, Keys.TAB)
    names = b.js("return [...document.querySelectorAll('#choices label')].map((e) => e.textContent.trim())")
    equal(names, ["requested", "waste", "allocs", "frees"])
    b.press(Keys.SPACE)
    wanted = [name for name in seen["laptop"][3:] if name != "requested"] if "requested" in seen["laptop"] \
        else seen["laptop"][3:] + ["requested"]
    assert "cols=" in b.address(), b.address()
    equal(sorted(cell.replace(" ↓", "") for cell in b.table()[0][3:]), sorted(wanted))
    equal(b.js("return document.activeElement.value"), "requested")
    b.press(Keys.ESCAPE)
    equal(b.js("return [document.getElementById('columns').open, location.hash.split('?')[0]]"), [False, "#"])
    b.open("callers.html", "#?cols=frees,nonsense")
    equal([cell.replace(" ↓", "") for cell in b.table()[0]], ["name", "live", "share", "frees"])
    b.open("callers.html", "#?cols=")
    equal([cell.replace(" ↓", "") for cell in b.table()[0]], ["name", "live", "share"])
    equal(b.table()[-1][2], "100.0%")


def one_site(b):
    """One call site, and attributes of which there is nothing."""
    for chart in CHARTS:
        b.open("one.html", f"#?chart={chart}")
        equal([c["label"] for c in b.cells()], ["the kernel: 80 B, 100.0% of all",
                                               "kzalloc_node+0x1/0x20: 80 B, 100.0% of all"])
        b.click_cell("kzalloc_node")
        equal(b.js("return location.hash.split('?')[0].replace('#', '')"), "")
        b.open("one.html", f"#?chart={chart}&attr=waste")
        equal(b.text("#empty"), "There are no wasted bytes in the kernel.")
        equal(b.table()[-1][1:3], ["0 B", "0.0%"])
        b.press("/", "k", Keys.ESCAPE, Keys.ESCAPE)
        equal(b.js("return [document.activeElement.tagName, document.getElementById('search').value]"),
              ["BODY", ""])


def resized(b):
    """A window that becomes a phone's, and wide again; the focus stays."""
    b.open("main.html", "#fs")
    b.js("document.querySelector('#svg [tabindex=\"0\"]').focus()")
    b.press(Keys.ARROW_DOWN)
    there = b.focused()
    for size in ("phone", "desktop"):
        b.media(size=size, still=True)
        b.wait("Math.abs(document.getElementById('svg').viewBox.baseVal.width - "
               "document.getElementById('chart').clientWidth) < 2")
        b.rest()
        equal(b.focused(), there)
    b.open("callers.html", size="desktop")
    wide = len(b.table()[0])
    b.media(size="phone", still=True)
    b.wait("document.getElementById('table').rows[0].cells.length < arguments[0]", wide)
    room = b.js("const s = document.querySelector('.scroll'); return [s.scrollWidth, s.clientWidth]")
    assert room[0] <= room[1], room
    b.media(size="desktop", still=True)
    b.wait("document.getElementById('table').rows[0].cells.length === arguments[0]", wide)


TESTS = [
    ("it loads, and has the account's total", loads),
    *((f"{chart}: cells are what the report says", by_chart(chart)) for chart in CHARTS),
    ("angles and heights are shares", areas),
    ("areas of a treemap have one scale", one_scale),
    ("labels lie in their slices", labels_inside),
    ("contrast of all texts is 4.5 and more", contrast),
    *((f"fits: {size}, {'dark' if dark else 'light'}", fits(size, dark))
      for size in SIZES for dark in (False, True)),
    ("a click zooms, Back and Forward", zoom_and_back),
    ("four ways up", ways_up),
    ("an address says all", address),
    ("attributes", attribute),
    ("charts", chart_switch),
    ("search marks and filters", searching),
    ("the table sorts", table_sorts),
    ("table and chart are one", table_and_chart),
    ("other opens", other_opens),
    ("keyboard only", keyboard),
    ("hover and focus are alike", hover_is_focus),
    ("touch", touch),
    ("dark and light by a button", theme_toggle),
    ("motion, and none where it is not wanted", motion),
    ("forced colours", forced_colours),
    ("print", printing),
    ("CSV is the report's", csv_copied),
    ("SVG stands alone", svg_saved),
    ("hostile names are text", hostile),
    ("the policy holds", policy),
    ("gathered by --max-nodes", folded),
    ("call sites alone", callers),
    ("columns that fit, and columns that are chosen", columns),
    ("a click draws the picture first", steps),
    ("no strip beside a table that does not scroll", no_strip),
    ("one call site, and nothing", one_site),
    ("a window changes its size", resized),
    ("names for those who do not see", names_for_readers),
]
VIEWS = [
    *CHANGES,
    *GROUPS,
    *LINES,
    *TIMES,
    *PAST,
    *KEYS,
    *SHOWN,
]
PARTS = {"page": TESTS, "views": VIEWS}


def main():
    words = sys.argv[1:]
    tests = PARTS[words.pop(0)] if words and words[0] in PARTS else TESTS + VIEWS
    tests = [t for t in tests if not words or any(word in t[0] for word in words)]
    try:
        browser = Browser(WORK)
    except Exception as error:  # a browser that does not start is one failure, not none
        fail(f"no browser: {error}")
    try:
        sys.exit(Ktap(tests).run(browser))
    finally:
        browser.quit()


if __name__ == "__main__":
    main()
