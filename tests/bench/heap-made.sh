#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account lost on the memory of a machine that does not exist: it finds all that is lost there and
# nothing else, and keeps its bound of memory however large the machine is. It sees the files of
# heap-made.py as /proc and debugfs, in a mount namespace of its own, which needs root.
#
#	heap-made.sh [GIB [KERNEL_GIB]]	1024 GiB, of which the kernel has 8
#
# One line on stdout, as heap.py has it. What is made goes below O, 2 MiB a GiB, and is removed.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(cd "${O:-out}" && pwd)/host/kmem-account
mkdir -p "${O:-out}/bench"
dir=$(mktemp -d -p "${O:-out}/bench" made.XXXXXX)
trap 'rm -rf "$dir"' EXIT
gib=${1:-1024} kernel=${2:-8}
lost=$(tests/bench/heap-made.py "$dir" "$gib" "$kernel")
# shellcheck disable=SC2016 # the shell in the namespace expands it
unshare -m sh -euc '
	mount -t tmpfs made /proc
	mount -t tmpfs made /sys
	mkdir -p /sys/kernel/debug/kmem_account
	cp "$1/live" "$1/sites" /sys/kernel/debug/kmem_account/
	for file in kcore kpageflags kallsyms; do
		: >"/proc/$file"
		mount -n --bind "$1/$file" "/proc/$file"
	done
	tests/bench/heap.py run "$1/made.time" "$2" lost --no-age --passes 1 --format json -O "$1/made.json"
' sh "$dir" "$program"
tests/bench/heap.py row "$dir" made "a made machine of $gib GiB, of which the kernel has $kernel" "$lost"
