#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# lost and why with --vmcore: a made dump (vmcore-make.py), whose call sites say what has to be found; dumps
# that are truncated or corrupt.
# shellcheck disable=SC2015 # what fails shows its output
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

python3 "$here/vmcore-make.py" "$work"
dump=$work/vmcore kdump=$work/kdump
"$here/kdump-make.py" "$dump" "$kdump"

# lost [DUMP]: rows "caller lost live heads"; what is said is in $work/said
lost() {
	"$program" lost --vmcore "${1:-$dump}" --tables "$work" --format csv 2>"$work/said" |
		awk -F, 'NR > 1 { sub(/\+.*/, "", $1); print $1, $2, $3, $8 }' | LC_ALL=C sort
}

found() {
	lost >"$work/rows"
	cat "$work/rows" "$work/said"
	diff "$work/rows" - <<-END
		lost_chain 3 3 1
		lost_in_anon 1 1 1
		lost_in_cache 1 1 1
		lost_in_cache_tail 1 1 1
		lost_in_free 1 1 1
		lost_in_missing 1 1 1
		lost_in_offline 1 1 1
		lost_in_poisoned 1 1 1
	END
}

said() {
	lost >/dev/null
	cat "$work/said"
	grep -q 'there was one pass' "$work/said" && grep -q "$dump lacks 16 pages of the kernel" "$work/said"
}

many() {
	[ "$(lost)" = "$(lost "$dump.many")" ]
}

# holder CALLER TEXT: the last row of the tree
holder() {
	"$program" why "$1" --vmcore "$dump" --tables "$work" --format csv 2>"$work/said" >"$work/why"
	cat "$work/why"
	tail -n 1 "$work/why" | grep -qF -- "$2"
}

why() {
	holder held_by_variable 'variable made_variable' && holder held_by_list 'variable made_list' &&
		holder held_by_slab_older 'slab memory older than the module' && holder held_by_tail 'other pages' &&
		holder lost_chain nothing
	"$program" why --retained root --vmcore "$dump" --tables "$work" --format csv 2>/dev/null >"$work/why"
	cat "$work/why"
	grep -q '^variable made_list,192,3,' "$work/why"
}

# refused TEXT ARGUMENT...: one sentence on stderr, nothing on stdout, status 1
refused() {
	local text=$1 code=0
	shift

	"$program" "$@" >"$work/stdout" 2>"$work/said" || code=$?
	[ "$code" -eq 1 ] && [ ! -s "$work/stdout" ] && [ "$(wc -l <"$work/said")" -eq 1 ] &&
		grep -qF -- "$text" "$work/said" || { cat "$work/stdout" "$work/said"; echo "status $code, expected: $text"; return 1; }
}

truncated() {
	local size

	for size in 0 3 63 64 100 300 500 1000 1300 4096 100000 4132863; do
		head -c "$size" "$dump" >"$work/cut"
		refused "$work/cut: " lost --vmcore "$work/cut" --tables "$work" || return
		refused "$work/cut: " why held_by_list --vmcore "$work/cut" --tables "$work" || return
	done
}

# patched OFFSET FORMAT VALUE TEXT: the dump with a number replaced is refused
patched() {
	python3 -c '
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
struct.pack_into("<" + sys.argv[3], data, int(sys.argv[2]), int(sys.argv[4], 0))
open(sys.argv[5], "wb").write(data)' "${from:-$dump}" "$1" "$2" "$3" "$work/bad"
	refused "$4" lost --vmcore "$work/bad" --tables "$work"
}

# The header of the file, that of the notes at 64, and that of the first memory at 120.
corrupt() {
	patched 4 B 1 'not a dump of an x86-64 kernel' && patched 18 H 183 'not a dump of an x86-64 kernel' &&
		patched 0 I 0 'not a dump of a kernel: neither an ELF core nor compressed' &&
		patched 16 H 3 'not a dump of an x86-64 kernel' && patched 54 H 57 'impossible headers of segments' &&
		patched 56 H 0 'impossible headers of segments' &&
		patched 32 Q 0xfffffffffffffff0 'truncated in its headers' && patched 32 Q 0x7ffffffffffffff0 'truncated in its headers' &&
		patched 72 Q 0xfffffffffffffff0 'truncated in its notes' && patched 96 Q 0 'no VMCOREINFO' &&
		patched 128 Q 0xfffffffffffffff0 'ends behind the end of the file' &&
		patched 144 Q 0xfffffffffffff000 'impossible size' &&
		patched 152 Q 0x7fffffffffffffff 'impossible size' && patched 160 Q 0xffffffffffffffff 'impossible size'
}

# The same memory as makedumpfile writes it has the same answers.
compressed() {
	lost >"$work/rows"
	lost "$kdump" | diff "$work/rows" - && grep -q "$kdump lacks 16 pages of the kernel" "$work/said"
}

# The library reads zeros behind the end of a file: nothing may be called lost then.
compressed_cut() {
	local size text

	for size in 16:headers 4000:headers 9000:bitmaps 20000:list 100000:'a page ends' 2000000:'a page ends' \
		$(($(stat -c %s "$kdump") - 1)):'a page ends'; do
		text=${size#*:} size=${size%%:*}
		head -c "$size" "$kdump" >"$work/cut"
		refused "$text" lost --vmcore "$work/cut" --tables "$work" || return
	done
	# flattened: without its last mark
	{ printf 'makedumpfile\0\0\0\0'; head -c 5000 "$kdump"; } >"$work/cut"
	refused 'does not end with a mark' lost --vmcore "$work/cut" --tables "$work"
}

# The header, the sub header, and the descriptors of some pages: as if they were compressed.
compressed_bad() {
	local from=$kdump first page

	patched 424 I 8 'makedumpfile marked it as not complete' && patched 4108 I 1 'makedumpfile --reassemble' &&
		patched 428 I 8192 'impossible sizes' && patched 436 I 3 'impossible sizes' || return
	first=$((4096 * (2 + $(od -An -tu4 -j 436 -N 4 "$kdump"))))
	for page in 256 257 258 272 273 280; do
		patched $((first + 24 * page + 12)) I 1 'corrupt: libkdumpfile cannot read the page' || return
	done
}

# without KEY TEXT: VMCOREINFO without a line
without() {
	sed "s/^\($1\)=/\1:/" "$dump" >"$work/bad"
	refused "$2" lost --vmcore "$work/bad" --tables "$work"
}

info() {
	without 'NUMBER(phys_base)' 'VMCOREINFO lacks the place of the page tables' &&
		without 'NUMBER(PG_lru)' 'VMCOREINFO lacks NUMBER(PG_lru)' && without 'PAGESIZE' 'pages of 4 KiB' &&
		without 'SIZE(page)' 'VMCOREINFO lacks SIZE(page)' || return
	sed 's/^SIZE(page)=64/SIZE(page)=00/' "$dump" >"$work/bad"
	refused 'impossible sizes' lost --vmcore "$work/bad" --tables "$work" || return
	# page tables that lead nowhere
	sed 's/^NUMBER(phys_base)=-14/NUMBER(phys_base)=-24/' "$dump" >"$work/bad"
	refused 'the page tables do not have the address' lost --vmcore "$work/bad" --tables "$work"
}

# Each of 100 damaged files is refused, or scanned: none may end the program otherwise.
damaged() {
	python3 -c '
import random, subprocess, sys
program, dump, bad, tables = sys.argv[1:]
with open(dump, "rb") as f:
    whole = f.read()
for seed in range(100):
    random.seed(seed)
    data = bytearray(whole)
    for _ in range(4):
        # headers, notes, page tables and sections
        at = random.choice((random.randrange(344), random.randrange(0x198, 0x5E0), random.randrange(0x101000, 0x113000)))
        data[at] = random.choice((0, 1, 127, 128, 255, random.randrange(256)))
    with open(bad, "wb") as f:
        f.write(data)
    done = subprocess.run([program, "lost", "--vmcore", bad, "--tables", tables],
                          capture_output=True, timeout=60)
    assert done.returncode in (0, 1), (seed, done.returncode, done.stderr)' "$program" "$dump" "$work/bad" "$work"
}

other_boot() {
	mkdir "$work/other"
	cp "$work/live" "$work/sites" "$work/other"
	sed 's/^ffffffff81/ffffffff82/' "$work/kallsyms" >"$work/other/kallsyms"
	refused 'symbols of another boot' lost --vmcore "$dump" --tables "$work/other" || return
	cp "$work/kallsyms" "$work/other"
	sed 's/0xffff888/0xffff999/' "$work/live" >"$work/other/live"
	refused 'the tables of the module are of another boot' lost --vmcore "$dump" --tables "$work/other" || return
	rm "$work/other/live"
	refused "$work/other/live: " lost --vmcore "$dump" --tables "$work/other" || return
	grep -v _end "$work/kallsyms" >"$work/other/kallsyms"
	refused "no symbol '_end' of the kernel" lost --vmcore "$dump" --tables "$work/other"
}

# usage ARGUMENT...: status 2
usage() {
	local code=0

	"$program" "$@" >"$work/stdout" 2>"$work/said" || code=$?
	cat "$work/said"
	[ "$code" -eq 2 ]
}

options() {
	usage lost --vmcore "$dump" && usage lost --tables "$work" && usage why x --vmcore "$dump" &&
		usage lost --vmcore "$dump" --tables "$work" --passes 3 && usage lost --vmcore "$dump" --tables "$work" --workload true
}

ktap_plan 13
ktap "what is lost, by the flags of pages" found
ktap "what a dump lacks is said" said
ktap "more segments than a header can count" many
ktap "what holds objects" why
ktap "truncated dumps" truncated
ktap "corrupt headers" corrupt
ktap "a compressed dump" compressed
ktap "compressed dumps that are truncated" compressed_cut
ktap "compressed dumps that are corrupt" compressed_bad
ktap "VMCOREINFO that lacks something" info
ktap "damaged dumps" damaged
ktap "tables of another boot" other_boot
ktap "options" options
ktap_end
