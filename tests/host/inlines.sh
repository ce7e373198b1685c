#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Inlined functions and lines, of made files, each byte of them: what addr2line -i says.
# By compilers, versions of DWARF and ways to pack it. And the cache of tables: kept,
# damaged, of another version, not possible.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
mkdir -p src/include src/fs src/mm
inline_allocators fast_alloc zero_alloc >src/include/alloc.h
cat >src/fs/inode.c <<'E2'
#include "alloc.h"
static long count;

static inline __attribute__((always_inline)) void *once(long n)
{
	count += n;
	return zero_alloc(n * 3);
}

static __attribute__((noinline)) void *helper(long n)
{
	void *p = once(n);

	return n > 7 ? p : once(n + 1);
}

void *inode_alloc(long n)
{
	long i;

	for (i = 0; i < n; i++)
		count += (long)helper(i);
	return zero_alloc(count);
}

#include "part.c"
E2
cat >src/fs/part.c <<'E2'
void *part_alloc(long n)
{
	return once(n * 5);
}
E2
cat >src/mm/slab.c <<'E2'
#include "alloc.h"
void *inode_alloc(long n), *part_alloc(long n);
static __attribute__((noinline)) long helper(long n)
{
	return n * (long)fast_alloc(n);
}

void *slow_alloc(long size, int flags)
{
	static char pool[65536];

	return &pool[(size * flags) & 32767];
}

long _start(long n)
{
	return helper(n) + (long)inode_alloc(n) + (long)part_alloc(n);
}
E2

cat >src/thumb.c <<'E2'
int elsewhere(int);
extern int mark;
int padding(int x)
{
	return x * 3;
}
int caller(int x)
{
	x = elsewhere(x);
	mark = x;
	return elsewhere(x + 1) + 1;
}
E2

# image NAME COMPILER FLAGS...: linked, its build ID and all
image() {
	local name=$1 cc=$2 file
	local -a objects=()
	shift 2

	for file in fs/inode mm/slab; do
		mkdir -p "$(dirname "$name/$file")"
		"$cc" -O2 -ffreestanding -fno-pie -fno-pic -fcf-protection=none -Isrc/include "$@" -c \
			-o "$name/$file.o" "src/$file.c"
		objects+=("$name/$file.o")
	done
	ld --build-id=sha1 -Ttext=0x1000000 -o "$name/vmlinux" "${objects[@]}"
}

# same NAME [OPTION...]
same() {
	"$here/inlines.py" "$program" "$1/vmlinux" all 0 strip="$work" "${@:2}"
}

# An account of one call, and what is said of it.
one_call() {
	local call

	call=$(objdump -d "$1/vmlinux" --disassemble=inode_alloc |
		awk '/call.*slow_alloc/ { getline; sub(/:.*/, "", $1); print $1; exit }')
	chain=$(addr2line -i -e "$1/vmlinux" "$(printf '%x' $((16#$call - 1)))" | sed "s:^$work/::; s/ (.*//" |
		tac | paste -sd'>' | sed 's/>/ > /g')
	echo "64 0 64 1 0 0x$call" >rows
	account_of rows >one.account
}

line_of() {
	"$program" report one.account --vmlinux "$1/vmlinux" --format csv "${@:2}" | awk -F, 'NR == 2 { print $1 }'
}

shown() {
	local got

	got=$(line_of "${@:2}")
	[ "$got" = "$1" ] || { echo "got '$got', expected '$1'"; return 1; }
}

kept=$XDG_CACHE_HOME/kmem-account/inlines
table() { echo "$kept/$(readelf -n "$1/vmlinux" | awk '/Build ID/ { print $NF }')"; }

stamp() { stat -c '%i %Y' "$(table "$1")"; }

is_kept() {
	local before

	before=$(stamp plain)
	line_of plain >/dev/null
	[ "$(stamp plain)" = "$before" ] && [ "$(find "$kept" -name '*.??????')" = "" ]
}

# damaged COMMAND...: changes a kept table; the answers stay, and it is made anew
damaged() {
	local file before

	file=$(table plain)
	cp "$file" good
	"$@" "$file"
	cmp -s good "$file" && return 1
	before=$(stat -c %i "$file")
	same plain || return 1
	[ "$(stat -c %i "$file")" != "$before" ] && [ "$(stat -c %s good)" = "$(stat -c %s "$file")" ]
}

flip() { printf '\377' | dd of="$1" bs=1 seek=$(($(stat -c %s "$1") - $2)) conv=notrunc 2>/dev/null; }
flip_end() { flip "$1" 40; }
flip_middle() { flip "$1" $(($(stat -c %s "$1") / 2)); }
cut_short() { truncate -s 300 "$1"; }
empty() { : >"$1"; }
other_version() { printf '\377' | dd of="$1" bs=1 seek=8 conv=notrunc 2>/dev/null; }
longer() { echo >>"$1"; }

# Another file of that build ID, with other addresses: its table is its own.
other_file() {
	mkdir -p other
	objcopy --dump-section .note.gnu.build-id=note plain/vmlinux other/vmlinux
	objcopy --update-section .note.gnu.build-id=note small/vmlinux other/vmlinux
	[ "$(table plain)" = "$(table other)" ] && same other
}

no_cache() {
	local XDG_CACHE_HOME=$work/file/none

	: >"$work/file"
	same plain
}

relative_cache() {
	local XDG_CACHE_HOME=here

	HOME=$work/home same plain && [ ! -e here ] && [ -d "$work/home/.cache/kmem-account/inlines" ]
}

no_build_id() {
	local before

	before=$(find "$kept" -type f | wc -l)
	mkdir -p nameless
	objcopy --remove-section .note.gnu.build-id plain/vmlinux nameless/vmlinux
	same nameless && [ "$(find "$kept" -type f | wc -l)" -eq "$before" ]
}

zstd_packed() {
	mkdir -p zstd
	objcopy --compress-debug-sections=zstd plain/vmlinux zstd/vmlinux
	"$program" report one.account --vmlinux zstd/vmlinux >zstd.out 2>zstd.err || return 1
	cat zstd.err
	[ "$(wc -l <zstd.err)" -eq 1 ] && grep -q 'libdw does not support.*(zstd).*objcopy.*reporting by caller only$' zstd.err &&
		grep -q 0x zstd.out
}

cut_vmlinux() {
	mkdir -p cut
	head -c $(($(stat -c %s plain/vmlinux) * 2 / 3)) plain/vmlinux >cut/vmlinux
	"$program" report one.account --vmlinux cut/vmlinux >cut.out 2>cut.err || return 1
	cat cut.err
	[ "$(wc -l <cut.err)" -eq 1 ] && grep -q 'cut/vmlinux: .*reporting by caller only$' cut.err && grep -q 0x cut.out
}

modes() {
	local code=0

	"$program" report one.account --vmlinux plain/vmlinux --inlines all 2>modes.err || code=$?
	cat modes.err
	[ "$code" -eq 2 ] && grep -q "invalid --inlines 'all' (expected outer, inner or both)" modes.err
}

same_as_plain() {
	diff <("$program" report one.account --vmlinux "$1/vmlinux" --by line --inlines both --format csv) \
		<("$program" report one.account --vmlinux plain/vmlinux --by line --inlines both --format csv)
}

# Units in split files, each with entries at the same places as the others.
many_split() {
	local i

	mkdir -p many
	for i in 1 2 3 4 5 6; do
		cat >many/u$i.c <<-E2
		extern int sink;
		static inline __attribute__((always_inline)) int in${i}_a(int x) { sink += x * $i; return sink; }
		int __attribute__((noinline)) fn${i}_b(int x) { return in${i}_a(x) + 1; }
		E2
	done
	echo 'int sink; int fn1_b(int); int _start(int x) { return fn1_b(x); }' >many/main.c
	(
		cd many
		for i in main u1 u2 u3 u4 u5 u6; do
			gcc -O2 -ffreestanding -fno-pie -fcf-protection=none -gsplit-dwarf "$@" -c $i.c
		done
		ld --build-id=sha1 -Ttext=0x1000000 -o vmlinux main.o u?.o
	)
	same many addr2line=llvm-addr2line strip="$work/many"
}

# What could not be read today may be there tomorrow: it is said, and no table is kept.
late_split() {
	rm -f "$(table many)" && mv many/u3.dwo u3.dwo &&
		echo '64 0 64 1 0 fn3_b+0x5/0x20' >rows && account_of rows >late.account &&
		"$program" report late.account --vmlinux many/vmlinux --by function --inlines both >late.out 2>late.err &&
		cat late.err && grep -q 'its debugging information is incomplete.*\.dwo' late.err &&
		grep -q ' fn3_b (' late.out && [ ! -e "$(table many)" ] && mv u3.dwo many/ &&
		"$program" report late.account --vmlinux many/vmlinux --by function --inlines both >late.out 2>late.err &&
		[ ! -s late.err ] && grep -q 'fn3_b > in3_a' late.out && [ -e "$(table many)" ]
}

# The length of the second unit is changed; libdw then says that there is one alone.
damaged_unit() {
	mkdir -p damaged
	python3 - plain/vmlinux damaged/vmlinux <<'PY'
import subprocess, sys
data = bytearray(open(sys.argv[1], "rb").read())
out = subprocess.run(["readelf", "-SW", sys.argv[1]], stdout=subprocess.PIPE, text=True).stdout
words = next(line.split("]")[1].split() for line in out.splitlines() if " .debug_info " in line)
at = int(words[3], 16)
second = at + 4 + int.from_bytes(data[at:at + 4], "little")
data[second:second + 4] = (1 << 30).to_bytes(4, "little")
open(sys.argv[2], "wb").write(data)
PY
	rm -f "$(table plain)"
	"$program" report one.account --vmlinux damaged/vmlinux >damaged.out 2>damaged.err || return 1
	cat damaged.err
	[ "$(wc -l <damaged.err)" -eq 1 ] && grep -q 'its debugging information is incomplete: corrupt' damaged.err &&
		[ ! -e "$(table plain)" ]
}

# Thumb's return addresses have bit 0 set: the line is that of the call all the same.
thumb() {
	local call want

	mkdir -p thumb
	clang --target=armv7-linux-gnueabihf -mthumb -O1 -g -ffreestanding -fno-pic -Isrc/include -c \
		-o thumb/foo.ko src/thumb.c || return 1
	call=$(llvm-objdump -dr thumb/foo.ko | awk '/<caller>:/ { on = 1 } on && /\tbl\t/ { sub(/:.*/, "", $1); print $1; on = 0 }')
	want=$(llvm-addr2line -e thumb/foo.ko "0x$call")
	start=$(llvm-nm thumb/foo.ko | awk '$3 == "caller" { print $1 }')
	echo "call at $call in caller at $start: $want"
	printf '64 0 64 1 0 caller+0x%x/0x20 [foo]\n' $((16#$call + 4 + 1 - 16#$start)) >rows
	account_of rows >thumb.account
	"$program" report thumb.account --vmlinux plain/vmlinux --modules thumb --by line --format csv >thumb.out || return 1
	cat thumb.out
	grep -q "^${want#"$work/"}," thumb.out
}

# Modules of other machines, big-endian ones and of 32 bits among them.
machine() {
	local target=$1
	shift

	mkdir -p "cross/$target"
	clang --target="$target" -O2 -g -ffreestanding -fno-pic -Isrc/include "$@" -c \
		-o "cross/$target/foo.ko" src/fs/inode.c
	"$here/inlines.py" "$program" "cross/$target/foo.ko" all 0 strip="$work" \
		addr2line=llvm-addr2line kernel=plain/vmlinux modules="cross/$target"
}

# packed_module COMMAND NAME: the same of a packed one
packed_module() {
	rm -rf packed
	mkdir packed
	"$1" -c cross/x86_64-linux-gnu/foo.ko >"packed/foo.ko.$2"
	"$here/inlines.py" "$program" cross/x86_64-linux-gnu/foo.ko all 0 strip="$work" \
		addr2line=llvm-addr2line kernel=plain/vmlinux modules=packed
}

image plain gcc -g
image dwarf4 gcc -gdwarf-4
image sections gcc -g -ffunction-sections
image small gcc -g -Os
image clang clang -g
image noline gcc -g
objcopy --compress-debug-sections=zlib plain/vmlinux noline/vmlinux
image split gcc -g -gsplit-dwarf
one_call plain

ktap_plan 44
for how in plain dwarf4 sections; do
	ktap "each byte: $how" same "$how"
done
# binutils does not find all that clang inlined
ktap "each byte: clang" same clang addr2line=llvm-addr2line
ktap "packed with zlib" same noline
for target in x86_64 aarch64 armv7 i686 powerpc powerpc64le s390x; do
	ktap "a module of $target" machine "$target-linux-gnu"
done
ktap "a module, DWARF 4" machine x86_64-linux-gnu -gdwarf-4
for how in "gzip gz" "xz xz" "zstd zst"; do
	ktap "a module packed by ${how% *}" packed_module "${how% *}" "${how#* }"
done
ktap "split (.dwo)" same_as_plain split
for how in -g -gdwarf-4; do
	ktap "split (.dwo): entries at the same places, $how" many_split "$how"
done
ktap "a .dwo that comes later" late_split
ktap "Thumb: the call before a return address with bit 0" thumb
ktap "outer file" shown src/fs/inode.c plain --by file
ktap "inner file: headers own nothing" shown src/fs/inode.c plain --by file --inlines inner
ktap "line of the outer function" shown "${chain%% *}" plain --by line
ktap "line of the inner function" shown "${chain%% *}" plain --by line --inlines inner
ktap "the chain has three" test "$(grep -o '>' <<<"$chain" | wc -l)" -eq 2
ktap "chain of lines" shown "$chain" plain \
	--by line --inlines both
ktap "chain of functions" shown "inode_alloc > zero_alloc > fast_alloc (src/fs/inode.c)" plain \
	--by function --inlines both
ktap "outer function" shown "inode_alloc (src/fs/inode.c)" plain --by function
ktap "a table is kept" is_kept
for how in flip_end flip_middle cut_short empty other_version longer; do
	ktap "a kept table that is damaged: $how" damaged "$how"
done
ktap "a kept table of another file" other_file
ktap "no folder for the cache" no_cache
ktap "a relative XDG_CACHE_HOME is ignored" relative_cache
ktap "no build ID: nothing is kept" no_build_id
ktap "packed with zstd, which libdw cannot read: one line" zstd_packed
ktap "cut short: one line" cut_vmlinux
ktap "a damaged unit: one line, and nothing is kept" damaged_unit
ktap "modes are checked" modes
ktap_end
