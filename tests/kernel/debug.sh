#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module in a kernel with every check on: KASAN, UBSAN, lockdep, PROVE_RCU,
# DEBUG_ATOMIC_SLEEP, DEBUG_PREEMPT, DEBUG_OBJECTS, kmemleak; any report panics.
#
#	debug.sh KDIR [CPUS [ROUNDS]]		2 CPUs, 3 rounds
#
# KDIR is the build folder of a kernel that was made with tests/kernel/debug.config
# (debug.config says how). KTAP on stdout; what is made goes below O. Not part of
# make check: the kernel takes a quarter of an hour to build.
#
# ACPI is off: under TCG, with all of this, its interpreter runs into its own
# time-outs and leaves the disk without an interrupt.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
kdir=$(cd "${1:?the build folder of a debug kernel}" && pwd)
cpus=${2:-2}
rounds=${3:-3}
cd "$here/../.."
# shellcheck source=tests/kernel/lib.sh
. "$here/lib.sh"

# What run.sh boots: a folder as a kernel's package has it.
make_image() {
	local release modules

	release=$(scripts/module.sh release "$kdir")
	modules=$1/lib/modules/$release
	mkdir -p "$1/boot" "$modules"
	cp "$kdir/arch/x86/boot/bzImage" "$1/boot/vmlinuz-$release"
	cp "$kdir"/modules.{builtin,builtin.modinfo,order} "$modules/"
	PATH=$PATH:/sbin:/usr/sbin depmod -b "$1" "$release"
}

out=$(kernel_out "debug-$cpus")
echo "$rounds" >"$out/rounds"
make_image "$out/image"
module=$(scripts/module.sh build "$kdir" "$out/module" Kbuild module)
known=$(scripts/module.sh build "$kdir" "$out/kmod" tests/kmod)
if ! tests/qemu/run.sh --script "$here/debug.guest" --kernel "$out/image" \
	--smp "$cpus" --mem 2048 --timeout $((300 + 60 * rounds)) \
	--append 'panic_on_warn=1 kmemleak=on acpi=off' --out "$out/guest" \
	--file "$module/module/kmem_account.ko" --file "$known/kma_known.ko" \
	--file "$out/rounds:/rounds" >&2; then
	printf 'KTAP version 1\n1..1\nnot ok 1 the guest ran\n'
	exit 1
fi
cat "$out/guest/ktap"
! grep -q '^not ok' "$out/guest/ktap"
