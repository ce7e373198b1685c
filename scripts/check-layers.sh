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
module/boot.c	../slab.h
'

# The part that a file belongs to: its longest prefix in the table.
part_of() {
	local part=${1%/*}

	while ! awk -v p="$part" '$1 == p { found = 1 } END { exit !found }' <<<"$rule"; do
		case $part in
		*/*)	part=${part%/*} ;;
		*)	echo none; return ;;
		esac
	done
	echo "$part"
}

# Where an include of file $1 leads, from the top.
resolve() {
	local from=${1%/*} name=$2 base

	for base in "$from" host module .; do
		if [ -f "$base/$name" ]; then
			realpath --relative-to=. "$base/$name"
			return
		fi
	done
	echo "missing/$name"
}

check_part() {
	local part=$1 allowed=" $2 $1 " file line name target other bad=0

	while IFS=: read -r file line name; do
		[ "$(part_of "$file")" = "$part" ] || continue
		! grep -qxF "$file	$name" <<<"$kernel_own" || continue
		target=$(resolve "$file" "$name")
		other=$(part_of "$target")
		case $allowed in
		*" $other "*)	;;
		*)	echo "$file:$line: $part may not include $target"; bad=1 ;;
		esac
	done < <(grep -rnoE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]+"' "$part/" |
		sed -E 's/^([^:]*):([0-9]+):.*"([^"]+)"$/\1:\2:\3/')
	return "$bad"
}

mapfile -t parts < <(awk 'NF { print $1 }' <<<"$rule" | while read -r p; do [ ! -d "$p" ] || echo "$p"; done)
ktap_plan ${#parts[@]}
for part in "${parts[@]}"; do
	ktap "$part includes only what it may" check_part "$part" \
		"$(awk -v p="$part" '$1 == p { $1 = ""; print }' <<<"$rule" | tr -s ' ')"
done
ktap_end
