#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Parameter latency=1 in a stock kernel that is short of memory: the number of waits is
# what ftrace's log of the same events has, and their time lies between what the shrinker
# and the allocations of kma_shrink took, by the same clock.
#
#	latency-module.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of latency-module 2 "$@"

GUEST_ARGS="--mem 160 --append tsc=reliable" guest "$cpus" "$here/latency-module.guest" "$out" \
	--file "$(module_ko)" --file "$(kmod_ko kma_shrink)"
guest_results "$out/guest/ktap"
