#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the test suites of a tier and add up their KTAP results.
#
#	check.sh [TIER]		check (the default), all or soak: see the tables below
#	check.sh --list [TIER]	the names of a tier's suites
#	SUITES="unit host" check.sh all		only these suites
#	LIMIT=SECONDS check.sh all		start no suite after that time
#	UNTIL=SECONDS check.sh all		stop each suite that still runs then: it has failed
#	SPACE=MEGABYTES check.sh	start no suite while less than this is free (default: 3072) where
#				the outputs, the cache or temporary files are
#	JOBS=N check.sh		N suites at once (default: two more than there are CPUs, because
#				some suites wait for a clock or a disk)
#
# The rows of a table are `NAME KERNELS READS COMMAND`:
#
#   KERNELS	the kernels that the suite needs (keys of tests/qemu/kernel.sh, or `stock`),
#		separated by commas, or -.  KEY:KIND is one part of a kernel.  A suite whose
#		kernel cannot be had counts as skipped, with the reason.  A row with @ in its
#		name stands for one suite for each kernel of `kernel.sh others`; @ in the other
#		columns is that kernel.
#   READS	the files and directories that decide the result, in addition to the files and
#		directories that the command names, separated by commas; "." is the whole tree,
#		"-" no file.  Suites whose files have changed since they last passed run first.
#		Of those that have changed, and of the others, the longest run first.
#   COMMAND	a shell command, run at the top of the tree, with O as the absolute output
#		directory.  It prints KTAP.  A command that begins with "& " has a given time
#		to use: it runs beside the others from the beginning (unless JOBS=1), and
#		lowers its own weight so that it takes the time that they leave.
#
# One line for each suite, in the order in which the suites end: the results, the seconds
# of wall time, and the seconds of CPU time of its processes, which a busy machine does not
# change.  A suite has failed if a result is `not ok`, if it has no result, if it has not as
# many results as it planned, if its status is not 0, or if it runs for more than 80 minutes
# (soak: a day): then it is stopped.  A failed suite shows its failed
# results, the path of its whole output, and the command that runs it alone.  The last line
# is `N passed, N failed`, with `, N skipped` where something was skipped; a suite that was
# not run counts as one skipped result, never as passed.  The exit status is 1 if anything
# failed.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"
cd "$top"

# tier	groups of scripts/setup.sh		tables
tiers='
check	build,static,demo,doc,check,browser		tests/suites
all	build,static,demo,doc,check,browser,all		tests/suites,tests/suites-all
soak	build,static,demo,doc,check,browser,all		tests/suites-soak
'

list=
[ "${1-}" != --list ] || { list=1; shift; }
tier=${1:-check}
read -r groups tables < <(awk -v tier="$tier" '$1 == tier { print $2, $3 }' <<<"$tiers") ||
	die "unknown tier '$tier' (expected check, all or soak)"

# What several suites compile is compiled once: the compilers are Debian's links to ccache,
# if that is installed.
[ ! -d /usr/lib/ccache ] || export PATH=/usr/lib/ccache:$PATH
# Many tests start python3. Where python3 is a version manager's shell script
# (pyenv: 0.15 s of CPU time for each start), PATH names the interpreter that the script ends in.
if exe=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) && [ -x "$exe" ] &&
	! [ "$(type -P python3)" -ef "$exe" ]; then
	export PATH=${exe%/*}:$PATH
fi
# Modules are built once, with all warnings, because two of the suites check these.
export W=1
at_once=${JOBS:-$(($(nproc) + 2))}
limit=${LIMIT:-}
until=${UNTIL:-}
# seconds, for a suite that hangs. A cold debug-6.1 beside three more kernel builds and other work
# took 2,408 s to build its kernel; guests that hang have limits of their own.
longest=4800
[ "$tier" != soak ] || longest=86400
[[ $at_once =~ ^[1-9][0-9]*$ ]] || die "invalid JOBS='$at_once' (expected a number of suites, from 1 on)"
[[ $limit =~ ^[0-9]*$ ]] || die "invalid LIMIT='$limit' (expected a number of seconds)"
space=${SPACE:-3072}
[[ $space =~ ^[0-9]+$ ]] || die "invalid SPACE='$space' (expected a number of megabytes)"
[[ $until =~ ^[0-9]*$ ]] || die "invalid UNTIL='$until' (expected a number of seconds)"

# The rows of the tier, with a row for each kernel in place of one with @.  The self-test
# has a table of its own.
read -r -a files <<<"${CHECK_TABLE:-${tables//,/ }}"
others=$(tests/qemu/kernel.sh others | paste -sd ' ')
rows=$(awk -v others="$others" '
	!NF || /^#/ { next }
	$1 !~ /@/ { print; next }
	{
		n = split(others, kernel, " ")
		for (i = 1; i <= n; i++) {
			row = $0
			gsub(/@/, kernel[i], row)
			print row
		}
	}' "${files[@]}")

# field NAME COLUMN: of a suite's row; the command is all from the fourth column on
field() {
	awk -v name="$1" -v column="$2" '
	$1 != name { next }
	column < 4 { print $column; exit }
	{ sub(/^[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+/, ""); print; exit }' <<<"$rows"
}
suites() { awk '{ print $1 }' <<<"$rows"; }
command_of() { field "$1" 4 | sed 's/^& *//'; }
is_beside() { [ "$at_once" -gt 1 ] && [[ $(field "$1" 4) == '&'* ]]; }

# The state of all that decides a suite's result: a sum over its row and its files, which are
# in $sums as `SUM PATH`.  tests/NAME.sh brings its tests/NAME.guest and tests/NAME.py, and a
# directory all that is in it.
state_of() {
	local word reads

	reads=$(field "$1" 3)
	for word in $(command_of "$1"); do
		[ ! -f "$word" ] || reads=$reads,${word%.*}.
		[ ! -d "$word" ] || reads=$reads,$word/
	done
	[ "$(field "$1" 2)" = - ] || reads=$reads,tests/qemu/,tests/kernel/lib,scripts/module.sh
	{
		field "$1" 4
		awk -v reads="$reads" '
		BEGIN { n = split(reads, prefix, ",") }
		{ for (i = 1; i <= n; i++) if (prefix[i] == "." || index($2, prefix[i]) == 1) { print; next } }' <<<"$sums"
	} | sha256sum | cut -c 1-32
}

# Of the suites given, first those that have not passed in their present state.  Of these, and of
# the others, the longest come first, so that no long one runs alone at the end: by the seconds of
# the last pass, and those that have not passed here yet before them, as the table has them.
affected_first() {
	local name passed seconds unchanged

	for name in "$@"; do
		passed='' seconds='' unchanged=0
		# a state that an older check.sh left has no seconds
		read -r passed seconds 2>/dev/null <"$green/$name" || true
		[ "$passed" != "${state[$name]}" ] || unchanged=1
		printf '%s %s %s\n' "$unchanged" "${seconds:-$longest}" "$name"
	done | sort -s -k1,1n -k2,2nr | cut -d ' ' -f 3
}

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

# What a reader needs of a failed suite: the failed results with their comments (which some
# tools print before the result, others after it), or the end of its log.  All of the log is
# read: head would break the pipe, and pipefail would end this script.  A log may have bytes
# that are not text.
show_failures() {
	local name=$1 named=$2 log=$logs/$1.log

	if [ "$named" -gt 0 ]; then
		grep -a -E -B 8 -A 24 '^not ok' "$log" | grep -a -E '^(not ok|#)' | sed -n 1,60p
	else
		tail -n 15 "$log"
	fi | sed 's/^/      /'
	printf '      run it alone: make %s SUITES=%s\n      its log: %s\n' "$target" "$name" "$log"
}

# The CPU time in seconds, from a file with the output of `times`, of all processes that the
# shell has waited for, and of their children.
cpu_seconds() {
	awk 'NR == 2 { gsub(/[ms]/, " "); printf "%.0f\n", 60 * ($1 + $3) + $2 + $4 }' "$1"
}

# why_not NAME: print why a suite cannot run here: a kernel that it needs cannot be had.
# Fails if the suite can run.  A reason holds for the whole run, because a mirror that does not
# answer costs each suite that asks it a minute.
why_not() {
	local kernel words=$logs/.$1.kernels reason status

	for kernel in $(field "$1" 2 | tr ',' ' '); do
		[ "$kernel" != - ] || continue
		case $kernel in stock | stock:*) kernel=$(tests/qemu/kernel.sh stock)${kernel#stock} ;; esac
		reason=$logs/.no-kernel-$kernel
		[ ! -s "$reason" ] || { cat "$reason"; return; }
		status=0
		tests/qemu/kernel.sh have "$kernel" >"$words" 2>&1 || status=$?
		[ "$status" -eq 69 ] || continue
		tail -n 1 "$words" >"$words.last"
		mv "$words.last" "$reason"
		cat "$reason"
		return
	done
	return 1
}

# run_for NAME SECONDS: run the command of a suite, whose status is the result.  Sets stopped if
# it still runs after that time.
run_for() {
	local suite clock status=0

	bash -c "$(command_of "$1")" </dev/null &
	suite=$!
	sleep "$2" >/dev/null 2>&1 &
	clock=$!
	wait -n "$suite" "$clock" || status=$?
	if kill -0 "$suite" 2>/dev/null; then
		printf '\n# stopped: still ran after %s s\n' "$2"
		stopped=1
		return
	fi
	kill "$clock"
	return "$status"
}

# run_suite NAME, in a shell and a process group of its own: status, seconds and CPU time of
# the suite go into a file beside its log.
run_suite() {
	local log=$logs/$1.log start=$SECONDS seconds=$longest status=0 why stopped=

	[ -z "$until" ] || [ $((until - start)) -ge "$seconds" ] || seconds=$((until - start))
	[ "$seconds" -gt 0 ] || seconds=1
	if why=$(why_not "$1"); then
		printf '1..1\nok 1 %s # SKIP %s\n' "$1" "$why" >"$log"
	else
		run_for "$1" "$seconds" >"$log" 2>&1 || status=$?
	fi
	# what a stopped suite has started ends before the suite is reported
	[ -z "$stopped" ] || { trap '' TERM; kill -TERM -- "-$BASHPID"; sleep 2; }
	# not in a pipe, whose shell has no children of its own
	times >"$logs/.$1.times"
	[ -z "$stopped" ] || status=stopped
	echo "$status $((SECONDS - start)) $(cpu_seconds "$logs/.$1.times")" >"$logs/.$1.status.new"
	mv "$logs/.$1.status.new" "$logs/.$1.status"
	# and what ignores that
	[ -z "$stopped" ] || kill -KILL -- "-$BASHPID"
}

# Add the results of a suite that has run to the totals, and print its line.
report_suite() {
	local name=$1 log=$logs/$1.log status seconds cpu
	local passed failed skipped planned why=

	read -r status seconds cpu <"$logs/.$name.status"
	read -r passed failed skipped planned < <(count_ktap "$log")
	local named=$failed results=$((passed + failed + skipped))
	if [ "$status" = stopped ]; then
		why="stopped after $seconds s"
	elif [ "$results" -eq 0 ]; then
		why="no result"
	elif [ "$results" -ne "$planned" ]; then
		why="$results results, $planned planned"
	elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
		why="exit status $status"
	fi
	[ -z "$why" ] || failed=$((failed + 1))
	printf '  %-14s %5d passed %3d failed %3d skipped %5d s %5d s CPU%s\n' "$name" \
		"$passed" "$failed" "$skipped" "$seconds" "$cpu" "${why:+  ($why)}"
	# each skipped result has its reason
	grep -a -E '^ok [0-9]+.*# *SKIP' "$log" | sed 's/^/      /' || true
	[ "$failed" -eq 0 ] || show_failures "$name" "$named"
	[ "$failed" -gt 0 ] || [ "$skipped" -gt 0 ] || echo "${state[$name]} $seconds" >"$green/$name"
	all_passed=$((all_passed + passed))
	all_failed=$((all_failed + failed))
	all_skipped=$((all_skipped + skipped))
	all_cpu=$((all_cpu + cpu))
}

# Report the suites that have ended since the last call.
report_done() {
	local name left=()

	for name in ${waiting[@]+"${waiting[@]}"}; do
		if [ -e "$logs/.$name.status" ]; then
			report_suite "$name"
		else
			left+=("$name")
		fi
	done
	waiting=(${left[@]+"${left[@]}"})
	[ ! -t 1 ] || [ ${#waiting[@]} -eq 0 ] || printf '  %s ...\033[K\r' "${waiting[*]}"
}

# The number of suites that run, without those that run beside the others.
running() {
	local name number

	number=$(jobs -pr | wc -l)
	for name in ${beside[@]+"${beside[@]}"}; do
		[ -e "$logs/.$name.status" ] || number=$((number - 1))
	done
	echo "$number"
}

# Each suite is a process group of its own, which must end with this script.
end_suites() {
	local pid

	for pid in $(jobs -p); do
		kill -- "-$pid" 2>/dev/null || true
	done
	exit 130
}

# Megabytes that are free: the least of the outputs, the cache and temporary files.
free_space() {
	df --output=avail -BM "$O" "$(cache_dir)" "${TMPDIR:-/tmp}" | tr -dc '0-9\n' | grep . | sort -n | sed -n 1p
}

# start NAME: unless the time is over or the disk is full. A suite on a full disk would fail, and
# others with it, for a reason that is not in the tree.
start() {
	local free

	if [ -n "$limit" ] && [ "$SECONDS" -ge "$limit" ]; then
		not_started+=("$1  LIMIT=$limit is over")
		return
	fi
	free=$(free_space)
	if [ "$free" -lt "$space" ]; then
		not_started+=("$1  $free MB are free, and $space MB are needed (SPACE=)")
		return
	fi
	[ "$free" -ge "$least_free" ] || least_free=$free
	waiting+=("$1")
	run_suite "$1" {lock}>&- &
}

[ -z "$list" ] || { suites; exit; }
# shellcheck disable=SC2206 # names
chosen=(${SUITES:-$(suites)})
for name in "${chosen[@]}"; do
	[ -n "$(command_of "$name")" ] ||
		die "no suite '$name' in tier $tier (make check-all has all suites but those of make soak); there are:" \
			"$(suites | paste -sd ' ')"
done
mkdir -p "${O:-out}"
O=$(cd "${O:-out}" && pwd)
export O
target=check
[ "$tier" = check ] || target=check-$tier
[ "$tier" != soak ] || target=soak
logs=$O/$target
green=$(cache_dir)/green
# Two runs of a tier in one directory would remove each other's logs.
exec {lock}>"$O/.$target.lock"
flock -n "$lock" || die "another 'make $target' uses $O; wait until it ends, or give this one a directory: O=DIR"
rm -rf "$logs"
mkdir -p "$logs" "$green"
# On a machine that cannot fetch Debian's kernels, the suites that need them are skipped, and
# nothing is needed for their guests.
type -P apt-get dpkg-deb >/dev/null || groups=${groups/,demo/}
# shellcheck disable=SC2086 # names of groups
[ -n "${CHECK_TABLE-}" ] || scripts/setup.sh ${groups//,/ }
# scripts/setup.sh looks for Python's modules where Debian puts them. The python3 of a version
# manager does not look there, and the one of pyenv takes 0.1 s to start.
if [ -x /usr/bin/python3 ] && [ "$(command -v python3)" != /usr/bin/python3 ]; then
	mkdir -p "$O/python"
	ln -sf /usr/bin/python3 "$O/python/python3"
	export PATH=$O/python:$PATH
fi
sums=$(git ls-files -co --exclude-standard -z | xargs -0 sha256sum 2>/dev/null || true)
declare -A state
for name in "${chosen[@]}"; do
	state[$name]=$(state_of "$name")
done
all_passed=0 all_failed=0 all_skipped=0 all_cpu=0
waiting=() beside=() not_started=()
least_free=$(free_space)
set -m
trap end_suites INT TERM HUP
mapfile -t ordered < <(affected_first "${chosen[@]}")
for name in "${ordered[@]}"; do
	is_beside "$name" || continue
	beside+=("$name")
	start "$name"
done
for name in "${ordered[@]}"; do
	! is_beside "$name" || continue
	while [ "$(running)" -ge "$at_once" ]; do
		wait -n || true
		report_done
	done
	start "$name"
done
while [ ${#waiting[@]} -gt 0 ]; do
	wait -n || true
	# a suite that was killed has no status
	[ -n "$(jobs -p)" ] || for name in "${waiting[@]}"; do
		[ -e "$logs/.$name.status" ] || echo 255 0 0 >"$logs/.$name.status"
	done
	report_done
done
trap - INT TERM HUP
set +m
for name in ${not_started[@]+"${not_started[@]}"}; do
	printf '  %-14s not started: %s\n' "${name%%  *}" "${name#*  }"
	all_skipped=$((all_skipped + 1))
done
printf '  %-14s %s at once, %d s, %d s CPU, at least %d MB free\n' "all suites" "$at_once" "$SECONDS" \
	"$all_cpu" "$least_free"
summary="$all_passed passed, $all_failed failed"
[ "$all_skipped" -eq 0 ] || summary="$summary, $all_skipped skipped"
echo "$summary"
[ "$all_failed" -eq 0 ]
