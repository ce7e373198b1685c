#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Functions that series.sh, style.sh, release.sh and jury-rig.sh share. Sourced at the top of
# the checkout, after tests/ktap.sh and scripts/lib.sh.

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

# has_source VERSION: sets reason if Debian's source is not available. Only this is skipped: a
# source that cannot be unpacked is a failure.
has_source() {
	local status=0

	reason=$(tests/qemu/kernel.sh dir source "$1" 2>&1 >/dev/null) || status=$?
	# kernel.sh exits with 69 for a source that cannot be had
	[ "$status" -eq 69 ] || return 0
	reason="no source of Linux $1 (tests/qemu/kernel.sh dir source $1): ${reason##*$'\n'}"
	return 1
}

# source_of VERSION: print the repository of the files that its series depends on
source_of() {
	scripts/patches.sh files "$1"
}

# A tree of the repository $1 in folder $2, without git.
plain_tree() {
	mkdir -p "$2"
	git -C "$1" -c tar.umask=0022 archive base | tar -x -C "$2"
}

# work_tree REPOSITORY FOLDER: a clone that `git am` can commit to
work_tree() {
	git clone -q --branch base "$1" "$2"
	git -C "$2" config user.name test
	git -C "$2" config user.email test@localhost
}

# patch_all TREE SERIES: -F0 rejects a hunk whose context differs. -f keeps patch from
# reversing one that looks applied.
patch_all() {
	local file

	while read -r file; do
		patch -d "$1" -p1 -F0 -f --no-backup-if-mismatch -i "$2/$file" || return
	done <"$2/series"
}

# Contents and modes.
same_trees() {
	diff -r -x .git "$1" "$2" &&
		diff <(modes_of "$1") <(modes_of "$2")
}

modes_of() {
	(cd "$1" && find . -name .git -prune -o -type f -printf '%m %P\n') | LC_ALL=C sort -k 2
}
