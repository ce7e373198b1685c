#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Static sizes of real kernels: 6.1-small (64-bit, DWARF, modules) and 6.1-tiny (32-bit,
# O=, a part of lib.a) against size -A, readelf, nm, ar and the linker's map; the two
# compared against the kernel's own bloat-o-meter. They are built when they are not there.
#
#	static.sh [KERNEL...]		6.1-small and 6.1-tiny by default; 6.1-arm (32-bit, Thumb,
#					ARM's index of unwinding) and 6.1-s390 (big-endian) are
#					cross-built (make soak)
set -euo pipefail

kernels=("$@")
[ $# -gt 0 ] || kernels=(6.1-small 6.1-tiny)
declare -A entry
# before lib.sh, which gives the tests a cache of their own
for kernel in "${kernels[@]}"; do
	entry[$kernel]=$("$(dirname "${BASH_SOURCE[0]}")/../qemu/kernel.sh" dir image "$kernel")
done

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../host/lib.sh"

# truth KERNEL WHAT KEY [--image]
truth() {
	local tree=${entry[$1]}/build

	"$program" static -k "$tree" --by "$3" ${4+"$4"} --format csv >"$work/got.csv" \
		2>"$work/said" && python3 "$here/../host/static.py" "$2" "$tree" "$work/got.csv" || return
	cat "$work/said"
	[ ! -s "$work/said" ]
}

# Tables of 6.1-small that no source file defines have a row each. That of the unwinder is as
# large as size -A says; that of kallsyms as the linker's map says, to within 2 %: the last of
# its tables has no size, and reaches to the next symbol.
alignment() {
	local tree=${entry[6.1-small]}/build kallsyms orc

	kallsyms=$(awk '$1 == ".rodata" && $4 ~ /^\.tmp_vmlinux\.kallsyms/ { print $3 }' \
		"$tree/vmlinux.map")
	orc=$(size -A "$tree/vmlinux" | awk '$1 == ".orc_lookup" { print $2 }')
	"$program" static -k "$tree" --image --by dir --format csv |
		awk -F, -v kallsyms=$((kallsyms)) -v orc="$orc" '{ s[$1] = $8; all += $8 } END {
			print "# [kallsyms]", s["[kallsyms]"], "[alignment]", s["[alignment]"], "of", all
			print "# expected: [kallsyms]", kallsyms, "[.orc_lookup]", orc, "not", s["[.orc_lookup]"]
			exit !(kallsyms > 100000 && s["[kallsyms]"] >= kallsyms &&
				s["[kallsyms]"] <= 1.02 * kallsyms && orc > 10000 &&
				s["[.orc_lookup]"] == orc && s["[init stack]"] == 16384) }'
}

bloat() {
	local old=${entry[6.1-tiny]}/build new=${entry[6.1-small]}/build

	"$program" diff "$old" "$new" --image --by symbol --format csv >"$work/diff.csv" &&
		python3 "$here/../host/static.py" bloat "${entry[6.1-small]}/source/scripts/bloat-o-meter" \
			"$old" "$new" "$work/diff.csv"
}

two=0
[[ " ${kernels[*]} " != *" 6.1-small "* ]] || [[ " ${kernels[*]} " != *" 6.1-tiny "* ]] || two=1
ktap_plan $((5 * ${#kernels[@]} + 2 * two))
for kernel in "${kernels[@]}"; do
	ktap "$kernel: sections are those of size -A" truth "$kernel" sections section --image
	ktap "$kernel: objects are those of the linker's map" truth "$kernel" objects object --image
	ktap "$kernel: padding is in the directories of the linker's map" truth "$kernel" padding file --image
	ktap "$kernel: objects hold what readelf says" truth "$kernel" whole object
	ktap "$kernel: functions are those of nm" truth "$kernel" symbols symbol --image
done
if [ "$two" -eq 1 ]; then
	ktap "tables that the linker made have rows of their size" alignment
	ktap "diff by symbol is that of bloat-o-meter" bloat
fi
ktap_end
