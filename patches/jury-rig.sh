#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Put kmem_account into a Linux source tree: its directory, and the hooks of the series for
# the tree's version.
#
#	jury-rig.sh TREE
#
# TREE need not be a git repository, and nothing is committed. compat/ gets the interfaces of
# this tree alone. Each file is prepared in a directory below TREE first. If a part does not
# apply, TREE stays as it was, and the exit status is 1; after SIGHUP, SIGINT or SIGTERM it is
# 130. After SIGKILL, TREE may have a part of the files, and the directory .kmem_account.* has
# the originals below old/.
set -euo pipefail
shopt -s inherit_errexit

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"
# shellcheck source=scripts/series.sh
. "$top/scripts/series.sh"

# The script reads messages of other programs.
export LC_ALL=C
nothing_done="nothing was changed"

# fail MESSAGES WORDS...: die with WORDS, or, if MESSAGES of a program report a full disk,
# because of that
fail() {
	[[ $1 != *'No space left'* ]] ||
		die "$tree: no space left in its file system; $nothing_done; free some"
	die "${@:2}"
}

# Restore the files that are replaced already, and remove the work directory. Neither a
# signal nor a file that cannot be restored stops the loop.
cleanup() {
	local file

	trap '' HUP INT TERM
	trap - EXIT
	set +e
	lost=
	for file in ${replaced[@]+"${replaced[@]}"}; do
		if [ -e "$work/old/$file" ]; then
			mv -fT "$work/old/$file" "$tree/$file" 2>/dev/null || lost=$file
		else
			rm -f "${tree:?}/$file" 2>/dev/null || lost=$file
		fi
	done
	for file in ${made[@]+"${made[@]}"}; do
		rmdir "$tree/$file" 2>/dev/null
	done
	if [ -n "$lost" ]; then
		say "${0##*/}: $tree/$lost: cannot restore it; copy the original files from $work/old"
	elif [ -n "$work" ]; then
		rm -rf "$work"
	fi
}

# Copies of the files that the series depends on, in $work/new: the edits and the hooks
# change these, not TREE.
copy_files() {
	local file

	while read -r file; do
		[ -f "$tree/$file" ] || continue
		mkdir -p "$work/new/${file%/*}"
		cp -p "$tree/$file" "$work/new/$file"
	done < <(kernel_files "$version" | sed 's#^[^/]*$#./&#')
}

# The file that patch's messages on stdin are about.
failed_file() {
	awk '/^(checking|patching) file / { file = $3 }
		/FAILED/ { exit }
		/find file to patch/ { file = "a missing file"; exit }
		END { print file == "" ? "the tree" : file }'
}

# -f: without it patch may take a hook for one that is applied, and reverse it.
apply_hooks() {
	local hook messages

	while read -r hook; do
		messages=$(patch -d "$work/new" -p1 -F0 -f --no-backup-if-mismatch -r - \
			-i "$hook" 2>&1) || {
			[[ $messages != *'No space left'* ]] || die "No space left"
			die "patches/v$version/${hook##*/} does not apply to" \
				"$(failed_file <<<"$messages"); use an unmodified tree of Linux $version"
		}
	done < <(hooks "$version")
}

# Keep only files that the series changes or adds in $work/new.
drop_unchanged() {
	local file

	while read -r file; do
		! cmp -s "$work/new/$file" "$tree/$file" || rm "$work/new/$file"
	done < <(find "$work/new" -type f -printf '%P\n')
	find "$work/new" -mindepth 1 -type d -empty -delete
}

# Copies of all files that will be replaced, in $work/old: cleanup restores them.
keep_old() {
	local file

	while read -r file; do
		[ -e "$tree/$file" ] || continue
		mkdir -p "$work/old/${file%/*}"
		cp -p "$tree/$file" "$work/old/$file"
	done < <(find "$work/new" -type f -printf '%P\n')
}

prepare() {
	mkdir "$work/new" "$work/old"
	copy_files
	first_patch "$tree" "$work/first"
	cp -r "$work/first/." "$work/new/"
	apply_hooks
	drop_unchanged
	keep_old
}

# Before the first file is replaced. A directory that does not exist yet needs no check.
need_write_access() {
	local file

	while read -r file; do
		file=$tree/$file
		[ ! -d "${file%/*}" ] || [ -w "${file%/*}" ] ||
			die "${file%/*}: no write permission; $nothing_done; run as the owner of the tree"
	done < <(find "$work/new" -type f -printf '%P\n')
}

# Renames within one file system need no space.
replace_files() {
	local file dir

	while read -r dir; do
		[ ! -d "$tree/$dir" ] || continue
		made=("$dir" ${made[@]+"${made[@]}"})
		mkdir "$tree/$dir" || return
	done < <(find "$work/new" -mindepth 1 -type d -not -empty -printf '%P\n' | LC_ALL=C sort)
	while read -r file; do
		replaced+=("$file")
		mv -fT "$work/new/$file" "$tree/$file" || return
	done < <(find "$work/new" -type f -printf '%P\n')
}

[ $# -eq 1 ] || { say "usage: jury-rig.sh TREE"; exit 2; }
need_tools awk make patch unifdef
[ -d "$1" ] || die "$1: not a directory; give the directory of a Linux source tree"
tree=$(cd "$1" && pwd)
version=
need_pristine "$tree"
work='' replaced=() made=()
trap cleanup EXIT
trap 'trap "" HUP INT TERM; exit 130' HUP INT TERM
words=$(mktemp -d "$tree/.kmem_account.XXXXXX" 2>&1) ||
	fail "$words" "$tree: cannot create a directory in it; $nothing_done; run as the owner of the tree"
work=$words
# Temporary files of patch and of the shell go to the same file system.
export TMPDIR=$work
# Not before ||, where the shell would not end at the first command that fails. One message
# is left of several.
set +e
words=$(set -e; prepare 2>&1)
status=$?
set -e
if [ "$status" -ne 0 ]; then
	last=${words##*$'\n'}
	last=${last#"${0##*/}: "}
	fail "$words" "$tree: ${last#"$tree: "}; $nothing_done"
fi
need_write_access
replace_files 2>"$work/words" || {
	words=$(cat "$work/words")
	cleanup
	[ -z "$lost" ] || exit 1
	fail "$words" "$tree: cannot replace its files: ${words##*: }; $nothing_done"
}
count=${#replaced[@]}
replaced=() made=()
say "$tree: kmem_account is in place (series v$version, $count files);" \
	"enable CONFIG_KMEM_ACCOUNT"
