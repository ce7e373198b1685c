#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Fetch and unpack the parts of a Debian kernel, and print where they are.
#
#	kernel.sh dir KIND [KERNEL]	directory of one part, fetched on demand
#	kernel.sh have KERNEL[:KIND]	fetch a part of KERNEL (by default image and headers); if
#					it cannot be had, print the reason and exit with 69
#	kernel.sh release [KERNEL]	the kernel's release (uname -r)
#	kernel.sh suite KERNEL		the suite that has its source, - for the machine's own
#	kernel.sh stock			the kernel of this machine's Debian suite
#	kernel.sh others		the kernels of the other suites, cloud images only
#	kernel.sh kernels		all kernels of the table below
#
# KIND is a row of the kinds table, KERNEL a row of the kernels table (by default the
# stock kernel), a version such as 7.2 for which there is no row (sid may still have it),
# or a kernel that build.sh makes (6.1-debug).
#
# Packages come from the machine's own sources through apt-get download and are
# unpacked in the cache.  Nothing is ever installed, and the machine's package
# lists are only read: when they are missing or out of date, lists of our own
# are kept in the cache, which needs no privileges.  Kernels of other suites or machines have lists
# of their own there, from the mirrors of the machine's suite; dpkg need not know the machine.
#
# An entry is named by package, version and architecture.  A new version of a package is
# therefore a new entry, as soon as there are package lists that know it; old entries stay
# until `make clean-cache`.  An entry is unpacked in a temporary directory and renamed:
# an entry that exists is complete.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/../../scripts/lib.sh"
# shellcheck source=scripts/machine.sh
. "$here/../../scripts/machine.sh"
# shellcheck source=tests/qemu/headers.sh
. "$here/headers.sh"

# key	suites			image metapackage
# A key begins with the version, and may add a flavour or a machine (scripts/machine.sh).
# `newest` is whatever version the newest suite has.  Of several suites a machine takes its
# own, or the backports of its own, or else the first.  A suite is read with its security
# updates, if it has any.
kernels='
5.10		bullseye			linux-image-cloud-amd64
6.1		bookworm			linux-image-cloud-amd64
6.12		trixie,bookworm-backports	linux-image-cloud-amd64
newest		sid				linux-image-cloud-amd64
5.10-generic	bullseye			linux-image-amd64
6.1-generic	bookworm			linux-image-amd64
6.12-generic	trixie,bookworm-backports	linux-image-amd64
newest-generic	sid				linux-image-amd64
6.1-rt		bookworm			linux-image-rt-amd64
6.12-rt		trixie,bookworm-backports	linux-image-rt-amd64
6.1-arm64	bookworm			linux-image-arm64
6.1-i386	bookworm			linux-image-686
6.1-armhf	bookworm			linux-image-armmp
6.1-armhf-lpae	bookworm			linux-image-armmp-lpae
6.12-riscv64	trixie				linux-image-riscv64
'

# kind			packages (@REL@: the release, @COMMON@: the headers that its flavours share;
#			@PARTS@, @KBUILD@: dependencies of the first package; @SOURCE@: the
#			source of the release's version; @TOOLS@: see needs_tools).  busybox is
#			the one that runs in the guests of the kernel's machine.
kinds='
image			linux-image-@REL@ @PARTS@
headers			linux-headers-@REL@ @COMMON@ @KBUILD@ @TOOLS@
dbg			linux-image-@REL@-dbg
source			@SOURCE@
source-scripts		@SOURCE@
busybox			busybox-static
'

# The exit status of `this kernel cannot be had here`: EX_UNAVAILABLE of sysexits.h.
unavailable=69

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

# The machine's mirror of its own Debian suite, or of the updates of that suite whose name
# ends in $1.
mirror() {
	# shellcheck disable=SC2016 # apt expands it
	{ apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(CREATED_BY) $(ORIGIN)' || true; } |
		awk -v end="$1" '
		$3 == "Packages" && $4 == "Debian" && (end == "" ? $2 !~ /-/ : $2 ~ end "$") && !n++ {
			print $1
		}'
}

# The sources of a suite of Debian, as a sources.list.
suite_sources() {
	local uri
	local options=signed-by=/usr/share/keyrings/debian-archive-keyring.gpg

	[ "$machine" = "$host" ] || options="$options arch=$machine,$host"
	uri=$(mirror '')
	[ -n "$uri" ] || refuse "the package sources of this machine name no Debian mirror to fetch $key from"
	echo "deb [$options] $uri $1 main"
	case $1 in *-* | sid) return ;; esac
	uri=$(mirror -security)
	[ -z "$uri" ] || echo "deb [$options] $uri $1-security main"
}

# Read the package lists of folder $1 instead of the machine's.
use_lists() {
	mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
	apt_options=(-o APT::Sandbox::User=root -o Acquire::Languages=none
		-o "Dir::State::Lists=$1/lists" -o "Dir::Cache=$1/cache")
	[ "$suite" = - ] || apt_options+=(-o "Dir::Etc::SourceList=$1/sources.list"
		-o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::PreferencesParts=/dev/null
		-o Dir::State::status=/dev/null)
	[ "$machine" = "$host" ] || apt_options+=(-o "APT::Architecture=$machine"
		-o "APT::Architectures::=$machine" -o "APT::Architectures::=$host")
}

# refuse SENTENCE: the kernel cannot be had on this machine, today
refuse() {
	say "kernel.sh: $*"
	exit "$unavailable"
}

# A full disk is not a kernel that cannot be had: it fails the caller.  $1 is the output of
# the command that failed.  It is never kept in a file, which the same disk could not hold.
stop_if_full() {
	case ${1,,} in *'no space left'* | *'enough free space'* | *'disk quota'*)
		die "no space left below $cache; free some, for example by make clean-cache" ;;
	esac
}

# apt-get update into the lists that apt_options name.  A mirror may lag behind: its list is
# signed, but past the date up to which it is valid.  Such a list is used, with a notice.
# A source that does not answer is no reason to stop: the caller notices what is missing.
refresh_lists() {
	local words

	if ! words=$(LC_ALL=C apt-get "${apt_options[@]}" -qq update 2>&1); then
		case ${words,,} in *'is expired'* | *valid-until*)
			say "kernel.sh: the package list$suite_words is signed but out of date; using it"
			words=$(LC_ALL=C apt-get "${apt_options[@]}" -o Acquire::Check-Valid-Until=false \
				-qq update 2>&1) || true ;;
		esac
	fi
	[ -z "$words" ] || say "$words"
	stop_if_full "$words"
}

# Package lists of our own.  Of two processes that need the same lists, the second waits and
# takes the lists that the first has fetched.
update_lists() {
	use_lists "$lists"
	exec 7>"$lists/.lock"
	flock 7
	if [ -z "$(find "$lists/.fetched" -newermt "@$asked_at" 2>/dev/null)" ]; then
		[ "$suite" = - ] || suite_sources "$suite" >"$lists/sources.list"
		say "kernel.sh: fetching package lists$suite_words"
		refresh_lists
		: >"$lists/.fetched"
	fi
	exec 7>&-
}

# The release that the metapackage stands for; no release of another version.
resolve_release() {
	local start='[0-9]'

	[ -z "$version" ] || start="${version//./\\.}[^0-9]"
	{ apt-cache "${apt_options[@]}" depends "$meta" 2>/dev/null || true; } |
		sed -n "s/^ *Depends: linux-image-\($start.*\)\$/\1/p" | sed -n 1p
}

# Sets release.  Where no list knows the metapackage (an offline machine whose
# lists were removed, a suite that has moved on), the last answer stands, if
# there was one.
find_release() {
	local memo=$cache/resolved/$meta.$key.$suite

	release=$(resolve_release)
	if [ -z "$release" ] && [ -s "$memo" ]; then
		release=$(cat "$memo")
		return
	fi
	if [ -z "$release" ]; then
		update_lists
		release=$(resolve_release)
	fi
	[ -n "$release" ] ||
		refuse "no package source offers ${meta}${version:+ $version}$suite_words; check the network and /etc/apt"
	mkdir -p "${memo%/*}"
	[ "$(cat "$memo" 2>/dev/null)" = "$release" ] || printf '%s\n' "$release" >"$memo"
}

# What package $1 depends on, as far as the names match the expression $2.
depends() {
	{ apt-cache "${apt_options[@]}" depends "$1" 2>/dev/null || true; } |
		sed -n "s/^ *Depends: \($2\)\$/\1/p" | paste -sd' '
}

# The newest kernels' host tools (modpost, objtool) need a C library that this
# machine does not have: they are made from source then.
needs_tools() {
	local need

	need=$({ apt-cache "${apt_options[@]}" show "$1" 2>/dev/null || true; } | tr ',' '\n' |
		sed -n 's/^.* libc6 (>= \([0-9.]*\)).*/\1/p' | sed -n 1p)
	[ -n "$need" ] && ! dpkg --compare-versions "$need" le \
		"$(getconf GNU_LIBC_VERSION | awk '{ print $2 }')"
}

# The headers that flavours share. 6.1.0-56-rt-amd64 needs linux-headers-6.1.0-56-common-rt.
common_headers() {
	sed -E 's/^([^-]+(-[0-9]+)?)-(rt)?.*/linux-headers-\1-common-\3/; s/-$//' <<<"$release"
}

# The packages of one kind for one release, with the names filled in.
packages_of() {
	local kind=$1 text kbuild='' parts='' tools='' source

	# 7.2.13+deb14-cloud-amd64 is made of linux-source-7.2
	[[ $release =~ ^[0-9]+\.[0-9]+ ]]
	source=linux-source-${BASH_REMATCH[0]}
	text=$(row "$kinds" "$kind") || die "unknown kind: $kind"
	case $text in
	*@PARTS@*)
		parts=$(depends "linux-image-$release" 'linux-\(base\|binary\|modules\)-.*') ;;
	*@KBUILD@*)
		kbuild=$(depends "linux-headers-$release" 'linux-kbuild-.*')
		# programs of the machine that builds
		[ "$machine" = "$host" ] || kbuild=$kbuild:$host
		! needs_tools "$kbuild" || tools=$source ;;
	esac
	sed -e "s/@REL@/$release/g; s/@SOURCE@/$source/; s/@KBUILD@/$kbuild/" \
		-e "s/@PARTS@/$parts/; s/@TOOLS@/$tools/" \
		-e "s/@COMMON@/$(common_headers)/" <<<"$text"
}

# One finish function for each kind: from unpacked packages in $1 to what is
# kept.  Relative names are written only, so that an entry may be moved.

unpack_all() {
	local deb

	for deb in "$1"/*.deb; do
		case ${deb##*/} in linux-source-*) continue ;; esac
		dpkg-deb -x "$deb" "$1/root"
	done
}

# Modules for hardware that no guest has: of 401 MB of the generic 6.1 153 stay.
no_hardware='sound drivers/gpu drivers/media drivers/net/ethernet drivers/net/wireless
	drivers/infiniband drivers/iio drivers/staging drivers/usb drivers/hid drivers/input
	drivers/scsi drivers/isdn drivers/platform drivers/hwmon drivers/mfd drivers/pinctrl
	drivers/comedi drivers/accel drivers/thermal drivers/leds drivers/power'

finish_image() {
	local base modules folder

	unpack_all "$1"
	base=$1/root
	# usr-merged packages of later releases
	[ -d "$base/lib/modules" ] || ln -s usr/lib "$base/lib"
	modules=$base/lib/modules/$release/kernel
	for folder in $no_hardware; do
		rm -rf "$modules/${folder:?}"
	done
	if [ -e "$base/boot/vmlinux-$release" ]; then
		# riscv64's is not packed
		ln -s "vmlinux-$release" "$base/boot/vmlinuz-$release"
	elif [ ! -e "$base/boot/vmlinuz-$release" ]; then
		mkdir -p "$base/boot"
		ln -s "../lib/modules/$release/vmlinuz" "$base/boot/vmlinuz-$release"
	fi
	find "$base/lib/modules/" -name '*.ko.xz' -exec xz -d {} +
	# no build and source: they point out of the entry
	rm -f "$base/lib/modules/$release/build" "$base/lib/modules/$release/source"
	PATH=$PATH:/sbin:/usr/sbin depmod -b "$base" "$release"
}

finish_busybox() {
	unpack_all "$1"
	# usr-merged packages of later releases
	[ -d "$1/root/bin" ] || ln -s usr/bin "$1/root/bin"
}

# What linux-source in folder $1 is about.
packed_source() {
	dpkg-deb --fsys-tarfile "$1"/linux-source-*.deb |
		tar -xO --wildcards './usr/src/linux-source-*.tar.xz'
}

# Of 1.8 GB only what a reader of symbols and lines opens.
finish_dbg() {
	mkdir -p "$1/root"
	dpkg-deb --fsys-tarfile "$1"/*.deb | tar -x -C "$1/root" \
		./usr/lib/debug/boot ./usr/lib/debug/lib/modules
}

# Packed, as build.sh wants it.
finish_source() {
	mkdir -p "$1/root"
	packed_source "$1" >"$1/root/linux-source.tar.xz"
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

# download FOLDER PACKAGE...: the packages into FOLDER; 1 if a source does not give them
download() {
	local words status=0

	words=$(cd "$1" && shift && LC_ALL=C apt-get "${apt_options[@]}" -qq download "$@" 2>&1) || status=1
	[ -z "$words" ] || say "$words"
	[ "$status" -eq 0 ] || stop_if_full "$words"
	return "$status"
}

# Fetch $packages into $entry.  Sets missing, to 1 if a source does not give them.  Never call
# it in a condition: bash would go on after a failed command even in the inner shell below,
# and would keep an entry that is not complete.
fetch() {
	local tmp words status start=$SECONDS

	# this process holds the lock, so a directory left here is that of a killed run
	rm -rf "$cache/kernels/.unpack.$kind".*
	tmp=$(mktemp -d "$cache/kernels/.unpack.$kind.XXXXXX")
	# shellcheck disable=SC2064 # the value of tmp is final
	trap "rm -rf '$tmp'" EXIT
	say "kernel.sh: fetching ${packages[*]}"
	missing=1
	download "$tmp" "${packages[@]}" || return 0
	missing=
	say "kernel.sh: unpacking ($((SECONDS - start)) s so far)"
	set +e
	words=$(set -e; "finish_${kind//-/_}" "$tmp" 2>&1)
	status=$?
	set -e
	[ -z "$words" ] || say "$words"
	[ "$status" -eq 0 ] || {
		stop_if_full "$words"
		die "cannot unpack ${packages[*]}; try again"
	}
	mv -T "$tmp/root" "$entry"
	rm -rf "$tmp"
	trap - EXIT
	say "kernel.sh: $kind of $release is ready ($((SECONDS - start)) s)"
}

entry_name() {
	local version

	version=$(candidate "${packages[0]}")
	if [ -n "$version" ]; then
		printf '%s_%s_%s.%s\n' "${packages[0]}" "${version#*:}" "$machine" "$kind"
		return
	fi
	# without package lists: the newest entry of this package
	find "$cache/kernels" -maxdepth 1 -name "${packages[0]}_*.$kind" -printf '%f\n' |
		sort -V | tail -n 1
}

# The suite to read for suites $1 of the kernels table: `-` is the machine's own, whose
# lists are the machine's.
suite_of() {
	local suite

	for suite in ${1//,/ }; do
		[ "$suite" != "$own_suite" ] || { echo -; return; }
	done
	for suite in ${1//,/ }; do
		[[ $suite != "$own_suite"-* ]] || { echo "$suite"; return; }
	done
	echo "${1%%,*}"
}

# choose KEY KIND: sets key, suite, meta and version of a kernel, its machine, and the place of
# the lists to read for KIND. Any version may be asked of a key without a row: the newest suite may have it.
choose() {
	local suites

	key=$1
	machine=$(machine_of_kernel "$key")
	version=${key%%-*}
	case $key in newest*) version='' ;; esac
	read -r suites meta <<<"$(row "$kernels" "$key" ||
		{ [[ ! $key =~ ^[0-9]+\.[0-9]+$ ]] || row "$kernels" newest; })" || true
	[ -n "$meta" ] || exec "$here/build.sh" "${asked[@]}"
	# The machine's lists have no packages of another machine. Sources come from the same suite
	# on every machine: the patch series and our own kernels are made from them.
	case $machine:$2 in
	"$host:source"*) suite=$(suite_of "${suites%%,*}") ;;
	"$host":*)	suite=$(suite_of "$suites") ;;
	*)		suite=${suites%%,*} ;;
	esac
	suite_words=
	lists=$cache/apt
	[ "$suite" != - ] || return 0
	suite_words=" of $suite"
	lists=$lists-$suite
	[ "$machine" = "$host" ] || lists=$lists-$machine
	use_lists "$lists"
}

# Sets release, packages and entry.
locate() {
	find_release
	read -r -a packages <<<"$(packages_of "$kind")"
	entry=$(entry_name)
	[ -n "$entry" ] || { update_lists; entry=$(entry_name); }
	[ -n "$entry" ] || refuse "no package source offers ${packages[0]:-$kind of $key}$suite_words"
	entry=$cache/kernels/$entry
}

# The answer of last time, if it is as good as new: nothing that apt and we would
# read for another one is newer. apt takes seconds to read it.
last_answer() {
	local memo=$1 files=(/var/lib/apt/lists /etc/apt "$lists")

	[ -s "$memo" ] || return
	[ "$suite" = - ] || files=("$lists"/{lists,sources.list})
	[ -z "$(find "${BASH_SOURCE[0]}" "${files[@]}" -newer "$memo" -print -quit 2>/dev/null)" ] ||
		return
	entry=$(cat "$memo")
	[ -d "$entry" ]
}

# As old as the question: what has changed since then is newer.
keep_answer() {
	printf '%s\n' "$entry" >"$1.$$"
	touch -d "@$asked_at" "$1.$$"
	mv "$1.$$" "$1"
}

print_dir() {
	local memo=$cache/resolved/$key.$1

	kind=$1
	if last_answer "$memo"; then
		printf '%s\n' "$entry"
		return
	fi
	mkdir -p "$cache/kernels" "$cache/resolved"
	locate
	if [ ! -d "$entry" ]; then
		exec 9>"$cache/kernels/.lock.$kind"
		flock -n 9 || { say "kernel.sh: waiting for another fetch of $kind"; flock 9; }
		missing=
		[ -d "$entry" ] || fetch
		if [ -n "$missing" ]; then
			# lists older than the archive name packages that are gone
			update_lists
			locate
			[ -d "$entry" ] || fetch
			[ -d "$entry" ] ||
				refuse "cannot download ${packages[*]}; check the network and /etc/apt, then try again"
		fi
		exec 9>&-
	fi
	keep_answer "$memo"
	printf '%s\n' "$entry"
}

# The release is in the name of the image's modules, which costs no look into package lists.
print_release() {
	local memo=$cache/resolved/$key.image

	kind=image
	if last_answer "$memo"; then
		release=$(basename "$entry"/lib/modules/*)
	else
		find_release
	fi
	printf '%s\n' "$release"
}

have() {
	local part

	for part in ${1:-image headers}; do
		print_dir "$part" >/dev/null
	done
}

# The rows whose key has no flavour, and that have suite $1 among theirs, or not (-v)
cloud_kernels() {
	awk -v own="$own_suite" -v want="$1" '
	NF && $1 !~ /-/ { has = ("," $2 "," ~ "," own ","); if (has == want) print $1 }' <<<"$kernels"
}

# The kernel of the machine's own suite; where the table has none, the newest.
stock() {
	local key

	key=$(cloud_kernels 1)
	printf '%s\n' "${key:-newest}"
}

own_suite=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
case ${1-} in
stock)		stock; exit ;;
others)		cloud_kernels 0 | grep -vx "$(stock)"; exit ;;
kernels)	awk 'NF { print $1 }' <<<"$kernels"; exit ;;
esac
type -P apt-get dpkg-deb >/dev/null ||
	refuse "the kernels of the tests are Debian packages, and this machine has no apt-get and dpkg"
host=$(dpkg --print-architecture)
asked=("$@")
asked_at=$EPOCHREALTIME
case ${1-} in
dir)		[ $# -ge 2 ] || usage; choose "${3:-$(stock)}" "$2"; print_dir "$2" ;;
have)		[ $# -eq 2 ] || usage; kind=$(cut -d : -s -f 2 <<<"$2")
		choose "${2%%:*}" "$kind"; have "$kind" ;;
suite)		[ $# -eq 2 ] || usage; choose "$2" source; printf '%s\n' "$suite" ;;
release)	choose "${2:-$(stock)}" image; print_release ;;
*)		usage ;;
esac
