#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# db delete with several names deletes all of them or none: files that cannot be written, names of one
# snapshot, and an error that only the end of the transaction finds. SQLite shows what is left.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
for n in 1 2 3; do "$program" report "$data/small.account" --save-db made.db@s$n >/dev/null; done

query() { sqlite3 -batch "$@"; }

# left FILE NUMBERS: the snapshots that are left
left() {
	local got

	got=$(query "$1" "SELECT group_concat(id) FROM sample")
	[ "$got" = "$2" ] || { echo "$1 has the snapshots $got, expected $2"; return 1; }
}

# said STATUS [LINE...]: of the last command, whose exit status is in $status
said() {
	cat stderr
	[ "$status" = "$1" ] && shift && printf '%s' "${@/%/$'\n'}" | sed 's/^/kmem-account: /' | diff - stderr
}

# delete NAME...: as a user without rights of root
delete() {
	local as=()

	[ "$(id -u)" -ne 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	status=0
	"${as[@]}" ./program db delete "$@" >stdout 2>stderr || status=$?
	[ ! -s stdout ]
}

# The file or the directory is read-only, or a table that a reader does not need is corrupt.
cannot_write() {
	local page

	chmod a+rx . && cp "$program" program && mkdir -p rw ro && cp made.db rw/a.db && cp made.db rw/ro.db && cp made.db ro/b.db &&
		cp made.db page.db && chmod a+rwx rw && chmod a+rw rw/a.db ro/b.db page.db && chmod a-w ro rw/ro.db || return
	page=$(query page.db "SELECT rootpage FROM sqlite_schema WHERE name = 'label'")
	dd if=/dev/zero of=page.db bs=1024 seek=$((page - 1)) count=1 conv=notrunc status=none
	delete rw/a.db@s1 rw/ro.db@s1 && said 1 'rw/ro.db: cannot write: the file or its directory is read-only' && left rw/a.db 1,2,3 || return
	delete rw/a.db@s1 ro/b.db@s1
	chmod u+w ro
	grep -q '^kmem-account: ro/b.db: cannot ' stderr && said 1 "$(sed 's/^kmem-account: //' stderr)" && left rw/a.db 1,2,3 || return
	delete rw/a.db@s1 page.db@s1
	grep -q '^kmem-account: page.db: corrupt: ' stderr && [ "$status" = 1 ] && left rw/a.db 1,2,3 || return
	: >rw/none.db
	chmod a+rw rw/none.db
	delete rw/a.db@s1 rw/none.db@s1 && said 1 'rw/none.db: no snapshots in this file' && left rw/a.db 1,2,3 && [ ! -s rw/none.db ] || return
	# and with nothing in the way
	cp made.db rw/c.db && chmod a+rw rw/c.db && delete rw/a.db@s1 rw/c.db@s3 && said 0 && left rw/a.db 2,3 && left rw/c.db 1,2
}

repeated() {
	cp made.db one.db && ln one.db linked.db && status=0 || return
	"$program" db delete one.db@s1 one.db@s1 'one.db@#1' ./one.db@s1 linked.db@s1 one.db@s3 2>stderr || status=$?
	said 0 && left one.db 2
}

# A row of another program needs the snapshot: SQLite looks at once, or when the transaction ends.
needed() {
	local foreign="CREATE TABLE other (id INTEGER REFERENCES sample" key='held.db: SQLite error: FOREIGN KEY constraint failed'

	cp made.db free.db && cp made.db held.db && query held.db "$foreign); INSERT INTO other VALUES (3)" && status=0 || return
	"$program" db delete free.db@s2 held.db@s3 2>stderr || status=$?
	said 1 "$key" && left free.db 1,2,3 || return
	cp made.db held.db && query held.db "$foreign DEFERRABLE INITIALLY DEFERRED); INSERT INTO other VALUES (3)" && status=0 || return
	"$program" db delete free.db@s2 held.db@s1 held.db@s3 free.db@s3 2>stderr || status=$?
	said 1 'db delete: 2 snapshots were deleted before the error that follows' "$key" &&
		left free.db 1,3 && left held.db 2,3 || return
	status=0
	"$program" db delete free.db@s1 held.db@s3 free.db@s3 2>stderr || status=$?
	said 1 'db delete: 1 snapshot was deleted before the error that follows' "$key" && left free.db 3
}

ktap_plan 3
ktap "a file that cannot be written" cannot_write
ktap "several names of one snapshot" repeated
ktap "a snapshot that a row of another program needs" needed
ktap_end
