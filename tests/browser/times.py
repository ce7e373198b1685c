# SPDX-License-Identifier: GPL-2.0-only
"""A page over time: slider, play, sparklines, the timeline with what was lost and what is missing."""
import os
import re

from looks import CONTRAST
from selenium.webdriver.common.keys import Keys
from truth import CHARTS, equal, human

PAGE = "times.html"
HOURS = (0, 1, 2, 3, 8, 9)  # run.sh: five hours are missing


def total(at):
    """Of the account of a time, counted here."""
    with open(f"{os.environ['KMA_WORK']}/t{at}", encoding="utf-8") as file:
        return sum(int(line.split()[0]) for line in file if re.match(r" *\d", line))


def when(at):
    return f"2026-11-25 {HOURS[at]:02}:00:00 UTC"


def times_slide(b):
    """The slider has the numbers of each time, by pointer and by keyboard; the address keeps it."""
    b.open(PAGE)
    assert f": {human(total(5))}, {when(5)}" in b.text("#subtitle"), b.text("#subtitle")
    b.js("document.getElementById('when').focus()")
    for at in (4, 3, 2):
        b.press(Keys.ARROW_LEFT)
        equal(b.address(), f"#?at={at}")
        assert f": {human(total(at))}, {when(at)}" in b.text("#subtitle"), b.text("#subtitle")
        equal(b.table()[-1][1], human(total(at)))
        equal(b.cells()[0]["label"], f"the kernel: {human(total(at))}, 100.0% of all")
        equal(b.js("return document.getElementById('when').getAttribute('aria-valuetext')"), when(at))
    b.press(Keys.HOME)
    assert human(total(0)) in b.text("#subtitle"), b.text("#subtitle")
    b.press(Keys.END)
    equal(b.address(), "#")
    for chart in CHARTS:
        b.open(PAGE, f"#fs?chart={chart}&at=1")
        assert b.text("#subtitle").endswith(when(1)), b.text("#subtitle")
        equal(b.text("#then"), f"{when(1)} · 2 of 6")
    for bad in ("at=6", "at=-1", "at=x", "at="):
        b.open(PAGE, f"#?{bad}")
        assert b.text("#subtitle").endswith(when(5 if bad != "at=" else 0)), (bad, b.text("#subtitle"))
    b.open(PAGE, "#?by=module&at=2")
    equal(b.table()[-1][1], human(total(2)))


def times_play(b):
    """It plays by a button or a key, to the end, and a user can stop it."""
    b.open(PAGE)
    b.press("p")
    equal(b.js("return document.getElementById('play').ariaPressed"), "true")
    equal(b.js("return document.getElementById('when').value"), "0")
    b.wait("document.getElementById('when').value === '2'")
    b.press("p")
    held = b.js("return document.getElementById('when').value")
    equal(b.js("return document.getElementById('play').ariaPressed"), "false")
    b.js("const end = performance.now() + 1200; while (performance.now() < end);")
    equal(b.js("return document.getElementById('when').value"), held)
    b.click(b.find("#play"))
    b.wait("document.getElementById('play').ariaPressed === 'false'")
    equal(b.js("return document.getElementById('when').value"), "5")


def times_past(b):
    """The timeline: bands as high as the numbers, the gap where samples are missing, a click."""
    b.open(PAGE)
    label = b.js("return document.getElementById('past').getAttribute('aria-label')")
    assert f"from {human(total(0))} at {when(0)} to {human(total(5))} at {when(5)}" in label, label
    assert f"{when(4)}: end of a gap without samples" in label, label
    box = b.js("""const b = document.querySelector('#past .gap').getBBox(), all = document.getElementById('past');
        return [b.x / all.viewBox.baseVal.width, b.width / all.viewBox.baseVal.width];""")
    assert abs(box[0] - 3 / 9) < 0.01 and abs(box[1] - 5 / 9) < 0.01, box
    top = b.js("""return [...document.querySelectorAll('#past .band')].map((e) => e.getBBox()).reduce(
        (most, b) => Math.min(most, b.y), 1000)""")
    equal(round(top), 14)  # the highest time fills the picture
    y, low = b.js("""const bands = [...document.querySelectorAll('#past .band')];
        const ys = bands.at(-1).getAttribute('d').split('L').map((p) => +p.split(' ')[1].replace(/[A-Z].*/, ''));
        return [ys[0] || +bands.at(-1).getAttribute('d').split(' ')[1].replace(/L.*/, ''), 98]""")
    most = max(total(at) for at in range(6))
    assert abs((low - y) / (low - 14) - total(0) / most) < 0.01, (y, total(0), most)
    b.js("document.getElementById('past').scrollIntoView({ block: 'center' })")
    b.js("""const r = document.getElementById('past').getBoundingClientRect();
        document.getElementById('past').dispatchEvent(new MouseEvent('click',
            { clientX: r.left + r.width * 0.23, clientY: r.top + 9, bubbles: true }));""")
    b.wait("document.getElementById('when').value === '2'")
    b.driver.back()
    b.wait("document.getElementById('when').value === '5'")
    for page, mark, remark in (("lost.html", ".lost", "12 events not recorded"),
                               ("boots.html", ".begins", "another boot or account begins")):
        b.open(page)
        assert remark in b.js("return document.getElementById('past').getAttribute('aria-label')"), page
        equal(b.js("return document.querySelectorAll('#past .lost, #past .begins').length"), 1)
        equal(b.js("return document.querySelector(arguments[0]).textContent", f"#past {mark}").split(": ")[1],
              remark)


def times_spark(b):
    """Each row has its course, with a dot at the time that is shown."""
    b.open(PAGE, "#?at=3")
    marks = b.js("""return [...document.querySelectorAll('tbody .spark')].map((e) =>
        [e.getAttribute('aria-label'), +e.querySelector('circle').getAttribute('cx')])""")
    equal(len(marks), len(b.table()) - 2)
    assert all(re.match(r"from [\d.]+ [KM]?i?B to [\d.]+ [KM]?i?B, most ", label) for label, _ in marks), marks
    assert all(abs(x - (2 + 60 * 3 / 9)) < 0.2 for _, x in marks), marks
    b.open("main.html")
    assert not b.find("#time").is_displayed()
    equal(b.js("return document.querySelectorAll('.spark').length"), 0)


def times_look(b):
    for dark in (False, True):
        b.open(PAGE, dark=dark)
        pairs = b.js(CONTRAST)
        low = [(round(r, 2), text) for r, text in pairs if r < 4.5]
        assert len(pairs) > 40 and not low, low[:5]
    for size, tall in (("laptop", 720), ("phone", 10000)):
        b.open(PAGE, size=size)
        equal(b.js("return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
        box = b.js("const r = document.getElementById('past').getBoundingClientRect(); return [r.width, r.bottom]")
        assert box[0] > 300 and box[1] <= tall, (size, box)
    b.open(PAGE)
    b.media(kind="print")
    equal(b.js("return document.querySelector('.clock').offsetHeight"), 0)
    assert b.js("return document.getElementById('past').getBoundingClientRect().height") > 60


TIMES = [
    ("times: the slider", times_slide),
    ("times: play", times_play),
    ("times: the timeline, gaps and losses", times_past),
    ("times: sparklines", times_spark),
    ("times: looks", times_look),
]
