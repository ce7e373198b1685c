#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Cgroups and NUMA nodes in a history: each sample has what the recorded snapshot had, for every command
# that reads a history; samples without cgroups; files of programs that did not know cgroups;
# damaged rows. leaks.py makes the snapshots and knows what is in them.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/host/history-lib.sh
. "$here/history-lib.sh"

cd "$work"
export TZ=UTC
python3 "$here/leaks.py" cgroups .
begin=1764000000 # leaks.py's
for i in c??; do
	sed '/^== cgroups$/,/^11\t/d; /^12\t/d' "$i" >"plain${i#c}"
	sed '/^== cgroups$/,$ { s/^== cgroups$/== nodes/; s/^kmem_account cgroups/kmem_account nodes/; s/\tcgroup\t/\tnode\t/; /^# id/,/^12/d }' "$i" >"node${i#c}"
done

# refused SENTENCE COMMAND...: with a status that is not 0
refused() {
	local sentence=$1

	shift
	! "$@" >shown 2>said && cat said && grep -e "$sentence" said >/dev/null
}

recorded() {
	: >said
	record_all past c?? || { cat said; return 1; }
	[ "$(sqlite3 past/*.kmh 'SELECT count(*) FROM parts')" -ge 48 ] &&
		[ "$(sqlite3 past/*.kmh 'SELECT count(*) FROM parts JOIN sample ON sample.id = sample WHERE NOT is_key')" -ge 40 ]
}

leaks() {
	"$program" leaks past --by cgroup,caller --format csv >past.csv && cat past.csv &&
		"$here/leaks.py" check-cgroups past.csv &&
		"$program" leaks c?? --by cgroup,caller --format csv | diff past.csv -
}

reports() {
	local i key

	for i in 0 1 30 47; do
		for key in cgroup cgroup,caller caller; do
			"$program" report "$(printf c%02d $i)" --by "$key" --format csv >want || return
			"$program" report "past@$((begin + 60 * i))" --by "$key" --format csv | diff want - || return
		done
	done
}

timeline() {
	"$program" timeline past --by cgroup >past.csv && "$here/leaks.py" check-timeline past.csv
}

# A page has the times of the call sites and of the cgroups, and begins with what --by says.
page() {
	local i

	"$program" rings past -r page.html --points 10000 &&
		[ "$("$here/page.py" keys page.html | paste -sd ' ')" = 'dir cache kind size cgroup' ] &&
		"$here/page.py" times page.html dir >points && "$here/page.py" times page.html cgroup | diff points - &&
		"$here/page.py" rows page.html >direct || return
	"$program" rings past --by cgroup -r page.html --points 10000 &&
		"$here/page.py" rows page.html dir | diff direct - && ! "$here/page.py" rows page.html | diff direct - >/dev/null || return
	for i in 0 20 47; do
		at=$(awk -F '\t' -v ms="$((begin + 60 * i))000" '$1 == ms { print NR - 1; exit }' points)
		"$here/page.py" rows page.html cgroup "$at" | awk -F '\t' '
			$1 == "current_dynamic" && $2 == "caller" && $4 { print $3 "," $4 }' | sort >got
		[ -s got ] || return
		"$program" report "$(printf c%02d $i)" --by cgroup,caller --format csv >rows && cat rows >&2 &&
			python3 - rows <<-'PY' | sort | diff - got || return
			import csv, sys
			for row in csv.DictReader(open(sys.argv[1])):
			    if int(row["current_dynamic"]):
			        print(row["cgroup"].lstrip("/") + "/" + row["caller"] + "," + row["current_dynamic"])
			PY
	done
}

# The chosen kinds of call sites, at each time and in each tree; samples without them are empty.
page_kinds() {
	local i key at

	for i in c0[4-7]; do
		sed '/\tungrouped+\|\tflat+/s/\tkmalloc\tkmalloc-64\t/\tpercpu\t-\t/' "$i" >"kind${i#c}"
	done
	rm -rf kinds && record_all kinds c0[0-3] kind04 kind05 kind06 kind07 || return
	"$program" rings kinds --percpu -r page.html --points 10000 2>said || { cat said; return 1; }
	[ ! -s said ] && [ "$("$here/page.py" keys page.html | paste -sd ' ')" = 'dir kind size cgroup' ] || return
	"$here/page.py" times page.html >points
	for i in 0 3 4 7; do
		at=$(awk -F '\t' -v ms="$((begin + 60 * i))000" '$1 == ms { print NR - 1; exit }' points)
		awk -F '\t' '$13 == "percpu" { print $12 "," $3 }' "$(printf '%s%02d' "$( ((i < 4)) && echo c || echo kind)" "$i")" | sort >want
		[ "$(wc -l <want)" = $((i > 3 ? 2 : 0)) ] || return
		for key in dir cgroup; do
			"$here/page.py" rows page.html $key "$at" | awk -F '\t' '
				$1 == "current_dynamic" && $2 == "caller" && $4 { sub("^(good|bad|\\[in no group\\])/", "", $3); print $3 "," $4 }' |
				sort | diff want - || return
		done
	done
	refused 'no call site of kind page in this input' "$program" rings kinds --pages -r page.html
}

# The kernel is looked for once, however many trees there are.
page_kernel() {
	"$program" rings past -k c00 -r page.html 2>said && cat said && [ "$(grep -c 'reporting by caller only' said)" = 1 ]
}

replay() {
	"$program" top -b --format csv --replay "past@$((begin + 60 * 47))" --by cgroup >got && cat got &&
		"$program" report c47 --by cgroup --format csv | awk -F , 'NR > 1 { print $1 "," $2 }' | sort >want &&
		awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ print $at["cgroup"] "," $at["live"] }' got | sort | diff want -
}

nodes() {
	rm -rf nodes && record_all nodes node0? &&
		"$program" report node09 --by node --format csv >want && [ "$(wc -l <want)" -gt 2 ] &&
		"$program" report nodes --by node --format csv | diff want - &&
		"$program" timeline nodes --by node >got && [ "$(sed -n 1p got | tr , '\n' | grep -c '^node 1[12]$')" = 2 ] &&
		refused 'nodes: no cgroups in this history; write .cgroup on. to /proc/kmem_account while kmem-account watch runs' \
			"$program" leaks nodes --by cgroup,caller &&
		refused 'nodes: a history has no tasks; --by task needs an event log' "$program" timeline nodes --by task
}

# Of a page, the tree by cgroup lacks the times that have none; the main one has all.
page_switched() {
	local plain

	rm -rf mixed && record_all mixed plain0[0-5] c0[6-9] c1? c2? c3? plain4[0-5] c46 c47 &&
		"$program" rings mixed -r page.html --points 10000 2>said || return
	cat said
	plain=$(sqlite3 mixed/*.kmh 'SELECT count(*) FROM sample WHERE id NOT IN (SELECT sample FROM parts)')
	"$here/page.py" times page.html dir | cut -f 1 >all
	"$here/page.py" times page.html cgroup | cut -f 1 >with
	[ "$plain" -ge 12 ] && [ "$(comm -23 <(sort all) <(sort with) | wc -l)" -eq "$plain" ] && [ -z "$(comm -13 <(sort all) <(sort with))" ] &&
		grep "$plain of [0-9]* samples have no cgroups, and are left out of the chart by cgroup" said >/dev/null || return
	rm -rf none && record_all none plain0? && "$program" rings none -r page.html &&
		[ "$("$here/page.py" keys page.html | paste -sd ' ')" = 'dir cache kind size' ] &&
		refused 'none: no cgroups in this history' "$program" rings none --by cgroup -r page.html
}

# cgroup off, on, off: one series. What has no cgroups is counted and left out.
switched() {
	local plain=12

	rm -rf mixed && record_all mixed plain0[0-5] c0[6-9] c1? c2? c3? plain4[0-5] c46 c47 || return
	"$program" leaks mixed --format csv | diff - <("$program" leaks plain?? --format csv) || return
	"$program" leaks mixed --by cgroup,caller --format csv >got 2>said || return
	cat said
	"$program" leaks c0[6-9] c1? c2? c3? c46 c47 --by cgroup,caller --format csv | diff - got || return
	plain=$(sqlite3 mixed/*.kmh 'SELECT count(*) FROM sample WHERE id NOT IN (SELECT sample FROM parts)')
	[ "$plain" -ge 12 ] && grep "mixed: $plain of [0-9]* samples have no cgroups, and are left out" said >/dev/null &&
		"$program" report "mixed@$((begin + 60 * 47))" --by cgroup --format csv >got &&
		"$program" report c47 --by cgroup --format csv | diff - got &&
		refused 'no cgroups in this input' "$program" report "mixed@$((begin + 60))" --by cgroup
}

# A program of before goes on in the same file, and sees a history without cgroups.
older_program() {
	rm -rf old && record_all old plain0? && sqlite3 old/*.kmh 'SELECT name FROM sqlite_schema' >tables &&
		! grep -xe part -e parts -e grouped tables && record_all old c1? &&
		"$program" report old --by cgroup --format csv >got &&
		"$program" report c19 --by cgroup --format csv | diff - got || return
	sqlite3 old/*.kmh 'DROP TABLE parts; DROP TABLE part; DROP TABLE grouped' &&
		"$program" report old --by caller --format csv >got &&
		"$program" report c19 --by caller --format csv | diff - got &&
		refused 'no cgroups in this input' "$program" report old --by cgroup
}

# A row of the tables that cannot be: the day is left out, or refused if nothing else is asked for.
# A newer program has recorded two kinds of groups that this one does not know.
newer_program() {
	: >said
	rm -rf newer && record_all newer c0? && sqlite3 newer/*.kmh <<-END || return
		INSERT INTO grouped SELECT max(id) + 1, 'socket', '[other]' FROM grouped;
		INSERT INTO grouped SELECT max(id) + 1, 'zone', '[other]' FROM grouped;
		INSERT INTO grouped SELECT max(id) + 1, 'zone', 'Normal' FROM grouped;
		INSERT INTO part SELECT max(id) + 1, 1, (SELECT max(id) FROM grouped) FROM part;
	END
	record_all newer c10 c11 || { cat said; return 1; }
	for i in 09 10 11; do
		"$program" report "c$i" --by cgroup --format csv >want || return
		"$program" report "newer@$((begin + 600 + 60 * (10#$i - 10)))" --by cgroup --format csv | diff want - || return
	done
}

# Paths of cgroups as long as the history keeps them, with names of call sites.
long_names() {
	local path i

	path=/$(printf '%01000d' 0)
	for i in c00 c01 c02; do
		sed "s|/bad$|$path|" "$i" >"long${i#c}"
	done
	rm -rf long && record_all long long0? && "$program" timeline long --by cgroup >long.csv &&
		"$program" report long --by cgroup --format csv >got && cut -c 1-60 long.csv && cut -c 1-60 got || return
	"$program" report c02 --by cgroup --format csv | sed "s|/bad|$path|" | diff - got &&
		[ "$(sed 1q long.csv | tr , '\n' | grep -cx "$path")" = 1 ]
}

damaged() {
	rm -rf torn && cp -r past torn && sqlite3 torn/*.kmh "UPDATE part SET site = 1000 WHERE id = 4" &&
		refused 'torn/2025-11-24.kmh: corrupt: a row of table part has an invalid id, site or group' "$program" report torn --by cgroup &&
		"$program" leaks torn --format csv | diff - <("$program" leaks past --format csv) || return
	# a part of no group, and one of a kind that the sample does not say that it has
	rm -rf torn && cp -r past torn && sqlite3 torn/*.kmh "UPDATE part SET grouped = 0 WHERE id = 4" &&
		refused 'corrupt: a row of table part has an invalid id, site or group' "$program" report torn --by cgroup || return
	rm -rf torn && cp -r past torn && sqlite3 torn/*.kmh "UPDATE parts SET kinds = 'node ' WHERE sample = (SELECT max(sample) FROM parts)" &&
		refused 'corrupt: a sample has a group of a kind that it lacks' "$program" report torn --by node || return
	rm -rf torn && cp -r past torn &&
		sqlite3 torn/*.kmh "INSERT INTO site (id, caller) VALUES (4, 'late+0x1/0x2'); UPDATE part SET site = 4 WHERE id = 4" &&
		refused 'corrupt: a group of a sample has a call site that the sample lacks' "$program" report torn --by cgroup || return
	rm -rf torn && cp -r past torn && sqlite3 torn/*.kmh "UPDATE parts SET live = live + 1 WHERE sample = 3" || return
	"$program" leaks torn --by cgroup,caller --format csv >got 2>said || return
	cat said
	grep 'the groups of a sample do not add up to their total; 1 of [0-9]* samples' said >/dev/null || return
	rm -rf torn && cp -r past torn &&
		sqlite3 torn/*.kmh "UPDATE parts SET data = x'28b52ffd' WHERE sample = (SELECT max(sample) FROM parts)" &&
		refused 'torn/2025-11-24.kmh: corrupt: cannot decode a sample' "$program" report torn --by cgroup
}

# charged_want SNAPSHOT: bytes charged to each cgroup, from the rows of the file alone
charged_want() {
	awk -F '\t' '/^== / { on = $0 == "== cgroups" } on && NF == 7 && /^[0-9]/ { n[$2] += $7 }
		on && NF == 2 && /^[0-9]/ { name[$1] = $2 }
		BEGIN { name[-1] = "[irq]"; name[-2] = "[kthread]"; name[-3] = "[before]"; name[-4] = "[gone]"; name[-5] = "[other]" }
		END { for (id in n) print name[id] "," n[id] }' "$1" | sort
}

# charged_got: the same from the CSV of a report; call sites outside the table have no charged bytes
charged_got() {
	awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["cgroup"] != "[in no group]" || $at["charged"] != 0 { print $at["cgroup"] "," $at["charged"] }' | sort
}

# The charged bytes of each sample are those of the snapshot, for each command.
charged() {
	local i at=$begin last=$((begin + 60 * 11))

	for i in c0? c10 c11; do
		charge "$i" >"paid${i#c}"
	done
	rm -rf paid && record_all paid paid?? || return
	[ "$(sqlite3 paid/*.kmh 'SELECT count(*) FROM charged JOIN sample ON sample.id = sample WHERE NOT is_key')" -ge 8 ] || return
	for i in paid??; do
		charged_want "$i" >want && awk -F, '{ n += $2 } END { exit !(n > 1000) }' want || return
		"$program" report "paid@$at" --by cgroup --format csv | charged_got | diff want - || return
		at=$((at + 60))
	done
	"$program" diff "paid@$begin" "paid@$last" --by cgroup --format csv >got &&
		"$program" diff paid00 paid11 --by cgroup --format csv | diff - got && cat got || return
	"$program" top -b --format csv --replay "paid@$last" --by cgroup | charged_got | diff want - || return
	for i in prometheus openmetrics; do
		"$program" export $i "paid@$last" --by cgroup -O got && "$program" export $i paid11 --by cgroup -O direct &&
			grep '^kmem_account.*charged_bytes{' direct | sort >rows && [ -s rows ] &&
			grep '^kmem_account.*charged_bytes{' got | sort | diff rows - || return
	done
	"$program" report "paid@$last" --by cgroup --format json | grep -o '"charged": *[0-9]*' >got &&
		"$program" report paid11 --by cgroup --format json | grep -o '"charged": *[0-9]*' | diff - got
}

# The page of a history has the charged bytes of each call site in each cgroup, at each time.
charged_page() {
	local i at ms=$begin

	[ -e paid11 ] && "$program" rings paid --by cgroup -a charged -r page.html --points 10000 &&
		"$here/page.py" times page.html cgroup >points || return
	for i in paid??; do
		at=$(awk -F '\t' -v ms="${ms}000" '$1 == ms { print NR - 1; exit }' points)
		ms=$((ms + 60))
		"$here/page.py" rows page.html cgroup "$at" | awk -F '\t' '
			$1 == "charged" && $2 == "caller" && $4 { print $3 "," $4 }' | sort >got
		awk -F '\t' '/^== / { on = $0 } on == "== sites" && /^[0-9]/ { caller[$1] = $12 }
			on == "== cgroups" && NF == 7 && /^[0-9]/ && $7 { n[$2 "/" caller[$1]] += $7 }
			on == "== cgroups" && NF == 2 && /^[0-9]/ { name[$1] = substr($2, 2) }
			END { for (i in n) { split(i, at, "/"); print name[at[1]] substr(i, index(i, "/")) "," n[i] } }' "$i" | sort >want
		[ -s want ] && diff want got || return
	done
}

# Absent is not 0: a file without the table has no column; a newer program goes on in it.
charged_older() {
	local column='s/^\(.*,\)*charged\(,.*\)*$/has charged/p'

	rm -rf before && record_all before paid0? && sqlite3 before/*.kmh 'DROP TABLE charged' &&
		"$program" report before --by cgroup --format csv >got && sed -n "1$column" got >said && [ ! -s said ] &&
		"$program" report c09 --by cgroup --format csv | diff - got || return
	record_all before paid10 paid11 || return
	"$program" report "before@$((begin + 540))" --by cgroup --format csv | diff got - || return
	charged_want paid11 >want && "$program" report before --by cgroup --format csv | charged_got | diff want -
}

charged_damaged() {
	local last='WHERE sample = (SELECT max(sample) FROM charged)'

	rm -rf torn && cp -r paid torn && sqlite3 torn/*.kmh "UPDATE charged SET charged = charged + 1 $last" &&
		refused 'corrupt: the charged bytes of a sample do not add up to their total' "$program" report torn --by cgroup || return
	rm -rf torn && cp -r paid torn && sqlite3 torn/*.kmh "UPDATE charged SET data = x'28b52ffd' $last" &&
		refused 'corrupt: cannot decode a sample' "$program" report torn --by cgroup || return
	rm -rf torn && cp -r paid torn && sqlite3 torn/*.kmh "DELETE FROM parts $last" &&
		refused 'corrupt: a sample has charged bytes of groups that it lacks' "$program" report torn --by cgroup || return
	rm -rf torn && cp -r paid torn && sqlite3 torn/*.kmh "UPDATE charged SET data = substr(data, 1, length(data) - 3) $last" &&
		refused 'corrupt: cannot decode a sample' "$program" report torn --by cgroup
}

ktap_plan 19
ktap "samples have rows by cgroup" recorded
ktap "leaks DIR --by cgroup has the verdicts that the snapshots have" leaks
ktap "report DIR@TIME --by cgroup" reports
ktap "timeline DIR --by cgroup" timeline
ktap "a page of a history by cgroup: each time is the report of that time" page
ktap "a page of some kinds of call sites" page_kinds
ktap "a page with a kernel that is of no use" page_kernel
ktap "a page of samples with and without cgroups" page_switched
ktap "top --replay DIR --by cgroup" replay
ktap "nodes; groups that a history does not have" nodes
ktap "samples with and without cgroups" switched
ktap "a file of an older program" older_program
ktap "a file of a newer program" newer_program
ktap "long paths of cgroups" long_names
ktap "refused: damaged rows" damaged
ktap "charged bytes of each sample" charged
ktap "a page of a history by cgroup: charged bytes at each time" charged_page
ktap "a file without charged bytes" charged_older
ktap "refused: damaged charged bytes" charged_damaged
ktap_end
