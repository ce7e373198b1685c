#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the tests in stock kernels share; sourced at the top of the tree, never
# run. A test is a driver (NAME.sh), the script that runs in the guest
# (NAME.guest) and a comparison with something that is not ours.

# kernel_out NAME: an empty folder for what a test makes.
kernel_out() {
	local dir=${O:-$PWD/out}/kernel/$1

	rm -rf "$dir"
	mkdir -p "$dir"
	(cd "$dir" && pwd)
}

# The kernel to run in, of those that kernel.sh knows; empty is the stock one.
kernel=

# The modules, built for $kernel.
module_ko() {
	echo "$(scripts/module.sh build "stock:$kernel" "${O:-out}/module" Kbuild module)/module/kmem_account.ko"
}

known_ko() {
	echo "$(scripts/module.sh build "stock:$kernel" "${O:-out}/kmod" tests/kmod)/kma_known.ko"
}

# guest CPUS SCRIPT OUT ARGUMENT...: boot $kernel and run the script.
# Its files are in OUT/guest. A guest that fails is the test's only result.
guest() {
	local cpus=$1 script=$2 out=$3 image
	shift 3

	image=$(tests/qemu/kernel.sh dir image ${kernel:+"$kernel"})
	tests/qemu/run.sh --script "$script" --kernel "$image" --smp "$cpus" --mem 1024 \
		--out "$out/guest" --timeout 240 "$@" >&2 && return
	printf 'KTAP version 1\n1..1\nnot ok 1 the guest ran %s on %s CPUs of %s\n' \
		"$(basename "$script")" "$cpus" "${image##*/}"
	exit 1
}
