#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A kernel with patch 2, built in: does the account of a boot agree with what the slab
# allocator itself counts, and what does it say to a command line that asks for what
# there is not?
#
#	agree.sh KERNEL [CPUS]		KERNEL: folder with boot/vmlinuz-*; 2 CPUs
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
kernel=$(cd "$1" && pwd)
cpus=${2:-2}
out=${O:-$PWD/out}/patches/agree-$(basename "$kernel")
rm -rf "$out"
mkdir -p "$out"

# boot NAME SCRIPT MEM COMMAND-LINE
boot() {
	tests/qemu/run.sh --script "$here/$2" --kernel "$kernel" --smp "$cpus" --mem "$3" \
		--out "$out/$1" --timeout 300 --append "$4" >&2 && return
	printf 'KTAP version 1\n1..1\nnot ok 1 the guest booted with %s\n' "$4"
	exit 1
}

fail=0
boot plain agree.guest 512 kmem_account=on
"$here/agree.py" "$out/plain" || fail=1
# F: without slabs that CPUs keep, so that slabinfo is exact
boot exact agree.guest 512 'kmem_account=on slub_debug=F slab_debug=F'
"$here/agree.py" "$out/exact" exact || fail=1
boot nonsense boot.guest 512 kmem_account=nonsense
boot off boot.guest 512 'quiet loglevel=4'
boot full boot.guest 128 'kmem_account=on kmem_account.max_objects=1000000000000'
"$here/boot.py" "$out" || fail=1
exit "$fail"
