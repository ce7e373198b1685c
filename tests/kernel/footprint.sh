#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The static footprints of distributions' kernels by their debug files: to the byte of readelf,
# with directories, by module, and the difference of each two neighbours.
#
#	footprint.sh KERNEL...	as tests/qemu/kernel.sh names them
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/host/lib.sh
. tests/host/lib.sh

truth() { python3 "$here/stock.py" "$@"; }

# sizes KEY VMLINUX
sizes() { "$program" static --vmlinux "$2" --by "$1" --format csv >"$work/got.csv"; }

total() { sizes dir "$1" && truth total "$work/got.csv" "$1"; }
sections() { sizes section "$1" && truth sections "$1" "$work/got.csv"; }
directories() { sizes dir "$1" && truth directories "$work/got.csv"; }

# Both sides add up to the sections of their kernel, and the picture has the two sums.
difference() {
	"$program" diff "$1" "$2" --by dir --floor 0 --format csv -r "$work/diff.svg" >"$work/diff.csv" &&
		truth difference "$work/diff.csv" "$1" "$2" && xmllint --noout "$work/diff.svg"
}

ktap_plan $((4 * $# - 1))
before=
for kernel; do
	vmlinux=$(echo "$(env -u XDG_CACHE_HOME tests/qemu/kernel.sh dir dbg "$kernel")"/usr/lib/debug/boot/vmlinux-*)
	ktap "$kernel: rows add up to the allocated sections" total "$vmlinux"
	ktap "$kernel: sections are those of readelf" sections "$vmlinux"
	ktap "$kernel: what was compiled has a directory" directories "$vmlinux"
	[ -z "$before" ] || ktap "$kernel: the difference from the one before" difference "$before" "$vmlinux"
	before=$vmlinux
done
ktap_end
