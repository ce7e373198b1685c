# shellcheck shell=bash disable=SC2154 # $out is bench.sh's
# SPDX-License-Identifier: GPL-2.0-only
#
# Part stacks of bench.sh, which sources this file.

# stacks: the same loops, on kernels that find the callers in other ways

stack_kernels='6.1 6.1-i386 6.1-arm64'

run_stacks() {
	local kernel

	[ -e "$out/tools.img" ] || tests/bench/tools.sh "$out/tools.img" >"$out/tools.txt"
	for kernel in $stack_kernels; do
		cost_boot "$kernel" "stacks-$kernel" '' \
			probes kmem_account stack_depth stack_depth_4 sampled_8 sampled_4 || true
	done
}

# more_than_on FILES LOOP: what a switch adds to the account
more_than_on() {
	# shellcheck disable=SC2086 # two words
	[ ! -e "$boot/$1.ticks" ] || echo $(($(added "$1" $2) - $(added on $2)))
}

report_stacks() {
	local boot kernel name loop

	cat <<-EOF

	## Stacks

	Whole guest instructions that stacks add to those of the account, for a pair of allocation and free with interrupts off.
	The kernel of x86 with 64 bits unwinds by ORC, those for i386 and arm64 by frame pointers.

	| kernel | loop | the account | stacks 8 | stacks 4 | stacks 8/256 | stacks 4/64 |
	|---|---|---|---|---|---|---|
	EOF
	for kernel in $stack_kernels; do
		boot=$out/stacks-$kernel
		for loop in 'kmalloc off' 'cache off' 'batch off'; do
			printf '| %s | %s |' "$kernel" "${loop% off}"
			if [ ! -e "$boot/on.ticks" ]; then
				echo ' not measured | | | | |'
				continue
			fi
			# shellcheck disable=SC2086 # two words
			printf ' %s |' "$(added on $loop)"
			for name in stack_depth stack_depth_4 sampled_8 sampled_4; do
				printf ' %s |' "$(more_than_on "$name" "$loop")"
			done
			echo
		done
	done
}
