#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every shell script of the checkout (*.sh, and files whose first line names a
# shell) through shellcheck.  Prints KTAP, a result each.  What it has passed it is not
# given again, unless a script that any other one sources is another.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../tests/ktap.sh"
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
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

# All that one of them may source, by their names wherever they are: it is read with it.
sourced() {
	local names

	names=$(xargs sed -nE 's:^[[:space:]]*(\.|source) .*[/"]([^/"]+)"?.*:\2:p' <"$work/list" |
		sort -u | paste -sd '|')
	grep -E "(^|/)(${names//./\\.})\$" "$work/list"
}

# check SCRIPT: those that have passed are left out of the list
check() {
	local verdict
	verdict=$(grep -F " $1" "$work/unjudged" | grep -x "[^ ]* $1") || return 0

	shellcheck -x "$1"
	judged <<<"$verdict"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts >"$work/list"
judge="$(shellcheck --version) $(sourced | xargs sha256sum)"
unjudged "$judge" <"$work/list" >"$work/unjudged"
mapfile -t list <"$work/list"
ktap_plan ${#list[@]}
for script in "${list[@]}"; do
	ktap "$script" check "$script"
done
ktap_end
