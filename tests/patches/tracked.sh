#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the tracked files below patches/ and the generator, without a kernel source.
#
# Generated files must not be committed, and the sources in module/ must resolve for one
# kernel: for one with all of the older interfaces and for one with none. KTAP on stdout.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
top=$PWD
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
# shellcheck source=scripts/series.sh
. scripts/series.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bytes_max=150000

is_small() {
	local bytes

	# files that git does not know yet count as well
	bytes=$(git ls-files -co --exclude-standard patches | while read -r file; do
		[ ! -e "$file" ] || cat "$file"
	done | wc -c)
	echo "$bytes bytes below patches/ (at most $bytes_max)"
	[ "$bytes" -gt 0 ] && [ "$bytes" -le "$bytes_max" ]
}

# Hooks are numbered from 2 on without a gap: patch 1 is generated.
is_numbered() {
	local hook number=2

	for hook in patches/v"$1"/*; do
		[[ ${hook##*/} == "$(printf '%04d' "$number")"-*.patch ]] ||
			{ echo "$hook: expected number $number"; return 1; }
		number=$((number + 1))
	done
	[ "$number" -gt 2 ]
}

# The hooks change the kernel's files and never the generated directory.
has_hooks_only() {
	hook_files "$1" >"$work/hook-files"
	grep -qx mm/slub.c "$work/hook-files"
	! grep '^mm/kmem_account/' "$work/hook-files"
}

has_headers() {
	local hook line

	for hook in patches/v"$1"/*.patch; do
		for line in '^From: ' '^Subject: \[PATCH\] ' '^Signed-off-by: '; do
			grep -q "$line" "$hook" || { echo "$hook: no line $line"; return 1; }
		done
	done
}

are_edits_complete() {
	local file lines where expression

	while IFS=$'\t' read -r file lines where expression; do
		echo "row of '$file'"
		[ -s "patches/0001/$lines" ]
		[[ $where == before || $where == after ]]
		[ -n "$expression" ]
	done < <(edits)
	edits | grep '^mm/Kconfig	' >/dev/null
	edits | grep '^mm/Makefile	' >/dev/null
}

# resolves NAME MACRO...: the sources for a kernel with these macros and without the others
resolves() {
	local name=$1 macros
	shift

	new_files "$work/$name" "$@"
	macros=$(interface_macros; tr ' ' '\n' <<<"$never_defined")
	[ "$(wc -l <<<"$macros")" -gt 20 ]
	! grep -rnwE "$(paste -sd'|' <<<"$macros")|LINUX_VERSION_CODE|KERNEL_VERSION|KBUILD_EXTMOD" \
		"$work/$name/mm"
}

# Each object that the generated Kbuild files name has a source, and the other way round.
has_all_objects() {
	local dir=$work/$1/mm/kmem_account

	cat "$dir/Kbuild" "$dir/test/Kbuild" | sed '/^#/d' | grep -o '[a-z_/]*\.o\b' |
		grep -v '^kmem_account\.o$' | sed 's/o$/c/' | LC_ALL=C sort -u >"$work/objects"
	(cd "$dir" && find . -name '*.c' -printf '%P\n') | grep -v '^test/main_kunit\.c$' |
		LC_ALL=C sort >"$work/sources"
	diff "$work/objects" "$work/sources"
}

mapfile -t versions < <(bases)
mapfile -t all_macros < <(interface_macros)
ktap_plan $((6 + 3 * ${#versions[@]}))
ktap "the tracked files below patches/ are at most $bytes_max bytes" is_small
ktap "the table of edits is complete" are_edits_complete
for version in "${versions[@]}"; do
	ktap "v$version: no patch 1, and the hooks are numbered from 2 on" is_numbered "$version"
	ktap "v$version: the hooks change files of the kernel only" has_hooks_only "$version"
	ktap "v$version: each hook has an author, a subject and a sign-off" has_headers "$version"
done
ktap "the sources resolve for a kernel with all newer interfaces" resolves new
ktap "its Kbuild files name each source" has_all_objects new
ktap "the sources resolve for a kernel with all older interfaces" resolves old "${all_macros[@]}"
ktap "its Kbuild files name each source" has_all_objects old
ktap_end
