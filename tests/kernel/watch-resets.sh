#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A machine that is reset while `kmem-account watch` records to its disk, at a random moment, many
# times. The host then repairs the file system as a boot does. Each sample that watch had reported as
# kept must be there and readable, and the next program must go on with the folder.
#
#	watch-resets.sh [RESETS [KERNEL]]	20 resets of the stock kernel
#
# KTAP on stdout; what is made goes below O. A part of make soak: 20 s a reset.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/kernel/resets-lib.sh
. tests/kernel/resets-lib.sh

resets=${1:-20}
guest_of watch-resets 1 1 "${2-}"
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
files=(--file "$program:/kmem-account" --file "$(module_ko)")
libraries_of "$program"

# reset_after SECONDS: a guest that ends by its reset. Its folder is $out/history.
reset_after() {
	rm -rf "$out/history"
	reset_guest 1 "$here/watch-resets.guest" "$1" --mem 512 "${files[@]}" || return
	debugfs -R "rdump /history $out" "$out/disk" >/dev/null 2>&1
	[ -e "$out/history/kmem-account-history" ]
}

loses_little() {
	local kept there

	reset_after "$1" || return
	kept=$(sed -n 's/.*kma-kept: \([0-9]*\).*/\1/p' "$out/guest/console.log" | tail -n 1)
	# the first command that writes rolls back what was not complete
	"$program" timeline "$out/history" --points 100000 >"$out/timeline.csv" 2>"$out/words" || { cat "$out/words"; return 1; }
	there=$(sqlite3 "$out"/history/*.kmh 'SELECT count(*) FROM sample')
	echo "$kept samples were reported as kept; $there are there"
	cat "$out/words"
	# at most the one that was kept, but not reported yet, is more
	[ "$kept" -ge 3 ] && [ "$there" -ge "$kept" ] && [ "$there" -le $((kept + 1)) ] && [ ! -s "$out/words" ] &&
		[ "$(sqlite3 "$out"/history/*.kmh 'PRAGMA integrity_check')" = ok ] &&
		[ "$(cut -d , -f 1 "$out/timeline.csv" | sed 1d | sort -u | wc -l)" = "$there" ] || return
	# the folder is of use: another program adds a sample, of another day
	"$program" watch -f "$out/snapshot" -n 1 "$out/history" >/dev/null 2>"$out/words" &&
		[ "$(sqlite3 "$out/history/2025-11-24.kmh" 'SELECT count(*) FROM sample')" = 1 ]
}

tests/host/snapshot.py make "$out" 1 && mv "$out/s000" "$out/snapshot"
each_reset "$resets" loses_little
