#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A scan on arm64: what is lost is found and nothing that is held, areas of vmalloc() and stacks are
# found in the page tables, and the stack's task by the list of tasks. The stock kernel, with pages of
# 4 KiB, has no symbols of variables (CONFIG_KALLSYMS_ALL); that of our own, with pages of 64 KiB, has
# them. kmem-account-record scans; this machine answers from the file.
#
#	scan-arm64.sh [CPUS [KERNEL]]	2 CPUs, 6.1-arm64; or 6.1-arm64-64k
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of scan-arm64 2 "${1-}" "${2:-6.1-arm64}"
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
make -s -C host record-static CC="$(machine_get machine arm64 tools)gcc" ZSTD=0 O="$out/host"
guest "$cpus" "$here/scan-arm64.guest" "$out" --file "$out/host/kmem-account-record:/recorder" \
	--file "$(module_ko)" --file "$(kmod_ko kma_planted)"

# Kinds whose objects are lost one by one: a word that is left over hides one of them.
lost() {
	"$program" lost "$out/guest/scan" --format csv 2>/dev/null | awk -F, '
		/^lost_(pointer|error_path|large)[+]/ { found += $2; kinds++; print "#", $1, $2, "of", $3 }
		/^held_/ { print "# held, called lost:", $0; wrong = 1 }
		END { exit wrong || kinds != 3 || found < 0.95 * 300 }'
}

# holder SITE ROOT LEAST: at least so many objects of the call site have the root
holder() {
	"$program" why "$1" --format csv "$out/guest/scan" 2>/dev/null |
		awk -F, -v root="$2" -v least="$3" '
			{ print "#", $0 }
			$7 == root { found += $2 }
			END { exit found < least }'
}

# held KIND ROOT LEAST: as holder; the module says what the root is, which is ROOT without symbols
held() {
	local root

	root=$(sed -n "s/^held_$1: //p" "$out/guest/roots")
	[ -n "$root" ] || return
	if [ "$kernel" = 6.1-arm64 ]; then
		root=$2
	fi
	holder "held_$1" "$root" "$3"
}

task_stack() {
	local root

	root=$(sed -n 's/^held_stack: //p' "$out/guest/roots")
	[[ $root == "task "*" (kma_planted) stack" ]] && holder held_stack "$root" 14
}

ktap_plan 4
ktap 'what is lost is found, and nothing else' lost
# The function that allocated it was freed after the module's start.
ktap 'an area of vmalloc' holder held_vmalloc 'vmalloc area of an unknown caller' 90
ktap 'the stack of a task' task_stack
ktap 'a variable of a module' held xarray 'variable unknown [kma_planted]' 90
ktap_end
