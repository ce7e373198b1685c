#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Query a DB file of version 2, or the file of a day of a history, in SQL.

	store.py FILE STATEMENT...

It reads the numbers as Documentation/format/history.rst says, by itself, and makes temporary tables of
them that are those of version 1 of the DB file: snapshot, site, metric, loss, note, warning,
grouping, grouped, part, charging and charged. PRAGMAs are answered by the file. Rows are printed
like those of sqlite3 -batch. The file is not changed.
"""
import sqlite3
import subprocess
import sys

LOSSES = ("frees_of_unknown_objects", "implied_frees", "events_not_recorded")
PARTS = ("current_dynamic", "requested", "waste", "allocs", "frees", "objects")


def numbers(blob):
    plain = subprocess.run(["zstd", "-dc"], input=blob, stdout=subprocess.PIPE, check=True).stdout
    value = shift = 0
    for byte in plain:
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            yield value
            value = shift = 0
    assert not shift, "ends within a number"


def decode(blob, columns, before):
    """The rows of a sample, from those of the sample before: {site: [numbers]}."""
    read = numbers(blob)
    next(read)  # the number of sites
    nr = next(read)
    site, sites = 0, []
    for _ in range(nr):
        site += next(read)
        sites.append(site)
    deltas = [{} for _ in sites]
    rules = {"waste": ("current_dynamic", "requested"), "objects": ("allocs", "frees")}
    for name in columns:
        for delta in deltas:
            folded = next(read)
            delta[name] = folded >> 1 ^ -(folded & 1)
            plus, minus = rules.get(name, (None, None))
            if plus in delta and minus in delta:
                delta[name] += delta[plus] - delta[minus]
    assert next(read, None) is None, "has more numbers"
    rows = dict(before)
    for site, delta in zip(sites, deltas):
        old = rows.get(site, [0] * len(columns))
        rows[site] = [(o + delta[name]) % 2 ** 64 for o, name in zip(old, columns)]
    return rows


def has(db, table):
    return db.execute("SELECT count(*) FROM main.sqlite_schema WHERE name = ?", (table,)).fetchone()[0]


def insert(db, table, *values):
    db.execute("INSERT INTO temp.%s VALUES (%s)" % (table, ",".join("?" * len(values))), values)


def tables(db):
    db.executescript("""
CREATE TEMP TABLE snapshot (id, label, time, host, input, kernel_release, build_id, sites);
CREATE TEMP TABLE metric (snapshot, name, total);
CREATE TEMP TABLE loss (snapshot, name, events);
CREATE TEMP TABLE note (snapshot, nr, key, value);
CREATE TEMP TABLE warning (snapshot, nr, text);
CREATE TEMP TABLE grouping (snapshot, kind, parts, current_dynamic);
CREATE TEMP TABLE grouped (snapshot, kind, nr, name);
CREATE TEMP TABLE part (snapshot, kind, nr, site, grouped, current_dynamic, requested, allocs, frees, objects);
CREATE TEMP TABLE charging (snapshot, kind, charged);
CREATE TEMP TABLE charged (snapshot, kind, nr, charged);""")
    metrics = []
    for (columns,) in db.execute("SELECT columns FROM series").fetchall():
        metrics += [c for c in columns.split() if c not in metrics and not c.startswith("age_") and c != "place"]
    db.execute("CREATE TEMP TABLE site (snapshot, nr, caller, kind, path, cache%s)" %
               "".join(', "%s" INTEGER' % m for m in metrics))
    return metrics


def groups(db, sample, before, place):
    """The tables of groups; place: the row of table site for each site of the file."""
    if not has(db, "parts"):
        return
    row = db.execute("SELECT kinds, data FROM parts WHERE sample = ?", (sample,)).fetchone()
    if not row:
        return
    before["parts"] = rows = decode(row[1], PARTS, before["parts"])
    told, charged = "", {}
    if has(db, "charged"):
        charge = db.execute("SELECT kinds, data FROM main.charged WHERE sample = ?", (sample,)).fetchone()
        if charge:
            told = charge[0]
            before["charged"] = charged = decode(charge[1], ("charged",), before["charged"])
    for kind in row[0].split():
        parts = [(p, site, group, name) for p, site, group, name in db.execute(
            "SELECT p.id, p.site, g.id, name FROM main.part p JOIN main.grouped g ON g.id = p.grouped"
            " WHERE kind = ? ORDER BY p.id", (kind,)) if any(rows.get(p, ()))]
        names = {}
        for nr, (p, site, group, name) in enumerate(parts):
            if group not in names:
                names[group] = len(names)
                insert(db, "grouped", sample, kind, names[group], name)
            n = dict(zip(PARTS, rows[p]))
            assert n["waste"] == n["current_dynamic"] - n["requested"]
            insert(db, "part", sample, kind, nr, place[site], names[group], n["current_dynamic"],
                   n["requested"], n["allocs"], n["frees"], n["objects"])
            if kind in told.split() and charged.get(p, [0])[0]:
                insert(db, "charged", sample, kind, nr, charged[p][0])
        insert(db, "grouping", sample, kind, len(parts), sum(rows[p[0]][0] for p in parts))
        if kind in told.split():
            insert(db, "charging", sample, kind, sum(charged.get(p[0], [0])[0] for p in parts))


def expand(db):
    metrics = tables(db)
    names = {row[0]: row[1:] for row in db.execute("SELECT id, caller, kind, path, cache FROM main.site")}
    last = {}
    labels = {}
    if has(db, "label"):
        labels = {r[0]: r[1:] for r in db.execute("SELECT sample, label, input, sites, warnings FROM label")}
    for sample, series, time, is_key, live, data, *losses in db.execute(
            "SELECT id, series, time, is_key, live, data, unknown, implied, lost FROM sample ORDER BY id").fetchall():
        columns, host, release, build_id, notes = db.execute(
            "SELECT columns, host, release, build_id, notes FROM series WHERE id = ?", (series,)).fetchone()
        columns = columns.split()
        before = last.setdefault(series, {"sites": {}, "parts": {}, "charged": {}})
        if is_key:
            before.update(sites={}, parts={}, charged={})
        before["sites"] = rows = decode(data, columns, before["sites"])
        rows = {site: dict(zip(columns, row)) for site, row in rows.items() if any(row)}
        order = sorted(rows, key=lambda site: (rows[site].get("place", 0), site))
        label, given, sites, warnings = labels.get(sample, (None, None, len(rows), None))
        insert(db, "snapshot", sample, label, time // 10 ** 9, host, given, release, build_id, sites)
        for nr, site in enumerate(order):
            caller, kind, path, cache = names[site]
            insert(db, "site", sample, nr, caller, None if kind == "-" else kind, path, cache,
                   *(rows[site].get(m) for m in metrics))
        for name in columns:
            if name in metrics:
                insert(db, "metric", sample, name, sum(row[name] for row in rows.values()))
        assert "current_dynamic" not in columns or live == sum(row["current_dynamic"] for row in rows.values())
        for name, events in zip(LOSSES, losses):
            if events is not None:
                insert(db, "loss", sample, name, events)
        for nr, line in enumerate(notes.splitlines()):
            insert(db, "note", sample, nr, *line.split(": ", 1))
        for nr, line in enumerate((warnings or "").splitlines()):
            insert(db, "warning", sample, nr, line)
        groups(db, sample, before, {site: nr for nr, site in enumerate(order)})


def main(path, *statements):
    db = sqlite3.connect(path, isolation_level=None, timeout=10)
    expand(db)
    for text in ";".join(statements).split(";"):
        for row in db.execute(text):
            print(*("" if v is None else v for v in row), sep="|")


main(*sys.argv[1:])
