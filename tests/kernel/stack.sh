#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# wrappers= and stack_depth= in a stock kernel: helpers whose callers are known,
# and the known answers once more with both.
#
#	stack.sh [CPUS [KERNEL]]	1 CPU, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of stack 1 "$@"

guest "$cpus" "$here/stack.guest" "$out" \
	--file "$(module_ko)" --file "$(known_ko)"
failed=0
guest_results "$out/guest/ktap" || failed=1
# the helpers' module alone is loaded here
cat tests/kmod/known-answers.txt tests/kmod/known-answers-kvmalloc.txt |
	grep -v '^known_race_' >"$out/answers"
known_answers_of_machine >>"$out/answers"
"$here/known-answer.py" "$out/answers" "$out/guest" 1 || failed=1
exit "$failed"
