#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the demo and check what it shows: the account adds up, the report has every
# byte of it, the charts are charts.  Prints KTAP; the demo's own output is in
# out/demo.log (O= for another place than out).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../ktap.sh"
cd "$here/../.."
O=${O:-out}
demo=$O/demo

run_demo() {
	# an old result is not this run's
	rm -rf "$demo"
	O=$O "$here/demo.sh" >"$O/demo.log" 2>&1 || { cat "$O/demo.log"; return 1; }
}

header() { sed -n "s/^$1: *//p" "$demo/kmem_account"; }

# The header is the sum of the rows, and total = slack + req in each.
account_adds_up() {
	awk -v total="$(header 'total bytes allocated')" -v req="$(header 'total bytes requested')" \
		-v slack="$(header 'slack bytes allocated')" -v allocs="$(header 'number of allocs')" \
		-v frees="$(header 'number of frees')" -v callers="$(header 'number of callers')" '
	$1 == "total" && $2 == "slack" { rows = 1; next }
	!rows || !NF { next }
	{
		n++; t += $1; s += $2; r += $3; split($4, c, "/"); a += c[1]; f += c[2]
		if ($1 != $2 + $3) { print "row: " $0; bad = 1 }
	}
	END {
		if (!n || t != total || s != slack || r != req || n != callers || a != allocs) {
			printf "rows: %d sites %d %d %d, %d allocs, %d frees\n", n, t, s, r, a, f
			printf "head: %d sites %d %d %d, %d allocs, %d frees\n", callers, total, slack,
				req, allocs, frees
			bad = 1
		}
		exit bad
	}' "$demo/kmem_account"
}

# Sum of a column of the report.
column() {
	awk -F, -v want="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == want) at = i; next }
	{ sum += $at }
	END { if (!at) exit 1; printf "%d\n", sum }' "$demo/report.csv"
}

same() {
	[ "$1" = "$2" ] || { echo "$3: report $1, account $2"; return 1; }
}

report_has_all() {
	same "$(column current_dynamic)" "$(header 'total bytes allocated')" bytes &&
		same "$(column requested)" "$(header 'total bytes requested')" requested &&
		same "$(column waste)" "$(header 'slack bytes allocated')" waste &&
		same "$(column allocs)" "$(header 'number of allocs')" allocs
}

# A stock kernel's sites are known to its debug symbols: hardly a byte without.
# What every such workload uses must be among the owners.
owners_known() {
	local dir share

	share=$(sed -n 's/.* \([0-9]*\)\.[0-9]* % of them with a directory/\1/p' "$O/demo.log")
	[ "${share:-0}" -ge 99 ] || { echo "only $share % of the bytes have a directory"; return 1; }
	for dir in fs fs/ext4 fs/proc kernel mm net/core net/ipv4 security; do
		grep -q "^$dir,[1-9]" "$demo/report.csv" || { echo "no bytes in $dir"; return 1; }
	done
}

# typed KEY...: rows of the account with caches, by keys, as tab-separated values without a head
typed() {
	local vmlinux

	vmlinux=$(find "$(cat "$O/dbg.folder")/usr/lib/debug/boot/" -name 'vmlinux-*')
	"$O/host/kmem-account" report "$demo/sites" --vmlinux "$vmlinux" --by "$1" --format csv |
		python3 -c 'import csv, sys
for row in csv.DictReader(sys.stdin):
	print(row["current_dynamic"], *[row[key] for key in sys.argv[1].split(",")], sep="\t")' "$1"
}

# What is void in the source, as the blobs of security modules, has no type.
types_known() {
	typed type | awk -F'\t' '{ all += $1 } $2 == "[no type]" { none = $1 }
		END { printf "%.2f %% of %d bytes have a type\n", 100 - 100 * none / all, all
			exit !(all && none < all / 20) }'
}

# No site has another type than the source that was read by hand, and most are there. The lines are those
# of another version of 6.1, perhaps, so functions are compared.
types_right() {
	typed file,caller,type | awk -F'\t' '
	{ sub(/\[[0-9]*\]$|\+$/, "", $(FILENAME == "-" ? 4 : 3)) }
	FILENAME != "-" {
		if (/^#/) next
		sub(/:.*/, "", $1)
		right[$1, $2, $3]
		if (!(($1, $2) in sites)) nr++
		sites[$1, $2]
		next
	}
	{
		sub(/[+.].*/, "", $3)
		if (!(($2, $3) in sites)) next
		met[$2, $3]
		if ($4 != "[no type]" && !(($2, $3, $4) in right)) {
			print $2 " " $3 ": " $4
			bad = 1
		}
	}
	END {
		for (i in met) seen++
		printf "%d of %d functions were there\n", seen, nr
		exit bad || seen < nr - 10
	}' tests/host/typed-sites -
}

# Nothing was lost on the way: the map was large enough, no event was dropped.
nothing_lost() {
	same "$(header 'events not recorded')" 0 'events not recorded'
}

# The account and the kernel's own count of slab objects are of the same moment;
# the kernel's also has what was there before, so ours is the smaller.
below_slabinfo() {
	local slab live

	slab=$(awk '/^Slab:/ { print $2 * 1024 }' "$demo/meminfo")
	live=$(header 'total bytes allocated')
	echo "live $live, slab $slab"
	[ "$live" -gt $((slab / 10)) ] && [ "$live" -lt "$slab" ]
}

png() {
	local kind size

	for kind in rings treemap icicle; do
		file "$demo/$kind.png"
		size=$(file -b "$demo/$kind.png" |
			sed -n 's/^PNG image data, \([0-9]*\) x \([0-9]*\),.*/\1 \2/p')
		[ "${size% *}" -ge 600 ] && [ "${size#* }" -ge 400 ] || return 1
	done
}

svg() {
	local kind

	for kind in rings treemap icicle; do
		xmllint --noout "$demo/$kind.svg" &&
			rsvg-convert "$demo/$kind.svg" | file - | grep 'PNG image' &&
			grep -q ext4 "$demo/$kind.svg" || return 1
	done
	grep -q ext4 <(tests/host/page.py rows "$demo/memory.html")
}

printed() {
	grep -q "^Charts: " "$O/demo.log" && grep -Eq '^[0-9]+ call sites, [0-9]+ bytes live' "$O/demo.log"
}

ktap_plan 11
ktap "the demo runs" run_demo
ktap "the account adds up" account_adds_up
ktap "the report has every byte of the account" report_has_all
ktap "bytes have a directory, the expected ones are there" owners_known
ktap "95 % of the bytes have a type" types_known
if grep -q 'version 6\.1\.' "$demo/version"; then
	ktap "types are those that were read in the source" types_right
else
	ktap_skip "types are those that were read in the source" "they were read in 6.1"
fi
ktap "no event was lost" nothing_lost
ktap "live bytes are within what the kernel counts" below_slabinfo
ktap "the charts are pictures" png
ktap "the charts as SVG are well-formed, draw, and name directories" svg
ktap "the demo says where things are" printed
ktap_end
