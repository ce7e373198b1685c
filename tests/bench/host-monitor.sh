# shellcheck shell=bash disable=SC2154 # $program, $work and $here are host.sh's
# SPDX-License-Identifier: GPL-2.0-only
#
# What watching an account costs: sourced by host.sh.  A refresh of top, a scrape of serve, and each
# format of export, on accounts that are files.

# bench_monitor_account SITES: three to a function, one of four in a module
bench_monitor_account() {
	awk -v n="$1" 'BEGIN { srand(1); for (i = 0; i < n; i++) {
		req[i] = 1 + int(1048576 * rand()); slack[i] = int(req[i] * rand() / 4)
		t += req[i] + slack[i]; s += slack[i]; a += 9; f += 4 }
		printf "total bytes allocated: %.0f\ntotal bytes requested: %.0f\n", t, t - s
		printf "slack bytes allocated: %.0f\nnumber of allocs: %d\nnumber of frees: %d\nnumber of callers: %d\n\n", s, a, f, n
		print "   total    slack      req alloc/free  caller"
		for (i = 0; i < n; i++) printf "%8d %8d %8d %5d/%-5d  some_function_name_%d+0x%x/0x60%s\n", req[i] + slack[i],
			slack[i], req[i], 9, 4, i / 3, (i % 3 + 1) * 16, i % 4 ? "" : " [module_" i % 50 "]" }'
}

bench_monitor() {
	local format took

	bench_monitor_account 1500 >"$work/monitor.account"
	cat <<-EOF

	## Watching

	\`top\`: $(/usr/bin/python3 "$here/top.py" "$program" 5000 20). Bar: 3 % of one CPU.
	With cgroups: $(/usr/bin/python3 "$here/top.py" "$program" 5000 20 5).

	A scrape of \`serve\`, 1,500 call sites, packed. Bar: 10 ms.

	| series | wall ms | CPU ms of the server | bytes |
	|---|---|---|---|
	| the largest 50 sites | $(/usr/bin/python3 "$here/scrape.py" "$program" "$work/monitor.account") |
	| all sites (\`--top 1500\`) | $(/usr/bin/python3 "$here/scrape.py" "$program" "$work/monitor.account" 10 --top 1500) |

	\`export\` of the same account.

	| format | s |
	|---|---|
	EOF
	for format in pprof folded speedscope prometheus openmetrics; do
		took=$(best "$program" export "$format" "$work/monitor.account" -O "$work/monitor.out") || return
		printf '| %s | %.4f |\n' "$format" "$took"
	done
}
