#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Pages and per-CPU memory, events=slab,page,percpu: the known answers of
# kma_known_pages.ko, and the account of a loaded guest against the kernel's own
# count of free pages.
#
#	pages.sh [CPUS [ROUNDS [KERNEL]]]	1 CPU, 5 rounds, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

cpus=${1:-1}
rounds=${2:-5}
kernel=${3-}
out=$(kernel_out "pages-$cpus${kernel:+-$kernel}")

known=$(known_ko)
echo "$rounds" >"$out/rounds"
guest "$cpus" "$here/pages.guest" "$out" \
	--file "$out/rounds:/rounds" --file "$(module_ko)" --file "${known%.ko}_pages.ko"
fail=0
"$here/known-answer.py" tests/kmod/known-pages.txt "$out/guest" "$rounds" kma_known_pages || fail=1
"$here/pages.py" "$out/guest" "$rounds" || fail=1
exit "$fail"
