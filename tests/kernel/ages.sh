#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Parameters age=1 and errors=1 in a stock kernel: lifetimes, ages, frees on other
# CPUs and nodes, wrong frees, all known beforehand. The guest has two NUMA nodes. The host
# program finds the same wrong frees in an event log, as far as the log distinguishes them: it
# does not have the cache that an object is freed to.
#
#	ages.sh [CPUS [KERNEL]]		4 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of ages 4 "$@"
program=${KMEM_ACCOUNT:-${O:-$PWD/out}/host/kmem-account}
known=$(known_ko)

# allowed: the kernel's own word to the wrong frees that the test makes
guest "$cpus" "$here/ages.guest" "$out" --nodes 2 \
	--allow 'cache_from_obj|kmem_cache_free|warn_free' \
	--file "$(module_ko)" --file "$known" --file "${known%/*}/kma_aged.ko"

# As CSV: error,certain,address, then time, CPU, task and site of the allocation, the free and
# the second free. Printed are counts of error, certain, and the functions of the three sites.
wrong_frees() {
	"$here/log-pack.py" "$out/guest/log" "$out/kmem.log" &&
		"$program" objects "$out/kmem.log" --show errors --format csv >"$out/errors.csv" &&
		python3 - "$out/errors.csv" >"$out/errors" <<-'END'
		import collections, csv, sys

		def function(site):
		    return site.partition("+")[0] or "-"

		seen = collections.Counter(
		    (r["error"], r["certain"], *(function(r[s + "_site"]) for s in ("alloc", "free", "again")))
		    for r in csv.DictReader(open(sys.argv[1])))
		for error, n in sorted(seen.items()):
		    print(n, *error, sep=",")
		END
}

# The kernel frees what goes to the wrong cache, unless it refuses that, and then the log
# has no event. kfree() frees all from 6.4 on; kmem_cache_free() does not.
expected() {
	echo '3,double free,yes,aged_twice,aged_twice,aged_twice_again'
	echo '1,double free,yes,aged_twice_cache,aged_twice_cache,aged_twice_again'
	kernel_at_least 7.0 || echo '1,other function,yes,aged_by_kmalloc,aged_to_cache,-'
	kernel_at_least 6.4 || echo '16,other function,yes,known_bulk,known_free_all,-'
	kernel_at_least 6.4 || echo '64,other function,yes,known_freed_by_kfree,known_free_all,-'
}

same_errors() {
	wrong_frees || return
	expected | diff - "$out/errors"
}

{
	ktap_plan 1
	ktap "the event log has the same wrong frees, and no others" same_errors
	ktap_end
} >"$out/ktap" || true
guest_results "$out/guest/ktap" "$out/ktap"
