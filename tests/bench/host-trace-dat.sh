# shellcheck shell=bash disable=SC2154 # the variables of host.sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The part trace-dat of host.sh: recordings of trace-cmd, read beside `trace-cmd mem`,
# which accounts the same file; sourced. RECORDING=FILE takes another one.

# trace_dat_row FILE NAME: our time, the peer's, and how they compare
trace_dat_row() {
	local ours theirs

	cat "$1" >/dev/null
	ours=$(best "$program" report -f "$1")
	theirs=$(best trace-cmd mem -i "$1")
	awk -v name="$2" -v a="$ours" -v b="$theirs" -v events="$(cat "$work/events")" 'BEGIN {
		printf "| %s | %.3f | %.1f | %.3f | %.1f | %.2f |\n", name, a, events / a / 1e6, b,
			events / b / 1e6, b / a }'
}

bench_trace_dat() {
	local recording ours theirs

	recording=${RECORDING:-$("$here/record-trace-dat.sh")}
	"$program" report -f "$recording" --format csv 2>/dev/null | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
print(sum(int(row["allocs"]) + int(row["frees"]) for row in rows))
print(sum(int(row["total_dynamic"]) for row in rows), file=sys.stderr)' \
		>"$work/events" 2>"$work/total"
	ours=$(cat "$work/total")
	theirs=$(trace-cmd mem -i "$recording" 2>/dev/null | awk 'NR > 2 { sum += $5 } END { printf "%d", sum }')
	[ "$ours" = "$theirs" ] || die "trace-cmd mem counts $theirs bytes allocated, the program $ours"
	trace-cmd convert -i "$recording" -o "$work/none.dat" --file-version 7 --compression none >/dev/null 2>&1
	trace-cmd convert -i "$recording" -o "$work/zstd.dat" --file-version 7 --compression zstd >/dev/null 2>&1
	cat <<-EOF

	## Recordings of trace-cmd (trace.dat)

	$(cat "$work/events") events, recorded in a VM by \`tests/bench/record-trace-dat.sh\`. The whole
	account beside \`trace-cmd mem\` of the same file; both count the same bytes allocated:
	$ours. Bar 1.5 times the events/s of \`trace-cmd mem\`, aim 2.5.

	| file | kmem-account, s | million events/s | trace-cmd mem, s | million events/s | times |
	|---|---|---|---|---|---|
	EOF
	trace_dat_row "$recording" "version 6"
	trace_dat_row "$work/none.dat" "version 7, not compressed"
	trace_dat_row "$work/zstd.dat" "version 7, zstd"
}
