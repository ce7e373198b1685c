#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every function of a made kernel tree as a call site: does each land in the file
# that addr2line names? With the debugging information and with the objects of the
# tree; in the kernel and in a module. Truth comes from binutils, never from an
# earlier output of the program.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

fixture mktree.sh "$work/mini" >/dev/null
tree=$work/mini/tree
debug=$work/mini/debug
vmlinux=$debug/boot/vmlinux-6.1.0-mini

# rows NM FILE ADDR2LINE-ARGUMENTS...: sites and truth, appended to $work/rows and
# $work/truth. A site lies in the middle of its function; what is looked up is the
# byte before.
rows() {
	local nm=$1 module=$2 name addr span offset file
	shift 2

	while read -r name addr span; do
		offset=$((span / 2))
		file=$(addr2line "$@" "$(printf '%x' $((addr + offset - 1)))")
		file=${file%%:*}
		file=${file#"$tree"/}
		# of one size in each file: nothing tells them apart, but a module's lie in
		# one directory
		[ "$name" != twin ] || file="${module:+drivers/foo/}[ambiguous]"
		n=$((n + 1))
		printf '%d %d %d %d %d %s+0x%x/0x%x%s\n' $((n * 1000 + n)) "$n" $((n * 1000)) \
			"$n" 1 "$name" "$offset" "$span" "$module" >>"$work/rows"
		printf '%s %d\n' "$file" $((n * 1000 + n)) >>"$work/truth"
	done < <(spans "$nm")
}

# without_of ACCOUNT: what the table and JSON say of live bytes without a directory
without_of() {
	"$program" report "$1" -k "$tree" --force >"$work/table" 2>/dev/null || return 1
	"$program" report "$1" -k "$tree" --force --format json >"$work/json" 2>/dev/null || return 1
	cat <(grep -o '^  live without a directory' "$work/table") <(grep -o without_directory "$work/json") | wc -l
}

# An input without live bytes says nothing of them, not that there are none.
absent() {
	[ "$(without_of "$data/readers/alloc_calls-5.10")" = 0 ] && [ "$(without_of "$data/small.account")" = 2 ]
}

n=0
nm -n "$vmlinux" >"$work/nm"
rows "$work/nm" "" -e "$vmlinux"
built_in=$n
ko=$debug/lib/modules/6.1.0-mini/kernel/drivers/foo/foo-mod.ko
# the last function of a module reaches to the end of its section
size=$(readelf -SW "$ko" | awk '{ sub(/^.*\]/, "") } $1 == ".text" { print $5 }')
{ nm -n "$ko" | grep -E ' [tT] '; printf '%016x d end\n' "0x$size"; } >"$work/nm.ko"
rows "$work/nm.ko" " [foo_mod]" -e "$ko" -j .text
account_of "$work/rows" >"$work/account"

# expected FILTER: sums by the key that an awk expression makes of $1
expected() {
	awk "{ key = $1; sum[key] += \$2; }
	END { for (key in sum) print key \",\" sum[key] }" "$work/truth" | sort
}

# actual ARGUMENTS...: key and live bytes
actual() {
	"$program" report "$work/account" --format csv "$@" | awk -F, 'NR > 1 { print $1 "," $2 }' |
		sort
}

same() {
	diff <(expected "$1") <(actual "${@:2}")
}

# awk expressions that make the key of a row from the path in $1
by_file="\$1"
# shellcheck disable=SC2016 # awk's own $
by_dir='substr($1, 1, 1) == "[" ? $1 : ($1 ~ /\//) ? substr($1, 1, match($1, /\/[^\/]*$/) - 1) : "."'
# shellcheck disable=SC2016
by_top='substr($1, 1, 1) == "[" ? $1 : ($1 ~ /\//) ? substr($1, 1, index($1, "/") - 1) : "."'

some_of_each() {
	[ "$built_in" -gt 20 ] && [ $((n - built_in)) -gt 5 ] && grep -q '^lib/asm.S ' "$work/truth" &&
		grep -q '^drivers/foo/foo_aux.c ' "$work/truth"
}

quiet() {
	local said

	said=$("$program" report "$work/account" "$@" 2>&1 >/dev/null)
	[ -z "$said" ] || { echo "$said"; return 1; }
}

mkdir "$work/elsewhere"
cp "$vmlinux" "$work/elsewhere/some-name"

no_module() {
	"$program" report "$work/account" --vmlinux "$work/elsewhere/some-name" --by file \
		--format csv | grep '^\[module foo_mod\],' >/dev/null
}

# A module without debugging information is known by the place where it lies.
module_place() {
	mkdir -p "$work/stripped/kernel/drivers/foo"
	strip -g -o "$work/stripped/kernel/drivers/foo/foo-mod.ko" "$ko"
	: >"$work/stripped/kernel/drivers/foo/broken.ko"
	"$program" report "$work/account" --vmlinux "$vmlinux" --modules "$work/stripped" \
		--by file --format csv | grep '^drivers/foo/foo-mod.ko,' >/dev/null
}

compressed_module() {
	mkdir -p "$work/xz/kernel/drivers/foo"
	xz -c "$ko" >"$work/xz/kernel/drivers/foo/foo-mod.ko.xz"
	same "$by_file" --vmlinux "$vmlinux" --modules "$work/xz" --by file
}

# sym+0x33 without a size, as an older account has it
without_size() {
	sed 's:\(+0x[0-9a-f]*\)/0x[0-9a-f]*:\1:' "$work/account" >"$work/account.nosize"
	"$program" report "$work/account.nosize" --vmlinux "$vmlinux" --by file --format csv |
		grep -q '^fs/alpha/inode.c,'
}

# A call at the very end of a function returns to the next one: offset 0 there. The
# call is in the function before, perhaps in another file.
return_to_next() {
	local name addr span file before

	rm -f "$work/starts" "$work/starts.truth"
	while read -r name addr span; do
		case $name in
		helper | twin | text_end | _start)	continue ;;
		esac
		file=$(addr2line -e "$vmlinux" "$(printf '%x' $((addr - 1)))")
		file=${file%%:*}
		# objects have no addresses: twin stays what it is
		before=$(awk -v n="$name" '$3 == n { print before } { before = $3 }' "$work/nm")
		[ "$1 $before" != "-k twin" ] || file="[ambiguous]"
		printf '10 0 10 1 0 %s+0x0/0x%x\n' "$name" "$span" >>"$work/starts"
		echo "${file#"$tree"/}" >>"$work/starts.truth"
	done < <(spans "$work/nm")
	account_of "$work/starts" >"$work/starts.account"
	grep -q '^drivers/foo/core.c$' "$work/starts.truth" || return 1
	diff <(sort "$work/starts.truth" | uniq -c | awk '{ print $2 "," 10 * $1 }') \
		<("$program" report "$work/starts.account" "$@" --by file --format csv |
			awk -F, 'NR > 1 { print $1 "," $2 }' | sort)
}

# Where file borders are crossed: the assembler function follows drivers/foo/core.c.
crosses_files() {
	"$program" report "$work/starts.account" "$@" --by caller \
		-b drivers/foo/core.c --format csv | grep '^asm_alloc+0x0/' >/dev/null
}

# Addresses, as kernels before 5.4 log them: %lx, here with and without 0x. Where the
# kernel was linked tells even twins apart. With a slide, as KASLR has it, nothing does.
# shellcheck disable=SC2094 # the spans are only read
addresses() {
	local slide=$1 name addr span at file i=0

	rm -f "$work/raw" "$work/raw.truth" "$work/raw.names"
	while read -r name addr span; do
		i=$((i + 1))
		at=$((addr + (i % 2 ? span / 2 : span)))
		file=$(addr2line -e "$vmlinux" "$(printf '%x' $((at - 1)))")
		file=${file%%:*}
		file=${file#"$tree"/}
		[ $((i % 3)) -eq 0 ] && name=$(printf '0x%x' $((at + slide))) ||
			name=$(printf '%016x' $((at + slide)))
		echo "$((i * 100)) 0 $((i * 100)) 1 0 $name" >>"$work/raw"
		[ "$slide" -eq 0 ] || file="[unknown address]"
		echo "$file $((i * 100))" >>"$work/raw.truth"
		# as %pS prints it: the symbol that the address itself lies in
		awk -v at="$at" -v raw="$name" -v slide="$slide" '
			!slide && at >= $2 && at < $2 + $3 { printf "%s+0x%x/0x%x\n", $1, at - $2, $3; found = 1 }
			END { if (!found) print raw }' "$work/spans" >>"$work/raw.names"
	done <"$work/spans"
	account_of "$work/raw" >"$work/raw.account"
}

by_address() {
	addresses "$1"
	diff <(awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (k in sum) print k "," sum[k] }' \
		"$work/raw.truth" | sort) \
		<("$program" report "$work/raw.account" "${@:2}" --by file --format csv 2>"$work/said" |
			awk -F, 'NR > 1 { print $1 "," $2 }' | sort) || return 1
	diff <(sort "$work/raw.names") <("$program" report "$work/raw.account" "${@:2}" --by caller \
		--format csv 2>/dev/null | awk -F, 'NR > 1 { print $1 }' | sort) || return 1
	if [ "$1" -eq 0 ]; then
		cat "$work/said"
		[ ! -s "$work/said" ]
	else
		grep -q "^kmem-account: .*: $i of $i addresses .* not in any symbol, but may be of a module" "$work/said"
	fi
}

# A tree whose System.map was removed still has its vmlinux.
no_system_map() {
	local rc=0

	mv "$tree/System.map" "$work/kept.map"
	by_address 0 -k "$tree" || rc=1
	mv "$work/kept.map" "$tree/System.map"
	return "$rc"
}

spans "$work/nm" >"$work/spans"
i=$(wc -l <"$work/spans")
ktap_plan 23
ktap "the sites cover kernel, assembler and module" some_of_each
ktap "files by DWARF are those of addr2line" same "$by_file" --vmlinux "$vmlinux" --by file
ktap "directories by DWARF" same "$by_dir" --vmlinux "$vmlinux" --by dir
ktap "top directories by DWARF" same "$by_top" --vmlinux "$vmlinux" --by dir --depth 1
ktap "files by objects are those of addr2line" same "$by_file" -k "$tree" --by file
ktap "directories by objects" same "$by_dir" -k "$tree/" --by dir
ktap "top directories by objects" same "$by_top" -k "$tree" --by dir --depth 1
ktap "no complaint with DWARF" quiet --vmlinux "$vmlinux"
ktap "no complaint with objects" quiet -k "$tree"
ktap "a module that is not found has a row with its name" no_module
ktap "a module without DWARF is known by its place" module_place
ktap "a compressed module" compressed_module
ktap "call sites without a size" without_size
ktap "live bytes without a directory, of an input without live bytes" absent
for how in "--vmlinux $vmlinux" "-k $tree"; do
	read -r -a args <<<"$how"
	ktap "a return address at the start of a function, ${args[0]}" return_to_next "${args[@]}"
	ktap "a call at the end of a file is that file's, ${args[0]}" crosses_files "${args[@]}"
	ktap "addresses without symbols, ${args[0]}" by_address 0 "${args[@]}"
	ktap "addresses of a kernel elsewhere are kept, ${args[0]}" by_address 0x20000000 "${args[@]}"
done
ktap "addresses by vmlinux when there is no System.map" no_system_map
ktap_end
