#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Make a miniature kernel tree, built, as the host program wants to find it.
#
#	mktree.sh DIR
#
#	DIR/tree	what kbuild leaves: sources, *.o with .*.o.cmd, foo_mod.ko and its
#			.mod, vmlinux, System.map
#	DIR/debug	as Debian's debug package: boot/vmlinux-REL and lib/modules/REL
#	DIR/plain	vmlinux without debugging information
#	DIR/other	vmlinux of another build: same names, other sizes
#
# The sources hold what is hard to tell apart: static functions of one name and
# different size (helper), of one name and one size (twin) in two directories, an
# assembler file, a module whose object is linked from two, an object that is part
# of nothing.
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: mktree.sh DIR" >&2; exit 2; }
mkdir -p "$1"
top=$(cd "$1" && pwd)
release=6.1.0-mini
cc=${CC:-gcc}
cflags=(-g -O0 -fno-pie -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables
	-fcf-protection=none)
echo 'int x;' | "$cc" "${cflags[@]}" -x c -c -o /dev/null - 2>/dev/null ||
	cflags=("${cflags[@]/-fcf-protection=none/}")

rm -rf "$top/tree" "$top/debug" "$top/plain" "$top/other"
mkdir -p "$top"/tree/{fs/alpha,fs/beta,mm,drivers/foo,lib,scripts,include/config}
cd "$top/tree"

# function NAME STATEMENTS...: the more statements, the larger.
function_of() {
	local linkage=$1 name=$2 n=$3 i

	printf '%s int __attribute__((noinline)) %s(int x)\n{\n' "$linkage" "$name"
	for ((i = 0; i < n; i++)); do
		printf '\tx += x * %d + 7;\n' $((i + 3))
	done
	printf '\treturn x;\n}\n'
}

# source PATH NAME: the functions of one file; NAME makes its global ones unique.
source_of() {
	local path=$1 name=$2 helper=$3

	{
		echo "int ${name}_alloc(int x);"
		function_of static helper "$helper"
		function_of static twin 9
		function_of "" "${name}_other" 5
		printf 'int %s_alloc(int x)\n{\n\treturn helper(x) + twin(x) + %s_other(x);\n}\n' \
			"$name" "$name"
	} >"$path"
}

source_of fs/alpha/inode.c alpha_inode 40
source_of fs/beta/inode.c beta_inode 12
source_of fs/super.c super 6
source_of mm/slab.c slab 25
source_of drivers/foo/core.c foo_core 30
source_of drivers/foo/foo_main.c foo_main 18
source_of drivers/foo/foo_aux.c foo_aux 3
source_of scripts/tool.c tool 3
cat >lib/asm.S <<EOF
	.text
	.globl asm_alloc
	.type asm_alloc, @function
asm_alloc:
	.rept 64
	nop
	.endr
	.size asm_alloc, 64
	.section .note.GNU-stack,"",@progbits
EOF
cat >init.c <<EOF
int alpha_inode_alloc(int), beta_inode_alloc(int), super_alloc(int), slab_alloc(int);
int foo_core_alloc(int);
extern char _etext[]; /* makes the linker define it, as the kernel does */
char *text_end(void) { return _etext; }
int _start(void) { return alpha_inode_alloc(1) + beta_inode_alloc(1) + super_alloc(1) +
	slab_alloc(1) + foo_core_alloc(1); }
EOF

# What kbuild writes beside an object; the list of headers is long in a real one.
cmd_of() {
	local object=$1 source=$2 dir base

	dir=$(dirname "$object") base=$(basename "$object")
	printf 'cmd_%s := %s -c -o %s %s\n\nsource_%s := %s\n\ndeps_%s := \\\n  include/linux/kconfig.h\n' \
		"$object" "$cc" "$object" "$source" "$object" "$source" "$object" >"$dir/.$base.cmd"
}

compile() {
	local source=$1 named=${2:-$1} object=${1%.*}.o

	"$cc" "${cflags[@]}" -c -o "$object" "$named"
	cmd_of "$object" "$named"
}

built_in=(init.c fs/alpha/inode.c fs/beta/inode.c fs/super.c mm/slab.c drivers/foo/core.c)
for source in "${built_in[@]}" drivers/foo/foo_main.c drivers/foo/foo_aux.c scripts/tool.c; do
	compile "$source"
done
# kbuild names assembler files by their absolute path in some set-ups
compile lib/asm.S "$PWD/lib/asm.S"

# a module of two objects; the one linked from them has no source line
ld -r -o drivers/foo/foo_mod.o drivers/foo/foo_main.o drivers/foo/foo_aux.o
echo "cmd_drivers/foo/foo_mod.o := ld -r" >drivers/foo/.foo_mod.o.cmd
cp drivers/foo/foo_mod.o drivers/foo/foo-mod.ko
printf '%s\n' drivers/foo/foo_main.o drivers/foo/foo_aux.o >drivers/foo/foo-mod.mod

objects=("${built_in[@]/%.c/.o}" lib/asm.o)
ld -Ttext=0x1000000 -o vmlinux "${objects[@]}"
cp vmlinux vmlinux.o
echo "cmd_vmlinux.o := ld -r" >.vmlinux.o.cmd
nm -n vmlinux >System.map
echo "$release" >include/config/kernel.release

mkdir -p "$top/debug/boot" "$top/debug/lib/modules/$release/kernel/drivers/foo" "$top/plain" \
	"$top/other"
cp vmlinux "$top/debug/boot/vmlinux-$release"
cp drivers/foo/foo-mod.ko "$top/debug/lib/modules/$release/kernel/drivers/foo/"
strip -g -o "$top/plain/vmlinux" vmlinux

# another build: the same sources with other options
for object in "${objects[@]}"; do
	source=${object%.o}.c
	[ -f "$source" ] || source=${object%.o}.S
	"$cc" "${cflags[@]}" -O2 -c -o "$top/other/$(echo "$object" | tr / _)" "$source"
done
ld -Ttext=0x1000000 -o "$top/other/vmlinux" "$top"/other/*.o
