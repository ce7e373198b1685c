#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run every test script of a folder, one after the other: a suite of small parts.
#
#	each.sh DIR		all DIR/*.sh, but not lib.sh, which they share, nor record*.sh,
#				which write what is expected and are run on purpose only
#
# Their KTAP goes to stdout as it comes; check.sh adds the plans up.  Exit 1 if one
# of them fails, also if it says nothing of it.
set -euo pipefail

output=$(mktemp)
trap 'rm -f "$output"' EXIT
status=0
for script in "${1:?a folder of test scripts}"/*.sh; do
	case ${script##*/} in lib.sh | record*.sh) continue ;; esac
	printf '# %s\n' "$script"
	"$script" >"$output" 2>&1 || status=1
	cat "$output"
	if ! grep -qE '^(not )?ok [0-9]+' "$output"; then
		printf '1..1\nnot ok 1 %s gives no result\n' "$script"
		status=1
	fi
done
exit "$status"
