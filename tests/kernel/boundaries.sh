#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The account's own boundaries under load: insmod, on, off, clear and rmmod. ftrace's log runs
# across all of them. The account of each interval equals, in every row, an account of one
# uninterrupted part of that log; frees of older objects are frees of unknown objects. With
# errors=1 the same boundaries leave no error, and planted errors are still found.
#
#	boundaries.sh [CPUS [KERNEL]]	1 CPU, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of boundaries 1 "$@"
known=$(known_ko)

guest "$cpus" "$here/boundaries.guest" "$out" --file "$(module_ko)" --file "$known" \
	--file "${known%/*}/kma_aged.ko"
# As many tasks may be in the middle of an event as there are other CPUs. From 7.0 on a task
# can be preempted there (commit a46023d5616e ("tracing: Guard __DECLARE_TRACE() use of
# __DO_TRACE_CALL() with SRCU-fast")).
flight=$((cpus - 1))
[ "$flight" -ge 3 ] || ! kernel_at_least 7.0 || flight=3
late=()
# before 6.1, the event of a cache's free comes after the free
kernel_at_least 6.1 || late=(--late-frees)
"$here/boundaries.py" ${late[@]+"${late[@]}"} "$flight" "$out/guest" >"$out/ktap" || {
	guest_results "$out/guest/ktap" "$out/ktap" || true
	exit 1
}
guest_results "$out/guest/ktap" "$out/ktap"
