#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# leaks: the verdicts of made inputs, the order and the series of inputs, exit status, and
# recall and false leaks on made series of each class (tests/bench/leaks-made.c).
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
python3 "$here/leaks.py" make .

verdicts() {
	"$program" leaks s?? --interval 60 --format csv >all.csv &&
		python3 "$here/leaks.py" check all.csv &&
		[ "$(sed -n 1p all.csv)" = "rank,verdict,confidence,live,growth_per_hour,leaked_of_allocs,oldest_ns,survivors,caller,file,line,cgroup,reasons,kind" ]
}

formats() {
	"$program" leaks s?? --interval 60 --format json >all.json &&
		python3 -c 'import json; d = json.load(open("all.json")); r = d["sites"][0]
assert d["format"] == "kmem-account leaks" and r["verdict"] == "leak"
assert r["growth_low"] <= r["growth_per_hour"] <= r["growth_high"]
assert r["sentence"].startswith("leaky+0x10/0x90 leaks memory: ")' &&
		"$program" leaks s?? --interval 60 --available 1G >table &&
		grep '1 of 20 allocations is never freed; at that rate memory is exhausted in' table >/dev/null
}

# Nobody knows whether the cache of the leaky site has a shrinker: no leak without that.
unknown_cache() {
	local i

	for i in s??; do sed 's/kmalloc$/cache/' "$i" >"c$i"; done
	"$program" leaks cs?? --interval 60 --format csv >cache.csv
	grep '^1,growing,.*leaky+0x10/0x90.*it is unknown whether the cache is reclaimable' cache.csv &&
		grep -q "^1,.*; use snapshots with ages (write 'age on' to /proc/kmem_account) to distinguish a leak" cache.csv
}

# The kernel frees areas of vmalloc() late: a site that leaks like another one is none.
freed_late() {
	local i

	for i in s??; do sed 's/leaky+0x10\/0x90/alloc_vmap_area+0x9d\/0x880/' "$i" >"v$i"; done
	"$program" leaks vs?? --interval 60 --format csv >late.csv
	grep '^[0-9]*,filling,.*alloc_vmap_area+0x9d/0x880.*the kernel frees these objects late and in batches' late.csv
}

fail_on() {
	local code=0

	"$program" leaks s?? --interval 60 --fail-on leak >/dev/null 2>said || code=$?
	[ $code = 3 ] && grep 'call sites with verdict leak: 1$' said >/dev/null || return 1
	"$program" leaks s?? --interval 60 --fail-on falling >/dev/null 2>said && [ ! -s said ]
}

# An input that is left out leaves the question of --fail-on open, whatever the others say. The
# cases are 40 growing accounts, of which 30 are truncated.
fail_on_part() {
	local gate=$here/../data/cases/hostile/leaks-gate code=0 verdict

	for verdict in growing leak falling; do
		code=0
		"$program" leaks "$gate"/b* --interval 60 --fail-on "$verdict" >/dev/null 2>said || code=$?
		[ $code = 1 ] && [ "$(grep -c 'truncated.*; this input is left out$' said)" = 30 ] &&
			grep -qx "kmem-account: leaks: 30 inputs were left out (see above), so --fail-on $verdict was not checked" said || return 1
	done
	# so are the inputs of a shorter series
	code=0
	"$program" leaks s?? s0? --interval 60 --fail-on leak >/dev/null 2>said || code=$?
	[ $code = 1 ] && grep -q ': 10 inputs were left out (see above), so --fail-on leak was not checked$' said || return 1
	# too early to tell: no failure, but no silence
	code=0
	"$program" leaks s0? --interval 60 --fail-on leak >/dev/null 2>said || code=$?
	[ $code = 0 ] && [ "$(tail -n 1 said)" = "kmem-account: leaks: all verdicts are too-early: exit status 0 does not exclude leak" ]
}

too_early() {
	"$program" leaks s0? --interval 60 --format csv >early &&
		[ "$(grep -c ',too-early,.*10 samples over 540 s are too few; at least 24 over 60 s are needed' early)" = 4 ] || return 1
	# a table has one sentence in place of rows that say the same; with --top it has the rows
	"$program" leaks s00 --interval 60 >early && [ "$(wc -l <early)" = 6 ] &&
		grep -q '^No call site can be judged yet: 1 sample over 0 s is too few; at least 24 over 60 s' early &&
		"$program" leaks s00 --interval 60 --top 2 | grep -c ' too-early ' | grep -qx 2 || return 1
	# enough samples, within a few seconds
	"$program" leaks s?? --interval 0.1 --format csv >early && [ "$(grep -c ',too-early,' early)" = 4 ]
}

# By the times of the files, whatever the order, each once.
file_times() {
	local i

	for i in s??; do touch -d "2026-11-01 00:${i#s}:00" "$i"; done
	# shellcheck disable=SC2046 # names without blanks
	"$program" leaks $(printf '%s\n' s?? | sort -r) s07 --format csv >sorted 2>said
	grep 'not in the order of time; they were sorted' said >/dev/null &&
		grep '1 input is given more than once; each counts once' said >/dev/null &&
		grep 'using the modification times of the files' said >/dev/null && diff all.csv sorted
}

# After a boot the allocations begin anew; another kernel is told by its build ID.
two_series() {
	"$program" leaks s?? s0? --interval 60 --format csv >longest 2>said || return 1
	grep 'the number of allocations decreased, as after a reboot or a clear; using the longest series (48 of 58 inputs)' said >/dev/null &&
		diff all.csv longest
}

database() {
	local i

	for i in s??; do "$program" report "$i" --save-db "runs.db@$i" >/dev/null || return 1; done
	"$program" leaks runs.db --interval 60 --format csv >from.csv && diff all.csv from.csv
}

# Of a call site that two cgroups use, one row leaks.
by_cgroup() {
	local i

	mkdir -p groups && python3 "$here/leaks.py" cgroups groups || return
	"$program" leaks groups/c?? --by cgroup,caller --format csv >groups.csv && cat groups.csv &&
		python3 "$here/leaks.py" check-cgroups groups.csv || return
	"$program" leaks groups/c?? --by cgroup,caller -r groups.svg -O table --format table &&
		grep '^/bad . leaky+0x10/0x90 leaks memory: ' table >/dev/null &&
		grep '>/bad . leaky+0x10/0x90<' groups.svg >/dev/null || return
	for i in groups/c??; do "$program" report "$i" --save-db "groups.db@${i#*/}" >/dev/null || return; done
	"$program" leaks groups.db --by cgroup,caller --format csv | diff groups.csv - || return
	! "$program" leaks s?? --interval 60 --by cgroup 2>said && grep 's00: no cgroups in this input' said >/dev/null || return
	! "$program" leaks groups/c?? --by node 2>said && grep 'c00: no NUMA nodes in this input' said >/dev/null
}

bad() {
	local code=0

	"$program" leaks 2>said >out || code=$?
	[ $code = 2 ] && grep 'no input given' said >/dev/null || return 1
	code=0
	"$program" leaks - <s00 2>said >out || code=$?
	[ $code = 1 ] && [ ! -s out ] && grep 'use --interval S' said >/dev/null || return 1
	# a name that may be wrong
	code=0
	"$program" leaks s0? nothing --interval 60 -O result 2>said || code=$?
	[ $code = 1 ] && [ ! -e result ] && [ "$(cat said)" = "kmem-account: nothing: cannot open: No such file or directory" ]
}

# covered FILE: seconds and damaged files, by json
covered() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(d["covers_s"], d["damaged_files"])' "$1"; }

# Damaged inputs are left out and said, each with its place; the verdicts are those of the others, at their times.
damaged() {
	local code=0 i

	mkdir -p hurt && for i in s??; do cp "$i" hurt && touch -d "2026-11-01 00:${i#s}:00" "hurt/$i"; done
	"$program" leaks hurt/s0[0-4] hurt/s0[6-9] hurt/s1? hurt/s2[0-8] hurt/s[34]? --format csv >want 2>said || return
	sed 's/allocs/allocs\tallocs/' s05 >hurt/s05 && head -c 200 s29 >hurt/s29
	"$program" leaks hurt/s?? --format csv >got 2>said || return
	cat said
	diff want got && [ "$(grep -c ' left out$' said)" = 2 ] && grep -q "^kmem-account: leaks: hurt/s05:2: .*; this input is left out$" said &&
		grep -q "^kmem-account: leaks: hurt/s29:$(($(wc -l <hurt/s29) + 1)): truncated in a row; this input is left out$" said || return
	# a place in the order stays taken
	"$program" leaks s?? --interval 60 --format json >got && [ "$(covered got)" = '2820 0' ] &&
		"$program" leaks hurt/s?? --interval 60 --format json >got 2>said && [ "$(covered got)" = '2820 2' ] || return
	"$program" leaks hurt/s?? --interval 60 >got 2>said && grep -qx 'damaged files: 2' got &&
		"$program" leaks s?? --interval 60 >got && ! grep -q damaged got || return
	# files that are empty, or something else
	: >hurt/s06 && echo no account >hurt/s07
	"$program" leaks hurt/s?? --interval 60 --format json >got 2>said && [ "$(covered got)" = '2820 4' ] &&
		grep -q 'hurt/s06:1: the file is empty; this' said && grep -q 'hurt/s07:1: unknown type of input' said || return
	# too few are left
	"$program" leaks hurt/s0? --interval 60 >got 2>said && grep -q '^No call site can be judged yet: 7 samples over 540 s' got || return
	"$program" leaks hurt/s0[567] --interval 60 -O result 2>said || code=$?
	[ "$code" = 1 ] && [ ! -e result ] && [ "$(wc -l <said)" = 4 ] &&
		grep -q '^kmem-account: leaks: all inputs are corrupt, truncated, or not accounts$' said || return
	code=0
	"$program" leaks hurt/s05 --interval 60 2>said || code=$?
	[ "$code" = 1 ] && [ "$(wc -l <said)" = 1 ] && grep -q '^kmem-account: hurt/s05:2: ' said
}

# File and line as addr2line has them.
places() {
	local vmlinux address want i

	fixture mktree.sh "$work/mini" >/dev/null
	vmlinux=$(echo "$work"/mini/debug/boot/vmlinux-*)
	address=$(nm "$vmlinux" | awk '$3 == "alpha_inode_other" { print $1 }')
	want=$(addr2line -e "$vmlinux" "$(printf 0x%x $((16#$address + 0x20 - 1)))")
	for i in s??; do sed -n '1,3s|leaky+0x10/0x90|alpha_inode_other+0x20/0x58|;1,3p' "$i" >"k$i"; done
	"$program" leaks ks?? --interval 60 --vmlinux "$vmlinux" --format csv >places.csv &&
		grep ",fs/alpha/inode.c,${want##*:},," places.csv >/dev/null && [[ $want == */fs/alpha/inode.c:* ]]
}

# The same for an account of raw addresses, and whatever function of an inlined one owns the bytes.
places_by_address() {
	local vmlinux address want i inlines

	vmlinux=$(echo "$work"/mini/debug/boot/vmlinux-*)
	address=$(nm "$vmlinux" | awk '$3 == "alpha_inode_other" { print $1 }')
	for i in ks??; do
		sed "s|alpha_inode_other+0x20/0x58|0x$(printf %x $((16#$address + 0x20)))|" "$i" >"a${i#k}"
		grep -q "0x$(printf %x $((16#$address + 0x20)))" "a${i#k}" || return
	done
	want=$(grep -o ',fs/alpha/inode.c,[0-9]*,' places.csv) || return
	for inlines in outer inner both; do
		"$program" leaks as?? --interval 60 --vmlinux "$vmlinux" --inlines $inlines --format csv >address.csv 2>said &&
			cat said address.csv && grep -F "$want" address.csv >/dev/null || return
		"$program" leaks ks?? --interval 60 --vmlinux "$vmlinux" --inlines $inlines --format csv >name.csv &&
			cat name.csv && grep -F "$want" name.csv >/dev/null || return
	done
	"$program" top -b -n 1 --by file --vmlinux "$vmlinux" --format csv as00 >top.csv && cat top.csv &&
		grep ',fs/alpha/inode.c' top.csv >/dev/null || return
	# over time: the columns and the bytes of a history, and the files of a page
	for i in as ks; do
		"$program" watch -f ${i}00 -n 1 "h-$i" >/dev/null && "$program" watch -f ${i}20 -n 1 "h-$i" >/dev/null || return
		for inlines in outer inner both; do
			"$program" timeline "h-$i" --by line --vmlinux "$vmlinux" --inlines $inlines || return
		done | sed 's/^[0-9]*,//' >"$i.csv"
		"$program" rings "h-$i" -r $i.html --vmlinux "$vmlinux" && "$here/page.py" times $i.html >/dev/null &&
			"$here/page.py" rows $i.html | grep -c 'alpha/inode.c' >$i.found || return
	done
	cat as.csv
	diff as.csv ks.csv && diff as.found ks.found && grep ',fs/alpha/inode.c:' as.csv >/dev/null
}

# A panel for each suspect, and its area is the live bytes of its inputs.
picture() {
	local code=0 name

	"$program" leaks s?? --interval 60 -r suspects.svg >shown && [ ! -s shown ] && xmllint --noout suspects.svg || return
	"$program" leaks s?? --interval 60 -r suspects.png -r suspects.pdf --format csv | diff - all.csv || return
	file suspects.png suspects.pdf | grep -c 'PNG image\|PDF document' | grep -x 2 || return
	python3 - <<-'END' || return
		import csv, glob, re
		rows = [r for r in csv.DictReader(open("all.csv")) if r["verdict"] in ("leak", "growing", "filling")]
		assert rows
		lives = {}
		for name in sorted(glob.glob("s[0-9][0-9]")):
		    for line in open(name):
		        cells = line.rstrip("\n").split("\t")
		        if len(cells) > 5 and not line.startswith("#"):
		            lives.setdefault(cells[5], []).append(int(cells[0]))
		svg = open("suspects.svg").read()
		panels = re.split(r'<text [^>]*font-weight="bold">', svg)[2:]
		assert [p.split("<")[0] for p in panels] == [r["caller"] for r in rows], panels
		for panel, row in zip(panels, rows):
		    assert ">%s, confidence %.2f: +" % (row["verdict"], float(row["confidence"])) in panel, panel[:400]
		    points = [tuple(map(float, p.split())) for p in re.split("[ML]", re.search(r' d="M([^Z]*)Z', panel)[1])]
		    upper, want = points[:len(points) // 2], lives[row["caller"]]
		    assert len(upper) == len(want)
		    floor = max(y for _, y in points)
		    most = floor - min(y for _, y in upper)
		    for (_, y), live in zip(upper, want):
		        assert abs((floor - y) / most - live / max(want)) < 1e-3, (row["caller"], y, live)
	END
	"$program" leaks s?? --interval 60 -r x.gif 2>said || code=$?
	[ "$code" = 2 ] && grep -q 'a name that ends in one of .svg, .png, .pdf, .html' said || return
	for name in s??; do grep -v 'leaky\|filling' "$name" >"flat${name#s}"; done
	"$program" leaks flat?? --interval 60 -r none.svg && grep -q 'No call site has the verdict leak' none.svg
}

# The page has the picture, the rows of the table and the sentences.
page() {
	"$program" leaks s?? --interval 60 -r suspects.svg -r page.html && "$here/figure.py" page.html >rows &&
		"$program" leaks s?? --interval 60 >table || return
	diff <(cut -f 1,2,7 rows | tail -n +2) <(awk -F, 'NR > 1 { print $1 "\t" $2 "\t" $9 }' all.csv) || return
	diff <(sed -n '/<rect class="p"/,/<\/svg>/p' page.html) <(sed -n '/<rect class="p"/,$p' suspects.svg) || return
	grep -x "<p>$(grep ' leaks memory: ' table)</p>" page.html >/dev/null || return
	for name in s??; do sed 's|leaky|<b>\&amp;"leaky|' "$name" >"h$name"; done
	"$program" leaks hs?? --interval 60 -r hostile.html && "$here/figure.py" hostile.html | grep -F '<b>&amp;"leaky' >/dev/null
}

# tests/bench/host-leaks.sh has a million of them
made_series() {
	local here=$here/../bench

	# shellcheck source=tests/bench/host-leaks.sh
	. "$here/host-leaks.sh"
	bench_leaks_judge judge && ./judge 4000 --check
}

# What the tests above have made.
reasons() { python3 "$here/planted.py" reasons all.csv cache.csv late.csv early groups.csv places.csv longest want; }

ktap_plan 19
ktap "verdicts and growth, by an independent script" verdicts
ktap "json and the sentence" formats
ktap "a cache that may have a shrinker" unknown_cache
ktap "objects that the kernel frees late" freed_late
ktap "--fail-on" fail_on
ktap "--fail-on with inputs left out" fail_on_part
ktap "too early, and what is needed" too_early
ktap "a picture of the suspects" picture
ktap "a page of the suspects" page
ktap "times of files, order, one twice" file_times
ktap "two boots are two series" two_series
ktap "snapshots of a DB file" database
ktap "file and line" places
ktap "file and line of addresses and of inlined functions" places_by_address
ktap "a cgroup leaks at a site, another does not" by_cgroup
ktap "bad usage and bad input" bad
ktap "damaged inputs among others" damaged
ktap "each reason agrees with its row" reasons
ktap "recall and false leaks of made series" made_series
ktap_end
