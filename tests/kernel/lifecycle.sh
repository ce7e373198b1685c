#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module from insmod to rmmod in a stock kernel: commands, parameters, bad
# input, unloading under load. The results come from the guest.
#
#	lifecycle.sh [CPUS [KERNEL]]	4 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
# shellcheck source=tests/kernel/lib.sh
. "$here/lib.sh"

cpus=${1:-4}
kernel=${2-}
out=$(kernel_out "lifecycle-$cpus${kernel:+-$kernel}")

guest "$cpus" "$here/lifecycle.guest" "$out" \
	--file "$(module_ko)" --file "$(known_ko)" --file "$(kmod_ko kma_nmi)"
guest_results "$out/guest/ktap"
