#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Call sites of modules in a stock kernel, by the place and the build ID that debugfs'
# sites has: are files and lines those of addr2line? Its addresses are made of the names
# that the kernel prints and of nm's, not of the places.
#
#	places.sh [KERNEL]	the stock kernel
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of places 1 1 "${1-}"
program=${KMEM_ACCOUNT:-${O:-$PWD/out}/host/kmem-account}
image=$(tests/qemu/kernel.sh dir image ${kernel:+"$kernel"})
dbg=$(tests/qemu/kernel.sh dir dbg ${kernel:+"$kernel"})
vmlinux=$(echo "$dbg"/usr/lib/debug/boot/vmlinux-*)
files=()
modules='brd loop nbd overlay'
for name in $modules; do
	files+=(--file "$(find "$image/lib/modules" -name "$name.ko")")
done
guest 1 "$here/places.guest" "$out" --file "$(module_ko)" "${files[@]}"
sites=$out/guest/sites

# build_id FILE
build_id() { readelf -n "$1" 2>/dev/null | awk '/Build ID/ { print $NF }'; }

# Lines of all sites in the modules, by names, readelf and addr2line.
lines() {
	local module caller name offset ko symbol section

	while IFS=$'\t' read -r module caller; do
		ko=$(find "$dbg/usr/lib/debug/lib/modules" -name "$module.ko*")
		name=${caller%%+*} offset=${caller#*+} offset=${offset%%/*}
		# the section of a symbol, and its value there
		read -r symbol section <<<"$(readelf -sW "$ko" | awk -v name="$name" \
			'$8 == name && $4 == "FUNC" { print $2, $7 }')"
		section=$(readelf -SW "$ko" | sed -n "s/^ *\[ *$section\] \([^ ]*\) .*/\1/p")
		printf '%s\t%s\n' "$caller" "$(addr2line -ie "$ko" -j "$section" \
			"$(printf '%x' $((16#$symbol + offset - 1)))" | tail -n 1 |
			sed 's/ (discriminator.*//; s|^.*/\(drivers/.*\)|\1|; s|^.*/\(fs/.*\)|\1|')"
	done < <(awk -F'\t' -v modules=" $modules " 'index(modules, " " $12 " ") {
		print $12 "\t" $15 }' "$sites") | sort -u >"$out/want"
	sed 's/^/# /' "$out/want"
	"$program" report "$sites" --vmlinux "$vmlinux" --by line --format csv >"$out/lines.csv"
	cut -f 2 "$out/want" | sort -u >"$out/want.lines"
	cut -d, -f 1 "$out/lines.csv" | grep -E '^(drivers/block/(brd|loop|nbd)\.c|fs/overlayfs/.*):' |
		sort -u >"$out/got.lines"
	diff "$out/want.lines" "$out/got.lines" && [ "$(wc -l <"$out/want.lines")" -ge 6 ]
}

ids() {
	local name

	for name in $modules; do
		grep -q "	$(build_id "$(find "$image/lib/modules" -name "$name.ko")")	" "$sites" || return
	done
}

# Another build: each module's sites are in a row that says so.
another() {
	sed "s/$(build_id "$(find "$image/lib/modules" -name loop.ko)")/0123456789abcdef0123456789abcdef01234567/" \
		"$sites" >"$out/other.sites"
	# not in a pipe: grep ends at what it wants, and the program by SIGPIPE then
	"$program" report "$out/other.sites" --vmlinux "$vmlinux" --by file --format csv \
		>"$out/other.csv" 2>/dev/null &&
		grep -q '^"\[module loop, other build\]",' "$out/other.csv"
}

# The kernel's own static footprint, by its debug file: to the byte of readelf, with directories.
footprint() {
	"$program" static --vmlinux "$vmlinux" --by dir --format csv >"$out/static.csv" &&
		python3 tests/host/stock.py total "$out/static.csv" "$vmlinux" &&
		python3 tests/host/stock.py directories "$out/static.csv"
}

ktap_plan 4
ktap "files and lines in modules are those of addr2line" lines
ktap "build IDs are those of the modules" ids
ktap "a module of another build" another
ktap "static sizes of the stock kernel, by its debug file" footprint
ktap_end
