#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build the Debian packages of the current commit.
#
#	deb.sh [SUITE...]	each in a clean chroot of the suite (bookworm trixie)
#	deb.sh here		on this machine, with the packages that are installed
#
# The results are in $O/deb/SUITE: the packages, the source package, the log of the build, and
# what lintian and blhc report. The exit status is 1 if lintian reports an error or a warning or
# blhc a command of the compiler without the hardening flags. The source archive is that of
# `make dist`; changes that are not committed are not in the packages.
#
# A chroot needs root and mmdebstrap (or unprivileged user namespaces) and is removed at the end.
# REVISION=N sets the Debian revision of the packages (1), to build an upgrade.
set -euo pipefail

# `make -s check-all` hands its flags on, and blhc needs the commands of the compiler in the log
unset MAKEFLAGS MFLAGS

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"

out=${O:-$top/out}
revision=${REVISION:-1}
[[ $revision =~ ^[0-9]+$ ]] || die "invalid REVISION='$revision' (expected a number)"

# unpack DIR: the source package's directory, in DIR; prints its name
unpack() {
	local archive name version

	archive=$("$top/scripts/dist.sh" "$1")
	name=${archive##*/}
	name=${name%.tar.gz}
	version=${name##*-}
	tar -xzf "$archive" -C "$1"
	mv "$archive" "$1/kmem-account_$version.orig.tar.gz"
	rm -f "$archive.sha256"
	cp -r "$1/$name/packaging/debian" "$1/$name/debian"
	[ "$revision" = 1 ] || set_revision "$1/$name/debian/changelog" "$version"
	printf '%s\n' "$name"
}

# set_revision CHANGELOG VERSION: an entry for the revision, before the others
set_revision() {
	{
		printf 'kmem-account (%s-%s) unstable; urgency=medium\n\n  * Rebuild.\n\n' "$2" "$revision"
		sed -n '/^ -- /{p;q}' "$1"
		echo
		cat "$1"
	} >"$1.new"
	mv "$1.new" "$1"
}

# build_in DIR NAME: the commands that are the same everywhere
build_in() {
	cd "$1/$2"
	LC_ALL=C.UTF-8 dpkg-buildpackage -us -uc 2>&1 | tee "$1/build.log"
}

# judge_in DIR: lintian over all packages, blhc over the log
judge_in() {
	cd "$1"
	LC_ALL=C.UTF-8 lintian --allow-root --fail-on error,warning ./*.changes 2>&1 | tee lintian.log
	blhc --debian --bindnow build.log 2>&1 | tee blhc.log
}

build_here() {
	local work=$out/deb/here name

	rm -rf "$work"
	mkdir -p "$work"
	work=$(cd "$work" && pwd)
	need_space "$work" 256 "name another directory with O=DIR"
	name=$(unpack "$work")
	build_in "$work" "$name"
	rm -rf "${work:?}/$name"
	judge_in "$work"
}

# The mirror that this machine uses for Debian.
mirror() {
	# not those of security, updates and backports, which have a suffix
	apt-get indextargets --format "\$(REPO_URI) \$(CODENAME) \$(ORIGIN)" 'Created-By: Packages' |
		awk '$3 == "Debian" && $2 !~ /-/ && !done { print $1; done = 1 }'
}

# build_chroot SUITE: a minimal system, the build dependencies, the build as a user of no rights
build_chroot() {
	local suite=$1 work=$out/deb/$1 name root

	command -v mmdebstrap >/dev/null || die "mmdebstrap is missing; install it"
	rm -rf "$work"
	mkdir -p "$work"
	work=$(cd "$work" && pwd)
	need_space "$work" 2048 "name another directory with O=DIR"
	name=$(unpack "$work")
	root=$work/chroot
	mmdebstrap --variant=buildd --include=ca-certificates,lintian,blhc "$suite" "$root" "$(mirror)" \
		>"$work/chroot.log" 2>&1 || { tail -n 20 "$work/chroot.log"; die "cannot make a chroot of $suite"; }
	mkdir "$root/build"
	cp -r "$work/$name" "$work"/*.orig.tar.gz "$root/build/"
	apt-config dump Acquire | grep -i proxy >"$root/etc/apt/apt.conf.d/90proxy" || true
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
	{
		declare -f build_in judge_in
		cat <<-END
			set -euo pipefail
			cd /build/$name
			apt-get -q update >/build/update.log 2>&1
			apt-get -q -y --no-install-recommends build-dep . >/build/build-dep.log 2>&1 ||
				{ tail -n 20 /build/build-dep.log; exit 1; }
			useradd -m builder
			chown -R builder /build
			runuser -u builder -- bash -c "\$(declare -f build_in); set -euo pipefail; build_in /build '$name'" >/dev/null
			judge_in /build
		END
	} >"$root/build.sh"
	# mounts end with the command
	# shellcheck disable=SC2016 # the inner shell's own
	unshare --mount --fork bash -c '
		set -e
		mount -t proc proc "$1/proc"
		mount --rbind /dev "$1/dev"
		exec chroot "$1" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash /build.sh
	' inside "$root" || { find "$root/build" -maxdepth 1 -name '*.log' -exec cp {} "$work/" \; ; tail -n 30 "$work/build.log"; die "$suite: the build failed; see $work"; }
	rm -rf "${work:?}/$name" "$work"/*.orig.tar.gz
	find "$root/build" -maxdepth 1 -type f -exec cp {} "$work/" \;
	rm -rf "$root"
	say "$suite: $(cd "$work" && printf '%s ' *.deb)"
}

case ${1-} in
here)	build_here ;;
'')	build_chroot bookworm
	build_chroot trixie ;;
*)	for suite in "$@"; do build_chroot "$suite"; done ;;
esac
