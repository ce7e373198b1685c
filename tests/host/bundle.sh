#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bundle: the file is the account that its snapshot is, for every command; it has the machine's
# files byte for byte; without addresses and names where that is asked for; what is refused.
# shellcheck disable=SC2015 # what fails shows its output
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
snapshot=$data/readers/snapshot-cgroups-6.1

# A machine: its snapshot, and files of proc. A line of one of them would begin a section.
mkdir -p root/proc root/sys/kernel/debug/kmem_account
cp "$snapshot" root/sys/kernel/debug/kmem_account/snapshot
for file in version meminfo vmstat; do cat /proc/$file >root/proc/$file; done
printf 'slabinfo - version: 2.1\n== end\n' >root/proc/slabinfo
cp /proc/zoneinfo root/proc/zoneinfo
printf 'ext4 757760 1 - Live 0xffffffffc04a2000\nloop 1 0 - Live 0xffffffffc0400000 (E)\n' >root/proc/modules
cp "$data/readers/account-6.1" root/proc/kmem_account

bundle() { "$program" bundle --root root "$@" 2>said; }

# section FILE NAME: its lines
section() { sed "1,/^== $2\$/d; /^== /,\$d" "$1"; }

same_account() {
	bundle -O b || return
	cat said
	[ ! -s said ] || return
	local by
	for by in caller cgroup cgroup,caller cache; do
		"$program" report b --by $by --format csv >got && "$program" report "$snapshot" --by $by --format csv >want &&
			cmp want got || return
	done
	"$program" rings b -r b.svg && "$program" export folded b -O b.folded && [ -s b.folded ] || return
	"$program" diff "$snapshot" b --by caller --format csv >same && [ "$(tail -n +2 same | cut -d, -f1-2)" = '[unchanged],' ] ||
		return
	"$program" report b --save-db runs.db && "$program" report runs.db --by caller --top 3
}

same_files() {
	local file
	for file in version meminfo zoneinfo vmstat modules; do
		section b $file | cmp - root/proc/$file || return
	done
	# the snapshot is there as it was
	sed '/^== bundle$/,$d' b >before
	sed '/^== end$/d' "$snapshot" | cmp - before || return
	[ "$(section b slabinfo | tail -n 1)" = ' == end' ] && [ "$(tail -n 1 b)" = '== end' ]
}

# No run of 16 digits of the kernel's half is left, and nothing else has changed.
no_addresses() {
	bundle --no-addresses -O hidden || return
	grep -qE '(^|[^0-9a-z])(0x)?ffff[0-9a-f]{12}([^0-9a-z]|$)' b || return
	grep -nE 'ffff[0-9a-f]{12}' hidden && return 1
	sed 's/0xffff[0-9a-f]\{12\}\b/0x0/g; s/\bffff[0-9a-f]\{12\}\b/0/g; s/^addresses: kept/addresses: removed/' b |
		cmp - hidden || return
	"$program" report hidden --by caller --format csv >got && "$program" report b --by caller --format csv | cmp - got
}

redacted() {
	bundle --redact -O red || return
	"$program" report red --by cgroup --format csv >got || return
	cat got
	grep -q '^/,' got && grep -qE '^/cgroup-[0-9]+,' got && ! grep -qE '^/[acde],' got || return
	# the numbers are the same
	"$program" report b --by cgroup --format csv | cut -d, -f2- | sort >want
	cut -d, -f2- got | sort | cmp want -
}

# The machine's files beside a snapshot of another machine: said.
other_machine() {
	local said_so='bundle: s is of another machine or boot, but the files of proc are of this one'

	mkdir -p root/proc/sys/kernel/random && cp "$snapshot" s || return
	sed -n 's/^boot_id: //p' s >root/proc/sys/kernel/random/boot_id && bundle -f s -O other.bundle && cat said && [ ! -s said ] &&
		echo 11111111-2222-3333-4444-555555555555 >root/proc/sys/kernel/random/boot_id && bundle -f s -O other.bundle &&
		cat said && grep -qx "kmem-account: $said_so" said && rm -r root/proc/sys
}

# What one may not read is named, and the rest is written.
unreadable() {
	mkdir -p poor/sys/kernel/debug poor/proc
	cp -r root/sys/kernel/debug/kmem_account poor/sys/kernel/debug/
	cp root/proc/meminfo poor/proc
	"$program" bundle --root poor -O poor.bundle 2>said || return
	cat said
	grep -q 'poor/proc/slabinfo: cannot open: No such file or directory; the bundle contains this error instead of the file' said &&
		[ "$(section poor.bundle slabinfo)" = 'error: cannot open: No such file or directory' ] &&
		"$program" report poor.bundle --top 3
}

# refused SENTENCE ARGUMENT...: nothing is written
refused() {
	local sentence=$1 code=0
	shift
	"$program" bundle "$@" -O none 2>said || code=$?
	cat said
	[ $code -ne 0 ] && [ ! -e none ] && grep -qF -e "$sentence" said
}

bad_input() {
	refused 'none/sys/kernel/debug/kmem_account/snapshot: cannot open' --root none || return
	refused "not a snapshot of the module; use -f /sys/kernel/debug/kmem_account/snapshot" -f root/proc/kmem_account || return
	head -c 5000 "$snapshot" >short
	refused "truncated: no line '== end'" --root root -f short || return
	refused "already a bundle; -f needs a snapshot of the module" --root root -f b || return
	: >empty
	refused 'not a snapshot of the module' --root root -f empty || return
	refused 'bundle: too many arguments: more' --root root more
}

# A history of three days, of which the last one has samples of a series of accounts.
made_history() {
	local s dir=root/var/lib/kmem-account

	export TZ=UTC
	python3 "$here/snapshot.py" make . || return
	mkdir -p root/var/lib
	for s in 2 4; do
		sed "s/^\(time_ns: \).*/\1$((1764000000 - s * 86400))000000000/; s/^\(boottime_ns: \).*/\1${s}000000000/" s000 >"d$((9 - s))"
	done
	for s in d? s0[0-3]?; do
		cp "$s" now
		"$program" watch -f now -n 1 "$dir" >>shown 2>watched || { cat watched; return 1; }
	done
	ls "$dir"/*.kmh
}

# What a command says of the bundle is what it says of the folder.
same_history() {
	local dir=root/var/lib/kmem-account first last
	local -a days
	made_history && bundle -O h || { cat said; return 1; }
	grep -q 'bundle: the newest sample of the history is [0-9]* hours old' said || { cat said; return 1; }
	days=("$dir"/*.kmh)
	first=$(basename "${days[0]}")
	last=$(basename "${days[-1]}" .kmh)
	grep -c '^day ' h && grep -q "^day $last.kmh " h || return
	# the newest day as a whole, and no day that ended before its 24 hours
	! grep -q "^day $first " h || return
	"$program" leaks h --from '2025-11-24 00:00' --format csv >got 2>said && "$program" leaks "$dir" --from '2025-11-24 00:00' --format csv >want 2>/dev/null &&
		[ "$(wc -l <want)" -gt 3 ] && cmp want got || { cat said; return 1; }
	"$program" timeline h >got 2>said && "$program" timeline "$dir" >want 2>/dev/null &&
		[ "$(wc -l <want)" -gt 3 ] && cmp want got || { cat said; return 1; }
	"$program" report "h@$last 23:59" --by caller --format csv >got 2>said &&
		"$program" report "$dir@$last 23:59" --by caller --format csv >want &&
		cmp want got || { cat said; return 1; }
	# the days of a bundle are bounded together: one less than their bytes is refused
	local all
	all=$(awk '/^day / { sum += $3 } END { print sum }' h)
	"$program" timeline h --max-input "$all" >got && "$program" timeline h 2>/dev/null | cmp - got || return
	! "$program" timeline h --max-input "$((all - 1))" >got 2>said && [ ! -s got ] &&
		grep -qx "kmem-account: h: refused: more than $((all - 1)) bytes when decompressed; --max-input BYTES allows more" said || { cat said; return 1; }
	# without a time it is the account of now
	"$program" report h --by caller --format csv >got && "$program" report "$snapshot" --by caller --format csv | cmp - got
}

history_elsewhere() {
	mv root/var/lib/kmem-account away && bundle --history away -O h2 || { cat said; return 1; }
	cmp <(section h history) <(section h2 history) && ! "$program" bundle --root root --history root -O none 2>said &&
		grep -q "root: not a history: it has no file 'kmem-account-history'" said || { cat said; return 1; }
	bundle -O h3 && ! grep '^== history' h3 && ! "$program" timeline h3 2>said
}

# What is wrong with a history that was not asked for does not prevent the bundle.
history_wrong() {
	local usual=root/var/lib/kmem-account day

	mkdir -p "$usual" && printf 'kmem_account history 1\n' >"$usual/kmem-account-history"
	bundle -O h3 && ! grep '^== history' h3 &&
		grep -q "$usual: the history has no samples; the history is left out" said || { cat said; return 1; }
	cp away/*.kmh "$usual" && : >"$usual/2025-11-23.kmh" && bundle -O h3 && ! grep 'left out' said &&
		"$program" timeline h3 >got 2>said && [ "$(wc -l <got)" -gt 3 ] || { cat said; return 1; }
	# the other days stay
	head -c 4096 /dev/urandom >"$usual/2025-11-24.kmh"
	bundle -O h3 && grep -q '2025-11-24.kmh: corrupt: .*; all samples of this day are left out' said &&
		grep -q '^day ' h3 && ! grep '^day 2025-11-24' h3 &&
		"$program" timeline h3 >got 2>said && [ "$(wc -l <got)" -gt 1 ] || { cat said; return 1; }
	for day in "$usual"/*.kmh; do head -c 4096 /dev/urandom >"$day"; done
	bundle -O h3 && grep -q 'the history has no samples that can be read; the history is left out' said && ! grep '^== history' h3 &&
		"$program" report h3 --top 1 || { cat said; return 1; }
	rm -rf "$usual"
}

# The first day of a machine whose clock has no battery.
history_of_1970() {
	sed 's/^\(time_ns: \).*/\13600000000000/' s000 >now
	"$program" watch -f now -n 1 early >shown 2>watched && bundle --history early -O h4 || { cat watched said; return 1; }
	"$program" timeline h4 >got && "$program" timeline early | cmp - got
}

# A bundle's own moment counts, beside its history.
own_moment() {
	cp root/sys/kernel/debug/kmem_account/snapshot kept
	cp s050 root/sys/kernel/debug/kmem_account/snapshot
	bundle --history away -O h5 && cp kept root/sys/kernel/debug/kmem_account/snapshot
	"$program" leaks h5 --format csv >got 2>said
	"$program" leaks away s050 --format csv >want 2>/dev/null
	[ "$(wc -l <want)" -gt 3 ] && cmp want got || { cat said; return 1; }
	grep -q 'the newest sample of the history is [0-9]* hours old' said || true
}

history_left_out() {
	local option

	for option in --no-addresses --redact; do
		bundle --history away $option -O h3 && ! grep '^== history' h3 &&
			grep -q 'the history is left out, because --no-addresses and --redact cannot remove addresses and cgroup paths from its files' said || return
	done
}

# damaged SENTENCE SED-EXPRESSION: of every command that reads the history
damaged() {
	local command

	sed "$2" h >damaged
	for command in leaks timeline; do
		! "$program" $command damaged >shown 2>said && [ ! -s shown ] && [ "$(wc -l <said)" -eq 1 ] &&
			grep -qE "^kmem-account: damaged:?[0-9]*: $1" said || { cat said; return 1; }
	done
}

damaged_history() {
	local first

	first=$(grep -n '^day ' h | sed -n 1p | cut -d: -f1)
	damaged "unsupported history in this bundle" 's/^kmem_account history 1/kmem_account history 9/' &&
		damaged "expected 'day NAME BYTES' of a history" "${first}s/ [0-9]*\$/ x/" &&
		damaged 'corrupt: cannot decode a day file of the history' "${first}s/ [0-9]*\$/ 77/" &&
		damaged 'corrupt: cannot decode a day file of the history' "$((first + 1))s/^..../!!!!/" &&
		damaged 'corrupt: cannot decode a day file of the history' "$((first + 9))d" &&
		damaged "the days of this bundle are not in order" "${first}s/day 2/day x/" &&
		damaged 'truncated in the history section' "$((first + 5))q"
}

# It costs its own input, however much else the bundle holds.
damaged_among_others() {
	local first days

	first=$(grep -n '^day ' h | sed -n 1p | cut -d: -f1)
	sed "$((first + 9))d" h >damaged
	"$program" leaks away s050 --format json >want 2>/dev/null
	"$program" leaks away damaged s050 --format json >got 2>said || { cat said; return 1; }
	grep -qE '^kmem-account: leaks: damaged:[0-9]+: corrupt: cannot decode a day file of the history; this input is left out$' said &&
		diff <(sed 's/"damaged_files": 0/"damaged_files": 1/' want) got || { cat said; return 1; }
	# a folder without a day that can be read
	cp -r away broken && days=(broken/*.kmh)
	for day in "${days[@]}"; do head -c 4096 /dev/urandom >"$day"; done
	"$program" leaks away broken s050 --format json >got 2>said || { cat said; return 1; }
	grep -q '^kmem-account: leaks: broken: the history has no samples that can be read; this input is left out$' said &&
		diff <(sed "s/\"damaged_files\": 0/\"damaged_files\": ${#days[@]}/" want) got || { cat said; return 1; }
	! "$program" leaks broken 2>said && grep -q '^kmem-account: broken: the history has no samples that can be read$' said
}

ktap_plan 15
ktap "a bundle is the account of its snapshot" same_account
ktap "it has the files of the machine" same_files
ktap "without addresses" no_addresses
ktap "without the names of cgroups" redacted
ktap "a snapshot of another machine" other_machine
ktap "files that cannot be read" unreadable
ktap "bad input" bad_input
ktap "the history of a bundle is that of the folder" same_history
ktap "another folder, a folder that is no history, and none" history_elsewhere
ktap "a history that cannot be read" history_wrong
ktap "a clock that begins in 1970" history_of_1970
ktap "a bundle has an account of its own" own_moment
ktap "no history where it cannot be changed" history_left_out
ktap "a damaged history" damaged_history
ktap "a damaged history among other inputs" damaged_among_others
ktap_end
