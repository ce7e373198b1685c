#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Kernels with the RFC: each of its patches leaves a kernel that builds; with all of them one is
# booted, runs its own KUnit tests, and gives the known answers.
#
#	rfc-kernel.sh [VERSION [CPUS]]	7.2, 2 CPUs
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

version=${1:-7.2}
cpus=${2:-2}
rounds=2
out=${O:-$PWD/out}/kernel/rfc-$version
rm -rf "$out"
mkdir -p "$out/answers"
out=$(cd "$out" && pwd)

answers() {
	local known dir=$out/answers

	known=$(echo "$out"/r/kmod/*/kmod)/kma_known
	echo "$rounds" >"$dir/rounds"
	cat tests/kmod/known-answers.txt tests/kmod/known-answers-race.txt \
		tests/kmod/known-answers-kvmalloc.txt tests/kmod/known-answers-nolock.txt >"$dir/answers"
	kernel_image=$out/r guest "$cpus" tests/kernel/known-answer.guest "$dir" \
		--file "$dir/rounds:/rounds" --file "$known.ko" --file "${known}_race.ko" \
		--file "${known}_nolock.ko" --append 'slab_debug=F,kmalloc-192 kmem_account=on'
	tests/kernel/known-answer.py "$dir/answers" "$dir/guest" "$rounds"
}

# The three suites, and no test of them failed.
kunit() {
	tr -d '\r' <"$out/answers/guest/console.log" |
		sed -nE 's/^(\[[^]]*\] )?((not )?ok [0-9]+ kma_(site|live|report))$/\2/p' >"$out/suites"
	cat "$out/suites"
	[ "$(grep -c '^ok ' "$out/suites")" -eq 3 ]
}

# With the size of the code after each patch, which the patches' messages state.
steps() {
	scripts/patches.sh steps "$version" rfc >"$out/steps"
}

ktap_plan 4
# the last patch first: most faults show there
ktap "the RFC for $version builds with its KUnit tests" scripts/patches.sh kernel "$version" r "$out/r"
ktap "the account of known allocations is right" answers
ktap "its KUnit tests pass" kunit
ktap "each patch of the RFC for $version builds, y and n" steps
sed 's/^/# /' "$out/steps"
ktap_end
