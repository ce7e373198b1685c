#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The version of the project, which module/uapi/version.h defines.
#
#	version.sh		print the version
#	version.sh check	KTAP: no other file states another version
#
# A release changes version.h and adds an entry to CHANGELOG.md and packaging/debian/changelog,
# because both have a text for each version; check compares them.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"
cd "$top"

version() { sed -n 's/^#define KMA_VERSION "\(.*\)"$/\1/p' module/uapi/version.h; }

# is_defined_once: no file of the sources has the version as a string of its own
is_defined_once() {
	! grep -rnE 'MODULE_VERSION\("|define KMA_VERSION ' module host --include='*.[ch]' |
		grep -v '^module/uapi/version.h:'
}

# has_entry FILE PATTERN: the first line of FILE that matches PATTERN is that of the version
has_entry() {
	local found

	found=$(sed -nE "s/$2/\\1/p" "$1" | sed -n 1p)
	echo "$1: the newest version is '$found', module/uapi/version.h has '$(version)'"
	[ "$found" = "$(version)" ]
}

case ${1-} in
'')	version ;;
check)	# shellcheck source=tests/ktap.sh
	. tests/ktap.sh
	ktap_plan 3
	ktap "the version is defined once" is_defined_once
	ktap "CHANGELOG.md has the version" has_entry CHANGELOG.md '^## ([0-9][^ ]*).*'
	ktap "debian/changelog has the version" has_entry packaging/debian/changelog '^kmem-account \(([^-]*)-.*'
	ktap_end ;;
*)	die "unknown argument '$1' (expected check, or nothing)" ;;
esac
