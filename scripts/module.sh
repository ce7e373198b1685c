#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build kernel modules out of a copy of their sources, so that the checkout
# stays clean and each kernel has its own objects.
#
#	module.sh build KDIR OUT PATH...	build the files and directories PATH with KDIR
#	module.sh install KDIR OUT [DESTDIR]	install the modules of OUT, stripped, below DESTDIR
#	module.sh uninstall KDIR OUT [DESTDIR]	remove what install has installed
#	module.sh release KDIR			print the release that KDIR builds for
#	module.sh words KDIR OUT		print the file with the compiler's words of builds with W
#
# KDIR is a configured kernel build tree; empty for the running kernel's headers; `stock` for
# the stock kernel of the tests, or `stock:KERNEL` for another kernel of kernel.sh.
# build needs make, a compiler and KDIR, and installs nothing. It refuses a KDIR for another
# architecture unless ARCH and CROSS_COMPILE say how to build for it.
# The copy and its objects are in OUT/RELEASE; build prints kbuild's directory,
# which is OUT/RELEASE if a Kbuild is among the PATHs, else the copy of the first PATH.
# A file is copied only if it has changed, so that kbuild builds only what is
# new.  W, C, CF and V in the environment go to kbuild. For a stock kernel of another
# machine, ARCH and CROSS_COMPILE follow from the kernel.  The compiler's words with W are
# kept with the objects, so that a later build that compiles nothing still knows them.
#
# For the kernels of the tests, a build without a word of the compiler is kept in the cache
# for two weeks, by a sum of all that it depends on: no checkout builds the same again. (Not
# with C, V, LLVM or another ARCH.) This holds as well for a KDIR that is rebuilt in its place
# (patches.sh), if KERNEL_STATE in the environment names what it was built of.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
# shellcheck source=scripts/machine.sh
. "$here/machine.sh"

# How to install the headers of kernel @REL@ (flavour @FLAVOUR@), by the package manager that
# the machine has
headers_hints='
apt-get	apt-get install linux-headers-@REL@
dnf	dnf install kernel-devel-@REL@
pacman	pacman -S @FLAVOUR@-headers
zypper	zypper install kernel-@FLAVOUR@-devel
apk	apk add linux-@FLAVOUR@-dev
'

release_of() {
	local file=$1/include/generated/utsrelease.h

	[ -f "$file" ] || die "$1: not a configured kernel build tree (KDIR): it has no ${file#"$1"/}"
	sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$file"
}

# flavour MANAGER: what the running kernel's package is called besides its version. Arch
# names its default kernel linux, and others linux-lts or so.
flavour() {
	local word
	word=$(uname -r | sed -nE 's/^[0-9].*-([a-z]+[a-z-]*)$/\1/p')

	case $1 in
	pacman)	case $word in arch | '') echo linux ;; *) echo "linux-$word" ;; esac ;;
	zypper)	echo "${word:-default}" ;;
	*)	echo "${word:-lts}" ;;
	esac
}

# One sentence: the running kernel has no headers here, and how to get them.
die_no_headers() {
	local release manager hint text='install its headers'
	release=$(uname -r)

	while IFS=$'\t' read -r manager hint; do
		command -v "${manager:-none}" >/dev/null || continue
		hint=${hint//@REL@/$release}
		text="type '${hint//@FLAVOUR@/$(flavour "$manager")}'"
		break
	done <<<"$headers_hints"
	die "no headers of the running kernel in /lib/modules/$release/build; $text," \
		"or name a kernel build tree with KDIR=DIR"
}

# End with one sentence if KDIR $1 cannot build a module here.
check_tree() {
	local kdir=$1 arch here=${ARCH:-$(machine_arch_here)} compiler=${cc:-${CROSS_COMPILE-}gcc} file

	[ -z "${LLVM-}" ] || compiler=clang
	for file in Makefile include/config/auto.conf include/generated/utsrelease.h scripts/basic/fixdep; do
		[ -f "$kdir/$file" ] || die "$kdir: not a configured kernel build tree (no $file);" \
			"name another with KDIR=DIR, or run 'make modules_prepare' in it"
	done
	arch=$(machine_arch_of_tree "$kdir")
	[ "$here" != x86_64 ] || here=x86
	[ -z "$arch" ] || [ "$arch" = "$here" ] || die "$kdir: configured for $arch, not for $here;" \
		"name another tree with KDIR=DIR, or set ARCH=$arch and CROSS_COMPILE=PREFIX"
	grep -qxE 'CONFIG_(64BIT|X86_32|ARM)=y' "$kdir/include/config/auto.conf" ||
		die "$kdir: configured for 32 bits, which the module has for x86 and ARM only; name another tree with KDIR=DIR"
	command -v "$compiler" >/dev/null ||
		die "$kdir: the compiler '$compiler' is missing; install it, or set CROSS_COMPILE=PREFIX"
	"$kdir/scripts/basic/fixdep" >/dev/null 2>&1 || [ $? -lt 126 ] || die "$kdir: its build programs" \
		"do not run on this machine; name another tree with KDIR=DIR, or run 'make modules_prepare' in it"
}

# Copy the sources in $1 (a file or a directory) into directory $2.
sync_tree() {
	if [ -f "$1" ]; then
		copy_changed "$1" "$2/${1##*/}"
	else
		sync_sources "$1" "$2/${1##*/}"
	fi
}

# kbuild KDIR DIRECTORY ARGUMENT...: all output goes to stderr.  kbuild must not see the
# command line of our own make (O=, M=), which it would read from MAKEFLAGS.
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
		case $word in CROSS_COMPILE=*) [ -n "$cc" ] || compiler=${word#*=}$compiler ;; esac
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

# take ENTRY COPY: the modules of the cache. A guest of another test may read the same module:
# each file is replaced as a whole, and only if it differs.
take() {
	local file

	while IFS= read -r file; do
		! cmp -s "$1/$file" "$2/$file" || continue
		mkdir -p "$(dirname "$2/$file")"
		cp -p "$1/$file" "$2/$file.new"
		mv "$2/$file.new" "$2/$file"
	done < <(cd "$1" && find . -type f)
	touch "$1"
}

# make_modules KDIR FOLDER COPY KEY: from the cache, or by kbuild. No KEY: nothing is known
# of what is there, nor kept of what is made.
make_modules() {
	local kdir=$1 folder=$2 copy=$3 key=$4 entry
	entry=$(cache_dir)/modules/$key

	if [ -n "$key" ] && [ -d "$entry" ]; then
		take "$entry" "$copy"
	else
		kbuild "$kdir" "$folder" modules
		[ -z "$key" ] || keep "$copy" "$entry"
	fi
	[ -z "$key" ] || printf '%s\n' "$key" >"$copy/.key"
}

# lock COPY: until this process ends, because two tests may want the same module
lock() {
	exec 8>"$1/.lock"
	flock 8
}

build() {
	local kdir=$1 out=$2 path copy folder key=
	shift 2

	[ -n "$stock" ] || check_tree "$kdir"
	need_space "$out" 64 "name another directory with O=DIR"
	copy=$out/$(release_of "$kdir")
	mkdir -p "$copy"
	copy=$(cd "$copy" && pwd)
	lock "$copy"
	[ -z "$stock${KERNEL_STATE-}" ] || [ -n "${C-}${CF-}${V-}${ARCH-}${CROSS_COMPILE-}${LLVM-}" ] ||
		key=$(key "$kdir" "$@")
	# built of the same sources before: most calls end here, and comparing each file takes 0.3 s
	if [ -z "$key" ] || [ "$(cat "$copy/.key" 2>/dev/null)" != "$key" ]; then
		rm -f "$copy/.key"
		for path in "$@"; do
			sync_tree "${path%/}" "$copy"
		done
		# built without it once, or not known: each object is made anew with W
		[ -z "${W-}" ] || [ -e "$copy/.words" ] || find "$copy" -name '*.o' -delete
		[ -n "${W-}" ] || rm -f "$copy/.words"
		make_modules "$kdir" "$(kbuild_folder "$copy" "$1")" "$copy" "$key"
	fi
	folder=$(kbuild_folder "$copy" "$1")
	printf '%s\n' "$folder"
}

# Modules are signed by the kernel's distributor, who has its key. kbuild's own depmod needs
# System.map, which headers lack, so it is replaced; depmod is for the live system only.
install_modules() {
	local kdir=$1 release copy destdir=${3-}

	release=$(release_of "$kdir")
	copy=$(cd "$2/$release" && pwd) || die "nothing built in $2; run 'make module' first"
	lock "$copy"
	# the cache keeps the modules, but not the list that kbuild installs by
	[ -e "$copy/modules.order" ] || kbuild "$kdir" "$copy" modules
	kbuild "$kdir" "$copy" ${destdir:+INSTALL_MOD_PATH="$destdir"} INSTALL_MOD_DIR=updates \
		INSTALL_MOD_STRIP=1 CONFIG_MODULE_SIG_ALL= DEPMOD=true modules_install
	[ -n "$destdir" ] || PATH=$PATH:/usr/sbin:/sbin depmod "$release"
}

# A kernel's modules may be compressed (CONFIG_MODULE_COMPRESS). Without KDIR the running
# kernel's release is enough: its headers may be gone.
uninstall_modules() {
	local release destdir=${3-} dir

	if [ -n "$1" ]; then release=$(release_of "$1"); else release=$(uname -r); fi
	dir=$destdir/lib/modules/$release/updates/module
	rm -f "$dir"/kmem_account.ko{,.gz,.xz,.zst}
	[ ! -d "$dir" ] || rmdir --ignore-fail-on-non-empty "$dir"
	[ -n "$destdir" ] || [ ! -d "/lib/modules/$release" ] || PATH=$PATH:/usr/sbin:/sbin depmod "$release"
}

command=${1-} kdir=${2-}
[ $# -ge 2 ] || die "usage: see the head of ${BASH_SOURCE[0]}"
shift 2
if [ -z "$kdir" ] && [ "$command" != uninstall ]; then
	kdir=$(readlink -e "/lib/modules/$(uname -r)/build") || die_no_headers
fi
cc='' stock=''
case $kdir in stock | stock:*)
	stock=1
	kernel=${kdir#stock}
	kernel=${kernel#:}
	kdir=$("$here/../tests/qemu/kernel.sh" dir headers ${kernel:+"$kernel"})/build
	# stands in for a compiler that this machine lacks
	[ ! -x "${kdir%/build}/cc" ] || cc=${kdir%/build}/cc ;;
*)	# gcc lacks some of the options that kernels built by clang use
	! grep -qsx CONFIG_CC_IS_CLANG=y "$kdir/include/config/auto.conf" || cc=clang ;;
esac
case $command in
build)		build "$kdir" "$@" ;;
install)	install_modules "$kdir" "$@" ;;
uninstall)	uninstall_modules "$kdir" "$@" ;;
release)	release_of "$kdir" ;;
words)		echo "${1:?a folder}/$(release_of "$kdir")/.words" ;;
*)		die "unknown command: $command" ;;
esac
