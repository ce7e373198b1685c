#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every shell script of the checkout (*.sh, and files whose first line names a
# shell) through shellcheck.  Prints KTAP, a result each.  What it has passed it is not
# given again, unless a script that any other one sources is another.
#
# One more result: no pipe's reader ends before its writer (head, grep -q).  The writer may
# then die of SIGPIPE, which pipefail takes for a failure, on some runs only.  A line that
# means just that ends with "# ends first".
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
		*)	! head -n 1 "$file" | grep -aE '^#!.*\b(ba|da)?sh$' >/dev/null || printf '%s\n' "$file" ;;
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

# judge_one SCRIPT: run shellcheck, and keep its output and its status for check
judge_one() {
	local result=$work/results/${1//\//!} status=0

	shellcheck -x "$1" >"$result" 2>&1 || status=$?
	echo "$status" >"$result.status"
}

# check SCRIPT: a script without a result has passed before, as it is
check() {
	local result=$work/results/${1//\//!} status

	grep -qx "[^ ]* $1" "$work/unjudged" || return 0
	cat "$result"
	read -r status <"$result.status"
	[ "$status" -eq 0 ]
	grep -x "[^ ]* $1" "$work/unjudged" | judged
}

early_readers() {
	! grep -v '\.guest$' "$work/list" | # a guest's shell has no pipefail
		xargs -d '\n' grep -nE '[^|]\|[[:space:]]*(head|grep -[[:alnum:]]*q)\>' |
		grep -vE '^[^:]*:[0-9]*:[[:space:]]*#|# ends first$'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts >"$work/list"
judge="$(shellcheck --version) $(sourced | xargs sha256sum)"
unjudged "$judge" <"$work/list" >"$work/unjudged"
mkdir "$work/results"
export work
export -f judge_one
# one for each CPU: a script takes shellcheck a quarter of a second
# shellcheck disable=SC2016 # the $1 of the inner shell
cut -d ' ' -f 2- "$work/unjudged" |
	xargs -r -d '\n' -n 4 -P "$(nproc)" bash -c 'for script; do judge_one "$script"; done' -
mapfile -t list <"$work/list"
ktap_plan $((${#list[@]} + 1))
for script in "${list[@]}"; do
	ktap "$script" check "$script"
done
ktap "no reader of a pipe ends before its writer" early_readers
ktap_end
