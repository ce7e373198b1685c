#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel that has both: does the account agree with /proc/allocinfo, site by site?
#
#	allocinfo.sh [BASE [CPUS]]	6.12; 2 CPUs
#
# The kernel is counted.sh's. KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"

base=${1:-6.12}
cpus=${2:-2}
out=$(kernel_out "allocinfo-$base-$cpus")
built=$(tests/patches/counted.sh kernel "$base")
tests/patches/counted.sh image "$built" "$out/kernel"
kernel_image=$out/kernel
guest "$cpus" tests/patches/allocinfo.guest "$out" \
	--append 'kmem_account=on sysctl.vm.mem_profiling=1'
tests/patches/allocinfo.py "$out/guest" "$built"
