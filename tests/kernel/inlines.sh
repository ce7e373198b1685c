#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
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

ktap_plan 2
echo "# Linux $release, seed $seed"
ktap "the table made: functions, files and lines are those of addr2line" tests/host/inlines.py \
	"$program" "$vmlinux" "$count" "$seed" symbolizer=llvm-symbolizer-14 strip="$strip"
ktap "the table kept: the same for others" tests/host/inlines.py \
	"$program" "$vmlinux" $((count / 10)) $((seed + 1)) symbolizer=llvm-symbolizer-14 strip="$strip"
ktap_end
