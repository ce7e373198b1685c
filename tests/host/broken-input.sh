#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# diff, check, objects, latency and timeline on an input that is broken in the middle, on one
# that is truncated, and on one of another format. What is lost is reported; nothing is made
# up; what is no input ends the command with one line that names it, and leaves no file.
#
# The truth is what log-make.py and latency.py wrote, and what this script breaks.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
"$here/log-make.py" --events 12000 --release 6.12.1 --no-wrong whole.log whole.csv facts.json
"$here/latency.py" make 11 whole.text
cp "$data/small.account" account
size=$(stat -c %s whole.log)
head -c $((size / 2)) whole.log >cut.log
{ head -c $((size / 2)) whole.log; head -c 4096 /dev/zero | tr '\0' '\377'; tail -c +$((size / 2 + 4097)) whole.log; } >broken.log
[ "$(stat -c %s broken.log)" -eq "$size" ]
# where a line ends differs from seed to seed: the last line is a part of one
head -n $(($(wc -l <whole.text) / 2)) whole.text >cut.text
truncate -s -5 cut.text
awk -v half=$(($(wc -l <whole.text) / 2)) 'NR > half && NR <= half + 3 { print "noise " NR; next } { print }' whole.text >broken.text
sed '13s/12288/12x88/' account >broken.account
head -n 15 account >missing.account
head -c 640 account >cut.account

# what is no event log, no account and no text of function_graph
cp "$program" foreign.elf
printf 'hello\nworld\n' >foreign.text
: >foreign.empty
mkdir foreign.dir
ln -s /nonexistent/file foreign.link
foreign='foreign.elf foreign.text foreign.dir foreign.link'

# run STATUS ARGUMENTS...
run() {
	local want=$1 got=0
	shift

	timeout 60 "$program" "$@" >stdout 2>stderr </dev/null || got=$?
	[ "$got" -eq "$want" ] || { echo "exit status $got, not $want: $*"; cat stderr; return 1; }
}

# said PATTERN
said() { grep -q -e "$1" stderr || { echo "not said: $1"; cat stderr; return 1; }; }

# refused FILE ARGUMENTS...: with exit status 1 and one line that names the file
refused() {
	local file=$1
	shift

	rm -rf out && mkdir out && run 1 "$@" || return 1
	if [ -s stdout ] || [ -n "$(ls out)" ] || [ "$(wc -l <stderr)" -ne 1 ] ||
		! grep -q "^kmem-account: $file:" stderr; then
		echo "$*"
		head -n 3 stdout stderr
		return 1
	fi
}

# check: a log without faults has no finding, so that the others are findings of the faults.
check_broken() {
	run 0 check whole.log --format json && ! grep -q missing_records stdout || return 1
	run 1 check broken.log --format json || return 1
	python3 - <<-'END'
		import json
		got, want = json.load(open("stdout")), json.load(open("facts.json"))
		read = got["allocations"] + got["frees"]
		made = want["allocs"] + want["frees"]
		gone = got["summary"]["missing_records"]["number"]
		# 4096 bytes are 128 records of 32 bytes; a stream that has lost its place skips to the next
		assert 0 < gone and read < made and abs(read + gone - made) < 0.02 * made, (read, gone, made)
	END
}

check_truncated() {
	run 1 check cut.log --format json && grep -q '"cut"' stdout && run 1 check cut.log && grep -q missing stdout
}

check_foreign() {
	local file

	for file in $foreign foreign.empty account whole.text; do
		refused "$file" check "$file" -O out/check || return 1
	done
}

# made: objects that log-make.py allocated, in all sizes
made() {
	python3 -c 'import json; print(sum(n[0] for _, n in json.load(open("facts.json"))["objects"]["sizes"]))'
}

# allocated FILE: objects that were allocated, by the csv of objects --show total
allocated() { awk -F, '$1 == "allocated" { print $2 }' "$1"; }

objects_broken() {
	run 0 objects whole.log --show total --format csv || return 1
	[ "$(allocated stdout)" -eq "$(made)" ] || return 1
	run 0 objects broken.log --show total --format csv &&
		said 'broken.log: .*records are missing' && said 'bytes of a stream are not valid records' || return 1
	[ "$(allocated stdout)" -gt 0 ] && [ "$(allocated stdout)" -lt "$(made)" ]
}

objects_truncated() {
	run 0 objects cut.log --show total --format csv && said 'cut.log: .*missing at the end' || return 1
	[ "$(allocated stdout)" -gt 0 ] && [ "$(allocated stdout)" -lt "$(made)" ]
}

objects_foreign() {
	local file

	for file in $foreign foreign.empty account whole.text; do
		refused "$file" objects "$file" -O out/objects || return 1
	done
}

# last FILE: ns of the last sample
last() { tail -n 1 "$1" | cut -d, -f 1; }

timeline_broken() {
	run 0 timeline whole.log && cp stdout whole.out || return 1
	run 0 timeline broken.log && said 'broken.log: .*records are missing' &&
		[ "$(last stdout)" = "$(last whole.out)" ] && ! cmp -s stdout whole.out
}

timeline_truncated() {
	run 0 timeline whole.log && cp stdout whole.out && run 0 timeline cut.log &&
		said 'cut.log: .*missing at the end' && ! cmp -s stdout whole.out
}

timeline_foreign() {
	local file

	for file in $foreign foreign.empty account whole.text; do
		refused "$file" timeline "$file" -O out/timeline || return 1
		refused "$file" timeline "$file" -r out/timeline.svg || return 1
	done
}

# calls FILE: sum of the calls, by the csv of latency
calls() { awk -F, 'NR > 1 && $1 == "allocation" { s += $2 } END { print s + 0 }' "$1"; }

latency_broken() {
	run 0 latency -t 1 -f whole.text --format csv --summary && cp stdout whole.out && [ "$(calls whole.out)" -gt 100 ] || return 1
	run 0 latency -t 1 -f broken.text --summary && grep -q '^3 lines were not recognised' stdout || return 1
	run 0 latency -t 1 -f broken.text --summary --format csv &&
		[ "$(calls stdout)" -le "$(calls whole.out)" ] && [ "$(calls stdout)" -ge $(($(calls whole.out) - 3)) ]
}

latency_truncated() {
	run 0 latency -t 1 -f whole.text --format csv --summary && cp stdout whole.out || return 1
	run 0 latency -t 1 -f cut.text --summary && grep -q '^1 line at the end is truncated' stdout || return 1
	run 0 latency -t 1 -f cut.text --summary --format csv && [ "$(calls stdout)" -gt 0 ] &&
		[ "$(calls stdout)" -lt "$(calls whole.out)" ]
}

latency_foreign() {
	local file

	for file in $foreign account whole.log; do
		refused "$file" latency -t 1 -f "$file" -o out/latency || return 1
	done
}

# Either side, in all kinds of output.
diff_refused() {
	local bad=$1 good

	for good in account whole.log; do
		refused "$bad" diff "$bad" "$good" || return 1
		refused "$bad" diff "$good" "$bad" --format json -O out/diff || return 1
		refused "$bad" diff "$good" "$bad" --fail-above 1 || return 1
		refused "$bad" diff "$bad" "$good" -r out/diff.svg || return 1
	done
}

# A log that lacks records gives sums that are off by them: nothing is judged.
diff_unjudged() {
	run 1 diff whole.log "$1" --fail-above 1 && said "diff: cannot tell what changed: .*$1.*--fail-above" || return 1
	run 1 diff "$1" whole.log --fail-above 1 && said "diff: cannot tell what changed: .*$1.*--fail-above" || return 1
	! grep -q 'more than before' stderr || return 1
	run 0 diff whole.log "$1" && said "diff: cannot tell what changed: .*$1" && [ -s stdout ]
}

diff_broken() { diff_refused broken.account && diff_unjudged broken.log && diff_unjudged missing.account; }

diff_truncated() { diff_refused cut.account && diff_unjudged cut.log; }

diff_foreign() {
	local file

	for file in foreign.elf foreign.text foreign.empty foreign.link; do
		diff_refused "$file" || return 1
	done
	# a directory is a built tree, which an account is not
	run 1 diff foreign.dir account && said '^kmem-account: foreign.dir: not a built kernel tree' &&
		run 1 diff account foreign.dir && said '^kmem-account: account: not a directory; a built tree' &&
		run 0 diff whole.log whole.log --fail-above 1 && ! grep -q 'cannot tell' stderr
}

ktap_plan 15
for command in diff check objects latency timeline; do
	for kind in broken truncated foreign; do
		ktap "$command: $kind" "${command}_$kind"
	done
done
ktap_end
