#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the program says with the tree of a kernel that kernel.sh has built and booted: the
# account of a whole boot, as agree.sh has left it, by folder.
#
#	report.sh KERNEL	after `kernel.sh KERNEL`: 6.1-arm64
#
# KTAP on stdout.
set -euo pipefail

# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

out=${O:-$PWD/out}
program=${KMEM_ACCOUNT:-$out/host/kmem-account}
kernel=${1:?a kernel, such as 6.1-arm64}
built=$out/kernel/patches-$kernel
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ktap_plan 1
ktap "$kernel: each function is in the folder that nm says" tests/patches/report.py "$program" \
	"$(machine_get machine "$(machine_of_kernel "$kernel")" tools)nm" \
	"$(readlink -f "$built/y/build")" "$built/patches/agree-y/plain/account" "$work"
ktap_end
