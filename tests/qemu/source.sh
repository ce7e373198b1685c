#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Unpack the source of a kernel and print the directory that has it.
#
#	source.sh KERNEL	KERNEL is a key of kernel.sh: 6.1
#
# There is one tree for each version of Debian's source package, in the cache. It is
# unpacked once, beside its place, and renamed into it under a lock: a tree that exists is
# complete. Every build reads this tree. No build may write to it: kernels are built with
# O=, or in a tree of links (see make_tree in build.sh, and link_tree in tests/kunit/uml.sh).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/../../scripts/lib.sh"

# The shell does not stop at an error by itself in a command that step runs.
unpack() {
	mkdir "$2" &&
		xz -dc -T0 "$1/linux-source.tar.xz" | tar -x -C "$2" --strip-components=1 --no-same-owner
}

# Make $tree from the packed source in $1. The caller holds the lock.
make_tree() {
	local tmp

	# no other process holds the lock: these are left by a run that was killed
	rm -rf "$tree".new.*
	tmp=$(mktemp -d "$tree.new.XXXXXX")
	# shellcheck disable=SC2064 # the directory of now
	trap "rm -rf '$tmp'" EXIT
	step "unpacking the source of $kernel" unpack "$1" "$tmp/tree" ||
		die "cannot unpack the source of $kernel into ${tree%/*}; it needs 1.7 GB of free disk space"
	mv -T "$tmp/tree" "$tree"
	rm -rf "$tmp"
	trap - EXIT
}

[ $# -eq 1 ] || die "usage: source.sh KERNEL"
kernel=$1
source=$("$here/kernel.sh" dir source "$kernel")
tree=${source%.source}.tree
if [ ! -d "$tree" ]; then
	exec 9>"${tree%/*}/.lock.${tree##*/}"
	flock -n 9 || { say "source.sh: waiting for another process that unpacks $kernel"; flock 9; }
	[ -d "$tree" ] || make_tree "$source"
	exec 9>&-
fi
printf '%s\n' "$tree"
