#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that the generated patch 1 passes checkpatch --strict of the kernel it is for. It takes
# a minute; a patch that has passed is not checked again. series.sh checks the other patches.
#
#	style.sh VERSION	6.1
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

# --no-tree: the tree has only a few files. 7.2 wants each bin_attribute const, which sources
# for 6.1 cannot have.
style() {
	"$work/tree/scripts/checkpatch.pl" --no-tree --strict -q --ignore CONST_STRUCT "$1"
}

name="checkpatch --strict of $version reports nothing for patch 1"
ktap_plan 1
if has_source "$version"; then
	repository=$(source_of "$version")
	plain_tree "$repository" "$work/tree"
	scripts/patches.sh series "$version" "$work/series"
	patch=$work/series/$(sed -n 1p "$work/series/series")
	ktap "$name" judged_once "style ${repository##*/} $(sha256sum <"$patch")" style "$patch"
else
	ktap_skip "$name" "$reason"
fi
ktap_end
