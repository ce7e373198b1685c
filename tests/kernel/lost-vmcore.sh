#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account lost and why of a dump: a stock guest with tests/kmod/kma_planted.c is scanned by them while it
# runs, and then panics. QEMU writes its memory as a vmcore, contrib/drgn/kmem_account.py reads the module's
# tables, and lost --vmcore and why --vmcore have to find the same objects and holders. A compressed
# dump of the same memory gives the same answers.
#
#	lost-vmcore.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
# shellcheck disable=SC2015,SC2154 # what fails shows its output; $out, $core, $vmlinux and $ko are of dump_of
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/kernel/vmcore-lib.sh
. "$here/vmcore-lib.sh"

dump_of lost-vmcore 2 "$@"
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
gcc -static -O2 -Wall -Wextra -Werror -o "$out/names" "$here/names.c"
files=(--file "$program:/kmem-account" --file "$out/names:/names" --file "$ko" --file "$(kmod_ko kma_planted)")
libraries_of "$program"
guest "$cpus" "$here/lost-vmcore.guest" "$out" --mem 384 --dump "$core" --compressed "$out/flat" "${files[@]}"
tables=$out/tables
rm -rf "$out/found" "$tables"
mkdir "$out/found"

# Rows of live are objects that were allocated and not freed; frees of unknown objects are frees, too.
all_live() {
	awk 'FNR == NR { if (/^0x/) live++; next }
		/^number of allocs:/ || /^frees of unknown/ { live -= $NF } /^number of frees:/ { live += $NF }
		END { exit live != 0 }' "$tables/live" "$tables/account"
}

# The tables as drgn finds them, with the symbols that the guest had (vmcore.sh compares the others).
tables() {
	"$reader" --core "$core" --vmlinux "$vmlinux" --module "$ko" --tables "$tables" &&
		grep -q 'lost_pointer' "$tables/sites" && all_live &&
		diff <(sed 's/^\([0-9a-f]*\) . /\1 ? /; /\[\(bpf\|__builtin__.*\)]$/d' "$out/guest/kallsyms" | sort) \
			<(sed 's/^\([0-9a-f]*\) . /\1 ? /' "$tables/kallsyms" | sort) >"$out/symbols" ||
		{ head -n 3 "$tables/account" "$tables/live"; cat "$out/symbols"; return 1; }
}

scan() {
	"$program" "$1" --vmcore "$core" --tables "$tables" "${@:2}"
}

scans() {
	local site

	scan lost --format csv -O "$out/found/lost.csv" 2>"$out/found/said" &&
		scan lost --vmlinux "$vmlinux" --top 100 >"$out/found/table" 2>/dev/null || return
	cat "$out/found/said" "$out/found/table"
	while IFS=: read -r site _; do
		scan why "$site" --format csv -O "$out/found/$site.csv" 2>/dev/null || return
	done <"$out/guest/roots"
}

judge() {
	python3 "$here/lost-vmcore.py" "$out/guest" "$out/found" "$1"
}

# A dump that ends early is one sentence.
short() {
	local size

	for size in 100 4096 3000000; do
		head -c "$size" "$core" >"$out/short"
		! "$program" lost --vmcore "$out/short" --tables "$tables" >"$out/stdout" 2>"$out/stderr" &&
			[ ! -s "$out/stdout" ] && [ "$(wc -l <"$out/stderr")" -eq 1 ] && cat "$out/stderr" ||
			{ cat "$out/stdout" "$out/stderr"; return 1; }
	done
}

# The same memory in makedumpfile's form, which QEMU 7 writes flattened only; kdump.sh has a dump of makedumpfile itself.
compressed() {
	makedumpfile -R "$core.kdump" <"$out/flat" >"$out/stdout" 2>&1 || { cat "$out/stdout"; return 1; }
	ls -s "$core" "$core.kdump"
	"$program" lost --vmcore "$core.kdump" --tables "$tables" --format csv -O "$out/small.csv" 2>"$out/stderr" &&
		diff "$out/found/lost.csv" "$out/small.csv" && diff "$out/stderr" "$out/found/said" ||
		{ cat "$out/stderr"; return 1; }
	head -c 3000000 "$core.kdump" >"$out/short"
	! "$program" lost --vmcore "$out/short" --tables "$tables" >"$out/stdout" 2>"$out/stderr" &&
		[ ! -s "$out/stdout" ] && [ "$(wc -l <"$out/stderr")" -eq 1 ] && cat "$out/stderr"
}

# All objects of the slabs, as drgn finds them in the same dump: nothing is listed by the module.
census() {
	mkdir -p "$out/none" && cp "$tables/kallsyms" "$out/none" && sed -n 1,2p "$tables/sites" >"$out/none/sites" &&
		sed -n 1,2p "$tables/live" >"$out/none/live" &&
		/usr/bin/python3 "$here/slabs-drgn.py" "$core" "$vmlinux" | sort >"$out/slabs" &&
		"$program" why --retained caller --before --vmcore "$core" --tables "$out/none" --format csv -O "$out/found/census.csv" 2>/dev/null &&
		python3 "$here/lost-vmcore.py" "$out" "$out/found" census
}

# Which ones the dentries and tasks are, as drgn finds them.
names() {
	local type

	for type in dentry task_struct; do
		scan names "$type" --all --format csv -O "$out/found/$type.csv" || return
	done
	/usr/bin/python3 "$here/names-drgn.py" "$core" "$vmlinux" "$out/found/dentry.csv" "$out/found/task_struct.csv"
}

# What holds dead cgroups is what the running kernel had; names.sh compares that with what was planted.
pins() {
	scan names cgroup --all --format csv -O "$out/found/cgroup.csv" && cat "$out/found/cgroup.csv" &&
		grep -q 'socket TCP' "$out/guest/cgroup.csv" && grep -q 'page of tmpfs' "$out/guest/cgroup.csv" &&
		diff "$out/guest/cgroup.csv" "$out/found/cgroup.csv"
}

ktap_plan 10
ktap "the module's tables" tables
ktap "scans of the dump" scans
ktap "the same lost objects" judge lost
ktap "the same holders" judge why
ktap "one pass, and nothing is missing" judge said
ktap "all objects of the slabs" census
ktap "names" names
ktap "what holds dead cgroups" pins
ktap "a dump that ends early" short
ktap "a compressed dump" compressed
rm -f "$core" "$core.kdump" "$out/flat" "$out/short"
ktap_end
