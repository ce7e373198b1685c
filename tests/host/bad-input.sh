#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Input that is not what it should be: one line on stderr, with file and line
# where there is one, the exit status, and no output file, not even a part.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

small=$data/small.account
cd "$work"

# refused STATUS PATTERN COMMAND...: the program ends with STATUS, says nothing on
# stdout and on stderr one line that matches PATTERN; no file is left.
refused() {
	local status=$1 pattern=$2 got=0
	shift 2

	rm -rf out
	mkdir out
	"$program" "$@" >stdout 2>stderr </dev/null || got=$?
	if [ "$got" -ne "$status" ]; then
		echo "exit status $got, expected $status"
		cat stderr
		return 1
	fi
	if [ "$(wc -l <stderr)" -ne 1 ] || ! grep -qE "^kmem-account: $pattern" stderr; then
		echo "expected one line: kmem-account: $pattern"
		cat stderr
		return 1
	fi
	[ ! -s stdout ] || { echo "on stdout:"; head -3 stdout; return 1; }
	[ -z "$(ls out)" ] || { echo "left: $(ls out)"; return 1; }
}

# Two MiB of lines, compressed to a few KB: every command that decompresses has --max-input.
bounded() {
	local too_many="refused: more than 1048576 bytes when decompressed; --max-input BYTES allows more"

	awk 'BEGIN { for (i = 0; i < 70000; i++) print "# a line that no reader wants" }' >lines && gzip -k lines || return
	refused 1 "lines.gz: $too_many" report lines.gz --max-input 1M &&
		refused 1 "lines.gz: $too_many" latency -t 9 -f lines.gz --max-input 1M &&
		refused 1 "lines.gz: $too_many" serve lines.gz --textfile out/metrics --max-input 1M &&
		refused 1 "lines.gz: $too_many" trace-analyze -f lines.gz --max-input 1M -c out/account &&
		! "$program" watch -f lines.gz -n 1 h --max-input 1M 2>stderr &&
		grep -q "a sample is lost: lines.gz: $too_many" stderr
}

# An input that is no account, in all three kinds of output.
bad() {
	local file=$1 pattern=$2

	refused 1 "$pattern" report "$file" -O out/report || return 1
	refused 1 "$pattern" report "$file" --format json || return 1
	refused 1 "$pattern" rings "$file" -r out/rings.svg -r out/rings.png
}

# edit NAME SED-EXPRESSION: a damaged copy
edit() { sed "$2" "$small" >"$1"; }

: >empty
edit no-header '1,10d'
# shellcheck disable=SC2016
edit half-header '5,$d'
# shellcheck disable=SC2016
edit no-columns '11,$d'
edit key-missing '3d'
edit key-twice '3p'
edit key-text '4s/1249/many/'
edit key-negative '4s/1249/-249/'
edit key-overflow '4s/1249/99999999999999999999/'
edit no-colon '7s/://'
edit column-unknown '11s/slack/slick/'
edit column-twice '11s/slack/total/'
edit caller-not-last '11s/.*/ caller total slack req alloc\/free/'
edit row-negative '13s/12288/-1228/'
edit row-overflow '13s/12288/18446744073709551616/'
edit row-text '13s/12288/12x88/'
edit row-no-slash '13s:100/88:100 88:'
edit row-no-caller '14s/copy_process.*//'
edit row-sum '14s/8192/8193/'
edit header-sum '1s/44268/44269/'
head -c 640 "$small" >cut-row
head -c 100 "$small" >cut-header
head -c 10 "$small" >cut-key
head -c 4096 /dev/urandom | tr -d '\n' >random
printf '\0' >>random
printf 'total bytes allocated: 1\0\n' >nul
printf 'hello\nworld\n' >text
gzip -c "$small" >zipped
truncate -s 200 zipped
{ head -n 11 "$small"; for _ in 1 2 3; do
	echo '9223372036854775807 0 9223372036854775807 1/0 big+0x1/0x2'
done; } >rows-overflow

cases="
empty		empty:1: the file is empty
no-header	no-header:1: unknown type of input
half-header	half-header:5: truncated in the header
no-columns	no-columns:11: truncated before the line with the names of the columns
cut-header	cut-header:3: truncated in the header
cut-key		cut-key:1: truncated in the header
cut-row		cut-row:16: truncated in a row
key-missing	key-missing:9: the header has no line 'slack bytes allocated'
key-twice	key-twice:4: line 'slack bytes allocated' occurs twice
key-text	key-text:4: number of allocs is not a number
key-negative	key-negative:4: number of allocs is negative
key-overflow	key-overflow:4: number of allocs is too large
no-colon	no-colon:7: expected 'key: value'
column-unknown	column-unknown:11: unknown column 'slick' .expected total,
column-twice	column-twice:11: column 'total' occurs twice
caller-not-last	caller-not-last:11: the last column is not 'caller'
row-negative	row-negative:13: total is negative
row-overflow	row-overflow:13: total is too large
row-text	row-text:13: total is not a number
row-no-slash	row-no-slash:13: column 'alloc/free' is not two numbers
row-no-caller	row-no-caller:14: the row has no caller
row-sum		row-sum:14: total is not slack \+ req
header-sum	header-sum:10: in the header, total is not slack \+ req
rows-overflow	rows-overflow:14: the sum of the rows exceeds 64 bits
random		random:[0-9]+: (a binary file|unknown type)
nul		nul:1: a binary file
text		text:1: unknown type of input
zipped		zipped: truncated: the gzip data have no end
absent		absent: cannot open: No such file
.		.: not a history: it has no file 'kmem-account-history'; use a directory that 'kmem-account watch' has made, or a file
"
nr_cases=$(awk 'NF' <<<"$cases" | wc -l)

# The kernel cannot be used: said in one line, and the report is by caller.
by_caller() {
	local pattern=$1 got=0
	shift

	"$program" report "$small" --format csv "$@" >stdout 2>stderr || got=$?
	[ "$got" -eq 0 ] || { echo "exit status $got"; cat stderr; return 1; }
	if [ "$(wc -l <stderr)" -ne 1 ] || ! grep -qE "^kmem-account: $pattern.*reporting by caller only" stderr; then
		cat stderr
		return 1
	fi
	head -n 1 stdout | grep '^caller,' >/dev/null && [ "$(wc -l <stdout)" -eq 10 ] &&
		[ "$(sum 1 <stdout)" -eq 44268 ]
}

fixture mktree.sh "$work/mini" >/dev/null
vmlinux=$work/mini/debug/boot/vmlinux-6.1.0-mini
printf 'ffffffffffffffff B The real System.map is in the linux-image-6.1.0-mini-dbg package\n' >stub
mkdir -p stubbed nothing
cp -r mini/tree/. stubbed
strip -s -o mini/plain/bare mini/plain/vmlinux
cp stub stubbed/System.map

# An account of the made tree, read with the vmlinux of another build.
other_build() {
	nm -n "$vmlinux" >symbols
	spans symbols | awk '{ printf "%d 0 %d 1 0 %s+0x1/0x%x\n", NR, NR, $1, $3 }' >rows
	account_of rows >mine
	"$program" report mine --vmlinux mini/other/vmlinux --by dir --format csv >stdout 2>stderr
	[ "$(wc -l <stderr)" -eq 1 ] && grep -q "other/vmlinux: does not match the input: only [0-9]* of" stderr &&
		head -n 1 stdout | grep '^caller,' >/dev/null
}

# A last row that is whole, but not the last one: the header tells.
# A machine with the module shows its own account.
nothing_to_read() {
	if own_account; then
		"$program" report >stdout && [ -s stdout ]
	else
		refused 2 "report: no account given, and no file of the module can be read here" report
	fi
}

rows_missing() {
	head -n 15 "$small" >missing
	"$program" report missing --format csv >stdout 2>stderr || return 1
	grep -q '^kmem-account: missing: the header has 44268 live bytes, but the rows add up to 43396;' \
		stderr || { cat stderr; return 1; }
	grep -q '^\[not in any row\],872,844,28,1072,1028$' stdout && [ "$(sum 1 <stdout)" -eq 44268 ]
}

rows_too_many() {
	sed '15p' "$small" >many
	"$program" report many --format csv >stdout 2>stderr || return 1
	grep -q 'the rows add up to 46704; 2436 more than stated' stderr && ! grep -q 'not in any' stdout
}

# An output that cannot be written leaves what was there before.
disk_full() {
	[ -e /dev/full ] || return 0
	"$program" report "$small" -O /dev/full 2>stderr && return 1
	grep -q '^kmem-account: /dev/full: cannot write' stderr
}

keeps_old() {
	echo old >out/report
	if "$program" report row-sum -O out/report 2>stderr; then return 1; fi
	[ "$(cat out/report)" = old ] && [ "$(ls out)" = report ]
}

pipe_quiet() {
	{ "$program" report "$small" 2>stderr || true; } | true
	[ ! -s stderr ]
}

stdin_named() {
	"$program" report -f - <row-sum >stdout 2>stderr && return 1
	grep -q '^kmem-account: standard input:14: total is not slack + req$' stderr
}

usage="
no log to check			check: no log given; use -f FILE		check
no picture			rings: no picture given		rings $small
a picture of another kind	'x.gif': unsupported picture format \(expected a name that ends in one of .svg, .png, .pdf, .html\)	rings $small -r x.gif
unknown option			report: unknown option --frob		report $small --frob
option without its value	report: --format needs a value		report $small --format
unknown format			report: invalid --format 'xml' .expected table, csv or json	report $small --format xml
unknown key			report: invalid --by 'colour' .expected caller, file, dir, line	report $small --by colour
directories without a kernel	report: --by dir needs -k DIR or --vmlinux	report $small --by dir
branch without a kernel		report: -b needs -k DIR or --vmlinux	report $small -b fs
modules without vmlinux		report: --modules needs --vmlinux FILE	report $small --modules .
modules of a tree		report: -k cannot be combined with --modules	report $small -k . --vmlinux x --modules .
inlines of a tree		report: -k cannot be combined with --inlines	report $small -k . --vmlinux x --inlines inner
top 0				report: invalid --top '0' \(expected 1 to 1000000000 rows\)		report $small --top 0
negative depth			rings: invalid --depth '-1' \(expected 1 to 24 levels\)	rings $small -r x.svg --depth -1
width of letters		rings: invalid --width 'wide' \(expected 400 to 8000 pixels\)		rings $small -r x.svg --width wide
too many arguments		report: too many arguments: b		report $small b
unknown theme			icicle: invalid --theme 'blue' .expected light, dark or print	icicle $small -r x.svg --theme blue
static without a kernel		treemap: -a static needs -k DIR		treemap $small -a static -r x.svg
a tree without its log		rings: no account given; without one	rings -k . -a waste -r x.svg
unknown kind of chart		diff: invalid --chart 'pie' .expected rings, treemap, icicle or flame	diff $small $small -r x.svg --chart pie
a chart without a file		diff: --chart needs -r FILE	diff $small $small --chart icicle
unknown command			unknown command 'frob' .expected	frob
two letters exchanged		unknown command 'tpo' .did you mean top. expected		tpo
a letter is missing		report: unknown option --vmlinx .did you mean --vmlinux..; see	report $small --vmlinx x
a letter too many		report: unknown option --bye .did you mean --by..; see	report $small --bye dir
a wrong letter			report: invalid --by 'modula' .did you mean module. expected	report $small --by modula
another word			report: invalid --by 'directory,x' .expected	report $small --by directory,x
"
nr_usage=$(awk 'NF' <<<"$usage" | wc -l)

ktap_plan $((nr_cases + nr_usage + 23))
while read -r file pattern; do
	[ -z "$file" ] || ktap "input: $file" bad "$file" "$pattern"
done <<<"$cases"
while IFS= read -r line; do
	[ -n "$line" ] || continue
	mapfile -t part < <(tr -s '\t' '\n' <<<"$line")
	read -r -a words <<<"${part[2]}"
	ktap "usage: ${part[0]}" refused 2 "${part[1]}" "${words[@]}"
done <<<"$usage"
ktap "nothing to read" nothing_to_read
printf 'PERFILE2\0\0 kmalloc: call_site=f+0x1/0x2 ptr=1 bytes_req=8 bytes_alloc=8\n' >perf.data
printf '\211PNG\r\n 0) | f() {\n 0) 1.0 us | } /* f */\n' >picture
ktap "a file of perf record" refused 1 "perf.data:1: a file of perf record, not its text; give the output of perf script" \
	rings perf.data -r out/x.svg
ktap "a picture" refused 1 "picture:1: a picture, not an account" rings picture -r out/x.svg
ktap "unknown attribute" refused 2 "report: invalid -a 'peaks' .did you mean peak. expected current_dynamic, requested" \
	report "$small" -a peaks
ktap "unknown sort key" refused 2 "report: invalid -o 'x' .expected current_dynamic, requested" report "$small" -o x
# shellcheck disable=SC2016
edit no-slack '11s/slack//; 12,$s/^ *\([0-9]*\) *[0-9]*/\1/'
ktap "an attribute that the input does not have" refused 1 \
	"no attribute 'waste' in this input \(available: current_dynamic, requested, allocs, frees\)" \
	report no-slack -a waste
ktap "nothing to draw" refused 1 ".*: nothing to draw: no live bytes in this input" \
	rings <(header 0 0 0 0 0 0) -r out/x.svg
ktap "no such vmlinux" refused 1 "nosuch: cannot open" report "$small" --vmlinux nosuch
ktap "no such tree" refused 1 "nosuch: cannot open" report "$small" -k nosuch
ktap "no such directory of modules" refused 1 "nosuch: cannot open" \
	report "$small" --vmlinux "$vmlinux" --modules nosuch
ktap "a tree without objects" by_caller "nothing: not a built kernel tree" -k nothing
ktap "a file instead of a tree" by_caller "text: not a directory" -k text
ktap "Debian's stub of a System.map" by_caller "stubbed/System.map:1: a placeholder" -k stubbed
ktap "vmlinux without symbols" by_caller "mini/plain/bare: no debugging information" \
	--vmlinux mini/plain/bare
ktap "vmlinux that is no ELF file" by_caller "text: not an ELF file" --vmlinux text
ktap "vmlinux of another build" other_build
ktap "rows are missing" rows_missing
ktap "rows are too many" rows_too_many
ktap "output that cannot be written" disk_full
ktap "a failure leaves the old output" keeps_old
ktap "each command bounds what it decompresses" bounded
ktap "a closed pipe is no complaint" pipe_quiet
ktap "standard input has a name" stdin_named
ktap_end
