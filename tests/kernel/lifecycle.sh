#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module from insmod to rmmod in a stock kernel: commands, parameters, bad
# input, unloading under load. The results come from the guest.
#
#	lifecycle.sh [CPUS [KERNEL [LOADS]]]	4 CPUs, the stock kernel
#
# LOADS is how often the module is loaded and unloaded under load (4 by default: each time
# takes 2.5 s of a CPU; make soak does it more often).
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of lifecycle 4 "$@"

known=$(known_ko)
# modules that not each machine has
more=()
for name in kma_nmi kma_high; do
	[ ! -e "${known%/*}/$name.ko" ] || more+=(--file "${known%/*}/$name.ko")
done
guest "$cpus" "$here/lifecycle.guest" "$out" --append "kma.loads=${3:-4}" \
	--file "$(module_ko)" --file "$known" ${more[@]+"${more[@]}"}
guest_results "$out/guest/ktap"
