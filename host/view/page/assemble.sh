#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Make a C file with the fixed parts of the page: page.html with style, scripts, d3's modules
# and their notices in it, cut at the places of the title and the data.
#
#	assemble.sh D3 OUT.c		D3 has d3-hierarchy/dist/d3-hierarchy.min.js, as Debian's
#					package node-d3-hierarchy in /usr/share/nodejs, or npm's
#
# Indentation is removed, because it would be a hundredth of a page; comments stay for readers
# of a page's source. The policy of the page contains the hashes of style and script, so both
# are inserted exactly as they were hashed.
set -eu

d3=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

modules="d3-hierarchy"
# In this order: each script uses only scripts before it.
scripts='decode group lines only times tree format layout colour draw past table app act'

# The licence of a module, as npm or Debian ships it.
notice() {
	for file in "$d3/$1/LICENSE" "/usr/share/doc/node-$1/copyright"; do
		[ ! -r "$file" ] || { cat "$file"; return; }
	done
	echo "$0: no licence of $1: neither in $d3/$1 nor in /usr/share/doc" >&2
	exit 1
}

hash_of() {
	sha256sum "$1" | cut -c 1-64 | tr a-f A-F | basenc --base16 -d | base64 -w 0
}

# The bytes of standard input as a C string.
c_string() {
	printf '\nconst char %s[] = {\n' "$1"
	od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'
	printf '0 };\n'
}

{
	for module in $modules; do
		cat "$d3/$module/dist/$module.min.js"
		echo
	done
	printf '(async function () {\n"use strict";\n'
	for script in $scripts; do
		sed 's/^\t*//' "$here/$script.js"
	done
	printf '})();\n'
} >"$work/script"
sed 's/^\t*//' "$here/page.css" >"$work/style"
{
	echo '<!-- kmem-account: GPL-2.0. In the script below are modules of d3:'
	for module in $modules; do
		printf '\n%s\n\n' "$module"
		notice "$module" | sed 's/--*>/>/g'
	done
	echo '-->'
} >"$work/notices"

version=$(sed -n 's/^#define KMA_VERSION "\(.*\)"$/\1/p' "$here/../../../module/uapi/version.h")
style_hash=$(hash_of "$work/style") script_hash=$(hash_of "$work/script")
part=0
while IFS= read -r line; do
	case $line in
	*@STYLE_HASH@*)
		printf '%s\n' "$line" |
			sed "s|@STYLE_HASH@|$style_hash|; s|@SCRIPT_HASH@|$script_hash|" ;;
	*@VERSION@*)
		printf '%s\n' "$line" | sed "s|@VERSION@|$version|" ;;
	@NOTICES@)
		cat "$work/notices" ;;
	@STYLE@)
		printf '<style>'
		cat "$work/style"
		printf '</style>\n' ;;
	@SCRIPT@)
		printf '<script>'
		cat "$work/script"
		printf '</script>\n' ;;
	*@TITLE@* | *@DATA@*)
		printf '%s' "${line%%@*}" ;;
	*)
		printf '%s\n' "$line" ;;
	esac >>"$work/$part"
	case $line in
	*@TITLE@* | *@DATA@*)
		part=$((part + 1))
		printf '%s\n' "${line##*@}" >>"$work/$part" ;;
	esac
done <"$here/page.html"

{
	printf '/* Made by assemble.sh. */\n#include "view/page/page-text.h"\n'
	c_string kma_page_head <"$work/0"
	c_string kma_page_middle <"$work/1"
	c_string kma_page_tail <"$work/2"
} >"$out.new"
mv "$out.new" "$out"
