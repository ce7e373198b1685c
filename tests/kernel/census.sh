#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Objects that the module does not list, in a stock kernel: kmem-account scan, lost and why without the
# module, and with objects that are older than it. What is found is compared with /proc/slabinfo
# (tests/kernel/lost-vmcore.sh compares it with drgn), and with what kma_planted has lost.
#
#	census.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of census 2 "${1-}" "${2-}"
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
files=(--file "$program:/kmem-account" --file "$(module_ko)" --file "$(kmod_ko kma_planted)")
libraries_of "$program"
guest "$cpus" "$here/census.guest" "$out" "${files[@]}"

cases=(slabs both quiet lost older why)
ktap_plan "${#cases[@]}"
for case in "${cases[@]}"; do
	ktap "$case" python3 "$here/census.py" "$out/guest" "$case"
done
ktap_end
