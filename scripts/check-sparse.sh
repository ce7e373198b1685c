#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Compile the modules for the stock kernel with all warnings, then with sparse.
# Prints KTAP; objects go to out/sparse (O= for another place than out).
#
# A run in which sparse did not look at each source file is a failure: kbuild
# only checks what it is told to, and says nothing when it does not.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../tests/ktap.sh"
cd "$here/.."
out=${O:-out}/sparse

# build LOG PATH...: the log has every command and every warning
build() {
	local log=$1
	shift

	mkdir -p "$out"
	V=1 scripts/module.sh build stock "$out" "$@" >/dev/null 2>"$log"
}

# Complaints about our own files; the kernel's headers have their own.
complaints() { grep -aE "^$out/[^ ]*:[0-9]+.*(warning|error):" "$1" || true; }

clean() {
	local found

	found=$(complaints "$1")
	[ -z "$found" ] || { printf '%s\n' "${found//"$out/"/}"; return 1; }
}

compile() {
	rm -rf "$out"
	W=1 build "$out.log" "$@" || { tail -n 20 "$out.log"; return 1; }
	clean "$out.log"
}

# How many sources are to be built: all but those that a Kbuild has for other kernels.
sources() {
	local source object n=0

	while read -r source; do
		object=${source%.c}.o
		[ ! -e "$object" ] && grep -qw "${object##*/}" "${object%/*}/Kbuild" || n=$((n + 1))
	done < <(find "$out" -name '*.c' ! -name '*.mod.c')
	echo "$n"
}

sparse_all() {
	local sources checked

	# W=1 once more: without it kbuild would compile all of them again
	W=1 C=2 CF=-D__CHECK_ENDIAN__ build "$out.log" "$@" || { tail -n 20 "$out.log"; return 1; }
	clean "$out.log" || return 1
	sources=$(sources)
	checked=$(grep -c '^ *sparse ' "$out.log")
	[ "$checked" -ge "$sources" ] || { echo "$checked of $sources files checked"; return 1; }
}

out=$(mkdir -p "$out" && cd "$out" && pwd)
ktap_plan 4
ktap "module: no warnings with W=1" compile Kbuild module
ktap "module: sparse" sparse_all Kbuild module
ktap "kmod: no warnings with W=1" compile tests/kmod
ktap "kmod: sparse" sparse_all tests/kmod
ktap_end
