#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the KUnit tests of the module under KASAN, on x86-64, in a VM: they are built into
# the kernel of a patch series, and run at its boot.  Prints KTAP: a result for each case,
# one for the kernel, one for KASAN.
#
#	kasan.sh [VERSION [CPUS]]	6.1, 2 CPUs
#
# The account's events are those of patch 2's hooks: nothing else runs the suites with them.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
version=${1:-6.1}
cpus=${2:-2}
seconds=7200		# the tests may take, in all
out=${O:-$PWD/out}/kunit/kasan-$version
rm -rf "$out"
mkdir -p "$out"

scripts/patches.sh kernel "$version" kunit "$out/kernel"
status=0
# no5lvl: as in tests/kernel/lib.sh
tests/qemu/run.sh --script tests/kunit/kasan.guest --kernel "$out/kernel" --smp "$cpus" \
	--mem 1024 --out "$out/guest" --timeout "$seconds" \
	--append 'panic_on_warn=1 no5lvl rcupdate.rcu_cpu_stall_timeout=300' >&2 || status=$?
fail=0
tests/kunit/results.sh "$out/guest/console.log" "$status" || fail=1
ktap_plan 1
ktap "KASAN looks on" grep -q 'kasan: KernelAddressSanitizer initialized' "$out/guest/console.log"
ktap_end || fail=1
exit "$fail"
