#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Logs of ftrace: the account of each recorded log agrees in every row, and in every
# number that is not counted, with log-account.py, which knows only the formats.
# Then logs that are damaged: what cannot be read is counted, and nothing else changes.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

logs=("$data"/logs/*.log.*)
cd "$work"

# rows LOG: what the program makes of it, sorted; the last column but one, wrong frees, may be
# absent
rows() {
	"$program" report -f "$1" --format csv >out.csv 2>stderr || { cat stderr; return 1; }
	awk -F, -v OFS=, 'NR == 1 { wrong = /,wrong_frees,kind$/; next } /^.event lines not read:/ { next }
		!wrong { $NF = "-," $NF } { print }' out.csv | sort
}

# expected LOG: what the script makes of it, with the columns that out.csv has
expected() {
	"$here/log-account.py" "$1" >expected.csv || return 1
	if head -n 1 out.csv | grep ',wrong_frees,kind$' >/dev/null; then
		sort expected.csv
	else
		sed 's/,[0-9]*\(,[a-z]*\)$/,-\1/' expected.csv | sort
	fi
}

agrees() {
	rows "$1" >got || return 1
	expected "$1" >want || return 1
	# a log without rows would agree with anything
	[ "$(wc -l <want)" -gt 40 ] && diff want got
}

# number KEY: of the last line of JSON
number() {
	sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" out.json
}

# Losses: the script's own names for them.
losses_agree() {
	"$program" report -f "$1" --format json 2>stderr |
		grep '"not_counted"' >out.json || return 1
	"$here/log-account.py" --losses "$1" | tr ',' '\n' | tr -d '{}" ' >losses
	paste -d ' ' <(sed -n 's/^unknown:/unknown /p' losses) <(number frees_of_unknown_objects) >pairs
	paste -d ' ' <(sed -n 's/^implied:/implied /p' losses) <(number implied_frees) >>pairs
	paste -d ' ' <(sed -n 's/^lost:/lost /p' losses) <(number events_not_recorded) >>pairs
	awk '$2 == "" || $2 != $3 { print "differs:", $0; bad = 1 } END { exit NR != 3 || bad }' pairs
}

# The same log through a pipe, and packed, is the same account.
ways() {
	local file=$1
	rows "$file" >got
	case $file in
	*.gz)	gzip -cd "$file" >plain ;;
	*.xz)	xz -cd "$file" >plain ;;
	esac
	rows plain >plain.rows && cmp got plain.rows || return 1
	"$program" report -f - --format csv <plain 2>/dev/null | cmp - out.csv || return 1
	# a slow one that comes in small pieces
	dd if=plain bs=777 status=none | "$program" report -f - --format csv 2>/dev/null | cmp - out.csv
}

# A log and its damaged copy, by a script of sed: the rows stay, lines are counted.
damaged() {
	local lines=$1 first=$2 script=$3
	gzip -cd "$data/logs/slab-3.x.log.gz" >whole
	sed "$script" whole >broken
	rows whole >want
	rows broken >got
	diff want got || return 1
	grep -q ": $lines line$([ "$lines" -eq 1 ] && echo ' was' || echo 's were') not recognised (first: line $first)\$" stderr ||
		{ cat stderr; return 1; }
}

cut_end() {
	local script=$1
	gzip -cd "$data/logs/slab-3.x.log.gz" >whole
	# the last line is cut in the middle of a number
	sed '$d' whole >want.log
	{ cat want.log; tail -n 1 whole | sed "$script" | tr -d '\n'; } >cut.log
	rows want.log >want
	rows cut.log >got
	diff want got || return 1
	grep -q ': 1 line was not recognised' stderr
}

crlf() {
	gzip -cd "$data/logs/slab-3.x.log.gz" >whole
	sed 's/$/\r/' whole >dos
	rows whole >want
	rows dos >got
	diff want got && ! grep understood stderr
}

# Ten thousand times the same free: each is counted, none has an owner.
freed_often() {
	local line='          <idle>-0       [000] ..s1.   171.512123: kfree: call_site=f+0x1/0x2 ptr=ffff888100000000'
	yes "$line" | head -n 1000000 >often || [ $? -eq 141 ] # ends first
	[ "$(rows often)" = 'f+0x1/0x2,0,0,0,0,1000000,0,0,0,0,0,kmalloc' ]
}

empty_of_events() {
	printf '# tracer: nop\n#\n' >none
	"$program" report -f none >stdout 2>stderr && return 1
	[ ! -s stdout ] && grep -q '^kmem-account: none: no events of allocations or frees in this input$' stderr
}

# unread_log EVENTS UNREAD: a log with so many events, then so many that lack what an event needs
unread_log() {
	awk -v events="$1" -v unread="$2" 'BEGIN {
		rest = " bytes_req=8 bytes_alloc=8 gfp_flags=GFP_KERNEL"
		for (i = 1; i <= events + unread; i++)
			printf "  x-1 [000] .... 1.0: kmalloc: call_site=f+0x1/0x2 ptr=%016x%s\n", i * 64,
				(i > events ? "" : rest)
	}'
}

# share EVENTS UNREAD STATUS [OPTION...]: what report exits with; the output is the same
share() {
	local all=$(($1 + $2)) unread=$2 want=$3 status=0 said

	unread_log "$1" "$2" >some.log
	shift 3
	"$program" report "$@" some.log --format json >out.json 2>stderr || status=$?
	said=$(grep -c "^kmem-account: report: more than 1 % of the event lines, $unread of $all, w[aser]* not understood; --accept-unread accepts this\$" stderr) || :
	grep -q "\"event_lines_not_read\": {\"lines\": $unread, \"first_line\": $((all - unread + 1))}" out.json &&
		[ "$status:$said" = "$want:$want" ]
}

# A DB file has what the log had.
share_db() {
	local status=0

	unread_log 9 1 >some.log
	rm -f some.db
	! "$program" report some.log --save-db some.db >want 2>/dev/null &&
		! "$program" report some.db >got 2>/dev/null && diff want got &&
		"$program" report some.db --accept-unread 2>/dev/null | diff want -
}

# The csv of each command ends with the same row, whatever the name of the log, and has nothing else that is new.
csv_row() {
	local log='a,"b".log' args

	unread_log 5 2 >some.log
	unread_log 5 0 >whole.log
	for args in "report --by caller" "report --by task" "diff whole.log" leaks "top -b -n 1"; do
		# shellcheck disable=SC2086 # the words of the command
		cp some.log "$log" && { "$program" $args "$log" --format csv >got.csv 2>/dev/null || [ $? -eq 1 ]; } &&
			cp whole.log "$log" && "$program" $args "$log" --format csv >want.csv 2>/dev/null || return 1
		python3 - "$log" <<-'END' || { echo "$args"; cat got.csv; return 1; }
			import csv, sys
			got, want = (list(csv.reader(open(name))) for name in ("got.csv", "want.csv"))
			row = [f"[event lines not read: 2; first: line 6 of {sys.argv[1]}]"]
			row += [""] * (len(got[0]) - 1)
			sys.exit(got[-1] != row or len(got) != len(want) + 1 or got[0] != want[0])
		END
	done
}

# diff has a row for each input, JSON has the lines with each input; leaks adds them up
two_inputs() {
	unread_log 5 2 >a.log
	unread_log 7 1 >b.log
	{
		"$program" diff a.log b.log --format csv | grep '^.event lines'
		"$program" leaks a.log b.log --interval 60 --format csv | grep '^.event lines'
		"$program" diff a.log b.log --format json | grep -o '"event_lines.*}'
		"$program" leaks a.log b.log --interval 60 --format json | grep -o '"event_lines.*}'
		"$program" diff a.log b.log | grep 'event line'
		"$program" leaks a.log b.log --interval 60 | grep 'event line'
	} >got 2>/dev/null
	diff - got <<-'END'
		[event lines not read: 2; first: line 6 of a.log],,,,,,,
		[event lines not read: 1; first: line 8 of b.log],,,,,,,
		[event lines not read: 3; first: line 6 of a.log],,,,,,,,,,,,,
		"event_lines_not_read": {"lines": 2, "first_line": 6}}
		"event_lines_not_read": {"lines": 1, "first_line": 8}}
		"event_lines_not_read": {"lines": 3, "first_line": 6, "input": "a.log"}
		2 event lines were not understood and not counted (first: line 6 of a.log).
		1 event line was not understood and not counted (first: line 8 of b.log).
		3 event lines were not understood and not counted (first: line 6 of a.log).
	END
}

# pictures, pages and profiles have the number
drawn() {
	unread_log 5 2 >a.log
	unread_log 7 1 >b.log
	"$program" rings a.log -r a.svg -r a.html --plain 2>/dev/null &&
		"$program" diff a.log b.log -r b.svg -r b.html --plain >diff.out 2>/dev/null &&
		"$program" export pprof a.log -O a.pprof 2>/dev/null && gzip -cd <a.pprof >a.raw &&
		grep -q 'event lines not read: 2' a.svg && grep -q '"event lines not read","2"' a.html &&
		grep -q 'event lines not read: 1' b.svg && grep -q '"event lines not read","2 before, 1 after"' b.html &&
		grep -qa 'event lines not read: 2' a.raw
}

# In a pipe, a line that does not fit in the buffer is an event that is missing, too.
too_long() {
	unread_log 200 0 >some.log
	{ cat some.log; printf '  x-1 [000] .... 1.0: kmalloc: call_site='; head -c 3000000 /dev/zero | tr '\0' a; echo; } |
		"$program" report - --format json >out.json 2>/dev/null &&
		grep -q '"event_lines_not_read": {"lines": 1, "first_line": 201}' out.json
}

ktap_plan $((3 * ${#logs[@]} + 21))
for log in "${logs[@]}"; do
	name=$(basename "$log")
	ktap "$name: each row agrees with the script" agrees "$log"
	ktap "$name: losses agree with the script" losses_agree "$log"
	ktap "$name: plain, packed, from a pipe" ways "$log"
done
ktap "lines that are none are counted" damaged 3 100 '100i garbage\n\nmore of it
200s/.*/&\n   x-1 [000] .... 1.0: kmalloc: call_site=f ptr=1/'
ktap "numbers past 64 bits" damaged 2 101 '100{p;s/bytes_req=.*/bytes_req=99999999999999999999 bytes_alloc=99999999999999999999/;p;s/ptr=[^ ]*/ptr=fffffffffffffffff/;p;d}'
ktap "a NUL in a line" damaged 1 21 '20{p;s/call_site=/&\x00/}'
ktap "cut in a number" cut_end 's/\(bytes_alloc=.\|ptr=...\).*/\1/'
ktap "cut before the event" cut_end 's/: k.*//'
ktap "lines that end with CR LF" crlf
ktap "one address freed a million times" freed_often
ktap "a log without events" empty_of_events
ktap "1 of 100 event lines is not read: status 0" share 99 1 0
ktap "1 of 99: status 1" share 98 1 1
ktap "100 of 10000: status 0" share 9900 100 0
ktap "100 of 9999: status 1" share 9899 100 1
ktap "100 of 9999 accepted: status 0" share 9899 100 0 --accept-unread
ktap "100 of 9999, rows of tasks: status 1" share 9899 100 1 --by task
ktap "99 of 100 accepted: status 0" share 1 99 0 --accept-unread
ktap "event lines that were not read in a DB file" share_db
ktap "event lines that were not read in csv" csv_row
ktap "event lines that were not read of two inputs" two_inputs
ktap "event lines that were not read in pictures and profiles" drawn
ktap "an event line that is too long" too_long
ktap "no log of ftrace" bash -c "! '$program' report -f '$data/mktree.sh' >stdout 2>&1 && grep -q 'unknown type of input' stdout"
ktap_end
