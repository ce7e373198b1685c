#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Machines of other kinds than the other tests have, with a stock kernel:
#
#	large256	256 possible CPUs, 4 of them online on two NUMA nodes; the known answers,
#			also while CPUs go offline and online under load
#	large64		64 possible CPUs; the known answers
#	small		80 MiB of memory; the known answers
#	eject		a memory module is ejected, while the account has objects in it
#
#	machines.sh [KERNEL [MACHINE...]]	the stock kernel, all machines
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

# machine	CPUs	rounds	arguments of run.sh
# The rounds of the known answers: those without other work, and those under load.
machines='
large256	4	1+2	--nodes 2 --append possible_cpus=256
large64		2	1+0	--nodes 2 --append possible_cpus=64
small		1	1+0	--mem 80
eject		2	0+0	--mem 512 --dimm 128 --append memhp_default_state=offline
'

kernel=${1-}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || read -r -a all <<<"$(awk 'NF { print $1 }' <<<"$machines" | paste -sd ' ')"
[ $# -gt 0 ] || set -- "${all[@]}"

known=$(known_ko)
stale=$(kmod_ko kma_stale)
ko=$(module_ko)

# Run machine $1 and print its results. Called in a condition, so that each step that can fail
# says so itself.
run_machine() {
	local name=$1 cpus rounds args quiet more

	read -r cpus rounds args <<<"$(awk -v name="$name" '
		$1 == name { $1 = ""; print }' <<<"$machines")"
	[ -n "$cpus" ] || { echo "machines.sh: no machine $name" >&2; exit 2; }
	quiet=${rounds%+*} more=${rounds#*+}
	cat tests/kmod/known-answers.txt >"$out/answers"
	# before 7.0, the row is that of kvmalloc_node() itself
	! kernel_at_least 7.0 || cat tests/kmod/known-answers-kvmalloc.txt >>"$out/answers"
	known_answers_of_machine >>"$out/answers"
	# shellcheck disable=SC2086 # words
	guest "$cpus" "$here/machines.guest" "$out" $args --append "kma.machine=$name" \
		--append "kma.rounds=$quiet" --append "kma.hotplug=$more" \
		--file "$ko" --file "$known" --file "$stale"
	cat "$out/guest/ktap" || echo "not ok 0 the guest left its results"
	[ $((quiet + more)) -eq 0 ] ||
		"$here/known-answer.py" "$out/answers" "$out/guest" $((quiet + more)) ||
		echo "not ok 0 the known answers agree"
}

# the results of all machines, with numbers of their own
files=()
for name in "$@"; do
	out=$(kernel_out "machines-$name${kernel:+-$kernel}")
	(run_machine "$name") >"$out/ktap" || [ -s "$out/ktap" ]
	files+=("$out/results")
	sed -nE "/^(KTAP|1\.\.)/d; s/^((not )?ok) [0-9]+ /\1 $name: /; p" "$out/ktap" >"$out/results"
done
echo 'KTAP version 1'
echo "1..$(cat "${files[@]}" | grep -cE '^(not )?ok ')"
cat "${files[@]}" | awk '/^(not )?ok / { sub(/ok /, "ok " ++n " ") } { print }'
! cat "${files[@]}" | grep '^not ok' >/dev/null
