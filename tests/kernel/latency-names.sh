#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account latency in a kernel that names its shrinkers (CONFIG_SHRINKER_DEBUG, which stock
# kernels are built without): which superblock a run was of.
#
#	latency-names.sh [CPUS [KERNEL]]	2 CPUs, 6.12-shrinkers
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of latency-names 2 "${1-}" "${2:-6.12-shrinkers}"

mkdir -p "${O:-out}"
flock "${O:-out}/host.lock" make -s -C host O="$(realpath -m "${O:-out}")" latency-static >&2
GUEST_ARGS="--mem 256 --append tsc=reliable" guest "$cpus" "$here/latency-names.guest" "$out" \
	--file "$(kmod_ko kma_twins)" --file "$(realpath "${O:-out}")/host/kmem-account-latency:/latency"
guest_results "$out/guest/ktap"
