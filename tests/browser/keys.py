# SPDX-License-Identifier: GPL-2.0-only
"""The page of a history by the keyboard alone: nothing here points, clicks or focuses by script. Each control is
reached by Tab, shows that it has the focus, and does what it is for."""
import os
import time

from past import NONE, PAGE, holds, when
from selenium.webdriver.common.keys import Keys
from truth import equal, human

# Whether what has the focus can be seen to have it: by an outline, or by the strong line around its cell.
RING = """const e = document.activeElement, s = getComputedStyle(e.type === 'radio' ? e.nextElementSibling : e);
    const box = e.getBoundingClientRect();
    return (s.outlineStyle !== 'none' && s.outlineWidth !== '0px' ||
        !!document.querySelector('.mark.strong')?.getAttribute('d')) &&
        box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;"""


def value(b, name):
    return b.js("return document.getElementById(arguments[0]).value", name)


def focused(b):
    """The id, the text or the label of what has the focus."""
    return b.js("const e = document.activeElement; return e.id || (e.type === 'radio' ? e.value : '') || "
                "e.getAttribute('aria-label') || e.textContent.trim()")


def tab_to(b, start, back=False):
    """Tab until what has the focus begins with a text."""
    seen = []
    for _ in range(60):
        b.press(*([Keys.SHIFT + Keys.TAB + Keys.NULL] if back else [Keys.TAB]))
        seen.append(focused(b))
        assert seen[-1] == "" or b.js("return document.activeElement === document.body") or b.js(RING), seen[-1]
        if seen[-1].startswith(start):
            return
    raise AssertionError(f"Tab does not reach {start}: {seen}")


def controls(b):
    b.open(PAGE, size="laptop")
    tab_to(b, "rings")
    for chart in ("icicle", "flame", "treemap", "rings"):
        b.press(Keys.ARROW_RIGHT)
        equal(b.address(), "#" if chart == "rings" else f"#?chart={chart}")
        equal(focused(b), chart)
    tab_to(b, "by")
    b.press(*[Keys.ARROW_DOWN] * 4)
    equal(value(b, "by"), "cgroup")
    equal({row[0]: row[1] for row in b.table()[1:-1]}, {name: human(live) for name, live in holds(45).items()})
    tab_to(b, "attr")
    b.press(Keys.ARROW_DOWN)
    assert "attr=" in b.address(), b.address()
    b.press(Keys.ARROW_UP)
    equal(b.address(), "#?by=cgroup")
    tab_to(b, "search")
    b.press("bad")
    assert b.text("#found").startswith(f"1 found, {human(holds(45)['bad'])} ("), b.text("#found")
    b.press(Keys.ESCAPE)
    equal(value(b, "search"), "")
    tab_to(b, "theme")
    back = "return getComputedStyle(document.documentElement).backgroundColor"
    light = b.js(back)
    b.press(Keys.SPACE)
    assert b.js(back) != light
    b.press(Keys.ENTER)
    equal(b.js(back), light)


def picture(b):
    """Into a cgroup and out of it, by the picture, by the path, by Up and by Escape."""
    b.open(PAGE, "#?by=cgroup", size="laptop")
    tab_to(b, "the kernel: ")
    b.press(Keys.ARROW_DOWN)
    while not focused(b).startswith("bad: "):
        b.press(Keys.ARROW_RIGHT)
    b.press(Keys.ENTER)
    equal(b.address(), "#bad?by=cgroup")
    assert focused(b).startswith("bad: "), focused(b)
    b.press(Keys.BACKSPACE)
    equal(b.address(), "#?by=cgroup")
    b.press(Keys.SPACE)
    tab_to(b, "the kernel", back=True)
    b.press(Keys.ENTER)
    equal(b.address(), "#?by=cgroup")
    b.open(PAGE, "#bad?by=cgroup", size="laptop")
    tab_to(b, "up")
    b.press(Keys.ENTER)
    equal(b.address(), "#?by=cgroup")
    b.press(Keys.ESCAPE)
    equal(b.address(), "#?by=cgroup")


def clock(b):
    b.open(PAGE, "#?by=cgroup", size="laptop")
    tab_to(b, "play")
    b.press(Keys.SPACE)
    equal(b.js("return document.activeElement.ariaPressed"), "true")
    b.press(Keys.SPACE)
    equal(b.js("return document.activeElement.ariaPressed"), "false")
    tab_to(b, "when")
    b.press(Keys.END)
    for minute in (40, 35):
        while b.js("return document.activeElement.getAttribute('aria-valuetext')") != when(minute):
            b.press(Keys.ARROW_LEFT)
        equal(focused(b), "when")
        equal(b.table()[-1][1], human(sum(holds(minute).values())))


def table(b):
    """Rows, columns, order, what is copied and saved, and links, after which the focus is in the table still."""
    b.open(PAGE, "#?by=cgroup", size="laptop")
    b.driver.execute_cdp_cmd("Browser.grantPermissions", {
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    tab_to(b, "rows")
    b.press(Keys.END)
    assert "rows=leaves" in b.address(), b.address()
    assert any(row[0].startswith("leaky") for row in b.table()[1:-1]), b.table()
    b.press(Keys.HOME)
    tab_to(b, "Columns")
    before = len(b.table()[0])
    b.press(Keys.ENTER)
    b.press(Keys.TAB, Keys.SPACE)
    equal(len(b.table()[0]), before - 1)
    b.press(Keys.SPACE, Keys.ESCAPE)
    equal((len(b.table()[0]), focused(b)), (before, "Columns"))
    tab_to(b, "csv")
    b.press(Keys.ENTER)
    b.wait("document.getElementById('said').textContent.startsWith('Copied 3 rows')")
    tab_to(b, "save")
    b.press(Keys.ENTER)
    name, end = f"{os.environ['KMA_WORK']}/kernel-rings.svg", time.monotonic() + 120
    while not os.path.exists(name) and time.monotonic() < end:
        time.sleep(0.02)
    os.remove(name)
    tab_to(b, "live")
    want = sorted(holds(45).values())
    equal([row[1] for row in b.table()[1:-1]], [human(live) for live in reversed(want)])
    b.press(Keys.ENTER)
    if focused(b).startswith("live") and b.js("return document.activeElement.closest('th').ariaSort") == "descending":
        b.press(Keys.ENTER)
    equal([row[1] for row in b.table()[1:-1]], [human(live) for live in want])
    for motion in (True, False):
        b.open(PAGE, "#?by=cgroup", size="laptop", still=not motion)
        tab_to(b, "bad")
        b.press(Keys.ENTER)
        b.wait("document.getElementById('table-title').textContent === 'In bad'")
        b.rest()
        equal(b.address(), "#bad?by=cgroup")
        equal(b.js("return document.activeElement.closest('.scroll') !== null"), True)
    b.open(PAGE, "#?by=cgroup", size="laptop")
    tab_to(b, NONE)
    b.press("p")
    b.wait("document.getElementById('when').value === '2'")
    b.press("p")
    equal(b.js("return document.activeElement.closest('tbody') !== null"), True)


KEYS = [
    ("keys alone: controls", controls),
    ("keys alone: the picture", picture),
    ("keys alone: time", clock),
    ("keys alone: the table", table),
]
