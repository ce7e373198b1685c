# shellcheck shell=bash disable=SC2154 # $out is the test's
# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests with resets share (resets.sh, watch-resets.sh); sourced after lib.sh. A guest writes to
# a disk until it resets itself; the host repairs the file system as a boot does.
#
# The guest's time counts its instructions, so that a busy host does not make a second longer.

# shellcheck source=tests/ktap.sh
. tests/ktap.sh

# reset_guest CPUS SCRIPT SECONDS OPTION...: boot a guest with an empty disk, which SCRIPT mounts and
# resets after SECONDS. The disk is $out/disk then, its file system repaired.
reset_guest() {
	local nr_cpus=$1 script=$2

	echo "$3" >"$out/seconds"
	shift 3
	truncate -s 0 "$out/disk"
	truncate -s 64M "$out/disk"
	mke2fs -q -F -t ext4 "$out/disk"
	# a guest that is reset has no verdict
	(guest "$nr_cpus" "$script" "$out" --icount --modules ext4 --keep-disk "$out/disk" \
		--append tsc=reliable --file "$out/seconds:/seconds" "$@") >"$out/said" && return 1
	if ! grep -q kma-reset "$out/guest/console.log" || ! grep -q 'ended without a verdict' "$out/run"; then
		cat "$out/said"
		return 1
	fi
	# 1: the file system was repaired
	e2fsck -fy "$out/disk" >"$out/fsck" 2>&1 || [ $? -le 1 ]
}

# each_reset RESETS FUNCTION: call FUNCTION SECONDS so many times, with 2.0 to 8.9 seconds
each_reset() {
	local i after

	ktap_plan "$1"
	for ((i = 1; i <= $1; i++)); do
		after=$((RANDOM % 7 + 2)).$((RANDOM % 10))
		ktap "reset $i, after $after s" "$2" "$after"
	done
	ktap_end
}
