#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The unit tests of the account as a 32-bit CPU runs them: gcc -m32, on an x86 machine.
#
#	bits.sh
#
# KTAP on stdout; what is made goes below O. Where the machine has no such compiler or no
# C library for it, one skipped result says what is missing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../ktap.sh"
out=${O:-$here/../../out}/unit-32
mkdir -p "$out"

if ! gcc -m32 -o "$out/probe" -x c - <<<'int main(void) { return 0; }' >/dev/null 2>&1 || ! "$out/probe"; then
	ktap_plan 1
	ktap_skip 'the unit tests with 32 bits' \
		"gcc -m32 does not work here; install libc6-dev-i386 and lib32gcc-VERSION-dev, with gcc's VERSION"
	ktap_end
	exit
fi
exec make -s -C "$here" O="$out" BITS=32 check
