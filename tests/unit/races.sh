#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The unit tests in which several CPUs have events at once, under ThreadSanitizer: each access
# is ordered by a lock, a barrier or an address, or is marked in the code with the reason. First a
# core in which no release orders anything: its races must be found.
#
#	races.sh [EVENTS [TEST...]]	events of each CPU in test-core-random (45000); these tests, not all
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

events=${1:-45000}
shift "$(($# ? 1 : 0))"
[ $# -gt 0 ] || set -- random pages errors latency
out=$(mkdir -p "${O:-out}/races" && cd "${O:-out}/races" && pwd)

# build FOLDER TEST... [-DFLAG]: the tests below a folder of $out
build() {
	local folder=$out/$1 flag=$2
	shift 2

	make -s -C tests/unit O="$folder" \
		SAN="-fsanitize=thread -Wno-tsan -DEVENTS=$events $flag" \
		"${@/#/$folder/test-core-}"
}

# with the addresses that ThreadSanitizer wants; 66 is for a race
export TSAN_OPTIONS="history_size=7 exitcode=66"
run() { setarch -R "$out/$1/test-core-$2" >"$out/$1/$2.log" 2>&1; }

races() { sed -n 's/^SUMMARY: ThreadSanitizer: //p' "$out/$1/$2.log" | sort | uniq -c; }

# Where the entry of an object is read or written.
found() { races weak random | grep 'kma_account_\|kma_live_\|kma_slots\?_'; }

# A core in which no release orders anything has races, but locks order most of its accesses: one run in
# eight, of a second, sees a race in the map. Each report takes time: a run is ended when the first of those
# that are looked for is reported.
finds_races() {
	local pid

	for _ in $(seq 100); do
		setarch -R "$out/weak/test-core-random" >"$out/weak/random.log" 2>&1 &
		pid=$!
		while kill -0 "$pid" 2>/dev/null && ! found >/dev/null; do
			sleep 0.2
		done
		kill "$pid" 2>/dev/null || true
		wait "$pid" || true
		found && return
	done
	return 1
}

# is_ordered TEST
is_ordered() {
	run strict "$1" && [ -z "$(races strict "$1")" ] && return
	races strict "$1"
	grep '^not ok' "$out/strict/$1.log" || tail -n 5 "$out/strict/$1.log"
	return 1
}

build weak -DSHIM_WEAK random
build strict '' "$@"
ktap_plan $(($# + 1))
ktap "without the order of releases, races in the live map are found" finds_races
for test; do
	ktap "test-core-$test has no race" is_ordered "$test"
done
ktap_end
