#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmemleak and kmem-account lost on one kernel, beside a module whose call sites say whether their
# objects are lost or held (tests/kmod/kma_planted.c): how many of 100 objects of each kind each of the
# two finds, and how long it takes to read the memory once. The kernel has kmemleak; it is booted with
# it, and again with kmemleak=off, because kmemleak's own list refers to each object.
#
#	kmemleak.sh [CPUS]	2 CPUs
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of kmemleak 2 "${1-}" 6.1-kmemleak
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
files=(--file "$program:/kmem-account" --file "$(module_ko)" --file "$(kmod_ko kma_planted)")
libraries_of "$program"
guest "$cpus" "$here/kmemleak.guest" "$out/kmemleak" "${files[@]}"
guest "$cpus" "$here/kmemleak.guest" "$out/lost" --append kmemleak=off "${files[@]}"

ktap_plan 3
for case in kmemleak lost beside; do
	ktap "$case" python3 "$here/kmemleak.py" "$out/kmemleak/guest" "$out/lost/guest" "$case"
done
ktap_end
