#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# One stock guest under load, in which a known call site leaks, as its users see it: a Prometheus on this
# machine scrapes it, the alert that we ship fires, and leaks finds the leak in what was stored; top's
# screen; the account in go tool pprof, with the sums of report; and a flame graph in speedscope, in
# Chromium (skipped if npm is absent or its registry does not answer).
#
#	guest.sh [DIVISOR]	durations of the alert rules are divided by it (default 60)
#
# With 60 it takes some seven minutes, nearly all of it waiting. What was seen stays below O:
# the screen of top, the picture of speedscope, the alert.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

divisor=${1:-60}
kernel=
out=$(kernel_out fleet)
fleet=$PWD/tests/fleet
program=$(realpath "${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}")
script=$(command -v script)
linux=
for dir in /usr/share/terminfo /lib/terminfo; do
	[ ! -e $dir/l/linux ] || linux=$dir/l/linux
done
[ -n "$linux" ] || { echo "$0: no terminfo of the terminal linux; install ncurses-base" >&2; exit 1; }
files=(--file "$program:/kmem-account" --file "$script:/bin/script" --file "$linux:/lib/terminfo/l/linux"
	--file "$(module_ko)" --file "$(kmod_ko kma_groups)")
mapfile -t loaded < <(server_libraries)
mapfile -t libs < <({ printf '%s\n' "${loaded[@]}"; ldd "$program" "$script" "${loaded[@]}"; } | grep -o '/lib[^ :]*' | sort -u)
for lib in "${libs[@]}"; do
	files+=(--file "$lib:$lib")
done
# two ports that are free now
read -r port stop < <(/usr/bin/python3 -c '
import socket
a, b = socket.create_server(("127.0.0.1", 0)), socket.create_server(("127.0.0.1", 0))
print(a.getsockname()[1], b.getsockname()[1])')

guest 2 "$fleet/leak.guest" "$out" "${files[@]}" --forward "$port:9770" --forward "$stop:9771" >"$out/ended" &
guest=$!
# a connection ends the guest, as soon as it listens
end_guest() {
	while kill -0 "$guest" 2>/dev/null; do
		(exec 5<>"/dev/tcp/127.0.0.1/$stop") 2>/dev/null || true
		sleep 2
	done
}
trap end_guest EXIT

alert() {
	PYTHONPATH=tests/host /usr/bin/python3 "$fleet/fleet.py" "$program" "$PWD/tests/data" "$PWD/packaging/prometheus" "$divisor" \
		guest "$port" >"$out/alert" 2>&1 || { cat "$out/alert"; return 1; }
}

# The leak has the most live bytes, and grows, on a screen of 80 by 24.
screen() {
	/usr/bin/python3 - "$out/guest/screen" "$out/top.txt" <<-'END'
		import re, sys
		import pyte
		with open(sys.argv[1], "rb") as f:
		    text = f.read()
		shown = pyte.Screen(80, 24)
		pyte.ByteStream(shown).feed(text[text.index(b"\n") + 1:text.index(b"\nScript done")])
		rows = [row.rstrip() for row in shown.display]
		with open(sys.argv[2], "w") as f:
		    f.write("\n".join(rows) + "\n")
		head = [i for i, row in enumerate(rows) if "CHANGE/s" in row][0]
		# nothing of the head is cut at this width
		assert not any("~" in row for row in rows[:head]), rows
		assert re.match(r" *\S+ [KM]iB +\+\S+ [KM]iB +\+\S+ [KM]iB .*group_task\+0x", rows[head + 1]), rows
	END
}

# Live bytes and allocations, all and those of the leak
pprof() {
	local report sum

	export HOME=$out PPROF_TMPDIR=$out
	"$program" export pprof "$out/guest/sites" -O "$out/guest.pb.gz" -q 2>/dev/null
	"$program" report "$out/guest/sites" --by caller --format csv -q 2>/dev/null >"$out/report.csv"
	report=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next } $1 != "total" { s += $col["current_dynamic"] } END { printf "%d", s }' "$out/report.csv")
	go tool pprof -top -nodecount=12 -unit=B -sample_index=inuse_space "$out/guest.pb.gz" >"$out/pprof.txt" 2>/dev/null
	sum=$(sed -nE 's/.* of ([0-9]+)B.*/\1/; T; p; q' "$out/pprof.txt")
	echo "report $report, pprof $sum"
	[ "$sum" = "$report" ] || return
	report=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next } $1 ~ /^group_task\+/ { print $col["current_dynamic"] }' "$out/report.csv")
	sum=$(awk '$6 == "group_task" { sub(/B$/, "", $1); print $1 }' "$out/pprof.txt")
	echo "report $report, pprof $sum of group_task"
	[ -n "$sum" ] && [ "$sum" = "$report" ]
}

modules() {
	command -v npm >/dev/null && timeout 180 npm install --silent --no-audit --no-fund --no-save --ignore-scripts \
		--prefix "$out/npm" speedscope@1.25.0 >"$out/npm.log" 2>&1
}

# The page loads the file by itself and draws it; its bar names the profile.
flame() {
	local release=$out/npm/node_modules/speedscope/dist/release

	"$program" export speedscope "$out/guest/snapshot" --roots none -O "$release/guest.json" -q 2>/dev/null
	PYTHONPATH=tests/browser /usr/bin/python3 "$fleet/speedscope.py" "$release" guest.json "$out/speedscope.png"
}

ktap_plan 5
ktap "prometheus scrapes the guest: the leak's alert fires, and leaks names it" alert
end_guest
ended=0
wait "$guest" || ended=$?
peace() { cat "$out/ended"; return "$ended"; }
ktap "the guest ends, without a report of its kernel" peace
ktap "top's screen has the leak first" screen
ktap "go tool pprof -top has the sums of report" pprof
if modules; then
	ktap "speedscope draws the flame graph" flame
else
	ktap_skip "speedscope draws the flame graph" "npm is absent, or its registry does not answer"
fi
ktap_end
