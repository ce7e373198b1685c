#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Times of the page and of its peer in one browser. Started by page.sh.

A page is interactive when its script has drawn chart and table and listens; the peer when its script ends.
Frames are counted by a loop of requestAnimationFrame of our own, while the page zooms, and while a
pointer moves over the chart. On a busy machine frames come late for want of a CPU. So there are also the
CPU time of the page's main thread, as DevTools has it (Performance, threadTicks), and the durations of the
callbacks that draw the animation: a callback that waited for the CPU took longer, so each zoom is made
several times, and its shortest longest callback counts.
"""
import json
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "host"))
from browser import Browser  # noqa: E402
import page as reader  # noqa: E402

WORK = os.environ["KMA_WORK"]
REPEAT = int(os.environ["REPEAT"])
ROUNDS = 3
ZOOMS = ["drivers", "drivers/acpi", "drivers", "", "fs", "", "net/ipv4", ""]

PEER = """<!DOCTYPE html><meta charset="utf-8"><svg width="700" height="700"></svg>
<script type="application/json" id="data">%s</script><script>%s
const begin = performance.now();
const root = d3.hierarchy(JSON.parse(document.getElementById("data").textContent)).sum((d) => d.value || 0);
d3.partition().size([2 * Math.PI, 350])(root);
const draw = (k) => d3.arc().startAngle((d) => d.x0 * k).endAngle((d) => d.x1 * k)
    .innerRadius((d) => d.y0).outerRadius((d) => d.y1);
const svg = document.querySelector("svg"), g = document.createElementNS(svg.namespaceURI, "g");
g.setAttribute("transform", "translate(350 350)");
const paths = root.descendants().map((d) => {
    const path = document.createElementNS(svg.namespaceURI, "path");
    path.setAttribute("d", draw(1)(d));
    g.append(path);
    return [path, d];
});
svg.append(g);
document.documentElement.dataset.ready = Math.round(performance.now());
window.zoom = () => {
    const begin = performance.now(), step = () => {
        const t = Math.min(1, (performance.now() - begin) / 420), arc = draw(1 + t);
        for (const [path, d] of paths)
            path.setAttribute("d", arc(d));
        if (t < 1)
            requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
};
</script>"""

FRAMES = """
    const done = arguments[1], times = [], drawn = [], begin = performance.now();
    const frame = window.requestAnimationFrame.bind(window);
    let last = 0;
    window.requestAnimationFrame = (draw) => frame((now) => {
        const start = performance.now();
        draw(now);
        drawn.push(performance.now() - start);
    });
    const count = (now) => {
        if (last)
            times.push(now - last);
        last = now;
        if (now - begin < 600 || times.length < 2 || drawn.length < 2 || document.querySelector(".moving"))
            frame(count);
        else {
            window.requestAnimationFrame = frame;
            done([times, drawn]);
        }
    };
    if (window.zoom)
        zoom();
    else
        location.hash = arguments[0];
    frame(count);"""


# A pointer that is over another cell at each frame.
HOVER = """
    const done = arguments[0], times = [], svg = document.querySelector("main svg") || document.querySelector("svg");
    const box = svg.getBoundingClientRect();
    let n = 0, last = 0;
    const step = (now) => {
        if (last)
            times.push(now - last);
        last = now;
        const r = box.width * (0.08 + 0.4 * (n % 17) / 17);
        const x = box.left + box.width / 2 + r * Math.cos(n * 0.37), y = box.top + box.height / 2 + r * Math.sin(n * 0.37);
        (document.elementFromPoint(x, y) || svg).dispatchEvent(
            new PointerEvent("pointermove", {bubbles: true, clientX: x, clientY: y, pointerType: "mouse"}));
        if (++n <= 240)
            requestAnimationFrame(step);
        else
            done(times);
    };
    requestAnimationFrame(step);"""


def peer():
    """The tree of the page, as d3 wants it."""
    _, nodes = reader.load(f"{WORK}/page.html")
    made = [{"name": node["name"]} for node in nodes]
    for node, it in zip(nodes, made):
        if node["leaf"]:
            it["value"] = node["values"]["current_dynamic"]
        if node["parent"] is not None:
            made[node["parent"]].setdefault("children", []).append(it)
    modules = ["path", "hierarchy", "shape"]
    scripts = [open(f"/usr/share/nodejs/d3-{m}/dist/d3-{m}.min.js", encoding="utf-8").read() for m in modules]
    text = json.dumps(made[0]).replace("<", "\\u003c")
    with open(f"{WORK}/peer.html", "w", encoding="utf-8") as file:
        file.write(PEER % (text, "\n".join(scripts)))
    return len(nodes)


def thread(browser):
    """Seconds of CPU of the main thread so far: all, and style with layout."""
    got = browser.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    got = {metric["name"]: metric["value"] for metric in got}
    return got["TaskDuration"], got["LayoutDuration"] + got["RecalcStyleDuration"]


def of_frames(frames, before, after, count):
    """Cells of a row: frames seen, their times; and the CPU time of one of @count."""
    frames.sort()
    spent = [f"{1000 * (b - a) / count:.1f}" for a, b in zip(before, after)]
    return [str(len(frames)), f"{statistics.median(frames):.1f}", f"{frames[int(len(frames) * 0.95)]:.1f}",
            f"{frames[-1]:.1f}"], spent


def load(browser, name):
    """Wall time and CPU time of the main thread until a page is interactive, in ms."""
    browser.media(still=False)
    browser.driver.get("about:blank")
    browser.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    begin, _ = thread(browser)
    browser.open(name, still=False)
    spent = thread(browser)[0] - begin
    browser.driver.execute_cdp_cmd("Performance.disable", {})
    return int(browser.js("return document.documentElement.dataset.ready")), 1000 * spent


def measure(browser, name):
    frames, moving, longest = [], [], []
    ready, spent = zip(*(load(browser, name) for _ in range(REPEAT)))
    browser.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    begin = thread(browser)
    for turn in range(ROUNDS):
        for i, zoom in enumerate(ZOOMS):
            times, drawn = browser.driver.execute_async_script(FRAMES, f"#{zoom}")
            browser.rest()
            frames += times
            moving += drawn
            if not turn:
                longest.append(max(drawn))
            longest[i] = min(longest[i], max(drawn))
    middle = thread(browser)
    over = browser.driver.execute_async_script(HOVER)
    end = thread(browser)
    browser.driver.execute_cdp_cmd("Performance.disable", {})
    drawn = [f"{statistics.median(moving):.1f}", f"{max(longest):.1f}"]
    seen, zoom_spent = of_frames(frames, begin, middle, ROUNDS * len(ZOOMS))
    hovering, hover_spent = of_frames(over, middle, end, len(over))
    loads = [f"{min(ready)}", f"{statistics.median(ready):.0f}", f"{statistics.median(spent):.0f}"]
    return loads, seen + drawn + zoom_spent, hovering + ["", ""] + hover_spent


def main():
    nodes = peer()
    browser = Browser(WORK)
    print(f"{nodes} nodes. Interactive: ms from the begin of loading, of {REPEAT} loads, bar 1,000; CPU: of the main "
          f"thread until then, median. Frames: ms each over {ROUNDS} times {len(ZOOMS)} zooms, or while a pointer "
          "moves; bar 16.7. Drawing: ms of script in a frame of a zoom, median and longest, of each zoom the best "
          f"of {ROUNDS} times. The last two: ms of CPU of the main thread for a zoom, or for a move of the pointer.\n")
    print("| what | KB | interactive, best | median | CPU | frames seen | median frame | 95 % within | longest "
          "| drawing | longest | CPU | of it style and layout |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    try:
        for name, what in (("page.html", "the page"), ("peer.html", "d3 alone, every node drawn")):
            loads, zooming, hovering = measure(browser, name)
            size = os.path.getsize(f"{WORK}/{name}") // 1000
            print(f"| {what}, zooming | {size} | {' | '.join(loads)} | {' | '.join(zooming)} |")
            print(f"| {what}, hovering | | | | | {' | '.join(hovering)} |")
    finally:
        browser.quit()


if __name__ == "__main__":
    main()
