#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Shell functions that the project's scripts share: messages, the cache's
# place, locks and timed steps.  Sourced, never run; it does nothing by itself.

# All messages go to stderr: stdout is for answers.
say() { printf '%s\n' "$*" >&2; }
die() { say "${0##*/}: $*"; exit 1; }

# Where everything fetched is kept.
cache_dir() { printf '%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}/kmem-account"; }

# step LABEL COMMAND...: run COMMAND with its output in a log, show LABEL with
# the seconds gone by (running on a terminal, once at the end elsewhere), and
# show the log only when COMMAND fails.  Returns COMMAND's status.
#
# COMMAND is a process group of its own: Ctrl-C would not reach what a script
# started in the background, so the whole group is told to end.
step() {
	local label=$1 log pid status=0 start=$SECONDS
	shift
	log=$(mktemp)
	set -m
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	set +m
	# shellcheck disable=SC2064 # the values of now
	trap "kill -TERM -- -$pid 2>/dev/null; wait $pid || :; rm -f '$log'; exit 130" INT TERM
	while [ -t 2 ] && kill -0 "$pid" 2>/dev/null; do
		printf '\r  %-44s %4d s ' "$label" $((SECONDS - start)) >&2
		sleep 0.5
	done
	wait "$pid" || status=$?
	trap - INT TERM
	[ ! -t 2 ] || printf '\r' >&2
	if [ "$status" -eq 0 ]; then
		say "$(printf '  %-44s %4d s' "$label" $((SECONDS - start)))"
	else
		say "$(printf '  %-44s FAILED after %d s' "$label" $((SECONDS - start)))"
		tail -n 40 "$log" >&2
	fi
	rm -f "$log"
	return "$status"
}

# Copy file $1 to $2 if that is another: what is the same keeps its time.
copy_changed() {
	cmp -s "$1" "$2" || { mkdir -p "${2%/*}"; cp "$1" "$2"; }
}

# What kbuild reads of folder $1.
sources_of() {
	(cd "$1" && find . -type f \( -name '*.[chS]' -o -name 'K*' -o -name 'Makefile' \) \
		-not -name '*.mod.c' -printf '%P\n')
}

# Make folder $2 a copy of the sources in $1. Only what changed is copied, so that
# kbuild makes only what is new; what kbuild has written there stays.
sync_sources() {
	local file

	while IFS= read -r file; do
		copy_changed "$1/$file" "$2/$file"
	done < <(sources_of "$1")
	[ -d "$2" ] || return 0
	while IFS= read -r file; do
		[ -e "$1/$file" ] || rm -f "$2/$file"
	done < <(sources_of "$2")
}
