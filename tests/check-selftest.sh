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
trap 'rm -rf "$work"' EXIT

# runs EXIT LAST_LINE COMMAND: a table of one suite gives that status and line
runs() {
	local want=$1 last=$2 status=0

	printf 'made-up %s\n' "$3" >"$work/table"
	O=$work/out SUITES='' CHECK_TABLE=$work/table "$here/check.sh" >"$work/out.txt" 2>&1 || status=$?
	cat "$work/out.txt"
	[ "$status" -eq "$want" ] && [ "$(tail -n 1 "$work/out.txt")" = "$last" ]
}

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
unknown()	{ ! SUITES=nonsense "$here/check.sh"; }

# A suite that runs beside the others is no reason for one of them to wait: of three,
# two at once, the last one ends before the first.
beside() {
	local ok='echo 1..1; echo ok 1 a'

	{
		echo "long & until [ -e $work/last ]; do sleep 0.1; done; $ok"
		echo "one sleep 0.2; $ok"
		echo "two sleep 0.4; $ok"
		echo "three [ ! -e $work/last ] && touch $work/last && $ok"
	} >"$work/table"
	O=$work/out SUITES='' JOBS=2 CHECK_TABLE=$work/table timeout 600 "$here/check.sh" >"$work/out.txt" 2>&1
	cat "$work/out.txt"
	[ "$(tail -n 1 "$work/out.txt")" = '4 passed, 0 failed' ] &&
		[ "$(sed -n 's/^  \([a-z]*\) .* passed .*/\1/p' "$work/out.txt" | paste -sd ' ')" = 'long one two three' ]
}

# With one at a time it is one of them.
beside_alone() {
	printf 'one & %s\ntwo %s\n' "touch $work/first; echo 1..1; echo ok 1 a" \
		"[ -e $work/first ] && echo 1..1 && echo ok 1 a" >"$work/table"
	O=$work/out SUITES='' JOBS=1 CHECK_TABLE=$work/table "$here/check.sh" >"$work/out.txt" 2>&1
	[ "$(tail -n 1 "$work/out.txt")" = '2 passed, 0 failed' ]
}

# The CPU time of all that a suite starts is counted, however busy the machine is; who
# sleeps has none.
cpu_time() {
	local ok='echo 1..1; echo ok 1 a'

	printf 'import time\nwhile time.process_time() < 2:\n    pass\n' >"$work/busy.py"
	printf '%s\n' "busy (python3 $work/busy.py; true); $ok" "idle sleep 2; $ok" >"$work/table"
	O=$work/out SUITES='' JOBS=2 CHECK_TABLE=$work/table "$here/check.sh" >"$work/out.txt" 2>&1
	cat "$work/out.txt"
	grep -qE '^  busy .* [23] s CPU$' "$work/out.txt" && grep -qE '^  idle .* 0 s CPU$' "$work/out.txt" &&
		grep -qE '^  all suites .*, [23] s CPU$' "$work/out.txt"
}

# judge notes that it was run; ran N: so often by now
judge() { echo x >>"$work/ran"; }
ran() { [ "$(wc -l <"$work/ran")" = "$1" ]; }

# What has passed is not judged again, what has failed or is not the same is.
verdicts() {
	export XDG_CACHE_HOME=$work/cache

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

# breach FILE TEXT: a tree with this include is refused, and the file named
breach() {
	local output

	mkdir -p "$work/tree"/{host/{lib,model,view},module/uapi}
	touch "$work/tree"/{host/{lib/err.h,model/site.h,view/svg.h},module/{site.h,uapi/kmem_account.h}}
	printf '#include <stdio.h>\n%s\n' "$2" >"$work/tree/$1"
	! output=$("$here/../scripts/check-layers.sh" "$work/tree") || return 1
	rm "$work/tree/$1"
	"$here/../scripts/check-layers.sh" "$work/tree" >/dev/null && grep -q "$1:2" <<<"$output"
}

upward()	{ breach host/lib/bad.c '#include "model/site.h"'; }
sideways()	{ breach host/model/bad.c '#  include "../view/svg.h"'; }
host_module()	{ breach host/bad.c '#include "../module/site.h"'; }
module_host()	{ breach module/bad.c '#include "../host/lib/err.h"'; }

ktap_plan 21
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
ktap "an unknown suite is refused" unknown
ktap "a suite beside the others takes no place of theirs" beside
ktap "with one at a time there is none beside" beside_alone
ktap "CPU time is counted, and sleep is not" cpu_time
ktap "what has passed as it is is not judged again" verdicts
ktap "layers: lib may not include model" upward
ktap "layers: model may not include view" sideways
ktap "layers: host may not include the module's core" host_module
ktap "layers: the module may not include host" module_host
ktap_end
