#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The patch series, patches/vVERSION, and the kernel trees that they are for.
#
#	patches.sh bases			the versions there are series for
#	patches.sh base VERSION			Debian's source as a git repository, branch base
#	patches.sh tree VERSION FOLDER		a work tree of one's own of it
#	patches.sh config TREE OUTPUT [FILE...]	the small configuration in OUTPUT, with FILEs
#	patches.sh refresh [VERSION...]		make the series anew (all)
#	patches.sh series VERSION FOLDER	the same, but into FOLDER
#	patches.sh files FOLDER			what patch 1 adds, into FOLDER
#
# To refresh a series is to make patch 1 of our own sources, put the others onto it, and
# format all again; nothing changes where nothing has changed.
#
# A repository is made once for each version of Debian's package, in the cache, from
# what kernel.sh fetches: one commit that never changes.  Made beside its place and
# renamed into it, under a lock: what exists is whole.
set -euo pipefail
shopt -s inherit_errexit

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/.." && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
# shellcheck source=scripts/series.sh
. "$here/series.sh"

cache=$(cache_dir)/kernels
# the kernel's make is not to see what was typed for ours
unset MAKEFLAGS MFLAGS MAKELEVEL KBUILD_OUTPUT

usage() {
	sed -n '/^#	patches.sh/s/^#	//p' "${BASH_SOURCE[0]}" >&2
	exit 2
}

bases() {
	local dir

	for dir in "$top"/patches/v*/; do
		dir=${dir%/}
		printf '%s\n' "${dir##*/v}"
	done | sort -V
}

# The shell does not stop at an error by itself in what step runs.
make_repository() {
	mkdir "$2" &&
		xz -dc -T0 "$1/linux-source.tar.xz" | tar -x -C "$2" --strip-components=1 &&
		git -C "$2" init -q -b base &&
		git -C "$2" config core.compression 1 &&
		git -C "$2" config gc.auto 0 &&
		git -C "$2" add -A -f . &&
		git -C "$2" commit -q -m "$(basename "$1" .source)"
}

# base VERSION: print its repository, made on demand
base() {
	local source entry tmp

	source=$("$top/tests/qemu/kernel.sh" dir source "$1")
	entry=${source##*/}
	entry=$cache/${entry%.source}.git
	if [ ! -d "$entry" ]; then
		exec 9>"$cache/.lock.git-$1"
		flock -n 9 || { say "patches.sh: waiting for another unpacking of $1"; flock 9; }
		if [ ! -d "$entry" ]; then
			# we hold the lock: what lies here is of a run that was killed
			rm -rf "$cache/.build.git-$1".*
			tmp=$(mktemp -d "$cache/.build.git-$1.XXXXXX")
			step "unpacking the source of $1" make_repository "$source" "$tmp/tree" ||
				die "cannot unpack the source of $1"
			mv -T "$tmp/tree" "$entry"
			rm -rf "$tmp"
		fi
		exec 9>&-
	fi
	printf '%s\n' "$entry"
}

tree() {
	local repository

	repository=$(base "$1")
	git clone -q --shared --branch base "$repository" "$2"
}

# configure TREE OUTPUT [FILE...]: tinyconfig, the guest's options, small.config and FILEs.
# Each option set must be in what kconfig made of it: one that is not there was renamed, or
# lacks what it depends on.
configure() {
	local tree=$1 output=$2 missing line
	local -a files=("$top/tests/qemu/config/guest.config" "$top/patches/small.config" "${@:3}")

	mkdir -p "$output"
	output=$(cd "$output" && pwd)
	make -s -C "$tree" O="$output" tinyconfig >/dev/null
	(cd "$output" && "$tree/scripts/kconfig/merge_config.sh" -m .config "${files[@]}") >/dev/null 2>&1
	make -s -C "$tree" O="$output" olddefconfig >/dev/null 2>&1
	missing=$(grep -hv '^#' "${files[@]}" | while read -r line; do
		grep -qxF -e "$line" "$output/.config" || echo "$line"
	done)
	[ -z "$missing" ] || die "not in the configuration of $tree: $missing"
}

# series VERSION FOLDER: the series made anew, in FOLDER. It must not be that of $top.
series() {
	local repository tmp tip

	repository=$(base "$1")
	tmp=$(mktemp -d)
	# shellcheck disable=SC2064 # the folder of now
	trap "rm -rf '$tmp'" EXIT
	git clone -q --shared --bare --branch base "$repository" "$tmp/git"
	tip=$(series_commits "$tmp/git" "$top/patches/v$1")
	mkdir -p "$2"
	format_series "$tmp/git" "$tip" "$2"
	rm -rf "$tmp"
	trap - EXIT
}

# Files that are the same keep their time.
refresh() {
	local version new file

	for version in "$@"; do
		new=$(mktemp -d)
		(series "$version" "$new")
		for file in "$top/patches/v$version"/{*.patch,series}; do
			[ ! -e "$file" ] || [ -e "$new/${file##*/}" ] || rm "$file"
		done
		for file in "$new"/*; do
			copy_changed "$file" "$top/patches/v$version/${file##*/}"
		done
		rm -rf "$new"
		say "  patches/v$version: $(wc -l <"$top/patches/v$version/series") patches"
	done
}

command=${1-}
case $command:$# in
bases:1)	bases ;;
base:2)		base "$2" ;;
tree:3)		tree "$2" "$3" ;;
config:[3-9])	configure "${@:2}" ;;
refresh:1)	mapfile -t versions < <(bases); refresh "${versions[@]}" ;;
refresh:*)	refresh "${@:2}" ;;
series:3)	series "$2" "$3" ;;
files:2)	new_files "$2" ;;
*)		usage ;;
esac
