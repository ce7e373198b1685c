#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Retained bytes of a file of kmem-account scan: tables, charts and pages by root beside figures of a script
# that removes each root in turn (retained.py).
# shellcheck disable=SC2015 # what fails shows its output
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
python3 "$here/retained.py" . 'd_alloc+0x1/0x2' 'alloc_inode+0x4/0x9 [foo]' 'kmalloc_x+0x9/0x90' '[allocated before]'
gzip -k scan

# rows FILE: the rows of roots that have bytes, as "root,bytes,objects", with rows in brackets as in an account
rows() { awk -F, 'NR > 1 && $2 { print ($4 == "" ? "[" $1 "]" : $1) "," $2 "," $3 }' "$1" | sort; }

why() {
	for by in root module caller; do
		"$program" why --retained $by --format csv scan.gz | diff - $by.csv || return
	done
}

# by COLUMNS KEY: a report with these columns of its csv
by() { "$program" report "${file:-scan}" --by "$2" --format csv | csv_columns "$1" | sort; }
csv_columns() { python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(",".join(row[name] for name in sys.argv[1].split("|")))' "$1"; }

report() {
	for file in scan scan.gz; do
		by 'root|retained|objects' root | diff - <(rows root.csv) || return
		by 'root|current_dynamic|objects' root | diff - <(rows root.csv) || return
	done
	# the scan has 400 objects of call sites, and 3 of its own
	[ "$(by 'objects' root | awk '{ n += $1 } END { print n }')" -eq 403 ]
}

pairs() {
	sed 's/^\(several roots\|nothing\|memory of the scan\),/[\1],/' parts.csv | sort >want
	by 'root|caller|retained|objects' root,caller | diff - want
}

callers() {
	by 'caller|retained|objects|current_dynamic' caller | grep -vF '[memory of the scan],' |
		diff - <(awk -F, 'NR > 1 { print $1 "," $2 "," $4 "," $5 }' caller.csv | sort)
}

# The sizes of the inner ring, and of what is in it, are those of the tables.
charts() {
	"$program" rings scan -a retained --by root -r rings.svg -r rings.png -r rings.pdf || return
	"$program" treemap scan -a retained --by root -r treemap.svg && "$program" icicle scan --by root -r icicle.svg &&
		"$program" flame scan --by root -r flame.svg || return
	grep -q 'retained bytes (retained): 100.2 KiB, by root that retains it and call site<' rings.svg || return
	"$program" report scan --by root --columns retained | sed -n '2,/total/p' |
		awk '{ size = $1 " " $2; sub(/^ *[^ ]+ [^ ]+ +[^ ]+ +/, ""); print $0 ": " size }' >want
	grep -v '^total' want >sizes
	cat sizes
	[ "$(wc -l <sizes)" -eq 11 ] || return
	# a treemap has its leaves only
	for chart in rings icicle flame; do
		while IFS= read -r size; do
			grep -qF "<title>$size, " "$chart.svg" || { echo "$chart: no '$size'"; return 1; }
		done <sizes
	done
	# thin slices are not drawn
	for chart in rings treemap icicle flame; do
		grep -o '<title>[^<]*/d_alloc[^<]* KiB,' $chart.svg | sort >$chart
	done
	[ "$(wc -l <rings)" -eq 3 ] && cmp rings treemap && cmp rings icicle && cmp rings flame
}

# The subtitle and a warning say that call sites overlap; by root nothing is said.
overlap() {
	"$program" rings scan -a retained -r sites.svg 2>said && cat said || return
	grep -q 'by caller; what call sites retain overlaps<' sites.svg && grep -q '^kmem-account: scan: what call sites retain overlaps' said || return
	"$program" rings scan -a retained --by root -r rings.svg 2>said && [ ! -s said ] &&
		"$program" report scan 2>said >table && [ ! -s said ]
}

# A page has the tree of roots, and both attributes; page.py reads it.
page() {
	local metric
	"$program" rings scan -a retained --by root -r page.html && "$here/page.py" check page.html || return
	[ "$("$here/page.py" keys page.html | paste -sd ' ')" = 'dir module size root' ] || { "$here/page.py" keys page.html; return 1; }
	for metric in current_dynamic retained; do
		"$here/page.py" rows page.html root | awk -F '\t' -v metric=$metric '
			$1 == metric && $4 && $2 == "dir" { print $3 "," $4 }' | sort >got
		rows root.csv | cut -d , -f 1,2 | diff got - || return
	done
	"$here/page.py" rows page.html dir | awk -F '\t' '
		$1 == "retained" && $2 == "caller" { sub(".*/\\[", "[", $3); print $3 "," $4 }' | grep -vF 'memory of the scan' | sort >got
	awk -F, 'NR > 1 { print $1 "," $2 }' caller.csv | sort | diff got -
}

# Two scans are compared by root.
differ() {
	"$program" diff scan scan --by root >table && grep -q '100.2 KiB  100.2 KiB' table &&
		"$program" diff scan scan --by root,caller -a retained >/dev/null
}

# A snapshot in a DB file keeps the groups, and what call sites retain.
saved() {
	"$program" report scan --save-db scans.db >/dev/null || return
	file=scans.db by 'root|current_dynamic|objects' root | diff - <(rows root.csv) || return
	file=scans.db by 'caller|retained' caller >db && file=scan by 'caller|retained' caller | diff - db
}

# refused FILE SENTENCE ARGUMENT...: the file is refused with the sentence
refused() {
	local code=0
	"$program" "${@:3}" "$1" >got 2>said || code=$?
	[ "$code" -ge 1 ] && [ ! -s got ] && grep -qF -- "$2" said || { cat got said; return 1; }
}

# ended: the last line counts the others
ended() { grep -v '^end' | awk '{ print } END { printf "end\t%d\n", NR }'; }

damaged() {
	sed 's/^\(retained_part\t0\t0\t[0-9]*\t\)/\19/' scan >bad
	refused bad "the parts of '[several roots]' do not add up to its row" report || return
	sed 's/^retained_part\t0\t0/retained_part\t99\t0/' scan >bad
	refused bad 'no such root or call site' report || return
	sed 's/^retained_part\t0\t0/retained_part\t0\t99/' scan >bad
	refused bad 'no such root or call site' report || return
	head -n 20 scan >bad
	refused bad "truncated: the line 'end' is missing" report || return
	sed '1s/1/2/' scan >bad
	refused bad "expected 'kmem_account scan 1'" report
}

# A file of a version without parts has call sites, and no roots.
older() {
	grep -v '^retained_part\|^retained_module' scan | ended >old
	refused old "no roots in this input; --by root needs a file of 'kmem-account scan'" report --by root || return
	"$program" report old --format csv 2>/dev/null >got && csv_columns 'caller|current_dynamic' <got >table && cat table &&
		grep -qx '\[not in any row\],640' table &&
		"$program" why --retained root old >table && grep -q dentry_hashtable table
}

ktap_plan 11
ktap "why --retained" why
ktap "report --by root" report
ktap "report --by root,caller" pairs
ktap "report by call site" callers
ktap "charts by root" charts
ktap "call sites overlap" overlap
ktap "page" page
ktap "diff" differ
ktap "snapshot in a DB file" saved
ktap "damaged files" damaged
ktap "a file without parts" older
ktap_end
