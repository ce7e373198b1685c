#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Shell functions that the project's scripts share: messages, the cache's
# place, verdicts, timed steps.  Sourced, never run; it does nothing by itself.

# All messages go to stderr: stdout is for answers.
say() { printf '%s\n' "$*" >&2; }
die() { say "${0##*/}: $*"; exit 1; }

# Where everything fetched is kept.
cache_dir() { printf '%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}/kmem-account"; }

# What has passed once is not judged again as long as all is the same that its verdict
# depends on, of which a key is made: in the cache a file is kept for it, an empty one.
# To judge all anew, remove the folder, or make clean-cache.
judged_dir() { printf '%s/judged\n' "$(cache_dir)"; }

# sum_of ANYTHING...: short, for a key
sum_of() { printf '%s\n' "$@" | sha256sum | cut -c 1-32; }

# judged_once KEY COMMAND...: the command, unless it has passed with all that KEY says.
# Where the shell ends at the first line that fails, so does it in the command.
judged_once() {
	local verdict status
	verdict=$(judged_dir)/$(sum_of "$1")
	shift

	[ ! -e "$verdict" ] || return 0
	# not before ||, where the shell would not end
	"$@"
	status=$?
	[ "$status" -eq 0 ] || return "$status"
	mkdir -p "${verdict%/*}"
	: >"$verdict"
}

# unjudged KEY: of the files named on stdin those that have not passed with all that KEY
# says: "VERDICT FILE" each. judged marks what it reads as passed.
unjudged() {
	local dir sum file
	dir=$(judged_dir)/files-$(sum_of "$1")

	xargs -r -d '\n' sha256sum -- | while read -r sum file; do
		file="$dir/${file//\//!}.${sum:0:32} $file"
		[ -e "${file%% *}" ] || printf '%s\n' "$file"
	done
}

judged() {
	local verdict file

	while read -r verdict file; do
		mkdir -p "${verdict%/*}"
		: >"$verdict"
	done
}

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
	trap "kill -TERM -- -$pid 2>/dev/null; wait $pid || :; rm -f '$log'; exit 130" INT TERM HUP
	while [ -t 2 ] && kill -0 "$pid" 2>/dev/null; do
		printf '\r  %-44s %4d s ' "$label" $((SECONDS - start)) >&2
		sleep 0.5
	done
	wait "$pid" || status=$?
	trap - INT TERM HUP
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

# need_space DIR MEGABYTES HINT: end with one sentence unless the file system of DIR, or of
# the nearest parent that exists, has the space
need_space() {
	local dir=$1 free

	until [ -e "$dir" ]; do dir=$(dirname "$dir"); done
	free=$(df --output=avail -BM "$dir" | tail -n 1 | tr -dc 0-9)
	[ "$free" -ge "$2" ] || die "$1: $2 MB needed, $free MB free; free some space, or $3"
}

# Copy file $1 to $2 if that is another: what is the same keeps its time.
copy_changed() {
	cmp -s "$1" "$2" || { mkdir -p "${2%/*}" && cp "$1" "$2"; }
}

# What kbuild reads of folder $1.
sources_of() {
	(cd "$1" && find . -type f \( -name '*.[chS]' -o -name 'K*' -o -name 'Makefile' \) \
		-not -name '*.mod.c' -printf '%P\n')
}

# Make folder $2 a copy of the sources in $1. Only what changed is copied, so that
# kbuild makes only what is new; what kbuild has written there stays. A failed copy is reported
# by the status, because step runs this function where the shell does not stop at an error.
sync_sources() {
	local file

	while IFS= read -r file; do
		copy_changed "$1/$file" "$2/$file" || return
	done < <(sources_of "$1")
	[ -d "$2" ] || return 0
	while IFS= read -r file; do
		[ -e "$1/$file" ] || rm -f "$2/$file"
	done < <(sources_of "$2")
}
