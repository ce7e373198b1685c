#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Does the runner count what it should, and does the layer check see a breach?
# check.sh is given tables of made-up suites; no suite of the project is run.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/ktap.sh"
# shellcheck source=scripts/lib.sh
. "$here/../scripts/lib.sh"

work=$(mktemp -d)
trap 'rm -rf "$work" "$here/.selftest.$$"' EXIT
# those of the run that this script is a suite of
unset LIMIT UNTIL JOBS
# what has passed is noted in the cache
export XDG_CACHE_HOME=$work/cache

# runs EXIT LAST_LINE COMMAND: a table of one suite gives that status and line
runs() {
	local want=$1 last=$2 status=0

	printf 'made-up - - %s\n' "$3" >"$work/table"
	check || status=$?
	[ "$status" -eq "$want" ] && [ "$(tail -n 1 "$work/out.txt")" = "$last" ]
}

# The runner with the made-up table; the environment has its variables.
check() {
	local status=0

	O=$work/out SUITES='' CHECK_TABLE=$work/table timeout 600 "$here/check.sh" >"$work/out.txt" 2>&1 || status=$?
	cat "$work/out.txt"
	return "$status"
}

# took NAME SECONDS...: so long took the last pass; what it really took depends on the load. Without
# arguments no suite has passed yet.
took() {
	local green=$XDG_CACHE_HOME/kmem-account/green

	[ $# -gt 0 ] || rm -rf "$green"
	while [ $# -gt 0 ]; do
		sed -i "s/ .*/ $2/" "$green/$1"
		shift 2
	done
}

# The suites that have run, in the order of their lines.
order() { sed -n 's/^  \([a-z]*\) .* passed .*/\1/p' "$work/out.txt" | paste -sd ' '; }

passes()	{ runs 0 '2 passed, 0 failed' 'printf "1..2\nok 1 a\nok 2 b\n"'; }
two_parts()	{ runs 0 '2 passed, 0 failed' 'printf "1..1\nok 1 a\n1..1\nok 1 b\n"'; }
skips()		{ runs 0 '1 passed, 0 failed, 1 skipped' 'printf "1..2\nok 1 a\nok 2 b # SKIP why\n"'; }
fails()		{ runs 1 '1 passed, 1 failed' 'printf "1..2\nok 1 a\nnot ok 2 b\n"; exit 1'; }
fails_exit_0()	{ runs 1 '1 passed, 1 failed' 'printf "1..2\nok 1 a\nnot ok 2 b\n"'; }
# with what it says of itself, as long as a report of the kernel
explains()	{ runs 1 '1 passed, 1 failed' 'printf "1..2\nok 1 a\nnot ok 2 b\n"; seq -f "# line %g" 24' &&
			grep -q '^ *# line 24$' "$work/out.txt"; }
dies_late()	{ runs 1 '2 passed, 1 failed' 'printf "1..2\nok 1 a\nok 2 b\n"; exit 9'; }
dies_early()	{ runs 1 '1 passed, 1 failed' 'printf "1..2\nok 1 a\n"; exit 0'; }
no_plan()	{ runs 1 '1 passed, 1 failed' 'printf "ok 1 a\n"'; }
silent()	{ runs 1 '0 passed, 1 failed' 'true'; }
subtests()	{ runs 0 '1 passed, 0 failed' 'printf "1..1\n    1..2\n    ok 1 x\n    ok 2 y\nok 1 a\n"'; }
unknown()	{ ! SUITES=nonsense "$here/check.sh" && ! "$here/check.sh" nonsense; }

# A second run in one directory is refused, and the first one's logs stay; a process that a suite
# leaves behind locks nothing.
one_at_a_time() {
	local status=0

	# shellcheck disable=SC2016 # the suite's own shell
	runs 0 '1 passed, 0 failed' \
		'echo 1..1; ! CHECK_TABLE='"$work"'/table ./tests/check.sh >'"$work"'/second 2>&1 && test -e $O/check/made-up.log && echo ok 1 a; sleep 20 >/dev/null 2>&1 & echo $! >'"$work"'/sleeper' ||
		status=1
	grep "another 'make check' uses .*; wait until it ends" "$work/second" || status=1
	runs 0 '1 passed, 0 failed' 'echo 1..1; echo ok 1 a' || status=1
	kill "$(cat "$work/sleeper")" || status=1
	return "$status"
}

# Whoever reads of a failed suite can run it alone, and find its log.
names_log() {
	runs 1 '1 passed, 1 failed' 'printf "1..2\nok 1 a\nnot ok 2 b\n"' &&
		grep -A 1 'run it alone: make check SUITES=made-up$' "$work/out.txt" |
		grep -q "its log: $work/out/check/made-up.log\$" &&
		grep -q '^not ok 2 b' "$work/out/check/made-up.log"
}

# A suite that runs beside the others does not make one of them wait: of three, two at once,
# the last one is reported before the long one ends, which waits for that.
beside() {
	local ok='echo 1..1; echo ok 1 a'

	{
		echo "one - - sleep 0.2; $ok"
		echo "two - - sleep 0.4; $ok"
		echo "three - - $ok"
		echo "long - - & until grep -q '^  three ' $work/out.txt; do sleep 0.1; done; $ok"
	} >"$work/table"
	JOBS=2 check &&
		[ "$(tail -n 1 "$work/out.txt")" = '4 passed, 0 failed' ] && [[ $(order) == *three*long* ]]
}

# With one at a time, the suite with "&" is one of them.
beside_alone() {
	took
	printf 'one - - & %s\ntwo - - %s\n' "touch $work/first; echo 1..1; echo ok 1 a" \
		"[ -e $work/first ] && echo 1..1 && echo ok 1 a" >"$work/table"
	JOBS=1 check && [ "$(tail -n 1 "$work/out.txt")" = '2 passed, 0 failed' ]
}

# A suite that was not started is named, is skipped, and is not a pass.
limited() {
	local ok='echo 1..1; echo ok 1 a'

	took
	printf '%s\n' "one - - sleep 12; $ok" "two - - touch $work/two; $ok" >"$work/table"
	JOBS=1 LIMIT=10 check &&
		[ "$(tail -n 1 "$work/out.txt")" = '1 passed, 0 failed, 1 skipped' ] &&
		grep -q '^  two *not started: LIMIT=10 is over' "$work/out.txt" && [ ! -e "$work/two" ]
}

# Nor is one whose disk is full.
full_disk() {
	took
	printf '%s\n' "one - - touch $work/one; echo 1..1; echo ok 1 a" >"$work/table"
	SPACE=999999999 check && [ "$(tail -n 1 "$work/out.txt")" = '0 passed, 0 failed, 1 skipped' ] &&
		grep -q '^  one *not started: [0-9]* MB are free, and 999999999 MB are needed' "$work/out.txt" &&
		[ ! -e "$work/one" ]
}

# A log with bytes that are not text; the last words are those of the failure.
not_text() {
	runs 1 '1 passed, 1 failed, 1 skipped' \
		'printf "1..3\nok 1 a\nok 2 b # SKIP why\n# \\0\377\nnot ok 3 c\n# c says\n"' >/dev/null &&
		grep -qa '^ *# c says$' "$work/out.txt" &&
		grep -a -A 99 'not ok 3 c' "$work/out.txt" | tail -n 3 | sed -n 1p | grep "its log: " >/dev/null
}

# A suite that hangs, and what it has started, which the others do not wait for.
stopped() {
	local ok='echo 1..1; echo ok 1 a' start=$SECONDS

	printf '%s\n' "one - - echo 1..2; echo ok 1 a; sleep 600 & echo \$! >$work/hung; wait" \
		"two - - $ok" >"$work/table"
	! JOBS=2 UNTIL=8 check && [ $((SECONDS - start)) -lt 120 ] &&
		[ "$(tail -n 1 "$work/out.txt")" = '2 passed, 1 failed' ] &&
		grep -Eq '^  one .*\(stopped after [0-9]+ s\)' "$work/out.txt" &&
		[ -s "$work/hung" ] && ! kill -0 "$(cat "$work/hung")" 2>/dev/null
}

bad_limit() {
	! LIMIT=soon check && grep -q "invalid LIMIT='soon'" "$work/out.txt" &&
		! UNTIL=soon check && grep -q "invalid UNTIL='soon'" "$work/out.txt" &&
		! JOBS=0 check && grep -q "invalid JOBS='0'" "$work/out.txt"
}

# Suites whose row or files have changed since they last passed are the first; so is one that
# has failed.
affected() {
	local ok='echo 1..1; echo ok 1 a'

	took
	printf '%s\n' "one - - $ok" "two - - $ok" "three - - $ok" >"$work/table"
	JOBS=1 check && [ "$(order)" = 'one two three' ] || return 1
	took one 1 two 1 three 1
	printf '%s\n' "one - - $ok" "two - - $ok; true" "three - - echo 1..1; echo not ok 1 a" >"$work/table"
	! JOBS=1 check && [ "$(order)" = 'two three one' ] || return 1
	took one 1 two 1
	! JOBS=1 check && [ "$(order)" = 'three one two' ]
}

# The files that a row names, and those that its command names, decide whether it is affected.
affected_by_file() {
	local new=$here/.selftest.$$ ok='echo 1..1; echo ok 1 a'

	took
	printf '%s\n' "one - - $ok" "two - tests/.selftest. $ok" "three - - $ok" >"$work/table"
	JOBS=1 check && took one 1 two 1 three 1 && JOBS=1 check && [ "$(order)" = 'one two three' ] || return 1
	took one 1 two 1 three 1
	echo new >"$new"
	JOBS=1 check || { rm "$new"; return 1; }
	rm "$new"
	[ "$(order)" = 'two one three' ]
}

# Of the suites that have changed, and of those that have not, the longest come first.
longest_first() {
	local ok='echo 1..1; echo ok 1 a'

	took
	printf '%s\n' "one - - $ok" "two - - $ok" "three - - $ok" "four - - $ok" >"$work/table"
	JOBS=1 check && took one 5 two 100 three 20 four 30 && JOBS=1 check &&
		[ "$(order)" = 'two four three one' ] || return 1
	took one 5 two 100 three 20 four 30
	printf '%s\n' "one - - $ok; true" "two - - $ok" "three - - $ok; true" "four - - $ok" >"$work/table"
	JOBS=1 check && [ "$(order)" = 'three one two four' ]
}

# A kernel that no package source has: the suite is skipped with the reason, and not run.
no_kernel() {
	mkdir -p "$work/bin"
	# shellcheck disable=SC2016 # the stub's
	printf '#!/bin/sh\necho "$0 $*" >>%s\nexit 100\n' "$work/asked" >"$work/bin/apt-get"
	cp "$work/bin/apt-get" "$work/bin/apt-cache"
	cp "$work/bin/apt-get" "$work/bin/dpkg-deb"
	printf '#!/bin/sh\necho amd64\n' >"$work/bin/dpkg"
	chmod +x "$work/bin"/*
	{
		echo "one 5.10 - touch $work/ran-one; echo 1..1; echo ok 1 a"
		echo "two - - echo 1..1; echo ok 1 a"
		echo "three 5.10 - touch $work/ran-one; echo 1..1; echo ok 1 a"
	} >"$work/table"
	PATH=$work/bin:$PATH JOBS=1 check &&
		[ "$(tail -n 1 "$work/out.txt")" = '1 passed, 0 failed, 2 skipped' ] &&
		[ "$(grep -c 'SKIP .*mirror to fetch 5.10 from' "$work/out.txt")" -eq 2 ] &&
		[ "$(grep -c indextargets "$work/asked")" -eq 1 ] && [ ! -e "$work/ran-one" ]
}

# A row with @ stands for a suite for each kernel of another Debian suite.
each_kernel() {
	echo "kmod-@ @ - echo @" >"$work/table"
	CHECK_TABLE=$work/table "$here/check.sh" --list >"$work/names"
	cat "$work/names"
	[ "$(sed 's/^kmod-//' "$work/names")" = "$("$here/qemu/kernel.sh" others)" ] &&
		[ "$(wc -l <"$work/names")" -ge 3 ]
}

# Each tier has its tables, and no name twice.
tiers() {
	local tier

	for tier in check all soak; do
		"$here/check.sh" --list "$tier" >"$work/$tier"
		! sort "$work/$tier" | uniq -d | grep . || return 1
	done
	[ -s "$work/check" ] && ! grep -qvxFf "$work/all" "$work/check" &&
		[ "$(wc -l <"$work/all")" -gt "$(wc -l <"$work/check")" ]
}

# The CPU time of all processes of a suite is counted, however busy the machine is; a process
# that sleeps takes none.
cpu_time() {
	local ok='echo 1..1; echo ok 1 a'

	printf 'import time\nwhile time.process_time() < 2:\n    pass\n' >"$work/busy.py"
	printf '%s\n' "busy - - (python3 $work/busy.py; true); $ok" "idle - - sleep 2; $ok" >"$work/table"
	JOBS=2 check
	grep -qE '^  busy .* [23] s CPU$' "$work/out.txt" && grep -qE '^  idle .* 0 s CPU$' "$work/out.txt" &&
		grep -qE '^  all suites .*, [23] s CPU, at least [0-9]+ MB free$' "$work/out.txt"
}

# judge notes that it was run; ran N: so often by now
judge() { echo x >>"$work/ran"; }
ran() { [ "$(wc -l <"$work/ran")" = "$1" ]; }

# What has passed is not judged again, what has failed or is not the same is.
verdicts() {
	: >"$work/ran"
	judged_once key judge
	judged_once key judge
	ran 1
	judged_once 'other key' judge
	ran 2
	if (judged_once third false); then return 1; fi
	judged_once third judge
	ran 3
	mkdir "$work/files"
	cd "$work/files"
	echo 1 >a
	echo 1 >b
	[ "$(printf '%s\n' a b | unjudged key | cut -d ' ' -f 2 | paste -sd ' ')" = 'a b' ]
	echo a | unjudged key | judged
	[ "$(printf '%s\n' a b | unjudged key | cut -d ' ' -f 2)" = b ]
	[ "$(echo a | unjudged 'other key' | cut -d ' ' -f 2)" = a ]
	echo 2 >a
	[ "$(echo a | unjudged key | cut -d ' ' -f 2)" = a ]
}

# A folder of scripts: parts that pass, and one that says nothing.
folder() {
	mkdir "$work/folder"
	for name in a b lib record; do
		printf '#!/bin/sh\necho 1..1\necho ok 1 %s\n' "$name" >"$work/folder/$name.sh"
		chmod +x "$work/folder/$name.sh"
	done
	runs 0 '2 passed, 0 failed' "$here/each.sh $work/folder" || return 1
	echo '#!/bin/sh' >"$work/folder/b.sh"
	runs 1 '1 passed, 1 failed' "$here/each.sh $work/folder"
}

# What a guest has left, and what compares it: a script that ends in the middle, or before its first
# result, has failed.
of_guests() {
	local guest=$work/guest compared=$work/compared

	# shellcheck source=tests/kernel/lib.sh
	. "$here/kernel/lib.sh"
	printf '1..1\nok 1 a\n' >"$guest"
	printf '1..2\nok 1 b\nok 2 c\n' >"$compared"
	guest_results "$guest" "$compared"
	[ "$(merged_results "$guest" "$compared" | paste -sd ' ')" = 'KTAP version 1 1..3 ok 1 a ok 2 b ok 3 c' ]
	for text in '1..2\nok 1 b\n' '' '1..2\nok 1 b\nnot ok 2 c\n'; do
		# shellcheck disable=SC2059 # a format
		printf "$text" >"$compared"
		if guest_results "$guest" "$compared"; then return 1; fi
		if merged_results "$guest" "$compared"; then return 1; fi
	done
	rm "$compared"
	if guest_results "$compared" "$guest"; then return 1; fi
}

# breach FILE TEXT [WHERE]: a tree with this file is refused, and the file named with its second
# line, or with WHERE
breach() {
	local output

	mkdir -p "$work/tree"/{host/{lib,model,view,cli},module/uapi} "$work/tree/$(dirname "$1")"
	touch "$work/tree"/{host/{lib/err.h,lib/ring.h,model/site.h,view/svg.h},module/{site.h,uapi/kmem_account.h}}
	printf '%s\n' '#include "lib/err.h"' '#include "lib/ring.h"' 'struct kma_tag {' '};' \
		'int kma_name(void)' '{' '}' >"$work/tree/host/lib/err.c"
	printf '#include <stdio.h>\n%b\n' "$2" >"$work/tree/$1"
	! output=$("$here/../scripts/check-layers.sh" "$work/tree") || return 1
	rm "$work/tree/$1"
	"$here/../scripts/check-layers.sh" "$work/tree" >/dev/null && grep -q "$1:${3:-2}" <<<"$output"
}

upward()	{ breach host/lib/bad.c '#include "model/site.h"'; }
sideways()	{ breach host/model/bad.c '#  include "../view/svg.h"'; }
host_module()	{ breach host/cli/bad.c '#include "../module/site.h"'; }
flat()		{ breach host/flat.c '' ' host is the directory of no component'; }
cycle()		{ breach host/lib/ring.c '#include "lib/err.h"'; }
same_tag()	{ breach host/model/tag.c 'struct kma_tag {\n};'; }
same_name()	{ breach host/model/name.c 'static int kma_name(void)\n{\n}'; }
strange()	{ breach host/lib/strange.h 'int kma_name(void);'; }
module_host()	{ breach module/bad.c '#include "../host/lib/err.h"'; }

ktap_plan 40
ktap "passed results are counted" passes
ktap "several plans add up" two_parts
ktap "a skip is not a pass" skips
ktap "a failed result fails" fails
ktap "a failed result is shown with what it says" explains
ktap "a failed result fails whatever the exit status" fails_exit_0
ktap "an exit status without a failed result fails" dies_late
ktap "fewer results than planned fail" dies_early
ktap "results without a plan fail" no_plan
ktap "no result fails" silent
ktap "subtests are counted by their parent" subtests
ktap "a folder of scripts is a suite, and a silent script is no pass" folder
ktap "the results of a guest, and of what compares them, are as many as planned" of_guests
ktap "an unknown suite is refused" unknown
ktap "a failed suite names its log and the command that runs it alone" names_log
ktap "a second run in one directory is refused" one_at_a_time
ktap "a suite that runs beside the others makes none of them wait" beside
ktap "with one at a time there is none beside" beside_alone
ktap "a suite that was not started within LIMIT is skipped by name" limited
ktap "a suite for which the disk has too little space is skipped by name" full_disk
ktap "a suite that still runs at UNTIL is stopped and has failed" stopped
ktap "a log that is not text is shown, and its end last" not_text
ktap "a LIMIT or JOBS that is not a number is refused" bad_limit
ktap "suites that have changed or failed come first" affected
ktap "suites whose files have changed come first" affected_by_file
ktap "the longest suites come first" longest_first
ktap "a suite whose kernel cannot be had is skipped with the reason" no_kernel
ktap "a row with @ is a suite for each other kernel" each_kernel
ktap "tiers have suites of different names" tiers
ktap "CPU time is counted, and sleep is not" cpu_time
ktap "what has passed as it is is not judged again" verdicts
ktap "layers: lib may not include model" upward
ktap "layers: model may not include view" sideways
ktap "layers: host may not include the module's core" host_module
ktap "layers: the module may not include host" module_host
ktap "layers: no C file lies directly in host" flat
ktap "layers: no file of host includes itself by way of others" cycle
ktap "layers: a tag of host is defined once" same_tag
ktap "layers: a global name of host has one meaning" same_name
ktap "layers: a header of host declares nothing of another file" strange
ktap_end
