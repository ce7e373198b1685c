# SPDX-License-Identifier: GPL-2.0-only
"""How the page looks: geometry, contrast, sizes of windows, themes, paper; and what those
have of it who do not see."""
import itertools
import time

from browser import SIZES
from truth import CHARTS, below, equal


def areas(b):
    """Slices, bars and rectangles are as large as their share says."""
    total = below("", "current_dynamic")
    for chart in ("rings", "icicle", "flame"):
        b.open("main.html", f"#?chart={chart}")
        for name in ("mm", "kernel", "fs"):
            part = b.js("""
                const e = document.querySelectorAll('#svg [role=treeitem]')[arguments[0]];
                const all = document.querySelectorAll('#svg [role=treeitem]')[0].getBBox();
                const b = e.getBBox();
                if (arguments[1] === 'icicle')
                    return b.height / all.height;
                if (arguments[1] === 'flame')
                    return b.width / all.width;
                // Of 3,600 rays from the centre, in the middle of the first ring.
                const r = all.width / 2 + 12, p = e.ownerSVGElement.createSVGPoint();
                let hits = 0;
                for (let i = 0; i < 3600; i++) {
                    p.x = r * Math.cos(i * Math.PI / 1800), p.y = r * Math.sin(i * Math.PI / 1800);
                    hits += e.isPointInFill(p);
                }
                return hits / 3600;""", b.cell(f"{name}:")["at"], chart)
            assert abs(part - below(name, "current_dynamic") / total) < 0.002, (chart, name, part)


def one_scale(b):
    """In a treemap a pixel is the same number of bytes everywhere, whatever it is in, and
    the boxes that are seen fill the whole."""
    for page, where in (("main.html", ""), ("main.html", "drivers"), ("callers.html", ""),
                        ("hostile.html", "many/of.c")):
        for size in SIZES:
            b.open(page, f"#{where}?chart=treemap", size=size)
            root, boxes = b.js("""
                const all = [...document.querySelectorAll('#svg [role=treeitem]')];
                const boxes = all.filter((e) => e.cell.level && !e.cell.kids).map((e) => {
                    const b = e.getBBox();
                    return [e.cell.value, b.width, b.height, e.getAttribute('aria-label')];
                });
                const b = all[0].getBBox();
                return [[all[0].cell.value, b.width, b.height - 22], boxes];""")
            scale = root[1] * root[2] / root[0]
            assert len(boxes) > 15, (page, where, len(boxes))
            equal(sum(box[0] for box in boxes), root[0])
            for value, wide, high, label in boxes:
                # a coordinate is written to a hundredth of a pixel
                assert abs(wide * high - value * scale) < 0.011 * (wide + high + 0.01), \
                    (page, where, size, label, wide * high / value, scale)
            inside = [box for box in boxes if box[3].startswith("fs/") or " in fs" in box[3]]
            if not where and page == "main.html":
                mine = sum(wide * high for _, wide, high, _ in inside) / (root[1] * root[2])
                share = below("fs", "current_dynamic") / below("", "current_dynamic")
                assert abs(mine - share) < 0.001, (mine, share)


def labels_inside(b, page="main.html", charts=CHARTS):
    """Each corner of a label's box is in its own slice, as the browser's geometry has it."""
    for chart, size in itertools.product(charts, SIZES):
        b.open(page, f"#?chart={chart}", size=size)
        checked, bad = b.js("""
            const bad = [];
            let checked = 0;
            for (const text of document.querySelectorAll('#svg .labels text')) {
                const path = [...document.querySelectorAll('#svg [role=treeitem]')].find(
                    (e) => e.cell === text.cell);
                const b = text.getBBox(), m = text.getCTM(), back = path.getCTM().inverse();
                // The box has room for accents: the letters are the middle of it.
                const top = b.y + b.height * 0.2, low = b.y + b.height * 0.78;
                checked++;
                for (const [x, y] of [[b.x, top], [b.x + b.width, top], [b.x, low],
                                      [b.x + b.width, low]]) {
                    const p = new DOMPoint(x, y).matrixTransform(m).matrixTransform(back);
                    const q = path.ownerSVGElement.createSVGPoint();
                    q.x = p.x, q.y = p.y;
                    if (!path.isPointInFill(q)) { bad.push(text.textContent); break; }
                }
            }
            return [checked, bad];""")
        assert checked > 8 and not bad, (chart, size, checked, bad)


CONTRAST = """
    const parse = (c) => (c.match(/[0-9.]+/g) || []).map(Number);
    const lum = (c) => [0.2126, 0.7152, 0.0722].reduce((s, w, i) => {
        const v = c[i] / 255;
        return s + w * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    }, 0);
    const ratio = (a, b) => {
        const x = lum(a), y = lum(b);
        return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    };
    const behind = (e) => {
        for (; e; e = e.parentElement) {
            const c = parse(getComputedStyle(e).backgroundColor);
            if (c.length && c[3] !== 0) return c;
        }
        return [255, 255, 255];
    };
    const out = [];
    for (const t of document.querySelectorAll('#svg .labels text')) {
        const path = [...document.querySelectorAll('#svg [role=treeitem]')].find((e) => e.cell === t.cell);
        out.push([ratio(parse(getComputedStyle(t).fill), parse(getComputedStyle(path).fill)), t.textContent]);
    }
    for (const e of document.querySelectorAll('h1,h2,p,button,select,a,span,th,td,dt,dd,label')) {
        if (!e.innerText || !e.offsetWidth || e.disabled || e.children.length) continue;
        out.push([ratio(parse(getComputedStyle(e).color), behind(e)), e.tagName + ' ' + e.innerText]);
    }
    return out;"""


SWATCHES = """return [...document.querySelectorAll('tbody .swatch')].map((e) => getComputedStyle(e).backgroundColor)"""


def contrast(b):
    for chart, dark in itertools.product(CHARTS, (False, True)):
        b.open("main.html", f"#?chart={chart}", dark=dark)
        pairs = b.js(CONTRAST)
        low = [(round(r, 2), text) for r, text in pairs if r < 4.5]
        assert len(pairs) > 60 and not low, (chart, dark, low[:5])


def fits(size, dark):
    """Nothing is wider than the window, the chart is seen, in its theme's colours."""
    def test(b):
        for chart in CHARTS:
            b.open("main.html", f"#?chart={chart}", size=size, dark=dark)
            width, height = SIZES[size]
            equal(b.js("return document.documentElement.scrollWidth - "
                       "document.documentElement.clientWidth"), 0)
            box = b.js("const r = document.getElementById('svg').getBoundingClientRect();"
                       "return [r.left, r.top, r.right, r.bottom]")
            assert box[0] >= 0 and box[2] <= width and box[1] < height * 0.4, box
            assert box[2] - box[0] > 0.4 * width, box
            assert size == "phone" or box[3] <= height, box
            back = b.js("return getComputedStyle(document.documentElement).backgroundColor")
            equal(back, "rgb(20, 24, 29)" if dark else "rgb(255, 255, 255)")
            assert size != "phone" or all(h >= 30 for h in b.js(
                "return [...document.querySelectorAll('button,select')].filter((e) => e.offsetWidth)"
                ".map((e) => e.offsetHeight)")), "too small for a finger"
    return test


def theme_toggle(b):
    b.open("main.html", dark=True)
    equal(b.js("return document.getElementById('theme').ariaPressed"), "true")
    fill = "return document.querySelectorAll('#svg [role=treeitem]')[1].getAttribute('fill')"
    night = b.js(fill)
    b.click(b.find("#theme"))
    equal(b.js("return getComputedStyle(document.body).color"), "rgb(27, 31, 36)")
    assert b.js(fill) != night
    b.driver.refresh()
    b.wait("document.documentElement.dataset.ready")
    equal(b.js("return document.getElementById('theme').ariaPressed"), "false")
    b.js("localStorage.clear()")


def forced_colours(b):
    """Colours of a user: swatches and the scale keep those of the chart, and what is on is marked."""
    for page, scale in (("main.html", False), ("changes.html", True)):
        b.open(page)
        want = b.js(SWATCHES)
        b.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": [
            {"name": "forced-colors", "value": "active"}, {"name": "prefers-color-scheme", "value": "light"}]})
        assert b.js("return matchMedia('(forced-colors: active)').matches")
        assert len(want) > 5, want
        equal(b.js(SWATCHES), want)
        backs = b.js("""return [...document.querySelectorAll('#charts input + span')].map((e) =>
            getComputedStyle(e).backgroundColor)""")
        equal((len(backs), len(set(backs)), backs.count(backs[0])), (4, 2, 1))
        if scale:
            assert "gradient" in b.js("return getComputedStyle(document.getElementById('ramp')).backgroundImage")


def printing(b):
    # The event comes before the style of the paper.
    b.open("main.html", dark=True)
    equal(b.js("""dispatchEvent(new Event('beforeprint'));
        const hole = document.querySelector('#svg .root').getAttribute('fill');
        dispatchEvent(new Event('afterprint'));
        return hole;"""), "#ffffff")
    b.media(dark=True, kind="print")
    hidden = b.js("return ['.tools', '#up', '#csv', '.hint'].map((s) => "
                  "document.querySelector(s).offsetHeight)")
    equal(hidden, [0, 0, 0, 0])
    equal(b.js("return getComputedStyle(document.documentElement).backgroundColor"), "rgb(255, 255, 255)")
    fills = b.js("""dispatchEvent(new Event('beforeprint'));
        const fill = () => document.querySelectorAll('#svg [role=treeitem]')[1].getAttribute('fill');
        const paper = fill();
        dispatchEvent(new Event('afterprint'));
        return [paper, fill()];""")
    assert fills[0] != fills[1], fills
    assert len(b.driver.print_page()) > 20000


def names_for_readers(b):
    """Whatever can be focused or has a role has a name."""
    b.open("main.html")
    wanted = ("button", "link", "searchbox", "combobox", "radio", "tree", "treeitem", "navigation",
              "columnheader")
    found, end = {}, time.monotonic() + 120
    while found.get("treeitem", 0) < 50 and time.monotonic() < end:  # it comes a little later
        found = {}
        for node in b.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]:
            role = node.get("role", {}).get("value")
            if node.get("ignored") or role not in wanted:
                continue
            name = node.get("name", {}).get("value", "")
            assert name.strip(), f"a {role} without a name"
            found[role] = found.get(role, 0) + 1
    assert found.get("treeitem", 0) > 50 and found.get("searchbox", 0) == 1, found
    assert found.get("radio") == 4 and found.get("combobox", 0) == 3 and found["tree"] == 1, found
