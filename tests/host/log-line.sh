#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The line that kmem-account record shows on a terminal while it records: log-line.py looks at
# it through Debian's pyte, which is a terminal; log-fake.py is the module.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

"$here/log-make.py" --events 4000 "$work/made.log" "$work/made.csv"

# on CASE: of log-line.py, in a folder and beside a fake of its own
on() {
	local code=0 fake

	mkdir "$work/$1"
	cd "$work/$1"
	"$here/log-fake.py" root ../made.log &
	fake=$!
	appears root/ready || code=1
	PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$here/log-line.py" "$program" "$PWD/root" "$1" || code=1
	# it has ended with the recorder, if that came so far
	kill $fake 2>/dev/null || :
	wait $fake 2>/dev/null || :
	return $code
}

ktap_plan 9
ktap "a line, and nothing of it at the end" on line
ktap "a narrow terminal" on narrow
ktap "a terminal that cannot erase" on dumb
ktap "--quiet" on quiet
ktap "no terminal" on no_terminal
ktap "in the background" on background
ktap "a command that writes to the terminal" on command
ktap "a command that does not" on aside
ktap "an error" on error
ktap_end
