#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The packages in a Debian as users have it: a system with systemd and the stock kernel of the
# suite, booted in QEMU. DKMS has built the module when the packages were installed. Then another
# kernel of the suite is installed, as an upgrade does it, for which DKMS builds, too. The guest
# boots with the first kernel and with the new one: it types the tutorial's ten commands, loads the
# module, runs the program, upgrades the program while the module is loaded, and, in the second
# boot, purges all.
# Prints KTAP.
#
#	system.sh [SUITE]	bookworm or trixie; this machine's by default
#
# The packages are those of packaging/deb.sh (packages.sh builds them). Needs root, mmdebstrap,
# QEMU, python3-pyte, a built host program and 6 GB below O. A part of make soak: 8 minutes, most
# of them in the guests.
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
	# not those of security, updates and backports, which have a suffix
	apt-get indextargets --format "\$(REPO_URI) \$(CODENAME) \$(ORIGIN)" 'Created-By: Packages' |
		awk '$3 == "Debian" && $2 !~ /-/ && !done { print $1; done = 1 }'
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

# The cloud kernel, whose modules load from the same disk, is the one that is first installed; the
# upgrade is the suite's general kernel.
kernel_upgraded() {
	inside bash -c 'apt-get -q -y -o APT::Sandbox::User=root --no-install-recommends install \
		linux-image-amd64 linux-headers-amd64' || return
	inside dkms status kmem-account | tee "$work/status"
	[ "$(grep -c installed "$work/status")" -eq 2 ]
}

# The program as revision 2, and a unit that runs the test at the end of the boot.
prepare_guest() {
	local dir=$work/revision

	dpkg-deb -R "$debs"/kmem-account_*.deb "$dir"
	sed -i "s/^Version: .*/Version: $version-2/" "$dir/DEBIAN/control"
	dpkg-deb -b "$dir" "$root/debs/upgrade.deb" >/dev/null
	install -m 755 tests/packaging/system.guest "$root/system.guest"
	sed -n '/^Ten commands$/,/^The module$/s/^    \([^#]*[^ #]\) *\(#.*\)\{0,1\}$/\1/p' Documentation/admin-guide/tutorial.rst \
		>"$root/readme.commands"
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
	mke2fs -q -F -t ext4 -d "$root" "$work/disk" 5G
}

# booted KIND: the guest with the first kernel (cloud) or with the upgrade (amd64)
booted() {
	local console=$work/console-$1 release

	release=$(cd "$root/lib/modules" && printf '%s\n' *)
	case $1 in
	cloud)	release=$(grep cloud <<<"$release") ;;
	*)	release=$(grep -v cloud <<<"$release") ;;
	esac
	# that of a hang: a guest takes some minutes of CPU time, of which a load of 10 makes half an hour
	timeout 5400 qemu-system-x86_64 -accel tcg,thread=single -cpu max,-cx16 -m 1024 -display none \
		-no-reboot -serial "file:$console" -monitor none \
		-kernel "$root/boot/vmlinuz-$release" -initrd "$root/boot/initrd.img-$release" \
		-append 'root=/dev/vda rw console=ttyS0 quiet' \
		-drive "file=$work/disk,if=virtio,format=raw"
	tail -n 30 "$console"
	grep -a '^KMA: end' "$console"
}

# result KIND NAME: of the guest, with what it said before
result() {
	sed -n "/^KMA: begin $2\r*$/,/^KMA: ok $2\|^KMA: not ok $2/p" "$work/console-$1"
	grep -aq "^KMA: ok $2"$'\r*$' "$work/console-$1"
}

# What these commands left in the guest: the screen of top, the page, the bundle. KEEP=1 keeps
# them for a look.
left() {
	local program=${KMEM_ACCOUNT:-$out/host/kmem-account}

	rm -rf "$work/first"
	debugfs -R "rdump /root/first $work" "$work/disk" 2>/dev/null || return
	cat "$work/first/7.out"
	grep -q 'data-ready\|dataset.ready' "$work/first/memory.html" || return
	grep -q MemTotal "$work/first/5.out" || return
	"$program" report "$work/first/report.bundle" --top 3 || return
	# Debian's own Python has pyte
	/usr/bin/python3 - "$work/first/screen" <<-'END'
		import sys, pyte
		screen = pyte.Screen(110, 30)
		text = open(sys.argv[1], "rb").read()
		pyte.ByteStream(screen).feed(text[text.index(b"\n") + 1:text.rindex(b"\x1b[?1049l")])
		print(*screen.display, sep="\n")
		assert "CALL SITE" in "".join(screen.display)
		assert sum("+0x" in row for row in screen.display) > 10
	END
}

trap '[ -n "${KEEP-}" ] || rm -rf "$root" "$work/disk"' EXIT
ktap_plan 17
ktap "a $suite with systemd and its stock kernel" make_system
ktap "the packages are installed" installed
ktap "a kernel is installed while the package is, and DKMS builds for it" kernel_upgraded
ktap "the disk of a guest" prepare_guest
ktap "the guest boots and ends" booted cloud
for name in systemd readme load report chart upgrade; do
	ktap "in the guest: $name" result cloud "$name"
done
ktap "what the tutorial's commands left" left
ktap "the guest boots with the new kernel and ends" booted amd64
for name in load report chart purge; do
	ktap "with the new kernel: $name" result amd64 "$name"
done
ktap_end
