#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Is patch 1 of each series what our sources are today?  A second, and needs no kernel:
# the files that the patch adds are made of it, and compared with what patches.sh would
# make them.  KTAP on stdout.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The new files of patch 1 of series $1; changed files have no place here.
added() {
	local patch

	patch=patches/v$1/$(head -n 1 "patches/v$1/series")
	mkdir "$work/$1"
	awk '/^diff --git / { head = $0; next }
		head != "" { on = /^new file mode/; if (on) print head; head = "" }
		on' "$patch" >"$work/$1.patch"
	patch -d "$work/$1" -p1 -F0 -s --batch -i "$work/$1.patch"
}

same() {
	added "$1"
	diff -rq "$work/ours" "$work/$1" >"$work/words" ||
		{ head -n 3 "$work/words"; echo "make patches, and commit what it changes"; return 1; }
}

scripts/patches.sh files "$work/ours"
mapfile -t versions < <(scripts/patches.sh bases)
ktap_plan ${#versions[@]}
for version in "${versions[@]}"; do
	ktap "patches/v$version adds what is in module/" same "$version"
done
ktap_end
