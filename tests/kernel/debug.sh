#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module in a kernel with every check on: KASAN, UBSAN, lockdep, PROVE_RCU,
# DEBUG_ATOMIC_SLEEP, DEBUG_PREEMPT, DEBUG_OBJECTS, kmemleak; any report ends it.
#
#	debug.sh [CPUS [ROUNDS [KERNEL]]]	4 CPUs, 6 rounds, 6.1-debug
#
# KTAP on stdout; what is made goes below O. The kernel is built when it is not
# there yet (tests/qemu/build.sh). In a stock kernel, nothing is looked for but
# wrong results and what it reports by itself.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
# shellcheck source=tests/kernel/lib.sh
. "$here/lib.sh"

cpus=${1:-4}
rounds=${2:-6}
kernel=${3-6.1-debug}
out=$(kernel_out "debug-$cpus-$kernel")

echo "$rounds" >"$out/rounds"
echo "$cpus" >"$out/cpus"
hold=$(scripts/module.sh build "stock:$kernel" "${O:-out}/hold" tests/bench)/kma_hold.ko
guest "$cpus" "$here/debug.guest" "$out" --timeout $((1800 + 60 * rounds)) \
	--file "$(module_ko)" --file "$(known_ko)" --file "$hold" \
	--file "$(kmod_ko kma_keep)" --file "$(kmod_ko kma_leave)" \
	--file "$(kmod_ko kma_nmi)" --file "$out/rounds:/rounds" --file "$out/cpus:/cpus"
guest_results "$out/guest/ktap"
