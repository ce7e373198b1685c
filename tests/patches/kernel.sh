#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Kernels with a patch series: built with CONFIG_KMEM_ACCOUNT n, m and y, booted, asked
# what is known beforehand.
#
#	kernel.sh VERSION [CPUS]	6.1; 2 CPUs
#
# The same sources give the same account in three ways: out of tree in the kernel without
# (n), in tree as a module (m), built in (y). With patch 2 agree.sh holds the account from
# the first allocation on against /proc/slabinfo. KTAP on stdout; a failed build is a
# failed result, and ends the test.
set -euo pipefail

# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

version=${1:?a version, such as 6.1}
cpus=${2:-2}
rounds=2
out=$(kernel_out "patches-$version")

kernel_of() {
	rm -rf "${out:?}/$1"
	scripts/patches.sh kernel "$version" "$1" "$out/$1"
}

# answers VARIANT [MODULE]: the known-answer test's numbers, in the kernel of a variant
known_answers() {
	local variant=$1 dir=$out/$1/answers known=$out/$1/kmod
	local -a files=()
	shift

	known=$(echo "$known"/*/kmod)/kma_known
	mkdir -p "$dir"
	echo "$rounds" >"$dir/rounds"
	cat tests/kmod/known-answers.txt tests/kmod/known-answers-race.txt >"$dir/answers"
	case $version in
	7.*)	cat tests/kmod/known-answers-kvmalloc.txt >>"$dir/answers" ;;
	esac
	if [ -e "${known}_nolock.ko" ]; then
		cat tests/kmod/known-answers-nolock.txt >>"$dir/answers"
		files+=(--file "${known}_nolock.ko" --append 'slab_debug=F,kmalloc-192')
	fi
	[ $# -eq 0 ] || files+=(--file "$1")
	kernel_image=$out/$variant guest "$cpus" tests/kernel/known-answer.guest "$dir" \
		--file "$dir/rounds:/rounds" --file "$known.ko" --file "${known}_race.ko" \
		${files[@]+"${files[@]}"}
	tests/kernel/known-answer.py "$dir/answers" "$dir/guest" "$rounds"
}

ktap_plan 6
for variant in n m y; do
	ktap "$version with the series builds with CONFIG_KMEM_ACCOUNT=$variant" kernel_of "$variant"
done
[ "$ktap_failed" -eq 0 ] || exit 1
ktap "n: the module out of tree knows the answers" known_answers n \
	"$(echo "$out"/n/module/*/module/kmem_account.ko)"
ktap "m: the module in tree knows the answers" known_answers m "$out/m/kmem_account.ko"
ktap "y: built in, it knows the answers" known_answers y
status=0
ktap_end || status=1
# Patch 2's own test, where the series has it.
if grep -q -e '-account-from-' "patches/v$version/series" && [ -x tests/patches/agree.sh ]; then
	O=$out tests/patches/agree.sh "$out/y" "$cpus" || status=1
fi
[ "$status" -eq 0 ]
