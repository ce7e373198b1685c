#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# One place for each site: report, top, leaks, timeline and the exports name the same file, line and
# function, for functions with others inlined, raw addresses, modules and sites without a file.
# Where the files are is compared with addr2line in join.sh, and the lines in inlines.sh.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$work"

fixture mktree.sh "$work/mini" >/dev/null
tree=$work/mini/tree
vmlinux=$work/mini/debug/boot/vmlinux-6.1.0-mini
ko=$work/mini/debug/lib/modules/6.1.0-mini/kernel/drivers/foo/foo-mod.ko

# Three sites in each function: at its start, in the middle and at its end. Every fourth one of the
# kernel proper is an address without a symbol.
sites() {
	local name addr span offset n=0

	while read -r name addr span; do
		for offset in 1 $((span / 2)) "$span"; do
			n=$((n + 1))
			if [ -z "$1" ] && [ $((n % 4)) = 0 ]; then
				name_of=$(printf '0x%x' $((addr + offset)))
			else
				name_of=$(printf '%s+0x%x/0x%x%s' "$name" "$offset" "$span" "$1")
			fi
			printf '%d 0 %d 1 0 %s\n' $((64 * n)) $((64 * n)) "$name_of"
		done
	done
}
nm -n "$vmlinux" >symbols
size=$(readelf -SW "$ko" | awk '{ sub(/^.*\]/, "") } $1 == ".text" { print $5 }')
{ nm -n "$ko" | grep -E ' [tT] '; printf '%016x d end\n' "0x$size"; } >symbols.ko
{
	spans symbols | sites ""
	spans symbols.ko | sites " [foo_mod]"
	printf '%d 0 %d 1 0 %s\n' 5 5 '[site table full]' 7 7 'nowhere+0x1/0x20' \
		9 9 'lost+0x5/0x9 [other_module]'
} | sort -u -k 6 >rows
account_of rows >account
"$program" watch -f account -n 1 history >/dev/null 2>&1

some_of_each() {
	"$program" export speedscope account "${kernel[@]}" 2>/dev/null >one.json
	[ "$(grep -c '0x' rows)" -gt 20 ] && grep -q foo_mod rows && [ "$(wc -l <rows)" -gt 60 ]
}

# agree COMMAND KEY: its sums by a key are those of report
agree() {
	python3 "$here/places.py" "$program" "$1" "$2" "${kernel[@]}"
}

inlined() {
	local mode

	for mode in outer inner both; do
		kernel=(--vmlinux "$vmlinux" --inlines "$mode")
		agree leaks file && agree timeline line && agree timeline file || return
	done
}

# A kernel as a distribution ships it, without debugging information: files have names, but no directories.
strip -g --keep-file-symbols -o vm-files "$tree/vmlinux"
names_only() {
	kernel=(--vmlinux vm-files)
	"$program" report account --by file "${kernel[@]}" 2>/dev/null | grep -qF '[no directory]/inode.c' &&
		agree top file && agree leaks file && agree timeline file
}

ktap_plan 27
for kernel_name in vmlinux tree; do
	if [ $kernel_name = vmlinux ]; then
		kernel=(--vmlinux "$vmlinux")
	else
		kernel=(-k "$tree")
	fi
	ktap "$kernel_name: top by directory" agree top dir
	ktap "$kernel_name: there are sites of each kind" some_of_each
	for command in top leaks timeline; do
		for key in file line; do
			ktap "$kernel_name: $command by $key" agree "$command" "$key"
		done
	done
	for command in top timeline; do
		ktap "$kernel_name: $command by function" agree "$command" function
	done
	ktap "$kernel_name: folded stacks by file" agree folded file
	ktap "$kernel_name: speedscope by line" agree speedscope line
done
ktap "files without directories" names_only
kernel=()
ktap "without a kernel: top by function" agree top function
ktap "each mode of inlined functions" inlined
ktap_end
