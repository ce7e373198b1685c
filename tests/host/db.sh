#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# DB files: what store.py, a reader of its own, finds in them, what other programs do to them meanwhile,
# and what is left when the program is killed while it saves.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

small=$data/small.account
rounds=${KMA_KILLS:-25}
cd "$work"

query() { "$here/store.py" "$@"; }

raw() { sqlite3 -batch "$@"; }

same() { diff -u "$1" "$2" >differences || { head -20 differences; return 1; }; }

# refused PATTERN COMMAND...: exit status 1 and one line on stderr
refused() {
	local pattern=$1 got=0
	shift

	"$program" "$@" >stdout 2>stderr </dev/null || got=$?
	[ "$got" -eq 1 ] || { echo "exit status $got, expected 1"; cat stderr; return 1; }
	if [ "$(wc -l <stderr)" -ne 1 ] || ! grep -qE "^kmem-account: $pattern" stderr; then
		echo "expected one line: kmem-account: $pattern"
		cat stderr
		return 1
	fi
}

# rows of an account text: caller|total|slack|req|alloc|free
text_rows() {
	awk '/caller$/ { rows = 1; next }
	rows { split($4, n, "/"); caller = $5; for (i = 6; i <= NF; i++) caller = caller " " $i
		print caller "|" $1 "|" $2 "|" $3 "|" n[1] "|" n[2] }' "$1"
}

# Accounts of N rows, drawn from SEED.
account_made() {
	awk -v n="$1" -v seed="$2" 'BEGIN { srand(seed); for (i = 0; i < n; i++) {
		req = int(4096 * rand()); slack = int(64 * rand()); a = int(99 * rand())
		printf "%d %d %d %d %d function_%d+0x%x/0x%x\n", req + slack, slack, req, a,
			int(a * rand()), i, i % 96 + 1, i % 96 + 48 } }' >"rows.$2"
	account_of "rows.$2"
}

content_is_the_text() {
	rm -f a.db
	"$program" report "$small" --save-db a.db@one >/dev/null
	query a.db "SELECT caller, current_dynamic, waste, requested, allocs, frees
		FROM site ORDER BY nr" >got
	text_rows "$small" >want
	same want got
	[ "$(query a.db "SELECT sum(kind IS NOT NULL), sum(path IS NOT NULL) FROM site")" = "0|0" ]
	[ "$(query a.db "PRAGMA application_id; PRAGMA user_version; PRAGMA integrity_check" | xargs)" \
		= "$((0x6b6d6163)) 2 ok" ]
	query a.db "SELECT name, total FROM metric ORDER BY name" >got
	printf '%s\n' 'allocs|1249' 'current_dynamic|44268' 'frees|1116' 'requested|41036' 'waste|3232' |
		same - got
	query a.db "SELECT name, events FROM loss ORDER BY name" | xargs |
		grep -qx 'events_not_recorded|7 frees_of_unknown_objects|12 implied_frees|0'
}

# Whose it is: as the machine says it.
identity_is_saved() {
	local before after

	sed '9s/$/\nkernel release: 6.1.0-test\nkernel build ID: c0ffee/' "$small" >named
	before=$(date +%s)
	rm -f b.db
	"$program" report named --save-db b.db >/dev/null
	after=$(date +%s)
	[ "$(query b.db "SELECT ifnull(label, '-'), host, input, kernel_release, build_id, sites,
		time BETWEEN $before AND $after FROM snapshot")" \
		= "-|$(uname -n)|named|6.1.0-test|c0ffee|9|1" ]
	"$program" report b.db --format json >said
	grep -q '"kernel": "6.1.0-test"' said
}

# From the file as from the text, in each format and as a picture.
shown_alike() {
	local args

	for args in "" "--format csv" "--format json" "--top 3 -a waste" "--bytes -o allocs"; do
		# shellcheck disable=SC2086 # words
		"$program" report "$small" $args >want
		# shellcheck disable=SC2086 # words
		"$program" report a.db $args >got
		same want got
	done
	# a file has the time of its last change, a snapshot that of its saving
	export SOURCE_DATE_EPOCH=1700000000
	"$program" rings "$small" -r want.svg --title x
	"$program" rings --db-file a.db@one -r got.svg --title x
	# the foot names the input
	sed -i 's/>a.db@one: 9 call/>small.account: 9 call/' got.svg
	same want.svg got.svg
}

recognised_by_content() {
	local pack

	"$program" report "$small" --format csv >want
	cp a.db text.log
	"$program" report text.log@one --format csv >got
	same want got
	"$program" report -f - --format csv <a.db >got
	same want got
	for pack in gzip xz zstd; do
		$pack -qc a.db >packed
		"$program" report packed@one --format csv >got
		same want got
		$pack -qc a.db | "$program" report --db-file - --format csv >got
		same want got
		refused "packed: no snapshot 'two' in this file .available: one." report packed@two
	done
	refused "$small: not a DB file" report --db-file "$small"
	refused "$small: not a DB file, so it has no snapshot 'x'" report "$small@x"
}

# The time of saving says which one is the newest; labels and numbers choose.
newest_and_chosen() {
	rm -f c.db
	account_made 5 1 >acc.1; account_made 7 2 >acc.2; account_made 9 3 >acc.3
	for n in 1 2 3; do "$program" report acc.$n --save-db c.db@s$n >/dev/null; done
	raw c.db "UPDATE sample SET time = time + 100000000000 WHERE id = 2"
	for want in c.db:2 c.db@s1:1 'c.db@#3:3' c.db@s3:3; do
		"$program" report acc."${want#*:}" --format csv >want
		"$program" report "${want%:*}" --format csv >got
		same want got
	done
	refused "c.db: no snapshot 's9' in this file .available: s3, s2, s1." report c.db@s9
	refused "c.db: snapshot 's1' already exists" report acc.2 --save-db c.db@s1
}

listed() {
	"$program" db list c.db --format csv | tail -n +2 | cut -d, -f1,2,6,7,9 >got
	query c.db "SELECT s.id, label, sites, sum(current_dynamic), input FROM snapshot s JOIN site
		ON snapshot = s.id GROUP BY s.id ORDER BY s.id" | tr '|' , | same - got
	"$program" db list c.db --format csv | cut -d, -f3 | tail -n +2 >got
	query c.db "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', time, 'unixepoch') FROM snapshot" | same - got
	"$program" db list c.db --format json | python3 -c '
import json, sys
list = json.load(sys.stdin)["snapshots"]
assert [s["label"] for s in list] == ["s1", "s2", "s3"] and [s["sites"] for s in list] == [5, 7, 9]'
	[ "$("$program" db list c.db | wc -l)" -eq 4 ]
	"$program" db list c.db --bytes | tail -n +2 | awk '{ print $NF }' >got
	query c.db "SELECT total FROM metric WHERE name = 'current_dynamic' ORDER BY snapshot" >want
	same want got
	"$program" db show c.db@s3 --bytes >got
	grep -qx "live bytes: $(query c.db "SELECT sum(current_dynamic) FROM site WHERE snapshot = 3")" got
	grep -qx "frees of unknown objects: 12" got
}

# All that is shown of one, for programs: against the database.
shown() {
	local name

	cp c.db f.db
	raw f.db "UPDATE series SET notes = notes || 'a,\"b: v' || char(10) WHERE id = 3; UPDATE label SET warnings = ifnull(warnings, '') || 'w' WHERE sample = 3"
	"$program" db show f.db@s3 --format csv >got.csv
	"$program" db show f.db@s3 --format json >got.json
	for name in current_dynamic requested waste allocs frees; do
		query f.db "SELECT 'total,$name,' || sum($name) FROM site WHERE snapshot = 3"
	done >want
	grep '^total,' got.csv | same want -
	query f.db "SELECT 'not_counted,' || name || ',' || events FROM loss WHERE snapshot = 3" | sort >want
	grep '^not_counted,' got.csv | sort | same want -
	grep -qx 'notes,"a,""b",v' got.csv && grep -qx 'warnings,,w' got.csv
	python3 -c '
import csv, json
show = json.load(open("got.json"))
assert show["notes"]["a,\"b"] == "v" and show["warnings"][-1] == "w", show
for part, name, value in list(csv.reader(open("got.csv")))[1:]:
    if part != "warnings":
        assert str(show[part][name]) == value, (part, name, value)'
}

everything_of_it_is_deleted() {
	cp c.db d.db
	raw d.db "UPDATE series SET notes = 'secret: v' WHERE id = 2; UPDATE label SET warnings = 'secret' WHERE sample = 2;
		UPDATE site SET caller = 'secret' WHERE id = 9"
	refused "d.db: no snapshot given" db delete d.db
	# a wrong name among right ones deletes nothing
	refused "d.db: no snapshot 'nope' in this file" db delete d.db@s1 d.db@nope
	refused "d.db: no snapshot given" db delete d.db@s1 d.db
	[ "$(query d.db "SELECT count(*) FROM snapshot")" -eq 3 ]
	# the ninth call site is only in s3
	query d.db "SELECT * FROM site WHERE snapshot <> 3" >want
	"$program" db delete d.db@s3
	for table in sample label series; do
		[ "$(raw d.db "SELECT count(*) FROM $table")" -eq 2 ]
	done
	query d.db "SELECT * FROM site" >got
	same want got
	[ "$(raw d.db .dump | grep -c secret)" -eq 2 ]
	[ "$(raw d.db "SELECT group_concat(id) FROM site WHERE caller = '[deleted]'")" = 8,9 ]
	"$program" db delete d.db@s2
	[ "$(raw d.db .dump | grep -c secret)" -eq 0 ]
	# numbers are not used again, and the call sites get new rows
	"$program" report acc.3 --save-db d.db@again >/dev/null
	"$program" report acc.3 --format csv >want
	"$program" report 'd.db@#4' --format csv >got
	same want got
	[ "$(raw d.db "PRAGMA integrity_check; PRAGMA foreign_key_check")" = ok ]
}

# All of a file, one of it, and a text into another; time and host stay.
imported() {
	rm -f e.db
	raw c.db "UPDATE series SET host = 'there'; UPDATE sample SET time = id * 1000000000000"
	"$program" db import e.db c.db "$small"
	"$program" db import e.db@again c.db@s1
	# what was added before an error is said
	if "$program" db import part.db "$small" "$small" nothing "$small" 2>stderr; then
		return 1
	fi
	printf 'kmem-account: %s\n' 'db import: 2 snapshots were added to part.db before the error that follows' \
		'nothing: cannot open: No such file or directory' | same - stderr
	[ "$(query part.db "SELECT count(*) FROM snapshot")" -eq 2 ]
	query e.db "SELECT label, time, host, sites FROM snapshot WHERE host = 'there' ORDER BY id" >got
	printf '%s\n' 's1|1000|there|5' 's2|2000|there|7' 's3|3000|there|9' 'again|1000|there|5' |
		same - got
	[ "$(query e.db "SELECT count(*) FROM snapshot")" -eq 5 ]
	query c.db "SELECT * FROM site ORDER BY 1, 2" >want
	query e.db "SELECT * FROM site WHERE snapshot <= 3 ORDER BY 1, 2" >got
	same want got
}

# Kinds, and their truth, come from sqlite3; all kinds are saved, whatever is shown.
kinds_are_chosen() {
	local option kinds

	cp c.db f.db
	raw f.db "UPDATE site SET kind = CASE (id - 1) % 5 WHEN 0 THEN 'kmalloc' WHEN 1 THEN 'cache'
		WHEN 2 THEN 'page' WHEN 3 THEN 'percpu' END"
	while read -r option kinds; do
		query f.db "SELECT ifnull(sum(current_dynamic), 0), count(*) FROM site
			WHERE snapshot = 3 AND kind IN ($kinds)" >want
		# shellcheck disable=SC2086 # words
		"$program" report f.db@s3 ${option//,/ } --format csv 2>stderr |
			awk -F, 'NR > 1 { s += $2; n++ } END { print s + 0 "|" n + 0 }' >got
		same want got
		grep -q 'f.db@s3: 1 call site of unknown kind, with .* live bytes, is left out' stderr ||
			{ cat stderr; return 1; }
	done <<-END
		--malloc 'kmalloc'
		--cache 'cache'
		--pages 'page'
		--percpu 'percpu'
		--malloc,--cache 'kmalloc', 'cache'
		--cache,--pages,--percpu 'cache', 'page', 'percpu'
	END
	"$program" report f.db@s3 --malloc --save-db f.db@part >/dev/null 2>&1
	query f.db "SELECT nr, caller, kind, allocs FROM site WHERE snapshot = 3" >want
	query f.db "SELECT nr, caller, kind, allocs FROM site WHERE snapshot = 4" >got
	same want got
	"$program" rings f.db@s3 --cache -r got.svg 2>/dev/null
	[ -s got.svg ]
	refused "$small: cannot filter by kind" report "$small" --malloc
}

# Another version, and what is no file of ours, is not touched.
not_ours_is_left_alone() {
	local file

	cp c.db newer.db; raw newer.db "PRAGMA user_version = 9"
	rm -f other.db; raw other.db "CREATE TABLE precious (a)"
	echo precious >plain.db
	for file in newer other plain; do cp $file.db $file.before; done
	refused "newer.db: unsupported DB file version 9 .supported: 1 and 2.; nothing was changed" report newer.db
	refused "newer.db: unsupported DB file version 9" report "$small" --save-db newer.db
	refused "newer.db: unsupported DB file version 9" db delete newer.db@s1
	refused "other.db: an SQLite file, but not a DB file of kmem-account" report other.db
	refused "other.db: an SQLite file, but not a DB file" report "$small" --save-db other.db
	refused "plain.db: not a DB file" report "$small" --save-db plain.db
	refused "plain.db: not a DB file" db list plain.db
	for file in newer other plain; do cmp $file.db $file.before; done
}

damaged_is_said() {
	local size

	cp c.db cut.db
	size=$(stat -c %s cut.db)
	truncate -s $((size / 2)) cut.db
	refused "cut.db: corrupt: " report cut.db@s3
	refused "cut.db: corrupt: " report "$small" --save-db cut.db
	[ "$(stat -c %s cut.db)" -eq $((size / 2)) ]
	head -c 16 c.db >head.db
	refused "head.db: " report head.db
	: >empty.db
	refused "empty.db: the file is empty" db list empty.db
}

# One page of a table is of zeros. What can be read is; nothing is added to the file.
damaged_is_not_changed() {
	local page

	cp c.db page.db
	page=$(raw page.db "SELECT rootpage FROM sqlite_schema WHERE name = 'label'")
	dd if=/dev/zero of=page.db bs=1024 seek=$((page - 1)) count=1 conv=notrunc status=none
	[ "$(raw page.db 'PRAGMA quick_check(1)')" != ok ]
	cp page.db page.before
	refused "page.db: corrupt: " report "$small" --save-db page.db@more
	refused "page.db: corrupt: " db delete page.db@s1
	cmp page.db page.before
}

# A file in SQLite's other mode, which a copy cannot be opened in.
write_ahead() {
	cp c.db wal.db
	"$program" report wal.db --format csv >want
	[ "$(raw wal.db 'PRAGMA journal_mode = WAL')" = wal ]
	"$program" report wal.db --format csv >got
	same want got
	"$program" report - --format csv <wal.db >got
	same want got
}

# hold FILE: keep it locked until something is written to file descriptor 8
hold() {
	rm -f hold held
	mkfifo hold
	exec 8<>hold
	python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
open("held", "w").close()
open("hold").read(1)' "$1" 8>&- &
	holder=$!
	until [ -e held ]; do sleep 0.05; done
}

# Somebody else holds the file: for longer than we wait, and for less.
locked() {
	cp c.db held.db
	cp held.db held.before
	hold held.db
	refused "held.db: locked by another program" report "$small" --save-db held.db@new
	cmp held.db held.before
	printf x >&8
	wait $holder
	hold held.db
	"$program" report "$small" --save-db held.db@new >/dev/null & saver=$!
	sleep 0.3
	printf x >&8
	wait $holder
	wait $saver
	exec 8>&-
	[ "$(query held.db "SELECT count(*) FROM snapshot WHERE label = 'new'")" -eq 1 ]
}

as_nobody() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}

read_only() {
	local what got

	chmod 711 "$work"
	mkdir -p ro
	cp c.db ro/
	cp "$small" ro/small
	cp "$program" ro/program
	chmod 444 ro/c.db
	chmod 555 ro
	for what in ro/c.db ro/new.db; do
		got=0
		as_nobody ro/program report ro/small --save-db $what >/dev/null 2>stderr || got=$?
		[ $got -eq 1 ]
		[ "$(wc -l <stderr)" -eq 1 ]
		grep -qE "^kmem-account: $what: cannot write: (.*read-only|Permission)" stderr ||
			{ cat stderr; return 1; }
	done
	as_nobody ro/program report ro/c.db@s1 >/dev/null
	chmod 755 ro
	cmp ro/c.db c.db
	[ ! -e ro/new.db ]
}

# Files may not grow past a limit: the old content stays, and nothing new.
no_space() {
	account_made 4000 9 >large
	cp c.db full.db
	mkdir -p full
	(
		trap '' XFSZ
		ulimit -f 64
		refused "full.db: cannot (read or )?write" report large --save-db full.db --top 1
		refused "full/new.db: cannot (read or )?write" report large --save-db full/new.db --top 1
	)
	cmp full.db c.db || [ "$(query full.db "PRAGMA integrity_check; SELECT count(*) FROM snapshot" | xargs)" = "ok 3" ]
	[ -z "$(ls full)" ]
	[ ! -e full.db-journal ]
}

# Eight at once, into a file that none of them finds.
together() {
	local pids=() n

	rm -rf many
	mkdir many
	for n in 1 2 3 4 5 6 7 8; do
		"$program" report "$small" --save-db many/m.db@$n >/dev/null & pids+=($!)
	done
	for n in "${pids[@]}"; do wait "$n"; done
	[ "$(ls many)" = m.db ]
	[ "$(query many/m.db "PRAGMA integrity_check; SELECT count(*) FROM snapshot;
		SELECT count(*) FROM site" | xargs)" = "ok 8 72" ]
}

# A library that counts what is done to files, and kills before the AT_KILL-th of these.
kills_library() {
	cat >kills.c <<-'EOF'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <signal.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <unistd.h>

		static int done;

		static void step(void)
		{
			if (getenv("AT_KILL") && ++done == atoi(getenv("AT_KILL")))
				raise(SIGKILL);
		}

		__attribute__((destructor)) static void at_exit(void)
		{
			if (getenv("AT_COUNT"))
				fprintf(stderr, "%d\n", done);
		}

		#define STEP(type, name, declared, given)			\
			type name declared					\
			{							\
				type (*real)declared = dlsym(RTLD_NEXT, #name);	\
									\
				step();						\
				return real given;				\
			}

		STEP(ssize_t, write, (int fd, const void *p, size_t len), (fd, p, len))
		STEP(ssize_t, pwrite, (int fd, const void *p, size_t len, off_t at), (fd, p, len, at))
		STEP(ssize_t, pwrite64, (int fd, const void *p, size_t len, off64_t at), (fd, p, len, at))
		STEP(int, fsync, (int fd), (fd))
		STEP(int, fdatasync, (int fd), (fd))
		STEP(int, unlink, (const char *path), (path))
		STEP(int, linkat, (int a, const char *f, int b, const char *t, int g), (a, f, b, t, g))
		STEP(int, renameat, (int a, const char *f, int b, const char *t), (a, f, b, t))
		STEP(int, rename, (const char *from, const char *to), (from, to))
		STEP(int, renameat2, (int a, const char *f, int b, const char *t, unsigned int g), (a, f, b, t, g))
	EOF
	gcc -shared -fPIC -o kills.so kills.c
}

# killed FILE STEP: save into FILE, and be killed before that step. The journal is left as it
# was: whoever opens the file next goes back by it.
killed() {
	LD_PRELOAD=$PWD/kills.so AT_KILL=$2 "$program" report big --save-db "$1" -O /dev/null &
	wait $! 2>/dev/null || :
}

# steps FILE: how many a save into FILE takes
steps() {
	LD_PRELOAD=$PWD/kills.so AT_KILL=-1 AT_COUNT=1 "$program" report big --save-db "$1" -O /dev/null 2>&1 >/dev/null |
		tail -n 1
}

# Killed while it adds to a file: old snapshots are whole, a new one is whole or absent.
kills_while_adding() {
	local i n before=3 saved=0 hot=0 max

	account_made 20000 5 >big
	kills_library
	cp c.db kill.db
	cp c.db steps.db
	query c.db "SELECT * FROM site" >want
	max=$(steps steps.db)
	# evenly, the last one behind the end
	for ((i = 0; i < rounds; i++)); do
		killed kill.db $((1 + max * i / (rounds - 1)))
		[ ! -e kill.db-journal ] || hot=$((hot + 1))
		# ours first on every second round, so that both recover it
		[ $((i % 2)) -eq 0 ] || "$program" db list kill.db >/dev/null
		[ "$(raw kill.db "PRAGMA integrity_check")" = ok ]
		n=$(raw kill.db "SELECT count(*) FROM label")
		[ "$n" -eq "$before" ] || [ "$n" -eq $((before + 1)) ]
		saved=$((saved + n - before))
		[ "$(raw kill.db "SELECT count(*) FROM sample JOIN series ON series = series.id JOIN label ON sample = sample.id")" -eq "$n" ]
		before=$n
	done
	query kill.db "SELECT * FROM site WHERE snapshot <= 3" >got
	same want got
	echo "# $rounds kills in $max steps: $saved had saved, $hot left a journal" >&3
	[ $saved -eq 1 ]
	[ $hot -gt $((rounds / 2)) ]
}

# What a writer leaves that was killed after it began to overwrite pages: the file and
# its journal, taken from under a transaction that has spilled.
left_unfinished() {
	python3 - c.db hot.db <<-'EOF'
		import shutil, sqlite3, sys
		shutil.copy(sys.argv[1], "spill.db")
		db = sqlite3.connect("spill.db", isolation_level=None)
		db.execute("PRAGMA cache_size = 2")
		db.execute("BEGIN IMMEDIATE")
		db.execute("UPDATE site SET caller = caller || 'changed'")
		db.execute("DELETE FROM label")
		shutil.copy("spill.db", sys.argv[2])
		shutil.copy("spill.db-journal", sys.argv[2] + "-journal")
	EOF
	cmp -s c.db hot.db && return 1
	"$program" db list c.db | sed 1d >want
	"$program" db list hot.db | sed 1d >got
	same want got
	[ ! -e hot.db-journal ]
	[ "$(raw hot.db "PRAGMA integrity_check")" = ok ]
	query c.db "SELECT * FROM site" >want
	query hot.db "SELECT * FROM site" >got
	same want got
}

# Killed while it makes a file: none of that name, or a whole one.
kills_while_making() {
	local i saved=0 max

	max=$(steps steps2.db)
	for ((i = 0; i < rounds; i++)); do
		rm -f fresh.db*
		killed fresh.db $((1 + max * i / (rounds - 1)))
		[ -e fresh.db ] || continue
		saved=$((saved + 1))
		[ "$(query fresh.db "PRAGMA integrity_check; SELECT sites FROM snapshot;
			SELECT count(*) FROM site" | xargs)" = "ok 20000 20000" ]
	done
	echo "# $rounds kills in $max steps: $saved had made the file" >&3
	[ $saved -eq 1 ]
}

# Killed while it converts a file of version 1: the name has the old file or the whole new one, and what is kept is the
# old one.
kills_while_converting() {
	local i max old=0

	cp "$data/formats/db-1-groups.db" steps3.db
	max=$(steps steps3.db)
	for ((i = 1; i <= max + 1; i++)); do
		# the last steps add the snapshot
		[ "$i" -le 12 ] || [ $((i % 40)) -eq 0 ] || [ "$i" -gt "$max" ] || continue
		rm -f conv.db*
		cp "$data/formats/db-1-groups.db" conv.db
		killed conv.db "$i" 2>/dev/null
		[ ! -e conv.db.v1 ] || cmp conv.db.v1 "$data/formats/db-1-groups.db"
		"$program" db list conv.db --format csv | sed -n 2,5p | cut -d , -f 1,2 | xargs >got
		grep -qx '1,task 2,cgroup 3,charged 4,tables' got
		if cmp -s conv.db "$data/formats/db-1-groups.db"; then
			old=$((old + 1))
		else
			[ -e conv.db.v1 ]
			[ "$(raw conv.db "PRAGMA integrity_check; PRAGMA user_version" | xargs)" = "ok 2" ]
		fi
		# and another program goes on
		"$program" db import conv.db "$small" 2>/dev/null
		cmp conv.db.v1 "$data/formats/db-1-groups.db"
	done
	echo "# kills in $max steps: $old left the old file" >&3
	[ $old -ge 2 ]
}

bad_usage() {
	local words got

	for words in "db" "db frob x.db" "db list" "db list a.db b.db" "db delete" "db import a.db" \
		"db list a.db --format xml" "db import a.db@x a b" "report x --db-file y" "report -f x y"; do
		got=0
		# shellcheck disable=SC2086 # words
		"$program" $words >stdout 2>stderr || got=$?
		[ "$got" -eq 2 ]
		[ "$(wc -l <stderr)" -eq 1 ]
		[ ! -s stdout ]
	done
}

exec 3>&1
ktap_plan 23
ktap "the content is the text's" content_is_the_text
ktap "identity" identity_is_saved
ktap "shown as the text is" shown_alike
ktap "recognised by content, packed, through a pipe" recognised_by_content
ktap "the newest, by label, by number" newest_and_chosen
ktap "list and show" listed
ktap "one snapshot, for programs" shown
ktap "delete" everything_of_it_is_deleted
ktap "import" imported
ktap "kinds" kinds_are_chosen
ktap "what is not ours is left alone" not_ours_is_left_alone
ktap "damaged" damaged_is_said
ktap "damaged, so it is not changed" damaged_is_not_changed
ktap "write-ahead logging" write_ahead
ktap "locked" locked
ktap "read-only" read_only
ktap "no space" no_space
ktap "eight at once" together
ktap "killed while it adds" kills_while_adding
ktap "left unfinished" left_unfinished
ktap "killed while it makes a file" kills_while_making
ktap "killed while it converts a file" kills_while_converting
ktap "bad usage" bad_usage
ktap_end
