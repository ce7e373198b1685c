#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel with patch 2, built in: the log of events comes from the hooks. The test of a
# stock kernel's log (tests/kernel/log.sh), but for what is loaded and unloaded.
#
#	log.sh KERNEL [CPUS]	folder with boot/vmlinuz-* and kmod/; 2 CPUs
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
image=$(cd "$1" && pwd)
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
kernel_image=$image
out=$(kernel_out "log-$(basename "$image")")
kmod=$(echo "$image"/kmod/*/kmod)

files=(--file "$kmod/kma_known.ko")
# for x86-64 alone
[ ! -e "$kmod/kma_nmi.ko" ] || files+=(--file "$kmod/kma_nmi.ko")
# tsc=reliable: else QEMU's CPUs are up to some milliseconds apart in local_clock(), and what
# one frees that another has allocated comes first
guest "${2:-2}" "$here/log.guest" "$out" --append 'tsc=reliable kmem_account.max_memory=50%' \
	"${files[@]}"
"$here/log.py" "$out/guest" >"$out/ktap" || true
guest_results "$out/guest/ktap" "$out/ktap"
