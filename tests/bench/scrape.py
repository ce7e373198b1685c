#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a scrape costs: scrape.py PROGRAM ACCOUNT [TIMES [OPTIONS OF serve...]]

Prints a row "best wall ms | server's CPU ms | bytes".  The server gives the same answer for a second
(the account is read once), so each request comes later than that and makes it anew.  The account is a
file; what the module takes to make one is not in the figure.
"""
import http.client
import os
import socket
import subprocess
import sys
import time

program, account = map(os.path.abspath, sys.argv[1:3])
times = int(sys.argv[3]) if len(sys.argv) > 3 else 10

with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    port = s.getsockname()[1]
server = subprocess.Popen([program, "serve", account, "--web.listen-address", f"127.0.0.1:{port}", *sys.argv[4:]])


def scrape():
    begin = time.perf_counter()
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    c.request("GET", "/metrics", headers={"Accept": "application/openmetrics-text;version=1.0.0",
                                          "Accept-Encoding": "gzip"})
    r = c.getresponse()
    body = r.read()
    assert r.status == 200 and r.headers["Content-Encoding"] == "gzip", (r.status, r.headers)
    return time.perf_counter() - begin, len(body)


def cpu():
    with open(f"/proc/{server.pid}/schedstat") as f:
        main = int(f.read().split()[0])
    threads = sum(int(open(f"/proc/{server.pid}/task/{t}/schedstat").read().split()[0])
                  for t in os.listdir(f"/proc/{server.pid}/task"))
    return max(main, threads) / 1e6


try:
    for _ in range(600):
        try:
            scrape()
            break
        except OSError:
            time.sleep(0.05)
    walls, begin = [], cpu()
    for _ in range(times):
        time.sleep(1.1)
        wall, size = scrape()
        walls.append(wall)
    print(f"{1000 * min(walls):.1f} | {(cpu() - begin) / times:.1f} | {size}")
finally:
    server.terminate()
    server.wait()
