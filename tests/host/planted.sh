#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# leaks: histories of 3 and 30 minutes with 13 planted leaks and 8 healthy call sites (planted.py), by
# three seeds each: no planted one gets an all-clear, none of the healthy is a leak, after 30 minutes each
# planted one is found, and each reason agrees with the numbers of its row.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"

# judged MINUTES
judged() {
	local minutes=$1 seed fault=0

	for seed in 1 2 3; do
		mkdir -p "$minutes.$seed" && python3 "$here/planted.py" make "$minutes.$seed" "$minutes" "$seed" &&
			"$program" leaks "$minutes.$seed"/s* --format csv >"$minutes.$seed.csv" || return
		python3 "$here/planted.py" check "$minutes.$seed.csv" "$minutes" || fault=1
	done
	return "$fault"
}

reasons() { python3 "$here/planted.py" reasons ./*.csv; }

ktap_plan 3
ktap "3 minutes: no all-clear for a leak, and no false leak" judged 3
ktap "30 minutes: all are found" judged 30
ktap "each reason agrees with its row" reasons
ktap_end
