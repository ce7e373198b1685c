#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Fetch and unpack the parts of a stock Debian kernel, and print where they are.
#
#	kernel.sh dir KIND [KERNEL]	directory of one part, fetched on demand
#	kernel.sh release [KERNEL]	the kernel's release (uname -r)
#	kernel.sh kernels		the kernels known
#
# KIND is a row of the kinds table, KERNEL a row of the kernels table below.
#
# Packages come from the machine's own sources through apt-get download and are
# unpacked in the cache.  Nothing is ever installed, and the machine's package
# lists are only read: when they are missing or out of date, lists of our own
# are kept in the cache, which needs no privileges.
#
# An entry is named by package, version and architecture, so that a new version
# of a package is noticed by itself; old entries stay until `make clean-cache`.
# It is unpacked beside its place and renamed into it: what exists is whole.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/../../scripts/lib.sh"

# key	suite	image metapackage	source of the maintainers' scripts
# Suite `-` is whatever the machine's own sources offer.
kernels='
6.1	-	linux-image-cloud-amd64	linux-source-6.1
'

# kind			packages (@REL@: the release, @BASE@: without its flavour)
kinds='
image			linux-image-@REL@
headers			linux-headers-@REL@ linux-headers-@BASE@-common @KBUILD@
dbg			linux-image-@REL@-dbg
source-scripts		@SOURCE@
'

cache=$(cache_dir)
apt_options=(-o APT::Sandbox::User=root)

usage() {
	sed -n '/^#	kernel.sh/s/^#	//p' "${BASH_SOURCE[0]}" >&2
	exit 2
}

# row TABLE KEY: the rest of the row that starts with KEY
row() {
	awk -v key="$2" '$1 == key { $1 = ""; sub(/^ +/, ""); print; found = 1 }
		END { exit !found }' <<<"$1"
}

candidate() {
	apt-cache "${apt_options[@]}" policy "$1" |
		awk '$1 == "Candidate:" && $2 != "(none)" { print $2 }'
}

# Package lists of our own, from the machine's sources.  A source that does not
# answer is no reason to stop: what is missing is noticed by who looks for it.
update_lists() {
	local lists=$cache/apt

	mkdir -p "$lists/lists/partial" "$lists/cache/archives/partial"
	apt_options+=(-o "Dir::State::Lists=$lists/lists" -o "Dir::Cache=$lists/cache")
	say "kernel.sh: fetching package lists"
	apt-get "${apt_options[@]}" -qq update >&2 || true
}

# The release that a metapackage stands for.
resolve_release() {
	apt-cache "${apt_options[@]}" depends "$1" 2>/dev/null |
		sed -n 's/^ *Depends: linux-image-\(.*\)$/\1/p' | head -n 1
}

# Sets release.  Where no list knows the metapackage (an offline machine whose
# lists were removed), the last answer stands, if there was one.
find_release() {
	local meta=$1 memo=$cache/resolved/$1

	release=$(resolve_release "$meta")
	if [ -z "$release" ] && [ -s "$memo" ]; then
		release=$(cat "$memo")
		return
	fi
	if [ -z "$release" ]; then
		update_lists
		release=$(resolve_release "$meta")
	fi
	[ -n "$release" ] || die "no package source of this machine offers $meta"
	mkdir -p "${memo%/*}"
	[ "$(cat "$memo" 2>/dev/null)" = "$release" ] || printf '%s\n' "$release" >"$memo"
}

# The packages of one kind for one release, with the names filled in.
packages_of() {
	local kind=$1 source=$2 text kbuild

	text=$(row "$kinds" "$kind") || die "unknown kind: $kind"
	kbuild=
	case $text in *@KBUILD@*)
		kbuild=$(apt-cache "${apt_options[@]}" depends "linux-headers-$release" |
			sed -n 's/^ *Depends: \(linux-kbuild-.*\)$/\1/p') ;;
	esac
	sed -e "s/@REL@/$release/g; s/@SOURCE@/$source/; s/@KBUILD@/$kbuild/" \
		-e "s/@BASE@/${release%-cloud-amd64}/" <<<"$text"
}

# One finish function for each kind: from unpacked packages in $1 to what is
# kept.  Relative names are written only, so that an entry may be moved.

unpack_all() {
	local deb

	for deb in "$1"/*.deb; do
		dpkg-deb -x "$deb" "$1/root"
	done
}

finish_image() {
	local base

	unpack_all "$1"
	base=$1/root
	# usr-merged packages of later releases
	[ -d "$base/lib/modules" ] || ln -s usr/lib "$base/lib"
	find "$base/lib/modules/" -name '*.ko.xz' -exec xz -d {} +
	# no build and source: they point out of the entry
	rm -f "$base/lib/modules/$release/build" "$base/lib/modules/$release/source"
	PATH=$PATH:/sbin:/usr/sbin depmod -b "$base" "$release"
}

finish_headers() {
	local src=$1/root/usr/src

	unpack_all "$1"
	# shellcheck disable=SC2016 # make expands it
	sed -i 's#^include /usr/src/#include $(dir $(lastword $(MAKEFILE_LIST)))../#' \
		"$src/linux-headers-$release/Makefile"
	! grep -q '/usr/src/' "$src/linux-headers-$release/Makefile" ||
		die "linux-headers-$release has absolute paths that are not understood"
	ln -s "usr/src/linux-headers-$release" "$1/root/build"
}

# Of 1.8 GB only what a reader of symbols and lines opens.
finish_dbg() {
	mkdir -p "$1/root"
	dpkg-deb --fsys-tarfile "$1"/*.deb | tar -x -C "$1/root" \
		./usr/lib/debug/boot ./usr/lib/debug/lib/modules
}

# tar's status says that all names were found; what writes into its pipe is
# then cut short, which is meant.
finish_source_scripts() {
	local name

	mkdir -p "$1/root"
	name=$(dpkg-deb --fsys-tarfile "$1"/*.deb | tar -t | grep 'tar.xz$')
	set +o pipefail
	dpkg-deb --fsys-tarfile "$1"/*.deb 2>/dev/null | tar -xO "$name" | xz -dc |
		tar -x -C "$1/root" --strip-components=1 --occurrence=1 \
		"$(basename "$name" .tar.xz)"/scripts/{checkpatch.pl,spelling.txt,const_structs.checkpatch,kernel-doc} \
		2>"$1/tar.log"
	set -o pipefail
	test -s "$1/root/scripts/checkpatch.pl"
}

download() {
	local quiet=(-qq)

	[ ! -t 2 ] || quiet=()
	(cd "$1" && shift && apt-get "${apt_options[@]}" "${quiet[@]}" download "$@" >&2)
}

# Fetch $kind into entry $1 from packages $2...
fetch() {
	local entry=$1 tmp start=$SECONDS
	shift

	# we hold the lock: what lies here is of a run that was killed
	rm -rf "$cache/kernels/.unpack.$kind".*
	tmp=$(mktemp -d "$cache/kernels/.unpack.$kind.XXXXXX")
	# shellcheck disable=SC2064 # the directory of now
	trap "rm -rf '$tmp'" EXIT
	say "kernel.sh: fetching $*"
	if ! download "$tmp" "$@"; then
		# lists older than the archive name packages that are gone
		update_lists
		rm -f "$tmp"/*.deb
		download "$tmp" "$@" || die "cannot download $*"
	fi
	say "kernel.sh: unpacking ($((SECONDS - start)) s so far)"
	"finish_${kind//-/_}" "$tmp" || die "cannot unpack $*"
	mv -T "$tmp/root" "$entry"
	rm -rf "$tmp"
	trap - EXIT
	say "kernel.sh: $kind of $release is ready ($((SECONDS - start)) s)"
}

entry_name() {
	local version

	version=$(candidate "${packages[0]}")
	if [ -n "$version" ]; then
		printf '%s_%s_%s.%s\n' "${packages[0]}" "$version" "$(dpkg --print-architecture)" "$kind"
		return
	fi
	# without package lists: the newest entry of this package
	find "$cache/kernels" -maxdepth 1 -name "${packages[0]}_*.$kind" -printf '%f\n' |
		sort -V | tail -n 1
}

print_dir() {
	local kind=$1 key=$2 suite meta source entry
	local -a packages

	read -r suite meta source <<<"$(row "$kernels" "$key")" || die "unknown kernel: $key"
	[ -n "$meta" ] || die "unknown kernel: $key"
	[ "$suite" = - ] || die "kernel $key: other suites are not supported yet"
	mkdir -p "$cache/kernels"
	find_release "$meta"
	read -r -a packages <<<"$(packages_of "$kind" "$source")"
	entry=$(entry_name)
	[ -n "$entry" ] || { update_lists; entry=$(entry_name); }
	[ -n "$entry" ] || die "no package source of this machine offers ${packages[0]}"
	entry=$cache/kernels/$entry
	if [ ! -d "$entry" ]; then
		exec 9>"$cache/kernels/.lock.$kind"
		flock -n 9 || { say "kernel.sh: waiting for another fetch of $kind"; flock 9; }
		[ -d "$entry" ] || fetch "$entry" "${packages[@]}"
		exec 9>&-
	fi
	printf '%s\n' "$entry"
}

print_release() {
	local suite meta source

	read -r suite meta source <<<"$(row "$kernels" "$1")"
	[ -n "$meta" ] || die "unknown kernel: $1"
	find_release "$meta"
	printf '%s\n' "$release"
}

default_kernel=$(awk 'NF { print $1; exit }' <<<"$kernels")
case ${1-} in
dir)		[ $# -ge 2 ] || usage; print_dir "$2" "${3-$default_kernel}" ;;
release)	print_release "${2-$default_kernel}" ;;
kernels)	awk 'NF { print $1 }' <<<"$kernels" ;;
*)		usage ;;
esac
