#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel that requires signatures (module.sig_enforce=1) refuses the module unsigned, and signed
# with a key that it does not have, with the messages of Documentation/admin-guide/install.rst.
# With Secure Boot and a key that the firmware has enrolled, the module signed with this key loads.
# The key is in the firmware's db, not in a list of shim (MOK); the kernel takes both into the same
# keyring (.platform). modinfo shows the version and the signer.
#
#	signed.sh [KERNEL]	the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of signed 1 1 "${1-}"
cp "$(module_ko)" "$out/unsigned.ko"
cp "$out/unsigned.ko" "$out/signed.ko"
sign_file=$(find "$(tests/qemu/kernel.sh dir headers ${kernel:+"$kernel"})" -name sign-file | sed -n 1p)
openssl req -new -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=kmem-account test/' -outform DER \
	-keyout "$out/key.pem" -out "$out/key.der" 2>/dev/null
"$sign_file" sha256 "$out/key.pem" "$out/key.der" "$out/signed.ko"
guest "$cpus" "$here/signed.guest" "$out" --append module.sig_enforce=1 \
	--file "$out/unsigned.ko" --file "$out/signed.ko"

tests/qemu/enrolled-key.sh "$out/firmware"
cp "$out/unsigned.ko" "$out/enrolled.ko"
"$sign_file" sha256 "$out/firmware.pem" "$out/firmware.der" "$out/enrolled.ko"
guest "$cpus" "$here/enrolled.guest" "$out/secure" --secure-boot \
	--file "$out/unsigned.ko" --file "$out/signed.ko" --file "$out/enrolled.ko"

signer() {
	local modinfo
	modinfo=$(PATH=$PATH:/usr/sbin:/sbin command -v modinfo)

	[ "$("$modinfo" -F signer "$out/signed.ko")" = 'kmem-account test' ]
	[ -z "$("$modinfo" -F signer "$out/unsigned.ko")" ]
}

has_version() {
	[ "$(PATH=$PATH:/usr/sbin:/sbin modinfo -F version "$out/unsigned.ko")" = "$(scripts/version.sh)" ]
}

guest_results "$out/guest/ktap" "$out/secure/guest/ktap" && ktap_plan 2 || exit 1
ktap "modinfo shows the signer" signer
ktap "modinfo shows the version" has_version
ktap_end
