# shellcheck shell=bash disable=SC2154 # $out, $core, $vmlinux and $ko are the test's
# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests with a dump share (vmcore.sh, kdump.sh, acceptance.sh); sourced after lib.sh. Each byte that
# contrib/drgn/kmem_account.py reads from $core is compared with what the module's own files had
# before the panic (vmcore.guest).

# shellcheck source=tests/ktap.sh
. tests/ktap.sh

reader=contrib/drgn/kmem_account.py

# dump_of NAME CPUS [ASKED [KERNEL]]: guest_of, and what the reader of a dump needs
dump_of() {
	guest_of "$@"
	vmlinux=$(debug_vmlinux)
	ko=$(module_ko)
	core=$out/vmcore
}

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
