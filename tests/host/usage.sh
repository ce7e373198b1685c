#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The command line: an option that would have no effect is refused, what is refused is one
# sentence and an exit status that is true.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
cp "$data/small.account" a
"$here/log-make.py" --events 2000 made.log made.csv
"$data/mktree.sh" mini >/dev/null
tree=mini/tree

# refused CODE SENTENCE ARGUMENTS...: by one line
refused() {
	local code=0 want=$1 sentence=$2

	shift 2
	"$program" "$@" >stdout 2>stderr || code=$?
	if [ $code != "$want" ] || [ -s stdout ] || [ "$(wc -l <stderr)" != 1 ] || ! grep -qF -e "$sentence" stderr; then
		echo "$*: exit $code"
		cat stderr
		return 1
	fi
}

in_vain() {
	refused 2 '--maintainers needs --by subsystem' report a --maintainers a || return 1
	refused 2 '--maintainers needs --by subsystem' static -k $tree --by file --maintainers a || return 1
	refused 2 '--force needs -k DIR or --vmlinux FILE' report a --force || return 1
	refused 2 '--max-nodes and --plain need -r FILE.html' rings a -r a.svg --plain || return 1
	refused 2 '--max-nodes and --plain need -r FILE.html' diff a a --max-nodes 5 || return 1
	"$program" rings a -r a.svg -r a.html --plain --max-nodes 5 && [ -s a.svg ] && [ -s a.html ]
}

# Two options that contradict each other: the message names both.
contradict() {
	refused 2 'report: --db-file cannot be combined with -f a' report -f a --db-file b || return 1
	refused 2 'report: --db-file cannot be combined with the input a' report a --db-file b || return 1
	refused 2 'report: -f a cannot be combined with the input b' report -f a b || return 1
	refused 2 'report: -k cannot be combined with --modules' report a -k $tree --vmlinux x --modules . || return 1
	refused 2 'timeline: -k cannot be combined with --inlines' timeline a -k $tree --inlines both || return 1
	refused 2 'latency: -f cannot be combined with -s' latency -t 1 -f a -s . || return 1
	refused 2 'latency: -f cannot be combined with --force' latency -t 1 -f a --force || return 1
	refused 2 'latency: -f cannot be combined with --setup-only' latency -t 1 -f a --setup-only || return 1
	refused 2 'latency: -f cannot be combined with --teardown' latency -f a --teardown || return 1
	refused 2 'latency: --setup-only cannot be combined with --teardown' latency -t 1 --setup-only --teardown || return 1
	refused 2 'latency: --setup-only cannot be combined with -o' latency -t 1 --setup-only -o out || return 1
	refused 2 'latency: --teardown cannot be combined with --summary' latency --teardown --summary || return 1
	refused 2 '-f and --db-file exclude each other' trace-analyze -f a --db-file b || return 1
	refused 2 'record: --attach cannot be combined with --subbufs' record --attach --subbufs 4
}

# range COMMAND OPTION LOW HIGH UNIT ARGUMENTS...: the values beside the range and letters are
# refused, and the message has the range and its unit; the ends of the range are not refused.
range() {
	local command=$1 option=$2 low=$3 high=$4 unit=$5 value

	shift 5
	for value in $((low - 1)) $((high + 1)) x '' -1 99999999999999999999; do
		refused 2 "$command: invalid $option '$value' (expected $low to $high $unit" \
			"$command" "$@" "$option" "$value" || return 1
	done
	for value in "$low" "$high"; do
		"$program" "$command" "$@" "$option" "$value" >stdout 2>stderr || [ $? -ne 2 ] ||
			{ cat stderr; return 1; }
	done
}

ranges() {
	range report --top 1 1000000000 rows a || return 1
	range report --depth 1 64 levels a -k $tree --by dir || return 1
	range rings --depth 1 12 levels a -r a.svg || return 1
	range rings --width 400 8000 pixels a -r a.svg || return 1
	range rings --max-nodes 1 10000000 nodes a -r a.html || return 1
	range timeline --points 2 100000 samples made.log || return 1
	range diff --floor 0 9223372036854775807 bytes a a || return 1
	range diff --fail-above 0 9223372036854775807 bytes a a || return 1
	range report --from 0 1000000000 seconds made.log || return 1
	refused 2 "record: invalid --subbufs '1' (expected 2 to 4096 buffers" record --subbufs 1 || return 1
	refused 2 "latency: invalid -t '1000000000001' (expected 0 to 1000000000000 microseconds" \
		latency -f a -t 1000000000001
}

# The first nanosecond ends before it begins.
to_nothing() {
	refused 2 '--to is not after --from' report made.log --to 0 || return 1
	refused 2 '--to is not after --from' timeline made.log --from 2 --to 2 || return 1
	"$program" report made.log --to 0.0001 >stdout 2>stderr
}

# Two failures are no threshold that was exceeded.
two_failures() {
	local code=0

	"$program" report a --by line --save-db nosuch/x.db >stdout 2>stderr || code=$?
	if [ $code != 2 ] || [ "$(wc -l <stderr)" != 2 ]; then
		echo "exit $code"
		cat stderr
		return 1
	fi
}

# Trees have MAINTAINERS of their own, or what is said is that they have none.
trees() {
	local names="$tree/source/MAINTAINERS: cannot open"

	refused 1 "$names" diff $tree $tree --by subsystem || return 1
	printf 'Maintainers\n\nALPHA\nF:\tfs/alpha/\n' >$tree/MAINTAINERS
	"$program" diff $tree $tree --by subsystem --floor 0 --format csv >stdout && grep -q '^ALPHA,' stdout || return 1
	rm $tree/MAINTAINERS
	refused 1 "a: is no directory, and a built tree is compared with another one" diff a $tree || return 1
	refused 1 "a: is no directory, and a built tree is compared with another one" diff $tree a
}

help() {
	local command

	for command in report static timeline latency record trace-analyze; do
		"$program" help $command | diff - <("$program" $command --help) || return 1
		! "$program" $command --help | grep -n ' $' || return 1
	done
	refused 2 "unknown command 'nosuch'" help nosuch || return 1
	"$program" help | diff - <("$program" --help)
}

ktap_plan 7
ktap "options that would have no effect" in_vain
ktap "options that contradict each other" contradict
ktap "values out of range" ranges
ktap "an interval without a length" to_nothing
ktap "two failures at once" two_failures
ktap "built trees" trees
ktap "help" help
ktap_end
