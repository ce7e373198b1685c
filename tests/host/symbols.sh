#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel without debugging information: its symbols, those of a System.map, and a built
# tree beside either. Files are those of readelf (local symbols) and addr2line (global
# ones), functions those of nm; addresses are moved as KASLR moves them.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
fixture mktree.sh "$work/mini" >/dev/null
tree=$work/mini/tree
# Whose is a global function? A local part of it says so, or its neighbours of one file;
# what stands between two files is nobody's.
cat >hints.c <<'E2'
static int __attribute__((used, noinline)) hidden(int x) { return x * 11; }
int between(int x) { return hidden(x) * 3; }
static int __attribute__((used, noinline)) veiled(int x) { return x * 13; }
E2
cat >more.c <<'E2'
int halved(int x) { return x * 7; }
asm(".section .text.unlikely\n.type halved.cold,@function\nhalved.cold: ret\n.size halved.cold,1\n.text");
E2
echo 'int alone(int x) { return x + 5; }' >alone.c
for file in hints more alone; do
	gcc -g -O1 -fno-pie -ffreestanding -fcf-protection=none -fno-toplevel-reorder -c -o $file.o $file.c
done
objects=("$PWD"/hints.o "$PWD"/alone.o "$PWD"/more.o)
for object in init fs/alpha/inode fs/beta/inode fs/super mm/slab drivers/foo/core lib/asm; do
	objects+=("$tree/$object.o")
done
echo 'SECTIONS { .text 0x1000000 : { _stext = .; . += 16; *(.text) *(.text.unlikely) _etext = .; } }' >link.ld
ld --build-id=sha1 -T link.ld -o full "${objects[@]}"
strip -g --keep-file-symbols -o vmlinux full
strip -g -o nameless full
mkdir beside
strip -s -o beside/vmlinux-mini full
nm -n full >beside/System.map-mini
nm -n full >symbols
strip -s -o bare full

# Every function, in its middle: "name span offset address".
spans symbols | awk '$3 > 1 && $1 != "_stext" { print $1, $3, int($3 / 2), $2 + int($3 / 2) }' >functions

# account [DISTANCE]: of all functions, by name; or by address, that far above
account() {
	awk -v raw="$#" '{ n++; v = 1000 + n
		printf "%d 0 %d 1 0 ", v, v
		if (raw) print "ADDR " $4; else printf "%s+0x%x/0x%x\n", $1, $3, $2 }' functions |
		while read -r total slack req allocs frees caller addr; do
			[ "$caller" != ADDR ] || caller=$(printf '0x%x' $((addr + $1)))
			echo "$total $slack $req $allocs $frees $caller"
		done >rows
	account_of rows
}
account >named.account
account 0 >raw.account
cp rows rows.raw

# placed ACCOUNT ARGUMENTS...: "bytes file" of each site; its bytes tell which it is
placed() {
	"$program" rings "$@" -r page.html 2>said || { cat said; return 1; }
	"$here/page.py" rows page.html | awk -F'\t' '$1 == "current_dynamic" && $2 == "caller" {
		sub(/\/[^\/]*\+0x.*/, "", $3); print $4 "\t" $3 }' >placed
}

# What readelf says of local symbols; of global ones addr2line: right, or not said.
by_symbols() {
	placed "$1" --vmlinux vmlinux && python3 - <<'PY'
import subprocess
run = lambda *command, **more: subprocess.run(command, stdout=subprocess.PIPE, check=True,
                                              universal_newlines=True, **more).stdout
local, file = {}, ""
for line in run("readelf", "-sW", "vmlinux").splitlines():
    words = line.split()
    if len(words) > 7 and words[3] == "FILE":
        file = words[7]
    elif len(words) > 7 and words[3:5] == ["FUNC", "LOCAL"]:
        local[int(words[1], 16)] = file
functions = [line.split() for line in open("functions")]
lines = run("addr2line", "-e", "full", input="\n".join("%x" % (int(f[3]) - 1) for f in functions))
said = {int(value): file for value, file in
        (line.rstrip("\n").split("\t") for line in open("placed"))}
named, unnamed = set(), set()
for n, ((name, _, offset, addr), line) in enumerate(zip(functions, lines.splitlines()), 1):
    file, got = line.split(":")[0].rsplit("/", 1)[-1], said[1000 + n]
    start = int(addr) - int(offset)
    assert start not in local or local[start] in (file, file[:-1] + "o"), (name, file)
    if got in ("[no source file]", "[ambiguous]"):
        assert start not in local or got == "[ambiguous]" and name in ("twin", "helper"), (name, got)
        unnamed.add(name)
        continue
    # an object of assembler is called by its own name
    assert got in ("[no directory]/" + file, "[no directory]/" + file[:-1] + "o"), (name, got, file)
    named.add(name)
print("# named %d, not %s" % (len(named), unnamed))
assert named >= {"hidden", "veiled", "between", "halved"} and "alone" in unnamed, (named, unnamed)
PY
}

# names ARGUMENTS...: each address is the symbol that nm has there, with its span; those of one name are one row
names() {
	"$program" report raw.account --by caller --format csv "$@" 2>said | awk -F, 'NR > 1 { print $2, $1 }' |
		sort >got
	awk '{ sum[sprintf("%s+0x%x/0x%x", $1, $3, $2)] += 1000 + NR } END { for (name in sum) print sum[name], name }' functions |
		sort | diff - got
}

one_line() {
	cat said
	[ "$(wc -l <said)" -eq 1 ] && grep -q "$1" said
}

# Return addresses of all calls, as KASLR has them.
kaslr() {
	objdump -d full | awk '/call / { getline; sub(/:.*/, "", $1); print $1 }' | while read -r at; do
		printf '16 0 16 1 0 0x%x\n' $((16#$at + $1))
	done >rows
	account_of rows
}

slid() {
	kaslr 0 >calls.account
	kaslr $((0x1c00000)) >slid.account
	"$program" report calls.account "$@" --by caller --format csv 2>/dev/null >calls.out
	"$program" report slid.account "$@" --by caller --format csv 2>said >slid.out
	cat said
	grep -q 'shifted by 0x1c00000 bytes (KASLR); corrected' said && cmp calls.out slid.out &&
		[ "$(grep -c '+0x' slid.out)" -gt 5 ]
}

# The objects of a tree that has neither vmlinux nor System.map: directories again.
cp -r "$tree" objects
rm -f objects/vmlinux objects/System.map
sed -i "s|$tree/||g" objects/lib/.asm.o.cmd
with_tree() {
	"$program" report "$1" --vmlinux full --by file --format csv 2>/dev/null >want
	"$program" report "$@" -k objects --by file --format csv 2>said >got
	cat said
	sed -i "s|^$tree/||" want got
	diff <(grep -E '^(fs|mm|drivers|lib)/' want | cut -d, -f 1,2 | sort) \
		<(grep -E '^(fs|mm|drivers|lib)/' got | cut -d, -f 1,2 | sort) &&
		[ "$(grep -cE '^(fs|mm|drivers|lib)/' got)" -ge 6 ] && [ ! -s said ]
}

no_symbols() {
	"$program" report named.account --vmlinux bare --format csv >got 2>said &&
		one_line 'bare: no debugging information .DWARF., no symbols, and no file System.map; reporting by caller only' &&
		grep -q '^hidden+0x' got
}

nameless() {
	"$program" report named.account --vmlinux nameless --by file --format csv >got 2>said &&
		one_line 'functions are shown without files' && [ "$(cut -d, -f 1 got | tail -n +2)" = '[no source file]' ]
}

# gzip(1) unpacks what was packed in parts, and one of them may be empty.
packed_in_parts() {
	{ gzip -c </dev/null; head -c 5000 vmlinux | gzip -c; gzip -c </dev/null; tail -c +5001 vmlinux | gzip -c; } >parts.gz
	names --vmlinux parts.gz
}

# What is wrong with a packed one is said of it, not of where it was unpacked to.
packed_bare() {
	gzip -c bare >bare.gz
	"$program" report named.account -k objects --vmlinux bare.gz >/dev/null 2>said
	cat said
	grep -q 'bare.gz: no symbols in this file; reporting by caller only' said
}

# As /proc/kallsyms is, above the kernel by KASLR, with modules of other and of the same names.
kallsyms() {
	awk '{ print; print $1, "D", "data" NR } END { print "ffffffffc0001000 t twin\t[mod]"
		print "ffffffffc0001800 t hidden\t[mod]"; print "ffffffffc0002000 t mod_init\t[mod]" }' symbols >kallsyms
	echo '16 0 16 1 0 0xffffffffc0001010' | cat rows.raw - >rows
	account_of rows >modules.account
	"$program" report modules.account --vmlinux kallsyms --by caller --format csv >got 2>said
	grep -q '^0xffffffffc0001010,' got || { cat got; return 1; }
	names --vmlinux kallsyms && sed 's/^[0-9a-f]*/0000000000000000/' kallsyms >hidden.kallsyms &&
		"$program" report raw.account --vmlinux hidden.kallsyms --by caller >/dev/null 2>said &&
		one_line 'hidden.kallsyms: all addresses are 0; read /proc/kallsyms as root; reporting by caller only' &&
		"$program" report raw.account --vmlinux hidden.kallsyms -k objects >/dev/null 2>said && cat said &&
		grep -q 'all addresses are 0' said
}

# Bytes without a directory are said to be that.
without_directory() {
	"$program" report named.account --vmlinux vmlinux --by dir 2>said | grep 'without a directory .*(100.0%)' >/dev/null &&
		one_line 'files are shown by name, without directories (use -k DIR for directories)'
}

another_build() {
	"$program" report named.account --vmlinux mini/other/vmlinux --by caller >/dev/null 2>said
	strip -g --keep-file-symbols -o other mini/other/vmlinux
	"$program" report named.account --vmlinux other >/dev/null 2>said
	grep -q "does not match the input" said
}

# A vmlinux in a pipe is refused by what it is; symbols in a pipe are read. A device without an end is not read on.
unlike_files() {
	if "$program" static --vmlinux <(cat full) >said 2>&1; then return 1; fi
	grep -q 'cannot read: a pipe; copy it to a regular file$' said || { cat said; return 1; }
	"$program" report raw.account --vmlinux <(cat beside/System.map-mini) --by caller --format csv >got 2>said || return
	"$program" report raw.account --vmlinux beside/System.map-mini --by caller --format csv 2>said | cmp - got || return
	(ulimit -v 4000000 && timeout 60 "$program" report raw.account --vmlinux /dev/zero) >got 2>said || { cat said; return 1; }
	if [ ! -s got ] || ! grep -q '/dev/zero: cannot read: a device, not a file; reporting by caller only$' said; then
		cat said
		return 1
	fi
	(ulimit -v 4000000 && timeout 60 "$program" report raw.account --vmlinux <(cat /dev/zero)) >got 2>said || { cat said; return 1; }
	[ -s got ] && grep -q 'the data exceed 256 MiB; copy them to a regular file; reporting by caller only$' said
}

ktap_plan 18
ktap "names: files are those of readelf and addr2line" by_symbols named.account
ktap "addresses: files are those of readelf and addr2line" by_symbols raw.account
ktap "addresses have names: vmlinux" names --vmlinux vmlinux
ktap "addresses have names: System.map beside it" names --vmlinux beside/vmlinux-mini
ktap "addresses have names: System.map alone" names --vmlinux beside/System.map-mini
ktap "KASLR by symbols and code" slid --vmlinux vmlinux
ktap "KASLR by System.map and code" slid --vmlinux beside/vmlinux-mini
ktap "a tree of objects, and vmlinux: names" with_tree named.account --vmlinux vmlinux
ktap "a tree of objects, and System.map: addresses" with_tree raw.account --vmlinux beside/System.map-mini
ktap "addresses have names: a copy of kallsyms" kallsyms
ktap "a tree of objects, and kallsyms: addresses" with_tree raw.account --vmlinux kallsyms
ktap "neither symbols nor a System.map" no_symbols
ktap "no names of files" nameless
ktap "packed in parts" packed_in_parts
ktap "packed, without symbols" packed_bare
ktap "bytes without a directory are said" without_directory
ktap "another build" another_build
ktap "pipes and devices" unlike_files
ktap_end
