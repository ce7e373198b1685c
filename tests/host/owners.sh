#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Owners beyond directories: lines, functions, modules and subsystems of a made kernel.
# Each list adds up to the total, each byte that has no owner is in a row with a name.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
fixture mktree.sh "$work/mini" >/dev/null
vmlinux=$work/mini/debug/boot/vmlinux-6.1.0-mini
nm -n "$vmlinux" >symbols
spans symbols | sort | awk '{ printf "%d %d %d %d %d %s+0x4/0x%x\n", NR * 8, NR, NR * 7, NR, 1, $1, $3 }' >rows
cat >>rows <<'E2'
640 0 640 10 0 foo_main_alloc+0x1/0x40 [foo_mod]
320 0 320 10 0 nosuch+0x1/0x20 [not_there]
160 0 160 10 0 nosuch+0x1/0x20
80 0 80 10 0 0xffffffffc0123456
40 0 40 10 0 [site table full]
E2
account_of rows >account
total=$(awk '{ t += $1 } END { print t }' rows)
cat >MAINTAINERS <<'E2'
List of maintainers
===================
	F: *Files* and directories; this line is no entry's

Maintainers List
----------------

ALPHA FILE SYSTEM
M:	A. L. Pha <alpha@example.org>
F:	fs/alpha

ALPHA'S INODES, BUT NOT THESE
S:	Maintained
F:	fs/alpha/*.c
X:	fs/alpha/inode.c

FILE SYSTEMS
F:	fs/*
F:	fs/
# a comment
X:	fs/beta/

FOO, LATER AND LESS OF IT
F:	drivers/*/foo_m*.c

FOO
F:	drivers/foo/foo_m*.c
F:	drivers/foo/

MEMORY BY NAME
N:	sla[b]

THE REST
F:	*
F:	*/
E2

by() {
	"$program" report account --vmlinux "$vmlinux" --by "$1" --format csv "${@:2}" 2>err
}

adds_up() {
	by "$@" | sed 's/^"[^"]*"//' | awk -F, -v total="$total" 'NR > 1 { s += $2 } END {
		print s, total; exit s != total }'
}

# row KEY BYTES BY...: there is that row
row() {
	by "${@:3}" >out || return 1
	sed 's/^"\(.*\)",/\1,/' out | grep -F -- "$1,$2," >/dev/null || { cat err out; return 1; }
}

# bytes PATTERN: of the rows of the account that awk's pattern takes
bytes() { awk "$1"' { s += $1 } END { print s + 0 }' rows; }

# in files FILE...: bytes of functions there, by name and addr2line
in_file() {
	"$program" report account --vmlinux "$vmlinux" --by file --format csv -b "$1" 2>/dev/null |
		awk -F, 'NR > 1 { s += $2 } END { print s + 0 }'
}

refuses() {
	local code=0

	"$program" report account "${@:2}" >/dev/null 2>err || code=$?
	cat err
	[ "$code" -ne 0 ] && tail -n 1 err | grep -- "$1" >/dev/null
}

no_source() {
	"$program" report account --by "$1" --format csv >out
	awk -F, -v total="$total" 'NR > 1 { s += $2 } END { exit s != total }' out && grep -qF "$2" out
}

diff_by_module() {
	"$program" diff account account --by module --floor 0 --format csv >out &&
		grep -q '^foo_mod,' out
}

owners=(subsystem --maintainers MAINTAINERS)
ktap_plan 26
for key in line function module; do
	ktap "rows by $key add up" adds_up "$key"
	ktap "rows by $key, inner, add up" adds_up "$key" --inlines inner
done
ktap "rows by subsystem add up" adds_up "${owners[@]}"
ktap "module" row foo_mod 640 module
ktap "module that is not found" row not_there 320 module
ktap "the kernel is vmlinux" row vmlinux "$(bytes '/^[^ ]+ [^ ]+ [^ ]+ [^ ]+ [^ ]+ [^ []+$/ && !/0xfff/')" module
ktap "an address is of no module" row "[unknown address]" 80 module
ktap "a named row is of no module" row "[site table full]" 40 module
ktap "function, with its file" row "asm_alloc (lib/asm.S)" "$(bytes '/ asm_alloc/')" function
ktap "function of nobody knows where" row nosuch 480 function
ktap "no line: the row says why" row "[unknown symbol]" 160 line
ktap "subsystem: a directory without its slash" row "ALPHA FILE SYSTEM" "$(in_file fs/alpha/inode.c)" \
	"${owners[@]}"
ktap "subsystem: a file, not what is below" row "FILE SYSTEMS" "$(in_file fs/super.c)" "${owners[@]}"
ktap "subsystem: the deepest, then the most letters" row FOO \
	$(($(in_file drivers/foo/foo_main.c) + $(in_file drivers/foo/core.c))) "${owners[@]}"
ktap "subsystem: by name" row "MEMORY BY NAME" "$(in_file mm/slab.c)" "${owners[@]}"
ktap "subsystem: all that nobody has" row "[no maintainer]" \
	$(($(in_file fs/beta/inode.c) + $(in_file lib/asm.S) + $(in_file init.c))) "${owners[@]}"
ktap "modules without a kernel" no_source module "[unknown address]"
ktap "functions without a kernel" no_source function asm_alloc
ktap "diff by module" diff_by_module
ktap "subsystem without MAINTAINERS" refuses "subsystems need --maintainers FILE" \
	--vmlinux "$vmlinux" --by subsystem
ktap "MAINTAINERS that is none" refuses "not a MAINTAINERS file" --vmlinux "$vmlinux" --by subsystem \
	--maintainers rows
ktap "MAINTAINERS that is not there" refuses "nosuch: cannot open" --vmlinux "$vmlinux" \
	--by subsystem --maintainers nosuch
ktap_end
