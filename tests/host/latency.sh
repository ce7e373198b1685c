#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account latency. latency.py writes logs with known answers and computes the rules
# of the RFC (seeds/004 of the project) by itself. A result in quotes is a sentence of
# the RFC about what its scripts do. The set-up of tracing is in latency-live.sh.
# Long file: the tests share the logs that latency.py has made.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$work"

latency() {
	"$program" latency "$@"
}

# made SEED OPTION...: a log, and what is true of it
made() {
	local seed=$1

	shift
	"$here/latency.py" make "$seed" log "$@" || return 1
	latency -t 134 -f log >out || return 1
	latency -t 134 -f - <log --format json >got.json 2>stderr || return 1
	"$here/latency.py" check log.json out got.json
}

# Each form of a log, three times.
forms() {
	local seed

	for seed in 3 4 5; do
		made "$seed" "$@" || { echo "seed $seed"; return 1; }
	done
}

by_key() {
	"$here/latency.py" make 6 log || return 1
	latency -t 134 -f log --by "$1" --format csv >by.csv && "$here/latency.py" by log.json "$1" by.csv
}

# at SECONDS CPU TASK DURATION BODY: a line as trace_pipe has it
at() {
	printf '%5s |  %3d) %s | %-14s|  %s\n' "$1" "$2" "$3" "$4" "$5"
}

# lines of slow calls, then nothing but what follows an empty line
lines() {
	latency -t 134 -f log | sed '/^$/,$d; / : total time/d'
}

# shown_with FUNCTION EVENT...: the events come with the function over the threshold alone
shown_with() {
	local function=$1 event

	shift
	{
		for event in "$@"; do at 1.000100 0 bash-9 '' "/* $event: order=1 zone=1 */"; done
		at 1.000200 0 bash-9 '! 133.999 us' "} /* $function */"
	} >log
	[ -z "$(lines)" ] || return 1
	{
		for event in "$@"; do at 1.000100 0 bash-9 '' "/* $event: order=1 zone=1 */"; done
		# another task on the same CPU, of the same name, has nothing to do with it
		at 1.000150 0 bash-8 '! 200.000 us' "} /* $function */"
		at 1.000300 0 bash-9 '! 134.000 us' "} /* $function */"
		# a second call that has no tracepoints does not have those of the first
		at 1.100300 0 bash-9 '! 135.000 us' "} /* $function */"
		# nor those of a fast one, which the kernel leaves out
		for event in "$@"; do at 1.200100 0 bash-9 '' "/* $event: order=2 zone=2 */"; done
		at 1.300300 0 bash-9 '! 136.000 us' "} /* $function */"
	} >log
	{ sed -n $(($# + 1))p log; head -n $# log; grep '13[456].000 us' log; } >want
	lines | diff want -
}

shrink_rule() {
	local who='super_cache_scan+0x0/0x1b0 00000000a1b2c3d4: nid: 0'

	{
		at 1.000000 0 bash-9 '' "/* mm_shrink_slab_start: $who objects to shrink 1 */"
		at 1.000134 0 bash-9 '' "/* mm_shrink_slab_end: $who unused scan count 1 */"
		at 2.000000 0 bash-9 '' "/* mm_shrink_slab_start: $who objects to shrink 2 */"
		at 2.000010 0 bash-8 '' "/* mm_shrink_slab_end: $who unused scan count 2 */"
		at 2.000135 1 bash-9 '' "/* mm_shrink_slab_end: $who unused scan count 3 */"
	} >log
	{ sed -n '3p;5p' log; } >want
	lines | diff want - || return 1
	latency -t 134 -f log >out
	grep -qxF 'super_cache_scan : total time = 0.269000 ms, max latency = 0.135000 ms' out || return 1
	grep -qx '1 end events have no begin event' out
}

# "The threshold on the other hand, must be set."
no_threshold() {
	refuse 2 'no threshold given' -f log
}

# "In -t 134, 134 us is the threshold"
microseconds() {
	at 1.0 0 a-1 '  133.999 us' '} /* f */' >log
	at 1.0 0 a-1 '  134.000 us' '} /* g */' >>log
	[ "$(lines | grep -c f)" = 0 ] && lines | grep g >/dev/null
}

# "When CTRL+C is pressed, the script shows the times taken by the shrinkers." The log is a
# pipe that does not end.
interrupted() {
	local pid signal=$1 feeder

	"$here/latency.py" make 7 log || return 1
	rm -f pipe out
	mkfifo pipe
	feed pipe log &
	feeder=$!
	# a shell in the background lets SIGINT be ignored, env does not
	env --default-signal=INT,HUP "$program" latency -t 134 -f pipe >out 2>stderr &
	pid=$!
	if [ "$signal" = USR1 ]; then
		# what is slow was shown before, and it goes on
		for _ in $(seq 1200); do [ -s out ] && break; sleep 0.1; done
		kill -USR1 "$pid"
		for _ in $(seq 1200); do grep -q CAUSE out && break; sleep 0.1; done
		grep -q CAUSE out && kill -0 "$pid" && signal=TERM
	fi
	taken pipe
	kill "-$signal" "$pid"
	wait "$pid" || { echo "exit $?"; return 1; }
	kill "$feeder"
	wait "$feeder" 2>/dev/null || :
	latency -t 134 -f log >want
	# who reads the tables knows that they are of a part
	grep -qx 'kmem-account: pipe: interrupted; the output covers only the input read before that' stderr ||
		{ cat stderr; return 1; }
	if [ "$1" = USR1 ]; then
		[ "$(grep -c '^CAUSE' out)" = 2 ]
	else
		diff want out
	fi
}

# From a pipe, too, a slow call is shown at once, not when 64 KiB of others have come.
at_once() {
	local pid shown=1

	rm -f pipe out
	mkfifo pipe
	latency -t 134 -f pipe >out &
	pid=$!
	exec 7>pipe
	at 1.0 0 a-1 '! 134.000 us' '} /* g */' >&7
	for _ in $(seq 300); do
		! grep -q 'g \*/' out || { shown=0; break; }
		sleep 0.1
	done
	exec 7>&-
	wait "$pid" && return $shown
}

# waited SECOND: bash-9 is off its CPU for 1 ms
waited() {
	at "$1.000100" 0 bash-9 '' "/* sched_switch: prev_comm=bash prev_pid=9 prev_prio=120 prev_state=S ==> $(
		)next_comm=swapper/0 next_pid=0 next_prio=120 */"
	at "$1.001100" 0 '<idle>-0' '' "/* sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 $(
		)prev_state=R ==> next_comm=bash next_pid=9 next_prio=120 */"
}

# parts NAME NS: of the time of allocations in log
parts() {
	latency -t 134 -f log --format json >got.json 2>stderr || return 1
	grep -A 9 '"allocation_ns"' got.json | grep "\"$1\": $2\b" >/dev/null || { grep -A 9 allocation_ns got.json; return 1; }
}

# A task that is switched to keeps its name.
named_waiter() {
	{ waited 1; at 1.001200 0 bash-9 '! 1150.000 us' '} /* __alloc_pages */'; } >log
	latency -t 134 -f log --by task --format csv >by.csv && grep -q '^bash-9,allocation,1,' by.csv && parts waiting 1000000
}

# A task may have any name.
misnamed_waiter() {
	local name

	for name in 'a next_pid=7' 'xnext_pid=7'; do
		{ waited 1; at 1.001200 0 bash-9 '! 1150.000 us' '} /* __alloc_pages */'; } |
			sed "s|_comm=[a-z/0]*|_comm=$name|g" >log
		parts waiting 1000000 || return 1
	done
}

# The end of a shrinker is lost: what comes later is waited for all the same.
waited_after_loss() {
	{
		at 0.100000 0 bash-9 '' "/* mm_shrink_slab_start: f+0x0/0x10 00000000deadbeef: nid: 0 objects to shrink 1 */"
		echo 'CPU:0 [LOST 12 EVENTS]'
		waited 1
		at 1.001200 0 bash-9 '! 1150.000 us' '} /* __alloc_pages */'
	} >log
	parts waiting 1000000
}

# What an allocation has waited for before another one within it began stays its own.
waited_outside() {
	{
		waited 1
		at 1.001200 0 bash-9 '  20.000 us' '} /* __alloc_pages */'
		at 1.001300 0 bash-9 '! 1250.000 us' '} /* __alloc_pages */'
	} >log
	parts waiting 1000000
}

# "currently it is not possible to differentiate among the superblock shrinkers": it is
superblocks() {
	"$here/latency.py" make 8 log || return 1
	latency -t 134 -f log --by shrinker --format csv >by.csv || return 1
	[ "$(grep -c ^super_cache_scan by.csv)" = 2 ]
}

# name ADDRESS NAME: as kma_tracefs_names() has them written, in a task of its own
name() {
	at 155.0 2 latency-77 '' "/* kma_open: (single_open+0x0/0x70) shrinker=0x$1 */"
	# another one's is of another one
	at 155.0 1 cat-78 '' '/* kma_open: (single_open+0x0/0x70) shrinker=0xffffdeadbeef0000 */'
	at 155.0 2 latency-77 '' "/* kma_shrinker: $2 */"
}

# ... and by name, where the log has names: one in front of all, one behind.
superblock_names() {
	"$here/latency.py" make 8 log || return 1
	latency -t 134 -f log --by shrinker --format csv |
		sed 's/ 00000000a1b2c3d4,/ sb-ext4:vda1-37,/; s/ 0*deadbe01,/ sb-proc-12,/' | cut -d , -f -9 | sort >want
	grep -q sb-proc want || return 1
	{ name 00000000a1b2c3d4 sb-ext4:vda1-37; cat log; name deadbe01 sb-proc-12; } >log2
	latency -t 134 -f log2 --by shrinker --format csv | cut -d , -f -9 | sort | diff want - || return 1
	# the end of a list does the same before the end of the log
	{ cat log2; at 155.0 2 latency-77 '' '/* kma_shrinkers: 1 */'; cat log; } >log3
	latency -t 134 -f log3 --by shrinker --format csv | cut -d , -f -2 | sort >got
	awk -F, '/,calls/ { print "shrinker,calls"; next } { print $1 "," 2 * $2 }' want | sort | diff - got
}

# A cause that was not recorded is not 0: it has no row, and a line says what the log needs.
not_recorded() {
	local case=$here/../data/cases/field/funcgraph-no-tracepoints.txt

	cp "$case" log && latency -t 134 -f log >out && latency -t 134 -f log --format json >got.json || return 1
	cat out
	grep -qxF 'direct_reclaim: not in the log (needs vmscan:mm_vmscan_direct_reclaim_*)' out &&
		grep -qxF 'shrink: not in the log (needs vmscan:mm_shrink_slab_*)' out &&
		grep -qxF 'compaction: not in the log (needs compaction:mm_compaction_*)' out || return 1
	! grep -E '^(direct_reclaim|shrink|compaction) ' out && grep -q '"allocation_ns": { *"rest": 288000 *}' <(tr -d '\n' <got.json) || return 1
	# the function of one cause ran, but its tracepoints are missing; compaction was not needed
	{ at 397.773158 0 demo-1234 '' '/* mm_shrink_slab_start: f+0x0/0x1 1: nid: 0 x */'; cat "$case"; } >log
	latency -t 134 -f log >out || return 1
	cat out
	grep -q '^direct_reclaim: not in the log' out && grep -qE '^compaction  *0\.0%' out &&
		[ "$(grep -c 'not in the log' out)" = 1 ] || return 1
	# tracepoints without times
	{ run 1; at 1.0012 0 bash-9 '! 1150.000 us' '} /* __alloc_pages */'; } | sed 's/^ *[0-9.]* |//' >log
	latency -t 134 -f log >out || return 1
	cat out
	[ "$(grep -c ': not in the log (needs the trace option funcgraph-abstime)$' out)" = 3 ]
}

# Ends of functions only: the log is shorter than they are, so they have no share of it.
ends_only() {
	{ at 1.000000 0 a-1 '! 288.000 us' '} /* __alloc_pages */'; at 1.000004 0 a-1 '! 292.000 us' '} /* f */'; } >log
	latency -t 134 -f log >out && ! grep -E 'OF LOG|[0-9]{3}\.[0-9]*%$' out
}

# An address that has another name from now on is another shrinker.
renamed() {
	{ name 1 one-1; run 1; name 1 two-2; run 2; run 3; } >log
	latency -t 134 -f log --by shrinker --format csv | cut -d , -f -2 | sort >got
	printf '%s\n' 'a one-1,1' 'a two-2,2' shrinker,calls | diff - got
}

# lossy SENTENCE...: a log with two shrinkers' runs, of which one is not timed
lossy() {
	local sentence

	latency -t 134 -f log >out || return 1
	[ "$(awk '/^shrink / { print $2 }' out)" = 1 ] || { cat out; return 1; }
	for sentence in "$@"; do
		grep -qE "^$sentence" out || { echo "not: $sentence"; cat out; return 1; }
	done
}

run() {
	at "$1.000000" 0 bash-9 '' '/* mm_shrink_slab_start: a+0x0/0x1 1: nid: 0 x */'
	at "$1.000500" 0 bash-9 '' '/* mm_shrink_slab_end: a+0x0/0x1 1: nid: 0 x */'
}

lost() {
	{ run 1; run 2 | sed '1a CPU:0 [LOST 77 EVENTS]'; } >log
	lossy '77 events were lost' '1 begin/end pairs have lost events between begin and end' || return 1
	# of another CPU they are none of this task's
	sed -i 's/^CPU:0/CPU:1/' log
	latency -t 134 -f log | grep '^shrink  *2 ' >/dev/null
}

no_end() {
	{ run 1; run 2 | sed -n 1p; } >log
	lossy '1 begin events have no end event; shrink: 1'
}

backwards() {
	{ run 2; run 3 | sed 's/3.000500/2.9/'; } >log
	lossy '1 begin/end pairs end before they begin'
}

# A log that is cut anywhere is read up to there; nothing is made up of the rest.
cut_anywhere() {
	local size n

	{ run 1; run 2; } >whole
	size=$(stat -c %s whole)
	for ((n = 1; n < size; n += 5)); do
		head -c "$n" whole >log
		latency -t 134 -f log >out 2>stderr || { cat stderr; return 1; }
		grep -q '^1 line at the end is truncated' out || [ "$(tail -c 1 log)" = "" ] || return 1
	done
}

switched() {
	# without a column of tasks: who is on the CPU is said when that changes
	{
		run 1 | sed 's/ bash-9 |//'
		printf ' ------------------------------------------\n  0)   bash-9  =>  cat-10 \n\n'
		run 2 | sed 's/ bash-9 |//'
	} >log
	latency -t 134 -f log --by task --format csv >by.csv || return 1
	grep -q '^cat-10,shrink,1,500000,' by.csv && grep -q '^\[not in the log\],shrink,1,500000,' by.csv
}

# stack FRAME...: of the event before it
stack() {
	printf '%16s-%-7d [000] .N...     1.000500: <stack trace>\n' bash 9
	printf ' => %s\n' "$@"
}

# Who has waited: the first one outside of the allocators; each nanosecond is in a row.
sites() {
	local slab='trace_event_raw_event_x+0x1/0x2 try_to_free_pages+0x1/0x2 __alloc_pages_slowpath.constprop.0+0x1/0x2'

	{
		at 1.000000 0 bash-9 '' '/* mm_vmscan_direct_reclaim_begin: order=1 gfp_flags=GFP_KERNEL */'
		at 1.000500 0 bash-9 '' '/* mm_vmscan_direct_reclaim_end: nr_reclaimed=1 */'
		# shellcheck disable=SC2086 # words
		stack $slab __alloc_pages_noprof+0x1/0x2 alloc_pages_mpol+0x1/0x2 new_slab+0x1/0x2 \
			___slab_alloc+0x1/0x2 kmem_cache_alloc_noprof+0x1/0x2 \
			'jbd2_alloc+0x10/0x20 [jbd2]' ext4_write+0x1/0x2
		at 1.000600 0 bash-9 '! 700.000 us' '} /* __alloc_pages_noprof */'
		# the next call has no stack, and not that of the one before
		at 1.002000 0 bash-9 '! 300.000 us' '} /* __alloc_pages_noprof */'
		# an event without a stack, and one of a kernel thread
		at 2.000000 0 bash-9 '' '/* mm_compaction_begin: zone_start=0x1 */'
		at 2.000200 0 bash-9 '' '/* mm_compaction_end: zone_start=0x1 */'
		at 2.000300 0 bash-9 '! 400.000 us' '} /* __alloc_pages_noprof */'
		at 3.000000 1 kcompactd0-33 '' '/* mm_compaction_begin: zone_start=0x1 */'
		at 3.000700 1 kcompactd0-33 '' '/* mm_compaction_end: zone_start=0x1 */'
		stack trace_event_raw_event_mm_compaction_end+0x1/0x2 compact_zone+0x1/0x2 kcompactd+0x1/0x2 |
			sed 's/ *bash-9 .*\[000\]/      kcompactd0-33      [001]/'
		# a stack whose event is not right before it; the event's own task, though another was on the CPU
		at 4.000000 0 bash-9 '' '/* mm_vmscan_direct_reclaim_begin: order=1 gfp_flags=GFP_KERNEL */'
		at 4.000500 0 bash-9 '' '/* mm_vmscan_direct_reclaim_end: nr_reclaimed=1 */'
		at 4.000500 1 bash-8 '! 200.000 us' '} /* __alloc_pages_noprof */'
		stack __alloc_pages_nodemask+0x1/0x2 do_fault+0x3/0x4
		# that call was fast, so the kernel left it out; the next one is none of its
		at 5.000000 0 bash-9 '! 200.000 us' '} /* __alloc_pages_noprof */'
	} >log
	latency -t 134 -f log --by site --format csv | cut -d , -f 1-4 | sort >got
	sort >want <<-'END'
		site,cause,calls,total_ns
		[not in the log],allocation,4,1100000
		jbd2_alloc+0x10/0x20 [jbd2],allocation,1,700000
		jbd2_alloc+0x10/0x20 [jbd2],direct_reclaim,1,500000
		do_fault+0x3/0x4,direct_reclaim,1,500000
		[not in the log],compaction,1,200000
		[no allocation],compaction,1,700000
	END
	diff want got || return 1
	! latency -t 134 -f log | grep understood
}

# In a log of all calls it is the function that was open, beyond the allocators' own.
callers() {
	{
		at 1.000000 0 bash-9 '' 'vfs_write() {'
		at 1.000001 0 bash-9 '' '  alloc_pages_mpol() {'
		at 1.000100 0 bash-9 '  99.000 us' '    __alloc_pages_noprof();'
		at 1.000200 0 bash-9 '! 199.000 us' '  }'
		at 1.000300 0 bash-9 '! 300.000 us' '}'
	} >log
	latency -t 134 -f log --by site --format csv | grep '^vfs_write,allocation,1,99000,' >/dev/null
}

refuse() {
	local code=0 want=$1 sentence=$2

	shift 2
	latency "$@" >out 2>stderr || code=$?
	[ "$code" = "$want" ] && [ ! -s out ] && [ "$(wc -l <stderr)" = 1 ] && grep -q "$sentence" stderr
}

# Empty tables have a reason. A trace without events has none to show; an empty file is no trace.
nothing() {
	local file

	printf '# tracer: function_graph\n#\n' >log
	echo '            bash-9       [000] .....     1.000500: kfree: call_site=f+0x1/0x2 ptr=000000001a2b3c4d' >kmem
	for file in log kmem; do
		latency -t 134 -f $file >out 2>stderr || return 1
		[ "$(cat stderr)" = "kmem-account: $file: no slow call, and no event of reclaim, $(
			)compaction or shrinkers in this input" ] || { cat stderr; return 1; }
	done
	: >none
	refuse 1 'none: the file is empty, not a function_graph trace' -t 1 -f none
}

refused() {
	echo 'no log' >none
	refuse 1 'neither a function_graph trace' -t 1 -f none || return 1
	# binary data with lines that look like calls, whose first zero is not among the first bytes
	{ for i in 1 2 3; do at "$i" 0 a-1 '! 200.000 us' '} /* f */'; done; printf '\0\n'; } >none
	refuse 1 'a binary file, not a function_graph trace' -t 1 -f none || return 1
	refuse 1 'cannot open' -t 1 -f nosuch || return 1
	refuse 2 "invalid -t 'x' (expected 0 to 1000000000000 microseconds" -t x -f none || return 1
	refuse 2 "invalid -t '0' (expected, without -f, a whole number from 1 to 4294967 microseconds" -t 0 || return 1
	refuse 2 "invalid -t '0.5' (expected, without -f" -t 0.5 || return 1
	refuse 2 'latency: -f cannot be combined with -s' -t 1 -f none -s / || return 1
	refuse 2 "latency: invalid --by 'x' (expected cause, " -t 1 -f none --by x || return 1
	refuse 2 "latency: invalid --format 'x'" -t 1 -f none --format x || return 1
	refuse 1 'nosuch/file' -t 1 -f "$data/small.account" -o nosuch/file
}

packed() {
	"$here/latency.py" make 9 log || return 1
	latency -t 134 -f log >want || return 1
	gzip -k log
	latency -t 134 -f log.gz -o file && diff want file || return 1
	sed 's/$/\r/' log >dos
	latency -t 134 -f dos --summary >dos.out && latency -t 134 -f log --summary | diff - dos.out
}

# peak ROUNDS: most memory, KiB, while it reads the log so many times over, from a pipe
peak() {
	python3 - "$program" "$1" <<-'END'
		import resource, subprocess, sys
		log = open("log", "rb").read()
		run = subprocess.Popen([sys.argv[1], "latency", "-t", "134", "-f", "-", "--by", "task"],
		                       stdin=subprocess.PIPE, stdout=open("out", "wb"))
		for _ in range(int(sys.argv[2])):
		    run.stdin.write(log)
		run.stdin.close()
		if run.wait():
		    sys.exit("failed")
		print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
	END
}

# Memory is bounded by the calls that are open: the length of a log is no matter.
memory() {
	local short long

	"$here/latency.py" make 3 log || return 1
	short=$(peak 30) && long=$(peak 600) || return 1
	echo "$short KiB for $((30 * $(stat -c %s log))) bytes, $long for 20 times that"
	[ "$long" -le $((short + 1024)) ]
}

# A log of a kernel: what is shown, and the shrinkers, as the script computes them.
recorded() {
	xz -cd "$1" >log
	"$here/latency.py" rules 134 <log >want || return 1
	[ "$(grep -c mm_ want)" -gt 5 ] && grep -q '^kma_shrink_scan : ' want || return 1
	latency -t 134 -f log | sed '/^$/,$d' | diff want - && ! latency -t 134 -f log | grep understood >/dev/null
}

# Who has waited, in a log of a kernel: the module that made the pressure, three times.
recorded_sites() {
	local file

	for file in "$data"/latency/stack-*.log.xz; do
		xz -cd "$file" >log
		latency -t 134 -f log --by site --format csv |
			sed -nE 's/^kma_shrink_write\+.*,direct_reclaim,([0-9]+),([0-9]+),.*/\1 \2/p' >got
		"$here/latency.py" waited kma_shrink_write <log >want
		{ diff want got && grep -q '^3 ' got; } || { echo "$file"; return 1; }
		# rows of allocations add up to all of them
		[ "$(latency -t 134 -f log --by site --format csv | awk -F, '$2 == "allocation" { s += $4 } END { printf "%.0f", s }')" = \
			"$(latency -t 134 -f log --format csv | awk -F, '$1 == "allocation" { print $3 }')" ] || return 1
	done
}

# Since 3.2, trace-cmd report prints the flags of latency after the CPU; a trace.dat's lines have
# none, as trace-cmd printed them before.
without_flags() {
	sed -E 's/( \[[0-9]{3}\]) [^ ]{4,5}( +[0-9]+\.[0-9]+: )/\1\2/'
}

# The report of a trace.dat is that of trace-cmd's text, except for the first line and for the
# marks of long durations, of which trace-cmd knows fewer.
report_of_dat() {
	sed -E 's|(^# latency:.*from \|"input": ).*||; /^  "lines": /d; s/(funcgraph_exit:) +[^ ] /\1 /'
}

dat() {
	local format

	trace-cmd report -O tailprint -i "$data/latency/6.1.dat" >text 2>/dev/null
	for format in table csv json; do
		latency -t 134 -f text --format "$format" | without_flags | report_of_dat >want &&
			latency -t 134 -f "$data/latency/6.1.dat" --format "$format" | report_of_dat >got || return 1
		grep -q direct_reclaim got && diff want got || return 1
	done
}

packed_dat() {
	latency -t 134 -f "$data/latency/6.1.dat" --format csv >want
	xz -c "$data/latency/6.1.dat" | latency -t 134 -f - --format csv >got && diff want got
}

# What report makes of it is what it makes of trace-cmd's lines, and all of the allocations' time.
dat_report() {
	trace-cmd report -O tailprint -i "$data/latency/6.1.dat" >text 2>/dev/null
	"$program" report -f text --format csv >want && "$program" report -f "$data/latency/6.1.dat" --format csv >got &&
		diff want got || return 1
	[ "$(awk -F, 'NR > 1 { print $3, $2 }' got)" = "$(latency -t 134 -f text --format csv |
		awk -F, '$1 == "allocation" { print $2, $3 }')" ]
}

# A recording in which nothing happened is no empty file.
dat_without_events() {
	trace-cmd split -i "$data/latency/6.1.dat" -o idle.dat 99999 >/dev/null 2>&1
	# trace-cmd 3.1 adds a number to the name, 3.3 does not
	[ -e idle.dat.1 ] || mv idle.dat idle.dat.1 || return
	! trace-cmd report -i idle.dat.1 2>/dev/null | grep ': funcgraph_' || return 1
	latency -t 134 -f idle.dat.1 --format csv >out 2>stderr || { cat stderr; return 1; }
	cat stderr
	[ "$(cat stderr)" = "kmem-account: idle.dat.1: no slow call, and no event of reclaim, $(
		)compaction or shrinkers in this input" ]
}

cut_dat() {
	local len

	for len in 40 5000 15000; do
		head -c $len "$data/latency/6.1.dat" >cut.dat
		! latency -t 134 -f cut.dat -o none 2>err && [ ! -e none ] &&
			[ "$(wc -l <err)" = 1 ] && grep -q 'cut.dat: .*corrupt or truncated$' err || return 1
	done
}

logs=("$data"/latency/*.log.xz)
ktap_plan $((52 + ${#logs[@]}))
for log in "${logs[@]}"; do
	ktap "$(basename "$log"): the five rules, by another program" recorded "$log"
done
ktap "each column there: lines, shrinkers, causes" forms
ktap "all functions, as }" forms nothresh notail
ktap "all functions, as } and their name" forms nothresh
ktap "no column of tasks" forms noproc
ktap "no column of tasks, no names" forms noproc nothresh notail
ktap "no times: said" forms noabstime
ktap "trace-cmd report" forms trace-cmd
ktap "trace-cmd report of all functions" forms trace-cmd nothresh notail
ktap "reclaim of cgroups, and tasks that wait" forms memcg switches
ktap "the same, all functions" forms memcg switches nothresh
ktap "the same by trace-cmd report" forms memcg switches trace-cmd
ktap "a task that waited has its name" named_waiter
ktap "a task whose name looks like a field" misnamed_waiter
ktap "waiting after a lost end" waited_after_loss
ktap "waiting around another allocation" waited_outside
ktap "a trace.dat" dat
ktap "a trace.dat, packed and through a pipe" packed_dat
ktap "a trace.dat, as a report" dat_report
ktap "a trace.dat without events" dat_without_events
ktap "a trace.dat that is cut" cut_dat
ktap "by task" by_key task
ktap "by order" by_key order
ktap "'direct_reclaim_begin and _end only when try_to_free_pages has exceeded'" \
	shown_with try_to_free_pages mm_vmscan_direct_reclaim_begin mm_vmscan_direct_reclaim_end
ktap "'compaction_begin and _end only when compact_zone has exceeded'" \
	shown_with compact_zone mm_compaction_begin mm_compaction_end
ktap "'try_to_compact_pages only when try_to_compact_pages has exceeded'" \
	shown_with try_to_compact_pages mm_compaction_try_to_compact_pages
ktap "'shrink_slab_start and _end only when the time elapsed between them exceeds'" shrink_rule
ktap "'lru_shrink_inactive only when shrink_inactive_list has exceeded'" \
	shown_with shrink_inactive_list mm_vmscan_lru_shrink_inactive
ktap "'threshold, on the other hand, must be set'" no_threshold
ktap "'threshold (134 us in this case)'" microseconds
ktap "'When CTRL+C is pressed, the script shows the times taken by the shrinkers'" interrupted INT
ktap "SIGTERM does as well" interrupted TERM
ktap "SIGUSR1 shows them without an end" interrupted USR1
ktap "from a slow pipe" at_once
ktap "'not possible to differentiate among the superblock shrinkers': by address" superblocks
ktap "by name, where the log has them" superblock_names
ktap "an address that gets another name" renamed
ktap "a cause that was not recorded" not_recorded
ktap "ends of functions only" ends_only
ktap "by site: stacks" sites
ktap "by site: logs of four kernels" recorded_sites
ktap "by gfp" by_key gfp
ktap "by node, which only shrinkers have" by_key node
ktap "by site: functions that are open" callers
ktap "lost events" lost
ktap "a begin without an end" no_end
ktap "the clock went back" backwards
ktap "cut anywhere" cut_anywhere
ktap "lines of CPUs that switch" switched
ktap "packed, into a file, with CR LF" packed
ktap "memory does not grow with the log" memory
ktap "nothing to show: says why" nothing
ktap "refused" refused
ktap_end
