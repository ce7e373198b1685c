#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# /proc/allocinfo and the RFC in kernels of one configuration (stages.sh): the instructions of a pair
# of allocation and free, how many functions have the same in both, and the hooks of the first patch
# that extends /proc/allocinfo.
#
#	allocinfo-kernel.sh [VERSION [CPUS]]	7.2; 2 CPUs to compare the functions
#
# The instructions are those of QEMU's -icount with one CPU. KTAP on stdout, with the table as
# comments; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"

version=${1:-7.2}
cpus=${2:-2}
out=$(kernel_out "allocinfo-kernel-$version-$cpus")
kernels=$(tests/patches/stages.sh allocinfo "$version")

kernel_image=$kernels/rfc
guest "$cpus" tests/patches/allocinfo.guest "$out/both" \
	--append 'kmem_account=on sysctl.vm.mem_profiling=1'

# measure KERNEL RECORDER
measure() {
	kernel_image=$kernels/$1
	echo "$2" >"$out/$1.recorders"
	guest 1 tests/bench/bench.guest "$out/$1" --icount --mem 512 \
		--file "$out/$1.recorders:/recorders" --file "$kernels/$1/kma_bench.ko" \
		--append 'mitigations=off sysctl.vm.mem_profiling=0'
	mkdir -p "$out/boots"
	ln -s "$out/$1/guest" "$out/boots/$1"
}

measure stock allocinfo
measure rfc built_in
tests/patches/allocinfo-kernel.py "$out/both/guest" "$kernels" "$out/boots"
