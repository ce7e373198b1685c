#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The peers that are programs (perf, bpftrace) on a disk for the guest.
#
#	tools.sh IMAGE		make IMAGE, an ext4; print a line "NAME VERSION" for each
#
# Debian's packages are fetched with apt-get download and unpacked in the cache,
# together with those that they need and the machine does not have; nothing is
# installed.  With them go the libraries that ldd names, from the cache or from
# the machine.  A peer that cannot be had is left out, and a line on stderr says so.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/../../scripts/lib.sh"

# name		package		program
peers='
perf		linux-perf	usr/bin/perf
bpftrace	bpftrace	usr/bin/bpftrace
'

[ $# -eq 1 ] || die "usage: tools.sh IMAGE"
image=$1
cache=$(cache_dir)/tools

candidate() {
	apt-cache policy "$1" | awk '$1 == "Candidate:" && $2 != "(none)" { print $2 }'
}

# What has to be unpacked beside a package: what apt would install, but nothing
# that the machine has.
needed() {
	printf '%s\n' "$1"
	apt-get -s --no-install-recommends install "$1" 2>/dev/null |
		awk -v self="$1" '$1 == "Inst" && $2 != self && $3 !~ /^\[/ { print $2 }'
}

# unpacked PACKAGE VERSION: the folder where it is, fetched if it is not there yet
unpacked() {
	local entry=$cache/$1_$2 tmp deb
	local -a packages

	if [ ! -d "$entry" ]; then
		mkdir -p "$cache"
		tmp=$(mktemp -d "$cache/.unpack.XXXXXX")
		mapfile -t packages < <(needed "$1")
		say "tools.sh: fetching ${packages[*]}"
		(cd "$tmp" && apt-get -o APT::Sandbox::User=root -qq download "${packages[@]}" >&2) ||
			{ rm -rf "$tmp"; return 1; }
		for deb in "$tmp"/*.deb; do
			dpkg-deb -x "$deb" "$tmp/root"
		done
		mv -T "$tmp/root" "$entry" 2>/dev/null || [ -d "$entry" ]
		rm -rf "$tmp"
	fi
	printf '%s\n' "$entry"
}

# gather ROOT PROGRAM NAME: the program and its libraries into $tree
gather() {
	local libraries=$1/usr/lib/x86_64-linux-gnu library

	LD_LIBRARY_PATH=$libraries ldd "$1/$2" >"$work/ldd" && cp -L "$1/$2" "$tree/bin/$3" ||
		return 1
	! grep 'not found' "$work/ldd" >&2 || return 1
	awk '$2 == "=>" { print $3 } $1 ~ /^\/.*ld-linux/ { print $1 }' "$work/ldd" |
		while IFS= read -r library; do
			cp -Ln "$library" "$tree/lib/"
		done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir -p "$tree/bin" "$tree/lib"
while read -r name package program; do
	[ -n "$name" ] || continue
	version=$(candidate "$package")
	[ -n "$version" ] || { say "tools.sh: no package $package"; continue; }
	if root=$(unpacked "$package" "$version") && gather "$root" "$program" "$name"; then
		printf '%s %s\n' "$name" "$version"
	else
		rm -f "$tree/bin/$name"
		say "tools.sh: no $name"
	fi
done <<<"$peers"
rm -f "$image"
truncate -s 512M "$image"
PATH=$PATH:/sbin:/usr/sbin mke2fs -q -t ext4 -O ^has_journal -d "$tree" "$image"
