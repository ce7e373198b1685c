#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account record that is killed: the file has all events up to the last flush but one, and
# check reports that its end is missing. log-kill.py is the module, and counts.
#
#	log-kill.sh [KILLS]	of recorders that write the log as it is, and as many that pack it
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

kills=${1-15}

# killed FOLDER OPTION...
killed() {
	mkdir "$work/$1"
	PYTHONDONTWRITEBYTECODE=1 "$here/log-kill.py" "$program" "$work/$1" "$kills" --flush 0.05 "${@:2}"
}

ktap_plan 2
ktap "recorders that are killed" killed plain --no-pack
ktap "recorders that pack, and are killed" killed packed
ktap_end
