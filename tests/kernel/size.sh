#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module's own text, data and bss, loaded with nothing switched on: sizes by size(1), and
# the sections that are still there after loading by the kernel, which drops the versions of
# imported symbols, .modinfo and what only the loading runs. And what the compiler must not do to a
# function that passes on the address of its frame (caller/stack.h): end by a tail call, after
# which the frame is gone.
#
#	size.sh [KERNEL]	the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of size 1 1 "${1-}"
# Bytes. The first one is the bar of Documentation/design/module.rst, which kernels before 6.2
# meet. The second one is not: it leaves as much for what the kernel frees after loading as the
# module had there under the last bar (19,395 bytes), with 10 %.
stays_max=163840
file_max=185174
# Kernels from 6.2 on keep more beside our code: padding before each function (commit bea75b33895f
# ("x86/Kconfig: Introduce function padding")), the places of calls and of landing pads. By gcc 14
# for Debian 13's 6.12 it was 34 % (175,163 bytes for 131,046). The bounds are those above with 34 %.
if kernel_at_least 6.2; then
	stays_max=219545
	file_max=248133
fi
ko=$(module_ko)
guest "$cpus" "$here/size.guest" "$out" --file "$ko"

# The sections of the file that the kernel lists, without those that it has freed and without
# its own table of our symbols; and one CPU's copy of per-CPU data, which it does not list. A
# listed section that size(1) does not know is a failure.
stays() {
	local bytes

	bytes=$(awk '
		BEGIN { kept[".data..percpu"] }
		NR == FNR { if ($1 !~ /^\.(init\.|symtab$|strtab$)/) kept[$1]; next }
		$1 in kept { sum += $2; delete kept[$1]; text = text || $1 == ".text" }
		END {
			for (name in kept) { print "not in the file: " name >"/dev/stderr"; bad = 1 }
			if (bad || !text)
				exit 1
			print sum
		}' "$out/guest/sections" <(size -A -d "$ko")) || return
	echo "$bytes" >"$out/bytes"
	echo "$bytes bytes of text, data and bss stay, of at most $stays_max"
	[ "$bytes" -le "$stays_max" ]
}

# A function with a frame pointer, which is an argument of a call, must call before it drops it.
frames_stay() {
	objdump -d --no-show-raw-insn "$ko" | awk '
		/^[0-9a-f]+ <.*>:$/ { name = $2; frame = passed = 0 }
		/mov +%rsp,%rbp/ { frame = 1 }
		/mov +%rbp,%r[ds]i/ && frame { passed = 1; seen++ }
		/call / { passed = 0 }
		/pop +%rbp/ && passed { print name " ends by a tail call"; bad = 1 }
		END { print seen + 0 " frames are passed on"; exit bad || !seen }'
}

whole_file() {
	local bytes

	bytes=$(size "$ko" | awk 'END { print $4 }')
	echo "$bytes bytes by size(1), of at most $file_max"
	[ "${bytes:-0}" -gt 0 ] && [ "$bytes" -le "$file_max" ]
}

# With the kernel's table of our symbols, and each part in pages of its own.
told() {
	local core told

	core=$(cat "$out/guest/coresize") told=$(cat "$out/guest/told")
	echo "coresize $core, initsize $(cat "$out/guest/initsize"), module bytes $told"
	[ "$core" -gt 0 ] && [ "$told" = "$core" ]
}

ktap_plan 4
ktap "text, data and bss that stay in memory are within the bar" stays
ktap "text, data and bss of the file have not grown" whole_file
ktap "the kernel's size of the module is the one of stats" told
ktap "no function whose frame is passed on ends by a tail call" frames_stay
ktap_end
