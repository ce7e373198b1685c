#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A server that answers as Prometheus does, for prometheus.sh; and the check of a result.

	prometheus.py serve SCRAPES PORTFILE	until it is ended
	prometheus.py check CSV			the verdicts of the sites of leaks.py

SCRAPES is a folder of texts as /metrics has them, made a minute apart; their names give the order.
The first part of the path of a request says what the server does: good, two, gaps, late, again,
points, or a fault. It evaluates the two forms of queries that the program sends by itself: for each
step the newest scrape of at most five minutes before, as the documents of Prometheus say.
"""
import csv
import functools
import gzip
import http.server
import json
import os
import re
import sys
import time
import urllib.parse

import leaks

BEGIN = 1700000000
EVERY = 60
LOOKBACK = 300


def series_of(path):
    """{(name, labels): value} of a text."""
    found = {}
    for line in open(path):
        match = re.fullmatch(r"([a-z_]+)(?:\{(.*)\})? (\S+)\n", line)
        if match and not line.startswith("#"):
            labels = tuple(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', match[2] or ""))
            found[(match[1], labels)] = match[3]
    return found


@functools.cache
def scrapes(folder, mode):
    """[(time, {series: value})] of a mode."""
    texts = [series_of(os.path.join(folder, name)) for name in sorted(os.listdir(folder))]
    if mode == "again":
        texts += texts[:10]
    got = [(BEGIN + EVERY * i + 0.25, text) for i, text in enumerate(texts)]
    if mode == "gaps":
        # longer than the lookback, and a single one
        got = [scrape for i, scrape in enumerate(got) if not 10 <= i < 18 and i != 30]
    if mode == "late":
        got = [(t, {key: value for key, value in text.items()
                    if i >= 20 or ("site", "flat+0x1") not in key[1]}) for i, (t, text) in enumerate(got)]
    if mode == "points":
        got = [(t, {key: "NaN" if i == 5 and ("site", "flat+0x1") in key[1] else value
                    for key, value in text.items()}) for i, (t, text) in enumerate(got)]
    return got


@functools.cache
def names_of(wanted, folder, mode):
    """The names of metrics that a pattern matches as a whole."""
    return {name for _, text in scrapes(folder, mode) for name, _ in text if wanted.fullmatch(name)}


def matrix(folder, mode, query, start, end, step):
    stamp = re.fullmatch(r"timestamp\(([a-z_]+)\{(.*)\}\)", query)
    names = re.fullmatch(r'\{__name__=~"([a-z_|]+)"(.*)\}', query)
    assert stamp or names, query
    wanted = re.compile(stamp[1] if stamp else names[1])
    matchers = dict(re.findall(r'(\w+)="([^"]*)"', stamp[2] if stamp else names[2]))
    result = {}
    for machine in ("a:9770", "b:9770") if mode == "two" else ("a:9770",):
        outer = {"instance": machine, "job": "kmem"}
        if any(outer.get(key) != value for key, value in matchers.items()):
            continue
        for at in range(start, end + 1, step):
            new = [s for s in scrapes(folder, mode) if at - LOOKBACK < s[0] <= at][-1:]
            for when, text in new:
                for (name, labels), value in text.items():
                    if name in names_of(wanted, folder, mode):
                        key = (() if stamp else (("__name__", name),)) + labels + tuple(outer.items())
                        result.setdefault(key, []).append([at, "%.3f" % when if stamp else value])
    return [{"metric": dict(key), "values": points} for key, points in result.items()]


class Handler(http.server.BaseHTTPRequestHandler):
    folder = None

    def log_message(self, *_):
        pass

    def send(self, status, body, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        mode, path = url.path.strip("/").split("/", 1)
        ask = {key: values[0] for key, values in urllib.parse.parse_qs(url.query).items()}
        faults = {
            "json": (200, b'{"status": "success", "data": {"result": [tru'),
            "other": (200, b'{"status": "success", "data": {"resultType": "vector", "result": []}}'),
            "shape": (200, b'{"status":"success","data":{"resultType":"matrix","result":[{"metric":[],"values":1}]}}'),
            "refused": (422, b'{"status": "error", "errorType": "execution", "error": "too many \\u001b[31m points"}'),
            "none": (200, b'{"status": "success", "data": {"resultType": "matrix", "result": []}}'),
            "404": (404, b"404 page not found\n"),
        }
        assert path == "api/v1/query_range", path
        if mode in faults:
            self.send(*faults[mode])
        elif mode == "moved":
            self.send(301, b"", Location="http://127.0.0.1:1/")
        elif mode == "bomb":
            self.send(200, gzip.compress(b" " * (40 << 20), 1), Content_Encoding="gzip")
        elif mode == "hang":
            time.sleep(600)
        elif mode == "huge":
            self.send_response(200)
            self.end_headers()
            try:
                for _ in range(40):
                    self.wfile.write(b" " * (1 << 20))
            except OSError:
                pass
        else:
            data = matrix(self.folder, mode, ask["query"], *(int(float(ask[k])) for k in ("start", "end", "step")))
            self.send(200, json.dumps({"status": "success", "data": {
                "resultType": "matrix", "result": data}}).encode())


def check(path):
    """The verdicts are those of the sites by their making, and the leak's numbers too."""
    rows = {row["caller"]: row for row in csv.DictReader(open(path))}
    sites = [re.sub("/0x[0-9a-f]+", "", site) for site in leaks.SITES]
    want = dict(zip(sites, ("leak", "filling", "plateau", "cache")))
    # nobody scraped says which caches are reclaimable
    want[sites[1]] = rows[sites[1]]["verdict"] if rows[sites[1]]["verdict"] in ("filling", "growing") else "filling"
    got = {caller: row["verdict"] for caller, row in rows.items()}
    assert got == want, got
    leak = rows[sites[0]]
    assert leak["rank"] == "1" and int(leak["live"]) == leaks.state(47)[0][1] * leaks.SIZES[0], leak
    assert abs(float(leak["leaked_of_allocs"]) - 1 / 20) < 0.002, leak


if sys.argv[1] == "check":
    check(sys.argv[2])
else:
    Handler.folder = sys.argv[2]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        with open(sys.argv[3] + ".new", "w") as out:
            out.write("%d\n" % server.server_address[1])
        os.rename(sys.argv[3] + ".new", sys.argv[3])
        server.serve_forever()
