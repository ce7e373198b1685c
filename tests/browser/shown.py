# SPDX-License-Identifier: GPL-2.0-only
"""What is shown and how: colours that follow the zoom, rules, a selection, rows of zero, keys, links, PNG."""
import csv
import os
import struct
import time
import xml.etree.ElementTree as ElementTree

from browser import Keys
from truth import CHARTS, below, equal, human, report

WORK = os.environ["KMA_WORK"]
FILLS = """return Object.fromEntries([...document.querySelectorAll('#svg [role=treeitem]')].map((e) =>
    [e.getAttribute('aria-label').split(':')[0], e.getAttribute('fill')]))"""


def pictured(name):
    """Fill by path of each slice of a picture of the program."""
    space, fills = "{http://www.w3.org/2000/svg}", {}
    for path in ElementTree.parse(f"{WORK}/{name}").getroot().iter(f"{space}path"):
        tip = path.find(f"{space}title")
        if tip is not None:
            fills.setdefault(tip.text.split(":")[0], path.get("fill"))  # then come its combined parts
    return fills


def shown_colours(b):
    """The parts of a branch have the colours that the picture of the branch has, in each theme."""
    for theme, dark in ("light", False), ("dark", True):
        for where, picture in ("", f"whole-{theme}.svg"), ("fs", f"fs-{theme}.svg"):
            b.open("main.html", f"#{where}", dark=dark)
            want, got = pictured(picture), b.js(FILLS)
            both = [name for name in got if name in want and name.count("/") <= where.count("/") + 1 and name != where]
            assert len(both) > 8, both
            equal({name: got[name] for name in both}, {name: want[name] for name in both})
    b.open("main.html", "#fs")
    fills = {fill for name, fill in b.js(FILLS).items() if name.count("/") == 1}
    assert len(fills) >= 8, fills
    # one part has all: its own parts have the colours
    b.open("main.html", "#?only=dir=fs")
    inner = {fill for name, fill in b.js(FILLS).items() if name.count("/") == 1 and name.startswith("fs/")}
    assert len(inner) >= 6 and inner <= fills, (inner, fills)


def only(*patterns):
    return sum(row["current_dynamic"] for name, row in report("file").items() if all(
        (name == path or name.startswith(f"{path}/")) != negated for path, negated in patterns))


def shown_rules(b):
    """Rules count what they select, in each chart and by each key; the address keeps them."""
    want = only(("fs", False), ("fs/proc", True))
    for address in ("#?only=dir%3Dfs+!dir%3Dfs%2Fproc", "#only=dir=fs !dir=fs/proc"):
        b.open("main.html", address)
        assert b.text("#subtitle").endswith(f", only dir=fs !dir=fs/proc: {human(want)}"), b.text("#subtitle")
        equal(b.js("return document.getElementById('only').value"), "dir=fs !dir=fs/proc")
        equal(b.table()[-1][1], human(want))
        equal([row[0] for row in b.table()[1:-2]], ["fs"])
    b.open("main.html", "#fs")
    b.js("document.getElementById('only').focus()")
    b.press("file=fs/p*.c", Keys.ENTER)
    names = [name for name in report("file") if name.startswith("fs/p") and name.endswith(".c")]
    want = sum(report("file")[name]["current_dynamic"] for name in names)
    assert want and b.text("#subtitle").endswith(f": {human(want)}"), (names, b.text("#subtitle"))
    b.js("location.hash = document.querySelector('#crumbs a').hash")
    b.wait("document.querySelectorAll('#crumbs li').length === 1")
    equal(b.js("return document.getElementById('only').value"), "file=fs/p*.c")
    b.js("document.getElementById('only').focus()")
    b.press(Keys.ESCAPE)
    equal(b.address(), "#")
    assert b.text("#subtitle").endswith(human(below("", "current_dynamic"))), b.text("#subtitle")
    with open(f"{WORK}/groups-levels.csv", encoding="utf-8") as file:
        rows = [(row["module"], row["subsystem"], int(row["current_dynamic"])) for row in csv.DictReader(file)]
    want = sum(live for module, subsystem, live in rows if module in ("ext4", "kvm") and subsystem == "MEMORY")
    for by in "module", "subsystem,module", "dir":
        b.open("groups.html", f"#by={by}&only=module=ext4,kvm subsystem=memory")
        equal(b.table()[-1][1], human(want))
    b.open("main.html", "#only=node=0")
    equal(b.text("#said"), "There is no key “node” here: the rules are not used.")
    equal(b.table()[-1][1], human(below("", "current_dynamic")))
    b.open("times.html", "#only=dir=fs&at=0")
    first = b.table()[-1][1]
    b.open("times.html", "#fs?at=0")
    equal(first, b.table()[-1][1])


def shown_pick(b):
    """A selection does not zoom, is in the address, and marks chart and table."""
    b.open("main.html")
    b.shift_click_cell("fs/kernfs:")
    equal(b.address(), "#?pick=fs/kernfs")
    equal(b.text("#crumbs"), "the kernel")
    want = f"Selected: fs/kernfs, {human(below('fs/kernfs', 'current_dynamic'))}"
    for chart in CHARTS:
        b.open("main.html", f"#fs?chart={chart}&pick=fs/kernfs")
        equal(b.text("#picked"), want)
        equal(b.js("return document.querySelector('.pick').getAttribute('d')"),
              b.js("return document.querySelectorAll('#svg [role=treeitem]')[arguments[0]].getAttribute('d')",
                   b.cell("fs/kernfs:")["at"]))
        equal(b.js("return [...document.querySelectorAll('tr.picked')].map((e) => e.querySelector('a').textContent)"),
              ["kernfs"])
    b.press(Keys.ESCAPE)
    equal((b.address(), b.text("#picked")), ("#fs?chart=treemap", ""))
    b.open("main.html")
    b.js("document.querySelector('#svg [tabindex=\"0\"]').focus()")
    b.press(Keys.ARROW_DOWN, "s")
    equal(b.address(), "#?pick=mm")
    b.press("s")
    equal(b.address(), "#")


def shown_zeros(b):
    """Rows of zero are there when they are asked for."""
    nothing = [name for name, row in report("file").items() if not row["current_dynamic"]]
    b.open("main.html", "#?rows=files")
    assert len(nothing) > 5, nothing
    assert "0 B" not in [row[1] for row in b.table()[1:-2]]
    equal(b.table()[-2][0], f"Show {len(nothing)} rows of zero")
    b.all_rows()
    equal(len(b.table()) - 2, len(report("file")))
    equal(len([row for row in b.table()[1:-1] if row[1] == "0 B"]), len(nothing))


def shown_keys(b):
    """? lists the keys; Escape closes the list and nothing else."""
    b.open("main.html", "#fs")
    b.press("?")
    assert "select without zoom" in b.text("#keys"), b.text("#keys")
    b.press(Keys.ESCAPE)
    equal((b.js("return document.getElementById('keys').open"), b.address()), (False, "#fs"))
    b.click(b.find("#help"))
    b.click(b.find("#keys button"))
    equal(b.js("return document.getElementById('keys').open"), False)


def shown_copies(b):
    """The link is the address of the view; the PNG is the chart, twice as large."""
    b.open("main.html", "#fs?chart=treemap&only=dir%3Dfs")
    b.driver.execute_cdp_cmd("Browser.grantPermissions", {
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    b.click(b.find("#link"))
    b.wait("document.getElementById('said').textContent.startsWith('Copied the address')")
    equal(b.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])"),
          b.js("return location.href"))
    name, end = f"{WORK}/fs-treemap.png", time.monotonic() + 120
    b.click(b.find("#png"))
    while not os.path.exists(name) and time.monotonic() < end:
        time.sleep(0.02)
    with open(name, "rb") as file:
        data = file.read()
    os.remove(name)
    wide, high = b.js("const v = document.getElementById('svg').viewBox.baseVal; return [v.width, v.height]")
    equal((data[:8], struct.unpack(">II", data[16:24])), (b"\x89PNG\r\n\x1a\n", (2 * wide, 2 * (high + 64))))
    assert len(data) > 10000, "a blank picture is smaller"


def shown_sandwich(b):
    """Of a function in stacks: what it calls above it, what calls it below, as the stacks of the input have it."""
    stacks = {}
    with open(f"{WORK}/stacks-stack.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            frames = [name.split("+")[0] for name in row["stack"].split(";")]  # the call site first
            stacks[tuple(frames)] = stacks.get(tuple(frames), 0) + int(row["current_dynamic"])
    inner = [frames for frames in stacks if len(frames) > 2 and stacks[frames]]
    sums = {}
    for frames in inner:
        for name in set(frames[1:-1]):
            sums[name] = sums.get(name, 0) + stacks[frames]
    name = max(sums, key=sums.get)
    mine = {frames: live for frames, live in stacks.items() if name in frames}
    at = {frames: len(frames) - 1 - frames[::-1].index(name) for frames in mine}  # the outermost one
    want = sum(mine.values())
    b.open("stacks.html", f"#?by=through:{name}")
    assert b.text("#subtitle").endswith(f"in {name} by what it calls and what calls it: {human(want)}"), b.text("#subtitle")
    equal([row[:3] for row in b.table()[1:-1]], [[half, human(want), "100.0%"] for half in ("calls", "is called by")])
    equal(b.table()[-1][1], human(want))
    for half, step in ("calls", -1), ("is called by", 1):
        parts = {}
        for frames, live in mine.items():
            to = at[frames] + step
            part = frames[to] if 0 <= to < len(frames) else name if step < 0 else "[no caller in the stacks]"
            parts[part] = parts.get(part, 0) + live
        b.open("stacks.html", f"#{half.replace(' ', '%20')}?by=through:{name}")
        shown = b.js("""return [...document.querySelectorAll('#table tbody tr')].filter((row) => row.node).map((row) =>
            [row.querySelector('.label > :not(.swatch)').textContent.split('+')[0], row.cells[1].textContent])""")
        equal(sorted({part for part, _ in shown}), sorted(part for part, live in parts.items() if live))
        equal(b.table()[-1][1], human(want))
    b.open("stacks.html", f"#?by=through:{name}")
    top, middle, low = b.js("""const box = (start) => { const e = [...document.querySelectorAll('#svg [role=treeitem]')]
        .find((one) => one.getAttribute('aria-label').startsWith(start)); return e.getBBox().y; };
        return [box('calls:'), box(arguments[0] + ':'), box('is called by:')];""", name)
    assert top < middle < low, (top, middle, low)
    b.open("stacks.html", "#?by=stack")
    assert "through:" in b.js("return decodeURIComponent(document.querySelector('tbody a.through').hash)")


def shown_space(b):
    """Flame and icicle fill the height; a shortened label has five letters; a directory of a treemap has a heading
    as wide as it is."""
    for chart, size in (("flame", "desktop"), ("icicle", "laptop"), ("flame", "phone")):
        b.open("main.html", f"#?chart={chart}", size=size)
        top, low, high = b.js("""const boxes = [...document.querySelectorAll('#svg [role=treeitem]')].map((e) => e.getBBox());
            return [Math.min(...boxes.map((b) => b.y)), Math.max(...boxes.map((b) => b.y + b.height)),
                document.getElementById('svg').viewBox.baseVal.height];""")
        assert abs(top) < 1 and abs(low - high) < 1, (chart, top, low, high)
    for chart in CHARTS:
        b.open("main.html", f"#?chart={chart}")
        short = b.js("""return [...document.querySelectorAll('#svg .labels text')].map((e) => e.textContent)
            .filter((text) => text.endsWith('…') && text.length < 5)""")
        equal(short, [])
    b.open("main.html", "#?chart=treemap")
    equal(*b.js("""const box = (e) => { const b = e.getBBox(); return [Math.round(b.x), Math.round(b.y), Math.round(b.width)]; };
        const cell = document.querySelectorAll('#svg [role=treeitem]')[arguments[0]];
        return [box([...document.querySelectorAll('.plate')].find((e) => e.cell === cell.cell)), box(cell)];""",
                b.cell("fs:")["at"]))


SHOWN = [
    ("shown: colours follow the zoom, as in pictures", shown_colours),
    ("shown: rules", shown_rules),
    ("shown: a selection without zoom", shown_pick),
    ("shown: rows of zero", shown_zeros),
    ("shown: the keys", shown_keys),
    ("shown: link and PNG", shown_copies),
    ("shown: the sandwich of a function", shown_sandwich),
    ("shown: space, labels, headings", shown_space),
]
