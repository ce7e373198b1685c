# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What allocinfo.sh and allocinfo-kernel.sh share: a kernel that has the account and /proc/allocinfo.
# Sourced, never run; it goes to the top of the tree.
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../kernel/lib.sh"

# both_of NAME VERSION [ASKED [CPUS]]: the arguments of test NAME, whose kernel is of VERSION and has
# 2 CPUs unless others are asked for. Sets version, cpus and out.
both_of() {
	version=${3:-$2}
	cpus=${4:-2}
	out=$(kernel_out "$1-$version-$cpus")
}

# both_read KERNEL FOLDER: boots KERNEL with both turned on, and leaves in FOLDER what they say.
both_read() {
	kernel_image=$1
	guest "$cpus" tests/patches/allocinfo.guest "$2" \
		--append 'kmem_account=on sysctl.vm.mem_profiling=1'
}
