#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Style, as far as a machine can tell.  Prints KTAP; changes nothing.
#
#	licence		each source file says its licence in one of its first lines
#	checkpatch	the kernel's checkpatch.pl (of 6.1):
#			--strict for the module, 100 columns for user space
#	kernel-doc	comments in headers are well-formed
#	spelling	codespell (filp is a slab cache, damon a directory of mm/, slac a sort
#			key that a test expects to be refused, buildd a variant of mmdebstrap, caf a
#			name cut before a byte that is no UTF-8, hsi a bus);
#			a series has lines of the kernel's own
#	documents	*.rst as docutils reads it: tables and lists are what they look like
#
# A file that checkpatch has passed is not given to it again as it is.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../tests/ktap.sh"
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

# of one kernel on every machine: the same file gets the same verdict
tools=$("$here/../tests/qemu/kernel.sh" dir source-scripts 6.1)/scripts

# checkpatch types that do not fit out of the kernel tree:
# - a module for several kernels asks for their version, in compat/ only
compat_ignore=LINUX_VERSION_CODE,CONSTANT_COMPARISON
# - the test module's functions are global for the sake of their names
kmod_ignore=AVOID_EXTERNS
# - user space has no __printf(); arrays of strings are made of what is at hand;
#   a row of a table is a macro without parentheses
user_ignore=PREFER_DEFINED_ATTRIBUTE_MACRO,STATIC_CONST_CHAR_ARRAY,COMPLEX_MACRO
# - a list of functions makes the members of a struct (host/lib/library.h)
host_ignore=$user_ignore,MULTISTATEMENT_MACRO_USE_DO_WHILE,TRAILING_SEMICOLON
# - the stubs and the test macros are what these types warn of
unit_ignore=$user_ignore,MACRO_WITH_FLOW_CONTROL,NEW_TYPEDEFS,AVOID_EXTERNS,MEMORY_BARRIER

# name	files (git patterns)			checkpatch arguments
patches="
module	module/*.[ch] :!module/compat		--strict
compat	module/compat				--strict --ignore $compat_ignore
kmod	tests/kmod/*.[ch]			--strict --ignore $kmod_ignore
kmod-debug	tests/kmod-debug/*.[ch]		--strict
bench	tests/bench/kma_*.[ch]			--strict
scale	tests/bench/scale.c			--max-line-length=100 --ignore $unit_ignore
host	host/*.[ch] tests/host/*.[ch]		--max-line-length=100 --ignore $host_ignore
unit	tests/unit/*.[ch]			--max-line-length=100 --ignore $unit_ignore
fuzz	tests/fuzz/*.[ch]			--max-line-length=100 --ignore $unit_ignore
"

# Files of the checkout that exist, committed or not yet, but not the ignored.
files() {
	local file

	git ls-files -co --exclude-standard -- "$@" | while IFS= read -r file; do
		[ ! -f "$file" ] || printf '%s\n' "$file"
	done
}

licence() {
	files '*.[chS]' '*.sh' '*.py' '*Makefile' '*Kbuild' '*Kconfig' tests/qemu/init .ci/run |
		sort >"$work/sources"
	xargs awk 'FNR <= 3 && /SPDX-License-Identifier: GPL-2\.0/ { print FILENAME }' <"$work/sources" |
		sort -u >"$work/licensed"
	! comm -13 "$work/licensed" "$work/sources" |
		sed 's/$/: no SPDX-License-Identifier in the first lines/' | grep .
}

checkpatch() {
	local name=$1 patterns=() arguments=() words word

	read -r -a words <<<"$(awk -v n="$name" '$1 == n { $1 = ""; print }' <<<"$patches")"
	for word in "${words[@]}"; do
		case $word in
		--* | *,* | [A-Z]*)	arguments+=("$word") ;;
		*)			patterns+=("$word") ;;
		esac
	done
	files "${patterns[@]}" >"$work/files"
	[ -s "$work/files" ] || { echo "no files: ${patterns[*]}"; return 1; }
	unjudged "$judge ${arguments[*]}" <"$work/files" >"$work/unjudged"
	# its start takes as long as 500 lines
	cut -d ' ' -f 2- "$work/unjudged" |
		xargs -r -n 8 -P "$(nproc)" perl "$tools/checkpatch.pl" --no-tree --terse \
		--no-summary --show-types "${arguments[@]}" -f
	judged <"$work/unjudged"
}

kernel_doc() {
	files 'module/*.h' 'host/*.h' 'tests/*.h' | xargs -r perl "$tools/kernel-doc" -none -Werror
}

# The n of a \n is no letter of the word behind it.
spelling() {
	files ':!COPYING' ':!LICENSES' ':!tests/data' ':!patches/v*' |
		xargs -r codespell -L filp,damon,slac,buildd,caf,hsi --ignore-regex '\\[nt][a-z]+'
}

# Tables and lists are what they look like.
documents() {
	local file fault=0

	while IFS= read -r file; do
		rst2html --report=warning --halt=warning "$file" >/dev/null 2>"$work/words" ||
			{ head -n 2 "$work/words"; fault=1; }
	done < <(files '*.rst')
	return "$fault"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
judge="checkpatch $(perl -e 'print $^V') $(sha256sum "$tools"/{checkpatch.pl,*.txt,*.checkpatch})"
mapfile -t areas < <(awk 'NF { print $1 }' <<<"$patches")
ktap_plan $((4 + ${#areas[@]}))
ktap "licence lines" licence
for area in "${areas[@]}"; do
	ktap "checkpatch $area" checkpatch "$area"
done
ktap "kernel-doc" kernel_doc
ktap "spelling" spelling
ktap "documents" documents
ktap_end
