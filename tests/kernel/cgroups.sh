#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The switches cgroup and node: known objects of three containers, of interrupts, of kernel
# threads and of two nodes; containers that are killed and removed; many cgroups one after the
# other; and the sums over cgroups and nodes, which are the account.
#
#	cgroups.sh [CPUS [KERNEL [CGROUPS]]]	4 CPUs, the stock kernel, 500 cgroups
#
# With the stock kernel the guest has 256 MB, so that the memory for the text of a snapshot is large beside the
# account, and a sum that has it is seen to be wrong. Other kernels need more memory.
#
# The host program then shows the snapshots by group. With the stock kernel it also draws directories
# below the cgroups, by the kernel's debug information.
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of cgroups 4 "${1-}" "${2-}"
mem=256
[ -z "$kernel" ] || mem=1024
echo "${3:-500}" >"$out/cgroups"
guest "$cpus" "$here/cgroups.guest" "$out" --nodes 2 --mem "$mem" --timeout $((3600 + ${3:-500})) \
	--file "$here/lib-groups.guest:/lib-groups.guest" --file "$(module_ko)" --file "$(kmod_ko kma_groups)" --file "$out/cgroups:/cgroups"
vmlinux=
[ -n "$kernel" ] || vmlinux=$(debug_vmlinux)
guest_results "$out/guest/ktap"
# there is no snapshot of nodes for the host program
if grep -q '# SKIP this kernel has one node' "$out/guest/ktap"; then
	exit 0
fi
tests/host/groups.sh "$out/guest" ${vmlinux:+"$vmlinux"}
