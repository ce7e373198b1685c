#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Each input is opened once: what it is, is found out by the same open file that is then read. strace
# counts the opens.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
cp "$data/small.account" a
cp a b
gzip -k a
cp "$data/readers/snapshot-cgroups-6.1" snapshot
printf 'kmem_account ages 1\n# site\tcaller\tlive\n1\tf+0x1/0x2\t3\n' >ages

# opens FILE N ARGUMENTS...: the command succeeds, and opens FILE N times
opens() {
	local file=$1 want=$2 got

	shift 2
	strace -f -qq -e trace=open,openat,openat2 -o calls "$program" "$@" >/dev/null 2>said || { cat said; return 1; }
	got=$(grep -c "\"$file\"" calls || :)
	[ "$got" = "$want" ] || { echo "$*: $file was opened $got times, not $want"; return 1; }
}

one() {
	opens a 1 report a && opens a.gz 1 report a.gz && opens snapshot 1 report snapshot --by caller &&
		opens snapshot 1 report snapshot --by cgroup && opens ages 1 report ages && opens ages 1 table ages ages &&
		opens snapshot 1 table sites snapshot && opens a 1 export folded a --roots none
}

page() {
	opens a 1 rings a -r a.svg && opens a 1 rings a -r a.html && opens snapshot 1 flame snapshot --by cgroup -r c.svg
}

series() {
	opens a 1 leaks a b --interval 60 && opens b 1 leaks a b --interval 60 && opens snapshot 1 leaks snapshot &&
		opens a 1 rings a b -r over.html && opens b 1 rings a b -r over.html
}

two() {
	opens a 1 diff a b && opens b 1 diff a b && opens a 2 diff a a && opens a.gz 1 diff a.gz b && opens ages 2 diff ages ages
}

# Only a DB file has labels: the name with one is not read without it, and a directory is none.
labels() {
	local words

	mkdir -p tree
	for words in 'timeline tree@x' 'timeline a@x' 'objects a@x' 'check a@x' 'report a@x'; do
		# shellcheck disable=SC2086 # words
		"$program" $words >stdout 2>said && code=0 || code=$?
		if [ "$code" != 1 ] || [ -s stdout ] || [ "$(wc -l <said)" != 1 ]; then
			echo "$words: $code"
			cat stdout said
			return 1
		fi
	done
}

ktap_plan 5
ktap "names with a label" labels
if ! command -v strace >/dev/null; then
	for name in "one account" "a picture, a page" "several accounts over time" "two accounts are compared"; do
		ktap_skip "$name" "no strace"
	done
	ktap_end
	exit
fi
ktap "one account" one
ktap "a picture, a page" page
ktap "several accounts over time" series
ktap "two accounts are compared" two
ktap_end
