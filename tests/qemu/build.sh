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
# table below: 6.1-debug. Asked through kernel.sh, such a kernel is like any
# other: the folder has boot/ and lib/modules/ of an image and build/ of headers,
# whichever KIND is asked for.
#
# A folder is named by source package and version, configuration, and a sum over
# all that its content depends on besides: the fragments, the compiler, the
# number of the recipe. It is built beside its place and renamed into it, under a lock: what
# exists is whole, and nothing is built twice. Of the tree it keeps what a
# module is built with, or what a reader of built trees opens.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/../../scripts/lib.sh"
# shellcheck source=scripts/machine.sh
. "$here/../../scripts/machine.sh"

# config	what is kept (see keep_*), make target to begin with, then fragments,
#		NAME.config in config/
configs='
debug		parts	tinyconfig guest debug
allocinfo	parts	tinyconfig guest allocinfo
shrinkers	parts	tinyconfig guest shrinkers
small		tree	tinyconfig guest small
tiny		output	tinyconfig tiny
arm		output	tinyconfig tiny
s390		output	tinyconfig tiny
'

# Counted up when other things are built, or kept, from the same configuration.
recipe=1
# What a module is built with; wildcards are of the tree.
keep='.config Makefile Kbuild Module.symvers System.map include scripts
	arch/x86/Makefile* arch/x86/include tools/objtool/objtool'
# What a kernel for a VM needs no source of.
leave_out=('*.rst' '*.dts*' '*/tools/testing' '*/sound/*.[ch]'
	'*/drivers/gpu/*.[ch]' '*/drivers/net/*/*.[ch]' '*/drivers/media/*.[ch]')

cache=$(cache_dir)/kernels
# kept whole, so that ccache would only cost time
export CCACHE_DISABLE=1
# the kernel's make is not to see what was typed for ours
unset MAKEFLAGS MFLAGS MAKELEVEL KBUILD_OUTPUT

usage() {
	sed -n '/^#	build.sh/s/^#	//p' "${BASH_SOURCE[0]}" >&2
	exit 2
}

# Sets kernel, config, kept, base and fragments (files); exports what kbuild has to know
# of another machine.
choose() {
	local name

	kernel=${1%-*} config=${1##*-}
	[ "$kernel" != "$1" ] || die "unknown kernel: $1"
	read -r -a fragments <<<"$(awk -v key="$config" '
		$1 == key { $1 = ""; print }' <<<"$configs")"
	[ "${#fragments[@]}" -gt 0 ] || die "unknown kernel: $1"
	kept=${fragments[0]} base=${fragments[1]}
	fragments=("${fragments[@]:2}")
	for name in "${!fragments[@]}"; do
		fragments[name]=$here/config/${fragments[name]}.config
	done
	# a configuration for another machine has its name (setup.sh cross)
	cross=$(machine_get arch "$config" tools) || return 0
	export ARCH="$config" CROSS_COMPILE="$cross"
}

# Sets source and entry.
locate() {
	local sum

	source=$("$here/kernel.sh" dir source "$kernel")
	sum=$({ "${cross}gcc" --version; echo "$recipe $base"; cat "${fragments[@]}"; } |
		sha256sum | cut -c 1-12)
	entry=${source##*/}
	entry=$cache/${entry%.source}.$config.$sum
}

unpack() {
	xz -dc -T0 "$source/linux-source.tar.xz" |
		tar -x -C "$1" --strip-components=1 "${leave_out[@]/#/--exclude=}"
}

# In $1, for the source in $2 (the same but with O=).
# Every line of a fragment must be in what kconfig made of it: an option that is
# not there was renamed, or lacks what it depends on.
configure() {
	local line missing

	make -s -C "$2" ${3+"$3"} "$base" &&
		(cd "$1" && "$2/scripts/kconfig/merge_config.sh" -m .config "${fragments[@]}") &&
		make -s -C "$1" olddefconfig || return
	missing=$(grep -hv '^#' "${fragments[@]}" | while read -r line; do
		grep -qxF "$line" "$1/.config" || echo "$line"
	done)
	[ -z "$missing" ] || { echo "not in the configuration of $kernel: $missing"; return 1; }
}

# From the built tree $1 to what is kept, in $2.
keep_parts() {
	local release modules

	release=$(make -s -C "$1" kernelrelease)
	modules=$2/lib/modules/$release
	mkdir -p "$2/boot" "$modules" "$2/build" &&
		cp "$1/arch/x86/boot/bzImage" "$2/boot/vmlinuz-$release" &&
		cp "$1"/modules.{builtin,builtin.modinfo,order} "$modules/" &&
		PATH=$PATH:/sbin:/usr/sbin depmod -b "$2" "$release" || return
	# shellcheck disable=SC2086 # a list of wildcards
	(cd "$1" && cp -r --parents $keep "$2/build/") &&
		find "$2/build" \( -name '*.o' -o -name '*.cmd' \) -delete
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

# The shell does not stop at an error by itself in what step runs.
make_parts() {
	configure "$1/tree" "$1/tree" &&
		make -s -C "$1/tree" -j"$(nproc)" bzImage modules &&
		keep_parts "$1/tree" "$1/root"
}

make_tree() {
	configure "$1/tree" "$1/tree" &&
		make -s -C "$1/tree" -j"$(nproc)" vmlinux modules &&
		keep_objects "$1/tree" "$1/root" "$1/tree"
}

make_output() {
	mkdir "$1/output" &&
		configure "$1/output" "$1/tree" "O=$1/output" &&
		make -s -C "$1/output" -j"$(nproc)" vmlinux &&
		keep_objects "$1/tree" "$1/root" "$1/output"
}

make_kernel() {
	mkdir "$1/tree" "$1/root" &&
		unpack "$1/tree" &&
		"make_$kept" "$1"
}

build() {
	local tmp

	# we hold the lock: what lies here is of a run that was killed
	rm -rf "$cache/.build.$kernel-$config".*
	tmp=$(mktemp -d "$cache/.build.$kernel-$config.XXXXXX")
	# shellcheck disable=SC2064 # the directory of now
	trap "rm -rf '$tmp'" EXIT
	say "build.sh: building $kernel-$config, a matter of ten minutes or more"
	step "building $kernel-$config" make_kernel "$tmp" || die "cannot build $kernel-$config"
	mv -T "$tmp/root" "$entry"
	rm -rf "$tmp"
	trap - EXIT
}

print_dir() {
	locate
	if [ ! -d "$entry" ]; then
		exec 9>"$cache/.lock.$kernel-$config"
		flock -n 9 || { say "build.sh: waiting for another build of $kernel-$config"; flock 9; }
		[ -d "$entry" ] || build
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
