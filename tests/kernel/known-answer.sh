#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The known-answer test: every number in /proc/kmem_account for the functions
# of kma_known.ko, in a stock kernel.
#
#	known-answer.sh [CPUS [ROUNDS [KERNEL]]]	1 CPU, 20 rounds, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

cpus=${1:-1}
rounds=${2:-20}
kernel=${3-}
out=$(kernel_out "known-answer-$cpus${kernel:+-$kernel}")

known=$(known_ko)
known=${known%.ko}
echo "$rounds" >"$out/rounds"
cat tests/kmod/known-answers.txt tests/kmod/known-answers-race.txt >"$out/answers"
more=()
# before 7.0, the row is that of kvmalloc_node() itself
! kernel_at_least 7.0 || cat tests/kmod/known-answers-kvmalloc.txt >>"$out/answers"
known_answers_of_machine >>"$out/answers"
# kernels that have kmalloc_nolock(). Without cmpxchg16b, which QEMU's TCG has to
# do without, it gives objects of caches with debugging alone.
if [ -e "${known}_nolock.ko" ]; then
	cat tests/kmod/known-answers-nolock.txt >>"$out/answers"
	more=(--file "${known}_nolock.ko" --append 'slab_debug=F,kmalloc-192')
fi
guest "$cpus" "$here/known-answer.guest" "$out" \
	--file "$out/rounds:/rounds" --file "$(module_ko)" \
	--file "$known.ko" --file "${known}_race.ko" ${more[@]+"${more[@]}"}
exec "$here/known-answer.py" "$out/answers" "$out/guest" \
	"$rounds"
