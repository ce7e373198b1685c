#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The patches that extend /proc/allocinfo, in kernels of one configuration (stages.sh): the answers
# known beforehand, and the instructions of a pair of allocation and free, beside the stock
# /proc/allocinfo and the RFC. And how many functions have the same in the RFC's account and in
# /proc/allocinfo.
#
#	allocinfo-kernel.sh [VERSION [CPUS]]	7.2; 2 CPUs for the known answers
#
# The instructions are those of QEMU's -icount with one CPU. KTAP on stdout, with the table as
# comments; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/patches/both.sh
. "$(dirname "$0")/both.sh"

both_of allocinfo-kernel 7.2 "$@"
kernels=$(tests/patches/stages.sh allocinfo "$version")

kernel_image=$kernels/waste
guest "$cpus" tests/patches/allocinfo-kernel.guest "$out/known" \
	--file "$kernels/waste/kma_known.ko" --append sysctl.vm.mem_profiling=1

both_read "$kernels/rfc" "$out/both"

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
measure waste allocinfo
measure rfc built_in
tests/patches/allocinfo-kernel.py tests/kmod/known-answers-allocinfo.txt "$out/known/guest" \
	"$out/both/guest" "$kernels" "$out/boots"
