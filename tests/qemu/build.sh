#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build a kernel from Debian's source with a configuration of our own, and print
# where it is.
#
#	build.sh dir KIND KERNEL-CONFIG		its folder, built on demand
#	build.sh have KERNEL-CONFIG		fetch what it is built from
#	build.sh release KERNEL-CONFIG		its release (uname -r)
#	build.sh configs			the configurations known
#
# KERNEL is one of kernel.sh, whose source package is taken; CONFIG a row of the
# table below: 6.1-debug, or, for another machine (machine.sh), with its name between them:
# 6.1-arm64-64k. Asked through kernel.sh, such a kernel is like any other: the folder has boot/
# and lib/modules/ of an image and build/ of headers, whichever KIND is asked for.
#
# A folder is named by source package and version, configuration, and a sum over
# everything else that its content depends on: the fragments, the compiler, the
# number of the recipe. It is built beside its place and renamed into it, under a lock: a
# folder that exists is complete, and nothing is built twice. The source is the tree that
# source.sh prints, which all builds share and none changes. Of the build the folder keeps
# what a module is built with, or what a reader of built trees opens.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/../../scripts/lib.sh"
# shellcheck source=scripts/machine.sh
. "$here/../../scripts/machine.sh"
# shellcheck source=tests/qemu/kconfig.sh
. "$here/kconfig.sh"

# config	what is kept (see keep_*), make target to begin with, then fragments,
#		NAME.config in config/
configs='
debug		parts	tinyconfig guest debug
kcsan		parts	tinyconfig guest kcsan
rtdebug		parts	tinyconfig guest debug rt
allocinfo	parts	tinyconfig guest allocinfo
shrinkers	parts	tinyconfig guest shrinkers
kmemleak	parts	tinyconfig guest kmemleak scan
64k		parts	tinyconfig guest arm64 64k scan btf
small		tree	tinyconfig small
tiny		output	tinyconfig tiny
arm		output	tinyconfig tiny
s390		output	tinyconfig tiny
'

# Counted up when other things are built, or kept, from the same configuration.
recipe=2
# What a module is built with: of the source tree, and of the output. Names are wildcards; @ARCH@
# is kbuild's name of the machine.
keep_source='Makefile Kbuild include scripts arch/@ARCH@/Makefile* arch/@ARCH@/include'
keep_output='.config Module.symvers System.map include scripts arch/@ARCH@/include'
# shellcheck disable=SC2034 # keep_parts finds it by its name
keep_output_x86=tools/objtool/objtool

cache=$(cache_dir)/kernels
# kept whole, so that ccache would only cost time
export CCACHE_DISABLE=1
# the kernel's make is not to see what was typed for ours
unset MAKEFLAGS MFLAGS MAKELEVEL KBUILD_OUTPUT

usage() {
	sed -n '/^#	build.sh/s/^#	//p' "${BASH_SOURCE[0]}" >&2
	exit 2
}

# Sets kernel, machine, config, kept, base and fragments (files); exports what kbuild has to know
# of another machine.
choose() {
	local name

	kernel=${1%-*} config=${1##*-}
	[ "$kernel" != "$1" ] || die "unknown kernel: $1"
	machine=$(machine_of_kernel "$1")
	kernel=${kernel%-"$machine"}
	read -r -a fragments <<<"$(awk -v key="$config" '
		$1 == key { $1 = ""; print }' <<<"$configs")"
	[ "${#fragments[@]}" -gt 0 ] || die "unknown kernel: $1"
	kept=${fragments[0]} base=${fragments[1]}
	fragments=("${fragments[@]:2}")
	for name in "${!fragments[@]}"; do
		fragments[name]=$here/config/${fragments[name]}.config
	done
	if [ "$machine" != "$(dpkg --print-architecture)" ]; then
		ARCH=$(machine_get machine "$machine" arch)
	else
		# a kernel that is only read has the name of its machine (setup.sh cross)
		ARCH=$config
	fi
	cross=$(machine_get arch "$ARCH" tools) || { unset ARCH; return 0; }
	export ARCH CROSS_COMPILE="$cross"
}

# Sets package and entry.
locate() {
	local sum

	package=$("$here/kernel.sh" dir source "$kernel")
	sum=$({ "${cross}gcc" --version; echo "$recipe $base"; cat "${fragments[@]}"; } |
		sha256sum | cut -c 1-12)
	entry=${package##*/}
	entry=$cache/${entry%.source}.$config.$sum
}

# keep_parts SOURCE OUTPUT ROOT: from what was built in OUTPUT to what is kept, in ROOT. A
# module is built with build/ as with a tree that was built in place.
keep_parts() {
	local release modules arch image more

	arch=$(machine_get machine "$machine" arch)
	image=$(machine_get machine "$machine" image)
	more=keep_output_$arch
	release=$(cat "$2/include/config/kernel.release")
	modules=$3/lib/modules/$release
	mkdir -p "$3/boot" "$modules" "$3/build" &&
		cp "$2/arch/$arch/boot/$image" "$3/boot/vmlinuz-$release" &&
		cp "$2"/modules.{builtin,builtin.modinfo,order} "$modules/" &&
		PATH=$PATH:/sbin:/usr/sbin depmod -b "$3" "$release" || return
	# shellcheck disable=SC2086 # lists of wildcards
	(cd "$1" && cp -r --parents ${keep_source//@ARCH@/$arch} "$3/build/") &&
		(cd "$2" && cp -r --parents ${keep_output//@ARCH@/$arch} ${!more-} "$3/build/") &&
		find "$3/build" \( -name '*.o' -o -name '*.cmd' \) -delete
}

# What a reader of built trees opens, without the sources. Names are as they were; of
# the source tree in $1 what knows of people and sizes.
keep_objects() {
	mkdir -p "$2/build" "$2/source/scripts" &&
		cp "$1"/{MAINTAINERS,COPYING} "$2/source/" &&
		cp "$1"/scripts/{bloat-o-meter,get_maintainer.pl} "$2/source/scripts/" || return
	(cd "$3" && find . \( -name .git -o -path ./Documentation -o -path ./scripts -o -path ./tools \) \
		-prune -o -type f \( -name '*.o' -o -name '*.a' -o -name '*.cmd' -o -name '*.mod' \
		-o -name '*.ko' -o -name 'vmlinux*' -o -name System.map -o -name .config \
		-o -name kernel.release -o -name 'modules.*' \) -print0 |
		tar -c --null -T -) | tar -x -C "$2/build"
}

# Each make_* gets the source tree, a folder for what is built, and a folder for what is kept.
make_parts() {
	configure "$1" "$2" "$base" '' "${fragments[@]}" &&
		make -s -C "$1" "O=$2" -j"$(nproc)" "$(machine_get machine "$machine" image)" modules &&
		keep_parts "$1" "$2" "$3"
}

# Built in place: in a tree of hard links, so that the objects lie beside the sources.
make_tree() {
	rmdir "$2" &&
		cp -al "$1" "$2" &&
		configure "$2" "$2" "$base" '' "${fragments[@]}" &&
		make -s -C "$2" -j"$(nproc)" vmlinux modules &&
		keep_objects "$2" "$3" "$2"
}

make_output() {
	configure "$1" "$2" "$base" '' "${fragments[@]}" &&
		make -s -C "$1" "O=$2" -j"$(nproc)" vmlinux &&
		keep_objects "$1" "$3" "$2"
}

# build NAME: make $entry beside its place. The caller holds the lock of NAME.
build() {
	local tmp source

	source=$("$here/source.sh" "$kernel")
	# no other process holds the lock: these are left by a run that was killed
	rm -rf "$cache/.build.$1".*
	tmp=$(mktemp -d "$cache/.build.$1.XXXXXX")
	# shellcheck disable=SC2064 # the directory of now
	trap "rm -rf '$tmp'" EXIT
	mkdir "$tmp/output" "$tmp/root"
	say "build.sh: building $kernel-$config, which takes minutes"
	step "building $kernel-$config" "make_$kept" "$source" "$tmp/output" "$tmp/root" ||
		die "cannot build $kernel-$config: the end of the compiler's output is above;" \
			"it needs 2 GB of free disk space in ${tmp%/*}"
	mv -T "$tmp/root" "$entry"
	rm -rf "$tmp"
	trap - EXIT
}

# A kernel may have several keys: the lock is that of the package.
print_dir() {
	local name

	locate
	name=$(basename "${entry%.*}")
	if [ ! -d "$entry" ]; then
		exec 9>"$cache/.lock.$name"
		flock -n 9 || { say "build.sh: waiting for another build of $kernel-$config"; flock 9; }
		[ -d "$entry" ] || build "$name"
		exec 9>&-
	fi
	printf '%s\n' "$entry"
}

print_release() {
	local entry

	entry=$(print_dir)
	basename "$entry"/lib/modules/*
}

command=${1-}
case $command:$# in
dir:3)		choose "$3"; print_dir ;;
have:2)		choose "${2%%:*}"; "$here/kernel.sh" have "$kernel:source" ;;
release:2)	choose "$2"; print_release ;;
configs:1)	awk 'NF { print $1 }' <<<"$configs" ;;
*)		usage ;;
esac
