#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Who waits, by file and directory: logs of function_graph as an account. The log is made here
# of stacks with functions of a made tree, whose directories are known by their names.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$work"

fixture mktree.sh "$work/mini" >/dev/null
nm -n mini/tree/vmlinux >symbols
spans symbols | sed -nE 's/^((alpha|beta)_inode_(alloc|other)) [0-9]+ ([0-9]+)$/\1 \4/p' >functions
# made log: for each allocation its ns, and the function that it was for or - for none
python3 - >log 3>made <<'END'
import os, random
rnd, now = random.Random(5), 10**9
made = os.fdopen(3, "w")
functions = [line.split() for line in open("functions")]
for _ in range(500):
    name, span = rnd.choice(functions + [("-", "0")])
    now += 10**9
    took = rnd.randrange(134000, 1 << rnd.randrange(18, 33))
    def at(ns, took, body):
        ns //= 1000
        took = f"{took // 1000}.{took % 1000:03d} us" if took else ""
        print(f"{ns // 10**6:5d}.{ns % 10**6:06d} |   1)   bash-77     | {took:14} |  {body}")
    if name != "-":
        at(now - took // 2 - 1000, 0, "/* mm_vmscan_direct_reclaim_begin: order=0 gfp_flags=GFP_NOFS */")
        at(now - 1000, 0, "/* mm_vmscan_direct_reclaim_end: nr_reclaimed=3 */")
        print(f"{'bash':>16}-{77:<7} [001] ..... {now / 1e9:12.6f}: <stack trace>")
        print(" => try_to_free_pages+0x12/0x200\n => __alloc_pages+0x30/0x330\n => folio_alloc+0x3/0x40")
        print(f" => {name}+0x{rnd.randrange(1, int(span)):x}/0x{int(span):x}\n => vfs_write+0x1/0x9")
    at(now, took, "} /* __alloc_pages */")
    print(took, name, file=made)
END

# sums KEY: of the program's csv, "name latency waits"
sums() {
	"$program" report -f log -k mini/tree --by "$1" --format csv 2>stderr |
		awk -F, 'NR == 1 && $0 != "'"$1"',latency,waits" { exit 1 } NR > 1 { print $1, $2, $3 }' | sort
}

by_dir() {
	awk '{ dir = $2 == "-" ? "[not in the log]" : "fs/" substr($2, 1, index($2, "_") - 1)
		sum[dir] += $1; n[dir]++ }
		END { for (dir in sum) printf "%s %.0f %d\n", dir, sum[dir], n[dir] }' made | sort >want
	sums dir >got || { cat stderr; return 1; }
	diff want got
}

by_file() {
	sums file >got || return 1
	grep -q '^fs/alpha/inode.c ' got && [ "$(awk '{ s += $(NF - 1) } END { printf "%.0f\n", s }' got)" = \
		"$(awk '{ s += $1 } END { printf "%.0f\n", s }' made)" ]
}

# The total is what "latency" says of allocations.
same_total() {
	local total

	total=$("$program" latency -t 134 -f log --format csv | awk -F, '$1 == "allocation" { print $3, $2 }')
	[ "$("$program" report -f log --format json | python3 -c '
import json, sys
total = json.load(sys.stdin)["total"]
print(total["latency"], total["waits"])')" = "$total" ]
}

# Times are shown in their units, rounded to tenths.
times() {
	"$program" report -f log -k mini/tree --by dir --top 1 >got || return 1
	awk '$2 ~ /^alpha/ { a += $1 } $2 ~ /^beta/ { b += $1 }
		END { printf "%.1f s\n", (a > b ? a : b) / 1e9 }' made >want
	grep -qF "$(cat want) " got && grep -q '^ *waited  *waits ' got
}

pictures() {
	local kind

	for kind in rings treemap icicle flame; do
		"$program" "$kind" -f log -k mini/tree -a latency -r "$kind.svg" || return 1
		grep -q 'Who waits for memory' "$kind.svg" && grep -q 'alpha' "$kind.svg" &&
			grep -q 'not in the log' "$kind.svg" &&
			grep -q ' s<' "$kind.svg" || return 1
	done
	"$program" rings -f log -k mini/tree -a latency --plain -r page.html
	grep -q '"unit":"ns"' page.html
}

kept() {
	"$program" report -f log --save-db waits.db@a --format csv >want &&
		"$program" report --db-file waits.db@a --format csv | diff want -
}

refuse() {
	local code=0 sentence=$1

	shift
	"$program" "$@" >out 2>stderr || code=$?
	[ "$code" = 1 ] && grep -q "$sentence" stderr
}

refused() {
	grep -v '__alloc_pages \*/' log >events
	refuse 'no call of an allocating function' report -f events || return 1
	refuse "no attribute 'waste' in this input (available: latency, waits)" report -f log -a waste || return 1
	refuse 'need an event log of' report -f log --from 1
}

# The module's own file, with what kcompactd did as well; its header is its rows' sums.
module_file() {
	awk 'BEGIN { srand(3) }
		FILENAME == "functions" { span[$1] = $2; next }
		{ kind = rand() < 0.5 ? "reclaim" : "compaction"
		  site = $2 == "-" ? "[below the threshold]" : sprintf("%s+0x1/0x%x", $2, span[$2])
		  n[kind]++; ns[kind] += $1; rows = rows sprintf("%-10s %9d %15.0f %13.0f %5s %-23s %s\n",
			kind, 1, $1, $1, kind == "reclaim" ? 0 : "-", "20:1", site) }
		END { n["kcompactd"] = 3; ns["kcompactd"] = 777
		  print "kmem_account latency 1\nthreshold us: 1000"
		  for (kind in n) printf "%s calls: %d\n%s calls over the threshold: 1\n%s ns: %.0f\n%s longest ns: 1\n",
			kind, n[kind], kind, kind, ns[kind], kind
		  print "waits under way: 1\nbegins without room: 2\nbegins without an end: 1\nends without a begin: 1\n"
		  print "kind           calls        total_ns        max_ns order log2_ns:calls           caller"
		  printf "%s", rows
		  print "kcompactd          3             777           300     - 8:3  kcompactd+0x1/0x2" }' functions made >module
}

by_module() {
	module_file
	awk '{ dir = $2 == "-" ? "[below the threshold]" : "fs/" substr($2, 1, index($2, "_") - 1)
		sum[dir] += $1; n[dir]++ }
		END { for (dir in sum) printf "%s %.0f %d\n", dir, sum[dir], n[dir] }' made | sort >want
	"$program" report -f module -k mini/tree --by dir --format csv 2>stderr |
		awk -F, 'NR > 1 { print $1, $2, $3 }' | sort >got
	diff want got && grep -q '3 compactions by kcompactd' stderr &&
		"$program" report -f module 2>/dev/null | grep 'events not recorded  *4$'
}

module_cut() {
	module_file
	grep -v beta module >short && refuse 'the rows do not add up to the header' report -f short || return 1
	head -c 1500 module >short && refuse 'truncated in a line' report -f short || return 1
	head -n 9 module >short && refuse 'the rows do not add up to the header' report -f short
}

ktap_plan 9
ktap "by directory" by_dir
ktap "by file, and all of it" by_file
ktap "the total of 'latency'" same_total
ktap "times in their units" times
ktap "rings, treemap, icicle, page" pictures
ktap "kept in a DB file" kept
ktap "refused" refused
ktap "debugfs' latency, by directory" by_module
ktap "debugfs' latency that is cut" module_cut
ktap_end
