#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A trace.dat of slow allocations, recorded in a stock kernel: what "kmem-account latency"
# says of it is what it says of trace-cmd's report of it.
#
#	latency-dat.sh [KERNEL [small]]	the stock kernel
#
# "small" makes a recording for tests/data, with the symbols of it only.
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

kernel=${1-}
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
out=$(kernel_out "latency-dat${kernel:+-$kernel}")
if [ "${2-}" = small ]; then echo 1; else echo 0; fi >"$out/small"
tool=$(command -v trace-cmd)
files=(--file "$out/small:/small" --file "$tool:/bin/trace-cmd" --file "$(kmod_ko kma_shrink)")
for lib in $(ldd "$tool" | grep -o '/lib[^ ]*'); do
	files+=(--file "$lib:$lib")
done
GUEST_ARGS="--mem 192 --append tsc=reliable" guest 2 "$here/latency-dat.guest" "$out" "${files[@]}" \
	--allow "$trace_cmd_allow"

# What both say: but for the name, for trace-cmd's first line, and for marks of the kernel
# that trace-cmd does not know.
plain() {
	sed -E 's|(^# latency:.*from \|"input": ).*||; /^  "lines": /d; s/(funcgraph_exit:) +[^ ] /\1 /'
}

# same FORMAT: both are a report with what the guest has waited for
same() {
	trace-cmd report -O tailprint -i "$out/guest/latency.dat" >"$out/text" 2>/dev/null
	"$program" latency -t 134 -f "$out/text" --format "$1" | plain >"$out/want" &&
		"$program" latency -t 134 -f "$out/guest/latency.dat" --format "$1" | plain >"$out/got" || return 1
	grep -c direct_reclaim "$out/got" && diff "$out/want" "$out/got"
}

ktap_plan 3
for format in table csv json; do
	ktap "$format" same $format
done
ktap_end
