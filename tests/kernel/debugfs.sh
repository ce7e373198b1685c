#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The files in debugfs against /proc/kmem_account and against a module whose
# objects are known, and read by many while everything happens at once, in a
# stock kernel. The results come from the guest.
#
#	debugfs.sh [CPUS [KERNEL]]	4 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of debugfs 4 "$@"

known=$(known_ko)
guest "$cpus" "$here/debugfs.guest" "$out" --file "$(module_ko)" \
	--file "$known" --file "${known%/*}/kma_known_held.ko"
mkdir "$out/off"
guest 1 "$here/debugfs-off.guest" "$out/off" --append debugfs=off \
	--file "$(module_ko)"
guest_results "$out/guest/ktap" "$out/off/guest/ktap"
