#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# where, and report --by cache, with files of a guest: every row as an independent script has it;
# the rows add up to MemTotal; files that are not what they should be.
#
#	where.sh [DIR]		with meminfo, slabinfo, caches, sites, slab/
# shellcheck disable=SC2015 # what fails shows its output
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

from=$(cd "${1:-$data/readers/where-6.1}" && pwd)
cd "$work"
# links are kept as a list
mkdir slab
if [ -d "$from/slab" ]; then
	cp -P "$from/slab/"* slab/
else
	while read -r name target; do
		ln -s "$target" "slab/$name"
	done <"$from/links"
fi

# rows ACCOUNT|- SLABINFO|-: both sides of where, and the sum
rows() {
	local args=()

	[ "$1" = - ] || args+=(-f "$1")
	[ "$2" = - ] || args+=(--slabinfo "$2")
	"$program" where --meminfo "$from/meminfo" "${args[@]}" --format csv >table 2>stderr || { cat stderr; return 1; }
	# the spelling of older versions
	"$program" report "${args[@]}" --where --meminfo "$from/meminfo" --format csv 2>/dev/null | diff table - || return 1
	python3 -c '
import csv
for row in csv.DictReader(open("table")):
    print("|".join((row["group"], row["owner"], row["bytes"])))' | sort >got
	"$here/where.py" where "$from/meminfo" "$2" "$1" | sort >want
	diff want got && [ "$(wc -l <got)" -ge 10 ] || return 1
	python3 -c '
import sys
total = next(int(line.split()[1]) * 1024 for line in open(sys.argv[1]) if line.startswith("MemTotal:"))
sum_ = sum(int(line.rsplit("|", 1)[1]) for line in open("got"))
assert sum_ == total, (sum_, total)' "$from/meminfo"
}

where_sites() { rows "$from/sites" "$from/slabinfo" && grep -q '^per-CPU|.*+0x' got; }
where_caches() { rows "$from/caches" "$from/slabinfo" && grep -q '^slab|accounted|' got; }
where_no_slabinfo() { rows "$from/sites" - && grep -q 'or free in slabs' got; }
where_no_account() { rows - "$from/slabinfo"; }

# What the lines of meminfo have twice is the one negative row.
where_twice() {
	sed 's/^MemTotal:.*/MemTotal: 1000 kB/' "$from/meminfo" >small
	"$program" where --meminfo small --format csv >got || return 1
	[ "$(awk -F, 'NR > 1 { sum += $2 } END { print sum }' got)" = 1024000 ] &&
		grep -q '^kernel,-[0-9]*,\[counted twice\]$' got
}

# kmalloc of whole pages may be more than all slabs: the size of a page is that of meminfo's lines.
where_large() {
	awk '/^(Slab|SUnreclaim|MemTotal):/ { $2 += 100000 } { print }' "$from/meminfo" >large
	"$program" where --meminfo large --slabinfo "$from/slabinfo" --format csv >got &&
		"$program" where --meminfo "$from/meminfo" --slabinfo "$from/slabinfo" --format csv >want &&
		grep -q '^slab,[0-9]*,free in slabs$' got &&
		[ "$(grep 'free in slabs' got)" = "$(grep 'free in slabs' want)" ]
}

# Of a part of an account, the other parts are not what was there before.
part() {
	refused "--slabinfo" "$from/sites" --by cache --slabinfo "$from/slabinfo" --malloc &&
		refused "--slabinfo" "$data/readers/sites-stack-6.1" --by cache --slabinfo "$from/slabinfo" --through new_inode || return 1
	for option in --malloc --cache --pages --percpu '--depth 2' '--columns all'; do
		# shellcheck disable=SC2086 # an option and its value
		refused "where: unknown option ${option% *}" "$from/sites" --where --meminfo "$from/meminfo" $option || return 1
	done
	cp "$from/sites" sites
	# as on the machine itself, where root can read /proc/slabinfo
	"$program" report /proc/self/cwd/sites --by cache --cache --format csv 2>stderr >got || return 1
	! grep -F '[before]' got && grep -q '^dentry,' got
}

where_forms() {
	"$program" where "$from/sites" --meminfo "$from/meminfo" --slabinfo "$from/slabinfo" >got || return 1
	grep -q '^ .* 100.0%  MemTotal$' got && grep -q '^Pages by call site (already counted in the rows above)$' got || return 1
	"$program" where "$from/sites" --meminfo "$from/meminfo" --top 3 --format json >out.json || return 1
	python3 -c '
import json
where = json.load(open("out.json"))
assert sum(row["bytes"] for row in where["rows"]) == where["total"]
pages = where["pages_by_caller"]
assert len(pages) == 4 and pages[3]["caller"].startswith("other ("), pages
lines = open("'"$from/sites"'").read().splitlines()
names = lines[1][2:].split("\t")
rows = [dict(zip(names, line.split("\t"))) for line in lines[2:]]
assert sum(p["bytes"] for p in pages) == sum(int(r["total"]) for r in rows if r["kind"] == "page")'
}

# All call sites of pages, and the spellings of older versions.
where_all() {
	local words

	"$program" where "$from/sites" --meminfo "$from/meminfo" --all --format json >out.json || return 1
	python3 -c '
import json
pages = json.load(open("out.json"))["pages_by_caller"]
assert len(pages) > 11 and not any(p["caller"].startswith("other (") for p in pages), pages'
	"$program" where --meminfo "$from/meminfo" >want || return 1
	for words in --w --wher '--where --where'; do
		# shellcheck disable=SC2086 # words
		"$program" report $words --meminfo "$from/meminfo" 2>&1 | diff want - || return 1
	done
	refused "where: --all cannot be combined with --top" --where --meminfo "$from/meminfo" --all --top 3 &&
		refused "where: unknown option --by" --where --meminfo "$from/meminfo" --by dir &&
		refused "where: unknown option --slab;" --where --meminfo "$from/meminfo" --slab slab
}

# by_cache ACCOUNT SLABINFO LINKS, - for none
by_cache() {
	local args=()

	[ "$2" = - ] || args+=(--slabinfo "$2")
	[ "$3" = - ] || args+=(--slab "$3")
	"$program" report "$1" --by cache "${args[@]}" --format json >out.json 2>stderr || { cat stderr; return 1; }
	python3 -c '
import json
for row in json.load(open("out.json"))["rows"]:
    cache = row["cache"]
    print(cache, row["current_dynamic"], row["objects"], sep="|")
    if "aliases" in row and not cache.endswith("[before]"):
        print(cache, ", ".join(row["aliases"]), sep=">")' | sort >got
	"$here/where.py" cache "$1" "$2" "$3" | sort >all
	# other names of a cache that has no row
	awk -F'[|>]' '!/>/ { row[$1] = 1; print; next } { line[$1] = $0 }
		END { for (name in line) if (name in row) print line[name] }' all | sort >want
	diff want got && [ "$(wc -l <got)" -ge 20 ]
}

cache_caches() { by_cache "$from/caches" "$from/slabinfo" slab && grep -q ' \[before\]|' got && grep -q '>' got; }
cache_sites() { by_cache "$from/sites" "$from/slabinfo" slab && grep -q 'several caches, with\|several slab caches' stderr; }
cache_alone() { by_cache "$from/caches" - - && ! grep -q before got; }
cache_none() {
	awk -F'\t' -v OFS='\t' 'NR == 2 { for (i = 1; i <= NF; i++) at[$i == "caller" || $i == "cache" ? $i : i] = i }
		NR == 3 { $at["caller"] = "[before]"; $at["cache"] = "-" } { print }' "$from/sites" >none
	"$program" report none --by cache --format csv >got && grep -q '^\[no cache\] \[before\],' got
}
cache_caller() {
	"$program" report "$from/sites" --by cache,caller --slabinfo "$from/slabinfo" --format csv >got 2>/dev/null || return 1
	grep -q '^dentry,\[before\],[0-9]*,[0-9]*$' got && grep -q '^dentry,__d_alloc' got
}

refused() {
	local message=$1
	shift

	! "$program" report "$@" >stdout 2>stderr && [ ! -s stdout ] && grep -qF -- "$message" stderr || { cat stderr; return 1; }
}

bad() {
	echo 'MemFree: 1 kB' >no-total
	refused "no line 'MemTotal'" --where --meminfo no-total || return 1
	echo 'init-1 [000] 0.17: kmalloc: call_site=c10' >small
	refused "small:1: expected 'NAME: NUMBER kB', as in /proc/meminfo" --where --meminfo small || return 1
	echo 'MemTotal: 99999999999999999999 kB' >small
	refused "small:1: the number is too large" --where --meminfo small || return 1
	refused "small:1: expected 'NAME: NUMBER kB'" --where --meminfo <(echo x) 2>/dev/null || { echo x >small; refused "small:1: expected 'NAME: NUMBER kB'" --where --meminfo small; } || return 1
	refused "nosuch" --where --meminfo nosuch || return 1
	refused "not a copy of /proc/slabinfo" --where --meminfo "$from/meminfo" --slabinfo "$from/meminfo" || return 1
	sed 1s/2.1/9.9/ "$from/slabinfo" >newer
	refused "unsupported version '9.9'" --where --meminfo "$from/meminfo" --slabinfo newer || return 1
	head -n 2 "$from/slabinfo" >empty
	refused "empty: not a copy of /proc/slabinfo: no slab cache" --where --meminfo "$from/meminfo" --slabinfo empty || return 1
	sed 1s/2.1/2.10/ "$from/slabinfo" >newer
	refused "newer:1: unsupported version '2.10'" --where --meminfo "$from/meminfo" --slabinfo newer || return 1
	sed '3s/ [0-9]/ -1/' "$from/slabinfo" >negative
	refused "negative:3: the numbers of the slab caches exceed" "$from/sites" --by cache --slabinfo negative || return 1
	sed 's/^AnonPages:.*/AnonPages: 9007199254740992 kB/' "$from/meminfo" >huge
	refused "the number exceeds 2^58 bytes" --where --meminfo huge || return 1
	head -c 1000 "$from/slabinfo" >short
	refused "short:" --where --meminfo "$from/meminfo" --slabinfo short || return 1
	refused "needs --meminfo FILE if the account is of another machine" "$from/sites" --where || return 1
	refused "--slabinfo and --slab need --by cache" "$from/sites" --by caller --slabinfo "$from/slabinfo" || return 1
	refused "nosuch: cannot open" "$from/caches" --by cache --slab nosuch || return 1
	sed 's/kmem_account caches 1/kmem_account caches 7/' "$from/caches" >newer
	refused "unsupported version '7'" newer || return 1
	head -c 300 "$from/caches" >short
	refused "truncated in a row" short || return 1
	sed '4s/^[0-9]*/x/' "$from/caches" >odd
	refused "odd:4" odd
}

ktap_plan 15
ktap "where: by call site" where_sites
ktap "where: by cache" where_caches
ktap "where: without slabinfo" where_no_slabinfo
ktap "where: without an account" where_no_account
ktap "where: lines that overlap" where_twice
ktap "where: much kmalloc of whole pages" where_large
ktap "only a part of the account" part
ktap "where: table and JSON" where_forms
ktap "where: all rows, old spellings" where_all
ktap "by cache: exact, with what was there before" cache_caches
ktap "by cache: of call sites" cache_sites
ktap "by cache: the account alone" cache_alone
ktap "by cache: before, of no cache" cache_none
ktap "by cache and caller" cache_caller
ktap "bad input" bad
ktap_end
