#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Cgroups and tasks in DB files: what log-tasks.py knows comes back from the file, in its tables as
# SQLite shows them; diff; deleted snapshots; charged bytes; files of older programs; corrupt files.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"

# rows KEY FILE: "owner,live,requested,allocs,frees", sorted
rows() {
	"$program" report "$2" --by "$1" --format csv 2>stderr | python3 -c '
import csv, sys
rows = csv.DictReader(sys.stdin)
sys.stdout.writelines(sorted(",".join(row[k] for k in (
    sys.argv[1], "current_dynamic", "requested", "allocs", "frees")) + "\n" for row in rows))' "$1"
}

# query STATEMENT: of what store.py, a reader of its own, finds in the file
query() { "$here/store.py" x.db "$1" | tr '|' ,; }

# sql STATEMENT: of the tables as they are
sql() { sqlite3 -batch -csv x.db "PRAGMA foreign_keys = ON; $1"; }

saved() {
	local key

	rm -f x.db
	for key in task cgroup; do
		"$program" report kmem.log --by "$key" --save-db "x.db@$key" --format csv >/dev/null 2>stderr ||
			{ cat stderr; return 1; }
		rows "$key" "x.db@$key" >got && diff "$key.csv" got || return 1
		query "SELECT name, sum(current_dynamic), sum(requested), sum(allocs), sum(frees)
			FROM part p JOIN grouped g ON g.snapshot = p.snapshot AND g.kind = p.kind
			AND g.nr = p.grouped JOIN snapshot s ON s.id = p.snapshot
			WHERE label = '$key' AND p.kind = '$key' GROUP BY name" | sort | diff "$key.csv" - || return 1
	done
	# each call site is there once
	[ "$(query "SELECT count(*) = count(DISTINCT caller || kind) FROM site WHERE snapshot = 1")" = 1 ]
}

# A snapshot that was loaded is saved again with its groups.
again() {
	rm -f y.db
	"$program" report x.db@cgroup --by caller --save-db y.db --format csv >/dev/null 2>stderr &&
		rows cgroup y.db | diff cgroup.csv -
}

changes() {
	"$made" --seed 2 kmem2.log t2.csv cgroup2.csv || return 1
	"$program" report kmem2.log --by cgroup --save-db x.db@later >/dev/null 2>stderr || return 1
	"$program" diff x.db@cgroup x.db@later --by cgroup --format csv >diff.csv 2>stderr || { cat stderr; return 1; }
	python3 - <<-'END'
		import csv
		def live(path):
		    return {f[0]: int(f[1]) for f in (l.rstrip("\n").rsplit(",", 4) for l in open(path))}
		old, new = live("cgroup.csv"), live("cgroup2.csv")
		got = {r["cgroup"]: (int(r["before"] or 0), int(r["after"] or 0)) for r in csv.DictReader(open("diff.csv"))}
		want = {k: (old.get(k, 0), new.get(k, 0)) for k in set(old) | set(new)}
		assert got == want, (got, want)
	END
}

# A program that deletes the row of a snapshot deletes its groups.
deleted() {
	"$program" db delete x.db@later >out 2>&1 || { cat out; return 1; }
	[ "$(sql "SELECT count(*) FROM parts")" = 2 ] && [ "$(query "SELECT count(*) FROM part WHERE snapshot = 3")" = 0 ] &&
		rows cgroup x.db@cgroup | diff cgroup.csv -
}

# A name that only the deleted snapshot had is gone; those of the others stay.
forgotten() {
	"$program" report x.db@cgroup --by cgroup --save-db x.db@gone >/dev/null 2>&1 && sql "UPDATE grouped SET name = 'secret'
		WHERE kind = 'task' AND name <> '[other]'" && "$program" db delete x.db@task && ! sqlite3 x.db .dump | grep secret &&
		rows cgroup x.db@cgroup | diff cgroup.csv - && rows cgroup x.db@gone | diff cgroup.csv -
}

# A file of an older program, without groups: it is converted.
older() {
	cp "$data/formats/db-1.db" x.db
	chmod u+w x.db
	"$program" report x.db --by cgroup >out 2>stderr && return 1
	grep -q 'no cgroups in this input' stderr || { cat stderr; return 1; }
	"$program" report kmem.log --by cgroup --save-db x.db@new >/dev/null 2>stderr || { cat stderr; return 1; }
	rows cgroup x.db@new | diff cgroup.csv - && "$program" report x.db@#1 >/dev/null
}

# charged_sums FILE: "cgroup,charged", sorted
charged_sums() {
	"$program" report "$1" --by cgroup --format csv 2>stderr | python3 -c '
import csv, sys
sys.stdout.writelines(sorted(row["cgroup"] + "," + row["charged"] + "\n" for row in csv.DictReader(sys.stdin)))'
}

# What memcg was asked to charge, by the program and by SQLite against the rows of the module's file.
charged() {
	rm -f x.db
	charge "$data/readers/snapshot-cgroups-6.1" >with || return
	"$program" report with --by cgroup --save-db x.db@cgroup >/dev/null 2>stderr || { cat stderr; return 1; }
	awk -F '\t' '/^== / { on = $0 == "== cgroups" } on && NF == 7 && /^[0-9]/ { n[$2] += $7 }
		on && NF == 2 && /^[0-9]/ { name[$1] = $2 }
		BEGIN { name[-1] = "[irq]"; name[-2] = "[kthread]"; name[-3] = "[before]"; name[-4] = "[gone]" }
		END { for (id in n) print name[id] "," n[id] }' with | sort >want || return
	awk -F, '{ n += $2 } END { exit !(n > 1000) }' want || return
	charged_sums x.db >got && diff want got || return
	query "SELECT name, total(c.charged) FROM part p JOIN grouped g ON g.snapshot = p.snapshot
		AND g.kind = p.kind AND g.nr = p.grouped LEFT JOIN charged c ON c.snapshot = p.snapshot
		AND c.kind = p.kind AND c.nr = p.nr GROUP BY name" | sed 's/\.0$//' | sort | diff want - || return
	rm -f y.db
	"$program" report x.db --by caller --save-db y.db >/dev/null 2>stderr && charged_sums y.db | diff want -
}

# Absent is not 0: no column for a snapshot that does not tell it, beside one that does.
untold() {
	"$program" report "$data/readers/snapshot-cgroups-6.1" --by cgroup --save-db x.db@old >/dev/null 2>stderr || return
	"$program" report x.db@old --by cgroup --format csv >out 2>stderr || return
	sed 1q out | grep charged && return 1
	charged_sums x.db@cgroup | diff want - || return
	[ "$(query "SELECT count(*), count(DISTINCT snapshot) FROM charging")" = 1,1 ]
}

# corrupt LABEL STATEMENT: in a file of version 1 it is found, whatever was asked for
corrupt() {
	local code=0

	cp "$data/formats/db-1-groups.db" x.db
	chmod u+w x.db
	sql "$2" >/dev/null
	"$program" report "x.db@$1" --by cgroup >out 2>stderr || code=$?
	cat stderr
	[ $code != 0 ] && grep -q 'corrupt: the rows by cgroup of snapshot' stderr
}

made=$here/log-tasks.py
"$made" kmem.log task.csv cgroup.csv
ktap_plan 19
ktap "tasks and cgroups come back, and are in the tables" saved
ktap "a snapshot is saved again with its cgroups" again
ktap "diff by cgroup" changes
ktap "a deleted snapshot leaves no groups" deleted
ktap "names of a deleted snapshot are gone" forgotten
ktap "a file of an older program" older
ktap "corrupt: fewer bytes" corrupt cgroup "UPDATE part SET current_dynamic = current_dynamic - 1
	WHERE snapshot = 2 AND nr = 0 AND current_dynamic > 0 OR snapshot = 2 AND nr = 1"
ktap "corrupt: more bytes requested than allocated" corrupt cgroup "UPDATE part SET requested = current_dynamic + 1
	WHERE snapshot = 2 AND nr = 0"
ktap "corrupt: a row is gone" corrupt cgroup "DELETE FROM part WHERE snapshot = 2 AND nr = 3"
ktap "corrupt: a name is gone" corrupt cgroup "DELETE FROM grouped WHERE snapshot = 2 AND nr = 2"
ktap "corrupt: another call site" corrupt cgroup "UPDATE part SET site = 1000000 WHERE snapshot = 2 AND nr = 3"
ktap "corrupt: not a number" corrupt cgroup "UPDATE part SET allocs = 'x' WHERE snapshot = 2 AND nr = 3"
ktap "charged bytes come back, and are in the tables" charged
ktap "a snapshot without charged bytes has no such column" untold
ktap "corrupt: fewer bytes charged" corrupt charged "UPDATE charged SET charged = charged - 1
	WHERE nr = (SELECT min(nr) FROM charged)"
ktap "corrupt: a charged row is gone" corrupt charged "DELETE FROM charged WHERE nr = (SELECT min(nr) FROM charged)"
ktap "corrupt: a charged row of no part" corrupt charged "UPDATE charged SET nr = 1000000
	WHERE nr = (SELECT min(nr) FROM charged)"
ktap "corrupt: more charged than there is" corrupt charged "UPDATE charged SET charged = charged + 1000000
	WHERE nr = (SELECT min(nr) FROM charged)"
ktap "corrupt: charged bytes without their sum" corrupt charged "UPDATE charging SET charged = 'x'"
ktap_end
