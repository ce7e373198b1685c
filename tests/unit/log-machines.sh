#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Event logs of other machines, by the module's own records: module/log/record.c as a program
# (log-writer.c) for each machine, run by QEMU's user mode, its log reported here. All
# reports must be what the program itself has added up, and what it is on this machine.
#
#	log-machines.sh
#
# And a gigabyte of log, of this machine: 31 million events.
# KTAP on stdout; what is made goes below O.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
program=${KMEM_ACCOUNT:-${O:-$PWD/out}/host/kmem-account}
out=${O:-$PWD/out}/log-machines
rm -rf "$out"
mkdir -p "$out/shim/linux"

# machine	bits and order		compiler		who runs it
machines='
x86_64		64.bits,.little-endian	gcc			-
arm		32.bits,.little-endian	arm-linux-gnueabihf-gcc	qemu-arm
powerpc		32.bits,.big-endian	powerpc-linux-gnu-gcc	qemu-ppc
s390x		64.bits,.big-endian	s390x-linux-gnu-gcc	qemu-s390x
'

sed -n 's,^#include <\(linux/.*\)>,\1,p' module/log/record.[ch] module/uapi/kmem_account.h | sort -u |
	while read -r header; do
		echo '#include "shim.h"' >"$out/shim/$header"
	done

# made MACHINE COMPILER RUNNER
made() {
	local run=()

	[ "$3" = - ] || run=("$3")
	"$2" -static -std=gnu11 -O2 -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare -Werror \
		-fno-strict-aliasing -I"$out/shim" -Imodule -Itests/unit/shim \
		-o "$out/$1" tests/unit/log-writer.c module/log/record.c &&
		${run[@]+"${run[@]}"} "$out/$1" "$out/$1.log" "$out/$1.sums" &&
		${run[@]+"${run[@]}"} "$out/$1" "$out/$1-counter.log" "$out/$1-counter.sums" \
			20000 500000000
}

# Losses are the one thing that check has to say.
checked() {
	"$program" check "$out/$1.log" >"$out/$1.check" 2>/dev/null || true
	cat "$out/$1.check"
	head -n 1 "$out/$1.check" | grep ": made, any, $2, 2 CPUs" >/dev/null &&
		grep -q '^findings: 1$' "$out/$1.check" &&
		grep -qE '^overrun +1 +100 ' "$out/$1.check"
}

# seconds LOG: from its first event to its last one
seconds() {
	{ "$program" check "$1" 2>/dev/null || true; } | sed -n '1s/.*, \([0-9.]*\) s$/\1/p'
}

# The same numbers as times, but of a counter of 500 MHz: twice as long, and else the same.
counted() {
	local once twice

	once=$(seconds "$out/$1.log") twice=$(seconds "$out/$1-counter.log")
	echo "$once s, $twice s"
	awk -v a="$once" -v b="$twice" 'BEGIN { exit !(a > 15 && b - 2 * a < 0.002 && 2 * a - b < 0.002) }' &&
		checked "$1-counter" "$2" && equal "$1-counter"
}

# caller,current_dynamic,requested,waste,allocs,frees...
equal() {
	"$program" report "$out/$1.log" --format csv 2>/dev/null >"$out/$1.csv" || return
	awk -F, '$1 ~ /^0x/ { print substr($1, length($1) - 7), $5, $6, $3, $2 }' "$out/$1.csv" |
		sort >"$out/$1.got"
	sort "$out/$1.sums" | diff - "$out/$1.got" && [ "$(wc -l <"$out/$1.got")" = 21 ] &&
		# how many fit before some are lost is the machine's
		diff <(grep -v ^c0100600 "$out/x86_64.got") <(grep -v ^c0100600 "$out/$1.got")
}

# Bytes, then the same as of the others.
gigabyte() {
	"$out/x86_64" "$out/big.log" "$out/big.sums" 31300000 &&
		[ "$(stat -c %s "$out/big.log")" -ge 1000000000 ] || return
	"$program" check "$out/big.log" >"$out/big.check" 2>/dev/null || true
	"$program" report "$out/big.log" --format csv 2>/dev/null >"$out/big.csv" || return
	rm "$out/big.log"
	cat "$out/big.check"
	grep -q '^findings: 1$' "$out/big.check" &&
		awk -F, '$1 ~ /^0x/ { print substr($1, length($1) - 7), $5, $6, $3, $2 }' \
			"$out/big.csv" | sort | diff - <(sort "$out/big.sums")
}

ktap_plan $((1 + 4 * $(awk 'NF { n++ } END { print n }' <<<"$machines")))
while read -r machine form compiler runner; do
	[ -n "$machine" ] || continue
	ktap "$machine: a log of known events" made "$machine" "$compiler" "$runner"
	ktap "$machine: ${form//./ }, and nothing wrong but what was lost" checked "$machine" "${form//./ }"
	ktap "$machine: the report is the sums of the events, as on x86_64" equal "$machine"
	ktap "$machine: the same by a counter" counted "$machine" "${form//./ }"
done <<<"$machines"
ktap "x86_64: a gigabyte, checked and reported" gigabyte
ktap_end
