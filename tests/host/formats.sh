#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Each version of each format that a program of this project ever wrote can be read: the files of
# tests/data/formats, which the programs of that time made. The expected numbers come from those
# programs (event logs) and from the rows of the accounts themselves, never from our reader.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

formats=$data/formats
cd "$work"

# event_log VERSION: the sums by call site that the writer of the log printed
event_log() {
	xz -dc "$formats/event-log-$1.log.xz" >events
	[ "$(od -An -tu2 -j 12 -N 2 events | tr -d ' ')" = "$1" ]
	"$program" report events --format csv 2>/dev/null >sites.csv
	# caller,current_dynamic,requested,waste,allocs,frees
	awk -F, '$1 ~ /^0x/ { print substr($1, length($1) - 7), $5, $6, $3, $2 }' sites.csv | sort >got
	sort "$formats/event-log-$1.sums" | diff - got
	[ "$(wc -l <got)" = 21 ]
}

# rows_of ACCOUNT: "caller total requested allocs frees" of its own rows, sorted
rows_of() {
	awk '/caller$/ { rows = 1; next }
	rows { split($4, n, "/"); caller = $5; for (i = 6; i <= NF; i++) caller = caller " " $i
		print caller, $1, $3, n[1], n[2] }' "$1" | sort
}

# account ARGUMENT...: what report says of an input, in the same form
account() {
	"$program" report "$@" --by caller --all --format csv 2>/dev/null |
		python3 -c 'import csv, sys
for row in list(csv.reader(sys.stdin))[1:]:
    print(row[0], row[1], row[2], row[4], row[5])' | sort
}

# equal FILE ARGUMENT...: the rows of the account FILE are those that report shows
equal() {
	rows_of "$1" >want
	[ -s want ]
	shift
	account "$@" | diff want -
}

# of KIND FILE: the lines of a file of sums that begin so, without the kind, sorted
of() { sed -n "s/^$1,//p" "$2" | sort; }

# groups KEY COLUMNS SNAPSHOT: those columns of each group
groups() {
	"$program" report "$3" --by "$1" --format csv 2>/dev/null | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row[sys.argv[1]], *(row[name] for name in sys.argv[2].split()), sep=",")' "$1" "$2" | sort
}

# db_groups FILE: what version 1 has of tasks, cgroups, charged bytes and tables
db_groups() {
	local key sums=$formats/db-1-groups.sums

	for key in task cgroup; do
		[ -n "$(of $key "$sums")" ]
		groups $key "current_dynamic requested allocs frees" "$1@$key" | diff <(of $key "$sums") -
	done
	groups cgroup charged "$1@charged" | diff <(of charged "$sums") -
	"$program" db show "$1@tables" | grep -qx "$(of note "$sums")"
	"$program" table sites "$1@tables" --format csv >got
	[ "$(wc -l <got)" = 5 ]
}

# A file that gets a snapshot is converted: the new file has all of it, the old one is as it was.
db_converted() {
	local number

	cp "$formats/db-1-groups.db" old.db
	chmod u+w old.db
	sqlite3 old.db "UPDATE sqlite_sequence SET seq = 7; PRAGMA foreign_keys = ON; DELETE FROM snapshot WHERE label = 'none'"
	cp old.db before.db
	"$program" db list old.db --format csv >listed
	"$program" db import old.db "$data/small.account" 2>said
	grep -qx 'kmem-account: old.db: converted to version 2; the file of version 1 is kept as old.db.v1' said
	cmp old.db.v1 before.db
	[ "$(sqlite3 old.db 'PRAGMA user_version')" = 2 ]
	"$program" db list old.db --format csv | sed -n 1,5p | diff listed -
	db_groups old.db
	for number in 1 2 3 4; do
		"$program" report "before.db@#$number" --format csv | diff - <("$program" report "old.db@#$number" --format csv)
		"$program" db show "before.db@#$number" | diff - <("$program" db show "old.db@#$number")
	done
	# numbers are not used again, also not those of before
	equal "$data/small.account" "old.db@#8"
	# once: the next one is added, the old file stays
	"$program" db import old.db@more "$data/small.account" 2>said
	[ ! -s said ]
	cmp old.db.v1 before.db
	# a file of the name under which the old one is kept is not replaced
	cp before.db other.db && echo precious >other.db.v1
	! "$program" db import other.db "$data/small.account" 2>said || return 1
	grep "other.db: cannot convert this file of version 1, because 'other.db.v1' exists" said
	cmp other.db before.db && grep -qx precious other.db.v1 && [ -z "$(find . -name 'other.db.*' ! -name other.db.v1)" ]
}

# A file with a write-ahead log that a killed program left: its data are converted, and in the file that is kept.
db_converted_log() {
	cp "$formats/db-1-groups.db" log.db
	chmod u+w log.db
	python3 - <<-'END'
		import os, sqlite3
		db = sqlite3.connect("log.db", isolation_level=None)
		assert db.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
		db.execute("UPDATE snapshot SET label = 'logged' WHERE id = 1")
		os._exit(0)
	END
	[ -s log.db-wal ]
	"$program" db import log.db "$data/small.account" 2>/dev/null
	[ "$("$program" report log.db@logged --by task --format csv | wc -l)" = 15 ]
	[ "$("$program" db list log.db --format csv | cut -d , -f 2 | xargs)" = "label logged cgroup charged tables" ]
	[ "$("$program" db list log.db.v1 --format csv | cut -d , -f 2 | xargs)" = "label logged cgroup charged tables" ]
	equal "$data/small.account" "log.db@#5"
}

# Eight programs save into one file of version 1: one converts it, and each snapshot is there.
db_converted_once() {
	local n pids=()

	cp "$formats/db-1-groups.db" many.db
	chmod u+w many.db
	for n in 1 2 3 4 5 6 7 8; do
		"$program" db import many.db@$n "$data/small.account" 2>>said.many & pids+=($!)
	done
	for n in "${pids[@]}"; do wait "$n"; done
	[ "$(grep -c converted said.many)" = 1 ]
	[ "$("$program" db list many.db --format csv | cut -d , -f 2 | sed 1,5d | sort | xargs)" = "1 2 3 4 5 6 7 8" ]
	cmp many.db.v1 "$formats/db-1-groups.db"
}

# history DIR: each sample of a history of version 1
history() {
	local at sums=$formats/history-1.sums

	for at in $(of site "$sums" | cut -d , -f 1 | uniq); do
		account "$1@$at" | diff <(of site "$sums" | sed -n "s/^$at,//p" | tr , ' ') -
		groups cgroup charged "$1@$at" | sed '/^\[in no group/d' | diff <(of charged "$sums" | sed -n "s/^$at,//p") -
	done
	[ "$at" = 1764000180 ]
}

# The program goes on in a history of version 1, whose days stay what they were.
history_goes_on() {
	cp -r "$formats/history-1" again && chmod -R u+w again
	python3 "$here/leaks.py" cgroups .
	"$program" watch -f c05 -n 1 again >/dev/null 2>&1
	[ "$(sqlite3 again/2025-11-24.kmh 'PRAGMA user_version; SELECT count(*) FROM sample' | xargs)" = "1 8" ]
	history again
	"$program" report again --by cgroup --format csv | diff - <("$program" report c05 --by cgroup --format csv)
}

# A database of a newer version is refused with a sentence, and not changed.
newer_db() {
	cp "$formats/db-1.db" newer.db
	sqlite3 newer.db 'PRAGMA user_version = 3'
	cp newer.db before.db
	! "$program" report --db-file newer.db@first 2>said || return 1
	grep 'newer.db: .*version 3 (supported: 1 and 2)' said
	cmp newer.db before.db
}

newer_log() {
	xz -dc "$formats/event-log-2.log.xz" >newer.log
	printf '\3' | dd of=newer.log bs=1 seek=12 conv=notrunc status=none
	! "$program" report newer.log 2>said || return 1
	grep 'newer.log: .*version 3' said
}

# The list of versions in the policy names each file.
policy() {
	local file

	for file in "$formats"/*; do
		grep -q "^${file##*/}\|[ ,]${file##*/}\|${file##*/}\|event-log-\*" "$formats/README" ||
			{ echo "$file is not in README"; return 1; }
	done
}

ktap_plan 14
ktap "event log, version 1" event_log 1
ktap "event log, version 2" event_log 2
ktap "account of 2026-11-21" equal "$formats/account-2026-11-21" -f "$formats/account-2026-11-21"
ktap "DB file, version 1: first snapshot" equal "$data/small.account" --db-file "$formats/db-1.db@first"
ktap "DB file, version 1: second snapshot" equal "$formats/account-2026-11-21" --db-file "$formats/db-1.db@second"
ktap "DB file, version 1: groups, charged bytes, tables" db_groups "$formats/db-1-groups.db"
ktap "DB file, version 1: converted when it is written" db_converted
ktap "DB file, version 1: converted with its log" db_converted_log
ktap "DB file, version 1: eight writers at once" db_converted_once
ktap "history, version 1" history "$formats/history-1"
ktap "history, version 1: goes on" history_goes_on
ktap "a newer DB file is refused" newer_db
ktap "a newer event log is refused" newer_log
ktap "each file is described" policy
ktap_end
