#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the series that are meant for the kernel's maintainers: the RFC, and the patches that
# extend /proc/allocinfo. They apply, they are in the kernel's style, and the RFC has nothing
# that only a module for many kernels needs. Builds nothing (rfc-kernel.sh does).
#
#	rfc.sh [VERSION]	7.2
#
# A version whose source is not available is skipped, with the reason. KTAP on stdout.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
# shellcheck source=tests/patches/lib.sh
. tests/patches/lib.sh

version=${1:-7.2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# is_made KIND: create-patch.sh prints what patches.sh makes
is_made() {
	patches/create-patch.sh "--$1" "$version" >"$work/$1.mbox"
	scripts/patches.sh "$1" "$version" "$work/$1"
	(cd "$work/$1" && xargs -d '\n' cat <series) | cmp - "$work/$1.mbox"
}

git_am() {
	work_tree "$repository" "$work/$1-am"
	git -C "$work/$1-am" am --empty=drop "$work/$1.mbox" >"$work/words" 2>&1 ||
		{ tail "$work/words"; return 1; }
	# git reports white space that is not the kernel's style
	if grep -i 'warning' "$work/words"; then return 1; fi
}

has_patches() {
	local count

	count=$(git -C "$work/rfc-am" rev-list --count origin/base..HEAD)
	echo "$count patches"
	[ "$count" -ge 10 ] && [ "$count" -le 15 ]
}

# What is no longer to be filled in, and has the sign-off and the cost that a maintainer asks for.
has_letter() {
	if grep -nE '@[A-Z_]+@|\*\*\* ' "$work"/rfc/*.patch "$work"/allocinfo/*.patch; then return 1; fi
	grep -q 'Objections' "$work"/rfc/0000-*.patch
	grep -L '^Signed-off-by: ' "$work"/rfc/*.patch | grep -v '/0000-' >"$work/unsigned" || true
	[ ! -s "$work/unsigned" ] || { cat "$work/unsigned"; return 1; }
}

# Words of a module for many kernels, and of the generator.
has_one_kernel() {
	test -s "$work/rfc-am/mm/kmem_account/core.c"
	if grep -rnE 'KMA_(WITH|ANY|KUNIT|STUB|NO_|HAS_)|compat/|LINUX_VERSION|kallsyms_lookup_name|kprobe|kernfs|kset|register_trace' \
		"$work/rfc-am/mm/kmem_account"; then
		return 1
	fi
}

# After each patch every file of ours that is included, or named by the Makefile, is there.
is_complete() {
	local tree=$work/rfc-am commit name from

	for commit in $(git -C "$tree" rev-list --reverse origin/base..HEAD); do
		git -C "$tree" grep -hoE '#include "[^"]*"' "$commit" -- mm/kmem_account |
			sort -u | sed 's/.*"\(.*\)"/\1/' >"$work/included"
		git -C "$tree" ls-tree -r --name-only "$commit" mm/kmem_account >"$work/there"
		while read -r name; do
			[[ $name != ../* ]] || continue
			from=$(grep -cE "(^|/)$name\$" "$work/there") || true
			[ "$from" -ge 1 ] || { echo "$(git -C "$tree" log -1 --format=%s "$commit"): no $name"; return 1; }
		done <"$work/included"
		git -C "$tree" show "$commit:mm/kmem_account/Makefile" 2>/dev/null |
			grep -oE '[a-z_/]+\.o\b' | grep -vx 'kmem_account.o' | sort | sed 's/o$/c/' >"$work/objects"
		sed -n 's#^mm/kmem_account/\(.*\.c\)$#\1#p' "$work/there" | sort | diff "$work/objects" - ||
			return 1
	done
}

# Each patch links, without building it; and nothing in the last one is there in vain.
has_calls() {
	local tree=$work/rfc-am
	local -a commits
	mapfile -t commits < <(git -C "$tree" rev-list --reverse origin/base..HEAD)

	tests/patches/rfc-calls.py "$tree" mm/kmem_account "${commits[@]}"
}

# A patch without a source, as patch 3 once was without account/pool.c, must be noticed.
has_calls_strict() {
	local tree=$work/rfc-short

	git clone -q "$work/rfc-am" "$tree"
	git -C "$tree" rm -q mm/kmem_account/account/pool.c
	git -C "$tree" -c user.name=test -c user.email=test@localhost commit -q -m short
	if tests/patches/rfc-calls.py "$tree" mm/kmem_account HEAD >"$work/words"; then
		echo "accepted"
		return 1
	fi
	grep -q '^short: kma_pool_refill() is used and not defined$' "$work/words"
}

# Each file that a patch of either series touches is in its language.
are_documents() {
	local kind

	for kind in rfc allocinfo; do
		git -C "$work/$kind-am" diff --name-only origin/base HEAD -- '*.rst' >"$work/rst"
		[ -s "$work/rst" ]
		(cd "$work/$kind-am" && xargs -d '\n' "$OLDPWD/tests/patches/rst.py" <"$work/rst")
	done
}

# A table that falls behind the sources must not go unnoticed.
is_strict() {
	local copy=$work/copy

	mkdir -p "$copy"
	cp -r module patches upstream scripts Documentation "$copy/"
	plain_tree "$repository" "$work/plain"
	echo 'line this line is nowhere' >>"$copy/patches/rfc/v$version/adapt"
	if "$copy/patches/create-patch.sh" --rfc "$version" "$work/plain" >/dev/null 2>"$work/words"; then
		echo "accepted"
		return 1
	fi
	grep -q "'line this line is nowhere' matches nothing" "$work/words"
}

# Patch 2 adds the entry of the folder to MAINTAINERS; checkpatch asks for it in each patch that
# adds a file. 7.2 wants const on types that sources for older kernels cannot have so.
style() {
	"$work/rfc-am/scripts/checkpatch.pl" --no-tree --strict -q --ignore CONST_STRUCT,FILE_PATH_CHANGES "$1"
}

styles() {
	local patch

	for patch in "$work/$1"/*.patch; do
		[[ ${patch##*/} != 0000-* ]] || continue
		judged_once "style ${repository##*/} $(sha256sum <"$patch")" style "$patch" || return
	done
}

if ! has_source "$version"; then
	ktap_plan 1
	ktap_skip "the RFC for $version applies" "$reason"
	ktap_end
	exit
fi
repository=$(source_of "$version")
ktap_plan 14
for kind in rfc allocinfo; do
	ktap "create-patch.sh --$kind $version prints the series" is_made $kind
	ktap "git am applies the series $kind" git_am $kind
	ktap "checkpatch --strict reports nothing for the series $kind" styles $kind
done
ktap "the RFC has 10 to 15 patches" has_patches
ktap "its letter is complete, and each patch is signed off" has_letter
ktap "it has no code for other kernels" has_one_kernel
ktap "each patch has the files that it names" is_complete
ktap "each patch defines what it calls, and the last one calls what it declares" has_calls
ktap "a patch that lacks a source is noticed" has_calls_strict
ktap "the documents that the series touch are correct reStructuredText" are_documents
ktap "an operation of the table adapt that matches nothing is an error" is_strict
ktap_end
