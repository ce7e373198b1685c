#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fixture of lib.sh: what it has kept is unpacked with the name of the new folder, whatever characters are in
# both names; of one script and its arguments the newest is kept.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

data=$work out=$work/out
cat >"$work/make.sh" <<'END'
#!/bin/bash
echo made >>"$(dirname "$0")/runs"
echo "$1/x says $2" >"$1/file"
END
chmod +x "$work/make.sh"

runs() { wc -l <"$work/runs"; }

# as_made DIR WORD: the file in DIR names DIR
as_made() { echo "$1/x says $2" | diff - "$1/file"; }

kept() {
	fixture make.sh "$work/one" a && as_made "$work/one" a && [ "$(runs)" = 1 ] &&
		fixture make.sh "$work/two" a && as_made "$work/two" a && [ "$(runs)" = 1 ] &&
		fixture make.sh "$work/two" b && as_made "$work/two" b && [ "$(runs)" = 2 ]
}

# Both names are of one length, as for the names of mktemp.
odd_names() {
	local from to before

	for from in 'a[b]*.c' '$^\.' 'p|q' 'x&y' 'plain'; do
		for to in 'plain' 'x&y' 'p|q' '1\2'; do
			before=$(printf '%.8s' "${from}_______") to=$(printf '%.8s' "${to}_______")
			rm -rf "$out/fixtures"
			fixture make.sh "$work/$before" c && fixture make.sh "$work/$to" c && as_made "$work/$to" c || return
		done
	done
}

pruned() {
	rm -rf "$out/fixtures"
	fixture make.sh "$work/one" a && fixture make.sh "$work/one" b &&
		[ "$(find "$out/fixtures" -type f | wc -l)" = 2 ] || return
	echo '# another version' >>"$work/make.sh"
	fixture make.sh "$work/one" a && as_made "$work/one" a && [ "$(find "$out/fixtures" -type f | wc -l)" = 2 ] &&
		fixture make.sh "$work/one" b && [ "$(find "$out/fixtures" -type f | wc -l)" = 2 ]
}

ktap_plan 3
ktap "a fixture is made once for its arguments" kept
ktap "names with characters of regular expressions" odd_names
ktap "the version of an older script is removed" pruned
ktap_end
