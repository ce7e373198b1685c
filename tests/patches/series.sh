#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Is a patch series what module/ makes today, and does it apply?  Builds nothing.
#
#	series.sh VERSION	6.1
#
# To Debian's source by `git am`, and by `patch` without fuzz, as quilt does it; to the
# release that it is based on (Debian's .orig; where its archive has that no more, the newest
# before it that it has) by `patch` without fuzz; each patch passes the base's own checkpatch
# --strict.  What has once been judged as
# it is, is not judged again: checkpatch takes a minute for patch 1.  KTAP on stdout.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

version=${1:?a version, such as 6.1}
series=$PWD/patches/v$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

# The kernel's files that the series knows of: `patch` makes the new ones.
touched() {
	sed -n 's#^diff --git a/\(.*\) b/.*#\1#p' "$series"/*.patch | LC_ALL=C sort -u
}

in_base() {
	# shellcheck disable=SC2046 # names without blanks
	git -C "$repository" ls-tree -r --name-only base -- $(touched)
}

# A newer package of the same version moves lines, and that alone is no fault.
without_places() {
	mkdir "$2"
	for file in "$1"/*.patch; do
		sed -e '/^index /d' -e 's/^@@ .*/@@/' "$file" >"$2/${file##*/}"
	done
}

up_to_date() {
	scripts/patches.sh series "$version" "$work/new"
	without_places "$work/new" "$work/now"
	without_places "$series" "$work/kept"
	diff -r "$work/now" "$work/kept" >"$work/diff" || {
		head -n 20 "$work/diff"
		echo "make patches, and commit what it changes"
		return 1
	}
}

listed() {
	(cd "$series" && printf '%s\n' *.patch) | diff "$series/series" -
}

git_am() {
	git clone -q --shared --no-checkout --branch base "$repository" "$work/am"
	cd "$work/am"
	git config user.name test
	git config user.email test@localhost
	touched | sed 's#^#/#' | git sparse-checkout set --no-cone --stdin
	git checkout -q base
	git am -q "$series"/*.patch
	test "$(git rev-list --count origin/base..HEAD)" = "$(wc -l <"$series/series")"
}

# patch says "with fuzz" of a hunk whose context it has not found as it is
patch_all() {
	local file

	while read -r file; do
		patch -d "$1" -p1 -F0 --batch --no-backup-if-mismatch -i "$series/$file" || return
	done <"$series/series"
}

to_debian() {
	mkdir "$work/debian"
	in_base | xargs git -C "$repository" archive base -- | tar -x -C "$work/debian"
	patch_all "$work/debian" >"$work/words" || { tail "$work/words"; return 1; }
	# the same files as git am leaves
	(cd "$work/debian" && find . -type f -exec cmp {} "$work/am/{}" \; >"$work/words" 2>&1)
	cat "$work/words"
	test ! -s "$work/words"
}

to_release() {
	mkdir "$work/release"
	in_base | sed 's#^#*/#' >"$work/names"
	tar -x -C "$work/release" --strip-components=1 --wildcards --no-wildcards-match-slash \
		-f "$release" -T "$work/names"
	patch_all "$work/release" >"$work/words" || { tail "$work/words"; return 1; }
}

# --no-tree: what checkpatch looks for in a tree is what Debian's has anyway. 7.2 wants
# each bin_attribute const, which sources that 6.1 compiles too cannot have.
style() {
	"$work/scripts/checkpatch.pl" --no-tree --strict -q --ignore CONST_STRUCT "$1"
}

repository=$(scripts/patches.sh base "$version")
mapfile -t patches <"$series/series"
all=$(cat "$series"/*.patch | sha256sum)
git -C "$repository" archive base -- scripts/checkpatch.pl scripts/spelling.txt \
	scripts/const_structs.checkpatch | tar -x -C "$work"
ktap_plan $((5 + ${#patches[@]}))
ktap "patches/v$version is what make patches makes" up_to_date
ktap "its list has all patches" listed
ktap "git am applies it to Debian's source" git_am
ktap "patch applies it to Debian's source without fuzz, to the same files" to_debian
name="patch applies it to the kernel.org release without fuzz"
if release=$(scripts/patches.sh release "$version" 2>"$work/words"); then
	release_name=${release##*/linux_}
	ktap "${name/release/${release_name%.orig*}}" \
		judged_once "release ${release##*/} ${repository##*/} $all" to_release
else
	ktap_skip "$name" "$(tail -n 1 "$work/words")"
fi
for patch in "${patches[@]}"; do
	ktap "checkpatch --strict has nothing to say of $patch" \
		judged_once "style ${repository##*/} $(sha256sum <"$series/$patch")" style "$series/$patch"
done
ktap_end
