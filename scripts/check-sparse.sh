#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Compile the modules for the stock kernel with all warnings, then with sparse.
# Prints KTAP; objects go to out/module and out/kmod, where the tests in VMs have theirs
# (O= for another place than out).
#
# What sparse has passed it is not given again, as long as all sources are the same.
#
# A run in which sparse did not look at each source file is a failure: kbuild
# only checks what it is told to, and says nothing when it does not.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../tests/ktap.sh"
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."
out=${O:-out}
mkdir -p "$out"
out=$(cd "$out" && pwd)
export W=1

# build NAME PATH...: its copy of the sources is in $copy, then
build() {
	scripts/module.sh build stock "$out/$1" "${@:2}" >/dev/null || return
	copy=$(dirname "$(scripts/module.sh words stock "$out/$1")")
}

# Complaints about our own files; the kernel's headers have their own.
clean() {
	! grep -aE "^$copy/[^ ]*:[0-9]+.*(warning|error):" "$1" | sed "s|^$copy/||" | grep .
}

# What was said of objects that are there is known. It may be of a line that is not there
# any more: then they are made from nothing, elsewhere.
compile() {
	local words

	build "$@" || return
	words=$copy/.words
	test -e "$words" || return
	[ -s "$words" ] || return 0
	rm -rf "$out/sparse"
	build "sparse/$1" "${@:2}" && clean "$copy/.words" && : >"$words"
}

# sources PATH...: how many sources are to be built: all but those that a Kbuild has for other
# kernels. The Kbuild of an object lies in its directory, or in the next one above that has one. Other
# suites may have built modules of other directories in the same copy.
sources() {
	local source object dir n=0

	while read -r source; do
		object=${source%.c}.o
		dir=${object%/*}
		while [ ! -e "$dir/Kbuild" ] && [ "$dir" != "$copy" ]; do dir=${dir%/*}; done
		[ ! -e "$object" ] && grep -qw "${object##*/}" "$dir/Kbuild" || n=$((n + 1))
	done < <(cd "$copy" && find "${@##*/}" -name '*.c' ! -name '*.mod.c' -printf "$copy/%p\n")
	echo "$n"
}

sparse_all() {
	local log=$out/sparse.log sources checked

	V=1 C=2 CF=-D__CHECK_ENDIAN__ build "$@" 2>"$log" || { tail -n 20 "$log"; return 1; }
	clean "$log" || return 1
	sources=$(sources "${@:2}")
	checked=$(grep -c '^ *sparse ' "$log")
	[ "$checked" -ge "$sources" ] || { echo "$checked of $sources files checked"; return 1; }
}

# key PATH...: what the verdict depends on
key() {
	echo "$judge"
	find "$@" -type f | sort | xargs sha256sum
}

headers=$(tests/qemu/kernel.sh dir headers)
judge="sparse $(sparse --version 2>&1) $(gcc --version) ${headers##*/} $(sha256sum <"${BASH_SOURCE[0]}")"
ktap_plan 4
ktap "module: no warnings with W=1" compile module Kbuild module
ktap "module: sparse" judged_once "$(key Kbuild module)" sparse_all module Kbuild module
ktap "kmod: no warnings with W=1" compile kmod tests/kmod
ktap "kmod: sparse" judged_once "$(key tests/kmod)" sparse_all kmod tests/kmod
ktap_end
