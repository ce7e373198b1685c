#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Recall and false leaks of the verdicts on made series, beside two simple tests.

	leaks.py JUDGE SERIES [held-out] [--check]

JUDGE is tests/bench/leaks-judge.c as a program. SERIES is the number of series in each class.
Each series is made from its class and number alone. With held-out the series are other ones, by
which no threshold was chosen. --check ends with status 1 if recall is below 95 % or a class has
more than 0.1 % false leaks, with cohorts.

A series is the objects of one call site in 96 samples of 5 minutes. Allocations follow a load
with a daily swing and noise. Cohorts are the births of 12 epochs, with what is left of them a
third before the end and at the end. A series has them as the lifetimes of its class say.
"""
import math
import random
import struct
import subprocess
import sys
import tempfile

SAMPLES, STEP, COHORTS, SIZE = 96, 300.0, 12, 192
UNKNOWN, NONE, CACHE = 0, 1, 2


def load(rnd, drift=0.0):
    """Allocations of each step: a swing, noise, and a drift over the whole series."""
    base, swing, period = rnd.uniform(500, 5000), rnd.uniform(0.1, 0.5), rnd.uniform(8, 16)
    phase = rnd.uniform(0, 6.3)
    return [max(1, base * (1 + drift * i / SAMPLES) * (1 + swing * math.sin(phase + 6.283 * i / period))
                * rnd.gauss(1, 0.05)) for i in range(SAMPLES)]


def noise(rnd, level, rho):
    """A level that wanders: AR(1), in steady state from the start."""
    out, x, sd = [], rnd.gauss(0, 1), rnd.uniform(0.02, 0.1) * level
    for _ in range(SAMPLES):
        x = rho * x + math.sqrt(1 - rho * rho) * rnd.gauss(0, 1)
        out.append(level + sd * x)
    return out


def cohorts(births, left):
    """left(i, t): share of the births of sample i that lives at sample t."""
    rows, width = [], SAMPLES // COHORTS
    for k in range(COHORTS):
        part, before = range(k * width, (k + 1) * width), SAMPLES * 2 // 3
        rows.append(((COHORTS - 1 - k) * width * STEP, sum(births[i] for i in part),
                     round(sum(births[i] * left(i, before) for i in part if i <= before)),
                     round(sum(births[i] * left(i, SAMPLES - 1) for i in part))))
    return rows


def passing(rnd, share=0.0):
    """Objects live up to a few samples; a share of them stays."""
    life = rnd.uniform(0.5, 4)
    return lambda i, t: share + (1 - share) * (math.exp(-(t - i) / life) if t - i < 12 else 0)


def leak(rnd):
    births, level, share = load(rnd), rnd.uniform(2000, 20000), 0
    live = noise(rnd, level, rnd.uniform(0, 0.6))
    share = level * rnd.uniform(0.6, 5) / sum(births)
    total = 0
    for i, n in enumerate(births):
        total += n * share * rnd.gauss(1, 0.1)
        live[i] += total
    return births, live, cohorts(births, passing(rnd, share)), NONE


def flat(rnd):
    births = load(rnd)
    return births, noise(rnd, rnd.uniform(2000, 20000), 0), cohorts(births, passing(rnd)), NONE


def autocorrelated(rnd):
    births = load(rnd)
    live = noise(rnd, rnd.uniform(2000, 20000), rnd.uniform(0.85, 0.99))
    return births, live, cohorts(births, passing(rnd)), NONE


def filling(rnd):
    """A cache of bounded size: each birth stays with the chance that there is room."""
    births, tau, size = load(rnd), rnd.uniform(8, 60), rnd.uniform(5000, 50000)
    grown = [size * (1 - math.exp(-i / tau)) for i in range(SAMPLES + 1)]
    live = [g + rnd.gauss(0, 0.01) * size + 1000 for g in grown[1:]]
    share = [(grown[i + 1] - grown[i]) / births[i] for i in range(SAMPLES)]
    return births, live, cohorts(births, lambda i, t: min(1, share[i])), rnd.choice((UNKNOWN, CACHE))


def periodic(rnd):
    births, level, period = load(rnd), rnd.uniform(2000, 20000), rnd.uniform(6, 60)
    phase, swing = rnd.uniform(0, 6.3), rnd.uniform(0.1, 0.8)
    live = [level * (1 + swing * math.sin(phase + 6.283 * i / period)) * rnd.gauss(1, 0.02) for i in range(SAMPLES)]
    return births, live, cohorts(births, passing(rnd)), NONE


def step(rnd):
    """What one event makes once stays; everything else passes."""
    births, level, at = load(rnd), rnd.uniform(2000, 20000), rnd.randrange(10, 86)
    up = level * rnd.uniform(0.2, 2)
    live = [x + (up if i >= at else 0) for i, x in enumerate(noise(rnd, level, 0.3))]
    births[at] += up
    rest, stays = passing(rnd), up / births[at]
    return births, live, cohorts(births, lambda i, t: stays if i == at else rest(i, t)), NONE


def sawtooth(rnd):
    """A cache that a shrinker empties from time to time."""
    births, period, level = load(rnd), rnd.randrange(6, 48), rnd.uniform(2000, 20000)
    keep, first = rnd.uniform(0, 0.3), rnd.randrange(48)
    live = [level * (0.3 + keep + (first + i) % period / period) * rnd.gauss(1, 0.02) for i in range(SAMPLES)]
    same = lambda i, t: 0.3 if (first + i) // period == (first + t) // period else 0
    return births, live, cohorts(births, same), rnd.choice((UNKNOWN, CACHE))


def drift(rnd):
    """Live objects follow a load that rises."""
    births = load(rnd, rnd.uniform(0.2, 3))
    life = rnd.uniform(1, 5)
    live = [sum(births[max(0, j)] * math.exp(-(i - j) / life) for j in range(i - 15, i + 1)) for i in range(SAMPLES)]
    return births, live, cohorts(births, passing(rnd)), NONE


CLASSES = (leak, flat, autocorrelated, filling, periodic, step, sawtooth, drift)


def z_of(values):
    """Mann-Kendall, written on its own."""
    n, ties = len(values), {}
    score = sum((b > a) - (b < a) for i, a in enumerate(values) for b in values[i + 1:])
    for v in values:
        ties[v] = ties.get(v, 0) + 1
    var = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties.values())) / 18
    return 0 if not score or var <= 0 else (score - math.copysign(1, score)) / math.sqrt(var)


def packed(made, with_cohorts):
    births, live, rows, reclaim = made
    rows = rows if with_cohorts else []
    out, allocs = [float(SAMPLES), float(len(rows)), float(reclaim)], 0.0
    for i in range(SAMPLES):
        allocs += births[i]
        out += [i * STEP, max(0, live[i]) * SIZE, max(0, live[i]), allocs]
    for row in rows:
        out += row
    return struct.pack("%dd" % len(out), *out)


def main():
    judge, count = sys.argv[1], int(sys.argv[2])
    numbers, part = range(count), "held-out" if "held-out" in sys.argv else "open"
    failed, right, given = False, {}, {}
    print("%-16s %9s %12s %15s %13s %13s" % ("class", "series", "leak", "without cohorts", "first-last", "Mann-Kendall"))
    for kind in CLASSES:
        leaks, simple, trend = [0, 0], 0, 0
        files = [tempfile.TemporaryFile() for _ in range(2)]
        tools = [subprocess.Popen([judge], stdin=subprocess.PIPE, stdout=file) for file in files]
        texts = [[], []]
        for start in range(0, len(numbers), 200):
            for n in numbers[start:start + 200]:
                made = kind(random.Random("%s %s %d" % (part, kind.__name__, n)))
                for i in range(2):
                    tools[i].stdin.write(packed(made, i == 0))
                simple += made[1][-1] > made[1][0] * 1.1
                trend += z_of(made[1]) > 3
        for i in range(2):
            tools[i].communicate()
            files[i].seek(0)
            texts[i] = files[i].read().decode().splitlines()
            if tools[i].returncode or len(texts[i]) != len(numbers):
                sys.exit("leaks.py: %s gave %d verdicts for %d series" % (judge, len(texts[i]), len(numbers)))
            leaks[i] = sum(line.startswith("leak ") for line in texts[i])
            for line in texts[i]:
                verdict, sure = line.split()[:2]
                if verdict == "leak":
                    given[sure] = given.get(sure, 0) + 1
                    right[sure] = right.get(sure, 0) + (kind is leak)
        nr = len(numbers)
        print("%-16s %9d %10.2f %% %13.2f %% %11.2f %% %11.2f %%" % (
            (kind.__name__, nr) + tuple(100.0 * x / nr for x in (leaks[0], leaks[1], simple, trend))))
        failed |= leaks[0] < 0.95 * nr if kind is leak else leaks[0] > 0.001 * nr
    for sure in sorted(given):
        print("leak at confidence %s: %.2f %% of %d are right" % (sure, 100.0 * right[sure] / given[sure], given[sure]))
    if failed and "--check" in sys.argv:
        sys.exit("leaks.py: recall is below 95 %, or a class has more than 0.1 % false leaks")


if __name__ == "__main__":
    main()
