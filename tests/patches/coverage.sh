#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Of all slab allocations of a boot, how many each method sees.
#
#	coverage.sh [BASE [METHOD...]]		6.1, all that the kernel has
#	coverage.sh --built OUTPUT [METHOD...]	a kernel built already, with counter.py
#
# All allocations are what a counter in the allocator itself says (counter.py). A boot
# is from power-on to the guest's script. The kernel is counted.sh's; with --built it is
# what is in kbuild's output folder.
#
#	module		kmem_account.ko, loaded by the first command of init; in a kernel that
#			has it built in, turned on by it
#	trace		trace_event= with the four slab events, in a buffer of the default size
#	trace-clock	the same with trace_clock=global: where the kernel finds out that its
#			clock is not stable, it takes another, and empties the buffer
#	trace-16M	the same with trace_buf_size=16M
#	patches		kmem_account=on
#	allocinfo	/proc/allocinfo; a kernel with MEM_ALLOC_PROFILING
#
# KTAP on stdout, with the table as comments; what is made goes below O. The patches must
# see all, to the object; each other method something, and less than there was. (What
# allocinfo leaves out it leaves out by design.)
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
tests=$PWD/tests/patches

# method	on the command line
methods='
module
trace		trace_event=@SLAB@
trace-clock	trace_event=@SLAB@ trace_clock=global
trace-16M	trace_event=@SLAB@ trace_clock=global trace_buf_size=16M
patches		kmem_account=on
allocinfo	sysctl.vm.mem_profiling=1
'
slab=kmem:kmalloc,kmem:kmem_cache_alloc,kmem:kfree,kmem:kmem_cache_free

# has METHOD: is the kernel made for it?
has() {
	case $1 in
	module)		return ;;
	trace*)		grep -qx 'CONFIG_EVENT_TRACING=y' "$built/.config" ;;
	patches)	grep -qx 'CONFIG_KMEM_ACCOUNT=y' "$built/.config" ;;
	allocinfo)	grep -qx 'CONFIG_MEM_ALLOC_PROFILING=y' "$built/.config" ;;
	esac
}

# run METHOD ARGUMENTS: leaves its line in $out/guest-METHOD/seen
run() {
	local method=$1 ko
	local -a more=()

	[ "$method" != module ] || more=(--file tests/qemu/init:/init.guest
		--file "$tests/coverage.init:/init")
	if [ "$method" = module ] && ! has patches; then
		ko=$(scripts/module.sh build "$built" "$out/build" Kbuild module)/module/kmem_account.ko
		more+=(--file "$ko")
	fi
	echo "$method" >"$out/method"
	tests/qemu/run.sh --script "$tests/coverage.guest" --kernel "$out/kernel" --timeout 900 \
		--mem 1024 --out "$out/guest-$method" --file "$out/method:/method" \
		--append "${2/@SLAB@/$slab}" "${more[@]}" >&2
}

# One result and one line of the table for METHOD.
judge() {
	local before seen lost after all ok='not ok'

	n=$((n + 1))
	if [ ! -e "$out/guest-$1/seen" ] || ! read -r before seen lost after <"$out/guest-$1/seen"; then
		echo "not ok $n $1: the guest ran"
		failed=1
		return
	fi
	case $1 in
	patches)
		[ "$seen" -lt "$before" ] || [ "$seen" -gt "$after" ] || [ "$lost" -gt 0 ] || ok=ok ;;
	*)
		[ "$seen" -eq 0 ] || [ "$seen" -ge "$before" ] || ok=ok ;;
	esac
	[ "$ok" = ok ] || failed=1
	# what came while the method was being stopped is seen or not
	all=$after
	[ "$seen" -lt "$before" ] || [ "$seen" -gt "$after" ] || all=$seen
	printf '# %-12s %8d of %8d allocations, %6.2f %%, %d events lost\n' "$1" "$seen" "$all" \
		"$(awk -v a="$seen" -v b="$all" 'BEGIN { print 100 * a / b }')" "$lost"
	echo "$ok $n $1: sees what it should of $before to $after allocations"
}

built='' base=6.1
case ${1-} in
--built)	built=$(cd "$2" && pwd); base=built; shift 2 ;;
'')		;;
*)		base=$1; shift ;;
esac
out=$(kernel_out "coverage-$base")
[ -n "$built" ] || built=$("$tests/counted.sh" kernel "$base")
"$tests/counted.sh" image "$built" "$out/kernel"

failed=0 n=0
echo "KTAP version 1"
while read -r method arguments; do
	[ -n "$method" ] || continue
	[ $# -eq 0 ] || [[ " $* " = *" $method "* ]] || continue
	has "$method" || { echo "# $method: not of this kernel"; continue; }
	run "$method" "$arguments" || { rm -f "$out/guest-$method/seen"; }
	judge "$method"
done <<<"$methods"
echo "1..$n"
exit "$failed"
