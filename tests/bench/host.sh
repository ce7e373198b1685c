#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the host program costs, beside its peers in the same run: out/bench/host.md.
#
#	host.sh			all of it
#	EVENTS=100000 host.sh	on a shorter log (5000000)
#	REPEAT=3 host.sh	best of so many (7)
#
# Each file host-NAME.sh beside this one is a part of its own: it is sourced and its
# function bench_NAME prints its part of the report. They find $program, $work (removed
# at the end), $log (text, warm; of the parts memory, text, pipe and forms), $repeat and the functions best and gbps.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

repeat=${REPEAT:-7}
events=${EVENTS:-5000000}
mkdir -p "${O:-out}/bench"
out=$(cd "${O:-out}/bench" && pwd)
report=$out/host.md
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# before all others for its seconds, where it may
first=(chrt -f 10)
"${first[@]}" true 2>/dev/null || first=()

# seconds COMMAND...: wall time of one run, its output thrown away
seconds() {
	local start=$EPOCHREALTIME end
	"${first[@]}" "$@" >/dev/null 2>"$work/stderr" || { cat "$work/stderr" >&2; return 1; }
	end=$EPOCHREALTIME
	awk -v a="$start" -v b="$end" 'BEGIN { printf "%.4f\n", b - a }'
}

# best COMMAND...: the shortest of $repeat runs: what the machine does undisturbed
best() {
	local i
	for ((i = 0; i < repeat; i++)); do
		seconds "$@" || return
	done | sort -n | sed -n 1p
}

# gbps BYTES SECONDS
gbps() {
	awk -v bytes="$1" -v s="$2" 'BEGIN { printf "%.2f", bytes / s / 1e9 }'
}

# row NAME SECONDS: of the table of logs
row() {
	awk -v name="$1" -v s="$2" -v bytes="$bytes" -v events="$nr_events" 'BEGIN {
		printf "| %s | %.3f | %.2f | %.1f |\n", name, s, bytes / s / 1e9, events / s / 1e6 }'
}

head_of_report() {
	printf '# What the host program costs\n\n'
	printf '* machine: %s, %s CPUs\n' \
		"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed -n 1p)" "$(nproc)"
	printf '* commit: %s\n' "$(git describe --always --dirty 2>/dev/null || echo unknown)"
	printf '* date: %s\n' "$(date -u '+%Y-%m-%d %H:%M UTC')"
	printf '* load of the machine when it began: %s\n' "$(cut -d ' ' -f 1 /proc/loadavg)"
	printf '* times are wall clock, the best of %s runs, files in the page cache%s\n' \
		"$repeat" "${first:+, with real-time priority}"
}

bench_memory() {
	gcc -O3 -march=native -pthread -o "$work/memory" "$here/memory.c"
	cat <<-EOF

	## The machine's memory

	| what | GB/s |
	|---|---|
	EOF
	"${first[@]}" "$work/memory" "$log" "$repeat"
	printf '| cat LOG to /dev/null | %s |\n' \
		"$(gbps "$bytes" "$(best sh -c "cat '$log' >/dev/null")")"
	printf '| cat LOG through a pipe | %s |\n' \
		"$(gbps "$bytes" "$(best sh -c "cat '$log' | cat >/dev/null")")"
}

bench_text() {
	local python ours
	cat <<-EOF

	## Logs of ftrace as text

	A log of $nr_events events, $bytes bytes, recorded in a VM by
	\`tests/bench/record-log.sh\`. The whole account: \`kmem-account report -f LOG\`, with
	the program's start and the table. Bar 1 GB/s on 2 CPUs, aim 1.6.

	| what | s | GB/s | million events/s |
	|---|---|---|---|
	EOF
	ours=$(best "$program" report -f "$log")
	row "kmem-account, 2 CPUs" "$ours"
	row "kmem-account, 1 CPU" "$(best taskset -c 0 "$program" report -f "$log")"
	row "kmem-account, from a pipe" "$(best sh -c "cat '$log' | '$program' report -f -")"
	python=$(repeat=2 best "$here/log-plain.py" "$log")
	row "a plain Python script" "$python"
	# into a pipe: it would stop at the first if nobody read the number
	row "grep -c call_site" "$(best sh -c "grep -c call_site '$log' | cat")"
	"$here/log-plain.py" "$log" >"$work/python"
	# a caller may have commas
	"$program" report -f "$log" --format csv 2>/dev/null | awk -F, 'NR == 1 {
		for (i = 1; i <= NF; i++) at[$i] = NF - i; next }
		{ sum += $(NF - at["current_dynamic"]); allocs += $(NF - at["allocs"]); frees += $(NF - at["frees"]) }
		END { print sum, allocs, frees }' \
		>"$work/ours"
	if cmp -s "$work/python" "$work/ours"; then
		printf '\nLive bytes, allocations and frees are the same: %s.\n' "$(cat "$work/ours")"
	else
		die "the script counts $(cat "$work/python"), the program $(cat "$work/ours")"
	fi
}

# A log that does not end has to be read in memory that does not grow.
bench_pipe() {
	local limit=${PIPE_SECONDS:-60} bytes_read
	cat <<-EOF

	## A long log through a pipe

	The same log again and again for $limit seconds, into \`kmem-account report -f -\`.

	| read, GB | s | GB/s | most memory, MiB |
	|---|---|---|---|
	EOF
	# shellcheck disable=SC2016 # for the shell inside
	/usr/bin/time -f '%e %M' -o "$work/time" sh -c '
		end=$(($(date +%s) + $3))
		while [ "$(date +%s)" -lt "$end" ]; do cat "$1"; echo "$1" >>"$4"; done |
			"$2" report -f - >/dev/null 2>&1' \
		sh "$log" "$program" "$limit" "$work/rounds"
	bytes_read=$(($(wc -l <"$work/rounds") * bytes))
	awk -v bytes="$bytes_read" '{ printf "| %.1f | %.1f | %.2f | %.0f |\n", bytes / 1e9, $1,
		bytes / $1 / 1e9, $2 / 1024 }' "$work/time"
}

parts="memory text pipe"
for file in "$here"/host-*.sh; do
	[ -e "$file" ] || continue
	# shellcheck source=/dev/null
	. "$file"
	part=$(basename "$file" .sh)
	parts="$parts ${part#host-}"
done
parts=${PARTS_HOST:-$parts}
scripts/setup.sh build demo
[ -n "${KMEM_ACCOUNT-}" ] || make -s -C host O="$(cd "${O:-out}" && pwd)/host"
# the other parts make what they read
if [[ " $parts " =~ \ (memory|text|pipe|forms)\  ]]; then
	log=${LOG:-$("$here/record-log.sh" 6.1 "$events")}
	cat "$log" >/dev/null
	bytes=$(stat -c %s "$log")
	nr_events=$(grep -c 'call_site=' "$log")
fi
head_of_report >"$report"
for part in $parts; do
	"bench_${part//-/_}" >"$work/part" || die "$part could not be measured"
	cat "$work/part" >>"$report"
done
cat "$report"
say "Written: $report"
