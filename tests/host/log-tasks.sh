#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Event logs of the module by task and by cgroup. log-tasks.py writes logs whose tasks come, take other
# names and move, and knows what each has; the program agrees with each number. Then logs of older
# modules, without changes, with lost changes, without tasks, and with corrupt lines.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

made=$here/log-tasks.py
cd "$work"

# rows KEY: "owner,live,requested,allocs,frees" of the log, sorted
rows() {
	"$program" report kmem.log --by "$1" --format csv 2>stderr | python3 -c '
import csv, sys
rows = csv.DictReader(sys.stdin)
sys.stdout.writelines(sorted(",".join(row[k] for k in (
    sys.argv[1], "current_dynamic", "requested", "allocs", "frees")) + "\n" for row in rows))' "$1"
}

# agrees OPTION...: of log-tasks.py
agrees() {
	"$made" "$@" kmem.log tasks.csv cgroups.csv || return 1
	rows task >got && diff tasks.csv got || return 1
	rows cgroup >got && diff cgroups.csv got || return 1
	[ "$(wc -l <tasks.csv)" -ge 5 ] && [ "$(wc -l <cgroups.csv)" -ge 5 ]
}

seeds() {
	local seed

	for seed in 1 2 3 4 5 6 7 8; do
		agrees --seed "$seed" || { echo "seed $seed"; return 1; }
	done
}

# said TEXT OPTION...: a warning, and right numbers
said() {
	agrees "${@:2}" || return 1
	cat stderr
	grep -q "$1" stderr
}

# The same numbers as without owners, in each call site.
adds_up() {
	"$made" kmem.log tasks.csv cgroups.csv
	"$program" report kmem.log --format csv 2>/dev/null | cut -d, -f1-7 | sort >plain
	for key in task cgroup; do
		"$program" report kmem.log --by "$key,caller" --format csv 2>/dev/null | python3 -c '
import collections, csv, sys
keys = "current_dynamic requested waste allocs frees total_dynamic".split()
sums = collections.defaultdict(lambda: [0] * 6)
for row in csv.DictReader(sys.stdin):
    for i, k in enumerate(keys):
        sums[row["caller"]][i] += int(row[k])
lines = ["caller," + ",".join(keys)] + ["%s,%s" % (k, ",".join(map(str, v))) for k, v in sums.items()]
print(*sorted(lines), sep="\n")' >got
		diff plain got || return 1
	done
}

# objects and timeline have the same allocations, and the same bytes at the end.
others() {
	agrees --seed 9 || return 1
	"$program" objects kmem.log --by task --show sites --format csv >objects.csv 2>/dev/null
	"$program" timeline kmem.log --by task --top 50 >timeline.csv 2>/dev/null
	python3 - <<-'END'
		import collections, csv
		want = {f[0]: list(map(int, f[1:])) for f in (l.rstrip("\n").rsplit(",", 4) for l in open("tasks.csv"))}
		allocs = collections.Counter()
		for row in csv.DictReader(open("objects.csv")):
		    allocs[row["task"]] += int(row["allocs"])
		assert allocs == {k: v[2] for k, v in want.items() if v[2]}, allocs
		last = list(csv.DictReader(open("timeline.csv")))[-1]
		for k, v in want.items():
		    if v[0]:
		        assert int(last[k]) == v[0], (k, last[k], v)
	END
}

# refuses WORD COMMAND...
refuses() {
	local code=0

	"$program" "${@:2}" >out 2>stderr || code=$?
	cat stderr
	[ $code != 0 ] && grep -q "$1" stderr
}

without() {
	grep -av '^#\(task\|cgroup\|fork\|comm\|move\)' kmem.log >/dev/null || return 1
	# chunks of text become text of nothing
	sed -e 's/^#task/#xask/; s/^#cgroup/#xgroup/; s/^#fork/#xork/; s/^#comm/#xomm/; s/^#move/#xove/' \
		-e 's/#tasks all/#xasks all/' <kmem.log >bare.log
	cmp -s bare.log kmem.log && return 1
	refuses 'kmem-account record' report bare.log --by task &&
		refuses 'event log of' report bare.log --by cgroup &&
		refuses 'kmem-account record' timeline bare.log --by task &&
		refuses 'kmem-account record' objects bare.log --by task &&
		"$program" report bare.log --format csv >got 2>/dev/null &&
		"$program" report kmem.log --format csv 2>/dev/null | diff got -
}

# Whatever the lines are, the sums are those of the events.
corrupt() {
	local seed

	"$made" kmem.log tasks.csv cgroups.csv
	"$program" report kmem.log --format csv 2>/dev/null >plain
	for seed in 1 2 3 4 5 6; do
		python3 - "$seed" <<-'END'
			import random, re, sys
			r = random.Random(int(sys.argv[1]))
			data = bytearray(open("kmem.log", "rb").read())
			for m in re.finditer(rb"#(task|cgroup|fork|comm|move) [^\n]*", bytes(data)):
			    if r.random() < 0.3:
			        at = r.randrange(m.start() + 1, m.end())
			        data[at] = r.choice(b"0123456789 -#\\x\xff")
			open("broken.log", "wb").write(data)
		END
		"$program" report broken.log --format csv 2>/dev/null | diff plain - || return 1
		"$program" report broken.log --by task --format csv 2>/dev/null >got
		[ "$(live got)" = "$(live plain)" ] || return 1
	done
}

# live CSV: the sum of the live bytes; a name may have commas
live() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "current_dynamic") after = NF - i; next }
		{ s += $(NF - after) } END { print s }' "$1"
}

chart() { "$program" rings kmem.log --by task -r out.svg && grep -q alpha out.svg; }

ktap_plan 10
ktap "each task and each cgroup of eight logs" seeds
ktap "call sites add up to those of a report without owners" adds_up
ktap "objects and timeline agree" others
ktap "a module that does not mark interrupts" said 'does not mark interrupts' --old
ktap "tasks of the beginning alone" said 'had when the log began' --start
ktap "lost changes" said '70 changes of task names or cgroups were lost' --lost 70
ktap "a log without tasks" without
ktap "corrupt lines" corrupt
ktap "a chart has the tasks" chart
ktap "nodes are refused" refuses 'stacks, caches, nodes or roots' timeline kmem.log --by node
ktap_end
