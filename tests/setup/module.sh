#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# make module without headers and with a KDIR that is not usable: one sentence, status 1,
# nothing left. make install and make uninstall of the module for the stock kernel.
set -euo pipefail

# shellcheck source=tests/setup/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$top"
here=$(bash -c '. scripts/machine.sh && machine_arch_here')
other=arm64
[ "$here" != arm64 ] || other=x86

# tree NAME ARCH [SYMBOL...]: as much of a configured kernel build tree as is looked at
tree() {
	local dir=$work/$1 arch=$2
	shift 2

	mkdir -p "$dir"/include/{config,generated} "$dir/scripts/basic"
	: >"$dir/Makefile"
	printf '#define UTS_RELEASE "1.2.3-made-up"\n' >"$dir/include/generated/utsrelease.h"
	printf '#\n# Automatically generated file; DO NOT EDIT.\n# Linux/%s 1.2.3 Kernel Configuration\n#\n' \
		"$arch" >"$dir/include/config/auto.conf"
	[ $# -eq 0 ] || printf '%s=y\n' "$@" >>"$dir/include/config/auto.conf"
	printf '#!/bin/sh\nexit 1\n' >"$dir/scripts/basic/fixdep"
	chmod +x "$dir/scripts/basic/fixdep"
}

build() { env PATH="${path:-$PATH}" scripts/module.sh build "$1" "$work/out" Kbuild module; }

# refused REGEX KDIR: the only line that is said, and nothing is made
refused() {
	says "^module.sh: .*$1" build "$2" && [ "$(wc -l <"$work/said")" -eq 1 ] && [ ! -e "$work/out" ]
}

not_there()	{ refused 'not a configured kernel build tree' "$work/nonexistent"; }

not_configured() {
	tree plain "$here" CONFIG_64BIT
	rm "$work/plain/include/config/auto.conf"
	refused "not a configured kernel build tree .no include/config/auto.conf.; .*modules_prepare" "$work/plain"
}

other_machine() {
	tree other "$other" CONFIG_64BIT
	refused "configured for $other, not for $here; .*KDIR=DIR, or set ARCH=$other" "$work/other"
}

no_cross_compiler() {
	tree other "$other" CONFIG_64BIT
	ARCH=$other CROSS_COMPILE=none- refused "the compiler 'none-gcc' is missing; install it" "$work/other"
}

# headers that another machine's distributor has built
other_programs() {
	tree programs "$here" CONFIG_64BIT
	printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\1\0made-up' >"$work/programs/scripts/basic/fixdep"
	refused 'its build programs do not run on this machine; .*KDIR=DIR' "$work/programs"
}

bits() {
	tree bits "$here"
	refused 'configured for 32 bits' "$work/bits"
}

no_compiler() {
	tree whole "$here" CONFIG_64BIT
	mkdir "$work/nocc"
	find "$bare" -maxdepth 1 -name 'gcc' -prune -o -type l -exec cp -P -t "$work/nocc" {} +
	path=$work/nocc refused "the compiler 'gcc' is missing; install it" "$work/whole"
}

# no_headers MANAGER REGEX: no headers of the running kernel, on a machine with that
# package manager
no_headers() {
	local release=${3:-1.2.3-made-up}

	stub uname <<<"[ \"\$1\" = -r ] && echo $release || exec /usr/bin/uname \"\$@\""
	rm -f "$work/bin/"{apt-get,dnf,pacman,zypper}
	stub "$1" <<<'exit 1'
	path=$work/bin:$bare refused "no headers of the running kernel in /lib/modules/$release/build; .*$2.*KDIR=DIR" ''
}

# A file system without space: O is one of 1 MB, in a mount namespace of its own.
full_disk() {
	tree whole "$here" CONFIG_64BIT
	mkdir "$work/small"
	# shellcheck disable=SC2016 # the inner shell's own
	says 'module.sh: .*64 MB needed, [01] MB free; free some space, or name another directory with O=DIR' \
		"${namespace[@]}" bash -c 'mount -t tmpfs -o size=1m none "$1" &&
			{ scripts/module.sh build "$2" "$1/out" Kbuild module || status=$?; find "$1" -mindepth 1; exit "${status:-0}"; }' \
		- "$work/small" "$work/whole" && [ "$(wc -l <"$work/said")" -eq 1 ]
}

files() { (cd "$work/dest" && find . ! -type d | LC_ALL=C sort); }

# install and uninstall, with another file beside each
installed() {
	local ko dir

	mkdir -p "$work/dest"
	make -s O="$out" KDIR=stock DESTDIR="$work/dest" install-module
	ko=$(find "$work/dest" -name 'kmem_account.ko*')
	dir=${ko%/*}
	[ "$(files)" = ".${ko#"$work/dest"}" ] || { files; return 1; }
	[[ ${dir#"$work/dest"} == /lib/modules/*/updates/module ]]
	case $ko in *.ko) readelf -SW "$ko" >"$work/sections"; ! grep -F .debug_info "$work/sections" || return 1 ;; esac
	touch "$dir/kmem_other.ko" "${dir%/*}/other.ko"
}

uninstalled() {
	make -s O="$out" KDIR=stock DESTDIR="$work/dest" uninstall-module
	[ "$(files | sed 's,.*/,,')" = $'kmem_other.ko\nother.ko' ]
	rm "$work"/dest/lib/modules/*/updates/module/kmem_other.ko
	make -s O="$out" KDIR=stock DESTDIR="$work/dest" uninstall-module
	[ ! -e "$(echo "$work"/dest/lib/modules/*/updates)/module" ]
}

# not where the guests of other suites have their modules: install may compile
out=${O:-out}/setup
namespace=(unshare --mount)
[ "$(id -u)" -eq 0 ] || namespace=(unshare --user --map-root-user --mount)
ktap_plan 14
ktap "no such KDIR" not_there
ktap "a KDIR that is not configured" not_configured
ktap "a KDIR of another architecture" other_machine
ktap "another architecture, no compiler for it" no_cross_compiler
ktap "a KDIR whose programs are another machine's" other_programs
ktap "a KDIR of 32 bits" bits
ktap "no compiler" no_compiler
ktap "no headers: Debian" no_headers apt-get "type 'apt-get install linux-headers-1.2.3-made-up'"
ktap "no headers: Fedora" no_headers dnf "type 'dnf install kernel-devel-1.2.3-made-up'"
ktap "no headers: Arch" no_headers pacman "type 'pacman -S linux-lts-headers'" 1.2.3-1-lts
ktap "no headers: openSUSE" no_headers zypper "type 'zypper install kernel-default-devel'" 1.2.3-1-default
if "${namespace[@]}" true 2>/dev/null; then
	ktap "a full disk" full_disk
else
	ktap_skip "a full disk" "no mount namespace here"
fi
status=0
tests/qemu/kernel.sh have "$(tests/qemu/kernel.sh stock):headers" >"$work/said" 2>&1 || status=$?
if [ "$status" -eq 69 ]; then
	ktap_skip "the module installed" "$(tail -n 1 "$work/said")"
	ktap_skip "the module uninstalled" "$(tail -n 1 "$work/said")"
else
	ktap "the module installed" installed
	ktap "the module uninstalled" uninstalled
fi
ktap_end
