#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check patches/jury-rig.sh and create-patch.sh with bad input, and with trees of several kinds.
# series.sh compares the result of good input with that of `git am`.
#
#	jury-rig.sh
#
# Bad input must print one line, exit with 1 and leave the tree as it was. The trees have only
# the files of Debian's source that the series depends on. KTAP on stdout.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
# shellcheck source=tests/patches/lib.sh
. tests/patches/lib.sh

version=6.1
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# another user enters it; the temporary files of the scripts are in a directory of their own
chmod 755 "$work"
mkdir "$work/tmp"
chmod 777 "$work/tmp"
export TMPDIR=$work/tmp

# new_tree NAME: sets tree
new_tree() {
	tree=$work/$1
	plain_tree "$repository" "$tree"
}

# state_of TREE: contents, modes and names, those of directories as well
state_of() {
	[ ! -e "$1" ] || (cd "$1" && find . -printf '%m %y %p\n' | LC_ALL=C sort -k 3 &&
		find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
}

# refused WORDS COMMAND...: exit status 1, one line with WORDS, the same tree, no temporary
# file and no output
refused() {
	local words=$1 status=0
	shift

	state_of "$tree" >"$work/before"
	"$@" >"$work/output" 2>"$work/error" || status=$?
	state_of "$tree" >"$work/after"
	cat "$work/error"
	[ "$status" -eq 1 ]
	[ "$(wc -l <"$work/error")" -eq 1 ]
	grep -qF -- "$words" "$work/error"
	[ ! -s "$work/output" ]
	cmp "$work/before" "$work/after"
	[ -z "$(ls -A "$TMPDIR")" ]
}

rig() { refused "$1" patches/jury-rig.sh "$tree"; }

missing() {
	tree=$work/missing
	rig 'not a directory'
}

no_kernel() {
	tree=$work/no-kernel
	mkdir "$tree"
	echo 'VERSION = 6' >"$tree/Makefile"
	rig 'not a Linux source tree'
}

no_series() {
	new_tree no-series
	sed -i 's/^PATCHLEVEL = .*/PATCHLEVEL = 99/' "$tree/Makefile"
	rig 'no patch series for Linux'
}

twice() {
	new_tree twice
	patches/jury-rig.sh "$tree"
	rig 'already in this tree'
}

# Also if the directory has gone, but its line in a file of the kernel has not.
half_removed() {
	new_tree half
	echo 'source "mm/kmem_account/Kconfig"' >>"$tree/mm/Kconfig"
	rig 'already in this tree'
}

# Other files of the hook apply.
hook_fails() {
	new_tree hook
	sed -i 's/kmem_cache/kmem_catch/g' "$tree/mm/slub.c"
	rig "does not apply to mm/slub.c; use an unmodified tree of Linux $version; nothing was changed"
}

file_missing() {
	new_tree file
	rm "$tree/init/main.c"
	rig 'does not apply to'
}

edit_fails() {
	new_tree edit
	sed -i '/^source "mm\/damon\/Kconfig"$/d' "$tree/mm/Kconfig"
	rig 'mm/Kconfig has no line'
}

# as_user COMMAND...: as a user who does not own the trees
as_user() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
	else
		"$@"
	fi
}

# The scripts must be readable for the other user.
copy_of_scripts() {
	mkdir -p "$work/top"
	git ls-files -co --exclude-standard patches scripts module Documentation |
		while read -r file; do [ ! -e "$file" ] || echo "$file"; done |
		tar -c -T - | tar -x -C "$work/top"
	chmod -R a+rX "$work/top"
}

not_writable() {
	new_tree locked
	copy_of_scripts
	chmod -R a-w "$tree"
	refused 'cannot create a directory in it' as_user "$work/top/patches/jury-rig.sh" "$tree"
}

# Only a directory below the top refuses.
partly_writable() {
	new_tree partly
	copy_of_scripts
	chmod -R a+w "$tree"
	chmod a-w "$tree/include/linux"
	refused 'include/linux: no write permission' \
		as_user "$work/top/patches/jury-rig.sh" "$tree"
}

# The tree is in a file system that has no space for the new files.
disk_full() {
	tree=$work/full
	mkdir "$tree"
	mount -t tmpfs -o size="$1",nr_inodes=2000 none "$tree"
	plain_tree "$repository" "$tree"
	rig 'no space left in its file system; nothing was changed'
}

# The space ends at another step each time.
full_disks() {
	local size

	mkdir "$work/no-space"
	mount -t tmpfs -o size=1m none "$work/no-space"
	tree=$work/space
	plain_tree "$repository" "$tree"
	TMPDIR=$work/no-space refused 'MB needed' patches/create-patch.sh "$version" "$tree"
	umount "$work/no-space"
	for size in 3m 4m 5m; do
		disk_full "$size"
		umount "$tree"
		rmdir "$tree"
	done
}

# stub_mv WHAT: sets stub, a PATH with an mv that does WHAT at one of the last calls that
# replace a file, and again at the first call that restores one. The tree has a file of its own
# under one of the new names.
stub_mv() {
	new_tree "$1"
	mkdir -p "$tree/Documentation/ABI/testing"
	echo mine >"$tree/Documentation/ABI/testing/debugfs-kmem_account"
	stub=$work/stub-$1
	mkdir "$stub"
	echo 0 >"$stub/calls"
	cat >"$stub/mv" <<-END
		#!/bin/bash
		calls=\$((\$(cat "$stub/calls") + 1))
		echo "\$calls" >"$stub/calls"
		[[ "\$*" != */old/* || -e $stub/restoring ]] || { calls=again; touch "$stub/restoring"; }
		[[ \$calls != 110 && \$calls != again ]] || { $2; }
		exec $(command -v mv) "\$@"
	END
	chmod +x "$stub/mv"
}

# The second signal comes while the files are restored.
interrupted() {
	local status=0

	# shellcheck disable=SC2016 # the stub expands it
	stub_mv interrupted 'kill -TERM $PPID'
	state_of "$tree" >"$work/before"
	PATH=$stub:$PATH patches/jury-rig.sh "$tree" || status=$?
	[ "$status" -eq 130 ]
	[ -e "$stub/restoring" ]
	state_of "$tree" | cmp "$work/before"
}

# One file that cannot be restored: all others are, and the message names it.
not_restored() {
	local status=0 file originals

	stub_mv not-restored 'exit 1'
	cp -a "$tree" "$work/original"
	PATH=$stub:$PATH patches/jury-rig.sh "$tree" 2>"$work/error" || status=$?
	cat "$work/error"
	[ "$status" -eq 1 ]
	[ "$(wc -l <"$work/error")" -eq 1 ]
	file=$(sed -n "s#^jury-rig.sh: $tree/\(.*\): cannot restore it; .*#\1#p" "$work/error")
	originals=$(sed -n 's/.*copy the original files from //p' "$work/error")
	cp -p "$originals/$file" "$tree/$file"
	rm -r "${originals%/old}"
	same_trees "$work/original" "$tree"
}

no_tool() {
	local tool

	mkdir "$work/bin"
	for tool in awk bash dirname git make patch sort cat mktemp rm paste sed; do
		ln -s "$(command -v "$tool")" "$work/bin/$tool"
	done
	new_tree tool
	refused 'missing programs: unifdef' env PATH="$work/bin" patches/jury-rig.sh "$tree"
}

# A repository with a commit: nothing is committed, and git sees the changes.
in_git() {
	work_tree "$repository" "$work/git"
	patches/jury-rig.sh "$work/git"
	[ "$(git -C "$work/git" rev-list --count HEAD)" -eq 1 ]
	git -C "$work/git" status --porcelain | grep -x '?? mm/kmem_account/' >/dev/null
	git -C "$work/git" status --porcelain | grep -x ' M mm/slub.c' >/dev/null
}

relative_path() {
	local rig=$PWD/patches/jury-rig.sh

	new_tree relative
	(cd "$work" && "$rig" relative)
	same_trees "$work/twice" "$tree"
}

# Its headers, not the version, decide which code the tree gets.
other_headers() {
	new_tree headers
	sed -i '1i #define MAX_PAGE_ORDER MAX_ORDER' "$tree/include/linux/mmzone.h"
	patches/jury-rig.sh "$tree"
	grep -q 'KMA_PAGE_ORDER_MAX	MAX_PAGE_ORDER' "$tree/mm/kmem_account/compat/pages.h"
	grep -q 'KMA_PAGE_ORDER_MAX	MAX_ORDER' "$work/twice/mm/kmem_account/compat/pages.h"
}

# For a tree without git; the mailbox applies to a repository of the same tree.
from_tree() {
	new_tree from
	patches/create-patch.sh "$version" "$tree" >"$work/mbox"
	work_tree "$repository" "$work/am"
	git -C "$work/am" am -q "$work/mbox"
	same_trees "$work/twice" "$work/am"
}

cannot_write() {
	local status=0

	patches/create-patch.sh "$version" "$tree" >/dev/full 2>"$work/error" || status=$?
	cat "$work/error"
	[ "$status" -eq 1 ]
	[ "$(grep -c 'cannot write the series to standard output; free some space' "$work/error")" -eq 1 ]
	[ "$(wc -l <"$work/error")" -eq 1 ]
}

create_refuses() {
	new_tree create
	cannot_write
	refused 'no patch series for Linux 4.19' patches/create-patch.sh 4.19
	refused 'no series of caller patches for Linux 6.1' patches/create-patch.sh --callers 6.1
	refused 'not a directory' patches/create-patch.sh "$version" "$work/missing"
	patches/jury-rig.sh "$tree"
	refused 'already in this tree' patches/create-patch.sh "$version" "$tree"
	new_tree create-other
	sed -i 's/^PATCHLEVEL = .*/PATCHLEVEL = 99/' "$tree/Makefile"
	refused 'no patch series for Linux' patches/create-patch.sh "$version" "$tree"
}

tests='
missing		a directory that does not exist
no_kernel	a directory that is not a kernel tree
no_series	a version without a series
twice		a tree that has the patches
half_removed	a tree that has a part of the patches
hook_fails	a file that a hook does not apply to
file_missing	a tree without a file that a hook changes
edit_fails	a file without the line that an edit needs
not_writable	no write permission
partly_writable	no write permission in one directory
interrupted	SIGTERM while files are replaced, and while they are restored
not_restored	a file that cannot be replaced, and one that cannot be restored
no_tool		a missing program
create_refuses	bad input of create-patch.sh
in_git		a git work tree: it changes files and commits nothing
relative_path	a relative path: the same tree
other_headers	other headers: the code follows the headers
from_tree	create-patch.sh for a tree: git am makes the same tree
'

if ! has_source "$version"; then
	ktap_plan 1
	ktap_skip "jury-rig.sh" "$reason"
	exit
fi
repository=$(source_of "$version")
rm -f "$TMPDIR"/*
ktap_plan $(($(grep -c . <<<"$tests") + 1))
while read -r name words; do
	[ -z "$name" ] || ktap "$words" "$name"
done <<<"$tests"
if unshare -m true 2>/dev/null; then
	export -f disk_full full_disks rig refused state_of plain_tree
	export work repository version
	ktap "a full file system" unshare -m bash -euo pipefail -c full_disks
else
	ktap_skip "a full file system" "no permission to mount a small one"
fi
ktap_end
