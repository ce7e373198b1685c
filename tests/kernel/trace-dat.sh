#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Recordings of trace-cmd in a stock kernel, and SLUB's own account there, read by the
# program and by the independent scripts of tests/host: all numbers agree. What SLUB
# lists of a cache is what /proc/slabinfo counts, give or take what it keeps.
#
#	trace-dat.sh [KERNEL [small]]	the stock kernel
#
# "small" makes recordings for tests/data: little work, and symbols of it only.
# KTAP on stdout; what is made goes below O.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
# shellcheck source=tests/kernel/lib.sh
. "$here/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

kernel=${1-}
columns=caller,current_dynamic,requested,waste,allocs,frees,total_dynamic,peak,objects,remote_frees,wrong_frees,kind
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
out=$(kernel_out "trace-dat${kernel:+-$kernel}")
got=$out/guest

if [ "${2-}" = small ]; then
	printf 'small=1\nrounds=1\n' >"$out/plan"
	# the functions of the recordings that there are
	for file in tests/data/trace-dat/*.dat; do
		trace-cmd report -i "$file" 2>/dev/null
	done | sed -nE 's/.*call_site=([^ +]+).*/\1/p; s/^ *=> ([^ +(]+).*/\1/p' | sort -u >"$out/keep"
else
	printf 'small=0\nrounds=2\n' >"$out/plan"
	: >"$out/keep"
fi
tool=$(command -v trace-cmd)
files=(--file "$tool:/bin/trace-cmd" --file "$out/plan:/plan" --file "$out/keep:/keep")
for lib in $(ldd "$tool" | grep -o '/lib[^ ]*'); do
	files+=(--file "$lib:$lib")
done
guest 2 "$here/trace-dat.guest" "$out" "${files[@]}" --append slub_debug=U \
	--allow "$trace_cmd_allow"

# agrees NAME [--functions]: with the independent script, and with the text
agrees() {
	trace-cmd report -i "$got/$1.dat" 2>/dev/null >"$out/text"
	# both have the same events twice: the file's own buffer is the first
	[ "$1" != both ] || sed -i '/^one:/d' "$out/text"
	{ echo "$columns"; tests/host/log-account.py "$out/text"; } >"$out/want"
	"$program" report "$got/$1.dat" --format csv >"$out/got" || return 1
	tests/host/trace-dat.py ${2:+"$2"} "$out/want" "$out/got" || return 1
	"$program" report "$out/text" --format csv >"$out/got-text" || return 1
	tests/host/trace-dat.py ${2:+"$2"} "$out/got-text" "$out/got"
}

# Caches with many objects, of which a few come and go, or wait to be given out.
slabinfo() {
	local cache=$1 listed counted

	listed=$("$program" report "$got/slub/$cache" --format json | python3 -c '
import json, sys
print(json.load(sys.stdin)["total"]["objects"])')
	counted=$(awk -v c="$cache" '$1 == c { print $2 }' "$got/slabinfo")
	echo "$cache: $listed listed, $counted counted"
	[ "$listed" -gt 500 ] && [ "$listed" -le $((counted + 100)) ] && [ "$listed" -ge $((counted * 9 / 10)) ]
}

ktap_plan 8
for name in kmem instance both lost; do
	ktap "$name" agrees $name
done
if [ "${2-}" = small ]; then
	ktap_skip "version 6" "no such recording"
else
	ktap "version 6" agrees v6
fi
ktap "pages" agrees pages --functions
ktap "SLUB's dentries are slabinfo's" slabinfo dentry
ktap "SLUB's kernfs nodes are slabinfo's" slabinfo kernfs_node_cache
ktap_end
