#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Install the source of the module for DKMS, or remove it.
#
#	dkms.sh install [DESTDIR]	into DESTDIR/usr/src/kmem-account-VERSION, with the hooks
#					that build the module for a new kernel
#	dkms.sh uninstall [DESTDIR]	remove exactly that
#
# Nothing is built and dkms is not called: `dkms add kmem-account/VERSION` does that.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

command=${1-} destdir=${2-}
version=$("$here/version.sh")
source=$destdir/usr/src/kmem-account-$version
hooks=(postinst.d header_postinst.d)

# filled FILE MODE TARGET: FILE with the version, as TARGET
filled() {
	mkdir -p "${3%/*}"
	sed "s/#MODULE_VERSION#/$version/" "$1" >"$3.new"
	chmod "$2" "$3.new"
	mv "$3.new" "$3"
}

install_source() {
	local hook

	need_space "$source" 4 "name another directory with DESTDIR=DIR"
	sync_sources module "$source/module"
	copy_changed Kbuild "$source/Kbuild"
	find "$source" -type f -exec chmod 644 {} +
	find "$source" -type d -exec chmod 755 {} +
	filled packaging/dkms.conf 644 "$source/dkms.conf"
	for hook in "${hooks[@]}"; do
		filled packaging/kernel-hook 755 "$destdir/etc/kernel/$hook/kmem-account-dkms"
	done
}

uninstall_source() {
	local hook

	rm -rf "$source"
	for hook in "${hooks[@]}"; do rm -f "$destdir/etc/kernel/$hook/kmem-account-dkms"; done
}

case $command in
install)	install_source ;;
uninstall)	uninstall_source ;;
*)		die "unknown command '$command' (expected install or uninstall)" ;;
esac
