#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The packages of Debian, from the build to the purge: built on this machine from the last commit,
# then installed in a minimal chroot that has the headers of the stock kernel. Nothing is loaded:
# the kernel that runs is another one. Prints KTAP.
#
#	packages.sh [SUITE]	bookworm or trixie; this machine's by default. For another suite
#				the packages are built in a chroot of it.
#
# Needs root, mmdebstrap and the network for what the chroot installs. The chroot without the
# packages is kept in the cache for a week; KEEP=1 keeps the test's own below $O/packages.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"
# shellcheck source=tests/ktap.sh
. "$top/tests/ktap.sh"
cd "$top"

own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
suite=${1:-$own}
out=${O:-$top/out}
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$out/packages/$suite
root=$work/root
version=$(scripts/version.sh)
if [ "$suite" = "$own" ]; then debs=$out/deb/here; else debs=$out/deb/$suite; fi

[ "$(id -u)" -eq 0 ] || die "needs root (chroot)"

# DKMS builds the same module six times. The chroot's compiler is that of ccache, whose files are in
# this machine's cache. dpkg has the PATH that apt gives it.
compiled=$(cache_dir)/packaging/ccache
path=/usr/lib/ccache:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# inside COMMAND...: COMMAND in the chroot, with a clean environment; the mounts end with it. With
# SMALL_DISK=DIR, DIR is an empty file system of 256 KiB.
inside() {
	# shellcheck disable=SC2016 # the inner shell's own
	unshare --mount --fork bash -c '
		set -e
		mount -t proc proc "$1/proc"
		mount --rbind /dev "$1/dev"
		mount --bind "$2" "$1/var/cache/ccache"
		[ -z "${SMALL_DISK-}" ] || mount -t tmpfs -o size=256k tmpfs "$1/$SMALL_DISK"
		root=$1 path=$3
		shift 3
		exec chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
			CCACHE_DIR=/var/cache/ccache CCACHE_MAXSIZE=200M PATH="$path" "$@"
	' inside "$root" "$compiled" "$path" "$@"
}

mirror() {
	# not those of security, updates and backports, which have a suffix
	apt-get indextargets --format "\$(REPO_URI) \$(CODENAME) \$(ORIGIN)" 'Created-By: Packages' |
		awk '$3 == "Debian" && $2 !~ /-/ && !done { print $1; done = 1 }'
}

# The system that the packages are installed in, from the cache or new.
make_root() {
	local tar dir
	dir=$(cache_dir)/packaging
	tar=$dir/$suite-$(sum_of "$1").tar

	mkdir -p "$dir"
	find "$dir" -name "$suite-*.tar" -mtime +7 -delete
	[ -e "$tar" ] || {
		mmdebstrap --variant=apt "$suite" "${tar%.tar}.new.tar" "$(mirror)" --include="$1" &&
			mv "${tar%.tar}.new.tar" "$tar"
	} || return
	rm -rf "$root"
	mkdir -p "$root"
	tar -xf "$tar" -C "$root" || return
	apt-config dump Acquire | grep -i proxy >"$root/etc/apt/apt.conf.d/90proxy" || true
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
	mkdir -p "$compiled" "$root/var/cache/ccache"
	echo "DPkg::Path \"$path\";" >"$root/etc/apt/apt.conf.d/90path"
}

# What the packages need, so that the chroot in the cache has all of that.
base=ca-certificates,ccache,dkms,linux-headers-cloud-amd64,fonts-dejavu-core,libcairo2,libdw1,libelf1,libgnutls30,libjansson4,liblzma5,libmicrohttpd12,libncursesw6,libsqlite3-0,libtracecmd1,libtracefs1,libxxhash0,zstd
[ "$suite" = bookworm ] || base=$(sed 's/libelf1,/libelf1t64,/; s/libgnutls30,/libgnutls30t64,/; s/libmicrohttpd12,/libmicrohttpd12t64,/' <<<"$base")

build() {
	if [ "$suite" = "$own" ]; then packaging/deb.sh here; else packaging/deb.sh "$suite"; fi
}

# lintian and blhc have judged in the build, which fails at an error or a warning.
judged() {
	[ -f "$debs/lintian.log" ] && [ -f "$debs/blhc.log" ] || return
	! grep -E '^[EW]:' "$debs/lintian.log"
}

# The packages of the libraries that the program loads, which dpkg-shlibdeps does not find in it.
brings_loaded() {
	local depends library

	depends=$(dpkg-deb -f "$debs"/kmem-account_*.deb Depends)
	echo "$depends"
	for library in libcairo2 libgnutls30 libmicrohttpd12; do
		grep -qE "\b$library(t64)? \(>= " <<<"$depends" || { echo "no $library"; return 1; }
	done
}

# files: all files but those of dpkg, apt, logs, caches, dkms's key, depmod's tables and, where
# initramfs-tools is installed, the initrds of the kernels that this test makes up
files() {
	(cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./sys -o -path ./tmp -o -path ./debs \
		-o -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./var/log -o -path ./var/cache \) -prune -o -print) |
		grep -vE '^\./var/lib/dkms/mok\.|^\./lib/modules/[^/]*/modules\.|^\./usr/lib/modules/[^/]*/modules\.|^\./boot/initrd\.img-' | sort
}

installed() {
	mkdir -p "$root/debs"
	cp "$debs"/kmem-account{,-dkms,-prometheus,-recorder}_*.deb "$root/debs/"
	inside apt-get -q update &&
		inside bash -c 'apt-get -q -y -o APT::Sandbox::User=root --no-install-recommends install /debs/*.deb'
}

runs() {
	cp tests/data/small.account "$root/tmp/"
	inside bash -euc 'cd /tmp
		kmem-account --version
		kmem-account report small.account --by caller --format csv
		kmem-account rings small.account -r chart.svg
		trace_analyze --help >/dev/null
		kmem-account-record --version' >"$work/said" || { cat "$work/said"; return 1; }
	cat "$work/said"
	grep -q "^kmem-account $version " "$work/said" && grep -qx "kmem-account-record $version" "$work/said" &&
		grep -q '^alloc_inode+0x59/0xc0,20480,' "$work/said" && grep -q '<svg' "$root/tmp/chart.svg"
}

# The units run programs that are there, the rules and the dashboard are those of the tree, and
# nothing is enabled.
monitoring() {
	local unit program

	for unit in kmem-account-serve.service kmem-account-textfile.service kmem-account-textfile.timer; do
		inside bash -c "cat /lib/systemd/system/$unit" | cmp - "packaging/prometheus/$unit" || return
	done
	while read -r program; do
		inside test -x "$program" || { echo "$program is missing"; return 1; }
	done < <(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' packaging/prometheus/*.service)
	cmp "$root/usr/share/kmem-account/prometheus/kmem-account.rules.yml" packaging/prometheus/kmem-account.rules.yml &&
		cmp "$root/usr/share/kmem-account/grafana/kmem-account.dashboard.json" \
			packaging/prometheus/kmem-account.dashboard.json || return
	! find "$root/etc/systemd" -name 'kmem-account*' 2>/dev/null | grep .
}

# The smoke test of autopkgtest, as it runs there.
smoke() {
	cp packaging/debian/tests/smoke "$root/tmp/"
	inside /tmp/smoke
}

# the kernel whose headers the chroot has from the beginning
release() { (cd "$root/lib/modules" && printf '%s\n' *-cloud-*); }

# module_of RELEASE: the version of the module that DKMS has installed for the kernel
module_of() {
	inside bash -c "modinfo -k '$1' -F version kmem_account"
}

built_module() {
	inside dkms status kmem-account
	[ "$(module_of "$(release)")" = "$version" ] || return
	inside modinfo -k "$(release)" -F signer kmem_account | grep . # dkms 3 signs
}

# A kernel that is too new: the headers of the stock kernel, which say that they are of 9.0.
newer_kernel() {
	local old new=9.0.0-test

	old=$(release)
	inside bash -euc "mkdir /lib/modules/$new
		cp -a \"\$(readlink -f /lib/modules/$old/build)\" /usr/src/headers-$new
		ln -s /usr/src/headers-$new /lib/modules/$new/build
		cd /usr/src/headers-$new/include/generated
		sed -i 's/LINUX_VERSION_CODE .*/LINUX_VERSION_CODE 589824/' uapi/linux/version.h
		echo '#define UTS_RELEASE \"$new\"' >utsrelease.h"
}

# hook RELEASE: what a kernel's package runs, all hooks of the directory as it does
hook() {
	inside bash -c "run-parts --verbose --exit-on-error --arg='$1' --arg=/boot/vmlinuz-$1 /etc/kernel/postinst.d" \
		>"$work/hook" 2>&1
}

# The kernel's installation goes on, with one sentence.
newer_kernel_is_no_error() {
	local status=0

	newer_kernel
	hook 9.0.0-test || status=$?
	cat "$work/hook"
	[ "$status" -eq 0 ] || return
	[ "$(grep -c '^kmem-account: the module kmem_account .* could not be built for kernel 9.0.0-test' "$work/hook")" -eq 1 ]
	# the reason that the sentence points to
	grep 'built for Linux 5.10 to 7.x' "$root/var/lib/dkms/kmem-account/$version/build/make.log" || return
	rm -rf "$root/lib/modules/9.0.0-test" "$root/usr/src/headers-9.0.0-test"
}

# A kernel before the minimum is left out.
older_kernel_is_skipped() {
	mkdir -p "$root/lib/modules/4.19.0-test/build/include"
	hook 4.19.0-test || { cat "$work/hook"; return 1; }
	cat "$work/hook"
	grep 'needs kernel 5.10 or later and was not built for 4.19.0-test' "$work/hook"
	rm -rf "$root/lib/modules/4.19.0-test"
}

# Without headers nothing is built, and that is no error.
no_headers() {
	mkdir -p "$root/lib/modules/6.1.0-none"
	hook 6.1.0-none || { cat "$work/hook"; return 1; }
	! grep -q '^kmem-account' "$work/hook" || return
	rm -rf "$root/lib/modules/6.1.0-none"
}

# A kernel upgrade: the headers of another kernel are installed while the package is, and DKMS
# builds for that kernel, too.
kernel_upgrade() {
	local other

	inside apt-get -q -y -o APT::Sandbox::User=root --no-install-recommends install linux-headers-amd64 || return
	other=$(cd "$root/lib/modules" && find . -mindepth 1 -maxdepth 1 ! -name "$(release)" -printf '%f\n')
	inside dkms status kmem-account
	[ "$(module_of "$(release)")" = "$version" ] && [ "$(module_of "$other")" = "$version" ] || return
	# what the removal of that kernel's image runs
	# from Debian 13 on, headers depend on their image
	inside bash -c "run-parts --arg='$other' --arg='/boot/vmlinuz-$other' /etc/kernel/prerm.d &&
		apt-get -q -y purge linux-headers-amd64 'linux-headers-$other' \
			\$(dpkg-query -W -f '\${Package} ' 'linux-image-$other' 2>/dev/null) &&
		apt-get -q -y autoremove --purge" || return
	! grep -F "$other" < <(inside dkms status kmem-account) || return
	# depmod's tables keep the directory of a kernel that is gone
	! find "$root/usr/lib/modules/$other" -type f ! -name 'modules.*' | grep . || return
	rm -rf "$root/usr/lib/modules/$other"
}

# A full disk: the module cannot be built, one sentence says so, and the installation of the
# kernel goes on. With space, `dkms install` builds.
full_disk() {
	local status=0

	inside dkms remove "kmem-account/$version" -k "$(release)" || return
	SMALL_DISK=var/lib/dkms inside bash -c "mkdir -p /var/lib/dkms/kmem-account/$version
		ln -s /usr/src/kmem-account-$version /var/lib/dkms/kmem-account/$version/source
		run-parts --exit-on-error --arg='$(release)' /etc/kernel/postinst.d" >"$work/hook" 2>&1 || status=$?
	cat "$work/hook"
	[ "$status" -eq 0 ] || return
	[ "$(grep -c '^kmem-account: the module kmem_account .* could not be built' "$work/hook")" -eq 1 ] || return
	inside dkms add "kmem-account/$version" >/dev/null 2>&1 || true
	hook "$(release)" || { cat "$work/hook"; return 1; }
	cat "$work/hook"
	[ "$(module_of "$(release)")" = "$version" ]
}

# revision DEB: the same package as revision 2
revision() {
	local dir=$work/revision

	rm -rf "$dir"
	dpkg-deb -R "$1" "$dir"
	sed -i "s/^Version: .*/Version: $version-2/" "$dir/DEBIAN/control"
	dpkg-deb -b "$dir" "$root/debs/2/" >/dev/null
	rm -rf "$dir"
}

upgraded() {
	local deb

	mkdir -p "$root/debs/2"
	for deb in "$root"/debs/*.deb; do revision "$deb"; done
	inside bash -c 'apt-get -q -y -o APT::Sandbox::User=root --no-install-recommends install /debs/2/*.deb' || return
	inside dpkg-query -W kmem-account-dkms | grep "[[:space:]]$version-2\$" &&
		[ "$(module_of "$(release)")" = "$version" ]
}

# A package that was unpacked and never configured, as after a full disk: configured, it works.
half_installed() {
	inside dpkg --remove kmem-account-dkms
	inside dpkg --unpack /debs/2/kmem-account-dkms_"$version"-2_all.deb
	hook "$(release)" || { cat "$work/hook"; return 1; }
	inside dpkg --configure -a || return
	[ "$(module_of "$(release)")" = "$version" ]
}

purged() {
	inside apt-get -q -y purge kmem-account kmem-account-dkms kmem-account-prometheus kmem-account-recorder || return
	rm -rf "$root/tmp/"*
	files >"$work/after"
	diff "$work/before" "$work/after"
}

# in_root NAME COMMAND...: a result that needs the mounts of inside()
in_root() {
	if [ -n "$namespace" ]; then
		ktap "$@"
	else
		ktap_skip "$1" "no mount namespace here: the root directory is not a mount"
	fi
}

trap '[ -n "${KEEP-}" ] || rm -rf "$root"' EXIT
mkdir -p "$work"
namespace=1
unshare --mount true 2>/dev/null || namespace=
ktap_plan 17
ktap "the packages are built" build
ktap "lintian and blhc find nothing" judged
ktap "the package brings the libraries that the program loads" brings_loaded
ktap "a minimal $suite with the headers of a kernel" make_root "$base"
files >"$work/before"
in_root "the packages are installed" installed
in_root "the program runs" runs
in_root "units, rules and dashboard are there, and nothing is enabled" monitoring
in_root "the smoke test of the packages" smoke
in_root "DKMS has built the module, signed" built_module
in_root "a kernel that is too new is installed, with a sentence" newer_kernel_is_no_error
in_root "a kernel that is too old is left out" older_kernel_is_skipped
in_root "a kernel without headers is no error" no_headers
in_root "a kernel upgrade: the headers of a second kernel are installed and removed" kernel_upgrade
in_root "a full disk" full_disk
in_root "an upgrade" upgraded
in_root "a package that is half installed" half_installed
in_root "nothing is left after the purge" purged
ktap_end
