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

# An account of the call sites of a real one, as places and as addresses that KASLR has moved: the lines are the
# same. The symbols are those of this vmlinux, because Debian's kernel is newer than the account.
made_accounts() {
	nm -S --defined-only "$vmlinux" | python3 -c '
import collections, re, sys
sites, folder, slide = sys.argv[1], sys.argv[2], 0x1ca00000
found = collections.defaultdict(list)
for words in map(str.split, sys.stdin):
    if len(words) == 4 and words[2] in "tT":
        found[words[3]].append((int(words[0], 16), int(words[1], 16)))
rows = []
for line in open(sites):
    match = re.search(r"\t(\w+)\+0x([0-9a-f]+)/0x[0-9a-f]+\t", line)
    symbols = found[match[1]] if match else []
    if len(symbols) == 1 and int(match[2], 16) < symbols[0][1]:
        rows.append((match[1], int(match[2], 16), *symbols[0]))
for name in "places", "raw":
    with open(folder + "/" + name, "w") as out:
        n = sum(range(1, len(rows) + 1))
        out.write("total bytes allocated: %d\ntotal bytes requested: %d\nslack bytes allocated: 0\n" % (n, n)
                  + "number of allocs: %d\nnumber of frees: 0\nnumber of callers: %d\n\n" % (len(rows), len(rows))
                  + "   total    slack      req alloc/free  caller\n")
        for i, (symbol, offset, start, size) in enumerate(rows):
            caller = "%s+0x%x/0x%x" % (symbol, offset, size) if name == "places" else "0x%x" % (start + offset + slide)
            out.write("%8d %8d %8d %5d/%-5d  %s\n" % (i + 1, 0, i + 1, 1, 0, caller))
' tests/data/readers/sites-6.1 "$work"
}

by_line() {
	"$program" report "$work/$1" --vmlinux "$vmlinux" --by line --format csv 2>"$work/said" | awk -F, '{ print $1, $2 }'
}

real_slide() {
	made_accounts || return
	by_line raw >"$work/by-address"
	cat "$work/said"
	grep -q ' bytes (KASLR); corrected$' "$work/said" || return
	by_line places >"$work/by-place"
	[ "$(wc -l <"$work/by-place")" -gt 40 ] && ! grep -q '^\[' "$work/by-place" && diff "$work/by-place" "$work/by-address"
}

ktap_plan 3
echo "# Linux $release, seed $seed"
ktap "the table made: functions, files and lines are those of addr2line" tests/host/inlines.py \
	"$program" "$vmlinux" "$count" "$seed" symbolizer=llvm-symbolizer strip="$strip"
ktap "the table kept: the same for others" tests/host/inlines.py \
	"$program" "$vmlinux" $((count / 10)) $((seed + 1)) symbolizer=llvm-symbolizer strip="$strip"
ktap "a real account that KASLR has moved" real_slide
ktap_end
