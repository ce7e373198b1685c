#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module in a kernel with every check on: KASAN, UBSAN, lockdep, PROVE_RCU,
# DEBUG_ATOMIC_SLEEP, DEBUG_PREEMPT, DEBUG_OBJECTS, kmemleak; any report ends it.
#
#	debug.sh [CPUS [LOADS [KERNEL [ROUNDS [FULL]]]]]	4 CPUs, 6 loads, 6.1-debug
#
# LOADS is how often the module is loaded and unloaded under load, ROUNDS how long
# (as LOADS, 10 at most) readers, commands and hotplug go on beside its unloading; 0
# is for the loads alone. FULL is 1, or 0 to leave out the tables that are filled, which
# take longest: the code that refuses is the same for each kernel.
# KTAP on stdout; what is made goes below O. The kernel is built when it is not
# there yet (tests/qemu/build.sh). In a stock kernel, nothing is looked for but
# wrong results and what it reports by itself.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

cpus=${1:-4}
loads=${2:-6}
kernel=${3-6.1-debug}
rounds=${4:-$((loads < 10 ? loads : 10))}
full=${5:-1}
out=$(kernel_out "debug-$cpus-$kernel")

echo "$loads" >"$out/loads"
echo "$rounds" >"$out/rounds"
echo "$cpus" >"$out/cpus"
echo "$full" >"$out/full"
hold=$(scripts/module.sh build "stock:$kernel" "${O:-out}/hold" tests/bench)/kma_hold.ko
guest "$cpus" "$here/debug.guest" "$out" --timeout $((7200 + 240 * (loads + rounds))) \
	--file "$(module_ko)" --file "$(known_ko)" --file "$hold" \
	--file "$(kmod_ko kma_keep)" --file "$(kmod_ko kma_leave)" \
	--file "$(kmod_ko kma_nmi)" --file "$out/cpus:/cpus" \
	--file "$out/loads:/loads" --file "$out/rounds:/rounds" --file "$out/full:/full"
guest_results "$out/guest/ktap"
