#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The account of a kernel that died: a stock guest with known answers panics, QEMU writes its
# memory as a vmcore, and contrib/drgn/kmem_account.py reads the account out of it. Every byte of
# the output is compared with what the module's own files had before the panic.
#
#	vmcore.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
# shellcheck disable=SC2015 # what fails shows its output
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of vmcore 2 "$@"
dbg=$(tests/qemu/kernel.sh dir dbg ${kernel:+"$kernel"})
vmlinux=$(echo "$dbg"/usr/lib/debug/boot/vmlinux-*)
ko=$(module_ko)
core=$out/vmcore

guest "$cpus" "$here/vmcore.guest" "$out" --mem 256 --dump "$core" \
	--file "$ko" --file "$(known_ko)"
mv "$core" "$out/dump"
core=$out/dump
reader=contrib/drgn/kmem_account.py

# What the module had, and what the reader finds: the same bytes.
same_account() {
	"$reader" --core "$core" --vmlinux "$vmlinux" --module "$ko" >"$out/account" &&
		[ "$(wc -l <"$out/guest/account")" -gt 50 ] && diff "$out/guest/account" "$out/account"
}

same_sites() {
	"$reader" --core "$core" --vmlinux "$vmlinux" --module "$ko" --sites >"$out/sites" &&
		grep -q ';.*;' "$out/guest/sites" && diff "$out/guest/sites" "$out/sites"
}

# The order of the objects is not promised.
same_objects() {
	"$reader" --core "$core" --vmlinux "$vmlinux" --module "$ko" --live >"$out/live" &&
		[ "$(wc -l <"$out/guest/live")" -gt 300 ] &&
		diff <(sort "$out/guest/live") <(sort "$out/live")
}

# The answers of the test module, which nothing of ours has computed.
answers() {
	python3 -c '
import collections, re, sys
got = collections.defaultdict(lambda: [0, 0, 0, 0])
for line in open(sys.argv[2]):
    row = re.match(r" *(\d+) +\d+ +(\d+) +(\d+)/(\d+) +(\w+)\+.* \[kma_known\]$", line)
    if row:
        total, req, allocs, frees = map(int, row.groups()[:4])
        got[row[5]] = [a + b for a, b in zip(got[row[5]], (allocs, frees, req, total))]
checked = 0
for line in open(sys.argv[1]):
    name, *numbers = line.split() or [""]
    want = [int(n) if n.isdigit() else None for n in numbers[:4]]
    if not name or name[0] == "#" or None in want or "race" in name or not any(want):
        continue
    assert got[name] == want, (name, got[name], want)
    checked += 1
assert checked > 20, checked' tests/kmod/known-answers.txt "$out/account"
}

# The host program reads it, and finds the directories.
reported() {
	"${O:-out}/host/kmem-account" report "$out/sites" --vmlinux "$vmlinux" --by dir --format csv \
		>"$out/dirs" && grep -q '^fs,' "$out/dirs" &&
		"${O:-out}/host/kmem-account" report "$out/sites" --by caller --skip alloc_inode --format csv >/dev/null
}

# crash reads the same tables (Documentation/admin-guide/vmcore.rst).
crash_too() {
	printf 'mod -s kmem_account %s\np kma_sites.nr\nquit\n' "$ko" |
		crash -s "$vmlinux" "$core" >"$out/crash" 2>&1
	grep -q "^.* = $(($(awk -F'\t' 'NR > 2 && $1 > max { max = $1 } END { print max }' "$out/guest/sites") + 1))" \
		"$out/crash" || { cat "$out/crash"; return 1; }
}

# refuses MESSAGE ARGUMENT...: one sentence, and nothing on stdout
refuses() {
	local message=$1
	shift

	! "$reader" "$@" >"$out/stdout" 2>"$out/stderr" && [ ! -s "$out/stdout" ] &&
		[ "$(wc -l <"$out/stderr")" -eq 1 ] && grep -qF -- "$message" "$out/stderr" ||
		{ cat "$out/stdout" "$out/stderr"; return 1; }
}

bad_dumps() {
	local known other=$out/other.ko

	known=$(known_ko)
	head -c 3000000 "$core" >"$out/short"
	refuses 'truncated, or memory was left out' --core "$out/short" --vmlinux "$vmlinux" --module "$ko"
	head -c 100 "$core" >"$out/short"
	refuses "$out/short: " --core "$out/short" --vmlinux "$vmlinux" --module "$ko"
	refuses "$ko: cannot read it as a dump: not an ELF core file" --core "$ko" --vmlinux "$vmlinux" --module "$ko"
	refuses 'cannot open for reading' --core "$out/nosuch" --vmlinux "$vmlinux" --module "$ko"
	# another version: the same file, but for its srcversion
	sed 's/\(srcversion=\)[0-9A-F]/\1@/' "$ko" >"$other"
	refuses "$other: another version of the module" --core "$core" --vmlinux "$vmlinux" --module "$other"
	refuses "no debug information of the module" --core "$core" --vmlinux "$vmlinux" --module "$known"
	refuses 'no debug information of the module' --core "$core" --vmlinux "$vmlinux"
}

without_module() {
	echo true >"$out/script"
	guest 1 "$out/script" "$out/none" --mem 192 --dump "$out/none.core"
	refuses 'module kmem_account is not loaded in this kernel' \
		--core "$out/none.core" --vmlinux "$vmlinux" --module "$ko"
}

# crash 8.0.2 of Debian 12 ends without a word on 6.12
plan=8
! kernel_at_least 6.4 || plan=7
ktap_plan "$plan"
ktap "the account" same_account
ktap "sites, with stacks" same_sites
ktap "each live object" same_objects
ktap "known answers" answers
ktap "the host program reads it" reported
[ "$plan" -eq 7 ] || ktap "crash reads the tables" crash_too
ktap "bad dumps" bad_dumps
ktap "a dump without the module" without_module
rm -f "$core" "$out/none.core"
ktap_end
