# shellcheck shell=bash disable=SC2154 # $program, $work and $here are host.sh's
# SPDX-License-Identifier: GPL-2.0-only
#
# History folders: sourced by host.sh. A day of 1,500 call sites, a sample each minute: its size with
# all sites changing and with a tenth, without ages and with, with cgroups, and how long it takes to load. The
# snapshots are made (history-day.py); what the module takes to print one is in no figure.
# SAMPLES_HISTORY=N records N samples only.

# bench_history_row SHARE AGES CGROUPS NAME BAR: bytes of the day, and seconds of `leaks` and of one sample
bench_history_row() {
	local dir=$work/history-$1-$2-$3 nr=${SAMPLES_HISTORY:-1440} bytes

	rm -rf "$dir"
	"$here/history-day.py" "$program" "$dir" 1500 "$nr" "$1" "$2" "$3" >"$work/said" 2>&1 || { cat "$work/said" >&2; return 1; }
	[ "$(sqlite3 "$dir"/*.kmh 'SELECT count(*) FROM sample')" = "$nr" ] || return
	bytes=$(cat "$dir"/*.kmh | wc -c)
	printf '| %s | %.1f | %s | %.2f | %.3f | %.3f |\n' "$4" "$(awk -v b="$bytes" 'BEGIN { print b / 1e6 }')" "$5" \
		"$(tail -n 1 "$work/said" | sed 's/.*CPU \([0-9.]*\) s.*/\1/' | awk -v nr="$nr" '{ print $1 / nr * 1000 }')" \
		"$(best "$program" leaks "$dir" --format csv)" \
		"$(best "$program" report "$dir" --top 20)"
}

bench_history() {
	cat <<-EOF

	## A day of a history

	1,500 call sites, 1,440 samples. Bars: 25 MB if all sites change, 5 MB if a tenth does, 0.2 s to load
	the day, which \`leaks DIR\` does, at most 288 samples of it; \`report DIR\` takes the last one.

	| what changes | MB | bar | \`watch\`: ms of CPU for a sample | \`leaks DIR\`, s | \`report DIR\`, s |
	|---|---|---|---|---|---|
	EOF
	bench_history_row 1 0 0 "all sites" 25 || return
	bench_history_row 0.1 0 0 "a tenth of the sites" 5 || return
	bench_history_row 1 1 0 "all sites, with ages" - || return
	bench_history_row 0.1 1 0 "a tenth of the sites, with ages" - || return
	bench_history_row 1 0 4 "all sites, each for four cgroups" -
}
