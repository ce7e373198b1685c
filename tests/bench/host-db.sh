# shellcheck shell=bash disable=SC2154 # $program and $work are host.sh's
# SPDX-License-Identifier: GPL-2.0-only
#
# DB files: sourced by host.sh.  A snapshot of 100,000 sites is read and shown.

# An account of 100,000 sites: three to a function, one of four in a module.
bench_db_account() {
	awk 'BEGIN { srand(1); for (i = 0; i < 100000; i++) {
		req = 1 + int(1048576 * rand()); slack = int(req * rand() / 4); a = 1 + int(9999 * rand())
		printf "%8d %8d %8d %5d/%-5d  some_function_name_%d+0x%x/0x60%s\n", req + slack, slack, req,
			a, int(a * rand()), i / 3, (i % 3 + 1) * 16, i % 4 ? "" : " [module_" i % 50 "]" } }' >"$1.rows"
	awk '{ t += $1; s += $2; r += $3; split($4, n, "/"); a += n[1]; f += n[2] }
	END {
		printf "total bytes allocated: %.0f\ntotal bytes requested: %.0f\n", t, r
		printf "slack bytes allocated: %.0f\nnumber of allocs: %.0f\nnumber of frees: %.0f\nnumber of callers: %d\n\n", s, a, f, NR
		print "   total    slack      req alloc/free  caller"
	}' "$1.rows" >"$1"
	cat "$1.rows" >>"$1"
}

# bench_db_row NAME COMMAND...
bench_db_row() {
	local name=$1 took
	shift

	took=$(best "$@") && printf '| %s | %.3f |\n' "$name" "$took"
}

bench_db() {
	local db=$work/bench.db account=$work/bench.account

	bench_db_account "$account"
	rm -f "$db"
	"$program" report "$account" --save-db "$db@x" -O /dev/null || return
	cat <<-EOF

	## DB files

	A snapshot of 100,000 call sites, $(stat -c %s "$db") bytes. Bar: 0.2 s for the first row.

	| what | s |
	|---|---|
	EOF
	bench_db_row "\`report --db-file DB --top 20\`" \
		"$program" report --db-file "$db" --top 20 || return
	bench_db_row "\`report --db-file DB\`, a table of 100,000 rows" \
		"$program" report --db-file "$db" || return
	bench_db_row "\`report --db-file DB --format csv\`" \
		"$program" report --db-file "$db" --format csv || return
	bench_db_row "\`db show DB\`: reading and adding up alone" "$program" db show "$db" || return
	bench_db_row "the same account as text, \`report --top 20\`" \
		"$program" report "$account" --top 20 || return
	bench_db_row "\`diff DB DB\`" "$program" diff "$db" "$db" || return
	bench_db_row "saving it into a file that is there" "$program" db import "$db" "$account"
}
