#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The page in headless Chromium: every interaction, sizes, themes, keyboard, hostile names.
#
#	run.sh			all tests; KTAP
#	run.sh WORD...		those whose names have a WORD
#
# Chromium, its driver and selenium are Debian's (scripts/setup.sh browser); the python
# is Debian's, too, as another has no selenium.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../host/lib.sh"
browser=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$browser/../../scripts/setup.sh" browser >&2

# Recorded on a 6.12; then names that want to be markup, or to mislead the eye.
"$program" rings "$data/readers/allocinfo-6.12" -r "$work/main.html" 2>/dev/null
"$program" rings "$data/readers/account-6.1" -r "$work/callers.html" 2>/dev/null
"$program" rings "$data/readers/allocinfo-6.12" -b drivers -r "$work/drivers.html" 2>/dev/null
{ header 80 80 0 1 0 1; printf '      80        0       80     1/0      kzalloc_node+0x1/0x20\n'; } >"$work/one.account"
"$program" rings "$work/one.account" -r "$work/one.html" 2>/dev/null
python3 "$browser/hostile.py" >"$work/hostile.allocinfo"
"$program" rings "$work/hostile.allocinfo" -r "$work/hostile.html" 2>/dev/null \
	--title '</title><img src=x onerror=alert(1)>'
"$program" rings "$work/hostile.allocinfo" --max-nodes 40 -r "$work/folded.html" 2>/dev/null
# Of three rows one grows, one shrinks; one in 40 goes, another in 40 is new.
awk '!/^ *[0-9]/ { print; next } { n++ } n % 40 == 7 { next }
	{ $1 = n % 3 == 1 ? 2 * $1 + 64 : n % 3 == 2 ? int($1 / 2) : $1 }
	n % 40 == 9 { $3 = "brand/new" n ".c:" n } { print }' "$data/readers/allocinfo-6.12" >"$work/after"
"$program" diff "$data/readers/allocinfo-6.12" "$work/after" -r "$work/changes.html"
for by in file caller; do
	"$program" diff "$data/readers/allocinfo-6.12" "$work/after" --by $by --floor 0 --format csv >"$work/changes-$by.csv"
done
for by in caller file dir; do
	"$program" report "$data/readers/allocinfo-6.12" --by $by --format csv >"$work/$by.csv" 2>/dev/null
done
KMA_WORK=$work PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$browser/test-page.py" "$@"
