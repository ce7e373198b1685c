#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The modules compile for every kernel of kernel.sh without a word of the
# compiler, with W=1, and for no kernel outside the range. Of a kernel's two images
# it is the cloud one; they differ in drivers, and who runs the other one builds
# for it. These are the modules that the other tests load: where they are built, it is
# known what was said of them (module.sh words). If there was a word, they are built from
# nothing, in a folder of our own: it may be of a line that is not there any more.
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

out=${O:-$PWD/out}/build-all
mkdir -p "$out"
out=$(cd "$out" && pwd)
mapfile -t kernels < <(tests/qemu/kernel.sh kernels | grep -v -- -generic)

# reason KERNEL: print why a kernel cannot be had here. Fails if it can.
reason() {
	local status=0

	tests/qemu/kernel.sh have "$1:headers" >"$out/words" 2>&1 || status=$?
	[ "$status" -eq 69 ] && tail -n 1 "$out/words"
}

# silent NAME PATH...: build for $kernel
silent() {
	local dir=$out/$kernel/$1 words

	tests/qemu/kernel.sh dir headers "$kernel" >/dev/null || return
	scripts/module.sh build "stock:$kernel" "${O:-out}/$1" "${@:2}" >/dev/null || return
	words=$(scripts/module.sh words "stock:$kernel" "${O:-out}/$1")
	[ -s "$words" ] || { test -e "$words"; return; }
	rm -rf "$dir"
	scripts/module.sh build "stock:$kernel" "$dir" "${@:2}" >/dev/null 2>"$out/words" ||
		{ cat "$out/words"; return 1; }
	cat "$out/words"
	test ! -s "$out/words" && : >"$words"
}

# refused MAJOR MINOR: range.h stops a build for that version, in a sentence
refused() {
	mkdir -p "$out/linux"
	: >"$out/linux/kconfig.h"
	cat >"$out/linux/version.h" <<-EOT
		#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))
		#define LINUX_VERSION_CODE KERNEL_VERSION($1, $2, 0)
	EOT
	! gcc -I"$out" -fsyntax-only module/compat/range.h \
		2>"$out/words" || return 1
	cat "$out/words"
	grep -q 'built for Linux 5.10 to 7.x' "$out/words"
}

# has WORD: the module that is in `place` of the small one below says so
has() { grep -q "kma_says=$1\$" < <(strings "$place/kma_small.ko"); }

# small PLACE WORD: a module of one line, built in a place
small() {
	mkdir -p "$out/small"
	echo 'obj-m := kma_small.o' >"$out/small/Kbuild"
	cat >"$out/small/kma_small.c" <<-EOT
		#include <linux/module.h>
		MODULE_LICENSE("GPL");
		MODULE_DESCRIPTION("A module of one line");
		MODULE_INFO(kma_says, "$2");
	EOT
	rm -rf "${out:?}/$1"
	place=$(scripts/module.sh build stock: "$out/$1" "$out/small") && has "$2"
}

# The cache gives what was built, and that alone: objects are there after a compiler.
kept() {
	small first "$$.a" && ls "$place"/*.o && small second "$$.b" && ls "$place"/*.o &&
		small third "$$.a" && ! ls "$place"/*.o 2>&1
}

ktap_plan $((2 * ${#kernels[@]} + 3))
ktap "what was built is in the cache, for the same sources" kept
for kernel in "${kernels[@]}"; do
	if why=$(reason "$kernel"); then
		ktap_skip "the module compiles for $kernel" "$why"
		ktap_skip "the known-answer module compiles for $kernel" "$why"
		continue
	fi
	ktap "the module compiles for $kernel" silent module Kbuild module
	ktap "the known-answer module compiles for $kernel" silent kmod tests/kmod
done
ktap "5.9 is refused" refused 5 9
ktap "8.0 is refused" refused 8 0
ktap_end
