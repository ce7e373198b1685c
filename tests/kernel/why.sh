#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account why in a stock kernel, beside a module that says in the kernel's log what holds the
# objects of each of its call sites (tests/kmod/kma_planted.c).
#
#	why.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of why 2 "${1-}" "${2-}"
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
files=(--file "$program:/kmem-account" --file "$(module_ko)" --file "$(kmod_ko kma_planted)")
libraries_of "$program"
guest "$cpus" "$here/why.guest" "$out" "${files[@]}"

# The files of the scans answer on another machine: this one.
for site in xarray idr hash rbtree vmalloc tagged; do
	"$program" why "held_$site" --format csv -O "$out/guest/held_$site.host" "$out/guest/scan.plain"
done
"$program" why --retained root --format csv -O "$out/guest/retained.host" "$out/guest/scan"
"$program" why --retained caller --format csv -O "$out/guest/callers.host" "$out/guest/scan"
"$program" why --retained module --format csv -O "$out/guest/modules.host" "$out/guest/scan"
"$program" why --from planted_tagged --format csv -O "$out/guest/from.host" "$out/guest/scan"
"$program" report --by caller --format csv -O "$out/guest/report.caller" "$out/guest/scan"

ktap_plan 11
for case in kinds tree address from retained callers modules report file output refused; do
	ktap "$case" python3 "$here/why.py" "$out/guest" "$case"
done
ktap_end
