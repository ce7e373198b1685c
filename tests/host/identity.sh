#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Which build is it, and where in it? Rows of debugfs' sites with place and build ID, of a
# made kernel and a module: functions that share name and size are told apart, another
# build is refused. Addresses that KASLR has moved are moved back.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
fixture mktree.sh "$work/mini" >/dev/null
tree=$work/mini/tree

# The objects of the tree, linked anew with a build ID and _stext.
objects=()
for object in init fs/alpha/inode fs/beta/inode fs/super mm/slab drivers/foo/core lib/asm; do
	objects+=("$tree/$object.o")
done
mkdir -p boot lib/modules/mini/kernel/drivers/foo
start='.text 0x1000000 : { _stext = .; *(.text) _etext = .; }'
echo "SECTIONS { $start }" >stext.ld
ld --build-id=sha1 -Ttext=0x1000000 -T stext.ld -o boot/vmlinux-mini "${objects[@]}"
# Two files whose functions share names and sizes, in sections that are laid out apart.
for file in a b; do
	cat >early_$file.c <<-E2
	int drop(int x);
	static int __attribute__((section(".init.text"), noinline)) early(int x) { return drop(x) + 1; }
	static int __attribute__((section(".text.unlikely"), noinline)) cold(int x) { return drop(x) + 2; }
	int both_$file(int x) { return early(x) + cold(x); }
	E2
	gcc -g -O1 -fno-pie -ffreestanding -fcf-protection=none -c -o early_$file.o early_$file.c
done
echo '.section .note.GNU-stack,"",@progbits; .section .text.unlikely; .balign 64; .section .init.text; .balign 32' | gcc -c -x assembler -o align.o -
ko=lib/modules/mini/kernel/drivers/foo/foo-mod.ko
ld -r --build-id=sha1 -o "$ko" "$tree/drivers/foo/foo_main.o" "$tree/drivers/foo/foo_aux.o" align.o \
	early_a.o early_b.o
vmlinux=boot/vmlinux-mini

build_id() { readelf -n "$1" | awk '/Build ID/ { print $NF }'; }

# site BYTES FILE PLACE BUILD-ID CALLER
site() {
	printf '%d\t0x0\t%d\t0\t%d\t1\t0\t0\t0\t%d\t%d\t%s\t%s\t%s\t%s\tkmalloc\n' \
		"$((++id))" "$1" "$1" "$1" "$1" "$2" "$3" "$4" "$5"
}

columns() {
	id=0
	printf 'kmem_account sites 1\n# id\taddress\ttotal\tslack\treq\tallocs\tfrees\tunknown\tfailed\t'
	printf 'all_total\tall_req\tfile\toffset\tbuild_id\tcaller\tkind\n'
}

# Every function of the kernel, in its middle: its file is what addr2line says.
nm -n "$vmlinux" >symbols
spans symbols >spans.all
grep -v ' 0$' spans.all >spans
stext=$((16#$(awk '$3 == "_stext" { print $1 }' symbols)))
kernel_sites() {
	local name addr span file

	columns
	n=0
	: >kernel.truth
	while read -r name addr span; do
		[ "$name" != _stext ] || continue
		n=$((n + 1))
		file=$(addr2line -e "$vmlinux" "$(printf '%x' $((addr + span / 2 - 1)))")
		file=${file%%:*}
		echo "${file#"$tree"/} $((100 + n))" >>kernel.truth
		site $((100 + n)) vmlinux "$(printf '0x%x' $((addr + span / 2 - stext)))" "$1" \
			"$(printf '%s+0x%x/0x%x' "$name" $((span / 2)) "$span")"
	done <spans
}
kernel_sites "$(build_id "$vmlinux")" >kernel.sites

# The module's sections of code lie one after the other, aligned, init ones apart.
unlikely=$(readelf -SW "$ko" | awk '{ sub(/^.*\]/, "") } $1 == ".text" { print "0x" $5 }')
unlikely=$(((unlikely + 63) / 64 * 64))
# nth NAME N: value of the n-th symbol of that name
nth() { echo $((16#$(nm -n "$ko" | awk -v name="$1" -v n="$2" '$3 == name && ++i == n { print $1 }'))); }
module_sites() {
	columns
	# twin is in both files, with one size; the linker put them one after the other
	site 1000 foo_mod "$(printf '0x%x' $(($(nth twin 1) + 5)))" "$1" 'twin+0x5/0x7b [foo_mod]'
	site 2000 foo_mod "$(printf '0x%x' $(($(nth twin 2) + 5)))" "$1" 'twin+0x5/0x7b [foo_mod]'
	site 4000 foo_mod "$(printf '0x%x' $((unlikely + $(nth cold 1) + 4)))" "$1" 'cold+0x4/0x10 [foo_mod]'
	site 8000 foo_mod "$(printf '0x%x' $((unlikely + $(nth cold 2) + 4)))" "$1" 'cold+0x4/0x10 [foo_mod]'
	site 16000 foo_mod "$(printf 'init:0x%x' $(($(nth early 1) + 4)))" "$1" 'early+0x4/0x10 [foo_mod]'
	site 32000 foo_mod "$(printf 'init:0x%x' $(($(nth early 2) + 4)))" "$1" 'early+0x4/0x10 [foo_mod]'
}
module_sites "$(build_id "$ko")" >module.sites

by_file() {
	"$program" report "$1" --vmlinux "$vmlinux" --by file --format csv "${@:2}" |
		awk -F, 'NR > 1 { print $1 "," $2 }' | sort
}

kernel_places() {
	diff <(awk '{ sum[$1] += $2 } END { for (f in sum) print f "," sum[f] }' kernel.truth | sort) \
		<(by_file kernel.sites)
}

# The same without the places: five functions share name and size.
kernel_names() {
	awk -F'\t' -v OFS='\t' 'NR > 2 { $13 = "-"; $14 = "-" } { print }' kernel.sites >kernel.names
	by_file kernel.names | grep '^\[ambiguous\],' >/dev/null
}

module_places() {
	diff - <(by_file module.sites) <<-EOF
		drivers/foo/foo_aux.c,2000
		drivers/foo/foo_main.c,1000
		early_a.c,20000
		early_b.c,40000
	EOF
}

said() {
	"$program" report "${@:2}" >out 2>err || return 1
	cat err
	[ "$(wc -l <err)" -eq 1 ] && grep -qE "$1" err
}

kernel_other() {
	kernel_sites 0123456789abcdef0123456789abcdef01234567 >other.sites
	said 'vmlinux-mini: another build: .*0123456789ab; reporting by caller only .override with --force' \
		other.sites --vmlinux "$vmlinux" && grep -q 'alpha_inode_alloc+0x' out
}

kernel_forced() {
	by_file other.sites --force | grep '^fs/alpha/inode.c,' >/dev/null
}

module_other() {
	module_sites 0123456789abcdef0123456789abcdef01234567 >other-module.sites
	said ' 6 call sites are in modules of another build' other-module.sites --vmlinux "$vmlinux" \
		--by file && grep -q '\[module foo_mod, other build\]' out
}

module_forced() {
	by_file other-module.sites --force | grep '^drivers/foo/' >/dev/null
}

# What is no build ID, and no place, is not used, and breaks nothing.
nonsense() {
	kernel_sites "not hex" >nonsense.sites
	sed -i '3s/\t0x[0-9a-f]*\tnot/\tfar away\tnot/' nonsense.sites
	by_file nonsense.sites | grep '^fs/alpha/inode.c,' >/dev/null
}

in_db() {
	rm -f file.db
	"$program" report kernel.sites --save-db file.db >/dev/null
	[ "$(sqlite3 file.db 'SELECT build_id FROM series')" = "$(build_id "$vmlinux")" ]
}

named() {
	"$program" report kernel.sites | tail -n 1 | grep "build ID $(build_id "$vmlinux")$" >/dev/null &&
		grep -q "\"build_id\": \"$(build_id "$vmlinux")\"" \
			<("$program" report kernel.sites --format json)
}

# calls DISTANCE [STEP]: all calls of the kernel, as addresses; each STEP further than the last
calls() {
	objdump -d "$vmlinux" | awk '/call / { getline; sub(/:.*/, "", $1); print $1 }' |
		while read -r at; do
			n=$((n + 1))
			printf '%d 0 %d 1 0 0x%x\n' $((n * 16)) $((n * 16)) $((16#$at + $1 + n * ${2:-0}))
		done >rows
	account_of rows
}

# slid DISTANCE: of that distance the report is the one without
slid() {
	n=0 calls 0 >calls.account
	n=0 calls "$1" >slid.account
	"$program" report calls.account --vmlinux "$vmlinux" --by line --format csv >calls.out
	"$program" report slid.account --vmlinux "$vmlinux" --by line --format csv >slid.out 2>slid.err
	cat slid.err
	cmp calls.out slid.out && [ "$(wc -l <slid.err)" -eq 1 ] &&
		grep -q "input addresses are shifted by $(printf '0x%x' "$1") bytes (KASLR); corrected" slid.err
}

# Addresses that no one distance brings behind calls stay where they are.
not_slid() {
	n=0 calls 0x1c00000 7 >no.account
	"$program" report no.account --vmlinux "$vmlinux" --by file --format csv >no.out 2>no.err
	cat no.err
	grep -q '^\[unknown address\],' no.out && ! grep -q undone no.err
}

# The same by the objects of the tree, whose vmlinux is that of the sites.
cp "$vmlinux" "$tree/vmlinux"
cp symbols "$tree/System.map"
tree_places() {
	diff <(awk '{ sum[$1] += $2 } END { for (f in sum) print f "," sum[f] }' kernel.truth | sort) \
		<("$program" report kernel.sites -k "$tree" --by file --format csv |
			awk -F, 'NR > 1 { print $1 "," $2 }' | sort)
}

tree_other() {
	said 'tree: another build: .*0123456789ab; reporting by caller only .override with --force' other.sites -k "$tree"
}

# Of several modules of one name (updates/, kernel/) it is the one of the sites' build.
module_of_several() {
	local i

	for i in 1 2 3 4 5 6 7; do
		mkdir -p lib/modules/mini/updates$i
		ld -r --build-id=0x0123456789abcdef0123456789abcdef0123456$i \
			-o lib/modules/mini/updates$i/foo-mod.ko early_a.o
	done
	module_places && rm -r lib/modules/mini/updates?
}

# Modules of a tree: of the build that the sites are of, and of another one.
cp "$ko" "$tree/drivers/foo/foo-mod.ko"
tree_module() {
	"$program" report module.sites -k "$tree" --by file --format csv >out 2>err
	cat err
	[ ! -s err ] && ! grep -q 'other build' out && grep -qE '^drivers/foo/' out
}

tree_module_other() {
	said ' 6 call sites are in modules of another build' other-module.sites -k "$tree" --by file &&
		grep -q '\[module foo_mod, other build\]' out && ! grep -q '^.*drivers/foo/' out &&
		"$program" report other-module.sites -k "$tree" --by file --force >out 2>err &&
		! grep -q 'other build' out && grep -q 'drivers/foo/' out
}

# One without a build ID, or none at all, is taken as before.
tree_module_unknown() {
	rm "$tree/drivers/foo/foo-mod.ko"
	"$program" report other-module.sites -k "$tree" --by file >out && grep -q 'drivers/foo/' out &&
		echo damaged >"$tree/drivers/foo/foo-mod.ko" &&
		"$program" report other-module.sites -k "$tree" --by file >out &&
		grep -q 'drivers/foo/' out && cp "$ko" "$tree/drivers/foo/foo-mod.ko"
}

tree_slid() {
	"$program" report calls.account -k "$tree" --by file --format csv >calls.out
	"$program" report slid.account -k "$tree" --by file --format csv >slid.out 2>slid.err
	cat slid.err
	cmp calls.out slid.out && grep -q "(KASLR); corrected" slid.err
}

tree_cut() {
	head -c 3000 "$vmlinux" >"$tree/vmlinux"
	grep -q '^fs/super.c,' <("$program" report kernel.names -k "$tree" --by file --format csv)
}

ktap_plan 22
ktap "places in the kernel: files are those of addr2line" kernel_places
ktap "without them names are ambiguous" kernel_names
ktap "places in a module: sections laid out, init apart" module_places
ktap "a kernel of another build: one line, callers only" kernel_other
ktap "a kernel of another build, forced" kernel_forced
ktap "a module of another build: one line, a row with its name" module_other
ktap "a module of another build, forced" module_forced
ktap "several modules of one name" module_of_several
ktap "no build ID, no place" nonsense
ktap "the DB file has the build ID" in_db
ktap "reports name the build ID" named
ktap "KASLR: moved by 28 MiB" slid 0x1c00000
ktap "KASLR: moved by 512 MiB and 64 KiB" slid 0x20010000
ktap "KASLR: no distance fits" not_slid
ktap "not moved: nothing is said" test -z "$("$program" report calls.account --vmlinux "$vmlinux" 2>&1 >/dev/null)"
ktap "places in the kernel, by objects" tree_places
ktap "a tree of another build: one line" tree_other
ktap "a tree's module of the right build" tree_module
ktap "a tree's module of another build: one line, a row, and forced" tree_module_other
ktap "a tree's module whose build is not known" tree_module_unknown
ktap "KASLR, by objects" tree_slid
ktap "a tree whose vmlinux is cut short" tree_cut
ktap_end
