#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# where, and report --by cache, in a stock guest: rows by an independent script, sums equal to
# MemTotal to the byte, rows of slab caches equal to slabinfo.
#
#	where.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of where 2 "$@"
guest "$cpus" "$here/where.guest" "$out" --mem 256 --file "$(module_ko)"
tests/host/where.sh "$out/guest"
