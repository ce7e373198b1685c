#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# History folders that are refused, or from which something is left out: damaged samples, days and
# files, folders that are no histories, times that are none, commands that need an account.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/host/history-lib.sh
. "$here/history-lib.sh"

cd "$work"
export TZ=UTC
python3 "$here/snapshot.py" make .
begin=1764000000 # snapshot.py's

# Two histories that are as they should be.
recorded() {
	: >said
	record_all all s0?? && record again s000 && return
	cat said
	return 1
}

newer() {
	mkdir -p newer && echo 'kmem_account history 2' >newer/kmem-account-history
	refused "unsupported version '2' of a history (supported: 1)" "$program" report newer &&
		refused "unsupported version '2' of a history" "$program" watch -f s000 -n 1 newer && [ "$(ls newer)" = kmem-account-history ] &&
		cp -r again newday && sqlite3 newday/*.kmh 'PRAGMA user_version = 2' &&
		refused "unsupported version 2 (supported: 1)" "$program" report newday
}

no_history() {
	local why="not a history: it has no file 'kmem-account-history'; use a directory that 'kmem-account watch' has made, or a file"
	local command

	mkdir -p alien && echo 1 >alien/file
	refused "not a history, and not empty ('file')" "$program" watch -f s000 -n 1 alien &&
		[ "$(ls alien)" = file ] || return
	for command in leaks 'leaks s000' timeline report 'table ages' 'rings -r x.svg' 'rings s000 -r x.html' 'top -b -n 1' \
		'top -b --replay' 'diff again'; do
		# shellcheck disable=SC2086 # words
		refused "alien: $why" "$program" $command alien || return
	done
	refused "alien: $why" "$program" report alien@09:00 && refused "alien: $why" "$program" leaks alien --from 09:00 &&
		refused "alien: $why" "$program" diff alien again && refused 'again: a history; use --replay again' "$program" top -b again ||
		return
	# a marker that cannot be read is not a marker that is missing
	mkdir -p loop && ln -sf kmem-account-history loop/kmem-account-history &&
		refused 'loop/kmem-account-history: cannot open: Too many levels of symbolic links' "$program" leaks loop || return
	# neither is a directory that is missing, or a file
	refused 'kmem-account: nosuch: cannot open the history: No such file or directory' "$program" top -b --replay nosuch &&
		refused 'kmem-account: s000: cannot open the history: Not a directory' "$program" top -b --replay s000
}

# Commands that need single events, or the module's snapshot, say what they read.
no_log() {
	local command why="a history, which has no single events; use an event log of 'kmem-account record'"

	mkdir -p alien || return
	for command in objects check; do
		refused "all: $why" "$program" "$command" all && refused "all@16:03: $why" "$program" "$command" all@16:03 &&
			refused "alien: a directory; use an event log, a file that 'kmem-account record' writes" "$program" "$command" -f alien || return
	done
	refused 'all: a directory; -f needs a snapshot of the module; --history takes a history' "$program" bundle -f all -O x &&
		[ ! -e x ]
}

# at DIR ID: the time of a sample
at() { sqlite3 "$1"/*.kmh "SELECT time / 1000000000 FROM sample WHERE id = $2"; }

# Bits in a sample, one that is gone, and a file that was cut. What lies before is still there.
damaged() {
	cp -r all hurt
	sqlite3 hurt/*.kmh "UPDATE sample SET data = substr(data, 1, 40) || x'00' || substr(data, 42) WHERE id = 30" &&
		refused 'corrupt: cannot decode a sample' "$program" report "hurt@$(at all 30)" &&
		"$program" report "hurt@$((begin + 20))" --by caller >/dev/null &&
		cp -r all gone &&
		sqlite3 gone/*.kmh "DELETE FROM sample WHERE time = (SELECT time FROM sample WHERE id = 80)" &&
		refused 'corrupt: the call sites of a sample do not add up' "$program" report "gone@$(($(at all 80) + 10))" &&
		cp -r all cut && truncate -s 3000 cut/*.kmh && refused 'corrupt' "$program" report cut &&
		refused 'the history has no samples that can be read' "$program" leaks cut &&
		grep -q 'cut/2025-11-24.kmh: corrupt.*; all samples of this day are left out' said &&
		refused 'the history has no samples that can be read' "$program" top -b --replay cut
}

# near WORDS HISTORY TIME BEFORE AFTER: both ends of a diff and a report of TIME are refused, with the two other times
near() {
	local words=$1 history=$2 time=$3 when

	when="$(date -d "@$4" '+%F %T') and of $(date -d "@$5" '+%F %T')\$"
	refused "$words.*; the nearest samples that can be read are of $when" "$program" report "$history@$time" &&
		refused "$words.*; the nearest samples that can be read are of $when" "$program" diff "$history" --from "@$time" &&
		refused "$words.*; the nearest samples that can be read are of $when" "$program" diff "$history" --to "@$time"
}

# A sample that cannot be read at an end of an interval: refused, with the times that can be used instead.
nearest_times() {
	local time key yesterday usable

	time=$(at all 30)
	key=$(sqlite3 all/*.kmh "SELECT min(id) FROM sample WHERE is_key AND id > 30")
	# of two samples of one time the later one counts
	usable="FROM (SELECT time / 1000000000 AS s, max(id) AS id FROM sample GROUP BY time) WHERE NOT (id >= 30 AND id < $key)"
	near 'corrupt: cannot decode a sample' hurt "$time" "$(sqlite3 all/*.kmh "SELECT max(s) $usable AND s < $time")" \
		"$(sqlite3 all/*.kmh "SELECT min(s) $usable AND s > $time")" || return
	# nothing can be read before the first day; the day before has one sample
	rm -rf torn && cp -r all torn && yesterday=$(at all 1) && echo no database >torn/2025-11-23.kmh &&
		refused "2025-11-23.kmh: corrupt: .*; the nearest sample that can be read is of $(date -d "@$yesterday" '+%F %T')\$" \
			"$program" report 'torn@2025-11-23 12:00' || return
	# and no other sample at all
	mkdir -p lone && cp all/kmem-account-history lone && echo no database >lone/2025-11-24.kmh &&
		refused 'lone/2025-11-24.kmh: corrupt: [^;]*$' "$program" report lone
}

# many DIR DATA LIVE: a day of 4,000 samples a second apart, a key sample and 63 without changes in turn. Of all but
# two key samples the data and the live bytes are those SQL expressions of sample "s".
many() {
	rm -rf "$1" && cp -r all "$1" && sqlite3 "$1"/*.kmh "
		CREATE TEMP TABLE two AS SELECT * FROM sample WHERE id = 1
			UNION ALL SELECT * FROM (SELECT b.* FROM sample a JOIN sample b ON b.id = a.id + 1
				WHERE a.series = 1 AND b.series = 1 AND a.time = b.time AND NOT b.is_key ORDER BY b.id LIMIT 1);
		DELETE FROM sample;
		WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 3999)
		INSERT INTO sample
			SELECT n + 1, s.series, ($begin + n) * 1000000000, s.up + n * 1000000000, s.is_key,
				CASE WHEN n IN (128, 3904) THEN k.live ELSE $3 END, s.unknown, s.implied, s.lost, s.modules, s.reclaimable,
				CASE WHEN n IN (128, 3904) THEN s.data ELSE $2 END
			FROM n JOIN two s ON s.is_key = (n % 64 = 0) JOIN two k ON k.is_key;"
}

# nearest_of DIR WORDS BEFORE AFTER: both times are named, and SQLite has made less than five steps for each sample
nearest_of() {
	local dir=$1 words=$2 steps

	STEPS=steps LD_PRELOAD=$work/steps.so refused "$words.*; the nearest samples that can be read are of $(
		date -d "@$((begin + $3))" '+%F %T') and of $(date -d "@$((begin + $4))" '+%F %T')\$" \
		"$program" report "$dir@$((begin + 2000))" || return
	steps=$(cat steps)
	echo "$steps steps for $dir"
	[ "$steps" -gt 4000 ] && [ "$steps" -lt $((5 * 4000)) ]
}

# The search for the nearest times reads each sample about once, whatever is damaged: the sums of samples that can be
# decoded, or the data of all samples but key samples, so that of 64 samples the first one alone can be decoded.
nearest_is_linear() {
	${CC-cc} -shared -fPIC -o steps.so "$here/count-steps.c" -ldl &&
		many sums s.data 'k.live + 1' && nearest_of sums 'do not add up' 128 3904 &&
		many data "CASE WHEN s.is_key THEN s.data ELSE x'00' END" 'k.live + s.is_key' &&
		nearest_of data 'cannot decode a sample' 128 3904
}

# A damaged sample costs those up to the next key sample: which these are, sqlite3 says.
goes_on_after_a_sample() {
	local span="id >= 30 AND id < (SELECT min(id) FROM sample WHERE is_key AND id > 30)" lost kept

	kept=$(sqlite3 all/*.kmh "SELECT DISTINCT printf('s%03d ', time / 1000000000 - $begin) FROM sample WHERE NOT ($span)" |
		awk '{ printf "s%03d ", substr($1, 2) / 10 - 1 }')
	lost=$(sqlite3 all/*.kmh "SELECT count(*) FROM sample WHERE $span")
	echo "$lost samples are lost; left are $kept"
	[ "$lost" -ge 20 ] || return
	# shellcheck disable=SC2086 # names without blanks
	"$program" leaks $kept --format csv >want && "$program" leaks hurt --format csv >got 2>said || return
	cat said
	diff want got && grep -q "hurt/2025-11-24.kmh: corrupt: cannot decode a sample: .*; $lost of [0-9]* samples that were read of this day are left out" said &&
		[ "$(grep -c 'left out' said)" = 1 ] && "$program" leaks hurt 2>/dev/null | grep -x 'damaged files: 1' >/dev/null || return
	"$program" timeline hurt >got 2>said && grep -q "; $lost of [0-9]* samples" said || return
	# shellcheck disable=SC2086
	[ "$(cut -d , -f 1 got | sed 1d | sort -u | wc -l)" = "$(echo $kept | wc -w)" ] || return
	"$program" rings hurt -r page.html --points 10000 2>said && grep -q "; $lost of [0-9]* samples" said &&
		[ "$("$here/page.py" times page.html | cut -f 1 | uniq | wc -l)" = "$(wc -w <<<"$kept")" ] &&
		"$here/page.py" facts page.html | grep -x 'Damaged files	1' >/dev/null || return
	# of two samples of one time the later one counts
	kept=$(sqlite3 all/*.kmh "SELECT count(*) FROM (SELECT max(id) AS id FROM sample GROUP BY time) WHERE NOT ($span)")
	"$program" top -b --format csv --replay hurt >got 2>said || return
	grep -c 'this sample is left out' said
	[ "$(cut -d , -f 1 got | sed 1d | sort -u | wc -l)" = "$kept" ] &&
		[ "$(grep -c 'cannot decode a sample.*; this sample is left out' said)" = $((60 - kept)) ]
}

# A day that is no database costs that day.
goes_on_after_a_day() {
	local said="torn/2025-11-23.kmh: corrupt: .*; all samples of this day are left out"

	rm -rf torn && cp -r all torn && echo no database >torn/2025-11-23.kmh
	"$program" leaks all --format csv >want 2>/dev/null && "$program" leaks torn --format csv >got 2>said || return
	cat said
	diff want got && grep -q "$said" said && [ "$(grep -c 'left out' said)" = 1 ] || return
	"$program" leaks torn --format json 2>/dev/null | grep '"damaged_files": 1,' >/dev/null || return
	"$program" timeline all >want && "$program" timeline torn >got 2>said && diff want got && grep -q "$said" said || return
	"$program" top -b --format csv --replay all >want && "$program" top -b --format csv --replay torn >got 2>said || return
	diff want got && grep -q "$said" said && [ "$(wc -l <said)" = 1 ] || return
	"$program" rings all -r page.html && "$here/page.py" rows page.html >want && "$program" rings torn -r page.html 2>said &&
		"$here/page.py" rows page.html | diff want - && grep -q "$said" said && [ "$(wc -l <said)" = 1 ]
}

# Whatever yesterday's file is, today is recorded. Today's own damaged file is said, each time.
damaged_day() {
	: >said
	rm -rf worn && record worn s000 && mv worn/*.kmh today && echo no database >worn/2025-11-23.kmh || return
	record worn s001 || { cat said; return 1; }
	cat said
	grep -q 'worn/2025-11-23.kmh: corrupt' said &&
		grep -q 'a new series begins: the file of the last day cannot be read' said &&
		"$program" report worn --by caller --format csv >got && "$program" report s001 --by caller --format csv | cmp - got || return
	cp worn/2025-11-23.kmh worn/2025-11-24.kmh && cp s002 now &&
		! "$program" watch -f now -n 1 worn >/dev/null 2>said && cat said &&
		grep -q 'a sample is lost: worn/2025-11-24.kmh: corrupt' said
}

# The open of a FIFO waits for a writer, for ever.
fifos() {
	cp -r again piped && rm piped/*.kmh && mkfifo piped/2025-11-24.kmh && mkdir -p marked && mkfifo marked/kmem-account-history &&
		refused 'piped/2025-11-24.kmh: cannot read: a pipe; copy it to a regular file' timeout 20 "$program" report piped &&
		refused 'marked/kmem-account-history: cannot read: a pipe; copy it to a regular file' timeout 20 "$program" report marked
}

bad_times() {
	refused "invalid time '--5h'" "$program" report all@--5h &&
		refused "invalid time '@1e300'" "$program" leaks all --from @1e300 &&
		refused "invalid time '-nanh'" "$program" report all@-nanh &&
		refused "to is a day or more before the newest sample; give --from, too" "$program" leaks all --to 2025-11-01 &&
		refused "to is not after --from" "$program" leaks all --from 2025-11-02 --to 2025-11-01 || return
	local one="all@16:03: this is one sample of a history, and"

	refused "$one --from and --to need all samples; use 'all'" "$program" rings -r x.html all@16:03 --from 16:02 &&
		refused "$one --from and --to need all samples; use 'all'" "$program" leaks all@16:03 --to 16:02 &&
		refused "$one a timeline needs all samples; use 'all'" "$program" timeline all@16:03 --from 16:02
}

ktap_plan 14
ktap "histories are recorded" recorded
ktap "refused: a newer version" newer
ktap "refused: a folder that is no history" no_history
ktap "refused: a history is no event log and no snapshot" no_log
ktap "refused: damaged samples" damaged
ktap "refused: a damaged sample, with the nearest times" nearest_times
ktap "the nearest times among thousands of damaged samples" nearest_is_linear
ktap "a damaged sample does not end leaks, timeline, top and a page" goes_on_after_a_sample
ktap "a damaged day does not end leaks, timeline, top and a page" goes_on_after_a_day
ktap "a damaged file of another day" damaged_day
ktap "refused: a FIFO as a day and as the marker" fifos
ktap "refused: times that are none" bad_times
ktap "refused: no account to watch" refused 'No such file' "$program" watch -f nothing -n 1 nowhere
ktap "refused: bad usage" refused 'expected one directory' "$program" watch
ktap_end
