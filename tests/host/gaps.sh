#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Files of a built tree that cannot be read: static, report -k and diff count them by kind
# and name the first, and diff does not judge such a comparison. The truth is what this
# script breaks, and readelf's sizes of what it leaves.
#
# A dangling link, a directory, a FIFO and a truncated file are unreadable to root, too; for
# a directory without permissions root gives up its capabilities.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

fixture mkstatic.sh "$work/made" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
fixture mktree.sh "$work/mini" >/dev/null
tree=$work/made/tree
nm -n "$work/mini/tree/vmlinux" >"$work/symbols"
spans "$work/symbols" | sort | awk '{ i = NR * NR * 37
	printf "%d %d %d %d %d %s+0x1/0x%x\n", i + NR, NR, i, NR * 3, NR, $1, $3 }' >"$work/rows"
account_of "$work/rows" >"$work/account"

# run STATUS COMMAND...: does the command end with that status? Waits for no FIFO.
run() {
	local want=$1 got=0
	shift

	timeout 60 "$@" >"$work/stdout" 2>"$work/stderr" || got=$?
	[ "$got" -eq "$want" ] || { echo "exit status $got, not $want: $*"; cat "$work/stderr"; return 1; }
}

# said COUNT PATTERN: COUNT lines on stderr match
said() {
	[ "$(grep -c -e "$2" "$work/stderr")" -eq "$1" ] ||
		{ echo "not $1 lines with: $2"; cat "$work/stderr"; return 1; }
}

# as_user: before a command: without the capabilities that let root read everything
as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all)

# copy: a fresh copy of the tree in $bad
copy() {
	bad=$work/bad
	[ ! -d "$bad" ] || chmod -R u+rwx "$bad"
	rm -rf "$bad"
	cp -r "${1-$tree}" "$bad"
}

# dangle, occupy, pipe, truncated FILE...: make each unreadable, each in its own way
dangle() { for file; do rm -f "$file"; ln -s /nonexistent/file "$file"; done; }
occupy() { for file; do rm -f "$file"; mkdir "$file"; done; }
pipe() { for file; do rm -f "$file"; mkfifo "$file"; done; }
truncated() { for file; do truncate -s 40 "$file"; done; }

# bytes OBJECT...: what readelf says that they hold in memory
bytes() {
	local object

	for object; do
		readelf -SW "$object" | sed -n 's/^ *\[ *[0-9]*\] //p' |
			awk '$7 ~ /A/ { print $5 }' | while read -r size; do echo $((16#$size)); done
		readelf -sW "$object" | awk '$7 == "COM" { print $3 }'
	done | paste -sd+ | bc
}

# whole FILE: sum of the column static
whole() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "static") n = NF - i } NR > 1 { s += $(NF - n) }
		END { print s + 0 }' "$1"
}

# lacks TEXT FIRST OBJECT...: static of $bad says TEXT, names FIRST, and lacks the OBJECTs
lacks() {
	local text=$1 first=$2 want
	shift 2

	run 0 "$program" static -k "$tree" --format csv && said 0 . || return 1
	want=$(($(whole "$work/stdout") - $(bytes "$@")))
	run 0 "$program" static -k "$bad" --format csv &&
		said 1 "bad: cannot read $text; .*; the first: .*$first: " && said 1 . || return 1
	[ "$(whole "$work/stdout")" -eq "$want" ] ||
		{ echo "$(whole "$work/stdout") bytes, not $want"; return 1; }
}

# Two ways for each, of those that make sense for the kind.
objects() {
	local way

	for way in dangle occupy pipe truncated; do
		copy && $way "$bad/fs/super.o" "$bad/lib/asm.o" &&
			lacks '2 objects' 'fs/super\.o' "$tree"/fs/super.o "$tree"/lib/asm.o || return 1
	done
	copy && rm "$bad/fs/super.o" && lacks '1 object' 'fs/super\.o' "$tree/fs/super.o"
}

# An object of a module that has no .cmd file is not counted at all.
cmd_files() {
	local way

	for way in dangle occupy pipe truncated; do
		copy && $way "$bad/drivers/mod/.mod_a.o.cmd" "$bad/drivers/mod/.mod_b.o.cmd" &&
			lacks '2 \.cmd files' 'drivers/mod/\.mod_[ab]\.o\.cmd' "$tree"/drivers/mod/mod_[ab].o ||
			return 1
	done
	copy && : >"$bad/drivers/mod/.mod_a.o.cmd" &&
		lacks '1 \.cmd file' 'mod_a\.o\.cmd' "$tree/drivers/mod/mod_a.o"
}

directories() {
	copy
	chmod 0 "$bad/drivers/mod" "$bad/scripts"
	run 0 "$program" static -k "$tree" --format csv
	want=$(($(whole "$work/stdout") - $(bytes "$tree"/drivers/mod/mod_[ab].o)))
	run 0 "${as_user[@]}" "$program" static -k "$bad" --format csv &&
		said 1 'cannot read 1 directory; .*; the first: .*/drivers/mod: cannot open: Permission denied' &&
		[ "$(whole "$work/stdout")" -eq "$want" ] || return 1
	# the archives below are unknown, too
	chmod 0 "$bad/fs"
	run 0 "${as_user[@]}" "$program" static -k "$bad" &&
		said 1 'cannot read 2 directories, 1 archive' || return 1
	chmod 0 "$bad"
	run 1 "${as_user[@]}" "$program" static -k "$bad" && said 1 'bad: cannot open: Permission denied'
}

# Without the list of its members, what the linker took is not known.
archives() {
	local way

	for way in dangle occupy pipe truncated rm; do
		copy && $way "$bad/fs/.built-in.a.cmd" "$bad/lib/.lib.a.cmd" &&
			run 0 "$program" static -k "$bad" &&
			said 1 'cannot read 2 archives; .*; the first: .*a' || return 1
	done
	# kernels before 6.1 keep no command of vmlinux.o
	copy && rm "$bad/.vmlinux.o.cmd" && run 0 "$program" static -k "$bad" && said 0 .
}

modules() {
	local way

	for way in dangle pipe; do
		copy && $way "$bad/drivers/mod/mod.mod" &&
			lacks '1 module' 'drivers/mod/mod\.mod' "$tree"/drivers/mod/mod_[ab].o || return 1
	done
}

# All kinds at once: each has its number, and so has report with -k.
together() {
	copy && dangle "$bad/fs/super.o" "$bad/drivers/mod/.mod_a.o.cmd" "$bad/lib/.lib.a.cmd" "$bad/drivers/mod/mod.mod"
	run 0 "$program" static -k "$bad" &&
		said 1 'cannot read 1 \.cmd file, 1 archive, 1 object, 1 module' &&
		run 0 "$program" report -k "$bad" -a static && said 1 . &&
		said 1 'cannot read 1 \.cmd file, 1 archive, 1 object, 1 module'
}

# Call sites are looked up in the symbols of objects.
report() {
	local way some

	run 0 "$program" report -f "$work/account" -k "$work/mini/tree" --by dir --force && said 0 . || return 1
	cp "$work/stdout" "$work/intact"
	for way in dangle occupy pipe truncated; do
		copy "$work/mini/tree"
		some=$(find "$bad/fs" -name '*.o' | sort | sed -n 1,2p)
		# shellcheck disable=SC2086 # paths
		$way $some
		run 0 "$program" report -f "$work/account" -k "$bad" --by dir --force &&
			said 1 'bad: cannot read 2 symbol tables; .*; the first: .*/fs/.*\.o: ' &&
			said 1 . && ! cmp -s "$work/stdout" "$work/intact" || return 1
	done
	# both effects, each once
	run 0 "$program" report -f "$work/account" -k "$bad" --by dir --force -a static &&
		said 1 'cannot read 2 symbol tables' && said 1 'cannot read 2 objects'
}

# The image says which build the tree is of.
image() {
	copy "$work/mini/tree" && truncated "$bad/vmlinux" &&
		run 0 "$program" report -f "$work/account" -k "$bad" &&
		said 1 'bad: cannot read 1 kernel image; .*; the first: .*/vmlinux: '
}

# An image without debugging information, but with BTF, is read as far as it can be.
image_btf() {
	copy "$work/mini/tree"
	echo 'struct thing { long a[9]; }; struct thing *made(void) { return 0; }' >"$work/btf.c"
	gcc -gbtf -c -o "$work/btf.o" "$work/btf.c"
	objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc "$work/btf.o" "$work/btf"
	strip -g "$bad/vmlinux" && objcopy --add-section .BTF="$work/btf" "$bad/vmlinux" || return
	run 0 "$program" report -f "$work/account" -k "$bad" --by type --force && said 0 .
}

# A side that lacks files is not smaller, and one that lacks none now has not grown.
diff_trees() {
	local side args

	for args in '' '--by symbol' '-b fs' '-b lib --by object'; do
		for side in "$bad $tree" "$tree $bad" "$bad $bad"; do
			# shellcheck disable=SC2086 # words
			run 1 "$program" diff $side $args --fail-above 1 &&
				said 0 'more than before' &&
				said "$(grep -o "$bad" <<<"$side" | grep -c .)" \
					'diff: cannot tell what changed: .*/bad.*; --fail-above is not checked' || return 1
			# shellcheck disable=SC2086 # words
			run 0 "$program" diff $side $args && said 0 fail-above &&
				said "$(grep -o "$bad" <<<"$side" | grep -c .)" 'diff: cannot tell what changed' || return 1
		done
	done
}

diff_each() {
	copy && dangle "$bad/fs/super.o" && diff_trees &&
		copy && occupy "$bad/drivers/mod/.mod_a.o.cmd" && diff_trees &&
		copy && rm "$bad/lib/.lib.a.cmd" && diff_trees &&
		copy && pipe "$bad/drivers/mod/mod.mod" && diff_trees &&
		run 0 "$program" diff "$tree" "$tree" --fail-above 1 && said 0 .
}

# The case of the review: a directory that one side may not read is not gone.
diff_directory() {
	copy && chmod 0 "$bad/fs" &&
		run 1 "${as_user[@]}" "$program" diff "$bad" "$tree" --by dir --fail-above 1 &&
		said 1 'cannot read 1 directory' && said 0 'more than before' && said 1 'cannot tell' &&
		run 1 "${as_user[@]}" "$program" diff "$bad" "$tree" -b fs --fail-above 1 && said 1 'cannot tell'
}

diff_image() {
	copy && rm "$bad/vmlinux" &&
		run 1 "$program" diff "$tree" "$bad" --image --fail-above 1 && said 1 'cannot tell' &&
		said 0 'more than before'
}

diff_accounts() {
	sed 's/^\( *\)\([1-9]\)/\1\2/' "$work/account" >"$work/other"
	copy "$work/mini/tree"
	run 0 "$program" diff "$work/account" "$work/other" -k "$bad" --by dir --fail-above 1 && said 0 . || return 1
	dangle "$(find "$bad/fs" -name '*.o' | sort | sed -n 1p)"
	run 1 "$program" diff "$work/account" "$work/other" -k "$bad" --by dir --fail-above 1 &&
		said 1 'cannot tell what changed: parts of .*/bad could not be read; --fail-above' &&
		run 0 "$program" diff "$work/account" "$work/other" -k "$bad" --by dir && said 1 'cannot tell'
}

ktap_plan 13
ktap "objects" objects
ktap ".cmd files" cmd_files
ktap "directories" directories
ktap "archives" archives
ktap "modules" modules
ktap "all kinds" together
ktap "report: symbols of objects" report
ktap "report: a damaged kernel image" image
ktap "report: a kernel image with BTF alone" image_btf
ktap "diff of trees" diff_each
ktap "diff of trees: a directory without permissions" diff_directory
ktap "diff of trees: one side without its vmlinux" diff_image
ktap "diff of accounts" diff_accounts
ktap_end
