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

ktap_plan 5
ktap "options that would have no effect" in_vain
ktap "an interval without a length" to_nothing
ktap "two failures at once" two_failures
ktap "built trees" trees
ktap "help" help
ktap_end
