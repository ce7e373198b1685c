#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The layer rule: which part may include which, over every #include "..." line. In module/ and
# in host/ no cycles between files, no tag and no global name with two meanings. In host/ no C
# file outside of the directory of a component, and no header that declares functions of
# another file.
#
#	check-layers.sh [TOP]
#
# The table below is the rule of Documentation/design; a part may always include
# itself.  An include is resolved as the compiler would: beside its file, then
# from host/, module/ and the top.  For cycles, X.c and X.h are one file.  Prints KTAP,
# one result for each part and each rule; it reads only.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../tests/ktap.sh"
cd "${1:-$here/..}"

# part			what it may include
rule='
host/lib
host/input		host/lib
host/model		host/lib
host/symbol		host/lib
host/trace		host/input host/model host/lib
host/log		host/input host/model host/lib module/uapi
host/latency		host/lib
host/record		host/lib module/uapi
host/reader		host/trace host/log host/input host/latency host/model host/lib
host/heap		host/reader host/input host/symbol host/model host/lib
host/kbuild		host/symbol host/model host/lib
host/image		host/kbuild host/symbol host/model host/lib
host/types	host/symbol host/model host/lib
host/tree		host/kbuild host/image host/types host/symbol host/model host/lib
host/export		host/tree host/symbol host/model host/lib module/uapi
host/serve		host/lib
host/prometheus	host/model host/lib
host/store		host/model host/lib
host/view/text		host/tree host/model host/lib
host/view/chart		host/view/text host/tree host/model host/lib
host/view/page		host/view/chart host/view/text host/tree host/symbol host/model host/lib module/uapi
host/view/screen	host/tree host/model host/lib
host/view		host/view/page host/view/chart host/view/text host/tree host/model host/lib
host/open		host/store host/reader host/input host/model host/lib
host/session		host/open host/export host/view host/view/page host/view/chart host/view/text host/store host/tree host/image host/kbuild host/reader host/trace host/log host/input host/symbol host/model host/lib
host/cli		host/heap host/open host/session host/serve host/prometheus host/export host/view host/view/screen host/view/page host/view/chart host/view/text host/store host/tree host/image host/kbuild host/reader host/trace host/log host/input host/types host/symbol host/latency host/record host/model host/lib module/uapi
module/uapi
module/compat		module/uapi
module/account		module/compat module/uapi
module/caller		module/account module/compat module/uapi
module/guard		module/compat module/uapi
module/watch		module/guard module/account module/caller module/compat module/uapi
module/log		module/guard module/account module/caller module/watch module/compat module/uapi
module/source		module/guard module/account module/caller module/watch module/log module/compat module/uapi
module/show		module/guard module/account module/caller module/watch module/source module/log module/compat module/uapi
module			module/guard module/account module/caller module/watch module/source module/log module/show module/compat module/uapi module/test
module/test		module module/guard module/account module/caller module/watch module/source module/log module/show module/compat module/uapi
'
# what is included of the kernel whose tree the module may lie in: file, name
kernel_own='
module/source/boot.c	../../slab.h
'

# files of which Kbuild builds one: they define the same names
alternatives='
module/source/kprobe.c	module/source/no_kprobe.c
'

# headers of functions that no C file of their directory defines: made when the program is built
generated='
host/view/page/page-text.h
'

# breaches: print each include that its part may not have, as "PART<TAB>FILE:LINE: MESSAGE", and
# each include of a file by another to $work/edges, as "FILE<TAB>INCLUDED<TAB>FILE:LINE" without
# suffixes.  One awk reads all files: a process for each include costs seconds.
breaches() {
	find "${parts[@]}" -name '*.[ch]' >"$work/list"
	: >"$work/edges"
	# shellcheck disable=SC2016 # awk's own $
	sort -u "$work/list" | RULE=$rule KERNEL_OWN=$kernel_own EDGES=$work/edges xargs -d '\n' awk '
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
		from = FILENAME; to = target
		sub(/\.[ch]$/, "", from); sub(/\.[ch]$/, "", to)
		if (from != to) print from "\t" to "\t" FILENAME ":" FNR >ENVIRON["EDGES"]
		if (!((part, part_of(target)) in allowed))
			printf "%s\t%s:%d: %s may not include %s\n", part, FILENAME, FNR, part, target
	}'
}

# check_part PART: print the breaches of PART; fail if there is one
check_part() {
	! awk -F '\t' -v part="$1" '$1 == part { print $2 }' "$work/breaches" | grep .
}

# check_cycles DIR: no file of DIR includes itself by way of others. Files that no other file
# needs, or that need no other file, are in no cycle: they are removed until none is left.
check_cycles() {
	! awk -F '\t' -v dir="$1/" '
	index($1, dir) == 1 && index($2, dir) == 1 { from[NR] = $1; to[NR] = $2; at[NR] = $3 }
	END {
		do {
			removed = 0
			split("", needs); split("", needed)
			for (i in from) { needs[from[i]]; needed[to[i]] }
			for (i in from)
				if (!(to[i] in needs) || !(from[i] in needed)) {
					delete from[i]; delete to[i]; removed++
				}
		} while (removed)
		for (i in from) print at[i] ": " from[i] " and " to[i] " are in a cycle of includes"
	}' "$work/edges" | sort | grep .
}

# definitions DIR: "KIND<TAB>NAME<TAB>FILE:LINE" of each tag, function and variable that a file of
# DIR defines. In the style of the kernel a definition begins in the first column.
definitions() {
	# shellcheck disable=SC2016 # awk's own $
	find "$1" -name '*.[ch]' ! -path '*/test/*' | sort | xargs -d '\n' awk '
	/^(struct|union|enum) [a-z0-9_]+ \{/ { print "tag\t" $2 "\t" FILENAME ":" FNR; next }
	FILENAME ~ /\.h$/ || /^(typedef|extern|return|else|DECLARE|module_param)/ || /;$/ && !/=/ { next }
	/^[a-z][a-z0-9_ *]*[ *]kma_[a-z0-9_]+(\(|\[| =|;)/ {
		line = $0
		sub(/[[(=;].*/, "", line)
		n = split(line, word, /[ *]+/)
		name = word[n] == "" ? word[n - 1] : word[n]
		print (/^static/ ? "static" : "global") "\t" name "\t" FILENAME ":" FNR
	}'
}

# check_places: each C file of host/ lies in the directory of a component, which the table names
check_places() {
	! find host -name '*.[ch]' | RULE=$rule awk '
	BEGIN {
		lines = split(ENVIRON["RULE"], line, "\n")
		for (i = 1; i <= lines; i++) if (split(line[i], word)) is_part[word[1]] = 1
	}
	{
		dir = $0
		sub("/[^/]*$", "", dir)
		if (!(dir in is_part)) print $0 ": " dir " is the directory of no component"
	}' | sort | grep .
}

# check_headers: a header of host/ declares only functions that the C file of its name defines.
# The objects that an interface lists (extern const struct) may be anywhere.
check_headers() {
	# shellcheck disable=SC2016 # awk's own $
	! find host -name '*.[ch]' | sort | GENERATED=$generated xargs -d '\n' awk '
	BEGIN { n = split(ENVIRON["GENERATED"], line); for (i = 1; i <= n; i++) made[line[i]] = 1 }
	function name_of(text,   n, word) {
		sub(/\(.*/, "", text)
		n = split(text, word, /[ *]+/)
		return word[n]
	}
	FNR == 1 { own = FILENAME; sub(/\.[ch]$/, "", own) }
	!/^[a-z][a-z0-9_ *]*[ *]kma_[a-z0-9_]+\(/ || /^(static|typedef|extern|return|else)/ { next }
	FILENAME ~ /\.c$/ { if (!/;$/) defined[own, name_of($0)] = 1; next }
	!(FILENAME in made) { nr++; at[nr] = FILENAME ":" FNR; name[nr] = name_of($0); of[nr] = own }
	END {
		for (i = 1; i <= nr; i++)
			if (!((of[i], name[i]) in defined))
				print at[i] ": " name[i] " is not defined in " of[i] ".c"
	}' | grep .
}

# check_tags DIR: each tag is defined once
check_tags() {
	! definitions "$1" | awk -F '\t' '$1 == "tag" {
		if ($2 in first) print $3 ": tag " $2 " is also defined in " first[$2]
		else first[$2] = $3
	}' | grep .
}

# check_globals DIR: what one file defines for others, no other file defines, not even static
check_globals() {
	definitions "$1" >"$work/definitions"
	! ALTERNATIVES=$alternatives awk -F '\t' '
	BEGIN {
		n = split(ENVIRON["ALTERNATIVES"], line, "\n")
		for (i = 1; i <= n; i++) if (split(line[i], word) == 2) either[word[1], word[2]] = either[word[2], word[1]] = 1
	}
	NR == FNR { if ($1 == "global") global[$2] = $3; next }
	$1 != "tag" && $2 in global && global[$2] != $3 {
		other = global[$2]; mine = $3
		sub(/:[0-9]+$/, "", other); sub(/:[0-9]+$/, "", mine)
		# two branches of one file, of which the compiler takes one
		if (other != mine && !((other, mine) in either)) print $3 ": " $2 " is also a global name of " global[$2]
	}' "$work/definitions" "$work/definitions" | grep .
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t parts < <(awk 'NF { print $1 }' <<<"$rule" | while read -r p; do [ ! -d "$p" ] || echo "$p"; done)
breaches >"$work/breaches"
rules=8
ktap_plan $((${#parts[@]} + rules))
for part in "${parts[@]}"; do
	ktap "$part includes only what it may" check_part "$part"
done
for dir in module host; do
	ktap "no file of $dir includes itself by way of others" check_cycles $dir
	ktap "each tag of $dir is defined once" check_tags $dir
	ktap "each global name of $dir has one meaning" check_globals $dir
done
ktap "each C file of host lies in the directory of a component" check_places
ktap "a header of host declares only what its own file defines" check_headers
ktap_end
