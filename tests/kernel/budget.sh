#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The error budget: with the module loaded before the work, what slabinfo has is
# what the account has, but for what was there before and half a per cent, in a
# stock kernel that is doing something.
#
#	budget.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of budget 2 "$@"

truncate -s 64M "$out/disk"
PATH=$PATH:/sbin:/usr/sbin mke2fs -q -t ext4 -F "$out/disk"
guest "$cpus" "$here/budget.guest" "$out" --modules ext4,loop \
	--disk "$out/disk" --file "$here/lib-slabs.guest:/lib-slabs.guest" --file "$(module_ko)"
exec "$here/budget.py" "$out/guest"
