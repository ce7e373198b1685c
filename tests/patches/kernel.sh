#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Kernels with a patch series: built with CONFIG_KMEM_ACCOUNT n, m and y, booted, asked
# what is known beforehand.
#
#	kernel.sh KERNEL [CPUS [VARIANT...]]	6.1, or 6.1-arm64; 2 CPUs; n m y (or i, of patches.sh)
#
# The same sources give the same account in three ways: out of tree in the kernel without
# (n), in tree as a module (m), built in (y). With patch 2 agree.sh holds the account from
# the first allocation on against /proc/slabinfo. KTAP on stdout.
set -euo pipefail

# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

version=${1:?a version, such as 6.1}
# for the tests' library: what is special about its machine
kernel=$version
hooks=(patches/v"${version%%-*}"/*.patch)
cpus=${2:-2}
variants=("${@:3}")
[ ${#variants[@]} -gt 0 ] || variants=(n m y)
rounds=2
out=${O:-$PWD/out}/kernel/patches-$version
mkdir -p "$out"
out=$(cd "$out" && pwd)

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
	# else the row is that of kvmalloc_node() itself
	case "$version:${hooks[*]}" in
	7.* | *-account-kvmalloc-*)	cat tests/kmod/known-answers-kvmalloc.txt >>"$dir/answers" ;;
	esac
	known_answers_of_machine >>"$dir/answers"
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

# The module for the kernel of a variant, if it has one.
module_of() {
	case $1 in
	n)	echo "$out"/n/module/*/module/kmem_account.ko ;;
	m)	echo "$out/m/kmem_account.ko" ;;
	esac
}

# Patch 2's own test, where the series has it.
early=0
[[ ${hooks[*]} != *-account-from-* ]] || early=1
few_too=0
[[ $early:${variants[*]} != 1:*y* ]] || few_too=1
ktap_plan $((2 * ${#variants[@]} + few_too))
for variant in "${variants[@]}"; do
	ktap "$version with the series builds, variant $variant" kernel_of "$variant"
	# shellcheck disable=SC2046 # one name or none
	ktap "$variant: the account of known allocations is right" \
		known_answers "$variant" $(module_of "$variant")
done
[ "$few_too" -eq 0 ] || ktap "y builds with an early log of few events" kernel_of f
status=0
ktap_end || status=1
for variant in "${variants[@]}"; do
	case $early:$variant in
	1:y)
		O=$out tests/patches/agree.sh "$out/y" "$cpus" "$out/f" || status=1
		O=$out tests/patches/log.sh "$out/y" "$cpus" || status=1
		;;
	1:i)	O=$out tests/patches/agree.sh "$out/i" "$cpus" || status=1 ;;
	esac
done
[ "$status" -eq 0 ]
