#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# One guest from load to vmcore, as somebody on call sees it: three containers under load, report
# and chart by cgroup and directory, the report at an OOM kill, and the account of the vmcore of the
# panic that followed, drawn as rings.
#
#	acceptance.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made, with the pictures by-cgroup.png and vmcore.png, goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/kernel/vmcore-lib.sh
. "$here/vmcore-lib.sh"

dump_of acceptance 2 "$@"
program=${O:-out}/host/kmem-account

guest "$cpus" "$here/acceptance.guest" "$out" --mem 512 --dump "$core" \
	--file "$ko" --file "$(kmod_ko kma_fill)"

# Each container has directories of the kernel, and its rows add up to those of the module's table.
by_cgroup() {
	"$program" report "$out/guest/snapshot" --vmlinux "$vmlinux" --by cgroup,dir --depth 1 \
		>"$out/by-cgroup.txt" &&
		"$program" report "$out/guest/snapshot" --by cgroup --format csv >"$out/by-cgroup.csv" &&
		for name in web mail db; do
			awk -F '\t' -v name="/$name" '/^== / { on = $0 == "== cgroups" }
				on && NF >= 6 && /^[0-9]/ { n[$2] += $5 }
				on && NF == 2 && $2 == name { id = $1 }
				END { print name "," n[id] }' "$out/guest/snapshot" >"$out/want"
			cut -d, -f1,2 "$out/by-cgroup.csv" | grep -xf "$out/want" || return 1
		done
}

drawn() {
	"$program" rings "$out/guest/snapshot" --vmlinux "$vmlinux" --by cgroup,dir \
		-r "$out/by-cgroup.png" &&
		[ -s "$out/by-cgroup.png" ]
}

oom() {
	cat "$out/guest/oom"
	[ "$(wc -l <"$out/guest/oom")" -le 12 ] &&
		grep -q '^out of memory in a cgroup, victim .* of cgroup /db: ' "$out/guest/oom" &&
		sed -n 3p "$out/guest/oom" | grep -E '  fill_cgroup\+0x[0-9a-f/x]+ \[kma_fill\]$' >/dev/null
}

rings_of_vmcore() {
	"$program" rings "$out/sites" --vmlinux "$vmlinux" -r "$out/vmcore.png" && [ -s "$out/vmcore.png" ]
}

ktap_plan 6
ktap "three containers: report by cgroup and directory" by_cgroup
ktap "a chart of it" drawn
ktap "the report at the OOM kill names who filled the container" oom
ktap "the account in the vmcore" same_account
ktap "sites in the vmcore, with stacks" same_sites
ktap "rings of the vmcore" rings_of_vmcore
ktap_end
