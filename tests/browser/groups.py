# SPDX-License-Identifier: GPL-2.0-only
"""The switch of the page: directories, modules, caches, cgroups, stacks over the same leaves."""
import csv
import os

from looks import CONTRAST
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from truth import CHARTS, equal, human

PAGE = "groups.html"


def rows(name, key):
    """{key: live bytes} of a report."""
    with open(f"{os.environ['KMA_WORK']}/{name}.csv", encoding="utf-8") as file:
        found = {}
        for row in csv.DictReader(file):
            found[row[key]] = found.get(row[key], 0) + int(row["current_dynamic"])
        return found


def switch(b, by):
    b.js("const by = document.getElementById('by'); by.value = arguments[0];"
         "by.dispatchEvent(new Event('change', { bubbles: true }));", by)
    b.rest()


def first_level(b):
    """{name: label} of the children of the root that are drawn."""
    return {c["label"].rsplit(": ", 1)[0]: c["label"] for c in b.cells()
            if c["level"] == 2 and not c["label"].startswith("other")}


def groups_switch(b):
    """Each key has the numbers of its report; the address keeps it, Back undoes it."""
    b.open(PAGE)
    equal(b.js("return [...document.getElementById('by').options].map((o) => o.textContent)"),
          ["by directory", "by subsystem", "by module", "by object size"])
    for by in ("module", "subsystem"):
        want = rows(f"groups-{by}", by)
        total = sum(want.values())
        switch(b, by)
        equal(b.address(), f"#?by={by}")
        assert f"in the kernel by {by}: {human(total)}" in b.text("#subtitle"), b.text("#subtitle")
        cells = first_level(b)
        assert len(cells) >= 3, cells
        for name, label in cells.items():
            name = name.replace("\ufffd", "\u202e")
            equal(label.rsplit(": ", 1)[1],
                  f"{human(want[name])}, {100 * want[name] / total:.1f}% of all")
        equal(b.table()[-1][1:3], [human(total), "100.0%"])
        equal(len(b.table()) - 2, len(want))
        b.driver.back()
        b.wait("document.getElementById('by').value === 'dir'")
        b.rest()
        equal(b.cells()[0]["label"].split(":")[0], "the kernel")
    b.open(PAGE, "#ext4?by=module&chart=treemap&attr=objects")
    equal(b.text("#crumbs"), "the kernel\next4")
    equal(b.js("return [document.getElementById('by').value, document.getElementById('attr').value]"),
          ["module", "1"])
    b.open(PAGE, "#?by=nonsense")
    equal(b.js("return document.getElementById('by').value"), "dir")


def levels(b):
    """The lists of further levels: [the options, the choice] of each."""
    return b.js("return [...document.querySelectorAll('#levels select')].map((one) => "
                "[[...one.options].map((o) => o.textContent), one.value])")


def groups_levels(b):
    """Several groups are levels, in any order; the lists offer those that are left."""
    want = {}
    with open(f"{os.environ['KMA_WORK']}/groups-levels.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            want[row["module"], row["subsystem"]] = int(row["current_dynamic"])
    b.open(PAGE)
    equal(levels(b), [])
    switch(b, "module")
    equal(levels(b), [[["then by directory", "then by subsystem", "then by object size"], ""]])
    b.js("const one = document.querySelector('#levels select'); one.focus(); one.value = 'subsystem';"
         "one.dispatchEvent(new Event('change', { bubbles: true }));")
    b.rest()
    equal(b.address(), "#?by=module,subsystem")
    equal(levels(b), [[["then by directory", "then by subsystem", "then by object size"], "subsystem"],
                      [["then by directory", "then by object size"], ""]])
    assert b.js("return document.activeElement.matches('#levels select')")
    assert "by module, then subsystem: " in b.text("#subtitle"), b.text("#subtitle")
    equal(b.table()[-1][1], human(sum(want.values())))
    for by, names in ("module,subsystem", ["ext4"]), ("subsystem,module", None):
        for module, subsystem in want:
            if names and module not in names or "\u202e" in module:
                continue
            path = [module, subsystem] if by == "module,subsystem" else [subsystem, module]
            b.js("location.hash = '#' + arguments[0].map(encodeURIComponent).join('/') + '?by=' + arguments[1]", path, by)
            b.wait("document.querySelectorAll('#crumbs li').length === 3")
            b.rest()
            equal(b.table()[-1][1], human(want[module, subsystem]))
    b.driver.back()
    # the page of a list of keys starts with its levels
    b.open("levels.html")
    equal(b.js("return document.getElementById('by').value"), "subsystem")
    equal(levels(b), [[["then by directory", "then by module", "then by object size"], "module"],
                      [["then by directory", "then by object size"], ""]])
    b.open(PAGE, "#?by=module,module")
    equal(b.js("return document.getElementById('by').value"), "dir")


def groups_below(b):
    """Below a module are the directories of its call sites; a search and the CSV go by its paths."""
    for chart in CHARTS:
        b.open(PAGE, f"#?by=module&chart={chart}")
        b.js("location.hash = arguments[0]", f"#ext4/fs?by=module&chart={chart}")
        b.wait("document.querySelectorAll('#crumbs li').length === 3")
        b.rest()
        assert all(c["label"].startswith(("ext4/fs", "other")) for c in b.cells()), b.cells()[:5]
    b.open(PAGE, "#?by=module&q=ext4")
    found = b.text("#found")
    assert human(rows("groups-module", "module")["ext4"]) in found, found
    b.driver.execute_cdp_cmd("Browser.grantPermissions", {
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    b.open(PAGE, "#?by=module&rows=leaves")
    b.click(b.find("#csv"))
    b.wait("document.getElementById('said').textContent.startsWith('Copied')")
    text = b.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    sums = {}
    for row in csv.DictReader(text.split("\n")):
        key = row["path"].split("/")[0]
        sums[key] = sums.get(key, 0) + int(row["current_dynamic"])
    equal(sums, rows("groups-module", "module"))


def groups_own(b):
    """Caches, stacks and cgroups, of inputs that know them; attributes are those of the tree."""
    b.open("stacks.html")
    equal(b.js("return [...document.getElementById('by').options].map((o) => o.value)"),
          ["dir", "cache", "kind", "size", "stack", "callers"])
    # without a kernel there are neither directories nor files
    equal(b.js("return document.getElementById('by').options[0].textContent"), "by call site")
    assert b.js("return document.querySelector('#rows [value=files]').hidden")
    want = rows("stacks-cache", "cache")
    switch(b, "cache")
    cells = first_level(b)
    for name in ("task_struct", "dentry"):
        assert cells[name].startswith(f"{name}: {human(want[name])}, "), cells[name]
    b.js("location.hash = '#?by=cache&attr=peak'")
    b.wait("document.getElementById('attr').selectedOptions[0].textContent.includes('peak')")
    switch(b, "callers")
    assert any(name.startswith("alloc_inode+0x") for name in first_level(b)), first_level(b)
    b.js("location.hash = arguments[0]", "#?by=stack")
    b.wait("document.getElementById('by').value === 'stack'")
    b.rest()
    assert human(sum(want.values())) in b.text("#subtitle"), b.text("#subtitle")
    b.open("cgroups.html", "#?by=cgroup")
    want, cells = rows("cgroups-cgroup", "cgroup"), first_level(b)
    assert len(cells) >= 2, cells
    equal(b.table()[-1][1], human(sum(want.values())))
    # the name of the root cgroup is a slash: its call sites have one slash before them
    inside = [c["label"] for c in b.cells() if c["label"].startswith("/")]
    assert len(inside) > 2 and not any(label.startswith("//") for label in inside), inside[:9]
    b.open("callers.html")
    equal(b.js("return [...document.getElementById('by').options].map((o) => o.value)"), ["dir", "size"])


def groups_tables(b):
    """Cgroups are a level among others, above and below them, with the numbers of a report."""
    with open(f"{os.environ['KMA_WORK']}/cgroups-levels.csv", encoding="utf-8") as file:
        want = {(row["cgroup"], row["cache"]): int(row["current_dynamic"]) for row in csv.DictReader(file)}
    b.open("cgroups.html", "#?by=cache")
    assert ["then by cgroup"] == [one for one in levels(b)[0][0] if "cgroup" in one], levels(b)
    b.open("cgroups.html", "#?by=cgroup")
    b.js("const one = document.querySelector('#levels select'); one.value = 'cache';"
         "one.dispatchEvent(new Event('change', { bubbles: true }));")
    b.rest()
    equal(b.address(), "#?by=cgroup,cache")
    for by in "cgroup,cache", "cache,cgroup":
        b.open("cgroups.html", f"#?by={by}")
        equal(b.table()[-1][1], human(sum(want.values())))
        for (cgroup, cache), live in sorted(want.items(), key=lambda item: -item[1])[:12]:
            names = [cgroup] if cgroup == "/" else cgroup.strip("/").split("/")
            path = [*names, cache] if by == "cgroup,cache" else [cache, *names]
            b.js("location.hash = '#' + arguments[0].map(encodeURIComponent).join('/') + '?by=' + arguments[1]", path, by)
            b.wait("document.querySelectorAll('#crumbs li').length === arguments[0]", len(path) + 1)
            b.rest()
            equal(b.table()[-1][1], human(live))
    b.open("cgroups.html", "#?by=cgroup,node")
    equal(b.js("return document.getElementById('by').value"), "dir")


def groups_keys(b):
    """By keyboard: the switch is a control in the order of the page; the chart has the focus after it."""
    b.open(PAGE)
    b.js("document.getElementById('by').focus()")
    b.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    equal(b.address(), "#?by=module")
    equal(b.js("return document.activeElement.id"), "by")
    b.js("document.querySelector('#svg [tabindex=\"0\"]').focus()")
    b.press(Keys.ARROW_DOWN)
    assert not b.focused().startswith("the kernel"), b.focused()


def groups_look(b):
    """Contrast, labels in their slices, colours: what is not attributed is grey, a module is not."""
    for dark in (False, True):
        b.open(PAGE, "#?by=module&chart=icicle", dark=dark)
        pairs = b.js(CONTRAST)
        low = [(round(r, 2), text) for r, text in pairs if r < 4.5]
        assert len(pairs) > 40 and not low, low[:5]
        fills = {c: b.js("return document.querySelectorAll('#svg [role=treeitem]')[arguments[0]]"
                         ".getAttribute('fill')", b.cell(f"{c}:")["at"]) for c in ("ext4", "vmlinux")}
        for name, fill in fills.items():
            parts = [int(fill[i:i + 2], 16) for i in (1, 3, 5)]
            assert max(parts) - min(parts) > 25, (name, fill)
        equal(len(set(fills.values())), 2)
    for size in ("laptop", "phone"):
        b.open(PAGE, "#?by=module", size=size)
        equal(b.js("return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
    b.open(PAGE, "#?by=module&rows=leaves&q=onerror")
    equal(b.js("return document.images.length"), 0)
    assert b.driver.find_elements(By.CSS_SELECTOR, "tbody tr"), "hostile modules"


GROUPS = [
    ("groups: each key has the numbers of its report", groups_switch),
    ("groups: several levels", groups_levels),
    ("groups: directories below a module", groups_below),
    ("groups: cgroups as levels", groups_tables),
    ("groups: caches, stacks, cgroups", groups_own),
    ("groups: by keyboard", groups_keys),
    ("groups: looks", groups_look),
]
