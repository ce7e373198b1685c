#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The switches of /proc/kmem_account while the module is loaded and the machine is busy:
# what each finds afterwards, what it keeps, and what is refused. Or random sequences of
# commands.
#
#	switches.sh [CPUS [KERNEL [SEQUENCES [SEED]]]]	4 CPUs, the stock kernel, none
#
# With SEQUENCES, so many random sequences run instead, each with known answers and the sums
# of the file; SEED repeats those of an earlier run. The commands of each are in the folder
# of the guest.
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

sequences=${3:-0}
seed=${4:-$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')}
guest_of "switches$([ "$sequences" = 0 ] || echo -random)" 4 "${1:-}" "${2-}"
echo "$sequences" >"$out/sequences"
echo "$seed" >"$out/seed"
known=$(known_ko)

# allowed: the kernel's own word to the wrong frees that the test makes
guest "$cpus" "$here/switches.guest" "$out" --timeout $((1800 + 60 * sequences)) \
	--allow 'cache_from_obj|kmem_cache_free|warn_free' \
	--file "$(module_ko)" --file "$known" --file "${known%/*}/kma_aged.ko" \
	--file "$out/sequences:/sequences" --file "$out/seed:/seed"
failed=0
guest_results "$out/guest/ktap" || failed=1
[ "$sequences" = 0 ] || exit "$failed"

# ftrace's log of the time in which stacks, latency and wrappers were switched
late=()
kernel_at_least 6.1 || late=(--late-frees)
"$here/oracle.py" ${late[@]+"${late[@]}"} "$out/guest/trace" "$out/guest/account" \
	"$out/guest/stats" || failed=1
exit "$failed"
