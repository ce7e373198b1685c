#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Real servers that read an account: fleet.py PROGRAM DATA RULES DIVISOR TEST.

All listen on loopback, on free ports, and are ended by their process ids.
"""
import contextlib
import csv
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

PROGRAM, DATA, RULES = sys.argv[1:4]
DIVISOR = int(sys.argv[4])
ACCOUNT = DATA + "/small.account"
LIVE = 44268
# of crypt_blowfish's own tests: the password is U*U
HASH = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def fetch(port, path, data=None):
    with urllib.request.urlopen("http://127.0.0.1:%d%s" % (port, path), data, timeout=30) as r:
        return r.read().decode()


def until(what, seconds, ask):
    """The first true answer within the time; what fails on the way (no connection) is asked again."""
    end = time.monotonic() + seconds
    last = None
    while time.monotonic() < end:
        try:
            last = ask()
            if last:
                return last
        except OSError as e:
            last = e
        time.sleep(0.5)
    raise AssertionError("%s: not within %d s: %s" % (what, seconds, last))


@contextlib.contextmanager
def process(*args):
    with open(os.path.basename(args[0]) + ".log", "a") as log:
        p = subprocess.Popen(args, stdout=log, stderr=log)
    try:
        yield p
        assert p.poll() is None, "%s ended by itself: %s" % (args[0], open(log.name).read()[-1500:])
    finally:
        p.terminate()
        p.wait()


@contextlib.contextmanager
def prometheus(jobs, rules=None, interval="1s"):
    """Run it on the jobs (text of scrape_configs); gives a function that asks its API, whose
    attribute url is the server's address."""
    with open("prometheus.yml", "w") as f:
        f.write("global: {scrape_interval: %s, evaluation_interval: 1s, scrape_timeout: %s}\n" % (interval, interval))
        if rules:
            f.write("rule_files: [%s]\n" % os.path.abspath(rules))
        f.write("scrape_configs:\n" + jobs)
    subprocess.run(["promtool", "check", "config", "prometheus.yml"], check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    with process("prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=tsdb",
                 "--web.listen-address=127.0.0.1:%d" % port):
        def api(path, **args):
            answer = json.loads(fetch(port, "/api/v1/" + path + "?" + urllib.parse.urlencode(args)))
            assert answer["status"] == "success", answer
            return answer["data"]
        until("prometheus answers", 60, lambda: fetch(port, "/-/ready"))
        api.url = "http://127.0.0.1:%d" % port
        yield api


def value(api, query):
    """The value of a query that gives one series; None if it gives none."""
    result = api("query", query=query)["result"]
    assert len(result) < 2, result
    return float(result[0]["value"][1]) if result else None


def job(name, port, more=""):
    return "- job_name: %s\n%s  static_configs: [{targets: ['localhost:%d']}]\n" % (name, more, port)


def test_scrape():
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-keyout", "server.key", "-out", "server.crt", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
    with open("web.yml", "w") as f:
        f.write("tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n"
                "basic_auth_users:\n  scraper: %s\n" % HASH)
    plain, secure = free_port(), free_port()
    tls = "  scheme: https\n  tls_config: {ca_file: %s}\n" % os.path.abspath("server.crt")
    jobs = job("plain", plain) + job("tls", secure, tls + "  basic_auth: {username: scraper, password: 'U*U'}\n") \
        + job("wrong", secure, tls + "  basic_auth: {username: scraper, password: 'U*V'}\n")
    with process(PROGRAM, "serve", ACCOUNT, "--web.listen-address", "localhost:%d" % plain), \
            process(PROGRAM, "serve", ACCOUNT, "--web.config.file", "web.yml", "--web.listen-address",
                    "localhost:%d" % secure), prometheus(jobs) as api:
        for name in ("plain", "tls"):
            until(name, 60, lambda n=name: value(api, 'kmem_account_live_bytes{job="%s"}' % n) == LIVE)
            assert value(api, 'sum(kmem_account_site_live_bytes{job="%s"})' % name) == LIVE
            assert value(api, 'kmem_account_site_live_bytes{job="%s",site="alloc_inode+0x59"}' % name) == 20480
            assert value(api, 'kmem_account_events_not_recorded_total{job="%s"}' % name) == 7
        until("a wrong password", 30, lambda: value(api, 'up{job="wrong"}') == 0)
        assert value(api, 'kmem_account_live_bytes{job="wrong"}') is None
        # only OpenMetrics names a unit: Prometheus has asked for it, and has read it
        units = {m["unit"] for m in api("metadata", metric="kmem_account_live_bytes")["kmem_account_live_bytes"]}
        assert units == {"bytes"}, units
        errors = {t["lastError"] for t in api("targets")["activeTargets"] if t["labels"]["job"] != "wrong"}
        assert errors == {""}, errors


def account(path, sites, lost):
    """Write an account of sites, rows (live bytes, allocs, frees, name), whole or not at all."""
    with open(path + ".new", "w") as f:
        live = sum(s[0] for s in sites)
        f.write("total bytes allocated: %d\ntotal bytes requested: %d\nslack bytes allocated: 0\n"
                "number of allocs: %d\nnumber of frees: %d\nnumber of callers: %d\n"
                "frees of unknown objects: 0\nimplied frees: 0\nevents not recorded: %d\n\n"
                "   total    slack      req alloc/free  caller\n" %
                (live, live, sum(s[1] for s in sites), sum(s[2] for s in sites), len(sites), lost))
        for s in sites:
            f.write("%d 0 %d %d/%d %s\n" % (s[0], s[0], s[1], s[2], s[3]))
    os.rename(path + ".new", path)


def shorter(text):
    """The rules with their durations divided by DIVISOR."""
    def divide(match):
        seconds = int(match[1]) * {"m": 60, "h": 3600}[match[2]]
        assert seconds % DIVISOR == 0, match[0]
        return "%ds" % (seconds // DIVISOR)
    return re.sub(r"(?<=[\[ ])(\d+)([mh])(?=[\]\s)])", divide, text)


def stored_verdicts(api, seconds, *args):
    """{call site: row} of leaks --prometheus, of the last seconds."""
    r = subprocess.run([PROGRAM, "leaks", "--prometheus", api.url, "--from", "-%ds" % seconds, "--format", "csv", *args],
                       capture_output=True, text=True)
    assert r.returncode in (0, 3), r.stderr
    return {row["caller"]: row for row in csv.DictReader(r.stdout.splitlines())}


def test_alerts():
    """A site leaks 100 kB/s, another is large and flat, a third goes up and down; then events are
    lost, then the account is gone."""
    rules = shorter(open(RULES + "/kmem-account.rules.yml").read())
    assert rules.count("s]") == 5 and not re.search(r"(\[|offset |for: )\d+[hm]", rules), rules
    with open("rules.yml", "w") as f:
        f.write(rules)
    begin = time.monotonic()
    lost = 0

    def step():
        t = int(time.monotonic() - begin)
        leak = 30000000 + 100000 * t
        saw = 40000000 + 1000000 * (t % 8)
        account("live", [(leak, leak // 1000, 0, "leak+0x1/0x20"), (90000000, 90000, 0, "flat+0x1/0x20"),
                         (saw, 1000 * t, 1000 * t, "saw+0x1/0x20")], lost)
        return t

    def firing():
        return {(a["labels"]["alertname"], a["labels"].get("site")) for a in api("alerts")["alerts"]
                if a["state"] == "firing"}

    step()
    port = free_port()
    with process(PROGRAM, "serve", "live", "--web.listen-address", "localhost:%d" % port), \
            prometheus(job("guest", port), "rules.yml") as api:
        leak = ("KernelMemoryGrowth", "leak+0x1")
        seconds = 4 * 3600 // DIVISOR
        until("the leak's alert", 2 * seconds + 60, lambda: step() and leak in firing())
        after = time.monotonic() - begin
        assert after > seconds - 2, "fired after %d s, before the rule's durations had passed" % after
        # what Prometheus has stored is enough for a verdict on each call site
        rows = stored_verdicts(api, seconds)
        assert rows["leak+0x1"]["verdict"] in ("leak", "growing"), rows
        assert abs(float(rows["leak+0x1"]["growth_per_hour"]) / (100000 * 3600) - 1) < 0.1, rows
        assert {rows["flat+0x1"]["verdict"], rows["saw+0x1"]["verdict"]} <= {"plateau", "cache"}, rows
        # it goes on, and nothing else fires
        for _ in range(20):
            step()
            assert firing() == {leak}, firing()
            time.sleep(0.5)
        lost = 5
        until("lost events", 60, lambda: step() and ("KernelMemoryNotAccounted", None) in firing())
        os.rename("live", "gone")
        until("the account is gone", 900 // DIVISOR + 60, lambda: ("KernelMemoryAccountDown", None) in firing())


def test_guest():
    """A guest in which a call site leaks, at a port of loopback: its alert fires, no other call site's
    does, and leaks finds it in what was stored."""
    port = int(sys.argv[6])
    with open("rules.yml", "w") as f:
        f.write(shorter(open(RULES + "/kmem-account.rules.yml").read()))

    def growing():
        return {a["labels"]["site"] for a in api("alerts")["alerts"]
                if a["state"] == "firing" and a["labels"]["alertname"] == "KernelMemoryGrowth"}

    with prometheus(job("guest", port), "rules.yml", "5s") as api:
        until("the guest is scraped", 600, lambda: value(api, 'kmem_account_up{job="guest"}') == 1)
        begin = time.monotonic()
        fired = until("the leak's alert", 1500, growing)
        seconds = time.monotonic() - begin
        print("fired after %.0f s: %s" % (seconds, fired))
        assert len(fired) == 1 and next(iter(fired)).startswith("group_task+"), fired
        print(json.dumps(api("alerts")["alerts"], indent=1))
        live = value(api, 'kmem_account_site_live_bytes{site=~"group_task.*"}')
        assert live > 20e6, live
        assert abs(value(api, "sum(kmem_account_site_live_bytes)") - value(api, "kmem_account_live_bytes")) < 1
        rows = stored_verdicts(api, int(seconds) + 60, "--fail-on", "leak")
        name, row = next((name, row) for name, row in rows.items() if name.startswith("group_task+"))
        print(name, row)
        assert row["verdict"] == "leak" and row["rank"] == "1" and name.endswith(" [kma_groups]"), row


def test_textfile():
    os.mkdir("collected")
    port = free_port()
    with process("prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
                 "--collector.textfile.directory=collected", "--web.listen-address=127.0.0.1:%d" % port):
        subprocess.run([PROGRAM, "serve", ACCOUNT, "--textfile", "collected/kmem_account.prom"], check=True)
        text = until("node_exporter answers", 60, lambda: fetch(port, "/metrics"))
        assert "\nnode_textfile_scrape_error 0\n" in text
        values = re.findall(r"^kmem_account_live_bytes (\S+)$", text, re.M)
        assert [float(v) for v in values] == [LIVE], values
        sites = re.findall(r'^kmem_account_site_live_bytes\{.*\} (\S+)$', text, re.M)
        assert sum(map(float, sites)) == LIVE, sites
        # half a file would be noticed
        with open("collected/kmem_account.prom", "a") as f:
            f.write("kmem_account_live_bytes{")
        assert "\nnode_textfile_scrape_error 1\n" in fetch(port, "/metrics")


def test_victoria():
    port = free_port()
    with process("victoria-metrics", "-storageDataPath=vm", "-httpListenAddr=127.0.0.1:%d" % port):
        until("victoria-metrics answers", 60, lambda: fetch(port, "/health"))
        for form in ("prometheus", "openmetrics"):
            text = subprocess.run([PROGRAM, "export", form, ACCOUNT], check=True, capture_output=True).stdout
            fetch(port, "/api/v1/import/prometheus?extra_label=form=" + form, text)

            def stored():
                fetch(port, "/internal/force_flush")
                lines = fetch(port, '/api/v1/export?match[]=kmem_account_site_live_bytes{form="%s"}' % form)
                return [json.loads(line) for line in lines.splitlines()]
            series = until(form, 60, stored)
            assert sum(s["values"][-1] for s in series) == LIVE, series
            assert any(s["metric"]["site"] == "alloc_inode+0x59" and s["values"] == [20480] for s in series)


# ended from outside, it ends its servers
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
with tempfile.TemporaryDirectory() as where:
    os.chdir(where)
    globals()["test_" + sys.argv[5]]()
