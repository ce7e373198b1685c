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

# A database of version 2 is refused with a sentence, and not changed.
newer_db() {
	cp "$formats/db-1.db" newer.db
	sqlite3 newer.db 'PRAGMA user_version = 2'
	cp newer.db before.db
	! "$program" report --db-file newer.db@first 2>said || return 1
	grep 'newer.db: .*version 2' said
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

ktap_plan 8
ktap "event log, version 1" event_log 1
ktap "event log, version 2" event_log 2
ktap "account of 2026-11-21" equal "$formats/account-2026-11-21" -f "$formats/account-2026-11-21"
ktap "DB file, version 1: first snapshot" equal "$data/small.account" --db-file "$formats/db-1.db@first"
ktap "DB file, version 1: second snapshot" equal "$formats/account-2026-11-21" --db-file "$formats/db-1.db@second"
ktap "a newer DB file is refused" newer_db
ktap "a newer event log is refused" newer_log
ktap "each file is described" policy
ktap_end
