#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Kernels that are compared: of one configuration, before a patch and after it.
#
#	stages.sh callers VERSION	0000-none: the series without its caller patches; then one
#					kernel for each caller patch of the table below, with those
#					before it, named as the patch's file
#	stages.sh options VERSION	the same of the caller patches whose helpers need options that
#					small.config does not have
#	stages.sh allocinfo VERSION	stock: without a patch of ours; rfc: the RFC on top of it;
#					waste: both allocinfo patches, with their option; total:
#					the first of them, mm/slub.o only
#
# Prints a folder, which has of each kernel
#	boot/, lib/	what run.sh boots
#	size		bytes of text, data and bss of vmlinux, by size(1)
#	slub.o		mm/slub.o
#	kma_*.ko	modules of tests/kmod and tests/bench
#
# The folder is in the cache, named by Debian's source package and a sum over everything else
# that the kernels depend on. It is built beside its place and renamed into it, under a lock.
set -euo pipefail
shopt -s inherit_errexit

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
# shellcheck source=tests/qemu/kconfig.sh
. tests/qemu/kconfig.sh

# kind		fragments, and what is changed after them: +OPTION, -OPTION
kinds='
callers		tests/qemu/config/guest.config patches/small.config +KMEM_ACCOUNT
options		tests/qemu/config/guest.config patches/small.config +KMEM_ACCOUNT +DEBUG_PER_CPU_MAPS +CPUMASK_OFFSTACK +CGROUPS +BLK_CGROUP
allocinfo	tests/qemu/config/guest.config patches/small.config tests/qemu/config/allocinfo.config -NET -INET -UNIX
'
# what a version may not have
may_miss='^CONFIG_SLUB_CPU_PARTIAL='
# kind		its caller patches, by their files' names
caller_patches='
callers		-account-(kvmalloc|kasprintf|strndup_user|a-buffer)-
options		-account-(a-reference|alloc_cpumask)
'
# counted up when other things are built, or kept, from the same files
recipe=2
modules=(tests/kmod tests/bench)
# the kernel's make is not to see what was typed for ours
unset MAKEFLAGS MFLAGS MAKELEVEL KBUILD_OUTPUT

# Sets fragments: those of the kind, and its changes as one more, in folder $1.
read_kind() {
	local word words

	words=$(awk -v kind="$kind" '$1 == kind { $1 = ""; print; found = 1 } END { exit !found }' <<<"$kinds") ||
		die "unknown kind: $kind"
	fragments=()
	for word in $words; do
		case $word in
		+*)	echo "CONFIG_${word#+}=y" >>"$1/changes.config" ;;
		-*)	echo "# CONFIG_${word#-} is not set" >>"$1/changes.config" ;;
		*)	fragments+=("$PWD/$word") ;;
		esac
	done
	fragments+=("$1/changes.config")
}

# new_tree NAME: sets tree and output. The tree has hard links to the shared source. patch(1) writes
# a file beside the old one and renames it, so that the shared one stays as it is.
new_tree() {
	tree=$work/$1
	output=$tree/build
	cp -al "$source" "$tree"
	mkdir "$output"
}

# apply PATCH...
apply() {
	local patch

	for patch; do
		patch -s -d "$tree" -p1 -F0 -f --no-backup-if-mismatch -i "$patch" || return
	done
}

# The shell does not stop at an error by itself in what step runs.
kernel_make() {
	local cc=gcc

	! command -v ccache >/dev/null || cc='ccache gcc'
	make -s -C "$tree" O="$output" CC="$cc" LOCALVERSION= -j"$(nproc)" KBUILD_BUILD_TIMESTAMP=@0 \
		KBUILD_BUILD_USER=kma KBUILD_BUILD_HOST=kma "$@"
}

# configured [OPTION...]: with these more than the kind has
configured() {
	local option

	for option; do echo "CONFIG_$option=y"; done >"$work/more.config"
	configure "$tree" "$output" tinyconfig "$may_miss" "${fragments[@]}" "$work/more.config"
}

# make_object NAME
make_object() {
	configured && kernel_make mm/slub.o && mkdir "$root/$1" && cp "$output/mm/slub.o" "$root/$1/"
}

# make_stage NAME [OPTION...]
make_stage() {
	local folder=$root/$1

	configured "${@:2}" &&
		kernel_make bzImage modules &&
		tests/patches/counted.sh image "$output" "$folder" &&
		cp "$output/mm/slub.o" "$folder/" &&
		size "$output/vmlinux" | awk 'NR == 2 { print $1, $2, $3 }' >"$folder/size" &&
		make_modules "$folder"
}

# make_modules FOLDER: the caller patches change no header, so the first kernel's do for all
make_modules() {
	local source path

	if [ -e "$root/0000-none/kma_known.ko" ]; then
		cp "$root/0000-none"/*.ko "$1/"
		return
	fi
	for source in "${modules[@]}"; do
		path=$(scripts/module.sh build "$output" "$work/modules-${1##*/}" "$source") &&
			cp "$path"/*.ko "$1/" || return
	done
}

# stage NAME [OPTION...]: the tree as it is now
stage() {
	step "building $version: $1" make_stage "$@" || die "cannot build $version: $1"
}

# patches_of FOLDER: without the cover letter
patches_of() { find "$1" -name '*.patch' -not -name '0000-*' | sort; }

# Caller patches depend on no other one.
stages_callers() {
	local patch last wanted
	local -a others

	wanted=$(awk -v kind="$kind" '$1 == kind { print $2 }' <<<"$caller_patches")
	mapfile -t others < <(patches_of "$work/series" | grep -v -e "$is_caller")
	new_tree tree
	apply "${others[@]}" || die "the series of $version does not apply"
	stage 0000-none
	while read -r patch; do
		apply "$patch" || die "$patch does not apply"
		last=${patch##*/}
		stage "${last%.patch}"
	done < <(patches_of "$work/series" | grep -E -e "$wanted")
}

stages_allocinfo() {
	local -a rfc ours

	mapfile -t rfc < <(patches_of "$work/rfc")
	mapfile -t ours < <(patches_of "$work/allocinfo")
	new_tree tree
	stage stock
	apply "${rfc[@]}" || die "the RFC for $version does not apply"
	stage rfc KMEM_ACCOUNT
	rm -rf "$tree"
	new_tree tree
	apply "${ours[0]}" || die "${ours[0]} does not apply"
	step "compiling $version: total" make_object total || die "cannot compile $version: total"
	apply "${ours[@]:1}" || die "the allocinfo patches for $version do not apply"
	stage waste MEM_ALLOC_PROFILING_WASTE
}

# The names of the files of caller patches: as caller_hooks() of scripts/series.sh
is_caller='-account-.*-to-\(its\|the-caller\)-'

# series_of KIND: the patches that its kernels are built of, below $work
series_of() {
	case $1 in
	callers | options) scripts/patches.sh series "$version" "$work/series" ;;
	allocinfo)	scripts/patches.sh rfc "$version" "$work/rfc"
			scripts/patches.sh allocinfo "$version" "$work/allocinfo" ;;
	esac
}

[ $# -eq 2 ] || { sed -n '/^#	stages.sh/s/^#	//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
kind=$1 version=$2
packed=$(tests/qemu/kernel.sh dir source "$version")
entry=${packed%.source}.stages-$kind
exec 9>"$entry.lock"
flock -n 9 || { say "stages.sh: waiting for another build of the kernels $kind of $version"; flock 9; }
# no other process holds the lock: these are left by a run that was killed
rm -rf "$entry".new.*
work=$(mktemp -d "$entry.new.XXXXXX")
# shellcheck disable=SC2064 # the folder of now
trap "rm -rf '$work'" EXIT
read_kind "$work"
series_of "$kind"
sum=$({ gcc --version; echo "$recipe"; cat "${fragments[@]}"
	find "$work" -name '*.patch' | sort | xargs cat
	find "${modules[@]}" -name '*.[ch]' -o -name Kbuild | sort | xargs cat; } | sha256sum | cut -c 1-12)
if [ ! -d "$entry.$sum" ]; then
	source=$(tests/qemu/source.sh "$version")
	root=$work/root
	mkdir "$root"
	case $kind in
	callers | options) stages_callers ;;
	allocinfo)	stages_allocinfo ;;
	esac
	mv -T "$root" "$entry.$sum"
fi
printf '%s\n' "$entry.$sum"
