#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# watch and history folders: what is recorded is what was there, a folder at a time, series that
# begin anew, programs that are killed, and a disk that is full. The snapshots are made
# (snapshot.py); no guest records the module's own yet.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/host/history-lib.sh
. "$here/history-lib.sh"

cd "$work"
export TZ=UTC
python3 "$here/snapshot.py" make .
begin=1764000000 # snapshot.py's

# Each sample is the account that was recorded.
whole() {
	local i

	: >said
	record_all all s0?? || { cat said; return 1; }
	sqlite3 all/*.kmh 'SELECT count(*), count(DISTINCT time) FROM sample'; cat said
	[ "$(sqlite3 all/*.kmh 'SELECT sum(NOT is_key) FROM sample')" -ge 60 ] || return
	for i in 0 1 17 31 59; do
		"$program" report "$(printf s%03d $i)" --by caller --format csv >want || return
		"$program" report "all@$((begin + (i + 1) * 10))" --by caller --format csv >got || return
		cmp want got || return
	done
	"$program" report all --by caller --format csv | cmp - got
}

# The recorded series gives the verdicts of the snapshots themselves.
leaks() {
	"$program" leaks s0?? --format csv >want &&
		"$program" leaks all --format csv >got && diff want got &&
		"$program" leaks all --from 2025-11-24T16:05:00 --to 2025-11-24T16:05:20 --format csv >got &&
		grep -q '3 samples over 20 s are too few' got
}

# A page of a history: each time is the report of that time. A snapshot was sampled more than once.
page() {
	local i at

	"$program" rings all -r page.html --points 10000 || return
	"$here/page.py" times page.html >points
	cut -f 1 points | uniq | awk -v begin="$begin" '
		$1 != (begin + NR * 10) * 1000 { bad = 1; print } END { exit bad || NR != 60 }' || return
	awk -F '\t' '$3 || $4' points | cmp - /dev/null || return
	for i in 0 17 59; do
		at=$(awk -F '\t' -v ms="$((begin + (i + 1) * 10))000" '$1 == ms { print NR - 1; exit }' points)
		"$here/page.py" rows page.html dir "$at" | awk -F '\t' '
			$1 == "current_dynamic" && $2 == "caller" && $4 { print $3 "," $4 }' | sort >got
		"$program" report "all@$((begin + (i + 1) * 10))" --by caller --format csv |
			awk -F , 'NR > 1 && $2 { print $1 "," $2 }' | sort | diff - got || return
	done
	"$program" rings all -r page.html --points 5 &&
		[ "$("$here/page.py" times page.html | wc -l)" -le 10 ] || return
	"$program" rings all -r page.html --points 10000 --from '2025-11-24 16:02' --to '2025-11-24 16:04:00' &&
		"$here/page.py" times page.html | cut -f 1 | uniq >got &&
		awk -F '\t' -v begin="$begin" '$1 >= (begin + 120) * 1000 && $1 <= (begin + 240) * 1000 { print $1 }' points | uniq | diff - got &&
		[ "$(wc -l <got)" = 13 ] &&
		refused "invalid time 'noon'" "$program" rings all -r x.html --from noon &&
		refused "use 'all@TIME' for a history" "$program" rings all -r x.svg --from 16:02 || return
	# a picture has the time of its sample
	"$program" rings "all@$((begin + 20))" -r x.svg && grep -q '>[^<]*2025-11-24 16:00:20 UTC' x.svg && rm x.svg || return
	# what would have no effect
	refused "all: no stacks in this input; write 'stacks 8' to /proc/kmem_account" "$program" rings all --skip default -r x.html &&
		refused "all: no stacks in this input" "$program" rings all --through kmalloc -r x.html &&
		refused "all: --save-db saves one sample of a history; use 'all@TIME'" "$program" rings all --save-db x.db -r x.html &&
		refused "rings: --points needs a history and -r FILE.html" "$program" rings all --points 5 -r x.svg &&
		refused "rings: --points needs a history and -r FILE.html" "$program" rings s000 --points 5 -r x.html &&
		[ ! -e x.html ] && [ ! -e x.db ] && [ ! -e x.svg ] || return
	"$program" rings all -r page.html -r beside.svg && "$program" rings all -r newest.svg && cmp newest.svg beside.svg || return
	"$program" rings "all@$((begin + 10))" -r one.html &&
		[ -z "$("$here/page.py" times one.html)" ]
}

# Missing samples and another boot are marked at their times: as instants, in the picture, on the page.
marks() {
	record gapped s000 s001 s002 s003 s020 s021 || return
	sed '/^boot_id/s/1/7/g' s022 >reboot && record gapped reboot s023 || return
	"$program" timeline gapped --from 2025-11-24T16:00:00 --format json >trace.json || return
	python3 - "$begin" <<-'END' || return
		import json, sys
		begin = int(sys.argv[1])
		got = [(round(e["ts"] / 1e6) - begin, e["name"]) for e in json.load(open("trace.json"))["traceEvents"] if e["ph"] == "i"]
		want = [(210, "end of a gap without samples"), (230, "another boot or account begins"),
		        (240, "another boot or account begins")]
		assert got == want, got
	END
	"$program" timeline gapped --from 2025-11-24T16:00:00 -r gapped.svg -r gapped.html -r gapped.png -r gapped.pdf &&
		[ "$(grep -c 'end of a gap' gapped.svg)" -eq 1 ] && grep >/dev/null '>no samples<' gapped.svg &&
		[ "$(grep -o '16:0[0-9]:[0-9]*: [a-z ]*' gapped.html | sort -u | wc -l)" -eq 3 ] || return
	"$program" rings gapped -r page.html &&
		[ "$("$here/page.py" times page.html | awk -F '\t' '$4 { print $1 }' | paste -sd ' ')" = \
			"$((begin + 230))000 $((begin + 240))000" ]
}

# Lost events are marked at the sample that counted them first. s000 has 5 from before the first
# sample; 7 come between s001 and s002, in two lines, and 3 after the reboot; s004 has no count.
losses() {
	local name nmi full

	mkdir -p lost
	for name in s000:1:4 s001:1:4 s002:4:8 s003:4:8 s004 s005:4:8 s006:1:2 s007:1:2; do
		IFS=: read -r name nmi full <<<"$name"
		sed "${nmi:+/^allocations: /a not recorded nmi: $nmi\\nnot recorded map full: $full\\nimplied frees: 2}" \
			"$name" >"lost/$name"
	done
	sed -i '/^boot_id/s/1/7/g' lost/s006 lost/s007
	cat >lost/want <<-END
		$((begin + 30)) 7
		$((begin + 70)) 3
	END
	(cd lost && record gaps s00?) || return
	"$program" report lost/s002 --format json >got.json && python3 - <<-'END' || return
		import json
		assert json.load(open("got.json"))["not_counted"] == {
		    "frees_of_unknown_objects": 0, "implied_frees": 2, "events_not_recorded": 12}
	END
	"$program" timeline lost/gaps --from 2025-11-24T16:00:00 --format json >trace.json || return
	python3 - <<-'END' | diff - lost/want || return
		import json, re
		for e in json.load(open("trace.json"))["traceEvents"]:
		    for n in re.findall(r"(\d+) events not recorded", e["name"]) if e["ph"] == "i" else ():
		        print(round(e["ts"] / 1e6), n)
	END
	"$program" timeline lost/gaps --from 2025-11-24T16:00:00 -r lost/time.svg -r lost/time.html &&
		[ "$(grep -o '<title>.* events not recorded' lost/time.svg | grep -o '[0-9]* events' | uniq | paste -sd ' ')" = '7 events 3 events' ] &&
		grep -q 'Not counted: 15 events not recorded, 0 frees of unknown objects' lost/time.svg &&
		[ "$(grep -o '16:0[0-9]:[0-9]*: [0-9]* events' lost/time.html | sort -u | paste -sd ' ')" = \
			'16:00:30: 7 events 16:01:10: 3 events' ] || return
	"$program" rings lost/gaps -r lost/page.html && "$program" rings lost/s00? -r lost/set.html 2>/dev/null || return
	for name in page set; do
		"$here/page.py" times "lost/$name.html" | awk -F '\t' '$3 { print $1 / 1000, $3 }' | diff - lost/want || return
	done
	# the samples of the others do not say what was lost
	"$program" timeline all --from 2025-11-24T16:00:00 -r lost/all.svg && ! grep -q '<title>.*not recorded' lost/all.svg &&
		grep -q 'Not counted: 0 frees of unknown objects. Unknown: events not recorded' lost/all.svg || return
	sed 's/^not recorded nmi: .*/&x/' lost/s002 >lost/bad &&
		refused "lost/bad.*: expected 'KEY: ' and a decimal number" "$program" report lost/bad
}

# Live bytes over time are those of the snapshots, at their times; the picture has times of day.
timeline() {
	local i at

	"$program" timeline all --from 2025-11-24T16:00:00 >got.csv || return
	[ "$(wc -l <got.csv)" -ge 61 ] || return
	for i in 0 1 17 31 59; do
		at=$((begin + (i + 1) * 10))000000000
		"$program" report "$(printf s%03d $i)" --by caller --format csv |
			awk -F, 'NR > 1 && $1 != "total" { print $1, $2 }' | sort >want
		awk -F, -v at="$at" 'NR == 1 { for (n = 3; n <= NF; n++) name[n] = $n }
			$1 == at { for (n = 3; n <= NF; n++) print name[n], $n; exit }' got.csv | sort >have
		[ -s want ] && diff want have || return
	done
	"$program" timeline all --from 2025-11-24T16:02:00 --to 2025-11-24T16:04:00 | cut -d , -f 1 | sed 1d | sort -u >got
	[ "$(sed -n 1p got)" = $((begin + 120))000000000 ] && [ "$(sed -n '$p' got)" = $((begin + 240))000000000 ] || return
	"$program" timeline all --from 2025-11-24T16:00:00 --by cache | awk -F, '
		NR == 1 { for (n = 3; n <= NF; n++) name[n] = $n } { last = $0 }
		END { split(last, v, ","); for (n in name) if (v[n]) print name[n] "," v[n] }' | sort >got
	"$program" report all --by cache --format csv | awk -F, 'NR > 1 && $2 { print $1 "," $2 }' | sort | diff - got || return
	"$program" timeline all --from 2025-11-24T16:00:00 -r time.svg && xmllint --noout time.svg &&
		grep -q '>16:04<' time.svg && grep -q '2025-11-24 16:00:10 to 2025-11-24 16:10:00' time.svg || return
	! "$program" timeline all --from noon 2>said && grep -q "invalid time 'noon'" said || return
	! "$program" timeline all --from 16:05 --to 16:04 2>said && grep -q -- '--to is not after --from' said
}

# compared WORDS INPUT INPUT: what diff of two inputs says
compared() {
	local words=$1

	shift
	"$program" diff "$@" --by caller --format csv >got 2>said || return
	cat said
	if [ -n "$words" ]; then [ "$(cat said)" = "kmem-account: diff: $words" ]; else [ ! -s said ]; fi
}

# Times between samples, words, and times before the first.
times() {
	"$program" report "all@$((begin + 45))" --by caller --format csv >got &&
		"$program" report s003 --by caller --format csv | cmp - got &&
		"$program" report "all@2025-11-24 16:00:45" --by caller --format csv | cmp - got &&
		"$program" report "all@2025-11-24T16:00:45" --by caller --format csv | cmp - got &&
		"$program" report "all@2025-11-24 16:01" --by caller --format csv >got &&
		"$program" report "all@2025-11-24T16:01" --by caller --format csv | cmp - got &&
		"$program" report "all@yesterday 14:00" --by caller --format csv >got &&
		"$program" report s059 --by caller --format csv | cmp - got || return
	# the newest sample before a time may be much older: a report has its own time
	"$program" report "all@$((begin + 45))" >got && grep -qx 'Recorded at 2025-11-24 16:00:40 +0000' got &&
		"$program" report all --format json | grep -qx '  "time": "2025-11-24T16:10:00+0000",' || return
	# a time as messages show it is that of its sample, within a second too
	mkdir -p split && sed 's/^\(time_ns: .*\)0\{9\}$/\1500000000/' s003 >split/late && (cd split && record s ../s002 late) &&
		compared 'both inputs are the same sample, of 2025-11-24 16:00:40' 'split/s@2025-11-24 16:00:40' split/s &&
		"$program" timeline split/s --from '2025-11-24 16:00:30' --to '2025-11-24 16:00:40' | cut -d , -f 1 | sort -u | wc -l | grep -x 3 >/dev/null &&
		"$program" top -b --replay 'split/s@2025-11-24 16:00:40' >got && grep -q '^time: 2025-11-24T16:00:40' got || return
	! "$program" report "all@$((begin - 1))" 2>said && cat said &&
		grep -q 'the samples are from 2025-11-24 16:00:10 to 2025-11-24 16:10:00' said || return
	! "$program" report all@noon 2>said && cat said && grep -q "invalid time 'noon' (expected HH:MM" said
}

# Two times may name one sample, and an order may be wrong: diff says so.
compare() {
	compared '' s000 s059 && cp got want && compared '' "all@$((begin + 10))" "all@$((begin + 600))" && cmp want got || return
	compared 'both inputs are the same sample, of 2025-11-24 16:00:40' "all@$((begin + 42))" "all@$((begin + 47))" &&
		[ "$(sed 1d got | cut -d , -f 1)" = '[unchanged]' ] &&
		compared 'both inputs are the same sample, of 2025-11-24 16:10:00' all s059 &&
		compared 'the first input is newer than the second' "all@$((begin + 20))" "all@$((begin + 10))" || return
	# the clock was set back in between: the time since the boot counts
	sed "s/^time_ns: 17640/time_ns: 17639/" s031 >back && compared '' s030 back &&
		compared 'the first input is newer than the second' back s030
}

# Programs one after the other go on with one series.
resume() {
	: >said
	record again s000 s001 s002
	cat said
	[ "$(grep -c 'a new series begins' said)" = 1 ] &&
		[ "$(sqlite3 again/*.kmh 'SELECT count(*), count(DISTINCT series) FROM sample')" = "3|1" ]
}

# NAME WHY SED-SCRIPT: a snapshot that is changed so begins a new series, which is said, and is
# not mixed with the first.
begins_anew() {
	: >said
	rm -rf anew
	sed "$2" s030 >other
	record anew s028 s029 other s031
	cat said
	grep -q "a new series begins: $1" said &&
		[ "$(sqlite3 anew/*.kmh 'SELECT count(DISTINCT series) FROM sample')" -ge 2 ] &&
		"$program" leaks anew 2>said >/dev/null; grep -q 'are of several series\|the clock was set' said
}

# The second writer is told, and both write.
two_writers() {
	local pid

	: >said
	# the first one has a file of its own, which nobody replaces while it reads
	rm -rf both && cp s000 own
	: >first
	"$program" watch -f own --interval 0.05 -v both >first 2>&1 &
	pid=$!
	# its day's file may exist before its first sample
	while ! grep -q 'samples, 0 lost' first && kill -0 "$pid"; do sleep 0.01; done
	record both s001 s002
	kill -TERM "$pid"
	wait "$pid"
	cat said
	grep -q 'a new series begins: another program records into this history, too' said &&
		[ "$(sqlite3 both/*.kmh 'PRAGMA integrity_check')" = ok ] &&
		[ "$(sqlite3 both/*.kmh 'SELECT count(DISTINCT series) FROM sample')" = 3 ]
}

# A reader sees whole samples while another program adds call sites: 200 reads of a busy file.
read_while() {
	local i pid maker never

	# reads of it wait: a pause without a process
	exec {never}<> <(:)
	rm -rf busy && cut -f1-19 "$data/readers/sites-stack-6.1" >base && cp base now
	"$program" watch -f now --interval 0.01 busy >/dev/null 2>&1 &
	pid=$!
	i=0
	while kill -0 "$pid" 2>/dev/null; do
		i=$((i + 1))
		awk -v n="$i" -F'\t' -v OFS='\t' 'NR == 3 { $15 = "new" n "+0x1/0x2" } { print }' base >next && mv next now
		read -r -t 0.01 -u "$never" || true
	done &
	maker=$!
	while ! "$program" report busy --by caller >got 2>/dev/null; do
		read -r -t 0.01 -u "$never" || true
	done
	for ((i = 0; i < 200; i++)); do
		"$program" report busy --by caller >got 2>said || break
	done
	kill -TERM "$pid"
	wait "$pid" "$maker" || true
	exec {never}<&-
	cat said
	[ "$i" = 200 ] && [ "$(sqlite3 busy/*.kmh 'SELECT count(*) FROM site')" -gt 20 ]
}

# Killed at any time it leaves what it had written, and goes on.
killed() {
	local i pid before after

	rm -rf kills && cp s000 now
	for ((i = 0; i < ${KILLS:-20}; i++)); do
		"$program" watch -f now --interval 0.01 -v kills >log 2>/dev/null &
		pid=$!
		# every other one after its first sample: on a busy machine the first may take seconds
		while ((i % 2)) && ! grep -q "samples, 0 lost" log && kill -0 "$pid"; do sleep 0.01; done
		sleep "0.$(printf %02d $((RANDOM % 16 + 4)))"
		kill -KILL "$pid"
		wait "$pid" 2>/dev/null || true
		before=${after:-0}
		[ -e kills/kmem-account-history ] || continue
		"$program" report kills --by caller --format csv >got 2>said ||
			grep -q 'has no samples' said || { cat said; return 1; }
		# a program may be killed before it has made the day's file, or the table in it
		after=0
		if compgen -G 'kills/*.kmh' >files; then
			after=$(sqlite3 "$(cat files)" 'SELECT count(*) FROM sample' 2>said) ||
				{ grep 'no such table' said || { cat said; return 1; }; after=0; }
		fi
		# every sample that it said it had kept is there
		[ "$after" -ge $((before + $(grep -c 'samples, 0 lost' log || true))) ] ||
			{ echo "$after samples after $before"; cat log; return 1; }
	done
	echo "$after samples after $i kills"
	[ "$after" -gt $((i / 4)) ] && [ "$(sqlite3 "$(cat files)" 'PRAGMA integrity_check')" = ok ] &&
		"$program" report s000 --by caller --format csv | cmp - got
}

# No room for a second sample: it is lost, said, and the first one is there. Room again: it goes on.
full_disk() {
	: >said
	rm -rf full
	record full s000 && cp s001 now || return
	(
		ulimit -f 2
		trap '' XFSZ
		! "$program" watch -f now -n 1 full 2>said >/dev/null
	) || return
	cat said
	grep -q 'a sample is lost' said &&
		[ "$(sqlite3 full/*.kmh 'SELECT count(*) FROM sample')" = 1 ] &&
		record full s002 && "$program" report full --by caller --format csv >got &&
		"$program" report s002 --by caller --format csv | cmp - got
}

# said_in FILE WORDS: within a minute
said_in() {
	local i

	for ((i = 0; i < 1200; i++)); do
		! grep -q "$2" "$1" || return 0
		sleep 0.05
	done
	echo "'$2' was not said"
	cat "$1"
	return 1
}

# Another program fills the disk while watch records. Samples are lost and said until there is room
# again; those before and after are there, and no other is lost.
no_space() {
	local pid lost kept

	mount -t tmpfs -o size=4m none tiny || return
	cp s000 now
	# the shell empties log only when it starts the program, which may be after the first look
	: >log
	: >said
	"$program" watch -f now --interval 0.05 -v tiny/history >log 2>said &
	pid=$!
	said_in log '^3 samples, 0 lost' || return
	cat /dev/zero >tiny/fill 2>/dev/null || true
	said_in said 'a sample is lost' && rm tiny/fill || return
	kept=$(sed -n '$s/ samples.*//p' log)
	said_in log "^$((kept + 3)) samples, [1-9]" || return
	kill -TERM "$pid"
	wait "$pid" || true
	cat said
	tail -n 1 log
	lost=$(grep -c 'a sample is lost: tiny/history.*no space left' said)
	[ "$lost" -ge 1 ] && [ "$(grep -c 'is lost' said)" = "$lost" ] &&
		[ "$(tail -n 1 log | sed 's/;.*//')" = "$(sqlite3 tiny/history/*.kmh 'SELECT count(*) FROM sample') samples, $lost lost" ] &&
		[ "$(sqlite3 tiny/history/*.kmh 'PRAGMA integrity_check')" = ok ] &&
		"$program" timeline tiny/history --points 100000 >/dev/null 2>said && [ ! -s said ] &&
		"$program" report tiny/history --by caller --format csv >got && "$program" report s000 --by caller --format csv | cmp - got
}

# in a namespace of its own, with a disk of its own
in_tiny() {
	mkdir -p tiny
	export -f no_space said_in && export program
	unshare -m bash -c 'set -o pipefail; no_space'
}

# Whole days go, oldest first.
bounds() {
	local i

	: >said
	rm -rf days
	for i in 1 2 3 4; do
		sed "s/^\(time_ns: \).*/\1$((begin + i * 86400))000000000/; s/^\(boottime_ns: \).*/\1$((i * 86400))000000000/" s000 >"d$i"
	done
	record days d1 d2 && cp d4 now && "$program" watch -f now -n 1 --keep 2d days >/dev/null 2>said || return
	cat said
	ls days
	grep -q 'removed days/2025-11-25.kmh: older than --keep' said && [ "$(ls days/*.kmh)" = "days/2025-11-26.kmh
days/2025-11-28.kmh" ] || return
	cp d4 now && ! "$program" watch -f now -n 1 --max-size 64K days >/dev/null 2>said
	sed "s/^\(time_ns: \).*/\1$((begin + 5 * 86400))000000000/; s/^\(boottime_ns: \).*/\1$((5 * 86400))000000000/" s000 >now
	truncate -s 70000 days/2025-11-26.kmh
	"$program" watch -f now -n 1 --max-size 64K days >/dev/null 2>said || true
	cat said
	grep -q 'removed days/2025-11-26.kmh: the history exceeds --max-size' said && [ ! -e days/2025-11-26.kmh ]
}

# A leak is said once, by one line, and the command is run once.
on_leak() {
	: >said
	rm -rf told ran
	for s in s0??; do
		cp "$s" now
		# shellcheck disable=SC2016 # for the shell of the program
		"$program" watch -f now -n 1 --on-leak 'echo "$KMEM_ACCOUNT_CALLER" >>ran' told 2>>said >/dev/null || return
	done
	# nobody waits for the commands
	appears ran
	sleep 0.2
	cat said
	sort ran | uniq -c
	cat told/leaks-said
	[ "$(grep -c 'leak: leaky+0x10/0x90: [0-9]* bytes are live, +[0-9]* bytes per hour; ' said)" = 1 ] &&
		[ "$(sort ran | uniq -d)" = "" ] && ! grep -q 'busy\|dentries' ran
}

# CPU time is that of one thread since the start. A share of milliseconds would say nothing, so it is left out.
cost() {
	local line='samples, 0 lost; [0-9.]+ [KMi]*B kept; CPU [0-9.]+ s'
	local last='; last sample: [0-9.]+ ms, [0-9]+ bytes$' begin=${EPOCHREALTIME/./}

	"$program" watch -f s000 -n 2 --interval 0.01 costs 2>/dev/null | tail -n 1 | tee shown
	# on a machine that is busy, this may have taken a second
	grep -Eq "^2 $line$last" shown || [ $((${EPOCHREALTIME/./} - begin)) -ge 1000000 ] || return
	"$program" watch -f s000 -n 3 --interval 0.55 costs 2>/dev/null | tail -n 1 | tee shown
	grep -Eq "^3 $line, [0-9]?[0-9][.][0-9]+ %$last" shown
}

ktap_plan 22
ktap "each sample is the account that was recorded" whole
ktap "leaks DIR gives the verdicts of the snapshots" leaks
ktap "DIR@TIME" times
ktap "a page of a history: each time is the report of that time" page
ktap "missing samples and another boot are marked" marks
ktap "losses are marked where they occurred" losses
ktap "timeline DIR is that of the snapshots" timeline
ktap "diff DIR@TIME DIR@TIME" compare
ktap "programs one after the other go on with a series" resume
ktap "a reboot begins a series" begins_anew 'the machine was booted' 's/^boot_id: 1111/boot_id: 2222/'
ktap "a reload begins a series" begins_anew 'the module was loaded again' 's/^loaded_ns: 9/loaded_ns: 8/'
ktap "a clear begins a series" begins_anew 'the account was restarted' 's/^generation: 1/generation: 2/'
ktap "a clock that is set forward begins a series" begins_anew 'the clock was set' 's/^time_ns: 17640/time_ns: 17641/'
ktap "a clock that is set back begins a series" begins_anew 'the clock was set' 's/^time_ns: 17640/time_ns: 17639/'
ktap "two writers" two_writers
ktap "read while another program records" read_while
ktap "killed at any time" killed
ktap "a full disk costs a sample" full_disk
if unshare -m true 2>/dev/null; then
	ktap "a disk that is full for a while" in_tiny
else
	ktap_skip "a disk that is full for a while" "no mount namespaces here"
fi
ktap "--keep and --max-size remove whole days" bounds
ktap "a leak is said once" on_leak
ktap "watch says its own cost" cost
ktap_end
