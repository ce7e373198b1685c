#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The oracle: ftrace's log of the same kmem events over the same time, accounted
# by an independent script, agrees with the module for every site.
#
#	oracle.sh [CPUS [KERNEL]]	1 CPU, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of oracle 1 "$@"

guest "$cpus" "$here/oracle.guest" "$out" \
	--file "$(module_ko)" --file "$(known_ko)"
late=()
# before 6.1, the event of a cache's free comes after the free
kernel_at_least 6.1 || late=(--late-frees)
exec "$here/oracle.py" ${late[@]+"${late[@]}"} "$out/guest/trace" "$out/guest/account" \
	"$out/guest/stats"
