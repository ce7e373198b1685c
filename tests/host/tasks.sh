#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# --by task of logs: every number of every task, against an independent script; the tasks add up
# to the account; trace.dat, pages, charts and exports; names that are hostile or not there.
# shellcheck disable=SC2015 # what fails shows its output
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

logs=$data/logs
cd "$work"

# by_task LOG OPTION...: "task,live,requested,allocs,frees,objects", sorted
by_task() {
	"$program" report "$1" --by task --format csv "${@:2}" 2>stderr | python3 -c '
import csv, sys
for row in sorted(csv.DictReader(sys.stdin), key=lambda row: row["task"]):
    print(*[row[k] for k in ("task", "current_dynamic", "requested", "allocs", "frees",
                             "objects")], sep=",")'
}

# agrees LOG OPTION...: with the script
agrees() {
	"$here/tasks.py" "$logs/$1" >want
	by_task "$logs/$1" "${@:2}" >got
	[ "$(wc -l <want)" -gt 4 ] && diff want got
}

# dat FILE: what trace-cmd prints of the same file, which has eight letters of a name
dat() {
	trace-cmd report -l -i "$data/trace-dat/$1" >log 2>/dev/null
	"$here/tasks.py" log >want
	by_task "$data/trace-dat/$1" --malloc --cache | awk -F, -v OFS=, '
		{ name = substr($1, 1, 8); for (i = 2; i <= NF; i++) sum[name, i] += $i; names[name] }
		END { for (n in names) print n, sum[n, 2], sum[n, 3], sum[n, 4], sum[n, 5], sum[n, 6] }' |
		LC_ALL=C sort >got
	LC_ALL=C sort -o want want
	[ "$(wc -l <want)" -gt 4 ] && diff want got
}

# kept LOG: a DB file has the same tasks; and call sites, once, as without tasks
kept() {
	by_task "$logs/$1" --save-db kept.db >want && [ "$(wc -l <want)" -gt 4 ] || return 1
	by_task kept.db >got && diff want got || return 1
	"$program" report kept.db --by caller --format csv 2>stderr | cut -d, -f1-6 | sort >got
	"$program" report "$logs/$1" --by caller --format csv 2>stderr | cut -d, -f1-6 | sort | diff - got
}

# The tasks add up to the account, in each number that adds up.
adds_up() {
	local log

	for log in "$logs"/*.log.?z "$data"/trace-dat/*.dat; do
		"$program" report "$log" --format csv >plain 2>stderr
		"$program" report "$log" --by task,caller --format csv >tasks 2>stderr
		python3 - <<-'END' || { echo "$log"; return 1; }
			import collections, csv
			def sums(path):
			    total = collections.Counter()
			    for row in csv.DictReader(open(path)):
			        for key, value in row.items():
			            if key not in ("caller", "task", "peak", "kind"):
			                total[row["caller"], key] += int(value)
			    return {k: v for k, v in total.items() if v}
			plain, tasks = sums("plain"), sums("tasks")
			assert len(plain) > 20, len(plain)
			assert plain == tasks, sorted(set(plain.items()) ^ set(tasks.items()))[:4]
		END
	done
}

# line TASK-FLAGS EVENT: a line of CPU 0, whose time is the number of the line
line() {
	n=$((n + 1))
	printf '%s  %5d.000000: %s\n' "$1" "$n" "$2"
}

# Forms of a line, hostile names, interrupts, and frees by another task.
forms() {
	n=0
	{
		echo '# tracer: nop'
		line '            bash-100     [000] d..1.' 'kmalloc: call_site=a+0x1/0x2 ptr=ffff888000001000 bytes_req=10 bytes_alloc=16 gfp_flags=GFP_KERNEL'
		line '     a-1 [001] b-101     [000] .....' 'kmalloc: call_site=a+0x1/0x2 ptr=ffff888000002000 bytes_req=20 bytes_alloc=32 gfp_flags=GFP_KERNEL'
		line '          <idle>-0       [000] d.h1.' 'kmalloc: call_site=a+0x1/0x2 ptr=ffff888000003000 bytes_req=30 bytes_alloc=32 gfp_flags=GFP_ATOMIC'
		line '            bash-100     [000] ..s1.' 'kmalloc: call_site=b+0x1/0x2 ptr=ffff888000004000 bytes_req=40 bytes_alloc=64 gfp_flags=GFP_ATOMIC'
		line '           <...>-102     [000] .....' 'kmalloc: call_site=a+0x1/0x2 ptr=ffff888000005000 bytes_req=50 bytes_alloc=64 gfp_flags=GFP_KERNEL'
		line '            zsh -103     [000] .....' 'kfree: call_site=c+0x1/0x2 ptr=ffff888000001000'
		line '            zsh -103     [000] .....' 'kfree: call_site=c+0x1/0x2 ptr=ffff888000009000'
	} >forms.log
	by_task forms.log >got
	printf '%s\n' '[irq],96,70,2,0,2' '[task not in the log],64,50,1,0,1' 'a-1 [001] b,32,20,1,0,1' \
		'bash,0,0,1,1,0' 'zsh,0,0,0,1,0' >want
	diff want got || { cat stderr; return 1; }
}

# A log without tasks has one row.
no_tasks() {
	echo 'kmalloc: call_site=a+0x1/0x2 ptr=ffff888000001000 bytes_req=10 bytes_alloc=16 gfp_flags=GFP_KERNEL' >bare.log
	by_task bare.log >got
	[ "$(cat got)" = '[task not in the log],16,10,1,0,1' ] || { cat got stderr; return 1; }
}

# refused SENTENCE WORD...: exit status 1 or 2 and the sentence
refused() {
	local got=0

	"$program" "${@:2}" >stdout 2>stderr || got=$?
	[ "$got" -ne 0 ] && [ ! -s stdout ] && grep -qF -- "$1" stderr || { cat stdout stderr; return 1; }
}

chart() {
	"$program" rings "$logs/slab-7.2.log.xz" --by task -r rings.svg 2>stderr &&
		grep -q 'task and call site' rings.svg && grep -q 'of sh<' rings.svg || { cat stderr; return 1; }
}

# A root of the flame graph for each task.
folded() {
	"$program" export folded "$logs/slab-3.x.log.gz" --by task -O x.folded 2>stderr || { cat stderr; return 1; }
	awk -F'[; ]' '{ sum[$1] += $NF } END { exit !(sum["init"] == 639856) }' x.folded || { head -n 3 x.folded; return 1; }
}

ktap_plan 17
for log in slab-3.x.log.gz slab-5.10.log.xz slab-6.1.log.xz slab-6.12.log.xz slab-7.2.log.xz \
	report-6.12.log.xz; do
	ktap "$log agrees with the script" agrees "$log"
done
ktap "perf script agrees with the script" agrees perf-6.1.log.xz --malloc --cache
ktap "trace.dat agrees with trace-cmd" dat kmem-6.1.dat
ktap "trace.dat with losses agrees with trace-cmd" dat lost-6.12.dat
ktap "the tasks of each log add up to its account" adds_up
ktap "forms of a line, interrupts, hostile names" forms
ktap "a log without tasks" no_tasks
ktap "a chart by task" chart
ktap "a flame graph with a root for each task" folded
ktap "an account without tasks" refused 'no tasks in this input; --by task needs' \
	report "$data/readers/sites-6.1" --by task
ktap "no metrics of tasks" refused 'export: format prometheus has series of directories, modules and call sites; --by adds those of cgroup or node' \
	export prometheus "$logs/slab-3.x.log.gz" --by task
ktap "into a DB file, and back" kept slab-6.1.log.xz
ktap_end
