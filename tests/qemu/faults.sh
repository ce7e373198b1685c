#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Print the first report of a fault that a kernel left in a console log.
#
#	faults.sh CONSOLE_LOG [ALLOWED]
#
# Only the kernel's own lines count (those with a time stamp): a test may print
# any of these words.  Reports between "cut here" and "end trace", and those of KCSAN, that contain a
# match of ALLOWED (an extended regular expression) are what a test provoked on
# purpose, and are passed over; everything else is a fault.  What kmemleak suspects
# is none yet: who has it scan looks again (no_leak in tests/kernel/lib.guest).
# Exit 0 and the line if there is a fault, 1 if there is none.
set -euo pipefail

log=${1:?a console log}
allowed=${2-}

# The beginnings of kernel reports, one to a line.
patterns='
------------\[ cut here
WARNING:
BUG:
kernel BUG at
Oops
Call Trace:
general protection fault
Kernel panic
UBSAN:
KASAN:
KCSAN:
KFENCE:
soft lockup
hard LOCKUP
rcu: INFO: .*stall
INFO: task .* blocked for more than
possible circular locking
inconsistent lock state
suspicious RCU usage
list_(add|del) corruption
refcount_t:
Unable to handle
Out of memory: Killed
stack guard page was hit
unregister_netdevice: waiting
workqueue: work func kma_.* deprecated
'
# Lines of a healthy stock kernel that look like one of these.
benign='Spectre V2 : WARNING:|VULNERABLE|hardware error'

# mawk has no intervals, so the stamp is spelt with +
awk -v patterns="$(awk 'NF' <<<"$patterns" | paste -sd'|')" \
	-v benign="$benign" -v allowed="$allowed" '
function settle() {
	if (block != "" && (allowed == "" || block !~ allowed) && first == "")
		first = head
	block = ""
}
{ sub(/\r$/, "") }
!/\[ *[0-9]+\.[0-9]+\](\[ *[CT][0-9]+\])? / { next }
$0 ~ benign { next }
/-+\[ cut here \]-+/ { settle(); block = $0; head = ""; next }
block == "" && /BUG: KCSAN:/ { settle(); block = head = $0; next }
block != "" {
	block = block "\n" $0
	if (head == "" && $0 ~ patterns)
		head = $0
	if (/---\[ end trace/ || /======================/)
		settle()
	next
}
first == "" && $0 ~ patterns { first = $0 }
END {
	settle()
	if (first == "")
		exit 1
	print first
}' "$log"
