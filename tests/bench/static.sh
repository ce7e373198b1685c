#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How fast a built tree is read: out/bench/static.md. Bar: 10 times as fast as one
# readelf for each object; aim: as fast as reading the objects.
#
#	static.sh		REPEAT=5
#
# Trees: 6.1-small, and one of 30,000 objects, made of links to its objects and .cmd
# files; and the debug file of the stock kernel, beside bloaty where there is one (on PATH, or
# BLOATY=PROGRAM; Debian has no package). All is read before, so the page cache has it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

repeat=${REPEAT:-5}
mkdir -p "${O:-out}/bench"
out=$(cd "${O:-out}/bench" && pwd)
report=$out/static.md
program=${KMEM_ACCOUNT:-$(cd "${O:-out}" && pwd)/host/kmem-account}
[ -n "${KMEM_ACCOUNT-}" ] || make -s host
small=$(tests/qemu/kernel.sh dir image 6.1-small)/build
# links need the same file system
mkdir -p "$(cache_dir)"
work=$(mktemp -d "$(cache_dir)/.bench-static.XXXXXX")
trap 'rm -rf "$work"' EXIT

# seconds COMMAND...: wall and CPU time of one run
seconds() {
	local TIMEFORMAT='%R %U %S'

	{ time "$@" >/dev/null 2>"$work/stderr"; } 2>"$work/time" ||
		{ cat "$work/stderr" >&2; return 1; }
	awk '{ print $1, $2 + $3 }' "$work/time"
}

best() {
	local i

	for ((i = 0; i < repeat; i++)); do
		seconds "$@" || return
	done | sort -n | sed -n 1p
}

# many: a tree with at least 30,000 objects
many() {
	local copies i

	copies=$((30000 / $(wc -l <"$work/objects") + 1))
	mkdir "$work/many"
	for ((i = 0; i < copies; i++)); do
		cp -rl "$small" "$work/many/copy$i"
		rm -f "$work/many/copy$i"/{.vmlinux,vmlinux,..tmp,.tmp}* "$work/many/copy$i"/built-in.a
	done
}

# list TREE FILE: the objects that the program counts
list() {
	"$program" static -k "$1" --by object --format csv 2>/dev/null | sed '1d; s/,.*//' >"$2"
}

# row "LABEL" "WALL CPU": beside what the program took
row() {
	awk -v label="$1" -v s="$2" -v best="$ours" 'BEGIN {
		split(s, a); split(best, b)
		printf "| %s | %.3f | %.1f | %.3f | %.1f |\n", label, a[1], a[1] / b[1], a[2], a[2] / b[2] }'
}

# rows TREE LIST SAMPLE: SAMPLE objects of the list for what forks for each
rows() {
	local tree=$1 list=$2 sample=$3 nr ours each all

	nr=$(wc -l <"$list")
	head -n "$sample" "$list" >"$work/sample"
	cd "$tree"
	xargs -a "$list" cat >/dev/null
	find . -name '*.cmd' -exec cat {} + >/dev/null
	ours=$(best "$program" static -k "$tree")
	printf '\n| what | s | factor | CPU s | factor |\n|---|---|---|---|---|\n'
	row "kmem-account static" "$ours"
	row "kmem-account static --by symbol --top 20" \
		"$(best "$program" static -k "$tree" --by symbol --top 20)"
	[ ! -e "$tree/vmlinux" ] ||
		row "kmem-account static --image" "$(best "$program" static -k "$tree" --image)"
	row "reading the objects: xargs cat" "$(best xargs -a "$list" cat)"
	row "size, all in one go" "$(best xargs -a "$list" size)"
	row "readelf -S, all in one go" "$(best xargs -a "$list" readelf -SW)"
	for each in size 'readelf -S'; do
		# shellcheck disable=SC2086 # two words
		all=$(seconds xargs -a "$work/sample" -n 1 $each | awk -v nr="$nr" \
			-v n="$(wc -l <"$work/sample")" '{ print $1 * nr / n, $2 * nr / n }')
		row "$each, one for each$([ "$sample" -ge "$nr" ] || echo ", from $sample")" "$all"
	done
	cd - >/dev/null
}

# first VMLINUX: the use that makes the program's cache
first() {
	rm -rf "$work/xdg"
	XDG_CACHE_HOME=$work/xdg "$program" static --vmlinux "$1"
}

# again VMLINUX: a later use
again() { XDG_CACHE_HOME=$work/xdg "$program" static --vmlinux "$1"; }

# column NAME FILE: the sum of a column of csv
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
		{ sum += $c } END { printf "%d", sum }' "$2"
}

stock() {
	local vmlinux=$1 bloaty=${BLOATY:-$(command -v bloaty || true)} ours

	cat "$vmlinux" >/dev/null
	ours=$(best first "$vmlinux")
	printf '\n| what | s | factor | CPU s | factor |\n|---|---|---|---|---|\n'
	row "kmem-account static --vmlinux, first use" "$ours"
	row "kmem-account static --vmlinux, later" "$(best again "$vmlinux")"
	row "size -A" "$(best size -A "$vmlinux")"
	if [ -z "$bloaty" ]; then
		printf '| bloaty: not measured, there is none on PATH or in BLOATY | | | | |\n'
		return
	fi
	row "bloaty -d compileunits" "$(best "$bloaty" -d compileunits -n 0 "$vmlinux")"
	"$bloaty" -d compileunits -n 0 --csv "$vmlinux" >"$work/bloaty.csv"
	XDG_CACHE_HOME=$work/xdg "$program" static --vmlinux "$vmlinux" --by file --format csv >"$work/ours.csv"
	printf '\nTotal in memory: %s bytes by kmem-account, %s by bloaty\n' \
		"$(column static "$work/ours.csv")" "$(column vmsize "$work/bloaty.csv")"
}

make_report() {
	local vmlinux
	printf '# Static sizes of a built tree\n\n'
	printf '* machine: %s, %s CPUs\n' \
		"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed -n 1p)" "$(nproc)"
	printf '* commit: %s\n' "$(git describe --always --dirty 2>/dev/null || echo unknown)"
	printf '* date: %s\n' "$(date -u '+%Y-%m-%d %H:%M UTC')"
	printf '* load of the machine when it began: %s\n' "$(cut -d ' ' -f 1 /proc/loadavg)"
	printf '* best of %s, files in the page cache; bar: 10 in the last row\n' "$repeat"
	printf '\n## 6.1-small: %s objects, %s files\n' "$(wc -l <"$work/objects")" \
		"$(find "$small" -type f | wc -l)"
	rows "$small" "$work/objects" 1000000
	printf '\n## A tree of %s objects\n' "$(wc -l <"$work/objects.many")"
	rows "$work/many" "$work/objects.many" 1000
	vmlinux=$(echo "$(tests/qemu/kernel.sh dir dbg)"/usr/lib/debug/boot/vmlinux-*)
	printf '\n## A stock kernel by its debug file: %s\n' "${vmlinux##*/}"
	stock "$vmlinux"
}

list "$small" "$work/objects"
many
list "$work/many" "$work/objects.many"
make_report >"$work/report"
mv "$work/report" "$report"
cat "$report"
say "Written: $report"
# the bar
awk -F '|' '/readelf -S, one for each/ && $4 < 10 { bad = 1 } END { exit bad }' "$report" ||
	die "not 10 times as fast as readelf for each"
