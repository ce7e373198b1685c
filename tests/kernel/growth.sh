#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Growth and back, again and again, with readers, switches and CPU hotplug: the module's memory
# returns, nothing drifts, and the account is that of slabinfo.
#
#	growth.sh [ROUNDS [OBJECTS [CPUS [KERNEL]]]]	2 rounds of 300,000 objects, 2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

rounds=${1:-2} objects=${2:-300000}
guest_of growth 2 "${3-}" "${4-}"
hold=$(scripts/module.sh build "stock:$kernel" "${O:-out}/kmod" tests/bench)/kma_hold.ko
echo "$rounds" >"$out/rounds"
echo "$objects" >"$out/objects"
# 16 bytes an object, and at most a thirty-second of the memory for 12 bytes each
memory=$((objects * 12 * 32 / 1000000 + 512))
guest "$cpus" "$here/growth.guest" "$out" --mem "$memory" --timeout 36000 \
	--file "$here/lib-slabs.guest:/lib-slabs.guest" --file "$(module_ko)" --file "$hold" \
	--file "$out/rounds:/rounds" --file "$out/objects:/objects"

# the results of both, with numbers of their own
moments=()
for ((round = 1; round <= rounds; round++)); do moments+=("round-$round"); done
"$here/budget.py" "$out/guest" "${moments[@]}" >"$out/budget" || true
merged_results "$out/guest/ktap" "$out/budget"
