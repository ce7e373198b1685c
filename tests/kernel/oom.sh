#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The report at an OOM kill of a cgroup and of the machine, and at a panic: it is in the kernel
# log, has at most 12 lines, and its first call site is the one that filled the memory, with
# the bytes that kma_fill.ko says it had.
#
#	oom.sh [CPUS [KERNEL [ROUNDS]]]	2 CPUs, the stock kernel, 1 round
#
# With more than one round, the first one also waits until two quiet minutes were sampled.
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of oom 2 "${1-}" "${2-}"
echo "${3:-1}" >"$out/rounds"
files=(--file "$(module_ko)" --file "$(kmod_ko kma_fill)" --file "$out/rounds:/rounds")

guest "$cpus" "$here/oom.guest" "$out" --mem 512 --timeout "$((1800 + 120 * ${3:-1}))" \
	"${files[@]}"
failed=0
guest_results "$out/guest/ktap" || failed=1

# A guest that panics has no results and no verdict: its console has the report.
panics() {
	local image

	image=${kernel_image:-$(tests/qemu/kernel.sh dir image ${kernel:+"$kernel"})}
	not_ended=0
	tests/qemu/run.sh --script "$here/oom-panic.guest" --kernel "$image" --smp "$cpus" \
		--mem 512 --timeout 1800 --out "$out/panic" "${files[@]}" \
		--append 'panic=-1' >"$out/panic.run" 2>&1 || not_ended=1
	[ "$not_ended" = 1 ] || { echo "the guest did not panic"; return 1; }
	sed 's/\r$//' "$out/panic/console.log" | sed -n '/Kernel panic/,$p' |
		sed -n 's/^.*\] kmem_account: //p' >"$out/panic.report"
	cat "$out/panic.report"
	[ "$(wc -l <"$out/panic.report")" -le 12 ] || return 1
	sed -n 1p "$out/panic.report" | grep -qx 'panic: the largest call sites' || return 1
	# 4,000 objects of 2,048 bytes, asked for 2,000
	sed -n 3p "$out/panic.report" |
		grep -Eq '^ +8000 +7812 +\+8000  fill_machine\+0x[0-9a-f/x]+ \[kma_fill\]$'
}

ktap_plan 1
ktap "a panic prints the largest call sites" panics
ktap_end || failed=1
[ "$failed" = 0 ]
