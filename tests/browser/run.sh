#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The page in headless Chromium: every interaction, sizes, themes, keyboard, hostile names.
#
#	run.sh			all tests; KTAP
#	run.sh page [WORD...]	the tests of each page
#	run.sh views [WORD...]	those of comparisons, groups, lines and times
#	run.sh WORD...		those whose names have a WORD
#
# Chromium, its driver and selenium are Debian's (scripts/setup.sh browser); the python
# is Debian's, too, as another has no selenium.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../host/lib.sh"
# shellcheck source=tests/host/history-lib.sh
. "$here/history-lib.sh"
browser=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$browser/../../scripts/setup.sh" browser >&2

# Recorded on a 6.12; then names that want to be markup, or to mislead the eye.
"$program" rings "$data/readers/allocinfo-6.12" -r "$work/main.html" 2>/dev/null
"$program" rings "$data/readers/account-6.1" -r "$work/callers.html" 2>/dev/null
"$program" rings "$data/readers/allocinfo-6.12" -b drivers -r "$work/drivers.html" 2>/dev/null
for theme in light dark; do
	"$program" rings "$data/readers/allocinfo-6.12" --theme $theme -r "$work/whole-$theme.svg" 2>/dev/null
	"$program" rings "$data/readers/allocinfo-6.12" --theme $theme -b fs -r "$work/fs-$theme.svg" 2>/dev/null
done
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
# Modules, one of them hostile, and subsystems; caches and stacks; cgroups.
awk '!/^ *[0-9]/ { print; next } { n++ } n % 5 == 1 { $3 = $3 " [ext4]" } n % 5 == 2 { $3 = $3 " [kvm]" }
	n % 5 == 3 { $3 = $3 " [<img-src=x-onerror=alert(1)>]" } { print }' \
	"$data/readers/allocinfo-6.12" >"$work/modules"
printf 'List of maintainers\n---\n\nFILE <b>SYSTEMS</b>\nF:\tfs/\n\nMEMORY\nF:\tmm/\n' >"$work/MAINTAINERS"
"$program" rings "$work/modules" --maintainers "$work/MAINTAINERS" -r "$work/groups.html" 2>/dev/null
"$program" report "$work/modules" --by module --format csv >"$work/groups-module.csv" 2>/dev/null
"$program" report "$work/modules" --by subsystem --maintainers "$work/MAINTAINERS" --format csv \
	>"$work/groups-subsystem.csv" 2>/dev/null
"$program" report "$work/modules" --maintainers "$work/MAINTAINERS" --by module,subsystem --format csv \
	>"$work/groups-levels.csv" 2>/dev/null
"$program" rings "$work/modules" --maintainers "$work/MAINTAINERS" --by subsystem,module -r "$work/levels.html" 2>/dev/null
"$program" rings "$data/readers/sites-stack-6.1" -r "$work/stacks.html" 2>/dev/null
"$program" report "$data/readers/sites-stack-6.1" --by stack --format csv >"$work/stacks-stack.csv" 2>/dev/null
"$program" report "$data/readers/sites-stack-6.1" --by cache --format csv >"$work/stacks-cache.csv" 2>/dev/null
"$program" rings "$data/readers/snapshot-cgroups-6.1" -r "$work/cgroups.html" 2>/dev/null
"$program" report "$data/readers/snapshot-cgroups-6.1" --by cgroup,cache --format csv >"$work/cgroups-levels.csv" 2>/dev/null
"$program" report "$data/readers/snapshot-cgroups-6.1" --by cgroup --format csv >"$work/cgroups-cgroup.csv" 2>/dev/null
# Functions within functions; links to lines of files with hostile names.
(
	cd "$work"
	inlined
	inlined_truth >lines.txt
	"$program" rings calls.account --vmlinux vmlinux-1 -r lines.html
	"$program" rings hostile.allocinfo -r linked.html --source-url 'https://src.example/v6.1/{file}#L{line}'
) 2>/dev/null
# Six times, with a gap; two snapshots of two boots; an account that lost 12 events.
(
	cd "$work"
	for i in 0 1 2 3 4 5; do
		awk -v i=$i '!/^ *[0-9]/ { print; next } { n++ }
			{ $1 = n % 3 == 1 ? int($1 * (6 - i) / 3) : n % 3 == 2 ? int($1 * (2 + i) / 3) : $1 } { print }' \
			modules >t$i
	done
	hour() { touch -d "2026-11-25 $2:00:00 UTC" "t$1"; }
	hour 0 00; hour 1 01; hour 2 02; hour 3 03; hour 4 08; hour 5 09
	"$program" rings t0 t1 t2 t3 t4 t5 -r times.html
	python3 "$browser/../host/snapshot.py" make . 2
	sed '/^boot_id/s/1/3/g' s001 >s002
	"$program" rings s000 s002 -r boots.html
	sed 's/^\(events not recorded:\) .*/\1 12/' one.account >two.account
	"$program" rings one.account two.account -r lost.html
) 2>/dev/null
# A history of three call sites and two cgroups, one of which leaks; snapshots 0, 5, 10 and so on, a minute apart.
(
	cd "$work"
	python3 "$browser/../host/leaks.py" cgroups .
	record_all past c[0-4][05]
	"$program" rings past -r history.html --points 1000
) >/dev/null 2>&1
for by in caller file dir; do
	"$program" report "$data/readers/allocinfo-6.12" --by $by --format csv >"$work/$by.csv" 2>/dev/null
done
KMA_WORK=$work PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$browser/test-page.py" "$@"
