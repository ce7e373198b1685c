#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run every test script of a directory: a suite of small parts.
#
#	each.sh DIR		run all DIR/*.sh except lib.sh and *-lib.sh, which scripts share, and
#				record*.sh, which write expected results and are run by hand only
#	JOBS=N each.sh DIR	run N scripts at once (2; a script waits for clocks and
#				pipes at times)
#	each.sh --one WORK FILE	for each.sh itself: run one script, then print what is ready
#
# The KTAP of each script goes to stdout as a whole, in the order of the names, as soon as
# all scripts before it have ended; check.sh adds the plans up. The first failed result of
# a script is followed by the command that runs this script alone. The exit status is 1 if
# a script fails, even if all of its results passed, or if it prints no result.
set -euo pipefail

# run_script WORK FILE: the status file appears last, so that its output is complete.
run_script() {
	local name=${2##*/} status=0

	"$2" >"$1/$name.out" 2>&1 || status=$?
	echo "$status" >"$1/$name.new"
	mv "$1/$name.new" "$1/$name.status"
}

# report FILE STATUS: print the output on stdin, with the command for a failed script.
report() {
	awk -v file="$1" -v status="$2" -v out="${O:+O=$O }" '
	function hint() { if (!hinted++) printf "# to run this script alone: %s%s\n", out, file }
	BEGIN { print "# " file }
	{ print }
	/^(not )?ok [0-9]/ { results++ }
	/^not ok [0-9]/ { failed++; hint() }
	END {
		if (!results) printf "1..1\nnot ok 1 %s gives no result\n", file
		else if (status != 0 && !failed) print "# " file " exits with status " status
		if (status != 0 || !results) hint()
	}'
}

# print_ready WORK: print the scripts that have ended, up to the first one that has not.
# The caller holds the lock.
print_ready() {
	local file name status

	while read -r file; do
		name=$1/${file##*/}
		[ ! -e "$name.printed" ] || continue
		[ -e "$name.status" ] || return 0
		read -r status <"$name.status"
		report "$file" "$status" <"$name.out"
		: >"$name.printed"
		if [ "$status" -ne 0 ] || ! grep -qE '^(not )?ok [0-9]+' "$name.out"; then : >"$1/failed"; fi
	done <"$1/list"
}

if [ "${1-}" = --one ]; then
	run_script "$2" "$3"
	exec 9>"$2/lock"
	flock 9
	print_ready "$2"
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%s\n' "${1:?a directory of test scripts}"/*.sh | grep -vE '/(lib|[^/]*-lib|record[^/]*)\.sh$' >"$work/list"
# xargs and not jobs of this shell: those would ignore SIGINT, and so would what they test
xargs -d '\n' -n 1 -P "${JOBS:-2}" "$0" --one "$work" <"$work/list"
[ ! -e "$work/failed" ]
