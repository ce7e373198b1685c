#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Parameters age=1 and errors=1 in a stock kernel: lifetimes, ages, frees on other
# CPUs and nodes, wrong frees, all known beforehand. The guest has two NUMA nodes.
#
#	ages.sh [CPUS [KERNEL]]		4 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of ages 4 "$@"
known=$(known_ko)

# allowed: the kernel's own word to the wrong frees that the test makes
guest "$cpus" "$here/ages.guest" "$out" --nodes 2 \
	--allow 'cache_from_obj|kmem_cache_free|warn_free' \
	--file "$(module_ko)" --file "$known" --file "${known%/*}/kma_aged.ko"
guest_results "$out/guest/ktap"
