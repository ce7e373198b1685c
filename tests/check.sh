#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the test suites of a table and count what their KTAP says.
#
#	check.sh			all suites
#	SUITES="unit host" check.sh	some
#	check.sh --list			their names
#	check.sh --soak ...		the same for the long suites, tests/suites-soak
#	JOBS=N check.sh			N suites at once (one more than there are CPUs: at
#					times one waits for a clock or a disk)
#
# A suite whose command begins with "& " has a given time to use: it runs beside the
# others from the beginning (unless JOBS=1), and lowers its own weight to what they leave.
#
# One line for each suite, in the order of the table: what it says, the seconds it took, and
# those of CPU time that its processes used, which others on the machine do not add to (but
# what a suite waits for under a lock is counted where it is made).  What failed is shown
# below it, the whole output is kept in out/check/NAME.log.  A suite that fails without saying
# which result, that says nothing, or less than it planned, has failed.  The last
# line is `N passed, N failed`, with `, N skipped` where something was; the exit
# status is 1 if anything failed.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"
cd "$top"
mkdir -p "${O:-out}"
O=$(cd "${O:-out}" && pwd)
export O
# What was compiled once as it is, in this run or an earlier one, is not compiled again: the
# compilers are Debian's links to ccache, if that is installed.
[ ! -d /usr/lib/ccache ] || export PATH=/usr/lib/ccache:$PATH
# Modules are built once, and with all warnings: two of the suites ask for them.
export W=1
logs=$O/check
at_once=${JOBS:-$(($(nproc) + 1))}
# the table is for the self-test to replace
table=${CHECK_TABLE:-tests/suites}
[ "${1-}" != --soak ] || { table=tests/suites-soak; shift; }

suites() { awk 'NF && $1 !~ /^#/ { print $1 }' "$table"; }
words_of() { awk -v s="$1" '$1 == s { $1 = ""; sub(/^ +/, ""); print; exit }' "$table"; }
command_of() { words_of "$1" | sed 's/^& *//'; }
is_beside() { [ "$at_once" -gt 1 ] && [[ $(words_of "$1") == '&'* ]]; }

# passed failed skipped planned of the KTAP in a log.  Only results of the
# outermost level count: those of subtests are summed up by their parent.
count_ktap() {
	awk '
	{ sub(/\r$/, "") }
	/^1\.\.[0-9]+/ { planned += substr($1, 4); next }
	/^ok [0-9]+.*# *SKIP/ { skipped++; next }
	/^ok [0-9]+/ { passed++ }
	/^not ok [0-9]+/ { failed++ }
	END { print passed + 0, failed + 0, skipped + 0, planned + 0 }' "$1"
}

# What a reader needs of a failed suite: the failed results with their comments
# (before them in some tools, after them in others), or the end of its log.  All
# of it is read: head would break the pipe, and pipefail this script.
show_failures() {
	local log=$1 named=$2

	if [ "$named" -gt 0 ]; then
		grep -E -B 8 -A 24 '^not ok' "$log" | grep -E '^(not ok|#)' | sed -n 1,60p
	else
		tail -n 15 "$log"
	fi | sed 's/^/      /'
	printf '      (all of it: %s)\n' "$log"
}

# The CPU time in seconds, from a file with what `times` says, of all that the shell has
# waited for, and they for.
cpu_seconds() {
	awk 'NR == 2 { gsub(/[ms]/, " "); printf "%.0f\n", 60 * ($1 + $3) + $2 + $4 }' "$1"
}

# run_suite NAME: its status, how long it took and its CPU time go beside its log. In a
# shell of its own.
run_suite() {
	local log=$logs/$1.log start=$SECONDS status=0

	bash -c "$(command_of "$1")" >"$log" 2>&1 </dev/null || status=$?
	# not in a pipe, whose shell has waited for nobody
	times >"$logs/.$1.times"
	echo "$status $((SECONDS - start)) $(cpu_seconds "$logs/.$1.times")" >"$logs/.$1.status.new"
	mv "$logs/.$1.status.new" "$logs/.$1.status"
}

# Of a suite that has run: adds to the totals, prints its line.
report_suite() {
	local name=$1 log=$logs/$1.log status seconds cpu
	local passed failed skipped planned why=

	read -r status seconds cpu <"$logs/.$name.status"
	read -r passed failed skipped planned < <(count_ktap "$log")
	local named=$failed results=$((passed + failed + skipped))
	if [ "$results" -eq 0 ]; then
		why="no result"
	elif [ "$results" -ne "$planned" ]; then
		why="$results results, $planned planned"
	elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
		why="exit status $status"
	fi
	[ -z "$why" ] || failed=$((failed + 1))
	printf '  %-14s %5d passed %3d failed %3d skipped %5d s %5d s CPU%s\n' "$name" \
		"$passed" "$failed" "$skipped" "$seconds" "$cpu" "${why:+  ($why)}"
	[ "$failed" -eq 0 ] || show_failures "$log" "$named"
	# what is skipped says why
	grep -E '^ok [0-9]+.*# *SKIP' "$log" | sed 's/^/      /' || true
	all_passed=$((all_passed + passed))
	all_failed=$((all_failed + failed))
	all_skipped=$((all_skipped + skipped))
	all_cpu=$((all_cpu + cpu))
}

# Report what is at the head of the list $waiting and has run.
report_done() {
	while [ ${#waiting[@]} -gt 0 ] && [ -e "$logs/.${waiting[0]}.status" ]; do
		report_suite "${waiting[0]}"
		waiting=("${waiting[@]:1}")
	done
	[ ! -t 1 ] || [ ${#waiting[@]} -eq 0 ] || printf '  %-14s ...\r' "${waiting[0]}"
}

# How many suites run, without those that run beside them.
running() {
	local name number

	number=$(jobs -pr | wc -l)
	for name in ${beside[@]+"${beside[@]}"}; do
		[ -e "$logs/.$name.status" ] || number=$((number - 1))
	done
	echo "$number"
}

# Each suite is a process group of its own, and ends with us.
end_suites() {
	local pid

	for pid in $(jobs -p); do
		kill -- "-$pid" 2>/dev/null || true
	done
	exit 130
}

if [ "${1-}" = --list ]; then
	suites
	exit
fi
chosen=${SUITES:-$(suites)}
for name in $chosen; do
	[ -n "$(command_of "$name")" ] || die "no suite $name; there are: $(suites | tr '\n' ' ')"
done
rm -rf "$logs"
mkdir -p "$logs"
[ -n "${CHECK_TABLE-}" ] || scripts/setup.sh build demo doc check browser
all_passed=0 all_failed=0 all_skipped=0 all_cpu=0
# shellcheck disable=SC2206 # names
waiting=($chosen) beside=()
set -m
trap end_suites INT TERM
for name in $chosen; do
	is_beside "$name" || continue
	beside+=("$name")
	run_suite "$name" &
done
for name in $chosen; do
	! is_beside "$name" || continue
	while [ "$(running)" -ge "$at_once" ]; do
		wait -n || true
		report_done
	done
	run_suite "$name" &
done
while [ ${#waiting[@]} -gt 0 ]; do
	wait -n || true
	# one that was killed has said nothing
	[ -n "$(jobs -p)" ] || for name in "${waiting[@]}"; do
		[ -e "$logs/.$name.status" ] || echo 255 0 0 >"$logs/.$name.status"
	done
	report_done
done
trap - INT TERM
set +m
printf '  %-14s %s at once, %d s, %d s CPU\n' "all suites" "$at_once" "$SECONDS" "$all_cpu"
summary="$all_passed passed, $all_failed failed"
[ "$all_skipped" -eq 0 ] || summary="$summary, $all_skipped skipped"
echo "$summary"
[ "$all_failed" -eq 0 ]
