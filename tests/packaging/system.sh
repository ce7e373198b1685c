#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The packages in a Debian as users have it: a system with systemd and the stock kernel of the
# suite, booted in QEMU. DKMS has built the module when the packages were installed; the guest
# loads it, runs the program, upgrades the program while the module is loaded, and purges all.
# Prints KTAP.
#
#	system.sh [SUITE]	bookworm or trixie; this machine's by default
#
# The packages are those of packaging/deb.sh (packages.sh builds them). Needs root, mmdebstrap,
# QEMU and 4 GB below O. A part of make soak: 3 minutes, half of them in the guest.
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
work=$out/system/$suite
root=$work/root
version=$(scripts/version.sh)
if [ "$suite" = "$own" ]; then debs=$out/deb/here; else debs=$out/deb/$suite; fi

[ "$(id -u)" -eq 0 ] || die "needs root (chroot)"
[ -e "$debs/kmem-account-dkms_$version-1_all.deb" ] ||
	die "$debs: no packages; run tests/packaging/packages.sh $suite first"

inside() {
	# shellcheck disable=SC2016 # the inner shell's own
	unshare --mount --fork bash -c '
		set -e
		mount -t proc proc "$1/proc"
		mount --rbind /dev "$1/dev"
		root=$1
		shift
		exec chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
	' inside "$root" "$@"
}

mirror() {
	apt-get indextargets --format "\$(REPO_URI) \$(ORIGIN)" 'Created-By: Packages' |
		awk '$2 == "Debian" && !done { print $1; done = 1 }'
}

make_system() {
	rm -rf "$work"
	mkdir -p "$work"
	mmdebstrap --variant=apt "$suite" "$root" "$(mirror)" \
		--include=systemd-sysv,udev,dkms,initramfs-tools,linux-image-cloud-amd64,linux-headers-cloud-amd64
	apt-config dump Acquire | grep -i proxy >"$root/etc/apt/apt.conf.d/90proxy" || true
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
	mkdir -p "$root/debs"
	cp "$debs"/kmem-account{,-dkms,-recorder}_*.deb "$root/debs/"
}

installed() {
	inside apt-get -q update
	inside bash -c 'apt-get -q -y -o APT::Sandbox::User=root --no-install-recommends install /debs/*.deb'
}

# The program as revision 2, and a unit that runs the test at the end of the boot.
prepare_guest() {
	local dir=$work/revision

	dpkg-deb -R "$debs"/kmem-account_*.deb "$dir"
	sed -i "s/^Version: .*/Version: $version-2/" "$dir/DEBIAN/control"
	dpkg-deb -b "$dir" "$root/debs/upgrade.deb" >/dev/null
	install -m 755 tests/packaging/system.guest "$root/system.guest"
	cat >"$root/etc/systemd/system/kma-test.service" <<-END
		[Unit]
		After=multi-user.target
		[Service]
		Type=oneshot
		ExecStart=/bin/sh -c '/system.guest $version >/dev/ttyS0 2>&1'
		ExecStopPost=/bin/systemctl --no-block poweroff
	END
	# its hangup of the terminal would end the test
	ln -s /dev/null "$root/etc/systemd/system/serial-getty@ttyS0.service"
	mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
	ln -s ../kma-test.service "$root/etc/systemd/system/multi-user.target.wants/"
	mke2fs -q -F -t ext4 -d "$root" "$work/disk" 3G
}

booted() {
	timeout 1200 qemu-system-x86_64 -accel tcg,thread=single -cpu max,-cx16 -m 1024 -display none \
		-no-reboot -serial "file:$work/console" -monitor none \
		-kernel "$(echo "$root"/boot/vmlinuz-*)" -initrd "$(echo "$root"/boot/initrd.img-*)" \
		-append 'root=/dev/vda rw console=ttyS0 quiet' \
		-drive "file=$work/disk,if=virtio,format=raw"
	tail -n 30 "$work/console"
	grep -a '^KMA: end' "$work/console"
}

# result NAME: of the guest, with what it said before
result() {
	sed -n "/^KMA: begin $1\r*$/,/^KMA: ok $1\|^KMA: not ok $1/p" "$work/console"
	grep -aq "^KMA: ok $1"$'\r*$' "$work/console"
}

trap '[ -n "${KEEP-}" ] || rm -rf "$root" "$work/disk"' EXIT
ktap_plan 10
ktap "a $suite with systemd and its stock kernel" make_system
ktap "the packages are installed" installed
ktap "the disk of a guest" prepare_guest
ktap "the guest boots and ends" booted
for name in systemd load report chart upgrade purge; do
	ktap "in the guest: $name" result "$name"
done
ktap_end
