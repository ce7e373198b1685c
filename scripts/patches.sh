#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The patch series of each kernel version, and the kernel trees that they are for.
#
#	patches.sh bases			the versions that have a series
#	patches.sh base VERSION			Debian's source as a git repository with a work tree,
#						branch base
#	patches.sh files VERSION		the same of the few files that the series depends on
#	patches.sh tree VERSION FOLDER		a new work tree of the repository
#	patches.sh config TREE OUTPUT [FILE...]	the small configuration in OUTPUT, with FILEs
#	patches.sh make FOLDER [VERSION...]	the series, as FOLDER/vVERSION (all)
#	patches.sh series VERSION FOLDER [TREE]	one series, in FOLDER; for TREE, not Debian's source
#	patches.sh callers VERSION FOLDER [TREE] the caller patches alone, with a cover letter
#	patches.sh rfc VERSION FOLDER [TREE]	the RFC, with a cover letter
#	patches.sh allocinfo VERSION FOLDER [TREE] the patches that extend /proc/allocinfo
#	patches.sh refresh [VERSION...]		rewrite the committed patches for Debian's source (all)
#	patches.sh kernel KERNEL y|m|n|i|f|r FOLDER
#						the patched kernel, CONFIG_KMEM_ACCOUNT as said
#						(i: y, and only what is marked inline is; f: y, whose
#						early log has room for few events, which makes no
#						tables before the initcalls with little memory, and
#						which counts its slab events: tests/patches/counter.py;
#						r: the RFC, with its KUnit tests)
#	patches.sh kernel KERNEL kunit FOLDER	it built in, with its KUnit tests, under KASAN
#	patches.sh steps VERSION [rfc]		build what each patch of a series, or of the RFC, leaves
#	patches.sh release VERSION		the kernel.org release that Debian's is made of, or the
#						one before it that Debian's archive still has
#
# A KERNEL is a version, or, for another machine (machine.sh), that and its name: 6.1-arm64.
#
# A series is patch 1, generated from module/ (series.sh), and the committed patches. To
# refresh the committed patches is to apply them to Debian's source and format them again.
# Twice in a row gives the same bytes.
#
# A repository is made once for each version of Debian's package, in the cache, from
# the package that kernel.sh fetches: one commit that never changes. It is made in a
# temporary directory and renamed, under a lock, so that an existing one is complete.
#
# Patched kernels are built in a second tree for each version, configuration, machine and
# compiler, which takes on the state of whoever asks, under a lock: files that are the
# same keep their time, and only what changed is compiled; nothing is asked of a build that
# was made of the same state.  FOLDER has the image and the
# tests' modules for it afterwards, as tests/qemu/kernel.sh has those of a stock one, and
# `build`, a link to what was built. CC in the environment is the compiler, if not gcc; with
# LLVM=1 there, which is kbuild's, it is clang, and all other tools are LLVM's. A kernel with
# KUnit has no module.
set -euo pipefail
shopt -s inherit_errexit

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/.." && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
# shellcheck source=scripts/machine.sh
. "$here/machine.sh"
# shellcheck source=scripts/series.sh
. "$here/series.sh"

cache=$(cache_dir)/kernels
# of the kernel's own, for tests/patches
checkpatch=(scripts/checkpatch.pl scripts/spelling.txt scripts/const_structs.checkpatch)
fragments=("$top/tests/qemu/config/guest.config" "$top/patches/small.config")
compiler=${CC:-${LLVM:+clang}}
compiler=${compiler:-gcc}
# counted up when kernels are built in another way from the same configuration
recipe=1
# the kernel's make is not to see what was typed for ours
unset MAKEFLAGS MFLAGS MAKELEVEL KBUILD_OUTPUT

usage() {
	sed -n '/^#	patches.sh/s/^#	//p' "${BASH_SOURCE[0]}" >&2
	exit 2
}

# The shell does not stop at an error by itself in what step runs.
make_repository() {
	local -a git=(git --git-dir="$2/.git" --work-tree="$1")

	git init -q -b base "$2" &&
		"${git[@]}" config core.compression 1 &&
		"${git[@]}" config gc.auto 0 &&
		"${git[@]}" add -A -f . &&
		"${git[@]}" commit -q -m "$3"
}

# base VERSION: print the repository of its source, made on demand from the shared unpacked
# tree. It has no work tree.
base() {
	local source entry tmp tree

	source=$("$top/tests/qemu/kernel.sh" dir source "$1")
	entry=${source##*/}
	entry=$cache/${entry%.source}.git
	if [ ! -d "$entry" ]; then
		tree=$("$top/tests/qemu/source.sh" "$1")
		exec 9>"$cache/.lock.git-$1"
		flock -n 9 || { say "patches.sh: waiting for another process that reads the source of $1"; flock 9; }
		if [ ! -d "$entry" ]; then
			# this process holds the lock, so a directory left here is that of a killed run
			rm -rf "$cache/.build.git-$1".*
			tmp=$(mktemp -d "$cache/.build.git-$1.XXXXXX")
			step "a repository of the source of $1" \
				make_repository "$tree" "$tmp/git" "$(basename "$source" .source)" ||
				{ rm -rf "$tmp"; die "cannot make a repository of the source of $1 below $cache"; }
			mv -T "$tmp/git" "$entry"
			rm -rf "$tmp"
		fi
		exec 9>&-
	fi
	printf '%s\n' "$entry"
}

# The files of Debian's source for VERSION that its series and tests/patches depend on, in
# folder $2; from the shared unpacked tree $3, if there is one.
extract_files() {
	local source=$1 tree=$3 top_name
	local -a names
	mapfile -t names < <({ kernel_files "$4"; printf '%s\n' "${checkpatch[@]}"; })

	mkdir "$2" || return
	if [ -d "$tree" ]; then
		(cd "$tree" && { ls -d "${names[@]}" 2>/dev/null || true; } | tar -c -T -) | tar -x -C "$2"
		return
	fi
	# tar names the files that the kernel lacks, such as those that a hook adds
	top_name=$(basename "$source" .source)
	xz -dc -T0 "$source/linux-source.tar.xz" |
		LC_ALL=C tar -x -C "$2" --strip-components=1 --wildcards --no-wildcards-match-slash \
			-T <(printf '*/%s\n' "${names[@]}") 2>"$2.log" || true
	! grep -v 'Not found in archive\|Exiting with failure' "$2.log" || return
	[ -f "$2/mm/slub.c" ] || { echo "no kernel source in $top_name"; return 1; }
}

make_files() {
	extract_files "$1" "$2/files" "$3" "$4" &&
		printf '%s\n' "${checkpatch[@]}" | small_repository "$4" "$2/files" "$2/git"
}

# files VERSION: print the repository of its files, made on demand. The sum is over their
# names.
files() {
	local source entry sum tmp

	source=$("$top/tests/qemu/kernel.sh" dir source "$1")
	sum=$(kernel_files "$1" | sha256sum | cut -c 1-12)
	entry=${source%.source}.files.$sum
	if [ ! -d "$entry" ]; then
		exec 9>"$cache/.lock.files-$1"
		flock -n 9 || { say "patches.sh: waiting for another unpacking of $1"; flock 9; }
		if [ ! -d "$entry" ]; then
			# under the lock: a directory of this name is of a run that was killed
			rm -rf "$cache/.build.files-$1".*
			tmp=$(mktemp -d "$cache/.build.files-$1.XXXXXX")
			step "unpacking some files of $1" make_files "$source" "$tmp" "${source%.source}.tree" "$1" ||
				{ rm -rf "$tmp"; die "cannot unpack the source of $1"; }
			mv -T "$tmp/git" "$entry"
			rm -rf "$tmp"
		fi
		exec 9>&-
	fi
	printf '%s\n' "$entry"
}

tree() {
	local repository

	repository=$(base "$1")
	git clone -q --shared --branch base "$repository" "$2"
}

# The options that files set; the last word on an option counts.
options() {
	awk -F '[= ]' '
	/^# CONFIG_.* is not set$/ { delete value[$2] }
	/^CONFIG_/ { value[$1] = $0 }
	END { for (name in value) print value[name] }' "$@"
}

# configure TREE OUTPUT [FILE...]: tinyconfig, the guest's options, small.config and FILEs.
# Each option set must be in what kconfig made of it: one that is not there was renamed, or
# lacks what it depends on.
configure() {
	local tree=$1 output=$2 missing line
	local -a files=("${fragments[@]}" "${@:3}")

	mkdir -p "$output"
	output=$(cd "$output" && pwd)
	make -s -C "$tree" O="$output" CC="$compiler" tinyconfig >/dev/null ||
		return
	(cd "$output" && "$tree/scripts/kconfig/merge_config.sh" -m .config "${files[@]}") >/dev/null 2>&1 ||
		return
	make -s -C "$tree" O="$output" CC="$compiler" olddefconfig >/dev/null 2>&1 ||
		return
	missing=$(options "${files[@]}" | while read -r line; do
		grep -qxF -e "$line" "$output/.config" || echo "$line"
	done)
	[ -z "$missing" ] || die "not in the configuration of $tree: $missing"
}

# series_repository VERSION FOLDER [TREE]: a repository of the files that a series depends on
series_repository() {
	local repository

	if [ $# -eq 3 ]; then
		small_repository "$1" "$3" "$2" </dev/null
	else
		repository=$(files "$1")
		git clone -q --shared --bare --branch base "$repository" "$2"
	fi
}

# series VERSION FOLDER [TREE]: the series of the present sources, in FOLDER
series() (
	need_tools git unifdef
	need_series "$1"
	need_space "${TMPDIR:-/tmp}" "$series_megabytes" "name another directory with TMPDIR=DIR"
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	series_repository "$1" "$tmp/git" "${@:3}"
	tip=$(series_commits "$tmp/git" "$1")
	mkdir -p "$2"
	# git writes relative to the repository
	format_series "$tmp/git" "$tip" "$(realpath "$2")"
)

# alone KIND FORMAT VERSION FOLDER [TREE]: patches for a kernel without kmem_account; FORMAT is
# called with a repository, the last commit and FOLDER
alone() (
	need_tools git
	need_space "${TMPDIR:-/tmp}" "$series_megabytes" "name another directory with TMPDIR=DIR"
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	series_repository "$3" "$tmp/git" "${@:5}"
	tip=$(series_commits "$tmp/git" "$3" "$1")
	mkdir -p "$4"
	"$2" "$tmp/git" "$tip" "$(realpath "$4")"
)

# callers VERSION FOLDER [TREE]
callers() {
	letter() { format_letter "$@" "$(caller_cover "$version")"; }
	version=$1
	need_kind callers "caller patches" "$1"
	alone callers letter "$@"
}

# rfc VERSION FOLDER [TREE]
rfc() {
	letter() { format_letter "$@" "$top/patches/rfc/v$version/cover" --subject-prefix='RFC PATCH'; }
	version=$1
	need_tools make python3 unifdef
	need_kind rfc "RFC patches" "$1"
	alone rfc letter "$@"
}

# allocinfo VERSION FOLDER [TREE]
allocinfo() {
	need_kind allocinfo "allocinfo patches" "$1"
	alone allocinfo format_series "$@"
}

# make_series FOLDER VERSION...: each series replaces the one of an earlier run as a whole
make_series() {
	local version folder=$1
	shift

	need_space "$folder" "$series_megabytes" "name another directory with O=DIR"
	mkdir -p "$folder"
	for version in "$@"; do
		# shellcheck disable=SC2064 # the present value
		trap "rm -rf '$folder/.v$version'" EXIT
		rm -rf "$folder/.v$version"
		series "$version" "$folder/.v$version"
		rm -rf "$folder/v$version"
		mv -T "$folder/.v$version" "$folder/v$version"
		say "  $folder/v$version: $(wc -l <"$folder/v$version/series") patches"
	done
}

# Unchanged files keep their time.
refresh() {
	local version new file committed

	for version in "$@"; do
		committed=$top/patches/v$version
		new=$(mktemp -d)
		series "$version" "$new"
		rm "$new"/0001-*.patch "$new/series"
		for file in "$committed"/*.patch; do
			[ -e "$new/${file##*/}" ] || rm "$file"
		done
		for file in "$new"/*; do
			copy_changed "$file" "$committed/${file##*/}"
		done
		rm -rf "$new"
		say "  patches/v$version: $(hooks "$version" | wc -l) patches"
	done
}

# Debian's sources of a suite, for apt to read: those of its binaries, which kernel.sh
# keeps for all suites but the machine's own.
source_list() {
	if [ -s "$(cache_dir)/apt-$1/sources.list" ]; then
		sed 's/^deb /deb-src /' "$(cache_dir)/apt-$1/sources.list"
	else
		# shellcheck disable=SC2016 # apt expands it
		apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) main $(CREATED_BY)' |
			sed -n 's/ Packages$//p' | sort -u
	fi
}

# fetch_release VERSION DEBIAN SUITE FOLDER: the .orig tarball of DEBIAN, or, where the
# archive lists it and has it no more, of the newest before it that is there; apt looks at
# signatures
fetch_release() {
	local lists=$4/lists listed
	local -a opts=(-q -o APT::Sandbox::User=root -o "Dir::State::Lists=$lists"
		-o "Dir::Cache=$4/cache" -o "Dir::Etc::SourceList=$4/sources.list"
		-o Dir::Etc::SourceParts=/dev/null -o Acquire::Check-Valid-Until=false)

	mkdir -p "$lists/partial" "$4/cache/archives/partial" &&
		source_list "$3" >"$4/sources.list" &&
		apt-get "${opts[@]}" update || return
	while read -r listed; do
		dpkg --compare-versions "$listed" le "$2" || continue
		(cd "$4" && apt-get "${opts[@]}" source --download-only --tar-only "linux=$listed") &&
			return
	done < <(apt-cache "${opts[@]}" showsrc --only-source linux |
		sed -n "s/^Version: \(${1/./\\.}\..*\)/\1/p" | sort -rVu)
	return 1
}

# release VERSION: print the .orig tarball of Debian's source package, or of the one before
# it that could be had, by its name. Debian leaves some files out of it, for their licences,
# and changes none.
release() {
	local source version suite entry tmp got

	source=$("$top/tests/qemu/kernel.sh" dir source "$1")
	version=${source##*/linux-source-"$1"_}
	version=${version%_*}
	entry=$cache/linux_${version%-*}.orig.tar.xz
	if [ ! -e "$entry" ]; then
		suite=$("$top/tests/qemu/kernel.sh" suite "$1")
		tmp=$(mktemp -d "$cache/.build.release-$1.XXXXXX")
		step "fetching the release of $1" fetch_release "$1" "$version" "$suite" "$tmp" ||
			{ rm -rf "$tmp"; die "cannot fetch the source package of $1"; }
		got=$(echo "$tmp"/linux_*.orig.tar.xz)
		mv "$got" "$cache/"
		[ "${got##*/}" = "${entry##*/}" ] || ln -sfn "${got##*/}" "$entry"
		rm -rf "$tmp"
	fi
	readlink -f "$entry"
}

# Sets version, machine and what configures its kernels; tells kbuild of another machine.
for_kernel() {
	machine=$(machine_of_kernel "$1")
	version=${1%"-$machine"}
	[ "$machine" != "$(dpkg --print-architecture)" ] || return 0
	fragments+=("$top/tests/qemu/config/$machine.config")
	ARCH=$(machine_get machine "$machine" arch)
	CROSS_COMPILE=$(machine_get machine "$machine" tools)
	export ARCH CROSS_COMPILE
	[ "$compiler" != gcc ] || compiler=${CROSS_COMPILE}gcc
}

# What all builds are told: no time, place or person in what is built.
kernel_make() {
	local cc=$compiler

	! command -v ccache >/dev/null || cc="ccache $cc"
	make -s -C "$1" O="$1/build-$2" CC="$cc" LOCALVERSION="-kma-$2" -j"$(nproc)" \
		KBUILD_BUILD_TIMESTAMP=@0 KBUILD_BUILD_USER=kma KBUILD_BUILD_HOST=kma "${@:3}"
}

# patched KERNEL: print the tree to build the patched kernel in; made on demand. Its lock
# is descriptor 8 of the caller.
patched() {
	local repository entry sum

	for_kernel "$1"
	repository=$(base "$version")
	sum=$({ "$compiler" --version; echo "$recipe${LLVM:+ LLVM=$LLVM}"; cat "${fragments[@]}"; } |
		sha256sum | cut -c 1-12)
	entry=${repository%.git}.patched.$sum
	exec 8>"$cache/.lock.patched-$1"
	flock -n 8 || { say "patches.sh: waiting for another build of $1"; flock 8; }
	if [ ! -d "$entry" ]; then
		rm -rf "$entry".new
		step "a tree for the patched $1" \
			git clone -q --shared --branch base "$repository" "$entry.new" ||
			die "cannot make a tree of $1"
		mv -T "$entry.new" "$entry"
	fi
	tree=$entry
}

# checkout TREE COMMIT: its files, and nothing else is touched
checkout() {
	git -C "$1" checkout -q --detach -f "$2"
}

# copy_output FROM TO: nearly all is the same with the option and without it. objtool is
# built by absolute names; built anew, it would have all objects built anew.
copy_output() {
	cp -a "$1" "$2.new"
	find "$2.new/tools" -name '.*.cmd' -exec sed -i "s#$1/#$2/#g" {} +
	mv "$2.new" "$2"
}

# wish VARIANT: its options
wish() {
	case $1 in
	n)	echo '# CONFIG_KMEM_ACCOUNT is not set' ;;
	i)	printf '%s=y\n' CONFIG_KMEM_ACCOUNT CONFIG_DISABLE_GCC_AUTOMATIC_INLINING ;;
	r)	printf '%s=y\n' CONFIG_KMEM_ACCOUNT CONFIG_KUNIT CONFIG_KMEM_ACCOUNT_KUNIT_TEST ;;
	kunit)	cat "$top/module/test/.kunitconfig" "$top/tests/kunit/kasan.config" ;;
	f)	echo 'CONFIG_KMEM_ACCOUNT=y' ;;
	*)	echo "CONFIG_KMEM_ACCOUNT=$1" ;;
	esac
}

# ask TREE VARIANT: kconfig, if there is anything new to ask
ask() {
	local output=$1/build-$2 wanted other

	wanted=$({ cat "${fragments[@]}"; wish "$2"
		git -C "$1" ls-tree -r HEAD | grep Kconfig; } | sha256sum)
	[ "$(cat "$output/.kma_asked" 2>/dev/null)" != "$wanted" ] || return 0
	rm -f "$output/.kma_asked"
	for other in n y; do
		[ -d "$output" ] || [ ! -e "$1/build-$other/vmlinux" ] ||
			copy_output "$1/build-$other" "$output"
	done
	mkdir -p "$output"
	wish "$2" >"$output/.kma_wish"
	configure "$1" "$output" "$output/.kma_wish" || return
	echo "$wanted" >"$output/.kma_asked"
}

# What the kernel's make is told for VARIANT. The early log of f has room for 16 of the events
# before there are tables (KMA_BOOT_EVENTS), 256 MB are too little (KMA_BOOT_PAGES).
words_for() {
	[ "$1" != f ] || echo 'CFLAGS_source/boot.o=-DKMA_BOOT_EVENTS=16 -DKMA_BOOT_PAGES=100000'
}

# count_in TREE VARIANT: the counter, in the files of a variant that has it. The next checkout
# takes it out.
count_in() {
	[ "$2" != f ] || "$top/tests/patches/counter.py" "$1"
}

# state_of TREE VARIANT: all that decides what make_kernel makes in this tree
state_of() {
	local counter=

	[ "$2" != f ] || counter=$(cat "$top/tests/patches/counter.py")
	sum_of "$(git -C "$1" rev-parse HEAD)" "$(cat "$1/build-$2/.kma_asked")" "$(words_for "$2")" \
		"$counter"
}

# no_warnings TREE VARIANT: the sources compile with W=1 without a word of the compiler, or of
# kernel-doc, which W=1 runs
no_warnings() {
	kernel_make "$1" "$2" W=1 mm/kmem_account/ >"$1/build-$2/.kma_words" 2>&1 &&
		[ ! -s "$1/build-$2/.kma_words" ] && return
	cat "$1/build-$2/.kma_words"
	return 1
}

# make_kernel TREE VARIANT FOLDER
make_kernel() {
	local release modules image made=$1/build-$2/.kma_made
	local -a words
	mapfile -t words < <(words_for "$2")

	image=$(machine_get machine "$machine" image)
	ask "$1" "$2" || return
	if [ "$(cat "$made" 2>/dev/null)" != "$(state_of "$1" "$2")" ]; then
		rm -f "$made"
		count_in "$1" "$2" || return
		[ "$2" != r ] || no_warnings "$1" "$2" || return
		kernel_make "$1" "$2" "$image" modules ${words[@]+"${words[@]}"} || return
		state_of "$1" "$2" >"$made"
	fi
	release=$(cat "$1/build-$2/include/config/kernel.release")
	# of the same sources with the same kernel
	KERNEL_STATE=$(cat "$made")
	export KERNEL_STATE
	modules=$3/lib/modules/$release
	mkdir -p "$3/boot" "$modules/kernel" &&
		cp "$1/build-$2/arch/$(machine_get machine "$machine" arch)/boot/$image" \
			"$3/boot/vmlinuz-$release" &&
		cp "$1/build-$2"/modules.{builtin,builtin.modinfo,order} "$modules/" || return
	[ "$2" != m ] || cp "$1/build-$2/mm/kmem_account/kmem_account.ko" "$3/" || return
	ln -s "$1/build-$2" "$3/build" || return
	PATH=$PATH:/sbin:/usr/sbin depmod -b "$3" "$release" || return
	[[ $2 != kunit && $2 != f ]] || return 0
	# the same sources out of tree, where the kernel has none
	[ "$2" != n ] || "$here/module.sh" build "$1/build-n" "$3/module" "$top/Kbuild" "$top/module" ||
		return
	"$here/module.sh" build "$1/build-$2" "$3/kmod" "$top/tests/kmod" &&
		"$here/module.sh" build "$1/build-$2" "$3/bench" "$top/tests/bench"
}

kernel() {
	local tree tip

	[[ $2 == [ymnifr] || $2 == kunit ]] || usage
	[ ! -e "$3" ] || die "$3 is there already"
	patched "$1"
	tip=$(series_commits "$tree" "$version" "$([ "$2" != r ] || echo rfc)")
	checkout "$tree" "$tip"
	mkdir -p "$3"
	step "building $1 with kmem_account=$2" \
		make_kernel "$tree" "$2" "$(cd "$3" && pwd)" ||
		die "cannot build $1, variant $2"
	exec 8>&-
}

# make_step TREE COMMIT VARIANT
make_step() {
	rm -f "$1/build-$3/.kma_made"
	checkout "$1" "$2" && ask "$1" "$3" && kernel_make "$1" "$3" vmlinux
}

# step_state TREE COMMIT VARIANT: a sum of the files that can change the kernel of a commit: all but
# documents and, for n, the directory of the option. Kconfig files count for both.
step_state() {
	local left='^Documentation/.*\.(rst|txt)$|^Documentation/ABI/|^MAINTAINERS$'

	[ "$3" != n ] || left="$left|^mm/kmem_account/(.*\.[ch]|Makefile)$"
	git -C "$1" ls-tree -r "$2" | awk -F '\t' -v left="$left" '$2 !~ left' | sha256sum | cut -c 1-40
}

# size_of_step TREE: text, data and bss of mm/kmem_account/
size_of_step() {
	"${CROSS_COMPILE-}size" -t "$1/build-y/mm/kmem_account/built-in.a" |
		awk 'END { print "text " $1 ", data " $2 ", bss " $3 }'
}

# Build each commit with the option y; a commit of the RFC, whose option is a bool, also with n. `kernel`
# builds the last commit. A state that was built before is not built again. The lines on stdout are
# the subjects, with the size of the code after each commit.
steps() {
	local tree tip commit built variant subject state
	local -a variants=(y)

	[ "${2-}" != rfc ] || variants+=(n)
	patched "$1"
	tip=$(series_commits "$tree" "$version" "${2-}")
	built=$tree/.git/kma-built
	touch "$built"
	for commit in $(git -C "$tree" rev-list --reverse "base..$tip"); do
		subject=$(git -C "$tree" log -1 --format=%s "$commit")
		for variant in "${variants[@]}"; do
			state="$(step_state "$tree" "$commit" "$variant") $variant"
			if ! grep -q "^$state" "$built"; then
				step "building $1, kmem_account=$variant, at $(cut -c 1-40 <<<"$subject")" \
					make_step "$tree" "$commit" "$variant" ||
					die "does not build with kmem_account=$variant: $subject"
				[ "$variant" = n ] || state="$state $(size_of_step "$tree")"
				echo "$state" >>"$built"
			fi
			grep "^$state" "$built" | sed "s#^[0-9a-f]*#$subject:#"
		done
	done
	exec 8>&-
}

# versions [VERSION...]: sets the array, by default to all
versions() {
	versions=("$@")
	[ $# -gt 0 ] || mapfile -t versions < <(bases)
}

command=${1-}
case $command:$# in
bases:1)	bases ;;
base:2)		base "$2" ;;
tree:3)		tree "$2" "$3" ;;
config:[3-9])	configure "${@:2}" ;;
files:2)	files "$2" ;;
make:1)		usage ;;
make:*)		versions "${@:3}"; make_series "$2" "${versions[@]}" ;;
refresh:*)	versions "${@:2}"; refresh "${versions[@]}" ;;
series:[34])	series "${@:2}" ;;
callers:[34])	callers "${@:2}" ;;
rfc:[34])	rfc "${@:2}" ;;
allocinfo:[34])	allocinfo "${@:2}" ;;
kernel:4)	kernel "${@:2}" ;;
steps:2)	steps "$2" ;;
steps:3)	[ "$3" = rfc ] || usage; steps "$2" rfc ;;
release:2)	release "$2" ;;
*)		usage ;;
esac
