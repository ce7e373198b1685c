#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# leaks --scan: the file of a scan corrects the verdicts on the call sites of a made machine, whose lost
# objects and roots are known (leaks-scan.py), and a file that is not of this machine is refused.
# shellcheck disable=SC2016 # programs of awk
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
python3 "$here/leaks-scan.py" make .
"$program" leaks s[0-9]* --format csv -O without.csv

verdicts() {
	"$program" leaks s[0-9]* --scan scan --format csv -O with.csv &&
		python3 "$here/leaks-scan.py" check with.csv without.csv &&
		python3 "$here/planted.py" reasons with.csv
}

# A snapshot alone has no trend, and the scan proves its leaks.
alone() {
	local code=0
	"$program" leaks s30 --scan scan --format csv 2>/dev/null | cut -d, -f2,9 | sort | tee got &&
		diff got - <<-END || return
			leak,both+0x10/0x90
			leak,both+0x10/0x90
			leak,leaky+0x10/0x90
			leak,ring+0x10/0x90
			leak,still+0x10/0x90
			too-early,absent+0x10/0x90
			too-early,buffers+0x10/0x90
			too-early,counters+0x10/0x90
			too-early,listed+0x10/0x90
			too-early,swings+0x10/0x90
			too-early,unnamed+0x10/0x90
			too-early,unseen+0x10/0x90
			verdict,caller
		END
	"$program" leaks s30 --scan scan --fail-on leak >/dev/null 2>&1 || code=$?
	[ "$code" -eq 3 ] || return
	code=0
	"$program" leaks s30 --fail-on leak >/dev/null 2>&1 || code=$?
	[ "$code" -eq 0 ]
}

# edit AWK-PROGRAM: the scan with other lines
edit() {
	awk -F '\t' -v OFS='\t' "$1" scan | awk -F '\t' -v OFS='\t' '$1 == "end" { $2 = NR - 1 } { print }'
}

# Without lost objects, holders are shown. Losses of call sites that have no row are no all-clear.
without_rows() {
	local code=0
	edit '$1 != "lost" && $1 != "unseen"' >held &&
		"$program" leaks s30 --scan held 2>/dev/null >got && grep -qF 'held by variable table [foo]: 600 of 900 (67 %)' got || return
	edit '$1 != "lost" || /elsewhere/' >beyond
	"$program" leaks s30 --scan beyond --fail-on leak >/dev/null 2>said || code=$?
	[ "$code" -eq 1 ] && grep -qF 'so --fail-on leak was not checked' said || return
	# its only row is of pages, which a scan does not see
	edit '$1 == "lost" && /still/ { sub(/still/, "buffers") } { print }' >pages
	"$program" leaks s30 --scan pages 2>&1 >/dev/null | grep -xF 'kmem-account: leaks: pages: 2 call sites with lost objects are in no input; see lost'
}

sentences() {
	"$program" leaks s30 --scan scan --all >got 2>/dev/null && cat got &&
		grep -qxF 'still+0x10/0x90 leaks memory: 56.2 KiB are live; 3 of 900 objects have no reference left in the kernel; held by variable table [foo]: 600 of 900 (67 %).' got &&
		grep -qxF 'both+0x10/0x90 (cache) may leak memory: 3.1 KiB are live; 7 of 90 objects of all kinds of this caller have no reference left in the kernel; held by variable other: 83 of 90 (92 %).' got &&
		"$program" leaks s30 --scan scan --format json 2>/dev/null |
		python3 -c '
import json, sys
sites = {(s["caller"], s.get("kind")): s for s in json.load(sys.stdin)["sites"]}
still, absent = sites["still+0x10/0x90", "kmalloc"], sites["absent+0x10/0x90", "kmalloc"]
assert still["lost"] == 3 and still["held"] == 600 and still["sentence"].startswith("still"), still
assert absent["lost"] is None and absent["holder"] is None and "sentence" not in absent, absent'
}

picture() {
	"$program" leaks s[0-9]* --scan scan -r got.svg >/dev/null 2>&1 &&
		grep -qF 'leak, confidence 1.00: +333.3 KiB an hour, 410 of 540 lost<' got.svg &&
		grep -qF 'leak, confidence 1.00: +0 B an hour, 3 of 900 lost<' got.svg
}

# said FILE LINE...: leaks takes the file, and says this before what it says of each
said() {
	local file=$1
	"$program" leaks s[0-9]* --scan "$file" >/dev/null 2>got || return
	shift
	printf "kmem-account: leaks: $file: %s\n" "$@" 'this is a made machine' \
		'1 call site with lost objects is in no input; see lost' | diff got -
}

notes() {
	local newest='the newest input'
	said scan && said younger "the scan is 5 s younger than $newest" &&
		said older "the scan is 90 s older than $newest, and has no objects that were allocated since" &&
		said bare 'cannot check whether the scan is of the boot of the inputs'
}

# refused STATUS SENTENCE ARGUMENT...
refused() {
	local code=0
	"$program" leaks "${@:3}" >got 2>said || code=$?
	[ "$code" -eq "$1" ] && [ ! -s got ] && diff said - <<<"kmem-account: $2"
}

refusals() {
	local id=0123456789abcdef0123456789abcdef01234567
	refused 1 'boot: the scan is of another boot than the newest input' s30 --scan boot &&
		refused 1 'cleared: the module was loaded or cleared between the scan and the newest input' s30 --scan cleared &&
		refused 1 'release: the scan is of another kernel than the inputs: its kernel release is 6.12.0-made, not 6.1.0-made' s30 --scan release &&
		refused 1 "build: the scan is of another kernel than the inputs: its kernel build ID is ${id//?/f}, not $id" s30 --scan build &&
		refused 1 'stranger: the scan has no call site of the inputs; is it of the same machine?' s30 --scan stranger &&
		refused 1 "cut:$(($(wc -l <"./cut") + 1)): truncated: the line 'end' is missing" s30 --scan cut &&
		refused 1 "damaged:$(awk '/99999/ { print NR; exit }' damaged): invalid number '99999'" s30 --scan damaged &&
		refused 1 's30: no scan in this snapshot or bundle; kmem-account bundle --scan FILE adds one' s30 --scan s30 &&
		edit '$1 == "lost" && !n++ { $2 = $3 + 1 } { print }' >toomany &&
		refused 1 "toomany:$(awk '/^lost\t/ { print NR; exit }' toomany): more lost objects than live ones" s30 --scan toomany &&
		refused 1 'none: cannot open: No such file or directory' s30 --scan none &&
		refused 2 'leaks: --scan cannot be combined with --by' s30 --scan scan --by cgroup &&
		refused 2 'leaks: --scan cannot be combined with --workload' --scan scan --workload true &&
		refused 2 'leaks: --scan cannot be combined with --prometheus' --scan scan --prometheus http://localhost:1
}

ktap_plan 7
ktap "verdicts and reasons" verdicts
ktap "a single snapshot" alone
ktap "lost objects that have no row, and no lost objects" without_rows
ktap "sentences" sentences
ktap "picture" picture
ktap "what the scan did not see" notes
ktap "what is refused" refusals
ktap_end
