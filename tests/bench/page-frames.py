#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Where the main thread's time goes in the frames of a zoom, by Chromium's own trace.

	KMA_WORK=DIR page-frames.py PAGE...		pages in DIR, in turn; a table in Markdown

The first frame has all tasks from the change of the address to the end of the first frame after it: what a click
waits for. The last frame shows the elements of the chart again. Numbers are CPU time of the page's main thread
(tdur), of each zoom the best of the rounds, so that what runs beside the browser counts little. What is not script,
style, layout or painting is mostly the commit, with the raster of the canvas, which a browser without a GPU
makes on the main thread.
"""
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
from browser import Browser  # noqa: E402

WORK = os.environ["KMA_WORK"]
ROUNDS = int(os.environ.get("REPEAT", "5"))
ZOOMS = ["drivers", "drivers/acpi", "drivers", "", "fs", "", "net/ipv4", ""]
PARTS = {"script": ("FireAnimationFrame", "FunctionCall", "EventDispatch", "TimerFire"),
         "style": ("UpdateLayoutTree",), "layout": ("Layout",), "paint": ("PrePaint", "Paint", "Layerize")}
FORCED = PARTS["style"] + PARTS["layout"]  # by script
TASKS = ("RunTask", "ThreadControllerImpl::RunTask")
CATEGORIES = "toplevel,devtools.timeline,blink.user_timing"

ZOOM = """
    const done = arguments[1], frame = (step) => requestAnimationFrame(step);
    frame(() => frame(() => setTimeout(() => {
        performance.mark("zoom begins");
        location.hash = arguments[0];
        new MutationObserver((changes, observer) => {
            if (document.querySelector(".moving"))
                return;
            performance.mark("zoom ends");
            observer.disconnect();
            setTimeout(done, 100);
        }).observe(document.getElementById("chart"), { attributes: true, attributeFilter: ["class"] });
    })));"""


def outermost(events):
    """Those that are in no other one."""
    end, found = 0, []
    for event in sorted(events, key=lambda e: (e["ts"], -e["dur"])):
        if event["ts"] >= end:
            found.append(event)
            end = event["ts"] + event["dur"]
    return found


def inside(events, task):
    return [e for e in events if task["ts"] <= e["ts"] < task["ts"] + task["dur"]]


def spent(events):
    return sum(event.get("tdur", 0) for event in events) / 1000


def of_parts(events):
    """ms of each part; what a script forces is not script."""
    found = {part: spent(outermost(e for e in events if e["name"] in names)) for part, names in PARTS.items()}
    for call in outermost(e for e in events if e["name"] in PARTS["script"]):
        found["script"] -= spent(outermost(e for e in inside(events, call) if e["name"] in FORCED))
    return found


def frames_of(events):
    """Of each frame, with the tasks between it and the one before: ms of all and by part. In the last one the zoom ends."""
    begin, over = (next(e for e in events if e["name"] == name) for name in ("zoom begins", "zoom ends"))
    mine = [e for e in events if e["pid"] == begin["pid"] and e["tid"] == begin["tid"] and e.get("ph") == "X"]
    tasks = [t for t in outermost(e for e in mine if e["name"] in TASKS)
             if begin["ts"] <= t["ts"] + t["dur"] and t["ts"] <= over["ts"]]
    frames, now = [], dict.fromkeys(["all", *PARTS], 0)
    for task in tasks:
        its = inside(mine, task)
        now["all"] += spent([task])
        for part, ms in of_parts(its).items():
            now[part] += ms
        if any(e["name"] == "FireAnimationFrame" for e in its):
            frames.append(now)
            now = dict.fromkeys(now, 0)
    return frames


def traced(browser, zoom):
    """The events of one zoom; a trace comes a little later than what it is of."""
    browser.driver.execute_async_script(ZOOM, f"#{zoom}")
    events, end = browser.traced(), time.monotonic() + 120
    while not any(e["name"] == "zoom ends" for e in events):
        assert time.monotonic() < end, "no trace"
        events += browser.traced()
    return events


def best(rounds):
    return min(rounds, key=lambda frame: frame["all"])


def measure(browser, name):
    """For each zoom the first frame, the longest between, the last."""
    first, between, last = ([[] for _ in ZOOMS] for _ in range(3))
    browser.open(name, still=False)
    for _ in range(ROUNDS):
        for i, zoom in enumerate(ZOOMS):
            frames = frames_of(traced(browser, zoom))
            first[i].append(frames[0])
            between[i].append(max(frames[1:-1], key=lambda frame: frame["all"]))
            last[i].append(frames[-1])
    return [("first", [best(of) for of in first]), ("longest between", [best(of) for of in between]),
            ("last", [best(of) for of in last])]


def main(pages):
    browser = Browser(WORK, CATEGORIES)
    print(f"| page | frame | ms of CPU, median zoom | worst zoom | of the worst: {' | '.join(PARTS)} | rest |")
    print(f"|{'---|' * (5 + len(PARTS))}")
    try:
        for page in pages:
            for what, zooms in measure(browser, page):
                worst = max(zooms, key=lambda frame: frame["all"])
                cells = [statistics.median(zoom["all"] for zoom in zooms), worst["all"], *(worst[part] for part in PARTS),
                         worst["all"] - sum(worst[part] for part in PARTS)]
                print(f"| {page} | {what} | {' | '.join(f'{ms:.1f}' for ms in cells)} |")
    finally:
        browser.quit()


if __name__ == "__main__":
    main(sys.argv[1:])
