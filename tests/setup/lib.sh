# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Shared by the tests of scripts/setup.sh and scripts/module.sh; sourced. Gives $top, $work
# (removed at exit), $bare and the functions below, and sources ../ktap.sh.

export LC_ALL=C
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/ktap.sh
. "$top/tests/ktap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# $bare has every program of this machine but the package managers and sudo.
bare=$work/bare
mkdir "$bare" "$work/bin"
for dir in /usr/sbin /usr/bin; do
	find $dir -maxdepth 1 ! -type d ! -name 'dpkg*' ! -name 'apt*' ! -name 'sudo*' \
		-exec ln -sf -t "$bare" {} +
done

# stub NAME: a program of $work/bin, whose text is standard input
stub() {
	{ echo '#!/bin/bash'; cat; } >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}

# says REGEX COMMAND...: the command exits with 1, and exactly one line of what it says has
# the words
says() {
	local want=$1 status=0
	shift

	"$@" >"$work/said" 2>&1 </dev/null || status=$?
	cat "$work/said"
	[ "$status" -eq 1 ] && [ "$(grep -cE "$want" "$work/said")" -eq 1 ]
}
