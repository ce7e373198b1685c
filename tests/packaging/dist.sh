#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The source archive has the same bytes wherever and whenever it is made: `make dist` in two
# clones of the last commit, with another path, user configuration of git, umask, time zone,
# locale, order of the directory and time of the files. Prints KTAP.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/ktap.sh
. "$top/tests/ktap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$("$top/scripts/version.sh")
archive=kmem-account-$version.tar.gz

# clone_in DIR: a clone with files of its own
clone_in() { git clone -q --no-hardlinks "$top" "$1" >/dev/null 2>&1; }

twice() {
	local second="$work/another place/deep/er"

	clone_in "$work/one"
	make -s -C "$work/one" O="$work/out1" dist
	mkdir -p "$work/home" "${second%/*}"
	printf '[tar]\n\tumask = user\n[core]\n\tautocrlf = true\n' >"$work/home/.gitconfig"
	clone_in "$second"
	find "$second" -name '*.c' -exec touch -d '2001-02-03 04:05:06' {} +
	(umask 0077 && HOME=$work/home TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 LANGUAGE=de \
		make -s -C "$second" O="$work/out2" dist)
	cmp "$work/out1/dist/$archive" "$work/out2/dist/$archive"
	cmp "$work/out1/dist/$archive.sha256" "$work/out2/dist/$archive.sha256"
	(cd "$work/out1/dist" && sha256sum -c "$archive.sha256")
}

# All tracked files, nothing else, with the modes that they have for everybody.
contents() {
	tar -tzf "$work/out1/dist/$archive" | grep -v '/$' | sed "s|^kmem-account-$version/||" | sort >"$work/have"
	git -C "$top" ls-tree -r --name-only HEAD | sort | diff - "$work/have"
	tar -tvzf "$work/out1/dist/$archive" | awk '{ print substr($1, 1, 1) != "l" ? $1 : "", $2 }' | sort -u >"$work/modes"
	cat "$work/modes"
	! grep -vE '^(-rw-r--r--|-rwxr-xr-x|drwxr-xr-x|) root/root$' "$work/modes"
}

# Without git there is one sentence and no file.
no_checkout() {
	tar -xzf "$work/out1/dist/$archive" -C "$work"
	! make -s -C "$work/kmem-account-$version" O="$work/out3" dist 2>"$work/said" || return 1
	cat "$work/said"
	grep 'not a git checkout' "$work/said"
	[ ! -e "$work/out3/dist/$archive" ]
}

# The archive builds, and the program knows its version.
builds() {
	[ "$("$work/kmem-account-$version/scripts/version.sh")" = "$version" ]
	make -s -C "$work/kmem-account-$version/host" O="$work/out4/host" record-static
	[ "$("$work/out4/host/kmem-account-record" --version)" = "kmem-account-record $version" ]
}

ktap_plan 4
ktap "two archives of one commit are equal" twice
ktap "an archive has the tracked files" contents
ktap "outside of a checkout" no_checkout
ktap "an archive builds" builds
ktap_end
