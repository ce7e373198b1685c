#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# diff against an independent script, over texts, DB files and kinds of both, and the
# exit status that scripts go by.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"

# random_account SEED SIZES: sites that two seeds share in part; SIZES is added to the
# size of each function, as if it was another build
random_account() {
	awk -v seed="$1" -v sizes="$2" 'BEGIN {
		srand(seed)
		for (i = 0; i < 400; i++) {
			if (rand() < 0.2) continue
			req = rand() < 0.5 ? i * 64 : int(4096 * rand()); slack = int(i / 7) * (rand() < 0.3)
			alloc = int(50 * rand())
			printf "%d %d %d %d %d fn_%d%s+0x%x/0x%x%s\n", req + slack, slack, req, alloc,
				int(alloc * rand()), i / 3, i % 11 ? "" : ".part.0",
				(i % 3 + 1) * 16 + sizes, 80 + i % 3 * 0 + sizes, i % 13 ? "" : " [mod]"
		}
		printf "0 0 0 0 %d [site table full]\n", 3 + seed
		printf "%d 0 %d 1 0 0xffffffffc0123456\n", 64 * seed, 64 * seed
	}' >"rows.$1"
	account_of "rows.$1"
}

random_account 1 0 >before
random_account 2 0 >after
random_account 3 8 >other
for n in before after other; do "$program" report $n --save-db "all.db@$n" >/dev/null; done

each_row() {
	local attr floor

	for attr in total slack req alloc free; do
		for floor in 0 1 100 100000; do
			"$program" diff before after -a $attr --floor $floor --format csv |
				python3 "$here/diff.py" before after $attr $floor
		done
	done
	"$program" diff after before --format csv | python3 "$here/diff.py" after before total 1
}

by_function() {
	"$program" diff before other --floor 0 --format csv |
		python3 "$here/diff.py" before other total 0 function
	"$program" diff before other >said
	grep -q '^shown:  live bytes, by function: these are two builds' said
	"$program" diff before other --format json >said
	grep -q '"matched_by": "function"' said
	"$program" diff before after --format json >said
	grep -q '"matched_by": "site"' said
	# a word of the kernel goes before a guess
	for n in before after; do sed "9s/\$/\nkernel release: 6.1.$n/" $n >named.$n; done
	"$program" diff named.before named.after --floor 0 --format csv |
		python3 "$here/diff.py" before after total 0 function
}

# Texts, snapshots, a pipe: the same rows. -a is not needed to be the first metric.
any_input() {
	local pair

	"$program" diff before after --format csv >want
	for pair in "all.db@before all.db@after" "before all.db@after" "all.db@#1 after" \
		"--db-file all.db@before after" "- after"; do
		# shellcheck disable=SC2086 # words
		"$program" diff $pair --format csv <before >got
		cmp want got
	done
	"$program" diff all.db@before after --save-db more.db@new --format csv >got
	cmp want got
	[ "$(sqlite3 more.db "SELECT label, input FROM label")" = "new|after" ]
	"$program" report more.db --format csv | cmp - <("$program" report after --format csv)
}

# Tables and JSON say the same; sums are those of the accounts.
formats_agree() {
	"$program" diff before after --floor 500 --top 20 --format csv >out.csv
	"$program" diff before after --floor 500 --top 20 --format json >out.json
	"$program" diff before after --floor 500 --top 20 --bytes >out.txt
	python3 - <<-'END'
		import csv, json, re
		rows = list(csv.DictReader(open("out.csv")))
		data = json.load(open("out.json"))
		assert [r["caller"] for r in rows] == [r["caller"] for r in data["rows"]]
		assert len(rows) == 22 and rows[20]["caller"].startswith("other (")
		for a, b in zip(rows, data["rows"]):
		    assert all(str(b[k]) == a[k] for k in ("state", "before", "after", "delta", "rows")), (a, b)
		    assert a["percent"] == (f'{b["percent"]:.2f}' if "percent" in b else ""), (a, b)
		header = lambda name: int(re.search(r"total bytes allocated: *(\d+)", open(name).read())[1])
		for side in ("before", "after"):
		    assert sum(int(r[side]) for r in rows) == data["total"][side] == header(side), side
		lines = open("out.txt").read().split("\n")
		assert lines[0] == "before: before" and lines[1] == "after:  after", lines[:2]
		body = [l.split(None, 4) for l in lines[5:5 + len(rows) + 1]]
		for a, b in zip(rows, body):
		    assert [int(b[0]), int(b[1]), int(b[2])] == [int(a[k]) for k in ("before", "after", "delta")], (a, b)
		    assert b[4].split(" (")[0] == a["caller"].split(" (")[0], (a, b)
		assert body[-1][4] == "total" and int(body[-1][2]) == data["total"]["delta"]
		assert data["before"]["not_counted"]["frees_of_unknown_objects"] == 12
	END
}

# Directories: before and after are those of two reports.
by_directory() {
	local by which

	fixture mktree.sh mini >/dev/null
	nm -n mini/tree/vmlinux >symbols
	for which in 1 2; do
		spans symbols | awk -v w=$which '{ if ((NR + w) % 4) {
			i = NR * NR * 37 * w; printf "%d %d %d %d %d %s+0x1/0x%x\n", i + NR, NR, i, NR, w, $1, $3 } }' >rows
		account_of rows >tree.$which
	done
	for by in dir file; do
		"$program" diff tree.1 tree.2 -k mini/tree --by $by --floor 0 --format csv >got
		for which in 1 2; do
			"$program" report tree.$which -k mini/tree --by $by --format csv >side.$which
		done
		python3 - $by <<-'END'
			import csv, sys
			by = sys.argv[1]
			sides = [{r[by]: int(r["current_dynamic"]) for r in csv.DictReader(open(f"side.{n}"))} for n in (1, 2)]
			got = {r[by]: (int(r["before"]), int(r["after"])) for r in csv.DictReader(open("got"))}
			assert got == {k: (sides[0].get(k, 0), sides[1].get(k, 0)) for k in set(sides[0]) | set(sides[1])}
			assert len(got) > 3
		END
	done
	"$program" diff tree.1 tree.2 -k mini/tree -b fs --format json >said
	grep -q '"branch": "fs"' said
	# a branch that only one side has is new
	sed -n '1,/caller$/p; /super/p' tree.1 >only
	"$program" diff only tree.2 -k mini/tree -b mm --by file --format csv >said 2>/dev/null
	grep -q '^mm/slab.c,new,0,' said
}

kinds() {
	cp all.db kinds.db
	sqlite3 kinds.db "UPDATE site SET kind = CASE id % 3 WHEN 0 THEN 'cache' ELSE 'kmalloc' END"
	"$program" diff kinds.db@before kinds.db@after --floor 0 --format csv | tail -n +2 | sort >got
	"$here/store.py" kinds.db "
		WITH a AS (SELECT caller, kind, sum(current_dynamic) v FROM site WHERE snapshot = 1 GROUP BY 1, 2),
		b AS (SELECT caller, kind, sum(current_dynamic) v FROM site WHERE snapshot = 2 GROUP BY 1, 2)
		SELECT caller, kind, v, ifnull((SELECT v FROM b WHERE b.caller = a.caller AND b.kind = a.kind), 0) FROM a
		UNION ALL SELECT caller, kind, 0, v FROM b WHERE NOT EXISTS
			(SELECT 1 FROM a WHERE b.caller = a.caller AND b.kind = a.kind)" | tr '|' , | sort >want
	cut -d, -f1,2,4,5 got | sort | diff want -
	"$program" diff kinds.db@before kinds.db@after --cache --format json | python3 -c '
import json, sys
total = json.load(sys.stdin)["total"]
assert [total["before"], total["after"]] == [int(n) for n in sys.argv[1].split()], total' \
		"$("$here/store.py" kinds.db "SELECT sum(current_dynamic) FROM site WHERE kind = 'cache'
			AND snapshot < 3 GROUP BY snapshot" | xargs)"
}

# status WANTED COMMAND...
status() {
	local want=$1 got=0
	shift

	"$program" "$@" >stdout 2>stderr || got=$?
	[ "$got" -eq "$want" ] || { echo "$*: exit status $got, expected $want"; cat stderr; return 1; }
	[ "$want" -eq 0 ] || [ "$(wc -l <stderr)" -eq 1 ]
}

# The total decides, and by how much it grew is exact.
fails_above() {
	local growth

	growth=$("$program" diff before after --format json | python3 -c '
import json, sys
print(json.load(sys.stdin)["total"]["delta"])')
	if [ "$growth" -lt 0 ]; then
		set -- after before
		growth=$((-growth))
	else
		set -- before after
	fi
	[ "$growth" -gt 1024 ]
	status 3 diff "$1" "$2" --fail-above $((growth - 1))
	[ -s stdout ]
	grep -q "^kmem-account: diff: $growth live bytes more than before" stderr
	status 0 diff "$1" "$2" --fail-above "$growth"
	status 3 diff "$1" "$2" --fail-above 1K
	status 0 diff "$1" "$2" --fail-above 1GiB
	status 0 diff "$2" "$1" --fail-above 0
	status 3 diff "$1" "$2" --fail-above 0
	status 0 diff "$1" "$1" --fail-above 0
}

refuses() {
	local words

	for words in "diff" "diff before" "diff before after other" "diff - -" "diff before after --by x" \
		"diff before after --floor -1" "diff before after --floor 1X" "diff before after --fail-above" \
		"diff before after --fail-above 99999999999999999999" "diff before after --floor 9999999T" \
		"diff before after --by dir" "diff before after --format xml" "diff --db-file all.db a b" \
		"diff before after -b fs"; do
		# shellcheck disable=SC2086 # words
		status 2 $words
	done
	status 1 diff before nosuch
	status 1 diff before after -a peak
	status 1 diff all.db@before all.db@nosuch
	[ ! -s stdout ]
}

# Inputs that name call sites differently have none in common, and this is said. Of the same type, nothing is.
nothing_common() {
	local r=$data/readers

	"$program" diff "$r/allocinfo-6.12" "$r/account-6.1" 2>stderr >said || return 1
	grep -q 'diff: the inputs have no call site in common, so each row is new or gone' stderr || return 1
	"$program" diff before after 2>stderr >said || return 1
	[ ! -s stderr ] || return 1
	"$program" diff "$r/sites-6.1" "$r/account-6.1" 2>stderr >said && [ ! -s stderr ]
}

# unlike BEFORE AFTER [OPTION]...: refused in one line, which is also in the file said; no output
unlike() {
	local code=0

	"$program" diff "$@" >out 2>said || code=$?
	if [ $code != 1 ] || [ -s out ] || [ "$(wc -l <said)" != 1 ]; then
		echo "$*: status $code"
		cat said
		return 1
	fi
}

# A file that has a row for each cgroup or node names no call sites, although "[before]" may be a row on both
# sides. With snapshots it is comparable by the groups that both have.
unlike_rows() {
	local r=$data/readers

	unlike "$r/cgroups-6.1" "$r/nodes-6.1" || return
	grep -q "cgroups-6.1' has a row for each cgroup, but '.*nodes-6.1' for each NUMA node; compare two inputs of the same type" said || return
	# a DB file and a history have the groups as call sites
	"$program" report "$r/cgroups-6.1" --save-db groups.db >/dev/null || return
	"$program" diff groups.db "$r/cgroups-6.1" --format csv >out || return
	[ "$(sed 1d out | cut -d , -f 1,2)" = '[unchanged],same' ] || return
	"$program" diff --db-file groups.db "$r/cgroups-6.1" --fail-above 1 >/dev/null || return
	unlike groups.db "$r/nodes-6.1" || return
	unlike "$r/account-6.1" "$r/cgroups-6.1" || return
	grep -q "account-6.1' has a row for each call site, but '.*cgroups-6.1' for each cgroup; compare" said || return
	unlike "$r/snapshot-nodes-6.1" "$r/nodes-6.1" --by function || return
	grep -q '; use --by node$' said || return
	unlike "$r/cgroups-6.1" "$r/snapshot-cgroups-6.1" --by cgroup,caller || return
	grep -q '; use --by cgroup$' said || return
	"$program" diff "$r/cgroups-6.1" "$r/snapshot-cgroups-6.1" --by cgroup >out 2>said && grep -q '  /c$' out || return
	"$program" diff "$r/nodes-6.1" "$r/nodes-6.1" >out 2>said && [ ! -s said ]
}

# A key of two parts has two columns in the table. A path of a cgroup may be long.
two_columns() {
	local long

	long=/kubepods.slice/$(printf '%0300d' 0).scope
	sed "s#\t/c\$#\t$long#" "$data/readers/snapshot-cgroups-6.1" >old
	awk -F '\t' -v OFS='\t' '/^== / { on = $0 == "== cgroups" }
		on && NF == 6 && $5 == 256 { $5 = $6 = 512 } 1' old >new
	"$program" diff old new --by cgroup,caller >out 2>said || { cat said; return 1; }
	grep -qE '  percent  cgroup +caller$' out || return
	grep -qE "  $long  __alloc_file\+0x23/0xd0$" out || { cat out; return 1; }
	if grep -q '[?]' out; then return 1; fi
}

ktap_plan 11
ktap "each row, by an independent script" each_row
ktap "by function across builds" by_function
ktap "texts, snapshots, a pipe" any_input
ktap "csv, json and table agree" formats_agree
ktap "by directory and file" by_directory
ktap "kinds" kinds
ktap "--fail-above" fails_above
ktap "inputs without a common call site" nothing_common
ktap "inputs with a row for each group, and others" unlike_rows
ktap "a key of two parts" two_columns
ktap "bad usage and bad input" refuses
ktap_end
