#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account latency in a stock kernel that is short of memory: what it says of a
# shrinker whose time is known, and that it leaves tracing as it was.
#
#	latency.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of latency 2 "$@"

mkdir -p "${O:-out}"
flock "${O:-out}/host.lock" make -s -C host O="$(realpath -m "${O:-out}")" latency-static >&2
# latency_guest CPUS OUT WORD...: WORDs are for run.sh. tsc: without it the kernel's clock has
# 4 ms steps, as it does not believe the emulated one.
latency_guest() {
	GUEST_ARGS="--mem 160 --append tsc=reliable ${*:3}" guest "$1" "$here/latency.guest" "$2" \
		--file "$(kmod_ko kma_shrink)" \
		--file "$(realpath "${O:-out}")/host/kmem-account-latency:/latency"
}

# Of the time that a cgroup of 12 MB has cost its task, 95 % have a cause and 80 % a site. Runs of
# shrinkers are within reclaims.
limited() {
	python3 - "$out/exact/guest/limited.json" <<-'END'
		import json, sys
		got = json.load(open(sys.argv[1]))
		causes = {c["cause"]: c for c in got["causes"]}
		parts = got.get("allocation_ns", {})
		rest, waited = parts.get("rest", 0), parts.get("waiting", 0) + parts.get("interrupts", 0)
		told = sum(causes[c]["total_ns"] for c in ("direct_reclaim", "memcg_reclaim", "compaction")
		           if c in causes) + waited
		rows = [r for r in got["by"] if r["cause"] != "shrink"]
		sited = sum(r["total_ns"] for r in rows if not r["site"].startswith("["))
		print("# memcg_reclaim: %d calls, %.1f ms; %.1f %% of %.1f ms have a cause, %.1f %% a site" % (
		      causes["memcg_reclaim"]["calls"], causes["memcg_reclaim"]["total_ns"] / 1e6,
		      100 * told / (told + rest), (told + rest) / 1e6, 100 * sited / (told + rest)))
		for row in sorted(rows, key=lambda r: -r["total_ns"])[:4]:
		    print("# %s %s %.1f ms" % (row["site"], row["cause"], row["total_ns"] / 1e6))
		assert causes["memcg_reclaim"]["calls"] > 100
		assert told >= 0.95 * (told + rest) and sited >= 0.8 * (told + rest)
	END
}

# The one CPU of a guest whose time is instructions is never stopped between two clocks;
# more than one does not boot with it. The disk is for the cgroup: more than that may have.
# init_on_alloc=0: 7.x reads into large folios, whose zeroing would be a fifth to a third of the
# time. That is in the rest: no event tells of it.
truncate -s 64M "$out/disk"
latency_guest 1 "$out/exact" --icount --append kma.exact --append init_on_alloc=0 --disk "$out/disk"
latency_guest "$cpus" "$out"
guest_results "$out"/{exact/,}guest/ktap && ktap_plan 1 || exit 1
ktap "the time of a cgroup's reclaim has causes and sites" limited
ktap_end
