#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the hooks of patch 2 cost: out/bench/boot.md.
#
#	boot.sh [VERSION]	6.1: a base of the patch series
#
# The same kernel with CONFIG_KMEM_ACCOUNT n (it has no hooks, and listens by
# tracepoints when the module is loaded), y, and y with kmem_account=on; a boot each of
# bench.guest under -icount. Rows are instructions a pair more than the first row.
# Without an account the three runs of a boot must take the same. With kmem_account=on
# they did not while the map was a hash table with the objects of the boot. That row has the least
# and the most.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

version=${1:-6.1}
mkdir -p "${O:-out}/bench/boot-$version"
out=$(cd "${O:-out}/bench/boot-$version" && pwd)
report=${out%/*}/boot.md
loops=('kmalloc off' 'kmalloc on' 'cache off' 'cache on' 'batch off')

kernel_of() {
	rm -rf "${out:?}/$1"
	scripts/patches.sh kernel "$version" "$1" "$out/$1"
}

# boot NAME VARIANT RECORDER APPEND [ARGUMENT...]
boot() {
	echo "$3" >"$out/$1.recorders"
	tests/qemu/run.sh --script tests/bench/bench.guest --icount --smp 1 --mem 512 \
		--kernel "$out/$2" --append "mitigations=off $4" --timeout 600 \
		--out "$out/boot-$1" --file "$out/$1.recorders:/recorders" \
		--file "$(echo "$out/$2"/bench/*/bench/kma_bench.ko)" "${@:5}"
}

# ticks FILE LOOP IRQS: ticks a pair
ticks() {
	awk -v l="$2" -v i="$3" '$1 == l && $2 == i { printf "%.3f", $3 / $4 }' "$out/boot-$1.ticks"
}

# row FILE LABEL
row() {
	local loop

	printf '| %s |' "$2"
	for loop in "${loops[@]}"; do
		# shellcheck disable=SC2086 # two words
		awk -v a="$(ticks "$1" $loop)" -v b="$(ticks n/none $loop)" \
			'BEGIN { printf " %+.0f |", a - b }'
	done
	echo
}

# row_of FILES LABEL: of some runs, the least and the most
row_of() {
	local loop file

	printf '| %s |' "$2"
	for loop in "${loops[@]}"; do
		# shellcheck disable=SC2086 # words
		for file in $1; do
			ticks "$file" $loop
			echo
		done | sort -n | awk -v b="$(ticks n/none $loop)" '
			{ last = $1 }
			NR == 1 { first = $1 }
			END { printf " %+.0f to %+.0f |", first - b, last - b }'
	done
	echo
}

# The runs of boot $1 without an account take the same, in the loops of a pair.
same() {
	local run loop

	for run in again none-after; do
		for loop in "${loops[@]:0:4}"; do
			# shellcheck disable=SC2086 # two words
			awk -v a="$(ticks "$1/none" $loop)" -v b="$(ticks "$1/$run" $loop)" \
				'BEGIN { exit !(a - b < 0.5 && b - a < 0.5) }' ||
				die "$1: two runs ($loop) are not the same: no measurement"
		done
	done
}

for variant in n y; do
	step "building $version with kmem_account=$variant" kernel_of "$variant" ||
		die "cannot build $version with CONFIG_KMEM_ACCOUNT=$variant"
done
step "measuring: no hooks" boot n n kmem_account '' \
	--file "$(echo "$out"/n/module/*/module/kmem_account.ko)"
step "measuring: hooks, off and on" boot y y built_in ''
step "measuring: on since boot" boot on y built_in kmem_account=on
same n
same y
for name in n y on; do
	[ "$(cat "$out/boot-$name/on.lost")" = 0 ] || die "$name: the account has lost events"
done
{
	cat <<-EOF
	# What the hooks in the slab allocator cost

	Instructions a pair of allocation and free more than in the same kernel without
	hooks ($(basename "$out"/n/lib/modules/*), patches/small.config; \`-icount shift=0,sleep=off\`,
	one CPU, \`mitigations=off\`). \`off\`, \`on\`: interrupts during the loop.

	| | kmalloc+kfree, off | on | cache, off | on | 20,000 live, off |
	|---|---|---|---|---|---|
	EOF
	printf '| CONFIG_KMEM_ACCOUNT=n: a pair, its loop included |'
	for loop in "${loops[@]}"; do
		# shellcheck disable=SC2086 # two words
		printf ' %.0f |' "$(ticks n/none $loop)"
	done
	echo
	row y/none 'y, without kmem_account=: hooks, off'
	row y/on 'y, turned on: hooks, on'
	row_of 'on/none on/again on/none-after' 'y, kmem_account=on: three runs'
	row n/off 'n, the module loaded, off'
	row n/on 'n, the module on, by tracepoints'
} >"$report"
cat "$report"
