#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The modules compile for every kernel of kernel.sh without a word of the
# compiler, with W=1, and for no kernel outside the range. Of a kernel's two images
# it is the cloud one; they differ in drivers, and who runs the other one builds
# for it.
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
# shellcheck source=tests/kernel/lib.sh
. "$here/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

out=$(kernel_out build-all)
mapfile -t kernels < <(tests/qemu/kernel.sh kernels | grep -v -- -generic)

# silent PATH...: build for $kernel, from nothing
silent() {
	tests/qemu/kernel.sh dir headers "$kernel" >/dev/null || return
	W=1 scripts/module.sh build "stock:$kernel" "$out/$1" "${@:2}" \
		>/dev/null 2>"$out/words" || { cat "$out/words"; return 1; }
	cat "$out/words"
	test ! -s "$out/words"
}

# refused MAJOR MINOR: compat.h stops a build for that version, in a sentence
refused() {
	mkdir -p "$out/linux"
	cat >"$out/linux/version.h" <<-EOT
		#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))
		#define LINUX_VERSION_CODE KERNEL_VERSION($1, $2, 0)
	EOT
	! gcc -DCONFIG_64BIT -I"$out" -fsyntax-only module/compat/compat.h \
		2>"$out/words" || return 1
	cat "$out/words"
	grep -q 'built for Linux 5.10 to 7.x' "$out/words"
}

ktap_plan $((2 * ${#kernels[@]} + 2))
for kernel in "${kernels[@]}"; do
	ktap "the module compiles for $kernel" silent module Kbuild module
	ktap "the known-answer module compiles for $kernel" silent kmod tests/kmod
done
ktap "5.9 is refused" refused 5 9
ktap "8.0 is refused" refused 8 0
ktap_end
