#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What kernels write of their memory, read by the program and by an independent
# script: every number of every row; packed, through a pipe; by directory without
# a kernel where the input knows files; and what is wrong is named with its line.
# shellcheck disable=SC2015,SC2094 # what fails shows its output; want and got differ
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

samples=$data/readers
cd "$work"

# cells BY FILE...: a csv report as "metric<TAB>caller<TAB>number"; two rows of one
# name are added up
cells() {
	local by=$1
	shift

	"$program" report "$@" --by "$by" --format csv >table || return 1
	python3 -c '
import collections, csv, sys
rows = list(csv.reader(open("table")))
sums = collections.Counter()
for row in rows[1:]:
    for metric, value in zip(rows[0][1:], row[1:]):
        if metric != "kind":
            sums[metric, row[0]] += int(value)
for (metric, name), value in sums.items():
    print(f"{metric}\t{sys.argv[1]}{name}\t{value}")' "$([ "$by" = caller ] || echo "$by:")" | sort
}

# agrees KIND FILE [NUMBERS]: with the script, in every number; more than NUMBERS of them
agrees() {
	"$here/readers.py" "$1" "$samples/$2" | grep -v "$(printf '\tdir:')" | sort >want
	cells caller "$samples/$2" 2>stderr >got || { cat stderr; return 1; }
	[ "$(wc -l <want)" -gt "${3-10}" ] && diff want got
}

same_culled() {
	"$program" report "$samples/page-owner-6.1" --format csv >want
	"$program" report "$samples/page-owner-cull-6.1" --format csv | cmp - want
}

# A task can give itself any name, and these files print it as it is.
line_ends() {
	sed 's/(init)/(in\nit)/' "$samples/page-owner" >owner
	sed 's/"kworker/"k\nworker/' "$samples/kmemleak-6.1" >leaks
	! cmp -s owner "$samples/page-owner" && ! cmp -s leaks "$samples/kmemleak-6.1" || return
	"$program" report "$samples/page-owner" --format csv >want && "$program" report owner --format csv | cmp - want &&
		"$program" report "$samples/kmemleak-6.1" --format csv >want && "$program" report leaks --format csv | cmp - want
}

# Where memleak's report is truncated: as many lines of it, with another number of stacks in its title, and what is said.
# The title of libbpf-tools has the number of stacks that follow (nr_allocs_to_show of its memleak.c), that of bcc a limit.
memleak_truncated() {
	local file lines stacks sentence

	while read -r lines stacks sentence; do
		head -n "$lines" "$samples/memleak-libbpf-6.1" | sed "s/Top 40 /Top $stacks /" >part
		"$program" report part --format csv >got 2>said && grep -q "^kmem-account: part: $sentence$" said &&
			[ "$(grep -c truncated said)" = 1 ] || { echo "$lines"; cat said; return 1; }
	done <<-END
		41 3 the last stack ends at path_lookupat+0x67, which has callers in other stacks; the report may be truncated
		49 1 the last stack has no frames; the report may be truncated
		60 2 the last stack ends at ___slab_alloc+0x379, which has callers in other stacks; the report may be truncated
		47 40 truncated: the report has 3 of the 40 stacks that its title announces
		56 40 truncated: the report has 1 of the 40 stacks that its title announces
	END
	head -n 14 "$samples/memleak-libbpf-6.1" | sed 's/Top 40 /Top 1 /' >one
	head -n 56 "$samples/memleak-libbpf-6.1" | sed 's/Top 40 /Top 1 /' >whole
	# the last line says that the report is whole, whatever its last frame is
	{ head -n 41 "$samples/memleak-libbpf-6.1" | sed 's/Top 40 /Top 3 /' && echo 'done'; } >ended
	for file in one whole ended "$samples/memleak-libbpf-6.1" "$samples/memleak-bcc"; do
		"$program" report "$file" >got 2>said && ! grep truncated said || return
	done
}

# Who the slab allocator took pages for.
slabs_by_stack() {
	"$program" report "$samples/page-owner" --by stack --format csv 2>stderr >got || { cat stderr; return 1; }
	grep '^"\?alloc_inode+0x59/0xc0;new_inode+0x12/0x60"\?,32768,1$' got || { cat got; return 1; }
}

table_is_cut() {
	agrees perf_kmem perf-kmem-raw-6.1 &&
		grep -q 'perf left out call sites' stderr
}

agrees_by_dir() {
	"$here/readers.py" allocinfo "$samples/allocinfo-2.0" | grep "$(printf '\tdir:')" | sort >want
	cells dir "$samples/allocinfo-2.0" 2>stderr >got
	grep -q 'allocinfo-2.0: 2 rows were negative' stderr && [ "$(wc -l <want)" -gt 10 ] && diff want got
}

# The kernel's own two files of one moment, in what both have.
same_as_account() {
	"$program" report "$samples/account$1-6.1" --format csv | sort >want
	"$program" report "$samples/sites$1-6.1" --format csv | cut -d, -f 1-6 | sort >got
	[ "$(wc -l <want)" -gt 50 ] && diff want got
}

rings_by_dir() {
	"$program" rings "$samples/allocinfo-2.0" -b fs -r rings.svg 2>/dev/null
	grep -q 'ext4' rings.svg && grep -q 'directory, file and caller' rings.svg
}

# packed COMMAND: whatever way it comes, it is the same report
packed() {
	"$program" report "$samples/sites-6.1" --format csv >want
	$1 <"$samples/sites-6.1" >packed
	"$program" report packed --format csv | cmp - want &&
		$1 <"$samples/sites-6.1" | "$program" report - --format csv | cmp - want
}

absent() {
	local attr=$1 words=$2 got=0

	"$program" report "$samples/$3" -a "$attr" >stdout 2>stderr || got=$?
	[ "$got" -eq 1 ] && [ ! -s stdout ] && grep -q "^kmem-account: $words" stderr || { cat stderr; return 1; }
}

# other_line FILE SAMPLE LINE: a line of other text in a report changes no number, and is reported
other_line() {
	sed "$3i what is this" "$samples/$2" >"$1"
	"$program" report "$samples/$2" --format csv >want 2>/dev/null
	"$program" report "$1" --format csv 2>stderr | cmp - want &&
		grep -q "^kmem-account: $1: 1 line of other text was passed over (first: line $3)$" stderr
}

# A file that ends in the name of a function: the numbers of its row are there.
name_is_cut() {
	"$program" report info-name --by caller --format csv >stdout 2>stderr &&
		grep -qx 'fs/ext4/super.c:1219 ext4_fill_ \[ext4\],8192,2' stdout &&
		grep -q 'info-name: line 6, the last one, has no line end: the name at its end may be cut' stderr || { cat stdout stderr; return 1; }
	"$program" diff info-name "$samples/allocinfo-2.0" --fail-above 0 >stdout 2>stderr && return 1
	grep -q 'parts of info-name could not be read; --fail-above is not checked' stderr || { cat stderr; return 1; }
}

# refused FILE PATTERN: exit 1, and one line that names file and line
refused() {
	local got=0

	"$program" report "$1" >stdout 2>stderr || got=$?
	[ "$got" -eq 1 ] && [ ! -s stdout ] && [ "$(wc -l <stderr)" -eq 1 ] &&
		grep -qE "^kmem-account: $2" stderr || { cat stderr; return 1; }
}

# A pipe that has no end but Ctrl-C: the report comes all the same.
interrupted() {
	local pid writer

	mkfifo pipe
	# ours opens it, too: it has an end only when both have gone
	exec 3<>pipe
	cat "$samples/sites-6.1" >&3 &
	writer=$!
	# bash ignores SIGINT in what it starts in the background
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$program" report pipe --format csv >stdout 2>stderr &
	pid=$!
	wait "$writer"
	# all of it has been read when the pipe is empty
	python3 -c 'import array, fcntl, termios, time
left = array.array("i", [1])
while left[0]:
    time.sleep(0.1)
    fcntl.ioctl(3, termios.FIONREAD, left)'
	kill -INT "$pid"
	wait "$pid"
	exec 3>&-
	"$program" report "$samples/sites-6.1" --format csv | cmp - stdout &&
		grep -q '^kmem-account: pipe: interrupted' stderr
}

# edit NAME FILE SED-EXPRESSION: a damaged copy
edit() { sed "$3" "$samples/$2" >"$1"; }

edit sites-version sites-6.1 '1s/1$/2/'
edit sites-short sites-6.1 '9s/	[^	]*$//'
edit sites-long sites-6.1 '9s/$/	1/'
edit sites-sum sites-6.1 '4s/^\([0-9]*	0x[0-9a-f]*	\)/\11/'
edit sites-negative sites-6.1 '4s/^\([0-9]*	0x[0-9a-f]*	\)/\1-/'
edit sites-columns sites-6.1 '2s/# /#/'
edit sites-twice sites-6.1 '2s/slack/total/'
edit sites-caller sites-6.1 '2s/caller/whose/'
head -c 2000 "$samples/sites-6.1" >sites-cut
head -n 1 "$samples/sites-6.1" >sites-head
{ head -n 5 "$samples/sites-6.1"; printf '1\0002\n'; } >sites-nul
edit slub-number alloc_traces-6.1 '2s/^ *[0-9]*/99999999999999999999/'
head -c 1000 "$samples/alloc_traces-6.1" >slub-cut
edit info-file allocinfo-2.0 '4s/:[0-9]* / /'
edit info-func allocinfo-2.0 '5s/func://'
edit info-size allocinfo-2.0 '6s/8192/8k/'
head -c 284 "$samples/allocinfo-2.0" >info-cut
head -c 300 "$samples/allocinfo-2.0" >info-name
sed '/^  backtrace/,$d' "$samples/kmemleak-6.1" >kmemleak-cut
edit owner-order page-owner '1s/order 0/order x/'
head -n 4 "$samples/page-owner" >owner-short
edit owner-pages page-owner-stacks '8s/4111/99999999999999999999/'
head -c 700 "$samples/page-owner" >owner-cut
edit kmemleak-size kmemleak-6.1 '1s/(size 1024)/()/'
edit memleak-process memleak-libbpf-6.1 's/^tracing kernel: true/tracing kernel: false/'
head -n 48 "$samples/memleak-libbpf-6.1" | tail -n 1 >memleak-title
edit memleak-bytes memleak-libbpf-6.1 '6s/^[0-9]* /x /'
edit perf-number perf-kmem-6.1 '5s,/,-,'
head -n 8 "$samples/perf-kmem-6.1" >perf-cut
cases="
owner-order	owner-order:1: the order is not a number
owner-short	owner-short:5: truncated in a record
owner-pages	owner-pages:8: the number of pages is too large
owner-cut	owner-cut:[0-9]*: truncated in a line
kmemleak-cut	kmemleak-cut:[0-9]*: truncated: the last object has no backtrace
kmemleak-size	kmemleak-size:1: the object has no '\(size N\)'
memleak-process	memleak-process:3: memleak traced a process; trace the kernel, without --pid
memleak-title	memleak-title:2: the last report ends with its title: nothing was outstanding, or the text is cut there
memleak-bytes	memleak-bytes:6: the number of bytes is not a number
perf-number	perf-number:5: column 'Total_alloc' is not a number
perf-cut	perf-cut:9: truncated in the table
sites-version	sites-version:1: unsupported version '2' \(supported: 1\)
sites-short	sites-short:9: the row has [0-9]* columns \(expected
sites-long	sites-long:9: the row has [0-9]* columns \(expected
sites-sum	sites-sum:4: total is not slack \+ req
sites-negative	sites-negative:4: total is negative
sites-columns	sites-columns:2: expected a line '# ' with the names
sites-twice	sites-twice:2: column 'total' occurs twice
sites-caller	sites-caller:2: no column 'caller'
sites-cut	sites-cut:[0-9]*: truncated in a row
sites-head	sites-head:2: truncated before the line with the names
sites-nul	sites-nul:6: a binary file
slub-number	slub-number:2: the number of objects is too large
slub-cut	slub-cut:[0-9]*: truncated in a line
info-file	info-file:4: the row has no 'file:line'
info-func	info-func:5: the row has no 'func:'
info-size	info-size:6: the size is not a number
info-cut	info-cut:[0-9]*: truncated in a line
"

ktap_plan $((3 + 6 + 13 + 2 + 2 + 3 + 3 + 2 + $(awk NF <<<"$cases" | wc -l)))
ktap "sites agree with the script" agrees sites sites-6.1
ktap "sites with stacks agree with the script" agrees sites sites-stack-6.1
ktap "alloc_traces agree with the script" agrees slub alloc_traces-6.1
ktap "alloc_calls agree with the script" agrees slub alloc_calls-5.10
ktap "allocinfo agrees with the script" agrees allocinfo allocinfo-2.0
ktap "a kernel's allocinfo, too" agrees allocinfo allocinfo-6.12
ktap "page_owner agrees with the script" agrees page_owner page-owner 9
ktap "a kernel's page_owner agrees with the script" agrees page_owner page-owner-6.1
ktap "page_owner_sort agrees with the script" agrees page_owner page-owner-sort-6.1
ktap "page_owner_sort --cull is the same" same_culled
ktap "page_owner_stacks agree with the script" agrees page_owner page-owner-stacks 2
ktap "tasks with a line end in their names" line_ends
ktap "pages of slabs by stack" slabs_by_stack
ktap "kmemleak agrees with the script" agrees kmemleak kmemleak-6.1 5
ktap "libbpf-tools' memleak agrees with the script" agrees memleak memleak-libbpf-6.1
ktap "bcc's memleak, its last report" agrees memleak memleak-bcc 3
ktap "memleak's report, truncated at the end of a line" memleak_truncated
ktap "perf kmem agrees with the script" agrees perf_kmem perf-kmem-6.1
ktap "with addresses, and more rows than it has" table_is_cut
ktap "sites agree with /proc/kmem_account" same_as_account ''
ktap "sites with stacks agree with /proc/kmem_account" same_as_account -stack
ktap "allocinfo by directory, without a kernel" agrees_by_dir
ktap "allocinfo as rings, a branch of it" rings_by_dir
ktap "gzip" packed "gzip -c"
ktap "xz" packed "xz -c"
ktap "zstd" packed "zstd -q -c"
ktap "SLUB's file has no bytes" absent total "no attribute 'current_dynamic' in this input (available: waste, objects)" alloc_traces-6.1
ktap "an old one has no waste" absent waste "no attribute 'waste' in this input (available: objects)" alloc_calls-5.10
ktap "without age nothing is remote" absent remote_cpu "no attribute 'remote_frees' in this input" sites-6.1
ktap "other text in alloc_traces" other_line slub-text alloc_traces-6.1 9
ktap "other text in page_owner" other_line owner-text page-owner 4
ktap "other text in kmemleak" other_line kmemleak-text kmemleak-6.1 8
ktap "a last line without its end" name_is_cut
ktap "Ctrl-C ends a pipe, not the report" interrupted
while read -r file pattern; do
	[ -z "$file" ] || ktap "input: $file" refused "$file" "$pattern"
done <<<"$cases"
ktap_end
