#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The stock kernel's own vmlinux with debugging information: are functions, files and
# lines of 10,000 addresses at random those of addr2line -i? No VM is needed.
#
#	inlines.sh [COUNT [SEED]]
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../ktap.sh"
cd "$here/../.."
count=${1:-10000}
# the day, so that other addresses are tried tomorrow
seed=${2:-$(date +%Y%m%d)}
program=${KMEM_ACCOUNT:-$PWD/out/host/kmem-account}
[ -n "${KMEM_ACCOUNT-}" ] || [ -z "${O-}" ] || program=$O/host/kmem-account
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache

# The cache that the kernels are in is not the one that is tested.
dbg=$(env -u XDG_CACHE_HOME ${CACHE_HOME:+XDG_CACHE_HOME="$CACHE_HOME"} tests/qemu/kernel.sh dir dbg 6.1)
vmlinux=$(echo "$dbg"/usr/lib/debug/boot/vmlinux-*)
release=${vmlinux##*/vmlinux-}
# what the compiler was called in, and where assembler sources were
strip=$(awk '/DW_AT_comp_dir/ && !seen[$NF]++ { print $NF; if (++n == 2) exit }' \
	< <(readelf --debug-dump=info --dwarf-depth=1 "$vmlinux" 2>/dev/null) | paste -sd,)
# in which the top of the source is: what is below debian/ was made in the build directory
strip=$strip,${strip%%/debian/*}

# A real account (Debian 6.1, moved by KASLR), by its addresses alone: the lines are those
# that its places give.
real_slide() {
	local sites=tests/data/readers/sites-6.1

	{
		awk -F'\t' '$2 ~ /^0x/ && $12 == "vmlinux" { t += $3; s += $4; r += $5; a += $6; f += $7 + $8; n++ }
			END { printf "total bytes allocated: %d\ntotal bytes requested: %d\nslack bytes allocated: %d\n" \
				"number of allocs: %d\nnumber of frees: %d\nnumber of callers: %d\n\n" \
				"   total    slack      req alloc/free  caller\n", t, r, s, a, f, n }' "$sites"
		awk -F'\t' '$2 ~ /^0x/ && $12 == "vmlinux" {
			printf "%8d %8d %8d %5d/%-5d  %s\n", $3, $4, $5, $6, $7 + $8, $2 }' "$sites"
	} >"$work/raw"
	"$program" report "$work/raw" --vmlinux "$vmlinux" --by line --format csv 2>"$work/said" |
		awk -F, '{ print $1, $2 }' >"$work/by-address"
	cat "$work/said"
	"$program" report "$sites" --vmlinux "$vmlinux" --by line --format csv |
		awk -F, '{ print $1, $2 }' >"$work/by-place"
	[ "$(wc -l <"$work/by-place")" -gt 40 ] && grep -q ' bytes (KASLR); corrected$' "$work/said" &&
		diff "$work/by-place" "$work/by-address"
}

ktap_plan 3
echo "# Linux $release, seed $seed"
ktap "the table made: functions, files and lines are those of addr2line" tests/host/inlines.py \
	"$program" "$vmlinux" "$count" "$seed" symbolizer=llvm-symbolizer strip="$strip"
ktap "the table kept: the same for others" tests/host/inlines.py \
	"$program" "$vmlinux" $((count / 10)) $((seed + 1)) symbolizer=llvm-symbolizer strip="$strip"
ktap "a real account that KASLR has moved" real_slide
ktap_end
