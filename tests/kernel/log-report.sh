#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The event log of a stock kernel, of another machine too, in the host's program: what it
# reports of the known module is the module's own account.
#
#	log-report.sh FOLDER	what log.sh has left: O/kernel/log-CPUS-KERNEL
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "${1:?the folder of log.sh}" && pwd)
cd "$here/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
program=${KMEM_ACCOUNT:-${O:-$PWD/out}/host/kmem-account}

packed() { "$here/log-pack.py" "$out/guest/beside" "$out/beside.log"; }

sound() {
	"$program" check "$out/beside.log" >"$out/check" || { cat "$out/check"; return 1; }
	[ "$(sed -n 's/^allocations: //p' "$out/check")" -ge 1000 ]
}

# The rows of the known module: caller, allocations, frees, live bytes.
same_rows() {
	awk '/\[kma_known\]$/ { split($4, n, "/"); print $5, n[1], n[2], $1 }' \
		"$out/guest/beside/account" | sort >"$out/want"
	"$program" report "$out/beside.log" --by caller --format csv >"$out/csv" || return
	# caller,current_dynamic,requested,waste,allocs,frees...
	awk -F, '/\[kma_known\],/ { sub(/ .*/, "", $1); print $1, $5, $6, $2 }' "$out/csv" |
		sort >"$out/got"
	sed 's/^/# /' "$out/want"
	# a free of what was allocated before is in the account alone
	grep -v ' 0 [0-9]* 0$' "$out/want" >"$out/allocated"
	[ "$(wc -l <"$out/allocated")" -ge 20 ] && diff "$out/allocated" <(grep -v ' 0 [0-9]* 0$' "$out/got")
}

ktap_plan 3
ktap "an event log of the streams" packed
ktap "check finds nothing" sound
ktap "the known module's rows are those of its account" same_rows
ktap_end
