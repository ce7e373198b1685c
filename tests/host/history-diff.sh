#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# diff DIR --from TIME --to TIME: the first and the last sample of the interval are compared. What is
# expected is the diff of the two snapshots that were recorded.
# shellcheck disable=SC2015 # what fails shows its output
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/host/history-lib.sh
. "$here/history-lib.sh"

cd "$work"
export TZ=UTC
python3 "$here/snapshot.py" make . # s000 is of 16:00:10, s059 of 16:10:00
day=2025-11-24

recorded() {
	: >said
	record_all all s0?? && return
	cat said
	return 1
}

# between WORDS SNAPSHOT SNAPSHOT DIR [OPTION...]: the two samples that are compared, and what is said
between() {
	local words=$1 before=$2 after=$3

	shift 3
	"$program" diff "$before" "$after" --by caller --format csv >want 2>/dev/null &&
		"$program" diff "$@" --by caller --format csv >got 2>said || { cat said; return 1; }
	cat said
	diff want got && if [ -n "$words" ]; then [ "$(cat said)" = "kmem-account: $words" ]; else [ ! -s said ]; fi
}

intervals() {
	between '' s011 s023 all --from "$day 16:02" --to "$day 16:04:00" &&
		between '' s012 s023 all --from "$day 16:02:01" --to "$day 16:04:09" &&
		between '' s000 s059 all &&
		between '' s011 s059 all --from "$day 16:02" &&
		between '' s000 s023 all --to "$day 16:04"
}

# The table, json, a picture and a page are those of the two samples by name.
shown() {
	local of=("all@$day 16:02:00" "all@$day 16:04:00")
	local in=(all --from "$day 16:02" --to "$day 16:04") options

	for options in '' '--format json' '--by cache -a allocs' '--top 1 --bytes' '--floor 4K'; do
		# shellcheck disable=SC2086 # words
		"$program" diff "${of[@]}" $options >want && "$program" diff "${in[@]}" $options >got && diff want got || return
	done
	"$program" diff "${in[@]}" >got && grep -q "^before: all@$day 16:02:00" got && grep -q "^after:  all@$day 16:04:00" got || return
	"$program" diff "${of[@]}" -r want.svg -r want.html && "$program" diff "${in[@]}" -r got.svg -r got.html &&
		cmp want.svg got.svg && cmp want.html got.html || return
	local status=0
	"$program" diff "${in[@]}" --fail-above 1 >got 2>said || status=$?
	[ "$status" = 3 ] && "$program" diff "${in[@]}" --save-db kept.db@after >/dev/null &&
		"$program" report kept.db@after --format csv >got && "$program" report s023 --format csv | diff - got
}

# A bundle has the last day of a history.
bundled() {
	mkdir -p root/proc
	"$program" bundle -f s059 --root root --history all -O all.bundle 2>/dev/null &&
		between '' s011 s023 all.bundle --from "$day 16:02" --to "$day 16:04:00"
}

outside() {
	local span="the samples are from $day 16:00:10 to $day 16:10:00"

	between "all: no sample near --from 2025-11-01; the nearest one in the interval is of $day 16:00:10" s000 s023 \
		all --from 2025-11-01 --to "$day 16:04" &&
		between "all: no sample near --to 2025-11-25; the nearest one in the interval is of $day 16:10:00" s011 s059 \
			all --from "$day 16:02" --to 2025-11-25 &&
		between '' s011 s059 all --from "$day 16:02" --to newest &&
		refused "all: no sample in that interval; $span" "$program" diff all --from 2025-11-01 --to 2025-11-02 &&
		refused "all: no sample in that interval; $span" "$program" diff all --from 2025-11-25 &&
		refused "all: only one sample in that interval; $span" "$program" diff all --from "$day 16:02" --to "$day 16:02:05" &&
		refused 'to is not after --from' "$program" diff all --from "$day 16:04" --to "$day 16:02" &&
		refused "invalid time 'noon'" "$program" diff all --from noon
}

# record_changed DIR SED: four samples, the last two of an account that began anew
record_changed() {
	sed "$2" s002 >third && sed "$2" s003 >fourth && record "$1" s000 s001 third fourth
}

begun_anew() {
	local only='the second one has only what was allocated since'

	: >said
	record_changed reboot '/^boot_id: /s/1/2/g' && record_changed reload 's/^loaded_ns: 9/loaded_ns: 8/' &&
		record_changed clear 's/^generation: 1/generation: 2/' || { cat said; return 1; }
	between "diff: between the two samples the machine was booted again; $only" s000 s003 reboot &&
		between "diff: between the two samples the module was loaded again; $only" s000 s003 reload &&
		between "diff: between the two samples the account was cleared; $only" s000 s003 clear &&
		between '' s002 s003 reload --from "$day 16:00:30" || return
	# two files of one boot, too; files of two boots may be of two machines
	"$program" diff s000 third >/dev/null 2>said && grep -q 'the account was cleared' said &&
		"$program" diff s000 s003 >/dev/null 2>said && [ ! -s said ] || return
	sed '/^boot_id: /s/1/2/g' s003 >other && "$program" diff s000 other >/dev/null 2>said && [ ! -s said ]
}

# No samples from 16:00:40 to 16:03:30.
gap() {
	: >said
	record gapped s000 s001 s002 s003 s020 s021 || { cat said; return 1; }
	between '' s000 s021 gapped &&
		between "gapped: no sample near --from $day 16:01; the nearest one in the interval is of $day 16:03:30" s020 s021 \
			gapped --from "$day 16:01" &&
		between "gapped: no sample near --to $day 16:03; the nearest one in the interval is of $day 16:00:40" s000 s003 \
			gapped --to "$day 16:03"
}

# shifted SNAPSHOT DAYS: the snapshot as if it had been taken days later
shifted() {
	awk -v s=$(($2 * 86400)) '/^(time|boottime)_ns: / { printf "%s %d000000000\n", $1, substr($2, 1, length($2) - 9) + s; next } 1' "$1"
}

# Two samples on each of three days. In broken-N the file of day 2N is garbage.
made_days() {
	local n

	: >said
	for n in 0 1 2; do
		shifted s00$((2 * n)) $n >"d$((2 * n))" && shifted s00$((2 * n + 1)) $n >"d$((2 * n + 1))" || return
	done
	rm -rf days broken-?
	record days d0 d1 d2 d3 d4 d5 && [ "$(find days -name '*.kmh' | wc -l)" = 3 ] || { cat said; return 1; }
	for n in 4 5 6; do cp -r days broken-$n && echo garbage >broken-$n/2025-11-2$n.kmh; done
}

# judged STATUS DIR [OPTION...]: the exit status of --fail-above, and whether diff says that it cannot tell
judged() {
	local want=$1 dir=$2 status=0 line

	line="kmem-account: diff: cannot tell what changed: parts of $2 could not be read; --fail-above is not checked"
	shift
	"$program" diff "$@" --fail-above 1 >got 2>said || status=$?
	echo "$* --fail-above 1: exit status $status, expected $want"
	cat said
	[ "$status" = "$want" ] && [ "$(grep -cxF "$line" said)" = $((want == 1)) ] || return
	[ "$dir" = days ] || grep -q "^kmem-account: $dir/.*; all samples of this day are left out" said
}

# A lost day may have the sample that should be compared. Between the two, or outside of the interval, it does not.
lost_end() {
	made_days || return
	judged 3 days && judged 3 days --from $day && judged 1 broken-6 && judged 1 broken-6 --from $day &&
		judged 1 broken-6 --from $day --to 2025-11-26 && judged 1 broken-6 --to "2025-11-25 23:00" &&
		judged 3 broken-6 --from $day --to "2025-11-25 23:00" && judged 1 broken-4 --from $day &&
		judged 3 broken-4 --from 2025-11-25 && judged 3 broken-5 --from $day || return
	# the reason comes before its effect
	"$program" diff broken-6 --from $day --to 2025-11-27 >got 2>said &&
		sed -n 's/.*; all samples of this day are left out$/lost/p; s/.*: no sample near \(--[a-z]*\) .*/\1/p' said | xargs |
		grep -x 'lost --from --to' || { cat said; return 1; }
	# growth that is allowed, too, and no threshold
	local status=0
	"$program" diff broken-6 --from $day --fail-above 1G >got 2>said || status=$?
	[ "$status" = 1 ] && "$program" diff broken-6 --from $day >got 2>said &&
		grep -x 'kmem-account: diff: cannot tell what changed: parts of broken-6 could not be read' said
}

misused() {
	local need="diff: --from and --to need one input, a history that 'kmem-account watch' has recorded"

	"$program" report s000 --save-db one.db@a >/dev/null &&
		refused "$need" "$program" diff s000 --from "$day 16:02" &&
		refused "$need" "$program" diff all gapped --from "$day 16:02" &&
		refused "$need" "$program" diff --db-file one.db all --to "$day 16:02" &&
		refused "all@16:03: this is one sample of a history, and --from and --to need all samples; use 'all'" \
			"$program" diff all@16:03 --from 16:02 &&
		refused 'diff: needs two inputs, BEFORE and AFTER .*, or one history' "$program" diff s000 &&
		refused 'table: --from or --to has no effect' "$program" diff all --table ages --from 1 &&
		refused "all: a history has no tables of the module; its ages are for 'leaks'" "$program" diff all --table caches &&
		refused 'diff --table: needs two inputs' "$program" diff s000 --table ages
}

# A name that does not exist is a wrong name, whatever --from needs; the standard input exists.
missing() {
	local command status

	for command in diff leaks; do
		refused '^kmem-account: nosuch: cannot open: No such file or directory$' "$program" $command nosuch --from 1 &&
			refused '^kmem-account: nosuch: cannot open: No such file or directory$' "$program" $command nosuch@16:02 --to 1 &&
			refused '^kmem-account: [^n].*need one' "$program" $command - --from 1 || return
		status=0
		"$program" $command nosuch --from 1 2>/dev/null || status=$?
		[ "$status" = 1 ] || return
	done
}

ktap_plan 10
ktap "a history is recorded" recorded
ktap "the first and the last sample of an interval" intervals
ktap "table, json, picture, page and --save-db" shown
ktap "the history of a bundle" bundled
ktap "times outside of the history" outside
ktap "another boot, a reload and a clear are said" begun_anew
ktap "a time in a gap is said" gap
ktap "an end of the interval may be in a day that cannot be read" lost_end
ktap "misused: refused, and says how" misused
ktap "an input that does not exist" missing
ktap_end
