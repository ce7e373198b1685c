# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Sourced by host.sh: kmem-account latency, beside the RFC's expressions in a script, and what
# reads a log and does little else. The log is tests/data/latency's, many times over.

bench_latency() {
	local log=$work/latency.log once=$work/latency.once bytes script
	local many=${LATENCY_ROUNDS:-700} i

	xz -dc tests/data/latency/7.2.log.xz >"$once"
	for ((i = 0; i < many; i++)); do cat "$once"; done >"$log"
	bytes=$(stat -c %s "$log")
	cat <<-EOF

	## Logs of function_graph: latency

	A log of a 7.2 under pressure, $many times: $bytes bytes. Bar 500 MB/s on one CPU.

	| what | s | MB/s |
	|---|---|---|
	EOF
	latency_row() {
		awk -v name="$1" -v s="$2" -v bytes="$bytes" \
			'BEGIN { printf "| %s | %.3f | %.0f |\n", name, s, bytes / s / 1e6 }'
	}
	latency_row "kmem-account latency --summary, 1 CPU" \
		"$(best taskset -c 0 "$program" latency -t 134 -f "$log" --summary)"
	latency_row "the same, and the lines of slow calls" \
		"$(best taskset -c 0 "$program" latency -t 134 -f "$log")"
	latency_row "the same, from a pipe" \
		"$(best sh -c "cat '$log' | taskset -c 0 '$program' latency -t 134 -f - --summary")"
	latency_row "grep -c mm_" "$(best sh -c "taskset -c 0 grep -c mm_ '$log' | cat")"
	# of a tenth, as they are slow: what the RFC's script does with each line, in perl; and the
	# rules by the script of the tests
	head -n "$(($(wc -l <"$once") * many / 10))" "$log" >"$work/latency.tenth"
	rm "$log"
	# shellcheck disable=SC2016 # perl's
	script=$(repeat=1 best perl -ne '
		$n++ if /\s*(\d+\.\d+)\s+\|\s+\d*\)*\s+([\w-]+)\s+\|\s+.*\s+(\d*\.*\d*)\s+[us]{0,2}\s+\|\s+(.*)/;
		END { print $n }' "$work/latency.tenth")
	latency_row "perl, the RFC's expression for a line" "$(awk -v s="$script" 'BEGIN { print s * 10 }')"
	script=$(repeat=1 best sh -c "tests/host/latency.py rules 134 <'$work/latency.tenth'")
	latency_row "a Python script, the five rules" "$(awk -v s="$script" 'BEGIN { print s * 10 }')"
}
