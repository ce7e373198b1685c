#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The recorder of other machines (make record-static with CC= and ZSTD=0), each run by QEMU's
# user mode beside log-fake.py, which has a log of such a machine. What it carries away is
# reported here, and has the numbers that the log was made from.
#
#	record-machines.sh
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
program=${KMEM_ACCOUNT:-${O:-$PWD/out}/host/kmem-account}
out=${O:-$PWD/out}/record-machines
rm -rf "$out"

# machine	bits and order	compiler		who runs it
machines='
aarch64		64 little	aarch64-linux-gnu-gcc	qemu-aarch64
arm		32 little	arm-linux-gnueabihf-gcc	qemu-arm
powerpc		32 big		powerpc-linux-gnu-gcc	qemu-ppc
s390x		64 big		s390x-linux-gnu-gcc	qemu-s390x
'

# built MACHINE COMPILER
built() {
	make -s -C host record-static CC="$2" ZSTD=0 O="$out/$1/host"
}

# recorded MACHINE BITS ORDER RUNNER OPTION...
recorded() {
	local dir=$out/$1 code=0 fake run=("$4" "$out/$1/host/kmem-account-record")

	tests/host/log-make.py --events 4000 --bits "$2" --order "$3" "$dir/made.log" "$dir/made.csv"
	shift 4
	tests/host/log-fake.py "$dir/root" "$dir/made.log" &
	fake=$!
	for _ in $(seq 600); do
		[ ! -e "$dir/root/ready" ] || break
		sleep 0.1
	done
	timeout 600 "${run[@]}" --root "$dir/root" -o "$dir/got.log" --size 8G -- \
		sh -c "until [ -e $dir/root/done ]; do sleep 0.1; done" || code=$?
	kill $fake 2>/dev/null || :
	wait $fake 2>/dev/null || :
	[ $code = 0 ] && "$program" check "$dir/got.log" &&
		"$program" report "$dir/got.log" --format csv 2>/dev/null | tail -n +2 | sort >"$dir/got.csv" &&
		diff "$dir/made.csv" "$dir/got.csv"
}

# It says that it cannot, before it switches anything on.
unpacked() {
	local code=0

	mkdir -p "$out/none/proc" "$out/none/run"
	echo "debugfs / debugfs rw 0 0" >"$out/none/proc/mounts"
	: >"$out/none/proc/kmem_account"
	"$2" "$out/$1/host/kmem-account-record" --root "$out/none" -o "$out/none/log" --zstd 2>"$out/none/err" ||
		code=$?
	cat "$out/none/err"
	[ $code = 1 ] && grep -q -- '--zstd: this program was built without zstd' "$out/none/err" &&
		[ ! -s "$out/none/proc/kmem_account" ] && [ ! -e "$out/none/log" ]
}

# A scan needs 64 bits.
scans() {
	local code=0 help=("$3" "$out/$1/host/kmem-account-record" scan --help)

	"${help[@]}" >"$out/$1/help" 2>"$out/$1/err" || code=$?
	cat "$out/$1/err"
	if [ "$2" = 64 ]; then
		[ $code = 0 ] && grep -q '^Usage: kmem-account-record scan ' "$out/$1/help"
	else
		[ $code = 1 ] && [ ! -s "$out/$1/help" ] && grep -q 'scan: needs a program of 64 bits' "$out/$1/err"
	fi
}

ktap_plan $((4 * $(awk 'NF { n++ } END { print n }' <<<"$machines")))
while read -r machine bits order compiler runner; do
	[ -n "$machine" ] || continue
	ktap "$machine: the recorder" built "$machine" "$compiler"
	ktap "$machine: what it recorded, reported here" recorded "$machine" "$bits" "$order" "$runner"
	ktap "$machine: no --zstd without the library" unpacked "$machine" "$runner"
	ktap "$machine: a scan, or why there is none" scans "$machine" "$bits" "$runner"
done <<<"$machines"
ktap_end
