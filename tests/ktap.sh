#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# KTAP for shell tests: sourced, then
#
#	ktap_plan N			how many results will follow
#	ktap NAME COMMAND...		one result: ok if COMMAND exits with 0
#	ktap_pass NAME, ktap_fail NAME, ktap_skip NAME REASON
#	ktap_end			exit status: 0 if all was well
#
# What a failing COMMAND printed follows its result as "# " lines.  A result more
# or less than planned is a failure of the whole.

ktap_done=0 ktap_failed=0 ktap_planned=0

ktap_plan() {
	ktap_planned=$1
	printf 'KTAP version 1\n1..%d\n' "$1"
}

ktap_pass() {
	ktap_done=$((ktap_done + 1))
	printf 'ok %d %s\n' "$ktap_done" "$1"
}

ktap_fail() {
	ktap_done=$((ktap_done + 1))
	ktap_failed=$((ktap_failed + 1))
	printf 'not ok %d %s\n' "$ktap_done" "$1"
}

ktap_skip() {
	ktap_done=$((ktap_done + 1))
	printf 'ok %d %s # SKIP %s\n' "$ktap_done" "$1" "$2"
}

# The command runs in a subshell, so that neither its `exit` nor a change of
# directory is felt here. It ends at its first line that fails: tested by if, or
# before ||, bash would go on behind such a line and take the last one's status.
ktap() {
	local name=$1 output status
	shift

	set +e
	output=$(set -e; "$@" 2>&1)
	status=$?
	set -e
	if [ "$status" -eq 0 ]; then
		ktap_pass "$name"
	else
		ktap_fail "$name"
		[ -z "$output" ] || printf '%s\n' "$output" | tail -n 30 | sed 's/^/# /'
	fi
}

ktap_end() {
	if [ "$ktap_done" -ne "$ktap_planned" ]; then
		printf '# %d results, %d planned\n' "$ktap_done" "$ktap_planned"
		return 1
	fi
	[ "$ktap_failed" -eq 0 ]
}
