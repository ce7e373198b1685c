#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# wrappers= and stack_depth= in a stock kernel: helpers whose callers are known,
# and the known answers once more with both. Stacks of one allocation in 16: what the report
# says of paths whose shares are known.
#
#	stack.sh [CPUS [KERNEL]]	1 CPU, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of stack 1 "$@"

guest "$cpus" "$here/stack.guest" "$out" \
	--file "$(module_ko)" --file "$(known_ko)" --file "$(kmod_ko kma_paths)"
failed=0
guest_results "$out/guest/ktap" || failed=1
# the helpers' module alone is loaded here
cat tests/kmod/known-answers.txt tests/kmod/known-answers-kvmalloc.txt |
	grep -v '^known_race_' >"$out/answers"
known_answers_of_machine >>"$out/answers"
"$here/known-answer.py" "$out/answers" "$out/guest" 1 || failed=1
program=${KMEM_ACCOUNT:-${O:-$PWD/out}/host/kmem-account}
for name in alloc odd; do
	"$program" report "$out/guest/samples.$name" --by stack --format csv >"$out/$name.csv" 2>"$out/$name.said"
	"$here/stack.py" "$name" "$out/guest/samples.$name" "$out/$name.csv" "$out/$name.said" || failed=1
done
exit "$failed"
