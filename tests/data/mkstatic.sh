#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Make a small kernel, built and linked as kbuild does it, with what is hard to measure.
#
#	mkstatic.sh DIR [TARGET [O]]	TARGET: x86_64 (default), aarch64, arm, s390x; DEBUG=-g: with
#					debugging information
#
#	DIR/tree	objects, .cmd files, thin archives, linker script, vmlinux, vmlinux.map
#	DIR/source	with O: the sources, which are named by absolute paths then
#
# Hard: static functions of one name, aliases, weak and common symbols, symbols without a
# size, thread-local data, -ffunction-sections, strings that end others, in the order of
# the link, discarded sections, an archive of which a part is linked, an object made by
# objcopy, one by ld -r, a module of two objects, host programs, data that the linker
# script makes, a section that no rule names.
set -euo pipefail

[ $# -ge 1 ] || { echo "usage: mkstatic.sh DIR [TARGET [O]]" >&2; exit 2; }
mkdir -p "$1"
top=$(cd "$1" && pwd)
target=${2:-x86_64}
source=.
# shellcheck disable=SC2206 # words
flags=(-O1 ${DEBUG:--g0} -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables
	-fno-unwind-tables -fcommon -fno-pic -fno-pie -fno-builtin)
case $target in
x86_64)		cc=(gcc) prefix='' flags+=(-mcmodel=kernel -fcf-protection=none) ;;
aarch64)	cc=(clang --target=aarch64-linux-gnu) prefix=aarch64-linux-gnu- ;;
arm)		cc=(clang --target=arm-linux-gnueabihf) prefix=arm-linux-gnueabihf- ;;
s390x)		cc=(clang --target=s390x-linux-gnu) prefix=s390x-linux-gnu- ;;
*)		echo "mkstatic.sh: no target $target" >&2; exit 2 ;;
esac
ld=${prefix}ld objcopy=${prefix}objcopy

rm -rf "$top/tree" "$top/source"
mkdir -p "$top"/tree/{init,fs/sub,lib,drivers/mod,scripts,tools,arch/x/kernel,arch/x/vdso}
cd "$top/tree"
if [ -n "${3-}" ]; then
	source=$top/source
	mkdir -p "$source"
	cp -r . "$source/"
fi

mkdir -p "$source/init"
cat >"$source/init/main.c" <<'END'
int common_small, common_large[100];
static char unused_zero[0];
__thread int thread_data = 3, thread_zero;
int table[8] = { 1, 2, 3 };
const char *const names[] = { "ext4fs", "fs", "a longer string that is here alone" };
int initialised __attribute__((section(".init.data"))) = 7;
int __attribute__((weak)) over(void) { return 1; }
static int __attribute__((noinline)) twin(int x) { return x * 3 + table[x & 7]; }
int real(int x) { return twin(x) + 1; }
int other_name(int x) __attribute__((alias("real")));
int used(void), assembled(void), copied(void), first_part(void), second_part(void);
void __attribute__((section(".init.text"))) start(void)
{
	common_small = real(over()) + used() + assembled() + copied() + first_part();
	common_large[0] = second_part() + unused_zero[0] + initialised;
}
END
cat >"$source/fs/sub/file.c" <<'END'
extern int table[];
const char *sub_name(int i) { return i ? "fs" : "the ext4fs"; }
static int __attribute__((noinline)) twin(int x) { return x * 5 + table[x & 3]; }
int sub_use(int x) { return twin(x) - 2; }
int over(void) { return 2; }
void __attribute__((section(".exit.text"))) leave(void) { table[0] = 4; }
static void *addressable __attribute__((section(".discard.addressable"), used)) = leave;
int orphan __attribute__((section(".orphan"))) = 5;
double sub_constant(double x) { return x * 3.25 + 1.75; }
END
cat >"$source/fs/super.c" <<'END'
int zero[1000];
char odd = 3;
long aligned __attribute__((aligned(64))) = 4;
const char *super_name(void) { return "super of the ext4fs"; }
int super_a(int x) { return zero[x]; }
int super_b(int x) { return zero[x + 1] + odd; }
long super_c(void) { return aligned; }
END
cat >"$source/lib/asm.S" <<'END'
	.text
	.globl assembled
assembled:
	.long 1, 2, 3
label_without_size:
	.long 4
	.globl sized
	.type sized, %function
sized:
	.long 5, 6
	.size sized, 8
	.section .rodata
	.byte 1, 2, 3
named_rodata:
	.long 8
	.data
	.type before_padding, %object
	.size before_padding, 1
before_padding:
	.byte 1
	.balign 4
	.type after_padding, %object
	.size after_padding, 4
after_padding:
	.long 2
	.section .note.GNU-stack,"",%progbits
END
echo 'int used(void) { return 9; } const char *lib_string(void) { return "fs"; }' >"$source/lib/used.c"
echo 'int unused(void) { return 8; } int unused_data = 3;' >"$source/lib/unused.c"
echo 'int copied(void) { return 7; }' >"$source/lib/copy.c"
echo 'int first_part(void) { return 6; }' >"$source/drivers/part1.c"
echo 'int second_part(void) { return 5; } int second_zero[10];' >"$source/drivers/part2.c"
echo 'int mod_a(void) { return 4; } int __attribute__((section(".exit.text"))) mod_exit(void) { return 1; }' \
	>"$source/drivers/mod/mod_a.c"
echo 'int mod_b(void) { return 3; }' >"$source/drivers/mod/mod_b.c"
echo 'int host(void) { return 2; }' >"$source/drivers/host.c"
echo 'int tool(void) { return 2; }' >"$source/tools/tool.c"
echo 'int vdso(void) { return 1; }' >"$source/arch/x/vdso/vdso.c"

# compile OBJECT SOURCE [FLAGS...]
compile() {
	local object=$1 from=$source/$2 dir base
	shift 2

	from=${from#./}
	dir=$(dirname "$object") base=$(basename "$object")
	"${cc[@]}" "${flags[@]}" "$@" -c -o "$object" "$from"
	printf 'cmd_%s := cc -c -o %s %s\n\nsource_%s := %s\n\ndeps_%s := \\\n  include/a.h\n' \
		"$object" "$object" "$from" "$object" "$from" "$object" >"$dir/.$base.cmd"
}

# cmd OUTPUT COMMAND: what kbuild keeps of what is no source
cmd() {
	printf 'cmd_%s := %s\n' "$1" "$2" >"$(dirname "$1")/.$(basename "$1").cmd"
}

# thin DIR MEMBER...: its built-in.a
thin() {
	local dir=$1
	shift

	rm -f "$dir/built-in.a"
	(for m; do echo "$dir/$m"; done) | xargs ar cDPrST "$dir/built-in.a"
	cmd "$dir/built-in.a" "rm -f $dir/built-in.a;  printf \"$dir/%s \" $* | xargs ar cDPrST $dir/built-in.a"
}

compile init/main.o init/main.c
compile fs/sub/file.o fs/sub/file.c -ffunction-sections -fdata-sections
compile fs/super.o fs/super.c
compile lib/asm.o lib/asm.S
compile lib/used.o lib/used.c
compile lib/unused.o lib/unused.c
compile lib/copy.o lib/copy.c
compile drivers/part1.o drivers/part1.c
compile drivers/part2.o drivers/part2.c
compile drivers/mod/mod_a.o drivers/mod/mod_a.c
compile drivers/mod/mod_b.o drivers/mod/mod_b.c
compile drivers/host.o drivers/host.c
compile tools/tool.o tools/tool.c
compile arch/x/vdso/vdso.o arch/x/vdso/vdso.c
"$objcopy" --rename-section .copied=.text lib/copy.o lib/copy.pi.o
cmd lib/copy.pi.o "objcopy --rename-section .copied=.text lib/copy.o lib/copy.pi.o"
"$ld" -r -o drivers/both.o drivers/part1.o drivers/part2.o
cmd drivers/both.o "ld -r -o drivers/both.o drivers/part1.o drivers/part2.o"
"$ld" -r -o drivers/mod/mod.o drivers/mod/mod_a.o drivers/mod/mod_b.o
cmd drivers/mod/mod.o "ld -r -o drivers/mod/mod.o @drivers/mod/mod.mod"
printf '%s\n' drivers/mod/mod_a.o drivers/mod/mod_b.o >drivers/mod/mod.mod

thin init main.o
thin fs/sub file.o
thin fs super.o sub/built-in.a
thin drivers both.o
thin lib asm.o copy.pi.o
rm -f lib/lib.a vmlinux.a
ar cDPrsT lib/lib.a lib/used.o lib/unused.o
cmd lib/lib.a "rm -f lib/lib.a; ar cDPrsT lib/lib.a lib/used.o lib/unused.o"
thin . fs/built-in.a init/built-in.a lib/built-in.a drivers/built-in.a
ar cDPrST vmlinux.a built-in.a
cmd vmlinux.a "rm -f vmlinux.a; ar cDPrST vmlinux.a ./built-in.a"

cat >arch/x/kernel/vmlinux.lds <<'END'
/* what the kernel's scripts have, in little: *(.text) */
ENTRY(start)
PHDRS { text PT_LOAD FLAGS(7); data PT_LOAD FLAGS(7); }
SECTIONS
{
 . = 0x100000;
 .text : AT(ADDR(.text) - 0x1000) { _text = .; *(.text.hot .text.hot.*) *(.text .text.[0-9a-zA-Z_]*) . = ALIGN(8);
  KEEP(*(.noinstr.text)) *(SORT(.text..*)) } :text =0xcccc
 . = ALIGN(64);
 .rodata : AT(ADDR(.rodata) - 0x1000) { *(.rodata) *(.rodata.*) kallsyms_names = .; . += 300; kallsyms_markers = .; . += 20;
  kallsyms_end = .; } :text
 .data : { . = ALIGN(256); __start_init_task = .; . = . + 512; __end_init_task = .; *(EXCLUDE_FILE(*nothing.o) .data .data.*)
  *(.data.rel*) BYTE(1) LONG(2) } :data
 .tdata : { *(.tdata .tdata.*) } .tbss : { *(.tbss .tbss.*) }
 ASSERT(1, "fine")
 . = ALIGN(64); __init_begin = .;
 .init.text : { *(.init.text) } .init.data : { *(.init.data) KEEP(*(SORT(.init.array.*))) }
 .tables : { *(.toc .toc.* .got .got.*) }
 . = ALIGN(64); __init_end = .;
 .made : { LONG(1) LONG(2) }
 .bss (NOLOAD) : { *(.bss .bss.*) *(COMMON) }
 .brk (NOLOAD) : { __brk_base = .; . += 100; __brk_limit = .; }
 /DISCARD/ : { *(.exit.text) *(.discard.*) *(.comment) *(.ARM.*) *(.eh_frame) *(.note.*) }
}
END
cmd vmlinux.o "$ld -r -o vmlinux.o  --whole-archive vmlinux.a --no-whole-archive --start-group lib/lib.a --end-group"
"$ld" -r -o vmlinux.o --whole-archive vmlinux.a --no-whole-archive --start-group lib/lib.a --end-group
"$ld" -T arch/x/kernel/vmlinux.lds -Map=vmlinux.map -o vmlinux --whole-archive vmlinux.a --no-whole-archive \
	--start-group lib/lib.a --end-group 2>ld.log || { cat ld.log >&2; exit 1; }
# the linker's version as scripts/ld-version.sh has it: 2.40 is 24000
mkdir -p include/config
"$ld" --version | sed -nE '1s/.* ([0-9]+)\.([0-9]+)([.-].*)?$/\1 \2/p' |
	awk '{ printf "CONFIG_LD_IS_BFD=y\nCONFIG_LD_VERSION=%d\n", $1 * 10000 + $2 * 100 }' >include/config/auto.conf
