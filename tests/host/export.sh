#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# export: pprof, folded, speedscope, prometheus and openmetrics of made accounts, of each reader's
# input and of recorded logs, read by decoders of our own (export.py); chains of inlined functions
# beside addr2line -i. The real consumers
# (go tool pprof, protoc, promtool) are in tests/fleet.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

check() { /usr/bin/python3 "$here/export.py" "$@"; }
export_() { "$program" export "$@"; }

cd "$work"
fixture mktree.sh mini >/dev/null
vmlinux=mini/debug/boot/vmlinux-6.1.0-mini
build_id() { readelf -n "$1" 2>/dev/null | awk '/Build ID/ { print $3 }'; }

pprof_small() {
	export_ pprof "$data/small.account" -O small.pb.gz
	check functions small.pb.gz "$data/small.account"
	check pprof small.pb.gz types=alloc_objects/count,inuse_space/bytes,slack_space/bytes \
		default=inuse_space drop=True time=0 "mappings=[kernel.kallsyms]:,ext4.ko:" flags=1000,1000 \
		modules=ext4 kinds= addresses=0 "has=frees of unknown objects: 12" \
		"has=events not recorded: 7" "has=return address less 1" \
		"has=the input has no build ID of the kernel"
	export_ pprof "$data/small.account" --keep-wrappers -O kept.pb.gz
	check pprof kept.pb.gz drop=False
}

# The same account gives the same bytes, in whatever order its rows come, and from a pipe.
identical() {
	local head

	head=$(grep -n 'caller$' "$data/small.account" | cut -d : -f 1)
	{ head -n "$head" "$data/small.account"; tail -n "+$((head + 1))" "$data/small.account" | sort -r; } >turned.account
	export_ pprof turned.account | cmp - small.pb.gz
	export_ pprof - <"$data/small.account" | cmp - small.pb.gz
	for format in folded speedscope prometheus openmetrics; do
		export_ "$format" "$data/small.account" >one
		export_ "$format" turned.account | cmp - one
	done
}

pprof_lines() {
	inlined
	export_ pprof calls.account --vmlinux vmlinux-1 -O calls.pb.gz
	check lines calls.pb.gz vmlinux-1
	check pprof calls.pb.gz "flags=1111"
}

pprof_build_ids() {
	export_ pprof "$data/readers/sites-6.1" -O sites.pb.gz
	id=$(awk -F '\t' '$12 == "vmlinux" { print $14; exit }' "$data/readers/sites-6.1")
	check pprof sites.pb.gz | grep -F "mappings=[kernel.kallsyms]:$id" >/dev/null
	check pprof sites.pb.gz \
		types=alloc_objects/count,alloc_space/bytes,inuse_objects/count,inuse_space/bytes,slack_space/bytes
}

# The kernel of another machine is refused with a sentence, and changes no byte of the export.
another_machine() {
	local format

	for format in pprof folded speedscope prometheus; do
		export_ "$format" "$data/readers/sites-6.1" >without 2>/dev/null
		export_ "$format" "$data/readers/sites-6.1" --vmlinux "$vmlinux" >with 2>said
		cmp without with
		grep -q "$vmlinux: does not match the input: only 0 of .* call sites agree in name and size; reporting by caller only" said
	done
}

# Every input of every reader, and the recorded logs of five kernels from 3.x on.
readers() {
	local file

	for file in "$data"/readers/[a-z]* "$data"/readers/where-6.1/{caches,sites} "$data"/logs/*.?z "$data"/formats/account* "$data"/formats/db-1.db \
		"$data"/formats/*.log.xz; do
		[ ! -d "$file" ] || continue
		echo "$file"
		export_ pprof "$file" -O each.pb.gz -q 2>/dev/null
		"$program" report "$file" --by caller --format csv -q >each.csv 2>/dev/null
		check agree each.pb.gz each.csv
		export_ prometheus "$file" -q >each.prom 2>/dev/null
		check metrics each.prom
	done
}

# The 3.x kernel's log, whose sites are addresses: with its vmlinux they would have names.
old_log() {
	export_ pprof "$data/logs/slab-3.x.log.gz" -q -O old.pb.gz
	check pprof old.pb.gz default=inuse_space
	zcat "$data/logs/slab-3.x.log.gz" | awk '/ (kmalloc|kmem_cache_alloc)(_node)?: / { n++ } END { print n }' >events
	/usr/bin/python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import export
print(export.Profile("old.pb.gz").sums()["alloc_objects"])' "$here" | diff - events
}

folded() {
	local total

	export_ folded "$data/small.account" >small.folded
	check folded small.folded 44268
	grep -x 'alloc_inode 20480' small.folded >/dev/null
	export_ folded "$data/small.account" -a waste >waste.folded
	check folded waste.folded 3232
	export_ folded "$data/small.account" --roots module | grep -x 'ext4;ext4_alloc_inode 12288' >/dev/null
	# directories above the functions; two call sites of a function are one line
	golden_setup
	export_ folded mine.account --vmlinux "$vmlinux" >tree.folded
	total=$(awk '{ t += $1 } END { print t }' rows)
	check folded tree.folded "$total"
	grep '^fs;alpha;inode.c;alpha_inode_alloc [0-9]*$' tree.folded >/dev/null
	grep -x '\[module not_there\];nosuch 640' tree.folded >/dev/null
	# wrappers are left out, unless the user wants them
	inlined
	export_ folded calls.account --vmlinux vmlinux-1 --roots none >hidden
	export_ folded calls.account --vmlinux vmlinux-1 --roots none --keep-wrappers >shown
	[ "$(grep -c 'k[mz]alloc' hidden)" = 0 ]
	grep -E '^inode_alloc;kzalloc;kmalloc [0-9]+$' shown >/dev/null
	check folded hidden "$(awk '{ t += $1 } END { print t }' calls)"
	# SLUB's file has no bytes: what the numbers are is said, unless the user chose them
	"$program" export folded "$data/readers/alloc_traces-6.1" >implied 2>said
	"$program" export folded "$data/readers/alloc_traces-6.1" -a waste >chosen 2>quiet
	cmp implied chosen && ! grep 'no live bytes' quiet
	grep -q 'alloc_traces-6.1: no live bytes in this input; the numbers are wasted bytes (-a waste)$' said
	"$program" export folded "$data/small.account" >/dev/null 2>quiet && [ ! -s quiet ]
}

differential() {
	sed 's/^   20480     1024    19456 /   30720     1536    29184 /; s/44268/54508/; s/41036/50764/; s/3232/3744/' \
		"$data/small.account" >grown.account
	export_ folded "$data/small.account" grown.account >both.folded
	check folded both.folded 44268 54508
	grep -x 'alloc_inode 20480 30720' both.folded >/dev/null
}

speedscope() {
	export_ speedscope "$data/small.account" -O small.json
	check speedscope small.json 44268
	golden_setup
	export_ speedscope mine.account --vmlinux "$vmlinux" -O tree.json
	check speedscope tree.json "$(awk '{ t += $1 } END { print t }' rows)"
	grep '"name": "alpha_inode_alloc", "file": "fs/alpha/inode.c", "line": [1-9]' tree.json >/dev/null
}

metrics() {
	local format

	golden_setup
	for format in prometheus openmetrics; do
		export_ "$format" "$data/small.account" >small.prom
		check metrics small.prom
		grep -x 'kmem_account_live_bytes 44268' small.prom >/dev/null
		grep -x 'kmem_account_events_not_recorded_total 7' small.prom >/dev/null
		export_ "$format" mine.account --vmlinux "$vmlinux" --top 3 >tree.prom
		check metrics tree.prom
		[ "$(grep -c '^kmem_account_site_live_bytes{' tree.prom)" = 4 ]
		grep '^kmem_account_directory_live_bytes{directory="fs/alpha"} ' tree.prom >/dev/null
	done
	[ "$(tail -n 1 tree.prom)" = '# EOF' ]
}

# Names are data: quotes, line breaks of another format, bytes that are no UTF-8.
names() {
	printf '%s\n' '64 0 64 1 0 a;b"c\d+0x1/0x20' '32 0 32 1 0 a;b"c\d+0x1/0x20' >odd.rows
	printf '16 0 16 1 0 caf\xe9\x1b[1m+0x1/0x20\n' >>odd.rows
	account_of odd.rows >odd.account
	export_ pprof odd.account -O odd.pb.gz && check pprof odd.pb.gz default=inuse_space
	export_ folded odd.account >odd.folded && check folded odd.folded 112
	export_ speedscope odd.account -O odd.json && check speedscope odd.json 112
	export_ prometheus odd.account >odd.prom && check metrics odd.prom
	# the two rows of one name are one series
	grep -F '{site="a;b\"c\\d+0x1"} 96' odd.prom >/dev/null
	export_ openmetrics odd.account >odd.om && check metrics odd.om
}

# Stacks are what the file has: each row's bytes, at its frames from the outermost to the call.
stacks() {
	export_ folded "$data/readers/sites-stack-6.1" --roots none --keep-wrappers >stacks.folded
	awk -F '\t' '/^# / { for (i = 1; i <= NF; i++) col[$i] = i; next }
		NR > 2 && $3 {
			n = split($col["stack"], frame, ";"); line = ""
			if ($col["stack"] == "-") { n = 1; frame[1] = $col["caller"] }
			for (i = n; i >= 1; i--) {
				sub(/\+0x.*/, "", frame[i]); line = line (i < n ? ";" : "") frame[i]
			}
			sum[line] += $3
		}
		END { for (line in sum) print line, sum[line] }' "$data/readers/sites-stack-6.1" | sort >want
	[ "$(grep -c ';.*;' want)" -gt 10 ]
	diff want stacks.folded
	export_ pprof "$data/readers/sites-stack-6.1" -O stacks.pb.gz
	check stacks stacks.pb.gz want
}

# Cgroups and NUMA nodes: families of their own, labels, roots.
groups() {
	local by file

	for by in cgroup node; do
		file=$data/readers/snapshot-${by}s-6.1
		export_ prometheus "$file" --by $by >groups.prom
		check metrics groups.prom
		export_ openmetrics "$file" --by $by >groups.om
		check metrics groups.om
		export_ prometheus "$file" >none.prom
		grep -v "^[^ ]*kmem_account_${by}_\|^# [A-Z]* kmem_account_${by}_" groups.prom | diff - none.prom
		export_ pprof "$file" --by $by -O groups.pb.gz
		export_ folded "$file" --by $by >groups.folded
		export_ speedscope "$file" --by $by -O groups.json
		check groups "$file" $by groups.prom groups.pb.gz groups.folded
		check speedscope groups.json "$(awk '{ t += $NF } END { print t }' groups.folded)"
	done
	# what a container is called is a label
	sed "s|^\([0-9]*\t\)/a\$|\1/kubepods.slice/cri-containerd-$(printf '%064d' 1).scope|" \
		"$data/readers/snapshot-cgroups-6.1" >pods
	export_ prometheus pods --by cgroup | grep -F ',container="containerd 000000000000"} ' >/dev/null
	refused 1 "no cgroups in this input; write 'cgroup on'" prometheus "$data/small.account" --by cgroup
	refused 1 'no NUMA nodes in this input' pprof "$data/readers/snapshot-cgroups-6.1" --by node
	refused 2 "invalid --by 'pod' (expected caller, file, dir" folded pods --by pod
}

# refused STATUS SENTENCE ARGUMENTS...
refused() {
	local code=0 want=$1 sentence=$2
	shift 2

	export_ "$@" >said 2>&1 || code=$?
	if [ "$code" != "$want" ] || ! grep -e "$sentence" said >/dev/null; then
		cat said
		return 1
	fi
}

bad() {
	refused 2 'no format given (expected pprof, folded, speedscope, prometheus or openmetrics)'
	refused 2 "unknown format 'flame'" flame "$data/small.account"
	if own_account; then
		export_ pprof >own.pb.gz
		[ -s own.pb.gz ]
	else
		refused 2 'no account given' pprof
	fi
	refused 2 'format pprof takes one account, not two' pprof "$data/small.account" "$data/small.account"
	refused 2 '-a has no effect on format pprof' pprof "$data/small.account" -a waste
	refused 2 '--top has no effect on format folded' folded "$data/small.account" --top 5
	refused 2 "argument" folded a b c d
	refused 1 "no attribute 'peak' in this input" folded "$data/small.account" -a peak
	refused 1 'nowhere/x' pprof "$data/small.account" -O nowhere/x
	refused 1 'no/such' pprof no/such
	echo rubbish >rubbish
	refused 1 'rubbish' pprof rubbish -O half.pb.gz
	[ ! -e half.pb.gz ]
	[ ! -w /dev/full ] || refused 1 'cannot write' speedscope "$data/small.account" -O /dev/full
	# a kernel of another build gives no lines
	export_ pprof "$data/readers/sites-6.1" --vmlinux "$vmlinux" -O other.pb.gz 2>said
	grep 'caller only' said >/dev/null
	cmp other.pb.gz sites.pb.gz
	# a binary file is nothing for a terminal
	/usr/bin/python3 -c 'import os, pty, sys
code = os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:]))
sys.exit(code != 2)' "$program" export pprof "$data/small.account" >said
	grep 'refusing to write a binary file to a terminal' said >/dev/null
}

ktap_plan 15
ktap "pprof of a text account: values, types, comments" pprof_small
ktap "the same account gives the same bytes" identical
ktap "pprof: chains of inlined functions are those of addr2line -i" pprof_lines
ktap "pprof: mappings have the build IDs" pprof_build_ids
ktap "the kernel of another machine" another_machine
ktap "every input of every reader is exported, with the sums of its report" readers
ktap "the log of a 3.x kernel becomes a profile" old_log
ktap "folded stacks" folded
ktap "folded stacks of two accounts" differential
ktap "call stacks, as folded lines and as a profile" stacks
ktap "speedscope" speedscope
ktap "prometheus and openmetrics" metrics
ktap "cgroups and NUMA nodes: families, labels, roots" groups
ktap "names that the formats have to escape" names
ktap "bad input: one sentence, no half file" bad
ktap_end
