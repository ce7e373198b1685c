#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The inputs of tests/data/cases, each with its right answer: NAME.want beside NAME. The README there says what a
# .want has. Then reports that mutate.py makes and changes.
#
#	cases.sh [EACH [SEED]]		EACH changed reports of each format (default: 20)
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cases=$data/cases
each=${1-20} seed=${2-1}
cd "$work"

# run ARGUMENTS: the program, with CASE as the input; sets $status. No case has more than 100 MB when it is
# decompressed, so each has 10 s of CPU time and 512 MB (of its own memory, which is not a file's).
run() {
	local -a args

	read -ra args <<<"$1"
	status=0
	(
		ulimit -t 10
		ulimit -d $((512 << 10))
		exec timeout 60 "$program" "${args[@]/#CASE/$input}"
	) >stdout 2>stderr </dev/null || status=$?
	want=0
}

# line WORD TEXT: check what the last run gave
line() {
	case $1 in
	out) grep -qxF -- "$2" stdout ;;
	row) awk -v row="$2," 'index($0 ",", row) == 1 { found = 1 } END { exit !found }' stdout ;;
	err) grep -qF -- "$2" stderr ;;
	lines) [ "$(wc -l <stdout)" -eq "$2" ] ;;
	status) want=$2 ;;
	*) echo "unknown word: $1" && return 1 ;;
	esac
}

# answers NAME: every command of NAME.want gives what it says
answers() {
	local input=$cases/$1 status=0 want=0 all word text runs=0

	if [[ $input == *.gen.sh ]]; then
		bash "$input" >generated
		input=generated
	fi
	while IFS= read -r all; do
		[[ $all == '$ '* ]] || all=${all//CASE/$input}
		word=${all%% *} text=${all#* }
		if [ "$word" = '$' ]; then
			[ "$status" -eq "$want" ] || break
			run "$text"
			runs=$((runs + 1))
		elif ! line "$word" "$text"; then
			echo "not so: $word $text"
			cat stdout stderr
			return 1
		fi
	done <"$cases/$1.want"
	if [ "$runs" -eq 0 ] || [ "$status" -ne "$want" ]; then
		echo "status $status, not $want"
		cat stderr
		return 1
	fi
}

mapfile -t wants < <(cd "$cases" && find . -name '*.want' | sed 's|^\./||' | sort)
mapfile -t formats < <("$here/mutate.py" --list)
ktap_plan $((${#wants[@]} + 2 + ${#formats[@]}))
for want in "${wants[@]}"; do
	ktap "${want%.want}" answers "${want%.want}"
done
# each input has an answer; other tests read hostile/
unanswered() {
	find "$cases/field" -type f ! -name '*.want' | while read -r file; do
		[ -e "$file.want" ] || echo "no ${file#"$cases/"}.want"
	done >none
	[ ! -s none ] || { cat none; return 1; }
}
ktap "each case has an answer" unanswered

ktap "leaks finds the times of reports in a text" "$here/stamps.py" "$program"

mutated() {
	"$here/mutate.py" "$program" --only "$1" --each "$each" --seed "$seed"
}
for format in "${formats[@]}"; do
	ktap "$format, changed as people do" mutated "$format"
done
ktap_end
