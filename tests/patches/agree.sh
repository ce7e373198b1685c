#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel with patch 2, built in: does the account of a boot agree with what the slab
# allocator itself counts, and what does it say to a command line that asks for what
# there is not?
#
#	agree.sh KERNEL [CPUS [FEW]]	folders with boot/vmlinuz-*; 2 CPUs
#
# FEW is the same kernel, whose early log is too small, which makes no tables before the
# initcalls with 256 MB, and which counts its slab events (variant f of scripts/patches.sh).
# KTAP on stdout; what is made goes below O.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
# shellcheck source=scripts/machine.sh
. scripts/machine.sh
kernel=$(cd "$1" && pwd)
cpus=${2:-2}
few=${3-}
little=64
huge='kmem_account.max_objects=1000000000000 kmem_account.max_sites=16383 kmem_account.age=1'
out=${O:-$PWD/out}/patches/agree-$(basename "$kernel")
rm -rf "$out"
mkdir -p "$out"

# boot NAME SCRIPT MEM COMMAND-LINE [KERNEL]
boot() {
	tests/qemu/run.sh --script "$here/$2" --kernel "${5-$kernel}" --smp "$cpus" --mem "$3" \
		--file "$out/agree-read" --out "$out/$1" --timeout 1800 --append "$4" >&2 && return
	printf 'KTAP version 1\n1..1\nnot ok 1 the guest booted with %s\n' "$4"
	exit 1
}

image=$(echo "$kernel"/boot/vmlinuz-*)
"$(machine_get machine "$(machine_of_image "$image")" tools)gcc" -static -O2 -Wall -Wextra -Werror \
	-o "$out/agree-read" "$here/agree-read.c"

fail=0
boot plain agree.guest 512 kmem_account=on
"$here/agree.py" "$out/plain" || fail=1
# F: without slabs that CPUs keep, so that slabinfo is exact
boot exact agree.guest 512 'kmem_account=on slub_debug=F slab_debug=F'
"$here/agree.py" "$out/exact" exact || fail=1
if [ -n "$few" ]; then
	boot few agree.guest 512 'kmem_account=on slub_debug=F slab_debug=F' "$few"
	# no tables before the initcalls, for want of memory
	boot late agree.guest 256 'kmem_account=on slub_debug=F slab_debug=F' "$few"
	"$here/early.py" "$out/exact" "$out/few" "$out/late" || fail=1
fi
boot nonsense boot.guest 512 kmem_account=nonsense
boot off boot.guest 512 'quiet loglevel=4'
boot refused boot.guest 512 'kmem_account=on kmem_account.max_sites=99999'
# tables of which none fits: what can be had is as exact
boot full agree.guest "$little" "kmem_account=on slub_debug=F slab_debug=F possible_cpus=8 $huge"
"$here/agree.py" "$out/full" exact || fail=1
"$here/boot.py" "$out" || fail=1
exit "$fail"
