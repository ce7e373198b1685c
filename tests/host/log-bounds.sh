#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# START and END of an event log: what is older than the log is unknown and no error; a log
# without an END is not whole; what no probe saw makes no error certain. The logs are those
# of log-bounds.py.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
"$here/log-bounds.py" "$work"

# checked NAME FINDINGS: check's findings, "NAME NUMBER" each
checked() {
	local code=0 want=1

	[ -n "$2" ] || want=0
	"$program" check "$1.log" --format csv >"$1.csv" || code=$?
	[ $code = $want ] || return 1
	tail -n +2 "$1.csv" | awk -F, '{ print $1, $4 }' | sort | diff <(printf '%s' "$2") -
}

# errors NAME ROWS: error and whether it is certain, of each
errors() {
	"$program" objects "$1.log" --show errors --format csv 2>"$1.said" | tail -n +2 |
		cut -d , -f 1,2 | diff <(printf '%s' "$2") -
}

# unknown NAME NUMBER
unknown() {
	"$program" objects "$1.log" --show total --format csv 2>/dev/null |
		grep -q "^frees of unknown objects,$2,"
}

whole() {
	checked whole '' && unknown whole 1 && errors whole $'double free,yes\n' && [ ! -s whole.said ] &&
		"$program" check whole.log | grep -qx 'records of unknown types: 0'
}

old() {
	checked old '' && unknown old 1 && errors old $'double free,yes\n'
}

no_end() {
	checked "$1" $'no_end '"$2"$'\n'
}

says_so() {
	"$program" report killed.log >/dev/null 2>report.said &&
		grep -q 'log has no end: 1 streams have no END record' report.said &&
		errors killed $'double free,yes\n' && grep -q 'log has no end' killed.said
}

missed() {
	checked missed $'missed_calls 7\nrefused_events 3\n' &&
		errors missed $'double free,no: calls not recorded\n'
}

before() {
	checked before '' && errors before '' && unknown before 2
}

ktap_plan 8
ktap "a whole log" whole
ktap "a log of a module that writes no boundaries" old
ktap "a stream without an END" no_end killed 1
ktap "a stream that was not read at all" no_end unread 1
ktap "a log without a stream" no_end empty 1
ktap "reports state that a log has no end" says_so
ktap "calls and NMIs that were not recorded" missed
ktap "what was met before the log began is unknown" before
ktap_end
