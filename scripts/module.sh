#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build kernel modules out of a copy of their sources, so that the checkout
# stays clean and each kernel has its own objects.
#
#	module.sh build KDIR OUT PATH...	build the files and folders PATH with KDIR
#	module.sh install KDIR OUT [DESTDIR]	put what was built below DESTDIR
#	module.sh release KDIR			the release that KDIR builds for
#	module.sh words KDIR OUT		the file with what was said of OUT by builds with W
#
# KDIR is a kernel build tree, or `stock`: that of the stock kernel of the tests,
# or `stock:KERNEL`: of another one that kernel.sh knows, or empty: the running
# kernel's if it is there, else the stock one.
# The copy and its objects are in OUT/RELEASE; build prints the folder of kbuild,
# which is OUT/RELEASE if a Kbuild is among the PATHs, else the copy of the first.
# A file is copied only when it has changed, so that kbuild makes only what is
# new.  W, C, CF and V in the environment go to kbuild; it is told the machine that KDIR
# is for, unless ARCH or CROSS_COMPILE say that.  What compilers say with W is
# kept beside the objects: who finds all built already, knows what was said.
#
# For the kernels of the tests, what was built without a word is kept in the cache for two
# weeks, by all that it depends on: no checkout builds the same again. (Not what is built
# with C, V, LLVM or another ARCH.) For a KDIR that is built anew in its place (patches.sh)
# it is so as well, if KERNEL_STATE in the environment names what it was built of.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
# shellcheck source=scripts/machine.sh
. "$here/machine.sh"

release_of() {
	local file=$1/include/generated/utsrelease.h

	[ -f "$file" ] || die "$1 is no kernel build tree (KDIR): it has no ${file#"$1"/}"
	sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$file"
}

# Sources of $1 (a file or a folder) into folder $2.
sync_tree() {
	if [ -f "$1" ]; then
		copy_changed "$1" "$2/${1##*/}"
	else
		sync_sources "$1" "$2/${1##*/}"
	fi
}

# kbuild KDIR FOLDER ARGUMENT...: all its words go to stderr.  It must not see our
# own command line (O=, M=), which would come through MAKEFLAGS.
kbuild() {
	local kdir=$1 folder=$2 words=/dev/null
	local -a args=()
	shift 2

	# with V most words are commands
	[ -z "${W-}" ] || [ -n "${V-}" ] || words=$copy/.words
	if [ -n "${V-}" ]; then
		args+=("V=$V")
	else
		args+=(--no-print-directory -s)
	fi
	[ -z "${W-}" ] || args+=("W=$W")
	[ -z "${C-}" ] || args+=("C=$C")
	[ -z "${CF-}" ] || args+=("CF=$CF")
	[ -z "$cc" ] || args+=("CC=$cc")
	# shellcheck disable=SC2207 # words
	[ -n "${ARCH-}${CROSS_COMPILE-}" ] || args+=($(machine_make_args "$kdir"))
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u O -u KBUILD_OUTPUT \
		make -C "$kdir" M="$folder" -j"$(nproc)" "${args[@]}" "$@" 2>&1 |
		awk '/^Skipping BTF generation/ { next }
		/^warning: pahole version differs/ { skip = 3 }
		skip-- <= 0' | tee -a "$words" >&2
}

# Where kbuild reads in copy $1 of the paths $2...
kbuild_folder() {
	if [ -f "$1/Kbuild" ]; then
		printf '%s\n' "$1"
	else
		printf '%s\n' "$1/$(basename "$2")"
	fi
}

# key KDIR PATH...: all that decides what is built
key() {
	local kdir=$1 word compiler=${cc:-gcc}
	shift

	for word in $(machine_make_args "$kdir"); do
		case $word in CROSS_COMPILE=*) compiler=${word#*=}$compiler ;; esac
	done
	# the folder of a stock kernel has its package's version in its name
	sum_of "$(readlink -e "$kdir")" "${KERNEL_STATE-}" "$("$compiler" --version)" "${W-}" \
		"$(env | LC_ALL=C grep -E '^(CONFIG_[A-Z0-9_]*|K[A-Z_]*FLAGS[A-Z_]*)=' | LC_ALL=C sort)" \
		"$(cat "${BASH_SOURCE[0]}")" "$(find "$@" -type f | LC_ALL=C sort | xargs sha256sum)"
}

# keep COPY ENTRY: in the cache, unless there were words, which may be of lines that are
# not there any more
keep() {
	[ ! -s "$1/.words" ] && [ ! -e "$2" ] || return 0
	mkdir -p "$2.$$"
	(cd "$1" && find . \( -name '*.ko' -o -name .words \) -exec cp -p --parents -t "$2.$$" {} +)
	mv -T "$2.$$" "$2" 2>/dev/null || rm -rf "$2.$$"
	find "${2%/*}" -mindepth 1 -maxdepth 1 -mtime +14 -exec rm -rf {} +
}

# make_modules KDIR FOLDER COPY KEY: from the cache, or by kbuild. No KEY: nothing is known
# of what is there, nor kept of what is made.
make_modules() {
	local kdir=$1 folder=$2 copy=$3 key=$4 entry
	entry=$(cache_dir)/modules/$key

	[ -z "$key" ] || [ "$(cat "$copy/.key" 2>/dev/null)" != "$key" ] || return 0
	rm -f "$copy/.key"
	if [ -n "$key" ] && [ -d "$entry" ]; then
		cp -a "$entry/." "$copy"
		touch "$entry"
	else
		kbuild "$kdir" "$folder" modules
		[ -z "$key" ] || keep "$copy" "$entry"
	fi
	[ -z "$key" ] || printf '%s\n' "$key" >"$copy/.key"
}

build() {
	local kdir=$1 out=$2 path copy folder key=
	shift 2

	copy=$out/$(release_of "$kdir")
	mkdir -p "$copy"
	copy=$(cd "$copy" && pwd)
	# two tests may want the same module
	exec 8>"$copy/.lock"
	flock 8
	for path in "$@"; do
		sync_tree "${path%/}" "$copy"
	done
	folder=$(kbuild_folder "$copy" "$1")
	# built without it once, or not known: each object is made anew with W
	[ -z "${W-}" ] || [ -e "$copy/.words" ] || find "$copy" -name '*.o' -delete
	[ -n "${W-}" ] || rm -f "$copy/.words"
	[ -z "$stock${KERNEL_STATE-}" ] || [ -n "${C-}${CF-}${V-}${ARCH-}${CROSS_COMPILE-}${LLVM-}" ] ||
		key=$(key "$kdir" "$@")
	make_modules "$kdir" "$folder" "$copy" "$key"
	printf '%s\n' "$folder"
}

# Signing is for who has the key of the kernel.
install_modules() {
	local kdir=$1 copy

	copy=$(cd "$2/$(release_of "$kdir")" && pwd) || die "nothing built in $2"
	# only what kbuild reads of it is missing from what the cache had
	[ -e "$copy/modules.order" ] || kbuild "$kdir" "$copy" modules
	kbuild "$kdir" "$copy" ${3:+INSTALL_MOD_PATH="$3"} CONFIG_MODULE_SIG_ALL= \
		modules_install
}

command=${1-} kdir=${2-}
[ $# -ge 2 ] || die "usage: see the head of ${BASH_SOURCE[0]}"
shift 2
[ -n "$kdir" ] || kdir=$(readlink -e "/lib/modules/$(uname -r)/build") || kdir=stock
cc='' stock=''
case $kdir in stock | stock:*)
	stock=1
	kernel=${kdir#stock}
	kernel=${kernel#:}
	kdir=$("$here/../tests/qemu/kernel.sh" dir headers ${kernel:+"$kernel"})/build
	# in place of a compiler that this machine does not have
	[ ! -x "${kdir%/build}/cc" ] || cc=${kdir%/build}/cc ;;
*)	# gcc knows not all switches that clang's kernels are built with
	! grep -qsx CONFIG_CC_IS_CLANG=y "$kdir/include/config/auto.conf" || cc=clang ;;
esac
case $command in
build)		build "$kdir" "$@" ;;
install)	install_modules "$kdir" "$@" ;;
release)	release_of "$kdir" ;;
words)		echo "${1:?a folder}/$(release_of "$kdir")/.words" ;;
*)		die "unknown command: $command" ;;
esac
