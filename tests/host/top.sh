#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account top: what is on the screen, what keys do, how the terminal is left (top.py, on
# pseudo-terminals), batch mode against the numbers of the files, and what is refused.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$work"

screen() {
	# Debian's own Python has pyte
	/usr/bin/python3 "$here/top.py" "$program" "$1"
}

# The account of the module: rows as they are in the file, largest first.
batch() {
	local file=$data/readers/account-6.1

	"$program" top -b -n 1 --format csv "$file" | awk -F, 'NR > 1 { print $(NF - 1), $2 }' >got
	awk 'rows { print $NF, $1 } /caller$/ { rows = 1 }' "$file" | sort -k 2,2nr -k 1,1 | awk '$2' >want
	[ "$(wc -l <want)" -gt 10 ] && sort -k 2,2nr -k 1,1 got | diff want -
}

# Three reads: one line of names, the change between them, JSON for each.
reads() {
	sed 's/^ *[0-9]* \(.* copy_process+0x20e.*\)/ 8384 \1/' "$data/readers/account-6.1" >account
	"$program" top -b -n 3 -d 0.1 --format csv account >reads.csv
	[ "$(grep -c '^time,live,change,change_per_s,allocs_per_s,frees_per_s,waste,caller,kind$' reads.csv)" = 1 ]
	[ "$(grep -c copy_process+0x20e reads.csv)" = 3 ]
	"$program" top -b -n 2 -d 0.1 --top 2 --format json account | python3 -c '
import json, sys
text, at, docs = sys.stdin.read(), 0, []
while at < len(text.rstrip()):
    doc, end = json.JSONDecoder().raw_decode(text[at:].lstrip())
    at = len(text) - len(text[at:].lstrip()) + end
    docs.append(doc)
assert len(docs) == 2 and all(len(d["rows"]) == 2 and d["version"] == 1 for d in docs), docs
assert docs[0]["live"] == sum(int(l.split()[0]) for l in open("account") if "+0x" in l), docs'
}

# Five snapshots (snapshot.py) recorded by watch. A screen reads the folder, too: case replay.
make_history() {
	local i

	mkdir snapshots && python3 "$here/snapshot.py" make snapshots || return
	for i in 0 1 2 3 4; do
		cp snapshots/s00$i now
		"$program" watch -f now -n 1 history >/dev/null 2>&1 || return
		"$program" report now --by caller --format csv | awk -F, '/^busy/ { print $2 }' >>lives || return
	done
}

# Each document is the snapshot of its time; the change is from the oldest one.
history() {
	local i at

	TZ=UTC "$program" top -b --replay history --format csv >replayed || return
	[ "$(cut -d , -f 1 replayed | sort -u | wc -l)" = 6 ] || return
	for i in 0 1 2 3 4; do
		at=2025-11-24T16:00:$((i + 1))0+0000
		awk -F, -v at="$at" '$1 == at { print $(NF - 1), $2 }' replayed | sort >got
		"$program" report "snapshots/s00$i" --by caller --format csv |
			awk -F, 'NR > 1 && $1 != "total" { print $1, $2 }' | sort >want
		[ -s want ] && diff want got || return
	done
	[ "$(awk -F, -v at="$at" '$1 == at && /,busy/ { print $3 }' replayed)" = \
		"$(awk 'NR == 1 { first = $1 } END { print $1 - first }' lives)" ] || return
	TZ=UTC "$program" top -b -n 1 --replay 'history@2025-11-24 16:00:35' --format csv >got || return
	[ "$(tail -n +2 got | cut -d , -f 1 | sort -u)" = 2025-11-24T16:00:30+0000 ]
}

# A kernel with debugging information: rows by directory are those of report.
files() {
	build_kernel && "$program" top -b -n 1 --format csv --vmlinux vmlinux --by dir account |
		awk -F, 'NR > 1 { print $NF, $2 }' | sort >got
	"$program" report --vmlinux vmlinux --by dir --format csv account |
		awk -F, 'NR > 1 && $2 { print $1, $2 }' | sort >want
	[ -s want ] && grep '^mm ' want && diff want got
}

# The directory beside each call site is that of the report, and can be sorted by.
directories() {
	"$program" top -b -n 1 --format csv --vmlinux vmlinux --sort directory account >got.csv || return
	/usr/bin/python3 - "$program" <<-'END'
		import csv, subprocess, sys
		rows = list(csv.DictReader(open("got.csv")))
		found = [row["directory"] for row in rows]
		assert found == sorted(found) and {"fs/ext4", "mm"} <= set(found) and list(rows[0])[-2:] == ["directory", "kind"], found
		for directory in ("fs", "mm"):
		    want = subprocess.run([sys.argv[1], "report", "--vmlinux", "vmlinux", "--by", "caller", "-b", directory,
		                           "--format", "csv", "account"], stdout=subprocess.PIPE, text=True, check=True).stdout
		    want = {row["caller"] for row in csv.DictReader(want.splitlines()) if row["caller"] != "total"}
		    got = {row["caller"] for row in rows if (row["directory"] + "/").startswith(directory + "/")}
		    assert got and got == {c for c in want if c in {row["caller"] for row in rows}}, (directory, got, want)
	END
	"$program" top -b -n 1 --by function --format json --vmlinux vmlinux account |
		python3 -c 'import json, sys; assert all("directory" in row for row in json.load(sys.stdin)["rows"])' || return
	! "$program" top -b -n 1 --format csv account | grep -c '^time,.*,directory,' || return
	! "$program" top -b -n 1 --sort directory account 2>said &&
		grep -q "account: no column 'directory' in this account to sort by" said || return
	! "$program" top -b -n 1 --by cache account 2>said && grep -q 'account: no slab caches in this input' said
}

# Slab caches as the module's file has them, column by column; a call site of two caches is in neither.
caches() {
	local file=$data/readers/snapshot-cgroups-6.1

	"$program" top -b -n 1 --by cache --format csv "$file" | awk -F, 'NR > 1 { print $(NF - 2) "," $2 }' | sort >got
	/usr/bin/python3 - "$file" <<-'END' | sort >want
		import collections, sys
		lines = iter(open(sys.argv[1]))
		for line in lines:
		    if line == "== sites\n":
		        break
		caches, live, names = collections.defaultdict(set), collections.Counter(), None
		for line in lines:
		    cells = line.rstrip("\n").split("\t")
		    if line.startswith("== "):
		        break
		    if line.startswith("# "):
		        names = line[2:].rstrip("\n").split("\t")
		    elif names:
		        row = dict(zip(names, cells))
		        # "+" is of a site whose objects are of other caches, too
		        caches[row["caller"]] |= {row["cache"], *(["more"] if row["cache"].endswith("+") else [])}
		        live[row["caller"]] += int(row["total"])
		sums = collections.Counter()
		for caller, bytes in live.items():
		    sums["[several caches]" if len(caches[caller]) > 1 else next(iter(caches[caller]))] += bytes
		for cache, bytes in sums.items():
		    if bytes:
		        print("%s,%d" % (cache, bytes))
	END
	[ "$(wc -l <want)" -gt 10 ] && diff want got
}

# Cgroups as the module's two tables have them: sums of each, and the largest of each call site.
cgroups() {
	local file=$data/readers/snapshot-cgroups-6.1

	"$program" top -b -n 1 --by cgroup --format csv "$file" >by-cgroup.csv || return
	"$program" top -b -n 1 --format csv "$file" >by-site.csv || return
	"$program" top -b -n 1 --format json "$file" >by-site.json || return
	/usr/bin/python3 - "$file" <<-'END'
		import collections, csv, json, sys
		own = {"-1": "[irq]", "-2": "[kthread]", "-3": "[before]", "-4": "[gone]", "-5": "[other]"}
		sections, now = collections.defaultdict(list), None
		for line in open(sys.argv[1]):
		    now = line[3:-1] if line.startswith("== ") else now
		    sections[now].append(line.rstrip("\n").split("\t"))
		callers = {row[0]: row[14] for row in sections["sites"] if row[0].isdigit()}
		paths = dict(row for row in sections["cgroups"] if len(row) == 2 and row[0].isdigit())
		sums, sites = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(collections.Counter)
		for row in sections["cgroups"]:
		    if len(row) == 6 and row[0].isdigit():
		        site, id, allocs, frees, live, _ = row
		        name = own.get(id) or paths.get(id, "[id %s]" % id)
		        sums[name][0] += int(live)
		        sums[name][1] += int(allocs) - int(frees)
		        sites[callers[site]][name] += int(live)
		got = {row["cgroup"]: [int(row["live"]), int(row["objects"])] for row in csv.DictReader(open("by-cgroup.csv"))}
		assert got == {name: sum for name, sum in sums.items() if sum[0]} and len(got) > 5, (got, sums)
		assert not {"peak", "oldest_ns", "largest_cgroup"} & set(next(csv.DictReader(open("by-cgroup.csv"))))
		rows = list(csv.DictReader(open("by-site.csv")))
		assert len(rows) > 10
		for row in rows:
		    held = sites[row["caller"]]
		    largest = row["largest_cgroup"]
		    assert int(row["largest_cgroup_live"]) == held[largest] == max(held.values()), (row, held)
		same = [(r["caller"], str(r["largest_cgroup_live"]), r["largest_cgroup"]) for r in json.load(open("by-site.json"))["rows"]]
		assert same == [(r["caller"], r["largest_cgroup_live"], r["largest_cgroup"]) for r in rows]
	END
	# what is charged: a column by cgroup alone, and of the modules that tell it
	sed 1q by-cgroup.csv | grep charged && return 1
	charge "$file" >with || return
	"$program" top -b -n 1 --by cgroup --sort charged --format csv with >charged.csv || return
	"$program" top -b -n 1 --format csv with >by-site.csv || return
	sed 1q by-site.csv | grep charged && return 1
	awk -F '\t' '/^== / { on = $0 == "== cgroups" } on && NF == 7 && /^[0-9]/ { live[$2] += $5; n[$2] += $7 }
		END { for (id in n) if (live[id]) print n[id] }' with | sort -nr >want || return
	python3 -c 'import csv; [print(row["charged"]) for row in csv.DictReader(open("charged.csv"))]' | diff want -
}

# vmlinux with two functions in directories, and an account of theirs
build_kernel() {
	mkdir -p src/mm src/fs/ext4
	printf 'int a(int x);\nint b(int x) { return a(x) + 1; }\n' >src/mm/b.c
	printf 'int b(int x);\nint a(int x) { return x > 3 ? 1 : 1 + b(x + 2); }\n' >src/fs/ext4/a.c
	printf 'int b(int x);\nvoid _start(void) { b(1); }\n' >src/mm/start.c
	(cd src && gcc -g -O1 -nostdlib -static -o ../vmlinux mm/b.c fs/ext4/a.c mm/start.c) || return 1
	spans <(nm -n vmlinux) | awk '$1 != "_start" { printf "%d 0 %d 1 0 %s+0x4/0x%x\n", $2 % 1000 + 1, $2 % 1000 + 1, $1, $3 }' >rows
	account_of rows >account
}

# refuse STATUS SENTENCE ARGUMENT...
refuse() {
	local status=0 want=$1 sentence=$2

	shift 2
	"$program" top "$@" >stdout 2>stderr </dev/null || status=$?
	if [ "$status" != "$want" ] || [ -s stdout ] || ! grep -F -- "$sentence" stderr >/dev/null; then
		echo "exit $status, $(cat stderr)"
		return 1
	fi
}

refused() {
	cp "$data/readers/account-6.1" account
	refuse 1 'no-such-file: cannot open: No such file' -b -n 1 no-such-file
	refuse 1 "account: no column 'peak' in this account to sort by" -b -n 1 --sort peak account
	refuse 2 'top: --by dir needs -k DIR or --vmlinux FILE' -b --by dir account
	refuse 1 "account: no cgroups in this input; write 'cgroup on' to /proc/kmem_account" -b --by cgroup account
	refuse 1 "no column 'peak' in this account to sort by" -b --by cgroup --sort peak "$data/readers/snapshot-cgroups-6.1"
	refuse 2 "top: invalid -d '0.01' (expected 0.1 to 3600 seconds" -b -d 0.01 account
	refuse 2 'top: invalid -n' -b -n 0 account
	refuse 2 'top: too many arguments: two' -b account two
	refuse 2 'top: --csv-safe needs --format csv' -b --csv-safe account
	[ -e /proc/kmem_account ] || refuse 1 'load the module (modprobe kmem_account)' -b -n 1
	refuse 1 "no cgroups in this input; write 'cgroup on' to /proc/kmem_account" -b --replay history --by cgroup
	refuse 2 'top: --replay takes no ACCOUNT: account' -b --replay history account
	refuse 2 'top: --replay cannot be combined with --meminfo' -b --replay history --meminfo account
	refuse 2 'top: -d has no effect on --replay with -b (or an output that is not a terminal): each sample is printed at once' \
		-b -d 5 --replay history
	refuse 2 'top: -d has no effect on the standard input with -b' -d 5 -
	refuse 1 "snapshots: not a history: it has no file 'kmem-account-history'" -b --replay snapshots
	refuse 2 "invalid time 'noon'" -b --replay history@noon
	refuse 1 'no sample at 2001-09-09' -b --replay history@1000000000
	mkdir -p empty && cp history/kmem-account-history empty
	refuse 1 'empty: the history has no samples' -b --replay empty
	cp -r history damaged && truncate -s 3000 damaged/*.kmh
	refuse 1 'damaged: the history has no samples that can be read' -b --replay damaged
	refuse 1 'no-such: cannot open: No such file' -b -n 1 --meminfo no-such account
	head -n 5 account >short
	refuse 1 'short' -b -n 1 short
}

# Snapshots by a pipe, from either recorder; each is shown, and the last may be cut short.
remote() {
	local i n code

	# another suite may build it, too
	flock "$O/host.lock" make -s -C "$here/../../host" O="$O/host" record-static || return
	for i in 0 1 2 3 4; do cat snapshots/s00$i; done >stream
	TZ=UTC "$program" top -b --format csv - <stream >remote.csv || return
	# as the history of the same snapshots
	diff remote.csv replayed || return
	"$O/host/kmem-account-record" watch -f snapshots/s000 -n 3 --interval 0.3 - >three || return
	cat snapshots/s000 snapshots/s000 snapshots/s000 | cmp - three || return
	"$program" watch -f snapshots/s000 -n 3 --interval 0.01 - | cmp - three || return
	# a signal ends it after a whole snapshot; the module may go and come back
	cp snapshots/s000 now
	"$O/host/kmem-account-record" watch -f now --interval 0.05 - >many 2>said &
	i=$!
	# the shell makes the file before the first snapshot is there
	for n in $(seq 1200); do ! grep -qx '== end' many || break; sleep 0.1; done
	rm now
	for n in $(seq 1200); do ! grep -q 'watch: now: cannot open' said || break; sleep 0.1; done
	n=$(grep -cx '== end' many)
	cp snapshots/s001 now.new && mv now.new now
	for _ in $(seq 1200); do [ "$(grep -cx '== end' many)" -lt $((n + 2)) ] || break; sleep 0.1; done
	kill $i && wait $i && [ "$(tail -n 1 many)" = '== end' ] && [ "$(grep -cx '== end' many)" -ge $((n + 2)) ] &&
		grep -q 'watch: now: cannot open' said || return
	# a signal that is ignored, as with nohup(1), does not end it
	(trap '' HUP && exec "$program" watch -f snapshots/s000 -n 20 --interval 0.1 - >many) &
	i=$!
	for n in $(seq 1200); do ! grep -qx '== end' many || break; sleep 0.1; done
	# on a busy machine it may have ended before the first of these
	while kill -HUP $i 2>/dev/null; do sleep 0.1; done
	wait $i && [ "$(grep -cx '== end' many)" = 20 ] || return
	# cut short, empty, rubbish, no pipe
	head -c -20 stream | "$program" top -b --format csv - >cut.csv 2>said || return
	grep -q 'standard input.*truncated' said && [ "$(cut -d , -f 1 cut.csv | sort -u | wc -l)" = 5 ] || return
	refuse 1 'no snapshot came before the end of the pipe' -b - || return
	code=0
	echo rubbish | "$program" top -b - >out 2>said || code=$?
	[ $code = 1 ] && [ ! -s out ] && grep -q 'standard input:1: unknown type of input' said || return
	code=0
	"$O/host/kmem-account-record" watch -f rubbish - >out 2>said || code=$?
	[ $code = 1 ] && [ ! -s out ] && grep -q 'rubbish: ' said || return
	echo rubbish >rubbish
	code=0
	"$O/host/kmem-account-record" watch -f rubbish - >out 2>said || code=$?
	[ $code = 1 ] && [ ! -s out ] && grep -q 'rubbish:1: not a snapshot of the module' said || return
	code=0
	"$O/host/kmem-account-record" watch dir >out 2>said || code=$?
	[ $code = 2 ] && grep -q "watch: expected '-' (the standard output)" said
}

# Without ACCOUNT the snapshot is read, in a namespace that has one.
own() {
	mkdir -p /sys/kernel/debug/kmem_account
	cp "$data/readers/snapshot-cgroups-6.1" /sys/kernel/debug/kmem_account/snapshot
	"$program" top -b -n 1 --by cgroup --top 1 >own.txt || return
	"$program" top -b -n 1 --by cache --top 1 >>own.txt || return
	[ "$(grep -cx 'source: /sys/kernel/debug/kmem_account/snapshot' own.txt)" = 2 ]
}
export -f own

# A reader of the output that goes ends top.
reader_goes() {
	cp "$data/readers/account-6.1" account
	timeout 60 "$program" top -b -d 0.1 account 2>stderr | head -n 2 >got || [ $? -eq 141 ] # ends first
	[ "$(wc -l <got)" = 2 ] && [ ! -s stderr ]
}

cases=(numbers cursor typed mouse cgroups inlined paused module replay remote sizes suspended interrupted terminated starved colours quiet elsewhere unknown)
ktap_plan $((${#cases[@]} + 11))
make_history
for case in "${cases[@]}"; do
	ktap "screen: $case" screen "$case"
done
ktap "batch: the numbers of the file" batch
ktap "batch: several reads" reads
ktap "batch: directories as report has them" files
ktap "batch: the directory of each call site" directories
ktap "batch: slab caches as the module has them" caches
ktap "batch: cgroups as the module has them" cgroups
if unshare -m mount -t tmpfs none /sys/kernel 2>/dev/null; then
	program=$program data=$data ktap "the snapshot of this machine" unshare -m bash -c 'mount -t tmpfs none /sys/kernel && own'
else
	ktap_skip "the snapshot of this machine" "needs a mount namespace"
fi
ktap "batch: the samples of a history" history
ktap "batch: snapshots by a pipe" remote
ktap "refused" refused
ktap "a reader of the output that goes" reader_goes
ktap_end
