#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# START, END and totals of an event log: what is older than the log is unknown and no error; a log
# without an END, or without the totals that its header announces, is not whole; what no probe saw
# makes no error certain. The logs are those of log-bounds.py.
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
		"$program" check whole.log | grep -x 'records of unknown types: 0' >/dev/null
}

old() {
	checked old '' && unknown old 1 && errors old $'double free,yes\n'
}

no_end() {
	checked "$1" $'no_end '"$2"$'\n'
}

# each_reader LOG: what every command that reads logs says on stderr, a file of each
each_reader() {
	local code=0

	"$program" report "$1" >/dev/null 2>report.said &&
		"$program" timeline "$1" >/dev/null 2>timeline.said &&
		"$program" objects "$1" >/dev/null 2>objects.said &&
		"$program" db import said.db "$1" >/dev/null 2>db.said || return 1
	"$program" diff whole.log "$1" --fail-above 1T >/dev/null 2>diff.said || code=$?
	[ $code = 1 ]
}

# The last event is CPU 0's second free of B, 40 ns after the log began.
says_so() {
	local log reader said='the end is missing: the last event is 0.000000040 s after the log began'

	for log in killed.log no-totals.log no-totals-old.log; do
		each_reader $log || return 1
		for reader in report timeline objects db diff; do
			grep -q "$log: $said, at 2023-11-14 22:13:20 UTC;" $reader.said || {
				echo "$reader $log"
				cat $reader.said
				return 1
			}
		done
	done
	{ "$program" check killed.log --format json || :; } |
		python3 -c 'import json, sys; assert json.load(sys.stdin)["summary"]["no_end"]["last_event_ns"] == 40'
	errors killed $'double free,yes\n'
}

totals() {
	checked totals '' && checked totals-old '' && checked foreign ''
}

no_totals() {
	checked no-totals $'no_end 0\n' && checked no-totals-old $'no_end 0\n' &&
		checked cut-line $'no_end 0\n' && checked cut-total $'no_end 0\n' &&
		checked cut-number $'cut 1\nno_end 0\n'
}

# What is missing at the end of a stream is known by the totals alone.
tail_missing() {
	checked tail $'missing_records 2\noverrun 1\n' && checked gone $'missing_records 1\n'
}

# CPU 1 of the log ends 15 ns after the log began, without an END.
interval() {
	"$program" objects killed.log --to 0.000000012 >/dev/null 2>early.said && [ ! -s early.said ] &&
		"$program" objects killed.log --to 0.000000035 >/dev/null 2>late.said &&
		grep -q 'the end is missing' late.said
}

missed() {
	checked missed $'missed_calls 7\nrefused_events 3\n' &&
		errors missed $'double free,no: calls not recorded\n'
}

before() {
	checked before '' && errors before '' && unknown before 2
}

ktap_plan 12
ktap "a whole log" whole
ktap "a log of a module that writes no boundaries" old
ktap "a stream without an END" no_end killed 1
ktap "a stream that was not read at all" no_end unread 1
ktap "a log without a stream" no_end empty 1
ktap "every reader states that the end is missing, and the last event" says_so
ktap "a log with totals" totals
ktap "totals are missing, or cut" no_totals
ktap "totals tell what is missing at the end of a stream" tail_missing
ktap "an interval that a stream does not reach" interval
ktap "calls and NMIs that were not recorded" missed
ktap "what was met before the log began is unknown" before
ktap_end
