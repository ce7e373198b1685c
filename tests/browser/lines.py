# SPDX-License-Identifier: GPL-2.0-only
"""Lines and inlined functions below a function, and links to a source browser."""
import os
from urllib.parse import unquote, urlsplit

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from truth import CHARTS, equal


def truth():
    """{call site: [(function, "file:line"), ...]} from the outer function to the inner one, by addr2line."""
    with open(f"{os.environ['KMA_WORK']}/lines.txt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return {name: [tuple(frame.rsplit(" ", 1)) for frame in chain.split(" > ")] for name, chain in rows}


def expected():
    """{path of a cell: its line}: a function with several call sites is above them."""
    sites, want = truth(), {}
    for name, frames in sites.items():
        function = frames[0][0]
        several = sum(chain[0][0] == function for chain in sites.values()) > 1
        path = f"inline.c/{function}/{name}" if several else f"inline.c/{name}"
        want[path] = frames[0][1]
        for inner, where in frames[1:]:
            path += f"/{inner}"
            want[path] = where
    return want


def lines_below(b):
    """The path goes on from a function to its lines, and to what is inlined in each."""
    want = expected()
    assert len(want) > len(truth()) > 3, want
    for chart in CHARTS:
        b.open("lines.html", f"#?chart={chart}")
        seen = {}
        for cell in b.cells():
            if " (" in cell["label"]:
                path, rest = cell["label"].split(" (", 1)
                seen[path] = rest.split(")")[0]
        if chart != "treemap":
            equal(seen, want)
        assert set(seen) <= set(want) and all(want[path] == where for path, where in seen.items()), seen
    rows = {name: frames for name, frames in truth().items()}
    b.open("lines.html", "#?rows=leaves")
    equal(len(b.table()) - 2, len(rows))
    b.open("lines.html", "#inline.c/inode_alloc")
    names = b.js("return [...document.querySelectorAll('tbody th .label > :not(.swatch):not(.where)')].map((e) => e.textContent)")
    lines = [frames[0][1] for name, frames in rows.items() if frames[0][0] == "inode_alloc"]
    assert len(set(names)) == len(names) == len(lines) > 1, (names, lines)
    equal(sorted(name.split(" ")[0] for name in names), sorted(lines))
    b.open("lines.html", "#?q=kzalloc")
    assert not b.text("#found").startswith("0 "), b.text("#found")


def lines_tip(b):
    """A tip has the whole chain; the keyboard opens the same."""
    b.open("lines.html", "#?chart=icicle")
    name, frames = next((n, f) for n, f in truth().items() if len(f) > 2)
    cell = next(c for c in b.cells() if f"/{name} (" in c["label"])
    x, y = b.point_in(cell)
    b.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})
    b.wait("!document.getElementById('tip').hidden")
    want = " > ".join([frames[0][1]] + [f"{function} {where}" for function, where in frames[1:]])
    assert want in b.text("#tip"), (want, b.text("#tip"))
    b.js("document.querySelector('#svg [tabindex=\"0\"]').focus()")
    for _ in range(5):
        b.press(Keys.ARROW_RIGHT)
    assert " (inline.c:" in b.focused(), b.focused()


def links(b):
    """A line leads to the template's host; a name cannot change the address, and none leads up."""
    b.open("linked.html", "#?rows=leaves")
    found = b.js("return [...document.querySelectorAll('tbody a[target=_blank]')].map((e) => "
                 "[e.getAttribute('href'), e.rel, e.textContent])")
    assert len(found) > 20, found
    dirs = set()
    for href, rel, text in found:
        url = urlsplit(href)
        equal((url.scheme, url.netloc, url.query, rel), ("https", "src.example", "", "noopener noreferrer"))
        path = unquote(url.path)
        assert path.startswith("/v6.1/") and url.fragment == "L" + text.rsplit(":", 1)[1], (href, text)
        assert "/../" not in path and "/./" not in path, path
        dirs.add(path.split("/")[2])
        assert "<" not in href and '"' not in href and "\u202e" not in href, href
    assert "</script><script>document.title=1337<" not in dirs and "many" in dirs, dirs
    b.open("hostile.html", "#?rows=leaves")
    equal(len(b.driver.find_elements(By.CSS_SELECTOR, "tbody a[target=_blank]")), 0)


LINES = [
    ("lines: inlined functions below a function, as addr2line has them", lines_below),
    ("lines: the chain in the tip, and by keyboard", lines_tip),
    ("lines: links to a source browser", links),
]
