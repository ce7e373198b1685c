#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that each patch series applies to Debian's source of its version, in all ways.
# Builds nothing.
#
#	series.sh VERSION...	6.1 6.12 7.2
#
# `git am`, `patch` without fuzz (as quilt does it) and patches/jury-rig.sh must leave the same
# tree. The trees have only the files that the series depends on. Each hook passes the
# source's own checkpatch --strict. A version whose source is not available is skipped, with
# the reason. The caller patches, where they are a series of their own, apply to the same source
# without the others. KTAP on stdout.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
# shellcheck source=tests/patches/lib.sh
. tests/patches/lib.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A newer source of the same version moves lines, which is not a fault.
without_places() {
	mkdir "$2"
	for file in "$1"/*.patch; do
		[[ ${file##*/} == 0001-* ]] || sed -e '/^index /d' -e 's/^@@ .*/@@/' "$file" >"$2/${file##*/}"
	done
}

is_generated() {
	patches/create-patch.sh "$version" >"$dir/mbox"
	scripts/patches.sh series "$version" "$dir/series"
	(cd "$dir/series" && printf '%s\n' *.patch) | diff "$dir/series/series" -
	(cd "$dir/series" && xargs -d '\n' cat <series) | cmp - "$dir/mbox"
}

# As it is typed: the output directory is a relative name.
is_made() {
	make -s patches VERSIONS="$version" O="$(realpath -m --relative-to=. "$dir/out")" &&
		diff -r "$dir/out/patches/v$version" "$dir/series"
}

are_hooks_fresh() {
	without_places "$dir/series" "$dir/now"
	without_places "patches/v$version" "$dir/kept"
	diff -r "$dir/now" "$dir/kept" >"$dir/diff" || {
		head -n 20 "$dir/diff"
		echo "scripts/patches.sh refresh $version, and commit the changes"
		return 1
	}
}

git_am() {
	work_tree "$repository" "$dir/am"
	git -C "$dir/am" am "$dir/mbox" >"$dir/words" 2>&1 || { tail "$dir/words"; return 1; }
	test "$(git -C "$dir/am" rev-list --count origin/base..HEAD)" = "$(wc -l <"$dir/series/series")"
	# git reports white space that is not the kernel's style
	if grep -i 'warning' "$dir/words"; then return 1; fi
}

plain_patch() {
	plain_tree "$repository" "$dir/patch"
	patch_all "$dir/patch" "$dir/series" >"$dir/words" || { tail "$dir/words"; return 1; }
	same_trees "$dir/am" "$dir/patch"
}

jury_rig() {
	plain_tree "$repository" "$dir/rig"
	patches/jury-rig.sh "$dir/rig"
	same_trees "$dir/am" "$dir/rig"
}

# The macros are those of the generator's input, module/compat/Kbuild.include.
has_one_kernel() {
	local macros

	macros=$(grep -o 'KMA_[A-Z_]*' module/compat/Kbuild.include | sort -u)
	[ "$(wc -l <<<"$macros")" -gt 20 ]
	test -s "$dir/am/mm/kmem_account/main.c"
	! grep -rnwE "$(paste -sd'|' <<<"$macros")|LINUX_VERSION_CODE|KERNEL_VERSION|KBUILD_EXTMOD" \
		"$dir/am/mm/kmem_account"
}

# Documents and comments of the series name only files that the tree has.
names_its_files() {
	local name

	(cd "$dir/am" && grep -rhoE '(Documentation|mm/kmem_account)/[A-Za-z0-9_./-]*[a-z]' \
		mm/kmem_account Documentation/ABI/testing/*kmem_account \
		Documentation/admin-guide/mm/kmem_account.rst) | sort -u >"$dir/named"
	[ "$(wc -l <"$dir/named")" -ge 3 ]
	while read -r name; do
		[ -e "$dir/am/$name" ] || { echo "no $name"; return 1; }
	done <"$dir/named"
}

# After the cover letter, each patch must apply to the stock source, alone and in its place, and
# together they must leave the files as the whole series does.
are_callers_alone() {
	local file

	patches/create-patch.sh --callers "$version" >"$dir/callers.mbox"
	scripts/patches.sh callers "$version" "$dir/callers"
	(cd "$dir/callers" && xargs -d '\n' cat <series) | cmp - "$dir/callers.mbox"
	work_tree "$repository" "$dir/callers-am"
	git -C "$dir/callers-am" am --empty=drop "$dir/callers.mbox" >"$dir/words" 2>&1 ||
		{ tail "$dir/words"; return 1; }
	if grep -i 'warning' "$dir/words"; then return 1; fi
	# the cover letter is a file of the series and no commit
	test "$(git -C "$dir/callers-am" rev-list --count origin/base..HEAD)" = \
		"$(($(wc -l <"$dir/callers/series") - 1))"
	for file in "$dir/callers"/*.patch; do
		[[ ${file##*/} != 0000-* ]] || continue
		git -C "$dir/callers-am" checkout -q -f origin/base
		git -C "$dir/callers-am" apply --check "$file"
	done
	git -C "$dir/callers-am" checkout -q -f base
	git -C "$dir/callers-am" diff --name-only origin/base HEAD >"$dir/callers-files"
	[ -s "$dir/callers-files" ]
	while read -r file; do
		cmp "$dir/callers-am/$file" "$dir/am/$file"
	done <"$dir/callers-files"
}

style() {
	"$dir/am/scripts/checkpatch.pl" --no-tree --strict -q "$1"
}

# check VERSION
check() {
	local version=$1 dir=$work/$1 repository hook
	mkdir "$dir"

	if ! has_source "$version"; then
		ktap_skip "v$version applies" "$reason"
		return
	fi
	repository=$(source_of "$version")
	ktap "v$version: create-patch.sh prints the series, the same twice" is_generated
	ktap "v$version: make patches writes the same series" is_made
	ktap "v$version: the committed hooks are those of the series" are_hooks_fresh
	ktap "v$version: git am applies the series" git_am
	ktap "v$version: patch applies it without fuzz, to the same tree" plain_patch
	ktap "v$version: jury-rig.sh makes the same tree" jury_rig
	ktap "v$version: the tree has no code for other kernels" has_one_kernel
	ktap "v$version: its documents and comments name only files of the tree" names_its_files
	[ ! -f "patches/callers/v$version" ] ||
		ktap "v$version: the caller patches apply without the others" are_callers_alone
	for hook in patches/v"$version"/*.patch; do
		ktap "checkpatch --strict reports nothing for v$version/${hook##*/}" \
			judged_once "style ${repository##*/} $(sha256sum <"$hook")" style "$dir/series/${hook##*/}"
	done
}

[ $# -gt 0 ] || die "usage: series.sh VERSION..."
for version in "$@"; do
	[ -d "patches/v$version" ] || die "no patch series for $version"
	check "$version" >>"$work/results"
done
# the number of results depends on the sources that are available
printf 'KTAP version 1\n1..%d\n' "$ktap_done"
cat "$work/results"
[ "$ktap_failed" -eq 0 ]
