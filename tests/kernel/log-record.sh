#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account record in a stock kernel: the static program on a busybox initramfs,
# with all the ways in which a recording ends. What it carried away is checked and
# reported here; of the known module it has the rows of the module's own account. It also scans the heap.
#
#	log-record.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of log-record 2 "$@"
program=${KMEM_ACCOUNT:-${O:-$PWD/out}/host/kmem-account}
recorder=${program%/*}/kmem-account-record

# tsc=reliable: else QEMU's CPUs are up to some milliseconds apart in local_clock(), and what
# one frees that another has allocated comes first
guest "$cpus" "$here/log-record.guest" "$out" --append tsc=reliable --file "$(module_ko)" --file "$(known_ko)" \
	--file "$recorder:/recorder"

# sound NAME: check finds nothing, and there are events
sound() {
	"$program" check "$out/guest/$1.log" >"$out/$1.check" || { cat "$out/$1.check"; return 1; }
	[ "$(sed -n 's/^allocations: //p' "$out/$1.check")" -ge "${2-100}" ]
}

# The rows of the known module, "caller allocs frees live req", as two programs have them.
same_rows() {
	awk '/\[kma_known\]$/ { split($4, n, "/"); print $5, n[1], n[2], $1, $3 }' \
		"$out/guest/account" | sort >"$out/want"
	"$program" report "$out/guest/beside.log" --by caller --format csv >"$out/beside.csv" ||
		return
	# caller,current_dynamic,requested,waste,allocs,frees...
	awk -F, '/\[kma_known\],/ { sub(/ .*/, "", $1); print $1, $5, $6, $2, $3 }' \
		"$out/beside.csv" | sort >"$out/got"
	sed 's/^/# /' "$out/want"
	[ "$(wc -l <"$out/want")" -ge 20 ] && diff "$out/want" "$out/got"
}

lossy() {
	local code=0

	"$program" check "$out/guest/stalled.log" --format json >"$out/stalled.json" || code=$?
	[ $code = 1 ] && python3 - "$out/stalled.json" <<-'END'
		import json, sys
		got = json.load(open(sys.argv[1]))
		print("#", got["allocations"], got["frees"], got["summary"])
		assert set(got["summary"]) == {"overrun"} and got["summary"]["overrun"]["number"] > 100
	END
}

# The thread of a recorder that has fallen behind does not compress: there are frames of zstd
# (RFC 8878) with uncompressed blocks only, whose bytes zlib makes much smaller, and others. Each
# CPU whose buffers were full has such a frame; a busy host may let one CPU of the guest do all work.
stored() {
	python3 - "$out/guest/stalled.log" <<-'END'
		import sys, zlib
		data, at, stored, frames = open(sys.argv[1], "rb").read(), 0, [], 0
		while at < len(data):
		    assert data[at:at + 4] == b"\x28\xb5\x2f\xfd", at
		    head = data[at + 4]
		    single = head >> 5 & 1
		    at += 5 + (not single) + (single, 2, 4, 8)[head >> 6] + (0, 1, 2, 4)[head & 3]
		    last, raw, content = False, True, b""
		    while not last:
		        block = int.from_bytes(data[at:at + 3], "little")
		        last, kind = block & 1, block >> 1 & 3
		        raw &= kind == 0
		        content += data[at + 3:at + 3 + (block >> 3)] if kind == 0 else b""
		        at += 3 + (1 if kind == 1 else block >> 3)
		    at += 4 * (head >> 2 & 1)
		    frames += 1
		    if raw and len(zlib.compress(content, 1)) < len(content) / 2:
		        stored.append(len(content))
		print("#", frames, "frames, stored though they can be compressed:", stored)
		assert at == len(data) and 0 < len(stored) < frames
	END
}

# What a recorder that was killed has left behind, up to wherever it was.
remains() {
	"$program" report "$out"/guest/killed.log.?????? --format csv >"$out/killed.csv" &&
		[ "$(wc -l <"$out/killed.csv")" -gt 50 ]
}

# finds NAME FINDING: check names it, and nothing but what a full buffer or a cut may add
finds() {
	local code=0 name=$1 log

	log=$(echo "$out/guest/$name".log*)
	"$program" check "$log" --format json >"$out/$name.json" || code=$?
	[ $code = 1 ] && python3 - "$out/$name.json" "$2" <<-'END'
		import json, sys
		got = json.load(open(sys.argv[1]))
		print("#", got["allocations"], got["frees"], got["summary"])
		named = set(got["summary"]) - {"cut", "overrun", "damaged_stream"}
		assert named == {sys.argv[2]} and got["allocations"] > 10
	END
}

# size NAME MIN MAX
size() {
	local bytes

	bytes=$(stat -c %s "$out/guest/$1.log")
	echo "$bytes bytes"
	[ "$bytes" -ge "$2" ] && [ "$bytes" -le "$3" ]
}

names() {
	"$program" report "$out/guest/comings.log" --by caller --format csv >"$out/comings.csv" &&
		[ "$(grep -c '^known_.*\[kma_known\]' "$out/comings.csv")" -ge 10 ]
}

# lost and why answer from the file, as they do from one of the whole program (lost.sh).
scanned() {
	"$program" lost "$out/guest/scan" --format csv >"$out/lost.csv" &&
		"$program" why --retained caller "$out/guest/scan" --format csv >"$out/retained.csv" || return
	head -n 3 "$out/lost.csv" "$out/retained.csv"
	[ "$(grep -c '^known_.*\[kma_known\]' "$out/retained.csv")" -ge 10 ] && ! grep '^known_' "$out/lost.csv"
}

guest_results "$out/guest/ktap" && ktap_plan 19 || exit 1
for name in beside packed told attached left comings sized drained; do
	ktap "check: $name" sound $name
done
ktap "the account of the log is the module's" same_rows
ktap "what was lost is in the stream" lossy
ktap "what waited was written without compression" stored
ktap "a killed recorder's file" remains
ktap "a killed recorder's log has no end" finds killed no_end
ktap "a flushed log that was killed has no end" finds flushed no_end
ktap "a log on a full disk has no end" finds full no_end
ktap "the rest is there, and the part before is missing" finds rest missing_records
ktap "saved by the next one: the part before is missing" finds unread missing_records
ktap "no more than a size" size sized 102400 2000000
ktap "a scan of the heap" scanned
ktap_end
