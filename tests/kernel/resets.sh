#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A machine that is reset while `kmem-account record` writes a log to its disk, at a random moment,
# many times. The host then repairs the file system as a boot does. The log must be readable, say
# that its end is missing, and lack at most the last second before the reset: that is record's
# --flush, by default 1 s.
#
#	resets.sh [RESETS [KERNEL]]	20 resets of the stock kernel
#
# KTAP on stdout; what is made goes below O. A part of make soak: 20 s a reset.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/kernel/resets-lib.sh
. tests/kernel/resets-lib.sh

resets=${1:-20}
guest_of resets 1 '' "${2-}"
program=${KMEM_ACCOUNT:-${O:-$PWD/out}/host/kmem-account}
recorder=${program%/*}/kmem-account-record
module=$(module_ko)
# seconds: the interval of the recorder's flush; and the time that a flush takes, with the time from
# the start of the recorder to the beginning of its log
flush=1 slack=0.5

# reset_after SECONDS: a guest that ends by its reset. Its log is $out/log, the time of the reset
# in $out/uptime, behind the time at which the recorder was started.
reset_after() {
	rm -f "$out/log"
	reset_guest "$cpus" "$here/resets.guest" "$1" --file "$module" --file "$recorder:/recorder" || return
	sed -n 's/.*kma-reset: \([0-9. ]*\).*/\1/p' "$out/guest/console.log" >"$out/uptime"
	debugfs -R 'ls -l /' "$out/disk" 2>/dev/null
	name=$(debugfs -R 'ls -p /' "$out/disk" 2>/dev/null | awk -F/ '$6 ~ /^log/ { print $6; exit }')
	debugfs -R "dump /$name $out/log" "$out/disk" 2>/dev/null
	[ -s "$out/log" ] && [ -s "$out/uptime" ]
}

# The time of the last event beside the time of the reset, in seconds. The recorder's start is
# taken for the beginning of the log, so what is lost is never understated.
loses_little() {
	local code=0

	reset_after "$1" || return
	"$program" check "$out/log" --format json >"$out/check.json" || code=$?
	[ "$code" = 1 ] || return
	"$program" report "$out/log" --format csv >"$out/report.csv" 2>"$out/words" || return
	cat "$out/words"
	grep -q 'the end is missing' "$out/words" || return
	[ "$(wc -l <"$out/report.csv")" -gt 20 ] || return
	# shellcheck disable=SC2046 # two numbers
	python3 - "$out/check.json" $(cat "$out/uptime") "$flush" "$slack" <<-'END'
		import json, sys
		got = json.load(open(sys.argv[1]))
		begin, end, flush, slack = map(float, sys.argv[2:])
		last = got["summary"]["no_end"]["last_event_ns"] / 1e9
		lost = end - begin - last
		print(f"reset at {end - begin:.2f} s, last event at {last:.2f} s: {lost:.2f} s lost")
		assert got["allocations"] > 1000 and got["findings"] == 1
		assert 0 <= lost <= flush + slack
	END
}

each_reset "$resets" loses_little
