# SPDX-License-Identifier: GPL-2.0-only
"""What the page has to show, by the program's reports (run.sh makes them)."""
import csv
import os

CHARTS = ("rings", "icicle", "flame", "treemap")


def report(by):
    """Of the program itself, by name; what stands in the top directory is in '.'."""
    with open(f"{os.environ['KMA_WORK']}/{by}.csv", encoding="utf-8") as file:
        rows = {}
        for row in csv.DictReader(file):
            key = row.pop(by)
            rows[key] = {name: int(value) + rows.get(key, {}).get(name, 0)
                         for name, value in row.items()}
    return rows


def below(path, metric):
    """Sum over the files of a directory, by the report."""
    return sum(row[metric] for name, row in report("file").items()
               if not path or name == path or name.startswith(f"{path}/"))


def human(value):
    """Of halves the even one, as format() has it."""
    units = ["B", "KiB", "MiB", "GiB"]
    while value >= 1023.95 and len(units) > 1 and (value >= 1024 or units[0] != "B"):
        value /= 1024
        units.pop(0)
    return f"{value} B" if units[0] == "B" else f"{value:.1f} {units[0]}"


def equal(got, want):
    assert got == want, f"got {got!r}, expected {want!r}"
