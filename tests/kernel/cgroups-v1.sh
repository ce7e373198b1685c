#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The switch cgroup on machines without cgroup v2 alone: no cgroup filesystem, the memory
# controller in cgroup v1 with v2 beside it, v1 alone. And the switch node with four nodes.
#
#	cgroups-v1.sh [CPUS [KERNEL]]	4 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of cgroups-v1 4 "${1-}" "${2-}"
guest "$cpus" "$here/cgroups-v1.guest" "$out" --nodes 4 --mem 1024 --timeout 1800 \
	--file "$here/lib-groups.guest:/lib-groups.guest" --file "$(module_ko)" \
	--file "$(kmod_ko kma_groups)"
guest_results "$out/guest/ktap"
