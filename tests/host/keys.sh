#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Keys and rules: --by A,B,C with any keys of the input, --only and --not. Random ones against a grouping by
# Python's standard library (keys.py), each pair in each command, and the sentences of refusal.
#
#	keys.sh [CASES [SEED]]		number of random cases (2,000; make soak: 200,000)
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cases=${1-2000} seed=${2-44}
sites=$data/readers/sites-stack-6.1 snapshot=$data/readers/snapshot-cgroups-6.1
cd "$work"

random_cases() {
	"$here/keys.py" "$program" "$cases" "$seed"
}

pairs() {
	"$here/keys.py" "$program" pairs
}

# A picture of selected call sites says so, and so do a page, a table and JSON.
says() {
	"$program" report "$snapshot" --only module=kma_groups >out || return
	grep -q '^Selected: module=kma_groups; 115 other rows, with 254.9 KiB live, are left out' out || return
	"$program" report "$snapshot" --only module=kma_groups --format json |
		python3 -c 'import json, sys; sys.exit(not json.load(sys.stdin)["only"].startswith("module=kma_groups;"))' || return
	"$program" rings "$snapshot" --not cgroup=/ --by cgroup,module -r out.svg -r out.html --plain || return
	grep -q 'by cgroup, module and call site; selected: not cgroup=/; ' out.svg && grep -q 'not cgroup=/' out.html
}

# Rules select the same in a difference, on the screen, in a profile and in metrics.
elsewhere() {
	"$program" diff "$snapshot" "$snapshot" --only module=kma_groups --format csv --floor 0 >out || return
	[ "$(wc -l <out)" = 4 ] || return
	"$program" export folded "$snapshot" --only module=kma_groups >out || return
	[ "$(awk '{ sum += $NF } END { print sum }' out)" = 96960 ] || return
	"$program" top -b -n 1 "$snapshot" --only module=kma_groups --by module --format csv >out || return
	[ "$(cut -d, -f 2 out)" = $'live\n96960' ] || return
	"$program" export prometheus "$snapshot" --only module=kma_groups --by cgroup >out || return
	grep -q 'kma_groups' out && ! grep -q 'copy_process' out
}

refused() {
	refuses 2 'expected caller, file' report "$sites" --by cgroups || return
	refuses 2 'twice' report "$sites" --by dir,dir || return
	refuses 2 'of the same object' report "$sites" --by stack,cgroup || return
	refuses 2 'of the same object' report "$sites" --by stack --only cgroup=/ || return
	refuses 2 'of the same object' rings "$snapshot" --by node --not cgroup=/ -r out.svg || return
	refuses 2 'KEY=PATTERN' report "$sites" --only module || return
	refuses 2 'KEY=PATTERN' report "$sites" --only modules=x || return
	refuses 2 'a quote is not closed' report "$sites" --only 'module="x' || return
	refuses 2 'a pattern is empty' report "$sites" --only module= || return
	refuses 2 'through FUNCTION' report "$sites" --only stack=x || return
	refuses 2 'as 4096' report "$sites" --only 'live>much' || return
	refuses 2 'a rule by dir needs -k' top -b -n 1 "$sites" --not dir=fs || return
	refuses 2 'a rule by cgroup is not possible' top -b -n 1 "$snapshot" --not cgroup=/ || return
	refuses 2 'need --maintainers' top -b -n 1 "$data/readers/allocinfo-6.12" --by subsystem || return
	refuses 2 'a rule by dir needs -k' report "$sites" --not dir=fs || return
	refuses 1 'no call site of this input is selected by: module=nix' report "$sites" --only module=nix || return
	refuses 1 'no cgroups in this input' report "$sites" --only cgroup=/ || return
	refuses 1 'no stacks in this input' export folded "$data/small.account" --by stack || return
	refuses 2 'export: --by dir needs -k' export pprof "$sites" --by dir || return
	refuses 2 'of the same object' export folded "$snapshot" --by stack --only cgroup=/ || return
	refuses 2 '--by adds those of cgroup or node' export prometheus "$sites" --by module || return
	refuses 2 'numbers change over time' leaks "$sites" "$sites" --interval 60 --only 'live>1K' || return
	refuses 1 'no call site of the inputs is selected by: module=nix' leaks "$sites" --interval 60 --only module=nix || return
	refuses 2 'leaks: --by dir needs -k' leaks "$sites" --interval 60 --by dir || return
	refuses 2 'add --show sites' objects "$data/formats/event-log-2.log.xz" --only kind=page || return
	refuses 2 'objects: --by dir needs -k' objects "$data/formats/event-log-2.log.xz" --by dir || return
	refuses 2 "invalid --by 'node'" objects "$data/formats/event-log-2.log.xz" --by node || return
	refuses 1 'is selected by: module=nix' objects "$data/formats/event-log-2.log.xz" --show sites --only module=nix || return
	refuses 2 'cannot select by cgroup' export prometheus "$snapshot" --only cgroup=/
}

# refuses STATUS WORDS COMMAND...
refuses() {
	local status=0

	"$program" "${@:3}" >out 2>stderr || status=$?
	[ "$status" = "$1" ] && [ ! -s out ] && grep -q -- "$2" stderr && return
	echo "${*:3}: $status"
	cat stderr
	return 1
}

# Names have brackets and backslashes; a header of the input cannot claim a selection.
hostile() {
	sed 's/kma_groups/odd\\x2d/g' "$snapshot" >odd
	"$program" report odd --only 'caller=group_task [odd\x2d]' --format csv >out || return
	[ "$(wc -l <out)" = 2 ] || return
	sed 's/^build_id: .*/&\nselected call sites: \x1b[31mevil/' "$snapshot" >claims
	"$program" report claims --only 'module=kma*' >out && ! grep -q evil out || return
	grep -q '^Selected: module=kma\*; 115 other rows' out
}

# A page of an input with cgroups and nodes, and a rule by one of them; a column that only the site reaches.
pages() {
	{ sed '/^== end/d' "$snapshot" && sed -n '/^== nodes/,/^== /p' "$data/readers/snapshot-nodes-6.1"; } >both
	"$program" rings both --only cgroup=/d -r out.html || return
	"$program" rings "$snapshot" --only 'live>80K' -r out.html || return
	"$program" report "$snapshot" --only 'live>80K' --by cgroup --format csv >out || return
	[ "$(awk -F, '{ sum += $2 } END { print sum }' out)" = $((92224 + 86400)) ]
}

# A row of a comparison that combines others says how many, also by several keys; levels have no call site twice.
words() {
	"$program" diff "$snapshot" "$snapshot" --by cgroup,module >out && grep -q '\[unchanged\] ([0-9]* rows)' out || return
	"$program" icicle "$snapshot" --by caller,module -r out.svg && grep -q 'by module and call site' out.svg
}

ktap_plan 8
ktap "$cases random cases" random_cases
ktap "each pair in each command" pairs
ktap "what is left out is said" says
ktap "in diff, top and export" elsewhere
ktap "refused with a reason" refused
ktap "hostile names and headers" hostile
ktap "pages of parts" pages
ktap "words" words
ktap_end
