#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The kernel that coverage.sh and allocinfo.sh boot: the small one of the series, with the
# series applied and counter.py in the allocator, made once for all that it is made of.
#
#	counted.sh kernel BASE			prints kbuild's output folder of it
#	counted.sh image OUTPUT FOLDER		from such a folder what run.sh boots
#
# Where the base has /proc/allocinfo, so has this kernel, and debug information: with it
# a call site of the account is a line of source, which is what /proc/allocinfo knows.
set -euo pipefail
shopt -s inherit_errexit

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
# counted up when it is built in another way from the same files
recipe=2
# the kernel's make is not to see what was typed for ours
unset MAKEFLAGS MFLAGS MAKELEVEL KBUILD_OUTPUT

# options TREE: what the tree can have beyond the small configuration
options() {
	local option

	for option in KMEM_ACCOUNT:mm/kmem_account/Kconfig MEM_ALLOC_PROFILING:lib/Kconfig.debug; do
		! grep -qsx "config ${option%:*}" "$1/${option#*:}" || echo "CONFIG_${option%:*}=y"
	done
	! grep -qsx 'config MEM_ALLOC_PROFILING' "$1/lib/Kconfig.debug" ||
		printf '%s\n' '# CONFIG_MEM_ALLOC_PROFILING_ENABLED_BY_DEFAULT is not set' \
			'# CONFIG_DEBUG_INFO_NONE is not set' CONFIG_DEBUG_INFO_DWARF5=y
}

# In folder $2: base $1 with its series, the mailbox $3, and the counter, built.
# shellcheck disable=SC2317 # step calls it
make_kernel() {
	local tree=$2/tree build=$2/tree/build cc=gcc

	scripts/patches.sh tree "$1" "$tree" &&
		git -C "$tree" -c user.name=kma -c user.email=kma@localhost am -q "$3" &&
		tests/patches/counter.py "$tree" &&
		options "$tree" >"$2/more.config" &&
		scripts/patches.sh config "$tree" "$build" "$2/more.config" || return
	! command -v ccache >/dev/null || cc='ccache gcc'
	# LOCALVERSION set, if empty: else the release tells of commits, by a plus
	make -s -C "$tree" O="$build" CC="$cc" LOCALVERSION= -j2 bzImage modules
}

# kernel BASE
kernel() {
	local source sum entry tmp mbox

	source=$(scripts/patches.sh base "$1")
	mbox=$(mktemp)
	# shellcheck disable=SC2064 # the present value
	trap "rm -f '$mbox'" EXIT
	patches/create-patch.sh "$1" >"$mbox"
	sum=$({ gcc --version; echo "$recipe"; cat "$mbox" patches/small.config \
		tests/patches/counter.py tests/qemu/config/guest.config; } | sha256sum | cut -c 1-12)
	entry=${source%.git}.patched-counted.$sum
	exec 9>"$source.lock-counted"
	flock 9
	if [ ! -d "$entry" ]; then
		tmp=$(mktemp -d "${source%.git}.build-patched-counted.XXXXXX")
		# shellcheck disable=SC2064 # the folder of now
		trap "rm -rf '$tmp' '$mbox'" EXIT
		step "building $1 with its series and a counter" make_kernel "$1" "$tmp" "$mbox" ||
			die "cannot build $1 with its series and a counter"
		mv -T "$tmp" "$entry"
	fi
	exec 9>&-
	echo "$entry/tree/build"
}

# image OUTPUT FOLDER
image() {
	local release name

	release=$(cat "$1/include/config/kernel.release")
	mkdir -p "$2/boot" "$2/lib/modules/$release"
	cp "$1/arch/x86/boot/bzImage" "$2/boot/vmlinuz-$release"
	for name in modules.builtin modules.builtin.modinfo modules.order; do
		[ ! -e "$1/$name" ] || cp "$1/$name" "$2/lib/modules/$release/"
	done
	touch "$2/lib/modules/$release/modules.builtin"
	PATH=$PATH:/sbin:/usr/sbin depmod -b "$2" "$release"
}

case ${1-}:$# in
kernel:2)	kernel "$2" ;;
image:3)	image "$2" "$3" ;;
*)		sed -n '/^#	counted.sh/s/^#	//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
