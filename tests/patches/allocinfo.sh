#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel that has both: does the account agree with /proc/allocinfo, site by site?
#
#	allocinfo.sh [VERSION [CPUS]]	6.12; 2 CPUs
#
# The kernel is counted.sh's. KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/patches/both.sh
. "$(dirname "$0")/both.sh"

both_of allocinfo 6.12 "$@"
built=$(tests/patches/counted.sh kernel "$version")
tests/patches/counted.sh image "$built" "$out/kernel"
both_read "$out/kernel" "$out"
tests/patches/allocinfo.py "$out/guest" "$built"
