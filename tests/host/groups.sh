#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# debugfs' cgroups and nodes, of a guest: a row for each group with the sums that an independent
# script has; names that a cgroup may have; files that are not what they should be. The same as
# sections of snapshots, with their call sites: rows by group, by group and call site, by group and
# directory; charts.
#
#	groups.sh [FOLDER [VMLINUX]]	snapshot-cgroups and snapshot-nodes of tests/kernel/cgroups.sh
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -eq 0 ] || folder=$(cd "$1" && pwd)
cd "$work"
cgroups=$data/readers/cgroups-6.1
nodes=$data/readers/nodes-6.1
if [ $# -gt 0 ]; then
	snap_cgroups=$folder/snapshot-cgroups snap_nodes=$folder/snapshot-nodes
else
	snap_cgroups=$data/readers/snapshot-cgroups-6.1 snap_nodes=$data/readers/snapshot-nodes-6.1
fi
vmlinux=${2-}

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

# charged FILE: "name live charged" by the program and by the numbers of the file
charged() {
	charge "$1" >with || return
	truth with >/dev/null || return
	"$program" report with --by caller --format csv >table || return
	python3 - <<-'END' >got || return
		import csv
		for row in csv.DictReader(open("table")):
		    print("|".join([row["caller"], row["current_dynamic"], row["charged"]]))
	END
	awk -F '\t' '/^# id/ { exit } NR > 2 { live[$2] += $5; charged[$2] += $7 }
		END { for (g in live) print live[g] "|" charged[g] }' with | sort >want
	cut -d'|' -f2- got | sort | diff want - || return
	awk -F'|' '{ n += $3 } END { print n; exit !(n > 1000) }' got || return
	# an older file has no such column, and a file that charges more than there is is damaged
	"$program" report "$1" --by caller --format csv >table || return
	sed 1q table | grep charged && return 1
	sed '4s/\t[0-9]*$/\t99999999999/' with >excess
	refused 'excess:4: more bytes charged than allocated' excess
}

# The same in a snapshot: by cgroup, by cgroup and call site, in a table, in JSON and as a chart.
charged_rows() {
	charge "$snap_cgroups" >with || return
	awk -F '\t' '/^== / { on = $0 == "== cgroups" } /^# id/ { on = 0 } on && NF == 7 && /^[0-9]/ { n += $7 }
		END { print n }' with >want
	"$program" report with --by cgroup --format csv >table || return
	python3 -c 'import csv; print(sum(int(row["charged"]) for row in csv.DictReader(open("table"))))' >got || return
	diff want got || return
	"$program" report with --by cgroup,caller --format json >rows.json || return
	python3 -c 'import json; print(json.load(open("rows.json"))["total"]["charged"])' | diff want - || return
	"$program" report with --by cgroup >table || return
	sed 1q table | grep -w charged || return
	# it is of the rows by cgroup alone
	"$program" report with --by caller --format csv >table || return
	sed 1q table | grep charged && return 1
	"$program" rings with --by cgroup -a charged -r charged.svg && grep -q '>/' charged.svg || return
	"$program" export prometheus with --by cgroup -O metrics >/dev/null || return
	grep '^kmem_account_cgroup_charged_bytes{' metrics | awk '{ n += $NF } END { printf "%d\n", n }' | diff want - || return
	awk '/^kmem_account_cgroup_live_bytes{/ { n += $NF } END { exit !n }' metrics
}

# What the kernel has escaped stays so; a name may look like a function or like a row of ours.
names() {
	printf 'kmem_account cgroups 1\n# site\tcgroup\tallocs\tfrees\tbytes\trequested\n' >odd
	printf '1\t%s\t2\t1\t8\t8\n' 11 12 13 14 18446744073709551615 >>odd
	printf '# id\tpath\n11\t/a\\011b\\012c\n12\t/kmalloc+0x10/0x20\n13\t/[other]\n13\t/[other]\n' >>odd
	agrees odd 5
}

# joined SNAPSHOT SECTION: "group|caller|live|requested|allocs|frees" of each row of the section with
# the call site that has its number in section sites. Frees of unknown objects are of [before].
joined() {
	python3 - "$1" "$2" <<-'END'
		import collections, sys
		named = {"-1": "[irq]", "-2": "[kthread]", "-3": "[before]", "-4": "[gone]", "-5": "[other]"}
		sections, name = collections.defaultdict(list), "header"
		for line in open(sys.argv[1]).read().split("\n")[:-1]:
		    if line.startswith("== "):
		        name = line[3:]
		    else:
		        sections[name].append(line)
		def table(lines):
		    head = lines[0][2:].split("\t")
		    return [dict(zip(head, line.split("\t"))) for line in lines[1:]]
		sites = {row["id"]: row for row in table(sections["sites"][1:])}
		lines = sections[sys.argv[2]][1:]
		end = lines.index("# id\tpath") if "# id\tpath" in lines else len(lines)
		paths = dict(line.split("\t") for line in lines[end + 1:])
		node = sys.argv[2] == "nodes"
		sums = collections.defaultdict(lambda: [0, 0, 0, 0])
		for row in table(lines[:end]):
		    group = row["node" if node else "cgroup"]
		    text = named.get(group) or ("node " + group if node else paths.get(group, f"[id {group}]"))
		    part = sums[text, sites[row["site"]]["caller"]]
		    for i, key in enumerate(("bytes", "requested", "allocs", "frees")):
		        part[i] += int(row[key])
		for row in sites.values():
		    if int(row["unknown"]):
		        sums["[before]", row["caller"]][3] += int(row["unknown"])
		for (group, caller), numbers in sums.items():
		    print("|".join([group, caller, *map(str, numbers)]))
	END
}

# of_report SNAPSHOT BY KEY...: the same columns of a report, the KEYs first
of_report() {
	local file=$1 by=$2
	shift 2

	"$program" report "$file" --by "$by" --format csv ${vmlinux:+--vmlinux "$vmlinux"} >table || return
	python3 -c '
import csv, sys
for row in csv.DictReader(open("table")):
    names = sys.argv[1:] + ["current_dynamic", "requested", "allocs", "frees"]
    print("|".join(row[name] for name in names))' "$@"
}

# by_site SNAPSHOT SECTION BY KEY ROWS: the call sites of each group
by_site() {
	joined "$1" "$2" | sort >want
	of_report "$1" "$3,caller" "$3" caller | sort >got || return
	diff want got && [ "$(wc -l <got)" -ge "$4" ]
}

# by_group SNAPSHOT SECTION BY: groups are the sums of their call sites, and all of them the account
by_group() {
	joined "$1" "$2" | awk -F'|' '{
			for (i = 3; i <= 6; i++) n[$1, i] += $i
			seen[$1]
		} END { for (g in seen) print g "|" n[g, 3] "|" n[g, 4] "|" n[g, 5] "|" n[g, 6] }' |
		sort >want
	of_report "$1" "$3" "$3" | sort >got || return
	diff want got || return
	"$program" report "$1" --by caller --format json >account.json || return
	"$program" report "$1" --by "$3" --format json >groups.json || return
	python3 - <<-'END'
		import json
		of = lambda name: json.load(open(name + ".json"))["total"]
		account, groups = of("account"), of("groups")
		for key in ("current_dynamic", "requested", "waste", "allocs", "frees"):
		    print(key, account[key], groups[key])
		    assert account[key] == groups[key]
	END
}

# --depth makes one row of all cgroups below one.
rolled_up() {
	sed 's|^\([0-9]*\t\)/\([acde]\)$|\1/pods/\2|' "$snap_cgroups" >deep
	[ "$(grep -c '/pods/' deep)" -ge 3 ] || return
	of_report deep cgroup cgroup >flat || return
	"$program" report deep --by cgroup --depth 1 --format csv >table || return
	awk -F'|' '$1 ~ "^/pods/" { n += $2 } END { print n }' flat >want
	awk -F, '$1 == "/pods" { print $2 }' table >got
	cat got
	cmp want got && [ "$(cat got)" -gt 10000 ]
}

# A slice is the sum of its parts: the tree of the page has the numbers.
drawn() {
	local picture

	for picture in rings icicle treemap flame; do
		"$program" $picture deep --by cgroup -r $picture.svg || return
		grep -q '>pods/d/group_task+' $picture.svg || return
	done
	# a treemap has no names but those of its leaves
	grep -q '>pods: 55.0 KiB' rings.svg && grep -q '>pods: 55.0 KiB' icicle.svg || return
	# a path of more components than a stack has room for
	awk '/^1\t\/$/ { printf "1\t"; for (i = 0; i < 8000; i++) printf "/a"; print ""; next } { print }' \
		"$snap_cgroups" >abyss
	grep -q '/a/a/a' abyss && "$program" icicle abyss --by cgroup,dir -r abyss.svg || return
	"$program" rings "$snap_nodes" --by node -r nodes.svg && grep -q 'node 0' nodes.svg || return
	"$program" rings deep --by cgroup --plain -r page.html && grep -q pods page.html
}

# A call site with a row in several groups counts once in the footer of a picture and in the page's facts.
sites_once() {
	local sites

	sites=$(awk -F '\t' '/^== / { on = $0 == "== sites" } on && /^[0-9]/ && !seen[$15, $16]++ { n++ } END { print n }' \
		"$snap_cgroups")
	[ "$(of_report "$snap_cgroups" cgroup,caller cgroup caller | wc -l)" -gt $((2 * sites)) ] || return
	"$program" rings deep --by cgroup -r once.svg && grep ">[^>]*: $sites call sites  ·" once.svg || return
	"$program" rings deep --by cgroup --plain -r once.html && grep -o '"Call sites","[0-9]*"' once.html >fact || return
	echo "\"Call sites\",\"$sites\"" | diff - fact
}

# With the kernel's debug information, rows and slices have directories below the group.
by_dir() {
	of_report "$snap_cgroups" cgroup,dir cgroup dir >got || return
	awk -F'|' '$1 == "/" && $2 == "fs" && $3 > 1000' got | grep . || return
	awk -F'|' '{ n += $3 } END { print n }' got >sum
	of_report "$snap_cgroups" cgroup cgroup | awk -F'|' '{ n += $2 } END { print n }' | cmp - sum || return
	"$program" rings "$snap_cgroups" --by cgroup,dir --vmlinux "$vmlinux" -r dirs.svg &&
		grep -q '>kernel<' dirs.svg || return
	# the name of the root cgroup is a slash
	grep -q '>/fs/dcache.c/__d_alloc+' dirs.svg && ! grep '>//' dirs.svg
}

# A container has its runtime's name and its short id in the table, and its path in CSV.
containers() {
	local id=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
	local pod=kubepods-burstable-pod1f2e3d4c_5b6a_4798_8897_a6b5c4d3e2f1.slice

	sed "s|^\([0-9]*\t\)/a\$|\1/kubepods.slice/$pod/cri-containerd-$id.scope|" "$snap_cgroups" >pods
	"$program" report pods --by cgroup >table || return
	grep 'container 001122334455 (containerd) of pod 1f2e3d4c-5b6a-4798-8897-a6b5c4d3e2f1$' table &&
		"$program" report pods --by cgroup --format csv | grep "^/kubepods.slice/$pod/cri-containerd-$id.scope," &&
		"$program" rings pods --by cgroup -r pods.svg && grep -q '/containerd 001122334455:' pods.svg
}

# Two snapshots are compared by group; the same one has not changed.
compared() {
	"$program" diff "$snap_cgroups" "$snap_cgroups" --by cgroup --format csv >same || return
	"$program" diff "$snap_cgroups" deep --by cgroup --format csv >moved || return
	cat moved
	grep -q '^/pods/c,new,0,[1-9]' moved && grep -q '^/c,gone,' moved && [ "$(tail -n +2 same | cut -d, -f1)" = '[unchanged]' ]
}

# usage SENTENCE ARGUMENT...
usage() {
	local sentence=$1 status=0
	shift

	"$program" "$@" >stdout 2>stderr || status=$?
	cat stderr
	[ "$status" -ne 0 ] && [ ! -s stdout ] && grep -qF -e "$sentence" stderr
}

bad_snapshot() {
	usage "no cgroups in this input; write 'cgroup on' to /proc/kmem_account, then read /sys/kernel/debug/kmem_account/snapshot" \
		report "$snap_nodes" --by cgroup || return
	usage "no NUMA nodes in this input; write 'node on'" report "$snap_cgroups" --by node,caller || return
	usage '--skip and --through cannot be used with rows or rules by cgroup' report "$snap_cgroups" --by cgroup --skip x ||
		return
	awk '/^== cgroups/ { on = 1 } on && !done && /^[0-9]/ { $0 = "9999" substr($0, index($0, "\t")); done = 1 }
		{ print }' "$snap_cgroups" >stranger
	"$program" report stranger --by cgroup >table 2>stderr || return
	cat stderr
	grep -q "1 row of section 'cgroups', with [0-9]* live bytes, is left out: section 'sites' does not have the call site" stderr || return
	# rows that are missing
	"$program" report "$snap_cgroups" --by cgroup 2>stderr >table || return
	cat stderr
	[ ! -s stderr ] || return
	awk '/^== / { on = $2 == "cgroups" } on && NF == 6 && /^[0-9]/ && $5 > most { most = $5; at = NR }
		{ line[NR] = $0 } END { for (i = 1; i <= NR; i++) if (i != at) print line[i] }' "$snap_cgroups" >lacking
	"$program" rings lacking --by cgroup -r lacking.svg 2>stderr || return
	cat stderr
	grep -q 'lacking: the cgroups add up to [0-9]* live bytes, but the account has [0-9]*; read the snapshot again' stderr || return
	awk '/^== cgroups/ { on = 1 } on && /^[0-9]/ && n++ == 3 { print "x"; next } { print }' "$snap_cgroups" >bad
	usage 'the row has 1 columns (expected 6)' report bad || return
	awk '/^1\t\/$/ { printf "1\t"; for (i = 0; i < 9000; i++) printf "/a"; print ""; next } { print }' \
		"$snap_cgroups" >long
	usage 'the path is longer than 16384 bytes' report long
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
	refused 'few:4: the row has 5 columns (expected 6)' few || return
	sed '4s/^\([0-9]*\)\t[^\t]*/\1\t-9/' "$cgroups" >unknown
	refused "unknown:4: invalid id '-9' in column 'cgroup'" unknown || return
	sed '4s/\t[0-9]*$/\t99999999999/' "$cgroups" >excess
	refused 'excess:4: more bytes requested than allocated' excess || return
	printf 'kmem_account cgroups 1\n# site\tcgroup\tallocs\tfrees\tbytes\trequested\n# id\tpath\n1\n' >half
	refused 'half:4: the row has 1 columns (expected 2)' half
}

# The path of a container is long: in each format it is apart from the call site.
long_path() {
	local path

	path=/kubepods.slice/$(printf '%0500d' 0).scope
	sed "s#\t/c\$#\t$path#" "$data/readers/snapshot-cgroups-6.1" >long
	"$program" report long --by cgroup,caller --format csv >table.csv 2>said || return
	"$program" report long --by cgroup,caller --format json >table.json 2>said || return
	"$program" report long --by cgroup,caller >table.txt 2>said || return
	python3 - "$path" <<-'END' || return
		import csv, json, sys
		for rows in csv.DictReader(open("table.csv")), json.load(open("table.json"))["rows"]:
		    rows = [row for row in rows if row["cgroup"].startswith("/k")]
		    assert len(rows) > 5 and all(row["cgroup"] == sys.argv[1] for row in rows), rows
		    assert all("+" in row["caller"] for row in rows)
	END
	grep -qE "  $path  [^ ]+$" table.txt || return
	if grep -q '[?]' table.txt; then return 1; fi
}

# Of a guest only what its own snapshots can show.
if [ $# -eq 0 ]; then
	ktap_plan 18
	ktap "cgroups: a row for each, with its sums" agrees "$cgroups" 5
	ktap "nodes: the same" agrees "$nodes" 3
	ktap "cgroups add up to the file" adds_up
	ktap "names of cgroups" names
	ktap "what is charged" charged "$cgroups"
	ktap "what is charged, in a snapshot" charged_rows
	ktap "bad input" bad_input
	ktap "charts by group" eval 'rolled_up && drawn'
	ktap "charts by group: a call site counts once" sites_once
	ktap "containers by their names" containers
	ktap "two snapshots compared" eval 'rolled_up && compared'
	ktap "bad input in snapshots" bad_snapshot
	ktap "by cgroup and call site: a long path" long_path
else
	ktap_plan $((5 + (${#vmlinux} > 0)))
fi
ktap "a snapshot by cgroup and call site" by_site "$snap_cgroups" cgroups cgroup 100
ktap "by cgroup: the sums are the account" by_group "$snap_cgroups" cgroups cgroup
ktap "by NUMA node and call site" by_site "$snap_nodes" nodes node 20
ktap "by NUMA node: the sums are the account" by_group "$snap_nodes" nodes node
ktap "by cgroup, rolled up by path" rolled_up
[ -z "$vmlinux" ] || ktap "by cgroup and directory, as a table and as rings" by_dir
ktap_end
