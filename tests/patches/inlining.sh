#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# CONFIG_DISABLE_GCC_AUTOMATIC_INLINING: a kernel with it builds and boots, its account is
# right, and names a helper that is a part of its caller without it.
#
#	inlining.sh VERSION [CPUS]	6.1; 2 CPUs; LLVM=1 for clang and LLVM's tools
#
# The known answers are those of kernel.sh; then two kernels, built without the option and
# with it, boot with kmem_account=on, and inlining.py compares their accounts with the
# functions that each of them has. KTAP on stdout.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."

version=${1:?a version, such as 6.1}
cpus=${2:-2}
base=$(mkdir -p "${O:-out}" && cd "${O:-out}" && pwd)
out=$base/patches/inlining-$version-${LLVM:+llvm-}${CC:-cc}
rm -rf "$out"
mkdir -p "$out"

status=0
O=$out tests/patches/kernel.sh "$version" "$cpus" i || status=1
scripts/patches.sh kernel "$version" y "$out/kernel/patches-$version/y" >&2 || exit 1
for variant in y i; do
	tests/qemu/run.sh --script "$here/inlining.guest" --smp "$cpus" --mem 512 --timeout 1800 \
		--kernel "$out/kernel/patches-$version/$variant" --out "$out/$variant" \
		--append kmem_account=on >&2 && continue
	printf 'KTAP version 1\n1..1\nnot ok 1 the guest of variant %s booted\n' "$variant"
	exit 1
done
"$here/inlining.py" "$out/y" "$out/i" || status=1
exit "$status"
