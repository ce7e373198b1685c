#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# All checks of the patch series (make check-patches): each applies, each of its patches
# builds, it boots, and its account is right.
#
#	all.sh [VERSION...]	all there are
#
# KTAP on stdout.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
status=0
[ $# -gt 0 ] || mapfile -t versions < <(scripts/patches.sh bases)
for version in "${@:-${versions[@]}}"; do
	for test in series style release steps kernel; do
		tests/patches/$test.sh "$version" || status=1
	done
done
exit "$status"
