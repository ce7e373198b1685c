#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What is another thing on arm64 than on x86: addresses. The stock kernel where KASLR
# may put it, by seeds that are chosen for it, on CPUs with and without signed return
# addresses (max, cortex-a57).
#
#	arm64.sh [BOOT...]		all of the table below
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

# Bits [45:21] of the seed are added to the kernel's address, which is 0xffffa00008000000
# else; the low 16 are how far up the linear map memory begins, of 65536 parts of what its
# size leaves (6.1: arch/arm64/kernel/pi/kaslr_early.c, head.S, mm/init.c). How far below
# the end of the text modules begin, within 2 GiB, is up to the kernel.
#
# boot		CPUs	CPU	seed			what arm64.py must find
boots='
across		2	max	0x0000123ff7e00000	across
beside		4	max	0x00000987f8000000	beside
no-kaslr	1	cortex-a57	0		still
high		2	cortex-a57	0x000000123450ffff	high
'

kernel=6.1-arm64
chosen=("$@")
[ $# -gt 0 ] || mapfile -t chosen < <(awk 'NF { print $1 }' <<<"$boots")
known=$(known_ko)
number=1
failed=0
echo "KTAP version 1"
echo "1..$((4 * ${#chosen[@]}))"
for boot in "${chosen[@]}"; do
	read -r cpus cpu seed place < <(awk -v boot="$boot" '$1 == boot { $1 = ""; print }' <<<"$boots")
	out=$(kernel_out "arm64-$boot")
	guest "$cpus" "$here/arm64.guest" "$out" --file "$(module_ko)" --file "$known" \
		--cpu "${cpu/max/max,pauth-impdef=on}" --kaslr-seed "$seed"
	"$here/arm64.py" "$number" "$boot" "$place" "$out/guest" || failed=1
	number=$((number + 4))
done
exit "$failed"
