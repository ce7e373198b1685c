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
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

resets=${1:-20}
guest_of watch-resets 1 1 "${2-}"
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
files=(--file "$program:/kmem-account" --file "$out/seconds:/seconds" --file "$(module_ko)")
mapfile -t libs < <(ldd "$program" | grep -o '/lib[^ :]*' | sort -u)
for lib in "${libs[@]}"; do
	files+=(--file "$lib:$lib")
done

# reset_after SECONDS: a guest that ends by its reset. Its folder is $out/history.
reset_after() {
	rm -rf "$out/history"
	truncate -s 0 "$out/disk"
	truncate -s 64M "$out/disk"
	mke2fs -q -F -t ext4 "$out/disk"
	echo "$1" >"$out/seconds"
	# a guest that is reset has no verdict
	(guest 1 "$here/watch-resets.guest" "$out" --icount --modules ext4 --keep-disk "$out/disk" \
		--mem 512 --append tsc=reliable "${files[@]}") >"$out/said" && return 1
	if ! grep -q kma-reset "$out/guest/console.log" || ! grep -q 'ended without a verdict' "$out/run"; then
		cat "$out/said"
		return 1
	fi
	# 1: the file system was repaired
	e2fsck -fy "$out/disk" >"$out/fsck" 2>&1 || [ $? -le 1 ]
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
ktap_plan "$resets"
for ((i = 1; i <= resets; i++)); do
	# 2.0 to 8.9 seconds
	after=$((RANDOM % 7 + 2)).$((RANDOM % 10))
	ktap "reset $i, after $after s" loses_little "$after"
done
ktap_end
