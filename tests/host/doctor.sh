#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# doctor on files of made machines: a leak with a scan, a healthy one, one without the module; cgroups;
# not root; files that are cut, empty or foreign. The sums are compared with doctor.py's own.
# shellcheck disable=SC2015 # what fails shows its output
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
python3 "$here/doctor.py" make .

# look DIR [OPTION...]: both forms, and what each must have
look() {
	local dir=$1
	shift
	"$program" doctor "$dir" "$@" >"$dir.txt" 2>"$dir.said" || { cat "$dir.said"; return 1; }
	"$program" doctor "$dir" "$@" --format json >"$dir.json" || return
	cat "$dir.txt"
	[ ! -s "$dir.said" ] || { cat "$dir.said"; return 1; }
	[ "$(wc -l <"$dir.txt")" -le 25 ] && [ "$(wc -L <"$dir.txt")" -le 80 ] || return
	python3 "$here/doctor.py" check "$dir"
}

leak() { look leak --rules rules; }
healthy() { look healthy --rules rules; }
without() { look without --rules rules; }
early() { look early; }
bundled() {
	"$program" bundle --root root --scan leak/scan -f leak/account/s30 -O bundle 2>said || { cat said; return 1; }
	look bundle
}

# What it says is the same for the same files, but for the cost.
steady() {
	"$program" doctor leak --rules rules >again && diff <(sed '/^Cost/d' leak.txt) <(sed '/^Cost/d' again)
}

# Each command that it proposes works as printed.
commands() {
	local command nr=0

	mkdir -p bin
	ln -sf "$program" bin/kmem-account
	for dir in leak healthy without bundle; do
		sed -n '/^Next: /,/^Cost/s/^\(Next:\|     \) //p' "$dir.txt"
	done >list
	cat list
	while read -r command; do
		(PATH=$work/bin:$PATH; sh -c "$command" >out 2>&1) || { cat out; return 1; }
		nr=$((nr + 1))
	done <list
	[ "$nr" -ge 4 ]
}

# broken FILE HOW: the answer says so, has the other parts, and the status is 1
broken() {
	local code=0

	rm -rf broken
	cp -r leak broken
	"$2" "broken/$1"
	"$program" doctor broken >got 2>said || code=$?
	[ "$code" -eq 1 ] && grep -qF 'not all of the input could be read' said || { cat got said; return 1; }
	grep -q '^Verdict: ' got && grep -q '^Not looked at: .*' got || { cat got; return 1; }
}
cut_short() { head -c 100 "$1" >part0 && mv part0 "$1"; }
emptied() { : >"$1"; }
foreign() { cp /bin/true "$1"; }
files() {
	local file how

	for file in meminfo slabinfo scan; do
		for how in cut_short emptied foreign; do
			broken $file $how || { echo "$file $how"; return 1; }
		done
	done
	for how in emptied foreign; do
		broken account/s30 $how || { echo "account $how"; return 1; }
	done
}

# Without meminfo the rest is there; without anything there is no answer.
missing() {
	local code=0

	rm -rf part none
	cp -r leak part
	rm part/meminfo
	"$program" doctor part >got && grep -q '^Verdict: leak' got && ! grep -q '^Memory' got &&
		grep -q 'memory: part/meminfo: No such file' got || return
	mkdir none
	"$program" doctor none >got 2>said || code=$?
	[ "$code" -eq 1 ] && [ ! -s got ] && grep -q 'nothing to look at' said || return
	"$program" doctor nowhere 2>said && return 1
	grep -q 'nowhere: cannot read' said
}

refused() {
	refuse() {
		local code=0
		"$program" doctor "${@:2}" >got 2>said || code=$?
		[ "$code" -eq 2 ] && grep -qF -- "$1" said || { cat said; return 1; }
	}
	refuse '--for' --for 5 leak && refuse '--history' --history leak leak && refuse 'table or json' --format csv &&
		refuse "too many arguments" leak healthy
}

# rule LINE TEXT: a file of rules is refused with its line
rule() {
	printf '%b\n' "$1" >bad
	"$program" doctor leak --rules bad >got 2>said && return 1
	[ ! -s got ] && grep -qF -- "$2" said || { cat got said; return 1; }
}
rules() {
	rule 'rule: a\nsite: b\nfoo: c' 'bad:3: expected' && rule 'site: b' "bad:1: 'site' before" &&
		rule 'rule: a\nsite: b\nsite: c' 'bad:3: a second' && rule 'rule: a\nsite: b\nfrom: x' 'bad:3: invalid version' &&
		rule 'rule: a\nfix: b' "rule 'a' has no site" && rule 'rule:' 'bad:1: expected'
}

# The rules that are shipped: their form, what their patterns name in the kernels whose source is here, and
# the versions at the edges of their ranges.
known() { python3 "$here/doctor.py" known "$here/../../packaging/rules/known.rules"; }
named() {
	local cache=$HOME/.cache/kmem-account/kernels tree
	local -a trees=()

	for tree in "$cache"/linux-source-*.tree; do
		[ ! -d "$tree/fs" ] || trees+=("$tree")
	done
	[ "${#trees[@]}" -gt 0 ] || return 0
	python3 "$here/doctor.py" named "$here/../../packaging/rules/known.rules" "${trees[@]}"
}

# range VERSION yes|no: the rule is printed for a kernel of this version, or not
range() {
	sed "s/^release: .*/release: $1/" "$work"/leak/account/s30 >one/account
	"$program" doctor one --rules range --format json >got || return
	[ "$(grep -c '"rule": "range"' got)" = "$([ "$2" = no ]; echo $?)" ]
}
ranges() {
	mkdir one
	cp leak/scan one/scan
	sed -i '/^kernel\trelease\t/d' one/scan
	sed -i "s/^end\t.*/end\t$(($(wc -l <one/scan) - 1))/" one/scan
	printf 'rule: range\nsite: leaky\nfrom: 6.1.10 6.3\nfixed: 6.1.20 6.4.2 6.5\n' >range
	local version
	for version in 6.1.10 6.1.19-3 6.3 6.3.99 6.4.1; do range "$version" yes || { echo "$version"; return 1; }; done
	for version in 5.10.5 6.1.9 6.1.20 6.2.5 6.4.2 6.5 7.2.1; do range "$version" no || { echo "$version"; return 1; }; done
	# what Debian states in /proc/version counts
	echo 'Linux version 6.1.0-57-amd64 (x) (gcc-12 (Debian 12.2.0-14) 12.2.0) #1 SMP PREEMPT_DYNAMIC Debian 6.1.15-3 (2026-01-01)' >one/version
	range 6.1.0-57-amd64 yes && rm one/version && range 6.1.0-57-amd64 no
}

# This machine, as it is here; as a user that may read nothing.
here_now() {
	"$program" doctor --for 1 --no-scan --format json >got || return
	python3 "$here/doctor.py" now got || return
	[ "$(id -u)" = 0 ] || return 0
	setpriv --reuid 65534 --regid 65534 --clear-groups "$program" doctor --for 0 --format json >got 2>&1 || { cat got; return 1; }
	grep -q 'slabinfo: Permission denied, run it as root' got && grep -q '"sudo kmem-account doctor"' got
}

tests=(leak healthy without early bundled steady commands files missing refused rules known named ranges here_now)
ktap_plan "${#tests[@]}"
for test in "${tests[@]}"; do ktap "$test" "$test"; done
ktap_end
