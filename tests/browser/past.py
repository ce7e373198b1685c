# SPDX-License-Identifier: GPL-2.0-only
"""The page of a history: its cgroups at each time, by the snapshots that were recorded (run.sh)."""
import os
import re

from groups import first_level, switch
from selenium.webdriver.common.keys import Keys
from truth import equal, human

PAGE = "history.html"
NONE = "[in no group]"


def holds(minute):
    """{cgroup: live bytes} of a snapshot, read without the program."""
    with open(f"{os.environ['KMA_WORK']}/c{minute:02}", encoding="utf-8") as file:
        parts = dict(re.findall(r"^== (\w+)\n(.*?)(?=^== )", file.read(), re.M | re.S))
    rows = [line.split("\t") for line in parts["cgroups"].splitlines()[1:] if line[0] != "#"]
    names = {row[0]: row[1].lstrip("/") for row in rows if len(row) == 2}
    found = dict.fromkeys([NONE, *names.values()], 0)
    for row in rows:
        if len(row) == 6:
            found[names[row[1]]] += int(row[4])
    total = sum(int(line.split("\t")[2]) for line in parts["sites"].splitlines() if line[0].isdigit())
    found[NONE] = total - sum(found.values())
    return found


def when(minute):
    return f"2025-11-24 16:{minute:02}:00 UTC"


def number_of(b, minute):
    """The number of the sample of a minute, as the slider has it."""
    for at in range(int(b.js("return document.getElementById('when').max")) + 1):
        b.js("const e = document.getElementById('when'); e.value = arguments[0];"
             "e.dispatchEvent(new Event('input', { bubbles: true }));", at)
        if b.js("return document.getElementById('when').getAttribute('aria-valuetext')") == when(minute):
            return at
    raise AssertionError(f"no sample of {when(minute)}")


def is_at(b, minute):
    want = holds(minute)
    total = sum(want.values())
    cells = first_level(b)
    equal(cells, {name: f"{name}: {human(value)}, {100 * value / total:.1f}% of all" for name, value in want.items()})
    equal({row[0]: row[1] for row in b.table()[1:-1]}, {name: human(value) for name, value in want.items()})
    assert b.text("#subtitle").endswith(f"by cgroup: {human(total)}, {when(minute)}"), b.text("#subtitle")


def past_cgroups(b):
    """By cgroup at each time; the switch keeps the time, and Back goes back to both."""
    b.open(PAGE)
    equal(b.js("return [...document.getElementById('by').options].map((o) => o.value)"), ["dir", "cache", "kind", "size", "cgroup"])
    at = number_of(b, 25)
    switch(b, "cgroup")
    equal(b.address(), f"#?by=cgroup&at={at}")
    is_at(b, 25)
    for minute in (5, 40):
        number_of(b, minute)
        b.rest()
        is_at(b, minute)
    b.js("document.getElementById('when').focus()")
    b.press(Keys.END)
    equal(b.address(), "#?by=cgroup")
    is_at(b, 45)
    switch(b, "dir")
    assert first_level(b).keys() == {"leaky+0x10/0x90", "flat+0x1/0x2", "ungrouped+0x3/0x4"}, first_level(b)
    b.driver.back()
    b.wait("document.getElementById('by').value === 'cgroup'")
    b.rest()
    is_at(b, 45)


def past_within(b):
    """Inside a cgroup are its call sites; the timeline and the small lines are the cgroup's."""
    b.open(PAGE, "#?by=cgroup")
    number_of(b, 20)
    b.rest()
    b.click_cell("bad:")
    assert b.address().startswith("#bad?by=cgroup&at="), b.address()
    equal([row[0] for row in b.table()[1:-1]], ["leaky+0x10/0x90"])
    equal(b.table()[-1][1], human(holds(20)["bad"]))
    first, last = holds(5)["bad"], holds(45)["bad"]
    assert last > 1.5 * first, "the leak"
    label = b.js("return document.getElementById('past').getAttribute('aria-label')")
    assert f"to {human(last)} at {when(45)}" in label and f"most {human(last)} at {when(45)}" in label, label
    course = b.js("return document.querySelector('tbody .spark').getAttribute('aria-label')")
    assert course.endswith(f"to {human(last)}, most {human(last)}"), course
    b.open(PAGE, "#?by=cgroup")
    bands = b.js("return [...document.querySelectorAll('#past .band title')].map((e) => e.textContent)")
    equal(set(bands), {NONE, "good", "bad"})


PAST = [
    ("history: by cgroup at each time", past_cgroups),
    ("history: within a cgroup", past_within),
]
