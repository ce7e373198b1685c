#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account latency on a machine, without a kernel: tracefs is a folder of files, its
# trace_pipe a FIFO. What is set up is what the RFC's setup_alloc_trace.sh does, a result in
# quotes is its sentence; whatever ends the program, each file is as before. The same in
# kernels, with instances: tests/kernel/latency.sh.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$work"

events="vmscan/mm_shrink_slab_start vmscan/mm_shrink_slab_end vmscan/mm_vmscan_direct_reclaim_begin
vmscan/mm_vmscan_direct_reclaim_end vmscan/mm_vmscan_lru_shrink_inactive
vmscan/mm_vmscan_memcg_reclaim_begin vmscan/mm_vmscan_memcg_reclaim_end
compaction/mm_compaction_begin compaction/mm_compaction_end
compaction/mm_compaction_try_to_compact_pages"
functions=(__alloc_pages_nodemask try_to_free_pages try_to_free_mem_cgroup_pages mem_cgroup_soft_limit_reclaim shrink_node
	shrink_node_memcg shrink_slab shrink_active_list shrink_inactive_list compact_zone
	try_to_compact_pages)

# fake: a tracefs with values of its own, in files that take a write for a value
fake() {
	local event

	rm -rf t before note named
	mkdir -p t/events t/options named
	for event in $events; do
		mkdir -p "t/events/$event"
		echo 0 >"t/events/$event/enable"
	done
	echo '1*' >t/events/vmscan/mm_shrink_slab_end/enable
	echo 0 >t/events/enable
	echo 1 >t/tracing_on
	echo nop >t/current_tracer
	echo 0 >t/tracing_thresh
	for event in funcgraph-proc funcgraph-abstime funcgraph-tail sym-offset; do echo 0 >t/options/$event; done
	echo 1 >t/options/funcgraph-proc
	printf 'vfs_read\next4_sync_fs\n' >t/set_ftrace_filter
	{ echo "compact_zone_order"; printf '%s\n' "${functions[@]}"; echo "ext4_sync_fs [ext4]"; } |
		sed 's/^shrink_slab$/shrink_slab.isra.0/' >t/available_filter_functions
	mkfifo t/trace_pipe
	cp -r t before
}

same() {
	rm -f before/trace_pipe
	(cd before && find . -type f) | while read -r file; do
		# 1* is 1, and what others make of it; a value may lack the end of its line
		diff <(sed 's/^1\*$/1/' "before/$file") <(sed 's/^1\*$/1/' "t/$file" | awk 1) || exit 1
	done && [ ! -e note ]
}

# start: sets pid; the log goes through the FIFO, and stays open
start() {
	"$here/latency.py" make 3 log
	env --default-signal=INT,HUP "$program" latency -t 134 -s t --note note --shrinkers named >out 2>stderr &
	pid=$!
	feed t/trace_pipe log &
	feeder=$!
	taken t/trace_pipe
}

finish() {
	kill "$feeder" 2>/dev/null || :
	wait "$feeder" 2>/dev/null || :
}

set_up() {
	local event

	[ "$(cat t/tracing_on t/current_tracer t/tracing_thresh | tr '\n' ' ')" = "1function_graph134" ] || return 1
	for event in $events; do
		[ "$(cat "t/events/$event/enable")" = 1 ] || return 1
	done
	cat t/options/func* | grep -x 111 >/dev/null || return 1
	printf '%s\n' "${functions[@]}" | sed 's/^shrink_slab$/shrink_slab.isra.0/' | sort | diff - <(sort t/set_ftrace_filter)
}

# ends SIGNAL: set up, what is slow is shown, put back, the table is there
ends() {
	fake
	start
	set_up || { kill -TERM "$pid"; finish; return 1; }
	kill "-$1" "$pid"
	wait "$pid" || { cat stderr; finish; return 1; }
	finish
	"$program" latency -t 134 -f log | diff - out && same
}

killed() {
	fake
	start
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null || :
	finish
	set_up && [ -s note ] || return 1
	# the next one puts back before it looks whether somebody traces
	echo 5 >before/tracing_thresh
	sed -i 's/\(tracing_thresh\t\)0/\15/' note
	refuse 1 "in use (tracing_thresh is '5')" -t 134 -s t --note note --shrinkers named && same
}

# The reader of the output goes; nothing slow comes any more.
closed() {
	fake
	"$here/latency.py" make 3 log
	"$program" latency -t 134 -s t --note note --shrinkers named 2>stderr | head -n 1 >out & # ends first
	pid=$!
	feed t/trace_pipe log &
	feeder=$!
	wait "$pid" || :
	finish
	for _ in $(seq 1200); do [ -e note ] || break; sleep 0.1; done
	same
}

twice() {
	fake
	start
	refuse 1 'locked by another' -t 134 -s t --note note --shrinkers named || return 1
	set_up
	kill "$pid"
	wait "$pid" && finish && same
}

halves() {
	fake
	"$program" latency -t 134 -s t --note note --shrinkers named --setup-only || return 1
	set_up && [ -s note ] || return 1
	"$program" latency --teardown -s t --note note --shrinkers named && same
}

in_use() {
	local file value

	while read -r file value; do
		fake
		echo "$value" >"t/$file"
		echo "$value" >"before/$file"
		refuse 1 "in use ($file is '$value')" -t 134 -s t --note note --shrinkers named && same || return 1
		"$program" latency -t 134 -s t --note note --shrinkers named --setup-only --force && set_up || return 1
		"$program" latency --teardown -s t --note note --shrinkers named && same || return 1
	done <<-'END'
		current_tracer function
		tracing_thresh 7
		events/enable X
	END
}

# Every step of the set-up that fails puts back the steps before.
failing() {
	local file

	for file in available_filter_functions tracing_thresh options/funcgraph-tail trace_pipe; do
		fake
		rm "t/$file" "before/$file"
		refuse 1 "$file" -t 134 -s t --note note --shrinkers named --force || return 1
		same || { echo "$file"; return 1; }
	done
}

missing() {
	fake
	sed -i '/compact/d' t/available_filter_functions
	rm -r {t,before}/events/vmscan/mm_vmscan_memcg_reclaim_*
	"$program" latency -t 134 -s t --note note --shrinkers named --setup-only 2>stderr || return 1
	"$program" latency --teardown -s t --note note --shrinkers named || return 1
	[ "$(wc -l <stderr)" = 1 ] && grep -q ": compact_zone, try_to_compact_pages, $(
		)vmscan/mm_vmscan_memcg_reclaim_begin, vmscan/mm_vmscan_memcg_reclaim_end\$" stderr
}

# By site: stacks of what ends a wait, where nobody has them already.
stacks() {
	local reclaim=t/events/vmscan/mm_vmscan_direct_reclaim_end/trigger
	local compaction=t/events/compaction/mm_compaction_end/trigger
	local shrink=t/events/vmscan/mm_shrink_slab_end/trigger
	local memcg=t/events/vmscan/mm_vmscan_memcg_reclaim_end/trigger

	fake
	printf '# Available triggers:\n# traceon traceoff snapshot stacktrace\n' | tee $reclaim $memcg >$shrink
	echo 'stacktrace:unlimited' >$compaction
	cp $compaction before/events/compaction/mm_compaction_end/
	"$program" latency -t 134 -s t --note note --shrinkers named --setup-only --by site 2>stderr || return 1
	[ "$(cat t/options/sym-offset)" = 1 ] && [ ! -s stderr ] && [ "$(tail -n 1 $reclaim)" = stacktrace ] || return 1
	[ "$(tail -n 1 $shrink)" = stacktrace ] && [ "$(tail -n 1 $memcg)" = stacktrace ] || return 1
	# a file of a kernel is not emptied: it would lose the triggers of others
	"$program" latency --teardown -s t --note note --shrinkers named || return 1
	[ "$(tail -n 1 $reclaim)" = 'stacktrace!stacktrace' ] && [ "$(wc -l <$reclaim)" = 2 ] && same || return 1
	fake
	"$program" latency -t 134 -s t --note note --shrinkers named --setup-only --by site 2>stderr || return 1
	"$program" latency --teardown -s t --note note --shrinkers named && same && grep -q 'trigger, events/' stderr
}

# sched_switch, and by site its stacks, on request alone.
switches() {
	local switch=t/events/sched/sched_switch event

	fake
	for event in sched/sched_switch irq/irq_handler_{entry,exit} irq/softirq_{entry,exit}; do
		mkdir -p {t,before}/events/"$event"
		echo 0 | tee "t/events/$event/enable" >"before/events/$event/enable"
	done
	: >$switch/trigger
	"$program" latency -t 134 -s t --note note --shrinkers named --setup-only --by site 2>stderr || return 1
	[ "$(cat $switch/enable)" = 0 ] && [ ! -s $switch/trigger ] || return 1
	"$program" latency --teardown -s t --note note --shrinkers named && same || return 1
	"$program" latency -t 134 -s t --note note --shrinkers named --setup-only --by site --switches 2>stderr || return 1
	[ "$(cat $switch/enable t/events/irq/*/enable | tr -d '\n')" = 11111 ] &&
		[ "$(cat $switch/trigger)" = stacktrace ] || return 1
	"$program" latency --teardown -s t --note note --shrinkers named && same
}

# A log of many tasks that wait, 8 KiB each: without memory for them the tracing is put back. What
# was read is in the table, or (with the least memory) nothing was read.
little_memory() {
	local limit code ended=0

	for limit in 30000 40000 60000 100000; do
		fake
		awk 'BEGIN { for (i = 1; i <= 30000; i++)
			printf "            bash-%-7d [000] ..... %5d.000001: mm_vmscan_direct_reclaim_begin: order=0 gfp_flags=GFP_NOFS\n", i, i }' >log
		(ulimit -v $limit
			exec "$program" latency -t 134 -s t --note note --shrinkers named) >out 2>stderr &
		pid=$!
		feed t/trace_pipe log &
		feeder=$!
		code=0
		wait "$pid" || code=$?
		finish
		echo "limit $limit: exit $code"
		cat stderr
		[ $code = 1 ] && [ "$(tail -n 1 stderr)" = "kmem-account: out of memory" ] && same || return 1
		ended=$((ended + $(grep -c 'begin events have no end event' out || :)))
	done
	echo "$ended tables"
	[ $ended -gt 0 ]
}

# names NAME...: what a kernel has that names its shrinkers
names() {
	fake
	mkdir -p t/events/kmem_account/kma_open "${@/#/named/}"
	printf "named/%s/count\n" "$@" | xargs touch
	printf 'p:mine vfs_read\n' >t/kprobe_events
	echo 0 >t/events/kmem_account/kma_open/enable
	echo 1 >t/options/hash-ptr
	echo '# somebody said' >t/trace_marker
	rm -r before
	cp -r t before
}

# Each name is a marker; only what is ours goes, and not before the end: the kernel clears its buffer
# then.
named() {
	# shellcheck disable=SC2016 # the kernel's
	local probe='p:kmem_account/kma_open single_open shrinker=$arg3:x64' gone='-:kmem_account/kma_open'

	names sb-ext4:vda1-37 thp-zero-3
	"$program" latency -t 134 -s t --note note --shrinkers named --setup-only 2>stderr || return 1
	[ ! -s stderr ] && [ "$(cat t/options/hash-ptr t/events/kmem_account/kma_open/enable)" = 00 ] || return 1
	printf '%s\n' 'p:mine vfs_read' "$probe" | diff - t/kprobe_events || return 1
	{ echo '# somebody said'; printf 'kma_shrinker: %s\n' thp-zero-3 sb-ext4:vda1-37 | sort; echo 'kma_shrinkers: 1'; } >want
	{ head -n 1 t/trace_marker; sed 1d t/trace_marker | sort; } | diff want - || return 1
	"$program" latency --teardown -s t --note note --shrinkers named || return 1
	[ "$(tail -n +3 t/kprobe_events)" = "$gone" ] && cp before/kprobe_events before/trace_marker t && same
}

# Whatever a kernel lacks of it is said, once, and nothing else is missing.
nameless() {
	local file

	for file in named t/kprobe_events t/options/hash-ptr t/events/kmem_account/kma_open/enable t/trace_marker; do
		names sb-proc-1
		rm -r "$file"
		rm -rf "before/${file#t/}"
		"$program" latency -t 134 -s t --note note --shrinkers named --setup-only 2>stderr && set_up || return 1
		if [ "$(wc -l <stderr)" != 1 ] || ! grep -q "by address: .*$file: " stderr; then
			cat stderr
			return 1
		fi
		"$program" latency --teardown -s t --note note --shrinkers named || return 1
		[ ! -e t/kprobe_events ] || cp before/kprobe_events t
		[ ! -e t/trace_marker ] || cp before/trace_marker t
		same || { echo "$file"; return 1; }
	done
}

# in a namespace of its own, where /sys/kernel is ours
in_places() {
	fake
	rm t/trace_pipe
	export -f places && export program
	unshare -m bash -c 'mount -t tmpfs none /sys/kernel && places'
}

# Without -s: where tracefs is mounted by itself, else where debugfs has it.
places() {
	local first=/sys/kernel/tracing second=/sys/kernel/debug/tracing

	mkdir -p $second
	cp -r t/. $second
	"$program" latency -t 134 --note note --shrinkers named --setup-only || return 1
	[ "$(cat $second/tracing_thresh)" = 134 ] && "$program" latency --note note --shrinkers named --teardown || return 1
	mkdir -p $first
	cp -r t/. $first
	"$program" latency -t 134 --note note --shrinkers named --setup-only || return 1
	[ "$(cat $first/tracing_thresh)" = 134 ] && [ "$(cat $second/tracing_thresh)" = 0 ]
}

refuse() {
	local code=0 want=$1 sentence=$2

	shift 2
	"$program" latency "$@" >refused 2>stderr || code=$?
	[ "$code" = "$want" ] && [ ! -s refused ] && [ "$(wc -l <stderr)" = 1 ] && grep -q "$sentence" stderr
}

refused() {
	fake
	refuse 2 'no threshold given' -s t --note note --shrinkers named || return 1
	refuse 2 'a whole number from' -t 1.5 -s t --note note --shrinkers named || return 1
	refuse 2 'a whole number from' -t 0 -s t --note note --shrinkers named || return 1
	refuse 1 'not a tracefs' -t 1 -s nosuch --note note --shrinkers named || return 1
	refuse 1 'nosuch/note' -t 1 -s t --note nosuch/note || return 1
	refuse 1 'nosuch' -t 1 -s t --note note --shrinkers named -o nosuch/file && same || return 1
	# a kernel without the tracer; the kernel's own error would be "Invalid argument"
	echo 'blk function nop' | tee t/available_tracers >before/available_tracers
	refuse 1 't: this kernel has no tracer function_graph' -t 1 -s t --note note --shrinkers named && same
}

ktap_plan 17
ktap "'Upon exit, it clears all the values set': Ctrl-C" ends INT
ktap "SIGTERM" ends TERM
ktap "SIGHUP" ends HUP
ktap "SIGKILL: the next one puts back" killed
ktap "the output is a pipe that is closed" closed
ktap "two at once" twice
ktap "little memory" little_memory
ktap "--setup-only and --teardown" halves
ktap "a tracer in use is not taken without --force" in_use
ktap "a set-up that fails half-way" failing
ktap "functions that the kernel does not have are named once" missing
ktap "--by site: stacks" stacks
ktap "--switches" switches
ktap "names of shrinkers" named
ktap "a kernel that has no names for them" nameless
if unshare -m mount -t tmpfs none /sys/kernel 2>/dev/null; then
	ktap "'The default ... when no path is specified': both places" in_places
else
	ktap_skip "'The default ... when no path is specified': both places" "no mount namespaces here"
fi
ktap "'The threshold on the other hand, must be set', and others refused" refused
ktap_end
