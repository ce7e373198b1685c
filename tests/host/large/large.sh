#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Input that is larger than any kernel makes it: ten million call sites, names of
# hundreds of thousands of files, lines of a million characters, paths without an end.
# No crash, no time that grows with the square, memory within a bound, nothing lost.
# shellcheck disable=SC2015 # what fails shows its output
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
cd "$work"

# With the square of its rows each of these would take ten minutes. It is the CPU's time that
# is counted: what else the machine has to do is none of this.
seconds=120

# limited COMMAND...: ended when it has used that up
limited() {
	(ulimit -t "$seconds" && exec "$@")
}

# program_within MIB ARGUMENTS...: the program, whose memory stays below that
program_within() {
	limited python3 -c '
import resource, subprocess, sys
status = subprocess.run(sys.argv[2:]).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
if peak > int(sys.argv[1]):
    sys.exit(f"{peak} MiB, of {sys.argv[1]}")
sys.exit(status)' "$1" "$program" "${@:2}"
}

# A log of kmalloc: so many lines, of so many call sites, at so many addresses.
make_log() {
	cat >log.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	unsigned long lines = strtoul(argv[1], 0, 0), sites = strtoul(argv[2], 0, 0);
	unsigned long objects = argc > 3 ? strtoul(argv[3], 0, 0) : 1;

	puts("# tracer: nop\n#");
	for (unsigned long i = 0; i < lines; i++)
		printf("  cat-1  [000] .....  %lu.%06lu: kmalloc: call_site=f%lu+0x1/0x90 "
		       "ptr=%016lx bytes_req=60 bytes_alloc=64 gfp_flags=GFP_KERNEL\n",
		       i / 1000000, i % 1000000, i % sites, 0xffff888000000000 + i % objects * 64);
	return 0;
}
END
	gcc -O2 -o log log.c
}

# The first million have rows, the others one; all are live. 0.7 KiB a site, 22 bytes
# a live object until the log ends.
ten_million_sites() {
	./log 10000000 10000000 10000000 | program_within 800 report - --top 2 --format csv >got 2>stderr ||
		{ cat stderr; return 1; }
	cat >want <<-'END'
		caller,current_dynamic,requested,waste,allocs,frees,total_dynamic,peak,objects,remote_frees,wrong_frees
		[more call sites],572891328,537085620,35805708,8951427,0,572891328,572891328,8951427,0,0
		f0+0x1/0x90,64,60,4,1,0,64,64,1,0,0
		other (1048572 rows),67108608,62914320,4194288,1048572,0,67108608,67108608,1048572,0,0
	END
	cut -d, -f1-11 got | diff want -
}

# The length of a log costs nothing but time. An address that is given anew was freed.
ten_million_lines() {
	./log 3000000 100 1 | program_within 60 report - --format csv >got
	awk -F, 'NR > 1 { live += $2; allocs += $5; frees += $6 }
		END { exit live != 64 || allocs != 3000000 || frees != 2999999 }' got
}

# rows_of KIND: an input of 300,000 rows that all have another name
rows_of() {
	case $1 in
	named)		awk 'BEGIN { for (i = 0; i < 300000; i++) print 1, 0, 1, 1, 0, "[row" i "]" }' >rows
			account_of rows ;;
	files)		printf 'allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n'
			awk 'BEGIN { for (i = 0; i < 300000; i++) printf "1 1 d%d/f%d.c:1 func:f\n", i, i }' ;;
	one-folder)	printf 'allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n'
			awk 'BEGIN { for (i = 0; i < 300000; i++) printf "1 1 d/f%d.c:1 func:f\n", i }' ;;
	notes)		head -n 9 "$data/small.account"
			awk 'BEGIN { for (i = 0; i < 300000; i++) printf "note %d: 5\n", i }'
			tail -n +10 "$data/small.account" ;;
	esac
}

# many KIND BYTES: all of its live bytes are in the report, and a chart can be drawn
many() {
	rows_of "$1" >rows-of
	program_within 800 report rows-of --top 1 --format csv >got 2>stderr || { cat stderr; return 1; }
	awk -F, -v want="$2" 'NR > 1 { sum += $2 } END { exit sum != want }' got || { cat got; return 1; }
	limited "$program" rings rows-of -r chart.svg 2>stderr && [ -s chart.svg ] ||
		{ cat stderr; return 1; }
}

# Directories in each other: more than there is stack for functions that call themselves.
deep() {
	{
		printf 'allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n7 1 '
		awk 'BEGIN { for (i = 0; i < 450000; i++) printf "a/" }'
		printf 'f.c:1 func:f\n'
	} >deep
	"$program" report deep --by dir --format csv >got
	awk -F, 'NR > 1 { sum += $2 } END { exit sum != 7 }' got
	"$program" rings deep -r chart.svg
}

# line FILE: exit 0 or 1, and at most three sentences that are no longer than a screen
line() {
	local got=0

	limited "$program" report "$1" --format csv >stdout 2>stderr || got=$?
	[ "$got" -le 1 ] && [ "$(wc -l <stderr)" -le 3 ] && [ "$(wc -c <stderr)" -lt 2000 ] ||
		{ echo "exit $got"; cut -c 1-200 stderr; return 1; }
	[ "$got" -eq 0 ] || [ ! -s stdout ]
}

# A line like that between others, at the end, and in front.
long_lines() {
	local file

	awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "x"; print "" }' >long
	for file in small.account readers/sites-6.1 readers/allocinfo-6.12 readers/alloc_traces-6.1; do
		cat "$data/$file" long >behind
		sed '14r long' "$data/$file" >between
		tr -d '\n' <long | cat - "$data/$file" >before
		line behind
		line between
		line before
	done
	xz -cd "$data/logs/slab-6.1.log.xz" >log-6.1
	"$program" report log-6.1 --format csv >want 2>stderr
	sed '200r long' log-6.1 >between
	"$program" report between --format csv 2>stderr | cmp - want
	grep -q "^kmem-account: between: 1 line.* 201" stderr || { cut -c 1-200 stderr; return 1; }
	"$program" report - --format csv <between 2>stderr | cmp - want
}

make_log
ktap_plan 8
ktap "ten million call sites, through a pipe" ten_million_sites
ktap "three million events of a hundred sites" ten_million_lines
ktap "300,000 bracketed rows" many named 300000
ktap "300,000 folders of one file" many files 300000
ktap "300,000 files of one folder" many one-folder 300000
ktap "300,000 lines in the header" many notes 44268
ktap "a path of 450,000 folders" deep
ktap "a line of a million characters" long_lines
ktap_end
