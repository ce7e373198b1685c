#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Reports and charts by stack and by cache: every row as an independent script has it, without
# helpers and through a function; stacks as lists of frames in JSON; trees of functions in a
# chart; inputs that have no stacks or no caches.
# shellcheck disable=SC2015 # what fails shows its output
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

sites=$data/readers/sites-stack-6.1
cd "$work"

# two more kinds of rows: of before stacks, and of several caches
{
	cat "$sites"
	awk -F'\t' -v OFS='\t' 'NR == 3 { $20 = "[before]"; $1 = 9001; print }
		NR == 4 { $17 = "kmalloc-64"; $1 = 9002; print }' "$sites"
} >both

# agrees FILE BY [OPTION...]: with the script, in each row
agrees() {
	local file=$1 by=$2
	shift 2

	"$program" report "$file" --by "$by" --sort total "$@" --format csv 2>stderr >table || { cat stderr; return 1; }
	python3 -c '
import csv, sys
rows = csv.DictReader(open("table"))
keys = sys.argv[1].split(",")
out = csv.writer(sys.stdout, lineterminator="\n")
for row in rows:
    out.writerow([*(row[key] for key in keys), row["current_dynamic"], row["allocs"]])' "$by" | sort >got
	"$here/stacks.py" "$file" "$by" "$@" | sort >want
	[ "$(wc -l <want)" -ge "${least:-10}" ] && diff want got
}

by_stack() {
	agrees "$sites" stack && agrees both stack && grep -q '\[before\]' got
}

# SLUB's own file has stacks, too: objects, no bytes.
of_slub() {
	"$program" report "$data/readers/alloc_traces-6.1" --by stack "$@" --format csv >table || return 1
	python3 -c '
import csv
for row in csv.DictReader(open("table")):
    print(row["stack"], row["objects"], sep=",")' | sort >got
	"$here/stacks.py" "$data/readers/alloc_traces-6.1" stack "$@" | sed 's/,0$//' | sort >want
	[ "$(wc -l <want)" -gt 20 ] && grep -q ';.*;' got && diff want got
}

by_slub() { of_slub && of_slub --skip 'dup_fd,copy_*'; }

by_cache() {
	agrees "$sites" cache && agrees both cache && grep -q 'several caches' got &&
		agrees both cache,caller && grep -q '^cache,caller,current_dynamic' table
}

# A row is the first function that is no helper, and the report says so.
skipped() {
	agrees "$sites" caller --skip 'alloc_inode,d_alloc,__d_*' || return 1
	grep -q new_inode got && ! grep -q '^alloc_inode' got || return 1
	agrees both stack --skip 'alloc_inode,new_inode' || return 1
	"$program" report "$sites" --skip alloc_inode,nosuch >stdout || return 1
	grep -q '^A row is the first function that is not a helper. Helpers skipped: alloc_inode\.$' stdout || return 1
	"$program" report "$sites" --skip default --by caller --format json >out.json || return 1
	python3 -c '
import json
report = json.load(open("out.json"))
helpers = report["helpers_skipped"].split(", ")
assert {"alloc_inode", "__d_alloc", "prepare_creds"} <= set(helpers), helpers
for row in report["rows"]:
    assert row["caller"].split("+")[0] not in helpers, row' || return 1
	# nothing is lost
	for skip in default 'default,copy_process' 'a*,c*'; do
		"$program" report "$sites" --skip "$skip" --by caller --format csv | python3 -c '
import csv, sys
print(sum(int(row["current_dynamic"]) for row in csv.DictReader(sys.stdin)))' >got
		awk -F'\t' 'NR > 2 { sum += $3 } END { print sum }' "$sites" | diff - got || return 1
	done
}

through() {
	least=3 agrees "$sites" stack --through new_inode || return 1
	grep -q 'rows without a stack, with [0-9]* live bytes, are left out by --through' stderr || return 1
	least=1 agrees "$sites" caller --through kernel_clone --skip copy_process || return 1
	! "$program" report "$sites" --through nosuch 2>stderr && grep -q "no stack in this input passes through 'nosuch'" stderr
}

# The sum of each node of the tree, as the chart shows it.
tree() {
	local order

	for order in down up; do
		"$program" icicle both --by "$([ $order = down ] && echo stack || echo callers)" \
			--depth 12 --width 8000 -r tree.svg || return 1
		"$here/stacks.py" both tree $order >nodes
		python3 -c '
import html, re
shown = dict(re.findall(r"<title>(.*?): ([0-9.]+ [KM]?i?B), ", html.unescape(open("tree.svg").read())))
nodes = dict(line.rstrip("\n").split("\t") for line in open("nodes"))
checked = 0
for path, live in nodes.items():
    if path not in shown:
        continue
    live = int(live)
    want = f"{live} B" if live < 1024 else f"{live / 1024:.1f} KiB"
    assert shown[path] == want, (path, shown[path], want)
    checked += path.count("/") > 0
assert checked > 20, checked' || return 1
	done
}

frames() {
	"$program" report "$sites" --by stack --format json >out.json || return 1
	python3 -c '
import json, sys
lines = open(sys.argv[1]).read().splitlines()
names = lines[1][2:].split("\t")
want = {tuple(dict(zip(names, line.split("\t")))["stack"].split(";")) for line in lines[2:]}
got = {tuple(row["stack"]) for row in json.load(open("out.json"))["rows"]}
assert len([s for s in got if len(s) > 1]) > 20
assert {s for s in got if "[no stack]" not in s} == {s for s in want if s != ("-",)}' "$sites"
}

compared() {
	awk -F'\t' -v OFS='\t' 'NR > 2 && $20 ~ /copy_process.*kernel_clone/ { $3 += 1000; $5 += 1000 } { print }' "$sites" >after
	"$program" diff "$sites" after --by stack --format csv >got || return 1
	grep -q '^copy_process+0x20e/0x1ae0;kernel_clone+0xbf/0x430;__do_sys_clone+0x7b/0xb0,.*changed,8384,9384,1000' got
}

# Stacks that are samples: their call site's objects are shared as they are, and each output says so.
samples() {
	awk -F'\t' -v OFS='\t' 'NR <= 2 { print } NR == 3 {
		split("30 10 60 900", objects, " ")
		split("a b c [unsampled]", by, " ")
		for (i = 1; i <= 4; i++) {
			$1 = i; $3 = $5 = $10 = $11 = 64 * objects[i]; $6 = objects[i]
			$4 = $7 = $8 = $9 = 0
			$20 = i < 4 ? $15 ";" by[i] "+0x1/0x2" : by[i]
			print
		}
	}' "$sites" >sampled
	"$program" report sampled --by stack --format csv >got 2>stderr || return 1
	[ "$(cut -d , -f 1,2,5,11 got | sed 's/.*;//' | sort)" = "a+0x1/0x2,19200,300,30
b+0x1/0x2,6400,100,10
c+0x1/0x2,38400,600,60
stack,current_dynamic,allocs,samples" ] || { cat got; return 1; }
	grep -q 'estimates: the stacks of 100 of 1000 live objects of 1 call site were taken' stderr || return 1
	"$program" report sampled --by stack >stdout 2>/dev/null || return 1
	grep -q '^Numbers are estimates: ' stdout || return 1
	"$program" report sampled --by stack --format json >out.json 2>/dev/null || return 1
	grep -q '"stacks_sampled": "100 of 1000 live objects' out.json || return 1
	"$program" icicle sampled --by stack --plain -r sampled.svg -r sampled.html 2>stderr || return 1
	grep -q 'estimates from samples' sampled.svg && grep -q '(estimates)' sampled.html && grep -q estimates stderr || return 1
	# the other formats have call sites alone, which are exact
	"$program" export pprof sampled >sampled.pb.gz || return 1
	gzip -dc sampled.pb.gz >sampled.pb && grep -qa 'numbers by stack are estimates: the stacks of 100 of 1000' sampled.pb || return 1
	"$program" diff sampled sampled --by stack >stdout 2>stderr && grep -q estimates stderr || return 1
	# a call site is exact
	"$program" report sampled --by caller --format csv >got 2>stderr || return 1
	[ ! -s stderr ] && grep -q ',64000,64000,0,1000,0,' got && ! grep -q live_error got
}

refused() {
	local message=$1
	shift

	! "$program" "$@" >stdout 2>stderr && [ ! -s stdout ] && [ "$(wc -l <stderr)" -le 2 ] &&
		grep -qF -- "$message" stderr || { cat stderr; return 1; }
}

bad() {
	local account=$data/readers/account-6.1

	refused "no stacks in this input; write 'stacks 8' to" report "$account" --by stack || return 1
	refused "no stacks in this input" icicle "$account" --by callers -r x.svg || return 1
	refused "no stacks in this input" report "$data/readers/sites-6.1" --skip default || return 1
	refused "no slab caches in this input; read" report "$account" --by cache || return 1
	refused "names of functions separated by commas" report "$sites" --skip 'a,,b' || return 1
	refused "names of functions separated by commas" report "$sites" --through 'a b' || return 1
	refused "names of functions separated by commas" report "$sites" --skip '*' || return 1
	refused "-b needs --by dir" icicle "$sites" --by stack -b fs -r x.svg || return 1
	refused "an event log has no stacks" timeline "$account" --by stack || return 1
	[ ! -e x.svg ] || return 1
	# hostile names: no frame, empty frames, one that is all of a line
	awk -F'\t' -v OFS='\t' 'NR == 3 { $20 = ";;;" } NR == 4 { $20 = "a;[;]" }
		NR == 5 { s = "x"; for (i = 0; i < 300; i++) s = s ";f" i; $20 = s } { print }' "$sites" >odd
	"$program" report odd --by stack --format csv >got 2>stderr || return 1
	grep -q '^;;;,8384,' got || return 1
	"$program" icicle odd --by stack -r odd.svg && "$program" icicle odd --by callers -r odd.svg
}

ktap_plan 10
ktap "rows by stack" by_stack
ktap "rows by stack of SLUB" by_slub
ktap "rows by cache, and by cache and caller" by_cache
ktap "without helpers" skipped
ktap "through a function" through
ktap "trees of functions" tree
ktap "JSON has frames" frames
ktap "compared" compared
ktap "stacks that are samples" samples
ktap "bad input" bad
ktap_end
