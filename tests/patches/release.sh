#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that a series applies to the kernel.org release that Debian's source is based on
# (Debian's .orig, or the newest one before it in Debian's archive), and that the release has
# the same interfaces.
#
#	release.sh VERSION	6.1
#
# KTAP on stdout.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
# shellcheck source=tests/patches/lib.sh
. tests/patches/lib.sh

version=${1:?a version, such as 6.1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The same files of the release as of Debian's source.
release_tree() {
	mkdir "$work/patch"
	git -C "$repository" ls-tree -r --name-only base | sed 's#^#*/#' >"$work/names"
	tar -x -C "$work/patch" --strip-components=1 --wildcards --no-wildcards-match-slash \
		-f "$release" -T "$work/names"
	cp -r "$work/patch" "$work/rig"
}

to_release() {
	release_tree
	scripts/patches.sh series "$version" "$work/series"
	patch_all "$work/patch" "$work/series" >"$work/words" || { tail "$work/words"; return 1; }
	patches/jury-rig.sh "$work/rig"
	same_trees "$work/patch" "$work/rig"
}

name="v$version applies to the kernel.org release without fuzz"
ktap_plan 1
if ! has_source "$version"; then
	ktap_skip "$name" "$reason"
elif release=$(scripts/patches.sh release "$version" 2>"$work/words"); then
	repository=$(source_of "$version")
	release_name=${release##*/linux_}
	series=$(patches/create-patch.sh "$version" | sha256sum)
	ktap "${name/release/${release_name%.orig*}}" \
		judged_once "release ${release##*/} ${repository##*/} $series $(sha256sum <patches/jury-rig.sh)" to_release
else
	ktap_skip "$name" "$(tail -n 1 "$work/words")"
fi
ktap_end
