#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A server of accounts and its clients: serve.py PROGRAM DATA TEST, in an empty directory."""
import base64
import contextlib
import gzip
import http.client
import os
import random
import re
import shutil
import socket
import ssl
import stat
import subprocess
import sys
import time

import export

PROGRAM, DATA = sys.argv[1:3]
ACCOUNT = DATA + "/small.account"
# of crypt_blowfish's own tests: the password is U*U
HASH = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
USER = "Basic " + base64.b64encode(b"scraper:U*U").decode()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Unix(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("unix", timeout=20)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


class Secure(http.client.HTTPSConnection):
    """To localhost by its address: a bare machine has no /etc/hosts that knows the name."""

    def __init__(self, port, context):
        super().__init__("localhost", port, context=context, timeout=20)
        self._create_connection = lambda address, *rest: socket.create_connection(("127.0.0.1", port), *rest)


def get(where, path, headers=None, context=None, method="GET"):
    """(status, headers, body) of one request; where is a port or the path of a socket."""
    if isinstance(where, str):
        c = Unix(where)
    elif context:
        c = Secure(where, context)
    else:
        c = http.client.HTTPConnection("127.0.0.1", where, timeout=20)
    with contextlib.closing(c):
        c.request(method, path, headers=headers or {})
        r = c.getresponse()
        return r.status, r.headers, r.read()


@contextlib.contextmanager
def server(*args, unix=None):
    """Start it on a free port, wait until it answers, end it by SIGTERM."""
    port = free_port()
    where = ["unix:" + unix] if unix else ["127.0.0.1:%d" % port]
    with open("log", "w") as log:
        p = subprocess.Popen([PROGRAM, "serve", "--web.listen-address", *where, *args], stderr=log)
    try:
        for _ in range(600):
            assert p.poll() is None, open("log").read()
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX if unix else socket.AF_INET) as s:
                s.connect(unix or ("127.0.0.1", port))
                break
            time.sleep(0.05)
        yield unix or port, p
    finally:
        p.terminate()
        p.wait()


def refused(sentence, *args, code=2):
    r = subprocess.run([PROGRAM, "serve", *args], capture_output=True, text=True, timeout=60)
    assert r.returncode == code and sentence in r.stderr and r.stderr.count("\n") == 1, (r.returncode, r.stderr)


def families(text):
    with open("page", "wb") as f:
        f.write(text)
    export.check_metrics("page")
    return export.read_metrics("page")[0]


def test_metrics():
    with server(ACCOUNT) as (port, _):
        status, headers, body = get(port, "/metrics")
        assert status == 200 and headers["Content-Type"].startswith("text/plain; version=0.0.4")
        plain = families(body)
        assert plain["kmem_account_live_bytes"][("", ())] == 44268
        assert plain["kmem_account_up"][("", ())] == 1
        assert plain["kmem_account_events_not_recorded_total"][("", ())] == 7
        assert ("", ()) in plain["kmem_account_scrape_duration_seconds"]
        status, headers, body = get(port, "/metrics", {
            "Accept": "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5",
            "Accept-Encoding": "gzip"})
        assert headers["Content-Encoding"] == "gzip"
        assert headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0")
        body = gzip.decompress(body)
        assert body.endswith(b"# EOF\n")
        families(body)
        # no address of the running kernel, whatever is asked for
        for path in ("/", "/metrics"):
            assert b"ffffc0123456" not in get(port, path)[2]
        assert get(port, "/nowhere")[0] == 404
        assert get(port, "/metrics", method="POST")[0] == 405


def test_access():
    with server(ACCOUNT) as (port, _):
        assert get(port, "/debug/pprof/heap")[0] == 403
        said = open("log").read()
        assert said.count("\n") == 1 and said.startswith(
            f"kmem-account: serve: listening on http://127.0.0.1:{port}: metrics for all users of this machine; "
            "no profiles: "), said
        assert get(port, "/metrics", {"Host": "evil.example:80"})[0] == 421
        assert get(port, "/metrics", {"Host": "localhost:80"})[0] == 200
    with server(ACCOUNT, unix="sock") as (sock, _):
        assert stat.S_IMODE(os.stat("sock").st_mode) == 0o660
        assert open("log").read() == ("kmem-account: serve: listening on unix:sock: metrics and profiles for the owner "
                                      "and the group of the socket\n"), open("log").read()
        status, _, body = get(sock, "/debug/pprof/heap")
        assert status == 200 and b"ffffc0123456" not in gzip.decompress(body)
        open("heap.pb.gz", "wb").write(body[:4] + b"\0\0\0\0" + body[8:])
        assert export.Profile("heap.pb.gz").sums()["inuse_space"] == 44268
        refused("another process uses the address", "--web.listen-address", "unix:sock", ACCOUNT, code=1)
    assert not os.path.exists("sock")
    with open("web.yml", "w") as f:
        f.write("# users\nbasic_auth_users:\n  scraper: %s  # U*U\n" % HASH)
    with server(ACCOUNT, "--web.config.file", "web.yml") as (port, _):
        assert get(port, "/metrics")[0] == 401
        wrong = "Basic " + base64.b64encode(b"scraper:nonsense").decode()
        assert get(port, "/metrics", {"Authorization": wrong})[0] == 401
        for path in ("/metrics", "/debug/pprof/heap", "/debug/pprof/allocs"):
            assert get(port, path, {"Authorization": USER})[0] == 200
        codes = {get(port, "/metrics", {"Authorization": wrong})[0] for _ in range(40)}
        assert codes == {401, 429}, codes
        # wrong passwords do not keep the right one out
        assert get(port, "/metrics", {"Authorization": USER})[0] == 200


def openssl(*args):
    subprocess.run(["openssl", *args], check=True, capture_output=True)


def certificate(name, issuer=None, until="20991231000000Z"):
    """NAME.crt and NAME.key, self-signed or by an issuer."""
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", name + ".key",
            "-subj", "/CN=" + name, "-out", name + ".csr")
    with open("ca.cnf", "w") as f:
        f.write("[ca]\ndefault_ca=x\n[x]\ndatabase=index\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\n"
                "policy=any\nunique_subject=no\nx509_extensions=v3\n[any]\ncommonName=supplied\n"
                # all that Python 3.13 asks of a certificate (VERIFY_X509_STRICT)
                "[v3]\nsubjectAltName=DNS:localhost\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n"
                + ("basicConstraints=critical,CA:FALSE\n" if issuer else
                   "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n"))
    open("index", "w").close()
    sign = ["-cert", issuer + ".crt", "-keyfile", issuer + ".key"] if issuer else ["-selfsign", "-keyfile", name + ".key"]
    openssl("ca", "-batch", "-notext", "-config", "ca.cnf", "-startdate", "20200101000000Z", "-enddate", until,
            *sign, "-in", name + ".csr", "-out", name + ".crt")


def test_tls():
    for name, issuer, until in (("ca", None, None), ("other", None, None), ("server", "ca", None),
                                ("client", "ca", None), ("stranger", "other", None),
                                ("late", "ca", "20210101000000Z")):
        certificate(name, issuer, until or "20991231000000Z")
    with open("tls.yml", "w") as f:
        f.write("tls_server_config:\n  cert_file: server.crt\n  key_file: 'server.key'\n  client_ca_file: ca.crt\n"
                "  client_auth_type: \"RequireAndVerifyClientCert\"\n  min_version: TLS13\n")
    with server(ACCOUNT, "--web.config.file", "tls.yml") as (port, _):
        def ask(name, path="/metrics"):
            context = ssl.create_default_context(cafile="ca.crt")
            if name:
                context.load_cert_chain(name + ".crt", name + ".key")
            return get(port, path, context=context)[0]

        assert ask("client") == 200 and ask("client", "/debug/pprof/heap") == 200
        assert ask(None) == 403 and ask("stranger") == 403 and ask("late") == 403
        old = ssl.create_default_context(cafile="ca.crt")
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        try:
            get(port, "/metrics", context=old)
            raise AssertionError("TLS 1.2")
        except ssl.SSLError:
            pass
    config = open("tls.yml").read()
    for change, sentence in ((("server.crt", "late.crt"), "the certificate expired on 2021-01-01"),
                             (("server.crt", "client.crt"), "the key does not match the certificate"),
                             (("server.crt", "none.crt"), "none.crt: cannot open"),
                             (("cert_file", "cret_file"), "bad.yml:2: unknown key 'cret_file'"),
                             (("tls_server", "tsl_server"), "bad.yml:1: unknown key 'tsl_server_config'"),
                             (("TLS13", "TLS10"), "invalid min_version 'TLS10'"),
                             (("RequireAndVerifyClientCert", "Maybe"), "invalid client_auth_type 'Maybe'"),
                             (("  key_file: 'server.key'\n", ""), "cert_file and key_file must be given together")):
        with open("bad.yml", "w") as f:
            f.write(config.replace(*change))
        refused(sentence, "--web.config.file", "bad.yml", "--web.listen-address", "127.0.0.1:%d" % free_port(),
                ACCOUNT, code=1)
    with open("bad.yml", "w") as f:
        f.write("basic_auth_users:\n  bob: secret\n")
    refused("bad.yml:2: password of 'bob' is not a bcrypt hash", "--web.config.file", "bad.yml", ACCOUNT, code=1)


def test_addresses():
    refused("refusing to listen on :%d without TLS or users" % 9, "--web.listen-address", ":9", ACCOUNT, code=1 if os.getuid() else 2)
    refused("expected HOST:PORT", "--web.listen-address", "nonsense")
    refused("serve: cannot read the standard input for each scrape; name a file, or use --textfile", "-")
    refused("systemd has given no socket", "--web.systemd-socket")
    refused("--textfile", "--textfile", "x", "--web.listen-address", "127.0.0.1:1")
    refused("--textfile", "--textfile", "x", "--web.insecure")
    with server(ACCOUNT) as (port, _):
        refused("another process uses the address", "--web.listen-address", "127.0.0.1:%d" % port, ACCOUNT, code=1)
    with server(ACCOUNT, "--web.listen-address", ":0", "--web.insecure") as (port, _):
        assert get(port, "/metrics")[0] == 200
    # as systemd does it: the socket is the third file, and the process is the one that is meant
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        port = s.getsockname()[1]
        p = subprocess.Popen(["sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" serve --web.systemd-socket "$1" 3<&%d' %
                              s.fileno(), PROGRAM, ACCOUNT], pass_fds=[s.fileno()])
        try:
            assert get(port, "/metrics")[0] == 200
        finally:
            p.terminate()
            p.wait()


def memory(pid):
    return next(int(line.split()[1]) for line in open("/proc/%d/status" % pid) if line.startswith("VmRSS"))


def whole(s):
    """Is what comes on a socket until its end a whole answer?"""
    got = b""
    with contextlib.suppress(OSError):
        while part := s.recv(65536):
            got += part
    head, _, body = got.partition(b"\r\n\r\n")
    return head.startswith(b"HTTP/1.1 200 ") and b"Content-Length: %d\r\n" % len(body) in head + b"\r\n"


def test_crowd():
    """A thousand clients that hang, send garbage or half a request; then a thousand scrapes at once."""
    with server(ACCOUNT) as (port, p):
        get(port, "/metrics")
        before = memory(p.pid)
        crowd = []
        for i in range(1000):
            s = socket.create_connection(("127.0.0.1", port))
            with contextlib.suppress(OSError):
                s.send((b"", b"GET /metrics HTTP/1.1\r\nHost: local", os.urandom(300), b"GET " + b"x" * 9000,
                        b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")[i % 5])  # and never reads
            crowd.append(s)
        begin = time.monotonic()
        assert get(port, "/metrics")[0] == 200
        assert time.monotonic() - begin < 5
        assert memory(p.pid) - before < 4096, (before, memory(p.pid))
        for s in crowd:
            s.close()
        assert get(port, "/metrics")[0] == 200
        crowd = []
        for _ in range(1000):
            crowd.append(socket.create_connection(("127.0.0.1", port), timeout=300))
            crowd[-1].sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answers = [whole(s) for s in crowd]
        assert all(answers), answers.count(False)
        for s in crowd:
            s.close()


def unsent(port):
    """Bytes that the kernel keeps for clients of a port, those of closed connections included."""
    with open("/proc/net/tcp") as f:
        rows = [line.split() for line in f][1:]
    return sum(int(row[4].split(":")[0], 16) for row in rows if int(row[1].split(":")[1], 16) == port)


def test_unread():
    """A thousand clients that never read their answer of half a megabyte."""
    sites = 1500
    with open(ACCOUNT) as f:
        head = f.read().partition("   total    slack")[0]
    for name, value in (("total bytes allocated", 4096 * sites), ("total bytes requested", 4096 * sites),
                        ("slack bytes allocated", 0), ("number of allocs", sites), ("number of frees", 0),
                        ("number of callers", sites)):
        head = re.sub("(?m)^(%s: +).*" % name, r"\g<1>%d" % value, head)
    with open("large", "w") as f:
        f.write(head + "   total    slack      req alloc/free  caller\n")
        f.writelines("4096 0 4096 1/0 a_function_of_some_length_%04d+0x1/0x2\n" % i for i in range(sites))
    with server("large", "--top", str(sites)) as (port, p):
        size = len(get(port, "/metrics")[2])
        assert size > 500000, size
        before = memory(p.pid)
        crowd = []
        for _ in range(1000):
            crowd.append(socket.create_connection(("127.0.0.1", port)))
            with contextlib.suppress(OSError):
                crowd[-1].send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert len(get(port, "/metrics")[2]) > 500000
        # 192 clients stay; the kernel doubles their 64 KiB, and adds up to one packet
        assert unsent(port) < 192 * 3 * 65536, unsent(port)
        assert memory(p.pid) - before < 4096, (before, memory(p.pid))
        for s in crowd:
            s.close()


def test_module():
    """The account goes and comes back while clients ask."""
    with open(ACCOUNT) as f:
        text = f.read()
    with open("account", "w") as f:
        f.write(text)
    with server("account", unix="sock2") as (sock, _):
        assert b"kmem_account_up 1\n" in get(sock, "/metrics")[2]
        os.rename("account", "gone")
        time.sleep(1.1)
        down = get(sock, "/metrics")
        assert down[0] == 200 and b"kmem_account_up 0\n" in down[2] and b"live_bytes" not in down[2]
        assert get(sock, "/debug/pprof/heap")[0] == 503
        os.rename("gone", "account")
        time.sleep(1.1)
        assert b"kmem_account_up 1\n" in get(sock, "/metrics")[2]
        assert get(sock, "/debug/pprof/heap")[0] == 200
        with open("log") as f:
            assert f.read().count("account: cannot open") == 1


def test_groups():
    """Series of cgroups on request; they go and come back with the switch."""
    name = "kmem_account_cgroup_live_bytes"
    shutil.copy(DATA + "/readers/snapshot-cgroups-6.1", "snapshot")
    with server("snapshot", "--by", "cgroup") as (port, _):
        seen = families(get(port, "/metrics")[2])
        assert sum(seen[name].values()) == seen["kmem_account_live_bytes"][("", ())]
        assert any(dict(key[1])["cgroup"] == "/a" for key in seen[name])
        shutil.copy(ACCOUNT, "snapshot")
        for _ in range(2):
            time.sleep(1.1)
            seen = families(get(port, "/metrics")[2])
            assert name not in seen and seen["kmem_account_live_bytes"][("", ())] == 44268
        shutil.copy(DATA + "/readers/snapshot-cgroups-6.1", "snapshot")
        time.sleep(1.1)
        assert name in families(get(port, "/metrics")[2])
        with open("log") as f:
            assert f.read().count("serve: no cgroups in this input; write 'cgroup on'") == 1


def cgroup_series(text):
    """{cgroup: live bytes}; each number of the series adds up to the account."""
    seen = families(text)
    for metric in ("live_bytes", "requested_bytes", "live_objects", "allocs_total", "frees_total"):
        rows = seen["kmem_account_cgroup_" + metric]
        assert sum(rows.values()) == seen["kmem_account_" + metric][("", ())], (metric, rows)
    return {dict(key[1])["cgroup"]: value for key, value in seen["kmem_account_cgroup_live_bytes"].items()}


def swapped(path, one, other):
    """A snapshot in which two cgroups have changed their numbers."""
    with open(path) as f:
        head, table = f.read().split("== cgroups\n")
    lines = table.split("\n")
    for i, line in enumerate(lines):
        cells = line.split("\t")
        if len(cells) == 6 and cells[1] in (one, other):
            cells[1] = other if cells[1] == one else one
            lines[i] = "\t".join(cells)
    return head + "== cgroups\n" + "\n".join(lines)


def test_largest_groups():
    """The largest cgroups have series, and keep them; all others are one. Profiles have labels of all."""
    data = DATA + "/readers/snapshot-cgroups-6.1"
    with server(data, "--by", "cgroup", unix="sock") as (sock, _):
        whole = cgroup_series(get(sock, "/metrics")[2])
        with open("heap", "wb") as f:
            f.write(get(sock, "/debug/pprof/heap")[2])
    assert whole.pop("other") == 0 and len(whole) > 5
    profile = export.Profile("heap")
    labels = {}
    for sample in profile.samples:
        name = sample[2]["cgroup"]
        labels[name] = labels.get(name, 0) + profile.value(sample, "inuse_space")
    assert {k: v for k, v in labels.items() if v} == {k: v for k, v in whole.items() if v}, labels
    order = sorted(whole, key=lambda name: -whole[name])
    with server(data, "--by", "cgroup", "--top", "2", unix="sock") as (sock, _):
        some = cgroup_series(get(sock, "/metrics")[2])
    assert set(some) == {*order[:2], "other"} and all(some[name] == whole[name] for name in order[:2]), (some, order)
    # by the text file's own comments, over two runs: there is room for twice as many
    serve = [PROGRAM, "serve", "now", "--by", "cgroup", "--top", "2", "--textfile", "text"]
    ids = {cells[1]: cells[0] for cells in (line.rstrip("\n").split("\t") for line in open(data)) if len(cells) == 2}
    big, small = next(n for n in order if n in ids), next(n for n in order[2:] if n in ids)
    shutil.copy(data, "now")
    subprocess.run(serve, check=True)
    with open("text", "rb") as f:
        assert set(cgroup_series(f.read())) == {*order[:2], "other"}
    with open("now", "w") as f:
        f.write(swapped(data, ids[big], ids[small]))
    subprocess.run(serve, check=True)
    with open("text", "rb") as f:
        then = cgroup_series(f.read())
    assert set(then) == {*order[:2], small, "other"} and then[small] == whole[big] and then[big] == whole[small], then


def test_series():
    """Sites come and go among the largest: sums stay exact, and no counter falls but by a clear."""
    choice = random.Random(23)
    sites = [[0, 0, 0] for _ in range(12)]
    before, gone = {}, 0
    for step in range(40):
        clear = step == 25
        if clear:
            sites = [[0, 0, 0] for _ in sites]
        for s in sites:
            n = choice.randrange(1, 50)
            s[0] += n
            s[1] += choice.randrange(0, s[0] - s[1] + 1)
            s[2] = (s[0] - s[1]) * 64
        live = sum(s[2] for s in sites)
        with open("steps", "w") as f:
            f.write("total bytes allocated: %d\ntotal bytes requested: %d\nslack bytes allocated: 0\n"
                    "number of allocs: %d\nnumber of frees: %d\nnumber of callers: %d\n"
                    "frees of unknown objects: 0\nimplied frees: 0\nevents not recorded: 0\n\n"
                    "   total    slack      req alloc/free  caller\n" %
                    (live, live, sum(s[0] for s in sites), sum(s[1] for s in sites), len(sites)))
            for i, s in enumerate(sites):
                f.write("%d 0 %d %d/%d site%d+0x1/0x20\n" % (s[2], s[2], s[0], s[1], i))
        subprocess.run([PROGRAM, "serve", "steps", "--textfile", "steps.prom", "--top", "3"], check=True)
        assert stat.S_IMODE(os.stat("steps.prom").st_mode) & 0o444 == 0o444 & ~os.umask(os.umask(0))
        export.check_metrics("steps.prom")
        now = export.read_metrics("steps.prom")[0]["kmem_account_site_allocs_total"]
        assert sum(now.values()) == sum(s[0] for s in sites)
        assert 4 <= len(now) <= 7, len(now)
        gone += len(set(before) - set(now))
        largest = sorted(range(len(sites)), key=lambda i: -sites[i][2])[:3]
        for i in largest:
            assert any(("site", "site%d+0x1" % i) in key[1] for key in now)
        if not clear:
            assert all(now[key] >= value for key, value in before.items() if key in now)
        before = now
    assert gone, "the test lets no site make room"
    # half a file is never there: a failed run leaves the old one
    old = open("steps.prom").read()
    os.rename("steps", "away")
    refused("steps: cannot open", "steps", "--textfile", "steps.prom", code=1)
    assert open("steps.prom").read() == old and not [f for f in os.listdir(".") if f.startswith("steps.prom.")]


globals()["test_" + sys.argv[3]]()
