#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The event log, in a stock kernel: read by a script that knows its format alone, and
# added up against the module's own account of the same time; losses, CPUs and modules
# that come and go, NMIs.
#
#	log.sh [CPUS [KERNEL [APPEND]]]	1 CPU, the stock kernel, no words more for it
#
# On one CPU every row of the account must be equal; on several those of the known
# module. tsc=reliable makes QEMU's TSC one that the kernel keeps its time by on several
# CPUs; without it the log has the kernel's clock. KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of log 1 "$@"

known=$(known_ko)
files=()
# for x86 alone
[ ! -e "${known%/*}/kma_nmi.ko" ] || files=(--file "${known%/*}/kma_nmi.ko")
guest "$cpus" "$here/log.guest" "$out" --append "${3-}" --file "$(module_ko)" --file "$(kmod_ko kma_miss)" \
	--file "$known" --file "${known%.ko}_pages.ko" ${files[@]+"${files[@]}"}
"$here/log.py" "$out/guest" >"$out/ktap" || true
guest_results "$out/guest/ktap" "$out/ktap"
