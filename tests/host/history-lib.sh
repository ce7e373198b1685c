# shellcheck shell=bash disable=SC2154 # $program is lib.sh's
# SPDX-License-Identifier: GPL-2.0-only
#
# Histories for tests, recorded by watch from snapshots; sourced after lib.sh, in a folder that is free.

# record_all DIR SNAPSHOT...: one program records all, so that most samples say what changed. Each file is seen twice: the
# first one of the two may have been read before it was replaced. In between the program is stopped: on a busy machine
# it would see each file so often that "leaks" takes only some of the samples.
record_all() {
	local dir=$1 pid lines=() before never

	shift
	# reads of it wait: a pause without a process
	exec {never}<> <(:)
	cp "$1" now
	: >log
	"$program" watch -f now --interval 0.03 -v "$dir" >>log 2>>said &
	pid=$!
	for s; do
		cp "$s" next
		mv next now
		mapfile -t lines <log
		before=${#lines[@]}
		kill -CONT "$pid"
		while kill -0 "$pid" && [ ${#lines[@]} -lt $((before + 2)) ]; do
			read -r -t 0.01 -u "$never" || true
			mapfile -t lines <log
		done
		kill -STOP "$pid"
	done
	exec {never}<&-
	kill -TERM "$pid"
	kill -CONT "$pid"
	wait "$pid"
}

# record DIR SNAPSHOT...: one sample of each, by a program of its own
record() {
	local dir=$1 s

	shift
	for s; do
		cp "$s" now
		"$program" watch -f now -n 1 "$dir" 2>>said >>shown || return
	done
}

# refused WORDS COMMAND...: one line, and nothing changes
refused() {
	local words=$1 status=0

	shift
	"$@" >shown 2>said </dev/null || status=$?
	cat said
	[ "$status" != 0 ] && [ ! -s shown ] && grep -q "$words" said
}
