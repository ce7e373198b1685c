#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Rows add up to the header, in each format, by each key, whatever is shown of them.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

fixture mktree.sh "$work/mini" >/dev/null
vmlinux=$work/mini/debug/boot/vmlinux-6.1.0-mini

# Functions of the tree with heavy-tailed sizes, and rows that have no place.
nm -n "$vmlinux" >"$work/nm"
spans "$work/nm" | awk 'BEGIN { srand(1) } {
	for (i = 1; i < $3; i += 9) {
		req = int(64 / (rand() + 0.0005)); slack = int(req * rand() / 4); allocs = int(99 * rand())
		printf "%d %d %d %d %d %s+0x%x/0x%x\n", req + slack, slack, req, allocs,
			int(allocs * rand()), $1, i, $3
	}
}' >"$work/rows"
cat >>"$work/rows" <<EOF
4096 96 4000 5 1 0xffffffffc0123456
8192 0 8192 3 1 nosuch_function+0x12/0x80
16384 0 16384 4 0 foo_init+0x12/0x80 [not_there]
0 0 0 0 333 [site table full]
EOF
account_of "$work/rows" >"$work/account"

# total slack req allocs frees of the header, in the order of the columns
want=$(awk -F: '/^total bytes all/ { t = $2 } /^total bytes req/ { r = $2 } /^slack/ { s = $2 }
	/^number of allocs/ { a = $2 } /^number of frees/ { f = $2 }
	END { print t + 0, r + 0, s + 0, a + 0, f + 0 }' "$work/account")

# five sums of the csv on stdin
sums() {
	awk -F, 'NR > 1 { for (i = 1; i <= 5; i++) s[i] += $(NF - 5 + i) }
		END { print s[1] + 0, s[2] + 0, s[3] + 0, s[4] + 0, s[5] + 0 }'
}

equal() {
	[ "$1" = "$2" ] || { echo "got $1, expected $2"; return 1; }
}

csv_adds_up() {
	equal "$("$program" report "$work/account" --format csv "$@" | sums)" "$want"
}

# JSON: the sum over the rows, and what it says the total is
json_adds_up() {
	"$program" report "$work/account" --format json "$@" >"$work/json"
	python3 - "$work/json" "$want" <<'EOF'
import json, sys
report = json.load(open(sys.argv[1]))
want = list(map(int, sys.argv[2].split()))
names = ["current_dynamic", "requested", "waste", "allocs", "frees"]
rows = [sum(row[name] for row in report["rows"]) for name in names]
total = [report["total"][name] for name in names]
key = report["by"]
assert all(list(row) == [key] + names for row in report["rows"]), "names of a row"
assert rows == want, f"rows {rows}, expected {want}"
assert total == want, f"total {total}, expected {want}"
assert report["not_counted"]["frees_of_unknown_objects"] == 12
EOF
}

# The table with plain bytes: the rows above its total, and the total itself.
table_adds_up() {
	"$program" report "$work/account" --bytes "$@" | awk '
		NR == 1 { next }
		$7 == "total" && NF == 7 { print "total", $1, $2, $3, $4, $5; exit }
		{ for (i = 1; i <= 5; i++) s[i] += $i }
		END { print "rows", s[1], s[2], s[3], s[4], s[5] }' >"$work/sums"
	equal "$(tr '\n' ' ' <"$work/sums")" "total $want rows $want "
}

# A branch and all the others make the whole.
branches_add_up() {
	local branch all=0 n

	for branch in $("$program" report "$work/account" --vmlinux "$vmlinux" --by dir --depth 1 \
		--format csv | awk -F, 'NR > 1 && $1 !~ /[[ .]/ { print $1 }'); do
		n=$("$program" report "$work/account" --vmlinux "$vmlinux" --format csv -b "$branch" | sum 1)
		[ "$n" -gt 0 ] || return 1
		all=$((all + n))
	done
	n=$("$program" report "$work/account" --vmlinux "$vmlinux" --by dir --depth 1 --format csv |
		awk -F, '$1 ~ /^\[|^\.$/ { s += $2 } END { print s }')
	equal $((all + n)) "${want%% *}"
}

sources=("" "--vmlinux $vmlinux" "-k $work/mini/tree")
names=("callers" "DWARF" "objects")
shown=("" "--top 3" "--top 1 -o waste" "-o frees")
ktap_plan $((1 + 2 * 3 * 4 * 3 + 4 * 3))
for i in 0 1 2; do
	for by in caller file dir; do
		[ "$i" -gt 0 ] || [ $by = caller ] || continue
		for some in "${shown[@]}"; do
			read -r -a args <<<"${sources[i]} --by $by $some"
			what="${names[i]}, by $by${some:+, $some}"
			ktap "csv: $what" csv_adds_up "${args[@]}"
			ktap "json: $what" json_adds_up "${args[@]}"
			ktap "table: $what" table_adds_up "${args[@]}"
		done
	done
done
ktap "branches" branches_add_up
ktap_end
