#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kmem-account latency in a stock kernel that is short of memory: what it says of a
# shrinker whose time is known, and that it leaves tracing as it was.
#
#	latency.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of latency 2 "$@"

make -s -C host O="$(realpath -m "${O:-out}")" latency-static >&2
# latency_guest CPUS OUT WORD...: WORDs are for run.sh. tsc: without it the kernel's clock has
# 4 ms steps, as it does not believe the emulated one.
latency_guest() {
	GUEST_ARGS="--mem 160 --append tsc=reliable ${*:3}" guest "$1" "$here/latency.guest" "$2" \
		--file "$(kmod_ko kma_shrink)" \
		--file "$(realpath "${O:-out}")/host/kmem-account-latency:/latency"
}

# The one CPU of a guest whose time is instructions is never stopped between two clocks;
# more than one does not boot with it.
latency_guest 1 "$out/exact" --icount --append kma.exact
latency_guest "$cpus" "$out"
guest_results "$out"/{exact/,}guest/ktap
