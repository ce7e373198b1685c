#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Event logs of the module. log-make.py writes the same events in each byte order and word
# size, with losses, and knows what account they make: each row agrees, in all four. Then
# packed, through a pipe, without symbols; and damaged: what is not there is counted, to
# the record.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

made=$here/log-make.py
cd "$work"

# rows LOG: what the program makes of it, sorted
rows() {
	"$program" report "$1" --format csv >out.csv 2>stderr || { cat stderr; return 1; }
	tail -n +2 out.csv | sort
}

agrees() {
	rows "$1" >got || return 1
	# a log without rows would agree with anything
	[ "$(wc -l <"$2")" -gt 100 ] && diff "$2" got
}

# fact NAME: of the log that was made
fact() {
	python3 -c 'import json, sys; print(json.load(open("facts.json"))[sys.argv[1]])' "$1"
}

# number KEY: of out.json
number() {
	sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" out.json | tail -n 1
}

losses() {
	"$program" report little64.log --format json >out.json 2>/dev/null || return 1
	[ "$(number events_not_recorded)" = "$(fact lost)" ] && [ "$(fact lost)" -gt 100 ] &&
		[ "$(number frees_of_unknown_objects)" = "$(fact unknown)" ] && [ "$(number implied_frees)" = "$(fact implied)" ]
}

packed() {
	local with

	for with in gzip xz zstd; do
		$with -c little64.log >packed || return 1
		rows packed | diff little64.csv - || return 1
	done
	"$program" report -f - --format csv <little64.log 2>/dev/null | tail -n +2 | sort | diff little64.csv -
}

# Sites without symbols are addresses, or places in a module; sums stay.
no_symbols() {
	"$made" --events 3000 --no-symbols bare.log bare.csv || return 1
	"$program" report bare.log --format csv 2>/dev/null | tail -n +2 | sort >got || return 1
	[ "$(grep -c '^0xffffffff8100' got)" -gt 50 ] && grep -q '^kma_made+0x1[0-9a-f]*' got || return 1
	[ "$(awk -F, '{ s += $2 } END { print s }' got)" = "$(awk -F, '{ s += $2 } END { print s }' bare.csv)" ]
}

# From 6.4 on kfree() may free what another function allocated.
legal() {
	"$made" --events 3000 --release 6.12.1 --no-wrong new.log new.csv && rows new.log | diff new.csv -
}

# Of an interval: what was live before it is live in it, and is in no count.
interval() {
	local pair from to counter n=0

	for pair in "0 0.002" "0.001 0.002" "0.0012 90" "0.003 90" "0.001 0.002 --counter 2793486123"; do
		read -r from to counter <<<"$pair"
		# shellcheck disable=SC2086 # words
		"$made" --events 12000 $counter --from "$from" --to "$to" part.log part.csv || return 1
		"$program" report part.log --format csv --from "$from" --to "$to" >out.csv 2>stderr ||
			{ cat stderr; return 1; }
		tail -n +2 out.csv | sort | diff part.csv - || { echo "from $from to $to"; return 1; }
		n=$((n + $(wc -l <part.csv)))
	done
	echo "$n rows"
	[ $n -gt 500 ]
}

# option CODE SENTENCE ARGUMENTS...
option() {
	local code=0 want=$1 sentence=$2

	shift 2
	"$program" report "$@" >out.txt 2>stderr || code=$?
	[ $code = "$want" ] && [ ! -s out.txt ] && [ "$(wc -l <stderr)" = 1 ] && grep -q -e "$sentence" stderr
}

no_interval() {
	option 1 '--from and --to need an event log' "$data/small.account" --from 1 || return 1
	option 2 "invalid --from '-1' (expected 0 to 1000000000 seconds" little64.log --from -1 || return 1
	option 2 'not after --from' little64.log --from 2 --to 1
}

# missed FROM WORDS...: the command says that the log has no event from FROM on
missed() {
	local from=$1

	shift
	"$program" "$@" --from "$from" >out.txt 2>stderr && grep -q "sound.log: no event is counted: the last one before --from is 0.00[0-9]* s after" stderr
}

# An interval that begins after the log has no event, and each command says so. One within it says nothing.
after_the_end() {
	missed 90 report sound.log && missed 90 timeline sound.log && missed 90 objects sound.log &&
		missed 90 export folded sound.log && missed 90 report sound.log --to 91 || return
	! missed 0.0001 report sound.log && ! missed 0.0001 report sound.log --to 0.0002 && ! missed 0 report sound.log
}

# A chart takes the same interval as a report.
charted() {
	"$program" rings sound.log --from 0.0002 --to 0.0006 -r page.html && "$here/page.py" rows page.html | awk -F '\t' '
		$1 == "current_dynamic" && $2 == "caller" && $4 { print $3 "," $4 }' | sort >got
	"$program" report sound.log --from 0.0002 --to 0.0006 --by caller --format csv |
		awk -F , 'NR > 1 && $2 { print $1 "," $2 }' | sort >want
	[ -s want ] && diff want got || return
	"$program" report sound.log --by caller --format csv | awk -F , 'NR > 1 && $2 { print $1 "," $2 }' | sort | diff -q - got && return 1
	! "$program" rings sound.log --from 2 --to 1 -r x.svg 2>stderr && grep 'rings: --to is not after --from' stderr
}

sound() {
	"$made" --events 3000 sound.log sound.csv || return 1
	"$program" check sound.log >out.txt || { cat out.txt; return 1; }
	grep -q '^findings: 0$' out.txt
}

# check names the losses, each with CPU and place
check_losses() {
	local code=0

	"$program" check little64.log --format csv >out.csv || code=$?
	[ $code = 1 ] || return 1
	awk -F, 'NR > 1 && $1 != "overrun" { print; exit 1 }
		NR > 1 { s += $4 } END { print s }' out.csv >sum || { cat sum; return 1; }
	[ "$(cat sum)" = "$(fact lost)" ]
}

# What is damaged is missing by number: events that are given, lost and gone add up.
damaged() {
	local code

	for how in zero noise head drop; do
		code=0
		python3 - $how <<-'END' || return 1
			import random, sys
			d, r, how = bytearray(open("little64.log", "rb").read()), random.Random(7), sys.argv[1]
			at = [i for i in range(200000, len(d)) if d[i:i + 4] == b"KMCH"]
			if how == "zero":
			    d[300000:309000] = bytes(9000)
			elif how == "noise":
			    for _ in range(40):
			        i = r.randrange(300000, len(d) - 100000)
			        d[i:i + 64] = r.randbytes(64)
			elif how == "head":
			    for i in at[2::9]:
			        d[i + 8:i + 16] = r.randbytes(8)
			    d[at[-3]:at[-3] + 4] = b"nope"
			else:
			    del d[300001:310000]
			open("damaged.log", "wb").write(d)
		END
		"$program" report damaged.log --format csv >/dev/null 2>stderr || { cat stderr; return 1; }
		grep -q 'see kmem-account check' stderr || return 1
		"$program" check damaged.log --format json >out.json || code=$?
		[ $code = 1 ] || return 1
		adds_up $how || return 1
	done
}

# adds_up HOW: of all records a few may be read as others, where noise looks like one
adds_up() {
	python3 - "$1" <<-'END'
		import json, sys
		got, want = json.load(open("out.json")), json.load(open("facts.json"))
		n = lambda what: got["summary"].get(what, dict(number=0))["number"]
		events = got["allocations"] + got["frees"]
		all_events = want["allocs"] + want["frees"] + want["lost"]
		gone = n("missing_records")
		off = events + n("overrun") + gone - n("sequence") - all_events
		print("#", sys.argv[1], events, "read", gone, "gone, sum off by", off)
		# records that are no events are among what is gone, and the end of a stream has no number
		assert events > 0.5 * all_events and gone + n("sequence") > 0, got
		assert abs(off) < 0.02 * all_events, (off, got)
	END
}

# Cut anywhere: all before it is there, and it is said.
cut() {
	local code=0

	head -c 401003 little64.log >cut.log
	"$program" report cut.log --format csv >/dev/null 2>stderr || return 1
	grep -q 'bytes are missing at the end' stderr || return 1
	"$program" check cut.log --format json >out.json || code=$?
	[ $code = 1 ] && grep -q '"cut"' out.json
}

# Compressed and cut: what the compressor's own program gets out of it is there, and the end is
# missing. Three bytes from the end, only the checksum is cut: all of the log is there.
cut_packed() {
	local name cut code

	for name in gzip xz zstd; do
		$name -c little64.log >packed.z
		for cut in $(($(stat -c %s packed.z) * 3 / 4)) $(($(stat -c %s packed.z) - 3)); do
			head -c "$cut" packed.z >cut.z
			{ $name -dc <cut.z 2>/dev/null || :; } >got.log
			[ "$cut" -lt $(($(stat -c %s packed.z) - 3)) ] || cp little64.log got.log
			echo "$name: $cut bytes, $(stat -c %s got.log) decompressed"
			"$program" report cut.z --format csv >cut.csv 2>stderr && "$program" report got.log --format csv 2>/dev/null |
				diff cut.csv - && grep -q 'cut.z: the end is missing: the last event is ' stderr || return
			code=0
			"$program" check cut.z --format csv >check.csv || code=$?
			[ $code = 1 ] && grep -q '^no_end,' check.csv || return
		done
		# nothing can be decompressed
		head -c 20 packed.z >cut.z
		refuse cut.z "cut.z: truncated: the $name data have no end" || return
		if "$program" check cut.z >out.txt 2>stderr; then return 1; fi
		grep -q "cut.z: truncated: the $name data have no end" stderr || return
		# another input is refused, also if its text is whole
		header 10 10 0 1 0 1 >short.text &&
			echo '      10        0       10     1/0      a+0x1/0x2' >>short.text && "$program" report short.text >out.txt || return
		$name -c short.text >packed.z && head -c -3 packed.z >cut.z
		refuse cut.z "cut.z: truncated: the $name data have no end" || return
	done
}

refuse() {
	local code=0

	"$program" report "$1" >out.txt 2>stderr || code=$?
	[ $code = 1 ] && [ ! -s out.txt ] && [ "$(wc -l <stderr)" = 1 ] && grep -q "$2" stderr
}

refused() {
	"$made" --events 100 --version 3 v3.log v3.csv || return 1
	refuse v3.log 'version 3 (supported: 1, 2)' || return 1
	"$made" --events 100 --counter 3000000000 --rate 0 still.log still.csv || return 1
	refuse still.log 'clock rate is 0' || return 1
	head -c 100 little64.log >short.log
	refuse short.log 'truncated in the header' || return 1
	head -c 500 little64.log >none.log
	refuse none.log 'no events'
}

# clock HZ OPTION...: a log of a counter that goes so fast is the same log. A 3 GHz one
# counts beyond 32 bits in the breaks of nine seconds, a slow one stands still between events.
clock() {
	"$made" --events 12000 --lose --counter "$@" counter.log counter.csv facts.json || return 1
	agrees counter.log counter.csv
}

# Of another CPU's clock, and of no time at all: nothing of check's but what was lost.
clock_checks() {
	local code=0

	"$made" --events 12000 --lose --counter 2793486123 counter.log counter.csv facts.json || return 1
	"$program" check counter.log --format csv >out.csv || code=$?
	[ $code = 1 ] && ! grep -v -e '^overrun,' -e '^finding,' out.csv
}

ktap_plan 23
for arch in "little 64" "big 32" "big 64" "little 32"; do
	read -r order bits <<<"$arch"
	"$made" --order "$order" --bits "$bits" --events 12000 --lose "$order$bits.log" "$order$bits.csv" facts.json
	ktap "$order-endian, $bits bits" agrees "$order$bits.log" "$order$bits.csv"
done
ktap "a counter of 2.79 GHz" clock 2793486123
ktap "a counter of 3 GHz, big-endian, 32 bits" clock 3000000000 --order big --bits 32
ktap "a counter of 62.5 MHz" clock 62500000
ktap "check: the times of a counter" clock_checks
ktap "all byte orders and word sizes: one account" diff little64.csv big32.csv
ktap "losses, unknown and implied frees" losses
ktap "packed, and through a pipe" packed
ktap "without symbols" no_symbols
ktap "frees by another function are legal from 6.4 on" legal
ktap "intervals" interval
ktap "no intervals" no_interval
ktap "check: a sound log" sound
ktap "a chart of an interval" charted
ktap "an interval after the log" after_the_end
ktap "check: losses by place" check_losses
ktap "damaged: what is gone is counted" damaged
ktap "cut short" cut
ktap "compressed and cut short" cut_packed
ktap "refused" refused
ktap_end
