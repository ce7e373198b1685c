#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Print kvm or tcg: how QEMU shall run a kernel image on this machine.
#
#	accel.sh VMLINUZ
#
# ACCEL=kvm|tcg in the environment decides.  Else KVM is used only where a trial
# boot of this image, if it is for x86, has worked: /dev/kvm may exist and still fail or hang.  The
# answer is kept for this machine's kernel, QEMU and image; where two images have failed and
# none has worked, no other is tried: a trial that hangs takes its whole time.  The trial
# needs no guest: an empty initramfs panics, and the panic ends QEMU.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/../../scripts/lib.sh"
# shellcheck source=scripts/machine.sh
. "$here/../../scripts/machine.sh"

image=${1:?a kernel image}
trial_seconds=15

case ${ACCEL-} in
kvm | tcg)	echo "$ACCEL"; exit ;;
'')		;;
*)		die "ACCEL is kvm or tcg, not $ACCEL" ;;
esac
machine=$(machine_of_image "$image")
if [ "$machine" != amd64 ] || [ "$machine" != "$(dpkg --print-architecture)" ] ||
	[ ! -r /dev/kvm ] || [ ! -w /dev/kvm ]; then
	echo tcg
	exit
fi

memos=$(cache_dir)/accel/$({ cat /proc/version; qemu-system-x86_64 --version; } | cksum | tr -d ' ')
memo=$memos/$(cksum <"$image" | tr -d ' ')
if [ -s "$memo" ]; then
	cat "$memo"
	exit
fi
answers=$(cat "$memos"/* 2>/dev/null || true)
if [ "$(grep -cx tcg <<<"$answers")" -ge 2 ] && ! grep -qx kvm <<<"$answers"; then
	echo tcg
	exit
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
answer=tcg
# timeout ends the one process that it started; the shell's own word about an
# aborted QEMU is not wanted
trial() {
	timeout --signal=KILL "$trial_seconds" qemu-system-x86_64 -accel kvm -cpu host \
		-m 256 -nodefaults -display none -nic none -no-reboot -serial "file:$log" \
		-kernel "$image" -append 'console=ttyS0 panic=-1' </dev/null &&
		grep -q 'Kernel panic' "$log"
}
if (trial) >/dev/null 2>&1; then
	answer=kvm
fi
say "accel.sh: a trial boot says: $answer"
mkdir -p "$memos"
echo "$answer" >"$memo.$$"
mv "$memo.$$" "$memo"
echo "$answer"
