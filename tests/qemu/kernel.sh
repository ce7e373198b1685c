#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Fetch and unpack the parts of a stock Debian kernel, and print where they are.
#
#	kernel.sh dir KIND [KERNEL]	directory of one part, fetched on demand
#	kernel.sh release [KERNEL]	the kernel's release (uname -r)
#	kernel.sh kernels		the kernels known
#
# KIND is a row of the kinds table, KERNEL a row of the kernels table below, or
# one that build.sh makes (6.1-debug).
#
# Packages come from the machine's own sources through apt-get download and are
# unpacked in the cache.  Nothing is ever installed, and the machine's package
# lists are only read: when they are missing or out of date, lists of our own
# are kept in the cache, which needs no privileges.  Kernels of other suites have
# lists of their own there, from the mirrors that the machine uses for its suite;
# so have kernels for another machine, which dpkg need not know.
#
# An entry is named by package, version and architecture, so that a new version
# of a package is noticed by itself, once there are package lists that know it;
# old entries stay until `make clean-cache`.
# It is unpacked beside its place and renamed into it: what exists is whole.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/../../scripts/lib.sh"
# shellcheck source=scripts/machine.sh
. "$here/../../scripts/machine.sh"

# key	suite			image metapackage	source
# A key is the version that the package's name begins with, and maybe a flavour, or the
# machine that it is for (scripts/machine.sh).
# Suite `-` is whatever the machine's own sources offer.  A suite has its security
# updates with it, if it has any.
kernels='
6.1	-			linux-image-cloud-amd64	linux-source-6.1
5.10	bullseye		linux-image-cloud-amd64	linux-source-5.10
6.12	bookworm-backports	linux-image-cloud-amd64	linux-source-6.12
7.2	sid			linux-image-cloud-amd64	linux-source-7.2
6.1-generic	-		linux-image-amd64	linux-source-6.1
5.10-generic	bullseye	linux-image-amd64	linux-source-5.10
6.12-generic	bookworm-backports	linux-image-amd64	linux-source-6.12
7.2-generic	sid		linux-image-amd64	linux-source-7.2
6.1-arm64	bookworm	linux-image-arm64	linux-source-6.1
'

# kind			packages (@REL@: the release, @BASE@: without its flavour;
#			@PARTS@, @KBUILD@: what the first package depends on;
#			@TOOLS@: see needs_tools).  busybox is what runs in the guests of the
#			kernel's machine.
kinds='
image			linux-image-@REL@ @PARTS@
headers			linux-headers-@REL@ linux-headers-@BASE@-common @KBUILD@ @TOOLS@
dbg			linux-image-@REL@-dbg
source			@SOURCE@
source-scripts		@SOURCE@
busybox			busybox-static
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

# The machine's mirror of its suite, or of the updates of its suite that end in $1.
mirror() {
	# shellcheck disable=SC2016 # apt expands it
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(CREATED_BY)' |
		awk -v end="$1" '
		$3 == "Packages" && (end == "" ? $2 !~ /-/ : $2 ~ end "$") { print $1; exit }'
}

# The sources of a suite of Debian, as a sources.list.
suite_sources() {
	local uri
	local options=signed-by=/usr/share/keyrings/debian-archive-keyring.gpg

	[ "$machine" = "$host" ] || options="$options arch=$machine,$host"
	uri=$(mirror '')
	[ -n "$uri" ] || die "the machine's package sources name no mirror"
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

# Package lists of our own.  A source that does not answer is no reason to stop:
# what is missing is noticed by who looks for it.
update_lists() {
	use_lists "$lists"
	[ "$suite" = - ] || suite_sources "$suite" >"$lists/sources.list"
	say "kernel.sh: fetching package lists${suite_words}"
	apt-get "${apt_options[@]}" -qq update >&2 || true
}

# The release that the metapackage stands for; none of another version.
resolve_release() {
	local version=${key%%-*}

	{ apt-cache "${apt_options[@]}" depends "$meta" 2>/dev/null || true; } |
		sed -n "s/^ *Depends: linux-image-\(${version//./\\.}\..*\)\$/\1/p" | head -n 1
}

# Sets release.  Where no list knows the metapackage (an offline machine whose
# lists were removed, a suite that has moved on), the last answer stands, if
# there was one.
find_release() {
	local memo=$cache/resolved/$meta

	[ "$suite" = - ] || memo=$memo.$suite
	release=$(resolve_release)
	if [ -z "$release" ] && [ -s "$memo" ]; then
		release=$(cat "$memo")
		return
	fi
	if [ -z "$release" ]; then
		update_lists
		release=$(resolve_release)
	fi
	[ -n "$release" ] || die "no package source offers $meta $key$suite_words"
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
		sed -n 's/^.* libc6 (>= \([0-9.]*\)).*/\1/p' | head -n 1)
	[ -n "$need" ] && ! dpkg --compare-versions "$need" le \
		"$(getconf GNU_LIBC_VERSION | awk '{ print $2 }')"
}

# The packages of one kind for one release, with the names filled in.
packages_of() {
	local kind=$1 text kbuild='' parts='' tools='' base=${release%-"$machine"}

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
		-e "s/@BASE@/${base%-cloud}/" <<<"$text"
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
	[ -e "$base/boot/vmlinuz-$release" ] || {
		mkdir -p "$base/boot"
		ln -s "../lib/modules/$release/vmlinuz" "$base/boot/vmlinuz-$release"
	}
	find "$base/lib/modules/" -name '*.ko.xz' -exec xz -d {} +
	# no build and source: they point out of the entry
	rm -f "$base/lib/modules/$release/build" "$base/lib/modules/$release/source"
	PATH=$PATH:/sbin:/usr/sbin depmod -b "$base" "$release"
}

finish_headers() {
	local src=$1/root/usr/src compiler
	local build=$src/linux-headers-$release

	unpack_all "$1"
	# shellcheck disable=SC2016 # make expands it
	sed -i -e 's#^include /usr/src/#include $(dir $(lastword $(MAKEFILE_LIST)))../#' \
		-e 's#/usr/src/#$(abspath $(dir $(lastword $(MAKEFILE_LIST)))..)/#' "$build/Makefile"
	! grep -q '/usr/src/' "$build/Makefile" ||
		die "linux-headers-$release has absolute paths that are not understood"
	ln -s "usr/src/linux-headers-$release" "$1/root/build"
	# with it kbuild makes BTF, for which this machine's pahole, if any, is too old
	rm -f "$build/vmlinux"
	compiler=$(sed -n 's/.*\<\(gcc-[0-9]*\).*/\1/p' "$build/.kernelvariables" | head -n 1)
	[ -z "$compiler" ] || command -v "$compiler" >/dev/null || make_cc "$1/root/cc"
	[ ! -e "$(echo "$1"/linux-source-*.deb)" ] || make_tools "$1" "$build"
}

finish_busybox() {
	unpack_all "$1"
}

# What linux-source in folder $1 is about.
packed_source() {
	dpkg-deb --fsys-tarfile "$1"/linux-source-*.deb |
		tar -xO --wildcards './usr/src/linux-source-*.tar.xz'
}

# In place of the compiler that the headers ask for: the machine's own, without
# what it does not know and does not change what a module looks like.
make_cc() {
	cat >"$1" <<-'EOT'
		#!/bin/bash
		args=(-Wno-attributes)
		for arg in "$@"; do
			case $arg in
			-fmin-function-alignment=*)	args+=("-falign-functions=${arg#*=}") ;;
			*)				args+=("$arg") ;;
			esac
		done
		exec gcc "${args[@]}"
	EOT
	chmod +x "$1"
}

# The host tools of the headers in $1, made from the kernel's source.  The module
# keeps the package's configuration and headers.
make_tools() {
	local kbuild tool other

	kbuild=$(echo "$1"/root/usr/lib/linux-kbuild-*)
	# those of another flavour are the same
	for other in "$cache/kernels"/*.headers/usr/lib/"${kbuild##*/}"; do
		[ -d "$other" ] || continue
		say "kernel.sh: the host tools of $release are there already"
		cp -a "$other/." "$kbuild/"
		return
	done
	say "kernel.sh: making the host tools of $release"
	mkdir -p "$1/source" "$1/tools"
	packed_source "$1" | xz -dc |
		tar -x -C "$1/source" --strip-components=1 --exclude='*/drivers/*.[ch]' \
			--exclude='*.rst' --exclude='*/sound/*.[ch]' --exclude='*.dts*'
	cp "$2/.config" "$1/tools/.config"
	make -s -j"$(nproc)" -C "$1/source" O="$(realpath "$1/tools")" CC="$(realpath "$1/root/cc")" \
		olddefconfig modules_prepare >"$1/tools.log" 2>&1 || { tail -n 20 "$1/tools.log" >&2; return 1; }
	for tool in scripts/mod/modpost scripts/basic/fixdep tools/objtool/objtool; do
		cp "$1/tools/$tool" "$kbuild/$tool"
	done
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

download() {
	local quiet=(-qq)

	[ ! -t 2 ] || quiet=()
	(cd "$1" && shift && apt-get "${apt_options[@]}" "${quiet[@]}" download "$@" >&2)
}

# Fetch $packages into $entry; 1 if they cannot be had.
fetch() {
	local tmp start=$SECONDS

	# we hold the lock: what lies here is of a run that was killed
	rm -rf "$cache/kernels/.unpack.$kind".*
	tmp=$(mktemp -d "$cache/kernels/.unpack.$kind.XXXXXX")
	# shellcheck disable=SC2064 # the directory of now
	trap "rm -rf '$tmp'" EXIT
	say "kernel.sh: fetching ${packages[*]}"
	download "$tmp" "${packages[@]}" || return
	say "kernel.sh: unpacking ($((SECONDS - start)) s so far)"
	"finish_${kind//-/_}" "$tmp" || die "cannot unpack ${packages[*]}"
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

# Sets suite, meta and source of a kernel, its machine, and where its lists are.
choose() {
	key=$1
	machine=$(machine_of_kernel "$key")
	read -r suite meta source <<<"$(row "$kernels" "$key")" || true
	[ -n "$meta" ] || exec "$here/build.sh" "${asked[@]}"
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
	[ -n "$entry" ] || die "no package source offers ${packages[0]}"
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
		if [ ! -d "$entry" ] && ! fetch; then
			# lists older than the archive name packages that are gone
			update_lists
			locate
			[ -d "$entry" ] || fetch || die "cannot download ${packages[*]}"
		fi
		exec 9>&-
	fi
	keep_answer "$memo"
	printf '%s\n' "$entry"
}

print_release() {
	find_release
	printf '%s\n' "$release"
}

host=$(dpkg --print-architecture)
asked=("$@")
asked_at=$EPOCHREALTIME
default_kernel=$(awk 'NF { print $1; exit }' <<<"$kernels")
case ${1-} in
dir)		[ $# -ge 2 ] || usage; choose "${3-$default_kernel}"; print_dir "$2" ;;
release)	choose "${2-$default_kernel}"; print_release ;;
kernels)	awk 'NF { print $1 }' <<<"$kernels" ;;
*)		usage ;;
esac
