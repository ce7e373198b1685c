#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What each caller patch does to the account: a kernel without them, and one for each patch more
# (stages.sh), which do the same work from boot on.
#
#	callers-kernel.sh [VERSION [KIND]]	7.2; callers, or options: a kind of stages.sh
#
# One CPU under QEMU's -icount, so that two boots do the same. KTAP on stdout, with the numbers as
# comments; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"

version=${1:-7.2}
kind=${2:-callers}
out=$(kernel_out "callers-kernel-$version-$kind")
kernels=$(tests/patches/stages.sh "$kind" "$version")
mapfile -t names < <(cd "$kernels" && printf '%s\n' *)

# boot KERNEL NAME
boot() {
	kernel_image=$kernels/$1
	guest 1 tests/patches/callers-kernel.guest "$out/$2" --icount \
		--file "$kernels/$1/kma_known.ko" --append kmem_account=on
}

for name in "${names[@]}"; do
	boot "$name" "$name"
done
boot "${names[0]}" "${names[0]}.again"
boot "${names[-1]}" "${names[-1]}.again"
tests/patches/callers-kernel.py "$kernels" "$out"
