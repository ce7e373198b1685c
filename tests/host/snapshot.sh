#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Snapshots of the module: as accounts, as a series for leaks, and what is refused. Their objects
# are made one by one (snapshot.py).
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
python3 "$here/snapshot.py" make .

# The section of sites alone is the same account.
as_sites() {
	sed '1,/^== sites/d; /^== /,$d' s059 >sites
	"$program" report sites --by caller --format csv >want &&
		"$program" report s059 --by caller --format csv >got && cmp want got &&
		"$program" report s059 --by caller --format json >s059.json &&
		grep -q '6.1.0-made' s059.json
}

verdict() { awk -F, -v c="$2" 'index($9, c "+") == 1 { print $2 }' "$1"; }

# By survivors, and by the flags of the caches.
cohorts() {
	"$program" leaks s??? --format csv >all.csv || return
	cut -d, -f1-9 all.csv
	[ "$(verdict all.csv leaky)" = leak ] && [ "$(verdict all.csv inodes)" = leak ] &&
		[ "$(verdict all.csv dentries)" = filling ] && [ "$(verdict all.csv busy)" = cache ] &&
		grep -q '^1,leak,0.99,.*[0-9]* of [0-9]* objects of the first half are live' all.csv
}

# Column oldest_ns is that of the newest snapshot.
oldest() {
	awk -F'\t' '/^== ages/ { on = 1 } on && $22 ~ /^leaky/ { print $3 }' s059 >want
	awk -F, '$9 ~ /^leaky/ { print $7 }' all.csv | cmp - want
}

# The series does not depend on times of files or on the order; a snapshot counts once.
order() {
	touch s000
	# shellcheck disable=SC2046 # names without blanks
	"$program" leaks $(printf '%s\n' s??? | sort -r) s007 --format csv >got 2>said
	cat said
	grep -q 'were not in the order of time' said && grep -q '1 input is given more than once; each counts once' said &&
		cmp all.csv got
}

clocks() {
	mkdir -p clock
	cp s0?? clock
	sed -i 's/^time_ns: 17640/time_ns: 17630/' clock/s03? clock/s04? clock/s05?
	"$program" leaks clock/s??? --format csv >got 2>said
	cat said
	grep -q 'the clock was set by -[0-9]* s between two inputs' said && cmp all.csv got
}

boots() {
	mkdir -p boot
	cp s0?? boot
	sed -i 's/^boot_id: 1111/boot_id: 2222/' boot/s00? boot/s01?
	"$program" leaks boot/s??? --format csv >got 2>said
	cat said
	grep -q 'of different boots.*using the longest series (40 of 60 inputs)' said &&
		"$program" leaks s0[2-5]? --format csv | cmp - got &&
	cp s0?? boot &&
	sed -i 's/^generation: 1/generation: 2/' boot/s00? boot/s01? &&
	"$program" leaks boot/s??? --format csv >got 2>said && grep -q 'using the longest series (40 of 60 inputs)' said
}

unloaded() {
	mkdir -p gone
	cp s0?? gone
	sed -i 's/^loaded modules: ext4 made/loaded modules: ext4/' gone/s04? gone/s05?
	"$program" leaks gone/s??? --format csv >got
	grep '^.,leak,0.90,.*inodes+.*its module was unloaded 190 s ago and its objects stay' got
}

# In a DB file they keep their times.
in_db() {
	local i

	for i in s05?; do "$program" report "$i" --save-db snap.db >/dev/null || return; done
	sqlite3 snap.db "SELECT count(*) FROM series WHERE notes LIKE 'boot_id: %'" | grep -x 10
}

# refused WORDS SED-SCRIPT: a damaged snapshot is refused in one line, and nothing is shown
refused() {
	local status=0

	sed "$2" s001 >"bad"
	"$program" report bad --by caller >shown 2>said || status=$?
	cat said
	[ $status = 1 ] && [ ! -s shown ] && [ "$(wc -l <said)" = 1 ] && grep -q "$1" said
}

ktap_plan 15
ktap "a snapshot is the account of its sites" as_sites
ktap "verdicts by cohorts and by the flags of caches" cohorts
ktap "the oldest object" oldest
ktap "out of order, and the same one twice" order
ktap "a clock that is set back is said, and changes nothing" clocks
ktap "two boots, and two accounts, are two series" boots
ktap "objects of a module that was unloaded" unloaded
ktap "in a DB file" in_db
ktap "refused: another version" refused "unsupported version '2'" '1s/1$/2/'
ktap "refused: cut before the end" refused "truncated" "\$d"
ktap "refused: cut within the sites" refused "truncated" "/^== stats/,\$d"
ktap "refused: no sites" refused "no section 'sites'" '/^== sites/,/^== stats/{/^== stats/!d}; /^== ages/,/^== end/{/^== end/!d}'
ktap "refused: a damaged row of ages" refused "expected decimal numbers" "/^== ages/,\$s/^2\t/2\tx/"
ktap "refused: two in one file" refused "data after the end" "\$s/\$/\nkmem_account snapshot 1/"
ktap "refused: a damaged row of sites" refused "total is not slack" '/^1\t/s/\t0\t/\t7\t/'
ktap_end
