#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every shell script of the checkout (*.sh, and files whose first line names a
# shell) through shellcheck.  Prints KTAP, a result each.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../tests/ktap.sh"
cd "$here/.."

scripts() {
	local file

	git ls-files -co --exclude-standard | while IFS= read -r file; do
		[ -f "$file" ] || continue
		case ${file##*/} in
		*.sh)	printf '%s\n' "$file" ;;
		*)	! head -n 1 "$file" | grep -qaE '^#!.*\b(ba|da)?sh$' || printf '%s\n' "$file" ;;
		esac
	done
}

mapfile -t list < <(scripts)
ktap_plan ${#list[@]}
for script in "${list[@]}"; do
	ktap "$script" shellcheck -x "$script"
done
ktap_end
