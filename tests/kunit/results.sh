#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The results of KUnit in a kernel's log, as flat KTAP.
#
#	results.sh LOG [STATUS]		STATUS is how the kernel ended, 0 if that was well
#
# A result is a case; with parameters, all of them, and one that was skipped fails it.
# The last result is the kernel: it has run all the suites that it planned, has
# reported no fault (faults.sh), and has ended well.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../ktap.sh"
log=${1:?a log of a kernel} end=${2:-0}

# Exit 1 if there are not as many suites as planned, each with all its cases and a
# result of its own.
cases() {
	awk '
	{ sub(/\r$/, ""); sub(/^(<[0-9]>)?\[ *[0-9]+\.[0-9]+\](\[ *[CT][0-9]+\])? /, "") }
	/^KTAP version/ { begun = 1 }
	!begun { next }
	/^1\.\.[0-9]+/ { suites = substr($0, 4); next }
	/^    # Subtest: / { suite = $3; next }
	/^    1\.\.[0-9]+/ { planned += substr($0, 8); cases = substr($0, 8); next }
	/^    # .*pass:[0-9]+ fail:[0-9]+ skip:[0-9]+ total:[0-9]+/ {
		if (match($0, /skip:[0-9]+/))
			passed_over = substr($0, RSTART + 5, RLENGTH - 5) + 0
		next
	}
	/^        (not )?ok [0-9]+/ { params++ }
	/^        not ok [0-9]+/ { print "#" $0; next }
	/^    (not )?ok [0-9]+/ {
		good = $1 == "ok"
		sub(/^ +(not )?ok [0-9]+ (- )?/, "")
		skip = /# *SKIP/
		if (passed_over && !skip) {
			print "# " passed_over " parameters were skipped"
			good = 0
		}
		name = params ? sprintf("%s (%d)", $0, params) : $0
		printf "%s %d %s: %s\n", good ? "ok" : "not ok", ++n, suite, name
		params = passed_over = 0
		cases--
		next
	}
	/^(not )?ok [0-9]+/ { ended += !cases; cases = -1; next }
	# what an expectation says
	/^    # / || /^ +(Expected|In file)/ || /^(\t|        ).* == / { sub(/^ *(# )?/, ""); print "# " $0 }
	END {
		printf "1..%d\n", planned + 1
		exit !(suites && ended == suites)
	}' "$log"
}

healthy() {
	local fault

	[ "$end" -eq 0 ] || { echo "it ended with status $end"; tail -n 20 "$log"; return 1; }
	[ "$complete" -eq 0 ] || { echo "not all suites were run"; tail -n 20 "$log"; return 1; }
	! fault=$("$here/../qemu/faults.sh" "$log") || { echo "$fault"; return 1; }
}

complete=0
results=$(cases) || complete=1
printf 'KTAP version 1\n%s\n' "$results"
ktap_done=$(grep -cE '^(not )?ok ' <<<"$results" || true)
ktap_failed=$(grep -c '^not ok ' <<<"$results" || true)
ktap_planned=$(sed -n 's/^1\.\.//p' <<<"$results")
ktap "the kernel ran all suites, and has nothing to report" healthy
ktap_end
