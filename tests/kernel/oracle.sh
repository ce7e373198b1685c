#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The oracle: ftrace's log of the same kmem events over the same time, accounted
# by an independent script, agrees with the module for every site.
#
#	oracle.sh [CPUS [KERNEL]]	1 CPU, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
# shellcheck source=tests/kernel/lib.sh
. "$here/lib.sh"

cpus=${1:-1}
kernel=${2-}
out=$(kernel_out "oracle-$cpus${kernel:+-$kernel}")

guest "$cpus" "$here/oracle.guest" "$out" \
	--file "$(module_ko)" --file "$(known_ko)"
exec "$here/oracle.py" "$out/guest/trace" "$out/guest/account" \
	"$out/guest/stats"
