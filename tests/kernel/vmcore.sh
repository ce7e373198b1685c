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
# shellcheck source=tests/kernel/vmcore-lib.sh
. "$here/vmcore-lib.sh"

dump_of vmcore 2 "$@"

guest "$cpus" "$here/vmcore.guest" "$out" --mem 256 --dump "$core" \
	--file "$ko" --file "$(known_ko)"
mv "$core" "$out/dump"
core=$out/dump

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
