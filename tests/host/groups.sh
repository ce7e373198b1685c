#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# debugfs' cgroups and nodes, of a guest: a row for each group with the sums that an independent
# script has; names that a cgroup may have; files that are not what they should be.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
cgroups=$data/readers/cgroups-6.1
nodes=$data/readers/nodes-6.1

# truth FILE: "name live requested allocs frees" of each group, by the numbers of the file
truth() {
	python3 - "$1" <<-'END'
		import sys
		named = {"-1": "[irq]", "-2": "[kthread]", "-3": "[before]", "-4": "[gone]", "-5": "[other]"}
		sums, paths, rows = {}, {}, True
		lines = open(sys.argv[1]).read().split("\n")[:-1]
		node = lines[1].split("\t")[1] == "node"
		for line in lines[2:]:
		    cells = line.split("\t")
		    if line == "# id\tpath":
		        rows = False
		    elif rows:
		        old = sums.get(cells[1], (0, 0, 0, 0))
		        new = map(int, (cells[4], cells[5], cells[2], cells[3]))
		        sums[cells[1]] = tuple(a + b for a, b in zip(old, new))
		    else:
		        paths.setdefault(*cells)
		for group, numbers in sums.items():
		    unknown = "node " + group if node else "[id %s]" % group
		    print("|".join([named.get(group) or paths.get(group, unknown), *map(str, numbers)]))
	END
}

# rows FILE: the same, by the program
rows() {
	"$program" report "$1" --by caller --format csv >table || return
	python3 -c '
import csv
for row in csv.DictReader(open("table")):
    print("|".join([row["caller"], row["current_dynamic"], row["requested"], row["allocs"], row["frees"]]))'
}

agrees() {
	truth "$1" | sort >want
	rows "$1" | sort >got || return
	diff want got && [ "$(wc -l <got)" -ge "$2" ]
}

# Groups add up to the file, which the ABI says is the account.
adds_up() {
	local sum

	sum=$(awk -F '\t' '/^# id/ { exit } NR > 2 { n += $5 } END { print n }' "$cgroups")
	"$program" report "$cgroups" --format json | python3 -c '
import json, sys
print(json.load(sys.stdin)["total"]["current_dynamic"])' >total
	cat total
	[ "$(cat total)" = "$sum" ]
}

# What the kernel has escaped stays so; a name may look like a function or like a row of ours.
names() {
	printf 'kmem_account cgroups 1\n# site\tcgroup\tallocs\tfrees\tbytes\trequested\n' >odd
	printf '1\t%s\t2\t1\t8\t8\n' 11 12 13 14 18446744073709551615 >>odd
	printf '# id\tpath\n11\t/a\\011b\\012c\n12\t/kmalloc+0x10/0x20\n13\t/[other]\n13\t/[other]\n' >>odd
	agrees odd 5
}

# refused SENTENCE FILE
refused() {
	local status=0

	"$program" report "$2" >stdout 2>stderr || status=$?
	cat stderr
	[ "$status" -eq 1 ] && [ ! -s stdout ] && grep -qF "$1" stderr
}

bad_input() {
	sed '1s/1$/7/' "$cgroups" >newer
	refused "newer:1: unsupported version '7' (supported: 1)" newer || return
	head -c 300 "$cgroups" >short
	refused 'truncated in a row' short || return
	head -n 50 "$cgroups" >rows
	refused 'rows:51: truncated before the table of paths' rows || return
	sed '2s/requested/wished/' "$cgroups" >renamed
	refused "renamed:2: no column 'requested'" renamed || return
	sed '4s/\t[^\t]*$/\tx/' "$cgroups" >letters
	refused "letters:4: " letters || return
	sed '4s/\t[^\t]*$//' "$cgroups" >few
	refused 'few:4: the row has 5 columns of 6' few || return
	sed '4s/^\([0-9]*\)\t[^\t]*/\1\t-9/' "$cgroups" >unknown
	refused "unknown:4: invalid id '-9' in column 'cgroup'" unknown || return
	sed '4s/\t[0-9]*$/\t99999999999/' "$cgroups" >excess
	refused 'excess:4: more bytes requested than allocated' excess || return
	printf 'kmem_account cgroups 1\n# site\tcgroup\tallocs\tfrees\tbytes\trequested\n# id\tpath\n1\n' >half
	refused 'half:4: the row has 1 columns of 2' half
}

ktap_plan 5
ktap "cgroups: a row for each, with its sums" agrees "$cgroups" 5
ktap "nodes: the same" agrees "$nodes" 3
ktap "cgroups add up to the file" adds_up
ktap "names of cgroups" names
ktap "bad input" bad_input
ktap_end
