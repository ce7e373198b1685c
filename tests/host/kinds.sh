#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A caller that allocates in several ways has a row for each kind: kinds.py writes inputs with such callers
# and knows their numbers; csv and json of each command have these rows, with the kind. Tables for people show
# the kind of those rows, and of no other.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

kinds=$here/kinds.py
cd "$work"
mkdir in
"$kinds" make in

# both COMMAND...: its csv and json, as out.csv and out.json
both() {
	if ! "$program" "$@" --format csv >out.csv 2>stderr || ! "$program" "$@" --format json >out.json 2>>stderr; then
		cat stderr
		return 1
	fi
}

# rows INPUT KEY COMMAND...: the rows are those of INPUT
rows() {
	both "${@:3}" && "$kinds" same "in/$1" "$2" out.csv out.json
}

reports() {
	local input

	for input in ftrace.log event.log sites; do
		rows $input current_dynamic report in/$input --by caller || { echo "$input"; return 1; }
	done
}

# Each option of a kind shows the rows with this kind, so the sums agree.
filters() {
	local option=$1 kind=$2 input

	for input in ftrace.log event.log sites; do
		"$program" report in/$input --by caller --format csv 2>/dev/null | awk -v k=",$kind" 'NR == 1 || $0 ~ k "$"' | sort >want
		"$program" report in/$input --by caller "$option" --format csv 2>/dev/null | sort | diff want - || return 1
		[ "$(wc -l <want)" -ge 2 ] || return 1
	done
}

saved() {
	"$program" report in/ftrace.log --save-db kinds.db >/dev/null 2>&1 || return 1
	rows ftrace.log current_dynamic report kinds.db --by caller
}

# A log that was read by task or cgroup is saved as an account and its parts.
saved_by() {
	local key

	for key in task cgroup; do
		rm -f by.db
		"$program" report in/event.log --by $key --save-db by.db >/dev/null 2>&1 || return 1
		rows event.log current_dynamic report by.db --by caller || return 1
	done
}

# Who called a helper is charged by kind, too: each stack begins with the caller, which is skipped.
skipped() {
	both report in/sites --by caller --skip both,slab && "$kinds" unlike caller,kind out.csv || return 1
	# the half without a stack stays with its site
	[ "$(awk -F, '/^do_syscall_64/ { n++ } END { print n }' out.csv)" = 4 ] &&
		[ "$(awk -F, '{ s += $2 } END { print s }' out.csv)" = \
			"$(python3 -c 'import json; print(sum(r[2] for r in json.load(open("in/sites.json"))))')" ]
}

# Per-CPU memory and other memory: kmemleak does not say the kind of the latter.
unknown() {
	cat >kmemleak <<-'END'
		unreferenced object 0xffff888100000000 (size 64):
		  comm "x", pid 1, jiffies 4294892345 (age 5.000s)
		  backtrace:
		    [<00000000aaaaaaaa>] both+0x30/0x100
		unreferenced object (percpu) 0x607f00000040 (size 8):
		  comm "x", pid 1, jiffies 4294892345 (age 5.000s)
		  backtrace:
		    [<00000000aaaaaaaa>] both+0x30/0x100
	END
	both report kmemleak --by caller || return 1
	awk -F, -v OFS=, '{ print $1, $2, $NF }' out.csv | sort | diff - <(printf '%s\n' both+0x30/0x100,64, \
		both+0x30/0x100,8,percpu caller,current_dynamic,kind) &&
		grep -c '"caller": "both+0x30/0x100"' out.json | grep -qx 2 && grep -c '"kind"' out.json | grep -qx 1 || return 1
	"$program" report kmemleak --by caller 2>/dev/null | grep -o 'both.*' | sort | diff - <(printf '%s\n' \
		both+0x30/0x100 'both+0x30/0x100 (percpu)')
}

# Rows of an input that neither text nor kind distinguishes are one row: two allocations of one line.
one_row() {
	cat >allocinfo <<-'END'
		allocinfo - version: 1.0
		#     <size>  <calls> <tag info>
		       24576        6 fs/exec.c:1510 func:alloc_bprm
		         640       10 fs/exec.c:1512 func:alloc_bprm
		       12288        3 fs/exec.c:1510 func:alloc_bprm
	END
	both report allocinfo --by caller || return 1
	sed 1d out.csv | cut -d, -f 1-2 | diff - <(printf 'fs/exec.c:%s\n' '1510 alloc_bprm,36864' '1512 alloc_bprm,640')
}

# If one input has no kinds, the rows have none: one for each caller.
without_kinds() {
	"$program" report in/ftrace.log --by caller --format json >out.json 2>/dev/null || return 1
	python3 - >plain <<-'END' || return 1
		import json
		for caller, kind, live, req, allocs, frees in json.load(open("in/ftrace.log.json")):
		    print(live, live - req, req, allocs, frees, caller)
	END
	account_of plain >plain.account
	"$program" report plain.account --by caller --format csv >out.csv 2>/dev/null && ! grep -q kind out.csv &&
		[ "$(wc -l <out.csv)" = 4 ] || return 1
	"$program" diff plain.account in/ftrace.log --floor 0 --format csv >out.csv 2>/dev/null && ! grep -q kind out.csv &&
		"$kinds" unlike caller out.csv && [ "$(awk -F, 'NR > 1 { s += $5 } END { print s }' out.csv)" = 0 ]
}

# The numbers of the second log, and of the first; of a branch, too, which has all callers here.
diffs() {
	rows ftrace.log after diff in/early.log in/ftrace.log --floor 0 && cp out.csv whole.csv &&
		rows early.log before diff in/early.log in/ftrace.log --floor 0 || return 1
	fixture mktree.sh mini >/dev/null
	both diff in/early.log in/ftrace.log --floor 0 --by caller -k mini --force -b '[unknown symbol]' && cmp out.csv whole.csv
}

# also of a DB file of two snapshots
leaky() {
	rows ftrace.log live leaks in/early.log in/ftrace.log --interval 60 || return 1
	grep -q '^1,' out.csv && "$program" leaks in/early.log in/ftrace.log --interval 60 --top 9 2>/dev/null | shown
}

tops() {
	rows ftrace.log live top -b -n 1 in/ftrace.log --by caller || return 1
	"$program" top -b -n 1 in/ftrace.log --by caller 2>/dev/null | shown || return 1
	# each row has the largest of its own cgroups
	both top -b -n 1 in/event.log --by caller && "$kinds" unlike caller,kind out.csv
}

objects() {
	both objects in/event.log --show sites || return 1
	# live is a number of objects there
	python3 - <<-'END' || { cat out.csv; return 1; }
		import csv, json
		want = sorted([c, k, allocs, frees, allocs - frees] for c, k, _, _, allocs, frees in json.load(open("in/event.log.json")))
		for rows in csv.DictReader(open("out.csv")), json.load(open("out.json"))["sites"]:
		    assert sorted([r["caller"], r["kind"], *(int(r[n]) for n in ("allocs", "freed", "live"))] for r in rows) == want
	END
	"$program" objects in/event.log --show sites 2>/dev/null | shown || return 1
	"$program" objects in/event.log --show sites --by task,caller --format csv >out.csv 2>/dev/null &&
		"$kinds" unlike caller,task,kind out.csv && ! "$kinds" unlike caller,kind out.csv >/dev/null &&
		[ "$(head -n 1 out.csv | grep -o '[^,]*,[^,]*,[^,]*$')" = task,caller,kind ] || return 1
	# by a key, and of the call sites that a rule selects
	"$program" objects in/event.log --show sites --by kind --not kind=page --format csv >out.csv 2>/dev/null
	python3 - <<-'END' || { cat out.csv; return 1; }
		import collections, csv, json
		want = collections.Counter()
		for c, k, _, _, allocs, frees in json.load(open("in/event.log.json")):
		    if k != "page":
		        want[k, "allocs"] += allocs
		        want[k, "freed"] += frees
		rows = list(csv.DictReader(open("out.csv")))
		assert len({r["kind"] for r in rows}) == len(rows) and "caller" not in rows[0]
		assert want == {(r["kind"], n): int(r[n]) for r in rows for n in ("allocs", "freed")}
	END
}

# shown: people see the kind of callers with several rows, and of no other
shown() {
	grep -o '\(both\|slab\|plain\)+.*' | sed 's/  .*//' | sort | diff - <(printf '%s+0x30/0x100%s\n' both ' (cache)' \
		both ' (kmalloc)' both ' (page)' both ' (percpu)' plain '' slab ' (cache)' slab ' (kmalloc)')
}

tables() {
	"$program" report in/ftrace.log --by caller 2>/dev/null | shown && "$program" report in/event.log --by caller 2>/dev/null | shown || return 1
	# with one row for each caller, the kind is no news
	! "$program" report in/ftrace.log --by caller --cache 2>/dev/null | grep ' (cache)'
}

# A column of csv, and a track of JSON, for each row.
timelines() {
	"$program" timeline in/event.log --by caller --format json 2>/dev/null | grep -o '"name":"[^"]*+[^"]*"' | sort -u | cut -d '"' -f 4 | shown || return 1
	"$program" timeline in/event.log --by caller 2>/dev/null >out.csv && sed 's/,/\n/g;q' out.csv | tail -n +3 | shown &&
		[ "$(tail -n 1 out.csv | tr ',' '\n' | sed 1,2d | sort -n | tr '\n' ' ')" = \
			"$(python3 -c 'import json; print(*sorted(r[2] for r in json.load(open("in/event.log.json"))), end=" ")')" ]
}

# Other keys roll up: a row of such a key has no kind, and its sums are those of the rows by caller.
other_keys() {
	local key

	for key in function module task task,caller; do
		both report in/event.log --by $key && "$kinds" unlike $key out.csv && ! grep kind out.csv || return 1
	done
}

ktap_plan 18
ktap "report: rows of each kind in csv and json" reports
ktap "report: --malloc" filters --malloc kmalloc
ktap "report: --cache" filters --cache cache
ktap "report: --pages" filters --pages page
ktap "report: --percpu" filters --percpu percpu
ktap "report: a table shows the kind of several rows of a caller" tables
ktap "report: --skip" skipped
ktap "report: a kind that the input does not say" unknown
ktap "report: two rows that are alike are one" one_row
ktap "report: other keys have no kind" other_keys
ktap "DB file of a log" saved
ktap "DB file of a log by task and by cgroup" saved_by
ktap "diff" diffs
ktap "diff with an input without kinds" without_kinds
ktap "leaks" leaky
ktap "top" tops
ktap "objects" objects
ktap "timeline" timelines
ktap_end
