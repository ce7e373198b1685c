#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# leaks --workload: a command that keeps 3 objects of each run is a leak, also at a call site that holds
# much already, and one that frees all is none; what grows once, or with the load, is none; the exit status; commands that fail. The account
# is a file that the command changes; tests/kernel/top.sh does the same with the module.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"

# run.py LEAK: one run of a workload. The number of runs is in a file; the account is debugfs' sites.
# There are hundreds of runs, so python3 starts without its site packages. run.py LEAK RESTART: the
# counters start again with that run.
cat >run.py <<'END'
import os, sys
runs, leak = 1, int(sys.argv[1])
if os.path.exists("runs"):
    runs += int(open("runs").read())
open("runs", "w").write(str(runs))
if len(sys.argv) > 2 and runs >= int(sys.argv[2]):
    runs -= int(sys.argv[2]) - 1
# caller, size, allocations, live objects
rows = [
    ("leaky", 64, 250 * runs, leak * runs),
    ("once", 256, 40 + runs, 40),
    ("churn", 128, 1000 * runs, 10 + runs % 3),
    ("cache", 192, 50 * runs, 5 * min(runs, 30)),
    ("heavy", 512, 100000 + 40 * runs, 100000 + leak * runs),
]
with open("sites.new", "w") as f:
    f.write("kmem_account sites 1\n# id\ttotal\tslack\treq\tallocs\tfrees\tcaller\tkind\tcache\n")
    for i, (caller, size, allocs, live) in enumerate(rows):
        f.write(f"{i + 1}\t{live * size}\t0\t{live * size}\t{allocs}\t{allocs - live}\t{caller}+0x10/0x40\tkmalloc\tkmalloc-{size}\n")
os.rename("sites.new", "sites")
END

# leaks LEAK OPTION...
leaks() {
	local leak=$1
	shift
	rm -f runs
	python3 -IS run.py "$leak"
	"$program" leaks --workload "python3 -IS run.py $leak" sites "$@" 2>said
}

verdict() { awk -F, -v c="$1+" 'index($9, c) == 1 { print $2 }' rows.csv; }

finds() {
	local code=0

	leaks 3 --fail-on leak --floor 0 --format csv >rows.csv || code=$?
	cat said rows.csv
	python3 "$here/planted.py" reasons rows.csv || return
	[ $code = 3 ] && [ "$(sed -n 2p rows.csv | cut -d, -f1,2)" = 1,leak ] && [ "$(verdict leaky)" = leak ] &&
		[ "$(verdict heavy)" = leak ] || return
	for site in once churn cache; do
		[ "$(verdict $site)" != leak ] || return
	done
	# what fills in the first runs and stays is no plateau
	[ "$(verdict cache)" = filling ] && [ "$(verdict once)" = plateau ] || return
	# 3 of 250 in each run
	[ "$(sed -n 1p rows.csv | cut -d, -f5)" = growth_per_run ] &&
		awk -F, 'index($9, "leaky+") == 1 { print $5, $6; exit !($5 > 0.75 * 3 * 64 && $5 < 1.25 * 3 * 64 && $6 == "0.012000") }' rows.csv &&
		grep -q 'the workload ran 70 times between 36 samples, in turns with an empty command; ' said
}

finds_none() {
	leaks 0 --fail-on leak --floor 0 --format csv >rows.csv || return
	cat rows.csv
	[ "$(grep -c ',leak,' rows.csv)" = 0 ]
}

# The load changes between sixths of the samples, and is the same backwards.
samples() {
	leaks 3 -n 24 --format csv >rows.csv || return
	cat said
	# what was there before does not hide a leak from the smallest number of samples
	[ "$(verdict leaky)" = leak ] && [ "$(verdict heavy)" = leak ] && grep -q 'between 24 samples' said && [ "$(cat runs)" = $((1 + 4 + 46)) ] || return
	# units are runs
	leaks 3 -n 24 --top 5 --format table -r runs.svg >shown || return
	cat shown
	grep -q '^runs: 46$' shown && grep -q '  per run  ' shown && ! grep -q 'hour' shown &&
		grep -q '>46 runs<' runs.svg && grep -q 'B a run, ' runs.svg && ! grep -q 'hour' runs.svg || return
	tr '\n' ' ' <shown >line
	grep -q 'leaky+0x10/0x40 leaks memory: .* are live and grow by [0-9]* B a run ([0-9]* B to [0-9]* B), seen over 46 runs' line
}

# After a restart of the account, a change still belongs to the turn in which it was.
restarts() {
	local code=0

	rm -f runs && python3 -IS run.py 3 7 || return
	"$program" leaks --workload "python3 -IS run.py 3 7" sites --fail-on leak --format csv >rows.csv 2>said || code=$?
	cat said rows.csv
	# the first sample is after 5 runs; an empty command, a run and the restart follow
	[ $code = 1 ] && grep -q '; using the longest series (68 of 71 inputs)$' said &&
		grep -q ': 3 samples were left out (see above), so --fail-on leak was not checked$' said &&
		awk -F, 'index($9, "leaky+") == 1 { print $5; exit !($5 > 0.75 * 3 * 64 && $5 < 1.25 * 3 * 64) }' rows.csv
}

# refused STATUS SENTENCE ARGUMENT...
refused() {
	local status=$1 sentence=$2 code=0
	shift 2
	"$program" leaks "$@" >stdout 2>said || code=$?
	cat said
	[ "$code" = "$status" ] && [ ! -s stdout ] && grep -qF -e "$sentence" said
}

bad_input() {
	python3 -IS run.py 0
	refused 1 'exit 7: the workload exited with status 7' --workload 'exit 7' sites || return
	refused 1 'the workload was ended by signal 9' --workload 'kill -9 $$' sites || return
	refused 1 'nothing: cannot read: No such file or directory' --workload true nothing || return
	refused 1 'run.py:1: unknown type of input' --workload true run.py || return
	refused 2 'leaks: --workload takes one input at most' --workload true sites sites || return
	refused 2 "leaks: -n needs --workload CMD" -n 30 sites || return
	refused 2 'leaks: --probe needs --workload CMD' --probe sites || return
	refused 2 '--workload' --workload true --interval 5 sites || return
	refused 2 '24 to 100000' --workload true -n 5 sites || return
	refused 2 "leaks: invalid --workload '' (expected a command)" --workload '' sites || return
	refused 2 'leaks: --workload reads its input repeatedly' --workload true - <sites || return
	# a saved account would make each site a plateau
	refused 1 'sites: no allocation was counted between the samples; switch the account on' --workload true -n 24 --fail-on leak sites
}

ktap_plan 5
ktap "what a workload keeps is a leak" finds
ktap "what it frees is none" finds_none
ktap "samples and runs" samples
ktap "a restart of the account" restarts
ktap "bad input" bad_input
ktap_end
