#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The layer rule: which part may include which, over every #include "..." line.
#
#	check-layers.sh [TOP]
#
# The table below is the rule of Documentation/design; a part may always include
# itself.  An include is resolved as the compiler would: beside its file, then
# from host/, module/ and the top.  Prints KTAP, one result for each part; it
# reads only.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../tests/ktap.sh"
cd "${1:-$here/..}"

# part			what it may include
rule='
host/lib
host/model		host/lib
host/symbol		host/lib
host/reader		host/model host/latency host/lib module/uapi
host/tree		host/model host/symbol host/lib
host/view		host/model host/tree host/lib
host/db			host/model host/lib
host/record		host/lib module/uapi
host/latency		host/lib
host			host/lib host/model host/symbol host/reader host/tree host/view host/db host/record host/latency module/uapi
module/uapi
module			module/uapi module/compat
module/compat		module module/uapi
'
# what is included of the kernel whose tree the module may lie in: file, name
kernel_own='
module/source/boot.c	../../slab.h
'

# breaches: print each include that its part may not have, as "PART<TAB>FILE:LINE: MESSAGE".
# One awk reads all files: a process for each include costs seconds.
breaches() {
	find "${parts[@]}" -name '*.[ch]' >"$work/list"
	# shellcheck disable=SC2016 # awk's own $
	sort -u "$work/list" | RULE=$rule KERNEL_OWN=$kernel_own xargs -d '\n' awk '
	BEGIN {
		FS = "\""
		lines = split(ENVIRON["RULE"], line, "\n")
		for (i = 1; i <= lines; i++) {
			n = split(line[i], word, /[ \t]+/)
			for (k = 1; k <= n && word[1] != ""; k++) allowed[word[1], word[k]] = 1
			if (n && word[1] != "") is_part[word[1]] = 1
		}
		lines = split(ENVIRON["KERNEL_OWN"], line, "\n")
		for (i = 1; i <= lines; i++)
			if (split(line[i], word, /[ \t]+/) == 2) own[word[1], word[2]] = 1
	}
	# the part of a file: its longest prefix in the table
	function part_of(file) {
		while (sub("/[^/]*$", "", file))
			if (file in is_part) return file
		return "none"
	}
	function exists(file,   ignored, status) {
		if (!(file in known)) {
			known[file] = (getline ignored <file) >= 0
			close(file)
		}
		return known[file]
	}
	# the path without "x/../" and "./"
	function normal(path) {
		while (sub("/\\./", "/", path) || sub("^\\./", "", path)) ;
		while (match(path, "(^|/)[^/.][^/]*/\\.\\./"))
			path = substr(path, 1, RSTART - 1) (substr(path, RSTART, 1) == "/" ? "/" : "") \
				substr(path, RSTART + RLENGTH)
		return path
	}
	# the file that an include leads to: beside the file, then from host/, module/ and the top
	function resolve(from, name,   i, base, n) {
		sub("/[^/]*$", "", from)
		n = split(from " host module .", base, " ")
		for (i = 1; i <= n; i++)
			if (exists(base[i] "/" name)) return normal(base[i] "/" name)
		return "missing/" name
	}
	/^[ \t]*#[ \t]*include[ \t]*"[^"]+"/ {
		if ((FILENAME, $2) in own) next
		part = part_of(FILENAME)
		target = resolve(FILENAME, $2)
		if (!((part, part_of(target)) in allowed))
			printf "%s\t%s:%d: %s may not include %s\n", part, FILENAME, FNR, part, target
	}'
}

# check_part PART: print the breaches of PART; fail if there is one
check_part() {
	! awk -F '\t' -v part="$1" '$1 == part { print $2 }' "$work/breaches" | grep .
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t parts < <(awk 'NF { print $1 }' <<<"$rule" | while read -r p; do [ ! -d "$p" ] || echo "$p"; done)
breaches >"$work/breaches"
ktap_plan ${#parts[@]}
for part in "${parts[@]}"; do
	ktap "$part includes only what it may" check_part "$part"
done
ktap_end
