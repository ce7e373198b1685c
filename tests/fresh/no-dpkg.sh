#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A machine of another distribution: a Debian directory with the tools and libraries
# installed, whose dpkg and apt are then hidden. The host program, the module and the tests
# that need no guest must work there. Prints KTAP.
#
#	no-dpkg.sh [SUITE]	bookworm or trixie; this machine's by default
#
# Needs root and debootstrap. The directory is below FRESH (/var/tmp/kmem-account-fresh) and is
# removed afterwards. A part of make soak.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"
# shellcheck source=tests/ktap.sh
. "$top/tests/ktap.sh"

fresh=${FRESH:-/var/tmp/kmem-account-fresh}
suite=${1:-$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)}
root=$fresh/no-dpkg-$suite.$$
packages=git,make,ca-certificates,linux-headers-cloud-amd64

# inside COMMAND...: COMMAND in the directory's /src, with a clean environment; the mounts
# are in a mount namespace that ends with the command
inside() {
	# shellcheck disable=SC2016 # the inner shell's own
	unshare --mount --fork bash -c '
		set -e
		mount -t proc proc "$1/proc"
		mount --rbind /dev "$1/dev"
		root=$1
		shift
		exec chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			bash -c "cd /src && exec \"\$@\"" inside "$@"
	' inside "$root" "$@"
}

uri() {
	apt-get indextargets --format "\$(REPO_URI) \$(ORIGIN)" 'Created-By: Packages' |
		awk '$2 == "Debian" { print $1; exit }'
}

make_root() {
	mkdir -p "$fresh"
	debootstrap --variant=minbase --include="$packages" "$suite" "$root" "$(uri)"
	apt-config dump Acquire | grep -i 'proxy' >"$root/etc/apt/apt.conf.d/90proxy" || true
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
	git clone -q "$top" "$root/src"
	inside scripts/setup.sh build static doc check
}

# dpkg and apt with their data go to a directory that nothing reads.
hide() {
	mkdir -p "$root"/hidden/{bin,lib}
	mv "$root"/usr/bin/dpkg* "$root"/usr/bin/apt* "$root/hidden/bin/"
	mv "$root/var/lib/dpkg" "$root/hidden/lib/"
}

d3_missing() {
	mv "$root/usr/share/nodejs/d3-hierarchy" "$root/hidden/"
	if inside make host >"$fresh/said" 2>&1; then return 1; fi
	mv "$root/hidden/d3-hierarchy" "$root/usr/share/nodejs/"
	cat "$fresh/said"
	[ "$(grep -c 'missing for build: d3-hierarchy (d3, JavaScript); .*D3=DIR' "$fresh/said")" -eq 1 ] && [ ! -e "$root/src/out/host" ]
}

kdir() { inside bash -c 'echo /lib/modules/*/build'; }

no_headers() {
	if inside make module >"$fresh/said" 2>&1; then return 1; fi
	cat "$fresh/said"
	grep 'no headers of the running kernel in .*install its headers, or .*KDIR=DIR' "$fresh/said"
	[ ! -e "$root/src/out/module" ]
}

built() { inside bash -c 'ls out/module/*/module/kmem_account.ko' && inside out/host/kmem-account --version; }

removed() {
	inside make -s KDIR="$(kdir)" DESTDIR=/dest uninstall
	[ -z "$(find "$root/dest" ! -type d)" ]
}

[ "$(id -u)" -eq 0 ] || die "needs root (chroot)"
command -v debootstrap >/dev/null || die "debootstrap is missing; install it"
trap 'rm -rf "$root"' EXIT
ktap_plan 12
ktap "base system, tools and libraries of $suite" make_root
ktap "dpkg and apt hidden" hide
ktap "no d3: one message" d3_missing
ktap "make host" inside make host
ktap "make module without headers: one message" no_headers
ktap "make module" inside make module KDIR="$(kdir)"
ktap "program and module" built
ktap "make install" inside make KDIR="$(kdir)" DESTDIR=/dest install
ktap "make uninstall" removed
ktap "layers" inside scripts/check-layers.sh
ktap "unit" inside make -s -C tests/unit O=/src/out/unit check
ktap "unit-host" inside make -s -C host O=/src/out/host unit-check
ktap_end
