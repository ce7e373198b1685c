#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Allocation failures at each step of loading the module, of opening its files and
# of its commands, in a kernel with every check on.
#
#	faults.sh [STRIDE [KERNEL]]	6.1-debug
#
# STRIDE is 0, the default, for a failure in each place in the module from which
# its loading allocates (some 20), or N for each N-th of all its allocations (some
# 1000). KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

stride=${1:-0}
kernel=${2-6.1-debug}
out=$(kernel_out "faults-$kernel")

echo "$stride" >"$out/stride"
fault=$(scripts/module.sh build "stock:$kernel" "${O:-out}/kmod" tests/kmod-debug)/kma_fault.ko
guest 1 "$here/faults.guest" "$out" --timeout 7200 --append log_buf_len=4M \
	--file "$(module_ko)" --file "$fault" --file "$out/stride:/stride"
guest_results "$out/guest/ktap"
