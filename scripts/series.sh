#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The patch series of a kernel version, from this repository and a kernel's files. Sourced
# by patches.sh and patches/*.sh, which set top and source lib.sh.
#
# Patch 1 is generated: module/ as mm/kmem_account/ (without the shim of KUnit), the module's
# guide, the descriptions of its files, and the lines of the table patches/0001/edits. The
# other patches are the files patches/vVERSION/*.patch, in the order of their numbers.
#
# The sources in module/ build in many kernels. A kernel's own tree gets only the branches
# of that kernel: compat/Kbuild.include is evaluated against the tree's headers, and unifdef
# resolves the conditions on its macros.
# shellcheck disable=SC2154 # top

# ours	in a kernel's tree
copies='
module	mm/kmem_account
Documentation/admin-guide/kmem_account.rst	Documentation/admin-guide/mm/kmem_account.rst
Documentation/ABI/testing/debugfs-kmem_account	Documentation/ABI/testing/debugfs-kmem_account
Documentation/ABI/testing/procfs-kmem_account	Documentation/ABI/testing/procfs-kmem_account
Documentation/ABI/testing/sysfs-module-kmem_account	Documentation/ABI/testing/sysfs-module-kmem_account
'
# Files that a kernel's tree does not get: all trees, or those with the macro.
left_out='
module/test/shim.c
module/test/shim.h
module/compat/range.h
module/compat/Kbuild.include
module/test/fault_kunit.c	KMA_NO_KUNIT_STUBS
'
# Macros that are undefined in every kernel's own tree.
never_defined='KMA_ANY_KERNEL KMA_KUNIT_SHIM'
# The names of files: those that the tree has, and those that only this repository has.
renames='s#Documentation/admin-guide/kmem_account\.rst#Documentation/admin-guide/mm/kmem_account.rst#g
s#Documentation/\(design\|format\)/\([a-z]*\.rst\)#\2 of kmem-account#g
s#module/\([a-z]*/[a-z_]*\.[ch]\)#mm/kmem_account/\1#g'
interfaces=$top/module/compat/Kbuild.include
# Temporary files of a series: a kernel's files, and repositories of these and of the patches.
# shellcheck disable=SC2034 # of the scripts that source this one
series_megabytes=32

# Fixed authors and dates: the same sources make the same bytes.
export GIT_AUTHOR_NAME='The kmem-account developers'
export GIT_AUTHOR_EMAIL='maintainers@users.noreply.a-seed-4ac70dbc.example'
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
export GIT_AUTHOR_DATE='2026-11-21T00:00:00Z' GIT_COMMITTER_DATE='2026-11-21T00:00:00Z'
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

# The versions that have a series.
bases() {
	local dir

	for dir in "$top"/patches/v*/; do
		dir=${dir%/}
		printf '%s\n' "${dir##*/v}"
	done | sort -V
}

# need_tools TOOL...: the message names the packages of all missing ones
need_tools() {
	local tool missing=

	for tool in "$@"; do
		command -v "$tool" >/dev/null || missing="$missing $tool"
	done
	[ -z "$missing" ] || die "missing programs:$missing; install the packages of these names"
}

has_series() { [[ $1 == [0-9]* ]] && [ -d "$top/patches/v$1" ]; }

# need_series VERSION
need_series() {
	has_series "$1" ||
		die "no patch series for Linux $1 (available: $(bases | paste -sd' '))"
}

# The committed patches of VERSION, in order.
hooks() {
	printf '%s\n' "$top/patches/v$1"/*.patch
}

# The hooks of VERSION that make a helper pass on its caller's address. They need no other
# patch of the series.
caller_hooks() {
	hooks "$1" | grep -e '-account-.*-to-its-' -e '-account-.*-to-the-caller-'
}

# The cover letter of the caller patches of VERSION.
caller_cover() { printf '%s\n' "$top/patches/callers/v$1"; }

# The patches of VERSION that extend /proc/allocinfo, in order. They need no other patch.
allocinfo_hooks() { ls -d "$top/patches/allocinfo/v$1"/*.patch 2>/dev/null || true; }

# need_kind KIND WHAT VERSION: patches/KIND has something for VERSION
need_kind() {
	need_series "$3"
	[ -e "$top/patches/$1/v$3" ] ||
		die "no series of $2 for Linux $3 (available:" \
			"$(cd "$top/patches/$1" && printf '%s\n' v* | sed 's/^v//' | sort -V | paste -sd' '))"
}

# The files of the kernel that the patches of VERSION change or add.
hook_files() {
	{ hooks "$1"; allocinfo_hooks "$1"; } |
		xargs -d '\n' sed -n 's#^diff --git a/\(.*\) b/.*#\1#p' | LC_ALL=C sort -u
}

# The rows of the table of edits: FILE LINES WHERE EXPRESSION.
edits() {
	grep -v '^#' "$top/patches/0001/edits"
}

# The kernel's headers that decide which branches of compat/ a tree gets.
interface_headers() {
	sed -n 's#^kma-.*:= [$](srctree)/##p' "$interfaces"
}

# All files of a kernel that its series depends on.
kernel_files() {
	{ echo Makefile; interface_headers; edits | cut -f 1; hook_files "$1"; } | LC_ALL=C sort -u
}

# The macros that Kbuild.include may define.
interface_macros() {
	sed -n 's/.*(call kma-[a-z]*,.*,\(KMA_[A-Z_]*\)).*/\1/p' "$interfaces"
}

# tree_macros TREE: those that it defines for the headers in TREE
tree_macros() {
	# shellcheck disable=SC2016 # make expands it
	printf '%s\n' 'include $(interfaces)' '$(info $(ccflags-y))' 'all: ; @:' |
		env -u MAKEFLAGS -u MFLAGS -u KBUILD_EXTMOD make -s -f - srctree="$1" \
			interfaces="$interfaces" | tr -s ' ' '\n' | sed -n 's/^-D\(KMA_[A-Z_]*\)$/\1/p'
}

# Files of module/ for a kernel's tree, without those that a build left there.
module_files() {
	(cd "$top" && find module -type f \( -name '*.[ch]' -o -name 'K*' -o -name .kunitconfig \) \
		-not -name '*.mod.c') | LC_ALL=C sort
}

# is_left_out FILE MACRO...: by the table, in a tree with these macros
is_left_out() {
	awk -v file="$1" -v macros=" ${*:2} " '
		$1 == file && (NF == 1 || index(macros, " " $2 " ")) { found = 1 }
		END { exit !found }' <<<"$left_out"
}

# resolve FILE MACRO...: keep the branches of a tree with these macros. In C unifdef knows
# comments and strings; in the other files an apostrophe is not a string.
resolve() {
	local file=$1 macro mode=()
	local -a known=()
	shift

	for macro in $never_defined $(interface_macros); do
		known+=("-U$macro")
	done
	# the last word on a macro counts
	for macro in "$@"; do
		known+=("-D$macro")
	done
	[[ $file == *.[ch] ]] || mode=(-t)
	unifdef -x2 -B -m ${mode[@]+"${mode[@]}"} "${known[@]}" "$file" ||
		die "$file: unifdef cannot resolve the conditions for one kernel"
}

# new_files FOLDER MACRO...: the files that patch 1 adds to a tree with these macros
new_files() {
	local folder=$1 ours theirs file new
	shift

	while IFS=$'\t' read -r ours theirs; do
		[ -n "$ours" ] || continue
		while read -r file; do
			! is_left_out "$file" "$@" || continue
			new=$folder/$theirs${file#"$ours"}
			mkdir -p "${new%/*}"
			sed "$renames" "$top/$file" >"$new"
			[ "$ours" != module ] || resolve "$new" "$@"
		done < <([ "$ours" = module ] && module_files || echo "$ours")
	done <<<"$copies"
}

# edited LINES WHERE EXPRESSION: stdin with the lines of the file LINES
edited() {
	awk -v lines="$top/patches/0001/$1" -v where="$2" -v match_re="$3" '
	function insert(line) { while ((getline line <lines) > 0) print line; done = 1 }
	!done && where == "before" && $0 ~ match_re { insert() }
	{ print }
	!done && where == "after" && $0 ~ match_re { insert() }
	END { exit !done }'
}

# changed_files TREE FOLDER: the files of TREE that patch 1 changes, changed, in FOLDER
changed_files() {
	local file lines where expression

	while IFS=$'\t' read -r file lines where expression; do
		[ -f "$1/$file" ] || die "$1: $file is missing; use a complete kernel tree"
		mkdir -p "$2/$(dirname "$file")"
		edited "$lines" "$where" "$expression" <"$1/$file" >"$2/$file" ||
			die "$1: $file has no line '$expression' for patches/0001/$lines;" \
				"use a tree of $(bases | paste -sd' ')"
	done < <(edits)
}

# first_patch TREE FOLDER: all files of TREE that patch 1 adds or changes, in FOLDER
first_patch() {
	local macros

	macros=$(tree_macros "$1")
	# shellcheck disable=SC2086 # names
	new_files "$2" $macros
	changed_files "$1" "$2"
}

# kernel_version TREE: "VERSION.PATCHLEVEL" of TREE
kernel_version() {
	awk '$1 == "VERSION" && $2 == "=" { version = $3 }
		$1 == "PATCHLEVEL" && $2 == "=" { print version "." $3; exit }' "$1/Makefile"
}

# need_pristine TREE: sets version; a Linux source tree without kmem_account, with a series
need_pristine() {
	local file

	for file in Makefile mm/slub.c mm/Kconfig mm/Makefile; do
		[ -f "$1/$file" ] ||
			die "$1: not a Linux source tree ($file is missing); give the directory of its top Makefile"
	done
	version=$(kernel_version "$1")
	for file in mm/kmem_account include/linux/kmem_account.h; do
		[ ! -e "$1/$file" ] ||
			die "$1: kmem_account is already in this tree ($file); use a tree without it"
	done
	! grep -q kmem_account "$1/mm/Kconfig" "$1/mm/Makefile" ||
		die "$1: kmem_account is already in this tree (mm/Kconfig or mm/Makefile); use a tree without it"
	has_series "$version" ||
		die "$1: no patch series for Linux $version (available: $(bases | paste -sd' '));" \
			"use such a tree, or build the module out of tree (make module)"
}

# commit PARENT MESSAGE: the index as a commit
commit() {
	git -C "$repository" commit-tree "$(git -C "$repository" write-tree)" -p "$1" -F "$2"
}

# base_files VERSION FOLDER: the kernel's files of the repository's branch base
base_files() {
	local -a names
	mapfile -t names < <(kernel_files "$1" |
		xargs -d '\n' git -C "$repository" ls-tree --name-only base --)

	mkdir -p "$2"
	git -C "$repository" archive base -- "${names[@]}" | tar -x -C "$2"
}

# add_files FOLDER: its files, to the index
add_files() {
	local file

	find "$1" -type f -printf '%P\n' | LC_ALL=C sort | while read -r file; do
		printf '100644 %s\t%s\n' \
			"$(git -C "$repository" hash-object -w --no-filters "$1/$file")" "$file"
	done | git -C "$repository" update-index --index-info
}

# add_first VERSION TMP: patch 1 as a commit
add_first() {
	base_files "$1" "$2/kernel"
	first_patch "$2/kernel" "$2/new"
	add_files "$2/new"
	commit "$(git -C "$repository" rev-parse base)" "$top/patches/0001/changelog"
}

# add_patch TMP PARENT FILE: a patch as a commit of its author and date
add_patch() {
	local author email date

	git -C "$repository" mailinfo -b --encoding=UTF-8 "$1/body" "$1/patch" <"$3" >"$1/info"
	{ sed -n 's/^Subject: //p' "$1/info"; echo; cat "$1/body"; } >"$1/message"
	author=$(sed -n 's/^Author: //p' "$1/info")
	email=$(sed -n 's/^Email: //p' "$1/info")
	date=$(sed -n 's/^Date: //p' "$1/info")
	git -C "$repository" apply --cached --3way "$1/patch" >"$1/log" 2>&1 || {
		sed 's/^/  /' "$1/log" >&2
		die "patches/${3##*/patches/} does not apply; use a tree that it was made for, or refresh it"
	}
	GIT_AUTHOR_NAME=$author GIT_AUTHOR_EMAIL=$email GIT_AUTHOR_DATE=$date commit "$2" "$1/message"
}

# add_rfc VERSION TMP: the patches of the RFC as commits; prints the last one
add_rfc() {
	local tip patch name

	base_files "$1" "$2/kernel"
	RFC_MACROS="$(tree_macros "$2/kernel" | paste -sd' ') KMA_BOOT=1 CONFIG_64BIT" \
		RFC_UNDEFINED="$never_defined KMA_KUNIT $(interface_macros | paste -sd' ')" \
		"$top/scripts/rfc.py" "$1" "$2/kernel" "$2/new" || return
	tip=$(git -C "$repository" rev-parse base)
	for patch in "$2"/new/*/; do
		name=${patch%/}
		name=${name##*/}
		{ cat "$top/patches/rfc/v$1/log/${name#*-}"
			printf '\nSigned-off-by: %s <%s>\n' "$GIT_AUTHOR_NAME" "$GIT_AUTHOR_EMAIL"
		} >"$2/message"
		add_files "$patch"
		tip=$(commit "$tip" "$2/message")
	done
	printf '%s\n' "$tip"
}

# series_commits REPOSITORY VERSION [KIND]: the series as commits on branch base, by git's
# plumbing with an index of its own, so that no work tree is needed; prints the last one. KIND
# is callers or allocinfo for these patches alone, or rfc.
series_commits() {
	local repository=$1 list=hooks tmp tip patch

	tmp=$(mktemp -d)
	# shellcheck disable=SC2064 # the present value
	trap "rm -rf '$tmp'" EXIT
	export GIT_INDEX_FILE=$tmp/index
	git -C "$repository" read-tree base
	case ${3-} in
	'')	tip=$(add_first "$2" "$tmp") ;;
	rfc)	tip=$(add_rfc "$2" "$tmp"); list=: ;;
	callers) tip=$(git -C "$repository" rev-parse base); list=caller_hooks ;;
	allocinfo) tip=$(git -C "$repository" rev-parse base); list=allocinfo_hooks ;;
	esac
	while read -r patch; do
		tip=$(add_patch "$tmp" "$tip" "$patch")
	done < <("$list" "$2")
	unset GIT_INDEX_FILE
	rm -rf "$tmp"
	trap - EXIT
	printf '%s\n' "$tip"
}

# format_patches REPOSITORY RANGE FOLDER OPTION...
format_patches() {
	git -C "$1" format-patch -q --zero-commit --no-signature --no-renames --no-thread \
		--no-base --abbrev=12 --diff-algorithm=myers --stat=72 "${@:4}" -o "$3" "$2"
}

# format_series REPOSITORY TIP FOLDER: commits as a series
format_series() {
	format_patches "$1" "base..$2" "$3" -N --no-cover-letter
	(cd "$3" && printf '%s\n' *.patch >series)
}

# format_letter REPOSITORY TIP FOLDER COVER [OPTION...]: numbered, after a cover letter whose
# subject is the first line of COVER. git takes its text from the description of a branch.
format_letter() {
	git -C "$1" branch -q -f letter "$2"
	git -C "$1" config branch.letter.description "$(cat "$4")"
	format_patches "$1" base..letter "$3" -n --cover-letter --cover-from-description=subject \
		"${@:5}"
	(cd "$3" && printf '%s\n' *.patch >series)
}

# small_repository VERSION TREE FOLDER: a repository of the files of TREE that the series
# depends on, branch base; other files named on stdin go in as well
small_repository() {
	git init -q -b base "$3" &&
		{ kernel_files "$1"; cat; } | (cd "$2" && xargs -d '\n' ls -d 2>/dev/null || true) |
		tar -c -C "$2" -T - | tar -x -C "$3" &&
		git -C "$3" add -A -f . &&
		git -C "$3" commit -q -m "Linux $1"
}
