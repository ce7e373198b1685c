#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A patch series as commits, and back.  Sourced by patches.sh, which says what top is.
#
# Patch 1 is made of our own files: module/ as mm/kmem_account/ (without what stands in
# for KUnit), the module's guide, the descriptions of its files; and of the table of
# lines patches/0001/edits.  In the copies only the names of documents change, to those
# that they have in a kernel's tree.  The other patches live in their series alone.
#
# All is done by git's plumbing with an index of its own: no work tree is needed or
# touched, and what does not match exactly is an error or, with the blob at hand, a
# merge of three.
# shellcheck disable=SC2154 # top

# ours	in a kernel's tree
copies='
module	mm/kmem_account
Documentation/admin-guide/kmem_account.rst	Documentation/admin-guide/mm/kmem_account.rst
Documentation/ABI/testing/debugfs-kmem_account	Documentation/ABI/testing/debugfs-kmem_account
Documentation/ABI/testing/procfs-kmem_account	Documentation/ABI/testing/procfs-kmem_account
Documentation/ABI/testing/sysfs-module-kmem_account	Documentation/ABI/testing/sysfs-module-kmem_account
'
# What a kernel with these sources has no use for: it can have KUnit itself, and is of
# the right version.
not_copied='^module/\(test/shim\.[ch]\|compat/range\.h\)$'
# the names of documents
renames='s#Documentation/admin-guide/kmem_account\.rst#Documentation/admin-guide/mm/kmem_account.rst#g
s#Documentation/design/\([a-z]*\.rst\)#\1 of kmem-account#g'

# Whose commits: the same bytes whoever makes them, whenever.
export GIT_AUTHOR_NAME='The kmem-account developers'
export GIT_AUTHOR_EMAIL='maintainers@users.noreply.a-seed-4ac70dbc.example'
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
export GIT_AUTHOR_DATE='2026-11-21T00:00:00Z' GIT_COMMITTER_DATE='2026-11-21T00:00:00Z'
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

# new_files FOLDER: what patch 1 adds, below FOLDER.  What git does not know yet is
# added as well: who edits module/ makes the series before the commit.
new_files() {
	local ours theirs file

	while IFS=$'\t' read -r ours theirs; do
		[ -n "$ours" ] || continue
		git -C "$top" ls-files -co --exclude-standard -- "$ours" | grep -v "$not_copied" |
			while read -r file; do
				[ -e "$top/$file" ] || continue
				mkdir -p "$1/$(dirname "$theirs${file#"$ours"}")"
				sed "$renames" "$top/$file" >"$1/$theirs${file#"$ours"}"
			done
	done <<<"$copies"
}

# edited FILE LINES WHERE EXPRESSION: stdin with the lines of LINES in it
edited() {
	awk -v lines="$top/patches/0001/$2" -v where="$3" -v match_re="$4" '
	function insert(line) { while ((getline line <lines) > 0) print line; done = 1 }
	!done && where == "before" && $0 ~ match_re { insert() }
	{ print }
	!done && where == "after" && $0 ~ match_re { insert() }
	END { exit !done }' || die "$1 has no line for patches/0001/$2"
}

# changed_files REPOSITORY FOLDER: what patch 1 changes in the kernel's files
changed_files() {
	local file lines where expression

	while IFS=$'\t' read -r file lines where expression; do
		case $file in '' | '#'*) continue ;; esac
		mkdir -p "$2/$(dirname "$file")"
		git -C "$1" show "base:$file" | edited "$file" "$lines" "$where" "$expression" \
			>"$2/$file" || return
	done <"$top/patches/0001/edits"
}

# Patches after the first of series $1, in order.
handwritten() {
	[ ! -e "$1/series" ] || sed 1d "$1/series"
}

# commit PARENT MESSAGE: the index as a commit
commit() {
	git -C "$repository" commit-tree "$(git -C "$repository" write-tree)" -p "$1" -F "$2"
}

# add_first TMP: patch 1 as a commit
add_first() {
	local file

	new_files "$1/new"
	changed_files "$repository" "$1/new"
	find "$1/new" -type f -printf '%P\n' | LC_ALL=C sort | while read -r file; do
		printf '100644 %s\t%s\n' \
			"$(git -C "$repository" hash-object -w --no-filters "$1/new/$file")" "$file"
	done | git -C "$repository" update-index --index-info
	commit "$(git -C "$repository" rev-parse base)" "$top/patches/0001/changelog"
}

# add_patch TMP PARENT FILE: a patch as a commit of its author and date
add_patch() {
	local author email date

	git -C "$repository" mailinfo -b --encoding=UTF-8 "$1/body" "$1/patch" <"$3" >"$1/info"
	{ sed -n 's/^Subject: //p' "$1/info"; echo; cat "$1/body"; } >"$1/message"
	author=$(sed -n 's/^Author: //p' "$1/info")
	email=$(sed -n 's/^Email: //p' "$1/info")
	date=$(sed -n 's/^Date: //p' "$1/info")
	git -C "$repository" apply --cached --3way "$1/patch" >"$1/log" 2>&1 ||
		{ cat "$1/log" >&2; die "$3 does not apply"; }
	GIT_AUTHOR_NAME=$author GIT_AUTHOR_EMAIL=$email GIT_AUTHOR_DATE=$date commit "$2" "$1/message"
}

# series_commits REPOSITORY SERIES: the commits of folder SERIES onto branch base, patch 1
# made anew; prints the last one.
series_commits() {
	local repository=$1 tmp tip patch

	tmp=$(mktemp -d)
	# shellcheck disable=SC2064 # the folder of now
	trap "rm -rf '$tmp'" EXIT
	export GIT_INDEX_FILE=$tmp/index
	git -C "$repository" read-tree base
	tip=$(add_first "$tmp")
	for patch in $(handwritten "$2"); do
		tip=$(add_patch "$tmp" "$tip" "$2/$patch")
	done
	unset GIT_INDEX_FILE
	rm -rf "$tmp"
	trap - EXIT
	printf '%s\n' "$tip"
}

# format_series REPOSITORY TIP FOLDER: commits as a series
format_series() {
	git -C "$1" format-patch -q --zero-commit -N --no-signature --no-renames --no-thread \
		--no-cover-letter --no-base --abbrev=12 --diff-algorithm=myers --stat=72 \
		-o "$3" "base..$2"
	(cd "$3" && printf '%s\n' *.patch >series)
}
