#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Times of the page and of its peer in one browser. Started by page.sh.

A page is interactive when its script has drawn and listens; the peer when its script ends.
Frames are counted by a loop of requestAnimationFrame of our own, while the page zooms.
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
    const done = arguments[1], times = [], begin = performance.now();
    let last = 0;
    const count = (now) => {
        if (last)
            times.push(now - last);
        last = now;
        if (now - begin < 600 || times.length < 2)
            requestAnimationFrame(count);
        else
            done(times);
    };
    if (window.zoom)
        zoom();
    else
        location.hash = arguments[0];
    requestAnimationFrame(count);"""


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


def measure(browser, name):
    ready, frames = [], []
    for _ in range(REPEAT):
        browser.open(name, still=False)
        ready.append(int(browser.js("return document.documentElement.dataset.ready")))
    for zoom in ZOOMS:
        frames += browser.driver.execute_async_script(FRAMES, f"#{zoom}")
        browser.rest()
    frames.sort()
    return (min(ready), statistics.median(ready), len(frames), statistics.median(frames),
            frames[int(len(frames) * 0.95)], frames[-1])


def main():
    nodes = peer()
    browser = Browser(WORK)
    print(f"{nodes} nodes. Interactive: ms from the begin of loading, of {REPEAT} loads, bar 1,000. "
          f"Frames: ms each over {len(ZOOMS)} zooms, bar 16.7.\n")
    print("| what | KB | interactive, best | median | frames seen | median frame | 95 % within | longest |")
    print("|---|---|---|---|---|---|---|---|")
    try:
        for name, what in (("page.html", "the page"), ("peer.html", "d3 alone, every node drawn")):
            row = measure(browser, name)
            size = os.path.getsize(f"{WORK}/{name}") // 1000
            print(f"| {what} | {size} | {row[0]} | {row[1]:.0f} | {row[2]} | {row[3]:.1f} | {row[4]:.1f} | {row[5]:.1f} |")
    finally:
        browser.quit()


if __name__ == "__main__":
    main()
