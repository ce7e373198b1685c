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
fixture mktree.sh mini >/dev/null
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
	refused 2 'report: --malloc needs an account' report -k $tree --malloc || return 1
	refused 2 'rings: --save-db needs an account' rings -k $tree -r a.svg --save-db b || return 1
	refused 2 'report: --to needs an account' report -k $tree --to 3 || return 1
	"$program" rings a -r a.svg -r a.html --plain --max-nodes 5 && [ -s a.svg ] && [ -s a.html ]
}

# Two options that contradict each other: the message names both.
contradict() {
	refused 2 'report: --db-file cannot be combined with -f' report -f a --db-file b || return 1
	refused 2 'report: --db-file cannot be combined with the input a' report a --db-file b || return 1
	refused 2 'report: -f cannot be combined with the input b' report -f a b || return 1
	refused 2 'report: -k cannot be combined with --modules' report a -k $tree --vmlinux x --modules . || return 1
	refused 2 'timeline: -k cannot be combined with --inlines' timeline a -k $tree --inlines both || return 1
	refused 2 'latency: -f cannot be combined with -s' latency -t 1 -f a -s . || return 1
	refused 2 'latency: -f cannot be combined with --force' latency -t 1 -f a --force || return 1
	refused 2 'latency: -f cannot be combined with --setup-only' latency -t 1 -f a --setup-only || return 1
	refused 2 'latency: -f cannot be combined with --teardown' latency -f a --teardown || return 1
	refused 2 'latency: --setup-only cannot be combined with --teardown' latency -t 1 --setup-only --teardown || return 1
	refused 2 'latency: --setup-only cannot be combined with -o' latency -t 1 --setup-only -o out || return 1
	refused 2 'latency: --teardown cannot be combined with --summary' latency --teardown --summary || return 1
	refused 2 'latency: --teardown cannot be combined with -t' latency --teardown -t 5 || return 1
	refused 2 'latency: --teardown cannot be combined with --by' latency --teardown --by site || return 1
	refused 2 'latency: --setup-only cannot be combined with --format' latency -t 5 --setup-only --format csv || return 1
	refused 2 '-f cannot be combined with --db-file' trace-analyze -f a --db-file b || return 1
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
	range rings --depth 1 24 levels a -r a.svg || return 1
	range rings --width 400 8000 pixels a -r a.svg || return 1
	range rings --max-nodes 1 10000000 nodes a -r a.html || return 1
	range timeline --points 2 100000 samples made.log || return 1
	range diff --floor 0 9223372036854775807 bytes a a || return 1
	range diff --fail-above 0 9223372036854775807 bytes a a || return 1
	range report --from 0 1000000000 seconds made.log || return 1
	refused 2 "record: invalid --subbufs '1' (expected 2 to 4096 sub-buffers for each CPU" record --subbufs 1 || return 1
	refused 2 "latency: invalid -t '1000000000001' (expected 0 to 1000000000000 microseconds" \
		latency -f a -t 1000000000001
}

# rows_of COMMAND: what its help offers, "LETTER NAME VALUE", - for what is not there
rows_of() {
	"$program" "$1" --help | awk '
	/^  (-[A-Za-z],|   ) --/ {
		letter = substr($0, 3, 1) == "-" ? substr($0, 4, 1) : "-"
		split(substr($0, 7), word, / +/)
		value = match(substr($0, 7), /^ ?--[a-z-]+ [A-Z[]/) ? "value" : "-"
		name = substr($0, 7); sub(/^ /, "", name); sub(/ .*/, "", name)
		print letter, name, value
	}'
}

commands="report rings treemap icicle flame static diff db check objects timeline leaks export record latency"

# A letter is that of one option in all commands, and an option has one letter. (trace-analyze
# has those of the script.) -o was sort in one command and output in another.
letters() {
	local command

	for command in $commands; do
		rows_of "$command"
	done | sort -u >rows
	[ "$(wc -l <rows)" -gt 40 ] || return 1
	! awk '$1 != "-" { print $1, $2 }' rows | sort -u | awk '{ print $1 }' | uniq -d | grep . || return 1
	! awk '{ print $2, $1 }' rows | sort -u | awk '{ print $1 }' | uniq -d | grep . || return 1
	! grep '^o ' rows
}

# Each option in a help is known to the command: what is wrong with it is its value, if anything.
offered() {
	local command letter name value code extra

	for command in $commands; do
		rows_of "$command" >rows
		# not on this machine
		case $command in
		record)		extra="--root nosuch" ;;
		latency)	extra="-s nosuch --note nosuch" ;;
		*)		extra= ;;
		esac
		while read -r letter name value; do
			for name in $name $([ "$letter" = - ] || echo "-$letter"); do
				[ "$value" = - ] || name="$name x"
				# shellcheck disable=SC2086 # words
				"$program" $command $extra $name </dev/null >stdout 2>stderr && code=0 || code=$?
				if grep -q 'unknown option\|takes no value\|needs a value\|is not for\|is for two' stderr &&
					[ "$command $name" != "diff --image" ]; then
					echo "$command $name: exit $code"
					cat stderr
					return 1
				fi
			done
		done <rows
	done
}

# Letters that were shipped with another meaning still work.
aliases() {
	"$program" report a -o allocs >one && "$program" report a --sort allocs | diff - one || return 1
	"$program" static -k $tree -o text >one && "$program" static -k $tree --sort text | diff - one || return 1
	refused 1 'nosuch' latency -t 1 -f a -o nosuch/x || return 1
	refused 1 'nosuch' latency -t 1 -f a -O nosuch/x
}

# same A B ARGUMENTS...: two values of an option give the same
same() {
	local one=$1 other=$2

	shift 2
	"$program" "$@" "$one" >stdout 2>stderr && "$program" "$@" "$other" | diff - stdout && [ -s stdout ]
}

suffixes() {
	same 2048 2k diff a a --by caller --floor && same 2048 2KiB diff a a --by caller --floor &&
		same 2097152 2M diff a a --floor && same 0.001 1ms report made.log --to &&
		same 0.001 1000us report made.log --to && same 60 1m report made.log --to &&
		same 3600 1h report made.log --to && same 2000 2K report a --top || return 1
	refused 2 "report: invalid --to '1x' (expected 0 to 1000000000 seconds" report made.log --to 1x || return 1
	refused 2 "report: invalid --to '32y'" report made.log --to 32y || return 1
	refused 2 "report: invalid --top '1KiB'" report a --top 1KiB || return 1
	refused 2 "diff: invalid --floor '9E'" diff a a --floor 9E || return 1
	# of a list only the name that is unknown
	refused 2 "report: invalid --columns 'foo' (expected current_dynamic, requested, " report a --columns live,foo,bar || return 1
	refused 2 "static: invalid --columns '' (expected current_dynamic, requested, " static --columns text, || return 1
	refused 2 "record: invalid --size '8388608T' (expected 1 to 9223372036854775807 bytes" record --size 8388608T
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
	refused 1 "a: not a directory; a built tree can be compared only with another built tree" diff a $tree || return 1
	refused 1 "a: not a directory; a built tree can be compared only with another built tree" diff $tree a
}

help() {
	local command

	for command in report static timeline latency record trace-analyze; do
		"$program" help $command | diff - <("$program" $command --help) || return 1
		! "$program" $command --help | grep -n ' $' || return 1
	done
	# a default is called so: not "(50)", "(all)" or "(/sys/...)"
	for command in $commands serve watch bundle top; do
		"$program" "$command" --help | tr -s ' \n' ' ' |
			{ grep -Eo '\(([0-9][^)]*|/[a-z][^)]*|/|all)\)' || true; } | sed "s/^/$command: /"
	done >unnamed
	diff /dev/null unnamed || return 1
	refused 2 "unknown command 'nosuch'" help nosuch || return 1
	"$program" help | diff - <("$program" --help)
}

# Commands that read an account repeatedly; a folder is a history by its marker.
live() {
	local why="past: a history, whose samples do not change; use an account that changes"

	mkdir -p past && printf 'kmem_account history 1\n' >past/kmem-account-history
	refused 2 "$why" serve past --web.listen-address 127.0.0.1:0 && refused 2 "$why" watch -f past -n 1 unborn && [ ! -e unborn ] &&
		refused 2 "$why" leaks --workload true past && refused 2 "past@16:03: a history, whose" top -b -n 1 past@16:03
}

unwritten() {
	local code words

	for words in help --version 'report --help' 'record --help' '--words report --by'; do
		code=0
		# shellcheck disable=SC2086 # words
		"$program" $words >/dev/full 2>stderr || code=$?
		echo "$words: exit $code"
		[ $code = 1 ] || return 1
		[ "$(cat stderr)" = 'kmem-account: standard output: cannot write: No space left on device' ] || return 1
	done
}

ktap_plan 13
ktap "options that would have no effect" in_vain
ktap "options that contradict each other" contradict
ktap "values out of range" ranges
ktap "a letter means the same in all commands" letters
ktap "all that a help offers is accepted" offered
ktap "letters of older versions" aliases
ktap "units of sizes, times and counts" suffixes
ktap "an interval without a length" to_nothing
ktap "two failures at once" two_failures
ktap "built trees" trees
ktap "a history in place of an account that changes" live
ktap "help" help
ktap "help that cannot be written" unwritten
ktap_end
